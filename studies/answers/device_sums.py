"""Sums by group of deals, computed on a GPU from columns that stay in its memory.

The sums are defined once, by `studies.answers.totals.summed` and the measures. This module runs
those functions twice with `DeviceGroups` in place of `Groups`: first with symbolic columns
(`Traced`), to record the requested sums, from which a kernel is printed; then to return the
kernel's sums in the same order. All sums are whole numbers, hence exact in any
order and equal to those of the CPU.

Each thread handles a stride of the deals of one group: it sums them locally and adds the result to
the global sums at its end.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, TypeVar

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from simcore.gpu.launch import Held, NeedsCpuError, add_up
from simcore.records import COMMON_COUNTS
from studies.answers.totals import GROUPS, Totals, summed
from studies.measures import Block, Measure, Table, credit_tables, derived

Array = np.ndarray[Any, Any]
T = TypeVar("T")

BINS = 1 << 14
"""The most values of a histogram; blocks with larger values are summed on the CPU."""

MOST_LINES = 4000
"""The most sums of a kernel; larger tasks, such as large tables in all rotations, use the CPU."""

CHUNKS = 256
"""Number of threads that share the deals of a group."""

INT, BOOL, FLOAT = "i", "b", "f"


class Traced(NDArrayOperatorsMixin):
    """A symbolic array, one number per match (deals, rotations) or per deal (deals,).

    Attributes
    ----------
    operator : str
        An operator's sign, or "column", "number", "table", "at" (of a rotation), "any", "all".
    parts : tuple
        The operands.
    ndim : int
        2: one number per match; 1: one number per deal.
    """

    __slots__ = ("kind", "ndim", "operator", "parts")

    def __init__(self, operator: str, parts: tuple[Any, ...], kind: str, ndim: int = 2) -> None:
        self.operator, self.parts, self.kind, self.ndim = operator, parts, kind, ndim

    @property
    def key(self) -> tuple[Any, ...]:
        """A hashable form of the expression, for comparison."""
        return (
            self.operator,
            self.ndim,
            *(part.key if isinstance(part, Traced) else part for part in self.parts),
        )

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the array it represents."""
        return np.dtype({INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}[self.kind])

    def astype(self, kind: Any) -> Traced:
        """Return the expression as whole numbers."""
        if np.dtype(kind).kind not in "iu" or self.kind == FLOAT:
            raise NeedsCpuError
        return _operation("int", self) if self.kind == BOOL else self

    def any(self, axis: int) -> Traced:
        """Return whether it holds in any rotation."""
        assert axis == 1
        return Traced("any", (self,), BOOL, 1)

    def all(self, axis: int) -> Traced:
        """Return whether it holds in every rotation."""
        assert axis == 1
        return Traced("all", (self,), BOOL, 1)

    def __getitem__(self, place: Any) -> Traced:
        if place == (slice(None), None) and self.ndim == 1:
            return Traced("each", (self,), self.kind)
        if isinstance(place, tuple) and self.ndim == 2 and place[0] == slice(None):
            return Traced("at", (self, int(place[1])), self.kind, 1)
        raise NeedsCpuError

    def __array_ufunc__(self, function: Any, method: str, *given: Any, **_: Any) -> Traced:
        name = _FUNCTIONS.get(function)
        if method != "__call__" or name is None:
            raise NeedsCpuError
        return _operation(name, *given)

    def __array_function__(self, function: Any, _types: Any, given: Any, named: Any) -> Any:
        if function in (np.zeros_like, np.full_like):
            return _traced(given[1] if function is np.full_like else 0)
        if function is np.broadcast_to:
            return given[0]
        raise NeedsCpuError

    def __bool__(self) -> bool:
        raise NeedsCpuError

    __hash__ = None  # type: ignore[assignment]


def _traced(value: Any) -> Traced:
    if isinstance(value, Traced):
        return value
    if isinstance(value, (bool, np.bool_)):
        return Traced("number", (bool(value),), BOOL, 0)
    if isinstance(value, (int, np.integer)):
        return Traced("number", (int(value),), INT, 0)
    if isinstance(value, (float, np.floating)):
        return Traced("number", (float(value),), FLOAT, 0)
    raise NeedsCpuError


_TESTS = ("==", "!=", "<", "<=", ">", ">=")
_FUNCTIONS = {
    np.add: "+",
    np.subtract: "-",
    np.multiply: "*",
    np.floor_divide: "//",
    np.right_shift: ">>",
    np.bitwise_and: "&",
    np.bitwise_or: "|",
    np.equal: "==",
    np.not_equal: "!=",
    np.less: "<",
    np.less_equal: "<=",
    np.greater: ">",
    np.greater_equal: ">=",
    np.minimum: "minimum",
    np.maximum: "maximum",
    np.absolute: "absolute",
    np.negative: "negative",
    np.invert: "invert",
    np.bitwise_count: "popcount",
}


def _operation(sign: str, *given: Any) -> Traced:
    """Return the result of an operator, of NumPy's type."""
    parts = tuple(map(_traced, given))
    kinds = {part.kind for part in parts}
    kind = FLOAT if FLOAT in kinds else INT if INT in kinds else BOOL
    if sign in _TESTS:
        kind = BOOL
    elif sign in ("popcount", "int", ">>", "//"):
        kind = INT
    if sign in ("&", "|", "invert", "//", ">>") and FLOAT in kinds:
        raise NeedsCpuError
    if kind == BOOL and sign == "*":
        sign = "&"
    elif kind == BOOL and sign == "+":
        sign = "|"
    elif kind == BOOL and sign not in (*_TESTS, "&", "|", "invert"):
        raise NeedsCpuError
    return Traced(sign, parts, kind, max(part.ndim for part in parts))


class TracedBlock(Block):
    """A block whose columns are in GPU memory.

    Parameters
    ----------
    cell : Table
    held : Held
    which : str
        "a", or "b" for the baseline beside a variant.
    """

    def __init__(self, cell: Table, held: Held, which: str = "a") -> None:
        from simcore.game import get_game

        self.cell = cell
        self.players, self.rotations, self.deals = len(cell.seats), cell.rotations, held.count
        self.first = held.first
        names = (*get_game(cell.game).metric_names, *COMMON_COUNTS)

        def column(array: str, place: str, kind: str = INT) -> Traced:
            return Traced("column", (f"{which}_{array}", place), kind)

        self.columns: dict[str, Any] = {
            "first_seat": column("first_seat", ""),
            "winners": column("winners", ""),
            "aborted": column("aborted", "", BOOL),
            **{f"score_{seat}": column("scores", f"{seat}, ") for seat in range(self.players)},
            **{name: column("metrics", f"{place}, ") for place, name in enumerate(names)},
        }

    def __getitem__(self, name: str) -> Any:
        return self.columns[name]

    @cached_property
    def winners(self) -> Any:
        """Bit mask of the winning seats; 0 where aborted."""
        return self.columns["winners"]

    @cached_property
    def credit(self) -> list[Any]:
        """Each seat's share of the win."""
        tables = (tuple(table.tolist()) for table in credit_tables(self.players))
        return [Traced("table", (table, self.winners), INT) for table in tables]

    def _shaped(self, values: Any, seats: bool, name: str) -> Any:
        if seats:
            return [self._shaped(of_seat, False, name) for of_seat in values]
        if not isinstance(values, Traced):
            raise NeedsCpuError
        return values

    def prepare(self, measures: Sequence[Measure]) -> None:
        """Do nothing: expressions are read one by one."""

    def _expression(self, text: str, name: str) -> Any:
        del name
        if text in self.columns:
            return self.columns[text], None
        if text.startswith("credit_"):
            return self.credit[int(text.removeprefix("credit_"))], None
        try:
            text = _CONJUNCTION.sub(lambda word: word[0].lower(), _EQUAL.sub("==", text))
            parsed = ast.parse(text.replace("<>", "!="), mode="eval")
        except SyntaxError:
            raise NeedsCpuError from None
        value = self._value(parsed.body)
        if value.ndim != 2:
            raise NeedsCpuError
        return value, None

    def _value(self, node: ast.expr) -> Traced:
        """Return an expression of SQL that is one of Python, too, on the columns."""
        match node:
            case ast.Constant(value=value):
                return _traced(value)
            case ast.Name(id=name) if name in self.columns:
                return _traced(self.columns[name])
            case ast.Name(id=name) if name in derived(self.players):
                return _traced(self._expression(derived(self.players)[name], name)[0])
            case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _SIGNS:
                return _operation(_SIGNS[type(sign)], self._value(left), self._value(right))
            case ast.Compare(left=left, ops=[sign], comparators=[right]):
                return _operation(_SIGNS[type(sign)], self._value(left), self._value(right))
            case ast.BoolOp(op=sign, values=values):
                return _folded(_SIGNS[type(sign)], map(self._value, values))
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return _operation("negative", self._value(operand))
            case ast.Call(func=ast.Name(id="IF"), args=[test, first, second]):
                happens = self._value(test)
                sides = (happens, first), (_operation("invert", happens), second)
                terms = (
                    _operation("*", _operation("int", when), self._value(then))
                    for when, then in sides
                )
                return _folded("+", terms)
            case ast.Call(func=ast.Name(id=word), args=args) if word.lower() in _WORDS:
                return _folded(_WORDS[word.lower()], map(self._value, args))
        raise NeedsCpuError


_EQUAL = re.compile(r"(?<![<>!=])=(?!=)")
_CONJUNCTION = re.compile(r"\b(AND|OR)\b")
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.And: "&", ast.Or: "|",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip
_WORDS = {
    "least": "minimum",
    "greatest": "maximum",
    "abs": "absolute",
    "bit_and": "&",
    "bit_count": "popcount",
}
"""Functions of SQL, and the operations that they are."""


def _folded(sign: str, values: Iterable[Traced]) -> Traced:
    first, *others = values
    if not others:
        return _operation(sign, first) if sign in ("absolute", "popcount") else first
    for other in others:
        first = _operation(sign, first, other)
    return first


class DeviceGroups:
    """Stand-in for `Groups` with sums that a GPU kernel computes.

    Parameters
    ----------
    block : TracedBlock
    computed : (Array, Array, Array), optional
        The kernel's sums, matches by winners, and histograms, handed out in the order of the
        calls. None: record each call as a request to the kernel, and return zeros.
    """

    size = GROUPS

    def __init__(
        self, block: TracedBlock, computed: tuple[Array, Array, Array] | None = None
    ) -> None:
        self.block, self._computed = block, computed
        self.requests: list[tuple[str, Traced]] = []
        self.histograms: list[tuple[Traced, Traced | None]] = []
        self._place = 0

    def of(self, values: Any) -> Array:
        """Return the sums; see `Groups`, as for all that follows."""
        sums: Array = self._sums("sum", values)[0]
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
        values = values if values.ndim == 2 else values[:, None]
        sums = self._sums("first_seat", *(values[:, at] for at in range(rotations)))
        return np.moveaxis(sums.reshape(rotations, players, GROUPS), -1, 0)

    def histogram(self, values: Any, whole: Any) -> dict[int, int]:
        """Return the number of matches with each value (`Groups.histogram`)."""
        self.histograms.append((values, whole))
        if self._computed is None:
            return {}
        counts = self._computed[2][len(self.histograms) - 1]
        at = np.flatnonzero(counts)
        return dict(zip(at.tolist(), counts[at].tolist(), strict=True))

    def winners(self) -> Iterator[tuple[int, int, Array]]:
        """Yield rotation, bit mask of winners, and the number of such matches."""
        for rotation, masks in enumerate(() if self._computed is None else self._computed[1]):
            for mask, counts in enumerate(masks):
                if mask and counts.any():
                    yield rotation, mask, counts

    def has_deals_of(self, other: Any) -> bool:
        """Return whether another block has the same deals."""
        return (self.block.first, self.block.deals) == (other.first, other.deals)

    def rows_of(self, kind: str) -> int:
        """Return how many sums a request is for: one, or one a first seat."""
        return self.block.players if kind == "first_seat" else 1

    def _sums(self, kind: str, *values: Any) -> Array:
        rows = self.rows_of(kind) * len(values)
        if self._computed is not None:
            self._place += rows
            return self._computed[0][self._place - rows : self._place]
        for requested in values:
            if not isinstance(requested, Traced) or requested.kind == FLOAT:
                raise NeedsCpuError
            self.requests.append((kind, requested))
        return np.zeros((rows, GROUPS), np.int64)


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
    block = TracedBlock(cell, held)
    if base is None or base_held is None:
        return on_device(lambda groups: summed(groups, measures), block, held)
    beside = TracedBlock(base, base_held, "b")
    return on_device(
        lambda groups: summed(groups, measures, beside, before), block, held, base_held
    )


def on_device(
    work: Callable[[Any], T], block: TracedBlock, held: Held, base: Held | None = None
) -> T:
    """Return the result of a function of the sums of a block in GPU memory.

    Parameters
    ----------
    work : callable
        Called twice with a stand-in for `Groups`; must request the same sums each time.

    Raises
    ------
    NeedsCpuError
        As for `device_totals`.
    """
    wanted = DeviceGroups(block)
    work(wanted)
    text = _Kernel(wanted, base is not None).text
    if text.count("\n") > MOST_LINES:
        raise NeedsCpuError
    return work(DeviceGroups(block, _added_up(text, wanted, held, base)))


def _added_up(
    text: str, wanted: DeviceGroups, held: Held, base: Held | None
) -> tuple[Array, Array, Array]:
    """Return the sums of a kernel: by group, by winners, by value."""
    block = wanted.block
    rows = sum(wanted.rows_of(kind) for kind, _ in wanted.requests)
    shapes = (
        (rows, GROUPS),
        (block.rotations, 1 << block.players, GROUPS),
        (max(1, len(wanted.histograms)), BINS + 1),
    )
    chunks = 1 if held.simulated else min(CHUNKS, -(-held.count // GROUPS))
    columns = [column for side in (held, base) if side is not None for column in side.columns]
    sums, counts, bins = add_up(
        text, (held.count, held.first, chunks), shapes, columns, min(held.count, GROUPS) * chunks
    )
    if bins[:, BINS].any():
        raise NeedsCpuError
    return sums, counts, bins[:, :BINS]


class _Kernel:
    """Prints the kernel that computes the requested sums.

    Attributes
    ----------
    text : str
        A module with the kernel `add_up`.
    """

    def __init__(self, wanted: DeviceGroups, beside: bool) -> None:
        self.block, self.rotations = wanted.block, wanted.block.rotations
        self.lines: list[str] = []
        self.names: dict[Any, str] = {}
        self.tables: dict[tuple[int, ...], str] = {}
        sums = self._sums(wanted)
        for place, (values, whole) in enumerate(wanted.histograms):
            for rotation in range(self.rotations):
                self._count(place, values, whole, rotation)
        for rotation in range(self.rotations):
            mask = self.number(self.block.winners, rotation)
            self.lines.append(f"cuda.atomic.add(counts, ({rotation}, {mask}, group), 1)")
        self.text = self._module(sums, len(wanted.histograms), beside)

    def _sums(self, wanted: DeviceGroups) -> int:
        place = 0
        for kind, values in wanted.requests:
            for rotation in range(self.rotations if values.ndim == 2 else 1):
                name = self.number(values, rotation if values.ndim == 2 else None)
                at = str(place)
                if kind == "first_seat":
                    seat = Traced("column", ("a_first_seat", ""), INT)
                    played = values.parts[1] if values.operator == "at" else rotation
                    at = f"{place} + {self.number(seat, played)}"
                    name = self.number(values, rotation)
                self.lines.append(f"own[{at}] += {name}")
            place += wanted.rows_of(kind)
        return place

    def _count(self, place: int, values: Traced, whole: Traced | None, rotation: int) -> None:
        value = self.number(values, rotation)
        lines = [
            f"if {value} != last[{place}]:",
            f"    if times_of[{place}] > 0:",
            f"        cuda.atomic.add(bins, ({place}, last[{place}]), times_of[{place}])",
            f"    last[{place}] = {value} if 0 <= {value} < {BINS} else {BINS}",
            f"    times_of[{place}] = 0",
            f"times_of[{place}] += 1",
        ]
        if whole is not None:
            test = f"if {self.number(whole, rotation)} != 0:"
            lines = [test, *(f"    {line}" for line in lines)]
        self.lines += lines

    def number(self, value: Traced, rotation: int | None) -> str:
        """Return the variable that holds a value as a whole number (of a rotation, or the deal)."""
        name = self.name(value, rotation)
        if value.kind == BOOL:
            return self._line(("int", name), f"int64(1) if {name} else int64(0)")
        return name

    def name(self, value: Traced, rotation: int | None) -> str:
        """Return the variable that holds a value, after printing the lines that compute it."""
        if value.operator == "number":
            return repr(value.parts[0])
        if value.ndim == 1:
            rotation = None
        key = (value.key, rotation)
        if key in self.names:
            return self.names[key]
        return self._line(key, self._text(value, rotation))

    def _line(self, key: Any, text: str) -> str:
        if key not in self.names:
            self.names[key] = f"v{len(self.names)}"
            self.lines.append(f"{self.names[key]} = {text}")
        return self.names[key]

    def _text(self, value: Traced, rotation: int | None) -> str:
        operator, parts = value.operator, value.parts
        if operator == "column":
            array, place = parts
            text = f"int64({array}[{rotation}, {place}i])"
            return f"{text} != 0" if value.kind == BOOL else text
        if operator == "table":
            table = self.tables.setdefault(parts[0], f"TABLE_{len(self.tables)}")
            return f"{table}[{self.number(parts[1], rotation)}]"
        if operator == "at":
            return self.name(*parts)
        if operator == "each":
            return self.name(parts[0], None)
        if operator in ("any", "all"):
            terms = [f"{self.number(parts[0], at)} != 0" for at in range(self.rotations)]
            return f" {'or' if operator == 'any' else 'and'} ".join(terms)
        return self._operation(value, rotation)

    def _operation(self, value: Traced, rotation: int | None) -> str:
        operator, parts = value.operator, value.parts
        is_float = FLOAT in {part.kind for part in parts}
        as_bits = value.kind == BOOL and operator in ("&", "|", "invert")
        reckon = self.name if as_bits else self.number
        operands = [reckon(operand, rotation) for operand in parts]
        if is_float:
            operands = [f"real({operand})" for operand in operands]
        if as_bits:
            word = {"&": " and ", "|": " or "}.get(operator)
            return word.join(operands) if word else f"not {operands[0]}"
        if operator == "*" and is_float:
            return f"times({', '.join(operands)})"
        if operator in ("minimum", "maximum"):
            return f"{'lower' if operator == 'minimum' else 'higher'}({', '.join(operands)})"
        if operator == "absolute":
            return f"higher({operands[0]}, -{operands[0]})"
        if operator == "negative":
            return f"-{operands[0]}"
        if operator == "invert":
            return f"~{operands[0]}"
        if operator == "popcount":
            return f"popcount({operands[0]})"
        if operator == "int":
            return operands[0]
        return f" {operator} ".join(operands)

    def _module(self, sums: int, histograms: int, beside: bool) -> str:
        columns = ("first_seat", "winners", "aborted", "scores", "metrics")
        given = [f"{side}_{column}" for side in ("a", "b")[: 1 + beside] for column in columns]
        tables = [
            f"{name} = np.array({list(table)}, np.int64)" for table, name in self.tables.items()
        ]
        inner = "\n".join(f"        {line}" for line in self.lines)
        return f'''"""Sums of a block by group of deals; written by cardlab."""
import numpy as np
from numba import cuda, int64

from simcore.gpu.sum_words import *

{chr(10).join(tables)}


@cuda.jit(cache=bool(__file__))
def add_up(count, first, chunks, sums, counts, bins, {", ".join(given)}):
    own = cuda.local.array({max(sums, 1)}, int64)
    for k in range({sums}):
        own[k] = 0
    # Values repeat, so a thread counts runs of a histogram's last value before adding them.
    last = cuda.local.array({max(histograms, 1)}, int64)
    times_of = cuda.local.array({max(histograms, 1)}, int64)
    for k in range({histograms}):
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
    for k in range({sums}):
        if own[k] != 0:
            cuda.atomic.add(sums, (k, group), own[k])
    for k in range({histograms}):
        if times_of[k] > 0:
            cuda.atomic.add(bins, (k, last[k]), times_of[k])
'''
