# SPDX-License-Identifier: MIT
"""The surfaces of obstacles as triangles, for pictures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weft_world._obstacle_motion import NO_TURN, Floats, moved, turned

Triangles: TypeAlias = NDArray[np.int64]

AROUND: Final = 24  # segments of a circle
CORNERS: Final = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
# Of a box, by the numbers of its corners, each side in a circle.
SIDES: Final = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))


def surface_at(obstacle: Mapping[str, Any], tick: int, tick_hz: float) -> tuple[Floats, Triangles]:
    """Points in m and triangles of an obstacle of object.list at a tick; a plane, which has no end, has none."""
    points, triangles = _surface(obstacle)
    if obstacle["shape"] == "heightfield":  # it is shifted, never turned
        return points + position_at(obstacle, tick, tick_hz) - np.asarray(obstacle["position"], np.float64), triangles
    return moved(points, obstacle, tick, tick_hz), triangles


def position_at(obstacle: Mapping[str, Any], tick: int, tick_hz: float) -> Floats:
    """The position in m of an obstacle of object.list, other than a capsule, at a tick."""
    return np.asarray(moved(np.array([obstacle["position"]], np.float64), obstacle, tick, tick_hz)[0])


def normal_at(plane: Mapping[str, Any], tick: int, tick_hz: float) -> Floats:
    """The unit normal of a plane of object.list at a tick."""
    ends = np.array([plane["position"], np.asarray(plane["position"]) + plane["normal"]], np.float64)
    begin, end = moved(ends, plane, tick, tick_hz)
    return np.asarray((end - begin) / np.linalg.norm(end - begin))


def _surface(obstacle: Mapping[str, Any]) -> tuple[Floats, Triangles]:
    shape = obstacle["shape"]
    if shape == "sphere":
        return _rounded(obstacle["position"], obstacle["position"], obstacle["radius"])
    if shape == "capsule":
        return _rounded(obstacle["from"], obstacle["to"], obstacle["radius"])
    if shape == "heightfield":
        return _field(obstacle)
    if shape == "box":
        faces = [side[corner] for side in SIDES for corner in (0, 1, 2, 0, 2, 3)]
        return _flat(_placed(CORNERS * np.asarray(obstacle["size"]) / 2, obstacle), faces)
    if shape == "mesh":
        return _flat(_placed(np.reshape(obstacle["positions"], (-1, 3)), obstacle), obstacle["triangles"])
    return np.empty((0, 3)), np.empty((0, 3), np.int64)


def _grid(rows: int, columns: int) -> Triangles:
    """The triangles of a grid of points, row by row."""
    first = np.add.outer(np.arange(rows - 1) * columns, np.arange(columns - 1)).ravel()
    before = np.stack([first, first + 1, first + columns], axis=1)
    after = np.stack([first + 1, first + columns + 1, first + columns], axis=1)
    return np.concatenate([before, after]).astype(np.int64)


def _rounded(begin: Sequence[float], end: Sequence[float], radius: float) -> tuple[Floats, Triangles]:
    """All that is nearer to a line than the radius: circles around it, half of them about each end."""
    ends = np.array([begin, end], np.float64)
    along = ends[1] - ends[0]
    length = float(np.linalg.norm(along))
    axis = along / length if length > 0 else np.array([0.0, 1.0, 0.0])
    across = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
    across /= np.linalg.norm(across)
    quarter = np.linspace(0, np.pi / 2, AROUND // 4 + 1)
    rise = np.concatenate([-quarter[::-1], quarter])[:, None, None]
    turn = np.linspace(0, 2 * np.pi, AROUND + 1)[None, :, None]
    directions = np.sin(rise) * axis + np.cos(rise) * (np.cos(turn) * across + np.sin(turn) * np.cross(axis, across))
    middles = np.repeat(ends, len(quarter), axis=0)[:, None]
    return (middles + radius * directions).reshape(-1, 3), _grid(2 * len(quarter), AROUND + 1)


def _field(obstacle: Mapping[str, Any]) -> tuple[Floats, Triangles]:
    columns, rows, spacing = obstacle["columns"], obstacle["rows"], obstacle["spacing"]
    z, x = np.meshgrid((np.arange(rows) - (rows - 1) / 2) * spacing, (np.arange(columns) - (columns - 1) / 2) * spacing, indexing="ij")
    points = np.stack([x.ravel(), np.asarray(obstacle["heights"], np.float64), z.ravel()], axis=1)
    return points + np.asarray(obstacle["position"], np.float64), _grid(rows, columns)


def _placed(points: Floats, obstacle: Mapping[str, Any]) -> Floats:
    """Points that are turned by the rotation of an obstacle, a quaternion (x, y, z, w), and moved to its position."""
    rotation = np.asarray(obstacle.get("rotation", NO_TURN), np.float64)
    return turned(points, rotation) + np.asarray(obstacle["position"], np.float64)


def _flat(points: Floats, triangles: Sequence[int]) -> tuple[Floats, Triangles]:
    """With points of its own for each triangle, so that edges stay sharp in the light."""
    corners = points[np.asarray(triangles, np.int64)]
    return corners, np.arange(len(corners)).reshape(-1, 3)
