# SPDX-License-Identifier: MIT
"""Where a world may be, and how long to wait between attempts to reach it (PROTOCOL.md, "Several servers")."""

from __future__ import annotations

import random
from typing import Final
from urllib.parse import urlsplit

FOLLOWED_MOST: Final = 4  # times in a row, without a hello between
FIRST_PAUSE: Final = 0.25  # s
MOST_PAUSE: Final = 5.0
EARLY_PAUSE: Final = 1.0  # at most, while another node may be taking the world over
EARLY_ATTEMPTS: Final = 10


def is_loopback(url: str) -> bool:
    return (urlsplit(url).hostname or "") in ("localhost", "127.0.0.1", "::1")


def world_path(url: str) -> str:
    """The end of an address that names the world: /worlds/NAME."""
    path = urlsplit(url).path
    at = path.rfind("/worlds/")
    return path[at:] if at >= 0 else path


class Places:
    def __init__(self, url: str) -> None:
        self.url = url  # where the world is asked for next
        self._given = url
        self._nodes: list[str] = []
        self._followed = 0
        self._failures = 0

    def arrived(self, nodes: list[str]) -> None:
        """A server has said hello, and which other servers share its worlds: http://… or https://…"""
        self._followed = self._failures = 0
        self._nodes = ["ws" + node.removeprefix("http") + world_path(self.url) for node in nodes]

    def follow(self, url: str) -> float:
        """The world is at another address. Returns how long to wait before going there, in s."""
        self.url = url
        self._followed += 1
        return 0.0 if self._followed <= FOLLOWED_MOST else self._pause()

    def lost(self) -> float:
        """The connection was lost, or not made. Returns how long to wait before trying `url`, in s."""
        places = list(dict.fromkeys([self._given, *self._nodes]))
        at = places.index(self.url) if self.url in places else -1
        self.url = places[(at + 1) % len(places)]
        self._followed = 0
        return self._pause()

    def _pause(self) -> float:
        most = EARLY_PAUSE if self._nodes and self._failures < EARLY_ATTEMPTS else MOST_PAUSE
        pause = min(most, FIRST_PAUSE * 2.0 ** min(self._failures, 16))
        self._failures += 1
        return pause * random.uniform(0.5, 1)
