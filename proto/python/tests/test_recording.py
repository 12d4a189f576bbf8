# SPDX-License-Identifier: MIT
"""Recordings, seeking in them, and capsules: of this package, of the golden ones, and played by weftctl."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path

import pytest

import weft_world as weft


def play(world: weft.World) -> tuple[weft.Recording, dict[int, str]]:
    """Does something at several ticks; returns the recording, and the hashes after every tenth tick."""
    world.obstacle("plane")
    world.step(5)
    recording = world.record()
    cloth = world.cloth(20, 20, position=(0, 2, 0), tear=1.5)
    hashes = {}
    for tick in range(10, 400, 10):
        if tick == 100:
            cloth.unpin([0])
            world.rope(from_=(0, 3, 0), to=(1, 3, 0), particles=20)
        if tick == 200:
            world.set(wind=(3, 0, 2))
        if tick == 250:
            cloth.remove()
        world.step(tick - world.tick)
        hashes[tick] = world.hash
    return recording, hashes


def test_a_recorded_world_seeks_to_any_tick_and_back(world: weft.World) -> None:
    recording, hashes = play(world)
    assert (recording.first_tick, recording.last_tick) == (5, 390)
    for tick in (390, 10, 250, 240, 100, 390, 30):
        assert world.seek(tick) == tick
        assert world.hash == hashes[tick], f"at tick {tick}"
    with pytest.raises(weft.InvalidError, match="tick must be one of the recording, 5 to 390, got 4"):
        world.seek(4)
    assert world.tick == 30


def test_after_a_seek_the_world_goes_on_another_way(world: weft.World) -> None:
    recording, hashes = play(world)
    world.seek(150)
    world.set(gravity=(0, 1, 0))
    world.step(60)
    other = world.hash
    assert other != hashes[210]
    assert recording.last_tick == 210
    world.seek(140)
    assert world.hash == hashes[140]
    world.seek(210)
    assert world.hash == other
    assert weft.replay(recording).run().hash == other


def test_a_seek_needs_a_recording_and_another_state_ends_none(world: weft.World) -> None:
    with pytest.raises(weft.StateError, match=r"call world\.record\(\)"):
        world.seek(0)
    state = world.keep()
    with world.record():
        with pytest.raises(weft.StateError, match="a recording is under way"):
            world.record()
        with pytest.raises(weft.StateError, match="a recording is under way"):
            world.return_to(state)
    world.return_to(state)


def test_a_reset_begins_the_recording_anew(world: weft.World) -> None:
    with world.record() as recording:
        world.particles([[0, 1, 0]])
        world.step(10)
        world.reset()
        assert world.tick == 0
        world.particles([[0, 3, 0]])
        world.step(7)
    assert weft.replay(recording).run().hash == world.hash
    assert recording.capsule().last_tick == 7


def test_a_capsule_is_replayed_to_the_bit_here_and_by_weftctl(world: weft.World, tmp_path: Path, build: Path) -> None:
    recording, hashes = play(world)
    path = tmp_path / "drop.capsule"
    recording.stop()
    recording.save(path)
    replay = weft.replay(path)
    assert replay.world.tick == 5
    for tick in replay:
        if tick in hashes:
            assert replay.world.hash == hashes[tick]
    assert replay.world.tick == 390
    again = weft.Capsule.load(path)
    assert again == weft.Capsule.load(again.to_bytes())
    weftctl = build / "weftctl"
    done = subprocess.run([weftctl, "replay", path, "--verify"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr + done.stdout


def test_what_was_done_after_the_last_tick_is_left_out_of_a_capsule(world: weft.World) -> None:
    with world.record() as recording:
        world.particles([[0, 1, 0]])
        world.step(10)
        before = world.hash
        world.particles([[0, 3, 0]])
        assert weft.replay(recording).run().hash == before
    assert recording.capsule().hashes[-1:] != [(10, 1, world.hash)]


def test_golden_capsules_are_replayed_with_their_hashes_and_older_formats_are_refused(root: Path) -> None:
    replay = weft.replay(root / "tests/capsules/physics-2/changes-format-3.capsule")
    assert len(replay.capsule.hashes) > 1
    assert replay.run().tick == replay.capsule.last_tick
    with pytest.raises(weft.DamagedError, match="an older format, which only servers read"):
        weft.replay(root / "tests/capsules/physics-1/bodies.capsule")


def test_a_damaged_capsule_is_refused_with_a_reason(world: weft.World, tmp_path: Path) -> None:
    with world.record() as recording:
        world.particles([[0, 1, 0]])
        world.step(60)
    capsule = recording.capsule()
    data = capsule.to_bytes()
    inner = gzip.decompress(data)
    for wrong, words in (
        (b"SQLite format 3 etc.", "older format"),
        (b"no capsule", "not a Weft capsule"),
        (data[:-20], "cannot be decompressed"),
        (gzip.compress(b"weftcaps"), "ends too early"),
        (gzip.compress(inner[:-1]), "ends too early"),
        (gzip.compress(inner + b"x"), "does not end where it should"),
        (gzip.compress(inner[:8] + b"\x07" + inner[9:]), "format 7"),
    ):
        with pytest.raises(weft.DamagedError, match=words):
            weft.replay(wrong)
    capsule.hashes[-1] = (*capsule.hashes[-1][:2], "0" * 16)
    with pytest.raises(weft.DamagedError, match="at tick 60 the hash of the state is"):
        weft.replay(capsule).run()
