# SPDX-License-Identifier: MIT
"""What tests share: the folder of the repository, that of the build, a small world, and a server."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import weft_world as weft

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def build() -> Path:
    return Path(os.environ.get("WEFT_BUILD", ROOT / "build")).resolve()


@pytest.fixture
def world() -> Iterator[weft.World]:
    with weft.World(substeps=4) as made:
        yield made


@pytest.fixture(scope="module")
def server(build: Path) -> Iterator[weft.ServedWorld]:
    """A server of the build, one for each module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WEFT_WEFTD", str(build / "weftd"))
        with weft.serve() as world:
            yield world
