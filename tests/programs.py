"""Python programs that a test starts, `cardlab` among them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tests.patience import PATIENCE

ROOT = Path(__file__).parent.parent
CARDLAB = ("-m", "studies.cli.app")
"""Arguments of Python that start `cardlab`."""


def environment(*folders: Path, **variables: str) -> dict[str, str]:
    """Return this process's environment for a program that imports cardlab, from any folder."""
    paths = os.pathsep.join(map(str, (*folders, ROOT, *sys.path)))
    return {**os.environ, "PYTHONPATH": paths, **variables}


def run_python(
    *arguments: object, folder: Path = ROOT, patience: float | None = PATIENCE, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run Python in a folder and wait for its end; keywords are added to its environment."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=folder,
        env=environment(folder, **variables),
        capture_output=True,
        text=True,
        check=False,
        timeout=patience,
    )


def run_cardlab(
    *words: object, folder: Path = ROOT, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run `cardlab` as a program and wait for its end."""
    return run_python(*CARDLAB, *words, folder=folder, **variables)
