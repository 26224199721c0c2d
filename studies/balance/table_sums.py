"""What one table's rows tell: sums over chunks of deals, and the estimates from them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.game import Game
from studies.balance.counts import Counts
from studies.balance.drama import LEAD_CHANGES, DramaSums
from studies.balance.luck import Crossed, most_by_policy
from studies.balance.notable import Finds
from studies.balance.results import Drama, Luck, Notable, Outcomes, Seats, Share, TableBalance
from studies.balance.vectors import (
    Vectors,
    beside,
    decided_ratio,
    ratio,
    share_p,
    sidak,
    sidak_p,
)
from studies.compare.decided import Ratio
from studies.deals.values import LENGTHS
from studies.design.cells import StudyCell
from studies.stats.intervals import LEVEL, Moments, clustered_mean, clustered_share

Array = np.ndarray[Any, Any]
Columns = dict[str, Array]

ROWS_AT_ONCE = 200_000
_NOTHING = 1e-9


class TableSums:
    """Sums of a cell."""

    def __init__(self, game: Game, cell: StudyCell) -> None:
        self.game, self.cell = game, cell
        players = cell.players
        self.outcomes = {name: Moments() for name in ("single", "shared", "aborted")}
        self.outcome_counts = dict.fromkeys(self.outcomes, 0)
        self.positions = Vectors(players + 1)  # wins by position, decided matches
        self.ranks = Vectors(players)
        self.forced = Vectors(2)
        self.decisions = Moments()
        self.moves = Counts()
        self.metrics = {metric: Counts() for metric in game.metrics if metric.name in LENGTHS}
        self.drama = DramaSums(game, players, cell.rotations)
        self.crossed: dict[str, Crossed] = {}
        if cell.rotations > 1:
            self.crossed = {name: Crossed(players, cell.rotations) for name in ("win", "score")}
        self.finds = Finds(cell)

    @property
    def names(self) -> list[str]:
        """The match columns that are read."""
        scores = [f"score_{seat}" for seat in range(self.cell.players)]
        metrics = [metric.name for metric in self.metrics]
        common = ["first_seat", "winners", "aborted", *scores, "decisions", "forced"]
        return list(dict.fromkeys([*common, *metrics, *self.drama.names]))

    def add(self, first: int, columns: Columns) -> None:
        """Add the deals from match number `first` on; columns of shape (deals, rotations).

        From here on arrays lie so that the numbers of all deals follow each other: sums over
        rotations and seats, of which there are few, then add long vectors.
        """
        step = max(1, ROWS_AT_ONCE // self.cell.rotations)
        for start in range(0, len(columns["match"]), step):
            part = {
                name: np.asfortranarray(values[start : start + step])
                for name, values in columns.items()
            }
            self._add(first + start, part)

    def _add(self, first: int, columns: Columns) -> None:
        players = self.cell.players
        seats = np.arange(players)
        winners, aborted = columns["winners"], columns["aborted"].astype(bool)
        number = np.bitwise_count(winners).astype(np.int64)
        scores = beside([columns[f"score_{seat}"] for seat in seats]).astype(np.int64)
        won = beside([(winners >> winners.dtype.type(seat)) & 1 for seat in seats])
        share = won / np.maximum(number, 1)[..., None]
        self._add_outcomes(number, aborted)
        first_seat = columns["first_seat"].astype(np.int64)
        by_position = _clockwise(share, first_seat).sum(axis=1)
        decided = (number > 0).sum(axis=1)
        self.positions.add(beside([*by_position.T, decided]))
        self._add_ranks(scores, won.astype(bool), number > 0, first_seat)
        decisions = columns["decisions"].astype(np.int64)
        moves = decisions + columns["forced"]
        self.decisions += Moments.of(decisions.mean(axis=1))
        self.forced.add(beside([columns["forced"].sum(axis=1), moves.sum(axis=1)]) * 1.0)
        self.moves.add(moves)
        for metric, counts in self.metrics.items():
            counts.add(columns[metric.name])
        margin, comeback = self.drama.add(columns, scores, won.astype(bool))
        if self.crossed:
            whole = np.asarray((number > 0).all(axis=1))
            self.crossed["win"].add(first, share, whole)
            self.crossed["score"].add(first, scores.astype(np.float64), whole)
        changes = columns.get(LEAD_CHANGES)
        self.finds.add(first, moves, margin, number, aborted, changes, comeback)

    def _add_outcomes(self, number: Array, aborted: Array) -> None:
        kinds = {"single": number == 1, "shared": number > 1, "aborted": aborted}
        for name, found in kinds.items():
            self.outcomes[name] += Moments.of(found.mean(axis=1))
            self.outcome_counts[name] += int(found.sum())

    def _add_ranks(self, scores: Array, won: Array, decided: Array, first_seat: Array) -> None:
        """Add mean final ranks by position, of deals without an aborted match."""
        best = np.where(won, scores, np.iinfo(np.int64).min).max(axis=2)
        behind = np.abs(scores - best[..., None])
        rank = np.ones(behind.shape, order="F")  # of ties the mean
        for one, other in itertools.combinations(range(self.cell.players), 2):
            ahead = np.sign(behind[..., one] - behind[..., other]) / 2
            rank[..., one] += 0.5 + ahead
            rank[..., other] += 0.5 - ahead
        whole = decided.all(axis=1)
        own = rank if whole.all() else rank[whole]
        self.ranks.add(_clockwise(own, first_seat[whole]).mean(axis=1))

    def found(self, level: float = LEVEL) -> TableBalance:
        """Return what the sums tell."""
        return table_of(
            self.cell,
            self.positions.count,
            outcomes=Outcomes(**{name: self._outcome(name, level) for name in self.outcomes}),
            positions=self._seats(level),
            moves=self.moves.distribution("moves", "moves of all seats, free and forced", level),
            lengths=[
                self.metrics[metric].distribution(metric.name, metric.meaning, level)
                for metric in self.metrics
            ],
            decisions=clustered_mean(self.decisions, level),
            forced=ratio(self.forced, level),
            drama=self.drama.found(level),
            luck=self._luck(level),
            notable=self.finds.found(),
        )

    def _outcome(self, name: str, level: float) -> Share:
        interval = clustered_share(self.outcomes[name], self.cell.rotations, level)
        return Share(self.outcome_counts[name], interval)

    def _seats(self, level: float) -> Seats:
        players = self.cell.players
        wins = [decided_ratio(self.positions.with_last(position)) for position in range(players)]
        ranks = [self.ranks.moments(position) for position in range(players)]
        return seats_found(wins, ranks, level)

    def _luck(self, level: float) -> Luck | None:
        if not self.crossed:
            return None
        win = self.crossed["win"]
        seats = self.cell.seats
        places = win.means
        strength = {
            name: float(
                np.mean([places[place] for place in range(win.policies) if seats[place] == name])
            )
            for name in dict.fromkeys(seats)
        }
        best = max(strength, key=strength.__getitem__)
        certain = sum(abs(own) for name, own in strength.items() if name != best) < _NOTHING
        return Luck(
            policies=list(strength),
            deals=win.deals,
            left_out=win.left_out,
            win=replace(
                win.parts(level, certain=certain),
                most=most_by_policy(self.cell.players, seats.count(best)),
            ),
            score=self.crossed["score"].parts(level),
        )


def seats_found(
    wins: Sequence[Ratio], ranks: Sequence[Moments] | None, level: float = LEVEL
) -> Seats:
    """Return how positions fare, from the decided matches that each wins, and its mean ranks."""
    each, even = sidak(level, len(wins)), 1 / len(wins)
    shares = [own.share(each) for own in wins]
    estimates = [interval.estimate for interval in shares]
    return Seats(
        win_share=shares,
        rank=None if ranks is None else [clustered_mean(own, each) for own in ranks],
        even=even,
        spread=max(estimates) - min(estimates),
        p=sidak_p([share_p(own, even) for own in wins]),
    )


def table_of(
    cell: StudyCell,
    deals: int,
    *,
    drama: Drama | None = None,
    luck: Luck | None = None,
    notable: Sequence[Notable] = (),
    **measured: Any,
) -> TableBalance:
    """Return what was measured of a cell, with its names."""
    return TableBalance(
        cell=cell.id,
        variant=cell.variant,
        lineup=cell.lineup,
        point=cell.point,
        options=cell.options,
        seats=list(cell.seats),
        strategies=list(dict.fromkeys(cell.seats)),
        rotations=cell.rotations,
        seed=cell.seed,
        coupling=cell.coupling,
        deals=deals,
        matches=deals * cell.rotations,
        drama=drama,
        luck=luck,
        notable=list(notable),
        **measured,
    )


def _clockwise(values: Array, first_seat: Array) -> Array:
    """Return values by position, from values by seat: both of shape (deals, rotations, seats)."""
    by_seat = np.asfortranarray(values)
    count, seats = first_seat.size, values.shape[2]
    place = np.arange(count)
    first = first_seat.ravel(order="F")
    positions = [
        by_seat.ravel(order="F").take((first + position) % seats * count + place)
        for position in range(seats)
    ]
    return np.concatenate(positions).reshape(by_seat.shape, order="F")
