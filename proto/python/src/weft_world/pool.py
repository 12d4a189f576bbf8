# SPDX-License-Identifier: MIT
"""Many worlds stepped on all cores, in C threads, without the GIL.

with weft.Pool(world.branch() for _ in range(1000)) as pool:
    pool.step(300)
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator
from typing import Any, Final

from weft_world._native import ffi, lib
from weft_world.errors import MemoryExhaustedError, StateError
from weft_world.world import World

SLICE_SECONDS: Final = 0.1  # of steps in C, before Python looks for Ctrl-C
THREADS_MAX: Final = 256


class Pool:
    """Steps its worlds together. The bits of a world depend neither on the others nor on the number of threads.

    Args:
        worlds: Worlds of this process, each once. They can be used by themselves between two calls of `step`.
        threads: Threads in all; default: as many as this process has processors.
    """

    def __init__(self, worlds: Iterable[World], threads: int | None = None) -> None:
        self.worlds = list(worlds)
        if len({id(world) for world in self.worlds}) != len(self.worlds):
            raise ValueError("a world is in the pool more than once")
        self.threads = len(os.sched_getaffinity(0)) if threads is None else threads
        if not 1 <= self.threads <= THREADS_MAX:
            raise ValueError(f"threads must be 1 to {THREADS_MAX}, got {self.threads}")
        pool = lib.weft_pool_create(self.threads)
        if pool == ffi.NULL:
            raise MemoryExhaustedError("there is no memory, or there are no threads left, for a pool")
        self._pool: Any = ffi.gc(pool, lib.weft_pool_destroy)

    def step(self, ticks: int = 1) -> None:
        """Steps every world so many ticks. Ctrl-C ends it between two ticks, when some worlds may be further than others.

        Raises: StateError if a world is closed, runs or is used by another thread; then none was stepped.
        """
        if ticks < 0:
            raise ValueError(f"ticks must be 0 or more, got {ticks}")
        if self._pool is None:
            raise StateError("the pool is closed")
        with contextlib.ExitStack() as stack:
            for world in self.worlds:
                stack.enter_context(_taken(world))
            recorded = [world for world in self.worlds if world._recording is not None]
            for world in recorded:
                world._step(ticks)
            self._step([world for world in self.worlds if world._recording is None], ticks)

    def _step(self, worlds: list[World], ticks: int) -> None:
        addresses = ffi.new("weft_world *[]", [world._engine.world for world in worlds])
        done = ffi.new("uint32_t[]", len(worlds))
        try:
            while lib.weft_pool_step(self._pool, addresses, done, len(worlds), ticks, SLICE_SECONDS) > 0:
                pass
        finally:
            for world in worlds:
                world._take()

    def close(self) -> None:
        """Ends the threads. The worlds stay."""
        self._pool = None

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __len__(self) -> int:
        return len(self.worlds)

    def __iter__(self) -> Iterator[World]:
        return iter(self.worlds)

    def __getitem__(self, index: int) -> World:
        return self.worlds[index]


@contextlib.contextmanager
def _taken(world: World) -> Iterator[None]:
    if not world._lock.acquire(blocking=False):
        raise StateError("another thread is using a world of the pool: a world is used by one thread at a time")
    try:
        if world._engine.running:
            raise StateError("world.step needs a paused world: call world.pause first", code=-32004)
        yield
    finally:
        world._lock.release()
