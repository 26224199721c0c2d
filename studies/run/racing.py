"""Races: contestants on the same deals, of which those clearly worse than the leader drop out.

At each look every contestant is compared with the one that leads just then, by the differences of
their values on the same deals. A confidence sequence of each difference allows to look at will; one
that lies below zero ends the race for the contestant behind. The best of K drops out only if one of
its K - 1 sequences fails, whoever leads when: with the error of the race split among as many, it
stays with at least the stated probability.

Nothing is assumed of a sequence but that the value of a deal lies between two known bounds and that
deals are independent; the coverage is not asymptotic.

Sources
-------
- O. Maron, A. W. Moore (1997), "The racing algorithm: model selection for lazy learners",
  Artif. Intell. Rev. 11:193: racing, and comparing on the same cases.
- E. Even-Dar, S. Mannor, Y. Mansour (2006), "Action elimination and stopping conditions for the
  multi-armed bandit and reinforcement learning problems", J. Mach. Learn. Res. 7:1079.
- S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon (2021), "Time-uniform, nonparametric,
  nonasymptotic confidence sequences", Ann. Statist. 49:1055: the empirical-Bernstein sequence
  (Theorem 4) with the gamma-exponential mixture as boundary (Proposition 9).
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

_TYPICAL_VARIANCE = 0.1
"""Of a value in [0, 1]; only the width depends on it, and little (a square root of a logarithm)."""

_RARE_WEIGHT, _RARE_RHO = 0.1, 1.0
"""Of the second mixture, which is narrow where next to nothing happens: without it a value of which
nothing but 0 was seen would be known no better than one that varies as expected."""

_REACH = 2.9
"""Half-width in standard errors about where the boundary is tuned."""


class Gap(NamedTuple):
    """A difference with its bounds."""

    estimate: float
    low: float
    high: float


class Race:
    """A race of contestants, fed with sums.

    Parameters
    ----------
    contestants : int
        How many; they are numbered from 0.
    high : float
        Values lie in [0, high].
    half_width : float
        Differences up to this one do not matter.
    level : float
        Of each sequence of a difference.

    Attributes
    ----------
    active : list of int
        Those that are still in the race.
    behind : dict of int to (int, Gap)
        Of each that dropped out the leader at that time, and the difference to it.
    """

    def __init__(self, contestants: int, high: float, half_width: float, level: float) -> None:
        self.active = list(range(contestants))
        self.behind: dict[int, tuple[int, Gap]] = {}
        self._half_width = half_width
        self._totals = [0.0] * contestants
        self._ahead = {
            pair: DifferenceSequence(high, half_width, level)
            for pair in itertools.combinations(range(contestants), 2)
        }

    @property
    def leader(self) -> int:
        """The active contestant with the highest mean; the first of several."""
        return max(self.active, key=lambda one: (self._totals[one], -one))

    @property
    def is_over(self) -> bool:
        """Whether one is left, or all others are within the half-width of the leader."""
        gaps = [self.gap(one) for one in self.active if one != self.leader]
        return all(max(-gap.low, gap.high) <= self._half_width for gap in gaps)

    def gap(self, one: int) -> Gap:
        """Return how much a contestant in the race is above the leader (below: negative)."""
        leader = self.leader
        if one < leader:
            return self._ahead[one, leader].gap
        found = self._ahead[leader, one].gap
        return Gap(-found.estimate, -found.high, -found.low)

    def look(self, count: int, totals: Array, products: Array, scale: float = 1.0) -> list[int]:
        """Add a stage of deals; return the contestants that drop out.

        Parameters
        ----------
        count : int
            Deals of the stage.
        totals, products : array[active], array[active, active]
            Sums of the values of those in the race, in their order, and of products of two.
        scale : float
            What the values are counted in is 1 / `scale`; whole numbers keep the sums exact.
        """
        for place, one in enumerate(self.active):
            self._totals[one] += float(totals[place] / scale)
            for other in range(place + 1, len(self.active)):
                squares = (
                    products[place, place] + products[other, other] - 2 * products[place, other]
                )
                self._ahead[one, self.active[other]].add(
                    count, float((totals[place] - totals[other]) / scale), float(squares / scale**2)
                )
        leader = self.leader
        gaps = {one: self.gap(one) for one in self.active if one != leader}
        dropped = [one for one, gap in gaps.items() if gap.high < 0]
        self.behind |= {one: (leader, gaps[one]) for one in dropped}
        self.active = [one for one in self.active if one not in dropped]
        return dropped


class DifferenceSequence:
    """The confidence sequence of a mean difference in [-bound, bound], fed with sums.

    Notes
    -----
    Theorem 4 of Howard et al. measures the spread of each value around a prediction made before it
    was seen. Here the prediction is the mean of all stages before, the same for a whole stage, so
    that the spread follows from the stage's sums of values and of squares.
    """

    def __init__(self, bound: float, half_width: float, level: float) -> None:
        self._bound, self._level = bound, level
        self._count = 0
        self._total = self._spread = self._prediction = 0.0
        self._rho = tuned_rho(half_width / (2 * bound), level)

    def add(self, count: int, total: float, squares: float) -> None:
        """Add a stage: the number of its values, their sum and the sum of their squares."""
        prediction = self._prediction
        self._spread += max(squares - 2 * prediction * total + count * prediction**2, 0.0)
        self._total += total
        self._count += count
        self._prediction = min(max(self._total / self._count, -self._bound), self._bound)

    @property
    def gap(self) -> Gap:
        """The interval now."""
        if self._count == 0:
            return Gap(math.nan, -self._bound, self._bound)
        width = 2 * self._bound
        reach = width * boundary(self._spread / width**2, self._rho, self._level) / self._count
        mean = self._total / self._count
        return Gap(mean, max(-self._bound, mean - reach), min(self._bound, mean + reach))


def tuned_rho(half_width: float, level: float) -> float:
    """Return the mixture's parameter that makes the boundary low where it is needed.

    Howard et al. (2021), equation 3.7 with its one-sided form, at the spread that values in [0, 1]
    of usual variance have summed up to when the half-width is reached.
    """
    spread = max(10.0, (_REACH * _TYPICAL_VARIANCE / half_width) ** 2)
    log_term = math.log(1 / (1 - level))  # two sides with (1 - level) / 2 each
    return spread / (2 * log_term + math.log1p(2 * log_term))


@lru_cache(maxsize=65536)
def boundary(spread: float, rho: float, level: float) -> float:
    """Return the bound on the sum of deviations of values in [0, 1] at a spread.

    The s at which the gamma-exponential mixture supermartingale (Howard et al. 2021, Proposition
    9, with c = 1) reaches 2 / (1 - level); each side is passed with half the error. Two of them are
    mixed, nine parts of that with `rho` and one of that for rare events, which is a supermartingale
    again.
    """
    from scipy.optimize import brentq

    threshold = math.log(2 / (1 - level))

    def excess(deviation: float) -> float:
        usual = log_mixture(deviation, spread, rho) + math.log(1 - _RARE_WEIGHT)
        rare = log_mixture(deviation, spread, _RARE_RHO) + math.log(_RARE_WEIGHT)
        return float(np.logaddexp(usual, rare)) - threshold

    high = 2.0 * threshold + 4.0 * math.sqrt((spread + rho) * threshold)
    while excess(high) < 0:
        high *= 2
    return float(brentq(excess, 0.0, high, xtol=1e-10 * max(1.0, high)))


def log_mixture(deviation: float, spread: float, rho: float) -> float:
    """Return the logarithm of the gamma-exponential mixture, c = 1 (Proposition 9)."""
    from scipy.special import gammainc, gammaln

    def part(shape: float, at: float) -> float:
        return float(gammaln(shape) + np.log(gammainc(shape, at)) - shape * math.log(at))

    shape = spread + rho
    at = deviation + shape
    return part(shape, at) - part(rho, rho) + deviation + spread
