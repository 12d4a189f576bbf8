# SPDX-License-Identifier: MIT
"""Events of a world, which events_subscribe asks for."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any, Final

MOST: Final = 10_000  # events that wait: the oldest are dropped beyond this


@dataclass(frozen=True)
class Event:
    """Something that has happened in a world, such as `object.added`; `params` are those of the protocol."""

    name: str
    params: dict[str, Any]


class Events:
    """Events that wait to be taken."""

    def __init__(self) -> None:
        self._waiting: deque[Event] = deque(maxlen=MOST)

    def add(self, message: dict[str, Any]) -> None:
        self._waiting.append(Event(message["method"], message.get("params") or {}))

    def take(self) -> list[Event]:
        taken = list(self._waiting)
        self._waiting.clear()
        return taken
