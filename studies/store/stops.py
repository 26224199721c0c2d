"""Why each cell of a study stopped: stored in `provenance.json`, shown by `run` and `compare`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from studies.design.keys import Goal

FIXED_WIDTH = "fixed-width stopping: once the ordinary interval is narrow (Chow & Robbins 1965)"
RACE = (
    "race (Maron & Moore 1997; Even-Dar, Mannor & Mansour 2006): differences to the leader on the "
    "same deals by empirical-Bernstein confidence sequences (Howard, Ramdas, McAuliffe & Sekhon "
    "2021), the error split over all contestants (Bonferroni)"
)
LEVEL = 0.95

GOAL, BEHIND, REACHED, INTERRUPTED = "goal", "behind", "matches", "interrupted"
AT_GOAL = (GOAL, BEHIND)
"""A cell with one of these needs no more matches."""


@dataclass(frozen=True)
class Standing:
    """The standing of a contestant when its cell stopped (`[goal] best = true`).

    Attributes
    ----------
    where : str
        The contest; empty if there is only one.
    name, leader : str
        The contestant, and who led then (empty before the first look).
    gap : (float, float, float) or None
        Its win rate less the leader's on the same deals: estimate, low, high. None of the leader.
    spared, matches : int
        Matches saved by stopping, and the maximum number of matches.
    """

    where: str
    name: str
    leader: str
    gap: tuple[float, float, float] | None
    spared: int
    matches: int


@dataclass(frozen=True)
class Stop:
    """Why a cell stopped.

    Attributes
    ----------
    why : str
        "goal", "behind" (clearly worse than the best), "matches" (the number wanted was reached)
        or "interrupted".
    deals : int
        Deals at the last look (0 without a goal).
    contest : Standing or None
        Where the goal is to find the best.
    """

    why: str
    deals: int = 0
    contest: Standing | None = None


@dataclass(frozen=True)
class Verdict:
    """The state of a contest.

    Attributes
    ----------
    where : str
        As `Standing.where`.
    best : str or None
        The winner, if only one is left.
    open : list of str
        Otherwise the remaining contestants, the leader first.
    stopped_by : str
        "goal" (one is left, or the open ones lie within the half-width of the leader), "matches" or
        "interrupted".
    """

    where: str
    best: str | None
    open: list[str]
    stopped_by: str

    def told(self, half_width: float) -> str:
        """Return the verdict as a sentence."""
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
    """Return the state of each contest."""
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


def as_record(stops: Mapping[str, Stop], goal: Goal | None) -> dict[str, Any]:
    """Return the record in `provenance.json` of how the cells ended."""
    told = goal and {
        "half_width": goal.half_width,
        "best": goal.best,
        "level": LEVEL,
        "method": RACE if goal.best else FIXED_WIDTH,
    }
    return {"goal": told, "cells": {name: asdict(stop) for name, stop in stops.items()}}


def from_record(record: Mapping[str, Any]) -> tuple[Goal | None, dict[str, Stop]]:
    """Return the goal of the run that wrote a record, if it had one, and what stopped each cell."""
    told = record["goal"]
    goal = Goal(half_width=told["half_width"], best=told["best"]) if told else None
    stops = {}
    for name, one in record["cells"].items():
        contest = one["contest"]
        if contest:
            gap = contest["gap"]
            contest = Standing(**{**contest, "gap": tuple(gap) if gap else None})
        if not isinstance(one["why"], str) or not isinstance(one["deals"], int):
            raise TypeError(f"cell {name}: {one['why']!r} after {one['deals']!r} deals")
        stops[name] = Stop(one["why"], one["deals"], contest)
    return goal, stops
