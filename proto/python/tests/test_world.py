# SPDX-License-Identifier: MIT
"""A world of this process: commands, views, time, states, threads."""

from __future__ import annotations

import gc
import json
import re
import threading
import time
import weakref
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft_world as weft


def test_a_branch_goes_another_way_from_the_same_state(world: weft.World) -> None:
    world.cloth(16, 16, position=(0, 3, 0))
    world.step(20)
    with world.branch() as other:
        assert (other.tick, other.hash) == (world.tick, world.hash)
        other.set(wind=(0, 0, 5))
        other.step(30)
        world.step(30)
        assert other.hash != world.hash


def test_a_cloth_hangs_from_its_pins_and_falls(world: weft.World) -> None:
    cloth = world.cloth(8, 6, spacing=0.1, position=(0, 2, 0))
    before = cloth.positions.copy()
    world.step(30)
    assert np.array_equal(cloth.positions[0], before[0])
    assert cloth.positions[:, 1].mean() < before[:, 1].mean() - 0.001
    assert np.isinf(cloth.masses[0])
    assert cloth.inverse_masses[0] == 0
    assert cloth.masses[20] == pytest.approx(1 / cloth.inverse_masses[20])
    assert cloth.particle_count == 48


def test_positions_are_views_without_a_copy_that_cannot_be_written(world: weft.World) -> None:
    cloth = world.cloth(8, 6, spacing=0.1, position=(0, 2, 0), pin="none")
    view = cloth.positions
    assert not view.flags.owndata
    assert not view.flags.writeable
    assert np.shares_memory(view, world.positions)
    before = view[0, 1]
    world.step(20)
    assert view[0, 1] < before - 0.1, "an older view shows what was computed since"
    with pytest.raises(ValueError, match="read-only"):
        view[0] = 0
    assert np.allclose(cloth.velocities[:, 1], -9.81 * 20 / 60, rtol=0.05)
    assert np.allclose(cloth.velocities, cloth.displacements * 60 * 4)


def test_a_view_keeps_its_memory_after_the_world_was_closed() -> None:
    world = weft.World()
    particles = world.particles([[1, 2, 3], [4, 5, 6]])
    view = particles.positions
    owner = weakref.ref(world)
    world.close()
    del world, particles
    gc.collect()
    assert owner() is None
    assert view.tolist() == [[1, 2, 3], [4, 5, 6]]


def test_objects_are_found_by_id_and_their_views_follow_them(world: weft.World) -> None:
    first = world.particles([[0, 1, 0]])
    second = world.particles([[5, 6, 7]])
    assert [one.id for one in world.objects] == [first.id, second.id]
    first.remove()
    assert second.positions.tolist() == [[5, 6, 7]]
    assert world.objects == [second] == [world.object(second.id)]
    with pytest.raises(weft.NotFoundError, match=f"there is no object {first.id} in this world"):
        _ = first.positions
    with pytest.raises(weft.NotFoundError):
        world.object(99)


def test_handles_have_the_methods_that_are_about_them(world: weft.World) -> None:
    cloth = world.cloth(4, 4, pin="none", position=(0, 3, 0))
    cloth.pin([0, 3])
    assert cloth.get()["pins"] == 2
    cloth.unpin([3])
    cloth.particle_set([5], 0.5)
    assert cloth.inverse_masses[5] == 0.5
    cloth.set(color="#ff0000", name="flag")
    assert cloth.get()["name"] == "flag"
    floor = world.obstacle("plane")
    floor.set(friction=0.9)
    rope = world.rope(from_=(0, 2, 0), to=(1, 2, 0), particles=5)
    stick = world.stick({"object": cloth, "particle": 15}, {"object": rope, "particle": 0})
    stick.set(rest_length=0.5)
    with cloth.grab_start(particle=12) as grab:
        grab.move((0, 4, 0))
        world.step(5)
    stick.remove()
    floor.remove()
    assert world.object_list()["objects"][0]["object"] == cloth.id


def test_numpy_arrays_are_arguments_and_triangles_are_shown(world: weft.World) -> None:
    positions = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]], dtype=np.float32)
    triangles = np.array([[0, 1, 2], [2, 1, 3]])
    mesh = world.mesh(positions, triangles, position=np.array([0, 2, 0]))
    assert mesh.triangles.tolist() == triangles.tolist()
    assert mesh.triangles.dtype == np.uint32
    assert np.allclose(mesh.positions, positions + np.array([0, 2, 0]))
    assert world.cloth(np.int64(5), 4).triangles.shape == (2 * 4 * 3, 3)


def test_contacts_are_an_array(world: weft.World) -> None:
    floor = world.obstacle("plane")
    grains = world.particles([[0, 0.1, 0], [1, 0.1, 0], [2, 5, 0]], radius=0.1)
    world.step(3)
    contacts = world.contacts()
    assert len(contacts) == 2
    assert set(contacts["object"]) == {grains.id}
    assert set(contacts["other"]) == {floor.id}
    assert [weft.CONTACT_KINDS[kind] for kind in contacts["kind"]] == ["obstacle", "obstacle"]
    assert np.allclose(contacts["normal"], [0, 1, 0])
    assert len(world.contacts(1)) <= 1
    with pytest.raises(ValueError, match="most must be 0 to"):
        world.contacts(-1)


def test_a_batch_is_all_or_nothing_and_returns_handles(world: weft.World) -> None:
    hook, cloth, pinned = world.batch(
        [
            ("particles.spawn", {"positions": [[0, 3, 0]]}),
            ("cloth.spawn", {"columns": 3, "rows": 3, "stretch_compliance": 1e-4}),
            ("particle.pin", {"object": "$1", "particles": [0]}),
        ]
    )
    assert isinstance(hook, weft.Object)
    assert isinstance(cloth, weft.Object)
    assert pinned["tick"] == 1
    before = world.hash
    with pytest.raises(weft.NotFoundError):
        world.batch([("particles.spawn", {"positions": [[0, 3, 0]]}), ("object.remove", {"object": 999})])
    assert world.hash == before


def test_events_are_taken_once(world: weft.World) -> None:
    assert world.take_events() == []
    world.events_subscribe(events=["object.added"])
    cloth = world.cloth(3, 3)
    (event,) = world.take_events()
    assert (event.name, event.params["object"]) == ("object.added", cloth.id)
    assert world.take_events() == []


def test_a_kept_state_and_a_snapshot_bring_the_world_back(world: weft.World) -> None:
    world.cloth(10, 10, position=(0, 3, 0))
    world.step(10)
    kept, snapshot, there = world.keep(), world.snapshot(), world.hash
    world.step(20)
    later = world.hash
    world.return_to(kept)
    assert (world.tick, world.hash) == (10, there)
    world.step(20)
    assert world.hash == later
    world.return_to(kept)
    assert world.hash == there
    with weft.World() as other:
        other.restore(snapshot)
        other.step(20)
        assert other.hash == later
        with pytest.raises(ValueError, match="states of its own"):
            other.return_to(kept)
        with pytest.raises(weft.WeftError, match="the snapshot"):
            other.restore(snapshot[:-5] + b"wrong")
        assert other.hash == later


def test_a_scene_makes_the_same_world_anew(world: weft.World, root: object) -> None:
    world.load(f"{root}/server/scenes/cloth.json")
    assert world.tick == 0
    assert len(world.objects) > 0
    scene = world.scene("Mine")
    assert scene["title"] == "Mine"
    with weft.World() as other:
        other.load(scene)
        assert len(other.positions) == len(world.positions)


def test_a_running_world_is_not_stepped(world: weft.World) -> None:
    assert not world.running
    world.resume()
    assert world.running
    with pytest.raises(weft.StateError, match="needs a paused world"):
        world.step()
    world.pause()
    assert world.step(2) == 2


def test_a_closed_world_refuses_everything() -> None:
    with weft.World() as world:
        cloth = world.cloth(3, 3)
    for use in (world.step, world.snapshot, lambda: world.hash, lambda: cloth.positions, lambda: cloth.remove()):
        with pytest.raises(weft.StateError, match="the world is closed"):
            use()
    assert repr(world) == "<weft World, closed>"
    world.close()


def test_threads_do_not_change_the_bits() -> None:
    hashes = set()
    for options in ({}, {"threads": 2}, {"threads": 4, "lanes": 4}):
        with weft.World(substeps=2, **options) as world:  # type: ignore[arg-type]
            world.cloth(120, 120, position=(0, 3, 0))
            world.step(10)
            hashes.add(world.hash)
    assert len(hashes) == 1


def test_a_second_thread_is_refused_while_a_step_is_under_way_and_python_goes_on() -> None:
    with weft.World(substeps=8) as world:
        world.cloth(150, 150, position=(0, 3, 0))
        refused, turns = [], 0
        stepping = threading.Thread(target=world.step, args=(60,))
        stepping.start()
        while stepping.is_alive():
            turns += 1
            try:
                world.cloth(3, 3)
            except weft.StateError as error:
                refused.append(error.message)
            time.sleep(0.001)
        stepping.join()
        assert refused, "the step ended before another thread could ask"
        assert set(refused) == {"another thread is using this world: a world is used by one thread at a time"}
        assert turns > 5, "the GIL was held"


def test_options_are_checked() -> None:
    for options, words in (
        ({"tick_hz": 0}, "tick_hz must be 1 to 1000"),
        ({"threads": 9}, "threads must be 1 to 8"),
        ({"lanes": 3}, "lanes must be 0"),
        ({"name": "x" * 65}, "name must have at most 64 bytes"),
        ({"substepps": 3}, "world.set has no substepps; did you mean substeps?"),
    ):
        with pytest.raises(weft.InvalidError, match=words.replace("?", "\\?")):
            weft.World(**options)  # type: ignore[arg-type]
    with weft.World(max_particles=10) as world, pytest.raises(weft.LimitError, match="limit of 10"):
        world.cloth(4, 4)


def test_the_examples_of_the_readmes_run(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in ("README.md", "proto/python/README.md"):
        text = (root / path).read_text(encoding="utf-8")
        (example, *_) = (block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "weft.World(substeps=8)" in block)
        names: dict[str, Any] = {}
        exec(example, names)
        assert names["cloth"].positions.shape == (4096, 3)
        assert names["world"].tick == 60
    assert capsys.readouterr().out.startswith("[")


def test_another_client_speaks_the_protocol(world: weft.World) -> None:
    delivered: list[str | bytes] = []
    cloth = world.cloth(6, 5, position=(0, 2, 0))
    page = world.join(delivered.append, "Page")
    hello = json.loads(delivered.pop(0))
    assert (hello["method"], hello["params"]["role"]) == ("hello", "editor")
    page.send('{"jsonrpc":"2.0","id":1,"method":"frames.subscribe","params":{"encoding":"raw"}}')
    assert json.loads(next(one for one in delivered if isinstance(one, str)))["id"] == 1
    world.step(2)
    kinds = [one[0] for one in delivered if isinstance(one, bytes)]
    assert kinds.count(2) == 1, "one topology"
    assert kinds.count(1) >= 2, "a frame a tick"
    before = world.hash
    page.send(f'{{"jsonrpc":"2.0","id":2,"method":"grab.start","params":{{"object":{cloth.id},"particle":20}}}}')
    assert world.hash != before
    page.close()
    page.close()
    delivered.clear()
    world.step(2)
    assert delivered == []


def test_many_steps_take_no_more_memory(world: weft.World) -> None:
    world.particles([[0, 1, 0], [0, 2, 0]])

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

    for _ in range(2000):
        world.step()
    before = resident()
    for _ in range(20_000):
        world.step()
    assert resident() - before < 2_000_000
