# SPDX-License-Identifier: MIT
"""The cloth as a soft body of PyBullet.

pybullet_cloth.py '{"substeps": 1}' relaxes links, pybullet_cloth.py '{"substeps": 8, "stiffness": 20}' has springs in a deformable world.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pybullet
import scene


def load(**options: Any) -> int:
    """Loads the cloth from a file, the only way in which PyBullet takes one."""
    lines = [f"v {x:.9g} {y:.9g} {z:.9g}" for x, y, z in scene.points()]
    lines += [f"f {a} {b} {c}" for a, b, c in scene.triangles() + 1]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cloth.obj"
        path.write_text("\n".join(lines) + "\n")
        return pybullet.loadSoftBody(str(path), mass=scene.MASS, useSelfCollision=0, collisionMargin=0.001, **options)


def cloth(settings: dict[str, Any]) -> tuple[Callable[[], None], Callable[[], np.ndarray]]:
    if not pybullet.isConnected():
        pybullet.connect(pybullet.DIRECT)
    springs = "stiffness" in settings
    pybullet.resetSimulation(pybullet.RESET_USE_DEFORMABLE_WORLD if springs else 0)
    pybullet.setGravity(0, -scene.GRAVITY, 0)
    pybullet.setPhysicsEngineParameter(fixedTimeStep=scene.TICK, numSubSteps=settings["substeps"])
    options = {"useMassSpring": 1, "springElasticStiffness": settings["stiffness"], "springDampingStiffness": 0} if springs else {}
    body = load(**options)
    for pin in scene.PINS:
        pybullet.createSoftBodyAnchor(body, pin)

    def positions() -> np.ndarray:
        _, vertices = pybullet.getMeshData(body, flags=pybullet.MESH_DATA_SIMULATION_MESH)
        return np.array(vertices).reshape(scene.SIDE, scene.SIDE, 3)

    return pybullet.stepSimulation, positions


if __name__ == "__main__":
    scene.main(cloth)
