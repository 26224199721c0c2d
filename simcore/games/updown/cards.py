"""UP & DOWN: cards, sets of cards as bits, and which of the cards of a trick is best.

A card is a number, 16 × colour + value; a set of cards is an int64 with the bits of its cards, four
lanes of 16 bits. A *value set* is one lane: bit v for value v. A seat is known here by its *shift*,
16 × side; the *turn* of the U&D card is 16 × rotation, so that `(shift - turn) & 63` is the place
of the lane of the colour that points at the seat. All functions take numbers or vectors of them.
"""

from __future__ import annotations

from simcore.bits import highest_bit
from simcore.jit import inline_kernel
from simcore.vectors import choose, rotated
from simcore.wide import in_all_quarters

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
def values_in(cards):
    """Return the value set of a card set, whatever the colours."""
    half = cards | (cards >> 32)
    return (half | (half >> 16)) & _LOW_LANE


@inline_kernel
def of_value(value_bits):
    """Return the card set of all cards whose value is in a value set."""
    return in_all_quarters(value_bits)


@inline_kernel
def lone_values(cards):
    """Return the value set of the values of which a card set has exactly one card [R12] [C8]."""
    half = (cards | (cards >> 32)) & _LOW_HALF
    pairs = cards & (cards >> 32)
    several = (half & (half >> 16)) | pairs | (pairs >> 16)
    return (half | (half >> 16)) & ~several & _LOW_LANE


@inline_kernel
def of_seat(seat, four):
    """Return what belongs to a seat, of what belongs to each."""
    low, high = choose(seat == 1, four[1], four[0]), choose(seat == 3, four[3], four[2])
    return choose(seat >= 2, high, low)


@inline_kernel
def own_values(cards, shift, turn):
    """Return the value set of the cards that are in the colour pointing at a seat [R8]."""
    return rotated(cards, shift - turn) & VALUES


@inline_kernel
def own_cards(shift, turn):
    """Return all cards of the colour that points at a seat."""
    return rotated(VALUES, turn - shift)


@inline_kernel
def best_of(value_bits, face, trump_bit):
    """Return the best value of a value set as a bit: a trump, or the highest or lowest [R7] [R13].

    0 or 1 (which is no value) when the set is empty.
    """
    best = choose(face == UP, 1 << highest_bit(value_bits | 1), value_bits & (0 - value_bits))
    return choose(value_bits & trump_bit != 0, trump_bit, best)


@inline_kernel
def best_value(cards, shifts, turn, face, trump_bit):
    """Return the value of the card that wins a trick as a bit; 0 or 1 when there is none [R14].

    `cards` are those of each seat as card sets, 0 where nobody sits.
    """
    own = rotated(cards[0], shifts[0]) | rotated(cards[1], shifts[1])
    own = own | rotated(cards[2], shifts[2]) | rotated(cards[3], shifts[3])
    # [R8]: a lone card of the trump value can win whatever its colour.
    able = own_values(own, 0, turn) | trump_bit
    return best_of(able & lone_values(cards[0] | cards[1] | cards[2] | cards[3]), face, trump_bit)


@inline_kernel
def able_cards(cards, shifts, turn, trump_bit):
    """Return the cards of a trick that are in the own colour or of the trump value [R8]."""
    trumps = of_value(trump_bit)
    able = cards[0] & (own_cards(shifts[0], turn) | trumps)
    able = able | (cards[1] & (own_cards(shifts[1], turn) | trumps))
    able = able | (cards[2] & (own_cards(shifts[2], turn) | trumps))
    return able | (cards[3] & (own_cards(shifts[3], turn) | trumps))
