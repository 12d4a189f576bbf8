# SPDX-License-Identifier: MIT
"""A world of a server, with the methods of a world of this process.

    world = weft.connect("ws://127.0.0.1:8080/worlds/main")
    cloth = world.cloth(64, 64, position=(0, 3, 0))
    world.step(60)                # of a paused world; one that runs goes on by itself
    cloth.positions               # asked of the server, to the bit

It is an AsyncWorld whose calls are waited for; its connection lives on a thread of its own. Any thread may use it.
"""

from __future__ import annotations

import asyncio
import sys
import threading
from collections.abc import Coroutine, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from weft_world._caller import Caller, handles_of, wire_command
from weft_world._events import Event
from weft_world._handles import HANDLES, Handle, Object, masses_of
from weft_world._methods import WorldMethods
from weft_world.async_world import PATIENCE, AsyncWorld, Encoding, connect_async
from weft_world.capsule import Capsule
from weft_world.frames import Frame, Topology
from weft_world.world import World

if TYPE_CHECKING:
    from weft_world.widget import Widget

Result = TypeVar("Result")

_starting = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None


def background() -> asyncio.AbstractEventLoop:
    """The event loop of all connections, on a thread that ends with the process."""
    global _loop
    with _starting:
        if _loop is None:
            _loop = asyncio.new_event_loop()
            threading.Thread(target=_loop.run_forever, name="weft connections", daemon=True).start()
        return _loop


def wait_for(work: Coroutine[Any, Any, Result]) -> Result:
    """The result of what runs on the background's loop. Ctrl-C ends the wait, and the work."""
    future = asyncio.run_coroutine_threadsafe(work, background())
    try:
        return future.result()
    except BaseException:
        future.cancel()
        raise


def connect(url: str, *, token: str | None = None, patience: float = PATIENCE) -> RemoteWorld:
    """Connects to a world of a server: connect_async says what the arguments are and what is raised."""
    return RemoteWorld(wait_for(connect_async(url, token=token, patience=patience)))


class _Particles:
    """The particles of an object, as the server has them now."""

    def __init__(self, world: RemoteWorld, identity: int) -> None:
        self._world = world
        self._identity = identity

    def _read(self, name: str) -> NDArray[np.float32]:
        return wait_for(self._world.awaited.read(self._identity))[name]

    @property
    def positions(self) -> NDArray[np.float32]:
        return self._read("positions")

    @property
    def velocities(self) -> NDArray[np.float32]:
        return self._read("velocities")

    @property
    def displacements(self) -> NDArray[np.float32]:
        return self.velocities * np.float32(self._world.substep)

    @property
    def inverse_masses(self) -> NDArray[np.float32]:
        return self._read("inverse_masses")

    @property
    def triangles(self) -> NDArray[np.uint32]:
        return wait_for(self._world.awaited.triangles_of(self._identity))


class RemoteWorld(Caller, WorldMethods):
    """A world of a server; connect makes it.

    Attributes:
        awaited: The same world on asyncio, for the background's loop.
    """

    def __init__(self, world: AsyncWorld) -> None:
        self.awaited = world

    @property
    def url(self) -> str:
        """The address where the world is now."""
        return self.awaited.url

    @property
    def name(self) -> str:
        """The name of the world."""
        return self.awaited.name

    def __repr__(self) -> str:
        return f"<weft RemoteWorld {self.url}>"

    def close(self) -> None:
        """Ends the connection. The world stays."""
        wait_for(self.awaited.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- commands and events

    def call(self, method: str, /, **params: Any) -> Any:
        """Calls a method of the protocol by its name, with parameters named as in the protocol; returns its result."""
        return wait_for(self.awaited.call(method, **params))

    def _handle(self, thing: str, result: dict[str, Any]) -> Handle:
        return HANDLES[thing](self, result[thing], result)

    def batch(self, commands: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Runs commands together, all or none: World.batch."""
        results = self.call("batch.run", commands=[wire_command(*command) for command in commands])["results"]
        return handles_of(commands, results, self._handle)

    def take_events(self) -> list[Event]:
        """The events since the last call, of those that events_subscribe asked for; the oldest are dropped beyond 10,000."""
        return self.awaited.take_events()

    # ---- time and state

    def step(self, ticks: int = 1) -> int:
        """Computes the next ticks of a paused world. Returns: the tick that it has reached. Raises: StateError while it runs (pause)."""
        return wait_for(self.awaited.step(ticks))

    def seek(self, tick: int) -> int:
        """Goes to a tick of the world's history, for everybody in it; it must be paused. Returns: the tick."""
        return wait_for(self.awaited.seek(tick))

    @property
    def tick(self) -> int:
        """The number of the last tick."""
        return wait_for(self.awaited.tick())

    @property
    def running(self) -> bool:
        """Whether the clock runs: resume and pause."""
        return wait_for(self.awaited.running())

    @property
    def hash(self) -> str:
        """A hash of the state of the physics, 16 hexadecimal digits, equal wherever the same was computed."""
        return wait_for(self.awaited.hash())

    @property
    def substep(self) -> float:
        """Time of a substep in s."""
        about = self.get()
        return 1 / (about["tickHz"] * about["substeps"])

    def branch(self, name: str | None = None) -> RemoteWorld:
        """Another world of the server in the same state, which ends some seconds after the last client has left it. For administrators."""
        return RemoteWorld(wait_for(self.awaited.branch(name)))

    def branch_here(self, **options: Any) -> World:
        """A world of this process in the same state, with the same bits from there on. `options` are those of World."""
        return wait_for(self.awaited.branch_here(**options))

    def snapshot(self) -> bytes:
        """All state, for `restore` in a world of a process. Raises: VersionError as branch_here."""
        return wait_for(self.awaited.snapshot())

    def record(self) -> RemoteRecording:
        """Notes the present tick, as the beginning of a capsule of the world's history."""
        return RemoteRecording(self)

    def show(self, *, height: str = "400px", camera: Sequence[float] | None = None, controls: bool = True) -> Widget:
        """Shows the world in a notebook: World.show. The browser needs no way to the server; the world goes on while cells compute."""
        from weft_world.widget import show

        return show(self, height=height, camera=camera, controls=controls)

    def picture(self, width: int = 640, height: int = 360, *, camera: Sequence[float] | None = None) -> bytes:
        """The world as a picture in PNG: World.picture."""
        from weft_world._picture import picture

        return picture(self, width=width, height=height, camera=camera)

    # ---- objects of the world

    def _particles_of(self, identity: int) -> _Particles:
        return _Particles(self, identity)

    @property
    def objects(self) -> list[Object]:
        """Handles of all objects, by rising ids."""
        return [Object(self, one.id) for one in wait_for(self.awaited.objects())]

    def object(self, identity: int) -> Object:
        """A handle of the object with this id. Raises: NotFoundError."""
        return Object(self, wait_for(self.awaited.object(identity)).id)

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions of all particles in m, of shape (particles, 3), objects by rising ids, as the server has them now, to the bit."""
        return wait_for(self.awaited.read())["positions"]

    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities of all particles in m/s, of shape (particles, 3)."""
        return wait_for(self.awaited.read())["velocities"]

    @property
    def displacements(self) -> NDArray[np.float32]:
        """Ways of all particles in the last substep in m, of shape (particles, 3)."""
        return self.velocities * np.float32(self.substep)

    @property
    def inverse_masses(self) -> NDArray[np.float32]:
        """Inverse masses of all particles in 1/kg, of shape (particles,), 0 where pinned."""
        return wait_for(self.awaited.read())["inverse_masses"]

    @property
    def masses(self) -> NDArray[np.float32]:
        """Masses of all particles in kg, of shape (particles,), infinite where pinned."""
        return masses_of(self.inverse_masses)

    def contacts(self, most: int = 4096) -> NDArray[Any]:
        """The contacts of the last tick: World.contacts."""
        return wait_for(self.awaited.contacts(most))

    def topology(self) -> Topology:
        """The objects as they are now: kinds, names, numbers of particles and triangles."""
        return wait_for(self.awaited.topology())

    def frames(
        self, every_ticks: int = 1, objects: Sequence[Any] | None = None, encoding: Encoding = "motion", step: float | None = None
    ) -> Iterator[Frame]:
        """Frames as the world ticks: AsyncWorld.frames. `for frame in world.frames(): ...`"""
        frames = self.awaited.frames(every_ticks, objects, encoding, step)
        try:
            while True:
                yield wait_for(_next(frames))
        finally:
            if not sys.is_finalizing():  # the thread of the connections stands then
                wait_for(_end(frames))


async def _next(frames: Any) -> Frame:
    frame: Frame = await anext(frames)
    return frame


async def _end(frames: Any) -> None:
    await frames.aclose()


class RemoteRecording:
    """The history of a world of a server from a tick on, as a capsule. The server keeps it; nothing has to be stopped."""

    def __init__(self, world: RemoteWorld) -> None:
        self._world = world
        self.first_tick = world.tick

    def capsule(self) -> Capsule:
        """The history up to the present."""
        return wait_for(self._world.awaited.capsule(self.first_tick))

    def save(self, path: str) -> None:
        """Writes the capsule to a file."""
        self.capsule().save(path)

    def __enter__(self) -> RemoteRecording:
        return self

    def __exit__(self, *_: object) -> None:
        return None
