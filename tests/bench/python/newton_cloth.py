# SPDX-License-Identifier: MIT
"""The cloth in Warp on the CPU, by Newton's solvers.

newton_cloth.py '{"solver": "xpbd", "substeps": 10, "iterations": 1, "stiffness": 16}' has springs, "vbd" has elastic triangles.
"""

from collections.abc import Callable
from typing import Any

import newton
import numpy as np
import scene
import warp as wp

SOLVERS = {"xpbd": newton.solvers.SolverXPBD, "vbd": newton.solvers.SolverVBD}


def add_springs(builder: newton.ModelBuilder, stiffness: float) -> None:
    """Adds springs along rows, columns and both diagonals, as Weft has sticks."""
    for a, b in scene.links():
        builder.add_spring(int(a), int(b), stiffness, 0.0, 0.0)


def add_triangles(builder: newton.ModelBuilder, stiffness: float) -> None:
    corners = scene.triangles()
    a, b, c = (corners[:, k].tolist() for k in range(3))
    stiff, none = [stiffness] * len(corners), [0.0] * len(corners)
    builder.add_triangles(a, b, c, tri_ke=stiff, tri_ka=stiff, tri_kd=none, tri_drag=none, tri_lift=none)
    builder.color()


def model_of(settings: dict[str, Any]) -> newton.Model:
    builder = newton.ModelBuilder(up_axis=newton.Axis.Y, gravity=(0.0, -scene.GRAVITY, 0.0))
    places = scene.points()
    for i, place in enumerate(places):
        mass = 0.0 if i in scene.PINS else scene.MASS / len(places)
        builder.add_particle(wp.vec3(*place), wp.vec3(0.0, 0.0, 0.0), mass, radius=0.0)  # without a radius there are no contacts
    (add_springs if settings["solver"] == "xpbd" else add_triangles)(builder, settings["stiffness"])
    return builder.finalize(device="cpu")


def cloth(settings: dict[str, Any]) -> tuple[Callable[[], None], Callable[[], np.ndarray]]:
    substeps = settings["substeps"]
    if substeps % 2 != 0:
        raise ValueError("substeps must be even: a recording begins and ends with the same state")
    model = model_of(settings)
    solver = SOLVERS[settings["solver"]](model, iterations=settings["iterations"])
    control = model.control()
    states = [model.state(), model.state()]

    def compute() -> None:
        for _ in range(substeps):
            states[0].clear_forces()
            solver.step(states[0], states[1], control, None, scene.TICK / substeps)
            states.reverse()

    # The kernels of a tick are recorded, to be replayed without Python: much faster than `compute`.
    with wp.ScopedDevice("cpu"):
        compute()
        for state in states:
            state.assign(model.state())
        with wp.ScopedCapture() as capture:
            compute()

    def tick() -> None:
        wp.capture_launch(capture.graph)

    def positions() -> np.ndarray:
        return states[0].particle_q.numpy().reshape(scene.SIDE, scene.SIDE, 3).copy()

    return (compute if settings.get("record") is False else tick), positions


if __name__ == "__main__":
    scene.main(cloth)
