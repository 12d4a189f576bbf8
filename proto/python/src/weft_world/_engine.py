# SPDX-License-Identifier: MIT
"""The engine (weft.h) as a class: options, clients, messages, ticks, snapshots, and memory as arrays. Nothing here knows commands.

A world is used by one thread at a time. Arrays over its memory keep the engine alive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from weft_world import _protocol
from weft_world._native import ffi, lib
from weft_world.errors import DamagedError, InternalError, MemoryExhaustedError, WeftError, error_of_reply

SLICE_SECONDS: Final = 0.05  # of ticks in C, before Python looks for Ctrl-C

# Of weft_result, in its order.
RESULTS: Final = (
    *("OK", "PARSE", "REQUEST", "METHOD", "INVALID", "BUSY", "DENIED", "NOT_FOUND", "LIMIT"),
    *("STATE", "RATE", "FROZEN", "MEMORY", "IO", "DAMAGED"),
)
ROLES: Final = ("none", "viewer", "editor", "admin")
Role = Literal["none", "viewer", "editor", "admin"]
KINDS: Final = ("text", "binary", "close", "record")
OutputKind = Literal["text", "binary", "close", "record"]

CONTACT: Final = np.dtype(
    [
        ("kind", np.uint32), ("object", np.uint32), ("other", np.uint32), ("point", np.float32, 3), ("normal", np.float32, 3),
        ("depth", np.float32), ("slip", np.float32), ("friction", np.float32),
    ]
)  # fmt: skip
CONTACT_KINDS: Final = ("obstacle", "bounds", "body", "self", "cloth")

VERSION: Final[str] = ffi.string(lib.weft_version()).decode()
PHYSICS_VERSION: Final[int] = lib.weft_physics_version()


def error_of(result: int, error: Any) -> WeftError:
    """The exception for a weft_result other than WEFT_OK and its weft_error (or None)."""
    name = RESULTS[result]
    message = ffi.string(error.message).decode("utf-8", "replace") if error is not None else ""
    pointer = ffi.string(error.pointer).decode("utf-8", "replace") if error is not None else ""
    message = message or f"the engine refused it: {name.lower()}"
    if name == "DAMAGED":
        return DamagedError(message, pointer=pointer)
    if name == "MEMORY":
        return MemoryExhaustedError(message)
    if name not in _protocol.RESULT_CODES:
        return InternalError(message)
    return error_of_reply({"code": _protocol.RESULT_CODES[name], "message": message, "data": {"pointer": pointer}})


@dataclass(frozen=True)
class Options:
    """How a world is made; see World."""

    name: str = "world"
    tick_hz: float = 60.0
    max_particles: int | None = None
    max_sticks: int | None = None
    max_objects: int | None = None
    max_obstacles: int | None = None
    lanes: int = 0
    threads: int = 1


@dataclass(frozen=True)
class Output:
    """What comes out of a world: of the kind `text` a JSON text, of `binary` a message of FRAMES.md, of `record` one of type 4."""

    kind: OutputKind
    client: int
    data: bytes


class _Memory:
    """Memory of a world as numpy's array interface; numpy keeps it, and it keeps the world."""

    def __init__(self, owner: object, interface: dict[str, Any]) -> None:
        self.owner = owner
        self.__array_interface__ = interface


class Engine:
    def __init__(self, options: Options) -> None:
        made = ffi.new("weft_options *", lib.weft_options_default())
        name = ffi.new("char[]", options.name.encode())
        made.name = name
        made.tick_hz = options.tick_hz
        made.lanes = options.lanes
        for capacity in ("max_particles", "max_sticks", "max_objects", "max_obstacles"):
            value = getattr(options, capacity)
            if value is not None:
                setattr(made, capacity, value)
        self.options = options
        self._error = ffi.new("weft_error *")
        out = ffi.new("weft_owned **")
        self._check(lib.weft_owned_create(made, options.threads, out, self._error))
        self._owned = ffi.gc(out[0], lib.weft_owned_destroy)
        self.world = lib.weft_owned_world(self._owned)
        self._output = ffi.new("weft_output *")

    def _check(self, result: int) -> None:
        if result != lib.WEFT_OK:
            raise error_of(result, self._error)

    # ---- clients and messages

    def join(self, client: int, name: str = "", role: Role = "editor") -> None:
        self._check(lib.weft_world_join(self.world, client, name.encode(), ROLES.index(role), self._error))

    def leave(self, client: int) -> None:
        lib.weft_world_leave(self.world, client)

    def submit(self, client: int, text: str) -> None:
        data = text.encode()
        result = lib.weft_world_submit(self.world, client, data, len(data))
        if result != lib.WEFT_OK:
            raise error_of(result, None)

    def outputs(self) -> Iterator[Output]:
        """What has come out since the last call, in its order."""
        output = self._output
        while lib.weft_world_take(self.world, output):
            data = ffi.buffer(output.bytes, output.length)[:] if output.length > 0 else b""
            yield Output(KINDS[output.kind], output.client, data)

    # ---- time

    def apply(self) -> None:
        lib.weft_world_apply(self.world)

    def step(self, ticks: int) -> int:
        """Ticks for at most SLICE_SECONDS, at least once; returns how often."""
        return int(lib.weft_owned_step(self.world, ticks, SLICE_SECONDS))

    def tick_if_running(self) -> bool:
        """A tick if the world runs or a world.step is under way; returns whether it did."""
        return bool(lib.weft_world_tick(self.world))

    @property
    def tick(self) -> int:
        return int(lib.weft_world_tick_count(self.world))

    @property
    def running(self) -> bool:
        return bool(lib.weft_world_running(self.world))

    @running.setter
    def running(self, running: bool) -> None:
        lib.weft_world_set_running(self.world, int(running))

    @property
    def sequence(self) -> int:
        return int(lib.weft_world_sequence(self.world))

    # ---- state

    @property
    def hash(self) -> str:
        return f"{lib.weft_world_hash(self.world):016x}"

    def snapshot(self) -> bytes:
        length = ffi.new("size_t *")
        data = lib.weft_world_snapshot(self.world, length)
        if data == ffi.NULL:
            raise MemoryExhaustedError("there is no memory for a snapshot")
        return bytes(ffi.buffer(data, length[0]))

    def restore(self, snapshot: bytes) -> None:
        self._check(lib.weft_world_restore(self.world, ffi.from_buffer(snapshot), len(snapshot), self._error))

    def keep(self) -> Any:
        """Keeps the present state within this process, for `return_to`."""
        state = ffi.new("weft_state **")
        self._check(lib.weft_world_keep(self.world, state, self._error))
        return ffi.gc(state[0], lib.weft_state_destroy)

    def return_to(self, state: Any) -> None:
        self._check(lib.weft_world_return(self.world, state, self._error))

    def record_apply(self, records: bytes) -> None:
        self._check(lib.weft_world_record_apply(self.world, ffi.from_buffer(records), len(records), self._error))

    def replay(self, records: bytes, ticks: int) -> None:
        """Applies records and ticks so often, without events."""
        self._check(lib.weft_world_replay(self.world, ffi.from_buffer(records), len(records), ticks, self._error))

    def show(self) -> None:
        lib.weft_world_show(self.world, 0)

    def load_scene(self, name: str, text: str) -> None:
        data = text.encode()
        self._check(lib.weft_world_load_scene(self.world, name.encode(), data, len(data), self._error))

    def scene_text(self, title: str) -> str:
        length, commands = ffi.new("size_t *"), ffi.new("uint32_t *")
        text = lib.weft_world_scene_text(self.world, title.encode(), length, commands)
        if text == ffi.NULL:
            raise MemoryExhaustedError("there is no memory for the scene")
        return bytes(ffi.buffer(text, length[0])).decode()

    # ---- memory

    def _array(self, address: Any, shape: tuple[int, ...], strides: tuple[int, ...] | None, kind: str) -> NDArray[Any]:
        interface = {"version": 3, "shape": shape, "typestr": kind, "strides": strides, "data": (int(ffi.cast("uintptr_t", address)), True)}
        return np.asarray(_Memory(self._owned, interface))

    def _matrix(self, x: Any, y: Any, count: int) -> NDArray[np.float32]:
        stride = int(ffi.cast("uintptr_t", y)) - int(ffi.cast("uintptr_t", x))
        return self._array(x, (count, 3), (4, stride), "<f4")

    @property
    def positions(self) -> NDArray[np.float32]:
        view = lib.weft_world_particles(self.world)
        return self._matrix(view.x, view.y, view.count)

    @property
    def displacements(self) -> NDArray[np.float32]:
        view = lib.weft_world_particles(self.world)
        return self._matrix(view.dx, view.dy, view.count)

    @property
    def inverse_masses(self) -> NDArray[np.float32]:
        view = lib.weft_world_particles(self.world)
        return self._array(view.inverse_mass, (view.count,), None, "<f4")

    @property
    def substep(self) -> float:
        return float(lib.weft_world_particles(self.world).substep)

    def objects(self) -> list[int]:
        """Ids of all objects, rising."""
        return [lib.weft_world_object_at(self.world, index).id for index in range(lib.weft_world_object_count(self.world))]

    def find(self, identity: int) -> Any:
        """The weft_object with this id, or None."""
        found = ffi.new("weft_object *")
        return found if 0 <= identity < 2**32 and lib.weft_owned_find(self.world, identity, found) else None

    def triangles(self, found: Any) -> NDArray[np.uint32]:
        if found.triangles == ffi.NULL or found.triangle_count == 0:
            return np.empty((0, 3), np.uint32)
        return self._array(found.triangles, (found.triangle_count, 3), None, "<u4")

    def contacts(self, most: int) -> tuple[NDArray[Any], int, bool]:
        """Contacts as an array of CONTACT, how many there are in all, and whether all pairs were examined."""
        found = np.empty(most, CONTACT)
        count, total, complete = ffi.new("uint32_t *"), ffi.new("uint32_t *"), ffi.new("int *")
        pointer = ffi.cast("weft_contact *", ffi.from_buffer(found)) if most > 0 else ffi.NULL
        self._check(lib.weft_world_contacts(self.world, pointer, most, count, total, complete, self._error))
        return found[: count[0]].copy(), int(total[0]), bool(complete[0])
