"""The reference line-up of a study, which its first numbers and its headlines describe.

Match length, fairness of seats and effects of rules depend on who plays. The reference is the
strongest line-up, so that answers do not describe random play if better players are present, unless
the study names one (`[compare] reference`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studies.measures import BASELINE, Table

if TYPE_CHECKING:
    import polars as pl


def named_reference(study: Any) -> str:
    """Return the reference line-up that a study names; "" if it names none."""
    return (study.compare and study.compare.reference) or ""


def reference_among(reference: str, frame: pl.DataFrame) -> str:
    """Return the reference of a part of a study: the first line-up where it is not in the part."""
    lineups = frame.filter(kind="level")["lineup"].unique(maintain_order=True).to_list()
    return reference if reference in lineups or not lineups else str(lineups[0])


def reference_of(cells: Sequence[Table], frame: pl.DataFrame, named: str = "") -> str:
    """Return the reference line-up of a study.

    A policy in all seats if there is one: line-ups with variants first, then the
    policy that is furthest ahead of those that it meets.

    Parameters
    ----------
    cells : sequence of Table
    frame : polars.DataFrame
        The frame of `studies.answers.frame.answers`.
    named : str
        The line-up that the study names.
    """
    import polars as pl

    levels = frame.filter(kind="level", variant=BASELINE)
    keys = frame.columns[: frame.columns.index("lineup")]
    first = levels.head(1).select(keys)
    # Line-ups of the first sweep point come before those of other points only.
    here = levels.join(first, on=keys, how="semi", nulls_equal=True) if keys else levels
    lineups = here["lineup"].unique(maintain_order=True).to_list()
    if named in lineups or not lineups:
        return named
    seats: dict[str, tuple[str, ...]] = {}
    for cell in cells:
        seats.setdefault(cell.lineup, cell.seats)
    changed = set(frame.filter(kind="change")["lineup"].unique())
    ahead: dict[str, float] = defaultdict(float)
    gaps = frame.filter(
        pl.col("estimate").is_not_null(), kind="difference", variant=BASELINE, number="win_rate"
    )
    for who, against, estimate in gaps.select("who", "against", "estimate").iter_rows():
        ahead[who.removeprefix("policy ")] += estimate
        ahead[against.removeprefix("policy ")] -= estimate

    def rank(name: str) -> tuple[bool, bool, float]:
        held = set(seats[name])
        mean = sum(ahead[policy] for policy in held) / len(held)
        return len(held) > 1, name not in changed, -mean

    return str(min(lineups, key=rank))
