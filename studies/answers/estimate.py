"""Estimates with the influence of each group of deals; arithmetic by the delta method.

Every number of a study is built from ratios of sums over deals. An `Estimate` has its value and its
*influence*: the contribution of each group of deals, less the contribution if all groups were
alike. Sums, products and quotients of estimates follow by linearisation. All cells of a study play
the same deals and have the same groups, so that covariances (of a paired comparison, an
interaction, a factorial effect, a mean over tables) need no formulas of their own.

Intervals are Student's, by group. If few deals are informative, `answers.rare_events` applies; if
even that gives no bound, an end is NaN. A p-value is 1 - the level at which the interval just
reaches the tested value: in closed form for Student's and Wilson's intervals, otherwise by root
finding. There is no other test, so p < 0.05 if and only if the 95 % interval excludes the value.
Rounding residue of effects that cancel counts as zero. An `Estimate` holds an array of numbers, so
that a cell's hundred numbers cost hardly more than one.

Sources
-------
- D. A. Binder (1983), Int. Stat. Rev. 51:279; W. G. Cochran (1977), Sampling Techniques, 3rd ed.,
  eq. 6.13: variance of functions of totals by linearising over clusters.
- K. M. Wolter (2007), Introduction to Variance Estimation, ch. 2: random groups.
- K.-Y. Liang, S. L. Zeger (1986), Biometrika 73:13: with the factor G / (G - 1).
- E. B. Wilson (1927), J. Am. Stat. Assoc. 22:209; N. Dean, M. Pagano (2015), J. Surv. Stat.
  Methodol. 3:484: the score interval, at the effective number of clustered trials.
- D. J. Schuirmann (1987), J. Pharmacokinet. Biopharm. 15:657: two one-sided tests of equivalence.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from studies.answers.arrays import Arrays
from studies.answers.rare_events import FEWEST_STEPS, MANY, RareEventCounts, error_reaching
from studies.answers.special import stdtr, stdtrit

Array = np.ndarray[Any, Any]

LEVEL = 0.95

_NOTHING = 1e-9
_TRACE = 1e-12
"""Rounding residue of sums that cancel, relative to the magnitude of their terms."""
_CANNOT_BE_SHOWN = 0.4
"""A p-value of equivalence above this is reported as 1."""


@dataclass(frozen=True)
class Estimate(Arrays):
    """Estimates of several numbers, with the contribution of each group of deals.

    Attributes
    ----------
    value : float64[numbers]
        NaN if unknown.
    influence : float64[numbers, groups]
        Sums to 0 over the groups.
    contribution : float64[numbers, groups]
        The contribution of each group (sums to the value); for a change, exactly 0 if the group is
        the same with and without. It determines whether few deals are informative.
    share : float64[numbers, groups]
        The share of each group in the whole (deals, matches); sums to 1.
    deals : float64[numbers]
        Number of informative deals.
    low, high : float64[numbers]
        Bounds of the value of one deal; infinite if there are none.
    centre : float64[numbers]
        A value that many deals may share, besides the bounds: 0 for a change, the even share for a
        win rate; NaN if there is none.
    unseen : float64[numbers]
        The largest step of a deal to expect as long as none is seen, as a share of its room.
    scale : float64[numbers]
        Magnitude of the terms that were summed; much smaller values are rounding residue.
    """

    value: Array
    influence: Array
    contribution: Array
    share: Array
    deals: Array
    low: Array
    high: Array
    centre: Array
    unseen: Array
    scale: Array

    def __len__(self) -> int:
        return len(self.value)

    # ---- arithmetic

    def __add__(self, other: Estimate | float) -> Estimate:
        if not isinstance(other, Estimate):
            return replace(
                self,
                value=self.value + other,
                contribution=self.contribution + other * self.share,
                low=self.low + other,
                high=self.high + other,
                centre=self.centre + other,
                scale=self.scale + abs(other),
            )
        first, second = self, other
        scale = first.scale + second.scale
        value = first.value + second.value
        return Estimate(
            np.where(np.abs(value) <= _TRACE * scale, 0.0, value),
            first.influence + second.influence,
            first.contribution + second.contribution,
            (first.share + second.share) / 2,
            np.minimum(first.deals, second.deals),
            first.low + second.low,
            first.high + second.high,
            first.centre + second.centre,
            np.maximum(first.unseen, second.unseen),
            scale,
        )

    def __neg__(self) -> Estimate:
        return self * -1.0

    def __sub__(self, other: Estimate | float) -> Estimate:
        return self + (-other)

    def __mul__(self, other: Estimate | float) -> Estimate:
        if not isinstance(other, Estimate):
            ends = np.array([self.low * other, self.high * other])
            return replace(
                self,
                value=self.value * other,
                influence=self.influence * other,
                contribution=self.contribution * other,
                low=ends.min(axis=0),
                high=ends.max(axis=0),
                centre=self.centre * other,
                scale=self.scale * abs(other),
            )
        value = self.value * other.value
        moved = self.influence * other.value[:, None] + other.influence * self.value[:, None]
        return self._made(other, value, moved, self.scale * other.scale)

    def __truediv__(self, other: Estimate | float) -> Estimate:
        if not isinstance(other, Estimate):
            return self * (1.0 / other)
        with np.errstate(divide="ignore", invalid="ignore"):
            value = self.value / other.value
            moved = (self.influence - value[:, None] * other.influence) / other.value[:, None]
            scale = self.scale / np.abs(other.value)
        value = np.where(np.isfinite(value), value, np.nan)
        return self._made(other, value, moved, scale)

    def _made(self, other: Estimate, value: Array, influence: Array, scale: Array) -> Estimate:
        """Return a product or a quotient, whose values have no bounds."""
        share = (self.share + other.share) / 2
        free = np.full_like(value, np.inf)
        return Estimate(
            value,
            influence,
            influence + value[:, None] * share,
            share,
            np.minimum(self.deals, other.deals),
            -free,
            free,
            np.zeros_like(value),
            np.maximum(self.unseen, other.unseen),
            scale,
        )

    # ---- inference

    @cached_property
    def groups(self) -> Array:
        """Number of groups that have deals, float64[numbers]."""
        count: Array = np.maximum((self.share != 0).sum(axis=1), 1).astype(float)
        return count

    @cached_property
    def error(self) -> Array:
        """Standard errors, clustered by group; NaN with fewer than two groups."""
        groups = self.groups
        with np.errstate(divide="ignore", invalid="ignore"):
            variance = np.square(self.influence).sum(axis=1) * groups / (groups - 1)
        errors = np.sqrt(np.where(groups > 1, variance, np.nan))
        spread: Array = np.where(errors <= _TRACE * self.scale, 0.0, errors)
        return spread

    def steps_about(self, centre: Array) -> RareEventCounts:
        """Return the deals' deviations from a common value, as steps."""
        contribution = self.contribution
        if centre.any():
            about = centre[:, None] * self.share
            contribution = contribution - about
            # Rounding may leave a trace of a deal that has exactly the value.
            contribution[np.abs(contribution) <= _NOTHING * np.abs(about)] = 0.0
        rooms = np.maximum(self.high - centre, 0.0), np.maximum(centre - self.low, 0.0)
        trace = _TRACE * self.scale
        return RareEventCounts.of(
            contribution, np.maximum(self.deals, 1.0), *rooms, self.unseen, trace
        )

    @cached_property
    def known(self) -> Known:
        """A summary of the estimates without the groups.

        Steps are deviations from the value that most deals have: `centre`, or one of the bounds. If
        all deals agree on another value, and no bound limits the distance from it, a deviating deal
        is assumed to lie equally far on the other side of `centre`.
        """
        steps = self.steps_about(np.where(np.isfinite(self.centre), self.centre, 0.0))
        steps = RareEventCounts.stacked([steps])  # a copy, in which numbers are replaced
        few = steps.are_few & np.isfinite(self.centre)
        with np.errstate(invalid="ignore"):
            widest = self.share.max(axis=1) * (self.high - self.low)
        for end in (self.low, self.high):
            # No group lies further from the end than its share of the span, so that there are at
            # least `away / widest` steps: with so many the end need not be looked at.
            with np.errstate(invalid="ignore"):
                away = np.abs(self.value - end)
                near = ~(away >= np.minimum(MANY, self.deals) * widest)
            places = np.flatnonzero(near & np.isfinite(end) & (end != self.centre))
            if not places.size:
                continue
            from_end = self[places].steps_about(end[places])
            here = np.flatnonzero(
                from_end.are_few & (~few[places] | (from_end.differing < steps.differing[places]))
            )
            few[places[here]] = True
            steps.put(places[here], from_end[here])
        alike = ~few & (self.error == 0) & np.isfinite(self.centre)
        alike &= ~(np.isfinite(self.low) & np.isfinite(self.high)) & (self.value != self.centre)
        alike &= self.deals >= FEWEST_STEPS
        if alike.any():
            few |= alike
            room = 2 * np.abs(self.value - self.centre)[alike]
            steps.put(np.flatnonzero(alike), RareEventCounts.none(self.deals[alike], room, room))
        few &= np.isfinite(self.value) & (self.deals >= 1)
        # Groups that agree tell that all deals do where each has one deal; so does a bound.
        constant = (self.error == 0) & (self.deals <= self.groups)
        constant |= (self.value == self.low) | (self.value == self.high)
        return Known(
            self.value,
            self.error,
            self.groups,
            self.deals,
            self.low,
            self.high,
            few,
            constant & (self.deals >= 1),
            steps,
        )

    def interval(self, level: float = LEVEL) -> tuple[Array, Array]:
        """Return the lower and upper bounds; NaN for a missing one."""
        return self.known.interval(level)

    def p(self, against: float | Array = 0.0) -> Array:
        """Return two-sided p-values of "the value is `against`"; 1 without evidence."""
        return self.known.p(against)


@dataclass(frozen=True)
class Known(Arrays):
    """Summary of an `Estimate` without its groups; arrays of one length.

    Attributes
    ----------
    few : bool[numbers]
        Where few deals are informative, so that `steps` are used, not the standard error.
    constant : bool[numbers]
        Where every deal is known to have this value.
    """

    value: Array
    error: Array
    groups: Array
    deals: Array
    low: Array
    high: Array
    few: Array
    constant: Array
    steps: RareEventCounts

    def interval(self, level: float | Array = LEVEL) -> tuple[Array, Array]:
        """Return the lower and upper bounds; NaN for a missing one."""
        return self.ends((1 - np.asarray(level, float)) / 2)

    def ends(self, error: float | Array) -> tuple[Array, Array]:
        """Return the bounds with a one-sided error each; NaN for a missing one."""
        tail = np.broadcast_to(np.asarray(error, float), self.value.shape)
        with np.errstate(invalid="ignore"):  # without any error all of what varies is possible
            half = -stdtrit(np.maximum(self.groups - 1, 1), tail) * self.error
        # Without any spread, and without a bound on it, nothing is known.
        half = np.where((self.error > 0) & (self.deals >= 2), half, np.inf)
        below, above = self._leaning(half)
        if self.few.any():
            below[self.few], above[self.few] = self.steps[self.few].reach(tail[self.few])
        limited = self.few | np.isfinite(half)
        low = np.where(limited, np.maximum(self.value - below, self.low), np.nan)
        high = np.where(limited, np.minimum(self.value + above, self.high), np.nan)
        return np.where(np.isfinite(low), low, np.nan), np.where(np.isfinite(high), high, np.nan)

    def _leaning(self, half: Array) -> tuple[Array, Array]:
        """Return how far an interval with a given half width reaches to each side.

        Between two bounds it is Wilson's interval at the number of trials with this half width,
        shifted towards the middle; otherwise Student's.
        """
        span = self.high - self.low
        with np.errstate(divide="ignore", invalid="ignore"):
            at = (self.value - self.low) / span
            # z² / trials of the score interval whose plain form reaches as far; beyond a million
            # spans it reaches both bounds.
            over = np.square(np.minimum(half / span, 1e6)) / (at * (1 - at))
            centre = (at + over / 2) / (1 + over)
            reach = np.sqrt(over * at * (1 - at) + np.square(over) / 4) / (1 + over)
            below, above = (at - centre + reach) * span, (centre + reach - at) * span
        usable = np.isfinite(span) & (at > 0) & (at < 1) & np.isfinite(half)
        return np.where(usable, below, half), np.where(usable, above, half)

    def p(self, against: float | Array = 0.0) -> Array:
        """Return two-sided p-values of "the value is `against`".

        1 - the level at which the interval just reaches the value; 1 if it has no end on that side.
        """
        null = np.broadcast_to(np.asarray(against, float), self.value.shape)
        gap = null - self.value
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.abs(gap) / self.error
            span = self.high - self.low
            at, null_at = (self.value - self.low) / span, (null - self.low) / span
            # Wilson's interval reaches as far as the score test of its end (`_leaning`).
            score = t * np.sqrt(at * (1 - at) / (null_at * (1 - null_at)))
        score = np.where((null_at <= 0) | (null_at >= 1), np.inf, score)
        t = np.where(np.isfinite(span) & (at > 0) & (at < 1), score, t)
        known = (self.error > 0) & (self.deals >= 2)
        t = np.where(known & ~np.isnan(t), t, 0.0)
        p_values: Array = 2 * stdtr(np.maximum(self.groups - 1, 1), -t)
        if self.few.any():
            p_values[self.few] = self.steps[self.few].p(gap[self.few])
        p_values[(gap == 0) | ~np.isfinite(gap)] = 1.0
        return p_values

    def p_equivalent(self, margin: Array) -> Array:
        """Return p-values of "the value is -margin or less, or margin or more".

        Two one-sided tests: the smallest error at which both limits lie within the margin, which is
        half the larger two-sided p-value; 1 if equivalence cannot be shown.
        """
        inside = np.abs(self.value) < margin
        p_values: Array = np.maximum(self.p(margin), self.p(-margin)) / 2
        return np.where(inside & (p_values <= _CANNOT_BE_SHOWN), p_values, 1.0)


def difference_interval(
    first: Known, second: Known, level: float | Array = LEVEL
) -> tuple[Array, Array]:
    """Return the interval of first - second, from the intervals of the two (square-and-add).

    For numbers of different tables with few informative deals: a number without events has no
    standard error, although it is not known exactly. Shared deals are ignored.

    R. G. Newcombe (1998), Stat. Med. 17:873, method 10; G. Y. Zou, A. Donner (2008), Stat. Med.
    27:1693.
    """
    return _difference_ends(first, second, (1 - np.asarray(level, float)) / 2)


def _difference_ends(first: Known, second: Known, error: float | Array) -> tuple[Array, Array]:
    low, high = first.ends(error)
    other_low, other_high = second.ends(error)
    value = first.value - second.value
    return (
        value - np.hypot(first.value - low, other_high - second.value),
        value + np.hypot(high - first.value, second.value - other_low),
    )


def difference_p(first: Known, second: Known) -> Array:
    """Return the p-values of "the two are equal": by inverting `difference_interval`."""
    gap = second.value - first.value
    p_values = np.ones_like(gap)
    places = np.flatnonzero((gap != 0) & np.isfinite(gap))
    if places.size:

        def reach(error: Array, at: Array) -> Array:
            here = places[at]
            low, high = _difference_ends(first[here], second[here], error)
            return np.where(gap[here] > 0, high + gap[here], -gap[here] - low)

        p_values[places] = np.minimum(1.0, 2 * error_reaching(reach, np.abs(gap[places])))
    return p_values


def ratio(
    part: Array,
    whole: Array,
    deals: Array | float,
    *,
    low: Array | float = -np.inf,
    high: Array | float = np.inf,
    centre: Array | float | None = None,
) -> Estimate:
    """Return ratios of two sums, given by group: arrays of shape (numbers, groups).

    Parameters
    ----------
    deals : number of deals with a non-zero denominator.
    low, high : bounds of one deal's ratio.
    centre : a ratio that many deals may share; default: the lower bound, or 0.
    """
    part, whole = np.asarray(part, float), np.asarray(whole, float)
    total = whole.sum(axis=1)
    safe = np.where(total != 0, total, np.nan)
    value = part.sum(axis=1) / safe
    filled = np.where(total != 0, total, 1.0)[:, None]
    known = np.where(np.isfinite(value), value, 0.0)[:, None]
    like = np.ones_like(value)
    if centre is None:
        centre = np.where(np.isfinite(low), low, 0.0)
    return Estimate(
        value,
        (part - known * whole) / filled,
        part / filled,
        whole / filled,
        deals * like,
        low * like,
        high * like,
        centre * like,
        like,
        np.abs(part).sum(axis=1) / np.abs(safe),
    )


def change(after: Estimate, before: Estimate, rotations: int = 1) -> Estimate:
    """Return after - before; a group that is the same on both sides counts as unchanged.

    Both are ratios over `rotations` matches per deal. Where the wholes differ (a rule adds a round,
    matches are aborted), the weight of every group moves, although its rate need not: a step is
    therefore what a group moves the difference by, its influence, not its part of either sum.
    """
    moved = after - before
    wholes = np.maximum(np.abs(after.share), np.abs(before.share))
    same = np.abs(_rate(after) - _rate(before)) <= _NOTHING * np.abs(_rate(before))
    heavy = np.abs(after.share - before.share) > 0.5 * wholes
    steps = moved.influence + np.nan_to_num(moved.value)[:, None] * moved.share
    return replace(
        moved,
        contribution=np.where(same & ~heavy, 0.0, steps),
        centre=np.zeros_like(moved.value),
        # An unseen change is assumed not to flip all matches of a deal at once.
        unseen=np.full_like(moved.value, rotations**-0.5),
    )


def _rate(estimate: Estimate) -> Array:
    """Return the ratio of each group; 0 for a zero denominator."""
    return np.divide(
        estimate.contribution,
        estimate.share,
        out=np.zeros_like(estimate.contribution),
        where=estimate.share != 0,
    )


def mean(estimates: Sequence[Estimate]) -> Estimate:
    """Return the mean of estimates: over tables, line-ups or levels of other factors."""
    total = estimates[0]
    for estimate in estimates[1:]:
        total = total + estimate
    return total / float(len(estimates))


def padded(estimate: Estimate, groups: int) -> Estimate:
    """Return an estimate padded to `groups` groups; the added ones have no deals."""
    missing = groups - estimate.influence.shape[1]
    if missing <= 0:
        return estimate
    wide = ((0, 0), (0, missing))
    return replace(
        estimate,
        influence=np.pad(estimate.influence, wide),
        contribution=np.pad(estimate.contribution, wide),
        share=np.pad(estimate.share, wide),
    )


def stack(estimates: Sequence[Estimate]) -> Estimate:
    """Return estimates of the same deals, concatenated."""
    groups = max(estimate.influence.shape[1] for estimate in estimates)
    return Estimate.stacked([padded(estimate, groups) for estimate in estimates])


def influence_of(estimates: Sequence[Estimate]) -> Array:
    """Return the influences of all numbers, over the groups that any of them has."""
    numbers = stack(estimates)
    used = (numbers.share != 0).any(axis=0)
    influence: Array = np.nan_to_num(numbers.influence[:, used])
    return influence
