"""What stopped each cell of a study: kept in `provenance.json`, shown by `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from studies.design.keys import Goal
from studies.stats.intervals import LEVEL, Interval
from studies.store.documents import read_provenance, read_study

ANYTIME = (
    "anytime-valid: empirical-Bernstein confidence sequence with a gamma-exponential mixture "
    "(Howard, Ramdas, McAuliffe & Sekhon 2021)"
)
FIXED_WIDTH = "fixed-width stopping: once the ordinary interval is narrow (Chow & Robbins 1965)"
RACE = (
    "race (Maron & Moore 1997; Even-Dar, Mannor & Mansour 2006): differences to the leader on the "
    "same deals by empirical-Bernstein confidence sequences (Howard, Ramdas, McAuliffe & Sekhon "
    "2021), the error split over all contestants (Bonferroni)"
)

GOAL, BEHIND, REACHED, INTERRUPTED = "goal", "behind", "matches", "interrupted"
AT_GOAL = (GOAL, BEHIND)
"""A cell with one of these needs no more matches."""


@dataclass(frozen=True)
class Standing:
    """How a contestant stood when its cell stopped (`[goal] best = true`).

    Attributes
    ----------
    where : str
        The contest; empty where there is but one.
    name, leader : str
        The contestant, and who led then (empty before the first look).
    spared, matches : int
        Matches that the stop saved; of how many at most.
    """

    where: str
    name: str
    leader: str
    spared: int
    matches: int


@dataclass
class Stop:
    """Why a cell is as long as it is.

    Attributes
    ----------
    why : str
        "goal", "behind" (clearly worse than the best), "matches" (the number wanted was reached)
        or "interrupted".
    deals : int
        Deals that are there and that the intervals are made of (0 without a goal).
    reached : int or None
        Deals at which the goal was first met; a baseline may go on for its variants.
    intervals : dict of str to Interval
        `differ` (share of other winners), `share.POLICY` (per seat held), `position.K`, and for
        variants `change.POLICY` (of the win rate per seat held) and `position_change.K`. Of a
        contestant `gap`: its win rate less the leader's, on the same deals.
    contest : Standing or None
        Where the goal is to find the best.
    """

    why: str
    deals: int
    reached: int | None = None
    intervals: dict[str, Interval] = field(default_factory=dict)
    contest: Standing | None = None


@dataclass(frozen=True)
class Verdict:
    """What is known of a contest.

    Attributes
    ----------
    where : str
        As `Standing.where`.
    best : str or None
        The one that is left.
    open : list of str
        Otherwise those between whom it is open, the leader first.
    stopped_by : str
        "goal" (one is left, or the open ones lie within the half-width of the leader), "matches" or
        "interrupted".
    """

    where: str
    best: str | None
    open: list[str]
    stopped_by: str

    def told(self, half_width: float) -> str:
        """Return it as a sentence."""
        at = f"{self.where}: " if self.where else ""
        if self.best is not None:
            return f"{at}{self.best} is the best."
        which = f"{at}open between {', '.join(self.open)} (the first of them leads)"
        why = {
            GOAL: f"the rest lie within ±{half_width:g} of it",
            REACHED: "the matches are used up",
            INTERRUPTED: "interrupted",
        }
        return f"{which}; {why[self.stopped_by]}."


def verdicts(stops: Mapping[str, Stop]) -> list[Verdict]:
    """Return what is known of each contest."""
    contests: dict[str, list[tuple[Stop, Standing]]] = {}
    for stop in stops.values():
        if stop.contest:
            contests.setdefault(stop.contest.where, []).append((stop, stop.contest))
    found = []
    for where, members in contests.items():
        left = [(stop, own) for stop, own in members if stop.why != BEHIND]
        names = sorted((own.name for _, own in left), key=lambda name: name != left[0][1].leader)
        alone = len(left) == 1
        found.append(
            Verdict(where, names[0] if alone else None, [] if alone else names, left[0][0].why)
        )
    return found


def saved(stops: Mapping[str, Stop]) -> tuple[int, float]:
    """Return the matches that stopping early saved, and their share of all."""
    standings = [stop.contest for stop in stops.values() if stop.contest]
    spared = sum(own.spared for own in standings)
    return spared, spared / max(1, sum(own.matches for own in standings))


def saved_words(stops: Mapping[str, Stop]) -> str:
    """Return what stopping early saved, in words."""
    spared, share = saved(stops)
    return f"{spared:,} matches ({100 * share:.3g} % of all) were not needed."


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
            **({"contest": asdict(stop.contest)} if stop.contest else {}),
        }
        for name, stop in stops.items()
    }
    told = goal and {
        "half_width": goal.half_width,
        "anytime": goal.anytime,
        "best": goal.best,
        "level": LEVEL,
        "method": RACE if goal.best else ANYTIME if goal.anytime else FIXED_WIDTH,
    }
    if not goal or not goal.best:
        return {"goal": told, "cells": cells}
    spared, share = saved(stops)
    return {
        "goal": told,
        "contests": [asdict(verdict) for verdict in verdicts(stops)],
        "matches_saved": spared,
        "share_saved": share,
        "cells": cells,
    }


_STANDING = {one.name for one in fields(Standing)}


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
    kept = {"half_width", "anytime", "best"}
    goal = Goal.model_validate(stored.model_dump(include=kept)) if stored else None
    return goal, {
        name: Stop(
            one.why,
            one.deals,
            one.goal_reached_at,
            {key: Interval(*bounds) for key, bounds in one.intervals.items()},
            Standing(**one.contest.model_dump(include=_STANDING)) if one.contest else None,
        )
        for name, one in stops.cells.items()
    }
