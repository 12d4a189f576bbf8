# SPDX-License-Identifier: MIT
"""Refusals: what is wrong is named, as in Python, and nothing changes."""

from __future__ import annotations

import numpy as np
import pytest

import weft_world as weft


def test_a_misspelt_argument_is_refused_with_the_near_name(world: weft.World) -> None:
    before = world.hash
    with pytest.raises(weft.InvalidError) as caught:
        world.cloth(4, 4, postion=(0, 1, 0))  # type: ignore[call-arg]
    error = caught.value
    assert error.message == str(error) == "cloth.spawn has no postion; did you mean position?"
    assert (error.code, error.pointer, error.suggestion) == (-32602, "/postion", "position")
    with pytest.raises(weft.InvalidError, match=r"cloth\.spawn has no tear_froce; did you mean tear_force\?") as caught:
        world.cloth(4, 4, tear_froce=3)  # type: ignore[call-arg]
    assert caught.value.suggestion == "tear_force"
    with pytest.raises(weft.InvalidError, match=r"has no colums; did you mean columns\?"):
        world.cloth(colums=4, rows=4)  # type: ignore[call-arg]
    assert world.hash == before
    assert world.objects == []


def test_a_missing_argument_and_one_out_of_range_are_named(world: weft.World) -> None:
    with pytest.raises(weft.InvalidError, match=r"rows is missing: cloth\.spawn needs it, an integer from 2 to 4096"):
        world.cloth(4)  # type: ignore[call-arg]
    with pytest.raises(weft.InvalidError, match="columns must be") as caught:
        world.cloth(1, 4)
    assert caught.value.pointer == "/columns"
    with pytest.raises(weft.InvalidError, match=r"stretch_compliance must be"):
        world.cloth(4, 4, stretch_compliance=-1)
    assert isinstance(caught.value, ValueError)


def test_a_misspelt_method_is_refused_with_the_near_name(world: weft.World) -> None:
    with pytest.raises(weft.MethodError, match=r"no method cloth\.spwan; did you mean cloth\.spawn\?") as caught:
        world.call("cloth.spwan", columns=4, rows=4)
    assert caught.value.suggestion == "cloth.spawn"


def test_what_no_json_can_say_is_refused(world: weft.World) -> None:
    for value in (float("nan"), float("inf")):
        with pytest.raises(weft.InvalidError, match="position must be finite") as caught:
            world.cloth(4, 4, position=(0, value, 0))
        assert caught.value.pointer == "/position"
    with pytest.raises(weft.InvalidError, match="positions must be finite"):
        world.particles(np.full((2, 3), np.nan))
    with pytest.raises(TypeError, match="not of the type object"):
        world.cloth(4, 4, name=object())  # type: ignore[arg-type]


def test_methods_of_a_server_are_refused_with_a_reason(world: weft.World) -> None:
    for use in (world.scene_list, world.undo, lambda: world.create("other")):
        with pytest.raises(weft.StateError, match="needs a server"):
            use()


def test_a_command_for_a_later_tick_is_refused_and_one_for_the_next_is_not(world: weft.World) -> None:
    world.cloth(4, 4, at_tick=1)
    with pytest.raises(weft.StateError, match="at_tick must be the next tick, 1, in a world of this process, got 30"):
        world.cloth(4, 4, at_tick=30)


def test_names_of_the_protocol_are_understood_too(world: weft.World) -> None:
    cloth = world.cloth(4, 4, tearForce=30)  # type: ignore[call-arg]
    assert cloth.get()["tearForce"] == pytest.approx(30)
    assert world.call("rope.spawn", **{"from": (0, 1, 0), "to": (1, 1, 0)})["particles"] > 1
