"""The state of a match as ordinary Python: what functions work on when nothing is compiled.

Fields are attributes and lists, `s.hand[seat]`; places (`s._hand[seat]`), counts and streams are
small objects with the attributes that `numba_types` gives theirs. What may go wrong is checked by
the functions themselves (`plain_words`), in words for whoever wrote the rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from simcore import rng
from simcore.compiler import refusals
from simcore.compiler.program import Program
from simcore.language import FLOAT, Field, Kind, ordered
from simcore.options import Options

MATCH_OVER, ROUND_OVER = 0, 1
"""Phases in which nobody decides."""

ENGINE = ("_seed", "_key", "_fault", "_illegal", "_looker")
"""Numbers of the state that rules do not read."""


class Wrong(Exception):  # noqa: N818, RUF100
    """Rules do what they may not."""


# ----------------------------------------------------------------------------------- sets of cards


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
        return isinstance(other, (Cards, set, frozenset)) and self.word == word_of(other)

    def __hash__(self) -> int:
        return hash(self.word)

    def __or__(self, other: Any) -> Cards:
        return Cards(self.word | word_of(other))

    def __and__(self, other: Any) -> Cards:
        return Cards(self.word & word_of(other))

    def __sub__(self, other: Any) -> Cards:
        return Cards(self.word & ~word_of(other))

    def __xor__(self, other: Any) -> Cards:
        return Cards(self.word ^ word_of(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __lt__(self, other: Any) -> bool:
        raise Wrong(refusals.NO_ORDER)

    __le__ = __gt__ = __ge__ = __lt__

    def __add__(self, other: Any) -> Any:
        raise Wrong(refusals.NO_MIX)

    __radd__ = __mul__ = __rmul__ = __floordiv__ = __mod__ = __lshift__ = __rshift__ = __add__
    __truediv__ = __add__

    def __index__(self) -> int:
        raise Wrong(refusals.NO_NUMBER)

    __int__ = __neg__ = __invert__ = __index__

    def __getattr__(self, name: str) -> int:
        """Return a word of the set, `w0` to `w3`."""
        if name in ("w0", "w1", "w2", "w3"):
            return self.word >> 64 * int(name[1]) & (1 << 64) - 1
        raise AttributeError(name)

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

    __slots__ = ("_rows",)

    def __init__(self, order: Sequence[int] = (), seen: Sequence[int] = ()) -> None:
        super().__init__(sum(1 << card for card in order))
        self._rows = (tuple(order), tuple(seen or (0 for _ in order)))

    @property
    def order(self) -> tuple[int, ...]:
        """The cards, from the bottom up."""
        return self._rows[0][: len(self)]

    @property
    def seen(self) -> tuple[int, ...]:
        """The seats that have seen each card, as bits."""
        return self._rows[1][: len(self)]

    def changed(self, word: int, row: int = 0, at: int = -1, value: int = 0) -> Pile:
        """Return the pile with another set of cards, or another number at a place of a row.

        Rows keep their numbers beyond the cards, as words that move a card shift them first.
        """
        other = Pile.__new__(Pile)
        other.word, other._rows = word, self._rows
        if at >= 0:
            rows = [list(part) for part in self._rows]
            rows[row][at : at + 1] = [value]
            rows[1 - row] += [0] * (len(rows[row]) - len(rows[1 - row]))
            other._rows = (tuple(rows[0]), tuple(rows[1]))
        return other


def no_cards(kind: Kind) -> Cards:
    """Return an empty set of cards, in the form of a place."""
    return Pile() if kind is ordered else Cards()


def word_of(cards: Any) -> int:
    """Return the bits of a set of cards."""
    if isinstance(cards, Cards):
        return cards.word
    if isinstance(cards, (set, frozenset)):
        return sum(1 << card for card in cards)
    raise Wrong(refusals.NO_MIX)


# ------------------------------------------------------------------ places, counts, streams, tables


class Place:
    """Where cards lie: `cards`, and where they have an order, `order[k]` and `seen[k]`."""

    __slots__ = ("_holder", "_key", "indices", "name")

    def __init__(self, name: str, indices: tuple[int, ...], holder: Any, key: Any) -> None:
        self.name, self.indices, self._holder, self._key = name, indices, holder, key

    @property
    def cards(self) -> Cards:
        """The cards that lie there."""
        return self._holder[self._key]  # type: ignore[no-any-return]

    @cards.setter
    def cards(self, cards: Cards) -> None:
        here, word = self.cards, cards.word
        self._holder[self._key] = here.changed(word) if isinstance(here, Pile) else Cards(word)

    @property
    def order(self) -> _Row:
        """The cards from the bottom up, by place."""
        return _Row(self, 0)

    @property
    def seen(self) -> _Row:
        """The seats that have seen each, as bits."""
        return _Row(self, 1)

    def __getitem__(self, index: int) -> Place:
        return Place(self.name, (*self.indices, index), self._holder[self._key], index)

    def __str__(self) -> str:
        return f"s.{self.name}" + "".join(f"[{index}]" for index in self.indices)


class _Row:
    """A row of numbers of a place with an order."""

    __slots__ = ("_place", "_row")

    def __init__(self, place: Place, row: int) -> None:
        self._place, self._row = place, row

    def __getitem__(self, at: int) -> int:
        pile: Any = self._place.cards
        return pile._rows[self._row][at]  # type: ignore[no-any-return]

    def __setitem__(self, at: int, value: int) -> None:
        place = self._place
        pile: Any = place.cards
        place._holder[place._key] = pile.changed(pile.word, self._row, at, value)


class Counts:
    """The counts of a match, by name."""

    __slots__ = ("numbers",)

    numbers: dict[str, int]

    def __init__(self, numbers: dict[str, int]) -> None:
        object.__setattr__(self, "numbers", numbers)

    def __getattr__(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        if name.startswith("_"):
            return _Count(self.numbers, name[1:])
        return _CountsOf(self.numbers, name)

    def __setattr__(self, name: str, value: int) -> None:
        self.numbers[name] = value


class _Count:
    """One count, as words change it: its `number`."""

    __slots__ = ("_name", "_numbers")

    def __init__(self, numbers: dict[str, int], name: str) -> None:
        self._numbers, self._name = numbers, name

    @property
    def number(self) -> int:
        """What has been counted; 0 of what is not."""
        return self._numbers.get(self._name, 0)

    @number.setter
    def number(self, number: int) -> None:
        if self._name in self._numbers:
            self._numbers[self._name] = number


class _CountsOf:
    """The counts of one name, for each card or seat."""

    def __init__(self, numbers: dict[str, int], name: str) -> None:
        self._numbers, self._name = numbers, name

    def __getitem__(self, index: int) -> int:
        return self._numbers[f"{self._name}_{index}"]

    def __setitem__(self, index: int, value: int) -> None:
        self._numbers[f"{self._name}_{index}"] = value


_PURPOSE = {"DEAL": rng.DEAL, "CHANCE": rng.CHANCE, "MATCH": rng.MATCH}


class Streams(dict[tuple[str, int], list[int]]):
    """The streams of a match, two words each; one that nobody has opened begins with the round."""

    def __init__(self, s: S, streams: Iterable[tuple[tuple[str, int], list[int]]] = ()) -> None:
        super().__init__(streams)
        self.s = s

    def __missing__(self, key: tuple[str, int]) -> list[int]:
        name, index = key
        s, number, purpose = self.s, self.s.round_number, _PURPOSE.get(name, 0)
        if name in ("SEAT", "OTHER"):
            number += rng.ASIDE if name == "OTHER" else 0
            purpose = rng.FIRST_SEAT_STREAM + index
        elif name == "MATCH":
            number = 0
        elif name == "ASIDE":
            raise Wrong(
                f"the stream {name} is not open; rules draw from DEAL and CHANCE, policies from "
                "SEAT(seat)"
            )
        self[key] = rng.opened(s._seed, s.match_number, number, purpose)
        return self[key]


class Stream:
    """A stream as words change it: its two words, which are kept without a sign."""

    def __init__(self, words: list[int]) -> None:
        self._words = words

    def __getitem__(self, place: int) -> int:
        return self._words[place]

    def __setitem__(self, place: int, word: int) -> None:
        self._words[place] = word & rng.MASK


class _OfSeats:
    """The streams of the seats."""

    def __init__(self, streams: Streams, name: str) -> None:
        self._streams, self._name = streams, name

    def __getitem__(self, seat: int) -> Stream:
        return Stream(self._streams[self._name, seat])


class OptionValues:
    """The options as rules read them, `o.name`."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


# --------------------------------------------------------------------------------------- the state


class S:
    """The state of a match; fields as declared, those of `program.ENGINE_FIELDS`, and `count`."""

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, program: Program, players: int, options: Options) -> None:
        put = self.__dict__
        put["players"] = players
        put["options"] = options
        put.update(dict.fromkeys(ENGINE, 0))
        for name, field in program.fields.items():
            start = float(field.start) if field.kind is FLOAT else field.start
            empty = no_cards(field.kind) if program.is_set(field.kind) else start
            self.fill(name, field, empty)
        put["count"] = Counts(dict.fromkeys(program.metrics, 0))
        put["streams"] = Streams(self)

    def __getattr__(self, name: str) -> Any:
        """Return what begins with `_`: a stream, a place of cards, where nothing is counted."""
        inner = name[1:]
        if name[:1] != "_" or name.startswith("__"):
            raise Wrong(f"the state has no `{name}`")
        if inner in ("SEAT", "OTHER"):
            return _OfSeats(self.streams, inner)
        if inner.isupper():
            return Stream(self.streams[inner, 0])
        if inner == "uncounted_place":
            return _Count({}, inner)
        return Place(inner, (), self.__dict__, inner)

    def fill(self, name: str, field: Field, value: Any) -> None:
        """Give a field one value, in all seats and at all its indices."""

        def held() -> Any:
            return [value] * field.many if field.many else value

        self.__dict__[name] = [held() for _ in range(self.players)] if field.per_seat else held()

    def sets_of(self, name: str, *, but: Collection[int] = ()) -> Iterator[tuple[Any, Any]]:
        """Yield (container, key) of a field's sets of cards, but for those of the seats `but`."""
        value = self.__dict__[name]
        if not isinstance(value, list):
            yield self.__dict__, name
            return
        for index, held in enumerate(value):
            if index not in but:
                inner = isinstance(held, list)
                yield from ((held, k) for k in range(len(held))) if inner else [(value, index)]

    def copy(self) -> S:
        """Return the state as it is now, which later moves do not change."""
        other = S.__new__(S)
        other.copy_from(self)
        return other

    def copy_from(self, source: S) -> None:
        """Become like another state."""
        put = self.__dict__
        for name, value in source.__dict__.items():
            if isinstance(value, list):
                put[name] = [list(v) if isinstance(v, list) else v for v in value]
            elif name == "streams":
                put[name] = Streams(self, ((key, list(words)) for key, words in value.items()))
            elif isinstance(value, Counts):
                put[name] = Counts(dict(value.numbers))
            else:
                put[name] = value
