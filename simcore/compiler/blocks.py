"""Play blocks of matches by compiled code: a cell as addresses, options and columns.

What plays a game is compiled once, whatever the number of players, and so is each policy and the
search: once for the rules as they are, and once for all others (`form_of`). Each is a unit with one
function `entry`, which is called by its address. So a cell is a row of numbers: its options, and
for each seat the address of its policy with the values of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simcore.compiler import machine
from simcore.compiler.engine import Engine, add_policy
from simcore.compiler.layout import MEMORY_WORDS, PER_SEAT_STREAMS, signed
from simcore.compiler.module import Writer
from simcore.compiler.piles import is_ordered, numbers_of_piles
from simcore.compiler.program import Program, program_of
from simcore.compiler.search import add_search, room_for
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.translate import Lowering
from simcore.records import COMMON_COUNTS, MAX_PARAMS
from simcore.rng import MASK

OF_A_TABLE = (
    "players",
    "lowest_wins",
    "cleared",
    "policy",
    "rollout",
    "rollout_at",
    "params",
)
"""Option slots filled per cell, not by the game."""

Array = np.ndarray[Any, Any]


class Columns(NamedTuple):
    """The columns of a block, in the order in which compiled code takes them."""

    first_seat: Array
    winners: Array
    aborted: Array
    scores: Array
    metrics: Array

    @classmethod
    def empty(cls, players: int, metrics: int, count: int) -> Columns:
        """Return uninitialised columns for `count` matches."""
        return cls(
            np.empty(count, np.uint8),
            np.empty(count, np.uint16),
            np.empty(count, np.uint8),
            np.empty((players, count), np.int32),
            np.empty((metrics, count), np.int32),
        )

    @classmethod
    def of(cls, cell: Any, count: int) -> Columns:
        """Return columns of so many matches of a cell, to be filled."""
        return cls.empty(cell.players, len(cell.game.metrics) + len(COMMON_COUNTS), count)

    def rows(self, start: int, stop: int) -> Columns:
        """Return some of the rows."""
        return Columns(*(column[..., start:stop] for column in self))

    def begins(self, other: Columns) -> bool:
        """Return whether the other columns begin with these."""
        pairs = zip(self, other.rows(0, len(self.winners)), strict=True)
        return all(np.array_equal(column, beginning) for column, beginning in pairs)


class Unit:
    """Compiled code with one function that is called by its address.

    Parameters
    ----------
    low : Lowering
        With a function `entry`.
    stem : str
        With which the names of its files begin.
    title : str
        What it is, for those who wait.
    """

    def __init__(self, low: Lowering, stem: str, title: str) -> None:
        self.low = low
        self.address = machine.address_of(Writer(low, title).text, stem, title)
        count = 2 + len(low.done["entry"].params)
        self.call: Any = machine.function_at(self.address, count)


_units: dict[Any, Unit] = {}
_lowered: dict[Any, Lowering] = {}


@dataclass(frozen=True)
class Form:
    """A game with options that look alike: for these everything is compiled once.

    Attributes
    ----------
    program : Program
    options : dict
    key : tuple
        Cache key: everything that affects the compiled code.
    fixed : dict of int
        Options that are constants of the code, by place.
    """

    program: Program
    options: Mapping[str, Any]
    key: tuple[Any, ...]
    fixed: Mapping[int, int]

    def lowered(self, kind: str, policy: SeatPolicy | None = None) -> Lowering:
        """Translate the "matches", the "search" or a "policy"; refuse what cannot be compiled."""
        key = (*self.key, kind, *(policy.identity if policy else ()))
        if key not in _lowered:
            memory = policy.memory(self.program) if policy else {}
            checked = policy.is_foreign if policy else bool(self.program.game.digest)
            low = Lowering(self.program, self.options, memory, self.fixed, checked=checked)
            if policy is not None:
                add_policy(low, policy)
            elif kind == "search":
                add_search(low)
            else:
                Engine(low).play_blocks()
            _lowered[key] = low
        return _lowered[key]

    def unit(self, kind: str, policy: SeatPolicy | None = None) -> Unit:
        """Compile one of these, or load it from the disk."""
        key = (*self.key, kind, *(policy.identity if policy else ()))
        if key not in _units:
            low = self.lowered(kind, policy)
            game = re.sub(r"\W+", "-", Path(self.program.game.name).stem)
            title = f"the policy {policy.name if policy else 'search'}"
            title = f"{self.program.game.title}: {'its matches' if kind == 'matches' else title}"
            _units[key] = Unit(low, f"{game[:40]}-{kind}", title)
        return _units[key]

    def address(self, policy: SeatPolicy) -> int:
        """Return the address of a policy, 0 for uniform random play."""
        if policy.is_random:
            return 0
        if policy.rollout is not None:
            return self.unit("search").address
        return self.unit("policy", policy).address


def form_of(cell: Any) -> Form:
    """Return a cell's game with options of this form.

    Most matches are played by the rules as they are, so these have code of their own, with all
    options at their defaults but the number of players; all other rules share code that reads them.
    """
    program = program_of(cell.game)
    options = program.option_values(cell.options)
    low = Lowering(program, options)
    fixed, row = _usual(program, low.form), low.option_row(options)
    is_usual = all(row[place] == number for place, number in fixed.items())
    key = (cell.game.name, cell.game.digest, low.form, is_usual)
    return Form(program, options, key, fixed if is_usual else {})


@cache
def _usual(program: Program, form: tuple[Any, ...]) -> Mapping[int, int]:
    """Return the options that are the same by default for all numbers of players, by place."""
    rows, places = [], list[int]()
    for players in program.seating.tables:
        options = program.option_values(program.game.resolve({"players": players}))
        low = Lowering(program, options)
        if low.form == form:
            rows.append(low.option_row(options))
            layout = low.options.places.items()
            spans = [span for name, span in layout if name not in OF_A_TABLE]
            places = [place for at, count in spans for place in range(at, at + count)]
    return {
        place: int(rows[0][place])
        for place in places
        if all(row[place] == rows[0][place] for row in rows)
    }


def check_sources(cell: Any) -> None:
    """Refuse rules and policies of a cell that cannot be compiled, without compiling them.

    Raises
    ------
    Refused
        With file, line and what to write instead.
    """
    form = form_of(cell)
    form.lowered("matches")
    for seat in seat_policies(cell, 0):
        for policy in (seat, seat.rollout):
            if policy is not None and policy.function is not None:
                form.lowered("policy", policy)


def printed_module(cell: Any) -> str:
    """Return the module that plays a cell's matches, as Numba is given it."""
    form = form_of(cell)
    title = f"{form.program.game.title}: its matches"
    return Writer(form.lowered("matches"), title).text


def option_row(
    cell: Any, rotation: int, form: Form, low: Lowering, address: Callable[[SeatPolicy], int]
) -> Array:
    """Return the numbers that compiled code reads: options, policies and parameters by seat."""
    row = low.option_row(form.options)
    places = {name: at for name, (at, _) in low.options.places.items()}
    row[places["players"]] = cell.players
    row[places["lowest_wins"]] = cell.game.best_score_under(cell.options) == "lowest"
    seats = seat_policies(cell, rotation)
    remembers = any(not policy.is_random for policy in seats)
    room = low.state["memory_"][0]
    row[places["cleared"]] = room + (cell.players * MEMORY_WORDS if remembers else 0)
    for seat, policy in enumerate(seats):
        row[places["policy"] + seat] = address(policy)
        at = places["params"] + seat * MAX_PARAMS
        values = [*policy.values.values()]
        if policy.rollout is not None:
            row[places["rollout"] + seat] = address(policy.rollout)
            row[places["rollout_at"] + seat] = at + len(values)
            values += policy.rollout.values.values()
        row[at : at + len(values)] = np.array(values, np.float64).view(np.int64)
    return row


class Player:
    """Plays pieces of a block of a cell, one match after another.

    Attributes
    ----------
    rows : int64[…]
        The state of the match under way, and what a search needs behind it.
    """

    def __init__(self, cell: Any, rotation: int) -> None:
        self.cell, self.rotation = cell, rotation
        form = form_of(cell)
        self.kernel = form.unit("matches")
        low = self.kernel.low
        self.options = option_row(cell, rotation, form, low, form.address)
        searches = [policy for policy in seat_policies(cell, 0) if policy.rollout is not None]
        rollouts = [int(policy.values["rollouts"]) for policy in searches]
        self.rows = _aligned(room_for(low, max(rollouts)) if rollouts else low.state.size)

    def play(self, first: int, count: int, columns: Columns, row: int) -> int:
        """Play matches; return how many were played before an illegal move."""
        places = (column.ctypes.data for column in columns)
        addresses = self.rows.ctypes.data, self.options.ctypes.data
        total = len(columns[0])
        played: int = self.kernel.call(
            *addresses, self.cell.seed, first, count, *places, total, row
        )
        return played


def _aligned(count: int) -> Array:
    """Return zeros whose first stands at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    start = (-raw.ctypes.data // 8) % 8
    return raw[start : start + count]


# ------------------------------------------------------------------------- the search in plain play


def searched(cell: Any, rotation: int, plain: Any, s: Any) -> int:
    """Return the search's move at a position of plain play."""
    form, player = form_of(cell), Player(cell, rotation)
    rows, options = player.rows, player.options
    rollout = seat_policies(cell, rotation)[s.seat].rollout
    assert rollout is not None
    low = player.kernel.low if rollout.is_random else form.unit("policy", rollout).low
    for name, values in _numbers_of(low, plain, s).items():
        for place, value in zip(
            _places(low, name, len(values), plain.players), values, strict=True
        ):
            rows[place] = signed(value)
    search = form.unit("search")
    at = low.options["params"][0] + s.seat * MAX_PARAMS
    moves = [0] * (len(search.low.done["entry"].params) - 3)
    choice = int(search.call(rows.ctypes.data, options.ctypes.data, s.seat, s.phase, at, *moves))
    stream = plain.words.stream(s, ("SEAT", s.seat))
    for word in (0, 1):
        stream[word] = int(rows[low.state[f"seat{word}"][0] + s.seat]) & MASK
    for name, declared in low.fields.items():
        if declared.sees == "memory" and not low.program.is_set(declared.kind):
            many = max(declared.many, 1)
            places = _places(low, name, many * plain.players, plain.players)[s.seat * many :]
            values = [int(rows[place]) for place in places[:many]]
            holder = s.__dict__[name]
            if declared.many:
                for k, value in enumerate(values):
                    holder[s.seat][k] = value
            else:
                holder[s.seat] = values[0]
    return choice


def _numbers_of(low: Lowering, plain: Any, s: Any) -> dict[str, list[int]]:
    """Return the numbers of a position by the names that compiled code has for them."""
    numbers = {"seed": [plain.words.seed]}
    for family in ("DEAL", "CHANCE", "MATCH", "SEAT"):
        seats = range(plain.players if family in PER_SEAT_STREAMS else 1)
        streams = [plain.words.stream(s, (family, seat)) for seat in seats]
        for word in (0, 1):
            numbers[f"{family.lower()}{word}"] = [stream[word] for stream in streams]
    for name, declared in low.fields.items():
        flat = _flat(s.__dict__[name])
        is_set = low.program.is_set(declared.kind)
        for word, field_name in enumerate(low.field_names(name)):
            numbers[field_name] = [v.word >> 64 * word for v in flat] if is_set else flat
        if is_ordered(declared.kind):
            numbers |= numbers_of_piles(low.program, name, flat)
    return numbers | {f"count_{name}": [count] for name, count in s.count.numbers.items()}


def _places(low: Lowering, name: str, count: int, players: int) -> list[int]:
    """Return the places of a field's numbers, in all seats."""
    at, size = low.state[name]
    if any(name in low.field_names(field) for field in low.memory):
        many = count // players
        return [at + seat * MEMORY_WORDS + k for seat in range(players) for k in range(many)]
    assert count <= size, name
    return [at + place for place in range(count)]


def _flat(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [number for part in value for number in _flat(part)]
    return [value]
