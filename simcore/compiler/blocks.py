"""Blocks of matches of a cell: which kernel plays them, and with which numbers.

A kernel is made for a game, the form of its options, and the policies at the table; all line-ups of
these policies, and all values of options and parameters, share it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore import compiling
from simcore.compiler.driver import ONE, STEP, Kernel
from simcore.compiler.engine import Chooser, Engine
from simcore.compiler.lower import PER_SEAT_STREAMS, Lowering, signed
from simcore.compiler.program import Program, Refused, Routine, program_of
from simcore.compiler.search import COLUMNS
from simcore.game import COUPLINGS
from simcore.jit import HAS_AVX512, is_own
from simcore.records import MAX_PARAMS

MASK = (1 << 64) - 1


@dataclass(frozen=True)
class Asked:
    """Who is asked at a seat: a policy's functions with parameter values.

    Attributes
    ----------
    name : str
        Of the policy.
    function : callable or None
        Of the state, the seat, the moves and parameters by name; None: uniform random play.
    answers : dict of callables
        Functions for single decisions, by the decision's name.
    values : dict of float
        The parameters.
    rollout : Asked or None
        Of a search: who plays rounds out.
    """

    name: str
    function: Callable[..., Any] | None = None
    answers: Mapping[str, Callable[..., Any]] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)
    rollout: Asked | None = None

    def function_for(self, decision: str) -> Callable[..., Any] | None:
        """Return the function that is asked for a decision."""
        return self.answers.get(decision, self.function)

    @property
    def is_random(self) -> bool:
        """Whether it is uniform random play."""
        return self.function is None and self.rollout is None

    @property
    def identity(self) -> tuple[Any, ...]:
        """What decides its code."""
        rollout = self.rollout.identity if self.rollout is not None else None
        answers = tuple(sorted(self.answers.items()))
        return self.name, self.function, answers, tuple(self.values), rollout

    @property
    def is_foreign(self) -> bool:
        """Whether a function is a user's."""
        every = [self.function, *self.answers.values()]
        if self.rollout is not None and self.rollout.is_foreign:
            return True
        return any(one is not None and not is_own(one) for one in every)


def asked_at(cell: Any, rotation: int) -> tuple[Asked, ...]:
    """Return who is asked at each seat of a cell."""
    return tuple(player.asked(cell.options) for player in cell.rotated(rotation))


def is_foreign(cell: Any) -> bool:
    """Tell whether a user's function plays at a table, or a user's game is played."""
    if cell.game.digest:
        return True
    return any(one.is_foreign for one in asked_at(cell, 0))


def weights_of(program: Program, function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the parameters that a policy's function takes, by name."""
    params = program.routine(function).params
    if params[:3] != ["s", "seat", "moves"]:
        one = program.routine(function)
        raise one.refuse(
            None, f"a policy is a function of s, seat and moves, then of its parameters: {params}"
        )
    return tuple(params[3:])


_kernels: dict[Any, Kernel] = {}


def kernel_of(cell: Any, rotation: int = 0, *, lanes: int = 1, way: str = ONE) -> Kernel:
    """Return the kernel that plays a cell, made once."""
    program = program_of(cell.game)
    options = program.option_values(cell.options, COUPLINGS.index(cell.coupling))
    seats = asked_at(cell, rotation)
    for one in seats:
        program.remember(one)
    policies = {one.name: one for one in sorted(seats, key=lambda one: one.name)}
    with_random = any(one.is_random for one in seats)
    if any(one.rollout is not None for one in seats):
        lanes, way = COLUMNS, ONE
    shapes = tuple(
        (name, _shape(value), int(value) if name == "places" else 0)
        for name, value in options.items()
    )
    policies = {name: one for name, one in policies.items() if not one.is_random}
    functions = tuple(one.identity for one in policies.values())
    key = (
        cell.game.name,
        cell.game.digest,
        cell.players,
        shapes,
        functions,
        with_random,
        lanes,
        way,
    )
    if key not in _kernels:
        compiling.about(cell.game.title)
        low = Lowering(program, cell.players, options)
        choosers = [
            chooser(program, number, one) for number, one in enumerate(policies.values(), 1)
        ]
        Engine(low, choosers, with_random)
        kernel = Kernel(low, lanes, way)
        kernel.numbers = {name: number for number, name in enumerate(policies, 1)}
        _kernels[key] = kernel
    return _kernels[key]


def chooser(program: Program, number: int, one: Asked) -> Chooser:
    """Return a policy as kernels know it."""
    if one.rollout is not None:
        plays = one.rollout.function is not None
        rollout = chooser(program, 0, one.rollout) if plays else None
        return Chooser(number, {}, (rollout, len(one.values)))
    routines: dict[str, tuple[Routine, tuple[int, ...]]] = {}
    names = list(one.values)
    for decision in program.decisions:
        function = one.function_for(decision)
        assert function is not None
        routine = program.routine(function)
        weights = weights_of(program, function)
        for weight in weights:
            if weight not in names:
                raise routine.refuse(
                    None, f"no parameter `{weight}`; policy {one.name!r} has {', '.join(names)}"
                )
        routines[decision] = routine, tuple(names.index(weight) for weight in weights)
    return Chooser(number, routines)


def _shape(value: Any) -> Any:
    if isinstance(value, frozenset):
        return "set"
    if isinstance(value, list):
        return (
            len(value),
            max((len(v) for v in value if isinstance(v, list)), default=0),
            "f" if _real(value) else "i",
        )
    return "f" if isinstance(value, float) else "i"


def _real(value: Any) -> bool:
    return any(_real(v) for v in value) if isinstance(value, list) else isinstance(value, float)


def option_row(cell: Any, rotation: int, kernel: Kernel) -> np.ndarray:
    """Return the numbers that a kernel reads: options, policies and parameters by seat."""
    program, low = kernel.low.program, kernel.low
    row = low.option_row(program.option_values(cell.options, COUPLINGS.index(cell.coupling)))
    row[low.options["players"][0]] = cell.players
    lowest = cell.game.best_score_under(cell.options) == "lowest"
    row[low.options["lowest_wins"][0]] = lowest
    for seat, one in enumerate(asked_at(cell, rotation)):
        number = 0 if one.is_random else kernel.numbers[one.name]
        row[low.options["policy"][0] + seat] = number
        more = one.rollout.values if one.rollout is not None else {}
        values = np.array([*one.values.values(), *more.values()], np.float64).view(np.int64)
        at = low.options["params"][0] + seat * MAX_PARAMS
        row[at : at + len(values)] = values
    return row


def searched(cell: Any, rotation: int, plain: Any, s: Any) -> int:
    """Return what a search chooses at a position that is played as ordinary Python."""
    kernel = kernel_of(cell, rotation)
    rows, options = kernel.rows(), option_row(cell, rotation, kernel)
    layout = kernel.low.state
    numbers = {**_stream_words(kernel, plain, s), "seed": [plain.seed]}
    for name, declared in kernel.low.program.fields.items():
        flat = _flat(s.__dict__[name])
        for word, field_name in enumerate(kernel.low.field_names(name)):
            is_set = kernel.low.program.is_set(declared.kind)
            numbers[field_name] = [signed(v.word >> 64 * word) for v in flat] if is_set else flat
    for name, count in s.count.numbers.items():
        numbers[f"count_{name}"] = [count]
    for name, values in numbers.items():
        at, count = layout[name]
        for place, value in enumerate(values[:count]):
            rows[(at + place) * kernel.lanes] = signed(value)
    choice = int(kernel.ask(rows.ctypes.data, options.ctypes.data))
    stream = plain.stream(s, ("SEAT", s.seat))
    for word in (0, 1):
        at = layout[f"seat{word}"][0] + s.seat
        stream[word] = int(rows[at * kernel.lanes]) & MASK
    for name, declared in kernel.low.program.fields.items():
        if declared.sees == "memory" and not kernel.low.program.is_set(declared.kind):
            at = layout[name][0]
            many = max(declared.many, 1)
            read = [int(rows[(at + s.seat * many + k) * kernel.lanes]) for k in range(many)]
            holder = s.__dict__[name]
            if declared.many:
                for k, value in enumerate(read):
                    holder[s.seat][k] = value
            else:
                holder[s.seat] = read[0]
    return choice


def _flat(value: Any) -> list[Any]:
    if isinstance(value, list):
        return [one for each in value for one in _flat(each)]
    return [value]


def _stream_words(kernel: Kernel, plain: Any, s: Any) -> dict[str, list[int]]:
    """Return the words of all streams of a position, opened where they were not yet."""
    numbers: dict[str, list[int]] = {}
    for family in kernel.low.streams - {"ASIDE"}:
        low = family.lower()
        per_seat = family in PER_SEAT_STREAMS
        each = [
            plain.stream(s, (family, seat)) if per_seat else plain.stream(s, (family, 0))
            for seat in range(plain.players if per_seat else 1)
            if family != "ORDER" or (family, seat) in s.streams
        ]
        for word in (0, 1):
            numbers[f"{low}{word}"] = [stream[word] for stream in each]
    return numbers


LANES = 16


def way_of(cell: Any, lanes: bool) -> tuple[int, str]:
    """Return how many lanes play a cell, and how: where vectors have eight numbers, else one."""
    if lanes and HAS_AVX512:
        return LANES, STEP
    return 1, ONE


class Player:
    """Plays pieces of a block of a cell.

    Attributes
    ----------
    kernel : Kernel
    rows : int64[…]
        The state of the matches under way.
    """

    def __init__(self, cell: Any, rotation: int, *, lanes: bool) -> None:
        count, way = way_of(cell, lanes)
        self.cell, self.rotation = cell, rotation
        self.kernel = kernel_of(cell, rotation, lanes=count, way=way)
        self.options = option_row(cell, rotation, self.kernel)
        self.rows = self.kernel.rows()

    def play(self, first: int, count: int, out: Sequence[Any], row: int) -> int:
        """Play matches; return how many were played before an illegal move.

        Not in their order where several are played side by side: then any number below `count`.
        """
        done: int = self.kernel.play(
            self.rows.ctypes.data,
            self.options.ctypes.data,
            self.cell.seed,
            first,
            count,
            *out,
            row,
        )
        if done < count and self.kernel.way != ONE:
            single = Player(self.cell, self.rotation, lanes=False)
            return single.play(first, count, out, row)
        return done


__all__ = ["Asked", "Player", "Refused", "asked_at", "is_foreign", "kernel_of", "option_row"]
