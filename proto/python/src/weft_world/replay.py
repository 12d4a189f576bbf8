# SPDX-License-Identifier: MIT
"""Computing a capsule again, tick by tick, with its hashes compared."""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from typing import Any

from weft_world import _records
from weft_world.capsule import Capsule
from weft_world.errors import DamagedError
from weft_world.recording import Recording
from weft_world.world import World


class Replay:
    """A capsule that is computed again in a world of its own.

    Attributes:
        capsule: What it replays.
        world: The world, at `capsule.first_tick` to begin with; to be looked at and branched, not to be changed.
    """

    def __init__(self, capsule: Capsule, **options: Any) -> None:
        self.capsule = capsule
        self.world = World(**{"name": capsule.world, "tick_hz": capsule.tick_hz, **options})
        self._next = 0  # of capsule.ticks
        self._applied = 0  # records
        self._known = {(tick, count): text for tick, count, text in capsule.hashes}
        if capsule.snapshot is not None:
            self.world.restore(capsule.snapshot)

    def step(self) -> int:
        """Computes the next tick; returns its number. Raises DamagedError if the state differs from what the capsule says."""
        return self.world._locked(self._step)

    def _step(self) -> int:
        engine, ticks = self.world._engine, self.capsule.ticks
        if self._next < len(ticks) and ticks[self._next][0] == engine.tick + 1:
            records = ticks[self._next][1]
            engine.record_apply(records)
            self._applied += _records.count_of(records)
            self._next += 1
        engine.running = False
        engine.step(1)
        self.world._take()
        known = self._known.get((engine.tick, self._applied))
        if known is not None and known != engine.hash:
            raise DamagedError(f"at tick {engine.tick} the hash of the state is {engine.hash}, in the capsule it is {known}")
        return engine.tick

    def __iter__(self) -> Iterator[int]:
        """Steps to the last tick, and yields each."""
        while self.world.tick < self.capsule.last_tick:
            yield self.step()

    def run(self) -> World:
        """Steps to the last tick; returns the world."""
        for _ in self:
            pass
        return self.world


def replay(source: Capsule | Recording | bytes | str | PathLike[str], **options: Any) -> Replay:
    """Replays a capsule: a file, its bytes, or a recording. `options` are those of World, such as capacities.

    for tick in weft.replay("drop.capsule"): ...
    """
    if isinstance(source, Recording):
        source = source.capsule()
    return Replay(source if isinstance(source, Capsule) else Capsule.load(source), **options)
