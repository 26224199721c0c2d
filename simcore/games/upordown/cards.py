"""Up or down?: cards and piles of cards as bits.

A card is its number, 1…126; 0 is no card. There are two ways to keep several of them in words:

- A *row* has up to eight cards in ascending order, the lowest in the lowest byte; bytes without a
  card hold `NO_CARD`. Seven of its cards are compared with another at once: with the top bit of
  every byte set there is no borrow from byte to byte (Warren, "Hacker's Delight", 2nd ed., 2-18).
- A *card set* has a bit for each card in two words of 63, so that no word is negative: card k is
  bit (k - 1) % 63 of word (k - 1) // 63.

Hands and the circle are rows; colours are card sets, and so is a circle that is too wide for a row
(`WIDEST_ROW`). Nothing here branches, as what it decides
cannot be predicted; and rows and cards may be vectors (`simcore.vectors`).
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, lowest_bit
from simcore.games.upordown.colours import HIGHEST_CARD
from simcore.jit import inline_kernel
from simcore.vectors import choose

BYTE = 8
CARD_BITS = 127
NO_CARD = 127
ROW_CARDS = 8
COMPARED = ROW_CARDS - 1
WORDS = 2
SET_BITS = 63

assert HIGHEST_CARD < NO_CARD
assert HIGHEST_CARD <= WORDS * SET_BITS


def _bytes(value: int, count: int) -> int:
    return sum(value << (BYTE * place) for place in range(count))


EACH_CARD = _bytes(1, COMPARED)
EACH_TOP_BIT = _bytes(128, COMPARED)
EMPTY_ROW = _bytes(NO_CARD, ROW_CARDS)
_LAST = 1 << (BYTE * (ROW_CARDS - 1))
_LAST_EMPTY = NO_CARD * _LAST
_WHOLE_WORD = (1 << SET_BITS) - 1


@inline_kernel
def shift_of(row, card):
    """Return 8 × the number of cards of a row lower than `card`.

    That is how far the row is shifted for the card at whose place `card` is or belongs; the row
    must not be full of lower ones.
    """
    not_lower = ((row | EACH_TOP_BIT) - card * EACH_CARD) & EACH_TOP_BIT
    return lowest_bit((not_lower >> (BYTE - 1)) | _LAST)


@inline_kernel
def card_at(row, shift):
    """Return the card at a shift (8 × its place)."""
    return (row >> shift) & CARD_BITS


@inline_kernel
def insert(row, card):
    """Return a row with a card more; the last byte is lost."""
    shift = shift_of(row, card)
    lower = (1 << shift) - 1
    higher = (row & (lower ^ -1)) << BYTE
    return (row & lower) | (card << shift) | (higher & EMPTY_ROW)


@inline_kernel
def remove_at(row, shift):
    """Return a row without the card at a shift."""
    lower = (1 << shift) - 1
    return (row & lower) | ((row >> BYTE) & (lower ^ -1)) | _LAST_EMPTY


@inline_kernel
def count_of(row):
    """Return how many cards a row has."""
    empty = (row + EACH_CARD) & EACH_TOP_BIT
    return (lowest_bit((empty >> (BYTE - 1)) | _LAST) >> 3) + (row < _LAST_EMPTY)


@inline_kernel
def bit_of(card):
    """Return the bit of a card in its word."""
    return 1 << ((card & 63) + (card >> 6) - 1)


@inline_kernel
def put(cards, card):
    """Put a card into a card set (modified in place)."""
    cards[np.uint32(card >> 6)] |= bit_of(card)


@inline_kernel
def with_card(low, high, card):
    """Return the words of a card set with a card more."""
    low = low | choose(card <= SET_BITS, bit_of(card), 0)
    return low, high | choose(card > SET_BITS, bit_of(card), 0)


@inline_kernel
def exchange_in_set(low, high, laid, side):
    """Return the words of a card set with a card laid and its neighbour taken, and this card."""
    taken = neighbour_in_set(low, high, laid, side)
    low = low ^ choose(laid <= SET_BITS, bit_of(laid), 0)
    low = low ^ choose(taken <= SET_BITS, bit_of(taken), 0)
    high = high ^ choose(laid > SET_BITS, bit_of(laid), 0)
    return low, high ^ choose(taken > SET_BITS, bit_of(taken), 0), taken


@inline_kernel
def neighbour_in_set(low, high, card, side):
    """Return the next lower (0) or higher (1) card of a set, which is closed to a ring."""
    lower = bit_of(card) - 1
    low_below = low & choose(card <= SET_BITS, lower, _WHOLE_WORD)
    high_below = high & choose(card <= SET_BITS, 0, lower)
    low_above, high_above = low ^ low_below, high ^ high_below
    is_lowest = (low_below | high_below) == 0
    is_highest = (low_above | high_above) == 0
    before = highest_of(choose(is_lowest, low, low_below), choose(is_lowest, high, high_below))
    after = lowest_of(choose(is_highest, low, low_above), choose(is_highest, high, high_above))
    return choose(side == 0, before, after)


@inline_kernel
def lowest_of(low, high):
    """Return the lowest card of a set that is not empty."""
    return lowest_bit(choose(low > 0, low, high)) + choose(low > 0, 1, SET_BITS + 1)


@inline_kernel
def highest_of(low, high):
    """Return the highest card of a set that is not empty."""
    return choose(high > 0, highest_bit(high) + (SET_BITS + 1), highest_bit(low) + 1)


@inline_kernel
def without_lowest(low, high):
    """Return the words of a card set without its lowest card."""
    return low & (low - 1), choose(low > 0, high, high & (high - 1))
