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
from simcore.compiler.int64 import EXACT, LEAST, MOST, signed
from simcore.compiler.state import Cards, Pile, Place, Wrong, word_of
from simcore.rng import MASK

MOST_LOOPS = 1_000_000
"""Turns of loops in one step, after which it is taken not to end: about a second. Choosing among
the sets of a deck of DN-UP with many equal values has taken 64,000."""


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


# ------------------------------------------------------- what the checked operators are made of


def _wrapped(value: Any) -> Any:
    """Return a number as compiled code has it: whole ones in 64 bits."""
    return signed(value) if isinstance(value, int) else value


def _within(value: Any) -> bool:
    """Tell whether compiled code can hold a number, too."""
    return not isinstance(value, int) or LEAST <= value <= MOST


def _exact(a: Any, b: Any) -> bool:
    """Tell whether no whole number stands beside a float that does not hold it."""
    if type(a) is type(b):  # as most are
        return True
    whole, real = (b, a) if isinstance(a, float) else (a, b)
    return not isinstance(real, float) or -EXACT <= whole <= EXACT


def _stored(value: Any) -> int:
    if isinstance(value, float):
        raise Wrong(refusals.NO_FLOAT)
    return int(value)


def _wrong(_s: Any, why: str) -> None:
    raise Wrong(why)


def _beyond(a: Any, b: Any, result: Any) -> str:
    if _exact(a, b):
        return f"{result} is beyond 64 bits"
    whole = b if isinstance(a, float) else a
    return f"{whole} beside a float, which holds whole numbers up to 2**53 exactly"


def _no_winners(winners: int, players: int) -> str:
    seats = f"bits of {players} seats, as best_seats(s, False) or 1 << seat; 0 where all lose"
    return f"end_match(s, {winners}): winners are {seats}"


def _unequal(mate: int, seat: int, one: int, other: int) -> str:
    has = f"seats {mate} and {seat} of a team have {one} and {other}"
    return f"{has}: a team has one total, at each of its seats"


WORDS |= {f"_{name}": getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")}
WORDS |= {
    function.__name__: function
    for function in (_exact, _stored, _wrong, _beyond, _no_winners, _unequal)
}
WORDS |= {
    "_plus": lambda a, b: _wrapped(a + b),
    "_minus": lambda a, b: _wrapped(a - b),
    "_times": lambda a, b: _wrapped(a * b),
    "_sum_fits": lambda a, b: _exact(a, b) and _within(a + b),
    "_difference_fits": lambda a, b: _exact(a, b) and _within(a - b),
    "_product_fits": lambda a, b: _exact(a, b) and _within(a * b),
    "_fits": lambda value: LEAST <= value <= MOST,
    "_shl": lambda word, places: signed(word << places),
    "_is_card": lambda item, count: isinstance(item, Cards) or 0 <= item < count,
}


# --------------------------------------------------------------------------------- words of a game


_OWN = "because weigh _tick _copy_state _item _no_card _viewers _elsewhere _already _applied"
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
        return WORDS | {name: getattr(self, name) for name in _OWN.split()}

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

    def _item(self, item: Any) -> Cards:
        """Return a card as the set of itself; a set as it is."""
        if isinstance(item, Cards):
            return item
        return Cards(1 << item if item < self.places else 0)

    def _no_card(self, item: int) -> str:
        return (
            f"there is no card {item}: sets of this game hold numbers from 0 to "
            f"{self.numbers - 1}, and a set without any is set(); "
            f"{self.program.instead_of_legal}"
        )

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
