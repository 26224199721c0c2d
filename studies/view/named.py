"""Figures of a study by name, for notebooks: `results.figure("seats")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from simcore.errors import InputError, unknown
from studies.answers.filters import Filters
from studies.answers.reference import reference_among
from studies.measures import BASELINE
from studies.store.opened import open_study
from studies.view.answer import Answer
from studies.view.figures import draw
from studies.view.findings import findings
from studies.view.query import View
from studies.view.study import study_answer

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NEEDS = {
    "variants": "two variants or more",
    "variants_map": "variants, and several line-ups or points of a sweep",
    "seats": "matches, and seats that do not all win together",
    "table": "a game whose seats all win together",
    "seats_map": "several line-ups or points of a sweep",
    "length": "matches of several lengths",
    "length_map": "a sweep of two options",
    "length_by_point": "a sweep, and variants that change the length",
    "strengths": "policies that have all met and won, in several line-ups",
    "win_rates": "a sweep, and one line-up of different policies",
    "policy_seats": "a line-up of different policies",
    "payoffs": "three policies or more that have met",
    "cards": "the rules file cards",
    "factors": "[factors], two or more",
    "drama": "matches whose lead changes",
    "luck": "two or more rotated line-ups of different policies, 256 deals each",
    "measures": "[measures]",
}
"""The figures, and what a study must have for them."""


def figure(
    directory: Path,
    name: str,
    variants: Sequence[str] = (),
    lineup: str | None = None,
    at: Mapping[str, Any] | None = None,
    *,
    trust: bool = False,
) -> Figure:
    """Draw a figure of a study by its name.

    Parameters
    ----------
    name : str
        One of `NEEDS`.
    variants, lineup, at
        Restrictions; by default everything is shown.
    trust : bool
        Whether Python files that the directory names or carries may be run.

    Raises
    ------
    InputError
        If there is no such figure, or the study lacks what it needs.
    """
    if name not in NEEDS:
        raise unknown("figure", name, NEEDS)
    answer = _part(_answer(directory, _stamp(directory), trust), variants, lineup, at or {})
    for finding in findings(View(answer)):
        for grid in finding.grids:
            if (
                grid.name == name
                and grid.chart
                and (grid.columns or (grid.counts and grid.counts()))
            ):
                chart = draw(grid)
                chart.suptitle(grid.heading, x=0.01, ha="left", fontsize=10, wrap=True)
                return chart
    reasons = (f"it needs {NEEDS[name]}", *answer.notes)
    raise InputError(f"figure {name!r}: {'; '.join(reasons)}")


@lru_cache(maxsize=1)
def _answer(directory: Path, stamp: float, trust: bool) -> Answer:
    del stamp
    return study_answer(open_study(directory, trust=trust))


def _stamp(directory: Path) -> float:
    """Return a number that changes when more matches are played."""
    return max((file.stat().st_mtime for file in directory.glob("*.json")), default=0.0)


def _part(
    answer: Answer, variants: Sequence[str], lineup: str | None, at: Mapping[str, Any]
) -> Answer:
    """Return a part of an answer, or refuse what it lacks."""
    chosen = tuple(name for name in variants if name != BASELINE)
    part = answer.only(Filters(variant=chosen, lineup=(lineup,) if lineup else ()))
    frame = part.frame
    if variants and not chosen:
        frame = frame.filter(variant=BASELINE)
    keys = frame.columns[: frame.columns.index("lineup")]
    for key, value in at.items():
        if key not in keys:
            raise unknown("sweep key", key, keys, "of the study")
        frame = frame.filter(pl.col(key) == value)
    if not len(frame.filter(kind="level")):
        raise InputError("the study has no such table")
    return replace(part, frame=frame, reference=reference_among(part.reference, frame))
