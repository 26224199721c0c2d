"""What sensitivity tells, as rows and sentences, for the command line and reports."""

from __future__ import annotations

import math
from collections.abc import Iterator

from studies.run.sensitivity import SensitivityResult, TableResult, table_words
from studies.show.wording import percent
from studies.stats.intervals import Interval

HEADINGS = ("dial", "levels", "total, %", "first order, %")
MEANING = (
    "Shares of the variance of the mean outcome over all dials: total with all interactions, "
    "first order of the dial alone; what total has more is interaction. They hold for these "
    "ranges. An estimate below 0 is chance."
)


def ranking_rows(own: TableResult) -> list[list[str]]:
    """Return the rows of a ranking, under `HEADINGS`."""
    return [
        [
            dial.dial,
            dial.levels,
            *([percent(dial.total), percent(dial.first)] if dial.changes else ["0", "0"]),
        ]
        for dial in own.dials
    ]


def bars(found: SensitivityResult) -> list[tuple[str, Interval, Interval]]:
    """Return what a figure shows: name, total and first-order index of each dial."""
    several = len(found.tables) > 1
    return [
        (f"{dial.dial}, {table_words(own)}" if several else dial.dial, dial.total, dial.first)
        for own in found.tables
        for dial in own.dials
    ]


def extent_sentence(own: TableResult) -> str:
    """Say what the outcome is over the dials, and how much was played."""
    spread = math.sqrt(max(own.variance.estimate, 0.0))
    return (
        f"Mean outcome {own.mean.estimate:.4g} ({own.mean.low:.4g} to {own.mean.high:.4g}), "
        f"standard deviation over the dials {spread:.3g}; {own.points:,} different points, "
        f"{own.matches:,} matches."
    )


def ranking_sentences(own: TableResult) -> Iterator[str]:
    """Yield which dial matters most, as far as that is known, and which does nothing."""
    if own.variance.low <= 0:
        yield "The dials together are not told from changing nothing: no ranking can be given."
        return
    if still := [dial.dial for dial in own.dials if not dial.changes]:
        yield f"Without any effect on these deals: {', '.join(still)}."
    first = own.dials[0]
    if first.above_next is not None and first.above_next.low > 0:
        yield f"{first.dial} matters most."
    elif first.above_next is not None:
        yield f"That {first.dial} matters more than {own.dials[1].dial} is not shown."
