"""Luck against skill: the variance of an outcome, split over cards, seat and policy.

A line-up of different policies that is played in every rotation gives a crossed design: on every
deal each policy sits in each seat once, in matches of their own. What a seat gets of a match (its
share of the win, or its score) is taken as

    mean + deal + deal × seat + deal × policy + seat + policy + seat × policy + rest,

effects that sum to 0 over seats and over policies, and a rest that is independent between matches
(how the match went with these neighbours, the policies' own chance). "Cards" are the first two
parts: what a deal gives a seat whoever sits there. Their variances follow from covariances between
two matches of a deal, at the same seat, the same policy, or neither; pairs within one match are
never used, as what one seat wins there another one loses. With n seats and P policies and variances
d, c (deal × seat) and p (deal × policy),

    same seat: d + c - p / (P - 1); same policy: d + p - c / (n - 1);
    neither: d - c / (n - 1) - p / (P - 1).

With two players there are no pairs with neither; p then counts as 0. Seat, policy and seat × policy
are variances of means, of which the part due to the sample of deals is taken off. The estimates are
unbiased, so that a part that is not there may come out slightly negative. All of it holds for these
policies: a table of equals has no skill to show. With k of n seats a policy that always wins, by
lot at either of its seats, explains (n - k) / (k (n - 1)) of the variance, and no more: which of
its seats wins is the rest. Where the line-up holds a policy more than once
before it repeats (two against one at three seats), each of its places there counts as one: "policy"
is then the variance over the places.

Sources
-------
- A. Cloud, E. Laber (2020), arXiv 2009.04834: variance decomposition of a game's outcome by what
  chance and what the players contribute.
- S. R. Searle, G. Casella, C. E. McCulloch (1992), Variance Components, chapter 4: components as
  covariances, estimated from quadratic forms without bias; a mean square of k degrees of
  freedom and expectation v has the standard deviation v √(2 / k).
- J. Shao, D. Tu (1995), The Jackknife and Bootstrap, section 5.2: delete-a-group jackknife, here
  over groups of deals (match number modulo the number of groups).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from studies.balance.results import Parts
from studies.stats.intervals import LEVEL, Interval, wilson

Array = np.ndarray[Any, Any]

GROUPS = 40
FEWEST_DEALS = 4 * GROUPS

SOURCES = {
    "cards": "what the deal gives a seat, whoever sits there",
    "seat": "the place at the table",
    "policy": "the policy",
    "policy and cards": "how a deal suits a policy, wherever it sits",
    "policy and seat": "how a place suits a policy",
    "rest": "how the match went: who sat next to whom, and the policies' own chance",
}


def most_by_policy(players: int, held: int) -> float:
    """Return the share of the variance of who wins that a policy explains that always wins.

    With k of n seats, each of them wins one match in k, and which of them does is no skill: the
    variance between policies is 1/(nk) - 1/n², that of a seat's win 1/n - 1/n².
    """
    return (players - held) / (held * (players - 1)) if players > 1 else math.nan


class Crossed:
    """Sums of an outcome over a crossed design, by group of deals.

    Parameters
    ----------
    seats, policies : int
        n and P; the line-up repeats after P seats, and at rotation r seat s is held by policy
        (s + r) mod P.
    """

    def __init__(self, seats: int, policies: int) -> None:
        self.seats, self.policies = seats, policies
        rotation, seat = np.arange(policies)[:, None], np.arange(seats)[None, :]
        self.holds = np.eye(policies)[(seat + rotation) % policies]  # rotation, seat, policy
        held = self.holds.sum(axis=1)
        self.pairs = np.array(
            [
                seats * policies * (policies - 1),
                policies * seats**2 - (held**2).sum(),
                (seats * policies) ** 2 - policies * seats**2,
            ]
        )
        self.count = np.zeros(GROUPS)
        self.sums = np.zeros((GROUPS, policies * seats))
        self.forms = np.zeros((GROUPS, 7))
        self.centre: float | None = None
        self.left_out = 0

    def add(self, first: int, outcome: Array, whole: Array | None = None) -> None:
        """Add the deals from match number `first` on.

        Parameters
        ----------
        outcome : array of shape (deals, rotations, seats)
        whole : array of bool of shape (deals,), optional
            Which deals to add: those of which no match was aborted. The others tell nothing of who
            wins, and the design is crossed only where all rotations of a deal are there.
        """
        whole = np.ones(len(outcome), dtype=bool) if whole is None else whole
        self.left_out += int((~whole).sum())
        if not whole.any():
            return
        if self.centre is None:
            self.centre = float(outcome[whole].mean())
        y = outcome - self.centre
        kept = whole[:, None]
        self.count += _by_group(first, kept * 1.0)[:, 0]
        self.sums += _by_group(first, y.reshape(len(y), -1) * kept)
        self.forms += _by_group(first, self._forms(y) * kept)

    @property
    def means(self) -> Array:
        """Mean outcome of each policy, per seat that it holds."""
        by_place = (self.sums.sum(axis=0) / max(self.deals, 1)).reshape(self.policies, self.seats)
        held = self.holds.sum(axis=(0, 1))
        found: Array = (self.centre or 0.0) + np.einsum("rs,rsp->p", by_place, self.holds) / held
        return found

    def _forms(self, y: Array) -> Array:
        """Return quadratic forms of each deal, of shape (deals, 7).

        The mean square; mean products over pairs of matches at the same seat, the same policy, and
        neither; the squared mean; mean squares of the means by seat and by policy.
        """
        square = (y**2).sum(axis=(1, 2))
        same_seat = (y.sum(axis=1) ** 2).sum(axis=1) - square
        by_policy = np.zeros((*y.shape[:2], self.policies), order="F")
        for rotation, seat, policy in np.argwhere(self.holds).tolist():
            by_policy[:, rotation, policy] += y[:, rotation, seat]
        same_policy = (by_policy.sum(axis=1) ** 2 - (by_policy**2).sum(axis=1)).sum(axis=1)
        every = y.sum(axis=(1, 2)) ** 2 - (y.sum(axis=2) ** 2).sum(axis=1)
        neither = every - same_seat - same_policy
        return np.stack(
            [
                square / (self.seats * self.policies),
                same_seat / self.pairs[0],
                same_policy / self.pairs[1],
                neither / max(self._neither, 1.0),
                y.mean(axis=(1, 2)) ** 2,
                (y.mean(axis=1) ** 2).mean(axis=1),
                ((by_policy.sum(axis=1) / self.seats) ** 2).mean(axis=1),
            ],
            axis=1,
        )

    @property
    def _neither(self) -> float:
        """Number of pairs with neither in common; 0 with two players, where none tells apart."""
        return float(self.pairs[2] - self.pairs[0] - self.pairs[1])

    def _from_covariances(
        self, same_seat: Array, same_policy: Array, neither: Array
    ) -> tuple[Array, Array]:
        """Return the variances of cards and of deal × policy."""
        if not self._neither:
            return same_seat, np.zeros_like(same_seat)
        n, p = self.seats, self.policies
        at_seat = (same_seat - neither) * (n - 1) / n
        with_policy = (same_policy - neither) * (p - 1) / p
        deal = neither + at_seat / (n - 1) + with_policy / (p - 1)
        return deal + at_seat, with_policy

    @property
    def deals(self) -> int:
        """Number of deals."""
        return int(self.count.sum())

    def parts(self, level: float = LEVEL, *, certain: bool = False) -> Parts:
        """Return the shares of the variance with jackknife intervals, which hold at 0, too.

        Unbiased estimates and their bounds may lie below 0, and beyond 1.

        Parameters
        ----------
        certain : bool
            Whether one side won throughout. If it in fact loses in a part u of the deals, the
            shares are other ones by up to about 4u (two sides), and u is bounded by Wilson's
            interval of no event; no interval is narrower than that.
        """
        unknown = dict.fromkeys(SOURCES, Interval(math.nan, 0.0, 1.0))
        if self.deals < FEWEST_DEALS:
            return Parts(math.nan, unknown)
        by_group = self.count, self.sums, self.forms
        totals = tuple(own.sum(axis=0) for own in by_group)
        variances, chance = (own[0] for own in self._variances(*(own[None] for own in totals)))
        total = float(variances.sum())
        if total <= 0:
            return Parts(0.0, unknown)
        shares = variances / total
        left = (all_ - own for all_, own in zip(totals, by_group, strict=True))
        without, _ = self._variances(*left)
        without /= without.sum(axis=1, keepdims=True)
        spread = without - without.mean(axis=0)
        linear = (GROUPS - 1) / GROUPS * (spread**2).sum(axis=0)
        error = np.sqrt(linear + (chance / total) ** 2)
        reach = float(stdtrit(GROUPS - 1, 0.5 + level / 2)) * error
        if certain or not error.any():
            reach = np.maximum(reach, 4 * wilson(0, self.deals, level).high)
        return Parts(
            total,
            {
                name: Interval(
                    float(shares[i]), float(shares[i] - reach[i]), float(shares[i] + reach[i])
                )
                for i, name in enumerate(SOURCES)
            },
        )

    def _variances(self, count: Array, sums: Array, forms: Array) -> tuple[Array, Array]:
        """Return unbiased estimates of the variances, one row a sample, in the order of `SOURCES`.

        Beside them how far the mean squares of means scatter where there is nothing but chance
        (chi-square). A jackknife, which is linear, does not see it, as they are flat at 0.

        Parameters
        ----------
        count, sums, forms : arrays of shape (samples,), (samples, policies · seats), (samples, 7)
            Deals of each sample, and the sums over them.
        """
        means = (sums / count[:, None]).reshape(-1, self.policies, self.seats)
        # Quadratic forms of a deal, less those of the means: covariances over deals.
        form = self._forms(means)
        over_deals = (forms - count[:, None] * form) / (count[:, None] - 1)
        variance, same_seat, same_policy, neither, deal, by_seat, by_policy = over_deals.T
        cards, with_policy = self._from_covariances(same_seat, same_policy, neither)
        square, grand, seat, policy = form[:, [0, 4, 5, 6]].T
        seat_policy = square - seat - policy + grand
        chance = np.stack(
            [by_seat - deal, by_policy - deal, variance - by_seat - by_policy + deal], axis=1
        )
        chance /= count[:, None]
        estimates = np.stack([seat - grand, policy - grand, seat_policy], axis=1) - chance
        freedom = np.array([self.seats - 1, self.policies - 1], dtype=float)
        scatter = chance * np.sqrt(2 / np.array([*freedom, freedom.prod()]))
        nothing = np.zeros_like(cards)
        return (
            _by_source(cards, estimates, with_policy, variance - cards - with_policy),
            _by_source(nothing, scatter, nothing, nothing),
        )


def _by_source(cards: Array, of_means: Array, with_policy: Array, rest: Array) -> Array:
    """Return columns in the order of `SOURCES`; `of_means` are seat, policy, seat and policy."""
    seat, policy, both = of_means.T
    return np.stack([cards, seat, policy, with_policy, both, rest], axis=1)


def _by_group(first: int, values: Array) -> Array:
    """Return sums by group of rows of deals, of shape (GROUPS, columns), from match `first` on."""
    filled = np.zeros((-(-len(values) // GROUPS) * GROUPS, values.shape[1]))
    filled[: len(values)] = values
    sums = filled.reshape(-1, GROUPS, values.shape[1]).sum(axis=0)
    return np.roll(sums, first % GROUPS, axis=0)
