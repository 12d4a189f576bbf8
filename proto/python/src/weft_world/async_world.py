# SPDX-License-Identifier: MIT
"""A world of a server, on asyncio.

async with await weft.connect_async("ws://127.0.0.1:8080/worlds/main") as world:
    cloth = await world.cloth(64, 64, position=(0, 3, 0))
    async for frame in world.frames():
        print(frame.tick, frame.of(cloth).mean(axis=0))
"""

from __future__ import annotations

import asyncio
import base64
import secrets
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any, Final, Literal
from urllib.parse import urlsplit, urlunsplit

import numpy as np
from numpy.typing import NDArray

from weft_world._async_handles import HANDLES, AsyncHandle, AsyncObject
from weft_world._async_methods import AsyncWorldMethods
from weft_world._caller import AsyncCaller, handles_of, wire_command
from weft_world._connection import Connection
from weft_world._engine import CONTACT, CONTACT_KINDS, PHYSICS_VERSION
from weft_world._events import Event, Events
from weft_world._shapes import body_triangles, cloth_triangles
from weft_world.capsule import Capsule
from weft_world.errors import ConnectionLostError, DamagedError, NotFoundError, StateError, VersionError, WeftError
from weft_world.frames import Frame, Receiver, Topology, triangles_of
from weft_world.replay import Replay
from weft_world.world import World

STEP_MOST: Final = 1_000_000  # ticks of one request
PATIENCE: Final = 30.0  # s
RENEWAL_PAUSE: Final = 0.2  # s, between a message that does not fit and a new subscription

Encoding = Literal["motion", "raw"]


async def connect_async(url: str, *, token: str | None = None, patience: float = PATIENCE) -> AsyncWorld:
    """Connects to a world of a server.

    Args:
        url: Its address, such as ws://127.0.0.1:8080/worlds/main.
        token: Access token, if the server wants one.
        patience: How long calls wait for a lost connection to come back, in s.

    Raises: ConnectionLostError, NotFoundError (there is no such world), DeniedError (the token), VersionError, whose message says which
        side to upgrade.
    """
    world = AsyncWorld(url, token=token, patience=patience)
    await world._connection.open()
    return world


class AsyncWorld(AsyncCaller, AsyncWorldMethods):
    """A world of a server; connect_async makes it. It reconnects by itself, and follows a world that moves to another server."""

    def __init__(self, url: str, *, token: str | None, patience: float) -> None:
        self._events = Events()
        self._event_names: dict[str, Any] | None = None
        self._event_came = asyncio.Event()
        self._receiver = Receiver()
        self._subscription: dict[str, Any] | None = None
        self._frame: Frame | None = None
        self._frame_came = asyncio.Condition()
        self._lost: WeftError | None = None  # why the connection has ended for good
        self._renewing = False
        self._topology_lock = asyncio.Lock()
        self._token = token
        self._options = {"token": token, "patience": patience}
        self._connection = Connection(
            url,
            token=token,
            patience=patience,
            on_event=self._on_event,
            on_binary=self._on_binary,
            on_open=self._on_open,
            on_end=self._on_end,
        )

    @property
    def url(self) -> str:
        """The address where the world is now."""
        return self._connection.url

    @property
    def token(self) -> str | None:
        """The access token that the connection began with."""
        return self._token

    @property
    def name(self) -> str:
        """The name of the world."""
        return str(self._connection.hello.get("world", ""))

    @property
    def hello(self) -> dict[str, Any]:
        """What the server has said of itself and the world when the connection began."""
        return self._connection.hello

    def __repr__(self) -> str:
        return f"<weft AsyncWorld {self.url}>"

    async def close(self) -> None:
        """Ends the connection. The world stays."""
        await self._connection.close()

    async def __aenter__(self) -> AsyncWorld:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    # ---- commands

    async def call(self, method: str, /, **params: Any) -> Any:
        """Calls a method of the protocol by its name, with parameters named as in the protocol; returns its result."""
        result = await self._connection.call(method, params)
        if method == "events.subscribe":
            self._event_names = params
        elif method == "events.unsubscribe":
            self._event_names = None
        return result

    def _handle(self, thing: str, result: dict[str, Any]) -> AsyncHandle:
        return HANDLES[thing](self, result[thing], result)

    async def batch(self, commands: Sequence[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Runs commands together, all or none: World.batch."""
        results = (await self.call("batch.run", commands=[wire_command(*command) for command in commands]))["results"]
        return handles_of(commands, results, self._handle)

    # ---- events

    def _on_event(self, message: dict[str, Any]) -> None:
        self._events.add(message)
        self._event_came.set()

    def _on_end(self, error: WeftError) -> None:
        self._lost = error
        self._event_came.set()
        self._wake = asyncio.ensure_future(self._notify())

    def _check_connected(self) -> None:
        if self._lost is not None:
            raise ConnectionLostError(self._lost.message)

    def take_events(self) -> list[Event]:
        """The events since the last call, of those that events_subscribe asked for; the oldest are dropped beyond 10,000."""
        self._event_came.clear()
        return self._events.take()

    async def events(self) -> AsyncIterator[Event]:
        """Events as they come, of those that events_subscribe has asked for."""
        while True:
            await self._event_came.wait()
            for event in self.take_events():
                yield event
            self._check_connected()

    # ---- time and state

    async def step(self, ticks: int = 1) -> int:
        """Computes the next ticks of a paused world. Returns: the tick that it has reached. Raises: StateError while it runs."""
        if ticks < 0:
            raise ValueError(f"ticks must be 0 or more, got {ticks}")
        while ticks > STEP_MOST:
            await self.call("world.step", ticks=STEP_MOST)
            ticks -= STEP_MOST
        return int((await self.call("world.step", ticks=ticks))["tick"]) if ticks > 0 else await self.tick()

    async def seek(self, tick: int) -> int:
        """Goes to a tick of the world's history, for everybody in it; it must be paused. Returns: the tick."""
        return int((await self.call("world.seek", tick=tick))["tick"])

    async def tick(self) -> int:
        """The number of the last tick."""
        return int((await self.call("world.get"))["tick"])

    async def running(self) -> bool:
        """Whether the clock runs."""
        return bool((await self.call("world.get"))["running"])

    async def hash(self) -> str:
        """A hash of the state of the physics, 16 hexadecimal digits, equal wherever the same was computed."""
        return str((await self.call("world.get"))["stateHash"])

    async def branch(self, name: str | None = None) -> AsyncWorld:
        """Another world of the server in the same state, which ends some seconds after the last client has left it. For administrators."""
        made = name or f"branch-{secrets.token_hex(4)}"
        await self.call("world.branch", name=made, temporary=True)
        parts = urlsplit(self.url)
        path = parts.path[: parts.path.rfind("/worlds/")] + f"/worlds/{made}"
        return await connect_async(urlunsplit(parts._replace(path=path)), **self._options)  # type: ignore[arg-type]

    async def capsule(self, first: int | None = None) -> Capsule:
        """The world's history from a tick on, by default the present only, as a capsule."""
        begin = await self.tick() if first is None else first
        exported = await self.call("world.export", **{"from": begin})
        return Capsule.load(base64.b64decode(exported["capsule"]))

    async def branch_here(self, **options: Any) -> World:
        """A world of this process in the same state, with the same bits from there on. `options` are those of World.

        Raises: VersionError if the server computes another physics.
        """
        capsule = await self.capsule()
        if capsule.newest_physics != PHYSICS_VERSION:
            raise VersionError(
                f"the server computes version {capsule.newest_physics} of the physics, this package version {PHYSICS_VERSION}: "
                f"upgrade {'this package' if capsule.newest_physics > PHYSICS_VERSION else 'the server'} for a branch in this process"
            )
        return await asyncio.to_thread(Replay(capsule, **options).run)

    async def snapshot(self) -> bytes:
        """All state, for `restore` in a world of a process. Raises: VersionError as branch_here."""
        with await self.branch_here() as here:
            return here.snapshot()

    # ---- objects of the world

    async def object(self, identity: int) -> AsyncObject:
        """A handle of the object with this id. Raises: NotFoundError."""
        await self.call("object.get", object=identity)
        return AsyncObject(self, identity)

    async def objects(self) -> list[AsyncObject]:
        """Handles of all objects, by rising ids."""
        return [AsyncObject(self, one["object"]) for one in (await self.call("object.list"))["objects"]]

    async def read(self, identity: int | None = None) -> dict[str, NDArray[np.float32]]:
        """Positions in m, velocities in m/s and inverse masses in 1/kg of an object's particles, or of all, to the bit."""
        wanted = [one.id for one in await self.objects()] if identity is None else [identity]
        parts = await asyncio.gather(*(self.call("particle.read", object=one) for one in wanted))
        return {
            name: np.array([row for part in parts for row in part[wire]], np.float32).reshape((-1, 3) if wire != "inverseMasses" else (-1,))
            for name, wire in (("positions", "positions"), ("velocities", "velocities"), ("inverse_masses", "inverseMasses"))
        }

    async def positions_of(self, identity: int) -> NDArray[np.float32]:
        return (await self.read(identity))["positions"]

    async def triangles_of(self, identity: int) -> NDArray[np.uint32]:
        about = await self.call("object.get", object=identity)
        shape = (await self.topology()).shapes.get(identity)
        if shape is None:
            raise NotFoundError(f"there is no object {identity} in this world", code=-32002, pointer="/object")
        if shape.kind == "cloth" and shape.triangles is None:
            return cloth_triangles(shape.columns, shape.rows, about["mesh"])
        if shape.kind == "body":
            return body_triangles(await self.positions_of(identity))
        return triangles_of(shape)

    async def contacts(self, most: int = 4096) -> NDArray[Any]:
        """The contacts of the last tick: World.contacts."""
        told = await self.call("world.contacts", most=most)
        found = np.zeros(len(told["kinds"]), CONTACT)
        found["kind"] = [CONTACT_KINDS.index(kind) for kind in told["kinds"]]
        for field, member in (("object", "objects"), ("other", "others"), ("point", "points"), ("normal", "normals")):
            found[field] = np.array(told[member]).reshape(found[field].shape)
        for field, member in (("depth", "depths"), ("slip", "slips"), ("friction", "frictions")):
            found[field] = told[member]
        return found

    # ---- frames

    def _on_open(self) -> list[tuple[str, dict[str, Any]]]:
        """What a new connection asks for again."""
        self._receiver.forget()
        wanted = []
        if self._event_names is not None:
            wanted.append(("events.subscribe", self._event_names))
        if self._subscription is not None:
            wanted.append(("frames.subscribe", self._subscription))
        return wanted

    def _on_binary(self, data: bytes) -> None:
        try:
            frame = self._receiver.take(data)
        except DamagedError:
            self._receiver.forget()
            frame = None
        if self._receiver.topology is None and self._subscription is not None and not self._renewing:
            self._renewing = True
            self._renewal = asyncio.ensure_future(self._renew())
        if frame is not None:
            self._frame = frame
        if frame is not None or self._receiver.topology is not None:
            self._wake = asyncio.ensure_future(self._notify())

    async def _renew(self) -> None:
        """Asks for the whole topology and a keyframe, after a message that does not fit what is known."""
        try:
            await asyncio.sleep(RENEWAL_PAUSE)
            if self._subscription is not None and self._receiver.topology is None:
                await self.call("frames.subscribe", **self._subscription)
        except WeftError:
            pass  # the connection is lost, and the iterators that wait for frames get its error
        finally:
            self._renewing = False

    async def _notify(self) -> None:
        async with self._frame_came:
            self._frame_came.notify_all()

    async def _subscribe(self, params: dict[str, Any] | None) -> None:
        self._receiver.forget()
        self._frame = None
        self._subscription = params
        if params is None:
            await self.call("frames.unsubscribe")
        else:
            await self.call("frames.subscribe", **params)

    async def frames(
        self, every_ticks: int = 1, objects: Sequence[Any] | None = None, encoding: Encoding = "motion", step: float | None = None
    ) -> AsyncIterator[Frame]:
        """Frames as the world ticks. Whoever takes them slowly misses some, and always gets the newest. One iterator at a time.

        Args:
            every_ticks: Ticks a frame.
            objects: Ids or handles; all by default.
            encoding: "motion", packed to about a byte a particle, on a grid; or "raw", to the bit.
            step: Distance between the points of the grid in m; 1/4096 by default.
        """
        if self._subscription is not None:
            raise StateError("frames are being taken already: end the other iterator first")
        wanted: dict[str, Any] = {"everyTicks": every_ticks, "encoding": encoding, "step": step}
        params: dict[str, Any] = {name: value for name, value in wanted.items() if value is not None}
        if objects is not None:
            params["objects"] = [getattr(one, "id", one) for one in objects]
        await self._subscribe(params)
        try:
            while True:
                async with self._frame_came:
                    await self._frame_came.wait_for(lambda: self._frame is not None or self._lost is not None)
                    frame, self._frame = self._frame, None
                if frame is None:
                    self._check_connected()
                else:
                    yield frame
        finally:
            self._subscription = None
            if self._lost is None:
                await self._subscribe(None)

    async def topology(self) -> Topology:
        """The objects as they are now: kinds, names, numbers of particles and triangles."""
        async with self._topology_lock:
            before = self._subscription
            await self._subscribe(before or {"everyTicks": 3600, "encoding": "raw"})
            async with self._frame_came:
                await asyncio.wait_for(self._frame_came.wait_for(lambda: self._receiver.topology is not None), 10)
                topology = self._receiver.topology
            if before is None:
                await self._subscribe(None)
        assert topology is not None
        return topology
