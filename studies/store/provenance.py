"""`provenance.json`, beside every study: versions, machine, sources, times, and why cells stopped.

It describes the last run, and each run in `runs`. `stops` is missing after a run that was killed.
"""

from __future__ import annotations

import importlib.metadata
import os
import platform
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from studies.design.keys import Goal
from studies.version import VERSION

PROVENANCE = "provenance.json"
_TOP = Path(__file__).resolve().parents[2]

METHOD = "fixed-width stopping: once the ordinary interval is narrow (Chow & Robbins 1965)"
LEVEL = 0.95

GOAL, REACHED, INTERRUPTED = "goal", "matches", "interrupted"


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
    if not (_TOP / ".git").exists():
        return None
    describe = ["describe", "--always", "--exclude=*", "--abbrev=40", "--dirty=+changes"]
    try:
        return subprocess.run(  # noqa: S603 (fixed words)
            ["git", "-C", str(_TOP), *describe],  # noqa: S607 (the user's own git)
            capture_output=True,
            text=True,
            timeout=5,
            check=True,
        ).stdout.strip()
    except (OSError, subprocess.SubprocessError):
        return None


@dataclass(frozen=True)
class StopReason:
    """Why a cell stopped.

    Attributes
    ----------
    why : str
        "goal" (it needs no more matches), "matches" (the number wanted was reached) or
        "interrupted".
    deals : int
        Deals at the last look (0 without a goal).
    """

    why: str
    deals: int = 0


def as_record(stops: Mapping[str, StopReason], goal: Goal | None) -> dict[str, Any]:
    """Return the record in `provenance.json` of how the cells ended."""
    record = goal and {"half_width": goal.half_width, "level": LEVEL, "method": METHOD}
    return {"goal": record, "cells": {name: asdict(stop) for name, stop in stops.items()}}


def from_record(record: Mapping[str, Any]) -> tuple[Goal | None, dict[str, StopReason]]:
    """Return the goal of the run that wrote a record, if it had one, and what stopped each cell."""
    goal = Goal(half_width=record["goal"]["half_width"]) if record["goal"] else None
    stops = {}
    for name, cell in record["cells"].items():
        if not isinstance(cell["why"], str) or not isinstance(cell["deals"], int):
            raise TypeError(f"cell {name}: {cell['why']!r} after {cell['deals']!r} deals")
        stops[name] = StopReason(cell["why"], cell["deals"])
    return goal, stops
