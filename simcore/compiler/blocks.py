"""Play blocks of matches by compiled code: a cell as addresses, options and columns.

What plays a game is compiled once, whatever the number of players, and so is each policy and the
search. Each is a unit with one function `entry`, which is called by its address. So a cell is a row
of numbers: its options, and for each seat the address of its policy with the values of its
parameters. Most matches are played by the rules as they are: where all options have their usual
values, these are constants of the code of matches.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from simcore.compiler import machine
from simcore.compiler.machine import Wanted
from simcore.compiler.networks import HEAD, MOVE_HEAD, RESULTS
from simcore.compiler.program import Program, program_of
from simcore.compiler.seat_policy import SeatPolicy, seat_policies
from simcore.compiler.state_layout import OF_A_CELL, Layout, memory_for
from simcore.jit import source_hash
from simcore.records import COMMON_COUNTS, MAX_PARAMS

if TYPE_CHECKING:
    from simcore.compiler.units import Unit

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


_units: dict[Any, Unit] = {}
_addresses: dict[Any, int] = {}

OF_MATCHES = 7 + len(Columns._fields)
"""Numbers that the code of matches is called with: `Player.play`."""

OF_RECORDS = 12
"""Numbers that the code of records is called with: `Recorder.play`."""


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
    general : bool
        Whether code for any options plays it, be they the usual ones.
    """

    program: Program
    options: Mapping[str, Any]
    layout: Layout
    general: bool = False

    @property
    def shape(self) -> tuple[Any, ...]:
        """Cache key: the game, and what its rows look like."""
        return self.program.game.name, self.program.game.digest, self.layout.key

    def unit(self, kind: str, policy: SeatPolicy | None = None) -> Unit:
        """Rewrite the "matches", the "search", a "policy", or the "record" for a learned one.

        Raises
        ------
        Refused
            For what is not in the language.
        """
        from simcore.compiler.learned import RecordRounds, add_network
        from simcore.compiler.lookahead import SearchRounds
        from simcore.compiler.rounds import Rounds, add_policy
        from simcore.compiler.units import Unit

        key = (*self.shape, kind, *(policy.identity if policy else ()))
        if key not in _units:
            layout = self.layout
            if policy is not None:
                memory, room = policy.memory(self.program), layout.memory_words
                layout = Layout(self.program, self.options, memory, room)
            checked = bool(self.program.game.digest)
            if policy is not None and (kind == "policy" or not checked):
                checked = policy.is_foreign
            unit = Unit(layout, checked=checked)
            if policy is not None and policy.network is not None:
                if kind == "record":
                    RecordRounds(unit).record(policy.network)
                else:
                    add_network(unit, policy)
            elif policy is not None:
                add_policy(unit, policy)
            elif kind == "search":
                SearchRounds(unit).search()
            else:
                Rounds(unit).play_blocks()
            _units[key] = unit
        return _units[key]

    @property
    def is_usual(self) -> bool:
        """Whether all options that are single numbers have their usual values."""
        usual = usual_values(self.program)
        return all(self.options.get(name) == value for name, value in usual.items())

    def fixed(self, kind: str) -> Mapping[str, Any]:
        """Return the options whose values are constants of the code: those of usual matches.

        The search is the same code for all options, and so is everything in a study where some
        cell has unusual ones (`Cell.general`): it is compiled once. Elsewhere the constants are
        worth up to a quarter of the time in policies, as in those of Up or down?
        """
        if kind == "search" or self.general or not self.is_usual:
            return {}
        return usual_values(self.program)

    def text(self, kind: str, policy: SeatPolicy | None = None) -> str:
        """Return a unit as the module that Numba is given."""
        unit = self.unit(kind, policy)
        return unit.text(self.title(kind, policy), dict(self.fixed(kind)))

    def title(self, kind: str, policy: SeatPolicy | None) -> str:
        what = f"the policy {policy.name if policy else 'search'}"
        return f"{self.program.game.title}: {'its matches' if kind == 'matches' else what}"

    def wanted(self, kind: str, policy: SeatPolicy | None = None) -> Wanted:
        """Return a unit as `machine` compiles or loads it.

        It is named by what goes into it: the sources of cardlab and of users' files. Only where a
        function comes from no file that was loaded, the unit's text is made to name it.
        """
        game = self.program.game
        stem = re.sub(r"\W+", "-", Path(game.name).stem)[:40]
        origin = policy.origin(self.program) if policy else ""
        if origin is None:
            key = self.text(kind, policy)
        else:
            parts = (source_hash(), *self.shape, kind, origin, sorted(self.fixed(kind).items()))
            key = "\n".join(map(repr, parts))
        text, title = partial(self.text, kind, policy), self.title(kind, policy)
        return Wanted(key, text, self.shape, f"{stem}-{kind}", title)

    def code(self, kind: str, policy: SeatPolicy | None = None) -> int:
        """Compile one of these, or load it from the disk; return its address.

        Raises
        ------
        Refused
            If Numba finds that kinds do not fit, in users' code.
        """
        identity = policy.identity if policy else ()
        key = (*self.shape, kind, *identity, bool(self.fixed(kind)))
        if key not in _addresses:
            wanted = self.wanted(kind, policy)
            try:
                _addresses[key] = machine.address_of(wanted)
            except machine.NotCompiled as stopped:
                raise self.unit(kind, policy).refused(wanted.text(), stopped) from None
        return _addresses[key]

    def address(self, policy: SeatPolicy) -> int:
        """Return the address of a policy, 0 for uniform random play."""
        if policy.is_random:
            return 0
        if policy.rollout is not None:
            return self.code("search")
        return self.code("policy", policy)

    def needed(self, policies: Iterable[SeatPolicy]) -> Iterator[Wanted]:
        """Yield all units of a cell with these policies."""
        yield self.wanted("matches")
        for seat in policies:
            if seat.rollout is not None:
                yield self.wanted("search")
            for policy in seat.asked:
                if policy.function is not None or policy.network is not None:
                    yield self.wanted("policy", policy)


def compile_together(cells: Iterable[Any]) -> None:
    """Compile what several cells need, in as many processes as there are cores.

    Raises
    ------
    Refused
        As `Form.code`, which is called for every unit afterwards.
    """
    pairs = [(cell.form, seat_policies(cell, 0)) for cell in cells]
    # Matches take longest to compile: begun first, so that all processes end together.
    units = [form.wanted("matches") for form, _ in pairs]
    units += (unit for form, policies in pairs for unit in form.needed(policies))
    with suppress(machine.NotCompiled):  # `Form.code` tells it with file and line
        machine.compile_all(units)


def compile_anew(cell: Any) -> None:
    """Compile the matches of a cell, be they kept or not."""
    machine.compile_anew(cell.form.wanted("matches"))


def form_of(cell: Any) -> Form:
    """Return a cell's game with options of this form; a cell keeps it."""
    program = program_of(cell.game)
    options = program.option_values(cell.options)
    layout = Layout(program, options)
    seats = seat_policies(cell, 0)
    played_by = [policy for seat in seats for policy in seat.asked]
    room = memory_for(program, played_by, layout.width)
    if room != layout.memory_words:
        layout = Layout(program, options, None, room)
    return Form(program, options, layout, cell.general)


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
    form = cell.form
    form.unit("matches")
    for seat in seat_policies(cell, 0):
        for policy in seat.asked:
            if policy.function is not None or policy.network is not None:
                form.unit("policy", policy)


def printed_module(cell: Any) -> str:
    """Return the module that plays a cell's matches, as Numba is given it."""
    form: Form = cell.form
    return form.text("matches")


def option_row(
    cell: Any,
    rotation: int,
    form: Form,
    address: Callable[[SeatPolicy], int],
    blocks: dict[int, Array] | None = None,
) -> Array:
    """Return the numbers that compiled code reads: options, policies and parameters by seat.

    The weights of learned policies are copied into `blocks`, as they have scratch numbers in them.
    """
    layout = form.layout
    row = layout.option_row(form.options)
    places = {name: place[0] for name, place in layout.options.items()}
    row[places["players"]] = cell.players
    row[places["lowest_wins"]] = cell.game.best_score_under(cell.options) == "lowest"
    seats = seat_policies(cell, rotation)
    remembers = any(not policy.is_random for policy in seats)
    row[places["_cleared"]] = layout.room + (cell.players * layout.memory_words if remembers else 0)
    for seat, policy in enumerate(seats):
        row[places["_policy"] + seat] = address(policy)
        at = seat * MAX_PARAMS
        values = _parameters(policy, address, {} if blocks is None else blocks)
        if policy.rollout is not None:
            row[places["_rollout"] + seat] = address(policy.rollout)
            row[places["_rollout_at"] + seat] = at + len(policy.values)
        at += places["_params"]
        row[at : at + len(values)] = values
    return row


def _parameters(
    policy: SeatPolicy, address: Callable[[SeatPolicy], int], blocks: dict[int, Array]
) -> Array:
    """Return the parameters of a policy and of those that it asks, as the bits of floats.

    Those of a learned policy are the addresses of its weights and of its base policy.
    """
    own = np.array([*policy.values.values()], np.float64).view(np.int64)
    numbers = [own]
    if policy.network is not None and policy.base is not None:
        block = blocks.setdefault(id(policy.network), policy.network.block.copy())
        numbers.append(np.array([block.ctypes.data, address(policy.base)], np.int64))
    numbers += [_parameters(one, address, blocks) for one in policy.asked[1:2]]
    return np.concatenate(numbers)


class Player:
    """Plays pieces of a block of a cell, one match after another.

    Attributes
    ----------
    rows : int64[…]
        The state of the match under way, and what a search needs behind it.
    """

    def __init__(self, cell: Any, rotation: int) -> None:
        self.cell, self.rotation = cell, rotation
        form = cell.form
        self.kernel = self.kernel_of(form)
        self.blocks: dict[int, Array] = {}
        self.options = option_row(cell, rotation, form, form.address, self.blocks)
        searches = [policy for policy in seat_policies(cell, 0) if policy.rollout is not None]
        deals = [int(policy.values["rollouts"]) for policy in searches]
        layout = form.layout
        size = layout.size
        if deals:
            from simcore.compiler.lookahead import room_for

            size = room_for(layout, max(deals))
        self.rows = _aligned(size + self.room_before(layout))

    def kernel_of(self, form: Form) -> Callable[..., Any]:
        """Return what plays the matches."""
        return machine.function_at(form.code("matches"), OF_MATCHES)

    def room_before(self, layout: Layout) -> int:
        """Return how many numbers stand before the state."""
        del layout
        return 0

    def play(self, first: int, count: int, columns: Columns, row: int) -> int:
        """Play matches; return how many were played before an illegal move."""
        places = (column.ctypes.data for column in columns)
        addresses = self.rows.ctypes.data, self.options.ctypes.data
        total = len(columns[0])
        played: int = self.kernel(*addresses, self.cell.seed, first, count, *places, total, row)
        return played


class Recorder(Player):
    """Plays matches of a cell and records a decision of each: see `networks`.

    Parameters
    ----------
    learner : SeatPolicy
        A learned policy with the features that are recorded.
    seats : iterable of int
        Whose decisions are recorded.
    tries : int
        The most moves that are tried of a decision.

    Attributes
    ----------
    has_left : bool
        Whether the illegal move came after another move than the policy's.
    """

    has_left = False

    def __init__(
        self, cell: Any, rotation: int, learner: SeatPolicy, seats: Iterable[int], tries: int
    ) -> None:
        from simcore.compiler.learned import room_of_features

        self.learner, self.tries = learner, tries
        super().__init__(cell, rotation)
        assert learner.network is not None
        form = cell.form
        words = room_of_features(learner.network, form.layout.width)
        self.of_move = MOVE_HEAD + words[1]
        self.size = RESULTS + words[0] + tries * self.of_move
        self.seats = sum(1 << seat for seat in seats)
        policies = enumerate(seat_policies(cell, rotation))
        self.nets = sum(1 << seat for seat, policy in policies if policy.network is not None)
        names = learner.network.features
        self.decisions = sum(1 << form.program.decisions[name] for name in names)
        self.start = self.rows.ctypes.data + 8 * self.room_before(form.layout)

    def kernel_of(self, form: Form) -> Callable[..., Any]:
        """Return what plays the matches and records decisions."""
        return machine.function_at(form.code("record", self.learner), OF_RECORDS)

    def room_before(self, layout: Layout) -> int:
        """Return how many numbers stand before the state: two earlier ones, and more."""
        return -(-(2 * layout.size + HEAD) // 8) * 8

    def play(self, first: int, count: int, columns: Any, row: int) -> int:
        """Play matches and write their rows; return how many before an illegal move."""
        where = columns.ctypes.data + 8 * self.size * row
        addresses = self.start, self.options.ctypes.data
        what = self.seats, self.nets, self.decisions, self.tries, where, self.size, self.of_move
        played: int = self.kernel(*addresses, self.cell.seed, first, count, *what)
        self.has_left = played < 0
        return -1 - played if self.has_left else played


def _aligned(count: int) -> Array:
    """Return zeros whose first stands at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    start = (-raw.ctypes.data // 8) % 8
    return raw[start : start + count]
