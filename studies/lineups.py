"""The sums behind a line-up's table: shares, differences and finishing orders, slice by slice."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore.game import Game
from studies.groups import GROUPS, group_sums
from studies.intervals import Moments
from studies.measures import Seating, Side, slices
from studies.orders import OrderCounts
from studies.signflip import SignFlip

Array = np.ndarray[Any, Any]


class LineupSums:
    """Sums of one cell under the unchanged rules.

    Attributes
    ----------
    shares, scores : list of Moments, one a policy
        Per seat held, one value a deal.
    gaps, flips : dict by pair of policies' indices
        Difference of win shares per seat held, one value a deal, and its sign-flip test.
    group_shares : array of shape (policies, groups)
        Sums of win shares per seat held over groups of deals.
    group_deals : array of shape (groups,)
        Deals of each group.
    orders : OrderCounts or None
        Finishing orders; None where one policy holds all seats.
    """

    def __init__(self, game: Game, seating: Seating) -> None:
        self.seating, self.cell = seating, seating.cell
        policies = len(seating.policies)
        self.deals = self.aborted = 0
        self.shares, self.scores = [Moments()] * policies, [Moments()] * policies
        self.pairs = list(itertools.combinations(range(policies), 2))
        self.gaps = {pair: Moments() for pair in self.pairs}
        self.flips = {pair: SignFlip() for pair in self.pairs}
        self.group_shares = np.zeros((policies, GROUPS))
        self.group_deals = np.zeros(GROUPS)
        self.orders = OrderCounts(game, seating) if policies > 1 else None

    def add(self, first: int, columns: Mapping[str, Array], sides: Sequence[Side]) -> None:
        """Add deals numbered from `first`, with their measured slices."""
        seating = self.seating
        count = len(columns["winners"])
        self.deals += count
        self.aborted += int(columns["aborted"].sum())
        for part, side in zip(slices(count), sides, strict=True):
            start = first + part.start
            self.group_deals += group_sums(start, np.ones(len(side.winners)))
            for policy in range(len(seating.policies)):
                scale = seating.share_scale(policy)
                self.shares[policy] += Moments.of(side.shares[policy]).scaled(scale)
                self.scores[policy] += Moments.of(side.scores[policy]).scaled(
                    seating.score_scale(policy)
                )
                self.group_shares[policy] += scale * group_sums(start, side.shares[policy])
            for one, other in self.pairs:
                held, other_held = seating.held[one], seating.held[other]
                gap = side.shares[one] * other_held - side.shares[other] * held
                self.gaps[one, other] += Moments.of(gap).scaled(
                    seating.share_scale(one) / other_held
                )
                self.flips[one, other].add(gap)
            if self.orders is not None:
                self.orders.add(start, columns, part)

    def group_gap(self, one: int, other: int) -> Array:
        """Return the difference of two policies' win shares, summed over groups of deals."""
        gap: Array = self.group_shares[one] - self.group_shares[other]
        return gap
