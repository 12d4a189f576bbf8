# SPDX-License-Identifier: MIT
"""The notebooks run in a kernel as they are, and are pictures where nothing runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")
pytest.importorskip("anywidget")
pytest.importorskip("matplotlib")

NOTEBOOKS = Path(__file__).resolve().parent.parent / "notebooks"
NAMES = sorted(path.stem for path in NOTEBOOKS.glob("*.ipynb"))


def execute(name: str, ending: str = "") -> Any:
    """The notebook with its outputs, and with a last cell."""
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    if ending:
        notebook.cells.append(nbformat.v4.new_code_cell(ending))
    nbclient.NotebookClient(
        notebook, timeout=120, startup_timeout=300, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}}
    ).execute()
    return notebook


def outputs_of(notebook: Any, kind: str) -> list[Any]:
    data = [output.get("data", {}) for cell in notebook.cells for output in cell.get("outputs", [])]
    return [one[kind] for one in data if kind in one]


def test_there_are_three() -> None:
    assert NAMES == ["branch_and_compare", "first_cloth", "fit_parameters"]


@pytest.mark.parametrize("name", NAMES)
def test_a_notebook_is_kept_in_order(name: str) -> None:
    notebook = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    nbformat.validate(notebook)
    assert "widgets" not in notebook.metadata
    assert all(output.output_type != "error" for cell in notebook.cells for output in cell.get("outputs", []))
    assert outputs_of(notebook, "image/png"), "a picture is saved in it"
    assert all(cell.execution_count for cell in notebook.cells if cell.cell_type == "code"), "all its cells were run"


def test_the_first_cloth_falls_on_the_sphere_and_its_pictures_are_in_the_page() -> None:
    exporters = pytest.importorskip("nbconvert.exporters")
    notebook = execute("first_cloth", "import json\nprint(json.dumps([world.tick, float(cloth.positions[:, 1].max())]))")
    tick, top = json.loads(notebook.cells[-1].outputs[0].text)
    assert tick == 60 and 1.5 < top < 1.8, "it lies on the sphere, whose top is at 1.6 m"
    pictures = outputs_of(notebook, "image/png")
    assert len(pictures) == 2 and pictures[0] != pictures[1]
    assert len(outputs_of(notebook, "application/vnd.jupyter.widget-view+json")) == 2
    del notebook.metadata["widgets"]
    page, _ = exporters.HTMLExporter().from_notebook_node(notebook)
    assert all(picture.strip()[200:300] in page for picture in pictures)


def test_a_saved_state_of_widgets_is_small() -> None:
    notebook = execute("first_cloth")
    assert "widgets" in notebook.metadata
    assert len(json.dumps(notebook.metadata["widgets"])) < 300_000, "without the page's part"


def test_branches_are_compared_in_a_plot() -> None:
    notebook = execute("branch_and_compare", "import json\nprint(json.dumps([float(branches[wind][0][-1]) for wind in winds]))")
    ways = json.loads(notebook.cells[-1].outputs[0].text)
    assert ways == sorted(ways) and ways[-1] > ways[0] + 0.1
    assert len(outputs_of(notebook, "image/png")) == 2


def test_two_parameters_are_found_from_noisy_markers() -> None:
    notebook = execute("fit_parameters", "import json\nprint(json.dumps([list(deviations), remaining, seconds]))")
    deviations, remaining, seconds = json.loads(notebook.cells[-1].outputs[0].text)
    assert max(deviations) < 0.05, deviations
    assert 0.0049 < remaining < 0.0051, "the noise, and nothing else"
    assert seconds < 120
