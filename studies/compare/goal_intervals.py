"""What a goal means for the intervals of a comparison: which hold although cells stopped early."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from studies.compare.results import Comparison, Fares, LineupResult, VariantEffect, WinEffect
from studies.design.study import BASELINE
from studies.stats.intervals import LEVEL, Interval
from studies.store.cellfile import stored_cells
from studies.store.stop_reasons import (
    ANYTIME,
    BEHIND,
    FIXED_WIDTH,
    GOAL,
    INTERRUPTED,
    RACE,
    REACHED,
    Stop,
    read_stops,
    saved_words,
    verdicts,
)

Own = TypeVar("Own", bound=Fares)
Moved = TypeVar("Moved", bound=WinEffect)


def hold_goal(directory: Path, comparison: Comparison) -> Comparison:
    """Say what a study's goal means for its comparison, and put anytime-valid intervals into it.

    The intervals of other winners and of win rates, and of the changes of win rates, become those
    that hold although the cells stopped when they were narrow; a remark says which they are and
    what of the rest is for a number of deals fixed beforehand. A comparison of a study without a
    goal is returned as it is; where cells stopped by the width of ordinary intervals, these stay.
    Where the goal is to find the best, a remark says who it is.
    """
    goal, stops = read_stops(directory)
    if goal is None:
        return comparison
    named = f"Goal ±{goal.half_width:g}"
    if not stops:
        remark = (
            f"{named}: the last run was killed, so that nothing is known yet of what has reached "
            "it; run the study again. All intervals are for a number of deals fixed beforehand."
        )
        return replace(comparison, remarks=[*comparison.remarks, remark])
    if goal.best:
        told = " ".join(verdict.told(goal.half_width) for verdict in verdicts(stops))
        remark = (
            f"{named}, best: {told} With {100 * LEVEL:g} % probability the best is among those "
            f"that are left ({RACE}). All intervals and p-values here are for a number of deals "
            "fixed beforehand and say somewhat too much of cells that stopped early. "
            f"{_told(stops)} {saved_words(stops)}"
        )
        return replace(comparison, remarks=[*comparison.remarks, remark])
    if not goal.anytime:
        remark = (
            f"{named}: cells stopped once the {100 * LEVEL:g} % intervals of "
            "“other winners”, win rates and their changes were as narrow, whatever they said "
            f"({FIXED_WIDTH}). They and all others are the usual intervals. {_told(stops)}"
        )
        return replace(comparison, remarks=[*comparison.remarks, remark])
    if comparison.level != LEVEL:
        remark = (
            f"{named}: cells stopped by intervals of {100 * LEVEL:g} %, which hold whenever one "
            "stops; those shown here are for a number of deals fixed beforehand and "
            f"say somewhat too much of cells that stopped early. {_told(stops)}"
        )
        return replace(comparison, remarks=[*comparison.remarks, remark])
    by_place = {
        (cell.variant, cell.lineup, json.dumps(cell.point)): stops[cell.id].intervals
        for cell in stored_cells(directory)
        if cell.id in stops
    }

    def held(variant: str, one: VariantEffect | LineupResult) -> dict[str, Interval]:
        return by_place.get((variant, one.lineup, json.dumps(one.point)), {})

    variants = []
    for effect in comparison.variants:
        own, names = held(effect.variant, effect), _meant(effect.aborted)
        policies = [
            _held_change(policy, own, f"change.{policy.policy}", names)
            for policy in effect.policies
        ]
        positions = [
            _held_change(one, own, f"position_change.{one.position}", names)
            for one in effect.positions
        ]
        differ = own.get("differ", effect.winners_differ)
        another = effect.another_winner if any(effect.aborted) else differ
        variants.append(
            replace(
                effect,
                policies=policies,
                positions=positions,
                winners_differ=differ,
                another_winner=another,
            )
        )
    lineups = []
    for result in comparison.lineups:
        own, names = held(BASELINE, result), _meant([result.aborted])
        lineups.append(
            replace(
                result,
                policies=[_held(one, own, f"share.{one.policy}", names) for one in result.policies],
                positions=[
                    _held(one, own, f"position.{one.position}", names) for one in result.positions
                ],
            )
        )
    remark = (
        f"{named}: “other winners”, win rates and their changes have intervals that hold "
        f"whenever one stops ({ANYTIME}). All other intervals and p-values are for a number of "
        "deals fixed beforehand and say somewhat too much of cells that stopped early. "
        + (_OF_ALL if any(result.aborted for result in lineups) else "")
        + _told(stops)
    )
    remarks = [*comparison.remarks, remark]
    return replace(comparison, variants=variants, lineups=lineups, remarks=remarks, anytime=True)


_OF_ALL = (
    "Where matches are aborted, these are the shares of all matches, in which an aborted one "
    "counts as won by nobody; the shares of decided matches are among the others. "
)


def _meant(aborted: Sequence[int]) -> tuple[str, ...]:
    """Return the fields that the sequences, which are about all matches, speak of."""
    return ("win_share_of_all",) if any(aborted) else ("win_share_of_all", "win_share")


def _held(one: Own, own: Mapping[str, Interval], key: str, names: Sequence[str]) -> Own:
    now: Any = own.get(key)
    return replace(one, **dict.fromkeys(names, now)) if now else one


def _held_change(one: Moved, own: Mapping[str, Interval], key: str, names: Sequence[str]) -> Moved:
    now = own.get(key)
    return replace(one, **{name: replace(getattr(one, name), change=now) for name in names if now})


def _told(stops: Mapping[str, Stop]) -> str:
    counts = Counter(stop.why for stop in stops.values())
    words = {
        GOAL: "reached the goal",
        BEHIND: "fell behind",
        REACHED: "were played to the number of matches without it",
        INTERRUPTED: "were interrupted",
    }
    told = [f"{counts[why]} {text}" for why, text in words.items() if counts[why]]
    return f"Of {len(stops)} cells {', '.join(told)}."
