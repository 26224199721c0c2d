"""Sums of vectors, one a deal, and what follows from their mean and covariance.

Sources
-------
- Z. Šidák (1967), J. Am. Stat. Assoc. 62:626: simultaneous two-sided intervals for normal means of
  any correlation.
- W. G. Cochran (1977), Sampling Techniques, 3rd ed., equation 6.13: variance of a ratio.
- Wald test of equal means with the covariance over deals, as Hotelling's T²: T. W. Anderson (2003),
  An Introduction to Multivariate Statistical Analysis, 3rd ed., section 5.3.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit
from scipy.stats import f as f_distribution

from studies.intervals import LEVEL, Interval, Moments

Array = np.ndarray[Any, Any]


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

    def add(self, values: Array) -> None:
        """Add an array of shape (deals, k)."""
        if not len(values):
            return
        if self.centre is None:
            self.centre = values.mean(axis=0)
        moved = values - self.centre
        self.count += len(values)
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

    def moments(self, index: int) -> Moments:
        """Return the moments of one component."""
        if self.count == 0:
            return Moments()
        squares = self.products[index, index] - self.total[index] ** 2 / self.count
        return Moments(self.count, float(self.mean[index]), max(float(squares), 0.0))


def sidak(level: float, number: int) -> float:
    """Return the level of each of `number` intervals that hold together at `level`."""
    return float(level ** (1 / number))


def equal_means_p(vectors: Vectors) -> float:
    """Return the p-value of "all components have the same mean" (Hotelling's T²).

    NaN with fewer deals than can tell, or where the differences do not vary at all.
    """
    k, count = len(vectors.total), vectors.count
    contrasts = np.eye(k)[:-1] - np.eye(k)[1:]
    if count <= k:
        return math.nan
    covariance = contrasts @ vectors.covariance @ contrasts.T
    rank = int(np.linalg.matrix_rank(covariance, tol=1e-12))
    if rank == 0:
        return math.nan
    gaps = contrasts @ vectors.mean
    t2 = count * float(gaps @ np.linalg.pinv(covariance, rcond=1e-10) @ gaps)
    statistic = t2 * (count - rank) / (rank * (count - 1))
    return float(f_distribution.sf(statistic, rank, count - rank))


def ratio(vectors: Vectors, level: float = LEVEL) -> Interval:
    """Return the interval of total of the first over total of the second component."""
    first, second = (float(value) for value in vectors.mean)
    if vectors.count == 0 or second == 0:
        return Interval(math.nan, 0.0, 1.0)
    estimate = first / second
    if vectors.count < 2:
        return Interval(estimate, -math.inf, math.inf)
    gradient = np.array([1.0, -estimate]) / second
    variance = float(gradient @ vectors.covariance @ gradient) / vectors.count
    reach = float(stdtrit(vectors.count - 1, 0.5 + level / 2)) * math.sqrt(max(variance, 0.0))
    return Interval(estimate, estimate - reach, estimate + reach)
