# SPDX-License-Identifier: MIT
"""The generated methods: names, signatures, documentation; the declarations fit what there is."""

from __future__ import annotations

import ast
import asyncio
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import weft_world as weft
from weft_world import _async_methods, _methods
from weft_world._caller import AsyncCaller, parameters
from weft_world._protocol import VERSION

BY_HAND = {"world.step", "world.branch", "world.seek", "world.contacts", "frames.subscribe", "frames.unsubscribe"}


def test_every_method_of_the_protocol_has_one_of_its_own(root: Path) -> None:
    document = json.loads((root / "proto/weft.openrpc.json").read_text())
    methods = {method["name"] for method in document["methods"]}
    source = Path(_methods.__file__).read_text()
    named = {line.rpartition(" ")[2].rstrip(".") for line in source.splitlines() if "Method of the protocol:" in line}
    assert named == methods - BY_HAND
    assert document["info"]["version"] == VERSION == weft.__version__


def test_a_method_says_defaults_units_and_ranges() -> None:
    text = inspect.getdoc(weft.World.cloth) or ""
    assert "spacing: Distance between neighbouring particles. In m. At least 0.0001, at most 1000." in text
    assert "Cannot be combined with" in text
    assert "areal_density" in text
    assert "mesh: Lattice of the cloth" in text
    assert 'One of "grid", "hex".' in text
    assert "Raises: RequestError, InvalidError," in text
    assert "Members: velocity*, gust." in (inspect.getdoc(weft.World.set) or "")
    assert inspect.signature(weft.World.cloth).parameters["spacing"].default == 0.05


@pytest.mark.parametrize("module", [_methods, _async_methods])
def test_the_declarations_have_the_same_methods_and_arguments(module: Any) -> None:
    path = Path(module.__file__)
    declared = ast.parse(path.with_suffix(".pyi").read_text())
    for node in declared.body:
        if not isinstance(node, ast.ClassDef):
            continue
        real = getattr(module, node.name)
        functions = {one.name: one for one in node.body if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef))}
        assert set(functions) == {name for name, one in vars(real).items() if inspect.isfunction(one)}
        for name, one in functions.items():
            names = [*(argument.arg for argument in one.args.args), *(argument.arg for argument in one.args.kwonlyargs)]
            assert names == [argument for argument in inspect.signature(getattr(real, name)).parameters if argument != "unknown"]


def test_what_equals_its_default_is_not_sent_and_a_vector_stands_for_its_record() -> None:
    assert parameters("cloth.spawn", {"columns": 3, "spacing": 0.05, "shear": True, "mass": None}, {}) == {"columns": 3}
    assert parameters("cloth.spawn", {"spacing": 0.1, "shear": 1}, {}) == {"spacing": 0.1, "shear": 1}
    assert parameters("world.set", {"wind": (0, 0, 5)}, {}) == {"wind": {"velocity": (0, 0, 5)}}
    assert parameters("world.set", {"wind": {"velocity": (0, 0, 5), "gust": 1}}, {"x": 1}) == {
        "wind": {"velocity": (0, 0, 5), "gust": 1},
        "x": 1,
    }


def test_the_awaited_methods_send_the_same() -> None:
    class Recorder(AsyncCaller, _async_methods.AsyncWorldMethods):
        async def call(self, method: str, /, **params: Any) -> Any:
            return (method, params)

        def _handle(self, thing: str, result: Any) -> Any:
            return (thing, *result)

    async def main() -> None:
        recorder = Recorder()
        assert await recorder.cloth(3, 4, tear_force=5) == ("object", "cloth.spawn", {"columns": 3, "rows": 4, "tearForce": 5})
        assert await recorder.object_list() == ("object.list", {})

    asyncio.run(main())
