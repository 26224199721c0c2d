"""Play blocks of matches: compiled kernel, policy addresses and option row of a cell.

What plays a game is made once (`driver.Unit`), whatever the number of players, and so is each
policy: once for the rules as they are, and once for all others (`form_of`); a cell is a row of
numbers: its options, and for each seat the address of its policy with the values of its parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from simcore.compiler.driver import Unit, add_blocks, aligned
from simcore.compiler.engine import Engine, add_policy
from simcore.compiler.layout import MEMORY_WORDS, PER_SEAT_STREAMS, signed
from simcore.compiler.module import Writer
from simcore.compiler.piles import is_ordered, numbers_of_piles
from simcore.compiler.program import Program, program_of
from simcore.compiler.search import add_search, room_for
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.translate import Lowering
from simcore.records import MAX_PARAMS

MASK = (1 << 64) - 1


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

_units: dict[Any, Unit] = {}
_lowered: dict[Any, Lowering] = {}


@dataclass(frozen=True)
class _Form:
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

    @property
    def has_user_rules(self) -> bool:
        """Whether a user wrote the game's rules."""
        return bool(self.program.game.digest)

    def unit(self, kind: str, low: Lowering, what: str, *more: Any) -> Unit:
        key = (*self.key, kind, *more)
        if key not in _units:
            game = re.sub(r"\W+", "-", Path(self.program.game.name).stem)
            title = f"{game[:40]}-{kind}"
            what = f"{self.program.game.title}: {what}"
            _units[key] = Unit(low, title, what)
        return _units[key]

    def low(
        self, kind: str, fill: Callable[[Lowering], None], one: SeatPolicy | None = None
    ) -> Lowering:
        """Translate the functions of a unit; refuse what cannot be compiled."""
        key = (*self.key, kind, *(one.identity if one else ()))
        if key not in _lowered:
            memory = one.memory(self.program) if one else {}
            checked = one.is_foreign if one else self.has_user_rules
            low = Lowering(self.program, self.options, memory, self.fixed, checked=checked)
            fill(low)
            _lowered[key] = low
        return _lowered[key]

    def low_kernel(self) -> Lowering:
        """Translate the game's matches."""

        def fill(low: Lowering) -> None:
            Engine(low).play(asks=True)
            add_blocks(low)

        return self.low("matches", fill)

    def low_policy(self, one: SeatPolicy) -> Lowering:
        """Translate a policy."""
        return self.low("policy", lambda low: add_policy(low, one), one)

    def kernel(self) -> Unit:
        """Return the unit that plays matches."""
        return self.unit("matches", self.low_kernel(), "its matches")

    def policy(self, one: SeatPolicy) -> Unit:
        """Return the unit of a policy."""
        if one.rollout is not None:
            return self.search()
        low, what = self.low_policy(one), f"the policy {one.name}"
        return self.unit("policy", low, what, *one.identity)

    def search(self) -> Unit:
        """Return the unit of the search."""
        return self.unit("search", self.low("search", add_search), "the policy search")

    def address(self, one: SeatPolicy) -> int:
        """Return the address of a policy, 0 for uniform random play."""
        return 0 if one.is_random else self.policy(one).address


def form_of(cell: Any) -> _Form:
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
    return _Form(program, options, key, fixed if is_usual else {})


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
            own = [one for name, one in layout if name not in OF_A_TABLE]
            places = [place for at, count in own for place in range(at, at + count)]
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
    form.low_kernel()
    for one in seat_policies(cell, 0):
        for asked in (one, one.rollout):
            if asked is not None and asked.function is not None:
                form.low_policy(asked)


def printed_module(cell: Any) -> str:
    """Return the module that plays a cell's matches, as Numba is given it."""
    form = form_of(cell)
    title = f"{form.program.game.title}: its matches"
    return Writer(form.low_kernel(), title).text


def option_row(cell: Any, rotation: int, form: _Form) -> np.ndarray:
    """Return the numbers that compiled code reads: options, policies and parameters by seat."""
    low = form.kernel().low
    row = low.option_row(form.options)
    places = {name: at for name, (at, _) in low.options.places.items()}
    row[places["players"]] = cell.players
    row[places["lowest_wins"]] = cell.game.best_score_under(cell.options) == "lowest"
    seats = seat_policies(cell, rotation)
    room = low.state["memory_"][0]
    remembers = any(not one.is_random for one in seats)
    row[places["cleared"]] = room + (cell.players * MEMORY_WORDS if remembers else 0)
    for seat, one in enumerate(seats):
        row[places["policy"] + seat] = form.address(one)
        at = places["params"] + seat * MAX_PARAMS
        more: Mapping[str, float] = {}
        if one.rollout is not None:
            more = one.rollout.values
            row[places["rollout"] + seat] = form.address(one.rollout)
            row[places["rollout_at"] + seat] = at + len(one.values)
        values = np.array([*one.values.values(), *more.values()], np.float64).view(np.int64)
        row[at : at + len(values)] = values
    return row


def room_of(cell: Any, form: _Form) -> np.ndarray:
    """Return zeros for the state of a match and for what a search needs."""
    low = form.kernel().low
    rollouts = [
        int(one.values["rollouts"]) for one in seat_policies(cell, 0) if one.rollout is not None
    ]
    return aligned(room_for(low, max(rollouts)) if rollouts else low.state.size)


def searched(cell: Any, rotation: int, plain: Any, s: Any) -> int:
    """Return the search's move at a position of plain play."""
    form = form_of(cell)
    rows, options = room_of(cell, form), option_row(cell, rotation, form)
    one = seat_policies(cell, rotation)[s.seat]
    assert one.rollout is not None
    low = form.policy(one.rollout).low if not one.rollout.is_random else form.kernel().low
    layout = low.state
    numbers = {**_stream_words(plain, s), "seed": [plain.words.seed]}
    for name, declared in low.fields.items():
        flat = _flat(s.__dict__[name])
        for word, field_name in enumerate(low.field_names(name)):
            is_set = low.program.is_set(declared.kind)
            numbers[field_name] = [signed(v.word >> 64 * word) for v in flat] if is_set else flat
        if is_ordered(declared.kind):
            numbers |= numbers_of_piles(low.program, name, flat)
    for name, count in s.count.numbers.items():
        numbers[f"count_{name}"] = [count]
    for name, values in numbers.items():
        for place, value in zip(
            _places(low, name, len(values), plain.players), values, strict=True
        ):
            rows[place] = signed(value)
    search = form.search()
    at = low.options["params"][0] + s.seat * MAX_PARAMS
    given = [0] * (len(search.low.done["entry"].params) - 3)
    choice = int(search.call(rows.ctypes.data, options.ctypes.data, s.seat, s.phase, at, *given))
    stream = plain.words.stream(s, ("SEAT", s.seat))
    for word in (0, 1):
        stream[word] = int(rows[layout[f"seat{word}"][0] + s.seat]) & MASK
    for name, declared in low.fields.items():
        if declared.sees == "memory" and not low.program.is_set(declared.kind):
            many = max(declared.many, 1)
            count = many * plain.players
            every = _places(low, name, count, plain.players)
            read = [int(rows[at]) for at in every[s.seat * many : (s.seat + 1) * many]]
            holder = s.__dict__[name]
            if declared.many:
                for k, value in enumerate(read):
                    holder[s.seat][k] = value
            else:
                holder[s.seat] = read[0]
    return choice


def _places(low: Lowering, name: str, count: int, players: int) -> list[int]:
    """Return the places of a field's numbers, in all seats."""
    at, size = low.state[name]
    if any(name in low.field_names(one) for one in low.memory):
        many = count // players
        return [at + seat * MEMORY_WORDS + k for seat in range(players) for k in range(many)]
    assert count <= size, name
    return [at + place for place in range(count)]


def _flat(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [one for each in value for one in _flat(each)]
    return [value]


def _stream_words(plain: Any, s: Any) -> dict[str, list[int]]:
    """Return the words of all streams of a position, opened where they were not yet."""
    numbers: dict[str, list[int]] = {}
    for family in ("DEAL", "CHANCE", "MATCH", "SEAT"):
        per_seat = family in PER_SEAT_STREAMS
        each = [
            plain.words.stream(s, (family, seat))
            if per_seat
            else plain.words.stream(s, (family, 0))
            for seat in range(plain.players if per_seat else 1)
        ]
        for word in (0, 1):
            numbers[f"{family.lower()}{word}"] = [stream[word] for stream in each]
    return numbers


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
        self.kernel = form.kernel()
        self.options = option_row(cell, rotation, form)
        self.rows = room_of(cell, form)

    def play(self, first: int, count: int, out: Sequence[np.ndarray], row: int) -> int:
        """Play matches; return how many were played before an illegal move."""
        total = out[0].shape[0]
        places = (one.ctypes.data for one in out)
        addresses = self.rows.ctypes.data, self.options.ctypes.data
        done: int = self.kernel.call(*addresses, self.cell.seed, first, count, *places, total, row)
        return done
