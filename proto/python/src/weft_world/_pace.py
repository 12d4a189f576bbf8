# SPDX-License-Identifier: MIT
"""How many frames a view gets: no more than it draws, and than a notebook's channel carries.

Notebook servers drop what a kernel sends beyond about 1 MB/s. Frames are coded as changes of earlier ones, so that none can be left out
of a subscription: when a view is behind, it gets none until it has caught up, and is subscribed anew; where frames take too many bytes,
it is subscribed to every second tick, every fourth, and so on.
"""

from __future__ import annotations

import json
from typing import Any, Final

from weft_world.frames import FRAME

BYTES_A_SECOND: Final = 600_000  # of the frames of all views
BEHIND_MOST: Final = 30  # messages under way to a view
CAUGHT_UP: Final = 2
EVERY_MOST: Final = 64  # ticks between two frames, times the interval that the view has asked for
SILENT_SECONDS: Final = 3  # without a word from a view that is behind
ATTEMPT: Final = 4  # messages to such a view
CALM_SECONDS: Final = 5  # with a quarter of the bytes, until there are more frames
OWN: Final = "pace"  # id of the requests that are made here, which no client of the page has


class Pace:
    """Of one connection of a view. Its owner asks `lets` for each binary message, and calls `second` once a second."""

    def __init__(self) -> None:
        self.every = 1
        self._wanted: dict[str, Any] | None = None  # the parameters of the view's subscription
        self._sent = 0  # messages
        self._taken = 0
        self._bytes = 0  # of frames, in the present second
        self._holds = False  # no frames, until a new subscription
        self._exceeds = False  # the reason is their size
        self._calm = self._silent = 0  # s

    def note(self, text: str) -> str:
        """Notes the frames that the view asks for. Returns the message to pass on, with the present pace."""
        message = _request(text) if '"frames.' in text else {}
        method = message.get("method")
        params = message.get("params") or {} if method == "frames.subscribe" else None
        if params is not None and not isinstance(params, dict):
            return text
        if method == "frames.unsubscribe" or (params is not None and params.get("encoding") == "ticks"):
            self._wanted = None
        elif params is not None:
            self._wanted = params
            self._holds = self._exceeds = False
            return json.dumps({**message, "params": self._params()})
        return text

    def _params(self) -> dict[str, Any]:
        wanted = self._wanted or {}
        every = wanted.get("everyTicks", 1)
        return {**wanted, "everyTicks": every * self.every} if isinstance(every, int) and self.every > 1 else wanted

    def renewal(self) -> str:
        """The request that subscribes the view anew; "" if it is subscribed to nothing."""
        self._holds = self._exceeds = False
        if self._wanted is None:
            return ""
        return json.dumps({"jsonrpc": "2.0", "id": OWN, "method": "frames.subscribe", "params": self._params()})

    def lets(self, data: bytes, share: int) -> bool:
        """Whether a message is sent to the view now. `share`: bytes a second that its frames may take."""
        if data[0] == FRAME and self._wanted is not None:
            self._exceeds = self._exceeds or self._bytes + len(data) > max(share, len(data))
            self._holds = self._holds or self._exceeds or self._sent - self._taken >= BEHIND_MOST
            if self._holds:
                return False
            self._bytes += len(data)
        self._sent += 1
        return True

    @property
    def _caught_up(self) -> bool:
        return self._sent - self._taken <= CAUGHT_UP

    def took(self, messages: int) -> bool:
        """The view has received so many messages in all. Returns whether to subscribe it anew."""
        self._taken = max(self._taken, min(messages, self._sent))
        self._silent = 0
        return self._holds and not self._exceeds and self._caught_up

    def second(self, share: int) -> bool:
        """A second has passed. Returns whether to subscribe the view anew."""
        used, self._bytes = self._bytes, 0
        self._silent += 1
        if self._exceeds:
            self.every, self._calm = min(2 * self.every, EVERY_MOST), 0
        if self._holds:
            if self._silent >= SILENT_SECONDS:  # perhaps the kernel cannot hear it: an attempt with few frames
                self._taken = max(self._taken, self._sent - BEHIND_MOST + ATTEMPT)
                self._silent = 0
                return True
            return self._caught_up
        self._calm = self._calm + 1 if self.every > 1 and 4 * used < share else 0
        if self._calm < CALM_SECONDS:
            return False
        self.every, self._calm = self.every // 2, 0
        return True


def _request(text: str) -> dict[str, Any]:
    """A message as a dictionary; {} for a text that is none, which the world refuses."""
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}


def is_own(text: str) -> bool:
    """Whether a message is the reply to a request of `renewal`."""
    return f'"id":"{OWN}"' in text[:200].replace(" ", "")
