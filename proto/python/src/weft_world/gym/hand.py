# SPDX-License-Identifier: MIT
"""A hand that holds particles of a cloth and carries them along, as stiffly as they were when it took them."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from weft_world._handles import Grab, Object
from weft_world.gym.environment import STEPS_A_SECOND, Numbers

SPEED: Final = np.float32(1)  # m/s, along each axis


class Hand:
    """A hand within a box of the world.

    Args:
        cloth: What it holds.
        particles: Those that it holds.
        low, high: Corners of the box, in m.

    Attributes:
        position: Of the hand in m: in the middle of what it holds.
        velocity: With which it was moved last, in m/s.
        holds: Whether it has not let go.
    """

    def __init__(self, cloth: Object, particles: list[int], low: tuple[float, float, float], high: tuple[float, float, float]) -> None:
        self._cloth = cloth
        self._particles = particles
        self._low = np.array(low, np.float32)
        self._high = np.array(high, np.float32)
        self._grabs: list[Grab] = []
        self._offsets: Numbers = np.zeros((len(particles), 3), np.float32)
        self.position: Numbers = np.zeros(3, np.float32)
        self.velocity: Numbers = np.zeros(3, np.float32)

    @property
    def holds(self) -> bool:
        return bool(self._grabs)

    def take(self) -> None:
        """Takes hold of the particles where they are."""
        places = self._cloth.positions[self._particles]
        self.position = places.sum(axis=0) / np.float32(len(places))
        self.velocity = np.zeros(3, np.float32)
        self._offsets = places - self.position
        self._grabs = [self._cloth.grab_start(particle=particle) for particle in self._particles]

    def move(self, direction: NDArray[np.float32]) -> None:
        """Moves, during the next tick, with so many times the greatest speed along each axis, and not out of its box."""
        there = np.clip(self.position + direction * (SPEED / np.float32(STEPS_A_SECOND)), self._low, self._high)
        self.velocity = (there - self.position) * np.float32(STEPS_A_SECOND)
        self.position = there
        for grab, offset in zip(self._grabs, self._offsets, strict=True):
            grab.move((there + offset).tolist())

    def let_go(self) -> None:
        for grab in self._grabs:
            grab.end()
        self._grabs, self._offsets = [], self._offsets[:0]
