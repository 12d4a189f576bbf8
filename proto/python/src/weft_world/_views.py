# SPDX-License-Identifier: MIT
"""The views of a world in a notebook: what their connections say and hear, over a channel that carries dictionaries and bytes.

A view opens a connection, as it would open a WebSocket, and speaks the protocol over it. Each message names its connection, by a text that
the view has chosen:

    from a view                                            to a view
    {connection, kind: "open"}                             {connection, kind: "text", text}
    {connection, kind: "text", text}                       {connection, kind: "bytes"} and the bytes
    {connection, kind: "taken", messages}: bytes so far    {connection, kind: "alive"}: the answer to "alive"
    {connection, kind: "alive"}: every few seconds         {connection, kind: "close", code, reason}
    {connection, kind: "close"}

All work is done on the thread of one event loop; `receive` may be called on any.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol

from weft_world._clock import BUSY_SECONDS, Clock
from weft_world._pace import BYTES_A_SECOND, Pace, is_own
from weft_world.errors import InUseError, StateError, WeftError
from weft_world.world import World

GOING_AWAY: Final = 1001  # the view connects again
FAILED: Final = 1011
REMOVED: Final = 4001  # the view stays away
SILENT_SECONDS: Final = 150  # without a message, until a view counts as closed: browsers let hidden pages speak once a minute
MESSAGE_MOST: Final = 64_000_000  # bytes

Send = Callable[[dict[str, Any], list[bytes]], None]


class Link(Protocol):
    """A client of the world, for one view."""

    def send(self, text: str) -> None: ...
    def close(self) -> None: ...


class Source(Protocol):
    """A world as views see it: `join` makes a client, which hears by `deliver`, and by `end` that it is a client no more."""

    def join(self, deliver: Callable[[str | bytes], None], end: Callable[[int, str], None]) -> Link: ...
    def leave(self) -> None: ...


class WorldSource:
    """A world of this process, whose clock runs on the loop from now on."""

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        self._world = world
        self._loop = loop
        self._ends: dict[int, Callable[[int, str], None]] = {}
        if world.clock is None or world.clock.loop is not loop:
            if world.clock is not None:
                world.clock.stop()
            world.clock = Clock(world, loop)
        world.on_close.append(self._ended)
        world.clock.wake()

    def join(self, deliver: Callable[[str | bytes], None], end: Callable[[int, str], None]) -> Link:
        if self._world.closed:
            raise StateError("the world is closed")
        client = self._world.join(deliver)
        self._ends[client.number] = end
        return client

    def leave(self) -> None:
        if self._ended in self._world.on_close:
            self._world.on_close.remove(self._ended)

    def _ended(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end_all)

    def _end_all(self) -> None:
        for end in self._ends.values():
            end(REMOVED, "the world is closed")
        self._ends.clear()


class _Connection:
    def __init__(self) -> None:
        self.link: Link | None = None
        self.pace = Pace()
        self.silent = 0  # s


class Views:
    """The connections of one widget.

    Args:
        source: The world.
        send: Sends a message to all places that show the widget. Called on the loop, and on whichever thread steps a world of this process.
        loop: On whose thread the world is used.
    """

    def __init__(self, source: Source, send: Send, loop: asyncio.AbstractEventLoop) -> None:
        self._source = source
        self._send = send
        self._loop = loop
        self._connections: dict[str, _Connection] = {}
        self._inbox: deque[Mapping[str, Any]] = deque()
        self._waits = False  # the inbox, until no other thread uses the world
        self._timer: asyncio.TimerHandle | None = None
        self._closed = False

    def __len__(self) -> int:
        return len(self._connections)

    def receive(self, message: Mapping[str, Any]) -> None:
        """Takes a message of a view. Any thread may call it."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._enqueue, message)

    def close(self) -> None:
        """Ends all connections. Any thread may call it."""
        self._closed = True
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._close)

    def _close(self) -> None:
        for name in list(self._connections):
            self._end(name, REMOVED, "the view is closed")
        self._source.leave()

    # ---- messages, one after another

    def _enqueue(self, message: Mapping[str, Any]) -> None:
        self._inbox.append(message)
        if not self._waits:
            self._work()

    def _work(self) -> None:
        self._waits = False
        while self._inbox and not self._closed:
            message = self._inbox.popleft()
            try:
                self._take(message)
            except InUseError:  # in order, a little later
                self._inbox.appendleft(message)
                self._waits = True
                self._loop.call_later(BUSY_SECONDS, self._work)
                return

    def _take(self, message: Mapping[str, Any]) -> None:
        name, kind = message.get("connection"), message.get("kind")
        if not isinstance(name, str):
            return
        if kind == "open":
            self._open(name)
            return
        connection = self._connections.get(name)
        if connection is None:
            if kind != "close":
                self._tell_end(name, GOING_AWAY, "the kernel has no such view")
            return
        connection.silent = 0
        if kind == "text":
            self._pass(name, connection, str(message.get("text", "")))
        elif kind == "taken":
            messages = message.get("messages")
            if isinstance(messages, int) and connection.pace.took(messages):
                self._renew(connection)
        elif kind == "alive":
            self._send({"connection": name, "kind": "alive"}, [])
        elif kind == "close":
            self._forget(name)

    def _open(self, name: str) -> None:
        if name in self._connections:
            return
        connection = _Connection()
        self._connections[name] = connection
        try:
            connection.link = self._source.join(
                lambda data: self._deliver(name, connection, data), lambda code, reason: self._end(name, code, reason)
            )
        except InUseError:
            del self._connections[name]
            raise
        except WeftError as error:
            del self._connections[name]
            self._tell_end(name, REMOVED, error.message)
            return
        if self._timer is None:
            self._timer = self._loop.call_later(1.0, self._second)

    def _pass(self, name: str, connection: _Connection, text: str) -> None:
        if len(text) > MESSAGE_MOST:
            self._end(name, FAILED, f"a message of more than {MESSAGE_MOST} bytes")
        elif connection.link is not None:
            try:
                connection.link.send(connection.pace.note(text))
            except InUseError:
                raise
            except WeftError as error:
                self._end(name, FAILED, error.message)

    # ---- to views

    def _deliver(self, name: str, connection: _Connection, data: str | bytes) -> None:
        if isinstance(data, str):
            if not is_own(data):
                self._send({"connection": name, "kind": "text", "text": data}, [])
        elif connection.pace.lets(data, self._share):
            self._send({"connection": name, "kind": "bytes"}, [data])

    @property
    def _share(self) -> int:
        return BYTES_A_SECOND // max(1, len(self._connections))

    def _renew(self, connection: _Connection) -> None:
        text = connection.pace.renewal()
        if text and connection.link is not None:
            connection.link.send(text)

    def _end(self, name: str, code: int, reason: str) -> None:
        self._forget(name)
        self._tell_end(name, code, reason)

    def _tell_end(self, name: str, code: int, reason: str) -> None:
        self._send({"connection": name, "kind": "close", "code": code, "reason": reason}, [])

    def _forget(self, name: str) -> None:
        """The view is a client no more."""
        connection = self._connections.get(name)
        if connection is not None and connection.link is not None:
            connection.link.close()
        self._connections.pop(name, None)

    # ---- time

    def _second(self) -> None:
        self._timer = None
        for name, connection in list(self._connections.items()):
            connection.silent += 1
            try:
                if connection.silent > SILENT_SECONDS:
                    self._forget(name)
                elif connection.pace.second(self._share):
                    self._renew(connection)
            except InUseError:  # the next second comes
                continue
        if self._connections:
            self._timer = self._loop.call_later(1.0, self._second)
