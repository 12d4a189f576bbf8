# SPDX-License-Identifier: MIT
"""weft_world/FoldCloth-v0: a hand folds a cloth in half."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from weft_world.gym.environment import Camera, Judgement, Numbers, WorldEnv, WorldVectorEnv, actions_of, flat, observations_of
from weft_world.gym.hand import Hand
from weft_world.world import World

SIDE: Final = 12  # particles along a side of the cloth
SPACING: Final = 0.05  # m
LIES: Final = (-(0.5**0.5), 0.0, 0.0, 0.5**0.5)  # rotation by which the cloth lies on the floor
PUSH: Final = 0.8  # N along each axis, at most, with which a half of the cloth is pushed at the beginning
PUSHED, RESTING = 3, 12  # ticks
FOLDED: Final = 0.05  # m of mean distance at which the cloth counts as folded
EFFORT: Final = np.float32(0.001)  # reward that the greatest effort costs in a step
STAYS: Final = [row * SIDE + column for row in range(SIDE) for column in range(SIDE // 2, SIDE)]  # the half that is pushed
SEEN: Final = np.array([row * SIDE + column for row in (0, 4, 7, 11) for column in (0, 4, 7, 11)])


class FoldClothEnv(WorldEnv):
    """A hand holds an edge of a square cloth that lies on the floor, and folds it onto the other half.

    The cloth has sides of 0.55 m and 12×12 particles. Its edge at x = -0.275 m is to come to the one at x = 0.275 m; y points up. Before
    each episode the half that is to stay is pushed along the floor by some centimetres, as the seed says, which wrinkles the cloth.

    **Actions**: `Box(-1, 1, (3,), float32)`, the velocity of the hand along x, y and z in m/s. The hand stays within a box of 1.2 m × 0.6
    m × 0.8 m on the floor.

    **Observations**: `Box(-100, 100, (102,), float32)`

    | numbers | what | unit |
    | ------- | ---- | ---- |
    | 0-2     | position of the hand | m |
    | 3-5     | velocity of the hand | m/s |
    | 6-53    | positions of 4×4 particles: rows 0, 4, 7 and 11, in each columns 0, 4, 7 and 11 | m |
    | 54-101  | their velocities | m/s |

    **Rewards**: how much nearer to the other half the cloth has come in the step: the mean distance between each particle of the half
    that is moved and the one on which it is to lie, as a share of 0.3 m, its value for a flat cloth. Less 0.001 · mean(action²). So a
    fold brings about 0.9 in all; with the step that folds the cloth, below a mean distance of 0.05 m, comes 1 more.

    **End**: terminated when the cloth is folded, truncated after 90 steps (3 s).

    **Info**: `distance`, the mean distance in m, and `is_success`.
    """

    episode_steps: ClassVar[int] = 90
    camera: ClassVar[Camera] = (0.5, 0.8, 1.0, 0, 0.05, 0)

    def _make(self) -> World:
        self.observation_space = observations_of(6 + 6 * len(SEEN))
        self.action_space = actions_of(3)
        world = World(tick_hz=30, substeps=8)
        world.obstacle("plane", friction=0.8, color="#8a8f98")
        self._cloth = world.cloth(
            SIDE, SIDE, spacing=SPACING, position=(0, 0.01, 0), rotation=LIES, pin="none", areal_density=0.3, friction=0.8, thickness=0.02,
            self_collision=True, color="#c8553d",
        )  # fmt: skip
        edge = [row * SIDE for row in (0, SIDE // 2, SIDE - 1)]
        self._hand = Hand(self._cloth, edge, (-0.6, 0.01, -0.4), (0.6, 0.61, 0.4))
        return world

    def _begin(self) -> None:
        push = self.np_random.uniform(-PUSH, PUSH, 2)
        self._cloth.force_apply((float(push[0]), 0, float(push[1])), particles=STAYS, ticks=PUSHED)
        self.world.step(PUSHED + RESTING)
        self._hand.take()
        self._distance = self._mean_distance()

    def _act(self, action: Numbers) -> None:
        self._action = action
        self._hand.move(action)

    def _mean_distance(self) -> np.float32:
        cloth = self._cloth.positions.reshape(SIDE, SIDE, 3)
        moved, stays = cloth[:, : SIDE // 2], cloth[:, : SIDE // 2 - 1 : -1]
        distances = np.sqrt(np.square(moved - stays).sum(axis=2))
        return np.float32(distances.ravel().sum() / np.float32(distances.size))

    def _observe(self) -> Numbers:
        return flat(self._hand.position, self._hand.velocity, self._cloth.positions[SEEN], self._cloth.velocities[SEEN])

    def _judge(self) -> Judgement:
        before, self._distance = self._distance, self._mean_distance()
        folded = bool(self._distance < FOLDED)
        effort = EFFORT * np.square(self._action).sum() / np.float32(3)
        reward = (before - self._distance) / np.float32(SIDE * SPACING / 2) - effort + np.float32(folded)
        return float(reward), folded, {"distance": float(self._distance), "is_success": folded}


class FoldClothVectorEnv(WorldVectorEnv):
    """Many of FoldClothEnv, on all cores."""

    single = FoldClothEnv
