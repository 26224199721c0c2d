"""What stopped each cell of a study: kept in `provenance.json`, shown by `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from studies.design.study import Goal
from studies.stats.intervals import LEVEL, Interval
from studies.store.documents import read_provenance, read_study

ANYTIME = (
    "anytime-valid: empirical-Bernstein confidence sequence with a gamma-exponential mixture "
    "(Howard, Ramdas, McAuliffe & Sekhon 2021)"
)
FIXED_WIDTH = "fixed-width stopping: once the ordinary interval is narrow (Chow & Robbins 1965)"

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


def as_record(stops: Mapping[str, Stop], goal: Goal | None) -> dict[str, Any]:
    """Return what `provenance.json` keeps of how the cells ended."""
    cells = {
        name: {
            "why": stop.why,
            "deals": stop.deals,
            **({"goal_reached_at": stop.reached} if goal else {}),
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
    told = goal and {
        "half_width": goal.half_width,
        "anytime": goal.anytime,
        "level": LEVEL,
        "method": ANYTIME if goal.anytime else FIXED_WIDTH,
    }
    return {"goal": told, "cells": cells}


def read_stops(directory: Path) -> tuple[Goal | None, dict[str, Stop]]:
    """Return the goal of the last run, if it had one, and what stopped each cell.

    A directory whose last run was killed has no cells here.

    Raises
    ------
    DataError
        If `provenance.json` or `study.toml` is damaged.
    """
    stops = read_provenance(directory).stops
    if stops is None:
        study = read_study(directory)
        return (study.goal if study is not None else None), {}
    stored = stops.goal
    goal = Goal(half_width=stored.half_width, anytime=stored.anytime) if stored else None
    return goal, {
        name: Stop(
            one.why,
            one.deals,
            one.goal_reached_at,
            {key: Interval(*bounds) for key, bounds in one.intervals.items()},
        )
        for name, one in stops.cells.items()
    }
