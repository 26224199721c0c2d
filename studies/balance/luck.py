"""Luck against skill: the variance of an outcome, split over deal, seat and policy.

A line-up of different policies that is played in every rotation gives a crossed design: on every
deal each policy sits in each seat once. The outcome y of a policy p in a seat s on a deal d (its
share of the win, or its score) then splits into orthogonal parts (Hoeffding 1948),

    y = mean + deal + seat + policy + deal × seat + deal × policy + seat × policy + rest,

and its variance into theirs. Deals are a random sample; seats and policies are all there are. What
the cards of a deal do for a seat ("cards") is luck; what a policy gains over all deals and seats
("policy") is skill; the rest is what comes from who sits next to whom, and from the policies' own
chance. All of it holds for these policies: a table of equals has no skill to show.

Sources
-------
- A. Cloud, E. Laber (2020), arXiv 2009.04834: variance decomposition of a game's outcome by what
  chance and what the players contribute.
- W. Hoeffding (1948), Ann. Math. Stat. 19:293; S. R. Searle, G. Casella, C. E. McCulloch (1992),
  Variance Components, chapter 4: unbiased estimators from mean squares.
- J. Shao, D. Tu (1995), The Jackknife and Bootstrap, section 5.2: delete-a-group jackknife, here
  over groups of deals (match number modulo the number of groups).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from studies.balance.found import Parts
from studies.intervals import LEVEL, Interval

Array = np.ndarray[Any, Any]

GROUPS = 40
FEWEST_DEALS = 4 * GROUPS

SOURCES = {
    "cards": "the cards that a seat is dealt (deal, deal × seat)",
    "seat": "the place at the table",
    "policy": "the policy",
    "policy and cards": "how a deal suits a policy (deal × policy)",
    "policy and seat": "how a place suits a policy (seat × policy)",
    "rest": "who sits next to whom, and the policies' own chance",
}


class Crossed:
    """Sums of an outcome over a crossed design, by group of deals.

    Parameters
    ----------
    seats, policies : int
        n and P; the line-up repeats after P seats.
    """

    def __init__(self, seats: int, policies: int) -> None:
        self.seats, self.policies = seats, policies
        cells = seats * policies
        self.count = np.zeros(GROUPS)
        self.sums = np.zeros((GROUPS, cells))
        self.squares = np.zeros((GROUPS, 4))
        self.centre: float | None = None

    def add(self, first: int, outcome: Array) -> None:
        """Add the deals from match number `first` on.

        Parameters
        ----------
        outcome : array of shape (deals, rotations, seats)
            Of the seat's holder; at rotation r seat s is held by policy (s + r) mod P.
        """
        seat = np.arange(self.seats)[:, None]
        policy = np.arange(self.policies)[None, :]
        y = outcome[:, (policy - seat) % self.policies, seat]
        if self.centre is None:
            self.centre = float(y.mean())
        y = y - self.centre
        per_deal = np.stack(
            [
                y.mean(axis=(1, 2)) ** 2,
                (y.mean(axis=2) ** 2).mean(axis=1),
                (y.mean(axis=1) ** 2).mean(axis=1),
                (y**2).mean(axis=(1, 2)),
            ],
            axis=1,
        )
        flat = y.reshape(len(y), -1)
        for group in range(GROUPS):
            at = slice((group - first) % GROUPS, None, GROUPS)
            self.count[group] += len(flat[at])
            self.sums[group] += flat[at].sum(axis=0)
            self.squares[group] += per_deal[at].sum(axis=0)

    @property
    def deals(self) -> int:
        """Number of deals."""
        return int(self.count.sum())

    def parts(self, level: float = LEVEL) -> Parts:
        """Return the shares of the variance with jackknife intervals."""
        totals = self.count.sum(), self.sums.sum(axis=0), self.squares.sum(axis=0)
        variances = self._variances(*totals)
        total = float(variances.sum())
        if total <= 0 or (self.count == 0).any():
            unknown = Interval(math.nan, 0.0, 1.0)
            return Parts(max(total, 0.0), dict.fromkeys(SOURCES, unknown))
        shares = variances / total
        without = np.array(
            [
                self._variances(
                    totals[0] - self.count[group],
                    totals[1] - self.sums[group],
                    totals[2] - self.squares[group],
                )
                for group in range(GROUPS)
            ]
        )
        without /= without.sum(axis=1, keepdims=True)
        spread = without - without.mean(axis=0)
        error = np.sqrt((GROUPS - 1) / GROUPS * (spread**2).sum(axis=0))
        reach = float(stdtrit(GROUPS - 1, 0.5 + level / 2)) * error
        return Parts(
            total,
            {
                name: Interval(
                    float(shares[i]),
                    max(0.0, float(shares[i] - reach[i])),
                    min(1.0, float(shares[i] + reach[i])),
                )
                for i, name in enumerate(SOURCES)
            },
        )

    def _variances(self, count: float, sums: Array, squares: Array) -> Array:
        """Return unbiased estimates of the variances, in the order of `SOURCES`."""
        if count < 2:
            return np.zeros(len(SOURCES))
        mean = (sums / count).reshape(self.seats, self.policies)
        seat, policy, grand = mean.mean(axis=1), mean.mean(axis=0), mean.mean()
        means = np.array([grand**2, (seat**2).mean(), (policy**2).mean(), (mean**2).mean()])
        deal, by_seat, by_policy, all_of_it = (squares - count * means) / (count - 1)
        deal_seat, deal_policy = by_seat - deal, by_policy - deal
        rest = all_of_it - by_seat - by_policy + deal
        both = mean - seat[:, None] - policy[None, :] + grand
        return np.array(
            [
                deal + deal_seat,
                ((seat - grand) ** 2).mean() - deal_seat / count,
                ((policy - grand) ** 2).mean() - deal_policy / count,
                deal_policy,
                (both**2).mean() - rest / count,
                rest,
            ]
        )
