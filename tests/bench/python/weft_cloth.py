# SPDX-License-Identifier: MIT
"""The cloth in Weft, by its Python package: weft_cloth.py '{"substeps": 4, "iterations": 1}'."""

from collections.abc import Callable
from typing import Any

import numpy as np
import scene
import weft_world as weft

FLAT = (2**-0.5, 0, 0, -(2**-0.5))  # turns the cloth's columns, which hang down, to +z


def cloth(settings: dict[str, Any]) -> tuple[Callable[[], None], Callable[[], np.ndarray]]:
    world = weft.World(sleep=False, air_density=0, wind={"velocity": (0, 0, 0)}, damping=0, **settings)
    particles = scene.SIDE**2
    made = world.cloth(
        scene.SIDE,
        scene.SIDE,
        spacing=scene.SPACING,
        position=(0, scene.HEIGHT, (scene.SIDE - 1) / 2 * scene.SPACING),
        rotation=FLAT,
        pin=list(scene.PINS),
        masses=[scene.MASS / particles] * particles,
    )

    def tick() -> None:
        world.step(1)

    return tick, lambda: made.positions.reshape(scene.SIDE, scene.SIDE, 3).copy()


if __name__ == "__main__":
    scene.main(cloth)
