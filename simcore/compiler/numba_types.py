"""What a unit's functions work on, as types of Numba: states, options, sets of cards, tables.

A `Row` is the address of a state or of options. `s.phase` reads one number, `s.hand[seat]` a set of
one to four words, and `s._hand[seat]` is the place itself, which words such as `move` change. Where
a field stands is known to its type alone. LLVM is told that fields of a state are apart from each
other (TBAA), and that options never change, so that it keeps in registers what a step reads and
writes. Instructions and the checked operators are in `instructions`, words that are ordinary Python
in `simcore.words`.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
from llvmlite import ir

from simcore.compiler import refusals, target
from simcore.compiler.numba_parts import (
    AttributeTemplate,
    TypingError,
    cgutils,
    extending,
    lower_constant,
    types,
)

N, F, B = types.int64, types.float64, types.boolean
I64, I1, DOUBLE = ir.IntType(64), ir.IntType(1), ir.DoubleType()

MARK = "cardlab says: "
"""Precedes a sentence of ours within an error of Numba's."""


def refusal(text: str) -> TypingError:
    """Return the error that stops Numba's type inference, with a sentence for users."""
    return TypingError(f"{MARK}{text}")


# ------------------------------------------------------------------------------------------ types


class Cards(types.Type):  # type: ignore[misc]
    """A set of cards, as so many words of 64 bits."""

    def __init__(self, width: int) -> None:
        self.width = width
        super().__init__(f"Cards{width}")


class Row(types.Type):  # type: ignore[misc]
    """The address of a state, or of options.

    Parameters
    ----------
    name : str
        Unique.
    fields : dict
        By name where a field begins, the strides of its indices, the kind of a value, and its
        value, where that is known when a unit is compiled.
    players : int
        Of options: the most players that there may be. 0: this is a state.
    """

    def __init__(self, name: str, fields: Mapping[str, Sequence[Any]], players: int = 0) -> None:
        self.fields, self.players = fields, players
        super().__init__(name)

    def mark(self, builder: Any, instruction: Any, field: str) -> Any:
        """Tell LLVM what a load or a store can alias; loads of options are invariant."""
        if not self.players:
            return tag(builder, instruction, field)
        module = builder.module
        instruction.set_metadata("invariant.load", module.add_metadata([]))
        if field == "players":
            ends = [I64(1), I64(self.players + 1)]
            instruction.set_metadata("range", module.add_metadata(ends))
        return instruction


class Column(types.Type):  # type: ignore[misc]
    """The values of a field that has indices, or of one seat's part of it; or its places."""

    def __init__(
        self, row: Row, field: str, steps: Sequence[int], kind: Any, place: bool = False
    ) -> None:
        self.row, self.field, self.steps, self.kind, self.place = row, field, steps, kind, place
        super().__init__(f"{row.name}.{field}{steps}{'' if not place else '_places'}")

    @property
    def inner(self) -> types.Type:
        """The type of what an index finds."""
        if len(self.steps) > 1:
            return Column(self.row, self.field, self.steps[1:], self.kind, self.place)
        return Place(self.row, self.field, self.kind) if self.place else self.kind


class Place(types.Type):  # type: ignore[misc]
    """Where one value stands: its `cards`, and of a place with an order `order` and `seen`."""

    def __init__(self, row: Row, field: str, kind: Any) -> None:
        self.row, self.field, self.kind = row, field, kind
        self.room = row.fields[field][3] if len(row.fields[field]) > 3 else 0
        super().__init__(f"{row.name}.{field}_place")


class Counts(types.Type):  # type: ignore[misc]
    """What is counted, `s.count`."""

    def __init__(self, row: Row) -> None:
        self.row = row
        super().__init__(f"{row.name}.count")


class Numbers(types.Type):  # type: ignore[misc]
    """An array of whole numbers or floats behind a state, for the results of a search."""

    def __init__(self, kind: types.Type) -> None:
        self.kind = kind
        super().__init__(f"Numbers({kind})")


class TableType(types.Type):  # type: ignore[misc]
    """A constant table, or a row of one."""

    def __init__(self, table: Table, steps: Sequence[int]) -> None:
        self.table, self.steps, self.kind = table, steps, table.kind
        super().__init__(f"Table{hash(table)}{table.kind}{steps}")


class Table(tuple):  # type: ignore[type-arg]  # noqa: SLOT001 (it has a shape and a kind)
    """Constant numbers: the flat values, with the lengths of the axes and the kind in it."""

    shape: tuple[int, ...]
    kind: types.Type

    def __new__(cls, values: Any) -> Table:  # noqa: PYI034
        """Make a table of nested lists."""
        array = np.array(values)
        is_float = array.dtype.kind == "f"
        flat = np.ascontiguousarray(array.ravel().astype(np.float64 if is_float else np.int64))
        table = super().__new__(cls, flat.view(np.int64).tolist())
        table.shape, table.kind = array.shape, F if is_float else N
        return table


class Processor:
    """What depends on the machine: where the numbers of a state stand, and some instructions.

    They stand one behind the other, from an address on.

    Attributes
    ----------
    row, part : ir.Type
        What a state is, and a column or place within it.
    """

    row = part = I64.as_pointer()

    @staticmethod
    def field(builder: Any, row: Row, start: Any, name: str) -> Any:
        """Return where a field begins."""
        return builder.gep(start, [I64(row.fields[name][0])], inbounds=True)

    @staticmethod
    def moved(builder: Any, where: Any, count: Any) -> Any:
        """Return where the number stands that is so many further on."""
        return builder.gep(where, [count], inbounds=True)

    @staticmethod
    def pointer(_builder: Any, where: Any) -> Any:
        """Return the address of a number."""
        return where

    @staticmethod
    def distance(builder: Any, start: Any, where: Any) -> Any:
        """Return how many numbers further on one stands than another."""
        ends = (builder.ptrtoint(end, I64) for end in (where, start))
        return builder.sdiv(builder.sub(*ends), I64(8))

    @staticmethod
    def constant(builder: Any, numbers: Sequence[int]) -> Any:
        """Return the address of constant numbers."""
        kind = ir.ArrayType(I64, len(numbers))
        data = cgutils.global_constant(builder, ".table", ir.Constant(kind, list(numbers)))
        data.align = 64
        return builder.bitcast(data, I64.as_pointer())

    @staticmethod
    def call(builder: Any, name: str, result: Any, *args: Any) -> Any:
        """Call a function of LLVM."""
        kind = ir.FunctionType(result, [arg.type for arg in args])
        function = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
        return builder.call(function, args)

    @staticmethod
    def multiplied(builder: Any, x: Any, y: Any) -> Any:
        """Return the product of two floats, rounded by itself."""
        return builder.fmul(x, y)


MACHINE = target.MACHINE or Processor()


def _held_as(kind: type[types.Type], value_of: Callable[[Any], ir.Type]) -> None:
    """Say what LLVM has for the values of a type."""

    @extending.register_model(kind)
    class Model(extending.models.PrimitiveModel):  # type: ignore[misc]
        def __init__(self, dmm: Any, of: Any) -> None:
            super().__init__(dmm, of, value_of(of))


_held_as(Cards, lambda of: I64 if of.width == 1 else ir.ArrayType(I64, of.width))
for _kinds, _value in (
    ((Row, Counts), MACHINE.row),
    ((Column, Place), MACHINE.part),
    ((Numbers, TableType), I64.as_pointer()),
):
    for _kind in _kinds:
        _held_as(_kind, lambda _of, value=_value: value)  # type: ignore[misc]


_rows: dict[str, Any] = {}


def rows(
    state: Mapping[str, Any],
    options: Mapping[str, Any],
    players: int,
    width: int,
    numbers: int = 0,
) -> Any:
    """Return the types of a unit's state and options, and the words that make its sets of cards.

    Parameters
    ----------
    state, options : dict
        By name where a field begins, its strides, the kind of its values ("n", "f" or "s"), and of
        a place with an order how many cards it has room for, of an option perhaps its value.
    players : int
        The most there may be.
    width : int
        Words of a set of cards.
    numbers : int
        Cards that rules may name; those beyond the words of a set are in none.
    """
    given = repr((state, options, players, width, numbers))
    if given in _rows:  # what has the same types may share compiled functions
        return _rows[given]
    kinds = {"n": N, "f": F, "s": Cards(width)}
    of_state, of_options = (
        {name: (at, steps, kinds[kind], *more) for name, (at, steps, kind, *more) in fields.items()}
        for fields in (state, options)
    )
    number = len(_rows) + 1
    made = Row(f"State{number}", of_state), Row(f"Options{number}", of_options, players)
    return _rows.setdefault(given, (*made, *_makers(kinds["s"], numbers)))


# ----------------------------------------------------------------------------------------- fields


def tag(builder: Any, instruction: Any, name: str) -> Any:
    """Tell LLVM (by TBAA metadata) that accesses with different tags never alias."""
    module = builder.module
    node = module.add_metadata([name, module.add_metadata(["cardlab"]), I64(0)])
    instruction.set_metadata("tbaa", module.add_metadata([node, node, I64(0)]))
    return instruction


def _resolved(row: Row, name: str) -> tuple[str, bool]:
    """Return the field that is meant, and whether its places are: `s._hand` are those of `hand`."""
    return (name, False) if name in row.fields else (name.removeprefix("_"), True)


def _field(row: Row, given: str) -> types.Type | None:
    name, is_place = _resolved(row, given)
    if name not in row.fields:
        return None
    _, steps, kind = row.fields[name][:3]
    if steps:
        return Column(row, name, steps, kind, is_place)
    return Place(row, name, kind) if is_place else kind


def _has(kind: type[types.Type], attribute: Callable[[Any, str], Any]) -> None:
    """Say of which types the attributes of a type are; None: it has no such."""

    @extending.infer_getattr
    class Attributes(AttributeTemplate):  # type: ignore[misc]
        key = kind

        def generic_resolve(self, of: Any, name: str) -> Any:
            return attribute(of, name)


def _of_place(place: Place, name: str) -> types.Type:
    if name in ("cards", "number"):
        return place.kind
    return Column(place.row, f"{place.field}.{name}", (1,), N)


def _of_cards(cards: Cards, name: str) -> Any:
    """Return the type of the words of a set: `w0`, `w1` and so on."""
    return N if name[0] == "w" and name[1:].isdigit() and int(name[1:]) < cards.width else None


_has(Row, lambda row, name: Counts(row) if name == "count" else _field(row, name))
_has(Counts, lambda counts, name: _field(counts.row, _count(name)))
_has(Place, _of_place)
_has(Cards, _of_cards)


def _count(name: str) -> str:
    """Return the field of the state that a count is."""
    return f"__count_{name[1:]}" if name.startswith("_") else f"_count_{name}"


def _load(builder: Any, row: Row, field: str, kind: Any, where: Any) -> Any:
    words = [pointer for pointer, _ in _words(builder, kind, where)]
    loaded = [row.mark(builder, builder.load(word, align=8), field) for word in words]
    return whole_set(builder, loaded)


def _words(builder: Any, kind: Any, where: Any, value: Any = None) -> Iterator[tuple[Any, Any]]:
    """Yield the addresses of a value's words, with the words of a value."""
    width = getattr(kind, "width", 1)
    values = [None] * width if value is None else parts(builder, value, width)
    for word, part in enumerate(values):
        at = MACHINE.moved(builder, where, I64(word)) if word else where
        pointer = MACHINE.pointer(builder, at)
        yield builder.bitcast(pointer, DOUBLE.as_pointer()) if kind == F else pointer, part


def _store(builder: Any, row: Row, field: str, kind: Any, where: Any, value: Any) -> None:
    for pointer, part in _words(builder, kind, where, value):
        row.mark(builder, builder.store(part, pointer, align=8), field)


def _get_field(context: Any, builder: Any, row: Row, start: Any, given: str) -> Any:
    if given == "count" and "count" not in row.fields:
        return start
    name, _ = _resolved(row, given)
    _, steps, kind, *known = row.fields[name]
    if row.players and known and not steps:
        return DOUBLE(float(known[0])) if kind == F else I64(int(known[0]))
    where = MACHINE.field(builder, row, start, name)
    is_value = not steps and name == given
    return _load(builder, row, name, kind, where) if is_value else where


def _set_field(
    context: Any, builder: Any, sig: Any, args: Any, given: str, row: Row | None = None
) -> None:
    row = row or sig.args[0]
    assert row is not None
    where = MACHINE.field(builder, row, args[0], given)
    _store(builder, row, given, row.fields[given][2], where, args[1])


extending.lower_getattr_generic(Row)(_get_field)
extending.lower_setattr_generic(Row)(_set_field)


@extending.lower_getattr_generic(Counts)
def _get_count(context: Any, builder: Any, of: Counts, start: Any, name: str) -> Any:
    return _get_field(context, builder, of.row, start, _count(name))


@extending.lower_setattr_generic(Counts)
def _set_count(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    _set_field(context, builder, sig, args, _count(name), sig.args[0].row)


@extending.lower_getattr_generic(Place)
def _get_place(context: Any, builder: Any, of: Place, where: Any, name: str) -> Any:
    if name in ("cards", "number"):
        return _load(builder, of.row, of.field, of.kind, where)
    after = of.kind.width + (of.room if name == "seen" else 0)
    return MACHINE.moved(builder, where, I64(after))


@extending.lower_setattr_generic(Place)
def _set_place(context: Any, builder: Any, sig: Any, args: Any, name: str) -> None:
    of = sig.args[0]
    _store(builder, of.row, of.field, of.kind, args[0], args[1])


@extending.lower_getattr_generic(Cards)
def _get_word(context: Any, builder: Any, of: Cards, value: Any, name: str) -> Any:
    return value if of.width == 1 else builder.extract_value(value, int(name[1:]))


# --------------------------------------------------------------------------- indices and constants


def field_value(builder: Any, row: Row, start: Any, name: str) -> Any:
    """Return the number of a field that there is once."""
    return _get_field(None, builder, row, start, name)


def typed(key: Any, rule: Callable[..., Any]) -> None:
    """Give a function of Python the types that a rule finds for arguments of ours."""
    extending.type_callable(key)(lambda context: rule)


def is_number(kind: types.Type) -> bool:
    """Tell whether a type is a whole number, or a truth value, which counts as one."""
    return isinstance(kind, types.Integer | types.Boolean)


def _item(of: Any, at: Any) -> Any:
    if not isinstance(of, Column | Numbers | TableType):
        return None
    if not is_number(at):
        raise refusal("an index is a whole number")
    if isinstance(of, TableType):
        return of.kind if len(of.steps) == 1 else TableType(of.table, of.steps[1:])
    return of.kind if isinstance(of, Numbers) else of.inner


def _set_item(of: Any, at: Any, value: Any) -> Any:
    is_last = isinstance(of, Numbers) or (isinstance(of, Column) and len(of.steps) == 1)
    return types.none if is_last else None


typed(operator.getitem, _item)
typed(operator.setitem, _set_item)


def _at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """Return where an index points."""
    of, step = sig.args[0], getattr(sig.args[0], "steps", (1,))[0]
    index = context.cast(builder, args[1], sig.args[1], N)
    index = index if step == 1 else builder.mul(index, I64(step))
    if isinstance(of, Column):
        return MACHINE.moved(builder, args[0], index)
    return builder.gep(args[0], [index], inbounds=True)


@extending.lower_builtin(operator.getitem, Column, types.Any)
def _get(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    of, where = sig.args[0], _at(context, builder, sig, args)
    if len(of.steps) > 1 or of.place:
        return where
    return _load(builder, of.row, of.field, of.kind, where)


@extending.lower_builtin(operator.setitem, Column, types.Any, types.Any)
def _set(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    of, where = sig.args[0], _at(context, builder, sig, args)
    value = context.cast(builder, args[2], sig.args[2], of.kind)
    _store(builder, of.row, of.field, of.kind, where, value)
    return context.get_dummy_value()


@extending.lower_builtin(operator.getitem, Numbers, types.Any)
def _get_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _number_at(builder, sig.args[0], _at(context, builder, sig, args))


@extending.lower_builtin(operator.setitem, Numbers, types.Any, types.Any)
def _set_number(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    of, where = sig.args[0], _at(context, builder, sig, args)
    where = builder.bitcast(where, DOUBLE.as_pointer()) if of.kind == F else where
    value = context.cast(builder, args[2], sig.args[2], of.kind)
    tag(builder, builder.store(value, where, align=8), of.name)
    return context.get_dummy_value()


@extending.lower_builtin(operator.getitem, TableType, types.Any)
def _get_of_table(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    of, where = sig.args[0], _at(context, builder, sig, args)
    return where if len(of.steps) > 1 else _number_at(builder, of, where)


def _number_at(builder: Any, of: Any, where: Any) -> Any:
    where = builder.bitcast(where, DOUBLE.as_pointer()) if of.kind == F else where
    name = of.name if isinstance(of, Numbers) else "table"
    return tag(builder, builder.load(where, align=8), name)


@extending.typeof_impl.register(Table)
def _type_of_table(value: Table, context: Any) -> TableType:
    return TableType(
        value, tuple(prod(value.shape[axis + 1 :]) for axis in range(len(value.shape)))
    )


@lower_constant(TableType)
def _constant_table(context: Any, builder: Any, of: TableType, value: Table) -> Any:
    return MACHINE.constant(builder, value)


# ----------------------------------------------------------------------------------- sets of cards


def parts(builder: Any, value: Any, width: int) -> list[Any]:
    """Return the words of a set."""
    return [value] if width == 1 else [builder.extract_value(value, k) for k in range(width)]


def whole_set(builder: Any, words: Sequence[Any]) -> Any:
    """Return the set of some words."""
    if len(words) == 1:
        return words[0]
    value = ir.Constant(ir.ArrayType(I64, len(words)), ir.Undefined)
    for k, word in enumerate(words):
        value = builder.insert_value(value, word, k)
    return value


def joined(words: Sequence[Any], join: Callable[[Any, Any], Any]) -> Any:
    """Join all words to one."""
    first, *others = words
    for word in others:
        first = join(first, word)
    return first


def _of_two_sets(key: Any, write: Callable[..., Any]) -> None:
    def rule(a: Any, b: Any) -> Any:
        if isinstance(a, Cards) and a == b:
            return a
        if isinstance(a, Cards) or isinstance(b, Cards):
            raise refusal(refusals.NO_MIX)
        return None

    @extending.lower_builtin(key, Cards, Cards)
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, other = (parts(builder, value, sig.args[0].width) for value in args)
        pairs = zip(one, other, strict=True)
        return whole_set(builder, [write(builder, *pair) for pair in pairs])

    typed(key, rule)


for _keys, _write in (
    ((operator.or_, operator.ior), lambda b, x, y: b.or_(x, y)),
    ((operator.and_, operator.iand), lambda b, x, y: b.and_(x, y)),
    ((operator.xor, operator.ixor), lambda b, x, y: b.xor(x, y)),
    ((operator.sub, operator.isub), lambda b, x, y: b.and_(x, b.not_(y))),
):
    for _key in _keys:
        _of_two_sets(_key, _write)


def _same_sets(a: Any, b: Any) -> Any:
    if isinstance(a, Cards) and a == b:
        return B
    if isinstance(a, Cards) or isinstance(b, Cards):
        raise refusal(refusals.NO_ORDER)
    return None


def _compare(sign: str) -> Callable[..., Any]:
    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        one, other = (parts(builder, value, sig.args[0].width) for value in args)
        differ = [builder.xor(*pair) for pair in zip(one, other, strict=True)]
        return builder.icmp_signed(sign, joined(differ, builder.or_), I64(0))

    return lower


for _key, _sign in ((operator.eq, "=="), (operator.ne, "!=")):
    typed(_key, _same_sets)
    extending.lower_builtin(_key, Cards, Cards)(_compare(_sign))


@extending.lower_builtin(bool, Cards)
def _any(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    words = parts(builder, args[0], sig.args[0].width)
    return builder.icmp_signed("!=", joined(words, builder.or_), I64(0))


@extending.lower_builtin(operator.not_, Cards)
def _not(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return builder.not_(_any(context, builder, sig, args))


@extending.lower_builtin(len, Cards)
def _len(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    words = parts(builder, args[0], sig.args[0].width)
    return joined([call(builder, "llvm.ctpop.i64", I64, word) for word in words], builder.add)


@extending.lower_builtin(operator.contains, Cards, types.Any)
def _contains(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    card, tests = context.cast(builder, args[1], sig.args[1], N), []
    for k, word in enumerate(parts(builder, args[0], sig.args[0].width)):
        at = builder.sub(card, I64(64 * k)) if k else card
        bit = builder.and_(builder.lshr(word, builder.and_(at, I64(63))), I64(1))
        inside = builder.icmp_unsigned("<", at, I64(64))
        tests.append(builder.select(inside, bit, I64(0)))
    return builder.icmp_signed("!=", joined(tests, builder.or_), I64(0))


def _is_in(cards: Any, card: Any) -> Any:
    if is_number(cards):
        raise refusal("`in` asks for a set of cards")
    if not isinstance(cards, Cards):
        return None
    if not is_number(card):
        raise refusal("`in` asks whether a card, a number, is in a set")
    return B


typed(bool, lambda cards: B if isinstance(cards, Cards) else None)
typed(operator.not_, lambda cards: B if isinstance(cards, Cards) else None)
typed(len, lambda cards: N if isinstance(cards, Cards) else None)
typed(operator.contains, _is_in)


call = MACHINE.call


def made_intrinsic(params: int, make: Callable[..., Any]) -> Any:
    """Return an intrinsic of so many parameters; `make` finds its types and what writes it."""
    names = "".join(f", x{k}" for k in range(params))
    space = {"make": make}
    text = f"def made(context{names}):\n    return make({names[2:]})"
    exec(text, space)  # noqa: S102 (Numba wants a parameter for each argument)
    return extending.intrinsic(space["made"])


def lowered(write: Callable[..., Any]) -> Callable[..., Any]:
    """Return a lowering function of what writes an instruction for values."""

    def lower(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        value = write(builder, *args)
        return context.get_dummy_value() if value is None else value

    return lower


def _makers(kind: Cards, numbers: int) -> tuple[Any, ...]:
    """Return the words that make sets: of an item, of words, of one word, of nothing."""
    width, beyond = kind.width, numbers > 64 * kind.width

    def one(builder: Any, card: Any) -> Any:
        bit = builder.shl(I64(1), builder.and_(card, I64(63)))
        if width == 1 and not beyond:
            return bit
        place = builder.ashr(card, I64(6))
        words = []
        for k in range(width):
            here = builder.zext(builder.icmp_signed("==", place, I64(k)), I64)
            words.append(builder.shl(here, builder.and_(card, I64(63))))
        return whole_set(builder, words)

    def item(x: Any) -> Any:
        if isinstance(x, Cards):
            return kind(kind), lowered(lambda _builder, cards: cards)
        if not is_number(x):
            raise refusal("a card is a whole number, and sets have no others")
        return kind(N), lowered(one)

    def of_words(*_: Any) -> Any:
        return kind(*[N] * width), lowered(lambda builder, *words: whole_set(builder, words))

    def first_word(x: Any) -> Any:
        rest = [I64(0)] * (width - 1)
        return kind(N), lowered(lambda builder, word: whole_set(builder, [word, *rest]))

    def nothing() -> Any:
        return kind(), lowered(lambda builder: whole_set(builder, [I64(0)] * width))

    return (
        made_intrinsic(1, item),
        made_intrinsic(width, of_words),
        made_intrinsic(1, first_word),
        made_intrinsic(0, nothing),
    )
