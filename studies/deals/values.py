"""What is measured of each deal: one whole number a deal for every policy, position and metric.

Rows of a deal (its rotations) are added up at once, in whole numbers, so that nothing is lost and
every estimate is built from deal sums. Win rates count in units of 1/lcm(1…players): a match won
by k seats gives each 1/k.

A *subject* is what gains or loses: first the policies in the order of the line-up, then the
positions 0 … players - 1, counted clockwise from the match's `first_seat`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from studies.design.cells import StudyCell

Array = np.ndarray[Any, Any]

LENGTHS = ("plays", "turns", "tricks", "rounds")
"""Metrics that say how long a match was, where a game has them; the most telling first."""

DEALS_AT_ONCE = 1 << 15  # the arrays of a slice stay in the processor's caches
_LANES = np.array(
    [sum(1 << (8 * bit) for bit in range(8) if byte >> bit & 1) for byte in range(256)],
    dtype="<u8",
)


def match_columns(players: int) -> list[str]:
    """Return the columns that measures are made of, besides the game's metrics."""
    return ["winners", "first_seat", "aborted", *(f"score_{seat}" for seat in range(players))]


def recorded(players: int, metrics: Sequence[str]) -> list[str]:
    """Return the columns in which a variant makes itself felt: winners, scores, game's metrics.

    Decisions do not count: an option that merely asks, or no longer asks, changes nothing.
    """
    return ["winners", *(f"score_{seat}" for seat in range(players)), *metrics]


def told_apart(
    names: Sequence[str], before: Mapping[str, Array], after: Mapping[str, Array]
) -> Array:
    """Return in which matches a variant is in play: those that are recorded otherwise with it.

    Parameters
    ----------
    names : sequence of str
        The columns that count, see `recorded`.
    before, after : mapping of str to array, each of shape (deals, rotations)
        Columns without and with the variant, on the same deals.

    Returns
    -------
    bool[deals, rotations]
    """
    differ: Array = np.zeros(before[names[0]].shape, dtype=bool)
    for name in names:
        differ |= before[name] != after[name]
    return differ


def slices(count: int) -> Iterator[slice]:
    """Yield slices of `count` deals, of a size that is quick to work on."""
    for start in range(0, count, DEALS_AT_ONCE):
        yield slice(start, min(start + DEALS_AT_ONCE, count))


def totals(column: Array) -> Array:
    """Return the sum over the rotations: (deals,) from (deals, rotations)."""
    total: Array = column[:, 0].astype(np.int64)
    for rotation in range(1, column.shape[1]):
        total += column[:, rotation]
    return total


@dataclass
class Side:
    """A slice of deals, measured.

    Attributes
    ----------
    winners : array of shape (deals, rotations)
        Bit masks of winners.
    among : list of arrays of shape (deals,), one a rotation
        Bit k tells whether subject k is among the winners.
    shares : array of shape (subjects, deals)
        Wins, in units of 1 / `Seating.unit`, summed over rotations.
    scores : array of shape (subjects, deals)
        Final scores, summed over rotations and the subject's seats.
    undecided : array of bool of shape (deals, rotations), or None
        Matches that nobody won, because they were aborted; None where there are none.
    """

    winners: Array
    among: list[Array]
    shares: Array
    scores: Array
    undecided: Array | None = None


class Seating:
    """Who sits where in a cell, and tables from a match's winners to everybody's measures."""

    def __init__(self, cell: StudyCell) -> None:
        self.cell = cell
        players = cell.players
        held = Counter(cell.seats)
        self.policies = list(held)
        self.held = [*held.values(), *([1] * players)]
        """Seats that each subject holds."""
        self.unit = reduce(math.lcm, range(1, players + 1))
        self._members = [
            [index for index, seat in enumerate(cell.seats) if seat == policy]
            for policy in self.policies
        ]
        self._clockwise = np.arange(2 * players) % players
        tables = [self._tables(rotation) for rotation in range(cell.rotations)]
        self._credit = [credit for credit, _ in tables]
        self._among = [among for _, among in tables]

    @property
    def subjects(self) -> int:
        """Number of policies and positions."""
        return len(self.held)

    def seat_of(self, index: int, rotation: int) -> int:
        """Return the seat of the line-up's entry `index` at a rotation."""
        return (index - rotation) % self.cell.players

    def share_scale(self, subject: int) -> float:
        """Return what turns a deal's sum of wins into the mean win rate per seat held."""
        return 1.0 / (self.unit * self.held[subject] * self.cell.rotations)

    def score_scale(self, subject: int) -> float:
        """Return what turns a deal's sum of scores into the mean score per seat held."""
        return 1.0 / (self.held[subject] * self.cell.rotations)

    def _tables(self, rotation: int) -> tuple[Array, Array]:
        """Return credit (by first seat and winners; subjects) and whether subjects are winners."""
        players, masks = self.cell.players, 1 << self.cell.players
        winners = np.arange(masks)
        won = winners[:, None] >> np.arange(players) & 1
        one = self.unit // np.maximum(won.sum(axis=1), 1)
        credit = np.zeros((players, masks, self.subjects), dtype=np.int32)
        among = np.zeros((players, masks), dtype=np.uint32)
        for first in range(players):
            seats = [
                [self.seat_of(index, rotation) for index in members] for members in self._members
            ]
            seats += [[(first + position) % players] for position in range(players)]
            for subject, own in enumerate(seats):
                wins = won[:, own].sum(axis=1)
                credit[first, :, subject] = wins * one
                among[first] |= (wins > 0).astype(np.uint32) << subject
        return credit.reshape(-1, self.subjects), among.ravel()

    def measure(self, columns: Mapping[str, Array], part: slice) -> Side:
        """Measure a slice of deals; columns have the shape (deals, rotations)."""
        cell = self.cell
        winners = columns["winners"][part]
        first = columns["first_seat"][part].astype(np.int32)
        index = (first << cell.players) | winners
        shares = np.zeros((len(winners), self.subjects), dtype=np.int32)
        among = []
        for rotation in range(cell.rotations):
            own = index[:, rotation]
            shares += np.take(self._credit[rotation], own, axis=0)
            among.append(np.take(self._among[rotation], own))
        scores = [columns[f"score_{seat}"][part] for seat in range(cell.players)]
        undecided = winners == 0
        return Side(
            winners,
            among,
            shares.T.astype(np.int64),
            self._scores(first, scores),
            undecided if undecided.any() else None,
        )

    def _scores(self, first: Array, scores: Sequence[Array]) -> Array:
        cell = self.cell
        summed = np.zeros((self.subjects, len(first)), dtype=np.int64)
        for policy, members in enumerate(self._members):
            for rotation in range(cell.rotations):
                for index in members:
                    summed[policy] += scores[self.seat_of(index, rotation)][:, rotation]
        offset = len(self.policies)
        rows = np.arange(len(first)) * cell.players
        for rotation in range(cell.rotations):
            by_seat = np.stack([score[:, rotation] for score in scores], axis=-1).ravel()
            for position in range(cell.players):
                place = self._clockwise[first[:, rotation] + position]
                summed[offset + position] += np.take(by_seat, rows + place)
        return summed


def count_bits(bits: Sequence[Array], subjects: int) -> Array:
    """Return how often each bit is set: (subjects, deals) from arrays of bit masks."""
    pieces = []
    for byte in range(-(-subjects // 8)):
        lanes = np.zeros(len(bits[0]), dtype="<u8")
        for array in bits:
            lanes += np.take(_LANES, (array >> (8 * byte)) & 255)
        pieces.append(lanes.view(np.uint8).reshape(-1, 8))
    return np.concatenate(pieces, axis=1)[:, :subjects].T.astype(np.int64)
