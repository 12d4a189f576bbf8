# SPDX-License-Identifier: MIT
"""Environments of gymnasium: its own checks, equal bits, many worlds at once, and that the tasks can be done."""

from __future__ import annotations

import re
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import soak_gym
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from weft_world.gym import TASKS, WorldEnv, WorldVectorEnv

Numbers = NDArray[np.float32]

# Hashes of the world after 20 random steps from seed 5: equal for every compiler and machine. They change with the engine's physics.
BITS = {"FoldCloth": "0bfc49f47a3582ec", "HangCloth": "69ddac744a895d5f", "BalanceRagdoll": "9914f3ae9dc96e8f"}


def made(task: str, **kwargs: Any) -> WorldEnv:
    env = gymnasium.make(f"weft_world.gym:weft_world/{task}-v0", **kwargs).unwrapped
    assert isinstance(env, WorldEnv)
    return env


def made_vector(task: str, count: int, **kwargs: Any) -> WorldVectorEnv:
    envs = gymnasium.make_vec(f"weft_world/{task}-v0", num_envs=count, vectorization_mode="vector_entry_point", **kwargs)
    assert isinstance(envs, WorldVectorEnv)
    return envs


@pytest.mark.parametrize("task", TASKS)
def test_gymnasium_finds_nothing_to_object_to(task: str) -> None:
    env = made(task, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)
    env.close()


@pytest.mark.parametrize("task", TASKS)
def test_a_seed_gives_equal_bits_again_and_in_another_environment(task: str) -> None:
    def episode(env: WorldEnv) -> tuple[list[bytes], str]:
        actions = np.random.Generator(np.random.PCG64(8)).uniform(-1, 1, (20, *(env.action_space.shape or ()))).astype(np.float32)
        seen = [env.reset(seed=5)[0].tobytes()]
        seen += [env.step(action)[0].tobytes() for action in actions]
        return seen, env.world.hash

    env, other = made(task), made(task)
    first = episode(env)
    env.reset(seed=6)
    other.reset(seed=7)
    assert episode(env) == first
    assert episode(other) == first
    assert first[1] == BITS[task]
    if task != "BalanceRagdoll":  # whose pushes come later
        assert not np.array_equal(env.reset(seed=5)[0], env.reset(seed=9)[0])


@pytest.mark.parametrize("task", TASKS)
def test_many_environments_give_the_bits_of_single_ones(task: str) -> None:
    count, steps = 3, 16
    actions = np.random.Generator(np.random.PCG64(2)).uniform(-1, 1, (steps, count, *(made(task).action_space.shape or ())))
    own = made_vector(task, count, max_episode_steps=6)  # so that episodes end, and others begin
    others = gymnasium.make_vec(f"weft_world/{task}-v0", num_envs=count, vectorization_mode="sync", max_episode_steps=6)
    assert own.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    np.testing.assert_array_equal(own.reset(seed=3)[0], others.reset(seed=3)[0])
    for action in actions.astype(np.float32):
        mine, theirs = own.step(action), others.step(action)
        for here, there in zip(mine[:4], theirs[:4], strict=True):
            np.testing.assert_array_equal(here, there)
        assert mine[4].keys() == theirs[4].keys()
        for name, value in mine[4].items():
            np.testing.assert_array_equal(value, theirs[4][name])
    own.close()
    others.close()


def test_threads_do_not_change_the_bits_of_many_environments() -> None:
    def played(threads: int) -> bytes:
        envs = made_vector("HangCloth", 5, threads=threads)
        seen = [envs.reset(seed=[4, 4, 5, 6, 7])[0]]
        seen += [envs.step(np.full((5, 4), 0.3, np.float32))[0] for _ in range(8)]
        envs.close()
        return np.stack(seen).tobytes()

    assert played(1) == played(3)


def towards(way: NDArray[Any]) -> Numbers:
    return np.clip(6 * way, -1, 1).astype(np.float32)


def fold(seen: Numbers, step: int) -> Numbers:
    """A hand that goes up, over and down."""
    hand = seen[:3]
    x, y = (-0.15, 0.25) if step < 12 else (0.1, 0.28) if step < 30 else (0.33, 0.05)
    return towards(np.array([x, y, hand[2]]) - hand)


def hang(seen: Numbers, step: int) -> Numbers:
    """A hand that brings the eyelet before the tip of the hook, over it and down, and lets go."""
    x, y, z = -seen[7:10]
    way = np.array([x, y, 0]) if step < 45 else np.array([x, y, z - 0.16]) if step < 75 else np.array([0, y - 0.08, 0])
    return np.append(towards(way), np.float32(1 if step > 82 else -1))


@pytest.mark.parametrize(("task", "policy", "seed"), [("FoldCloth", fold, 0), ("HangCloth", hang, 0)])
def test_a_task_can_be_done(task: str, policy: Callable[[Numbers, int], Numbers], seed: int) -> None:
    env = gymnasium.make(f"weft_world/{task}-v0")
    seen, _ = env.reset(seed=seed)
    total, step, ended, info = 0.0, 0, False, {}
    while not ended:
        seen, reward, terminated, truncated, info = env.step(policy(seen, step))
        total, step, ended = total + float(reward), step + 1, terminated or truncated
    assert info["is_success"]
    assert total > 1.5
    env.close()


def test_a_cloth_that_is_let_go_before_the_hook_falls() -> None:
    env = made("HangCloth")
    env.reset(seed=0)
    for _ in range(30):
        _, reward, terminated, _, info = env.step(np.array([0, 0, 0, 1], np.float32))
        if terminated:
            break
    assert terminated
    assert not info["is_success"]
    assert reward < -0.5


def test_a_figure_without_muscles_at_work_falls_after_a_while_and_the_episode_ends() -> None:
    env = made("BalanceRagdoll")
    env.reset(seed=4)
    steps, terminated = 0, False
    while not terminated:
        _, reward, terminated, _, info = env.step(np.zeros(8, np.float32))
        assert reward == 1
        steps += 1
    assert 40 < steps < 300
    assert info["height"] < 1.15


def test_an_episode_is_truncated() -> None:
    env = gymnasium.make("weft_world/FoldCloth-v0")
    env.reset(seed=0)
    ends = [env.step(np.zeros(3, np.float32))[2:4] for _ in range(90)]
    assert ends == [(False, False)] * 89 + [(False, True)]


def test_what_is_not_allowed_is_refused() -> None:
    env = made("FoldCloth")
    with pytest.raises(ResetNeeded, match="call reset before step"):
        env.step(np.zeros(3, np.float32))
    env.reset(seed=0)
    with pytest.raises(ValueError, match=r"shape \(3,\), got \(2,\)"):
        env.step(np.zeros(2, np.float32))
    with pytest.raises(ValueError, match="must be finite"):
        env.step(np.array([0, np.nan, 0], np.float32))
    with pytest.raises(ValueError, match="reset has no options, got 'speed'"):
        env.reset(options={"speed": 1})
    with pytest.raises(ValueError, match='render_mode must be "rgb_array" or None'):
        made("FoldCloth").__class__(render_mode="human")
    envs = made_vector("FoldCloth", 2)
    with pytest.raises(ValueError, match="a seed for each of 2 environments, got 3"):
        envs.reset(seed=[1, 2, 3])
    with pytest.raises(ValueError, match="an action for each of 2 environments, got 1"):
        envs.step(np.zeros((1, 3), np.float32))


def test_actions_beyond_the_space_are_cut_off() -> None:
    env, other = made("FoldCloth"), made("FoldCloth")
    env.reset(seed=1)
    other.reset(seed=1)
    np.testing.assert_array_equal(env.step(np.array([9, 2, -5], np.float32))[0], other.step(np.array([1, 1, -1], np.float32))[0])


def test_a_picture_shows_the_cloth_where_it_is() -> None:
    env = made("FoldCloth", render_mode="rgb_array")
    env.reset(seed=0)
    flat = env.render()
    assert flat is not None
    assert flat.shape == (240, 320, 3)
    red = (flat[..., 0] > 120) & (flat[..., 1] < 110)
    assert 3000 < red.sum() < 30000
    for step in range(25):
        env.step(fold(env._observe(), step))
    lifted = env.render()
    assert lifted is not None
    assert np.flatnonzero(((lifted[..., 0] > 90) & (lifted[..., 1] < 80)).any(axis=1))[0] < np.flatnonzero(red.any(axis=1))[0]
    assert made("FoldCloth").render() is None
    images = made_vector("FoldCloth", 2, render_mode="rgb_array")
    images.reset(seed=0)
    both = images.render()
    assert both is not None
    np.testing.assert_array_equal(both[0], flat)


def test_the_example_of_the_readme_runs(root: Path) -> None:
    text = (root / "proto/python/README.md").read_text(encoding="utf-8")
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", text, re.S) if "make_vec" in block)
    names: dict[str, Any] = {}
    exec(example, names)
    assert names["observations"].shape == (64, 102)
    names["envs"].close()


def test_without_gymnasium_the_package_says_what_to_install() -> None:
    code = "import sys; sys.modules['gymnasium'] = None; import weft_world; import weft_world.gym"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "weft_world.gym needs gymnasium: pip install weft-world[gym]" in ended.stderr


def test_random_episodes_take_no_more_memory() -> None:
    assert soak_gym.grown(4_000, ["HangCloth"]) < 1_000_000
