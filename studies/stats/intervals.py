"""Intervals and tests for paired simulation results: numbers in, numbers out.

Nothing here reads a file or knows what a match is. Results of one deal depend on each other (the
same cards, every rotation, with and without a variant), deals do not: every interval for more than
one match a deal is built from one value a deal.

Sources
-------
- E. B. Wilson (1927), J. Am. Stat. Assoc. 22:209: score interval of a proportion.
- R. G. Newcombe (1998), Stat. Med. 17:2635: paired difference of proportions, method 10.
- T. Tango (1998), Stat. Med. 17:891: score interval of a paired difference of proportions.
- Q. McNemar (1947), Psychometrika 12:153; exact form in M. W. Fagerland, S. Lydersen, P. Laake
  (2013), BMC Med. Res. Methodol. 13:91.
- K.-Y. Liang, S. L. Zeger (1986), Biometrika 73:13: variance from cluster sums (CR0; CR1 with the
  factor G / (G - 1)).
- N. Dean, M. Pagano (2015), J. Surv. Stat. Methodol. 3:484: Wilson interval at the effective sample
  size of clustered proportions.
- C. J. Clopper, E. S. Pearson (1934), Biometrika 26:404: exact limits of a proportion.
- H. O. Lancaster (1961), J. Am. Stat. Assoc. 56:223; G. Berry, P. Armitage (1995), The Statistician
  44:417: mid-P limits.
- S. Holm (1979), Scand. J. Stat. 6:65: step-down correction for many tests.
- D. J. Schuirmann (1987), J. Pharmacokinet. Biopharm. 15:657: two one-sided tests of equivalence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betaincinv, ndtri, stdtr, stdtrit

LEVEL = 0.95

FEW = 10
"""Events, or matches without one, below which a share has exact limits instead of Wilson's."""


@dataclass(frozen=True)
class Interval:
    """An estimate between two bounds."""

    estimate: float
    low: float
    high: float

    def mirrored(self) -> Interval:
        """Return the interval of the negative."""
        return Interval(-self.estimate, -self.high, -self.low)


@dataclass(frozen=True)
class Moments:
    """Count, mean and sum of squared deviations of one value a deal; `+` merges two sets.

    Merging follows Chan, Golub & LeVeque (1983), Am. Stat. 37:242, which loses no digits where a
    difference of large sums would.
    """

    count: int = 0
    mean: float = 0.0
    squares: float = 0.0

    @classmethod
    def of(cls, values: ArrayLike) -> Moments:
        """Return the moments of an array of values, one a deal."""
        array = np.asarray(values, dtype=np.float64)
        if array.size == 0:
            return cls()
        mean = float(array.mean())
        return cls(int(array.size), mean, float(np.square(array - mean).sum()))

    def __add__(self, other: Moments) -> Moments:
        count = self.count + other.count
        if self.count == 0 or other.count == 0:
            return other if self.count == 0 else self
        step = other.mean - self.mean
        return Moments(
            count,
            self.mean + step * other.count / count,
            self.squares + other.squares + step * step * self.count * other.count / count,
        )

    def scaled(self, factor: float) -> Moments:
        """Return the moments of the values times a factor."""
        return Moments(self.count, factor * self.mean, factor * factor * self.squares)

    @property
    def standard_error(self) -> float:
        """Standard error of the mean (CR1: variance with count - 1); NaN below two values."""
        if self.count < 2:
            return math.nan
        return math.sqrt(self.squares / (self.count - 1) / self.count)


def wilson(successes: int, trials: int, level: float = LEVEL) -> Interval:
    """Return the Wilson score interval of a proportion of independent trials."""
    if trials == 0:
        return Interval(math.nan, 0.0, 1.0)
    return wilson_at(successes / trials, trials, level)


def wilson_at(share: float, trials: float, level: float = LEVEL) -> Interval:
    """Return the Wilson score interval at a number of trials that need not be whole."""
    z2 = float(ndtri(0.5 + level / 2)) ** 2
    centre = (share + z2 / (2 * trials)) / (1 + z2 / trials)
    spread = math.sqrt(z2 * (share * (1 - share) + z2 / (4 * trials)) / trials) / (1 + z2 / trials)
    low = 0.0 if share <= 0 else max(0.0, centre - spread)
    high = 1.0 if share >= 1 else min(1.0, centre + spread)
    return Interval(share, low, high)


def exact_limits(events: float, trials: float, error: float) -> tuple[float, float]:
    """Return Clopper and Pearson's limits of a share, each with an error of at most `error`.

    Numbers need not be whole.
    """
    low = 0.0 if events <= 0 else float(betaincinv(events, trials - events + 1, error))
    high = 1.0 if events >= trials else float(betaincinv(events + 1, trials - events, 1 - error))
    return low, high


@lru_cache(maxsize=1 << 16)
def mid_p_limits(events: float, trials: float, error: float) -> tuple[float, float]:
    """Return the mid-P limits of a share: half of the chance of what was seen counts.

    Each has an error of about `error`. Numbers need not be whole. Limits are kept: a study of few
    deals asks for the same ones many times.
    """
    from scipy.optimize import brentq
    from scipy.special.cython_special import betainc  # of one number: six times as quick

    events, trials = float(events), float(trials)

    def at_least(share: float) -> float:
        """Return the chance of more events, and half of that of as many."""
        as_many: float = betainc(events, trials - events + 1, share) if events > 0 else 1.0
        more: float = betainc(events + 1, trials - events, share) if events < trials else 0.0
        return (as_many + more) / 2

    def passes(chance: float) -> float:
        return float(brentq(lambda share: at_least(share) - chance, 0.0, 1.0, xtol=1e-15))

    return (
        passes(error) if events > 0 else 0.0,
        passes(1 - error) if events < trials else 1.0,
    )


def share_at(share: float, trials: float, level: float = LEVEL) -> Interval:
    """Return the interval of a share seen in a number of trials that need not be whole.

    Wilson's, and the exact limits of Clopper and Pearson where fewer than `FEW` trials had the
    event, or had not. Wilson's alone cover as little as 84 % there (L. D. Brown, T. T. Cai, A.
    DasGupta 2001, Stat. Sci. 16:101, section 3.1.1); the two together 93.5 to 97 % from five
    expected events on and more below. No event in n trials leaves room for a share of 3.7 / n.
    """
    if min(share, 1 - share) * trials >= FEW:
        return wilson_at(share, trials, level)
    low, high = exact_limits(share * trials, trials, (1 - level) / 2)
    return Interval(share, low, high)


def clustered_share(deals: Moments, size: int, level: float = LEVEL) -> Interval:
    """Return the interval of a proportion when each deal gives `size` dependent matches.

    Parameters
    ----------
    deals : Moments
        Of the share within each deal.
    size : int
        Matches a deal.

    Notes
    -----
    The interval of a share (`share_at`) at the effective sample size p (1 - p) / SE², with SE from
    the deals (Dean & Pagano 2015; Korn & Graubard 1998, Survey Methodology 24:193, of few events).
    The effective size is kept between the number of deals and that of matches; where all deals
    agree (SE = 0) it is the number of deals, so that no event in n deals gives an upper bound near
    3.7 / n and never 0.
    """
    if deals.count == 0:
        return Interval(math.nan, 0.0, 1.0)
    share = min(1.0, max(0.0, deals.mean))
    error = deals.standard_error
    effective = float(deals.count)
    if size > 1 and error > 0:
        effective = min(max(share * (1 - share) / error**2, effective), effective * size)
    return share_at(share, effective, level)


def t_interval(estimate: float, error: float, freedom: float, level: float = LEVEL) -> Interval:
    """Return the interval of an estimate with a standard error of so many degrees of freedom."""
    reach = float(stdtrit(freedom, 0.5 + level / 2)) * error
    return Interval(estimate, estimate - reach, estimate + reach)


def clustered_mean(deals: Moments, level: float = LEVEL, *, bound: float | None = None) -> Interval:
    """Return the interval of a mean of values that come one a deal (CR1, t with G - 1 degrees).

    Parameters
    ----------
    deals : Moments
        Of one value a deal: the deal's sum over its rotations, or the sum divided by a constant.
    bound : float
        Largest possible absolute value. When all deals gave exactly 0 the interval is then the
        one that no event in that many deals allows (Newcombe's with no discordant pair) instead
        of the point 0.
    """
    if deals.count == 0:
        return Interval(math.nan, -math.inf, math.inf)
    if deals.squares == 0 and deals.mean == 0 and bound is not None:
        reach = bound * share_at(0.0, deals.count, level).high
        return Interval(0.0, -reach, reach)
    error = deals.standard_error
    if math.isnan(error):
        return Interval(deals.mean, -math.inf, math.inf)
    return t_interval(deals.mean, error, deals.count - 1, level)


def clustered_p(deals: Moments) -> float:
    """Return the two-sided p-value of "the mean is 0" from values that come one a deal.

    Where all deals gave the same, it is that of the sign-flip test.
    """
    error = deals.standard_error
    if deals.mean == 0 or math.isnan(error):
        return 1.0
    if error == 0:
        return 2.0 ** max(1 - deals.count, -1000)
    return float(2 * stdtr(deals.count - 1, -abs(deals.mean) / error))


def equivalence_p(deals: Moments, margin: float) -> float:
    """Return the p-value of "the mean is -margin or less, or margin or more".

    Parameters
    ----------
    deals : Moments
        Of one value a deal.
    margin : float
        Above 0; a small p-value says that the mean lies between -margin and margin.

    Notes
    -----
    Two one-sided t-tests (Schuirmann 1987); at 0.05 this is the 90 % interval lying within the
    margin. Where all deals gave the same, the p-value is 1 / (deals + 1): of one deal more than
    there are, the chance that the only one to differ is missing.
    """
    error = deals.standard_error
    if deals.count == 0 or math.isnan(error):
        return 1.0
    if error == 0:
        return 1 / (deals.count + 1) if abs(deals.mean) < margin else 1.0
    return float(stdtr(deals.count - 1, -(margin - abs(deals.mean)) / error))


def newcombe(both: int, first: int, second: int, neither: int, level: float = LEVEL) -> Interval:
    """Return Newcombe's method 10 interval for the difference of two paired proportions.

    Parameters
    ----------
    both, first, second, neither : int
        Pairs in which both, only the first, only the second, or neither had the event. The
        difference is (first - second) / pairs.

    Notes
    -----
    Newcombe 1998, method 10: square-and-add of two Wilson intervals with the correlation phi,
    corrected for continuity.
    """
    pairs = both + first + second + neither
    if pairs == 0:
        return Interval(math.nan, -1.0, 1.0)
    one, two = wilson(both + first, pairs, level), wilson(both + second, pairs, level)
    margins = (both + first) * (second + neither) * (both + second) * (first + neither)
    product = float(both * neither - first * second)
    if product > 0:
        product = max(product - pairs / 2, 0.0)
    phi = product / math.sqrt(margins) if margins else 0.0
    below, above = one.estimate - one.low, one.high - one.estimate
    other_below, other_above = two.estimate - two.low, two.high - two.estimate
    down = math.sqrt(max(below**2 - 2 * phi * below * other_above + other_above**2, 0.0))
    up = math.sqrt(max(above**2 - 2 * phi * above * other_below + other_below**2, 0.0))
    difference = (first - second) / pairs
    return Interval(difference, max(difference - down, -1.0), min(difference + up, 1.0))


def tango(both: int, first: int, second: int, neither: int, level: float = LEVEL) -> Interval:
    """Return Tango's score interval for the difference of two paired proportions.

    Parameters are those of `newcombe`. The bounds are the differences at which the score statistic
    (Tango 1998, equations 5 to 8) reaches the normal quantile.
    """
    pairs = both + first + second + neither
    if pairs == 0:
        return Interval(math.nan, -1.0, 1.0)
    difference = (first - second) / pairs
    z = float(ndtri(0.5 + level / 2))

    def score(delta: float) -> float:
        b = -first - second + (2 * pairs - first + second) * delta
        c = -second * delta * (1 - delta)
        share = (math.sqrt(max(b * b - 8 * pairs * c, 0.0)) - b) / (4 * pairs)
        variance = pairs * (2 * share + delta * (1 - delta))
        gap = first - second - pairs * delta
        if variance <= 0:
            return 0.0 if gap == 0 else math.copysign(math.inf, gap)
        return gap / math.sqrt(variance)

    return Interval(
        difference,
        _bound(lambda delta: min(score(delta), 1e9) - z, -1.0, difference),
        _bound(lambda delta: max(score(delta), -1e9) + z, difference, 1.0),
    )


def _bound(gap: Callable[[float], float], low: float, high: float) -> float:
    """Return where the falling function `gap` passes 0, or the end it does not reach."""
    from scipy.optimize import brentq

    if gap(low) <= 0:
        return low
    if gap(high) >= 0:
        return high
    return float(brentq(gap, low, high, xtol=1e-12))


def mcnemar_p(first: int, second: int) -> float:
    """Return the exact two-sided p-value of McNemar's test from the discordant pairs.

    Under no change either side of a pair is as likely, so the two tails are alike.
    """
    from scipy.special import bdtr

    return min(1.0, 2 * float(bdtr(min(first, second), first + second, 0.5)))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's step-down method, in the same order."""
    corrected = [1.0] * len(p_values)
    largest = 0.0
    for place, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - place) * p_values[index]))
        corrected[index] = largest
    return corrected


def finite(value: Any) -> Any:
    """Return plain data with null for what JSON has no number for (no interval at one deal)."""
    if isinstance(value, str | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value):
        return {field.name: finite(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: finite(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [finite(part) for part in value]
    return value
