"""Where few deals tell: limits and tests that hold although a normal approximation would not.

A rare event, a share near an end, and a rule that hardly ever comes into play have one thing in
common: nearly every deal gives the same value, and the mean is that value plus a handful of steps.
The steps are taken as equally large, so that they have the sum and the sum of squares that were
seen; their effective numbers up and down are binomial counts among the deals, whose limits are
combined into those of the mean.

- With a bound on one deal's step, no step in n deals leaves room for a mean of 3.7 / n steps (the
  rule of three for two sides, at 95 %).
- Without one, fewer than six effective steps tell nothing of how large the next may be: that side
  has no end. Six is the least number with which a sign test can say p < 0.05.

Everything works on arrays of numbers at once; entries need not be whole.

Sources
-------
- E. L. Korn, B. I. Graubard (1998), Survey Methodology 24:193: exact limits at effective counts.
- M. P. Fay, E. J. Feuer (1997), Stat. Med. 16:791; R. C. Tiwari, L. X. Clegg, Z. Zou (2006), Stat.
  Methods Med. Res. 15:547: limits for sums of unequal steps, at the effective count and with a
  typical step in place of the next; M. P. Fay, S. Kim (2017), Biom. J. 59:377: with mid-P.
- H. O. Lancaster (1961), J. Am. Stat. Assoc. 56:223; G. Berry, P. Armitage (1995), The Statistician
  44:417: mid-P limits. C. J. Clopper, E. S. Pearson (1934), Biometrika 26:404: exact limits.
- R. G. Newcombe (1998), Stat. Med. 17:2635; G. Y. Zou, A. Donner (2008), Stat. Med. 27:1693: limits
  of a difference from those of its two parts.
- J. A. Hanley, A. Lippman-Hand (1983), JAMA 249:1743: the rule of three.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betainc, betaincinv, ndtri, stdtrit

Array = np.ndarray[Any, Any]

MANY = 100
"""Effective steps from which on the t interval holds."""

_LEAST = 6
_ALIKE = 0.95
_HALVINGS = 6
_DIGITS = 9  # what rounding leaves of a step that was not taken is no trace of one


@dataclass(frozen=True)
class RareEventCounts:
    """Deals that differ from a common value, as equal steps; arrays of one length.

    Attributes
    ----------
    up, down : effective numbers of steps.
    told : deals (groups of them) that differ; as many as steps where all are equally large.
    size : of one step, in the units of the mean times deals; 0 where there is none.
    trials : deals.
    room_up, room_down : largest possible steps of one deal, in the same units; infinite where
        there is no bound, 0 where the common value is itself the bound.
    """

    up: Array
    down: Array
    told: Array
    size: Array
    trials: Array
    room_up: Array
    room_down: Array

    @classmethod
    def of(cls, told: Array, trials: Array, room_up: Array, room_down: Array) -> RareEventCounts:
        """Return the steps of numbers of which `told` (numbers, groups) is what each group adds."""
        sizes = np.abs(told).sum(axis=-1)
        squares = np.einsum("ij,ij->i", told, told)
        size = np.divide(squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)
        # Of many steps nothing but their number is used.
        few = np.flatnonzero(sizes < 2 * MANY * size)
        total, differ = np.zeros_like(sizes), np.zeros(sizes.shape, dtype=int)
        total[few] = told[few].sum(axis=-1)
        differ[few] = np.count_nonzero(told[few], axis=-1)
        safe = np.where(size > 0, size, 1.0)
        up, down = (
            np.round(np.maximum(0.0, sizes + sign * total) / 2 / safe, _DIGITS) for sign in (1, -1)
        )
        return cls(up, down, differ, size * trials, trials, room_up, room_down)

    def copy(self) -> RareEventCounts:
        """Return the same in arrays of its own."""
        return RareEventCounts.stacked([self])

    @classmethod
    def stacked(cls, parts: Sequence[RareEventCounts]) -> RareEventCounts:
        """Return several as one."""
        return cls(
            *(np.concatenate([getattr(one, n) for one in parts]) for n in cls.__dataclass_fields__)
        )

    @property
    def number(self) -> Array:
        """Effective number of steps."""
        found: Array = self.up + self.down
        return found

    @property
    def are_few(self) -> Array:
        """Where no t interval holds."""
        found: Array = self.number < np.minimum(MANY, self.trials / 2)
        return found

    @property
    def _alike(self) -> Array:
        """Where the size of a step is known: all are alike, and largest possible or several."""
        room = np.maximum(self.room_up, self.room_down)
        largest = self.size > _ALIKE * room
        return (
            np.isfinite(room)
            & (self.number > _ALIKE * self.told)
            & (largest | (self.number >= _LEAST))
        )

    def __getitem__(self, chosen: Any) -> RareEventCounts:
        return RareEventCounts(*(getattr(self, name)[chosen] for name in self.__dataclass_fields__))

    def reach(self, error: Array | float, *, exact: bool = False) -> tuple[Array, Array]:
        """Return how far the limits lie below and above the mean, each with this error.

        Parameters
        ----------
        error : of one side.
        exact : bool
            Whether all of the chance of what was seen counts (tests of equivalence, which must not
            err more often than they say) instead of half of it.
        """
        limits = exact_limits if exact else mid_p_limits
        trials, error = self.trials, np.broadcast_to(error, self.trials.shape)
        sides = []
        for seen, room in ((self.up, self.room_up), (self.down, self.room_down)):
            low, high = limits(np.minimum(seen, trials), trials, error)
            share = seen / trials
            # No step that way is possible from a bound.
            sides.append((share, *(np.where(room > 0, own, share) for own in (low, high))))
        (up, low, high), (down, other_low, other_high) = sides
        spread = up * (1 - up) * down * (1 - down)
        # A deal goes up or down, not both.
        together = np.where(spread > 0, -up * down / np.sqrt(np.where(spread > 0, spread, 1)), 0.0)
        freedom = np.maximum(self.number - 1, 1.0)
        # What not knowing the sizes of steps costs: Student's t in place of the normal.
        wider = np.maximum(1.0, stdtrit(freedom, error) / ndtri(error))
        size = np.where(self._alike, self.size, self.size * wider)
        below = size * _combined(up - low, other_high - down, together)
        above = size * _combined(high - up, down - other_low, together)
        none = exact_limits(np.zeros_like(trials), trials, error)[1]
        for reach, room in ((below, self.room_down), (above, self.room_up)):
            unseen = (self.number <= 0) & np.isfinite(room)
            reach[unseen] = (room * none)[unseen]
            reach[~np.isfinite(room) & (self.number < _LEAST)] = np.inf
        return below, above

    def p(self) -> Array:
        """Return the two-sided p-values of "as many steps up as down": the exact sign test."""
        fewer, more = np.minimum(self.up, self.down), np.maximum(self.up, self.down)
        found: Array = np.where(
            self.number > 0, np.minimum(1.0, 2 * betainc(np.maximum(more, 1e-9), fewer + 1, 0.5)), 1
        )
        return found


def _combined(one: Array, other: Array, together: Array) -> Array:
    found: Array = np.sqrt(np.maximum(one * one - 2 * together * one * other + other * other, 0.0))
    return found


def exact_limits(events: Array, trials: Array, error: Array | float) -> tuple[Array, Array]:
    """Return Clopper and Pearson's limits of a share, each with an error of at most `error`."""
    events, trials = np.asarray(events, float), np.asarray(trials, float)
    some, rest = np.maximum(events, 1e-12), np.maximum(trials - events, 1e-12)
    low = np.where(events <= 0, 0.0, betaincinv(some, rest + 1, error))
    high = np.where(events >= trials, 1.0, betaincinv(some + 1, rest, 1 - np.asarray(error)))
    return low, np.where(events <= 0, betaincinv(1.0, trials, 1 - np.asarray(error)), high)


def mid_p_limits(events: Array, trials: Array, error: Array | float) -> tuple[Array, Array]:
    """Return the mid-P limits of a share: half of the chance of what was seen counts.

    Each has an error of about `error`. They lie between the exact limits of this error and of twice
    as much; from there halving goes on, and a straight line at the end.
    """
    told = np.broadcast_arrays(np.asarray(events, float), trials, error)
    asked, back = np.unique(np.stack([own.ravel() for own in told]), axis=1, return_inverse=True)
    events, trials, error = asked
    some, rest = np.maximum(events, 1e-12), np.maximum(trials - events, 1e-12)

    def at_least(share: Array) -> Array:
        """Return the chance of more events, and half of that of as many."""
        as_many = np.where(events > 0, betainc(some, rest + 1, share), 1.0)
        more = np.where(events < trials, betainc(events + 1, rest, share), 0.0)
        chance: Array = (as_many + more) / 2
        return chance

    def passes(chance: Array | float, low: Array, high: Array) -> Array:
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = at_least(middle) < chance
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        lower, upper = at_least(low), at_least(high)
        rise = np.where(upper > lower, upper - lower, 1.0)
        place: Array = low + (high - low) * np.clip((chance - lower) / rise, 0.0, 1.0)
        return place

    twice = np.minimum(2 * error, 1.0)
    (low, high), (inner_low, inner_high) = (exact_limits(events, trials, e) for e in (error, twice))
    shape, order = told[0].shape, back.ravel()
    return (
        np.where(events > 0, passes(error, low, inner_low), 0.0)[order].reshape(shape),
        np.where(events < trials, passes(1 - error, inner_high, high), 1.0)[order].reshape(shape),
    )
