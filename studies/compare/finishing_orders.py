"""Finishing orders, counted stage by stage: of those still in, who comes next.

An order is read from the match's winners, who come first, and the final scores of the others;
equal scores are a tie. What a Plackett–Luce model needs of it are its stages: the set of seats
still in (bits of the line-up's entries) and the set that comes next. The last set, where nobody is
left to compare with, says nothing and is left out, so that a game in which only the winner scores
gives its winner and no false ties.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simcore.game import Game
from studies.deals.values import Seating
from studies.stats.groups import GroupCounts, group_of

Array = np.ndarray[Any, Any]

_AHEAD = np.iinfo(np.int64).min


class OrderCounts:
    """Stages of the finishing orders of a cell, by group of deals.

    Attributes
    ----------
    stages : GroupCounts
        Kind `still_in << players | next`; see `split`.
    orders : int
        Matches counted: those with a winner.
    """

    def __init__(self, game: Game, seating: Seating) -> None:
        self.seating = seating
        self.stages = GroupCounts(1 << (2 * seating.cell.players))
        self.orders = 0
        self._sign = 0
        usual = game.best_score_under(seating.cell.options)
        self._usual_sign = 1 if usual == "lowest" else -1

    def add(self, first: int, columns: Mapping[str, Array], part: slice) -> None:
        """Count a slice of deals, the first of which has the number `first`."""
        cell = self.seating.cell
        players = cell.players
        winners = columns["winners"][part]
        scores = [columns[f"score_{seat}"][part] for seat in range(players)]
        groups = group_of(first, len(winners))
        self._sign = self._sign or self._direction(winners, scores)
        for rotation in range(cell.rotations):
            places = []
            for index in range(players):
                seat = self.seating.seat_of(index, rotation)
                place = scores[seat][:, rotation].astype(np.int64) * self._sign
                place[(winners[:, rotation] >> seat & 1) != 0] = _AHEAD
                places.append(place)
            finished = winners[:, rotation] != 0
            self.orders += int(finished.sum())
            self._count(groups, places, finished)

    def _direction(self, winners: Array, scores: list[Array]) -> int:
        """Return 1 where low scores win in this cell, else -1.

        An option may turn the game's usual direction round (matches won instead of points).
        """
        table = np.stack(scores).astype(np.int64)
        best, worst = table.max(axis=0), table.min(axis=0)
        seats = np.arange(len(scores))[:, None, None]
        won = (winners[None] >> seats & 1) != 0
        decided = (winners != 0) & (best != worst)
        lowest = (won & (table == worst)).any(axis=0) & decided
        highest = (won & (table == best)).any(axis=0) & decided
        if lowest.sum() == highest.sum():
            return self._usual_sign if decided.any() else 0
        return 1 if lowest.sum() > highest.sum() else -1

    def _count(self, groups: Array, places: list[Array], finished: Array) -> None:
        players = len(places)
        kind = np.uint32
        ahead = [np.zeros(len(groups), dtype=kind) for _ in places]
        level = [np.full(len(groups), 1 << index, dtype=kind) for index in range(players)]
        for one in range(players):
            for other in range(one + 1, players):
                better = (places[one] < places[other]).astype(kind)
                equal = (places[one] == places[other]).astype(kind)
                ahead[other] |= better << kind(one)
                ahead[one] |= ((better | equal) ^ kind(1)) << kind(other)
                level[one] |= equal << kind(other)
                level[other] |= equal << kind(one)
        everybody = kind((1 << players) - 1)
        for index in range(players):
            still_in = everybody & ~ahead[index]
            speaks = (level[index] & kind((1 << index) - 1)) == 0  # once for each tied set
            counted = finished & speaks & (still_in != level[index])
            stages = (still_in[counted] << kind(players)) | level[index][counted]
            self.stages.add(groups[counted], stages)


def split(stage: int, players: int) -> tuple[list[int], list[int]]:
    """Return the line-up's entries still in, and those that come next."""
    still_in, following = stage >> players, stage & ((1 << players) - 1)
    entries = range(players)
    return (
        [index for index in entries if still_in >> index & 1],
        [index for index in entries if following >> index & 1],
    )
