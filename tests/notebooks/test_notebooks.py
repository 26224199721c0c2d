"""The notebooks run from a clean checkout, and are kept without their outputs."""

import ast
import os
import sys
from pathlib import Path

import pytest

from simcore.game import game_names
from tests.patience import PATIENCE

nbformat = pytest.importorskip("nbformat", reason="needs the extra `notebooks`")
nbclient = pytest.importorskip("nbclient", reason="needs the extra `notebooks`")
pytest.importorskip("ipykernel", reason="needs the extra `notebooks`")

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
TOUR = "tour"
"""The notebook in which the name of a game is set."""


def read(path):
    return nbformat.read(path, as_version=4)


def code(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_is_stripped_and_defines_no_function(path):
    notebook = read(path)
    nbformat.validate(notebook)
    for cell in notebook.cells:
        if cell.cell_type == "code":
            assert cell.outputs == []
            assert cell.execution_count is None
    for source in code(notebook):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        for node in ast.walk(ast.parse(plain)):
            assert not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_imports_nothing_from_inside(path):
    allowed = {"cardlab", "polars", "matplotlib", *sys.stdlib_module_names}
    for source in code(read(path)):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        for node in ast.walk(ast.parse(plain)):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed


def execute(notebook, folder, monkeypatch):
    """Run a notebook in a folder of its own; warnings and errors of its code show."""
    places = [str(ROOT), str(ROOT / "studies" / "front"), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(places))
    monkeypatch.setenv("TMPDIR", str(folder))
    client = nbclient.NotebookClient(
        notebook,
        timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    said = [output.text for output in outputs if output.get("name") == "stderr"]
    assert said == []
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.filterwarnings("ignore")  # of the machinery that runs notebooks
@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if path.stem != TOUR], ids=lambda path: path.stem
)
def test_runs(path, tmp_path, monkeypatch):
    assert execute(read(path), tmp_path, monkeypatch) >= 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", game_names())
def test_tour_of_a_game(game, tmp_path, monkeypatch):
    notebook = read(ROOT / "notebooks" / f"{TOUR}.ipynb")
    (first,) = [cell for cell in notebook.cells if cell.source == 'GAME = "up"']
    first.source = f'GAME = "{game}"'
    assert execute(notebook, tmp_path, monkeypatch) >= 5
