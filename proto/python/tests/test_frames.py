# SPDX-License-Identifier: MIT
"""Decoding frames: the golden messages of proto/vectors, and damaged ones."""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path

import numpy as np
import pytest

import weft_world as weft
from weft_world.frames import HEADER, Shape, Stream, Topology

STREAMS = sorted(path.stem for path in (Path(__file__).resolve().parents[2] / "vectors/streams").glob("*.json"))


def messages(root: Path, name: str) -> tuple[dict[str, object], list[bytes]]:
    folder = root / "proto/vectors/streams"
    data, at, found = (folder / f"{name}.bin").read_bytes(), 0, []
    while at < len(data):
        (length,) = struct.unpack_from("<I", data, at)
        found.append(data[at + 4 : at + 4 + length])
        at += 4 + length
    return json.loads((folder / f"{name}.json").read_text()), found


def topology(told: dict[str, object]) -> Topology:
    made = Topology(0, [])
    for number, one in enumerate(told["objects"], start=1):  # type: ignore[arg-type, var-annotated]
        triangles = np.array(one.get("triangles", []), np.uint32).reshape(-1, 3)
        made.shapes[number] = Shape(
            number, one["kind"], "", one["first"], one["particles"], one.get("columns", 0), one.get("rows", 0), triangles
        )
    return made


@pytest.mark.parametrize("name", STREAMS)
def test_a_golden_stream_is_decoded_to_the_bit(root: Path, name: str) -> None:
    told, found = messages(root, name)
    stream = Stream(topology(told))
    assert len(found) == len(told["messages"])  # type: ignore[arg-type]
    for data, one in zip(found, told["messages"], strict=True):  # type: ignore[arg-type, call-overload]
        frame = stream.decode(data)
        if one.get("rest"):
            assert frame is None
            continue
        assert frame is not None
        assert frame.tick == one["tick"]
        step = HEADER.unpack_from(data)[7]
        expected = (np.array(one["grid"], np.int32).astype(np.float64) * step).astype(np.float32).reshape(-1, 3)
        assert np.array_equal(frame.positions, expected)
        assert sum(part.stop - part.start for part in frame.objects.values()) == len(expected)


def test_a_damaged_message_of_resting_particles_leaves_those_of_before(root: Path) -> None:
    told, found = messages(root, "resting")
    (rest,) = (index for index, one in enumerate(told["messages"]) if one.get("rest"))  # type: ignore[arg-type, var-annotated]
    whole, cut = Stream(topology(told)), Stream(topology(told))
    for index, data in enumerate(found):
        if index == rest:
            with pytest.raises(weft.DamagedError):
                cut.decode(data[:-28])
            continue
        expected, frame = whole.decode(data), cut.decode(data)
        assert (frame is None) == (expected is None)
        assert frame is None or expected is None or np.array_equal(frame.positions, expected.positions)


def test_a_frame_that_builds_on_a_missed_one_is_none(root: Path) -> None:
    told, found = messages(root, "kinds")
    stream = Stream(topology(told))
    assert stream.decode(found[0]) is not None
    assert stream.decode(found[2]) is None
    assert stream.decode(found[1]) is not None


@pytest.mark.parametrize("name", STREAMS)
def test_damaged_messages_are_refused_or_decoded_to_something(root: Path, name: str) -> None:
    told, found = messages(root, name)
    draw = random.Random(7)
    for _ in range(60):
        stream = Stream(topology(told))
        for data in found:
            changed = bytearray(data)
            for _ in range(draw.randrange(3)):
                changed[draw.randrange(len(changed))] ^= 1 << draw.randrange(8)
            if draw.random() < 0.1:
                del changed[4 * draw.randrange(len(changed) // 4) :]
            try:
                stream.decode(bytes(changed))
            except weft.DamagedError as error:
                assert "a message of the server is damaged" in error.message
