"""A population of tables: what a rule changes on average, and where another table would lie.

The tables of `[population]` are drawn with their chances, so that the plain mean over them is an
unbiased estimate of the mean over all tables, whatever their rates; weights by precision would pull
it to tables with few events, whose estimated variances are smallest. All tables play the same
deals, so that two things vary, tables and deals:

    variance of the mean = s² / k + (mean covariance of two tables),

s² the sample variance of the k tables' estimates, which holds their own errors, too; it is that of
two crossed groupings, tables and deals. Student's t has k - 1 degrees of freedom. Where few deals
tell, the deals' part is told by the rule for that (`studies.answers.few`), and the spread of the
tables is added to it. The prediction interval is where the estimate of another table, played on as
many deals, would lie, and so a fortiori its true value: with s² as it is, and not less what the
deals make of it, since how much that is is hardly known of few tables (C. Partlett, R. D. Riley
2017, Stat. Med. 36:301). None is told below three tables.

Sources
-------
- A. C. Cameron, J. B. Gelbach, D. L. Miller (2011), J. Bus. Econ. Stat. 29:238: variance of what
  varies by two crossed groupings.
- W. G. Cochran (1977), Sampling Techniques, 3rd ed., ch. 10: s² / k as the variance of a mean over
  drawn units that are themselves estimated.
- W. Q. Meeker, G. J. Hahn, L. A. Escobar (2017), Statistical Intervals, 2nd ed., section 4.7: the
  prediction interval of one more normal observation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import stdtr, stdtrit

from studies.answers.book import Book, Place
from studies.answers.estimate import LEVEL, Estimate, mean, stack
from studies.answers.levels import ANOTHER

if TYPE_CHECKING:
    from studies.answers.frame import TableAnswers

Array = np.ndarray[Any, Any]

ALL_TABLES = "population"
"""The `lineup` of rows about all tables."""

_FEWEST_PREDICTED = 3


@dataclass(frozen=True)
class Summary:
    """A mean over tables; arrays of one number each.

    Attributes
    ----------
    spread : float64[1]
        τ, the standard deviation of the tables' true values.
    prediction : (low, high)
        NaN where none is told.
    """

    mean: Estimate
    low: Array
    high: Array
    p: Array
    spread: Array
    prediction: tuple[Array, Array]


def summary(tables: Sequence[Estimate], level: float = LEVEL) -> Summary:
    """Return the mean of one number over tables that were drawn.

    Parameters
    ----------
    tables : sequence of Estimate
        Of one number each, two or more, of the same deals.
    """
    count = len(tables)
    whole = mean(tables)
    both = stack(tables)
    groups = float(both.groups.max())
    covariance = both.influence @ both.influence.T * groups / max(groups - 1, 1)
    own = float(np.trace(covariance)) / count
    shared = (float(covariance.sum()) - own * count) / (count * (count - 1))
    scatter = float(np.var(both.value, ddof=1))
    between = max(0.0, scatter - own + shared)
    variance = max(scatter / count + shared, whole.error[0] ** 2)
    tail = 0.5 + level / 2
    reach = float(stdtrit(count - 1, tail)) * np.sqrt(variance)
    low, high = whole.value - reach, whole.value + reach
    p = 2 * stdtr(count - 1, -np.abs(whole.value) / max(np.sqrt(variance), 1e-300))
    if whole.known.few[0]:
        # A table in which nothing happened tells no less than the others that little happens.
        alone = whole.interval(level)
        spread = float(stdtrit(count - 1, tail)) * np.sqrt(between / count)
        below, above = (np.nan_to_num(np.abs(end - whole.value), nan=np.inf) for end in alone)
        low = np.minimum(low, whole.value - np.hypot(below, spread))
        high = np.maximum(high, whole.value + np.hypot(above, spread))
        p = np.maximum(p, whole.p())
    elif variance <= 0:
        low, high = np.full((2, 1), np.nan)
    nothing = np.full(1, np.nan)
    prediction = nothing, nothing
    if count >= _FEWEST_PREDICTED and variance > 0:
        wide = float(stdtrit(count - 1, tail)) * np.sqrt(scatter + variance)
        # Never within the interval of the mean.
        prediction = np.fmin(low, whole.value - wide), np.fmax(high, whole.value + wide)
    return Summary(
        whole,
        *_clipped(whole, low, high),
        p,
        np.array([np.sqrt(between)]),
        _clipped(whole, *prediction),
    )


def _clipped(estimate: Estimate, low: Array, high: Array) -> tuple[Array, Array]:
    ends = np.maximum(low, estimate.low), np.minimum(high, estimate.high)
    return np.where(np.isfinite(ends[0]), ends[0], np.nan), np.where(
        np.isfinite(ends[1]), ends[1], np.nan
    )


def add(book: Book, tables: Sequence[TableAnswers], study: Any = None) -> None:
    """Add what variants change over the tables of a study's population."""
    drawn = getattr(study, "population", None)
    if drawn is None:
        return
    points: dict[str, list[TableAnswers]] = {}
    for table in tables:
        if table.place.lineup in drawn.names:
            points.setdefault(repr(sorted(table.place.point.items(), key=str)), []).append(table)
    for members in points.values():
        for variant in dict.fromkeys(name for table in members for name in table.variants):
            if any(variant in table.variants and table.changed(variant) for table in members):
                _add_variant(book, variant, [one for one in members if variant in one.variants])


def _add_variant(book: Book, variant: str, tables: Sequence[TableAnswers]) -> None:
    found: dict[tuple[str, str], list[Estimate]] = {}
    for table in tables:
        for named, estimate in _numbers(table, variant):
            found.setdefault(named, []).append(estimate)
    place = Place(tables[0].place.point, ALL_TABLES)
    for named, estimates in found.items():
        if len(estimates) < 2:
            continue
        told = summary(estimates, book.level)
        tested = named[1] != ANOTHER
        book.add(
            "population",
            place,
            variant,
            [named],
            told.mean,
            against=f"{len(estimates)} tables",
            family="population" if tested else "",
            null=0.0,
            told=(told.low, told.high),
            p=told.p,
        )
        book.add(
            "prediction",
            place,
            variant,
            [named],
            told.mean,
            against=f"{len(estimates)} tables",
            told=told.prediction,
        )


def _numbers(table: TableAnswers, variant: str) -> Iterator[tuple[tuple[str, str], Estimate]]:
    """Yield what a variant changes at a table; policies only where they sit with others."""
    change = table.change(variant)
    for at, key in enumerate(table.keys):
        policy = key.who.startswith("policy")
        if key.who and (not policy or table.alone):
            continue
        if key.kind in ("win_rate", "score", "metric", "measure"):
            yield (key.who, key.number), change[at]
    moved = table.moved(variant)
    if moved is not None:
        yield ("", ANOTHER), moved
