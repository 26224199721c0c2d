"""Up: cards as bits.

A *kind* is what is printed on a card: 1…11, `CLEAR` (0) or `MINUS_TWO` (12). Colours have no
meaning [R2]; they only tell equal cards apart. A *card set* is one word of 64 bits for up to four
sets of 13 cards, or three words for more (`widths_of`): a nibble for each kind, a bit for
each colour. So putting cards together is an OR, and counting moves is counting bits. A *card
number* is 64 × the word + the bit.

Where sets have more special cards [H3] [H4] these take the bits above, too: first the "-2" cards,
then those clear cards for which there is no room in their nibble. A `Deck` says which bits they
have. There are four words if three do not suffice.

Rules take card sets as tuples of four words (`words_of`); of a card set of one word the others
are 0, which the compiler sees, so they cost nothing. With the double two the fields of 2 and of
"-2" are one [R33].

Colours decide nothing but the order of moves, and with the double two whether it is a 2 or a "-2"
that is laid alone. Where nobody asks for that, card sets may be *counted*: one word for any number
of sets, in which the nibble of a kind says how many there are.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.bits import highest_bit, nth_bit, popcount
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.wide import nth_in_each

CLEAR = 0
MINUS_TWO = 12
KINDS = 13
HIGHEST = 11
SETS_PER_WORD = 4
WORDS = (1, 3, 4)
"""How many words a card set may have; for each the rules are compiled."""

SPECIAL_BITS = 20
"""Bits of a word that special cards may have in all."""

TWOS = 15 << 4 * 2
MINUS_TWOS = 15 << 4 * MINUS_TWO
CLEAR_CARDS = 15 << 4 * CLEAR
ALL_CARDS = (1 << 4 * KINDS) - 1
ONE_OF_EACH = sum(1 << 4 * kind for kind in range(KINDS))
ONE_OF_EACH_BUT_MINUS_TWO = ONE_OF_EACH & ~MINUS_TWOS
NUMBERS = ALL_CARDS & ~(MINUS_TWOS | CLEAR_CARDS)
FIRST_MINUS_TWO = 4 * MINUS_TWO


class Deck(NamedTuple):
    """Whether the double two is in force; the bits of a word that "-2" and clear cards have.

    And whether card sets are counted.
    """

    double: Any
    minus_twos: Any
    clears: Any
    counted: Any = 0


USUAL_DECK = Deck(0, MINUS_TWOS, CLEAR_CARDS, 0)
NO_CARDS = (0, 0, 0, 0)
COUNTED = 0
"""So many words have counted card sets."""

PAIRS, NIBBLES = 0x5555555555555, 0x3333333333333
MOST = 15
"""A tally counts no further: with the double two there may be 22 cards played as 2s."""


def widths_of(sets: int, minus_twos: int, clears: int) -> tuple[int, int, int]:
    """Return how many words card sets have, and how many bits of each "-2" and clear cards have.

    `minus_twos` and `clears` are those of each set.

    Raises
    ------
    ValueError
        If there are too many.
    """
    for words in WORDS:
        twos, others = (
            max(SETS_PER_WORD, -(-sets * each // words)) for each in (minus_twos, clears)
        )
        if SETS_PER_WORD * words >= sets and twos + others <= SPECIAL_BITS:
            return words, twos, others
    raise ValueError(f"{sets} sets with {minus_twos} and {clears} special cards")


def deck_with(minus_twos: int, clears: int) -> Deck:
    """Return the deck where special cards have so many bits of a word."""
    above = (1 << clears - SETS_PER_WORD) - 1 << FIRST_MINUS_TWO + minus_twos
    fields = ((1 << minus_twos) - 1 << FIRST_MINUS_TWO, CLEAR_CARDS | above)
    minus_two_field, clear_field = (np.uint64(field).astype(np.int64) for field in fields)
    return Deck(0, minus_two_field, clear_field, 0)


@inline_kernel
def card_number(kind, index, minus_twos=SETS_PER_WORD, clears=SETS_PER_WORD):
    """Return the number of a card, of its kind the one number `index` (from 0).

    Special cards have so many bits of a word, see `widths_of`.
    """
    each = minus_twos if kind == MINUS_TWO else clears if kind == CLEAR else SETS_PER_WORD
    bit = 4 * kind + index % each
    if kind == CLEAR and bit >= SETS_PER_WORD:
        bit += FIRST_MINUS_TWO + minus_twos - SETS_PER_WORD
    return 64 * (index // each) + bit


@inline_kernel
def is_wide(deck):
    """Tell whether special cards have other bits than usual."""
    return (deck.minus_twos != MINUS_TWOS) | (deck.clears != CLEAR_CARDS)


@inline_kernel
def kind_of(card, deck):
    """Return the kind that a card counts as by its number [C37] [C46]."""
    kind = (card & 63) >> 2
    bit = np.int64(1) << np.int64(card & 63)
    kind = MINUS_TWO if is_wide(deck) & (deck.minus_twos & bit != 0) else kind
    kind = CLEAR if is_wide(deck) & (deck.clears & bit != 0) else kind
    return 2 if (deck.double != 0) & (kind == MINUS_TWO) else kind


@inline_kernel
def field_of(kind, deck):
    """Return the bits of a word that cards of a kind have; with the double two, "-2" has none."""
    field = np.int64(15) << (4 * kind & 63)
    field = deck.minus_twos if is_wide(deck) & (kind == MINUS_TWO) else field
    field = deck.clears if is_wide(deck) & (kind == CLEAR) else field
    twos = deck.minus_twos if deck.double else 0
    return field & ~twos | (twos if kind == 2 else 0)


@inline_kernel
@wrapping
def lowest_of(word):
    """Return the lowest set bit of a word."""
    return word & -word


@inline_kernel
def words_of(cards):
    """Return a card set as a tuple of four words."""
    return (
        cards[0],
        cards[1] if len(cards) > 1 else np.int64(0),
        cards[2] if len(cards) > 2 else np.int64(0),
        cards[3] if len(cards) > 3 else np.int64(0),
    )


@inline_kernel
def put_words(cards, words):
    """Write a tuple of words to a card set (modified in place)."""
    cards[0] = words[0]
    if len(cards) > 1:
        cards[1], cards[2] = words[1], words[2]
    if len(cards) > 3:
        cards[3] = words[3]


@inline_kernel
def put(cards, card):
    """Add a card by its number to a card set (modified in place)."""
    cards[card >> 6] |= 1 << np.int64(card & 63)


@kernel
def count_of(cards, kind, deck):
    """Return how many cards of `kind` a card set holds."""
    return size_of(in_field(words_of(cards), field_of(kind, deck)))


@inline_kernel
def size_of(words):
    """Return how many cards there are."""
    return popcount(words[0]) + popcount(words[1]) + popcount(words[2]) + popcount(words[3])


@inline_kernel
def size_of_kind(words, kind, deck):
    """Return how many cards there are, which are all of one kind."""
    doubled = number_in(words[0], MINUS_TWO) if deck.double else 0
    return number_in(words[0], kind) + doubled if deck.counted else size_of(words)


@inline_kernel
def any_of(words):
    """Return 0 if there are no cards."""
    return words[0] | words[1] | words[2] | words[3]


@inline_kernel
def one_of(which, words, others):
    """Return `words` if it is so, else the others."""
    return (
        words[0] if which else others[0],
        words[1] if which else others[1],
        words[2] if which else others[2],
        words[3] if which else others[3],
    )


@inline_kernel
def in_field(words, field):
    """Return the cards that have bits of a word."""
    return words[0] & field, words[1] & field, words[2] & field, words[3] & field


@inline_kernel
def when(which, words):
    """Return the cards if it is so, else none; see `turn` on why this is no choice."""
    return in_field(words, -np.int64(which))


@inline_kernel
def both(words, others):
    """Return two card sets together, counted or without a card that is in both."""
    return words[0] + others[0], words[1] + others[1], words[2] + others[2], words[3] + others[3]


@inline_kernel
def without(words, others):
    """Return a card set without cards that are all in it."""
    return words[0] - others[0], words[1] - others[1], words[2] - others[2], words[3] - others[3]


@inline_kernel
def common(words, others):
    """Return the cards that are in both card sets."""
    return words[0] & others[0], words[1] & others[1], words[2] & others[2], words[3] & others[3]


@inline_kernel
def in_one_word(word):
    """Return a card set that has but one word."""
    return word, np.int64(0), np.int64(0), np.int64(0)


@inline_kernel
def kinds_among(word):
    """Return a bit, the first of its nibble, for every kind of which there are cards."""
    flags = word | word >> 1
    return (flags | flags >> 2) & ONE_OF_EACH


@inline_kernel
def number_in(counts, kind):
    """Return how many cards of a kind a counted set has."""
    return (counts >> 4 * kind) & 15


@inline_kernel
def tally(words, deck):
    """Return a card set as a counted one, in which with the double two all count as 2s."""
    usual = ~(deck.minus_twos | deck.clears) if is_wide(deck) else -1
    counts = tally_of(words[0] & usual) + tally_of(words[1] & usual) + tally_of(words[2] & usual)
    special = min(MOST, size_of(in_field(words, deck.minus_twos))) << 4 * MINUS_TWO
    special |= min(MOST, size_of(in_field(words, deck.clears)))
    counts |= special if is_wide(deck) else 0
    counts = words[0] if deck.counted else counts
    twos = min(MOST, number_in(counts, 2) + number_in(counts, MINUS_TWO))
    doubled = counts & ~(TWOS | MINUS_TWOS) | twos << 8
    return doubled if deck.double else counts


@inline_kernel
def tally_of(word):
    """Return the tally of a word."""
    pairs = word - ((word >> 1) & PAIRS)
    return (pairs & NIBBLES) + ((pairs >> 2) & NIBBLES)


@inline_kernel
def first_cards(counts, word):
    """Return a word, from 0, of the cards that are the first so many of their kind."""
    ones, twos, fours, eights = counts, counts >> 1, counts >> 2, counts >> 3
    full, part = fours | eights, ~(fours | eights)
    if word == 1:
        full, part = eights, fours & ~eights
    elif word == 2:
        full, part = fours & eights, eights & ~fours
    some = (ones | twos) & ONE_OF_EACH | (twos & ONE_OF_EACH) << 1
    some |= (ones & twos & ONE_OF_EACH) << 2
    return 15 * (full & ONE_OF_EACH) | some & 15 * (part & ONE_OF_EACH)


@inline_kernel
def first_of(words):
    """Return the first card alone."""
    first = lowest_of(words[0])
    second = lowest_of(words[1]) if words[0] == 0 else 0
    third = lowest_of(words[2]) if (words[0] | words[1]) == 0 else 0
    fourth = lowest_of(words[3]) if (words[0] | words[1] | words[2]) == 0 else 0
    return first, second, third, fourth


@inline_kernel
def last_of(words):
    """Return the number of the last card; of none, 0."""
    word = words[0] if words[1] == 0 else words[1]
    word = word if words[2] == 0 else words[2]
    word = word if words[3] == 0 else words[3]
    number = 64 if words[1] else 0
    number = 128 if words[2] else number
    number = 192 if words[3] else number
    return number + highest_bit(word | 1)


@inline_kernel
def nth_of(words, index, width, alone):
    """Return the card number `index` (from 0) of so many words."""
    if width <= 1:
        return nth_in(words[0], index, alone)
    first = popcount(words[0])
    second = first + popcount(words[1])
    third = second + popcount(words[2])
    beyond_first = index >= first
    beyond_second = index >= second
    beyond_third = index >= third
    word = words[1] if beyond_first else words[0]
    word = words[2] if beyond_second else word
    word = words[3] if beyond_third else word
    skipped = first if beyond_first else 0
    skipped = second if beyond_second else skipped
    skipped = third if beyond_third else skipped
    number = np.int64(beyond_first) + np.int64(beyond_second) + np.int64(beyond_third)
    return nth_in(word, index - skipped, alone) + 64 * number


@inline_kernel
def nth_in(word, index, alone):
    """Return the set bit number `index`, in the way that is quicker for a match alone or many."""
    if alone:
        return nth_bit(word, index)
    return nth_in_each(word, index)


# A choice by the number of a word would be a switch, which ends the vectors; so these are masks.


@inline_kernel
def same(one, other):
    """Return a mask: whether two small numbers, from 0, are the same."""
    return ((one ^ other) - 1) >> 63


@inline_kernel
def below_it(one, other):
    """Return a mask: whether a small number is below another."""
    return (one - other) >> 63


@inline_kernel
@wrapping
def up_to(words, card, width):
    """Return the cards up to a card of these, which are all of one kind, of so many words.

    With the double two, "-2" cards come after 2s.
    """
    below = (np.int64(2) << (card & 63)) - 1
    if width <= 1:
        return in_one_word(words[0] & below)
    word = card >> 6
    return (
        words[0] & (below & same(word, 0) | below_it(0, word)),
        words[1] & (below & same(word, 1) | below_it(1, word)),
        words[2] & (below & same(word, 2) | below_it(2, word)),
        words[3] & (below & same(word, 3)),
    )


@inline_kernel
def only(card, width):
    """Return a card alone, in one of so many words."""
    bit = np.int64(1) << (card & (63 if width != COUNTED else 60))
    if width <= 1:
        return in_one_word(bit)
    word = card >> 6
    return (
        bit & same(word, 0),
        bit & same(word, 1),
        bit & same(word, 2) if width > 2 else np.int64(0),
        bit & same(word, 3) if width > 3 else np.int64(0),
    )
