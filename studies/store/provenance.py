"""Provenance of results: versions, machine, sources, time. Written beside every study."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from studies.version import VERSION

PROVENANCE = "provenance.json"
_TOP = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Provenance:
    """The content of `provenance.json`.

    Attributes
    ----------
    document : dict
        The document: title, game, assumptions, the result of `describe_run` for the last
        run, for each run in `runs`, and how the cells ended in `stops` (not after a killed run).
    """

    document: dict[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Title of the study."""
        return self._text("title")

    @property
    def cardlab(self) -> str:
        """Version of the last run."""
        return self._text("cardlab")

    @property
    def source(self) -> str:
        """Hash of the sources of the last run."""
        return self._text("source") or "?"

    @property
    def time(self) -> str:
        """Time of the last run."""
        return self._text("time") or "?"

    @property
    def runs(self) -> list[dict[str, Any]]:
        """Descriptions of all runs."""
        runs = self.document.get("runs")
        return [run for run in runs if isinstance(run, dict)] if isinstance(runs, list) else []

    def _text(self, key: str) -> str:
        return "".join(letter for letter in str(self.document.get(key, "")) if letter.isprintable())


def describe_run(threads: int, strategy_files: dict[str, str]) -> dict[str, object]:
    """Return a description of a run that begins now."""
    from simcore.jit import source_hash

    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "cardlab": VERSION,
        "source": source_hash(),
        "git_revision": git_revision(),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("numpy", "numba", "pyarrow")},
        "platform": platform.platform(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        "threads": threads,
        "command": sys.argv,
        "strategy_files": strategy_files,
    }


@cache
def git_revision() -> str | None:
    """Return the commit of the checkout that cardlab runs from, with "+changes" if it is modified.

    None if cardlab does not run from its own checkout.
    """
    try:
        top, head, changes = (
            subprocess.run(  # noqa: S603 (fixed words)
                ["git", "-C", str(_TOP), *command],  # noqa: S607 (the user's own git)
                capture_output=True,
                text=True,
                timeout=5,
                check=True,
            ).stdout.strip()
            for command in (
                ["rev-parse", "--show-toplevel"],
                ["rev-parse", "HEAD"],
                ["status", "--porcelain", "--untracked-files=no"],
            )
        )
    except (OSError, subprocess.SubprocessError):
        return None
    if Path(top).resolve() != _TOP:
        return None
    return head + ("+changes" if changes else "")
