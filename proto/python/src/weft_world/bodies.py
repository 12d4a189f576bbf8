# SPDX-License-Identifier: MIT
"""Params and commands of the protocol that take some arithmetic: soft bodies from closed surfaces, and joints made of sticks.

The functions return plain dicts and lists for requests in JSON; they open no connection:

    world.call("soft.spawn", **soft_body(*read_surface("bunny.obj"), cell=0.05, young=20000, position=[0, 2, 0]))
    world.call("batch.run", commands=hinge(frame, door, [0, 1, 0], [0, 1, 0], limits=(0, 1.6)))

Lengths and positions are in m, angles in rad. soft_body needs the package tetgen (pip install weft-world[bodies]), whose library
is under the AGPL; nothing else needs a package, and this file works by itself, too.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, TypeAlias

Point: TypeAlias = Sequence[float]
End: TypeAlias = int | str | Mapping[str, Any]  # the id of a body, "$k", or an end of a stick
Command: TypeAlias = dict[str, Any]
Surface: TypeAlias = tuple[list[list[float]], list[list[int]]]

TETGEN = "tetgen==0.8.4"
STRAIGHT = 3.1  # rad: the most that the limits of a hinge may lie apart


class OpenSurface(ValueError):  # noqa: N818
    """A surface that does not enclose a volume; `edge` is the pair of vertices at which it is open."""

    def __init__(self, edge: tuple[int, int], places: list[list[float]], uses: int) -> None:
        self.edge = edge
        triangles = "one triangle has" if uses == 1 else f"{uses} triangles have"
        super().__init__(
            f"The surface is open at the edge from vertex {edge[0]} at {places[0]} to vertex {edge[1]} at {places[1]}: {triangles} it, "
            "but a closed surface has two at every edge."
        )


def read_surface(path: str | PathLike[str]) -> Surface:
    """Reads an OBJ or STL file; returns its vertices (lists of three numbers, in the file's unit) and triangles (lists of three indices).

    Vertices in the same place become one. Raises ValueError if the file has another format or no triangles.
    """
    with open(path, "rb") as file:
        data = file.read()
    name = str(path).lower()
    if name.endswith(".obj"):
        vertices, triangles = _read_obj(data.decode("utf-8", "replace"))
    elif name.endswith(".stl"):
        vertices, triangles = _read_stl(data)
    else:
        raise ValueError(f"{path} is neither an OBJ nor an STL file.")
    if not triangles:
        raise ValueError(f"{path} has no triangles.")
    return _welded(vertices, triangles)


def check_closed(vertices: Sequence[Point], triangles: Sequence[Sequence[int]]) -> None:
    """Raises OpenSurface if an edge does not belong to two triangles, or another even number of them."""
    uses: dict[tuple[int, int], int] = {}
    for triangle in triangles:
        for k in range(3):
            a, b = int(triangle[k]), int(triangle[(k + 1) % 3])
            edge = (min(a, b), max(a, b))
            uses[edge] = uses.get(edge, 0) + 1
    for edge, count in uses.items():
        if count % 2 == 1:
            raise OpenSurface(edge, [[round(float(value), 6) for value in vertices[vertex]] for vertex in edge], count)


def soft_body(vertices: Sequence[Point], triangles: Sequence[Sequence[int]], cell: float | None = None, **params: Any) -> dict[str, Any]:
    """Params of soft.spawn for a body that fills a closed surface.

    `cell`: wanted side of a tetrahedron in m, a sixth of the surface's longest extent by default. `params`: further params of soft.spawn.
    Raises OpenSurface, or ImportError if the package tetgen is missing.
    """
    check_closed(vertices, triangles)
    try:
        import numpy
        import tetgen  # type: ignore[import-not-found]
    except ImportError as error:
        raise ImportError(f"Filling a surface with tetrahedra needs the package tetgen: pip install {TETGEN}") from error
    points = numpy.array(vertices, dtype=numpy.float64)
    side = cell or float(numpy.max(points.max(axis=0) - points.min(axis=0))) / 6
    mesher = tetgen.TetGen(points, numpy.array(triangles, dtype=numpy.int32))
    nodes, elements = mesher.tetrahedralize(
        order=1, quality=True, minratio=1.5, mindihedral=10, fixedvolume=True, maxvolume=side**3 / (6 * math.sqrt(2))
    )[:2]
    used, numbers = numpy.unique(elements, return_inverse=True)
    return {
        "shape": "tetrahedra",
        "positions": [float(f"{value:.7g}") for value in nodes[used].flatten()],
        "tetrahedra": [int(number) for number in numbers.flatten()],
        **params,
    }


def ball_joint(a: End, b: End, point: Point, **options: Any) -> list[Command]:
    """Commands for batch.run: two bodies turn about a point that both carry.

    `a`, `b`: ids of bodies, "$k" for the object of command k of the batch, or ends such as {"object": 4, "particle": 0}.
    `options`: further params of stick.add, such as breakForce.
    """
    return [_stick(_end(a, point), _end(b, point), {**options, "restLength": 0})]


def hinge(
    a: End,
    b: End,
    point: Point,
    axis: Point,
    limits: tuple[float, float] | None = None,
    width: float = 0.1,
    arm: float = 0.2,
    **options: Any,
) -> list[Command]:
    """Commands for batch.run: two bodies turn about an axis through a point.

    Two ball joints lie `width` m apart on the axis. `limits`: smallest and greatest angle of b, counter-clockwise about the axis from its
    present pose, the smallest 0 or less, the greatest 0 or more, at most 3.1 apart; two sticks hold them `arm` m from the axis.
    Raises ValueError if the axis has no direction or the limits are not as described.
    """
    size = math.hypot(*axis)
    if not (size > 0 and math.isfinite(size)):
        raise ValueError("The axis of a hinge must have a direction.")
    along = [part / size for part in axis]
    joints = [command for share in (-0.5, 0.5) for command in ball_joint(a, b, _plus(point, along, share * width), **options)]
    if limits is None:
        return joints
    low, high = limits
    if not (low <= 0 <= high and low < high and high - low <= STRAIGHT):
        raise ValueError(
            "The limits of a hinge must be a smallest angle up to 0 and a greatest one from 0, "
            f"at most {STRAIGHT} rad apart, not {low} and {high}."
        )
    # The ends of both limits are as far from the axis; seen from it, they are `start` apart now. Their distance grows with the angle.
    start = (math.pi - low - high) / 2
    sizes = [abs(part) for part in along]
    across = _crossed(along, [1.0 if i == sizes.index(min(sizes)) else 0.0 for i in range(3)])
    across = [part / math.hypot(*across) for part in across]
    aside = _crossed(along, across)
    ends = (_end(a, _plus(_plus(point, across, arm * math.cos(start)), aside, -arm * math.sin(start))), _end(b, _plus(point, across, arm)))
    bounds = [("atLeast", low), ("atMost", high)]
    return joints + [
        _stick(*ends, {**options, "kind": kind, "restLength": 2 * arm * math.sin((start + angle) / 2)}) for kind, angle in bounds
    ]


def line(a: Mapping[str, Any], b: Mapping[str, Any], length: float | None = None, **options: Any) -> list[Command]:
    """Commands for batch.run: a line between two ends, slack until they are `length` m apart (as far as now, if it is None)."""
    return [_stick(a, b, {**options, "kind": "atMost", **({} if length is None else {"restLength": length})})]


def _stick(a: Mapping[str, Any], b: Mapping[str, Any], options: Mapping[str, Any]) -> Command:
    return {"method": "stick.add", "params": {"a": a, "b": b, **options}}


def _end(body: End, point: Point) -> Mapping[str, Any]:
    return body if isinstance(body, Mapping) else {"object": body, "anchor": list(point)}


def _plus(point: Point, direction: Point, share: float) -> list[float]:
    return [point[i] + share * direction[i] for i in range(3)]


def _crossed(u: Point, v: Point) -> list[float]:
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


def _read_obj(text: str) -> Surface:
    vertices: list[list[float]] = []
    triangles: list[list[int]] = []
    for row in text.splitlines():
        word, *rest = row.split() or [""]
        if word == "v":
            vertices.append([float(value) for value in rest[:3]])
        elif word == "f":
            indices = [int(corner.split("/")[0]) for corner in rest]
            corners = [index - 1 if index > 0 else len(vertices) + index for index in indices]
            triangles += [[corners[0], corners[k], corners[k + 1]] for k in range(1, len(corners) - 1)]
    return vertices, triangles


def _read_stl(data: bytes) -> Surface:
    count = struct.unpack_from("<I", data, 80)[0] if len(data) >= 84 else 0
    if count > 0 and len(data) >= 84 + 50 * count:
        places = [struct.unpack_from("<9f", data, 84 + 50 * t + 12) for t in range(count)]
        vertices = [list(place[3 * k : 3 * k + 3]) for place in places for k in range(3)]
    else:
        rows = [row.split() for row in data.decode("latin-1").splitlines()]
        vertices = [[float(value) for value in row[1:4]] for row in rows if row[:1] == ["vertex"]]
    return vertices, [[3 * t, 3 * t + 1, 3 * t + 2] for t in range(len(vertices) // 3)]


def _welded(vertices: list[list[float]], triangles: list[list[int]]) -> Surface:
    extent = max(max(axis) - min(axis) for axis in zip(*vertices, strict=True)) or 1.0
    numbers: dict[tuple[int, ...], int] = {}
    kept: list[list[float]] = []
    renumbered: list[int] = []
    for vertex in vertices:
        key = tuple(round(value / (1e-6 * extent)) for value in vertex)
        if key not in numbers:
            numbers[key] = len(kept)
            kept.append(vertex)
        renumbered.append(numbers[key])
    welded = [[renumbered[corner] for corner in triangle] for triangle in triangles]
    return kept, [triangle for triangle in welded if len(set(triangle)) == 3]
