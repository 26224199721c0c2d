"""Which input matters: variance-based sensitivity of a mean that is known from noisy deals only.

The outcome of a deal w at a point x of the inputs is y(x, w); what is asked is how much of the
variance of its mean f(x) = E y(x, w), over inputs drawn uniformly and independently, each input is
responsible for: by itself (first-order index) and with all its interactions (total index).

A mean over deals is f(x) plus noise, and squares of noise do not vanish: indices from means alone
come out too large in total and too small in first order. Here every square and product is one of
*different* deals, averaged over all pairs of them (a U-statistic), so that noise has expectation
0 in each; as all points play the same deals, most of it cancels before. Nothing here knows what a
match is.

Sources
-------
- I. M. Sobol' (2001), Math. Comput. Simul. 55:271: the indices.
- A. Saltelli, P. Annoni, I. Azzini, F. Campolongo, M. Ratto, S. Tarantola (2010), Comput. Phys.
  Commun. 181:259: the design, the first-order estimator (table 2b), and Jansen's total one (2f).
- M. J. W. Jansen (1999), Comput. Phys. Commun. 117:35.
- A. B. Owen (1998), J. Complex. 14:466: errors from independent scramblings of Sobol' sequences.
- W. Hoeffding (1948), Ann. Math. Stat. 19:293: U-statistics, and their variance by projection.
- A. C. Cameron, J. B. Gelbach, D. L. Miller (2011), J. Bus. Econ. Stat. 29:238: variance of what
  varies by two crossed groupings, here the points and the deals.
- E. C. Fieller (1954), J. R. Stat. Soc. B 16:175: the interval of a ratio.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtrit

from studies.stats.groups import GROUPS
from studies.stats.intervals import LEVEL, Interval, t_interval

Array = np.ndarray[Any, Any]

REPLICATES = 16
"""Independent scramblings of which a design consists; the spread between them is its error."""


@dataclass(frozen=True)
class Indices:
    """What was estimated of each input, in their order.

    Attributes
    ----------
    mean, variance : Interval
        Of f over the inputs.
    first, total : tuple of Interval
        Shares of the variance; an estimate below 0 is chance. Where the variance itself is not
        told from 0 they have no ends.
    """

    mean: Interval
    variance: Interval
    first: tuple[Interval, ...]
    total: tuple[Interval, ...]
    _told: _Told

    def difference(self, one: int, other: int) -> Interval:
        """Return by how much the total index of one input is above that of another."""
        weights = np.zeros(3 * len(self.total))
        weights[one], weights[other] = 1.0, -1.0
        return self._told.ratio(weights)


def rounded(samples: int) -> int:
    """Return the number of base points that are played where so many are asked for."""
    return max(REPLICATES, 1 << (samples - 1).bit_length())


def design(inputs: int, samples: int, seed: int) -> Array:
    """Return the points of a Saltelli design in the unit cube.

    Parameters
    ----------
    samples : int
        Base points, a power of two and at least `REPLICATES`.

    Returns
    -------
    float64[inputs + 2, samples, inputs]
        The matrices A, B, and A with column j from B for each input j. Rows are those of
        `REPLICATES` scrambled Sobol' sequences, one after another.
    """
    from scipy.stats import qmc

    each = samples // REPLICATES
    random = np.random.default_rng([seed, inputs])
    base = np.concatenate(
        [
            qmc.Sobol(2 * inputs, rng=child).random_base2(each.bit_length() - 1)
            for child in random.spawn(REPLICATES)
        ]
    )
    points = np.empty((inputs + 2, samples, inputs))
    points[0], points[1] = base[:, :inputs], base[:, inputs:]
    for column in range(inputs):
        points[2 + column] = points[0]
        points[2 + column, :, column] = points[1, :, column]
    return points


def grouped(values: Array) -> Array:
    """Return means of groups of deals, all of one size, where deals are many.

    Deals that are left over (fewer than a group) are dropped.
    """
    deals = values.shape[-1]
    size = -(-deals // GROUPS)
    columns = deals // size
    kept = values[..., : columns * size].reshape(*values.shape[:-1], columns, size)
    return np.asarray(kept.mean(axis=-1))


def sensitivity(outcomes: Array, level: float = LEVEL) -> Indices:
    """Estimate the indices of each input.

    Parameters
    ----------
    outcomes : float64[inputs + 2, samples, deals]
        At the points of `design`, on the same three deals or more, or groups of them.

    Notes
    -----
    With C the outcome less the mean of its deal over A and B, and ⟨·,·⟩ the mean of products of
    different deals: variance = mean of ⟨C, C⟩ over A and B; total · variance = mean of
    ⟨y(A) - y(AB), y(A) - y(AB)⟩ / 2 (Jansen). First order · variance is the mean of
    ⟨C(B), y(AB) - y(A)⟩ (Saltelli), which is exact where an input does nothing, and variance less
    the mean of ⟨y(B) - y(AB), y(B) - y(AB)⟩ / 2 (Jansen), which is where the others do nothing:
    both are taken, the second with the total index as its weight.
    """
    base = outcomes[:2]
    centred = base - base.mean(axis=(0, 1))
    inputs = len(outcomes) - 2
    products = _Products(3 * inputs + 1, outcomes.shape[-1])
    for j in range(inputs):
        moved, others = outcomes[2 + j] - outcomes[0], outcomes[2 + j] - outcomes[1]
        products.put(j, moved, moved, 0.5)
        products.put(inputs + j, centred[1], moved)
        products.put(2 * inputs + j, others, others, 0.5)
    products.put(3 * inputs, centred[0], centred[0], 0.5)
    products.put(3 * inputs, centred[1], centred[1], 0.5)
    told = products.told(level)
    unit = np.eye(3 * inputs)
    total = [told.ratio(unit[j]) for j in range(inputs)]
    first = []
    for j, own in enumerate(total):
        weight = float(np.clip(np.nan_to_num(own.estimate), 0.0, 1.0))
        row = (1 - weight) * unit[inputs + j] - weight * unit[2 * inputs + j]
        found = told.ratio(row)
        first.append(Interval(found.estimate + weight, found.low + weight, found.high + weight))
    return Indices(_mean(base, level), told.below, tuple(first), tuple(total), told)


def _mean(base: Array, level: float) -> Interval:
    """Return the interval of the mean over inputs and deals."""
    cells = base.mean(axis=0).reshape(REPLICATES, -1, base.shape[-1]).mean(axis=1)
    spread, one = _Spread(cells[None], 1), np.ones((1, 1))
    error = math.sqrt(max(float(spread.of(one)[0, 0]), 0.0))
    return t_interval(float(cells.mean()), error, spread.freedom(one[0]), level)


class _Products:
    """Means of products of different deals, by replicate and deal; the last is the variance."""

    def __init__(self, count: int, deals: int) -> None:
        self._by_cell = np.zeros((count, REPLICATES, deals))

    def put(self, place: int, one: Array, other: Array, weight: float = 1.0) -> None:
        """Add a product of two arrays of shape (samples, deals)."""
        left = other.sum(axis=-1, keepdims=True) - other
        right = one.sum(axis=-1, keepdims=True) - one
        rows = weight * (one * left + other * right) / (2 * (one.shape[-1] - 1))
        self._by_cell[place] += rows.reshape(REPLICATES, -1, rows.shape[-1]).mean(axis=1)

    def told(self, level: float) -> _Told:
        """Return what they estimate."""
        return _Told(self._by_cell.mean(axis=(1, 2)), _Spread(self._by_cell, 2), level)


@dataclass(frozen=True)
class _Told:
    """Estimates and their spread; the last is the variance, over which the others are told."""

    estimates: Array
    spread: _Spread
    level: float

    @property
    def below(self) -> Interval:
        """The variance."""
        last = np.eye(len(self.estimates))[-1:]
        covariance, freedom = self.spread.of(last), self.spread.freedom(last[0])
        error = math.sqrt(max(float(covariance[0, 0]), 0.0))
        return t_interval(float(self.estimates[-1]), error, freedom, self.level)

    def ratio(self, weights: Array) -> Interval:
        """Return the interval (Fieller) of a sum of all but the last, over the last."""
        above, below = float(weights @ self.estimates[:-1]), float(self.estimates[-1])
        if below <= 0:
            return Interval(math.nan, -math.inf, math.inf)
        estimate = above / below
        freedom = self.spread.freedom(np.append(weights, -estimate))
        t2 = float(stdtrit(freedom, 0.5 + self.level / 2)) ** 2
        both = np.stack([np.append(weights, 0.0), np.eye(len(self.estimates))[-1]])
        (of_above, shared), (_, of_below) = self.spread.of(both).tolist()
        square = below**2 - t2 * of_below
        middle = above * below - t2 * shared
        rest = above**2 - t2 * of_above
        if square <= 0:
            return Interval(estimate, -math.inf, math.inf)
        reach = math.sqrt(max(middle**2 - square * rest, 0.0))
        return Interval(estimate, (middle - reach) / square, (middle + reach) / square)


class _Spread:
    """Covariance of means over replicates and deals, both of which are drawn.

    Parameters
    ----------
    cells : float64[count, replicates, deals]
    order : int
        In how many places of the statistic a deal stands: 2 in a mean over pairs.
    """

    def __init__(self, cells: Array, order: int) -> None:
        _, self._replicates, self._deals = cells.shape
        middle = cells.mean(axis=(1, 2), keepdims=True)
        by_replicate = cells.mean(axis=2, keepdims=True) - middle
        by_deal = cells.mean(axis=1, keepdims=True) - middle
        both = (cells - middle - by_replicate - by_deal).reshape(len(cells), -1)
        rows, columns = by_replicate[:, :, 0], by_deal[:, 0, :]
        replicates, deals = self._replicates, self._deals
        self._rows = rows @ rows.T / (replicates * (replicates - 1))
        self._columns = order**2 * (columns @ columns.T) / (deals * (deals - 1))
        twice = order**2 * (both @ both.T)
        self._twice = twice / (replicates * deals * (replicates - 1) * (deals - 1))

    def of(self, weights: Array) -> Array:
        """Return the covariance of weighted sums, whose weights are the rows of an array.

        Between replicates, and between deals less what both have counted, which is none below 0.
        """
        alone = weights @ (self._columns - self._twice) @ weights.T
        sizes, axes = np.linalg.eigh(alone)
        kept = (axes * np.clip(sizes, 0.0, None)) @ axes.T
        return np.asarray(weights @ self._rows @ weights.T + kept)

    def freedom(self, weights: Array) -> float:
        """Return the degrees of freedom (Welch & Satterthwaite) of one weighted sum."""
        one = float(weights @ self._rows @ weights)
        other = max(float(weights @ (self._columns - self._twice) @ weights), 0.0)
        if one + other == 0:
            return float(self._replicates - 1)
        spread = one**2 / (self._replicates - 1) + other**2 / (self._deals - 1)
        return float((one + other) ** 2 / spread)
