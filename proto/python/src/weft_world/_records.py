# SPDX-License-Identifier: MIT
"""Records of ticks as messages of type 4 (FRAMES.md, "Records of a tick")."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from typing import Final

from weft_world.errors import DamagedError

TYPE: Final = 4
HEADER: Final = struct.Struct("<BBHIQIIQ")  # type, coding, flags, epoch, tick, records, physics version, 0
RECORD: Final = struct.Struct("<IIQQ")  # kind, client, number, bytes


def tick_of(message: bytes) -> int:
    """The tick that is the first to see what the records changed."""
    return int(HEADER.unpack_from(message)[4])


def count_of(message: bytes) -> int:
    return int(HEADER.unpack_from(message)[5])


def split(message: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Kind, client and data of each record. Raises DamagedError if the message is none."""
    if len(message) < HEADER.size or message[0] != TYPE:
        raise DamagedError("the records of a tick are damaged: this is no message of type 4")
    at = HEADER.size
    for _ in range(count_of(message)):
        if at + RECORD.size > len(message):
            raise DamagedError("the records of a tick are damaged: they end too early")
        kind, client, _, length = RECORD.unpack_from(message, at)
        at += RECORD.size
        if length > len(message) - at:
            raise DamagedError("the records of a tick are damaged: they end too early")
        yield kind, client, message[at : at + length]
        at += length + -length % 8


def join(messages: Iterable[bytes], first: int) -> bytes:
    """One message of several for the same tick, whose records are numbered from `first` on."""
    messages = list(messages)
    records = [record for message in messages for record in split(message)]
    kind, coding, flags, epoch, tick, _, physics, rest = HEADER.unpack_from(messages[0])
    parts = [HEADER.pack(kind, coding, flags, epoch, tick, len(records), physics, rest)]
    for index, (what, client, data) in enumerate(records):
        parts += [RECORD.pack(what, client, first + index, len(data)), data, bytes(-len(data) % 8)]
    return b"".join(parts)
