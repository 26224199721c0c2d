"""Play blocks of matches by compiled code: a cell as addresses, options and columns.

What plays a game is compiled once, whatever the number of players, and so is each policy and the
search. Each is a unit with one function `entry`, which is called by its address. So a cell is a row
of numbers: its options, and for each seat the address of its policy with the values of its
parameters. Most matches are played by the rules as they are: where the options that a unit reads
have their usual values, these are constants of its code.
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
from simcore.compiler.lookahead import SearchRounds, room_for
from simcore.compiler.program import Program, program_of
from simcore.compiler.rounds import Rounds, add_policy
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.state_layout import MEMORY_WORDS, OF_A_CELL, Layout
from simcore.compiler.units import Unit
from simcore.records import COMMON_COUNTS, MAX_PARAMS

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


class Code(NamedTuple):
    """Compiled code with one function that is called by its address."""

    layout: Layout
    address: int
    call: Callable[..., int]


_units: dict[Any, Unit] = {}
_code: dict[Any, Code] = {}


@dataclass(frozen=True)
class Form:
    """A game with options that look alike: for these everything is compiled once.

    Attributes
    ----------
    program : Program
    options : dict
        As `Program.option_values` gives them.
    layout : Layout
        Without the memory of policies.
    """

    program: Program
    options: Mapping[str, Any]
    layout: Layout

    def key(self, kind: str, policy: SeatPolicy | None) -> tuple[Any, ...]:
        """Return a cache key: everything that affects the functions of a unit."""
        game = self.program.game
        identity = policy.identity if policy else ()
        return game.name, game.digest, self.layout.key, kind, *identity

    def unit(self, kind: str, policy: SeatPolicy | None = None) -> Unit:
        """Rewrite the "matches", the "search" or a "policy"; refuse what is not in the language."""
        key = self.key(kind, policy)
        if key not in _units:
            layout = self.layout
            if policy is not None:
                layout = Layout(self.program, self.options, policy.memory(self.program))
            checked = policy.is_foreign if policy else bool(self.program.game.digest)
            unit = Unit(layout, checked=checked)
            if policy is not None:
                add_policy(unit, policy)
            elif kind == "search":
                SearchRounds(unit).search()
            else:
                Rounds(unit).play_blocks()
            _units[key] = unit
        return _units[key]

    def fixed(self, unit: Unit) -> dict[str, Any]:
        """Return the options that a unit reads, if all of them have their usual values."""
        usual = {
            name: value
            for name, value in usual_values(self.program).items()
            if name in unit.options_read
        }
        is_usual = all(self.options.get(name) == value for name, value in usual.items())
        return usual if is_usual else {}

    def text(self, kind: str, policy: SeatPolicy | None = None) -> str:
        """Return a unit as the module that Numba is given."""
        unit = self.unit(kind, policy)
        return unit.text(self.title(kind, policy), self.fixed(unit))

    def title(self, kind: str, policy: SeatPolicy | None) -> str:
        what = f"the policy {policy.name if policy else 'search'}"
        return f"{self.program.game.title}: {'its matches' if kind == 'matches' else what}"

    def code(self, kind: str, policy: SeatPolicy | None = None) -> Code:
        """Compile one of these, or load it from the disk.

        Raises
        ------
        Refused
            If Numba finds that kinds do not fit, in users' code.
        """
        unit = self.unit(kind, policy)
        key = self.key(kind, policy), tuple(self.fixed(unit).items())
        if key not in _code:
            game = re.sub(r"\W+", "-", Path(self.program.game.name).stem)
            text = self.text(kind, policy)
            try:
                address = machine.address_of(text, f"{game[:40]}-{kind}", self.title(kind, policy))
            except machine.NotCompiled as stopped:
                raise unit.refused(text, stopped) from None
            count = len(unit.functions["entry"].args.args)
            _code[key] = Code(unit.layout, address, machine.function_at(address, count))
        return _code[key]

    def address(self, policy: SeatPolicy) -> int:
        """Return the address of a policy, 0 for uniform random play."""
        if policy.is_random:
            return 0
        if policy.rollout is not None:
            return self.code("search").address
        return self.code("policy", policy).address


def form_of(cell: Any) -> Form:
    """Return a cell's game with options of this form."""
    program = program_of(cell.game)
    options = program.option_values(cell.options)
    return Form(program, options, Layout(program, options))


@cache
def usual_values(program: Program) -> Mapping[str, Any]:
    """Return the options that are single numbers, the same by default for all tables."""
    tables = [
        program.option_values(program.game.resolve({"players": players}))
        for players in program.seating.tables
    ]
    return {
        name: value
        for name, value in tables[0].items()
        if name not in OF_A_CELL
        and not isinstance(value, list | frozenset)
        and all(table.get(name) == value for table in tables)
    }


def check_sources(cell: Any) -> None:
    """Refuse rules and policies of a cell that are not in the language, without compiling them.

    Raises
    ------
    Refused
        With file, line and what to write instead.
    """
    form = form_of(cell)
    form.unit("matches")
    for seat in seat_policies(cell, 0):
        for policy in (seat, seat.rollout):
            if policy is not None and policy.function is not None:
                form.unit("policy", policy)


def printed_module(cell: Any) -> str:
    """Return the module that plays a cell's matches, as Numba is given it."""
    return form_of(cell).text("matches")


def option_row(cell: Any, rotation: int, form: Form, address: Callable[[SeatPolicy], int]) -> Array:
    """Return the numbers that compiled code reads: options, policies and parameters by seat."""
    layout = form.layout
    row = layout.option_row(form.options)
    places = {name: place[0] for name, place in layout.options.items()}
    row[places["players"]] = cell.players
    row[places["lowest_wins"]] = cell.game.best_score_under(cell.options) == "lowest"
    seats = seat_policies(cell, rotation)
    remembers = any(not policy.is_random for policy in seats)
    row[places["_cleared"]] = layout.room + (cell.players * MEMORY_WORDS if remembers else 0)
    for seat, policy in enumerate(seats):
        row[places["_policy"] + seat] = address(policy)
        at = seat * MAX_PARAMS
        values = [*policy.values.values()]
        if policy.rollout is not None:
            row[places["_rollout"] + seat] = address(policy.rollout)
            row[places["_rollout_at"] + seat] = at + len(values)
            values += policy.rollout.values.values()
        at += places["_params"]
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
        self.kernel = form.code("matches")
        self.options = option_row(cell, rotation, form, form.address)
        searches = [policy for policy in seat_policies(cell, 0) if policy.rollout is not None]
        deals = [int(policy.values["rollouts"]) for policy in searches]
        layout = form.layout
        self.rows = _aligned(room_for(layout, max(deals)) if deals else layout.size)

    def play(self, first: int, count: int, columns: Columns, row: int) -> int:
        """Play matches; return how many were played before an illegal move."""
        places = (column.ctypes.data for column in columns)
        addresses = self.rows.ctypes.data, self.options.ctypes.data
        total = len(columns[0])
        played = self.kernel.call(*addresses, self.cell.seed, first, count, *places, total, row)
        return played


def _aligned(count: int) -> Array:
    """Return zeros whose first stands at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    start = (-raw.ctypes.data // 8) % 8
    return raw[start : start + count]
