# SPDX-License-Identifier: MIT
"""Random episodes of all tasks, whose memory must stay flat: python proto/python/tests/soak_gym.py [STEPS]

Takes so many steps in all, a million by default, and prints how the resident memory grew after the first tenth. Ends with an error when it
grew by more than 4 MB. tests/test_gym.py makes a short run.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import gymnasium

from weft_world.gym import TASKS

ENVIRONMENTS = 8  # of each task
ALLOWED = 4_000_000  # bytes


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def grown(steps: int, tasks: Sequence[str] = TASKS) -> int:
    """Bytes by which the resident memory grew from a tenth of so many steps to their end."""
    vectors = [gymnasium.make_vec(f"weft_world/{task}-v0", num_envs=ENVIRONMENTS) for task in tasks]
    for seed, envs in enumerate(vectors):
        envs.reset(seed=seed)
        envs.action_space.seed(seed)
    rounds = steps // (ENVIRONMENTS * len(tasks))
    before = resident()
    for number in range(rounds):
        if number == rounds // 10:
            before = resident()
        for envs in vectors:
            envs.step(envs.action_space.sample())
    after = resident()
    for envs in vectors:
        envs.close()
    return after - before


def main(arguments: list[str]) -> int:
    if len(arguments) > 1 or not all(argument.isdigit() and int(argument) >= 1000 for argument in arguments):
        print("usage: soak_gym.py [STEPS]; STEPS is a whole number, at least 1000", file=sys.stderr)
        return 2
    steps = int(arguments[0]) if arguments else 1_000_000
    more = grown(steps)
    print(f"{steps} steps of random episodes: memory grew by {more / 1e6:.2f} MB after the first tenth, of {ALLOWED / 1e6:.0f} MB allowed")
    print(f"{int(more <= ALLOWED)} passed, {int(more > ALLOWED)} failed")
    return int(more > ALLOWED)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
