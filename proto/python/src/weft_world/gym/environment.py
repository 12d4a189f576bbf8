# SPDX-License-Identifier: MIT
"""What the tasks share: an environment of one world, and one of many worlds that are stepped on all cores."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, Final, TypeAlias

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from weft_world._picture import pixels
from weft_world.pool import Pool
from weft_world.world import World

Numbers: TypeAlias = NDArray[np.float32]
Judgement: TypeAlias = tuple[float, bool, dict[str, Any]]
Camera: TypeAlias = tuple[float, float, float, float, float, float]  # x, y, z of its position and of its target, in m

STEPS_A_SECOND: Final = 30  # and ticks: a step is a tick of the world
WIDTH, HEIGHT = 320, 240  # of pictures, in pixels
GREATEST: Final = 100  # of an observation, in m and m/s; a world reaches 100 m to each side


class WorldEnv(gymnasium.Env[Numbers, Numbers], ABC):
    """An environment of one world, which moves on by one tick, 1/30 s, with each step.

    A task makes its world once; each episode goes back to that state. Actions are numbers from -1 to 1; what lies beyond is taken as -1
    or 1.

    Args:
        render_mode: "rgb_array": `render` returns pictures of shape (240, 320, 3). None: it returns None.

    Attributes:
        world: The world, to look at. Whoever changes it changes the task.
        episode_steps: Steps after which gymnasium.make truncates an episode.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": STEPS_A_SECOND}  # noqa: RUF012
    episode_steps: ClassVar[int]
    camera: ClassVar[Camera]
    observation_space: spaces.Box[np.float32]
    action_space: spaces.Box[np.float32]

    def __init__(self, render_mode: str | None = None) -> None:
        check_render_mode(render_mode)
        self.render_mode = render_mode
        self.world = self._make()
        self._start = self.world.keep()
        self._under_way = False

    # ---- methods that a task defines

    @abstractmethod
    def _make(self) -> World:
        """Makes the world and the spaces of the task."""

    @abstractmethod
    def _begin(self) -> None:
        """Begins an episode in the world, which is as it was made. What is random is drawn from `np_random`."""

    @abstractmethod
    def _act(self, action: Numbers) -> None:
        """Does what an action asks for, before the tick."""

    @abstractmethod
    def _observe(self) -> Numbers:
        """What is to be seen of the world now."""

    @abstractmethod
    def _judge(self) -> Judgement:
        """After the tick: the reward, whether the episode has ended, and what else there is to say."""

    # ---- gymnasium

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Numbers, dict[str, Any]]:
        """Begins an episode; equal seeds give equal ones. There are no options."""
        check_options(options)
        super().reset(seed=seed)
        self.world.return_to(self._start)
        self._begin()
        self._under_way = True
        return self._observe(), {}

    def step(self, action: Numbers) -> tuple[Numbers, float, bool, bool, dict[str, Any]]:
        """Acts, and moves the world on by a tick. Returns observation, reward, terminated, truncated (never) and info."""
        self.act(action)
        self.world.step()
        observation, (reward, terminated, info) = self.outcome()
        return observation, reward, terminated, False, info

    def act(self, action: Numbers) -> None:
        """The first half of `step`, before the tick. Raises: ValueError for an action of another shape, or not finite."""
        if not self._under_way:
            raise ResetNeeded("call reset before step: no episode is under way")
        self._act(checked(action, self.action_space))

    def outcome(self) -> tuple[Numbers, Judgement]:
        """The second half of `step`, after the tick."""
        return self._observe(), self._judge()

    def render(self) -> NDArray[np.uint8] | None:
        """A picture of the world, of shape (240, 320, 3), or None without a render_mode."""
        if self.render_mode is None:
            return None
        return pixels(self.world, width=WIDTH, height=HEIGHT, camera=self.camera)

    def close(self) -> None:
        """Ends the world."""
        self._under_way = False
        self.world.close()


class WorldVectorEnv(VectorEnv[Numbers, Numbers, NDArray[Any]]):
    """Many environments of a task, whose worlds move on together, on all cores. Each gives what a single one would, to the bit.

    An environment whose episode has ended is reset by the next step, which ignores its action (AutoresetMode.NEXT_STEP).

    Args:
        num_envs: How many.
        max_episode_steps: Steps after which an episode is truncated; default: the task's.
        render_mode: As of WorldEnv.
        threads: Threads in all; default: as many as this process has processors.

    Attributes:
        envs: The environments.
    """

    metadata: dict[str, Any] = WorldEnv.metadata | {"autoreset_mode": AutoresetMode.NEXT_STEP}
    single: ClassVar[type[WorldEnv]]

    def __init__(
        self, num_envs: int = 1, max_episode_steps: int | None = None, render_mode: str | None = None, threads: int | None = None
    ) -> None:
        super().__init__()
        if num_envs < 1:
            raise ValueError(f"num_envs must be 1 or more, got {num_envs}")
        self.num_envs = num_envs
        self.max_episode_steps = self.single.episode_steps if max_episode_steps is None else max_episode_steps
        self.render_mode = render_mode
        self.envs = [self.single(render_mode) for _ in range(num_envs)]
        self.single_observation_space = self.envs[0].observation_space
        self.single_action_space = self.envs[0].action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._pool = Pool((env.world for env in self.envs), threads)
        self._steps = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, np.bool_)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Numbers, dict[str, Any]]:
        """Begins an episode in each. A seed is that of the first environment, the next has the next; or there is one for each."""
        seeds = (
            [seed] * self.num_envs if seed is None else [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else list(seed)
        )
        if len(seeds) != self.num_envs:
            raise ValueError(f"there must be a seed for each of {self.num_envs} environments, got {len(seeds)}")
        self._steps[:] = 0
        self._ended[:] = False
        observations = [env.reset(seed=one, options=options)[0] for env, one in zip(self.envs, seeds, strict=True)]
        return np.stack(observations), {}

    def step(self, actions: Numbers) -> tuple[Numbers, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Acts in each, and moves all worlds on by a tick. Returns observations, rewards, terminations, truncations and infos."""
        actions = np.asarray(actions)
        if len(actions) != self.num_envs:
            raise ValueError(f"there must be an action for each of {self.num_envs} environments, got {len(actions)}")
        begins = self._ended.copy()
        for index in np.flatnonzero(~begins).tolist():
            self.envs[index].act(actions[index])
        self._pool.step()
        observations = np.empty(self.observation_space.shape or (), np.float32)
        rewards, terminations = np.zeros(self.num_envs), np.zeros(self.num_envs, np.bool_)
        infos: dict[str, Any] = {}
        for index, env in enumerate(self.envs):
            if begins[index]:
                observations[index], info = env.reset()
            else:
                observations[index], (rewards[index], terminations[index], info) = env.outcome()
            infos = self._add_info(infos, info, index)
        self._steps = np.where(begins, 0, self._steps + 1)
        truncations = self._steps >= self.max_episode_steps
        self._ended = terminations | truncations
        return observations, rewards, terminations, truncations, infos

    def render(self) -> tuple[NDArray[np.uint8], ...] | None:
        """The pictures of all, or None without a render_mode."""
        pictures = [env.render() for env in self.envs]
        return tuple(image for image in pictures if image is not None) if self.render_mode is not None else None

    def close_extras(self, **_: Any) -> None:
        """Ends the threads and the worlds."""
        self._pool.close()
        for env in self.envs:
            env.close()


def check_render_mode(render_mode: str | None) -> None:
    if render_mode not in (None, "rgb_array"):
        raise ValueError(f'render_mode must be "rgb_array" or None, got {render_mode!r}')


def check_options(options: dict[str, Any] | None) -> None:
    if options:
        raise ValueError(f"reset has no options, got {', '.join(map(repr, options))}")


def checked(action: Numbers, space: spaces.Box[np.float32]) -> Numbers:
    """An action within its space. Raises: ValueError."""
    action = np.asarray(action, np.float32)
    if action.shape != space.shape:
        raise ValueError(f"an action must have the shape {space.shape}, got {action.shape}")
    if not np.isfinite(action).all():
        raise ValueError(f"the numbers of an action must be finite, got {action.tolist()}")
    return np.asarray(np.clip(action, space.low, space.high), np.float32)


def actions_of(count: int) -> spaces.Box[np.float32]:
    """The space of actions of so many numbers from -1 to 1."""
    return spaces.Box(-1, 1, (count,), np.float32)


def observations_of(count: int) -> spaces.Box[np.float32]:
    """The space of observations of so many numbers, in m and m/s."""
    return spaces.Box(-GREATEST, GREATEST, (count,), np.float32)


def flat(*parts: NDArray[Any]) -> Numbers:
    """An observation of its parts, one after another; what lies beyond the bounds is taken as the bound."""
    return np.asarray(np.clip(np.concatenate([part.ravel() for part in parts]), -GREATEST, GREATEST), np.float32)
