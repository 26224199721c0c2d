"""Up: what a player sees at a glance of the moves that were found.

`moves` is a card set, `seat.hand_moves` or `seat.open_moves`: the cards up to which all of their
kind are laid. A *tally* is one word with a nibble for each kind of card (`cards.KINDS`), which
holds how many there are.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, lowest_bit
from simcore.games.up.cards import (
    CLEAR,
    DOUBLE_ROWS,
    FIELD,
    LAYABLE,
    MINUS_TWO,
    SINGLE,
    kind_of,
)
from simcore.jit import inline_kernel, kernel

NO_CARD = -1

MOST = 15
"""A tally counts no further: with the double two there may be 22 cards played as 2s."""

_PAIRS = 0x5555555555555
_NIBBLES = 0x3333333333333
_TWO_SHIFT = 4 * 2
_MINUS_TWO_SHIFT = 4 * MINUS_TWO
_CLEAR_CARDS = MOST << (4 * CLEAR)


@inline_kernel
def last_card(moves, field):
    """Return the last card among those of a field of bits, or `NO_CARD`."""
    for word in range(len(moves) - 1, -1, -1):
        here = moves[word] & field
        if here:
            return 64 * word + highest_bit(here)
    return np.int64(NO_CARD)


@inline_kernel
def first_card(moves, field):
    """Return the first card among those of a field of bits, or `NO_CARD`."""
    for word in range(len(moves)):
        here = moves[word] & field
        if here:
            return 64 * word + lowest_bit(here)
    return np.int64(NO_CARD)


@inline_kernel
def row_of(table):
    """Return the row of the tables by cap and double two in `cards`."""
    return np.uint32(table.cap + DOUBLE_ROWS * table.double)


@inline_kernel
def heaviest_borne(table, moves):
    """Return the last card of the heaviest value that the tower bears, or `NO_CARD`."""
    if len(moves) > 1 or table.double:
        return _heaviest_of_many(table, moves)
    return last_card(moves, LAYABLE[row_of(table)])


@kernel
def _heaviest_of_many(table, moves):
    borne = LAYABLE[row_of(table)]
    all_words = np.int64(0)
    for word in range(len(moves)):
        all_words |= moves[word] & borne
    for kind in range(MINUS_TWO - 1, 0, -1):
        if all_words & FIELD[table.double, kind]:
            return last_card(moves, borne & FIELD[table.double, kind])
    return np.int64(NO_CARD)


@inline_kernel
def heavier_card(table, moves):
    """Return a card whose value is too heavy for the tower, or `NO_CARD`."""
    return last_card(moves, SINGLE[row_of(table)] & ~_CLEAR_CARDS)


@inline_kernel
def value_of(table, card):
    """Return the value of a card, or 0 for `NO_CARD`."""
    if card == NO_CARD:
        return np.int64(0)
    return kind_of(card, table.double)


@inline_kernel
def tally(cards, double):
    """Return the tally of a card set; with the double two, a "-2" is a 2."""
    counts = held(cards)
    if double:
        counts = _count_as_twos(counts)
    return counts


@inline_kernel
def held(cards):
    """Return the tally of a card set, each kind as it is printed."""
    counts = np.int64(0)
    for word in range(len(cards)):
        pairs = cards[word] - ((cards[word] >> 1) & _PAIRS)
        counts += (pairs & _NIBBLES) + ((pairs >> 2) & _NIBBLES)
    return counts


@kernel
def _count_as_twos(counts):
    minus_twos = counts >> _MINUS_TWO_SHIFT
    twos = min(MOST, ((counts >> _TWO_SHIFT) & MOST) + minus_twos)
    others = counts & ~((MOST << _TWO_SHIFT) | (MOST << _MINUS_TWO_SHIFT))
    return others | (twos << _TWO_SHIFT)


@inline_kernel
def number_of(counts, kind):
    """Return how many cards of a kind a tally holds."""
    return (counts >> (4 * kind)) & MOST
