"""Up or down?: cards and piles of cards as bits.

A card is its number, 1…126; 0 is no card. There are two ways to keep several of them in words:

- A *row* has up to seven cards in ascending order, the lowest in the lowest byte; bytes without a
  card hold `NO_CARD`. All its cards are compared with another at once: with the top bit of every
  byte set there is no borrow from byte to byte (Warren, "Hacker's Delight", 2nd ed., 2-18).
- A *card set* has a bit for each card in two words of 63, so that no word is negative: card k is
  bit (k - 1) % 63 of word (k - 1) // 63.

Hands and the circle are rows; colours are card sets. Nothing here branches, as what it decides
cannot be predicted; and rows and cards may be vectors (`simcore.vectors`).
"""

from __future__ import annotations

import numpy as np

from simcore.games.upordown.colours import HIGHEST_CARD
from simcore.jit import inline_kernel
from simcore.vectors import first_bits

BYTE = 8
CARD_BITS = 127
NO_CARD = 127
ROW_CARDS = 7
WORDS = 2

assert HIGHEST_CARD < NO_CARD


def _bytes(value: int, count: int) -> int:
    return sum(value << (BYTE * place) for place in range(count))


EACH_CARD = _bytes(1, ROW_CARDS)
EACH_TOP_BIT = _bytes(128, ROW_CARDS)
EMPTY_ROW = _bytes(NO_CARD, ROW_CARDS)
_LAST_EMPTY = NO_CARD << (BYTE * (ROW_CARDS - 1))


@inline_kernel
def shift_of(row, card):
    """Return 8 × the number of cards of a row lower than `card`.

    That is how far the row is shifted for the card at whose place `card` is or belongs; the row
    must not be full of lower ones.
    """
    not_lower = ((row | EACH_TOP_BIT) - card * EACH_CARD) & EACH_TOP_BIT
    return first_bits(not_lower) - (BYTE - 1)


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
    """Return how many cards a row has, at most six."""
    return first_bits((row + EACH_CARD) & EACH_TOP_BIT) >> 3


@inline_kernel
def word_of(card):
    """Return in which word of a card set a card stands."""
    return np.uint32(card >> 6)


@inline_kernel
def bit_of(card):
    """Return the bit of a card in its word."""
    return 1 << ((card & 63) + (card >> 6) - 1)


@inline_kernel
def put(cards, card):
    """Put a card into a card set (modified in place)."""
    cards[word_of(card)] |= bit_of(card)
