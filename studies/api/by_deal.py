"""What a cell's matches tell with the deal as the unit: each deal was played in every rotation.

Matches on one deal depend on each other, so that intervals for independent ones would be too
narrow or too wide. Estimators and their sources stand in `studies.stats.intervals` and
`studies.compare.decided`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from studies.compare.decided import Products, ratio
from studies.stats.intervals import Interval, Moments, clustered_mean, clustered_share

Array = np.ndarray[Any, Any]


class DealSums:
    """Sums over the deals of a cell.

    Parameters
    ----------
    seats : sequence of str
        The strategy of each seat at rotation 0.
    metrics : sequence of str
        Columns whose means are told.
    rotations : int
        Matches a deal.
    """

    def __init__(self, seats: Sequence[str], metrics: Sequence[str], rotations: int) -> None:
        players = len(seats)
        self._rotations = rotations
        self._names = list(dict.fromkeys(seats))
        self._held = np.array([self._names.index(seat) for seat in seats])
        self._unit = math.lcm(*range(1, players + 1))
        self._alive = 0
        self._aborted = Moments()
        self._wins = [Products(2) for _ in range(len(self._names) + players)]
        self._winner_score = Products(2)
        self._means = {name: Moments() for name in (*metrics, "score_sum", "winner_count")}
        self._scores = [Moments()] * players

    def add(self, columns: Mapping[str, Array]) -> None:
        """Add whole deals, rows in the order of (match, rotation)."""
        players = len(self._scores)
        seats = np.arange(players)[:, None]
        winners = columns["winners"].astype(np.int64)
        first = columns["first_seat"].astype(np.int64)
        scores = np.stack([columns[f"score_{seat}"] for seat in range(players)]).astype(np.int64)
        won = (winners >> seats) & 1
        count = won.sum(axis=0)
        credit = won * (self._unit // np.maximum(count, 1))
        missing = self._totals(winners == 0)
        deals = len(missing)
        self._alive += int((missing < self._rotations).sum())
        self._aborted += Moments.of(missing / self._rotations)

        holder = self._held[(seats + columns["rotation"].astype(np.int64)) % players]
        clockwise = (first + seats) % players
        placed = np.take_along_axis(credit, clockwise, axis=0)
        own = [(credit * (holder == index)).sum(axis=0) for index in range(len(self._names))]
        for sums, wins in zip(self._wins, [*own, *placed], strict=True):
            sums.add(deals, self._totals(wins), missing)
        self._winner_score.add(deals, self._totals((credit * scores).sum(axis=0)), missing)

        told = {**columns, "score_sum": scores.sum(axis=0), "winner_count": count}
        for name in self._means:
            self._means[name] += Moments.of(self._totals(told[name]) / self._rotations)
        by_position = np.take_along_axis(scores, clockwise, axis=0)
        for place, values in enumerate(by_position):
            self._scores[place] += Moments.of(self._totals(values) / self._rotations)

    def _totals(self, values: Array) -> Array:
        """Return the sum over each deal: (deals,) from (deals × rotations,)."""
        summed: Array = values.astype(np.int64).reshape(-1, self._rotations).sum(axis=1)
        return summed

    def strategy(self, name: str) -> Interval:
        """Return the share of decided matches that a strategy's seats win together."""
        return self._share(self._names.index(name))

    def position(self, place: int) -> Interval:
        """Return the share of decided matches that a position wins."""
        return self._share(len(self._names) + place)

    def _share(self, subject: int) -> Interval:
        return ratio(self._wins[subject], self._rotations, self._alive, self._unit).share()

    def aborted(self) -> Interval:
        """Return the share of aborted matches."""
        return clustered_share(self._aborted, self._rotations)

    def means(self) -> dict[str, Interval | None]:
        """Return the means of every per-match metric; None of nothing."""
        found: dict[str, Interval | None] = {
            name: clustered_mean(moments) for name, moments in self._means.items()
        }
        winner = ratio(self._winner_score, self._rotations, self._alive, self._unit).value
        found["winner_score"] = clustered_mean(winner) if winner.count else None
        return found

    def scores(self) -> list[Interval | None]:
        """Return the mean score of each position."""
        return [clustered_mean(moments) for moments in self._scores]
