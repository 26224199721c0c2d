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
- Effective sample size with the t quantile of the clusters: E. L. Korn, B. I. Graubard (1998),
  Surv. Methodol. 24:193; Wilson's interval at it: N. Dean, M. Pagano (2015), J. Surv. Stat.
  Methodol. 3:484.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from simcore.game import get_game
from simcore.options import show_all
from strategies import policies
from studies.balance.results import Duel, Ladder, Restriction
from studies.balance.vectors import Vectors, beside, decided_ratio, score_p
from studies.design.cells import StudyCell
from studies.design.study import BASELINE
from studies.stats.intervals import LEVEL, Interval, share_at

Array = np.ndarray[Any, Any]

UNKNOWN = Interval(math.nan, 0.0, 1.0)


class DuelSums:
    """Sums of a duel's cell: what the first policy wins of the decided matches, by deal."""

    def __init__(self, cell: StudyCell) -> None:
        self.cell = cell
        self.held = Counter(cell.seats)
        self.won = Vectors(2)
        self.aborted = 0

    @classmethod
    def of(cls, cell: StudyCell) -> DuelSums | None:
        """Return empty sums, or None when the cell is no duel under the unchanged rules."""
        several = len(set(cell.seats)) == 2 and cell.rotations > 1
        return cls(cell) if several and cell.variant == BASELINE else None

    def add(self, winners: Array) -> None:
        """Add the winners of deals, of shape (deals, rotations)."""
        decided = winners != 0
        won = shares_of_wins(self.cell, next(iter(self.held)), winners)
        self.won.add(beside([won.sum(axis=1), decided.sum(axis=1)]) * 1.0)
        self.aborted += int((~decided).sum())

    def found(self, level: float = LEVEL) -> Duel:
        """Return the duel; `first` is the one that wins more a seat."""
        cell, (first, second) = self.cell, self.held
        even = self.held[first] / cell.players
        share, effective = self._share(level)
        interval = UNKNOWN if math.isnan(share) else share_at(share, effective, level)
        duel = Duel(
            lineup=cell.lineup,
            point=cell.point,
            first=first,
            second=second,
            share=interval,
            other_share=_rest_of(interval),
            even=even,
            advantage=_advantage(interval, self.held[first], self.held[second]),
            p=1.0 if math.isnan(share) else score_p(share, effective, even),
            deals=self.won.count,
            matches=self.won.count * cell.rotations,
            aborted=self.aborted,
        )
        return turned(duel) if duel.advantage.estimate < 0 else duel

    def _share(self, level: float) -> tuple[float, float]:
        """Return the share of `first` among decided matches, and the effective sample size.

        The rotations of a deal pull against each other here (good cards go to each side once), so
        the effective size may be larger than the number of matches; where all deals agree it is
        that of the deals. The t quantile of the deals stands in place of the normal one.
        """
        own = decided_ratio(self.won)
        share, error = own.value.mean, own.value.standard_error
        if not own.value.count:
            return math.nan, 0.0
        if not error > 0:
            return share, own.effective
        wider = float(stdtrit(own.value.count - 1, 0.5 + level / 2) / ndtri(0.5 + level / 2))
        return share, max(share * (1 - share) / (error * wider) ** 2, 1.0)


def shares_of_wins(cell: StudyCell, policy: str, winners: Array) -> Array:
    """Return a policy's share of each match's win, all its seats together, (deals, rotations)."""
    players = cell.players
    masks = [
        sum(1 << seat for seat in range(players) if cell.seats[(seat + turn) % players] == policy)
        for turn in range(cell.rotations)
    ]
    won = np.bitwise_count(winners & np.array(masks, dtype=winners.dtype))
    return np.asarray(won / np.maximum(np.bitwise_count(winners), 1))


def _rest_of(share: Interval) -> Interval:
    """Return what is left of the wins for the other one."""
    return Interval(1 - share.estimate, 1 - share.high, 1 - share.low)


def _advantage(share: Interval, seats: int, others: int) -> Interval:
    """Return win rate per seat less that of the other one, from the share of all wins."""
    return Interval(
        *(own / seats - (1 - own) / others for own in (share.estimate, share.low, share.high))
    )


def turned(duel: Duel) -> Duel:
    """Return a duel seen from the other side."""
    return replace(
        duel,
        first=duel.second,
        second=duel.first,
        share=duel.other_share,
        other_share=duel.share,
        even=1 - duel.even,
        advantage=duel.advantage.mirrored(),
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
