"""Exact sums over deals, from which shares, means, their variances and paired effects follow.

A `Sums` maps names to whole numbers, and `+` merges two: over blocks, runs and machines, in any
order, without rounding. Ten thousand million matches need as much room as ten. What they cannot
give is anything about single matches: quantiles, medians, tests that permute deals, replays.

Names, where D is one whole number a deal (all its rotations together) and `.sq` is the sum of D²:

- `deals`; `aborted` (matches) and `aborted.sq`; `empty`: deals of which every match is aborted;
- `winners.R.MASK`: matches of rotation R that the seats of the bit mask won;
- `share.P`: D = win rates of the seats of policy P in units of 1/`share_unit`; `share.P.Q` is the
  sum of products of two policies (P ≤ Q, so `share.P.P` that of squares); `score.P`, `.sq`: D = its
  seats' final scores; P counts the cell's policies from 0 in the order of their first seats;
- `position_share.K`, `position_score.K`, `.sq`: the same by position (0 = `first_seat`);
- `share.P.aborted`, `position_share.K.aborted`: sums of products with the deal's aborted matches;
- `gap.P.Q`: D = difference of two policies' win rates per seat, in units of 1 / (`share_unit`
  times the seats of both); only what a sign-flip test needs of few deals, see below;
- `metric.NAME`, `.sq`: a column of the game, summed over the deal's rotations.

A variant's cell has besides, against the baseline on the same deals (D = with less without):

- `pair.deals`; `pair.differ`, `.sq`: rotations in which the set of winners differs;
- `pair.undecided`, `.sq`: rotations that are not decided in both; `pair.undecided.empty`: deals of
  which none is; `pair.aborted_in_one`, `.sq`: aborted on one side only; `pair.another`, `.sq`,
  `.undecided`: decided in both, and with other winners; product with `pair.undecided`;
- `pair.before.deals`, `.empty`, `.aborted`, `.aborted.sq`: the baseline on these deals;
  `pair.aborted.product`: of the aborted matches on both sides;
- `pair.before.share.P`, `.sq`, `.aborted`, `.aborted_with`: win rates without the variant, and
  products with the aborted matches without and with it; `pair.after.share.P.aborted_without`: of
  those with it; all of them for `position_share.K`, too;
- `pair.in_play`, `.sq`: rotations recorded otherwise with the variant (`measures.told_apart`);
- `pair.share.P`, `pair.score.P`, `pair.metric.NAME`, `pair.position_share.K`,
  `pair.position_score.K`, each with `.sq`;
- `pair.gained.P`, `pair.lost.P`, `pair.both.P`: matches, decided in both, in which a seat of the
  policy is among the winners only with, only without the variant, in both; `pair.among.P`, `.sq`,
  `.undecided`: gained less lost.

Of every change and every gap `.nonzero` counts the deals with another D than 0 and, where a block
has at most `signflip.EXACT_DEALS` of them, `.is.V` those with D = V: exact tests need the values.
Sums that are 0 because nothing was aborted are left out; `told` counts the deals whose sums follow
all of this.
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
from studies.deals.values import recorded, told_apart
from studies.design.cells import StudyCell
from studies.stats.signflip import EXACT_DEALS

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

    def change(self, name: str, values: Array) -> None:
        """Add one number a deal, their squares, and what an exact test of few needs."""
        self.add(name, values)
        self.few(name, values)

    def few(self, name: str, values: Array) -> None:
        """Count the deals with a number other than 0, by number where they are few."""
        other = values[values != 0]
        self.put(f"{name}.nonzero", other.size)
        if other.size <= EXACT_DEALS:
            for value, times in zip(*np.unique(other, return_counts=True), strict=True):
                self.put(f"{name}.is.{int(value)}", int(times))

    def values_of(self, name: str) -> Array | None:
        """Return the numbers other than 0 of a change or gap, or None where they are many.

        In rising order: what is computed from them must not depend on which block came first.
        """
        if self.values.get(f"{name}.nonzero", EXACT_DEALS + 1) > EXACT_DEALS:
            return None
        start = f"{name}.is."
        found = dict(
            sorted(
                (int(key.removeprefix(start)), times)
                for key, times in self.values.items()
                if key.startswith(start)
            )
        )
        return np.repeat(np.array([*found], dtype=np.int64), np.array([*found.values()], dtype=int))

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
        Win rates are counted in units of 1 / `unit`, the least common multiple of 1…players.
    shares : int64[policies, rotations, 2^players]
    among : bool, same shape
        Whether a seat of the policy is among the winners.
    positions : int64[players (first seat), players (position), 2^players]
        Win rate of each position.
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
    shares = policy_shares(tables, winners)
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
    for place, (old, new) in enumerate(zip(policy_shares(tables, before), shares, strict=True)):
        sums.change(f"pair.share.{place}", new - old)
    for place, (old, new) in enumerate(
        zip(_position_shares(tables, baseline), positions, strict=True)
    ):
        sums.change(f"pair.position_share.{place}", new - old)
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
    scores = [policy_score(own, columns) for own in tables.seats]
    for place, score in enumerate(scores):
        sums.add(f"score.{place}", score)
    position_scores = _position_scores(cell, columns)
    for place, score in enumerate(position_scores):
        sums.add(f"position_score.{place}", score)
    _add_decided(sums, tables, columns, baseline)
    if baseline is None:
        return sums
    for name in metric_names(cell):
        sums.change(f"pair.metric.{name}", _deal_sum(columns[name]) - _deal_sum(baseline[name]))
    for place, (new, old) in enumerate(
        zip(position_scores, _position_scores(cell, baseline), strict=True)
    ):
        sums.change(f"pair.position_score.{place}", new - old)
    for place, own in enumerate(tables.seats):
        sums.change(f"pair.score.{place}", scores[place] - policy_score(own, baseline))
        _add_gains(sums, place, tables.among[place], columns["winners"], baseline["winners"])
    if cell.options != base.options:
        names = recorded(cell.players, get_game(cell.game).metric_names)
        played = told_apart(names, baseline, columns)
        sums.add("pair.in_play", np.count_nonzero(played, axis=1))
    return sums


def metric_names(cell: StudyCell) -> list[str]:
    """Return the columns of a cell's game that are numbers to add up."""
    names = (*get_game(cell.game).metric_names, *COMMON_COUNTS)
    return [name for name in names if name not in NO_METRICS]


def by_deal(columns: Columns, rotations: int) -> dict[str, Array]:
    """Return columns in the order of (match, rotation) as arrays of shape (deals, rotations)."""
    return {name: values.reshape(-1, rotations) for name, values in columns.items()}


def _add_counts(sums: Sums, winners: Array) -> None:
    for rotation in range(winners.shape[1]):
        counts = np.bincount(winners[:, rotation])
        for mask in np.flatnonzero(counts):
            sums.put(f"winners.{rotation}.{mask}", int(counts[mask]))


def policy_shares(tables: Seats, winners: Array) -> list[Array]:
    """Return D of each policy's win rate, int64[deals], from winners[deals, rotations]."""
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


def _add_decided(sums: Sums, tables: Seats, columns: Columns, baseline: Columns | None) -> None:
    """Add the products that shares of decided matches need, and gaps between policies."""
    winners = columns["winners"]
    deals, size = winners.shape
    shares = {
        **_named("share", policy_shares(tables, winners)),
        **_named("position_share", _position_shares(tables, columns)),
    }
    sums.put("told", deals)
    for one, first in enumerate(tables.held):
        for other, second in enumerate(tables.held[:one]):
            gap = shares[f"share.{other}"] * first - shares[f"share.{one}"] * second
            sums.few(f"gap.{other}.{one}", gap)
    aborted = _undecided(winners)
    if aborted is not None:
        sums.put("empty", int(np.count_nonzero(aborted == size)))
        for name, share in shares.items():
            sums.product(f"{name}.aborted", share, aborted)
    if baseline is not None:
        _add_decided_in_both(sums, tables, columns, baseline, shares)


def _add_decided_in_both(
    sums: Sums, tables: Seats, columns: Columns, baseline: Columns, shares: dict[str, Array]
) -> None:
    """Add what is decided with and without the variant, and products with what is not."""
    winners = columns["winners"]
    deals, size = winners.shape
    others = {
        **_named("share", policy_shares(tables, baseline["winners"])),
        **_named("position_share", _position_shares(tables, baseline)),
    }
    for name, share in others.items():
        sums.add(f"pair.before.{name}", share)
    aborted, was_aborted = _undecided(winners), _undecided(baseline["winners"])
    won_twice = (winners != 0) & (baseline["winners"] != 0)
    another = np.count_nonzero((winners != baseline["winners"]) & won_twice, axis=1)
    sums.put("pair.before.deals", deals)
    sums.add("pair.another", another)
    if aborted is None and was_aborted is None:
        return
    either = np.count_nonzero(~won_twice, axis=1)
    one_only = np.count_nonzero((winners != 0) ^ (baseline["winners"] != 0), axis=1)
    sums.add("pair.undecided", either)
    sums.put("pair.undecided.empty", int(np.count_nonzero(either == size)))
    sums.add("pair.aborted_in_one", one_only)
    sums.product("pair.another.undecided", another, either)
    if aborted is not None:
        for name, share in others.items():
            sums.product(f"pair.before.{name}.aborted_with", share, aborted)
    if was_aborted is not None:
        sums.add("pair.before.aborted", was_aborted)
        sums.put("pair.before.empty", int(np.count_nonzero(was_aborted == size)))
        for name, share in others.items():
            sums.product(f"pair.before.{name}.aborted", share, was_aborted)
        for name, share in shares.items():
            sums.product(f"pair.after.{name}.aborted_without", share, was_aborted)
    if aborted is not None and was_aborted is not None:
        sums.product("pair.aborted.product", aborted, was_aborted)


def _named(kind: str, values: list[Array]) -> dict[str, Array]:
    return {f"{kind}.{place}": value for place, value in enumerate(values)}


def _undecided(winners: Array) -> Array | None:
    """Return the matches of each deal that nobody won, or None where there are none."""
    aborted = np.count_nonzero(winners == 0, axis=1)
    return aborted if aborted.any() else None


def policy_score(own: tuple[tuple[int, ...], ...], columns: Columns) -> Array:
    """Return D of a policy's final scores, int64[deals], from its seats in each rotation."""
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
    twice = (winners != 0) & (before != 0)
    for rotation in range(winners.shape[1]):
        new, old = among[rotation][winners[:, rotation]], among[rotation][before[:, rotation]]
        gained += new & ~old & twice[:, rotation]
        lost += old & ~new & twice[:, rotation]
        sums.put(f"pair.both.{place}", int(np.count_nonzero(new & old)))
    sums.count(f"pair.gained.{place}", gained)
    sums.count(f"pair.lost.{place}", lost)
    sums.change(f"pair.among.{place}", gained - lost)
    if not twice.all():
        either = np.count_nonzero(~twice, axis=1)
        sums.product(f"pair.among.{place}.undecided", gained - lost, either)


def _deal_sum(values: Array) -> Array:
    return values[:, 0] if values.shape[1] == 1 else values.sum(axis=1, dtype=np.int64)
