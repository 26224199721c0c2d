"""Exact distributions of whole numbers, and intervals of their quantiles.

Sources
-------
- H. A. David, H. N. Nagaraja (2003), Order Statistics, 3rd ed., section 7.1: distribution-free
  intervals of a quantile from binomial ranks.
- P. Massart (1990), Ann. Probab. 18:1269: band of an empirical distribution function
  (Dvoretzky, Kiefer, Wolfowitz) with the tight constant.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from scipy.special import bdtr

from studies.balance.results import Distribution
from studies.balance.vectors import Vectors, beside, ratio
from studies.stats.intervals import LEVEL, Interval

Array = np.ndarray[Any, Any]

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95, 0.99)


class Counts:
    """How often each whole number came up, and sums of it by deal."""

    def __init__(self) -> None:
        self.counts: Counter[int] = Counter()
        self.sums = Vectors(2)
        self.deals = 0

    def add(self, values: Array, counted: Array | None = None) -> None:
        """Add values of shape (deals, rotations).

        Parameters
        ----------
        counted : array of bool of the same shape, optional
            Which matches to count; deals without any are left out.
        """
        among = np.ones(values.shape, dtype=bool) if counted is None else counted
        matches = among.sum(axis=1)
        every = bool(among.all())
        sums = (values if every else np.where(among, values, 0)).sum(axis=1)
        self.sums.add(beside([sums, matches]) * 1.0)
        self.deals += int((matches > 0).sum())
        self._count(values.ravel(order="K") if every else values[among])

    def _count(self, values: Array) -> None:
        if not values.size:
            return
        low = int(values.min())
        found = np.bincount(values.astype(np.int64) - low)
        there = np.flatnonzero(found)
        own = dict(zip((there + low).tolist(), found[there].tolist(), strict=True))
        self.counts.update(own)

    def distribution(self, name: str, meaning: str, level: float = LEVEL) -> Distribution:
        """Return what was found."""
        counts = dict(sorted(self.counts.items()))
        found = quantiles(counts, QUANTILES, self.deals, level)
        return Distribution(
            name=name,
            meaning=meaning,
            counts=counts,
            mean=ratio(self.sums, level) if counts else Interval(math.nan, -math.inf, math.inf),
            quantiles=dict(zip(QUANTILES, found, strict=True)),
            deals=self.deals,
        )


def quantiles(
    counts: dict[int, int], shares: Sequence[float], deals: int, level: float = LEVEL
) -> list[Interval]:
    """Return quantiles, each with its order-statistic interval.

    Parameters
    ----------
    counts : dict of int to int
        Value -> matches, sorted by value.
    shares : sequence of float
        Which quantiles, between 0 and 1.
    deals : int
        Independent observations. With several matches a deal their mean distribution function
        varies at most as much as that of one match a deal, so that the interval then is wide enough
        or wider.

    Notes
    -----
    The number of observations up to the true quantile q is binomial(deals, q). The interval runs
    from the value at which the distribution function reaches l / deals to that at which it reaches
    u / deals, with l and u the binomial's bounds of (1 - level) / 2 each; at few deals a bound is
    infinite, as no observation can give it.
    """
    if not counts or deals == 0:
        return [Interval(math.nan, -math.inf, math.inf)] * len(shares)
    values = np.fromiter(counts, dtype=np.int64)
    reached = np.cumsum(np.fromiter(counts.values(), dtype=np.int64))
    ranks = [_ranks(deals, q, level) for q in shares]
    asked = [
        (q, lower / deals, upper / deals) for q, (lower, upper) in zip(shares, ranks, strict=True)
    ]
    places = np.searchsorted(reached, np.array(asked) * int(reached[-1]) - 1e-9)
    at = values[np.minimum(places, len(values) - 1)].tolist()
    return [
        Interval(
            float(value),
            float(min(low, value)) if lower >= 1 else -math.inf,
            float(max(high, value)) if upper <= deals else math.inf,
        )
        for (value, low, high), (lower, upper) in zip(at, ranks, strict=True)
    ]


@lru_cache(maxsize=4096)
def _ranks(deals: int, q: float, level: float) -> tuple[int, int]:
    """Return the ranks l and u between which the quantile lies; 0 and deals + 1 are no ranks.

    The l-th smallest is above the quantile when fewer than l observations lie below it.
    """
    tail = (1 - level) / 2
    lower = _least(deals, q, tail)
    if bdtr(lower, deals, q) > tail:
        lower -= 1
    return lower + 1, _least(deals, q, 1 - tail) + 1


def _least(deals: int, q: float, share: float) -> int:
    """Return the least number that a binomial does not exceed with a probability of `share`."""
    return bisect_left(range(deals), share, key=lambda number: bdtr(number, deals, q))


def band(deals: int, level: float = LEVEL) -> float:
    """Return the half-width of the band that holds the whole distribution function at `level`."""
    return min(1.0, math.sqrt(math.log(2 / (1 - level)) / (2 * deals))) if deals else 1.0


def steps(distribution: Distribution) -> tuple[Sequence[int], Array]:
    """Return the values and the empirical distribution function at each."""
    values = list(distribution.counts)
    reached = np.cumsum(list(distribution.counts.values()), dtype=np.float64)
    return values, reached / max(distribution.matches, 1)
