# SPDX-License-Identifier: MIT
"""The types that users see, by mypy in its strict mode."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SOUND = """
import numpy as np
import weft_world as weft

world = weft.World(substeps=8)
cloth: weft.Object = world.cloth(64, 64, position=np.zeros(3), tear_force=None)
height: float = float(cloth.positions[:, 1].max())
tick: int = world.step(60)
name: str = cloth.get()["name"]
with world.branch() as other:
    other.set(wind=(0, 0, 5))
world.stick({"object": cloth, "particle": 0}, {"object": cloth.id, "particle": 3})
for frame in weft.connect("ws://127.0.0.1:8080/worlds/main").frames():
    print(frame.of(cloth).shape)


async def main() -> None:
    async with await weft.connect_async("ws://127.0.0.1:8080/worlds/main") as world:
        rope: weft.AsyncObject = await world.rope(from_=(0, 1, 0), to=(1, 1, 0))
        await rope.remove()
"""
WRONG = """
import weft_world as weft

world = weft.World()
world.cloth(64, 64, postion=(0, 3, 0))
world.cloth(64)
world.cloth(64, 64, mesh="round")
world.step("60")
"""


def test_scripts_are_checked_strictly(tmp_path: Path, build: Path) -> None:
    (tmp_path / "sound.py").write_text(SOUND)
    (tmp_path / "wrong.py").write_text(WRONG)
    command = [
        sys.executable,
        "-m",
        "mypy",
        "--strict",
        "--no-error-summary",
        "--cache-dir",
        str(build / "mypy-user"),
        "sound.py",
        "wrong.py",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=200)
    errors = [line for line in done.stdout.splitlines() if " error: " in line]
    assert [line.split(":")[:2] for line in errors] == [["wrong.py", number] for number in "5678"], done.stdout
    assert 'Unexpected keyword argument "postion" for "cloth" of "WorldMethods"; did you mean "position"?' in errors[0]
