"""Up: cards as bits.

A *kind* is what is printed on a card: 1…11, `CLEAR` (0) or `MINUS_TWO` (12). Colours have no
meaning [R2]; they only tell equal cards apart. A *card set* is one word of 64 bits for up to four
sets of 13 cards, or three words for more (`table.word_count`): a nibble for each kind, a bit for
each colour. So putting cards together is an OR, and counting moves is counting bits. A *card
number* is 64 × the word + the bit.

Rules take card sets as tuples of three words (`words_of`); of a card set of one word the others
are 0, which the compiler sees, so they cost nothing. With the double two (`double` is 1) the
nibbles of 2 and of "-2" make one field [R33].
"""

from __future__ import annotations

import numpy as np

from simcore import lanes
from simcore.bits import highest_bit, nth_bit, popcount
from simcore.jit import inline_kernel, kernel

CLEAR = 0
MINUS_TWO = 12
KINDS = 13
HIGHEST = 11
SETS_PER_WORD = 4
MAX_WORDS = 3
MAX_CARDS = KINDS * (SETS_PER_WORD * MAX_WORDS - 1)

TWOS = 15 << 4 * 2
MINUS_TWOS = 15 << 4 * MINUS_TWO
CLEAR_CARDS = 15 << 4 * CLEAR
ALL_CARDS = (1 << 4 * KINDS) - 1
ONE_OF_EACH = sum(1 << 4 * kind for kind in range(KINDS))
ONE_OF_EACH_BUT_MINUS_TWO = ONE_OF_EACH & ~MINUS_TWOS


def card_number(kind: int, colour: int) -> int:
    """Return the number of a card; `colour` counts the sets from 0."""
    return 64 * (colour // SETS_PER_WORD) + 4 * kind + colour % SETS_PER_WORD


@inline_kernel
def kind_of(card, double):
    """Return the kind that a card counts as by its number [C37] [C46]."""
    kind = (card & 63) >> 2
    return 2 if (double != 0) & (kind == MINUS_TWO) else kind


@inline_kernel
def field_of(kind, double):
    """Return the bits of a word that cards of a kind have; with the double two, "-2" has none."""
    twos = MINUS_TWOS if double else 0
    return (np.int64(15) << (4 * kind & 63)) & ~twos | (twos if kind == 2 else 0)


@inline_kernel
def words_of(cards):
    """Return a card set as a tuple of three words."""
    if len(cards) > 1:
        return cards[0], cards[1], cards[2]
    return cards[0], np.int64(0), np.int64(0)


@inline_kernel
def put_words(cards, words):
    """Write a tuple of words to a card set (modified in place)."""
    cards[0] = words[0]
    if len(cards) > 1:
        cards[1] = words[1]
        cards[2] = words[2]


@inline_kernel
def put(cards, card):
    """Add a card by its number to a card set (modified in place)."""
    cards[card >> 6] |= 1 << np.int64(card & 63)


@kernel
def count_of(cards, kind, double):
    """Return how many cards of `kind` a card set holds."""
    count = 0
    for word in range(len(cards)):
        count += popcount(cards[word] & field_of(kind, double))
    return count


@inline_kernel
def size_of(words):
    """Return how many cards there are."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2])


@inline_kernel
def any_of(words):
    """Return 0 if there are no cards."""
    return words[0] | words[1] | words[2]


@inline_kernel
def one_of(which, words, others):
    """Return `words` if it is so, else the others."""
    return (
        words[0] if which else others[0],
        words[1] if which else others[1],
        words[2] if which else others[2],
    )


@inline_kernel
def with_and_without(words, more, less):
    """Return the cards without some and with others."""
    return (
        words[0] & ~less[0] | more[0],
        words[1] & ~less[1] | more[1],
        words[2] & ~less[2] | more[2],
    )


@inline_kernel
def in_field(words, field):
    """Return the cards that have bits of a word."""
    return words[0] & field, words[1] & field, words[2] & field


@inline_kernel
def first_of(words):
    """Return the first card alone."""
    first = words[0] & -words[0]
    second = words[1] & -words[1] if words[0] == 0 else 0
    third = words[2] & -words[2] if (words[0] | words[1]) == 0 else 0
    return first, second, third


@inline_kernel
def last_of(words):
    """Return the number of the last card; of none, 0."""
    word = words[0] if words[1] == 0 else words[1]
    word = word if words[2] == 0 else words[2]
    number = 64 if words[1] else 0
    number = 128 if words[2] else number
    return number + highest_bit(word | 1)


@inline_kernel
def nth_of(words, index, several, alone):
    """Return the card number `index` (from 0); with one word unless there are `several`."""
    if not several:
        return nth_in(words[0], index, alone)
    first = popcount(words[0])
    second = first + popcount(words[1])
    beyond_first = index >= first
    beyond_second = index >= second
    word = words[1] if beyond_first else words[0]
    word = words[2] if beyond_second else word
    skipped = first if beyond_first else 0
    skipped = second if beyond_second else skipped
    number = np.int64(beyond_first) + np.int64(beyond_second)
    return nth_in(word, index - skipped, alone) + 64 * number


@inline_kernel
def nth_in(word, index, alone):
    """Return the set bit number `index`, in the way that is quicker for a match alone or many."""
    if alone:
        return nth_bit(word, index)
    return lanes.nth_bit(word, index)


@inline_kernel
def up_to(words, card, several):
    """Return the cards up to a card of these, which are all of one kind.

    With the double two, "-2" cards come after 2s.
    """
    below = (np.int64(2) << (card & 63)) - 1
    if not several:
        return words[0] & below, np.int64(0), np.int64(0)
    word = card >> 6
    first = below if word == 0 else -1
    second = below if word == 1 else (-1 if word == 2 else 0)
    third = below if word == 2 else 0
    return words[0] & first, words[1] & second, words[2] & third


@inline_kernel
def only(card, several):
    """Return a card alone."""
    bit = np.int64(1) << (card & 63)
    if not several:
        return bit, np.int64(0), np.int64(0)
    word = card >> 6
    return bit if word == 0 else 0, bit if word == 1 else 0, bit if word == 2 else 0
