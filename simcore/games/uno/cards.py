"""UNO: cards by kind, card sets as two words, and what goes on what.

A *kind* is a number: 13 · colour + face for the cards of a colour (faces 0…9, then the action
cards), then the two kinds of wild cards. A *card set* is two words: `cards` has a bit for every
kind that is there, `doubles` one for every kind that is there twice; a third and fourth wild card
have bits of their own in `doubles`. What lies on top of the discard pile is a kind, or, once the
colour of a wild card is named, `WILD_NAMED` or `DRAW_FOUR_NAMED` plus the colour.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.jit import inline_kernel

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
ALL_WILDS = 0x3F << WILD
"""The wild cards of a word of a card set, third and fourth ones included."""


def _deck() -> list[int]:
    """Return the kinds of all cards [R1] [C2]: one 0, two of each other of a colour, wilds four."""
    coloured = [
        FACES * colour + face
        for colour in range(len(COLOURS))
        for face in range(FACES)
        for _ in range(2 if face else 1)
    ]
    return [*coloured, *[WILD] * 4, *[WILD_DRAW_FOUR] * 4]


DECK = np.array(_deck(), dtype=np.uint8)
DECK_CARDS = COLOURED
DECK_DOUBLES = COLOURED & ~FIRST_OF_COLOURS
"""The coloured cards of the deck as a card set: there is but one 0 of each colour."""


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

ACTION_POINTS = 20
WILD_POINTS = 50


@inline_kernel
def points_of(cards):
    """Return the points of one word of a card set [R19]."""
    numbers = popcount(cards & ONES) + 2 * popcount(cards & TWOS)
    numbers += 4 * popcount(cards & FOURS) + 8 * popcount(cards & EIGHTS)
    return (
        numbers
        + ACTION_POINTS * popcount(cards & ACTIONS)
        + WILD_POINTS * popcount(cards & ALL_WILDS)
    )


@inline_kernel
def put(cards, doubles, bit):
    """Return a card set (its two words) with one more card, as the bit of its kind."""
    second = cards & bit
    if doubles & second:
        return put_any(cards, doubles, bit)
    return cards | bit, doubles | second


@inline_kernel
def put_any(cards, doubles, bit):
    """Return what `put` does, without a branch; also no more card (0)."""
    second = cards & bit
    third = (second & doubles) << 2
    fourth = (third & doubles) << 2
    return cards | bit, doubles | second | third | fourth


@inline_kernel
def take(cards, doubles, bit):
    """Return a card set without one of its cards, as the bit of its kind, or none (0)."""
    wild = bit & WILDS
    more = doubles & (bit | (wild << 2) | (wild << 4))
    return cards & ~(bit & ~more), doubles & ~(more & ~(more >> 2))


@inline_kernel
def count_of(cards, doubles, kind):
    """Return how many cards of a kind a card set has."""
    bit = np.int64(1) << kind
    more = bit | bit << 2 | bit << 4 if kind >= WILD else bit
    return popcount(cards & bit) + popcount(doubles & more)


@inline_kernel
def size_of(cards, doubles):
    """Return how many cards a card set has."""
    return popcount(cards) + popcount(doubles)
