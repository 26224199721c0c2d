"""Shares of decided matches, with the deal as the unit: ratios of two sums over deals.

A match that is aborted has no winner. Shares of wins are told of the matches that somebody won, so
that neither part nor whole is fixed beforehand: both vary from deal to deal. A share is the total
of the one over the total of the other, its variance that of the linearised ratio, one value a
deal; a variant's change is the difference of two such ratios, linearised together, so that what
pairs the two matches of a deal is used. Where nothing was aborted these are plain means, and
callers take them as such.

Sums are kept in whole numbers. What comes out are `Moments`, from which `studies.stats.intervals`
makes intervals and tests as from any other mean: count, so degrees of freedom, is the number of
deals with a decided match, on the side that has fewer.

Sources
-------
- W. G. Cochran (1977), Sampling Techniques, 3rd ed., equations 6.12 and 6.13: variance of a ratio.
- D. A. Binder (1983), Int. Stat. Rev. 51:279; R. M. Royall (1986), Int. Stat. Rev. 54:221: variance
  of a function of totals, so of a difference of two ratios, by linearising over clusters.
- R. G. Newcombe (1998), Stat. Med. 17:873, method 10: square-and-add of two Wilson intervals, which
  stands in where a side has too few decided deals for a variance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from scipy.special import stdtrit

from studies.deals.sums import exact_dot, exact_sum
from studies.stats.intervals import LEVEL, Interval, Moments, share_at

Array = np.ndarray[Any, Any]

FEW = 30
"""Deals with a decided match below which a spread between deals is not trusted."""


class Products:
    """Sums, and sums of products, of a few whole numbers a deal."""

    def __init__(self, numbers: int) -> None:
        self.deals = 0
        self.totals = [0] * numbers
        self.products = [[0] * numbers for _ in range(numbers)]

    def add(self, deals: int, *columns: Array | None) -> None:
        """Add one number a deal for each; None stands for zeros."""
        self.deals += deals
        for row, one in enumerate(columns):
            if one is None:
                continue
            self.totals[row] += exact_sum(one)
            for column, other in enumerate(columns[: row + 1]):
                if other is not None:
                    self.put(row, column, exact_dot(one, other))

    def put(self, row: int, column: int, product: int) -> None:
        """Add a sum of products of two of the numbers."""
        self.products[row][column] += product
        if row != column:
            self.products[column][row] += product

    def squares(self, factors: Sequence[Fraction], constant: Fraction) -> Fraction:
        """Return the sum over deals of (factors · numbers + constant)²."""
        pairs = range(len(factors))
        quadratic = sum(
            (factors[i] * factors[j] * self.products[i][j] for i in pairs for j in pairs),
            Fraction(0),
        )
        linear = sum((factors[i] * self.totals[i] for i in pairs), Fraction(0))
        return quadratic + 2 * constant * linear + self.deals * constant * constant


@dataclass(frozen=True)
class Ratio:
    """A total over another.

    Attributes
    ----------
    value : Moments
        Of the linearised ratio.
    whole : float
        The total below the line.
    """

    value: Moments
    whole: float

    def share(self, level: float = LEVEL) -> Interval:
        """Return the interval of a ratio that is a proportion of `whole` matches.

        That of a share at the effective number of matches, which lies between that of deals and
        that of matches (as `studies.stats.intervals.clustered_share`).
        """
        if not self.value.count:
            return Interval(math.nan, 0.0, 1.0)
        share = min(1.0, max(0.0, self.value.mean))
        return share_at(share, self.effective, level)

    @property
    def effective(self) -> float:
        """The effective number of matches of a proportion (Dean & Pagano 2015)."""
        share = min(1.0, max(0.0, self.value.mean))
        error, deals = self.value.standard_error, float(self.value.count)
        if self.whole <= deals:
            return self.whole
        if not error > 0:
            return deals
        return min(max(share * (1 - share) / error**2, deals), self.whole)

    def mean(self) -> Moments:
        """Return the moments of a ratio that is told as a mean, wide enough where deals are few."""
        count = self.value.count
        if not 2 <= count < FEW or not 0 <= self.value.mean <= 1:
            return self.value
        wide = _spread(count, self.value.mean, _reach(self.share()))
        return wide if wide.squares > self.value.squares else self.value


def ratio(sums: Products, size: int, alive: int, unit: int = 1) -> Ratio:
    """Return the total of a part over that of the decided matches.

    Parameters
    ----------
    sums : Products
        Of part, in units of 1 / `unit`, and number of aborted matches of each deal.
    size : int
        Matches a deal.
    alive : int
        Deals with a decided match.
    """
    whole = size * sums.deals - sums.totals[1]
    if not whole:
        return Ratio(Moments(), 0.0)
    value = Fraction(sums.totals[0], whole * unit)
    mean = Fraction(whole, sums.deals)
    squares = sums.squares([1 / (mean * unit), value / mean], -value * size / mean)
    return Ratio(_linearised(sums.deals, alive, value, squares), float(whole))


def change_of_ratios(
    sums: Products, size: int, alive: Sequence[int], unit: int, held: int
) -> tuple[float, Moments]:
    """Return a win rate of decided matches without a variant, and how the variant changes it.

    Parameters
    ----------
    sums : Products
        Of wins without, wins with, aborted without, aborted with the variant, of each deal; wins in
        units of 1 / `unit`.
    size : int
        Matches a deal.
    alive : (int, int)
        Deals with a decided match without, with the variant.
    held : int
        Seats among which the wins are divided.
    """
    deals = sums.deals
    wholes = [size * deals - aborted for aborted in sums.totals[2:]]
    if not wholes[0]:
        return math.nan, Moments()
    scale = Fraction(1, unit * held)
    old = Fraction(sums.totals[0], wholes[0]) * scale
    if not wholes[1]:
        return float(old), Moments()
    new = Fraction(sums.totals[1], wholes[1]) * scale
    means = [Fraction(whole, deals) for whole in wholes]
    factors = [-scale / means[0], scale / means[1], -old / means[0], new / means[1]]
    constant = size * (old / means[0] - new / means[1])
    squares = sums.squares(factors, constant)
    moments = _linearised(deals, min(alive), new - old, squares)
    if 2 <= moments.count < FEW and squares:
        reach = math.hypot(*(_reach_of(sums, side, size, alive, unit) for side in range(2)))
        wide = _spread(moments.count, moments.mean, reach / held)
        return float(old), wide if wide.squares > moments.squares else moments
    return float(old), moments


def _linearised(deals: int, count: int, value: Fraction, squares: Fraction) -> Moments:
    """Return moments of `count` values whose standard error is that of the linearised deals.

    Deals without a decided match say nothing: the spread of the others is the same, told per deal
    that does.
    """
    return Moments(count, float(value), float(squares * Fraction(count, deals) ** 2))


def _reach_of(sums: Products, side: int, size: int, alive: Sequence[int], unit: int) -> float:
    """Return how far the share of matches that a policy wins may lie from the one seen."""
    places = (side, 2 + side)
    own = Products(2)
    own.deals, own.totals = sums.deals, [sums.totals[place] for place in places]
    own.products = [[sums.products[row][column] for column in places] for row in places]
    return _reach(ratio(own, size, alive[side], unit).share())


def _reach(interval: Interval) -> float:
    return max(interval.high - interval.estimate, interval.estimate - interval.low)


def _spread(count: int, mean: float, reach: float) -> Moments:
    """Return moments whose interval of the usual level is mean ± reach."""
    error = reach / float(stdtrit(count - 1, 0.5 + LEVEL / 2))
    return Moments(count, mean, error * error * count * (count - 1))
