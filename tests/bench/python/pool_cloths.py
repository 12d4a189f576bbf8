# SPDX-License-Identifier: MIT
"""Many cloths stepped together: pool_cloths.py WORLDS TICKS.

Prints as JSON the speeds of one thread and of two, which alternate, their ratio, and the processor time of two over that of one: where
that is 1 and the ratio far below 2, other programs had a processor meanwhile, or a thread waited.
"""

import json
import statistics
import sys
import time

import scene
import weft_world as weft

ROUNDS = 9


def main() -> None:
    count, ticks = int(sys.argv[1]), int(sys.argv[2])
    worlds = []
    for number in range(count):
        world = weft.World(substeps=4, sleep=False)
        world.cloth(
            scene.SIDE, scene.SIDE, spacing=scene.SPACING, position=(0, scene.HEIGHT, 0), rotation=(0.7, 0.1 + 0.01 * number, 0, -0.7)
        )
        worlds.append(world)
    pools = {threads: weft.Pool(worlds, threads=threads) for threads in (1, 2)}
    times: dict[int, list[float]] = {threads: [] for threads in pools}
    spent: dict[int, list[float]] = {threads: [] for threads in pools}
    for pool in pools.values():
        pool.step(ticks // 10)
    for _ in range(ROUNDS):
        for threads, pool in pools.items():
            began = time.perf_counter(), time.process_time()
            pool.step(ticks)
            times[threads].append(time.perf_counter() - began[0])
            spent[threads].append(time.process_time() - began[1])
    one, two = (statistics.median(times[threads]) for threads in pools)
    ratio = statistics.median(before / after for before, after in zip(times[1], times[2], strict=True))
    cpu = statistics.median(spent[2]) / statistics.median(spent[1])
    print(json.dumps({"ticks_one": count * ticks / one, "ticks_two": count * ticks / two, "ratio": ratio, "cpu_ratio": cpu}))


if __name__ == "__main__":
    main()
