"""Luck and skill on one scale: the shares of the variance of winning due to each source.

A line-up of different policies that is played in every rotation gives a crossed design: on every
deal each policy sits in each seat once. A seat's share of the win in a match is modelled as

    mean + deal + deal × seat + deal × policy + seat + policy + seat × policy + rest,

with effects that sum to 0 over seats and over policies, and a rest that is independent between
matches (the neighbours, and the policies' randomness). The variances follow from covariances
between two matches of a deal at the same seat, with the same policy, or neither. Pairs within a
match are never used, because what one seat wins another loses. With n seats, P policies and
variances d, c (deal × seat) and p (deal × policy),

    same seat: d + c - p / (P - 1); same policy: d + p - c / (n - 1);
    neither: d - c / (n - 1) - p / (P - 1).

With two players there are no pairs with neither in common; p then counts as 0. The result is four
shares that sum to 1: `cards` (deal, and deal × seat: the value of a seat's cards to any policy),
`seat`, `policy`, and `rest`, which includes how deals and seats suit a policy. They describe these
policies: a table of equals shows no skill, and its `policy` is 0 within its interval. Estimates are
unbiased, so an absent source may get a slightly negative share.

Sources
-------
- A. Cloud, E. Laber (2020), arXiv 2009.04834: variance decomposition of a game's outcome by what
  chance and what the players contribute.
- S. R. Searle, G. Casella, C. E. McCulloch (1992), Variance Components, chapter 4: components as
  covariances, without bias; a mean square of k degrees of freedom and expectation v has the
  standard deviation v √(2 / k).
- J. Shao, D. Tu (1995), The Jackknife and Bootstrap, section 5.2: delete-a-group jackknife.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from studies.answers.estimate import LEVEL, ratio
from studies.answers.frame_builder import FrameBuilder
from studies.answers.special import stdtrit
from studies.answers.totals import GROUPS, Totals
from studies.measures import BASELINE, win_unit

if TYPE_CHECKING:
    from studies.answers.table import TableAnswers

Array = np.ndarray[Any, Any]

SOURCES = ("cards", "seat", "policy", "rest")
FOLDS = 64
"""Number of groups of deals, which the jackknife leaves out one at a time."""
FEWEST_DEALS = 4 * FOLDS


@dataclass(frozen=True)
class Parts:
    """Shares of the variance by `SOURCES`, float64[4], with the ends of their intervals."""

    deals: int
    share: Array
    low: Array
    high: Array


def add(builder: FrameBuilder, table: TableAnswers, totals: Totals) -> list[str]:
    """Add the shares of a table whose policies take every seat on every deal, or say why not."""
    seats = table.base.seats
    if table.base.rotations < 2 or table.alone:
        return []
    shown = parts(totals, len(seats), builder.level)
    if shown is None:
        complete, deals = totals.total("luck|deals"), totals.deals
        if complete >= FEWEST_DEALS or deals < FEWEST_DEALS:
            return []
        needed = "shares of the variance need deals of which all matches were decided"
        reason = f"{needed}; of {deals:,} deals {complete:,} are, and it takes {FEWEST_DEALS}"
        return [f"line-up {table.place.lineup}: {reason}"]
    # The estimate carries only the value; the ends are passed separately.
    shares = ratio(shown.share[:, None], np.ones((len(SOURCES), 1)), shown.deals)
    builder.add(
        table.place,
        BASELINE,
        "variance",
        [("", source) for source in SOURCES],
        shares,
        matches=shown.deals * totals.rotations,
        ends=(shown.low, shown.high),
    )
    return []


def parts(totals: Totals, seats: int, level: float = LEVEL) -> Parts | None:
    """Return the shares of the variance of a seat's win; None with too few deals.

    Only deals with every match decided are used, because all rotations are needed.
    """
    deals = totals.total("luck|deals")
    if deals < FEWEST_DEALS:
        return None
    design = _Design(seats, totals.rotations)
    unit = float(win_unit(seats))
    folds = np.arange(GROUPS) % FOLDS
    names = [f"luck|mean|{r}|{s}" for r in range(totals.rotations) for s in range(seats)]
    forms = [f"luck|{name}" for name in ("square", "by_seat", "by_entry", "within")]

    def folded(name: str, scale: float) -> Array:
        sums: Array = np.bincount(folds, weights=totals.by_group(name) / scale, minlength=FOLDS)
        return sums

    count = folded("luck|deals", 1.0)
    means = np.stack([folded(name, unit) for name in names], axis=1)
    squares = np.stack([folded(name, unit * unit) for name in forms], axis=1)
    total_variance, chance = design.variances(
        count.sum()[None], means.sum(0)[None], squares.sum(0)[None]
    )
    total = float(total_variance.sum())
    if not total > 0:
        return None
    share = total_variance[0] / total
    left, _ = design.variances(count.sum() - count, means.sum(0) - means, squares.sum(0) - squares)
    left /= left.sum(axis=1, keepdims=True)
    spread = (FOLDS - 1) / FOLDS * np.square(left - left.mean(axis=0)).sum(axis=0)
    # The linear jackknife misses the variance of squared means, which are flat at 0.
    error = np.sqrt(spread + np.square(chance[0] / total))
    reach = float(stdtrit(FOLDS - 1, 0.5 + level / 2)) * error
    # If one side won every deal, a share u may still go the other way and move shares by 4u.
    reach = np.where(error > 0, reach, 4 * -math.log((1 - level) / 2) / deals)
    return Parts(deals, share, share - reach, share + reach)


class _Design:
    """The crossed design of seats and entries of the line-up, which is repeated round the table."""

    def __init__(self, seats: int, entries: int) -> None:
        self.seats, self.entries = seats, entries
        rotation, seat = np.arange(entries)[:, None], np.arange(seats)[None, :]
        self.entry = (seat + rotation) % entries
        n, p = seats, entries
        # Pairs of matches of a deal: at the same seat, of the same entry, of neither.
        same_seat, same_entry = n * p * (p - 1), p * n**2 - n**2
        self.pairs = same_seat, same_entry, (n * p) ** 2 - p * n**2 - same_seat - same_entry
        # Centring wins at their mean 1/n reduces the sums of squares of each deal by this.
        self.less = np.array([p / n, p * p / n, float(p), 1.0])

    def variances(self, count: Array, means: Array, squares: Array) -> tuple[Array, Array]:
        """Return unbiased variances by source, and the chance scatter of those of means.

        Parameters
        ----------
        count : float64[samples]
            Deals.
        means : float64[samples, rotations · seats]
            Sums of each seat's wins in each rotation.
        squares : float64[samples, 4]
            Sums of squares over deals: of a seat's win in a match, a seat over all rotations, an
            entry over all rotations, an entry in a match.
        """
        n, p = self.seats, self.entries
        y = (means / count[:, None]).reshape(-1, p, n) - 1 / n
        of_means = self._forms(self._squares(y))
        of_deals = self._forms(squares - count[:, None] * self.less)
        over = (of_deals - count[:, None] * of_means) / (count[:, None] - 1)
        variance, same_seat, same_entry, neither, by_seat, by_entry = over.T
        if self.pairs[2] > 0:
            at_seat = (same_seat - neither) * (n - 1) / n
            suits = (same_entry - neither) * (p - 1) / p
            cards = neither + at_seat / (n - 1) + suits / (p - 1) + at_seat
        else:
            cards = same_seat
        square, seat, entry = of_means[:, 0], of_means[:, 4], of_means[:, 5]
        # The bias of mean squares of means in a sample of this size.
        chance = np.stack([by_seat, by_entry, variance - by_seat - by_entry]) / count
        seat, entry, both = np.stack([seat, entry, square - seat - entry]) - chance
        freedom = np.array([n - 1, p - 1, (n - 1) * (p - 1)], dtype=float)
        scatter = np.abs(chance) * np.sqrt(2 / freedom)[:, None]
        nothing = np.zeros_like(cards)
        rest = variance - cards + both
        return (
            np.stack([cards, seat, entry, rest], axis=1),
            np.stack([nothing, scatter[0], scatter[1], scatter[2]], axis=1),
        )

    def _squares(self, y: Array) -> Array:
        """Return the sums of squares of a deal's wins about their mean, [samples, 4]."""
        entries = np.zeros((len(y), self.entries, self.entries))  # samples, rotations, entries
        for (rotation, seat), entry in np.ndenumerate(self.entry):
            entries[:, rotation, entry] += y[:, rotation, seat]
        return np.stack(
            [
                np.square(y).sum(axis=(1, 2)),
                np.square(y.sum(axis=1)).sum(axis=1),
                np.square(entries.sum(axis=1)).sum(axis=1),
                np.square(entries).sum(axis=(1, 2)),
            ],
            axis=1,
        )

    def _forms(self, squares: Array) -> Array:
        """Return mean squares and mean products of pairs, [samples, 6].

        A match's wins about their mean sum to 0, so pairs with neither follow from the others.
        """
        n, p = self.seats, self.entries
        square, by_seat, by_entry, within = squares.T
        same_seat, same_entry = by_seat - square, by_entry - within
        return np.stack(
            [
                square / (n * p),
                same_seat / self.pairs[0],
                same_entry / self.pairs[1],
                -(same_seat + same_entry) / max(self.pairs[2], 1.0),
                by_seat / (n * p * p),
                by_entry / (n * n * p),
            ],
            axis=1,
        )
