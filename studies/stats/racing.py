"""Races: contestants on the same deals, of which those clearly worse than the leader drop out.

At each look every contestant is compared with the one that leads just then, by the differences of
their values on the same deals. A confidence sequence (`studies.stats.sequences`) of each difference
allows to look at will; one that lies below zero ends the race for the contestant behind. The best
of K drops out only if one of its K - 1 sequences fails, whoever leads when: with the error of the
race split among as many, it stays with at least the stated probability.

Sources
-------
- O. Maron, A. W. Moore (1997), "The racing algorithm: model selection for lazy learners",
  Artif. Intell. Rev. 11:193: racing, and comparing on the same cases.
- E. Even-Dar, S. Mannor, Y. Mansour (2006), "Action elimination and stopping conditions for the
  multi-armed bandit and reinforcement learning problems", J. Mach. Learn. Res. 7:1079.
- S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon (2021), Ann. Statist. 49:1055: the sequences.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from studies.stats.intervals import Interval
from studies.stats.sequences import BoundedMean

Array = np.ndarray[Any, Any]


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
    behind : dict of int to (int, Interval)
        Of each that dropped out the leader at that time, and the difference to it.
    """

    def __init__(self, contestants: int, high: float, half_width: float, level: float) -> None:
        self.active = list(range(contestants))
        self.behind: dict[int, tuple[int, Interval]] = {}
        self._half_width = half_width
        self._totals = [0.0] * contestants
        self._ahead = {
            pair: BoundedMean(-high, high, half_width, level, guess=0.0)
            for pair in itertools.combinations(range(contestants), 2)
        }

    @property
    def leader(self) -> int:
        """Who has the highest mean of those in the race; the first of several."""
        return max(self.active, key=lambda one: (self._totals[one], -one))

    @property
    def is_over(self) -> bool:
        """Whether one is left, or all the rest lie within the half-width of the leader."""
        gaps = [self.gap(one) for one in self.active if one != self.leader]
        return all(max(-gap.low, gap.high) <= self._half_width for gap in gaps)

    def gap(self, one: int) -> Interval:
        """Return how much a contestant in the race is above the leader (below: negative)."""
        leader = self.leader
        if one < leader:
            return self._ahead[one, leader].interval
        return self._ahead[leader, one].interval.mirrored()

    def look(self, count: int, totals: Array, products: Array, scale: float = 1.0) -> list[int]:
        """Take in a stage of deals; return who drops out after it.

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
