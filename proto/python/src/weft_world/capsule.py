# SPDX-License-Identifier: MIT
"""Capsules: parts of a world's history as files, which every engine computes again to the same bits (FRAMES.md, "Capsules").

with world.record() as recording:
    ...
recording.save("drop.capsule")
weft.replay("drop.capsule").run()
"""

from __future__ import annotations

import gzip
import struct
import zlib
from dataclasses import dataclass, field
from datetime import UTC, datetime
from os import PathLike
from pathlib import Path
from typing import Final

from weft_world import _records
from weft_world.errors import DamagedError

MAGIC: Final = b"weftcaps"
FORMAT: Final = 3
FROM_EMPTY: Final = 1
MOST_BYTES: Final = 4 << 30  # of a capsule that is unpacked

_HEAD: Final = struct.Struct("<IIIIdQQQQ")  # format, flags, two physics versions, tick rate, time, two ticks, hash
_HASH: Final = struct.Struct("<QQQ")
_LENGTH: Final = struct.Struct("<Q")


@dataclass
class Capsule:
    """A part of a history.

    Attributes:
        world: Name of the world.
        version: Version of Weft that made the capsule.
        tick_hz: Ticks a second of the world's time.
        physics: Version of the arithmetic that computed the first tick; `newest_physics`, the last one.
        first_tick: Tick of the snapshot.
        last_tick: The last tick.
        snapshot: State to begin with; None: an empty world at tick 0.
        snapshot_hash: Hash of that state.
        ticks: Records by tick, rising: pairs of the tick that sees them first, and a message of type 4.
        hashes: Hashes of states: the tick, the number of records that had been applied since the beginning, the hash.
        made: When it was made.
    """

    world: str
    version: str
    tick_hz: float
    physics: int
    newest_physics: int
    first_tick: int
    last_tick: int
    snapshot: bytes | None
    snapshot_hash: str
    ticks: list[tuple[int, bytes]] = field(default_factory=list)
    hashes: list[tuple[int, int, str]] = field(default_factory=list)
    made: datetime = field(default_factory=lambda: datetime.now(UTC))

    def to_bytes(self) -> bytes:
        """The file."""
        head = _HEAD.pack(
            FORMAT, FROM_EMPTY if self.snapshot is None else 0, self.physics, self.newest_physics, self.tick_hz,
            int(self.made.timestamp() * 1000), self.first_tick, self.last_tick, int(self.snapshot_hash, 16),
        )  # fmt: skip
        parts = [MAGIC, head, _block(self.version.encode()), _block(self.world.encode()), _block(self.snapshot or b"")]
        parts += [_LENGTH.pack(len(self.ticks)), *(_block(records) for _, records in self.ticks)]
        parts += [_LENGTH.pack(len(self.hashes)), *(_HASH.pack(tick, count, int(text, 16)) for tick, count, text in self.hashes)]
        return gzip.compress(b"".join(parts), mtime=0)

    def save(self, path: str | PathLike[str]) -> None:
        """Writes the file."""
        Path(path).write_bytes(self.to_bytes())

    @staticmethod
    def load(source: bytes | str | PathLike[str]) -> Capsule:
        """Reads a capsule from a file, or from its bytes. Raises DamagedError if it is none, or one of another format."""
        return _read(source if isinstance(source, bytes) else Path(source).read_bytes())


def _block(data: bytes) -> bytes:
    return _LENGTH.pack(len(data)) + data


def _unpack(data: bytes) -> bytes:
    if data.startswith(b"SQLite format 3"):
        raise DamagedError("this capsule has an older format, which only servers read: import it with world.import, and export it again")
    if not data.startswith(b"\x1f\x8b"):
        raise DamagedError("this is not a Weft capsule")
    unpacker = zlib.decompressobj(wbits=31)
    try:
        unpacked = unpacker.decompress(data, MOST_BYTES)
    except zlib.error as error:
        raise DamagedError("the capsule is damaged: it cannot be decompressed to its end") from error
    if not unpacker.eof:
        raise DamagedError("the capsule is damaged: it cannot be decompressed to its end")
    return unpacked


class _Reader:
    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = len(MAGIC)

    def take(self, length: int) -> bytes:
        if length > len(self.data) - self.at:
            raise DamagedError("the capsule is damaged: it ends too early")
        self.at += length
        return self.data[self.at - length : self.at]

    def count(self) -> int:
        return int(_LENGTH.unpack(self.take(_LENGTH.size))[0])

    def block(self) -> bytes:
        return self.take(self.count())

    def text(self) -> str:
        try:
            return self.block().decode()
        except UnicodeDecodeError as error:
            raise DamagedError("the capsule is damaged: a text in it is not UTF-8") from error

    def records(self) -> tuple[int, bytes]:
        block = self.block()
        for _ in _records.split(block):
            pass
        return _records.tick_of(block), block


def _read(data: bytes) -> Capsule:
    unpacked = _unpack(data)
    if not unpacked.startswith(MAGIC):
        raise DamagedError("this is not a Weft capsule")
    reader = _Reader(unpacked)
    form, flags, physics, newest, tick_hz, made, first, last, snapshot_hash = _HEAD.unpack(reader.take(_HEAD.size))
    if form != FORMAT:
        raise DamagedError(f"the capsule has format {form}, this version reads format {FORMAT}")
    version, world, snapshot = reader.text(), reader.text(), reader.block()
    ticks = [reader.records() for _ in range(reader.count())]
    hashes = []
    for _ in range(reader.count()):
        tick, count, value = _HASH.unpack(reader.take(_HASH.size))
        hashes.append((tick, count, f"{value:016x}"))
    if reader.at != len(unpacked):
        raise DamagedError("the capsule is damaged: it does not end where it should")
    return Capsule(
        world, version, tick_hz, physics, newest, first, last, None if flags & FROM_EMPTY else snapshot, f"{snapshot_hash:016x}",
        ticks, hashes, datetime.fromtimestamp(made / 1000, UTC),
    )  # fmt: skip
