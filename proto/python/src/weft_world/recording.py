# SPDX-License-Identifier: MIT
"""Recordings of worlds of this process: what was done before each tick, hashes, and snapshots to go back to."""

from __future__ import annotations

import bisect
from dataclasses import dataclass
from itertools import groupby
from os import PathLike
from typing import TYPE_CHECKING, Final

from weft_world import _records
from weft_world._engine import PHYSICS_VERSION, VERSION, Engine
from weft_world.capsule import Capsule
from weft_world.errors import InvalidError, StateError

if TYPE_CHECKING:
    from weft_world.world import World

MARK_TICKS: Final = 60  # between two hashes
KEEP_TICKS: Final = 120  # between two snapshots, at first
KEEP_BYTES: Final = 192_000_000  # of snapshots: beyond this every second one is dropped


@dataclass(frozen=True)
class _Kept:
    tick: int
    applied: int  # messages of records
    snapshot: bytes


class Recording:
    """What happens in a world from now on, for `World.seek`, and as a capsule. World.record makes it; it ends with the block of
    `with`, or with `stop`, and its capsule can be had after that, too.

    After a `seek` into the past the recording still has what came after, until the world is changed or stepped: then it goes on
    from there, and what came after is gone. world_reset and `load` begin it anew.
    """

    def __init__(self, world: World, engine: Engine) -> None:
        self._world = world
        self._engine = engine
        self._final: Capsule | None = None
        self.begin()

    def begin(self) -> None:
        """Begins anew with the present state."""
        engine = self._engine
        self._ticks: list[int] = []  # of the messages
        self._messages: list[bytes] = []
        self._applied = 0  # messages that are in the present state
        self._hashes: list[tuple[int, int, str]] = []  # tick, messages, hash
        self._every = KEEP_TICKS
        self._first_hash = engine.hash
        self._kept = [_Kept(engine.tick, 0, engine.snapshot())]
        self._last = engine.tick

    # ---- calls and ticks of the world

    def note(self, message: bytes) -> None:
        self._forget_ahead()
        self._ticks.append(_records.tick_of(message))
        self._messages.append(message)
        self._applied = len(self._messages)

    def due(self) -> int:
        """How many ticks the world may step before `stepped` has to be called."""
        return MARK_TICKS - self._engine.tick % MARK_TICKS

    def will_step(self) -> None:
        self._forget_ahead()

    def stepped(self) -> None:
        engine = self._engine
        tick = self._last = engine.tick
        if tick % MARK_TICKS == 0:
            self._hashes.append((tick, self._applied, engine.hash))
        if tick % self._every == 0:
            self._kept.append(_Kept(tick, self._applied, engine.snapshot()))
            self._thin()

    def _forget_ahead(self) -> None:
        """The world goes on from here: what came after is no part of its history any more."""
        tick = self._engine.tick
        if self._applied == len(self._messages) and self._last <= tick:
            return
        del self._ticks[self._applied :], self._messages[self._applied :]
        self._hashes = [one for one in self._hashes if one[0] <= tick and one[1] <= self._applied]
        self._kept = [one for one in self._kept if one.tick <= tick and one.applied <= self._applied]
        self._last = tick

    def _thin(self) -> None:
        if sum(len(one.snapshot) for one in self._kept) <= KEEP_BYTES:
            return
        self._every *= 2
        self._kept = [one for index, one in enumerate(self._kept) if index == 0 or one.tick % self._every == 0]

    # ---- going back

    @property
    def first_tick(self) -> int:
        """The tick at which the recording begins."""
        return self._kept[0].tick

    @property
    def last_tick(self) -> int:
        """The last tick that it has."""
        return self._last

    def seek(self, tick: int) -> None:
        if not self.first_tick <= tick <= self._last:
            raise InvalidError(f"tick must be one of the recording, {self.first_tick} to {self._last}, got {tick}", pointer="/tick")
        known = bisect.bisect_right(self._ticks, tick)  # messages that are seen by then
        kept = next(one for one in reversed(self._kept) if one.tick <= tick and (one.applied <= known or one is self._kept[0]))
        engine = self._engine
        engine.restore(kept.snapshot)
        self._applied = kept.applied
        while engine.tick < tick:
            due = self._ticks[self._applied] if self._applied < len(self._ticks) else tick + 1
            if due <= engine.tick + 1:
                engine.replay(self._messages[self._applied], 0)
                self._applied += 1
            else:
                engine.replay(b"", min(due - 1, tick) - engine.tick)
        engine.show()

    # ---- the capsule

    def capsule(self) -> Capsule:
        """The recording up to its last tick, as a capsule. What was done since that tick is not in it."""
        return self._final or self._world._locked(self._capsule)

    def _capsule(self) -> Capsule:
        engine, first = self._engine, self._kept[0]
        messages = self._messages[: bisect.bisect_right(self._ticks, self._last)]
        ticks, before, number = [], [0], 1
        for tick, group in groupby(messages, _records.tick_of):
            ticks.append((tick, _records.join(group, number)))
            number += _records.count_of(ticks[-1][1])
        for message in messages:
            before.append(before[-1] + _records.count_of(message))
        hashes = [(tick, before[applied], text) for tick, applied, text in self._hashes]
        if engine.tick == self._last and self._applied == len(messages) == len(self._messages):
            end = (engine.tick, before[-1], engine.hash)
            hashes += [end] if end not in hashes else []
        return Capsule(
            engine.options.name, VERSION, engine.options.tick_hz, PHYSICS_VERSION, PHYSICS_VERSION, first.tick, self._last,
            first.snapshot, self._first_hash, ticks, hashes,
        )  # fmt: skip

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the capsule to a file."""
        self.capsule().save(path)

    def stop(self) -> None:
        """Ends the recording."""
        if self._final is None:
            self._final = self.capsule()
            self._world._recording_ended()

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def no_recording(what: str) -> StateError:
    return StateError(f"{what} needs a recording: call world.record() before the ticks to go back to")
