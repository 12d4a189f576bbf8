# SPDX-License-Identifier: MIT
"""python -m weft_world.gym.baseline: learns a task a little, by an evolution strategy, and prints the score before and after.

The policy is linear: an action is a matrix times the observation, whose numbers were made about equally large, and 1. In each generation
pairs of policies are tried that lie opposite each other around the present one, each pair on an episode of its own; it moves towards the
better of each pair, weighted by ranks (T. Salimans et al., "Evolution Strategies as a Scalable Alternative to Reinforcement Learning",
2017; H. Mania et al., "Simple random search provides a competitive approach to reinforcement learning", 2018). Sides are drawn as signs
and sums are made in a fixed order, so that a seed and a number of generations give the same policy, to the bit, on every machine.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import gymnasium
import numpy as np
from numpy.typing import NDArray

from weft_world.gym import TASKS, WorldVectorEnv

Floats = NDArray[np.float64]

PAIRS: Final = 16  # policies that are tried, twice as many
REACH: Final = 0.02  # of a trial from the present policy, in each number
STEP: Final = 0.02  # of the policy in a generation: root of the mean square over its numbers
LEAST_SPREAD: Final = 0.05  # by which a number of an observation is divided
TEST_EPISODES: Final = 32
TEST_SEED: Final = 1_000_000_000  # of the first test episode; those of training are smaller


@dataclass(frozen=True)
class Score:
    """Of test episodes: mean return, its standard error, and mean number of steps."""

    mean: float
    error: float
    steps: float


class Scale:
    """Mean and spread of each number of the observations so far."""

    def __init__(self, size: int) -> None:
        self._count = 0
        self._sum = np.zeros(size)
        self._squares = np.zeros(size)

    def add(self, observations: Floats) -> None:
        self._count += len(observations)
        self._sum += observations.sum(axis=0)
        self._squares += np.square(observations).sum(axis=0)

    def values(self) -> tuple[Floats, Floats]:
        """What is taken off an observation, and by what it is divided then."""
        count = max(self._count, 1)
        mean = self._sum / count
        return mean, np.sqrt(np.maximum(self._squares / count - np.square(mean), LEAST_SPREAD**2))


class Strategy:
    """An evolution strategy for a task.

    Args:
        task: "FoldCloth", "HangCloth" or "BalanceRagdoll".
        seed: Of everything random.
        pairs: Pairs of policies that a generation tries.
        test_episodes: Episodes of which `score` is the mean.
        episode_steps: Steps after which an episode is truncated; default: the task's.
    """

    def __init__(
        self, task: str, seed: int, pairs: int = PAIRS, test_episodes: int = TEST_EPISODES, episode_steps: int | None = None
    ) -> None:
        kwargs: dict[str, Any] = {} if episode_steps is None else {"max_episode_steps": episode_steps}
        self._envs = _vector(f"weft_world/{task}-v0", 2 * pairs, kwargs)
        self._tests = _vector(f"weft_world/{task}-v0", test_episodes, kwargs)
        self._random = np.random.Generator(np.random.PCG64(seed))
        observations, actions = (space.shape or (0,) for space in (self._envs.single_observation_space, self._envs.single_action_space))
        self._scale = Scale(observations[0])
        self._first_seed = seed * 1000 % TEST_SEED
        self._pairs = pairs
        self.generation = 0
        self.policy: Floats = np.zeros((actions[0], observations[0] + 1))
        self._episodes(self._envs, np.zeros((2 * pairs, *self.policy.shape)), list(range(2 * pairs)), learn=True)

    def advance(self) -> float:
        """A generation. Returns: the mean return of the policies that it tried."""
        sides = self._random.integers(0, 2, (self._pairs, *self.policy.shape)) * 2.0 - 1.0
        trials = np.concatenate([self.policy + REACH * sides, self.policy - REACH * sides])
        first = self._first_seed + self.generation * self._pairs
        returns, _ = self._episodes(self._envs, trials, [first + pair for pair in range(self._pairs)] * 2, learn=True)
        ranks = np.argsort(np.argsort(returns, kind="stable"), kind="stable") / (len(returns) - 1) - 0.5
        weights = ranks[: self._pairs] - ranks[self._pairs :]
        slope = (weights[:, None, None] * sides).sum(axis=0)
        length = np.sqrt(np.square(slope).sum() / slope.size)
        if length > 0:
            self.policy = self.policy + STEP * slope / length
        self.generation += 1
        return float(returns.sum() / len(returns))

    def score(self) -> Score:
        """Of the present policy in the test episodes, which are always the same."""
        count = self._tests.num_envs
        trials = np.broadcast_to(self.policy, (count, *self.policy.shape))
        returns, steps = self._episodes(self._tests, trials, [TEST_SEED + i for i in range(count)], learn=False)
        return Score(float(returns.mean()), float(returns.std() / np.sqrt(count)), float(steps.mean()))

    def _episodes(self, envs: WorldVectorEnv, policies: Floats, seeds: list[int], *, learn: bool) -> tuple[Floats, Floats]:
        """Returns and lengths of an episode of each policy."""
        mean, spread = self._scale.values()
        observations, _ = envs.reset(seed=seeds)
        returns, steps = np.zeros(len(policies)), np.zeros(len(policies))
        goes_on = np.ones(len(policies), np.bool_)
        while goes_on.any():
            seen = observations.astype(np.float64)
            if learn:
                self._scale.add(seen[goes_on])
            inputs = np.concatenate([np.clip((seen - mean) / spread, -5, 5), np.ones((len(seen), 1))], axis=1)
            actions = (policies * inputs[:, None, :]).sum(axis=2)
            observations, rewards, terminations, truncations, _ = envs.step(actions.astype(np.float32))
            returns += np.where(goes_on, rewards, 0)
            steps += goes_on
            goes_on &= ~(terminations | truncations)
        return returns, steps

    def close(self) -> None:
        self._envs.close()
        self._tests.close()

    def __enter__(self) -> Strategy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _vector(name: str, count: int, kwargs: dict[str, Any]) -> WorldVectorEnv:
    made = gymnasium.make_vec(name, num_envs=count, vectorization_mode="vector_entry_point", **kwargs)
    assert isinstance(made, WorldVectorEnv)
    return made


def learn(strategy: Strategy, minutes: float, generations: int | None, say: Callable[[str], None]) -> list[tuple[str, Score]]:
    """Learns for so many minutes, or generations. Returns: the rows of the table."""
    rows = [("before", strategy.score())]
    end, told = time.monotonic() + 60 * minutes, time.monotonic()
    while strategy.generation < generations if generations is not None else time.monotonic() < end:
        mean = strategy.advance()
        if time.monotonic() - told >= 10:
            told = time.monotonic()
            say(f"generation {strategy.generation}: mean return {mean:.3f}")
    return [*rows, (f"after {strategy.generation} generations", strategy.score())]


def table(rows: list[tuple[str, Score]]) -> str:
    lines = [f"{'':24} {'mean return':>12} {'± error':>9} {'steps':>7}"]
    return "\n".join(lines + [f"{name:24} {score.mean:12.3f} {score.error:9.3f} {score.steps:7.1f}" for name, score in rows])


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="weft_world.gym.baseline", description="Learns a task a little, by an evolution strategy.")
    parser.add_argument("--task", choices=TASKS, default="FoldCloth", help="what is learned (default: %(default)s)")
    parser.add_argument("--minutes", type=_minutes, default=5, help="for how long, above 0, at most 1440 (default: %(default)s)")
    parser.add_argument(
        "--generations", type=_whole, help="for how many generations, in place of --minutes; then the result is the same each time"
    )
    parser.add_argument("--seed", type=_whole, default=0, help="of everything random (default: %(default)s)")
    given = parser.parse_args(arguments)
    try:
        with Strategy(given.task, given.seed) as strategy:
            rows = learn(strategy, given.minutes, given.generations, lambda line: print(line, flush=True))
    except KeyboardInterrupt:
        return 130
    print(f"{given.task}, seed {given.seed}, mean of {TEST_EPISODES} test episodes\n\n{table(rows)}")
    return 0


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"it must be a number of minutes, got {text!r}") from None
    if not 0 < minutes <= 1440:
        raise argparse.ArgumentTypeError(f"it must be above 0 and at most 1440, got {text}")
    return minutes


def _whole(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) > 1_000_000:
        raise argparse.ArgumentTypeError(f"it must be a whole number from 0 to 1000000, got {text!r}")
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
