# SPDX-License-Identifier: MIT
"""Branches of a world with a cloth of 4,096 particles: branches.py BRANCHES TICKS.

Every branch gets one of ten winds and is stepped so many ticks, in a pool with two threads; every wind is also computed in a world that is
made anew. Prints as JSON the times, and how many branches have other bits than that world.
"""

import json
import resource
import sys
import time

import weft_world as weft

SIDE = 64
WINDS = [(0.0, 0.0, 0.5 * k) for k in range(10)]
TICKS_BEFORE = 60


def trunk() -> weft.World:
    world = weft.World(substeps=4, sleep=False)
    world.cloth(SIDE, SIDE, position=(0, 3, 0))
    world.step(TICKS_BEFORE)
    return world


def main() -> None:
    count, ticks = int(sys.argv[1]), int(sys.argv[2])
    world = trunk()
    began = time.perf_counter()
    branches = [world.branch() for _ in range(count)]
    branched = time.perf_counter() - began
    for number, branch in enumerate(branches):
        branch.set(wind=WINDS[number % len(WINDS)])
    with weft.Pool(branches, threads=2) as pool:
        began = time.perf_counter()
        pool.step(ticks)
        stepped = time.perf_counter() - began
    hashes = [branch.hash for branch in branches]
    wanted = []
    for wind in WINDS:
        again = trunk()
        again.set(wind=wind)
        again.step(ticks)
        wanted.append(again.hash)
    wrong = sum(found != wanted[number % len(WINDS)] for number, found in enumerate(hashes))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    figures = {
        "branch_ms": 1e3 * branched / count,
        "step_s": stepped,
        "ticks": count * ticks / stepped,
        "different": len(set(hashes)),
        "winds": len(set(wanted)),
    }
    print(json.dumps({**figures, "wrong": wrong, "memory_mb": memory / 1e6}))


if __name__ == "__main__":
    main()
