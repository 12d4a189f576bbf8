# SPDX-License-Identifier: MIT
"""The way of a view in a notebook to a world of a server: each connection of a view has a WebSocket here, since the browser may reach only
the kernel. Messages pass as they are, but for the token, which stays here, and for the notice that the world moves, after which the view
connects again."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Subprotocol

from weft_world._places import is_loopback
from weft_world._protocol import SUBPROTOCOL

if TYPE_CHECKING:
    from weft_world.async_world import AsyncWorld

OPEN_TIMEOUT: Final = 10.0  # s
GOING_AWAY: Final = 1001
REMOVED: Final = 4001
AUTHENTICATION: Final = "token"  # id of the request that is made here


class ServerSource:
    """A world of a server. The loop is that of the connections."""

    def __init__(self, world: AsyncWorld) -> None:
        self._world = world

    def join(self, deliver: Callable[[str | bytes], None], end: Callable[[int, str], None]) -> _Link:
        return _Link(self._world, deliver, end)

    def leave(self) -> None:
        """The world of the script stays."""


class _Link:
    def __init__(self, world: AsyncWorld, deliver: Callable[[str | bytes], None], end: Callable[[int, str], None]) -> None:
        self._world = world
        self._deliver = deliver
        self._end = end
        self._outbox: asyncio.Queue[str] = asyncio.Queue()
        self._hello: dict[str, Any] = {}
        self._closed = False
        self._task = asyncio.ensure_future(self._run())

    def send(self, text: str) -> None:
        self._outbox.put_nowait(text)

    def close(self) -> None:
        self._closed = True
        self._task.cancel()

    async def _run(self) -> None:
        url = self._world.url
        options: dict[str, Any] = {"proxy": None} if is_loopback(url) else {}
        code, reason = GOING_AWAY, "the server has closed the connection"
        try:
            async with connect(
                url, subprotocols=[Subprotocol(SUBPROTOCOL)], open_timeout=OPEN_TIMEOUT, max_size=None, compression=None, **options
            ) as socket:
                sender = asyncio.ensure_future(self._send_all(socket))
                try:
                    async for data in socket:
                        if not await self._take(socket, data):
                            reason = "the world is on another server"
                            break
                finally:
                    sender.cancel()
                if socket.close_code == REMOVED:
                    code, reason = REMOVED, socket.close_reason or "it was removed from the world"
        except (OSError, TimeoutError, WebSocketException) as error:
            reason = str(error) or type(error).__name__
        if not self._closed:
            self._closed = True
            self._end(code, reason)

    async def _send_all(self, socket: ClientConnection) -> None:
        with contextlib.suppress(WebSocketException):
            while True:
                await socket.send(await self._outbox.get())

    async def _take(self, socket: ClientConnection, data: str | bytes) -> bool:
        """Passes a message on. Returns whether the world is still here."""
        if isinstance(data, bytes):
            self._deliver(data)
            return True
        if '"method":"world.moved"' in data[:80]:
            return False
        token = self._world.token
        if not self._hello and token is not None:
            message = json.loads(data)
            self._hello = message
            if message["params"]["role"] == "none":
                request = {"jsonrpc": "2.0", "id": AUTHENTICATION, "method": "session.authenticate", "params": {"token": token}}
                await socket.send(json.dumps(request))
                return True
        elif self._hello and f'"id":"{AUTHENTICATION}"' in data[:200]:
            self._hello["params"].update(json.loads(data).get("result", {}))
            data = json.dumps(self._hello)
        self._deliver(data)
        return True
