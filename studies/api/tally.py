"""Statistics of a cell, added up block by block in whole numbers.

A tally holds integer sums only, so it needs the same memory for ten matches and for 10⁹, its
results do not depend on how the matches were cut into blocks, and no rounding accumulates. It
knows nothing of pairs and variants: that is `cardlab compare`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from studies.api.by_deal import DealSums

Columns = Mapping[str, NDArray[Any]]

COUNTS = ("decisions", "forced")
"""Counted in every game: decisions with a choice, and those with one legal move."""

_INT64_HIGH = 2**63 - 1


@dataclass
class Sums:
    """Number, sum and sum of squares of values seen; exact."""

    count: int = 0
    total: Fraction | int = 0
    squares: Fraction | int = 0

    def add(self, values: NDArray[np.int64], scale: int = 1) -> None:
        """Add `values` / `scale`."""
        size = len(values)
        if size == 0:
            return
        peak = max(abs(int(values.min())), abs(int(values.max())))
        if peak * peak * size <= _INT64_HIGH:
            squares = int(np.dot(values, values))
        else:
            squares = sum(int(value) ** 2 for value in values)
        self.count += size
        self.total += Fraction(int(values.sum()), scale) if scale > 1 else int(values.sum())
        self.squares += Fraction(squares, scale * scale) if scale > 1 else squares

    @property
    def mean(self) -> float | None:
        """Mean, or None when nothing was seen."""
        return float(Fraction(self.total) / self.count) if self.count else None

    @property
    def sd(self) -> float | None:
        """Sample standard deviation (divisor n − 1), or None of fewer than two values."""
        if self.count < 2:
            return None
        spread = self.count * Fraction(self.squares) - Fraction(self.total) ** 2
        return math.sqrt(spread / (self.count * (self.count - 1)))

    @property
    def standard_error(self) -> float | None:
        """Standard error of the mean, or None of fewer than two values."""
        sd = self.sd
        return None if sd is None else sd / math.sqrt(self.count)


class Tally:
    """What `cardlab simulate` reports of a cell.

    Parameters
    ----------
    seats : sequence of str
        The strategy of each seat.
    metrics : sequence of str
        The game's metrics, by the names of their columns.
    rotations : int
        How often each match number is played; at rotation r seat s holds strategy s + r.

    Attributes
    ----------
    by_deal : DealSums or None
        The same once more with the deal as the unit, where a deal is played more than once.
    """

    def __init__(self, seats: Sequence[str], metrics: Sequence[str], rotations: int = 1) -> None:
        players = len(seats)
        self.seats = tuple(seats)
        self.rotations = rotations
        self.by_deal = DealSums(seats, (*metrics, *COUNTS), rotations) if rotations > 1 else None
        self.matches = 0
        self.aborted = 0
        self.metrics = {name: Sums() for name in (*metrics, *COUNTS)}
        self.score_sum = Sums()
        self.winner_score = Sums()
        self.winner_count = Sums()
        self.score_by_position = [Sums() for _ in range(players)]
        # How often each (rotation, first seat, bit mask of winners) occurred: all shares follow.
        self._outcomes = np.zeros((rotations, players, 1 << players), dtype=np.int64)

    def add(self, columns: Columns) -> None:
        """Add the rows of a block, in the order of (match, rotation)."""
        players = len(self.seats)
        if self.by_deal is not None:
            self.by_deal.add(columns)
        first_seat = columns["first_seat"].astype(np.int64)
        winners = columns["winners"].astype(np.int64)
        scores = np.stack([columns[f"score_{seat}"] for seat in range(players)]).astype(np.int64)
        self.matches += len(winners)
        self.aborted += int(np.count_nonzero(columns["aborted"]))
        for name, sums in self.metrics.items():
            sums.add(columns[name].astype(np.int64))
        self.score_sum.add(scores.sum(axis=0))

        turned = columns["rotation"].astype(np.int64) if self.rotations > 1 else 0
        outcome = ((turned * players + first_seat) << players) | winners
        counts = np.bincount(outcome, minlength=self._outcomes.size)
        self._outcomes += counts.reshape(self._outcomes.shape)
        for first in range(players):
            rows = scores[:, first_seat == first]
            for position, sums in enumerate(self.score_by_position):
                sums.add(rows[(first + position) % players])

        is_winner = (winners >> np.arange(players)[:, None]) & 1
        winner_count = is_winner.sum(axis=0)
        self.winner_count.add(winner_count)
        winner_total = (is_winner * scores).sum(axis=0)
        for count in range(1, players + 1):
            self.winner_score.add(winner_total[winner_count == count], scale=count)

    @property
    def decided(self) -> int:
        """Number of matches that somebody won."""
        return int(self._outcomes[..., 1:].sum())

    def win_share_by_position(self, *, decided: bool = False) -> list[float]:
        """Return shares of wins; position 0 is the first seat, then clockwise.

        Parameters
        ----------
        decided : bool
            Whether of decided matches; else of all, aborted ones as won by nobody.
        """
        places = len(self.seats)
        return self._shares(
            lambda _turned, first, seat: (seat - first) % places, places, decided=decided
        )

    def win_share_by_strategy(self, *, decided: bool = False) -> dict[str, float]:
        """Return the share of wins of each strategy, its seats added up; `decided` as above."""
        names = list(dict.fromkeys(self.seats))
        held = [names.index(seat) for seat in self.seats]
        shares = self._shares(
            lambda turned, _first, seat: held[(seat + turned) % len(held)],
            len(names),
            decided=decided,
        )
        return dict(zip(names, shares, strict=True))

    def _shares(self, group: Any, groups: int, *, decided: bool) -> list[float]:
        wins = [Fraction(0)] * groups
        for turned, first, mask in np.argwhere(self._outcomes).tolist():
            winners = [seat for seat in range(len(self.seats)) if mask >> seat & 1]
            for seat in winners:
                share = Fraction(int(self._outcomes[turned, first, mask]), len(winners))
                wins[group(turned, first, seat)] += share
        matches = self.decided if decided else self.matches
        return [float(share / matches) if matches else 0.0 for share in wins]

    def all_sums(self) -> dict[str, Sums]:
        """Return the sums of every per-match metric, by name."""
        return {
            **self.metrics,
            "score_sum": self.score_sum,
            "winner_score": self.winner_score,
            "winner_count": self.winner_count,
        }

    def means(self) -> dict[str, dict[str, float | None]]:
        """Return mean and standard deviation of every per-match metric."""
        found = self.all_sums()
        return {name: {"mean": sums.mean, "sd": sums.sd} for name, sums in found.items()}
