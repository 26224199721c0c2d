"""Sums of vectors, one a deal, and what follows from their mean and covariance.

Sources
-------
- Z. Šidák (1967), J. Am. Stat. Assoc. 62:626: simultaneous two-sided intervals for normal means of
  any correlation.
- W. G. Cochran (1977), Sampling Techniques, 3rd ed., equation 6.13: variance of a ratio.
- E. B. Wilson (1927), J. Am. Stat. Assoc. 22:209; at the effective sample size of clusters:
  N. Dean, M. Pagano (2015), J. Surv. Stat. Methodol. 3:484.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import betainc, ndtr

from studies.compare.decided import Ratio
from studies.stats.intervals import FEW, LEVEL, Interval, Moments, t_interval

Array = np.ndarray[Any, Any]

_NOTHING = 1e-12


def beside(columns: Sequence[Array]) -> Array:
    """Return arrays of one shape as one array with one more, last axis.

    Each column stays in one piece, so that sums over few of them add long vectors.
    """
    stacked: Array = np.stack([column.T for column in columns]).T
    return stacked


class Vectors:
    """Count, sum and products of vectors of k numbers, one a deal.

    Parameters
    ----------
    k : int
    centre : array of length k, optional
        About what to expect; subtracted first, so that large means lose no digits.
    """

    def __init__(self, k: int) -> None:
        self.count = 0
        self.centre: Array | None = None
        self.total = np.zeros(k)
        self.products = np.zeros((k, k))
        self.present = 0  # deals whose last number is above 0

    def add(self, values: Array) -> None:
        """Add an array of shape (deals, k)."""
        if not len(values):
            return
        if self.centre is None:
            self.centre = values.mean(axis=0)
        moved = values - self.centre
        self.count += len(values)
        self.present += int((values[:, -1] > 0).sum())
        self.total += moved.sum(axis=0)
        self.products += moved.T @ moved

    @property
    def mean(self) -> Array:
        """Mean vector; NaN without deals."""
        if self.centre is None:
            return np.full(self.total.shape, math.nan)
        mean: Array = self.centre + self.total / self.count
        return mean

    @property
    def covariance(self) -> Array:
        """Covariance of one deal's vector (count - 1); NaN below two deals."""
        if self.count < 2:
            return np.full(self.products.shape, math.nan)
        outer = np.outer(self.total, self.total) / self.count
        covariance: Array = (self.products - outer) / (self.count - 1)
        return covariance

    def with_last(self, index: int) -> Vectors:
        """Return the sums of a component and of the last."""
        own = [index, len(self.total) - 1]
        found = Vectors(2)
        found.count, found.total = self.count, self.total[own]
        found.centre = None if self.centre is None else self.centre[own]
        found.products = self.products[np.ix_(own, own)]
        found.present = self.present
        return found

    def moments(self, index: int) -> Moments:
        """Return the moments of one component."""
        if self.count == 0:
            return Moments()
        squares = self.products[index, index] - self.total[index] ** 2 / self.count
        return Moments(self.count, float(self.mean[index]), max(float(squares), 0.0))


def sidak(level: float, number: int) -> float:
    """Return the level of each of `number` intervals that hold together at `level`."""
    return float(level ** (1 / number))


def ratio(vectors: Vectors, level: float = LEVEL) -> Interval:
    """Return the interval of total of the first over total of the second component."""
    if vectors.count == 0 or vectors.mean[1] == 0:
        return Interval(math.nan, 0.0, 1.0)
    estimate = float(vectors.mean[0] / vectors.mean[1])
    if vectors.count < 2:
        return Interval(estimate, -math.inf, math.inf)
    gradient = np.array([1.0, -estimate]) / vectors.mean[1]
    variance = float(gradient @ vectors.covariance @ gradient) / vectors.count
    return t_interval(estimate, math.sqrt(max(variance, 0.0)), vectors.count - 1, level)


def decided_ratio(vectors: Vectors) -> Ratio:
    """Return the share of matches with an event among decided ones.

    Parameters
    ----------
    vectors : Vectors
        Of two components a deal: decided matches with the event, decided matches.
    """
    if vectors.count == 0 or vectors.mean[1] <= 0:
        return Ratio(Moments(), 0.0)
    share, known = float(vectors.mean[0] / vectors.mean[1]), vectors.present
    direction = np.array([1.0, -share]) / vectors.mean[1]
    outer = np.outer(vectors.total, vectors.total) / vectors.count
    squares = float(direction @ (vectors.products - outer) @ direction)
    if squares < _NOTHING * vectors.count:
        squares = 0.0
    whole = float(vectors.mean[1]) * vectors.count
    return Ratio(Moments(known, share, squares * (known / vectors.count) ** 2), round(whole))


def share_p(own: Ratio, null: float) -> float:
    """Return the p-value of a share of decided matches; NaN where there is none."""
    if not own.value.count:
        return math.nan
    return score_p(own.value.mean, own.effective, null)


def score_p(share: float, effective: float, null: float) -> float:
    """Return the p-value of a share: below 1 - level just where `share_at` leaves `null` out.

    Wilson's interval holds the values that the score test does not reject; where few trials had the
    event, or had not, Clopper and Pearson's those that neither tail of the binomial does.
    """
    events = share * effective
    if min(share, 1 - share) * effective < FEW:
        at_least = betainc(events, effective - events + 1, null) if events > 0 else 1.0
        more = betainc(events + 1, effective - events, null) if events < effective else 0.0
        return min(1.0, 2 * float(min(at_least, 1 - more)))
    z = abs(share - null) / math.sqrt(null * (1 - null) / effective)
    return float(2 * ndtr(-z))


def sidak_p(p_values: Sequence[float]) -> float:
    """Return the p-value of "all of these hold": that of the smallest, corrected as by `sidak`."""
    return float(1 - (1 - min(p_values)) ** len(p_values))
