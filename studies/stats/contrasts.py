"""Contrasts: weighted sums of estimates that come from the same deals, and families of them.

Each estimate is told by group of deals (`studies.stats.groups`) or by block: what a group adds to
it, linearised where it is a ratio. Weighted sums of these columns have the variance of the
contrast, whatever ties the estimates together: the same deals, rotations, a common baseline. Deals
of another group are independent, so that estimates need not be of the same deals, either.

Intervals and tests of one contrast are those of `studies.stats.rare`, which hold where few deals
tell; a family is corrected by step-down max-T (`studies.stats.simultaneous`) and by Holm's method.

Sources
-------
- D. A. Binder (1983), Int. Stat. Rev. 51:279: variance of a function of totals, by linearising.
- K. M. Wolter (2007), Introduction to Variance Estimation, ch. 2: random groups.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy.special import stdtr

from studies.stats.intervals import LEVEL, Interval, Moments, holm
from studies.stats.rare import Changes, change_interval, change_p
from studies.stats.simultaneous import critical_value, step_down_p

Array = np.ndarray[Any, Any]

MOST_RESAMPLED = 5_000
"""Contrasts of a family up to which it is corrected by max-T, too."""


@dataclass(frozen=True)
class Contrast:
    """A weighted sum of estimates.

    Attributes
    ----------
    parts : array of shape (groups,)
        What each group adds to the estimate, less what it would add if all were alike: sums to 0.
    raw : array of shape (groups,) or None
        What each group adds, exactly 0 where nothing in it changed; None where groups are blocks,
        of which no single deal is known.
    deals : int
        Deals behind the estimate that knows the fewest.
    bound : float or None
        Largest possible absolute value of one deal; None where there is none.
    """

    estimate: float
    parts: Array
    raw: Array | None
    deals: int
    bound: float | None = None

    @cached_property
    def changes(self) -> Changes:
        """The contrast as one value a deal (a block, where those are the groups), in sums."""
        groups = self.parts.size
        count = groups if self.raw is None else self.deals
        if groups < 2:
            return Changes(Moments(min(count, 1), self.estimate, 0.0), math.nan, count)
        variance = float(self.parts @ self.parts) * groups / (groups - 1)
        moments = Moments(count, self.estimate, variance * count * (count - 1))
        if self.raw is None:
            return Changes(moments, math.nan, count if variance > 0 else 0)
        sizes = float(np.abs(self.raw).sum()) * count
        return Changes(moments, sizes, int(np.count_nonzero(self.raw)))

    def interval(self, level: float = LEVEL) -> Interval:
        """Return the interval of the contrast, for itself."""
        return change_interval(self.changes, level, bound=self.bound)

    @property
    def p(self) -> float:
        """Two-sided p-value of "the contrast is 0", for itself."""
        return change_p(self.changes)

    @property
    def signed(self) -> Array:
        """What each group adds to the estimate: the column that sign-flips turn."""
        found: Array = self.parts + self.estimate / self.parts.size
        return found


@dataclass(frozen=True)
class Told:
    """What is told of a contrast within its family.

    Attributes
    ----------
    simultaneous : Interval or None
        These cover all contrasts of the family at once (max-T).
    p_family : float or None
        Corrected by step-down max-T; None, as `simultaneous`, where groups are blocks or the family
        is very large.
    p_holm : float
        Corrected by Holm's method.
    """

    single: Interval
    simultaneous: Interval | None
    p: float
    p_family: float | None
    p_holm: float


def tell_family(contrasts: Sequence[Contrast], level: float = LEVEL) -> list[Told]:
    """Return intervals and p-values of contrasts that are tested together."""
    if not contrasts:
        return []
    alone = [contrast.p for contrast in contrasts]
    corrected = holm(alone)
    known = all(contrast.raw is not None for contrast in contrasts)
    if not known or len(contrasts) > MOST_RESAMPLED:
        return [
            Told(contrast.interval(level), None, p, None, p_holm)
            for contrast, p, p_holm in zip(contrasts, alone, corrected, strict=True)
        ]
    groups = np.zeros((max(one.parts.size for one in contrasts), len(contrasts)))
    for place, one in enumerate(contrasts):
        groups[: one.parts.size, place] = one.signed
    critical = critical_value(groups, level)
    return [
        Told(
            contrast.interval(level),
            _at_once(contrast, critical, level),
            p,
            max(p, p_family),
            p_holm,
        )
        for contrast, p, p_family, p_holm in zip(
            contrasts, alone, step_down_p(groups), corrected, strict=True
        )
    ]


def _at_once(contrast: Contrast, critical: float, level: float) -> Interval:
    """Return the interval at the level that a critical value of t means for one contrast."""
    freedom = max(contrast.changes.deals.count - 1, 1)
    inside = 1 - 2 * float(stdtr(freedom, -critical)) if math.isfinite(critical) else 1.0
    if inside >= 1:
        return Interval(contrast.estimate, -math.inf, math.inf)
    return contrast.interval(max(level, inside))
