# SPDX-License-Identifier: MIT
"""Handles of what a world of a server has, whose methods are awaited."""

from __future__ import annotations

from typing import Any, Protocol

from numpy import float32, uint32
from numpy.typing import NDArray

from weft_world._async_methods import AsyncGrabMethods, AsyncObjectMethods, AsyncObstacleMethods, AsyncStickMethods
from weft_world._caller import AsyncCaller
from weft_world._handles import Identified, MakesHandles


class WorldOfAsyncHandles(MakesHandles, Protocol):
    """What handles need of their world."""

    async def call(self, method: str, /, **params: Any) -> Any: ...
    async def positions_of(self, identity: int) -> NDArray[float32]: ...
    async def triangles_of(self, identity: int) -> NDArray[uint32]: ...


class AsyncHandle(Identified[WorldOfAsyncHandles], AsyncCaller):
    """A thing of a world."""

    async def call(self, method: str, /, **params: Any) -> Any:
        return await self._world.call(method, **params)


class AsyncObject(AsyncHandle, AsyncObjectMethods):
    """Particles, a cloth, mesh, rope, body, plant, ragdoll or soft body."""

    async def positions(self) -> NDArray[float32]:
        """Positions of its particles in m at the newest tick, of shape (particles, 3)."""
        return await self._world.positions_of(self.id)

    async def triangles(self) -> NDArray[uint32]:
        """Its triangles, of shape (triangles, 3), as indices of its particles."""
        return await self._world.triangles_of(self.id)


class AsyncObstacle(AsyncHandle, AsyncObstacleMethods):
    """A shape that stays or moves by itself, whatever touches it."""


class AsyncStick(AsyncHandle, AsyncStickMethods):
    """A stick that was added."""


class AsyncGrab(AsyncHandle, AsyncGrabMethods):
    """A particle or a point of a surface that follows where it is moved; it ends with `end`, or with the block of `async with`."""

    async def __aenter__(self) -> AsyncGrab:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.end()


HANDLES: dict[str, type[AsyncHandle]] = {"object": AsyncObject, "obstacle": AsyncObstacle, "stick": AsyncStick, "grab": AsyncGrab}
