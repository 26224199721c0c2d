"""Up: cards as bits.

A *kind* is what is printed on a card: 1…11, `CLEAR` (0) or `MINUS_TWO` (12). Colours have no
meaning [R2]; they only tell equal cards apart. A *card set* is one word of 64 bits for up to four
sets of 13 cards, or three words for more (`table.word_count`): a nibble for each kind, a bit for
each colour. So putting cards together is an OR, and counting moves is counting bits. A *card
number* is 64 × the word + the bit.

With the double two the nibbles of 2 and of "-2" make one field [R33]. A *row* of the tables below
is the cap of the tower (0: no tower), plus `DOUBLE_ROWS` with the double two.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bits, popcount
from simcore.jit import inline_kernel, kernel

CLEAR = 0
MINUS_TWO = 12
KINDS = 13
HIGHEST = 11
SETS_PER_WORD = 4
MAX_WORDS = 3
MAX_CARDS = KINDS * (SETS_PER_WORD * MAX_WORDS - 1)
DOUBLE_ROWS = HIGHEST + 1

_ONES = sum(1 << (4 * nibble) for nibble in range(KINDS))


def _field(kind: int) -> int:
    return 15 << (4 * kind)


def _fields(kinds: range) -> int:
    return sum(_field(kind) for kind in kinds)


TWOS = _field(2)
MINUS_TWOS = _field(MINUS_TWO)

FIELD = np.array(
    [
        [_field(kind) for kind in range(KINDS)],
        [{2: TWOS | MINUS_TWOS, MINUS_TWO: 0}.get(kind, _field(kind)) for kind in range(KINDS)],
    ],
    dtype=np.int64,
)
"""By double two (0, 1) and kind: the bits of its cards in a word."""

UP_TO_BIT = np.array(
    [
        [_field(bit // 4) & ((2 << bit) - 1) for bit in range(4 * KINDS)],
        [
            (_field(bit // 4) & ((2 << bit) - 1)) | (TWOS if bit // 4 == MINUS_TWO else 0)
            for bit in range(4 * KINDS)
        ],
    ],
    dtype=np.int64,
)
"""By double two (0, 1) and bit of a word: the cards of the same kind up to that bit; with the
double two, "-2" cards come after 2s."""


def _layable(cap: int, double: int) -> int:
    twos = MINUS_TWOS if double and cap != 1 else 0
    return _fields(range(1, (cap or HIGHEST) + 1)) | twos


def _single(cap: int, double: int) -> int:
    heavier = _fields(range(cap + 1, HIGHEST + 1)) if cap else 0
    return _field(CLEAR) | heavier | (MINUS_TWOS if double and cap == 1 else 0)


def _minus_two_moves(cap: int, double: int) -> int:
    if cap == 0 or double:
        return 0
    return (1 << max(1, (cap - 1) // 2)) - 1


_ROWS = [(cap, double) for double in range(2) for cap in range(DOUBLE_ROWS)]
LAYABLE = np.array([_layable(*row) for row in _ROWS], dtype=np.int64)
"""By row: the cards of which any number may be laid [R9] [R11]."""

SINGLE = np.array([_single(*row) for row in _ROWS], dtype=np.int64)
"""By row: the cards of which one may be laid: clear cards, and heavier values [R21] [C14] [C27]."""

MINUS_TWO_MOVES = np.array([_minus_two_moves(*row) for row in _ROWS], dtype=np.int64)
"""By row: as many low bits as different numbers of "-2" may be laid [R18] [C19] [C21]."""

MASKS = np.stack(
    [LAYABLE, SINGLE & _ONES, MINUS_TWO_MOVES, np.where(MINUS_TWO_MOVES, MINUS_TWOS, 0)], axis=1
)
"""By row, side by side: the three tables above and the cards that the last one is about."""

ONE_WITH_DOUBLE_TWO = DOUBLE_ROWS + 1
"""The row in which a 2 is heavier than the tower bears, and "-2" cards are 2s."""


def card_number(kind: int, colour: int) -> int:
    """Return the number of a card; `colour` counts the sets from 0."""
    return 64 * (colour // SETS_PER_WORD) + 4 * kind + colour % SETS_PER_WORD


@inline_kernel
def kind_of(card, double):
    """Return the kind of a card by its number."""
    kind = (card & 63) >> 2
    if double:
        return _kind_with_double_two(kind)
    return kind


@kernel
def _kind_with_double_two(kind):
    """Return the kind that a card counts as with the double two [C37] [C46]."""
    return 2 if kind == MINUS_TWO else kind


@kernel
def count_of(cards, kind, double):
    """Return how many cards of `kind` a card set holds."""
    count = 0
    for word in range(len(cards)):
        count += popcount(cards[word] & FIELD[double, kind])
    return count


@inline_kernel
def size_of(cards):
    """Return how many cards a card set holds."""
    count = 0
    for word in range(len(cards)):
        count += popcount(cards[word])
    return count


@inline_kernel
def any_of(cards):
    """Tell whether there is a card in a card set."""
    bits = cards[0]
    for word in range(1, len(cards)):
        bits |= cards[word]
    return bits != 0


@inline_kernel
def put(cards, card):
    """Add a card by its number to a card set (modified in place)."""
    cards[card >> 6] |= 1 << np.int64(card & 63)


@inline_kernel
def one_of_each(word):
    """Return a bit, the first of its field, for every kind of which a word holds a card."""
    flags = word | (word >> 1)
    return (flags | (flags >> 2)) & _ONES


@inline_kernel
def moves_in(word, row):
    """Return the cards of a single word up to which a player may lay; see `find_moves_in`."""
    flags = word | (word >> 1)
    return (
        (word & MASKS[row, 0])
        | ((flags | (flags >> 2)) & MASKS[row, 1])
        | lowest_bits(word & MASKS[row, 3], MASKS[row, 2])
    )


@kernel
def find_moves_in(cards, moves, row):
    """Find the cards up to which a player may lay, and return how many there are.

    To move is to lay all one's cards of a kind up to a certain one, so a kind has as many moves as
    there are different numbers of it that may be laid. Of a kind of which one card may be laid the
    first bit of the field stands for it. `moves` (a card set) is modified in place.
    """
    minus_two_moves = MINUS_TWO_MOVES[row]
    single = np.int64(0)
    for word in range(len(cards)):
        minus_twos = cards[word] & MINUS_TWOS
        moves[word] = (cards[word] & LAYABLE[row]) | lowest_bits(minus_twos, minus_two_moves)
        minus_two_moves >>= popcount(minus_twos)
        single |= cards[word]
    moves[0] |= one_of_each(single) & SINGLE[row]
    return size_of(moves)


@kernel
def keep_one_of_each(moves, double):
    """Leave the first move of every kind [C8] [C47] and return how many.

    `moves` is modified in place.
    """
    found = np.int64(0)
    for word in range(len(moves)):
        new = one_of_each(moves[word]) & ~found
        found |= new
        if double and found & TWOS:
            new &= ~MINUS_TWOS
            found |= one_of_each(MINUS_TWOS)
        elif double and found & MINUS_TWOS:
            found |= one_of_each(TWOS)
        moves[word] = first_of_each(moves[word]) & (15 * new)
    return size_of(moves)


@inline_kernel
def first_of_each(word):
    """Return the lowest card of every kind of which a word holds a card."""
    up = word | ((word & (7 * _ONES)) << 1)
    up |= (up & (3 * _ONES)) << 2
    return word & ~((up & (7 * _ONES)) << 1)


@kernel
def drop_second_two(moves):
    """Leave one move where both a 2 and a "-2" played as a 2 stand for laying a single 2."""
    if moves[0] & MINUS_TWOS:
        moves[0] &= ~TWOS
