"""Up: the cards of a pack as numbers.

A *kind* is what is printed on a card: 1…11, `CLEAR` or `MINUS_TWO`. Colours have no meaning [R2];
they only distinguish equal cards. A card is 64 × a word + 4 × its kind + a colour, with four sets
of 13 cards to a word. Where sets have more special cards [H3] [H4] these take the numbers above,
too: first the "-2" cards, then those clear cards for which there is no room.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

CLEAR = 0
MINUS_TWO = 12
KINDS = 13
HIGHEST = 11
SETS_PER_WORD = 4
PLACES = 256
WORDS = (1, 3, 4)
SPECIAL_PLACES = 20
"""Places for special cards in each 64-bit word."""


@dataclass(frozen=True)
class Pack:
    """The cards of a pack in building order, and the kind of each card number."""

    cards: tuple[int, ...]
    kinds: list[int]
    of_kind: list[set[int]]
    places: int


@cache
def pack_of(sets: int, players: int, minus_twos: int, clears: int) -> Pack:
    """Return the pack of `sets` sets with the given numbers of special cards in each.

    The numbers and a clear card of all players' sets come first, then a "-2" for each player, then
    the extra set, then further special cards, so that packs with and without these are shuffled
    alike.

    Raises
    ------
    ValueError
        If there are too many cards.
    """
    words, *room = _widths(sets, minus_twos, clears)
    usual = [CLEAR] * (clears > 0) + list(range(1, HIGHEST + 1))
    twos = [MINUS_TWO] * (minus_twos > 0)
    built = [(kind, colour) for colour in range(players) for kind in usual]
    built += [(kind, colour) for colour in range(players) for kind in twos]
    built += [(kind, colour) for colour in range(players, sets) for kind in (*usual, *twos)]
    for kind, copies in ((MINUS_TWO, minus_twos), (CLEAR, clears)):
        built += [(kind, index) for index in range(sets, sets * copies)]
    kinds, of_kind = [0] * PLACES, [set[int]() for _ in range(KINDS)]
    cards = []
    for kind, index in built:
        card = _number(kind, index, *room)
        cards.append(card)
        kinds[card] = kind
    # The first number of a kind stands for the kind, even if the pack has no such card.
    for kind in range(KINDS):
        kinds[SETS_PER_WORD * kind] = kind
    for card in {*cards, *range(0, SETS_PER_WORD * KINDS, SETS_PER_WORD)}:
        of_kind[kinds[card]].add(card)
    return Pack(tuple(cards), kinds, of_kind, 64 * words)


def _widths(sets: int, minus_twos: int, clears: int) -> tuple[int, int, int]:
    """Return the number of 64-bit words, and the places in each for "-2" and for clear cards."""
    for words in WORDS:
        twos, others = (
            max(SETS_PER_WORD, -(-sets * copies // words)) for copies in (minus_twos, clears)
        )
        if SETS_PER_WORD * words >= sets and twos + others <= SPECIAL_PLACES:
            return words, twos, others
    raise ValueError(f"{sets} sets with {minus_twos} and {clears} special cards")


def _number(kind: int, index: int, minus_twos: int, clears: int) -> int:
    """Return the number of a card by its kind and its index within the kind (from 0)."""
    places = {MINUS_TWO: minus_twos, CLEAR: clears}.get(kind, SETS_PER_WORD)
    place = SETS_PER_WORD * kind + index % places
    if kind == CLEAR and place >= SETS_PER_WORD:
        place += SETS_PER_WORD * (MINUS_TWO - 1) + minus_twos
    return 64 * (index // places) + place
