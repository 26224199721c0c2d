"""What stopped each cell of a study: kept in `provenance.json`, shown by `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studies.stats.intervals import LEVEL, Interval
from studies.store.documents import read_provenance, read_study

METHOD = (
    "anytime-valid: empirical-Bernstein confidence sequence with a gamma-exponential mixture "
    "(Howard, Ramdas, McAuliffe & Sekhon 2021)"
)

GOAL, REACHED, INTERRUPTED = "goal", "matches", "interrupted"


@dataclass
class Stop:
    """Why a cell is as long as it is.

    Attributes
    ----------
    why : str
        "goal", "matches" (the number wanted was reached) or "interrupted".
    deals : int
        Deals that are there and that the intervals are made of (0 without a goal).
    reached : int or None
        Deals at which the goal was first met; a baseline may go on for its variants.
    intervals : dict of str to Interval
        `differ` (share of other winners), `share.POLICY` (per seat held), `position.K`, and for
        variants `change.POLICY` (of the win share per seat held) and `position_change.K`.
    """

    why: str
    deals: int
    reached: int | None = None
    intervals: dict[str, Interval] = field(default_factory=dict)


def as_record(stops: Mapping[str, Stop], half_width: float | None) -> dict[str, Any]:
    """Return what `provenance.json` keeps of how the cells ended."""
    cells = {
        name: {
            "why": stop.why,
            "deals": stop.deals,
            **({"goal_reached_at": stop.reached} if half_width else {}),
            **(
                {
                    "intervals": {
                        key: [interval.estimate, interval.low, interval.high]
                        for key, interval in stop.intervals.items()
                    }
                }
                if stop.intervals
                else {}
            ),
        }
        for name, stop in stops.items()
    }
    goal = {"half_width": half_width, "level": LEVEL, "method": METHOD} if half_width else None
    return {"goal": goal, "cells": cells}


def read_stops(directory: Path) -> tuple[float | None, dict[str, Stop]]:
    """Return the goal's half-width (None without a goal) and what stopped each cell.

    A directory whose last run was killed has no cells here.

    Raises
    ------
    DataError
        If `provenance.json` or `study.toml` is damaged.
    """
    stops = read_provenance(directory).stops
    if stops is None:
        study = read_study(directory)
        return (study.goal.half_width if study is not None and study.goal else None), {}
    return (stops.goal.half_width if stops.goal else None), {
        name: Stop(
            one.why,
            one.deals,
            one.goal_reached_at,
            {key: Interval(*bounds) for key, bounds in one.intervals.items()},
        )
        for name, one in stops.cells.items()
    }
