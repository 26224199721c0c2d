"""The report's figures by name, for notebooks: `results.figure("seats")`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from simcore.errors import InputError, unknown
from studies.measures import BASELINE
from studies.report.report_data import ReportData
from studies.report.sections import sections
from studies.store.opened import open_study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = {
    "variants": "variants",
    "variants_map": "variants-map",
    "seats": "seats",
    "seats_map": "seats-map",
    "length_map": "length-map",
    "length": "length",
    "length_by_point": "length-variants",
    "strengths": "ladder",
    "win_rates": "win-rates",
    "policy_seats": "policy-seats",
    "payoffs": "payoffs",
    "cards": "cards",
    "factors": "factors",
    "drama": "drama",
    "luck": "luck",
}
"""Kinds of figures, and what they are called on the page."""

NEEDS = {
    "variants": "two variants or more",
    "variants_map": "two variants or more, and several line-ups or points of a sweep",
    "seats_map": "several line-ups or points of a sweep",
    "length_map": "a sweep of two options",
    "length_by_point": "a sweep, and variants that change the length",
    "strengths": "policies that have all met and won",
    "win_rates": "a sweep, and one line-up of different policies",
    "policy_seats": "a line-up of different policies",
    "payoffs": "three policies or more that have met",
    "factors": "[factors], two or more",
    "luck": "two or more rotated line-ups of different policies, 256 deals each",
}
"""What a study must have for a figure, where it takes more than matches."""


def draw(
    directory: Path,
    kind: str,
    variants: Sequence[str] = (),
    lineup: str | None = None,
    at: Mapping[str, Any] | None = None,
    *,
    trust: bool = False,
) -> Figure:
    """Draw one of the report's figures.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    variants, lineup, at
        Restrictions; by default everything is shown.
    trust : bool
        Whether Python files that the directory names or carries may be run.

    Raises
    ------
    InputError
        If there is no such figure, or the study lacks what it needs.
    """
    if kind not in KINDS:
        raise unknown("figure", kind, KINDS)
    data = _part(_report_data(directory, _stamp(directory), trust), variants, lineup, at or {})
    for section in sections(data):
        for picture in section.pictures:
            if picture.name == KINDS[kind]:
                return picture.draw(narrow=False)
    reasons = (f"it needs {NEEDS.get(kind, 'matches')}", *data.screen.notes)
    raise InputError(f"figure {kind!r}: {'; '.join(reasons)}")


@lru_cache(maxsize=1)
def _report_data(directory: Path, stamp: float, trust: bool) -> ReportData:
    del stamp
    return ReportData.of(open_study(directory, trust=trust))


def _stamp(directory: Path) -> float:
    """Return a number that changes when more matches are played."""
    return max((file.stat().st_mtime for file in directory.glob("*.json")), default=0.0)


def _part(
    data: ReportData, variants: Sequence[str], lineup: str | None, at: Mapping[str, Any]
) -> ReportData:
    """Return the data of a part of the frame.

    Raises
    ------
    InputError
        If nothing matches.
    """
    frame = data.screen.frame
    chosen = {
        "lineup": [lineup, ""] if lineup else [],
        "variant": [*variants, BASELINE] if variants else [],
    }
    for name, values in chosen.items():
        known = frame[name].unique(maintain_order=True).to_list()
        for value in values:
            if value and value not in known:
                raise unknown(name, value, [value for value in known if value], "of the study")
        if values:
            frame = frame.filter(pl.col(name).is_in(values))
    for key, value in at.items():
        if key not in data.screen.keys:
            raise unknown("sweep key", key, data.screen.keys, "of the study")
        frame = frame.filter(pl.col(key) == value)
    if not len(frame.filter(kind="level")):
        raise InputError("the study has no such table")
    return ReportData(replace(data.screen, frame=frame), data.stored)
