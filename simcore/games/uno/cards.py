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

ONE_COLOUR = (1 << FACES) - 1
COLOURED = (1 << WILD) - 1
WILDS = 1 << WILD | 1 << WILD_DRAW_FOUR
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


def _playable(top: int) -> int:
    """Return the kinds that go on what lies on top: its colour, its face, wilds [R6] [R9] [C3]."""
    same_face = FIRST_OF_COLOURS << top % FACES if top < WILD else 0
    return ONE_COLOUR << FACES * _colour_of(top) | same_face | WILDS


PLAYABLE = np.array([_playable(top) for top in range(TOPS)])

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
def put(cards, doubles, kind):
    """Return a card set (its two words) with one more card."""
    bit = np.int64(1) << kind
    second = cards & bit
    if doubles & second:
        return cards, put_third(doubles, bit)
    return cards | bit, doubles | second


@kernel
def put_third(doubles, bit):
    """Return `doubles` with a third or fourth wild card."""
    third = bit << 2
    return doubles | (third << 2 if doubles & third else third)


@inline_kernel
def take(cards, doubles, kind):
    """Return a card set without one of its cards, which has a colour."""
    bit = np.int64(1) << kind
    second = doubles & bit
    return cards ^ bit ^ second, doubles ^ second


@kernel
def take_wild(cards, doubles, kind):
    """Return a card set without one of its wild cards."""
    bit = np.int64(1) << kind
    if doubles & (bit << 4):
        return cards, doubles ^ (bit << 4)
    if doubles & (bit << 2):
        return cards, doubles ^ (bit << 2)
    return take(cards, doubles, kind)


@kernel
def count_of(cards, doubles, kind):
    """Return how many cards of a kind a card set has."""
    bit = np.int64(1) << kind
    count = popcount(cards & bit) + popcount(doubles & bit)
    if kind >= WILD:
        count += popcount(doubles & (bit << 2 | bit << 4))
    return count


@inline_kernel
def size_of(cards, doubles):
    """Return how many cards a card set has."""
    return popcount(cards) + popcount(doubles)
