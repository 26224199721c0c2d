"""The types of a unit as ordinary Python, for Numba's simulator of a GPU: numbers of flat arrays.

What a `Row` type knows of a field, where it begins and its strides, is read here at each access, so
that kernels can be tried without a device.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from simcore.compiler import plain_words
from simcore.compiler.int64 import signed
from simcore.compiler.state import Cards, Wrong
from simcore.rng import MASK

_MISTAKES = (Wrong, ArithmeticError, LookupError, TypeError, ValueError)


class Numbers(NamedTuple):
    """What stands behind a state or options: the kind of it, and two arrays."""

    kind: SimpleNamespace
    arrays: Any
    first: int
    stride: int


def numbers_of(row: Row) -> Numbers:
    """Return the numbers of a state or options."""
    return row.__dict__["."]  # type: ignore[no-any-return]


class Row:
    """A state or options: fields by name."""

    def __init__(self, numbers: Numbers) -> None:
        self.__dict__["."] = numbers  # a name that no field has

    def __getattr__(self, name: str) -> Any:
        kind = numbers_of(self).kind
        fields = kind.fields
        if name == "count" and name not in fields:
            return _Counts(self)
        is_place = name not in fields
        name = name[1:] if is_place else name
        at, steps, _, *more = fields[name]
        if kind.is_options and more and not steps:
            return more[0]
        part = _Part(self, name, at, steps, is_place=is_place)
        return part if steps or is_place else part.value

    def __setattr__(self, name: str, value: Any) -> None:
        at, steps, *_ = numbers_of(self).kind.fields[name]
        _Part(self, name, at, steps, is_place=False).value = value


class _Counts:
    def __init__(self, row: Row) -> None:
        self.__dict__["."] = row

    def __getattr__(self, name: str) -> Any:
        is_place = name.startswith("_")
        title = f"__count_{name[1:]}" if is_place else f"_count_{name}"
        return getattr(self.__dict__["."], title)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self.__dict__["."], f"_count_{name}", value)


class _Part:
    """A column of a field, or one value of it, or the place where a value stands."""

    def __init__(self, row: Row, name: str, at: int, steps: Any, *, is_place: bool) -> None:
        self.row, self.name, self.at, self.steps = row, name, at, steps
        self.is_place = is_place
        self.numbers = numbers_of(row)
        self.field = self.numbers.kind.fields[name]

    def _number_at(self, at: int, value: int | None = None) -> int:
        """Return the number at a place of the field's array, which may get another one."""
        kind, arrays, first, stride = self.numbers
        is_single = kind.is_options or self.name in kind.singles
        array, place = (arrays[0], at) if is_single else (arrays[1], first + at * stride)
        if value is not None:
            array[place] = signed(int(value))
        return int(array[place])

    @property
    def value(self) -> Any:
        """The value that stands here."""
        if self.field[2] == "s":
            words = (self._number_at(self.at + k) & MASK for k in range(self.numbers.kind.width))
            return Cards(sum(word << 64 * k for k, word in enumerate(words)))
        number = self._number_at(self.at)
        return struct.unpack("d", struct.pack("q", number))[0] if self.field[2] == "f" else number

    @value.setter
    def value(self, value: Any) -> None:
        is_set = self.field[2] == "s"
        for k in range(self.numbers.kind.width if is_set else 1):
            self._number_at(self.at + k, value.word >> 64 * k if is_set else value)

    cards = number = value

    @property
    def order(self) -> _Order:
        """Of a place with an order: the cards from the bottom up."""
        return _Order(self, self.at + self.numbers.kind.width)

    @property
    def seen(self) -> _Order:
        """Of a place with an order: the seats that have seen each card."""
        return _Order(self, self.at + self.numbers.kind.width + self.field[3])

    def _at(self, index: int) -> _Part:
        at, steps = self.at + int(index) * self.steps[0], self.steps[1:]
        return _Part(self.row, self.name, at, steps, is_place=self.is_place)

    def __getitem__(self, index: int) -> Any:
        part = self._at(index)
        return part if part.steps or self.is_place else part.value

    def __setitem__(self, index: int, value: Any) -> None:
        self._at(index).value = value


class _Order(NamedTuple):
    """The numbers of a place with an order, from the bottom up."""

    part: _Part
    at: int

    def __getitem__(self, index: Any) -> Any:
        return self.part._number_at(self.at + int(index))

    def __setitem__(self, index: int, value: int) -> None:
        self.part._number_at(self.at + int(index), value)


def on_device(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, which is given numbers of Python, as numpy's wrap around."""

    def called(*args: Any) -> Any:
        return function(*(int(arg) if isinstance(arg, np.integer) else arg for arg in args))

    return called


def from_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function as a kernel calls it: what it does wrong is noted as a fault."""

    def called(s: Any, *args: Any) -> Any:
        try:
            return function(s, *args)
        except _MISTAKES:
            s._fault = 1
            return 1

    return called


def table(values: Any) -> Any:
    """Return a constant table."""
    return values


def rows(
    fields: Any, singles: frozenset[str], options: Any, players: int, width: int, numbers: int
) -> tuple[Any, ...]:
    """Return what states and options are, and the words that make sets of cards."""
    del players, numbers
    state = SimpleNamespace(fields=fields, singles=singles, width=width, is_options=False)
    given = SimpleNamespace(fields=options, singles=(), width=width, is_options=True)
    words = plain_words.WORDS

    def item(x: Any) -> Cards:
        return Cards(words["_item"](x).word & (1 << 64 * width) - 1)

    return state, given, item, *(words[name] for name in ("_set", "cards_in", "_none"))


def words() -> Mapping[str, Any]:
    """Return the words that are instructions; what may go wrong raises `Wrong`."""
    return {
        **plain_words.WORDS,
        "_is_ordered": lambda place: bool(place.field[3]),
        "_room": lambda place: place.field[3],
        "_viewers": _viewers,
    }


def _viewers(o: Any, _s: Any, place: Any) -> int:
    at, steps, _, _, masks = place.field
    holder = (place.at - at) // steps[0] if len(masks[0]) > 1 else 0
    return masks[o.players][holder]  # type: ignore[no-any-return]


def start_of(kind: SimpleNamespace) -> Callable[..., Row]:
    """Return what makes a state or options of arrays; see `device_types`."""
    return lambda one, other, first, stride: Row(
        Numbers(kind, (one, other), int(first), int(stride))
    )


def same_as(kind: SimpleNamespace) -> Callable[[Row], Row]:
    """Return what gives a state or options of one unit to another."""
    return lambda row: Row(numbers_of(row)._replace(kind=kind))
