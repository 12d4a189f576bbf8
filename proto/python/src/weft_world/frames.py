# SPDX-License-Identifier: MIT
"""Frames of a world of a server, as numpy arrays (FRAMES.md): the topology, and streams of positions in the codings raw and motion.

The payload of the coding motion is decoded in C. A message that is damaged raises DamagedError.
"""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from weft_world._native import ffi, lib
from weft_world.errors import DamagedError

HEADER: Final = struct.Struct("<BBHIQIIf4B")
FRAME, TOPOLOGY = 1, 2
RAW, MOTION = 0, 2
RANGES, REFRESH, KEYFRAME, PARTIAL, REST = 1, 2, 4, 8, 16
DELTA: Final = 1
RESTING: Final = 4  # the plane of particles at rest
FAULTS: Final = ("", "the payload is cut off", "the payload goes on behind the last particle", "a state of the coder is none")

# What particles of a kind are predicted from: native/frames.h.
_SHAPES: Final = {"cloth": 0, "rope": 2, "body": 3, "particles": 4}
_TRIANGLES: Final = 1


@dataclass(frozen=True)
class Shape:
    """An object of the topology: its particles are `first` to `first + particles - 1` of the world's."""

    id: int
    kind: str
    name: str
    first: int
    particles: int
    columns: int
    rows: int
    triangles: NDArray[np.uint32] | None  # (n, 3); None: as its kind has them


@dataclass(frozen=True)
class Frame:
    """Where everything is after a tick.

    Attributes:
        tick: The tick.
        epoch: Number of the layout; it changes when objects or particles come or go.
        positions: In m, of shape (particles, 3): of the objects in `objects`, one after another.
        objects: Id of each object, and which rows are its particles.
    """

    tick: int
    epoch: int
    positions: NDArray[np.float32]
    objects: dict[int, slice]

    def of(self, thing: Any) -> NDArray[np.float32]:
        """Positions of one object, by its id or a handle."""
        return self.positions[self.objects[getattr(thing, "id", thing)]]


@dataclass(frozen=True)
class _Header:
    kind: int
    coding: int
    flags: int
    epoch: int
    tick: int
    count: int
    step: float
    baselines: tuple[int, int, int, int]


def _damaged(why: str) -> DamagedError:
    return DamagedError(f"a message of the server is damaged: {why}")


def _header(data: bytes) -> _Header:
    if len(data) < HEADER.size or len(data) % 4 != 0:
        raise _damaged(f"{len(data)} bytes are no message")
    kind, coding, flags, epoch, tick, _, count, step, *baselines = HEADER.unpack_from(data)
    return _Header(kind, coding, flags, epoch, tick, count, step, tuple(baselines))


def _ranges(data: bytes, header: _Header) -> tuple[list[tuple[int, int]] | None, int]:
    """The ranges of a frame (first particle, count), None: the whole world; and where its payload begins."""
    if not header.flags & RANGES:
        return None, HEADER.size
    count = int.from_bytes(data[HEADER.size : HEADER.size + 4], "little")
    end = HEADER.size + 4 + 8 * count
    if end > len(data):
        raise _damaged("its ranges do not fit into it")
    numbers = np.frombuffer(data, "<u4", 2 * count, HEADER.size + 4)
    ranges = list(zip(numbers[::2].tolist(), numbers[1::2].tolist(), strict=True))
    if sum(length for _, length in ranges) != header.count:
        raise _damaged("its ranges have another number of particles than its header")
    return ranges, end


# ---- topology --------------------------------------------------------------------------------------------------------


class Topology:
    """The objects of an epoch, by rising ids."""

    def __init__(self, epoch: int, shapes: list[Shape]) -> None:
        self.epoch = epoch
        self.shapes: dict[int, Shape] = {}
        first = 0
        for shape in sorted(shapes, key=lambda one: one.id):
            self.shapes[shape.id] = replace(shape, first=first)
            first += shape.particles
        self.particles = first

    @staticmethod
    def read(data: bytes, before: Topology | None) -> Topology | None:
        """The topology that a message makes of the one before; None if it is a change of another one."""
        header = _header(data)
        text, words = _topology_text(data)
        try:
            if not header.flags & DELTA:
                return Topology(header.epoch, [_shape(one, words) for one in text["objects"]])
            if before is None or before.epoch != text["base"]:
                return None
            shapes = {identity: one for identity, one in before.shapes.items() if identity not in set(text["removed"])}
            for one in text["objects"]:
                shapes[one["id"]] = _shape(one, words)
            for tear in text.get("torn", []):
                shapes[tear["id"]] = _torn(shapes[tear["id"]], tear, words)
        except (KeyError, TypeError, IndexError, ValueError) as error:
            raise _damaged(f"its topology lacks or mistypes {error}") from error
        return Topology(header.epoch, list(shapes.values()))


def _topology_text(data: bytes) -> tuple[dict[str, Any], NDArray[np.uint32]]:
    length = int.from_bytes(data[HEADER.size : HEADER.size + 4], "little")
    begin, end = HEADER.size + 4, HEADER.size + 4 + length
    if end > len(data) or length % 4 != 0:
        raise _damaged("the text does not fit into it")
    try:
        text = json.loads(data[begin:end])
    except ValueError as error:
        raise _damaged("its text is no JSON") from error
    if not isinstance(text, dict):
        raise _damaged("its text is no object")
    return text, np.frombuffer(data, "<u4", -1, end)


def _words(at: dict[str, int], words: NDArray[np.uint32], each: int) -> NDArray[np.uint32]:
    begin, count = at["offset"], at["count"]
    if begin < 0 or count < 0 or begin + each * count > len(words):
        raise _damaged("a list of its topology does not fit into it")
    return words[begin : begin + each * count].reshape(count, each).copy()


def _shape(one: dict[str, Any], words: NDArray[np.uint32]) -> Shape:
    triangles = _words(one["triangles"], words, 3) if "triangles" in one else None
    return Shape(one["id"], one["kind"], one.get("name", ""), 0, one["particles"], one.get("columns", 0), one.get("rows", 0), triangles)


def _torn(shape: Shape, tear: dict[str, Any], words: NDArray[np.uint32]) -> Shape:
    triangles = triangles_of(shape).copy()
    for index, *corners in _words(tear["triangles"], words, 4).tolist():
        triangles[index] = corners
    return replace(shape, particles=tear["particles"], triangles=triangles)


def triangles_of(shape: Shape) -> NDArray[np.uint32]:
    """The triangles of an object, (n, 3). Those of a body whose shape is embedded in its particles are none of its particles."""
    if shape.triangles is not None:
        return shape.triangles
    return np.empty((0, 3), np.uint32)


# ---- streams ---------------------------------------------------------------------------------------------------------


class Stream:
    """The frames of one subscription in one epoch."""

    def __init__(self, topology: Topology) -> None:
        self.topology = topology
        self._native: Any = None
        self._objects: list[Shape] = []
        self._ring = [0, 1, 2, 3]  # planes, the newest frame first
        self._ticks: list[int] = []  # of the frames in the ring
        self._step = 0.0

    def decode(self, data: bytes) -> Frame | None:
        """The frame of a message; None where it has none to be shown, or builds on frames that were missed."""
        header = _header(data)
        if header.kind != FRAME:
            raise _damaged(f"type {header.kind} is no frame")
        ranges, begin = _ranges(data, header)
        if header.coding == RAW:
            return self._raw(data, header, ranges, begin)
        if header.coding != MOTION:
            raise _damaged(f"coding {header.coding} was not asked for")
        if self._native is None:
            self._open(header, ranges)
        return self._take(data, header, ranges, begin)

    def _raw(self, data: bytes, header: _Header, ranges: list[tuple[int, int]] | None, begin: int) -> Frame:
        if len(data) != begin + 12 * header.count:
            raise _damaged(f"{header.count} particles do not take {len(data) - begin} bytes")
        objects = self._all() if ranges is None else [self._at(one) for one in ranges if one[1] > 0]
        positions = np.frombuffer(data, "<f4", 3 * header.count, begin).reshape(-1, 3).copy()
        return self._frame(header, positions, objects)

    def _all(self) -> list[Shape]:
        return [one for one in self.topology.shapes.values() if one.particles > 0]

    def _at(self, chosen: tuple[int, int]) -> Shape:
        found = next((one for one in self._all() if (one.first, one.particles) == chosen), None)
        if found is None:
            raise _damaged(f"no object has {chosen[1]} particles from {chosen[0]} on")
        return found

    def _frame(self, header: _Header, positions: NDArray[np.float32], objects: list[Shape]) -> Frame:
        if len(positions) != sum(one.particles for one in objects):
            raise _damaged("it has another number of particles than its objects")
        places, first = {}, 0
        for one in objects:
            places[one.id] = slice(first, first + one.particles)
            first += one.particles
        return Frame(header.tick, header.epoch, positions, places)

    def _open(self, header: _Header, ranges: list[tuple[int, int]] | None) -> None:
        if not 0 < header.step < float("inf"):
            raise _damaged(f"a step of {header.step} m is none")
        chosen = None if header.flags & (PARTIAL | REST) else ranges
        self._objects = self._all() if chosen is None else [self._at(one) for one in chosen if one[1] > 0]
        self._step = header.step
        rows = ffi.new("weft_stream_object[]", len(self._objects))
        kept = []
        for row, one in zip(rows, self._objects, strict=True):
            shape = _SHAPES.get(one.kind, _TRIANGLES)
            row.count, row.shape, row.columns, row.rows = one.particles, shape, one.columns, one.rows
            if shape == _TRIANGLES:
                triangles = np.ascontiguousarray(triangles_of(one), np.uint32)
                kept.append(triangles)
                row.triangles, row.triangle_count = ffi.cast("uint32_t *", ffi.from_buffer(triangles)), len(triangles)
        native = lib.weft_stream_create(rows, len(self._objects))
        if native == ffi.NULL:
            raise _damaged("its objects do not fit together")
        self._native = ffi.gc(native, lib.weft_stream_destroy)
        self._count = int(lib.weft_stream_particles(native))
        self._slots = {one.first: index for index, one in enumerate(self._objects)}

    def _which(self, ranges: list[tuple[int, int]] | None, count: int) -> list[int]:
        """The objects of the stream that a message has."""
        if ranges is None:
            if count != self._count:
                raise _damaged(f"{count} particles in a stream of {self._count}")
            return list(range(len(self._objects)))
        which = [(self._slots.get(first, -1), length) for first, length in ranges if length > 0]
        sound = all(index >= 0 and self._objects[index].particles == length for index, length in which)
        indices = [index for index, _ in which]
        if not sound or indices != sorted(set(indices)):
            raise _damaged("its ranges are none of the stream's objects")
        return indices

    def _take(self, data: bytes, header: _Header, ranges: list[tuple[int, int]] | None, begin: int) -> Frame | None:
        distances = [distance for distance in header.baselines if distance > 0]
        if len(distances) > 3 or any(distance != (index + 1) * distances[0] for index, distance in enumerate(distances)):
            raise _damaged(f"its baselines are {header.baselines}")
        which = self._which(ranges, header.count)
        if header.flags & REST:
            before = self._plane(RESTING).copy()
            try:
                self._decode(data, begin, which, 0, [RESTING] * 4)
            except DamagedError:
                self._plane(RESTING)[:] = before
                raise
            return None
        again = self._ticks[:1] == [header.tick]
        known = self._ticks[1:] if again else self._ticks
        if known[: len(distances)] != [header.tick - distance for distance in distances]:
            return None
        if not again:
            self._ring = [self._ring[3], *self._ring[:3]]
        self._ticks = []  # until it is decoded
        if len(which) < len(self._objects):
            self._plane(self._ring[0])[:] = self._plane(RESTING)
        self._decode(data, begin, which, len(distances), self._ring)
        self._ticks = [header.tick, *known[:3]]
        grid = self._plane(self._ring[0])
        positions = np.ascontiguousarray((grid.astype(np.float64) * self._step).astype(np.float32).T)
        return self._frame(header, positions, self._objects)

    def _plane(self, plane: int) -> NDArray[np.int32]:
        buffer = ffi.buffer(lib.weft_stream_plane(self._native, plane), 12 * self._count)
        return np.frombuffer(buffer, np.int32).reshape(3, self._count)

    def _decode(self, data: bytes, begin: int, which: list[int], baselines: int, planes: list[int]) -> None:
        payload = np.frombuffer(data, "<u4", -1, begin).copy()
        pointer = ffi.cast("uint32_t *", ffi.from_buffer(payload)) if len(payload) > 0 else ffi.NULL
        fault = lib.weft_stream_decode(self._native, which, len(which), baselines, planes, pointer, len(payload))
        if fault != 0:
            raise _damaged(FAULTS[fault])


class Receiver:
    """Binary messages as they come: topologies and frames."""

    def __init__(self) -> None:
        self.topology: Topology | None = None
        self._stream: Stream | None = None

    def forget(self) -> None:
        """The subscription or the connection ends: what comes next begins with a topology."""
        self.topology = self._stream = None

    def take(self, data: bytes) -> Frame | None:
        """The frame of a message, if it has one."""
        header = _header(data)
        if header.kind == TOPOLOGY:
            self.topology = Topology.read(data, self.topology)
            self._stream = Stream(self.topology) if self.topology is not None else None
            return None
        if self._stream is None or self.topology is None or header.epoch != self.topology.epoch:
            return None
        return self._stream.decode(data)
