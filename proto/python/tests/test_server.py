# SPDX-License-Identifier: MIT
"""Worlds of a server: the same script gives the same hashes and refusals; frames, branches, capsules, serve."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft_world as weft


@pytest.fixture
def served(server: weft.ServedWorld) -> Iterator[weft.RemoteWorld]:
    """A new, empty world of the server, that stands."""
    name = f"world-{time.monotonic_ns()}"
    server.create(name, temporary=True, paused=True)
    with weft.connect(server.url.replace("/worlds/main", f"/worlds/{name}")) as world:
        yield world


def script(world: Any) -> list[Any]:
    """The same lines in process and against a server."""
    world.set(substeps=4)
    world.obstacle("plane")
    cloth = world.cloth(12, 10, position=(0, 1, 0), pin="none", tear=1.7)
    rope, body = world.batch(
        [
            ("rope.spawn", {"from_": (0, 2, 0), "to": (1, 2, 0), "particles": 9}),
            ("body.spawn", {"shape": "box", "size": (0.3, 0.3, 0.3), "position": (2, 2, 0)}),
        ]
    )
    hexagonal = world.cloth(5, 6, mesh="hex", position=(3, 2, 0))
    mesh = world.mesh(np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), [[0, 1, 2]], position=(5, 2, 0))
    world.step(40)
    world.set(wind=(0, 0, 5))
    cloth.pin([0])
    with rope.grab_start(particle=3) as grab:
        grab.move((0, 3, 0))
        world.step(20)
    return [cloth, rope, body, hexagonal, mesh]


def test_the_same_script_gives_the_same_hashes_and_arrays(world: weft.World, served: weft.RemoteWorld) -> None:
    with weft.World() as own:
        here, there = script(own), script(served)
        assert (own.tick, own.hash) == (served.tick, served.hash) == (60, own.hash)
        assert [one.id for one in own.objects] == [one.id for one in served.objects] == [one.id for one in there]
        for mine, theirs in zip(here, there, strict=True):
            assert np.array_equal(mine.positions, theirs.positions)
            assert np.array_equal(mine.velocities, theirs.velocities)
            assert np.allclose(mine.displacements, theirs.displacements)
            assert np.array_equal(mine.masses, theirs.masses)
            assert np.array_equal(mine.triangles, theirs.triangles), mine.get()["kind"]
        assert np.array_equal(own.positions, served.positions)
        mine, theirs = own.contacts(), served.contacts()
        assert len(mine) > 0
        assert mine.dtype == theirs.dtype
        assert np.array_equal(mine["object"], theirs["object"])
        assert np.allclose(mine["point"], theirs["point"])


def test_refusals_are_the_same(world: weft.World, served: weft.RemoteWorld) -> None:
    uses: list[Any] = [
        lambda one: one.cloth(4, 4, postion=(0, 1, 0)),
        lambda one: one.cloth(4, 4, tear_froce=1),
        lambda one: one.cloth(4),
        lambda one: one.cloth(1, 4, position=(0, 1)),
        lambda one: one.call("cloth.spwan"),
        lambda one: one.object_remove(99),
        lambda one: one.object(99),
        lambda one: one.set(wind=(0, 0)),
    ]
    for use in uses:
        told = []
        for one in (world, served):
            with pytest.raises(weft.WeftError) as caught:
                use(one)
            error = caught.value
            told.append((type(error), error.message, error.code, error.pointer, error.suggestion))
        assert told[0] == told[1]
    served.resume()
    world.resume()
    for one in (world, served):
        with pytest.raises(weft.StateError, match=r"^world\.step needs a paused world: call world\.pause first$"):
            one.step()


def test_branches_on_the_server_and_here_have_the_same_bits(served: weft.RemoteWorld) -> None:
    script(served)
    with served.branch() as there, served.branch_here() as here:
        assert there.name != served.name
        assert there.hash == here.hash == served.hash
        for one in (there, here, served):
            one.step(15)
        assert there.hash == here.hash == served.hash


def test_a_snapshot_of_a_server_is_restored_here(served: weft.RemoteWorld) -> None:
    script(served)
    snapshot = served.snapshot()
    served.step(5)
    with weft.World() as here:
        here.cloth(3, 3, position=(9, 2, 0))  # goes with what was there
        here.restore(snapshot)
        here.step(5)
        assert here.hash == served.hash


def test_a_seek_and_a_capsule_of_the_history(build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEFT_WEFTD", str(build / "weftd"))
    with weft.serve(data=tmp_path) as world:
        world.cloth(6, 6, position=(0, 2, 0))
        world.step(10)
        there = world.hash
        recording = world.record()
        world.set(gravity=(0, 1, 0))
        world.step(20)
        assert (recording.first_tick, recording.capsule().last_tick) == (10, 30)
        assert weft.replay(recording.capsule()).run().hash == world.hash
        assert world.seek(10) == 10
        assert world.hash == there


@pytest.mark.parametrize("encoding", ["raw", "motion"])
def test_frames_come_as_arrays_and_follow_the_objects(served: weft.RemoteWorld, encoding: Any) -> None:
    cloth = served.cloth(20, 15, position=(0, 3, 0))
    loose = served.particles([[0, 5, 0], [1, 5, 0]])
    served.resume()
    seen, late = [], None
    for frame in served.frames(encoding=encoding):
        seen.append(frame.tick)
        assert frame.of(cloth).shape == (300, 3)
        assert frame.of(loose.id).shape == (2, 3)
        if len(seen) == 5:
            late = served.rope(from_=(0, 4, 0), to=(1, 4, 0), particles=7)
        if late is not None and late.id in frame.objects:
            assert frame.of(late).shape == (7, 3)
            break
    assert seen == sorted(seen)
    served.pause()
    frames = served.frames(every_ticks=1, objects=[cloth], encoding=encoding)
    frame = next(frames)
    assert list(frame.objects) == [cloth.id]
    assert np.allclose(frame.positions, cloth.positions, atol=0 if encoding == "raw" else 1 / 8000)
    with pytest.raises(weft.StateError, match="frames are being taken already"):
        next(served.frames())
    frames.close()  # type: ignore[attr-defined]
    assert served.topology().shapes[loose.id].kind == "particles"


def test_a_server_that_is_killed_and_started_again_is_found_and_nothing_is_lost(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEFT_WEFTD", str(build / "weftd"))
    with weft.serve(data=tmp_path) as first:
        port = int(first.page.rpartition(":")[2].partition("/")[0])
        with weft.connect(first.url) as world:
            cloth = world.cloth(8, 8, position=(0, 2, 0))
            world.step(20)
            before = world.hash
            first.server.process.kill()
            first.server.process.wait()
            with weft.serve(data=tmp_path, port=port):
                assert world.tick == 20
                assert world.hash == before
                assert cloth.positions.shape == (64, 3)
                assert world.step(10) == 30


def test_events_and_awaited_calls(served: weft.RemoteWorld) -> None:
    async def main() -> None:
        async with await weft.connect_async(served.url) as world:
            await world.events_subscribe(events=["object.added", "object.removed"])
            cloth = await world.cloth(4, 4, position=(0, 1, 0))
            assert (await cloth.positions()).shape == (16, 3)
            assert (await cloth.triangles()).shape == (18, 3)
            assert await world.step(3) == await world.tick() == 3
            assert await world.hash() == served.hash
            await cloth.remove()
            names = []
            async for event in world.events():
                names.append(event.name)
                if len(names) == 2:
                    break
            assert names == ["object.added", "object.removed"]
            with pytest.raises(weft.InvalidError, match=r"did you mean columns\?"):
                await world.cloth(colums=4, rows=4)  # type: ignore[call-arg]

    asyncio.run(main())


def test_addresses_without_a_world_are_refused_with_a_reason(server: weft.ServedWorld) -> None:
    with pytest.raises(weft.NotFoundError, match="there is no world at ws://"):
        weft.connect(server.url.replace("/worlds/main", "/worlds/nowhere"))
    with pytest.raises(weft.ConnectionLostError, match=r"ws://127\.0\.0\.1:9/worlds/main cannot be reached"):
        weft.connect("ws://127.0.0.1:9/worlds/main")
    with pytest.raises(weft.ConnectionLostError, match="is no address of a world"):
        weft.connect("127.0.0.1:8080")


def test_a_closed_connection_refuses_calls(server: weft.ServedWorld) -> None:
    world = weft.connect(server.url)
    world.close()
    with pytest.raises(weft.ConnectionLostError, match="closed by this script"):
        world.get()


def test_a_server_that_cannot_start_says_why(monkeypatch: pytest.MonkeyPatch, build: Path) -> None:
    monkeypatch.setenv("WEFT_WEFTD", "/nowhere/weftd")
    with pytest.raises(weft.StateError, match="WEFT_WEFTD is /nowhere/weftd, which is no program"):
        weft.serve()
    monkeypatch.setenv("WEFT_WEFTD", str(build / "weftd"))
    with pytest.raises(weft.StateError, match=r"weftd ended with status .*no-such-scene"):
        weft.serve(scene="no-such-scene")
    monkeypatch.delenv("WEFT_WEFTD")
    monkeypatch.setenv("PATH", "")
    with pytest.raises(weft.StateError, match="there is no weftd"):
        weft.serve()


@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_the_module_serves_a_running_world_until_it_is_ended(build: Path, end: signal.Signals) -> None:
    environment = {**os.environ, "WEFT_WEFTD": str(build / "weftd")}
    command = [sys.executable, "-m", "weft_world", "--scene", "cloth"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("The world is at http://127.0.0.1:")
        address = line.split()[4].partition("/?")[0]
        with weft.connect("ws" + address.removeprefix("http") + "/worlds/main") as world:
            assert world.running
            assert len(world.objects) > 0
        process.send_signal(end)
        assert process.wait(20) == 0
    with pytest.raises(weft.ConnectionLostError):
        weft.connect("ws" + address.removeprefix("http") + "/worlds/main")
