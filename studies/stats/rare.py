"""Changes that few deals show: intervals and tests of equivalence that hold there, too.

A variant may leave nearly every deal as it is. The mean change is then made of a handful of deals,
and the normal approximation claims too much: of none at all it says 0 ± 0. Here the changes are
taken as steps of one size, up or down, that have the same sum and the same sum of squares; the two
effective numbers of steps are binomial counts among the deals, whose limits are combined into those
of the difference. Nothing is assumed of the deals that did change but that the sizes of their
changes are like those to come.

- With a bound on the change of one deal (win rates have one), no change in n deals leaves room for
  a mean of ± bound · 3.7 / n (the rule of three for two sides, at 95 %).
- Without one (scores, lengths), fewer than six deals that change tell nothing of how large a change
  may be: the interval has no ends. Six is the least number with which a sign test can say p < 0.05.
- Where the effective number of steps is `MANY` or more, or half of all deals, the interval is the
  cluster-robust t interval.

Intervals take half of the chance of what was seen (mid-P): 94.5 to 97 % where 95 % is said from
four expected changes on, at least that below: with so few no limits come nearer than 98 %. Tests
of equivalence take all of it (Clopper & Pearson 1934), so that they err in no more than the stated
share. Both are measured in `tests/studies/test_rare.py`.

Sources
-------
- E. L. Korn, B. I. Graubard (1998), Survey Methodology 24:193: exact limits at effective counts.
- M. P. Fay, E. J. Feuer (1997), Stat. Med. 16:791; R. C. Tiwari, L. X. Clegg, Z. Zou (2006), Stat.
  Methods Med. Res. 15:547: limits for sums of steps of unequal size, at the effective count and
  with a typical step in place of the next; M. P. Fay, S. Kim (2017), Biom. J. 59:377: with mid-P.
- R. G. Newcombe (1998), Stat. Med. 17:2635; G. Y. Zou, A. Donner (2008), Stat. Med. 27:1693: limits
  of a difference from those of its two parts.
- J. A. Hanley, A. Lippman-Hand (1983), JAMA 249:1743: the rule of three.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtri, stdtrit

from studies.stats.intervals import (
    LEVEL,
    Interval,
    Moments,
    clustered_mean,
    clustered_p,
    equivalence_p,
    exact_limits,
    mid_p_limits,
    share_at,
)

MANY = 100
"""Effective steps from which on the t interval holds."""

_LEAST = 6
_FEW_AWAY = 30
_NOTHING = 1e-12
_DIGITS = 9
_SMALLEST_P = 1e-300
_CANNOT_BE_SHOWN = 0.4
"""A p-value of equivalence above this is told as 1."""

Limits = Callable[[float, float, float], tuple[float, float]]


@dataclass(frozen=True)
class Changes:
    """One change a deal, in sums.

    Attributes
    ----------
    deals : Moments
        Of the changes.
    sizes : float
        Sum of the absolute changes; NaN where more deals changed than are kept one by one, which
        are many.
    changed : int
        Deals whose change is not 0.
    """

    deals: Moments
    sizes: float
    changed: int

    @classmethod
    def of(cls, values: ArrayLike) -> Changes:
        """Return the sums of an array of changes, one a deal."""
        array = np.asarray(values, dtype=np.float64)
        return cls(Moments.of(array), float(np.abs(array).sum()), int(np.count_nonzero(array)))

    @classmethod
    def kept(cls, deals: Moments, values: ArrayLike | None) -> Changes:
        """Return the sums of changes of which the moments are known, and those other than 0."""
        if values is None:
            return cls(deals, math.nan, deals.count)
        array = np.asarray(values, dtype=np.float64)
        return cls(deals, float(np.abs(array).sum()), array.size)

    @classmethod
    def bounded(cls, deals: Moments, bound: float) -> Changes:
        """Return the sums of changes of which only moments are known, and the largest possible.

        They are taken as steps as large, and so as few, as can be.
        """
        changes = cls(deals, 1.0, deals.count)
        sizes = max(changes.squares / bound, deals.count * abs(deals.mean))
        return cls(deals, sizes, deals.count if sizes > 0 else 0)

    @property
    def squares(self) -> float:
        """Sum of the squared changes."""
        return self.deals.squares + self.deals.count * self.deals.mean**2

    @property
    def step(self) -> float:
        """Size of the equal steps that have the same sums."""
        return self.squares / self.sizes

    @property
    def steps(self) -> tuple[float, float]:
        """Effective numbers of steps up and down."""
        total, step = self.deals.count * self.deals.mean, self.step
        up, down = (max(0.0, self.sizes + sign * total) / 2 / step for sign in (1, -1))
        return round(up, _DIGITS), round(down, _DIGITS)  # no step is not a trace of one

    @property
    def are_many(self) -> bool:
        """Whether the t interval holds."""
        if self.changed == 0:
            return False
        return not sum(self.steps) < min(MANY, self.deals.count / 2)


def linearised(deals: Moments, few: ArrayLike | None, bound: float) -> Changes:
    """Return changes of a ratio over deals, linearised.

    Parameters
    ----------
    few : array or None
        The deals' changes of the part above the line other than 0; None where they are many.
    bound : float
        Largest possible absolute change of a deal.
    """
    return Changes.kept(deals, None) if few is None else Changes.bounded(deals, bound)


def change_interval(
    changes: Changes, level: float = LEVEL, *, bound: float | None = None
) -> Interval:
    """Return the interval of the mean change.

    Parameters
    ----------
    changes : Changes
        Of one value a deal.
    bound : float
        Largest possible absolute change of a deal; None where there is none.
    """
    deals = changes.deals
    if deals.count < 2 or changes.are_many:
        return clustered_mean(deals, level, bound=bound)
    low, high = _reach(changes, (1 - level) / 2, mid_p_limits, bound)
    return Interval(deals.mean, deals.mean - low, deals.mean + high)


def change_equivalence_p(changes: Changes, margin: float, *, bound: float | None = None) -> float:
    """Return the p-value of "the mean change is -margin or less, or margin or more".

    Parameters
    ----------
    margin : float
        Above 0; a small p-value says that the mean lies between -margin and margin.
    bound : float
        As in `change_interval`. Without one, few changes show nothing: the p-value is 1.

    Notes
    -----
    Two one-sided tests (Schuirmann 1987): the least error at which both limits lie within the
    margin.
    """
    deals = changes.deals
    if deals.count < 2 or changes.are_many:
        return equivalence_p(deals, margin)

    def lies_within(error: float) -> bool:
        low, high = _reach(changes, error, exact_limits, bound)
        return -margin < deals.mean - low and deals.mean + high < margin

    if not lies_within(_CANNOT_BE_SHOWN):
        return 1.0
    least, most = math.log(_SMALLEST_P), math.log(_CANNOT_BE_SHOWN)
    while most - least > 1e-9:
        middle = (least + most) / 2
        least, most = (least, middle) if lies_within(math.exp(middle)) else (middle, most)
    return math.exp(most)


def change_p(changes: Changes) -> float:
    """Return the two-sided p-value of "the mean change is 0", from sums alone.

    A sign test of the effective steps where they are few, else the cluster-robust t-test.
    """
    if changes.deals.count < 2 or changes.are_many:
        return clustered_p(changes.deals)
    if changes.changed == 0:
        return 1.0
    fewer, more = sorted(changes.steps)
    return min(1.0, 2 * float(betainc(more, fewer + 1, 0.5)))


def is_near_an_end(deals: Moments, low: float, high: float) -> bool:
    """Whether so few deals lie away from an end of the range that a t interval says too much."""
    return deals.count >= 2 and min(_away(deals, low)[0], _away(deals, high)[0]) < _FEW_AWAY


def bounded_mean(deals: Moments, low: float, high: float, level: float = LEVEL) -> Interval:
    """Return the interval of a mean of values between `low` and `high`, one a deal.

    The cluster-robust t interval; near an end the deals away from it are counted as steps of one
    size, whose number is a share of the deals (`studies.stats.intervals.share_at`): of a policy
    that won every match it is not said that it always wins.
    """
    if not is_near_an_end(deals, low, high):
        return clustered_mean(deals, level)
    (steps, step), sign, end = min(
        (_away(deals, low), 1, low), (_away(deals, high), -1, high), key=lambda one: one[0][0]
    )
    share = share_at(steps / deals.count, deals.count, level)
    if steps == 0:
        step = high - low
    ends = sorted(end + sign * step * limit for limit in (share.low, share.high))
    return Interval(deals.mean, max(low, ends[0]), min(high, ends[1]))


def gap_interval(
    deals: Moments, few: ArrayLike | None, held: tuple[int, int], level: float = LEVEL
) -> Interval:
    """Return the interval of the difference of two policies' win rates per seat.

    Parameters
    ----------
    few : array or None
        Differences other than 0, one a deal; None where they are many.
    held : (int, int)
        Seats of the one and of the other.
    """
    low, high = -1.0 / held[1], 1.0 / held[0]
    if is_near_an_end(deals, low, high):
        return bounded_mean(deals, low, high, level)
    return change_interval(Changes.kept(deals, few), level, bound=max(-low, high))


def _away(deals: Moments, end: float) -> tuple[float, float]:
    """Return the effective number of steps away from an end, and their size."""
    total = deals.count * abs(deals.mean - end)
    if total <= _NOTHING * deals.count:
        return 0.0, 0.0
    step = (deals.squares + deals.count * (deals.mean - end) ** 2) / total
    return total / step, step


def _reach(
    changes: Changes, error: float, limits: Limits, bound: float | None
) -> tuple[float, float]:
    """Return how far the limits lie below and above the mean, each with this error."""
    trials = float(changes.deals.count)
    if bound is None and changes.changed < _LEAST:
        return math.inf, math.inf
    if changes.changed == 0:
        assert bound is not None
        reach = bound * exact_limits(0.0, trials, error)[1]
        return reach, reach
    (low, high), (other_low, other_high) = (limits(own, trials, error) for own in changes.steps)
    up, down = (own / trials for own in changes.steps)
    spread = up * (1 - up) * down * (1 - down)
    # A deal goes up or down, not both.
    together = -up * down / math.sqrt(spread) if spread > 0 else 0.0
    wide = changes.step * (_wider(changes, error) if bound is None else 1.0)
    return (
        wide * _combined(up - low, other_high - down, together),
        wide * _combined(high - up, down - other_low, together),
    )


def _combined(one: float, other: float, together: float) -> float:
    return math.sqrt(max(one * one - 2 * together * one * other + other * other, 0.0))


def _wider(changes: Changes, error: float) -> float:
    """Return what not knowing the sizes of steps costs: Student's t in place of the normal."""
    freedom = max(sum(changes.steps) - 1, 1.0)
    return max(1.0, float(stdtrit(freedom, 1 - error) / ndtri(1 - error)))
