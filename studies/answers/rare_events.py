"""Rare events: confidence limits where a normal approximation fails.

A rare event, a share near 0 or 1, and a rule that hardly ever comes into play have one thing in
common: nearly every deal gives the same value, and the mean is that value plus a handful of steps.
The steps are modelled as equally large, matching their observed sum and sum of squares; their
effective numbers up and down are binomial counts among the deals, whose limits are combined into
those of the mean. A p-value is the error at which a limit just reaches the tested value; there is
no other test.

- The size of a step is estimated from few steps. It is shrunk towards the largest possible step of
  a deal, with the weight of an eighth of a step, and Student's t replaces the normal. If every deal
  has the same m matches, an unseen *change* is assumed not to flip all of them at once: its step is
  m^-1/2 of the largest, between one match and all.
- With a bound on the step of a deal, no step in n deals is consistent with a mean of up to 3.7 / n
  steps (the two-sided rule of three, at 95 %).
- If every deal has the same value, and no bound is known, a deviating deal is assumed to lie
  equally far on the other side of the common value's origin; the p-value is that of a sign test.
- Otherwise, without a bound, fewer than six effective steps do not limit the size of the next: the
  interval has no end on that side. Six is the smallest number at which a sign test gives p < 0.05.

All functions are vectorised over numbers; counts need not be whole.

Sources
-------
- E. L. Korn, B. I. Graubard (1998), Survey Methodology 24:193: limits at effective counts.
- M. P. Fay, E. J. Feuer (1997), Stat. Med. 16:791; R. C. Tiwari, L. X. Clegg, Z. Zou (2006), Stat.
  Methods Med. Res. 15:547: limits for sums of unequal steps, at the effective count and with the
  largest, or a typical, step in place of the next; M. P. Fay, S. Kim (2017), Biom. J. 59:377: with
  mid-P.
- H. O. Lancaster (1961), J. Am. Stat. Assoc. 56:223; G. Berry, P. Armitage (1995), The Statistician
  44:417: mid-P limits. C. J. Clopper, E. S. Pearson (1934), Biometrika 26:404: exact limits.
- R. G. Newcombe (1998), Stat. Med. 17:2635; G. Y. Zou, A. Donner (2008), Stat. Med. 27:1693: limits
  of a difference from those of its two parts.
- J. A. Hanley, A. Lippman-Hand (1983), JAMA 249:1743: the rule of three.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from studies.answers.arrays import Arrays
from studies.answers.special import betainc, betaincinv, betaln, ndtr, ndtri, stdtrit

Array = np.ndarray[Any, Any]

MANY = 100
"""Effective steps from which on the t interval is used."""

FEWEST_STEPS = 6
_ALIKE = 0.95
_UNSEEN = 0.125
"""Weight of the largest unseen step, relative to an observed step."""
_SEEN = 0.6
"""The share of the probability of the observed count that is included in the tail.

At 1 / 2, Lancaster's mid-P, 95 % limits of a Poisson rate cover as little as 92.7 % (at about five
events); at 0.6 they cover at least 93.9 %, and hardly more on average.
"""
_NEWTON_STEPS = 8
_NEAR = 1e-6  # from there one more step, which is quadratic, is exact
_LEAST = 1e-300  # of a share: smaller ones underflow
_DIGITS = 9  # what rounding leaves of a step that was not taken is no trace of one
_LARGEST_Z = 37.0
_PLACES = 1 << 39
_GRID = _LARGEST_Z / _PLACES
"""Places up to `_LARGEST_Z`, and their distance: a z between them counts as the next one."""
_HALVINGS, _MOST_GUESSES = 5, 40
_ALMOST_HALF = 0.5 - 1e-9


@dataclass(frozen=True)
class RareEventCounts(Arrays):
    """Deals that deviate from a common value, as equal steps; arrays of equal length.

    Attributes
    ----------
    up, down : effective numbers of steps.
    differing : deviating deals (or groups); equal to the steps if all are equally large.
    size : size of a step, in units of the mean times deals; 0 without steps.
    trials : number of deals.
    room_up, room_down : largest possible steps of one deal, in the same units; infinite where
        there is no bound, 0 where the common value is itself the bound.
    unseen : the largest unseen step to expect, as a share of the room.
    """

    up: Array
    down: Array
    differing: Array
    size: Array
    trials: Array
    room_up: Array
    room_down: Array
    unseen: Array

    @classmethod
    def of(
        cls,
        contribution: Array,
        trials: Array,
        room_up: Array,
        room_down: Array,
        unseen: Array,
        trace: Array,
    ) -> RareEventCounts:
        """Return the steps of numbers, given the contribution of each group (numbers, groups).

        Parameters
        ----------
        trace : float64[numbers]
            Possible rounding residue in a group.
        """
        sizes = np.abs(contribution).sum(axis=-1)
        squares = np.einsum("ij,ij->i", contribution, contribution)
        size = np.divide(squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        # With many steps only their number is used.
        few = np.flatnonzero(sizes < 2 * MANY * size)
        total, differ = np.zeros_like(sizes), np.zeros(sizes.shape, dtype=int)
        if few.size:
            steps = np.where(np.abs(contribution[few]) <= trace[few, None], 0.0, contribution[few])
            sizes[few], squares[few] = np.abs(steps).sum(axis=-1), np.square(steps).sum(axis=-1)
            size[few] = np.divide(
                squares[few], sizes[few], out=np.zeros(few.size), where=sizes[few] > 0
            )
            total[few] = steps.sum(axis=-1)
            differ[few] = np.count_nonzero(steps, axis=-1)
        safe = np.where(size > 0, size, 1.0)
        up, down = (
            np.round(np.maximum(0.0, sizes + sign * total) / 2 / safe, _DIGITS) for sign in (1, -1)
        )
        return cls(up, down, differ, size * trials, trials, room_up, room_down, unseen)

    @classmethod
    def none(cls, trials: Array, room_up: Array, room_down: Array) -> RareEventCounts:
        """Return the counts of numbers on which all deals agree."""
        zero = np.zeros_like(trials)
        return cls(
            zero, zero, zero.astype(int), zero, trials, room_up, room_down, np.ones_like(trials)
        )

    def put(self, places: Array, others: RareEventCounts) -> None:
        """Replace some numbers, in place."""
        for name in self.__dataclass_fields__:
            getattr(self, name)[places] = getattr(others, name)

    @property
    def number(self) -> Array:
        """Effective number of steps."""
        total: Array = self.up + self.down
        return total

    @property
    def are_few(self) -> Array:
        """Whether there are too few steps for a t interval."""
        few: Array = self.number < np.minimum(MANY, self.trials / 2)
        return few

    @property
    def _room(self) -> Array:
        widest: Array = np.maximum(self.room_up, self.room_down)
        return widest

    @property
    def _alike(self) -> Array:
        """Whether the step size is known: equal steps, either several or the largest possible."""
        room = self._room
        largest = self.size > _ALIKE * room
        return (
            np.isfinite(room)
            & (self.number > _ALIKE * self.differing)
            & (largest | (self.number >= FEWEST_STEPS))
        )

    @property
    def _taken(self) -> Array:
        """The shrunken size of a step."""
        number, room = self.number, self._room
        bounded = np.isfinite(room)
        next_one = self.unseen * np.where(bounded, room, 0.0)
        sums = number * self.size + _UNSEEN * next_one
        squares = number * np.square(self.size) + _UNSEEN * np.square(next_one)
        pulled = np.divide(squares, sums, out=np.zeros_like(sums), where=sums > 0)
        return np.where(bounded, np.maximum(self.size, pulled), self.size)

    def turned(self, some: Array) -> RareEventCounts:
        """Return the counts with up and down exchanged for some numbers."""
        return replace(
            self,
            up=np.where(some, self.down, self.up),
            down=np.where(some, self.up, self.down),
            room_up=np.where(some, self.room_down, self.room_up),
            room_down=np.where(some, self.room_up, self.room_down),
        )

    def reach(self, error: Array | float) -> tuple[Array, Array]:
        """Return the distances of the limits below and above the mean, each with a one-sided error.

        Distances do not shrink as the error decreases; from an error of 1 / 2 on both may be 0.
        """
        error = np.broadcast_to(np.asarray(error, float), self.trials.shape)
        turned = self.turned(np.ones(self.trials.shape, dtype=bool))
        return turned.reach_up(error), self.reach_up(error)

    def reach_up(self, error: Array) -> Array:
        """Return the distances of the upper limits above the mean."""
        trials, room = self.trials, self.room_up
        more, less = np.minimum(self.up, trials), np.minimum(self.down, trials)
        farther = mid_p_high(more, trials, error) - more / trials
        fewer = less / trials - mid_p_low(less, trials, error)
        # No step that way is possible from a bound.
        farther = np.where(room > 0, np.maximum(farther, 0.0), 0.0)
        fewer = np.where(self.room_down > 0, np.maximum(fewer, 0.0), 0.0)
        more, less = more / trials, less / trials
        # A deal goes up or down, not both.
        spread = more * (1 - more) * less * (1 - less)
        together = np.where(spread > 0, -more * less / np.sqrt(np.where(spread > 0, spread, 1)), 0)
        # What not knowing the sizes of steps costs: Student's t in place of the normal. Where there
        # is a bound, the pull towards it stands for some steps.
        prior = np.where(np.isfinite(self._room), FEWEST_STEPS, 0)
        freedom = np.maximum(self.number - 1 + prior, 1.0)
        half = np.minimum(error, _ALMOST_HALF)
        wider = np.maximum(1.0, stdtrit(freedom, half) / ndtri(half))
        size = self._taken * np.where(self._alike, 1.0, wider)
        square = farther * farther - 2 * together * farther * fewer + fewer * fewer
        distance: Array = size * np.sqrt(np.maximum(square, 0.0))
        bounded = np.isfinite(room)
        unseen = (self.number <= 0) & bounded
        distance[unseen] = (self.unseen * room * -np.expm1(np.log(error) / trials))[unseen]
        distance[~bounded & (self.number < FEWEST_STEPS)] = np.inf
        return distance

    def p(self, gap: Array) -> Array:
        """Return the two-sided p-values of values at a distance `gap` above the mean (or below).

        Twice the error at which the limit on that side just reaches the value.
        """
        wide, rising = np.abs(gap), gap > 0
        room = np.where(rising, self.room_up, self.room_down)
        with np.errstate(divide="ignore", invalid="ignore"):
            left = np.maximum(1.0 - wide / (self.unseen * room), 0.0)
        unmoved = (self.number <= 0) & np.isfinite(room)
        error = np.where(unmoved & (wide > 0), left**self.trials, 0.5)
        open_ = (wide > 0) & ~unmoved & (np.isfinite(room) | (self.number >= FEWEST_STEPS))
        if open_.any():
            # The lower limit is the upper limit with the sides exchanged.
            open_counts = self[open_].turned(~rising[open_])
            error[open_] = error_reaching(
                lambda error, at: open_counts[at].reach_up(error), wide[open_]
            )
        p_values: Array = np.minimum(1.0, 2.0 * error)
        return p_values


def error_reaching(reach: Callable[[Array, Array], Array], gap: Array) -> Array:
    """Return the one-sided errors, at most 1 / 2, at which limits lie at distance `gap`.

    Parameters
    ----------
    reach : callable
        Returns the distances of limits from the estimate, given their errors and the indices of the
        numbers; decreasing in the error.
    gap : float64[numbers]
        Positive.
    """

    def beyond(z: Array, at: Array) -> Array:
        excess = reach(ndtr(-z), at) - gap[at]
        # A limit that does not exist is farther than any value.
        return np.where(np.isnan(excess) | np.isposinf(excess), np.finfo(float).max, excess)

    places = np.arange(len(gap))
    least, most = np.zeros(len(gap)), np.full(len(gap), _LARGEST_Z)
    near, far = beyond(least, places), beyond(most, places)
    errors = np.where(near >= 0, 0.5, 0.0)
    inside = np.flatnonzero((near < 0) & (far >= 0))
    if inside.size:
        ends = near[inside], far[inside]
        errors[inside] = ndtr(-_crossing(lambda z, at: beyond(z, inside[at]), *ends))
    return errors


def _crossing(beyond: Callable[[Array, Array], Array], near: Array, far: Array) -> Array:
    """Return the first places of a grid at which increasing functions are not below 0.

    Parameters
    ----------
    beyond : callable
        As in `error_reaching`.
    near, far : float64[numbers]
        The values at 0, which are below 0, and at `_LARGEST_Z`, which are not.
    """
    places = np.arange(len(near))
    low, high = np.zeros(len(near)), np.full(len(near), _LARGEST_Z)
    was_short, guess = np.zeros(len(near), dtype=bool), high
    for step in range(_MOST_GUESSES):
        before, guess = guess, (low + high) / 2
        if step >= _HALVINGS:  # limits are nearly linear in z, the normal quantile of their error
            with np.errstate(over="ignore", invalid="ignore"):
                secant = high - far * ((high - low) / (far - near))
            guess = np.where((low < secant) & (secant < high), secant, guess)
            if np.abs(guess - before).max() < _GRID / 4:
                break
        value = beyond(guess, places)
        is_short = value < 0
        # An end that stays twice counts half (Illinois method), or it would stay for ever.
        again = (is_short == was_short) & (step > _HALVINGS)
        near = np.where(is_short, value, np.where(again, near / 2, near))
        far = np.where(is_short, np.where(again, far / 2, far), value)
        low, high = np.where(is_short, guess, low), np.where(is_short, high, guess)
        was_short = is_short
    around = np.clip(np.floor(guess / _GRID)[:, None] + np.arange(-1, 3), 0, _PLACES)
    reached = beyond(around.ravel() * _GRID, np.repeat(places, 4)).reshape(-1, 4) >= 0
    crossing = np.take_along_axis(around, reached.argmax(axis=1)[:, None], axis=1)[:, 0]
    rest = np.flatnonzero(reached[:, 0] | ~reached[:, 3])
    low, high = np.zeros(rest.size), np.full(rest.size, float(_PLACES))
    while rest.size and high[0] - low[0] > 1:
        middle = (low + high) / 2
        is_short = beyond(middle * _GRID, rest) < 0
        low, high = np.where(is_short, middle, low), np.where(is_short, high, middle)
    crossing[rest] = high
    return crossing * _GRID


def mid_p_low(events: Array, trials: Array, error: Array) -> Array:
    """Return the lower mid-P limits of a share, with `_SEEN` of the observed count's probability.

    Each has a one-sided error of about `error`. Newton's method on the logarithms of probability
    and share, starting from Jeffreys' limits (half an event more).
    """
    limits = np.zeros(events.shape)
    some = events > 0
    events, trials, error = events[some], trials[some], error[some]
    rest = np.maximum(trials - events, 0.0)
    all_of_them = rest <= 0
    safe = np.where(all_of_them, 1.0, rest)
    # For errors near 0 the starting point may not exist; then 0, no limit at all, is correct.
    share = np.maximum(np.nan_to_num(betaincinv(events + 0.5, rest + 0.5, error)), _LEAST)
    for _ in range(_NEWTON_STEPS):
        more = np.where(all_of_them, 0.0, betainc(events + 1, safe, share))
        chance = _SEEN * betainc(events, rest + 1, share) + (1 - _SEEN) * more
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            log, log_rest = np.log(share), np.log1p(-share)
            as_many = np.exp((events - 1) * log + rest * log_rest - betaln(events, rest + 1))
            one_more = np.exp(events * log + (rest - 1) * log_rest - betaln(events + 1, safe))
            slope = _SEEN * as_many + (1 - _SEEN) * np.where(all_of_them, 0.0, one_more)
            step = chance * (np.log(error) - np.log(chance)) / (slope * share)
            step = np.where(np.isfinite(step), step, 0.0)
            share = np.clip(share * np.exp(step), _LEAST, 1.0)
        if not step.size or np.abs(step).max() < _NEAR:
            break
    limits[some] = np.nan_to_num(share)
    return limits


def mid_p_high(events: Array, trials: Array, error: Array) -> Array:
    """Return the upper mid-P limits: of what did not happen they are the lower ones."""
    return 1.0 - mid_p_low(np.maximum(trials - events, 0.0), trials, error)
