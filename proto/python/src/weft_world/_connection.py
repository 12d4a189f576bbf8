# SPDX-License-Identifier: MIT
"""A connection to a world of a server, on asyncio: requests and replies, and reconnecting with the session resumed.

A call that was not answered when the connection was lost is sent again with its id in the next one: the server answers what it has
done already with its first reply, so that each is done exactly once.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI, NegotiationError, WebSocketException
from websockets.typing import Subprotocol

from weft_world._json import encode_request
from weft_world._places import Places, is_loopback
from weft_world._protocol import PROTOCOL, SUBPROTOCOL, VERSION
from weft_world.errors import ConnectionLostError, NotFoundError, VersionError, WeftError, error_of_reply

OPEN_TIMEOUT: Final = 10.0  # s
REMOVED: Final = 4001  # close code: an administrator has removed this client
NO_MOVE: Final = ""


@dataclass
class _Call:
    text: str
    reply: asyncio.Future[Any]


def version_error(theirs: Any, version: str) -> VersionError:
    """Which side to upgrade."""
    newer = isinstance(theirs, int) and theirs > PROTOCOL
    advice = "upgrade this package: pip install --upgrade weft-world" if newer else "upgrade the server"
    return VersionError(
        f"the server (weftd {version}) speaks version {theirs} of the protocol, "
        f"this package (weft-world {VERSION}) version {PROTOCOL}: {advice}"
    )


class Connection:
    """Args:
    url: Address of a world: ws://HOST:PORT/worlds/NAME.
    token: Access token, if the server wants one.
    patience: How long calls wait for a lost connection to come back, in s; 0: not at all.
    on_event, on_binary: Called with each event, and with each binary message.
    on_open: Called after each hello; returns the requests to make then.
    on_end: Called once the connection has ended for good, with the reason.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None,
        patience: float,
        on_event: Callable[[dict[str, Any]], None],
        on_binary: Callable[[bytes], None],
        on_open: Callable[[], list[tuple[str, dict[str, Any]]]],
        on_end: Callable[[WeftError], None],
    ) -> None:
        self._places = Places(url)
        self._token = token
        self._patience = patience
        self._on_event, self._on_binary, self._on_open, self._on_end = on_event, on_binary, on_open, on_end
        self._key = secrets.token_hex(16)
        self._ids = itertools.count(1)
        self._calls: dict[int, _Call] = {}
        self._renewals: dict[int, str] = {}  # requests that each connection makes anew, by id: the method
        self._socket: ClientConnection | None = None
        self._task: asyncio.Task[None] | None = None
        self._opened: asyncio.Future[dict[str, Any]] | None = None
        self._error: WeftError | None = None
        self.hello: dict[str, Any] = {}

    @property
    def url(self) -> str:
        """The address where the world is now."""
        return self._places.url

    # ---- opening and closing

    async def open(self) -> dict[str, Any]:
        """Connects; returns the server's hello. Raises ConnectionLostError if the first attempt fails."""
        self._opened = asyncio.get_running_loop().create_future()
        self._task = asyncio.create_task(self._run())
        try:
            return await self._opened
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        self._give_up(ConnectionLostError("the connection was closed by this script"))
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def _give_up(self, error: WeftError) -> None:
        if self._error is None:
            self._error = error
            self._on_end(error)
        for call in self._calls.values():
            if not call.reply.done():
                call.reply.set_exception(self._error)
        self._calls.clear()
        if self._opened is not None and not self._opened.done():
            self._opened.set_exception(self._error)

    async def _run(self) -> None:
        lost_at = time.monotonic()
        while self._error is None:
            try:
                moved = await self._connect_once()
                pause = self._places.follow(moved) if moved else self._places.lost()
                reason: str = "the server has closed it"
            except WeftError as error:
                self._give_up(error)
                return
            except (OSError, TimeoutError, WebSocketException) as error:
                reason, pause = str(error) or type(error).__name__, self._places.lost()
            if self._was_open:
                lost_at = time.monotonic()
                self._was_open = False
            if self._opened is not None and not self._opened.done() and pause > 0:
                self._give_up(ConnectionLostError(f"{self._places.url} cannot be reached: {reason}"))
            elif pause > 0 and time.monotonic() + pause - lost_at > self._patience:
                self._give_up(ConnectionLostError(f"the connection is lost, and did not come back within {self._patience:g} s: {reason}"))
            else:
                await asyncio.sleep(pause)

    _was_open = False

    async def _connect_once(self) -> str:
        """Connects, and receives until the connection ends. Returns where the world has moved; NO_MOVE if it has not."""
        url = self._places.url
        options: dict[str, Any] = {"proxy": None} if is_loopback(url) else {}
        try:
            async with connect(
                url, subprotocols=[Subprotocol(SUBPROTOCOL)], open_timeout=OPEN_TIMEOUT, max_size=None, compression=None, **options
            ) as socket:
                with contextlib.suppress(ConnectionClosed):
                    return await self._receive(socket)
                return self._ended(socket)
        except NegotiationError as error:
            raise VersionError(f"the server does not speak {SUBPROTOCOL}: {error}") from error
        except InvalidStatus as error:
            if error.response.status_code == 404:
                raise NotFoundError(f"there is no world at {url}", code=-32002) from error
            raise
        except InvalidURI as error:
            raise ConnectionLostError(f"{url} is no address of a world: it should be like ws://127.0.0.1:8080/worlds/main") from error
        except InvalidHandshake as error:
            raise OSError(f"no WebSocket answers there ({error})") from error
        finally:
            self._socket = None

    # ---- messages that arrive

    async def _receive(self, socket: ClientConnection) -> str:
        async for data in socket:
            if isinstance(data, bytes):
                self._on_binary(data)
                continue
            message = json.loads(data)
            method = message.get("method")
            if method == "world.moved":
                return str(message["params"]["url"])
            if method == "hello":
                await self._greet(socket, message["params"])
            elif method is not None:
                self._on_event(message)
            else:
                await self._answer(socket, message)
        return self._ended(socket)

    def _ended(self, socket: ClientConnection) -> str:
        if socket.close_code == REMOVED:
            raise ConnectionLostError(f"this client was removed from the world: {socket.close_reason or 'no reason was given'}")
        return NO_MOVE

    async def _greet(self, socket: ClientConnection, hello: dict[str, Any]) -> None:
        if hello.get("protocol") != PROTOCOL:
            raise version_error(hello.get("protocol"), str(hello.get("version")))
        self.hello = hello
        if hello["role"] == "none":
            if self._token is None:
                raise error_of_reply({"code": -32001, "message": "this server wants a token: connect(url, token=...)"})
            await self._send_own(socket, "session.authenticate", {"token": self._token})
        else:
            await self._begin(socket)

    async def _begin(self, socket: ClientConnection) -> None:
        """The server knows who this is: resumes the session, repeats what was not answered, and subscribes anew."""
        self._places.arrived(self.hello.get("nodes") or [])
        await self._send_own(socket, "session.resume", {"session": self._key})
        sent = 0
        while sent < len(self._calls):  # also calls that are made meanwhile
            await socket.send(list(self._calls.values())[sent].text)
            sent += 1
        self._socket = socket
        self._was_open = True
        for method, params in self._on_open():
            await self._send_own(socket, method, params)
        if self._opened is not None and not self._opened.done():
            self._opened.set_result(self.hello)

    async def _send_own(self, socket: ClientConnection, method: str, params: dict[str, Any]) -> None:
        number = next(self._ids)
        self._renewals[number] = method
        await socket.send(encode_request(number, method, params))

    async def _answer(self, socket: ClientConnection, message: dict[str, Any]) -> None:
        number = message.get("id")
        if number in self._renewals:
            if self._renewals.pop(number) == "session.authenticate":
                if "error" in message:
                    raise error_of_reply(message["error"])
                self.hello = {**self.hello, **message["result"]}
                await self._begin(socket)
            return
        call = self._calls.pop(number, None) if isinstance(number, int) else None
        if call is None or call.reply.done():
            return
        if "error" in message:
            call.reply.set_exception(error_of_reply(message["error"]))
        else:
            call.reply.set_result(message["result"])

    # ---- requests

    async def call(self, method: str, params: dict[str, Any]) -> Any:
        """Calls a method; returns its result. Waits while the connection is being made anew."""
        if self._error is not None:
            raise type(self._error)(self._error.message, code=self._error.code)
        number = next(self._ids)
        call = _Call(encode_request(number, method, params), asyncio.get_running_loop().create_future())
        self._calls[number] = call
        try:
            if self._socket is not None:
                with contextlib.suppress(WebSocketException):  # it is sent again in the next connection
                    await self._socket.send(call.text)
            return await call.reply
        finally:
            self._calls.pop(number, None)
