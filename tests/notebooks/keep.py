"""Notebooks with the outputs of their present sources.

`python -m tests.notebooks.keep [NAME…]` runs the notebooks in folders of their own and keeps what
their cells showed; the tests tell when a cell has been changed since.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from pathlib import Path

import nbclient
import nbformat

from tests.patience import PATIENCE
from tests.programs import ROOT

FOLDER = ROOT / "notebooks"
KEPT = ("text/html", "text/plain", "text/markdown", "image/png", "image/svg+xml")
SOURCES = "sources"
"""Entry of a notebook's metadata: the hash of the sources that its outputs belong to."""


def sources_of(notebook: nbformat.NotebookNode) -> str:
    """Return the hash of a notebook's cells, without what they showed."""
    text = "\0".join(f"{cell.cell_type}\0{cell.source}" for cell in notebook.cells)
    return hashlib.sha256(text.encode()).hexdigest()


def execute(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Run a notebook in a folder; its outputs are then in its cells."""
    places = [str(ROOT), str(ROOT / "studies" / "front"), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places), "TMPDIR": str(folder)}
    client = nbclient.NotebookClient(
        notebook,
        timeout=PATIENCE,
        kernel_name="python3",
        resources={"metadata": {"path": str(folder)}},
    )
    client.execute(env=environment)


def strip(notebook: nbformat.NotebookNode, folder: Path) -> None:
    """Leave of the outputs what is shown on any machine, and note whose they are."""
    for number, cell in enumerate(own for own in notebook.cells if own.cell_type == "code"):
        cell.metadata = {}
        cell.execution_count = number + 1
        cell.outputs = [own for own in cell.outputs if own.output_type != "stream" or own.text]
        for output in cell.outputs:
            if output.output_type == "execute_result":
                output.execution_count = number + 1
            if "data" in output:
                output.data = {
                    kind: _portable(text, folder)
                    for kind, text in output.data.items()
                    if kind in KEPT
                }
                output.metadata = {}
            if "text" in output:
                output.text = _portable(output.text, folder)
    notebook.metadata[SOURCES] = sources_of(notebook)


def _portable(text: str, folder: Path) -> str:
    # A page lets names break after their underscores, and a folder's name may have some.
    name = re.escape(str(folder)).replace("_", "_(?:<wbr>)?")
    return re.sub(rf"{name}(/tmp(?:\w|<wbr>)+)?", "results", text)


def main() -> None:
    """Run the notebooks that are named, or all, and write them."""
    for path in sorted(FOLDER.glob("*.ipynb")):
        if sys.argv[1:] and path.stem not in sys.argv[1:]:
            continue
        notebook = nbformat.read(path, as_version=4)
        with tempfile.TemporaryDirectory() as folder:
            execute(notebook, Path(folder))
            strip(notebook, Path(folder))
        nbformat.write(notebook, path)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
