# SPDX-License-Identifier: MIT
"""Connections, against a server of this test's own: reconnecting, resuming, moving, versions, tokens."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from websockets.asyncio.server import Server, ServerConnection, serve

import weft_world as weft

HELLO = {"protocol": 1, "version": "0.1.0", "role": "editor", "world": "main", "nodes": []}


class Scripted:
    """A server whose connections, one after another, are handled by the given functions."""

    def __init__(self, *handlers: Callable[[ServerConnection, Scripted], Awaitable[None]]) -> None:
        self.handlers = list(handlers)
        self.received: list[list[dict[str, Any]]] = []

    async def __aenter__(self) -> Scripted:
        self.server: Server = await serve(self._handle, "127.0.0.1", 0, subprotocols=["weft.v1"])  # type: ignore[list-item]
        port = next(iter(self.server.sockets)).getsockname()[1]
        self.url = f"ws://127.0.0.1:{port}/worlds/main"
        return self

    async def __aexit__(self, *_: object) -> None:
        self.server.close()
        await self.server.wait_closed()

    async def _handle(self, socket: ServerConnection) -> None:
        self.received.append([])
        await self.handlers.pop(0)(socket, self)

    async def greet(self, socket: ServerConnection, **members: Any) -> None:
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "hello", "params": {**HELLO, **members}}))

    async def take(self, socket: ServerConnection) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await socket.recv())
        self.received[-1].append(message)
        return message

    async def answer(self, socket: ServerConnection, message: dict[str, Any], result: Any) -> None:
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}))


async def answering(socket: ServerConnection, server: Scripted) -> None:
    await server.greet(socket)
    while True:
        message = await server.take(socket)
        await server.answer(socket, message, {"tick": len(server.received)})


async def losing(socket: ServerConnection, server: Scripted) -> None:
    """Answers until something is to be removed, and is gone then."""
    await server.greet(socket)
    while (message := await server.take(socket))["method"] != "object.remove":
        await server.answer(socket, message, {})
    await socket.close(1011)


def run(work: Callable[[], Awaitable[None]]) -> None:
    async def limited() -> None:
        await asyncio.wait_for(work(), 20)

    asyncio.run(limited())


def test_a_call_that_was_not_answered_is_sent_again_with_its_id_after_the_session_was_resumed() -> None:
    async def main() -> None:
        async with Scripted(losing, answering) as server, await weft.connect_async(server.url) as world:
            await world.events_subscribe(events=["object.added"])
            assert await world.object_remove(7) == {"tick": 2}
            first, second = server.received
            assert [one["method"] for one in first] == ["session.resume", "events.subscribe", "object.remove"]
            assert [one["method"] for one in second] == ["session.resume", "object.remove", "events.subscribe"]
            assert first[0]["params"] == second[0]["params"]
            assert len(first[0]["params"]["session"]) == 32
            assert first[2] == second[1]

    run(main)


def test_calls_wait_no_longer_than_they_have_patience() -> None:
    async def main() -> None:
        async with Scripted(losing) as server, await weft.connect_async(server.url, patience=0.1) as world:
            with pytest.raises(weft.ConnectionLostError, match=r"did not come back within 0\.1 s"):
                await world.object_remove(7)
            with pytest.raises(weft.ConnectionLostError, match="did not come back"):
                await world.object_list()

    run(main)


def test_a_world_that_moves_is_followed_and_its_calls_wait() -> None:
    async def main() -> None:
        async with Scripted(answering) as second:

            async def moving(socket: ServerConnection, server: Scripted) -> None:
                await server.greet(socket)
                while (await server.take(socket))["method"] != "object.remove":
                    pass
                await socket.send(json.dumps({"jsonrpc": "2.0", "method": "world.moved", "params": {"url": second.url}}))
                await socket.wait_closed()

            async with Scripted(moving) as first, await weft.connect_async(first.url, patience=0) as world:
                assert await world.object_remove(7) == {"tick": 1}
                assert world.url == second.url
                assert [one["method"] for one in second.received[0]] == ["session.resume", "object.remove"]

    run(main)


@pytest.mark.parametrize(
    ("theirs", "advice"),
    [(2, r"version 2 of the protocol.*version 1: upgrade this package: pip install --upgrade weft-world"), (0, "upgrade the server")],
)
def test_a_server_of_another_version_is_refused_with_the_side_to_upgrade(theirs: int, advice: str) -> None:
    async def other(socket: ServerConnection, server: Scripted) -> None:
        await server.greet(socket, protocol=theirs, version="9.1.0")
        await socket.wait_closed()

    async def main() -> None:
        async with Scripted(other) as server:
            with pytest.raises(weft.VersionError, match=advice) as caught:
                await weft.connect_async(server.url)
            assert "weftd 9.1.0" in caught.value.message

    run(main)


def test_a_token_is_sent_and_a_wrong_one_refused() -> None:
    async def guarded(socket: ServerConnection, server: Scripted) -> None:
        await server.greet(socket, role="none")
        message = await server.take(socket)
        assert message["method"] == "session.authenticate"
        if message["params"]["token"] == "right":
            await server.answer(socket, message, {"role": "editor"})
            await server.take(socket)
            await server.answer(socket, await server.take(socket), {"objects": []})
        else:
            error = {"code": -32001, "message": "the token is not valid"}
            await socket.send(json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}))
        await socket.wait_closed()

    async def no_token(socket: ServerConnection, server: Scripted) -> None:
        await server.greet(socket, role="none")
        await socket.wait_closed()

    async def main() -> None:
        async with Scripted(no_token) as server:
            with pytest.raises(weft.DeniedError, match="wants a token"):
                await weft.connect_async(server.url)
        async with Scripted(guarded, guarded) as server:
            with pytest.raises(weft.DeniedError, match="the token is not valid"):
                await weft.connect_async(server.url, token="wrong")
            async with await weft.connect_async(server.url, token="right") as world:
                assert await world.object_list() == {"objects": []}
                assert world.hello["role"] == "editor"

    run(main)


def test_a_client_that_was_removed_does_not_come_back() -> None:
    async def removing(socket: ServerConnection, server: Scripted) -> None:
        await server.greet(socket)
        await server.take(socket)
        await socket.close(4001, "too loud")

    async def main() -> None:
        async with Scripted(removing) as server, await weft.connect_async(server.url) as world:
            with pytest.raises(weft.ConnectionLostError, match="removed from the world: too loud"):
                await world.object_list()

    run(main)


def test_frames_and_events_end_with_the_connection() -> None:
    async def ending(socket: ServerConnection, server: Scripted) -> None:
        await server.greet(socket)
        while (message := await server.take(socket))["method"] != "frames.subscribe":
            pass
        await server.answer(socket, message, {})
        await socket.close(1011)

    async def main() -> None:
        async with Scripted(ending) as server, await weft.connect_async(server.url, patience=0) as world:
            with pytest.raises(weft.ConnectionLostError):
                async for _ in world.frames():
                    pass
            with pytest.raises(weft.ConnectionLostError):
                async for _ in world.events():
                    pass

    run(main)
