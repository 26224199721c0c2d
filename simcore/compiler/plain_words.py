"""Words that are instructions of the processor, and the checked operators, for plain Python.

The names are those of `instructions`, which has the same for Numba. What compiled code notes as a
fault of the state is told here, in words for whoever wrote the rules.
"""

from __future__ import annotations

import operator
from collections import defaultdict
from collections.abc import Callable
from math import exp, sqrt
from typing import Any

from simcore.compiler import refusals
from simcore.compiler.state import Cards, Pile, Place, Wrong, word_of

MASK = (1 << 64) - 1
LEAST, MOST = -(1 << 63), (1 << 63) - 1
EXACT = 1 << 53
"""Up to here floats hold every whole number."""

MOST_LOOPS = 1_000_000
"""Turns of loops in one step, after which it is taken not to end: about a second. Choosing among
the sets of a deck of DN-UP with many equal values has taken 64,000."""


def signed(word: int) -> int:
    """Return 64 bits as a whole number with a sign."""
    word &= MASK
    return word - (1 << 64) if word >> 63 else word


def _extract(word: int, mask: int) -> int:
    return sum((word >> bit & 1) << place for place, bit in enumerate(Cards(mask & MASK)))


def _deposit(pattern: int, word: int) -> int:
    bits = enumerate(Cards(word & MASK))
    return signed(sum(1 << bit for place, bit in bits if pattern >> place & 1))


def _rotl(word: int, places: int) -> int:
    places &= 63
    return signed((word << places) | ((word & MASK) >> (64 - places)))


def _set(*words: int) -> Cards:
    return Cards(sum((word & MASK) << 64 * place for place, word in enumerate(words)))


def _number(value: Any) -> int:
    if isinstance(value, float):
        raise Wrong("a float where a whole number is wanted; write int(…)")
    return int(value)


def _put_feature(numbers: Any, at: int, value: Any) -> None:
    if not isinstance(value, Cards):
        numbers[at] = int(value) if isinstance(value, bool) else value
        return
    for place, word in enumerate((value.w0, value.w1, value.w2, value.w3)):
        if place == 0 or word:  # a set has as many words as the game's
            numbers[at + place] = word & MASK


WORDS: dict[str, Callable[..., Any]] = {
    # Python's own
    **{function.__name__: function for function in (abs, bool, len, max, min, range)},
    "_exp": exp,
    "_float": float,
    "_int": int,
    "_number": _number,
    "_sqrt": sqrt,
    "_among": lambda value, *others: value in others,
    # bits of a number
    "popcount": lambda word: (word & MASK).bit_count(),
    "lowest_bit": lambda word: (word & -word).bit_length() - 1,
    "highest_bit": lambda word: (word & MASK).bit_length() - 1,
    "nth_bit": lambda word, index: list(Cards(word & MASK))[index],
    "deposit": _deposit,
    "extract": _extract,
    "shr": lambda word, places: signed((word & MASK) >> places),
    "rotl": _rotl,
    "rarely": bool,
    "_cleared": lambda word: word & word - 1,
    "_divided": lambda a, b: a // b,
    "_modulo": lambda a, b: a % b,
    "_wadd": lambda a, b: signed(a + b),
    "_wmul": lambda a, b: signed(a * b),
    # sets of cards
    "lowest": lambda cards: (cards.word & -cards.word).bit_length() - 1,
    "highest": lambda cards: cards.word.bit_length() - 1,
    "nth": lambda cards, index: list(cards)[index],
    "lower": lambda cards, card: Cards(cards.word & (1 << min(max(card, 0), 256)) - 1),
    "higher": lambda cards, card: Cards(cards.word & -1 << min(max(card + 1, 0), 256)),
    "kinds": lambda cards: Cards((cards.w0 | cards.w1 | cards.w2 | cards.w3) & MASK),
    "bits": lambda cards: signed(cards.word),
    "cards_in": lambda word: Cards(word & MASK),
    "_without_lowest": lambda cards: Cards(cards.word & cards.word - 1),
    "_none": Cards,
    "_set": _set,
    "_item": lambda item: item if isinstance(item, Cards) else Cards(1 << item),
    "_cards": lambda cards: cards if isinstance(cards, Cards) else Cards(word_of(cards)),
    # the rounds
    "_state_behind": lambda s, _place: s.copy(),
    "_numbers_behind": lambda _s, _place: defaultdict(int),
    "_reals_behind": lambda _s, _place: defaultdict(float),
    "_numbers_at": lambda numbers: numbers,
    "_reals_at": lambda numbers: numbers,
    "_address": lambda numbers: numbers,
    "_put_feature": _put_feature,
    "_ask_at": lambda policy, *given: policy(*given),
    "_is_ordered": lambda place: isinstance(place.cards, Pile),
    "_room": lambda _place: 256,
    "_seldom": lambda: None,
}
"""Words without a check, by name."""


# -------------------------------------------------------------------------------- checked operators


def within(value: Any) -> Any:
    """Return a number that compiled code can hold, too."""
    if isinstance(value, int) and not LEAST <= value <= MOST:
        raise Wrong(f"{value} is beyond 64 bits")
    return value


def _beside(a: Any, b: Any) -> None:
    """Refuse a whole number beside a float that does not hold it."""
    if type(a) is type(b):  # as most are
        return
    for one, other in ((a, b), (b, a)):
        if isinstance(one, float) and isinstance(other, int) and not -EXACT <= other <= EXACT:
            raise Wrong(f"{other} beside a float, which holds whole numbers up to 2**53 exactly")


def _add(_s: Any, a: Any, b: Any) -> Any:
    _beside(a, b)
    return within(a + b)


def _sub(_s: Any, a: Any, b: Any) -> Any:
    _beside(a, b)
    return within(a - b)


def _mul(_s: Any, a: Any, b: Any) -> Any:
    _beside(a, b)
    product = a * b
    if isinstance(product, int) and not LEAST <= product <= MOST:
        raise Wrong(f"{a} × {b} is beyond 64 bits")
    return product


def _of_two(compare: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return a comparison that takes the state, too."""
    return lambda _s, a, b: compare(a, b)


def _largest(choose: Callable[[Any, Any], Any]) -> Callable[..., Any]:
    """Return what chooses the larger or smaller of two numbers."""

    def chosen(_s: Any, a: Any, b: Any) -> Any:
        _beside(a, b)
        return choose(a, b)

    return chosen


def _ratio(_s: Any, a: Any, b: Any) -> float:
    _beside(a, 0.0)
    _beside(b, 0.0)
    return a / b  # type: ignore[no-any-return]


def _left(_s: Any, a: int, b: int) -> int:
    if not 0 <= b < 64:
        raise Wrong(f"<< {b}: from 0 to 63")
    return signed(a << b)


def _right(_s: Any, a: int, b: int) -> int:
    if b < 0:
        raise Wrong(f">> {b}: from 0 on")
    return a >> b


def _shr(_s: Any, word: int, places: int) -> int:
    if not 0 <= places < 64:
        raise Wrong(f"shr by {places}: from 0 to 63")
    return signed((word & MASK) >> places)


def _whole(_s: Any, value: Any) -> int:
    if not LEAST <= value <= MOST:
        raise Wrong(f"int({value}): whole numbers have 64 bits")
    return int(value)


def _index(_s: Any, at: Any, count: int) -> int:
    if not 0 <= at < count:
        raise Wrong(f"[{at}] of {count}: indices go from 0 to {count - 1}")
    return _number(at)


def _small(_s: Any, value: int, count: int) -> int:
    if not 0 <= value < count:
        raise Wrong(f"{value} of {count}: from 0 to {count - 1}")
    return value


def _short(_s: Any, value: int) -> int:
    if not -(1 << 31) <= value < 1 << 31:
        raise Wrong(f"{value} is beyond 32 bits")
    return value


def _bound(_s: Any, bound: int) -> int:
    if bound < 1:
        raise Wrong(f"a number below {bound} is to be drawn")
    if bound > 1 << 32:
        raise Wrong(f"below(s, …, {bound}): from 1 to {1 << 32}")
    return bound


def _stride(_s: Any, step: int) -> int:
    if not step:
        raise Wrong("range() arg 3 must not be zero: the loop would not end")
    return step


def _stored(_s: Any, value: Any) -> int:
    if isinstance(value, float):
        raise Wrong(refusals.NO_FLOAT)
    return int(value)


def _wrong(_s: Any, why: str) -> None:
    raise Wrong(why)


def _no_winners(winners: int, players: int) -> str:
    seats = f"bits of {players} seats, as best_seats(s, False) or 1 << seat"
    return f"end_match(s, {winners}): winners are {seats}"


def _unequal(mate: int, seat: int, one: int, other: int) -> str:
    has = f"seats {mate} and {seat} of a team have {one} and {other}"
    return f"{has}: a team has one total, at each of its seats"


CHECKED: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (
        *(_add, _sub, _mul, _ratio, _left, _right, _shr, _whole, _index),
        *(_small, _short, _bound, _stride, _stored, _wrong, _no_winners, _unequal),
    )
} | {
    "_abs": lambda _s, value: within(abs(value)),
    "_floor": lambda _s, a, b: within(a // b),
    "_mod": lambda _s, a, b: a % b,
    **{
        f"_{name}": _of_two(getattr(operator, name))
        for name in ("lt", "le", "gt", "ge", "eq", "ne")
    },
    "_max": _largest(max),
    "_min": _largest(min),
}


# --------------------------------------------------------------------------------- words of a game


_OWN = "because weigh _tick _copy_state _card _viewers _elsewhere _already _applied"
"""Words that `Words` has as methods."""


class Words:
    """The words of a game's functions, as far as they are no functions themselves.

    Attributes
    ----------
    loops : int
        Turns of loops in the current step.
    reasons : list
        What policies told of their last decision (`because`, `weigh`).
    places : int
        Numbers that a set can hold.
    numbers : int
        Cards that rules may name; where the deck depends on options, those beyond `places` are in
        no set.
    """

    def __init__(self, unit: Any) -> None:
        self.program = unit.program
        self.loops = 0
        self.reasons: list[tuple[str, Any]] = []
        self.places, self.numbers = 64 * unit.width, unit.numbers

    def space(self) -> dict[str, Any]:
        """Return all words by name."""
        return WORDS | CHECKED | {name: getattr(self, name) for name in _OWN.split()}

    def because(self, reason: str, *values: Any) -> None:
        """Note why a policy decides so."""
        self.reasons.append(("because", (reason, *values)))

    def weigh(self, move: int, worth: Any) -> None:
        """Note what a policy found a move worth."""
        self.reasons.append(("weigh", (move, float(worth))))

    def _tick(self, _s: Any) -> bool:
        """Count a turn of a loop."""
        self.loops += 1
        if self.loops > MOST_LOOPS:
            raise Wrong(f"a loop that does not end: {MOST_LOOPS:,} turns of loops in one step")
        return False

    def _copy_state(self, s: Any, source: Any, _count: int) -> None:
        """Let a search begin anew from a state."""
        self.loops = 0
        s.copy_from(source)
        s.streams.setdefault(("ASIDE", 0), [0, 0])

    def _card(self, _s: Any, item: Any) -> Cards:
        """Return a card as the set of itself; a set as it is."""
        if isinstance(item, Cards):
            return item
        if not 0 <= item < self.numbers:
            raise Wrong(
                f"there is no card {item}: sets of this game hold numbers from 0 to "
                f"{self.numbers - 1}, and a set without any is set(); "
                f"{self.program.instead_of_legal}"
            )
        return Cards(1 << item if item < self.places else 0)

    def _viewers(self, o: Any, _s: Any, place: Place) -> int:
        """Return the seats that see what lies in a place, as bits."""
        declared = self.program.fields[place.name]
        holder = place.indices[0] if declared.per_seat else 0
        return self.program.seating.viewers(declared, holder, o.players)  # type: ignore[no-any-return]

    def _named(self, cards: Any) -> str:
        """Return the names of some cards, for a sentence."""
        return self.program.deck.names(cards) if self.program.deck else str(cards)

    def _elsewhere(self, word: str, more: str, cards: Cards, source: Place) -> str:
        here = source.cards
        return (
            f"{word}() of {self._named(cards - here)}, not in {source}, which has "
            f"{self._named(here)}; it is {word}(what, where it lies, where it goes{more})"
        )

    def _already(self, s: Any, cards: Cards) -> str:
        places = ((name, *place) for name in self.program.places for place in s.sets_of(name))
        where = next(name for name, holder, key in places if holder[key] & cards)
        return (
            f"bring() of {self._named(cards)}, which lies in s.{where} already; "
            "move(what, from, to) moves it"
        )

    def _applied(self, decision: int) -> str:
        """Return the step that carries a decision out."""
        names = {number: name for name, number in self.program.decisions.items()}
        return f"step apply_{names[decision].lower()}"
