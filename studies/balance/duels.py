"""Strategies against each other at one table: duels, the skill ladder, restricted play.

A duel is a line-up of two different strategies that is played in every rotation, so that each of
them has every seat on every deal.

Sources
-------
- T. S. Nielsen, G. A. B. Barros, J. Togelius, M. J. Nelson (2015), "General video game evaluation
  using relative algorithm performance profiles": a game of skill is one in which each step of
  stronger play wins more.
- A. Jaffe, A. Miller, E. Andersen, Y.-E. Liu, A. Karlin, Z. Popović (2012), "Evaluating competitive
  game balance with restricted play", AIIDE: the loss of a player who is forbidden one thing is what
  that thing is worth.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from simcore.game import get_game
from simcore.options import show_all
from strategies import policies
from studies.balance.found import Duel, Ladder, Restriction
from studies.cells import StudyCell
from studies.intervals import (
    LEVEL,
    Interval,
    Moments,
    clustered_mean,
    clustered_p,
    wilson_at,
)

Array = np.ndarray[Any, Any]


class DuelSums:
    """Sums of a duel's cell."""

    def __init__(self, cell: StudyCell) -> None:
        self.cell = cell
        self.held = Counter(cell.seats)
        self.shares = [Moments(), Moments()]
        self.gap = Moments()

    @classmethod
    def of(cls, cell: StudyCell) -> DuelSums | None:
        """Return empty sums, or None when the cell is no duel."""
        several = len(set(cell.seats)) == 2 and cell.rotations > 1
        return cls(cell) if several else None

    def add(self, winners: Array) -> None:
        """Add the winners of deals, of shape (deals, rotations)."""
        first, second = self.held
        one = shares_per_seat(self.cell, first, winners)
        other = shares_per_seat(self.cell, second, winners)
        for side, (name, share) in enumerate(((first, one), (second, other))):
            self.shares[side] += Moments.of(share * self.held[name])
        self.gap += Moments.of(one - other)

    def found(self, level: float = LEVEL) -> Duel:
        """Return the duel; `first` is the one that wins more a seat."""
        cell, (first, second) = self.cell, self.held
        gap = self.gap
        share, other = (_share(side, level) for side in self.shares)
        duel = Duel(
            lineup=cell.lineup,
            point=cell.point,
            first=first,
            second=second,
            share=share,
            other_share=other,
            even=self.held[first] / cell.players,
            advantage=clustered_mean(gap, level, bound=1.0),
            p=clustered_p(gap),
            deals=gap.count,
            matches=gap.count * cell.rotations,
        )
        return turned(duel) if gap.mean < 0 else duel


def shares_per_seat(cell: StudyCell, policy: str, winners: Array) -> Array:
    """Return a policy's win share per seat held, by deal; `winners` is (deals, rotations)."""
    players = cell.players
    masks = [
        sum(1 << seat for seat in range(players) if cell.seats[(seat + turn) % players] == policy)
        for turn in range(cell.rotations)
    ]
    won = np.bitwise_count(winners & np.array(masks, dtype=winners.dtype))
    shares = won / np.maximum(np.bitwise_count(winners), 1) / cell.seats.count(policy)
    return np.asarray(shares.mean(axis=1))


def _share(deals: Moments, level: float) -> Interval:
    """Return a share with the Wilson interval at its effective sample size (Dean & Pagano 2015).

    The rotations of a deal pull against each other here (good cards go to each side once), so the
    effective size may be larger than the number of matches; where all deals agree it is theirs.
    """
    share, error = min(1.0, max(0.0, deals.mean)), deals.standard_error
    effective = share * (1 - share) / error**2 if error > 0 else float(deals.count)
    return wilson_at(share, max(effective, 1.0), level)


def turned(duel: Duel) -> Duel:
    """Return a duel seen from the other side."""
    gap = duel.advantage
    return Duel(
        lineup=duel.lineup,
        point=duel.point,
        first=duel.second,
        second=duel.first,
        share=duel.other_share,
        other_share=duel.share,
        even=1 - duel.even,
        advantage=Interval(-gap.estimate, -gap.high, -gap.low),
        p=duel.p,
        deals=duel.deals,
        matches=duel.matches,
    )


def ladders(duels: Sequence[Duel]) -> list[Ladder]:
    """Return a ladder for each sweep point that has duels.

    The order is that of how many others a strategy beats, be it by way of third ones; of equals,
    that of the mean advantage. A study with the steps alone gives the ladder of its steps, a round
    robin that of its ranking.
    """
    by_point: dict[str, list[Duel]] = defaultdict(list)
    for duel in duels:
        by_point[show_all(duel.point)].append(duel)
    return [_ladder(own) for own in by_point.values()]


def _ladder(duels: Sequence[Duel]) -> Ladder:
    names = list(dict.fromkeys(name for duel in duels for name in (duel.second, duel.first)))
    beats = {(duel.first, duel.second) for duel in duels}
    for middle in names:
        for one in names:
            for other in names:
                if (one, middle) in beats and (middle, other) in beats:
                    beats.add((one, other))
    gains: dict[str, list[float]] = defaultdict(list)
    for duel in duels:
        gains[duel.first].append(duel.advantage.estimate)
        gains[duel.second].append(-duel.advantage.estimate)
    order = sorted(
        names,
        key=lambda name: (
            sum((name, other) in beats for other in names if other != name),
            float(np.mean(gains[name])),
        ),
    )
    found = {frozenset((duel.first, duel.second)): duel for duel in duels}
    steps = []
    for lower, upper in itertools.pairwise(order):
        between = found.get(frozenset((lower, upper)))
        if between is not None:
            steps.append(between if between.first == upper else turned(between))
    return Ladder(duels[0].point, order, steps)


def split_restrictions(game: str, duels: Sequence[Duel]) -> tuple[list[Duel], list[Restriction]]:
    """Separate duels of a policy against itself with other parameters from those of policies.

    The unrestricted one is that which names fewer parameters.
    """
    others: list[Duel] = []
    restrictions: list[Restriction] = []
    for duel in duels:
        one, other = (_Named(game, name) for name in (duel.first, duel.second))
        if one.policy != other.policy:
            others.append(duel)
            continue
        seen = duel
        if len(other.given) < len(one.given):
            seen, one, other = turned(duel), other, one
        names = list(one.values | other.values)
        changed = {
            name: [one.values.get(name), other.values.get(name)]
            for name in names
            if one.values.get(name) != other.values.get(name)
        }
        restrictions.append(Restriction(seen.first, seen.second, changed, seen))
    return others, restrictions


class _Named:
    """A strategy as a line-up names it, with the values of all its parameters.

    Of a user's policy, whose file need not be there any more, only those that are written out.
    """

    def __init__(self, game: str, text: str) -> None:
        self.policy, _, inside = text.rstrip(")").partition("(")
        pairs = (part.partition("=") for part in inside.split(",") if part.strip())
        texts = ((name.strip(), value.strip()) for name, _, value in pairs)
        self.given = {name: float(value) for name, value in texts if _is_number(value)}
        known = {policy.name: policy for policy in policies(get_game(game))}
        params = known[self.policy].params if self.policy in known else ()
        defaults = {
            param.name: param.default for param in params if not isinstance(param.default, str)
        }
        self.values = defaults | self.given


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
