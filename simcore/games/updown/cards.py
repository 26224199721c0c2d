"""UP & DOWN: cards, sets of cards as bits, and which of the cards of a trick is best.

A card is a number, 16 × colour + value; a set of cards is an int64 with the bits of its cards, four
lanes of 16 bits. A *value set* is one lane: bit v for value v. A seat is known here by its *shift*,
16 × side; the *turn* of the U&D card is 16 × rotation, so that `(shift - turn) & 63` is the place
of the lane of the colour that points at the seat.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit
from simcore.jit import inline_kernel

COLOURS = ("ROSE", "FEDER", "MONOKEL", "HUT")
"""Clockwise on the U&D card, by convention [C1]."""

LOWEST = 2
HIGHEST = 12
SIDES = 4
LANE = 16
VALUES = sum(1 << value for value in range(LOWEST, HIGHEST + 1))
DECK = sum(VALUES << (LANE * colour) for colour in range(len(COLOURS)))
"""All 44 cards [R2]."""

PLACES = 63
IN_ALL_COLOURS = sum(1 << (LANE * colour) for colour in range(len(COLOURS)))
_LOW_HALF = (1 << (2 * LANE)) - 1
_LOW_LANE = (1 << LANE) - 1

UP = 0
DOWN = 1
FACES = ("UP", "DOWN")


@inline_kernel
def value_of(card):
    """Return the value of a card by its number."""
    return card & 15


@inline_kernel
def values_in(cards):
    """Return the value set of a card set, whatever the colours."""
    half = cards | (cards >> 32)
    return (half | (half >> 16)) & _LOW_LANE


@inline_kernel
def of_value(value_bits):
    """Return the card set of all cards whose value is in a value set."""
    return value_bits * IN_ALL_COLOURS


@inline_kernel
def lone_values(cards):
    """Return the value set of the values of which a card set has exactly one card [R12] [C8]."""
    half = (cards | (cards >> 32)) & _LOW_HALF
    pairs = cards & (cards >> 32)
    several = (half & (half >> 16)) | pairs | (pairs >> 16)
    return (half | (half >> 16)) & ~several & _LOW_LANE


@inline_kernel
def own_values(card_set, shift, turn):
    """Return the value set of the cards that are in the colour pointing at a seat [R8]."""
    return (card_set >> ((shift - turn) & PLACES)) & VALUES


@inline_kernel
def best_of(value_bits, face, trump_bit):
    """Return the best value of a value set as a bit: a trump, or the highest or lowest [R7] [R13].

    0 or 1 (which is no value) when the set is empty.
    """
    best = np.int64(1) << highest_bit(value_bits | 1)
    if face != UP:
        best = value_bits & -value_bits
    if value_bits & trump_bit:
        best = trump_bit
    return best


@inline_kernel
def best_value(cards, shifts, turn, face, trump_bit):
    """Return the value of the card that wins a trick as a bit; 0 or 1 when there is none [R14].

    Parameters
    ----------
    cards : tuple of int64[4]
        The card of each seat as a card set, 0 where nobody sits.
    shifts : tuple of int64[4]
        By seat.
    turn, face : int64
    trump_bit : int64
        1 << trump value.
    """
    own = (cards[0] >> ((shifts[0] - turn) & PLACES)) | (cards[1] >> ((shifts[1] - turn) & PLACES))
    own |= (cards[2] >> ((shifts[2] - turn) & PLACES)) | (cards[3] >> ((shifts[3] - turn) & PLACES))
    # [R8]: a lone card of the trump value can win whatever its colour.
    able = ((own & VALUES) | trump_bit) & lone_values(cards[0] | cards[1] | cards[2] | cards[3])
    return best_of(able, face, trump_bit)
