"""Stopping once an interval is narrow enough, without paying for looks at everything else.

Who stops when an interval is *narrow* lets the spread decide, not the mean; for means these are
nearly independent, so that the ordinary interval at the stop covers as it says, in the limit of
narrow intervals (Chow & Robbins). A confidence sequence (`studies.stats.sequences`) covers under
any rule of stopping and needs some three to four times as many deals for the same width.

What goes wrong at few deals is that the spread is taken for too small too early, most of all of
rare events. Against this:

- values at the far end of the range are added to the spread, `ADDED` of them (Chow & Robbins add
  one: their 1/n), which is what small numbers of deals need;
- where few events tell, the interval is the one for few events (`studies.stats.rare`).

Coverage at the stop is 94.4 % or more wherever it was tried (`tests/studies/test_fixed_width.py`).

Sources
-------
- Y. S. Chow, H. Robbins (1965), "On the asymptotic theory of fixed-width sequential confidence
  intervals for the mean", Ann. Math. Statist. 36:457.
- P. W. Glynn, W. Whitt (1992), "The asymptotic validity of sequential stopping rules for stochastic
  simulations", Ann. Appl. Probab. 2:180.
"""

from __future__ import annotations

import math

from scipy.special import ndtri

from studies.stats.intervals import LEVEL, Interval, Moments
from studies.stats.rare import Changes, bounded_mean, change_interval

ADDED = 6


class FixedWidthMean:
    """The ordinary interval of the mean of values within bounds, fed with sums.

    Parameters
    ----------
    low, high : float
        Bounds of a value. Values between a `low` below 0 and a `high` above are changes.
    level : float
        Of the interval at the stop.
    """

    def __init__(self, low: float, high: float, level: float = LEVEL) -> None:
        self.low, self.high, self.level = low, high, level
        self.count = 0
        self._total = self._squares = 0.0

    def add(self, count: int, total: float, squares: float) -> None:
        """Add a stage: the number of its values, their sum and the sum of their squares."""
        self.count += count
        self._total += total
        self._squares += squares

    @property
    def interval(self) -> Interval:
        """The interval now."""
        if self.count == 0:
            return Interval(math.nan, self.low, self.high)
        mean = self._total / self.count
        deals = Moments(self.count, mean, max(self._squares - self.count * mean**2, 0.0))
        if self.low < 0 < self.high:
            return change_interval(Changes.bounded(deals, self.high), self.level, bound=self.high)
        return bounded_mean(deals, self.low, self.high, self.level)

    @property
    def half_width(self) -> float:
        """What decides on stopping: half the length of the interval now, with `ADDED` values."""
        if self.count == 0:
            return math.inf
        interval = self.interval
        error = math.sqrt(ADDED) * (self.high - self.low) / self.count
        reach = float(ndtri((1 + self.level) / 2)) * error
        return math.hypot((interval.high - interval.low) / 2, reach)
