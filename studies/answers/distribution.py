"""Quantiles of match lengths and other counts, from histograms, with the deal as the unit.

Sources
-------
- H. A. David, H. N. Nagaraja (2003), Order Statistics, 3rd ed., section 7.1: intervals of quantiles
  from order statistics, whose ranks are binomial.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from studies.answers.estimate import LEVEL, ratio
from studies.answers.frame_builder import FrameBuilder
from studies.answers.special import bdtr
from studies.answers.totals import Totals
from studies.measures import BASELINE

if TYPE_CHECKING:
    from studies.answers.table import TableAnswers

SHARES = (0.05, 0.25, 0.5, 0.75, 0.95)


def add(builder: FrameBuilder, table: TableAnswers, totals: Totals) -> None:
    """Add the quantiles of a table's histograms."""
    for key in table.keys:
        counts = totals.histogram(key.number)
        if key.who or not counts:
            continue
        deals = totals.deals if key.measure.of == "matches" else totals.total("deals|decided")
        limits = np.array(quantiles(counts, SHARES, deals, builder.level))
        ends = limits[:, 1], limits[:, 2]
        value = ratio(limits[:, :1], np.ones((len(limits), 1)), deals)
        builder.add(
            table.place,
            BASELINE,
            "quantile",
            [("", f"{key.number} q{share * 100:02.0f}") for share in SHARES],
            value,
            matches=sum(counts.values()),
            ends=(ends[0], ends[1]),
        )


def quantiles(
    counts: Mapping[int, int], shares: Sequence[float], deals: int, level: float = LEVEL
) -> list[tuple[float, float, float]]:
    """Return quantiles with the lower and upper ends of their intervals; NaN for a missing end.

    Parameters
    ----------
    counts : mapping of int to int
        Value -> matches.
    shares : sequence of float
        The probabilities of the quantiles, between 0 and 1.
    deals : int
        Number of independent observations. With several matches per deal the empirical distribution
        varies at most as much as with one, so the interval is conservative.

    Notes
    -----
    The number of observations up to the true quantile q is binomial(deals, q). The interval runs
    from the value at which the distribution function reaches l / deals to that at which it reaches
    u / deals, with l and u the binomial's quantiles at (1 - level) / 2 and its complement; with few
    deals there may be none.
    """
    if not counts or deals == 0:
        return [(math.nan, math.nan, math.nan)] * len(shares)
    values = np.array(sorted(counts), dtype=np.int64)
    reached = np.cumsum([counts[value] for value in values.tolist()])

    def at(share: float) -> float:
        place = int(np.searchsorted(reached, share * int(reached[-1]) - 1e-9))
        return float(values[min(place, len(values) - 1)])

    rows = []
    for share in shares:
        lower, upper = _ranks(deals, share, level)
        rows.append(
            (
                at(share),
                at(lower / deals) if lower >= 1 else math.nan,
                at(upper / deals) if upper <= deals else math.nan,
            )
        )
    return rows


@lru_cache(maxsize=4096)
def _ranks(deals: int, share: float, level: float) -> tuple[int, int]:
    """Return the ranks that enclose the quantile; 0 and deals + 1 are not ranks.

    The l-th smallest is above the quantile when fewer than l observations lie below it.
    """
    tail = (1 - level) / 2

    def least(chance: float) -> int:
        """Return the binomial's quantile at a probability."""
        return bisect_left(range(deals), chance, key=lambda number: bdtr(number, deals, share))

    lower = least(tail)
    if bdtr(lower, deals, share) > tail:
        lower -= 1
    return lower + 1, least(1 - tail) + 1
