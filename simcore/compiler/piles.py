"""Ordered places over numbers.

Beside the set of its cards an ordered place has them once more from the bottom up
(`NAME_order_`), and for each the seats that have seen it where it lies, as bits (`NAME_seen_`).
How many there are says the set. `state.Pile` is the same in ordinary Python.

The functions at the end are compiled for each ordered field of a game: there `order` and `seen` of
the state are those of the field. `at` is where the numbers of a place begin, `size` how many cards
lie there, `k` how many lie above the one that is meant.
"""

# mypy: disable-error-code="empty-body"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from simcore import language
from simcore.language import NO_CARD

if TYPE_CHECKING:
    from simcore.compiler.program import Program


def room_of(program: Program) -> int:
    """Return how many cards an ordered place has room for."""
    assert program.deck is not None
    return max(len(program.deck.cards), 2)


def words_of(name: str) -> tuple[str, str]:
    """Return the names of the numbers of an ordered place: its order, and who has seen it."""
    return f"{name}_order_", f"{name}_seen_"


def numbers_of_piles(program: Program, name: str, piles: Sequence[Any]) -> dict[str, list[int]]:
    """Return the numbers of ordered places (`state.Pile`) of a field, as the state has them."""
    room = room_of(program)
    numbers: dict[str, list[int]] = {word: [] for word in words_of(name)}
    for pile in piles:
        for word, row in zip(words_of(name), (pile.order, pile.seen), strict=True):
            numbers[word] += [*row, *[0] * (room - len(row))]
    return numbers


@dataclass(frozen=True)
class Zone:
    """A place of cards that a word names.

    Attributes
    ----------
    field : str
    words : list of str
        The words of its set.
    holder : str
        The seat that has it, where each has one.
    is_ordered : bool
    at : str
        Where its numbers begin, if it is ordered.
    """

    field: str
    words: list[str]
    holder: str
    is_ordered: bool = False
    at: str = "0"

    @property
    def size(self) -> str:
        """How many cards lie there."""
        return "(" + " + ".join(f"popcount({word})" for word in self.words) + ")"


def is_ordered(kind: language.Kind) -> bool:
    """Tell whether places of a kind have an order."""
    return kind is language.ordered


# -------------------------------------------------------------- compiled for each ordered field

State: TypeAlias = Any
Options: TypeAlias = Any

ROOM = 0
"""Cards that the place has room for, known when a game is compiled."""


def take(s: State, o: Options, at: int, size: int, card: int) -> int:
    """Take a card away; return the seats that have seen it."""
    if size < 1:
        s.fault = 1
        return 0
    place = at + size - 1
    while place > at and s.order[place] != card:
        place = place - 1
    seats = s.seen[place]
    while place < at + size - 1:
        s.order[place] = s.order[place + 1]
        s.seen[place] = s.seen[place + 1]
        place = place + 1
    return seats  # type: ignore[no-any-return]


def lay(s: State, o: Options, at: int, size: int, k: int, card: int, seats: int) -> None:
    """Lay a card, which some seats have seen."""
    if k < 0 or k > size or size >= ROOM:
        s.fault = 1
    else:
        place = at + size
        while place > at + size - k:
            s.order[place] = s.order[place - 1]
            s.seen[place] = s.seen[place - 1]
            place = place - 1
        s.order[place] = card
        s.seen[place] = seats


def top(s: State, o: Options, at: int, size: int, k: int) -> int:
    """Return the k-th card from the top; note a fault and return 0 if there is none."""
    if k < 0 or k >= size:
        s.fault = 1
        return 0
    return s.order[at + size - 1 - k]  # type: ignore[no-any-return]


def seen(s: State, o: Options, at: int, size: int, k: int, viewers: int, seat: int) -> int:
    """Return a card, if a seat has seen it or sees the place."""
    if k < 0 or k >= size:
        return NO_CARD
    place = at + size - 1 - k
    if (((s.seen[place] | viewers) >> seat) & 1) == 0:
        return NO_CARD
    return s.order[place]  # type: ignore[no-any-return]


def look(s: State, o: Options, at: int, size: int, k: int, seats: int) -> None:
    """Let seats see a card."""
    if k < 0 or k >= size:
        s.fault = 1
    else:
        place = at + size - 1 - k
        s.seen[place] = s.seen[place] | seats


def turn(s: State, o: Options, first: int, last: int) -> None:
    """Turn the order of some cards round."""
    while first < last:
        card = s.order[first]
        s.order[first] = s.order[last]
        s.order[last] = card
        seats = s.seen[first]
        s.seen[first] = s.seen[last]
        s.seen[last] = seats
        first = first + 1
        last = last - 1


def cut(s: State, o: Options, at: int, size: int, k: int) -> None:
    """Put the k cards on top below the others."""
    if k < 0 or k > size:
        s.fault = 1
    else:
        turn(s, o, at, at + size - k - 1)
        turn(s, o, at + size - k, at + size - 1)
        turn(s, o, at, at + size - 1)


def shuffle(s: State, o: Options, at: int, size: int) -> None:
    """Give the cards a random order, of which nobody has seen anything."""
    last = size - 1
    while last > 0:
        other = below_DEAL(s, o, last + 1)
        card = s.order[at + last]
        s.order[at + last] = s.order[at + other]
        s.order[at + other] = card
        last = last - 1
    for place in range(at, at + size):
        s.seen[place] = 0


def below_DEAL(s: State, o: Options, bound: int) -> int:
    """Draw a number below another one from the stream DEAL."""
