"""Sums by group of deals, computed on a GPU from columns that stay in its memory.

The sums are defined once, by `studies.answers.totals.summed` and the measures. This module runs
those functions twice with `DeviceGroups` in place of `Groups`: first with symbolic columns
(`Traced`), whose operations write the lines of a kernel; then to return the kernel's sums in the
same order. All sums are whole numbers, hence exact in any order and equal to those of the CPU.

Each thread handles a stride of the deals of one group: it sums them locally and adds the result to
the global sums at its end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from typing import Any

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from simcore.gpu.launch import Held, NeedsCpuError, add_up
from simcore.records import COMMON_COUNTS
from studies.answers.totals import GROUPS, Totals, summed
from studies.measures import Block, Measure, Table, credit_tables, derived

Array = np.ndarray[Any, Any]

BINS = 1 << 14
"""The most values of a histogram; blocks with larger values are summed on the CPU."""

MOST_LINES = 4000
"""The most lines of a kernel; larger tasks, such as large tables in all rotations, use the CPU."""

CHUNKS = 256
"""Number of threads that share the deals of a group."""

INT, BOOL, FLOAT = "i", "b", "f"


class Lines(list[str]):
    """The lines of a kernel that handle one deal, and the constant tables that they read."""

    def __init__(self, rotations: int) -> None:
        self.rotations = rotations
        self.tables: dict[tuple[int, ...], str] = {}
        self._names: dict[str, str] = {}

    def named(self, text: str) -> str:
        """Return the variable that holds an expression, which is computed once."""
        if text not in self._names:
            self._names[text] = f"v{len(self._names)}"
            self.append(f"{self._names[text]} = {text}")
        return self._names[text]


class Traced(NDArrayOperatorsMixin):
    """A symbolic array, one number per match (deals, rotations) or per deal (deals,).

    Attributes
    ----------
    names : sequence of str
        The kernel's variables: one per rotation, or one for the deal.
    ndim : int
        2: one number per match; 1: one number per deal; 0: a constant.
    """

    __slots__ = ("kind", "lines", "names", "ndim")

    def __init__(self, lines: Lines, names: Iterable[str], kind: str, ndim: int = 2) -> None:
        self.lines, self.names, self.kind, self.ndim = lines, tuple(names), kind, ndim

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the array it represents."""
        return np.dtype({INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}[self.kind])

    @property
    def numbers(self) -> list[str]:
        """The variables that hold the values as whole numbers."""
        if self.kind != BOOL:
            return [*self.names]
        return [self.lines.named(f"int64(1) if {name} else int64(0)") for name in self.names]

    def astype(self, kind: Any) -> Traced:
        """Return the values as whole numbers."""
        if np.dtype(kind).kind not in "iu" or self.kind == FLOAT:
            raise NeedsCpuError
        return Traced(self.lines, self.numbers, INT, self.ndim)

    def any(self, axis: int) -> Traced:
        """Return whether it holds in any rotation."""
        return self._joined(" or ", axis)

    def all(self, axis: int) -> Traced:
        """Return whether it holds in every rotation."""
        return self._joined(" and ", axis)

    def _joined(self, word: str, axis: int) -> Traced:
        assert axis == 1
        test = word.join(f"{number} != 0" for number in self.numbers)
        return Traced(self.lines, [self.lines.named(test)], BOOL, 1)

    def __getitem__(self, place: Any) -> Traced:
        if place == (slice(None), None) and self.ndim == 1:
            return Traced(self.lines, self.names * self.lines.rotations, self.kind)
        if isinstance(place, tuple) and self.ndim == 2 and place[0] == slice(None):
            return Traced(self.lines, [self.names[int(place[1])]], self.kind, 1)
        raise NeedsCpuError

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **_: Any) -> Traced:
        """Write what NumPy would compute, with a result of NumPy's type."""
        if method != "__call__" or function not in _FORMS:
            raise NeedsCpuError
        lines = self.lines
        parts = [part if isinstance(part, Traced) else _constant(lines, part) for part in given]
        kinds = {part.kind for part in parts}
        is_test, form = function in _TESTS, _FORMS[function]
        kind = FLOAT if FLOAT in kinds else INT if INT in kinds else BOOL
        if kind == FLOAT and function in _OF_BITS:
            raise NeedsCpuError
        if kind == BOOL and not is_test and function not in (np.right_shift, np.bitwise_count):
            if function not in _LOGIC:
                raise NeedsCpuError
            form = _LOGIC[function]
            names = [part.names for part in parts]
        elif kind == FLOAT:
            form = "times({}, {})" if function is np.multiply else form
            names = [tuple(f"real({number})" for number in part.numbers) for part in parts]
        else:
            names = [tuple(part.numbers) for part in parts]
            kind = INT
        ndim = max(part.ndim for part in parts)
        rows = range(lines.rotations if ndim == 2 else 1)
        texts = [form.format(*(of[row % len(of)] for of in names)) for row in rows]
        return Traced(lines, map(lines.named, texts), BOOL if is_test else kind, ndim)

    def __array_function__(self, *_: Any) -> Any:
        raise NeedsCpuError

    def __bool__(self) -> bool:
        raise NeedsCpuError

    __hash__ = None  # type: ignore[assignment]


def _constant(lines: Lines, value: Any) -> Traced:
    number = value.item() if isinstance(value, np.generic) else value
    kind = {bool: BOOL, int: INT, float: FLOAT}.get(type(number))
    if kind is None:
        raise NeedsCpuError
    return Traced(lines, [repr(number)], kind, 0)


_TESTS = (np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal)
_OF_BITS = (np.bitwise_and, np.bitwise_or, np.invert, np.floor_divide, np.right_shift)
"""What floats do not have, or have otherwise."""

_FORMS: dict[Any, str] = {
    np.add: "{} + {}",
    np.subtract: "{} - {}",
    np.multiply: "{} * {}",
    np.floor_divide: "{} // {}",
    np.right_shift: "{} >> {}",
    np.bitwise_and: "{} & {}",
    np.bitwise_or: "{} | {}",
    np.invert: "~{}",
    **dict(
        zip(
            _TESTS,
            ("{} == {}", "{} != {}", "{} < {}", "{} <= {}", "{} > {}", "{} >= {}"),
            strict=True,
        )
    ),
    np.minimum: "lower({}, {})",
    np.maximum: "higher({}, {})",
    np.absolute: "higher({0}, -{0})",
    np.negative: "-{}",
    np.bitwise_count: "popcount({})",
}
"""How the kernel writes NumPy's functions."""

_LOGIC = {
    np.bitwise_and: "{} and {}",
    np.multiply: "{} and {}",
    np.bitwise_or: "{} or {}",
    np.add: "{} or {}",
    np.invert: "not {}",
}
"""How it writes them of Booleans."""


class TracedBlock(Block):
    """A block whose columns are in GPU memory.

    Parameters
    ----------
    which : str
        "a", or "b" for the baseline beside a variant.
    """

    def __init__(self, cell: Table, held: Held, lines: Lines, which: str = "a") -> None:
        from simcore.catalogue import get_game

        self.cell, self.lines = cell, lines
        self.players, self.rotations, self.deals = len(cell.seats), cell.rotations, held.count
        self.first = held.first
        names = (*get_game(cell.game).metric_names, *COMMON_COUNTS)
        places = {
            **{name: (name, "") for name in ("first_seat", "winners", "aborted")},
            **{f"score_{seat}": ("scores", f"{seat}, ") for seat in range(self.players)},
            **{name: ("metrics", f"{place}, ") for place, name in enumerate(names)},
        }
        self.columns: dict[str, Any] = {
            name: f"int64({which}_{array}[{{}}, {place}i])"
            for name, (array, place) in places.items()
        }

    def __getitem__(self, name: str) -> Any:
        texts = [self.columns[name].format(rotation) for rotation in range(self.rotations)]
        if name == "aborted":
            return Traced(self.lines, [self.lines.named(f"{text} != 0") for text in texts], BOOL)
        return Traced(self.lines, map(self.lines.named, texts), INT)

    @cached_property
    def winners(self) -> Any:
        """Bit mask of the winning seats; 0 where nobody wins."""
        return self["winners"]

    @cached_property
    def credit(self) -> list[Any]:
        """Each seat's share of the win."""
        tables, credit = self.lines.tables, []
        for table in credit_tables(self.players):
            name = tables.setdefault(tuple(table.tolist()), f"TABLE_{len(tables)}")
            texts = (f"{name}[{winners}]" for winners in self.winners.names)
            credit.append(Traced(self.lines, map(self.lines.named, texts), INT))
        return credit

    def _shaped(self, values: Any, seats: bool, name: str) -> Any:
        if seats:
            return [self._shaped(of_seat, False, name) for of_seat in values]
        if not isinstance(values, Traced):
            raise NeedsCpuError
        return values

    def prepare(self, measures: Sequence[Measure]) -> None:
        """Do nothing: expressions are read one by one."""

    def _expression(self, text: str, name: str) -> Any:
        """Return the values of SQL that, but for a few signs, is an expression of Python, too."""
        del name
        if text in self.columns:
            return self[text], None
        if text.startswith("credit_"):
            return self.credit[int(text.removeprefix("credit_"))], None
        python = _CONJUNCTION.sub(lambda word: word[0].lower(), _EQUAL.sub("==", text))
        try:
            value = self._value(ast.parse(python.replace("<>", "!="), mode="eval").body)
        except SyntaxError:
            raise NeedsCpuError from None
        if not isinstance(value, Traced) or value.ndim != 2:
            raise NeedsCpuError
        return value, None

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.Name(id=name) if name in self.columns:
                return self[name]
            case ast.Name(id=name) if name in derived(self.cell):
                return self._expression(derived(self.cell)[name], name)[0]
            case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
                return _SIGNS[type(sign)](self._value(operand))
            case (
                ast.BinOp(left=left, op=sign, right=right)
                | ast.Compare(left=left, ops=[sign], comparators=[right])
            ) if type(sign) in _SIGNS:
                return _SIGNS[type(sign)](self._value(left), self._value(right))
            case ast.BoolOp(op=sign, values=terms):
                return reduce(_SIGNS[type(sign)], map(self._value, terms))
            case ast.Call(func=ast.Name(id="IF"), args=[test, first, second]):
                happens, otherwise = self._value(test), self._value(second)
                first_of = happens.astype(int) * self._value(first)
                return first_of + (~happens).astype(int) * otherwise
            case ast.Call(func=ast.Name(id=word), args=args) if word.lower() in _WORDS:
                function, values = _WORDS[word.lower()], [self._value(arg) for arg in args]
                return function(*values) if function.nin == 1 else reduce(function, values)
        raise NeedsCpuError


_EQUAL = re.compile(r"(?<![<>!=])=(?!=)")
_CONJUNCTION = re.compile(r"\b(AND|OR|NOT)\b")
_SIGNS: dict[type[ast.AST], Any] = {
    ast.Add: np.add, ast.Sub: np.subtract, ast.Mult: np.multiply, ast.FloorDiv: np.floor_divide,
    ast.Eq: np.equal, ast.NotEq: np.not_equal, ast.Lt: np.less, ast.LtE: np.less_equal,
    ast.Gt: np.greater, ast.GtE: np.greater_equal, ast.And: np.bitwise_and, ast.Or: np.bitwise_or,
    ast.USub: np.negative, ast.Not: np.invert,
}  # fmt: skip
_WORDS: dict[str, Any] = {
    "least": np.minimum,
    "greatest": np.maximum,
    "abs": np.absolute,
    "bit_and": np.bitwise_and,
    "bit_count": np.bitwise_count,
}
"""Functions of SQL, and NumPy's."""


class DeviceGroups:
    """Stand-in for `Groups` with sums that a GPU kernel computes.

    Parameters
    ----------
    block : TracedBlock
    computed : (Array, Array, Array), optional
        The kernel's sums, matches by winners, and histograms, handed out in the order of the
        calls. None: write the kernel's lines for each call, and return zeros.
    """

    size = GROUPS

    def __init__(
        self, block: TracedBlock, computed: tuple[Array, Array, Array] | None = None
    ) -> None:
        self.block, self._computed = block, computed
        self.rows, self.histograms = 0, 0

    def _sums(self, values: Any, rows: int, at: Sequence[str]) -> Array:
        """Return the next sums: of the values of each rotation, at a place of its own in them."""
        first, self.rows = self.rows, self.rows + rows
        if self._computed is not None:
            return self._computed[0][first : self.rows]
        if not isinstance(values, Traced) or values.kind == FLOAT:
            raise NeedsCpuError
        for place, number in zip(at, values.numbers, strict=False):
            self.block.lines.append(f"own[{first}{place}] += {number}")
        return np.zeros((rows, GROUPS), np.int64)

    def of(self, values: Any) -> Array:
        """Return the sums; see `Groups`, as for all that follows."""
        sums: Array = self._sums(values, 1, [""] * self.block.rotations)[0]
        return sums

    def deals_of(self, events: Any) -> Array:
        """Return the number of deals with an event."""
        if isinstance(events, Traced):
            return self.of(events if events.ndim == 1 else events.any(axis=1))
        numbers = np.arange(self.block.first, self.block.first + self.block.deals)
        return np.bincount(numbers % GROUPS, minlength=GROUPS)

    def seated(self, values: Any) -> Array:
        """Return the sums by rotation and first seat."""
        rotations, players = self.block.rotations, self.block.players
        seats = self.block["first_seat"].names
        at = [f" + {players * rotation} + {seat}" for rotation, seat in enumerate(seats)]
        each = values if values.ndim == 2 else values[:, None]
        sums = self._sums(each, rotations * players, at)
        return np.moveaxis(sums.reshape(rotations, players, GROUPS), -1, 0)

    def histogram(self, values: Any, whole: Any) -> dict[int, int]:
        """Return the number of matches with each value (`Groups.histogram`)."""
        place, self.histograms = self.histograms, self.histograms + 1
        if self._computed is not None:
            counts = self._computed[2][place]
            at = np.flatnonzero(counts)
            return dict(zip(at.tolist(), counts[at].tolist(), strict=True))
        tests = [None] * self.block.rotations if whole is None else whole.numbers
        for value, test in zip(values.numbers, tests, strict=True):
            lines = [
                f"if {value} != last[{place}]:",
                f"    if times_of[{place}] > 0:",
                f"        cuda.atomic.add(bins, ({place}, last[{place}]), times_of[{place}])",
                f"    last[{place}] = {value} if 0 <= {value} < {BINS} else {BINS}",
                f"    times_of[{place}] = 0",
                f"times_of[{place}] += 1",
            ]
            if test is not None:
                lines = [f"if {test} != 0:", *(f"    {line}" for line in lines)]
            self.block.lines += lines
        return {}

    def winners(self) -> Iterator[tuple[int, int, Array]]:
        """Yield rotation, bit mask of winners, and the number of such matches."""
        if self._computed is None:
            self.block.lines += [
                f"cuda.atomic.add(counts, ({rotation}, {mask}, group), 1)"
                for rotation, mask in enumerate(self.block.winners.names)
            ]
            return
        for rotation, masks in enumerate(self._computed[1]):
            for mask, counts in enumerate(masks):
                if mask and counts.any():
                    yield rotation, mask, counts

    def has_deals_of(self, other: Any) -> bool:
        """Return whether another block has the same deals."""
        return (self.block.first, self.block.deals) == (other.first, other.deals)


def device_totals(
    cell: Table,
    held: Held,
    measures: Sequence[Measure],
    base: Table | None = None,
    base_held: Held | None = None,
    before: Totals | None = None,
) -> Totals:
    """Return `totals_of` deals whose columns are in GPU memory.

    Raises
    ------
    NeedsCpuError
        If a measure uses an unsupported operation, or has too many values.
    """
    lines, beside, columns = Lines(cell.rotations), None, [*held.columns]
    block = TracedBlock(cell, held, lines)
    if base is not None and base_held is not None:
        beside = TracedBlock(base, base_held, lines, "b")
        columns += base_held.columns
    wanted: Any = DeviceGroups(block)
    summed(wanted, measures, beside, before)
    text = _module(lines, wanted, beside is not None)
    if text.count("\n") > MOST_LINES:
        raise NeedsCpuError
    shapes = (
        (wanted.rows, GROUPS),
        (block.rotations, 1 << block.players, GROUPS),
        (max(1, wanted.histograms), BINS + 1),
    )
    chunks = 1 if held.simulated else min(CHUNKS, -(-held.count // GROUPS))
    threads = min(held.count, GROUPS) * chunks
    sums, counts, bins = add_up(text, (held.count, held.first, chunks), shapes, columns, threads)
    if bins[:, BINS].any():
        raise NeedsCpuError
    computed: Any = DeviceGroups(block, (sums, counts, bins[:, :BINS]))
    return summed(computed, measures, beside, before)


def _module(lines: Lines, wanted: DeviceGroups, beside: bool) -> str:
    """Return the module with the kernel that computes the sums."""
    columns = ("first_seat", "winners", "aborted", "scores", "metrics")
    given = [f"{side}_{column}" for side in ("a", "b")[: 1 + beside] for column in columns]
    tables = [f"{name} = np.array({list(table)}, np.int64)" for table, name in lines.tables.items()]
    inner = "\n".join(f"        {line}" for line in lines)
    return f'''"""Sums of a block by group of deals; written by cardlab."""
import numpy as np
from numba import cuda, int64

from simcore.gpu.sum_words import *

{chr(10).join(tables)}


@cuda.jit(cache=bool(__file__))
def add_up(count, first, chunks, sums, counts, bins, {", ".join(given)}):
    own = cuda.local.array({max(wanted.rows, 1)}, int64)
    for k in range({wanted.rows}):
        own[k] = 0
    # Values repeat, so a thread counts runs of a histogram's last value before adding them.
    last = cuda.local.array({max(wanted.histograms, 1)}, int64)
    times_of = cuda.local.array({max(wanted.histograms, 1)}, int64)
    for k in range({wanted.histograms}):
        last[k] = -1
        times_of[k] = 0
    groups = min(count, int64({GROUPS}))
    t = int64(cuda.grid(1))
    chunk = t // groups
    if chunk >= chunks:
        return
    i = t % groups + chunk * {GROUPS}
    group = (first + i) % {GROUPS}
    while i < count:
{inner}
        i += chunks * {GROUPS}
    for k in range({wanted.rows}):
        if own[k] != 0:
            cuda.atomic.add(sums, (k, group), own[k])
    for k in range({wanted.histograms}):
        if times_of[k] > 0:
            cuda.atomic.add(bins, (k, last[k]), times_of[k])
'''
