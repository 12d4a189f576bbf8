# SPDX-License-Identifier: MIT
"""The clock of a world of this process that is shown: a task of an asyncio event loop which computes a tick when it is due.

It computes on the thread of the loop, which in a notebook is the one that runs the cells, so that no two threads use a world at once:
the world goes on between cells and while a cell awaits, and stands while a cell computes. Messages get a turn after each slice of ticks.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from weft_world.errors import InUseError, StateError

if TYPE_CHECKING:
    from weft_world.world import World

SLICE_SECONDS: Final = 0.012  # of ticks, before messages get a turn
LATE_SECONDS: Final = 0.25  # ticks that are later are not made up for
BUSY_SECONDS: Final = 0.01  # until another attempt, while another thread uses the world


class Clock:
    """Runs as long as the world's clock does; `wake` is called after whatever may have started that.

    Args:
        world: The world.
        loop: The event loop, of the only thread that uses the world.
    """

    def __init__(self, world: World, loop: asyncio.AbstractEventLoop) -> None:
        self._world = world
        self.loop = loop
        self._period = 1 / world.tick_hz
        self._due: float | None = None  # on time.monotonic; None: the clock stands
        self._stopped = False

    def wake(self) -> None:
        """Begins to tick, if the clock stands. Any thread may call it."""
        if self._due is None and not self._stopped and not self.loop.is_closed():
            self._due = time.monotonic()
            self.loop.call_soon_threadsafe(self._turn)

    def stop(self) -> None:
        """Ends the clock for good."""
        self._stopped = True

    def _turn(self) -> None:
        if self._stopped or self._due is None:
            return
        now = time.monotonic()
        due = max(self._due, now - LATE_SECONDS)
        try:
            while due <= now and time.monotonic() < now + SLICE_SECONDS:
                if not self._world.tick_if_running():
                    self._rest()
                    return
                due += self._period
        except InUseError:
            due = max(due, now + BUSY_SECONDS)
        except StateError:  # the world is closed
            self.stop()
            return
        self._due = due
        self.loop.call_later(max(0.0, due - time.monotonic()), self._turn)

    def _rest(self) -> None:
        self._due = None
        if self._world.running:  # another thread has started it meanwhile
            self.wake()
