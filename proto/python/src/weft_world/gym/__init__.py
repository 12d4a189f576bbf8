# SPDX-License-Identifier: MIT
"""Tasks for reinforcement learning, as environments of gymnasium.

    import gymnasium
    import weft_world.gym

    env = gymnasium.make("weft_world/FoldCloth-v0")
    envs = gymnasium.make_vec("weft_world/FoldCloth-v0", num_envs=64)  # all worlds on all cores

* weft_world/FoldCloth-v0: a hand holds an edge of a cloth that lies on the floor, and folds the cloth in half (FoldClothEnv).
* weft_world/HangCloth-v0: a hand hangs a cloth by its eyelet on a hook, and lets go (HangClothEnv).
* weft_world/BalanceRagdoll-v0: a figure keeps its balance with its muscles while it is pushed (BalanceRagdollEnv).

`gymnasium.make("weft_world.gym:weft_world/FoldCloth-v0")` needs no import.

Equal seeds and actions give equal observations and rewards, to the bit, on every machine: the engine is deterministic, what is random is
drawn from the seed by additions and multiplications only, and so is what is computed of the positions: no sines, no exponentials and no
matrix products, which depend on the machine. An episode begins by going back to a kept state, which takes microseconds.
"""

try:
    import gymnasium
except ImportError as error:
    raise ImportError("weft_world.gym needs gymnasium: pip install weft-world[gym]") from error

from weft_world.gym.balance_ragdoll import BalanceRagdollEnv, BalanceRagdollVectorEnv
from weft_world.gym.environment import WorldEnv, WorldVectorEnv
from weft_world.gym.fold_cloth import FoldClothEnv, FoldClothVectorEnv
from weft_world.gym.hang_cloth import HangClothEnv, HangClothVectorEnv

__all__ = [
    "BalanceRagdollEnv",
    "BalanceRagdollVectorEnv",
    "FoldClothEnv",
    "FoldClothVectorEnv",
    "HangClothEnv",
    "HangClothVectorEnv",
    "WorldEnv",
    "WorldVectorEnv",
]

TASKS = ("FoldCloth", "HangCloth", "BalanceRagdoll")


def _register() -> None:
    environments: dict[str, tuple[type[WorldEnv], type[WorldVectorEnv]]] = {
        "FoldCloth": (FoldClothEnv, FoldClothVectorEnv),
        "HangCloth": (HangClothEnv, HangClothVectorEnv),
        "BalanceRagdoll": (BalanceRagdollEnv, BalanceRagdollVectorEnv),
    }
    for task in TASKS:
        single, vector = environments[task]
        gymnasium.register(
            id=f"weft_world/{task}-v0",
            entry_point=f"{single.__module__}:{single.__name__}",
            vector_entry_point=f"{vector.__module__}:{vector.__name__}",
            max_episode_steps=single.episode_steps,
        )


_register()
