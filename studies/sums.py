"""Exact sums over deals, from which shares, means, their variances and paired effects follow.

A `Sums` maps names to whole numbers, and `+` merges two: over blocks, runs and machines, in any
order, without rounding. Ten thousand million matches need as much room as ten. What they cannot
give is anything about single matches: quantiles, medians, tests that permute deals, replays.

Names, where D is one whole number a deal (all its rotations together) and `.sq` is the sum of D²:

- `deals`; `aborted` (matches) and `aborted.sq`;
- `winners.R.MASK`: matches of rotation R that the seats of the bit mask won;
- `share.P`: D = win shares of the seats of policy P in units of 1/`share_unit`; `share.P.Q` is the
  sum of products of two policies (P ≤ Q, so `share.P.P` that of squares); `score.P`, `.sq`: D = its
  seats' final scores; P counts the cell's policies from 0 in the order of their first seats;
- `position_share.K`, `position_score.K`, `.sq`: the same by position (0 = `first_seat`);
- `metric.NAME`, `.sq`: a column of the game, summed over the deal's rotations.

A variant's cell has besides, against the baseline on the same deals (D = with less without):

- `pair.deals`; `pair.differ`, `.sq`: rotations in which the set of winners differs;
- `pair.in_play`, `.sq`: rotations in which a clause of the changed options came into play;
- `pair.share.P`, `pair.score.P`, `pair.metric.NAME`, `pair.position_share.K`, each with `.sq`;
- `pair.gained.P`, `pair.lost.P`, `pair.both.P`: matches in which a seat of the policy is among the
  winners only with, only without the variant, in both; `pair.among.P`, `.sq`: gained less lost.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Self

import numpy as np

from simcore.game import get_game
from simcore.records import COMMON_COUNTS
from studies.cells import StudyCell

Array = np.ndarray[Any, Any]
Columns = Mapping[str, Array]

WINNERS = ("first_seat", "winners")
"""The columns from which everything about wins follows."""

NO_METRICS = ("clauses",)


@dataclass
class Sums:
    """Whole numbers by name."""

    values: dict[str, int] = field(default_factory=dict)

    def __add__(self, other: Sums) -> Sums:
        merged = Sums(dict(self.values))
        merged += other
        return merged

    def __iadd__(self, other: Sums) -> Self:
        for name, value in other.values.items():
            self.values[name] = self.values.get(name, 0) + value
        return self

    def __getitem__(self, name: str) -> int:
        return self.values.get(name, 0)

    def add(self, name: str, values: Array) -> None:
        """Add one number a deal, and their squares under `name.sq`."""
        self.put(name, exact_sum(values))
        self.put(f"{name}.sq", exact_dot(values, values))

    def count(self, name: str, values: Array) -> None:
        """Add one number a deal, without squares."""
        self.put(name, exact_sum(values))

    def product(self, name: str, first: Array, second: Array) -> None:
        """Add the products of two numbers a deal."""
        self.put(name, exact_dot(first, second))

    def put(self, name: str, value: int) -> None:
        """Add a number to a sum."""
        self.values[name] = self.values.get(name, 0) + value


def exact_sum(values: Array) -> int:
    """Return the sum of whole numbers."""
    return int(values.sum(dtype=np.int64))


def exact_dot(first: Array, second: Array) -> int:
    """Return the sum of products of whole numbers, without rounding.

    Whole numbers keep NumPy from handing the product to the threads of a BLAS library, which would
    take the cores from the kernels.
    """
    if not first.size:
        return 0
    if _peak(first) * _peak(second) * first.size < 2.0**63:
        return int(np.dot(first.astype(np.int64), second.astype(np.int64)))
    return sum(int(a) * int(b) for a, b in zip(first.tolist(), second.tolist(), strict=True))


def _peak(values: Array) -> float:
    return float(max(abs(int(values.min())), abs(int(values.max()))))


@dataclass(frozen=True)
class Seats:
    """Tables from the bit mask of winners to what it means for the policies of a cell.

    Attributes
    ----------
    policies : tuple of str
        In the order of their first seats.
    held : tuple of int
        Seats of each.
    unit : int
        Win shares are counted in units of 1 / `unit`, the least common multiple of 1…players.
    shares : int64[policies, rotations, 2^players]
    among : bool, same shape
        Whether a seat of the policy is among the winners.
    positions : int64[players (first seat), players (position), 2^players]
        Win share of each position.
    seats : tuple of tuple of tuple of int
        Seats of each policy in each rotation.
    """

    policies: tuple[str, ...]
    held: tuple[int, ...]
    unit: int
    shares: Array
    among: Array
    positions: Array
    seats: tuple[tuple[tuple[int, ...], ...], ...]


@lru_cache(maxsize=256)
def _seats(seats: tuple[str, ...], rotations: int) -> Seats:
    players = len(seats)
    policies = tuple(dict.fromkeys(seats))
    unit = share_unit(players)
    masks = np.arange(1 << players)
    winners = np.bitwise_count(masks).astype(np.int64)
    each = np.where(winners, unit // np.maximum(winners, 1), 0)
    own = tuple(
        tuple(
            tuple(seat for seat in range(players) if seats[(seat + rotation) % players] == policy)
            for rotation in range(rotations)
        )
        for policy in policies
    )
    held_masks = np.array([[sum(1 << s for s in at) for at in policy] for policy in own])
    won = np.bitwise_count(masks[None, None, :] & held_masks[:, :, None]).astype(np.int64)
    positions = np.array(
        [
            [each * ((masks >> ((first + place) % players)) & 1) for place in range(players)]
            for first in range(players)
        ]
    )
    return Seats(
        policies,
        tuple(seats.count(policy) for policy in policies),
        unit,
        won * each,
        won > 0,
        positions,
        own,
    )


def seats_of(cell: StudyCell) -> Seats:
    """Return the tables of a cell."""
    return _seats(cell.seats, cell.rotations)


def share_unit(players: int) -> int:
    """Return into how many parts a win is split so that every share of it is whole."""
    return math.lcm(*range(1, players + 1))


def win_sums(
    cell: StudyCell, columns: Columns, baseline: Columns | None, total: Sums | None = None
) -> Sums:
    """Return the sums about winners, which stopping needs.

    Parameters
    ----------
    columns, baseline : mapping of str to array, each of shape (deals, rotations)
        `WINNERS` of the cell and, for a variant, of its baseline on the same deals.
    """
    sums = Sums() if total is None else total
    winners = columns["winners"]
    sums.put("deals", len(winners))
    tables = seats_of(cell)
    _add_counts(sums, winners)
    shares = _policy_shares(tables, winners)
    for place, share in enumerate(shares):
        sums.count(f"share.{place}", share)
        for other in range(place + 1):
            sums.product(f"share.{other}.{place}", shares[other], share)
    positions = _position_shares(tables, columns)
    for place, share in enumerate(positions):
        sums.add(f"position_share.{place}", share)
    if baseline is None:
        return sums
    before = baseline["winners"]
    sums.put("pair.deals", len(winners))
    sums.add("pair.differ", np.count_nonzero(winners != before, axis=1))
    for place, (old, new) in enumerate(zip(_policy_shares(tables, before), shares, strict=True)):
        sums.add(f"pair.share.{place}", new - old)
    for place, (old, new) in enumerate(
        zip(_position_shares(tables, baseline), positions, strict=True)
    ):
        sums.add(f"pair.position_share.{place}", new - old)
    return sums


def all_sums(cell: StudyCell, columns: Columns, base: StudyCell, baseline: Columns | None) -> Sums:
    """Return all sums over some deals.

    Parameters
    ----------
    columns, baseline : mapping of str to array, each of shape (deals, rotations)
        Match columns of the cell and, for a variant, of its baseline `base` on the same deals.
    """
    sums = win_sums(cell, columns, baseline)
    tables = seats_of(cell)
    sums.add("aborted", np.count_nonzero(columns["aborted"], axis=1))
    for name in metric_names(cell):
        sums.add(f"metric.{name}", _deal_sum(columns[name]))
    scores = [_policy_score(own, columns) for own in tables.seats]
    for place, score in enumerate(scores):
        sums.add(f"score.{place}", score)
    for place, score in enumerate(_position_scores(cell, columns)):
        sums.add(f"position_score.{place}", score)
    if baseline is None:
        return sums
    for name in metric_names(cell):
        sums.add(f"pair.metric.{name}", _deal_sum(columns[name]) - _deal_sum(baseline[name]))
    for place, own in enumerate(tables.seats):
        sums.add(f"pair.score.{place}", scores[place] - _policy_score(own, baseline))
        _add_gains(sums, place, tables.among[place], columns["winners"], baseline["winners"])
    bits = sum(1 << bit for bit in clause_bits(base, cell))
    if bits:
        played = ((columns["clauses"] | baseline["clauses"]) & bits) != 0
        sums.add("pair.in_play", np.count_nonzero(played, axis=1))
    return sums


def metric_names(cell: StudyCell) -> list[str]:
    """Return the columns of a cell's game that are numbers to add up."""
    names = (*get_game(cell.game).metric_names, *COMMON_COUNTS)
    return [name for name in names if name not in NO_METRICS]


def clause_bits(base: StudyCell, cell: StudyCell) -> list[int]:
    """Return the bits, in the column `clauses`, of what a variant changes."""
    changed = {name for name, value in cell.options.items() if base.options[name] != value}
    return [
        bit
        for bit, clause in enumerate(get_game(cell.game).clauses)
        if not changed.isdisjoint(clause.options)
    ]


def by_deal(columns: Columns, rotations: int) -> dict[str, Array]:
    """Return columns in the order of (match, rotation) as arrays of shape (deals, rotations)."""
    return {name: values.reshape(-1, rotations) for name, values in columns.items()}


def _add_counts(sums: Sums, winners: Array) -> None:
    for rotation in range(winners.shape[1]):
        counts = np.bincount(winners[:, rotation])
        for mask in np.flatnonzero(counts):
            sums.put(f"winners.{rotation}.{mask}", int(counts[mask]))


def _policy_shares(tables: Seats, winners: Array) -> list[Array]:
    """Return D of each policy's win share, int64[deals]."""
    return [_looked_up(table, winners) for table in tables.shares]


def _looked_up(table: Array, winners: Array) -> Array:
    total: Array = table[0][winners[:, 0]]
    for rotation in range(1, winners.shape[1]):
        total += table[rotation][winners[:, rotation]]
    return total


def _position_shares(tables: Seats, columns: Columns) -> list[Array]:
    players, _, masks = tables.positions.shape
    place = columns["first_seat"].astype(np.int64) * masks + columns["winners"]
    flat = tables.positions.transpose(1, 0, 2).reshape(players, -1)
    return [_deal_sum(table[place]) for table in flat]


def _policy_score(own: tuple[tuple[int, ...], ...], columns: Columns) -> Array:
    total = np.zeros(len(columns["winners"]), dtype=np.int64)
    for rotation, seats in enumerate(own):
        for seat in seats:
            total += columns[f"score_{seat}"][:, rotation]
    return total


def _position_scores(cell: StudyCell, columns: Columns) -> list[Array]:
    players, first = cell.players, columns["first_seat"]
    scores = np.stack([columns[f"score_{seat}"].ravel() for seat in range(players)]).ravel()
    rows = np.arange(first.size)
    result = []
    for place in range(players):
        starts = np.array([(seat + place) % players * first.size for seat in range(players)])
        found = scores[starts[first.ravel()] + rows]
        result.append(_deal_sum(found.reshape(first.shape)))
    return result


def _add_gains(sums: Sums, place: int, among: Array, winners: Array, before: Array) -> None:
    gained = np.zeros(len(winners), dtype=np.int64)
    lost = np.zeros_like(gained)
    for rotation in range(winners.shape[1]):
        new, old = among[rotation][winners[:, rotation]], among[rotation][before[:, rotation]]
        gained += new & ~old
        lost += old & ~new
        sums.put(f"pair.both.{place}", int(np.count_nonzero(new & old)))
    sums.count(f"pair.gained.{place}", gained)
    sums.count(f"pair.lost.{place}", lost)
    sums.add(f"pair.among.{place}", gained - lost)


def _deal_sum(values: Array) -> Array:
    return values[:, 0] if values.shape[1] == 1 else values.sum(axis=1, dtype=np.int64)
