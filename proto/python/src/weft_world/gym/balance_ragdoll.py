# SPDX-License-Identifier: MIT
"""weft_world/BalanceRagdoll-v0: a figure keeps its balance with its muscles while it is pushed."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np

from weft_world._handles import Object, Stick
from weft_world._types import StickEndParam
from weft_world.gym.environment import Camera, Judgement, Numbers, WorldEnv, WorldVectorEnv, actions_of, flat, observations_of
from weft_world.world import World

# Particles of a ragdoll.
WAIST, HIP_L, HIP_R, SACRUM, SHOULDER_L, SHOULDER_R, NECK, CROWN = 0, 1, 2, 3, 4, 5, 6, 9
KNEE_L_IN, KNEE_L_OUT, THIGH_L, FOOT_L, SHIN_L, KNEE_R_IN, KNEE_R_OUT, THIGH_R, FOOT_R, SHIN_R = range(20, 30)
SEEN: Final = np.array([NECK, CROWN, WAIST, SACRUM, HIP_L, HIP_R, KNEE_L_IN, KNEE_R_IN, FOOT_L, FOOT_R])
CHEST: Final = [WAIST, SHOULDER_L, SHOULDER_R, NECK]

ANKLE_L, ANKLE_R, KNEE_L, KNEE_R, HIP_PITCH_L, HIP_PITCH_R, WAIST_PITCH, WAIST_ROLL = range(8)  # the joints that an action moves
FRONT, BACK = -1, 1  # the first gets shorter with the action, the second longer

# Muscles of the figure: two of its particles, and the joints of an action that shorten or lengthen them.
MUSCLES: Final = [
    (HIP_L, FOOT_L, {KNEE_L: FRONT}), (THIGH_L, SHIN_L, {KNEE_L: BACK}),
    (HIP_R, FOOT_R, {KNEE_R: FRONT}), (THIGH_R, SHIN_R, {KNEE_R: BACK}),
    (WAIST, THIGH_L, {HIP_PITCH_L: FRONT}), (SACRUM, KNEE_L_IN, {HIP_PITCH_L: BACK}), (SACRUM, KNEE_L_OUT, {HIP_PITCH_L: BACK}),
    (WAIST, THIGH_R, {HIP_PITCH_R: FRONT}), (SACRUM, KNEE_R_IN, {HIP_PITCH_R: BACK}), (SACRUM, KNEE_R_OUT, {HIP_PITCH_R: BACK}),
    (NECK, HIP_L, {WAIST_PITCH: FRONT, WAIST_ROLL: FRONT}), (SHOULDER_L, SACRUM, {WAIST_PITCH: BACK, WAIST_ROLL: FRONT}),
    (NECK, HIP_R, {WAIST_PITCH: FRONT, WAIST_ROLL: BACK}), (SHOULDER_R, SACRUM, {WAIST_PITCH: BACK, WAIST_ROLL: BACK}),
    (KNEE_L_IN, HIP_R, {}), (KNEE_R_IN, HIP_L, {}),
]  # fmt: skip
# Muscles from the leg to the shoe: a particle, where they end on the sole along z from the foot in m, and what they do.
ANKLES: Final = [
    (((SHIN_L, 0.17, FRONT), (KNEE_L_IN, -0.07, BACK), (KNEE_L_OUT, -0.07, BACK)), FOOT_L, ANKLE_L),
    (((SHIN_R, 0.17, FRONT), (KNEE_R_IN, -0.07, BACK), (KNEE_R_OUT, -0.07, BACK)), FOOT_R, ANKLE_R),
]
SHOE: Final = (0.1, 0.05, 0.28)  # m
COMPLIANCE: Final = 2e-5  # of a muscle, m/N
STROKE: Final = np.float32(0.08)  # share of its length by which an action changes a muscle, at most
RATE: Final = 0.5  # m/s, at which its length changes

HEIGHT: Final = 1.7  # m
STANDS: Final = np.float32(1.15)  # height of the neck in m, below which the figure has fallen; it stands with 1.5 m
PUSH: Final = 90.0  # N along x and z, at most
PUSHED, PAUSE = 3, 30  # ticks: of a push, and from one to the next
EFFORT: Final = np.float32(0.1)  # reward that the greatest effort costs in a step


class BalanceRagdollEnv(WorldEnv):
    """A figure of 1.7 m and 70 kg stands in shoes on the floor, and is to stay on its feet while it is pushed.

    It looks along z; y points up. Each second its chest is pushed for 0.1 s by up to 90 N along x and along z, as the seed says. Its 22
    muscles are springs of 50 kN/m whose lengths an action changes by up to 8 %, at 0.5 m/s; those of the front and the back work against
    each other. Left alone it sinks down after some seconds.

    **Actions**: `Box(-1, 1, (8,), float32)`, as shares of the greatest change of length. Above 0:

    | number | what it does |
    | ------ | ------------ |
    | 0, 1   | draws the shin forward over the left, right foot |
    | 2, 3   | bends the left, right knee |
    | 4, 5   | bends the left, right hip |
    | 6      | bends the waist forward |
    | 7      | bends the waist to the left |

    **Observations**: `Box(-100, 100, (68,), float32)`

    | numbers | what | unit |
    | ------- | ---- | ---- |
    | 0-29    | positions of neck, crown, waist, sacrum, left and right hip, knee and foot, from the middle between the feet | m |
    | 30-59   | their velocities | m/s |
    | 60-67   | the last action | |

    **Rewards**: 1 for each step on the feet, less 0.1 · mean(action²).

    **End**: terminated when the neck is less than 1.15 m high, truncated after 300 steps (10 s).

    **Info**: `height` of the neck in m.
    """

    episode_steps: ClassVar[int] = 300
    camera: ClassVar[Camera] = (1.6, 1.5, 2.4, 0, 0.8, 0)

    def _make(self) -> World:
        self.observation_space = observations_of(6 * len(SEEN) + 8)
        self.action_space = actions_of(8)
        world = World(tick_hz=30, substeps=32, sleep=False)
        world.obstacle("plane", friction=1, color="#8a8f98")
        self._figure = world.ragdoll(position=(0, 0.53 * HEIGHT + 0.06, 0), height=HEIGHT, color="#d9a441")
        self._sticks: list[Stick] = []
        self._lengths = np.zeros(0, np.float32)
        directions: list[dict[int, int]] = []
        for first, second, what in MUSCLES:
            self._add_muscle(world, first, {"object": self._figure.id, "particle": second}, self._figure.positions[second])
            directions.append(what)
        for muscles, foot, number in ANKLES:
            shoe, place = self._put_on_shoe(world, foot)
            for particle, along, direction in muscles:
                point = [place[0], 0.03, place[2] + along]
                self._add_muscle(world, particle, {"object": shoe.id, "point": point}, np.array(point, np.float32))
                directions.append({number: direction})
        self._directions = np.array([[what.get(number, 0) for number in range(8)] for what in directions], np.float32)
        return world

    def _put_on_shoe(self, world: World, foot: int) -> tuple[Object, list[float]]:
        place: list[float] = self._figure.positions[foot].tolist()
        shoe = world.body(shape="box", size=SHOE, position=(place[0], 0.03, place[2] + 0.05), mass=1, friction=1, color="#303642")
        world.stick({"object": self._figure.id, "particle": foot}, {"object": shoe.id, "point": place}, rest_length=0)
        return shoe, place

    def _add_muscle(self, world: World, particle: int, end: StickEndParam, place: Numbers) -> None:
        way = self._figure.positions[particle] - place
        self._lengths = np.append(self._lengths, np.sqrt(np.square(way).sum()))
        self._sticks.append(world.stick({"object": self._figure.id, "particle": particle}, end, compliance=COMPLIANCE))

    def _begin(self) -> None:
        self._steps = 0
        self._action: Numbers = np.zeros(8, np.float32)

    def _act(self, action: Numbers) -> None:
        if self._steps % PAUSE == 0:
            push = self.np_random.uniform(-PUSH, PUSH, 2)
            self._figure.force_apply((float(push[0]), 0, float(push[1])), particles=CHEST, ticks=PUSHED)
        self._steps += 1
        self._action = action
        lengths = self._lengths * (1 + STROKE * (self._directions * action).sum(axis=1))
        moved = np.flatnonzero(self._directions.any(axis=1))
        self.world.batch(
            [("stick.set", {"stick": self._sticks[i].id, "rest_length": float(lengths[i]), "rate": RATE}) for i in moved]
        )  # fmt: skip

    def _observe(self) -> Numbers:
        positions = self._figure.positions
        origin = (positions[FOOT_L] + positions[FOOT_R]) * np.float32(0.5)
        origin[1] = 0
        return flat(positions[SEEN] - origin, self._figure.velocities[SEEN], self._action)

    def _judge(self) -> Judgement:
        height = self._figure.positions[NECK][1]
        effort = EFFORT * np.square(self._action).sum() / np.float32(8)
        return float(1 - effort), bool(height < STANDS), {"height": float(height)}


class BalanceRagdollVectorEnv(WorldVectorEnv):
    """Many of BalanceRagdollEnv, on all cores."""

    single = BalanceRagdollEnv
