# SPDX-License-Identifier: MIT
"""The cloth on which engines are compared: held by one edge and released flat. Units are SI, y is up.

An engine is a function of its settings that makes the scene and returns two functions: one computes a tick of 1/60 s, the
other returns the positions, row by row, as an array of (SIDE, SIDE, 3). No engine looks for contacts or damps the motion on purpose.
"""

import json
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np

SIDE = 32
SPACING = 0.02
MASS = 0.2
HEIGHT = 3.0
GRAVITY = 9.81
TICK = 1 / 60
TICKS = 300
FIRST_SEEN = 120  # the tick from which stretch is looked at
SEEN_EVERY = 5
PINS = range(SIDE)  # all of the first row
WARM_TICKS = 3

Engine = Callable[[dict[str, Any]], tuple[Callable[[], None], Callable[[], np.ndarray]]]


def points() -> np.ndarray:
    """Returns where the particles are at first, row by row: the first row, which has the pins, at z = 0."""
    column, row = np.meshgrid(np.arange(SIDE), np.arange(SIDE))
    places = [(column - (SIDE - 1) / 2) * SPACING, np.full_like(column, HEIGHT, dtype=float), row * SPACING]
    return np.stack(places, axis=-1).reshape(-1, 3)


def triangles() -> np.ndarray:
    """Returns the two triangles of each square of the cloth."""
    corner = (np.arange(SIDE - 1)[:, None] * SIDE + np.arange(SIDE - 1)).reshape(-1)
    first = np.stack([corner, corner + SIDE, corner + 1], axis=-1)
    second = np.stack([corner + 1, corner + SIDE, corner + SIDE + 1], axis=-1)
    return np.stack([first, second], axis=1).reshape(-1, 3)


def links() -> np.ndarray:
    """Returns the pairs of neighbours in a row, in a column and along both diagonals of each square."""
    index = np.arange(SIDE * SIDE).reshape(SIDE, SIDE)
    ends = [(index[:, :-1], index[:, 1:]), (index[:-1], index[1:]), (index[:-1, :-1], index[1:, 1:]), (index[:-1, 1:], index[1:, :-1])]
    return np.concatenate([np.stack([a.reshape(-1), b.reshape(-1)], axis=-1) for a, b in ends])


def stretches(positions: np.ndarray) -> np.ndarray:
    """Returns by how much each link between neighbours in a row or column is too long, as a share of its length."""
    lengths = [np.linalg.norm(np.diff(positions, axis=axis), axis=2).reshape(-1) for axis in (0, 1)]
    return np.maximum(np.concatenate(lengths) / SPACING - 1, 0)


def measure(engine: Engine, settings: dict[str, Any]) -> dict[str, float]:
    """Returns ticks a second of CPU time and of wall time, and the stretch of an engine with these settings."""
    tick, _ = engine(settings)
    for _ in range(WARM_TICKS):
        tick()
    tick, positions = engine(settings)
    cpu = wall = 0.0
    seen = []
    for number in range(TICKS):
        began = time.process_time(), time.perf_counter()
        tick()
        cpu += time.process_time() - began[0]
        wall += time.perf_counter() - began[1]
        if number >= FIRST_SEEN and number % SEEN_EVERY == 0:
            seen.append(stretches(positions()))
    lowest = HEIGHT - float(positions()[..., 1].min())
    mean, worst = float(np.mean(seen)), float(np.max(seen))
    return {"ticks_cpu": TICKS / cpu, "ticks_wall": TICKS / wall, "stretch_mean": mean, "stretch_worst": worst, "sag": lowest}


def finite(figures: dict[str, float]) -> dict[str, float]:
    """Returns the figures as JSON can hold them: 1e30 for numbers that are not finite."""
    return {name: value if np.isfinite(value) else 1e30 for name, value in figures.items()}


def main(engine: Engine) -> None:
    """Measures an engine with the settings of the command line, a JSON object, and prints one JSON object."""
    print(json.dumps(finite(measure(engine, json.loads(sys.argv[1])))))
