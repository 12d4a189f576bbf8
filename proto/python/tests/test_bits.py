# SPDX-License-Identifier: MIT
"""The bits: the same commands give the same hashes here and in the engine's WebAssembly, run by Node."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

import weft_world as weft

COMMANDS = [
    ("world.set", {"substeps": 4}),
    ("obstacle.add", {"shape": "plane"}),
    ("cloth.spawn", {"columns": 24, "rows": 18, "spacing": 0.05, "position": [0, 2, 0], "tear": 1.6, "bend": True}),
    ("body.spawn", {"shape": "box", "size": [0.3, 0.2, 0.4], "position": [0.1, 3, 0], "angularVelocity": [1, 2, 0.5]}),
    ("rope.spawn", {"from": [0.5, 3, 0.2], "to": [1.5, 3, 0.2], "particles": 20}),
    ("ragdoll.spawn", {"position": [1, 1.5, -1]}),
    ("soft.spawn", {"shape": "box", "size": [0.4, 0.4, 0.4], "cells": [2, 2, 2], "position": [-1, 2, 0], "young": 20000}),
    ("world.set", {"wind": {"velocity": [4, 0, 2], "gust": 0.4}}),
]
TICKS = 90

SCRIPT = """
import { loadEngine } from '%s/web/client/engine/engine.js';
const world = (await loadEngine()).createWorld();
world.join(1);
const commands = JSON.parse(process.argv[1]);
commands.forEach(([method, params], id) => world.submit(1, JSON.stringify({ jsonrpc: '2.0', id, method, params })));
const hashes = [];
for (let tick = 0; tick < %d; tick++) { world.tick(); hashes.push(world.hash); }
for (const { text } of world.outputs()) if (text?.includes('"error"')) throw new Error(text);
console.log(JSON.stringify(hashes));
"""


def test_the_engine_in_webassembly_computes_the_same_bits(root: Path) -> None:
    command = ["node", "--input-type=module", "-e", SCRIPT % (root.as_uri(), TICKS), json.dumps(COMMANDS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    with weft.World() as world:
        for method, params in COMMANDS:
            world.call(method, **params)
        hashes = []
        for _ in range(TICKS):
            world.step()
            hashes.append(world.hash)
    assert hashes == json.loads(done.stdout)


def test_steps_together_are_steps_one_by_one(world: weft.World) -> None:
    for method, params in COMMANDS:
        world.call(method, **params)
    with world.branch() as other:
        world.step(50)
        for _ in range(50):
            other.step()
        assert world.hash == other.hash


@pytest.mark.parametrize("count", [1, 7])
def test_branches_stepped_by_a_pool_are_equal_to_the_bit(world: weft.World, count: int) -> None:
    for method, params in COMMANDS:
        world.call(method, **params)
    with weft.Pool((world.branch() for _ in range(count)), threads=3) as pool:
        pool.step(20)
        world.step(20)
        assert {one.hash for one in pool} == {world.hash}
        pool[0].set(gravity=(0, 0, 0))
        pool.step(5)
        world.step(5)
        assert [one.hash == world.hash for one in pool] == [False] + [True] * (count - 1)
