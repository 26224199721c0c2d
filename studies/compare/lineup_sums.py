"""The sums behind a line-up's table: shares, differences and finishing orders, slice by slice."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from simcore.game import Game
from studies.compare.decided import Products, ratio
from studies.compare.finishing_orders import OrderCounts
from studies.deals.values import Seating, Side, slices, totals
from studies.stats.groups import GROUPS, group_sums
from studies.stats.intervals import Moments
from studies.stats.signflip import SignFlip

Array = np.ndarray[Any, Any]


class LineupSums:
    """Sums of one cell under the unchanged rules.

    Attributes
    ----------
    shares, scores : list of Moments, one a subject (policies, then positions)
        Per seat held, one value a deal; of all matches.
    metrics : dict of str to Moments
        One value a deal.
    gaps, flips : dict by pair of policies' indices
        Difference of win rates per seat held, one value a deal, of all matches, and its sign-flip
        test. That it is 0 means the same of the decided matches.
    group_shares : array of shape (policies, groups)
        Sums of win rates per seat held over groups of deals.
    group_deals, group_decided : array of shape (groups,)
        Deals of each group, and its decided matches in units of a deal.
    orders : OrderCounts or None
        Finishing orders; None where one policy holds all seats.
    """

    def __init__(self, game: Game, seating: Seating) -> None:
        self.seating, self.cell = seating, seating.cell
        policies, subjects = len(seating.policies), seating.subjects
        self.deals = self.aborted = self.alive = 0
        self.missing = Moments()
        self.shares, self.scores = [Moments()] * subjects, [Moments()] * subjects
        self.metrics = {name: Moments() for name in game.metric_names}
        self.pairs = list(itertools.combinations(range(policies), 2))
        self.gaps = {pair: Moments() for pair in self.pairs}
        self.flips = {pair: SignFlip() for pair in self.pairs}
        self.group_shares = np.zeros((policies, GROUPS))
        self.group_deals, self.group_decided = np.zeros(GROUPS), np.zeros(GROUPS)
        self._won = [Products(2) for _ in range(subjects)]
        self._gaps_won = {pair: Products(2) for pair in self.pairs}
        self.orders = OrderCounts(game, seating) if policies > 1 else None

    def add(self, first: int, columns: Mapping[str, Array], sides: Sequence[Side]) -> None:
        """Add deals numbered from `first`, with their measured slices."""
        seating = self.seating
        count = len(columns["winners"])
        self.deals += count
        self.aborted += int(columns["aborted"].sum())
        for part, side in zip(slices(count), sides, strict=True):
            start = first + part.start
            deals, rotations = len(side.winners), self.cell.rotations
            self.group_deals += group_sums(start, np.ones(deals))
            missing = None if side.undecided is None else totals(side.undecided)
            lost = np.zeros(deals) if missing is None else missing / rotations
            self.missing += Moments.of(lost)
            self.alive += deals if missing is None else int((missing < rotations).sum())
            self.group_decided += group_sums(start, 1 - lost)
            for subject in range(seating.subjects):
                scale = seating.share_scale(subject)
                self.shares[subject] += Moments.of(side.shares[subject]).scaled(scale)
                self._won[subject].add(deals, side.shares[subject], missing)
                self.scores[subject] += Moments.of(side.scores[subject]).scaled(
                    seating.score_scale(subject)
                )
                if subject < len(self.group_shares):
                    self.group_shares[subject] += scale * group_sums(start, side.shares[subject])
            for name in self.metrics:
                total = totals(columns[name][part])
                self.metrics[name] += Moments.of(total).scaled(1 / rotations)
            for one, other in self.pairs:
                held, other_held = seating.held[one], seating.held[other]
                gap = side.shares[one] * other_held - side.shares[other] * held
                self.gaps[one, other] += Moments.of(gap).scaled(
                    seating.share_scale(one) / other_held
                )
                self.flips[one, other].add(gap)
                self._gaps_won[one, other].add(deals, gap, missing)
            if self.orders is not None:
                self.orders.add(start, columns, part)

    def share(self, subject: int) -> Moments:
        """Return a subject's win rate per seat held, of decided matches."""
        if not self.aborted:
            return self.shares[subject]
        held = self.seating.held[subject]
        sums, size = self._won[subject], self.cell.rotations
        return ratio(sums, size, self.alive, self.seating.unit).mean().scaled(1 / held)

    def gap(self, one: int, other: int) -> Moments:
        """Return the difference of two policies' win rates per seat, of decided matches."""
        pair, sign = ((one, other), 1.0) if (one, other) in self.gaps else ((other, one), -1.0)
        if not self.aborted:
            return self.gaps[pair].scaled(sign)
        held = self.seating.held
        unit = self.seating.unit * held[one] * held[other]
        found = ratio(self._gaps_won[pair], self.cell.rotations, self.alive, unit)
        return found.value.scaled(sign)

    def few_gaps(self, one: int, other: int) -> Array | None:
        """Return the differences of two policies other than 0, one a deal; None where many."""
        pair, sign = ((one, other), 1.0) if (one, other) in self.gaps else ((other, one), -1.0)
        few = self.flips[pair].few
        if few is None or self.aborted:
            return None
        scale: Array = few * (sign * self.seating.share_scale(one) / self.seating.held[other])
        return scale

    def flip(self, one: int, other: int) -> SignFlip:
        """Return the sign-flip test of the difference of two policies."""
        return self.flips[(one, other) if (one, other) in self.flips else (other, one)]

    def group_gap(self, one: int, other: int) -> Array:
        """Return the difference of two policies' win rates, summed over groups of deals."""
        gap: Array = self.group_shares[one] - self.group_shares[other]
        return gap
