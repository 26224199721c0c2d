"""Exact sums of measures by group of deals, sufficient to compute every answer about a cell.

Deal number m belongs to group m mod 1021 in every cell of a study, so that each deal is a separate
group if there are few, and cells that play the same deals share their groups. (The number is prime,
so that groups do not fall into step with anything that alternates with the deal number, such as who
begins.) Sums are whole numbers (a win shared by k seats counts in units of a common multiple; a
fractional measure is split into whole part and fraction, in units of 2^-40), so that `a + b` is
exact in any order, over blocks, threads and machines: rows and `rows = false` give the same
answers, bit for bit.

Names of sums, by group of deals:

- `deals`; `decided` (matches); `deals|decided`: deals with a decided match;
- `win_rate|policy P|position K`, `decided|policy P|position K`: the wins of a policy sitting at
  a position, and of how many decided matches, where a line-up has several policies;
- `NAME` of a measure of the match; `NAME|policy P` and `NAME|position K` of the seats that hold
  them (0 = `first_seat`, clockwise); `of|…` the wholes of measures that are no share of all or of
  the decided matches, and `deals|…` the deals in which these are not 0; `…|fraction`;
- `winners|R|MASK`: decided matches of rotation R that the seats of a bit mask won; 0, where all
  seats play together, those that they lost;
- of a variant, against the baseline on the same deals: `pair|both` (decided in both), `deals|both`,
  `pair|another` (other winners), `pair|in_play` (recorded otherwise);
- `luck|…`: quadratic forms of who wins, see `studies.answers.luck`.

Grouping deals ("random groups"): K. M. Wolter (2007), Introduction to Variance Estimation, ch. 2.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import InputError
from studies.measures import (
    COMMON_COUNTS,
    DECIDED,
    NOBODY_WINS,
    Block,
    Columns,
    Measure,
    Table,
    is_cooperative,
)

if TYPE_CHECKING:
    import polars as pl

Array = np.ndarray[Any, Any]

GROUPS = 1021
FRACTION = 2.0**40
_BEFORE = "before|"
_HISTOGRAM = "histogram|"
_ROTATIONS = "|rotations"  # no name of a measure: a metric may well be called rotations
_MOST_BINS = 1 << 20
_BYTES_A_NAME = 250  # of an array without its numbers, and of its place in a dict
_NEVER_COMPARED = ("match", "rotation", "first_seat", "aborted", *COMMON_COUNTS)
"""Columns that do not show that a variant came into play: asking a question changes nothing."""


@dataclass
class Totals:
    """Sums of a cell over some of its deals; `+` merges the sums of other deals.

    Attributes
    ----------
    rotations : int
        Matches per deal.
    sums : dict of str to int64[groups]
        Arrays up to the last group that has deals, or longer.
    before : Totals or None
        For a variant's cell: the baseline on the same deals.
    histograms : dict of str to dict of int to int
        Measure -> value -> matches.
    """

    rotations: int
    sums: dict[str, Array] = field(default_factory=dict)
    before: Totals | None = None
    histograms: dict[str, dict[int, int]] = field(default_factory=dict)

    def __add__(self, other: Totals) -> Totals:
        merged = Totals(self.rotations)
        merged.add(self)
        merged.add(other)
        return merged

    def add(self, other: Totals) -> None:
        """Add the sums of other deals, in place; arrays are replaced, never modified."""
        if other.rotations != self.rotations:
            raise ValueError("totals of cells with other rotations cannot be added up")
        for name, values in other.sums.items():
            sums = self.sums.get(name)
            self.sums[name] = values if sums is None else _added(sums, values)
        for name, counts in other.histograms.items():
            own_counts = self.histograms.setdefault(name, {})
            for value, times in counts.items():
                own_counts[value] = own_counts.get(value, 0) + times
        if other.before is not None:
            self.before = other.before if self.before is None else self.before + other.before

    def by_group(self, name: str, groups: int = GROUPS, out: Array | None = None) -> Array:
        """Return a sum by group, float64[groups]; `out`, if given, holds zeros and is filled."""
        by_group = np.zeros(groups) if out is None else out
        sums = self.sums.get(name)
        if sums is not None:
            by_group[: len(sums)] = sums[:groups]
            fraction = self.sums.get(f"{name}|fraction")
            if fraction is not None:
                by_group[: len(fraction)] += fraction[:groups] / FRACTION
        return by_group

    def total(self, name: str) -> int:
        """Return a sum over all deals, without its fractions."""
        sums = self.sums.get(name)
        return 0 if sums is None else int(sums.sum())

    @property
    def deals(self) -> int:
        """Number of deals."""
        return self.total("deals")

    @property
    def matches(self) -> int:
        """Number of matches."""
        return self.deals * self.rotations

    @property
    def decided(self) -> int:
        """Number of matches with a winner."""
        return self.total("decided")

    @property
    def used(self) -> int:
        """Number of groups up to the last one that has deals."""
        places = np.flatnonzero(self.sums.get("deals", np.zeros(1)))
        return int(places[-1]) + 1 if places.size else 0

    @property
    def bytes(self) -> int:
        """Approximate memory of the sums, without those of the baseline, which are shared."""
        return sum(sums.nbytes + _BYTES_A_NAME for sums in self.sums.values())

    def histogram(self, name: str) -> dict[int, int]:
        """Return value -> matches of a measure, sorted by value; empty without a histogram."""
        return dict(sorted(self.histograms.get(name, {}).items()))

    def to_frame(self) -> pl.DataFrame:
        """Return the columns name, at (group, or value of a histogram) and value, of non-zero sums.

        The order does not depend on the order of addition.
        """
        import polars as pl

        sides = {"": self} if self.before is None else {"": self, _BEFORE: self.before}
        sums = {mark + name: by for mark, side in sides.items() for name, by in side.sums.items()}
        histograms = {
            mark + name: counts
            for mark, side in sides.items()
            for name, counts in side.histograms.items()
        }
        series = [(_ROTATIONS, np.zeros(1, dtype=np.int64), np.array([self.rotations]))]
        for name, by_group in sorted(sums.items()):
            at = np.flatnonzero(by_group)
            series.append((name, at, by_group[at]))
        for name, counts in sorted(histograms.items()):
            at = np.array(sorted(counts), dtype=np.int64)
            times = np.array([counts[value] for value in at.tolist()], dtype=np.int64)
            series.append((_HISTOGRAM + name, at, times))
        names, places, values = zip(*series, strict=True)
        kinds = pl.Series("name", names).cast(pl.Categorical)
        repeated = np.repeat(np.arange(len(names)), [len(at) for at in places])
        return pl.DataFrame(
            {
                "name": kinds[repeated.tolist()],
                "at": np.concatenate(places),
                "value": np.concatenate(values),
            },
            schema={"name": pl.Categorical, "at": pl.Int64, "value": pl.Int64},
        )

    @classmethod
    def from_frame(cls, frame: pl.DataFrame) -> Totals:
        """Return the sums that `to_frame` wrote."""
        totals = cls(1)
        ends = np.append(
            np.flatnonzero(frame["name"].ne_missing(frame["name"].shift()).to_numpy()), len(frame)
        )
        numbers = frame["at"].to_numpy(), frame["value"].to_numpy()
        names = frame["name"].gather(ends[:-1]).to_list()
        for name, start, stop in zip(names, ends[:-1], ends[1:], strict=True):
            at, value = (column[start:stop] for column in numbers)
            text = str(name)
            if text == _ROTATIONS:
                totals.rotations = int(value[0])
                continue
            histogram = text.startswith(_HISTOGRAM)
            text = text.removeprefix(_HISTOGRAM)
            target = totals
            if text.startswith(_BEFORE):
                text = text.removeprefix(_BEFORE)
                target = totals.before = totals.before or cls(totals.rotations)
            if histogram:
                target.histograms[text] = dict(zip(at.tolist(), value.tolist(), strict=True))
            else:
                sums = np.zeros(int(at[-1]) + 1 if len(at) else 0, dtype=np.int64)
                sums[at] = value
                target.sums[text] = sums
        if totals.before is not None:
            totals.before.rotations = totals.rotations
        return totals


def _added(first: Array, second: Array) -> Array:
    """Return the sum of two arrays by group; the shorter one has zeros in its missing groups."""
    longer, shorter = (first, second) if len(first) >= len(second) else (second, first)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total


def sum_totals(parts: Iterable[Totals]) -> Totals | None:
    """Return the sum of all parts; None without parts."""
    total: Totals | None = None
    for part in parts:
        if total is None:
            total = Totals(part.rotations)
        total.add(part)
    return total


class Groups:
    """Sums of integers over groups of deals.

    Values have the shape (deals, rotations), one a match, or (deals,), one a deal. Results end
    with the block's last group that has deals.
    """

    def __init__(self, block: Block) -> None:
        self.block = block
        numbers = block.numbers
        self.groups = numbers % GROUPS
        count = len(numbers)
        self.size = int(self.groups.max(initial=-1)) + 1
        self.consecutive = bool(count) and bool((np.diff(numbers) == 1).all())
        self.first = int(numbers[0]) % GROUPS if count else 0

    def of(self, values: Array) -> Array:
        """Return the sums, int64[groups]; booleans are counted."""
        if values.ndim == 1:
            return self._rows(values[:, None])[:, 0]
        sums: Array = self._rows(values).sum(axis=1)
        return sums

    def deals_of(self, events: Array) -> Array:
        """Return the number of deals with an event, int64[groups]; a deal may have several rows.

        External rows may have any number of matches per deal.
        """
        happened = events if events.ndim == 1 else np.asarray(events.any(axis=1))
        numbers = self.block.numbers
        if self.consecutive or bool((np.diff(numbers) > 0).all()):
            return self.of(happened)
        return np.bincount(np.unique(numbers[happened]) % GROUPS, minlength=self.size)

    def has_deals_of(self, other: Block) -> bool:
        """Return whether another block has the same deals, in the same order."""
        return bool(np.array_equal(self.block.numbers, other.numbers))

    def histogram(self, values: Array, whole: Array | None) -> dict[int, int]:
        """Return value -> matches, for all matches or for those with a non-zero denominator."""
        chosen = values.ravel()
        if whole is not None:
            chosen = values[np.broadcast_to(whole, values.shape) != 0]
        if not chosen.size:
            return {}
        lowest, highest = int(chosen.min()), int(chosen.max())
        if highest - lowest < _MOST_BINS:
            counts = np.bincount(chosen - lowest)
            at = np.flatnonzero(counts)
            return dict(zip((at + lowest).tolist(), counts[at].tolist(), strict=True))
        unique, times = np.unique(chosen, return_counts=True)
        return dict(zip(unique.tolist(), times.tolist(), strict=True))

    def winners(self) -> Iterator[tuple[int, int, Array]]:
        """Yield rotation, bit mask of winners, and the number of such matches, int64[groups]."""
        block = self.block
        masks = np.flatnonzero(np.bincount(block.winners.ravel(), minlength=1 << block.players))
        number = np.zeros(1 << block.players, dtype=np.int64)
        number[masks] = np.arange(len(masks))
        kinds = block.rotations * len(masks)
        place = self.groups[:, None] * kinds + np.arange(block.rotations) * len(masks)
        counts = np.bincount((place + number[block.winners]).ravel(), minlength=self.size * kinds)
        counts = counts.reshape(self.size, block.rotations, len(masks))
        for rotation in range(block.rotations):
            for column, mask in enumerate(masks.tolist()):
                if mask and counts[:, rotation, column].any():
                    yield rotation, mask, counts[:, rotation, column]

    def seated(self, values: Array) -> Array:
        """Return the sums by rotation and first seat, int64[groups, rotations, players]."""
        block = self.block
        shape = (self.size, block.rotations, block.players)
        each = values if values.ndim == 2 else values[:, None]
        weights = np.broadcast_to(each, (block.deals, block.rotations)).ravel()
        sums = np.bincount(
            self._place, weights=weights, minlength=math.prod(shape)
        )  # doubles are exact for whole numbers up to 2^53
        return np.rint(sums).astype(np.int64).reshape(shape)

    @cached_property
    def _place(self) -> Array:
        block = self.block
        turn = self.groups[:, None] * block.rotations + np.arange(block.rotations)
        place: Array = (turn * block.players + block["first_seat"]).ravel()
        return place

    def _rows(self, values: Array) -> Array:
        """Return the sums of rows by group, int64[groups, columns]."""
        values = np.ascontiguousarray(values)
        columns = values.shape[1]
        sums = np.zeros((self.size, columns), dtype=np.int64)
        if not self.consecutive:
            np.add.at(sums, self.groups, values.astype(np.int64))
            return sums
        # Rows cycle through the groups in order: a head, full cycles, a tail.
        head = min(GROUPS - self.first, len(values)) if self.first else 0
        sums[self.first : self.first + head] += values[:head]
        turns = (len(values) - head) // GROUPS
        if turns:
            body = values[head : head + turns * GROUPS].reshape(turns, GROUPS * columns)
            sums += body.sum(axis=0, dtype=np.int64).reshape(GROUPS, columns)
        tail = values[head + turns * GROUPS :]
        sums[: len(tail)] += tail
        return sums


def totals_of(
    cell: Table,
    columns: Columns,
    measures: Sequence[Measure],
    base: Table | None = None,
    baseline: Columns | None = None,
    before: Totals | None = None,
) -> Totals:
    """Return the sums of a cell over some deals.

    Parameters
    ----------
    columns : mapping of str to array of shape (rows,)
        Match columns in the order of (match, rotation), with every rotation of a deal; consecutive
        deals are fastest.
    measures : sequence of Measure
        `studies.measures.measures_of` the cell.
    base, baseline : Table, mapping of str to array
        For a variant's cell: the baseline, with the same deals in the same order.
    before : Totals, optional
        The baseline's sums over these deals, if already known.
    """
    block = Block(cell, columns)
    if base is None or baseline is None:
        return summed(Groups(block), measures)
    before = before or totals_of(base, baseline, measures)
    return summed(Groups(block), measures, Block(base, baseline), before)


def summed(
    groups: Groups, measures: Sequence[Measure], base: Block | None = None, before: Any = None
) -> Totals:
    """Return the sums of a block, for a variant with those of its baseline; see `totals_of`.

    This defines the sums both for the CPU (`Groups`) and a GPU (`studies.answers.device_sums`).
    """
    block, cell = groups.block, groups.block.cell
    block.prepare(measures)
    totals = Totals(cell.rotations)
    totals.sums["deals"] = groups.deals_of(np.ones((block.deals, 1), dtype=bool))
    totals.sums["decided"] = groups.of(block.decided)
    totals.sums[f"deals|{DECIDED}"] = groups.deals_of(block.decided)
    seating = Seating(cell.seats, cell.rotations)
    for measure in measures:
        _add_measure(totals, block, groups, seating, measure)
    competing = len(seating.held) > 1 and not is_cooperative(cell)
    decided = groups.seated(block.decided)[..., None]
    at_each_seat = np.broadcast_to(decided, (*decided.shape[:-1], seating.players))
    if competing:
        _add_seatings(totals, seating, DECIDED, at_each_seat)
    for rotation, mask, counts in groups.winners():
        totals.sums[f"winners|{rotation}|{mask}"] = counts
    if is_cooperative(cell):  # a loss is a result
        lost = block.evaluated(NOBODY_WINS, seats=False, name="lost")[0]
        for rotation in range(cell.rotations):
            totals.sums[f"winners|{rotation}|0"] = groups.of(lost[:, rotation])
    if base is None:
        if cell.rotations > 1 and competing:
            _add_luck(totals, block, groups)
        return totals
    if (base.cell.seats, base.rotations) != (cell.seats, cell.rotations):
        raise ValueError("a variant is paired with a baseline of the same seats and rotations")
    totals.before = before
    _add_pairs(totals, block, base, groups)
    return totals


class Seating:
    """The seating, which turns sums by rotation, first seat and seat into those of who sat there.

    Sums are int64[groups, rotations, players, players], the last axis for the seat.
    """

    def __init__(self, seats: Sequence[str], rotations: int) -> None:
        self.players = len(seats)
        held: dict[str, list[tuple[int, int]]] = {policy: [] for policy in seats}
        for rotation, seat in np.ndindex(rotations, self.players):
            held[seats[(seat + rotation) % self.players]].append((rotation, seat))
        # The rotations and seats of each policy.
        self.held = {policy: np.array(places).T for policy, places in held.items()}

    def each(self, sums: Array) -> Iterator[tuple[str, Array]]:
        """Yield the sums of each policy, over all its seats, and of each position."""
        by_turn, by_first = sums.sum(axis=2), sums.sum(axis=1)
        for policy, (turns, seats) in self.held.items():
            yield f"policy {policy}", by_turn[:, turns, seats].sum(axis=1)
        first = np.arange(self.players)
        for position in first.tolist():
            here = by_first[:, first, (first + position) % self.players]
            yield f"position {position}", here.sum(axis=1)

    def both(self, sums: Array) -> Iterator[tuple[str, int, Array]]:
        """Yield the sums of each policy at each position."""
        for policy, (turns, seats) in self.held.items():
            for position in range(self.players):
                here = sums[:, turns, (seats - position) % self.players, seats]
                yield policy, position, here.sum(axis=1)


def _add_measure(
    totals: Totals, block: Block, groups: Groups, seating: Seating, measure: Measure
) -> None:
    if measure.is_rate:
        return
    values, denominator = measure.evaluate(block)
    if measure.counted and values.dtype.kind in "bui":
        counts = groups.histogram(values, denominator)
        if counts:
            totals.histograms[measure.name] = counts
    if measure.seats:
        _add_seats(totals, groups, seating, measure.name, values)
    else:
        _put(totals, measure.name, groups.of, values, measure.name)
    if denominator is None or (measure.of == DECIDED and denominator is block.decided):
        return
    name = f"of|{measure.name}"
    if isinstance(denominator, list):
        counted = [_any_in_deal(seat_values) for seat_values in denominator]
        _add_seats(totals, groups, seating, name, denominator)
        _add_seats(totals, groups, seating, f"deals|{measure.name}", counted)
    else:
        _put(totals, name, groups.of, denominator, measure.name)
        totals.sums[f"deals|{measure.name}"] = groups.of(_any_in_deal(denominator))


def _any_in_deal(values: Array) -> Any:
    """Return whether any match of a deal has a value other than 0."""
    differ = values != 0
    return differ if differ.ndim == 1 else differ.any(axis=1)


def _put(totals: Totals, name: str, summed: Any, values: Array, measure: str) -> None:
    """Add the sums of values, split into whole part and fraction if they have fractions."""
    for ending, part in _exact(values, measure):
        totals.sums[name + ending] = summed(part)


def _exact(values: Array, measure: str) -> list[tuple[str, Array]]:
    """Return values as whole numbers: unchanged, or split into whole part and fraction."""
    if values.dtype.kind in "bui":
        return [("", values)]
    if values.dtype.kind != "f":
        raise InputError(f"measure {measure!r} gives {values.dtype}; allowed: numbers")
    if not np.isfinite(values).all():
        raise InputError(
            f"measure {measure!r} gives a value that is no finite number; allowed: numbers, or "
            "null where a match is not to be counted"
        )
    floor = np.floor(values)
    fraction = np.rint((values - floor) * FRACTION).astype(np.int64)
    parts = [("", floor.astype(np.int64))]
    return [*parts, ("|fraction", fraction)] if fraction.any() else parts


def _add_seats(
    totals: Totals, groups: Groups, seating: Seating, name: str, values: Sequence[Array]
) -> None:
    """Add the sums of each policy (over all its seats) and of each position."""
    by_seat = [dict(_exact(seat_values, name)) for seat_values in values]
    zero = np.zeros((groups.block.deals, 1), dtype=np.int64)
    for ending in dict.fromkeys(ending for parts in by_seat for ending in parts):
        sums = np.stack([groups.seated(parts.get(ending, zero)) for parts in by_seat], axis=-1)
        for who, of_group in seating.each(sums):
            totals.sums[f"{name}|{who}{ending}"] = of_group
        if name == "win_rate":
            _add_seatings(totals, seating, name, sums)


def seating_sum(number: str, policy: str, position: int) -> str:
    """Return the name of the sum of a policy at a position."""
    return f"{number}|policy {policy}|position {position}"


def _add_seatings(totals: Totals, seating: Seating, name: str, sums: Array) -> None:
    """Add the sums of each policy at each position, where a line-up has several policies."""
    for policy, position, of_both in seating.both(sums) if len(seating.held) > 1 else ():
        if of_both.any():
            totals.sums[seating_sum(name, policy, position)] = of_both


def _add_pairs(totals: Totals, block: Block, base: Block, groups: Groups) -> None:
    if not groups.has_deals_of(base):
        raise ValueError("a variant is paired with its baseline on the same deals")
    both = block.decided & base.decided
    totals.sums["pair|both"] = groups.of(both)
    totals.sums["deals|both"] = groups.deals_of(both)
    totals.sums["pair|another"] = groups.of(both & (block.winners != base.winners))
    if block.cell.options == base.cell.options:
        return
    differ = block.winners != base.winners
    for name in block.columns:
        if name not in _NEVER_COMPARED and name in base.columns:
            differ = differ | (block[name] != base[name])
    totals.sums["pair|in_play"] = groups.of(differ)


def _add_luck(totals: Totals, block: Block, groups: Groups) -> None:
    """Add quadratic forms of the wins, over deals with every match decided."""
    all_decided: Any = block.decided.all(axis=1)
    credit = [wins * all_decided[:, None] for wins in block.credit]
    rotations = range(block.rotations)
    totals.sums["luck|deals"] = groups.of(all_decided)
    square: Any = 0
    by_seat: Any = 0
    entries: list[Any] = [0 for _ in rotations]
    for seat, wins in enumerate(credit):
        total: Any = 0
        for rotation in rotations:
            here = wins[:, rotation]
            totals.sums[f"luck|mean|{rotation}|{seat}"] = groups.of(here)
            total = total + here
            square = square + here * here
            # The line-up repeats after as many seats as there are rotations.
            entry = (seat + rotation) % block.rotations
            entries[entry] = entries[entry] + here
        by_seat = by_seat + total * total
    totals.sums["luck|square"] = groups.of(square)
    totals.sums["luck|by_seat"] = groups.of(by_seat)
    totals.sums["luck|by_entry"] = groups.of(sum(wins * wins for wins in entries))
    within = square
    if block.rotations < block.players:  # an entry holds several seats of one match
        within = 0
        for rotation in rotations:
            for entry in rotations:
                at = [
                    seat
                    for seat in range(block.players)
                    if (seat + rotation) % block.rotations == entry
                ]
                together = sum(credit[seat][:, rotation] for seat in at)
                within = within + together * together
    totals.sums["luck|within"] = groups.of(within)
