# SPDX-License-Identifier: MIT
"""Where an obstacle that moves is at a tick, as the server computes it (server/sim/contact/obstacle_motion.c)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

NO_TURN = np.array([0.0, 0.0, 0.0, 1.0])


def turned(points: Floats, rotation: Floats) -> Floats:
    """Points, (n, 3), turned about the origin by a unit quaternion (x, y, z, w)."""
    vector, w = rotation[:3], rotation[3]
    twice = 2 * np.cross(vector, points)
    return np.asarray(points + w * twice + np.cross(vector, twice))


def _unit(rotation: Any) -> Floats:
    values = np.asarray(rotation, np.float64)
    return np.asarray(values / np.linalg.norm(values))


def _product(a: Floats, b: Floats) -> Floats:
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.array([*vector, a[3] * b[3] - a[:3] @ b[:3]])


def _start(obstacle: Mapping[str, Any]) -> tuple[Floats, Floats]:
    """The position, of a capsule the middle of its axis, and the rotation where the motion began."""
    if obstacle["shape"] == "capsule":
        return (np.asarray(obstacle["from"], np.float64) + np.asarray(obstacle["to"], np.float64)) / 2, NO_TURN
    return np.asarray(obstacle["position"], np.float64), _unit(obstacle.get("rotation", NO_TURN))


def _on_path(obstacle: Mapping[str, Any], seconds: float) -> tuple[Floats, Floats]:
    """The position and the rotation so long after the motion began."""
    motion = obstacle["motion"]
    path = [(point["time"], np.asarray(point["position"], np.float64), _unit(point["rotation"])) for point in motion["path"]]
    end = path[-1][0]
    time = motion.get("pathTime", 0.0) + seconds
    time = time % end if motion.get("loop") else min(time, end)
    after = next((index for index, (at, _, _) in enumerate(path) if time < at), len(path) - 1)
    begin, position, rotation = path[after - 1] if after > 0 else (0.0, *_start(obstacle))
    at, to, turn = path[after]
    share = min(1.0, (time - begin) / (at - begin))
    nearer = -turn if rotation @ turn < 0 else turn
    return np.asarray(position + share * (to - position)), _unit((1 - share) * rotation + share * nearer)


def moved(points: Floats, obstacle: Mapping[str, Any], tick: int, tick_hz: float) -> Floats:
    """Points, (n, 3) in m, of an obstacle of object.list, which names where they were when its motion began, at a tick."""
    motion = obstacle.get("motion")
    if motion is None:
        return points
    seconds = max(0, tick - motion["start"]) / tick_hz
    start, rotation = _start(obstacle)
    if "path" in motion:
        position, turn = _on_path(obstacle, seconds)
        return np.asarray(turned(points - start, _product(turn, rotation * (-1, -1, -1, 1))) + position)
    spin = np.asarray(motion.get("angularVelocity", (0.0, 0.0, 0.0)), np.float64)
    angle = float(np.linalg.norm(spin)) * seconds
    turn = np.array([*(spin * seconds * np.sinc(angle / (2 * np.pi)) / 2), np.cos(angle / 2)])
    pivot = np.asarray(motion.get("pivot", start), np.float64)
    way = seconds * np.asarray(motion.get("velocity", (0.0, 0.0, 0.0)), np.float64)
    return np.asarray(turned(points - pivot, turn) + pivot + way)
