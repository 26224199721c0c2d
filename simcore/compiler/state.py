"""The state of a match as ordinary Python: fields, sets of cards and counts, all checked.

A wrong index, a number beyond 64 bits or an unknown field raises `Wrong`, in words for whoever
wrote the rules.
"""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from simcore.compiler.program import Namespace, Program
from simcore.language import Field, Kind, ordered
from simcore.options import Options

MATCH_OVER, ROUND_OVER = 0, 1
"""Phases in which nobody decides."""

ROW_BITS = 32
"""Bits of a total or a count in a row."""


class Wrong(Exception):  # noqa: N818, RUF100
    """Rules do what they may not."""


class Cards:
    """A set of cards; never changed."""

    __slots__ = ("word",)

    def __init__(self, word: int = 0) -> None:
        self.word = word

    @classmethod
    def of(cls, cards: Iterable[int]) -> Cards:
        """Return the set of some cards."""
        word = 0
        for card in cards:
            if not 0 <= card < 256:
                raise Wrong(f"there is no card {card}; a set without any is set()")
            word |= 1 << card
        return cls(word)

    def __iter__(self) -> Iterator[int]:
        word = self.word
        while word:
            yield (word & -word).bit_length() - 1
            word &= word - 1

    def __contains__(self, card: int) -> bool:
        return card >= 0 and bool(self.word >> card & 1)

    def __len__(self) -> int:
        return self.word.bit_count()

    def __bool__(self) -> bool:
        return self.word != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Cards, set, frozenset)) and self.word == _word_of(other)

    def __hash__(self) -> int:
        return hash(self.word)

    def __or__(self, other: Any) -> Cards:
        return Cards(self.word | _word_of(other))

    def __and__(self, other: Any) -> Cards:
        return Cards(self.word & _word_of(other))

    def __sub__(self, other: Any) -> Cards:
        return Cards(self.word & ~_word_of(other))

    def __xor__(self, other: Any) -> Cards:
        return Cards(self.word ^ _word_of(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __repr__(self) -> str:
        return f"{{{', '.join(map(str, self))}}}"


class Pile(Cards):
    """Cards in an order, with the seats that have seen each where it lies; never changed.

    Parameters
    ----------
    order : sequence of int
        From the bottom up.
    seen : sequence of int
        Of each card the seats, as bits.
    """

    __slots__ = ("order", "seen")

    def __init__(self, order: Sequence[int] = (), seen: Sequence[int] = ()) -> None:
        super().__init__(sum(1 << card for card in order))
        self.order, self.seen = tuple(order), tuple(seen or (0 for _ in order))

    def slot(self, k: int) -> int:
        """Return the place from the bottom of the card below k others."""
        if not 0 <= k < len(self.order):
            raise Wrong(f"card {k} from the top of {len(self.order)}: from 0, the top card")
        return len(self.order) - 1 - k

    def top(self, k: int) -> int:
        """Return the card below k others."""
        return self.order[self.slot(k)]

    def without(self, card: int) -> tuple[Pile, int]:
        """Return the other cards, and the seats that have seen this one."""
        slot = self.order.index(card)
        rest = [_without(row, slot) for row in (self.order, self.seen)]
        return Pile(*rest), self.seen[slot]

    def with_card(self, card: int, k: int, seen: int) -> Pile:
        """Return the cards with one more, below k others."""
        if not 0 <= k <= len(self.order):
            raise Wrong(f"below {k} cards of {len(self.order)}: from 0, on top, to {len(self)}")
        slot = len(self.order) - k
        order = (*self.order[:slot], card, *self.order[slot:])
        return Pile(order, (*self.seen[:slot], seen, *self.seen[slot:]))

    def cut(self, k: int) -> Pile:
        """Return the cards with the k on top below the others."""
        if not 0 <= k <= len(self.order):
            raise Wrong(f"cut(…, {k}) of {len(self.order)} cards: from 0 to {len(self)}")
        slot = len(self.order) - k
        return Pile(*(row[slot:] + row[:slot] for row in (self.order, self.seen)))

    def with_seen(self, k: int, seats: int) -> Pile:
        """Return the cards, of which seats see the one below k others."""
        slot, seen = self.slot(k), list(self.seen)
        seen[slot] |= seats
        return Pile(self.order, seen)

    def dealt_anew(self, seat: int, cards: Iterator[int]) -> Pile:
        """Return the pile with other cards where a seat has seen none."""
        pairs = zip(self.order, self.seen, strict=True)
        order = [card if seen >> seat & 1 else next(cards, card) for card, seen in pairs]
        return Pile(order, self.seen)

    def unseen(self, seat: int) -> Cards:
        """Return the cards of a place that a seat has not seen."""
        pairs = zip(self.order, self.seen, strict=True)
        return Cards.of(card for card, seen in pairs if not seen >> seat & 1)


def _without(row: tuple[int, ...], slot: int) -> tuple[int, ...]:
    return row[:slot] + row[slot + 1 :]


def no_cards(kind: Kind) -> Cards:
    """Return an empty set of cards, in the form of a place."""
    return Pile() if kind is ordered else Cards()


def _word_of(cards: Any) -> int:
    if isinstance(cards, Cards):
        return cards.word
    if isinstance(cards, (set, frozenset)):
        return sum(1 << card for card in cards)
    raise Wrong(f"{cards!r} is no set of cards; the set of one card is {{card}}")


class Checked(list):  # type: ignore[type-arg]
    """Numbers or sets by index: from 0, never from the end, none beyond."""

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise Wrong(_outside(index, len(self)))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not 0 <= index < len(self):
            raise Wrong(_outside(index, len(self)))
        old = super().__getitem__(index)
        super().__setitem__(index, _fitting(old, value, self.bits))

    bits = 64
    """How many each number has."""


class Totals(Checked):
    """Numbers that are written to rows, as 32 bits."""

    bits = ROW_BITS


def _outside(index: Any, count: int) -> str:
    return f"[{index}] of {count}: indices go from 0 to {count - 1}"


def _fitting(old: Any, value: Any, bits: int = 64) -> Any:
    if isinstance(old, Cards):
        return value if isinstance(value, Cards) else Cards(_word_of(value))
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if type(value) is not int:
        if isinstance(value, (int, np.integer)):
            value = int(value)
        else:
            raise Wrong(
                f"{value!r} is no whole number, and the state holds no others; write int(…)"
            )
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Wrong(f"{value} is beyond {bits} bits")
    return value


def within(value: Any) -> Any:
    """Return a number that compiled code can hold, too."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise Wrong(f"{value} is beyond 64 bits")
    return value


def checked(value: Any) -> Any:
    """Return a table of which every index is checked, a set as one of cards."""
    if isinstance(value, (set, frozenset)):
        return Cards.of(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return Checked(checked(part) for part in value)
    return value


class Counts:
    """The counts of a match, by name."""

    __slots__ = ("numbers",)

    numbers: dict[str, int]

    def __init__(self, numbers: dict[str, int]) -> None:
        object.__setattr__(self, "numbers", numbers)

    def __getattr__(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        if f"{name}_0" in self.numbers:
            return CountsOf(self.numbers, name)
        raise Wrong(f"no count `{name}`; there are {', '.join(self.numbers)}")

    def __setattr__(self, name: str, value: int) -> None:
        if name not in self.numbers:
            raise Wrong(f"no count `{name}`; there are {', '.join(self.numbers)}")
        self.numbers[name] = _fitting(0, value, ROW_BITS)


class CountsOf:
    """The counts of one name, for each card or seat."""

    def __init__(self, numbers: dict[str, int], name: str) -> None:
        self.numbers, self.name = numbers, name

    def _key(self, index: int) -> str:
        key = f"{self.name}_{index}"
        if key not in self.numbers:
            raise Wrong(f"[{index}] of the counts `{self.name}`")
        return key

    def __getitem__(self, index: int) -> int:
        return self.numbers[self._key(index)]

    def __setitem__(self, index: int, value: int) -> None:
        self.numbers[self._key(index)] = _fitting(0, value, ROW_BITS)


class S:
    """The state of a match; fields as declared, those of `program.ENGINE_FIELDS`, and `count`."""

    def __init__(self, program: Program, players: int, options: Options) -> None:
        put = self.__dict__
        put["players"] = players
        put["options"] = options
        for name, field in program.fields.items():
            empty = no_cards(field.kind) if program.is_set(field.kind) else field.start
            self.fill(name, field, empty)
        put["count"] = Counts(dict.fromkeys(program.metrics, 0))
        put["streams"] = {}

    def fill(self, name: str, field: Field, value: Any) -> None:
        """Give a field one value, in all seats and at all its indices."""
        held = Checked([value] * field.many) if field.many else value
        kind = Totals if name in ("scores", "deficits") else Checked
        seats = range(self.players)
        self.__dict__[name] = kind(copy.copy(held) for _ in seats) if field.per_seat else held

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Wrong(f"the state has no `{name}`")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise Wrong(f"the state has no `{name}`")
        old = self.__dict__[name]
        value = value if isinstance(old, list) else _fitting(old, value)
        if name in ("seat", "first_seat") and not 0 <= value < self.players:
            raise Wrong(
                f"s.{name} = {value} of {self.players} players: from 0 to {self.players - 1}"
            )
        if name == "aborted" and value not in (0, 1):
            raise Wrong(f"s.aborted = {value}: 0 or 1; abort(s) ends a match without a winner")
        self.__dict__[name] = value

    def sets_of(self, name: str, *, but: Collection[int] = ()) -> Iterator[tuple[Any, Any]]:
        """Yield (container, key) of a field's sets of cards, but for those of the seats `but`."""
        value = self.__dict__[name]
        if not isinstance(value, Checked):
            yield self.__dict__, name
            return
        for index, held in enumerate(value):
            if index not in but:
                inner = isinstance(held, Checked)
                yield from ((held, k) for k in range(len(held))) if inner else [(value, index)]

    def copy(self) -> S:
        """Return the state as it is now, which later moves do not change."""
        other = S.__new__(S)
        for name, value in self.__dict__.items():
            if isinstance(value, Checked):
                copied = type(value)(Checked(v) if isinstance(v, Checked) else v for v in value)
                other.__dict__[name] = copied
            elif name == "streams":
                other.__dict__[name] = {key: list(words) for key, words in value.items()}
            elif isinstance(value, Counts):
                other.__dict__[name] = Counts(dict(value.numbers))
            else:
                other.__dict__[name] = value
        return other


class OptionValues(Namespace):
    """The options as rules read them, `o.name`."""

    def __getattr__(self, name: str) -> Any:
        raise Wrong(f"no option `{name}`; there are {', '.join(self.__dict__)}")
