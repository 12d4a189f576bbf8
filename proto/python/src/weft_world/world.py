# SPDX-License-Identifier: MIT
"""A world of this process.

    world = weft.World(substeps=8)
    cloth = world.cloth(64, 64, position=(0, 3, 0))
    world.step(60)
    cloth.positions

It stands until it is stepped. Commands are applied at once, before the next tick. Its methods are those of the protocol (_methods.py),
and those of a world of a server, so that a script moves from one to the other by changing one line. Some need a server, and are refused.

Thread rule: a world is used by one thread at a time. A second thread is refused with InUseError while a call is under way; different
worlds are independent. `step` releases the GIL.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from weft_world._caller import Caller, handles_of, wire_command
from weft_world._engine import Engine, Options, Output, Role
from weft_world._events import Event, Events
from weft_world._handles import HANDLES, Handle, Object, masses_of
from weft_world._json import encode_request
from weft_world._methods import WorldMethods
from weft_world.errors import InternalError, InUseError, NotFoundError, StateError, error_of_reply
from weft_world.recording import Recording, no_recording

CLIENT: Final = 1  # the number by which the engine knows this script
CONTACTS_MAX: Final = 1_000_000

if TYPE_CHECKING:
    from weft_world._clock import Clock
    from weft_world.widget import Widget

Result = TypeVar("Result")


class _Particles:
    """The particles of an object, as views."""

    def __init__(self, engine: Engine, identity: int) -> None:
        found = engine.find(identity)
        if found is None:
            raise NotFoundError(f"there is no object {identity} in this world", code=-32002, pointer="/object")
        self._engine = engine
        self._found = found
        self._slots = slice(found.first, found.first + found.particles)

    @property
    def positions(self) -> NDArray[np.float32]:
        return self._engine.positions[self._slots]

    @property
    def displacements(self) -> NDArray[np.float32]:
        return self._engine.displacements[self._slots]

    @property
    def velocities(self) -> NDArray[np.float32]:
        return self.displacements * (np.float32(1) / np.float32(self._engine.substep))

    @property
    def inverse_masses(self) -> NDArray[np.float32]:
        return self._engine.inverse_masses[self._slots]

    @property
    def triangles(self) -> NDArray[np.uint32]:
        return self._engine.triangles(self._found)


class World(Caller, WorldMethods):
    """A world that this process computes.

    Args:
        name: Of the world, up to 64 bytes.
        tick_hz: Ticks a second of the world's time, 1 to 1000.
        max_particles, max_sticks, max_objects, max_obstacles: Capacities; memory is used as it is needed. Default: a million
            particles and what goes with them.
        lanes: Numbers of a vector: 4, 8 or 16; 0: as many as the machine has. No bit depends on it.
        threads: Threads that share a tick, 1 to 8, for worlds of tens of thousands of particles; Pool is better for many small ones.
            No bit depends on it.
        **settings: As those of `set`, such as `substeps=8` or `wind=(0, 0, 5)`.
    """

    def __init__(
        self,
        *,
        name: str = "world",
        tick_hz: float = 60.0,
        max_particles: int | None = None,
        max_sticks: int | None = None,
        max_objects: int | None = None,
        max_obstacles: int | None = None,
        lanes: int = 0,
        threads: int = 1,
        **settings: Any,
    ) -> None:
        options = Options(name, tick_hz, max_particles, max_sticks, max_objects, max_obstacles, lanes, threads)
        self._begin(Engine(options))
        if settings:
            self.set(**settings)

    def _begin(self, engine: Engine, role: Role = "admin") -> None:
        self._open: Engine | None = engine
        self._lock = threading.Lock()
        self._number = 0
        self._newest_client = CLIENT
        self._events = Events()
        self._recording: Recording | None = None
        self._clients: dict[int, Client] = {}
        self.clock: Clock | None = None
        self.on_close: list[Callable[[], None]] = []
        engine.running = False
        engine.join(CLIENT, "", role)
        for _ in engine.outputs():  # hello
            pass

    # ---- one thread at a time

    @property
    def _engine(self) -> Engine:
        if self._open is None:
            raise StateError("the world is closed")
        return self._open

    def _locked(self, work: Callable[[], Result]) -> Result:
        if not self._lock.acquire(blocking=False):
            raise InUseError("another thread is using this world: a world is used by one thread at a time")
        try:
            return work()
        finally:
            self._lock.release()

    def close(self) -> None:
        """Ends the world. Its memory is freed as soon as no array shows it any more."""
        self._locked(self._close)
        if self.clock is not None:
            self.clock.stop()
        for tell in list(self.on_close):
            tell()

    @property
    def closed(self) -> bool:
        """Whether the world has ended."""
        return self._open is None

    def _close(self) -> None:
        self._open = None
        self._recording = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open is None:
            return "<weft World, closed>"
        return f"<weft World {self._open.options.name!r} at tick {self._open.tick}>"

    # ---- commands

    def call(self, method: str, /, **params: Any) -> Any:
        """Calls a method of the protocol by its name, with parameters named as in the protocol; returns its result.

        `world.call("rope.spawn", **{"from": (0, 3, 0), "to": (1, 3, 0), "tearForce": 50})` is
        `world.rope(from_=(0, 3, 0), to=(1, 3, 0), tear_force=50)`, but that the latter returns a handle.
        """
        return self._locked(lambda: self._call(method, params))

    def _call(self, method: str, params: Mapping[str, Any]) -> Any:
        engine = self._engine
        at_tick = params.get("atTick")
        if isinstance(at_tick, (int, np.integer)) and at_tick > engine.tick + 1:
            next_tick = engine.tick + 1
            raise StateError(
                f"at_tick must be the next tick, {next_tick}, in a world of this process, got {at_tick}; step the world to {at_tick - 1}",
                code=-32004, pointer="/atTick",
            )  # fmt: skip
        self._number += 1
        engine.submit(CLIENT, encode_request(self._number, method, params))
        engine.apply()
        reply = self._take(self._number)
        if method == "world.reset" and self._recording is not None:
            self._recording.begin()
        self._wake()
        if reply is None:
            raise InternalError(f"{method} was not answered")
        if "error" in reply:
            raise error_of_reply(reply["error"])
        return reply["result"]

    def _take(self, number: int = 0) -> dict[str, Any] | None:
        """Takes what has come out: returns the reply to request `number`."""
        reply: dict[str, Any] | None = None
        for output in self._engine.outputs():
            if output.kind == "record":
                if self._recording is not None:
                    self._recording.note(output.data)
            elif output.client != CLIENT:
                client = self._clients.get(output.client)
                if client is not None:
                    client.take(output)
            elif output.kind == "text":
                message = json.loads(output.data)
                if "method" in message:
                    self._events.add(message)
                elif message.get("id") == number:
                    reply = message
        return reply

    def _handle(self, thing: str, result: dict[str, Any]) -> Handle:
        return HANDLES[thing](self, result[thing], result)

    def batch(self, commands: list[tuple[str, Mapping[str, Any]]]) -> list[Any]:
        """Runs commands together, all or none, in one call of the engine, which is the fastest way to make many things.

        Args:
            commands: Pairs of a method of the protocol and its arguments, named as in the methods of this class. "$0" is the object
                that the first command makes, and so on.

        Returns:
            What the methods of this class would have returned, in order.
        """
        results = self.call("batch.run", commands=[wire_command(*command) for command in commands])["results"]
        return handles_of(commands, results, self._handle)

    def join(self, deliver: Callable[[str | bytes], None], name: str = "", role: Role = "editor") -> Client:
        """Adds a client besides this script, such as a page that shows the world, which speaks the protocol.

        Args:
            deliver: Called with each message for the client, the first of which is hello: texts of PROTOCOL.md, and bytes of FRAMES.md.
                It is called while the world is in use, so it must not use it.
            name: By which others know it; one is made up for "".
            role: "viewer", "editor" or "admin".

        Returns: the client, to send messages by, and to be closed.
        """
        return self._locked(lambda: self._join(Client(self, deliver), name, role))

    def _join(self, client: Client, name: str, role: Role) -> Client:
        self._newest_client += 1
        client.number = self._newest_client
        self._clients[client.number] = client
        self._engine.join(client.number, name, role)
        self._take()
        return client

    def _submit(self, client: Client, text: str) -> None:
        engine = self._engine
        engine.submit(client.number, text)
        engine.apply()
        self._take()
        self._wake()

    def _leave(self, client: Client) -> None:
        if self._clients.pop(client.number, None) is not None and self._open is not None:
            self._open.leave(client.number)
            self._take()

    def take_events(self) -> list[Event]:
        """The events since the last call, of those that events_subscribe asked for; the oldest are dropped beyond 10,000."""
        return self._locked(self._events.take)

    # ---- time

    def step(self, ticks: int = 1) -> int:
        """Computes the next ticks, without the GIL. Ctrl-C ends it between two ticks.

        Returns: the tick that the world has reached. Raises: StateError while the world runs (resume).
        """
        if ticks < 0:
            raise ValueError(f"ticks must be 0 or more, got {ticks}")
        return self._locked(lambda: self._step(ticks))

    def _step(self, ticks: int) -> int:
        engine, recording = self._engine, self._recording
        if engine.running:
            raise StateError("world.step needs a paused world: call world.pause first", code=-32004)
        if recording is not None and ticks > 0:
            recording.will_step()
        while ticks > 0:
            ticks -= engine.step(ticks if recording is None else min(ticks, recording.due()))
            self._take()
            if recording is not None:
                recording.stepped()
        return engine.tick

    def tick_if_running(self) -> bool:
        """Computes the next tick if the clock runs, or a client's world.step is under way, for a clock that is kept elsewhere.

        Returns: whether it did. Raises: InUseError while another thread uses the world; wait then.
        """
        return self._locked(self._tick_if_running)

    def _tick_if_running(self) -> bool:
        engine, recording = self._engine, self._recording
        if recording is not None and engine.running:
            recording.will_step()
        ticked = engine.tick_if_running()
        self._take()
        if recording is not None and ticked:
            recording.stepped()
        return ticked

    def _wake(self) -> None:
        if self.clock is not None:
            self.clock.wake()

    @property
    def tick_hz(self) -> float:
        """Ticks a second of the world's time."""
        return self._engine.options.tick_hz

    @property
    def tick(self) -> int:
        """The number of the last tick."""
        return self._engine.tick

    @property
    def running(self) -> bool:
        """Whether the clock runs: resume and pause. A world steps by itself only from the first `show` on."""
        return self._engine.running

    def show(self, *, height: str = "400px", camera: Sequence[float] | None = None, controls: bool = True) -> Widget:
        """Shows the world in a notebook, with what the page can do: look around, drag, play and pause. Needs weft-world[notebook].

        From the first `show` on a world that runs (resume, or the view's button) goes on by itself between the cells, and while a cell
        awaits. Views stay until they or the world are closed.

        Args:
            height: Of the view, as in CSS.
            camera: x, y, z of its position and of its target in m; without it the camera frames all objects.
            controls: Whether there are buttons to play, pause and start anew.

        Raises: StateError outside of an event loop, and if anywidget is missing.
        """
        from weft_world.widget import show

        return show(self, height=height, camera=camera, controls=controls)

    def picture(self, width: int = 640, height: int = 360, *, camera: Sequence[float] | None = None) -> bytes:
        """The world as a picture in PNG, drawn without a browser: surfaces, ropes, particles, spheres and the ground, in plain colours.

        Args:
            width, height: Pixels.
            camera: x, y, z of its position and of its target in m; without it the camera frames all objects.
        """
        from weft_world._picture import picture

        return picture(self, width=width, height=height, camera=camera)

    # ---- state

    @property
    def hash(self) -> str:
        """A hash of the state of the physics, 16 hexadecimal digits, equal wherever the same was computed."""
        return self._locked(lambda: self._engine.hash)

    def snapshot(self) -> bytes:
        """All state, for `restore` in a world of the same physics version, here or on another machine."""
        return self._locked(lambda: self._engine.snapshot())

    def restore(self, snapshot: bytes) -> None:
        """Makes the world what it was; the bytes are checked. Raises: InvalidError, LimitError, DamagedError; then nothing has changed."""
        self._locked(lambda: self._change(lambda engine: engine.restore(snapshot)))

    def keep(self) -> State:
        """Keeps the present state within this process, for `return_to`, much faster than by a snapshot."""
        return State(self, self._locked(lambda: self._engine.keep()))

    def return_to(self, state: State) -> None:
        """Goes back to a state that this world has kept, any number of times."""
        if state.world is not self:
            raise ValueError("a world returns to states of its own: take a snapshot to move a state between worlds")
        self._locked(lambda: self._change(lambda engine: engine.return_to(state.kept)))

    def _change(self, work: Callable[[Engine], None]) -> None:
        """Another state, which no command leads to."""
        engine = self._engine
        if self._recording is not None:
            raise StateError("a recording is under way, and no record leads to another state: stop it first, or seek within it")
        work(engine)
        self._take()

    def branch(self) -> World:
        """Another world in the same state: the same bits up to here, and from here on whatever is done to each."""
        snapshot = self.snapshot()
        other = World.__new__(World)
        engine = Engine(self._engine.options)
        engine.restore(snapshot)
        other._begin(engine)
        return other

    # ---- recordings

    def record(self) -> Recording:
        """Records what happens from now on: for `seek`, and as a capsule, which any machine replays to the bit."""
        return self._locked(self._record)

    def _record(self) -> Recording:
        if self._recording is not None:
            raise StateError("a recording is under way: stop it first")
        self._recording = Recording(self, self._engine)
        return self._recording

    def _recording_ended(self) -> None:
        self._recording = None

    def seek(self, tick: int) -> int:
        """Goes to a tick of the recording that is under way. What came after stays until the world is changed or stepped.

        Returns: the tick. Raises: StateError without a recording, InvalidError for a tick that it does not have.
        """
        return self._locked(lambda: self._seek(tick))

    def _seek(self, tick: int) -> int:
        engine = self._engine
        if self._recording is None:
            raise no_recording("world.seek")
        running = engine.running
        try:
            self._recording.seek(tick)
        finally:
            engine.running = running
        self._take()
        return engine.tick

    # ---- scenes

    def load(self, scene: Mapping[str, Any] | str | PathLike[str], name: str | None = None) -> None:
        """Makes the world anew from a scene: a file, or what it holds. All or nothing; ticks count from 0 again."""
        if isinstance(scene, Mapping):
            text, title = json.dumps(scene), name or "scene"
        else:
            text, title = Path(scene).read_text(encoding="utf-8"), name or Path(scene).stem
        self._locked(lambda: self._load(title, text))

    def _load(self, name: str, text: str) -> None:
        engine = self._engine
        running = engine.running
        engine.load_scene(name, text)
        engine.running = running
        self._take()
        if self._recording is not None:
            self._recording.begin()

    def scene(self, title: str = "Scene") -> dict[str, Any]:
        """A scene that makes what there is now, as scene.save writes it, for `load`."""
        text: dict[str, Any] = json.loads(self._locked(lambda: self._engine.scene_text(title)))
        return text

    # ---- objects of the world

    def _particles_of(self, identity: int) -> _Particles:
        return _Particles(self._engine, identity)

    @property
    def objects(self) -> list[Object]:
        """Handles of all objects, by rising ids."""
        return [Object(self, identity) for identity in self._locked(lambda: self._engine.objects())]

    def object(self, identity: int) -> Object:
        """A handle of the object with this id. Raises: NotFoundError."""
        self._particles_of(identity)
        return Object(self, identity)

    @property
    def positions(self) -> NDArray[np.float32]:
        """Positions of all particles in m, of shape (particles, 3), objects by rising ids: a read-only view without a copy.

        It shows what the world computes next. After objects or particles came or went, take it anew.
        """
        return self._engine.positions

    @property
    def displacements(self) -> NDArray[np.float32]:
        """Ways of all particles in the last substep in m, of shape (particles, 3): a read-only view without a copy."""
        return self._engine.displacements

    @property
    def velocities(self) -> NDArray[np.float32]:
        """Velocities of all particles in m/s, of shape (particles, 3), computed anew at each access."""
        return self._engine.displacements * (np.float32(1) / np.float32(self._engine.substep))

    @property
    def inverse_masses(self) -> NDArray[np.float32]:
        """Inverse masses of all particles in 1/kg, of shape (particles,), 0 where pinned: a read-only view without a copy."""
        return self._engine.inverse_masses

    @property
    def masses(self) -> NDArray[np.float32]:
        """Masses of all particles in kg, of shape (particles,), infinite where pinned, computed anew at each access."""
        return masses_of(self._engine.inverse_masses)

    def contacts(self, most: int = 4096) -> NDArray[Any]:
        """The contacts of the last tick, at most so many, spread evenly over all.

        Returns: an array with the fields `kind` (an index of CONTACT_KINDS), `object` and `other` (ids; 0: not known, or the bounds),
            `point` in m on the object, `normal` towards the object, `depth` in m, `slip` in m/s, `friction`.
        """
        if not 0 <= most <= CONTACTS_MAX:
            raise ValueError(f"most must be 0 to {CONTACTS_MAX}, got {most}")
        return self._locked(lambda: self._engine.contacts(most)[0])


class Client:
    """A client of a world of this process; World.join makes it."""

    def __init__(self, world: World, deliver: Callable[[str | bytes], None]) -> None:
        self.world = world
        self.deliver = deliver
        self.number = 0

    def take(self, output: Output) -> None:
        self.deliver(output.data if output.kind == "binary" else output.data.decode("utf-8", "replace"))

    def send(self, text: str) -> None:
        """Sends a message: a request, or an array of requests. What it changes is seen by the next tick; replies are delivered."""
        self.world._locked(lambda: self.world._submit(self, text))

    def close(self) -> None:
        """The client leaves, and lets go of what it holds."""
        self.world._locked(lambda: self.world._leave(self))


class State:
    """A state that a world has kept; its memory is freed with it."""

    def __init__(self, world: World, kept: Any) -> None:
        self.world = world
        self.kept = kept
