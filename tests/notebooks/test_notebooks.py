"""The notebooks run from a clean checkout; what outputs they keep are those of their sources."""

import ast
import re
import sys

import pytest

from simcore.game import game_names

nbformat = pytest.importorskip("nbformat", reason="needs the extra `whole`")
nbclient = pytest.importorskip("nbclient", reason="needs the extra `whole`")
pytest.importorskip("ipykernel", reason="needs the extra `whole`")

from tests.notebooks.keep import FOLDER, SOURCES, execute, sources_of  # noqa: E402

pytestmark = pytest.mark.whole

NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
TOUR = "tour"
"""The notebook in which the name of a game is set."""

SHOWN = {path.stem for path in NOTEBOOKS}
"""Notebooks that are kept with their figures: all."""


def read(path):
    return nbformat.read(path, as_version=4)


def code(notebook):
    return [cell.source for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_defines_no_function(path):
    notebook = read(path)
    nbformat.validate(notebook)
    for source in code(notebook):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        for node in ast.walk(ast.parse(plain)):
            assert not isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_kept_outputs_are_those_of_the_present_cells(path):
    """Without running: a notebook that was changed is kept anew, or without outputs."""
    notebook = read(path)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    anew = f"python -m tests.notebooks.keep {path.stem}"
    assert notebook.metadata.get(SOURCES) == (sources_of(notebook) if outputs else None), anew
    assert not [own for own in outputs if own.output_type == "error" or own.get("name") == "stderr"]
    text = re.sub(r'"image/png": "[^"]*"', "", path.read_text("utf-8"))
    assert not re.search(r"/(tmp|home|root|work|Users)/", text), anew


def test_kept_outputs_are_small_and_show_figures():
    assert sum(path.stat().st_size for path in NOTEBOOKS) < 1_000_000
    shown = [path.stem for path in NOTEBOOKS if '"image/png"' in path.read_text("utf-8")]
    assert set(shown) >= SHOWN


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_imports_nothing_from_inside(path):
    allowed = {"cardlab", "polars", "matplotlib", *sys.stdlib_module_names}
    for source in code(read(path)):
        plain = "\n".join(line for line in source.splitlines() if not line.startswith("%"))
        for node in ast.walk(ast.parse(plain)):
            names = [name.name for name in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert {name.partition(".")[0] for name in names} <= allowed


def figures_of(notebook, folder):
    """Run a notebook; warnings and errors of its code show."""
    execute(notebook, folder)
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert not [output for output in outputs if output.output_type == "error"]
    text = [output.text for output in outputs if output.get("name") == "stderr"]
    assert text == []
    return sum("image/png" in output.get("data", {}) for output in outputs)


@pytest.mark.filterwarnings("ignore")  # of the machinery that runs notebooks
@pytest.mark.parametrize(
    "path", [path for path in NOTEBOOKS if path.stem != TOUR], ids=lambda path: path.stem
)
def test_runs(path, tmp_path):
    assert figures_of(read(path), tmp_path) >= 2


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", game_names())
def test_tour_of_a_game(game, tmp_path):
    notebook = read(FOLDER / f"{TOUR}.ipynb")
    (first,) = [cell for cell in notebook.cells if cell.source == 'GAME = "up"']
    first.source = f'GAME = "{game}"'
    assert figures_of(notebook, tmp_path) >= 4
