# SPDX-License-Identifier: MIT
"""Pools: many worlds at once, whatever each is doing."""

from __future__ import annotations

import pytest

import weft_world as weft


def test_a_pool_refuses_a_world_that_runs_and_steps_none() -> None:
    worlds = [weft.World() for _ in range(3)]
    with weft.Pool(worlds) as pool:
        worlds[1].resume()
        with pytest.raises(weft.StateError, match="needs a paused world"):
            pool.step(4)
        assert [world.tick for world in worlds] == [0, 0, 0]
        worlds[1].pause()
        pool.step(4)
        assert [world.tick for world in pool] == [4, 4, 4]
        worlds[2].close()
        with pytest.raises(weft.StateError, match="closed"):
            pool.step()
    with pytest.raises(weft.StateError, match="the pool is closed"):
        pool.step()


def test_a_recorded_world_of_a_pool_keeps_its_recording() -> None:
    with weft.World() as world, weft.World() as other, world.record() as recording:
        world.particles([[0, 1, 0]])
        weft.Pool([world, other]).step(130)
        assert (world.tick, other.tick, recording.last_tick) == (130, 130, 130)
        assert weft.replay(recording).run().hash == world.hash


def test_a_pool_takes_each_world_once_and_checks_its_threads() -> None:
    with weft.World() as world:
        with pytest.raises(ValueError, match="more than once"):
            weft.Pool([world, world])
        with pytest.raises(ValueError, match="threads must be 1 to 256"):
            weft.Pool([world], threads=0)
        empty = weft.Pool([])
        empty.step(5)
        assert len(empty) == 0
