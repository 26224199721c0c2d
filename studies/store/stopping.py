"""Why each cell of a study stopped: stored in `provenance.json`, shown by `run` and `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from studies.design.keys import Goal

METHOD = "fixed-width stopping: once the ordinary interval is narrow (Chow & Robbins 1965)"
LEVEL = 0.95

GOAL, REACHED, INTERRUPTED = "goal", "matches", "interrupted"


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
