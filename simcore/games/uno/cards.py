"""UNO: cards by kind, card sets as words, and what goes on what.

A *kind* is a number: 13 · colour + face for the cards of a colour (faces 0…9, then the action
cards), then the two kinds of wild cards. A *card set* is two words: `cards` has a bit for every
kind that is there, `doubles` one for every kind that is there twice; a third and fourth wild card
have bits of their own in `doubles`. Decks of which some kind has more cards than that need a third
word, `pairs`: it has a bit for every two more cards of a kind (those for a wild card's seventh and
eighth are two bits on). What lies on top of the discard pile is a kind, or, once the colour of a
wild card is named, `WILD_NAMED` or `DRAW_FOUR_NAMED` plus the colour.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.uno.options import MOST_COPIES, MOST_WILDS, USUAL, copies_of
from simcore.jit import inline_kernel, kernel

COLOURS = ("blue", "green", "red", "yellow")
FACES = 13
DRAW_TWO, REVERSE, SKIP = 10, 11, 12
WILD = 52
WILD_DRAW_FOUR = 53
KINDS = 54
WILD_NAMED = 56
DRAW_FOUR_NAMED = 60
TOPS = 64

DECK_SIZE = 108
"""How many cards the deck of the rule text has."""

LARGEST_DECK = MOST_COPIES * WILD + 2 * MOST_WILDS
LEVELS = 4
"""Words that tell of which kinds a deck has one card, two, three and four (`levels_of`)."""

ONE_COLOUR = (1 << FACES) - 1
COLOURED = (1 << WILD) - 1
DRAW_FOUR_CARD = 1 << WILD_DRAW_FOUR
WILDS = 1 << WILD | DRAW_FOUR_CARD
FIRST_OF_COLOURS = sum(1 << FACES * colour for colour in range(len(COLOURS)))
DRAW_TWOS = FIRST_OF_COLOURS << DRAW_TWO
REVERSES = FIRST_OF_COLOURS << REVERSE
SKIPS = FIRST_OF_COLOURS << SKIP
ACTIONS = DRAW_TWOS | REVERSES | SKIPS
NUMBERS = COLOURED & ~ACTIONS
ZEROS = FIRST_OF_COLOURS
SEVENS = FIRST_OF_COLOURS << 7
ALL_WILDS = 0x3F << WILD
"""The wild cards of a word of a card set, third and fourth ones included."""


def deck_of(copies: list[int]) -> list[int]:
    """Return the kinds of all cards of a deck, in order."""
    return [kind for kind, count in enumerate(copies) for _ in range(count)]


def levels_of(copies: list[int]) -> list[int]:
    """Return of which coloured kinds a deck has one card, two, three and four: a word for each."""
    return [
        sum(1 << kind for kind, count in enumerate(copies[:WILD]) if count > level)
        for level in range(LEVELS)
    ]


DECK = np.array(deck_of(copies_of(USUAL)), dtype=np.uint8)


def _colour_of(top: int) -> int:
    if top < WILD:
        return top // FACES
    return top & 3 if top >= WILD_NAMED else 0


COLOUR_OF = np.array([_colour_of(top) for top in range(TOPS)])
"""The colour asked for, by what lies on top [C3]; 0 for a wild card without a named colour."""

COLOUR_CARDS = np.array([ONE_COLOUR << FACES * _colour_of(top) for top in range(TOPS)])
"""All kinds of the colour asked for, by what lies on top."""


def _goes_on(same_colour, same_face):
    """Return what goes on a card: its colour, its face, wild cards [R6] [R9] [C3]."""
    return same_colour | same_face | WILDS


goes_on = inline_kernel(_goes_on)

PLAYABLE = np.array(
    [
        _goes_on(int(COLOUR_CARDS[top]), FIRST_OF_COLOURS << top % FACES if top < WILD else 0)
        for top in range(TOPS)
    ]
)
"""The kinds that go on what lies on top."""

_NUMBER_BITS = tuple(
    sum(
        1 << FACES * colour + face
        for colour in range(len(COLOURS))
        for face in range(10)
        if face >> bit & 1
    )
    for bit in range(4)
)
ONES, TWOS, FOURS, EIGHTS = _NUMBER_BITS


@inline_kernel
def any_bits(cards):
    """Return a mask: whether some bit is set."""
    return -np.int64(cards != 0)


@inline_kernel
def points_of(cards, action_points, wild_points):
    """Return the points of one word of a card set [R19] [H9]."""
    numbers = popcount(cards & ONES) + 2 * popcount(cards & TWOS)
    numbers += 4 * popcount(cards & FOURS) + 8 * popcount(cards & EIGHTS)
    return (
        numbers
        + action_points * popcount(cards & ACTIONS)
        + wild_points * popcount(cards & ALL_WILDS)
    )


@inline_kernel
def put(cards, doubles, pairs, bit):
    """Return a card set (its three words) with one more card, as the bit of its kind."""
    second = cards & bit
    if doubles & second:
        return put_more(cards, doubles, pairs, bit)
    return cards | bit, doubles | second, pairs


@inline_kernel
def put_any(cards, doubles, bit):
    """Return two words with one more card, without a branch, or no more (0).

    For card sets that need no third word.
    """
    second = cards & bit
    third = (second & doubles) << 2
    fourth = (third & doubles) << 2
    return cards | bit, doubles | second | third | fourth


@inline_kernel
def put_more(cards, doubles, pairs, bit):
    """Return what `put` does, without a branch; also no more card (0)."""
    second = cards & bit
    wild = second & WILDS
    third = (wild & doubles) << 2
    fourth = (third & doubles) << 2
    # Where the second word is full one of its cards becomes two in the third.
    full = ((second ^ wild) | fourth) & doubles
    pair = (full & COLOURED) | ((full >> 4) & WILDS)
    doubles = (doubles | second | third | fourth) & ~full
    return cards | bit, doubles, pairs | pair | ((pair & pairs) << 2)


@kernel
def add_more(seat, bit):
    """Do what `add` does where a third word may be needed."""
    seat.hand, seat.doubles, seat.pairs = put_more(seat.hand, seat.doubles, seat.pairs, bit)


@inline_kernel
def add(seat, bit):
    """Add a card, as the bit of its kind, to the hand of a SEAT record."""
    second = seat.hand & bit
    if seat.doubles & second:
        add_more(seat, bit)
    else:
        seat.hand |= bit
        seat.doubles |= second


@kernel
def remove_more(seat, bit):
    """Do what `remove` does where there is a third word."""
    seat.hand, seat.doubles, seat.pairs = take_more(seat.hand, seat.doubles, seat.pairs, bit)


@inline_kernel
def remove(seat, bit):
    """Take a card, as the bit of its kind, from the hand of a SEAT record."""
    if seat.pairs:
        remove_more(seat, bit)
    else:
        seat.hand, seat.doubles = take(seat.hand, seat.doubles, bit)


@inline_kernel
def take(cards, doubles, bit):
    """Return two words without one of their cards, as the bit of its kind, or without none (0).

    For card sets that need no third word.
    """
    wild = bit & WILDS
    more = doubles & (bit | (wild << 2) | (wild << 4))
    return cards & ~(bit & ~more), doubles & ~(more & ~(more >> 2))


@inline_kernel
def take_more(cards, doubles, pairs, bit):
    """Return a card set (its three words) without one of its cards, or without none (0)."""
    wild = bit & WILDS
    last = doubles & ((bit ^ wild) | (wild << 4))
    pair = pairs & bit & ~((last & COLOURED) | ((last >> 4) & WILDS))
    cards, doubles = take(cards, doubles, bit & ~pair)
    second = pairs & ((pair & wild) << 2)
    pairs &= ~(second | (pair & ~(second >> 2)))
    return cards, doubles | (pair & COLOURED) | ((pair & wild) << 4), pairs


@inline_kernel
def count_of(cards, doubles, pairs, kind):
    """Return how many cards of a kind a card set has."""
    bit = np.int64(1) << kind
    more = bit | bit << 2 | bit << 4 if kind >= WILD else bit
    return popcount(cards & bit) + popcount(doubles & more) + 2 * popcount(pairs & more)


@inline_kernel
def size_of(cards, doubles, pairs):
    """Return how many cards a card set has."""
    return popcount(cards) + popcount(doubles) + 2 * popcount(pairs)
