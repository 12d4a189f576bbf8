# SPDX-License-Identifier: MIT
"""weft_world/HangCloth-v0: a hand hangs a cloth by its eyelet on a hook."""

from __future__ import annotations

from typing import ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from weft_world.gym.environment import Camera, Judgement, Numbers, WorldEnv, WorldVectorEnv, actions_of, flat, observations_of
from weft_world.gym.hand import Hand
from weft_world.world import World

SIDE: Final = 12  # vertices along a side of the cloth, before the eyelet is cut
SPACING: Final = 0.05  # m
EYELET: Final = ((1, 2), (4, 5, 6))  # rows and columns of the squares that it takes
RIM: Final = [(row, column) for row in (1, 3) for column in (4, 5, 6, 7)] + [(2, 4), (2, 7)]  # of the eyelet
ROOT: Final = (0.0, 1.2, -0.3)  # of the hook, m
TIP: Final = (0.0, 1.26, -0.02)  # m
THICK: Final = 0.015  # radius, m
ON: Final = (0.0, 1.2, -0.15)  # where the middle of the eyelet is to be, m
TOP: Final = 1.42  # of the cloth at first, m
AWAY: Final = 0.15  # of the cloth from the tip along z at first, m
OFFSET: Final = 0.06  # by which the hook is missed along x and y at first, at most, m
LETS_GO: Final = np.float32(0.5)  # the last number of an action, above which the hand lets go
WAIT: Final = 30  # ticks after which a cloth that was let go has fallen, or hangs
FALLEN: Final = np.float32(1.0)  # height of the eyelet in m
NEAR: Final = np.float32(0.3)  # m, of the distance whose reward is 1


class HangClothEnv(WorldEnv):
    """A hand carries a square cloth by its upper corners, and hangs it on a hook by an eyelet near the upper edge.

    The cloth has sides of 0.55 m, the eyelet is 0.15 m wide and 0.1 m high. The hook is a rod as thick as 0.03 m, which comes out of the
    wall and rises to its tip at (0, 1.26, -0.02) m; y points up, z away from the wall. At first the cloth hangs before the tip, and
    misses it by up to 0.06 m to each side, as the seed says.

    **Actions**: `Box(-1, 1, (4,), float32)`: the velocity of the hand along x, y and z in m/s, and whether it lets go: above 0.5, once
    for all. The hand stays within a box of 1 m × 1 m × 0.8 m.

    **Observations**: `Box(-100, 100, (70,), float32)`

    | numbers | what | unit |
    | ------- | ---- | ---- |
    | 0-2     | position of the hand | m |
    | 3-5     | velocity of the hand | m/s |
    | 6       | 1 while the hand holds the cloth, then 0 | |
    | 7-9     | middle of the eyelet, from the tip of the hook | m |
    | 10-39   | positions of the eyelet's 10 particles, from the tip of the hook | m |
    | 40-69   | their velocities | m/s |

    **Rewards**: how much nearer the middle of the eyelet has come, in the step, to (0, 1.2, -0.15) m, in the middle of the hook; a way of
    0.3 m brings 1. Less 0.001 · mean(action²). When the cloth hangs on the hook 1 s after it was let go, comes 1 more; when it falls, 1
    less.

    **End**: terminated 1 s after the hand has let go, or when the cloth has fallen before; truncated after 120 steps (4 s).

    **Info**: `distance` of the middle of the eyelet from the middle of the hook in m, and `is_success`.
    """

    episode_steps: ClassVar[int] = 120
    camera: ClassVar[Camera] = (1.2, 1.6, 1.0, 0, 1.15, -0.05)

    def _make(self) -> World:
        self.observation_space = observations_of(10 + 6 * len(RIM))
        self.action_space = actions_of(4)
        world = World(tick_hz=30, substeps=8)
        world.obstacle("plane", friction=0.8, color="#8a8f98")
        world.obstacle("plane", position=(0, 0, ROOT[2]), normal=(0, 0, 1), color="#b8b4a8")
        world.obstacle("capsule", from_=ROOT, to=TIP, radius=THICK, friction=0.8, color="#303642")
        positions, triangles, numbers = _cloth_with_eyelet()
        self._cloth = world.mesh(positions, triangles, areal_density=0.3, friction=0.8, thickness=0.02, color="#3d7ea6")
        self._rim = numbers[[row for row, _ in RIM], [column for _, column in RIM]]
        self._hand = Hand(self._cloth, [int(numbers[0, 0]), int(numbers[0, -1])], (-0.5, 0.9, -0.25), (0.5, 1.9, 0.55))
        return world

    def _begin(self) -> None:
        self._hand.take()
        x, y = self.np_random.uniform(-OFFSET, OFFSET, 2)
        for _ in range(6):  # carried there, and still for a moment
            self._hand.move(np.array([5 * x, 5 * y, 0], np.float32))
            self.world.step()
        self._hand.move(np.zeros(3, np.float32))
        self.world.step(12)
        self._distance = self._to_hook()
        self._fallen_or_hangs = WAIT

    def _act(self, action: Numbers) -> None:
        self._action = action
        if self._hand.holds and action[3] > LETS_GO:
            self._hand.let_go()
        self._hand.move(action[:3])

    def _middle(self) -> Numbers:
        return np.asarray(self._cloth.positions[self._rim].sum(axis=0) / np.float32(len(RIM)))

    def _to_hook(self) -> np.float32:
        return np.float32(np.sqrt(np.square(self._middle() - np.array(ON, np.float32)).sum()))

    def _observe(self) -> Numbers:
        tip, hand = np.array(TIP, np.float32), self._hand
        rim = self._cloth.positions[self._rim] - tip
        holds = np.array([hand.holds], np.float32)
        return flat(hand.position, hand.velocity, holds, self._middle() - tip, rim, self._cloth.velocities[self._rim])

    def _judge(self) -> Judgement:
        before, self._distance = self._distance, self._to_hook()
        effort = np.float32(0.001) * np.square(self._action).sum() / np.float32(4)
        reward = float((before - self._distance) / NEAR - effort)
        self._fallen_or_hangs -= 0 if self._hand.holds else 1
        fallen = bool(self._middle()[1] < FALLEN)
        hangs = self._fallen_or_hangs == 0 and not fallen
        reward += 1.0 if hangs else -1.0 if fallen else 0.0
        return reward, fallen or hangs, {"distance": float(self._distance), "is_success": hangs}


def _cloth_with_eyelet() -> tuple[NDArray[np.float32], NDArray[np.int64], NDArray[np.int64]]:
    """Positions, triangles, and the number of the vertex at each row and column, -1 where there is none."""
    row, column = np.meshgrid(np.arange(SIDE), np.arange(SIDE), indexing="ij")
    positions = np.stack([(column - (SIDE - 1) / 2) * SPACING, TOP - row * SPACING, np.full(row.shape, AWAY)], axis=2)
    square = [
        (r, c) for r in range(SIDE - 1) for c in range(SIDE - 1) if not (r in EYELET[0] and c in EYELET[1])
    ]  # fmt: skip
    halves = [half for r, c in square for half in (((r, c), (r + 1, c), (r, c + 1)), ((r, c + 1), (r + 1, c), (r + 1, c + 1)))]
    used = sorted({vertex for half in halves for vertex in half})
    numbers = np.full((SIDE, SIDE), -1)
    for number, vertex in enumerate(used):
        numbers[vertex] = number
    triangles = np.array([[numbers[vertex] for vertex in half] for half in halves])
    return np.array([positions[vertex] for vertex in used], np.float32), triangles, numbers


class HangClothVectorEnv(WorldVectorEnv):
    """Many of HangClothEnv, on all cores."""

    single = HangClothEnv
