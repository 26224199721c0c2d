"""How many deals an interval or a test needs, from the spread of one value a deal.

Sources
-------
- G. W. Snedecor, W. G. Cochran (1989), Statistical Methods, 8th ed., section 6.14: the number at
  which a t-test has a power, t quantiles in place of normal ones.
- L. H. Shoemaker (2003), Am. Stat. 57:105: a sample variance is about chi-square with degrees of
  freedom that follow from the kurtosis, where values are not normal.
- B. Efron, C. Stein (1981), Ann. Stat. 9:586; J. Shao, D. Tu (1995), The Jackknife and Bootstrap,
  section 2.3: standard error from estimates that each leave a group out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import chdtri, stdtr, stdtrit

from studies.stats.intervals import LEVEL, Interval, share_at

Array = np.ndarray[Any, Any]

FEWEST = 30
"""Deals below which nothing is planned: intervals of fewer are not what their spread says."""

WORST_SHARE = 0.25
"""Largest variance of a share within a deal, p (1 - p) at one half."""

GROUPS = 40
_LEAST_IN_A_GROUP = 3


@dataclass(frozen=True)
class Spread:
    """The variance of one value a deal, as a pilot tells it.

    Attributes
    ----------
    count : int
        Deals.
    variance : Interval
        With count - 1, and its bounds of level 0.95; 0 with an upper bound alone where all deals
        gave the same (infinite where that has none).
    """

    count: int
    variance: Interval

    @property
    def is_shown(self) -> bool:
        """Whether any two deals differ."""
        return self.variance.estimate > 0


def spread(values: Array, bound: float | None = None, level: float = LEVEL) -> Spread:
    """Return the variance of values, one a deal, with its interval.

    Parameters
    ----------
    values : array of shape (deals,)
    bound : float, optional
        Largest possible absolute value. Where every deal gave the same, as many deals may yet give
        another as no event in so many allows, each by `bound`.
    """
    count = int(values.size)
    if count < 2:
        return Spread(count, Interval(math.nan, 0.0, math.inf))
    centred = values - values.mean()
    variance = float(np.square(centred).sum()) / (count - 1)
    if variance <= 1e-18 * max(1.0, float(np.square(values).max())):
        high = math.inf if bound is None else bound**2 * share_at(0.0, count, level).high
        return Spread(count, Interval(0.0, 0.0, high))
    kurtosis = float(np.mean(centred**4)) / float(np.mean(centred**2)) ** 2
    degrees = 2 * count / (kurtosis - (count - 3) / (count - 1))
    low, high = (float(chdtri(degrees, error)) for error in ((1 - level) / 2, (1 + level) / 2))
    return Spread(
        count,
        Interval(
            variance, variance * degrees / low, variance * degrees / high if high else math.inf
        ),
    )


def deals_for_width(variance: float, half_width: float, level: float = LEVEL) -> float:
    """Return the deals at which the interval of a mean is `half_width` to each side."""
    return _deals(variance, half_width, lambda free: float(stdtrit(free, 0.5 + level / 2)))


def deals_for_power(variance: float, amount: float, error: float, power: float) -> float:
    """Return the deals at which a two-sided t-test of level `error` finds `amount` so often."""
    return _deals(
        variance,
        amount,
        lambda free: float(stdtrit(free, 1 - error / 2)) + float(stdtrit(free, power)),
    )


def _deals(variance: float, amount: float, reach: Callable[[float], float]) -> float:
    """Return the least number at which `reach` standard errors are at most `amount`."""
    if not math.isfinite(variance):
        return math.inf
    count = float(FEWEST)
    for _ in range(50):  # ends after a few: quantiles of t hardly move from 30 on
        wanted = max(float(FEWEST), math.ceil(variance * (reach(count - 1) / amount) ** 2))
        if wanted == count:
            break
        count = wanted
    return count


def half_width_at(variance: float, deals: float, level: float = LEVEL) -> float:
    """Return how far the interval of a mean reaches to each side."""
    if deals < 2:
        return math.inf
    return float(stdtrit(deals - 1, 0.5 + level / 2)) * math.sqrt(variance / deals)


def power_at(variance: float, amount: float, deals: float, error: float) -> float:
    """Return how often a two-sided t-test of level `error` finds `amount` (on its side)."""
    if deals < 2:
        return 0.0
    if variance == 0:
        return 1.0
    free = deals - 1
    return float(stdtr(free, amount / math.sqrt(variance / deals) - stdtrit(free, 1 - error / 2)))


def jackknifed(ratio: Callable[[Array], float], deals: int, level: float = LEVEL) -> Interval:
    """Return a ratio above 0 with its interval, from leaving out groups of deals.

    Parameters
    ----------
    ratio : callable
        Gives it from those deals whose places a bool[deals] names.
    """
    whole = ratio(np.ones(deals, dtype=bool))
    groups = min(GROUPS, deals // _LEAST_IN_A_GROUP)
    if not whole > 0 or groups < 2:
        return Interval(whole, math.nan, math.nan)
    places = np.arange(deals) % groups
    found = np.array([ratio(places != group) for group in range(groups)])
    if not (found > 0).all() or not np.isfinite(found).all():
        return Interval(whole, math.nan, math.nan)
    logs = np.log(found)
    error = math.sqrt((groups - 1) / groups * float(np.square(logs - logs.mean()).sum()))
    reach = math.exp(float(stdtrit(groups - 1, 0.5 + level / 2)) * error)
    return Interval(whole, whole / reach, whole * reach)
