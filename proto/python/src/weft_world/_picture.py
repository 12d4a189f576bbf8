# SPDX-License-Identifier: MIT
"""Still pictures of a world, drawn here: for notebooks that are read where nothing runs, and of the tasks for reinforcement learning.

Triangles are filled in perspective, many at once by numpy, and the nearest color of each pixel is kept (a depth buffer); two by two of
these pixels are one of the picture. Bodies are drawn by the triangles of their particles, ropes and particles as lines and dots.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from weft_world._surfaces import normal_at, position_at, surface_at
from weft_world.errors import InvalidError

if TYPE_CHECKING:
    from weft_world.remote import RemoteWorld
    from weft_world.world import World

Floats = NDArray[np.float64]

OVERSAMPLING: Final = 2
SIDE_MOST: Final = 4096  # pixels of the picture
FIELD: Final = np.radians(45.0)  # of view, vertically
VIEW: Final = np.array([0.55, 0.42, 1.0])  # direction from the middle of the objects to the camera
SUN: Final = np.array([0.4, 0.85, 0.35]) / np.linalg.norm([0.4, 0.85, 0.35])
SKY: Final = np.array([230.0, 235.0, 242.0])
GROUND: Final = np.array([203.0, 210.0, 220.0])
HAZE: Final = 60.0  # m, at which planes end in the sky
LINED: Final = 0.88  # of a plane's color: its lines
OBSTACLE: Final = np.array([140.0, 150.0, 164.0])
# Of objects without a colour, by their ids.
COLORS: Final = np.array([[224, 166, 58], [78, 134, 196], [202, 92, 74], [98, 158, 104], [148, 112, 178], [70, 158, 160]], np.float64)
NEAREST: Final = 1e-3  # least depth at which something is drawn, in m
PIXELS_AT_ONCE: Final = 1_000_000  # bounds the memory


@dataclass(frozen=True)
class Camera:
    """Position in m, directions right, up and towards the viewer, and how many pixels 1 m at a distance of 1 m takes."""

    position: Floats
    right: Floats
    up: Floats
    back: Floats
    scale: float

    @property
    def axes(self) -> Floats:
        """The three directions, one a row."""
        return np.stack([self.right, self.up, self.back])

    @classmethod
    def at(cls, position: Floats, target: Floats, height: int) -> Camera:
        back = position - target
        length = float(np.linalg.norm(back))
        if length < 1e-9:
            raise InvalidError("camera must have a target apart from its position")
        back = back / length
        right = np.cross([0.0, 1.0, 0.0], back)
        right = np.array([1.0, 0.0, 0.0]) if np.linalg.norm(right) < 1e-6 else right / np.linalg.norm(right)
        return cls(position, right, np.cross(back, right), back, height / 2 / float(np.tan(FIELD / 2)))

    @classmethod
    def around(cls, points: Floats, height: int, aspect: float) -> Camera:
        """Sees all the points."""
        low, high = (points.min(axis=0), points.max(axis=0)) if len(points) > 0 else (-np.ones(3), np.ones(3))
        radius = max(0.3, float(np.linalg.norm(high - low)) / 2)
        distance = 1.05 * radius / float(np.sin(FIELD / 2)) / min(1.0, aspect)
        middle = (low + high) / 2
        return cls.at(middle + VIEW / np.linalg.norm(VIEW) * distance, middle, height)


def _light(slope: Any) -> Any:
    """How bright a surface is, by the cosine of the angle between its normal and the sun."""
    return 0.42 + 0.58 * slope


def tangents_of(normal: Floats) -> Floats:
    """Two directions within a plane: along x and z where it is level."""
    first = np.cross(normal, np.array([0.0, 0.0, 1.0]) if abs(normal[2]) < 0.9 else np.array([1.0, 0.0, 0.0]))
    first /= np.linalg.norm(first)
    return np.stack([first, np.cross(first, normal)])


@dataclass(frozen=True)
class _Outlines:
    """Triangles in the picture: the rectangles of pixels around them, and what each corner weighs at a pixel, divided by its depth.

    Weights are linear in the pixel: 1 at their own corner and 0 at the side opposite to it. Divided by depths they are, up to a factor,
    those of the point of the triangle that is seen there, and their sum is 1 / its depth.
    """

    left: NDArray[np.int64]
    top: NDArray[np.int64]
    columns: NDArray[np.int64]
    sizes: NDArray[np.int64]  # of the rectangles, in pixels
    weights: Floats  # by corner, then triangle: at the pixel (0, 0), by column and by row
    nearness: Floats  # 1 / depth, by corner and triangle

    @classmethod
    def of(cls, corners: Floats, nearness: Floats, width: int, height: int) -> _Outlines:
        most = np.array([width, height])
        low = np.clip(np.ceil(corners.min(axis=1) - 0.5), 0, most).astype(np.int64)
        high = np.clip(np.floor(corners.max(axis=1) + 0.5), low, most).astype(np.int64)
        x, y = corners[..., 0].T, corners[..., 1].T
        x1, y1, x2, y2 = (np.roll(one, shift, axis=0) for shift in (-1, -2) for one in (x, y))
        area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])
        flat = np.abs(area) < 1e-9
        area = np.where(flat, 1, area)
        by_column, by_row = (y1 - y2) / area, (x2 - x1) / area
        weights = np.stack([(0.5 - x1) * by_column + (0.5 - y1) * by_row, by_column, by_row], axis=2)
        sides = high - low
        return cls(low[:, 0], low[:, 1], np.maximum(sides[:, 0], 1), np.where(flat, 0, sides.prod(axis=1)), weights, nearness.T)

    def inside(self, some: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any], Floats]:
        """The pixels of some triangles: number of the triangle, column, row, and the weights, by corner."""
        sizes = self.sizes[some]
        which = np.repeat(some, sizes)
        row, column = np.divmod(np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes, sizes), self.columns[which])
        x, y = column + self.left[which], row + self.top[which]
        weights = np.stack([corner[which, 0] + x * corner[which, 1] + y * corner[which, 2] for corner in self.weights])
        within = np.flatnonzero((weights >= -1e-9).all(axis=0))
        which = which[within]
        return which, x[within], y[within], weights[:, within] * self.nearness[:, which]


class _Canvas:
    def __init__(self, camera: Camera, width: int, height: int) -> None:
        self.camera = camera
        self.width, self.height = width, height
        self.colors = np.tile(SKY, (height * width, 1))
        self.depths = np.full(height * width, np.inf)

    def project(self, points: Floats) -> tuple[Floats, Floats]:
        """Pixels (x, y) and depths in m; what is behind the camera has a depth of 0 or less."""
        camera = self.camera
        seen = points - camera.position
        depths = -(seen @ camera.back)
        with np.errstate(divide="ignore", invalid="ignore"):
            pixels = np.stack([seen @ camera.right, -(seen @ camera.up)], axis=1) * (camera.scale / depths)[:, None]
        return pixels + np.array([self.width / 2, self.height / 2]), depths

    def put(self, points: Floats, colors: Floats, thickness: int = 1) -> None:
        """Draws points, where nothing nearer is."""
        pixels, depths = self.project(points)
        visible = depths > NEAREST
        pixels, depths, colors = pixels[visible], depths[visible], np.broadcast_to(colors, points.shape)[visible]
        for x in range(thickness):
            for y in range(thickness):
                at = np.floor(pixels + np.array([x, y]) - (thickness - 1) / 2).astype(np.int64)
                inside = (at >= 0).all(axis=1) & (at[:, 0] < self.width) & (at[:, 1] < self.height)
                slots = at[inside, 1] * self.width + at[inside, 0]
                order = np.argsort(-depths[inside], kind="stable")  # the nearest one is written last
                slots, near, paint = slots[order], depths[inside][order], colors[inside][order]
                nearer = near < self.depths[slots]
                self.depths[slots[nearer]] = near[nearer]
                self.colors[slots[nearer]] = paint[nearer]

    def surface(self, points: Floats, triangles: NDArray[Any], color: Floats) -> None:
        """Draws triangles, lit from both sides, with normals that change smoothly. Those that reach behind the camera are left out."""
        corners = points[triangles]
        faces = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        normals = np.zeros_like(points)
        for corner in range(3):
            np.add.at(normals, triangles[:, corner], faces)
        pixels, depths = self.project(points)
        triangles = triangles[((depths > NEAREST) & np.isfinite(pixels).all(axis=1))[triangles].all(axis=1)]
        outlines = _Outlines.of(pixels[triangles], 1 / depths[triangles], self.width, self.height)
        ends = np.cumsum(outlines.sizes)
        begin = 0
        while begin < len(triangles):
            before = ends[begin - 1] if begin > 0 else 0
            end = max(begin + 1, int(np.searchsorted(ends, before + PIXELS_AT_ONCE, side="right")))
            self._fill(outlines, np.arange(begin, end), normals[triangles], color)
            begin = end

    def _fill(self, outlines: _Outlines, some: NDArray[Any], normals: Floats, color: Floats) -> None:
        """Draws some of the triangles, with the light of the normals at their corners."""
        which, x, y, shares = outlines.inside(some)
        depths = 1 / shares.sum(axis=0)
        slots = y * self.width + x
        np.minimum.at(self.depths, slots, depths)
        visible = np.flatnonzero(depths == self.depths[slots])
        mixed = (shares[:, visible, None] * normals[which[visible]].transpose(1, 0, 2)).sum(axis=0)
        light = np.abs(mixed @ SUN) / np.maximum(np.sqrt((mixed * mixed).sum(axis=1)), 1e-300)
        self.colors[slots[visible]] = color * _light(light[:, None])

    def line(self, points: Floats, color: Floats, thickness: int) -> None:
        """Draws a line through the points."""
        pixels, depths = self.project(points)
        for index in np.flatnonzero((depths[:-1] > NEAREST) & (depths[1:] > NEAREST)):
            length = float(np.abs(pixels[index + 1] - pixels[index]).max())
            share = np.linspace(0, 1, int(np.clip(length, 1, 4 * self.width)) + 1)[:, None]
            self.put(points[index] * (1 - share) + points[index + 1] * share, color, thickness)

    def plane(self, position: Floats, normal: Floats, color: Floats) -> None:
        """Draws a plane as far as the picture goes, with lines every meter, when it is seen from the side of its normal."""
        camera = self.camera
        distance = float((camera.position - position) @ normal)
        if distance <= 0:
            return
        across = ((np.arange(self.width) + 0.5 - self.width / 2) / camera.scale)[None, :, None]
        upwards = ((self.height / 2 - np.arange(self.height) - 0.5) / camera.scale)[:, None, None]
        right, up, back = (np.append(tangents_of(normal), [normal], axis=0) @ camera.axes.T).T
        # For each pixel how fast its ray moves over the plane and away from it, by depth.
        rays = (across * right + upwards * up - back).reshape(-1, 3)
        with np.errstate(invalid="ignore"):
            hit = np.flatnonzero(-rays[:, 2] * self.depths > distance)
        over = rays[hit]
        depths = distance / -over[:, 2]
        places = tangents_of(normal) @ camera.position + over[:, :2] * depths[:, None]
        places -= np.round(places)
        lined = np.abs(places, out=places).min(axis=1)
        lined *= -camera.scale / 1.2 / depths
        lined = np.maximum(lined + 1, 0)
        lit = color * (_light(abs(float(normal @ SUN))) / _light(float(SUN[1])))
        share = (1 - (1 - LINED) * lined) * np.maximum(1 - depths / HAZE, 0)
        fog = SKY * np.minimum(depths / HAZE, 1)[:, None]
        self.colors[hit] = share[:, None] * lit + fog
        self.depths[hit] = depths

    def pixels(self) -> NDArray[np.uint8]:
        """The picture, of shape (height, width, 3), without the oversampling."""
        over = OVERSAMPLING
        large = self.colors.reshape(self.height // over, over, self.width // over, over, 3)
        mean = sum(large[:, row, :, column] for row in range(over) for column in range(over)) / over**2
        return np.asarray(np.rint(mean).clip(0, 255), np.uint8)


def encode_png(pixels: NDArray[np.uint8]) -> bytes:
    """An RGB picture, of shape (height, width, 3), as PNG."""
    height, width, _ = pixels.shape

    def part(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, 3 * width)], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    compressed = zlib.compress(lines.tobytes(), 9)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", compressed) + part(b"IEND", b"")


def _color(given: str | None, fallback: Floats) -> Floats:
    return fallback if given is None else np.array([int(given[at : at + 2], 16) for at in (1, 3, 5)], np.float64)


def _pieces(world: World | RemoteWorld, about: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], Floats, NDArray[Any]]]:
    for one in about["objects"]:
        handle = world.object(one["object"])
        yield one, handle.positions.astype(np.float64), np.asarray(handle.triangles, np.int64)


def _camera(camera: Sequence[float] | None, drawn: Sequence[Floats], height: int, aspect: float) -> Camera:
    if camera is None:
        points = np.concatenate(drawn or [np.empty((0, 3))])
        return Camera.around(points[np.isfinite(points).all(axis=1)], height, aspect)
    numbers = np.asarray(camera, np.float64)
    if numbers.shape != (6,) or not np.isfinite(numbers).all():
        raise InvalidError("camera must be six numbers: x, y, z of its position and of its target, in m", pointer="/camera")
    return Camera.at(numbers[:3], numbers[3:], height)


def pixels(world: World | RemoteWorld, *, width: int, height: int, camera: Sequence[float] | None) -> NDArray[np.uint8]:
    """The world in colors, of shape (height, width, 3): World.picture says what the arguments are."""
    for name, value in (("width", width), ("height", height)):
        if not 16 <= value <= SIDE_MOST:
            raise InvalidError(f"{name} must be 16 to {SIDE_MOST} pixels, got {value}", pointer=f"/{name}")
    about = world.object_list()
    pieces = list(_pieces(world, about))
    state = world.get()
    now = (state["tick"], state["tickHz"])
    obstacles = [(one, *surface_at(one, *now)) for one in about["obstacles"]]
    size = (OVERSAMPLING * width, OVERSAMPLING * height)
    framed = [points for _, points, _ in pieces] or [points for _, points, _ in obstacles]
    canvas = _Canvas(_camera(camera, framed, size[1], width / height), *size)
    for one, points, triangles in pieces:
        color = _color(one["color"], COLORS[one["object"] % len(COLORS)])
        if len(triangles) > 0:
            canvas.surface(points, triangles, color)
        elif one["kind"] == "rope":
            canvas.line(points, color, 2 * OVERSAMPLING)
        else:
            canvas.put(points, color, 2 * OVERSAMPLING)
    for one, points, triangles in obstacles:
        if one["shape"] == "plane":
            canvas.plane(position_at(one, *now), normal_at(one, *now), _color(one["color"], GROUND))
        else:
            canvas.surface(points, triangles, _color(one["color"], OBSTACLE))
    return canvas.pixels()


def picture(world: World | RemoteWorld, *, width: int, height: int, camera: Sequence[float] | None) -> bytes:
    """The world as PNG: World.picture says what the arguments are."""
    return encode_png(pixels(world, width=width, height=height, camera=camera))
