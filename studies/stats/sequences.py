"""Confidence sequences: intervals that hold at all times together, however often one looks.

An ordinary 95 % interval is right for a number of deals fixed beforehand. Who looks again and
again and stops when it is narrow, or far from zero, is wrong more often than in one case of
twenty. The sequences here cover the true mean at *every* time with the stated probability, so that
one may look, stop and go on at will.

Nothing is assumed but that the value of a deal lies between two known bounds and that deals are
independent; the coverage is not asymptotic.

Sources
-------
- S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon (2021), "Time-uniform, nonparametric,
  nonasymptotic confidence sequences", Ann. Statist. 49:1055: the empirical-Bernstein sequence
  (Theorem 4) with the gamma-exponential mixture as boundary (Proposition 9).
- I. Waudby-Smith, A. Ramdas (2024), J. R. Stat. Soc. B 86:1: overview and comparison with betting,
  which gives somewhat narrower intervals but needs every single value in order; the sequence here
  needs sums only.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammainc, gammaln

from studies.stats.intervals import LEVEL, Interval

_TYPICAL_VARIANCE = 0.1
"""Of a value in [0, 1]; only the width depends on it, and little (a square root of a logarithm)."""

_RARE_WEIGHT, _RARE_RHO = 0.1, 1.0
"""Of the second mixture, which is narrow where next to nothing happens: without it a value of which
nothing but 0 was seen would be known no better than one that varies as expected."""

_REACH = 2.9
"""Half-width in standard errors about where the boundary is tuned."""


class BoundedMean:
    """The confidence sequence of the mean of values within bounds, fed with sums.

    Parameters
    ----------
    low, high : float
        Bounds of a value.
    half_width : float
        Where the sequence is tuned to be narrow: about when it reaches this half-width.
    level : float
        Probability that the mean is covered at all times.
    guess : float
        The mean expected before anything is seen; it does no harm when it is wrong.

    Notes
    -----
    Theorem 4 of Howard et al. measures the spread of each value around a prediction made before it
    was seen. Here the prediction is the mean of all stages before, the same for a whole stage, so
    that the spread follows from the stage's sums of values and of squares.
    """

    def __init__(
        self,
        low: float,
        high: float,
        half_width: float,
        level: float = LEVEL,
        guess: float | None = None,
    ) -> None:
        self.low, self.high, self.level = low, high, level
        self.count = 0
        self._total = 0.0
        self._spread = 0.0
        self._prediction = (low + high) / 2 if guess is None else guess
        self._rho = tuned_rho(half_width / (high - low), level)

    def add(self, count: int, total: float, squares: float) -> None:
        """Add a stage: the number of its values, their sum and the sum of their squares."""
        prediction = self._prediction
        spread = squares - 2 * prediction * total + count * prediction**2
        self._spread += max(spread, 0.0)
        self._total += total
        self.count += count
        self._prediction = min(max(self._total / self.count, self.low), self.high)

    @property
    def interval(self) -> Interval:
        """The interval now."""
        if self.count == 0:
            return Interval(math.nan, self.low, self.high)
        width = self.high - self.low
        reach = width * boundary(self._spread / width**2, self._rho, self.level) / self.count
        mean = self._total / self.count
        return Interval(mean, max(self.low, mean - reach), min(self.high, mean + reach))

    @property
    def half_width(self) -> float:
        """Half the length of the interval now."""
        interval = self.interval
        return (interval.high - interval.low) / 2


def tuned_rho(half_width: float, level: float) -> float:
    """Return the mixture's parameter that makes the boundary low where it is needed.

    Howard et al. (2021), equation 3.7 with its one-sided form, at the spread that values in [0, 1]
    of usual variance have summed up to when the half-width is reached.
    """
    spread = max(10.0, (_REACH * _TYPICAL_VARIANCE / half_width) ** 2)
    log_term = math.log(1 / (1 - level))  # two sides with (1 - level) / 2 each
    return spread / (2 * log_term + math.log1p(2 * log_term))


@lru_cache(maxsize=65536)
def boundary(spread: float, rho: float, level: float) -> float:
    """Return the bound on the sum of deviations of values in [0, 1] at a spread.

    The s at which the gamma-exponential mixture supermartingale (Howard et al. 2021, Proposition
    9, with c = 1) reaches 2 / (1 - level); each side is passed with half the error. Two of them are
    mixed, nine parts of that with `rho` and one of that for rare events, which is a supermartingale
    again.
    """
    threshold = math.log(2 / (1 - level))

    def excess(deviation: float) -> float:
        usual = log_mixture(deviation, spread, rho) + math.log(1 - _RARE_WEIGHT)
        rare = log_mixture(deviation, spread, _RARE_RHO) + math.log(_RARE_WEIGHT)
        return float(np.logaddexp(usual, rare)) - threshold

    high = 2.0 * threshold + 4.0 * math.sqrt((spread + rho) * threshold)
    while excess(high) < 0:
        high *= 2
    return float(brentq(excess, 0.0, high, xtol=1e-10 * max(1.0, high)))


def log_mixture(deviation: float, spread: float, rho: float) -> float:
    """Return the logarithm of the gamma-exponential mixture, c = 1 (Proposition 9)."""

    def part(shape: float, at: float) -> float:
        return float(gammaln(shape) + np.log(gammainc(shape, at)) - shape * math.log(at))

    shape = spread + rho
    at = deviation + shape
    return part(shape, at) - part(rho, rho) + deviation + spread
