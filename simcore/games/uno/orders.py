"""UNO: each seat draws along an order of its own (`coupling = "seat"`).

Where the k-th card from the stock is the same whoever draws it, one card more for one seat shifts
what everybody draws from then on, and two matches on the same deal soon have nothing in common.
Here it shifts nothing: a seat's cards follow from its own order and from which cards are gone.

The cards of the deck are numbered. Every seat has an endless sequence of such numbers, uniform and
independent, from a random stream keyed by seed, match, round, seat and how often the stock was
renewed. It draws the card of the next number in its sequence that is in the stock; numbers of other
cards are passed over. Two things follow.

*The sequence is an order of the deck.* A number that was passed over or drawn is of a card that is
gone until the stock is renewed, so the sequence acts through the first place of each number alone.
Their order is a random permutation, all equally likely: the seat draws the first card of its
permutation that nobody has drawn. (Macondo's bag that is drawn from both ends is the case of two
players, one permutation, and its reverse.)

*Draws are those of a shuffled stock.* Let S be the cards in the stock when a seat is to draw. Who
draws, S, and all that anybody has seen are functions of the deal, of other streams, and of numbers
that were looked at before. The numbers that this seat looks at now were not: given all that, they
are independent and uniform over the deck, so the first of them in S is uniform over S. That is the
law of the next card of a uniformly shuffled stock, for any way in which players choose to draw; by
induction over the draws so is the joint law of all cards drawn. Which of several equal cards in the
stock has which number is settled when the stock is made, before any of its sequences is looked at.

The cards have the numbers of their places in `cards.DECK`; a number whose card is not in the deck
is never in the stock. In a deck with more cards of some kind than that one there are `LARGEST_DECK`
numbers: `FOUR_WORDS` for the first cards of all kinds, as many for the second ones, and so on, with
four wild cards each. What is left of the stock is a set of numbers, two words, or four. A seat
keeps the number that it came to last, which is the next one as long as its card is in the stock.
`box.stock` holds no more than the card on top, once a seat is about to draw it.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import deposit, lowest_bit, popcount
from simcore.games.uno import cards as deck
from simcore.jit import inline_kernel, kernel
from simcore.lanes import blend

RENEWAL_SHIFT = 32
"""Stocks of a round are told apart above the bits of its number."""

A_WORD = 64
"""So many numbers have their bits in the first of the two words of a set of numbers."""

_OF_A_COLOUR = 2 * deck.FACES - 1
_FIRSTS = 1 | sum(0b10 << 2 * face for face in range(deck.FACES - 1))
_SECONDS = sum(0b100 << 2 * face for face in range(deck.FACES - 1))

FOUR_WORDS = deck.LARGEST_DECK // deck.LEVELS
"""So many numbers have their bits in each of four words of a set of numbers."""


@inline_kernel
def is_left(number, left0, left1):
    """Return a mask: whether a set of numbers, two words, has this one."""
    word = blend((A_WORD - 1 - number) >> 63, left1, left0)
    return -((word >> (number & (A_WORD - 1))) & 1)


@inline_kernel
def without_number(number, left0, left1):
    """Return a set of numbers, two words, without this one."""
    second = (A_WORD - 1 - number) >> 63
    bit = np.int64(1) << (number & (A_WORD - 1))
    return left0 & ~(bit & ~second), left1 & ~(bit & second)


@kernel
def numbers_of(cards, doubles, wilds, wild_draw_fours):
    """Return the numbers of cards, as a set: two words.

    `cards` and `doubles` are of the coloured ones the kinds of which the first, and of which the
    second card is there; `wilds` and `wild_draw_fours` how many there are of either.
    """
    two_colours = 2 * _OF_A_COLOUR
    half0 = np.int64(0)
    half1 = ((np.int64(1) << wilds) - 1) | (((np.int64(1) << wild_draw_fours) - 1) << 4)
    half1 <<= two_colours
    for colour in range(len(deck.COLOURS)):
        firsts = (cards >> (deck.FACES * colour)) & deck.ONE_COLOUR
        seconds = ((doubles >> (deck.FACES * colour)) & deck.ONE_COLOUR) >> 1
        numbers = deposit(firsts, np.int64(_FIRSTS)) | deposit(seconds, np.int64(_SECONDS))
        numbers <<= _OF_A_COLOUR * (colour & 1)
        if colour < 2:
            half0 |= numbers
        else:
            half1 |= numbers
    return half0 | (half1 << two_colours), half1 >> (A_WORD - two_colours)


@kernel
def note_numbers(table, box, levels, wilds, wild_draw_fours):
    """Note the stock as a set of numbers, from what `stock.cards_not_held` returned."""
    if table.order_size == deck.DECK_SIZE:
        left = numbers_of(levels[0], levels[1], wilds, wild_draw_fours)
        box.left[0], box.left[1] = left
        return
    for level in range(deck.LEVELS):
        # Of the wild cards one of the first four, and one of the others.
        word = np.int64(wilds > level) | np.int64(wilds > level + deck.LEVELS) << 1
        word |= np.int64(wild_draw_fours > level) << 2
        word |= np.int64(wild_draw_fours > level + deck.LEVELS) << 3
        box.left[level] = levels[level] | word << deck.WILD


@kernel
def open_orders(table, box, renewals):
    """Set all seats' sequences to their start, for a stock just made; if it has cards.

    `box.left`, the stock as a set of numbers, must have been filled in; `renewals` is how often the
    stock was renewed in this round.
    """
    box.renewals = renewals
    box.loose = table.stock_size
    if table.stock_size == 0:
        return
    key = np.int64(table.round_number) + (np.int64(renewals) << RENEWAL_SHIFT)
    for seat in range(table.players):
        purpose = rng.FIRST_SEAT_DRAWS + seat
        rng.open_stream(box.draw_rng[seat], box.seed, box.key, key, purpose)
        box.numbers[seat] = table.order_size  # Of no card.


@inline_kernel
def next_number(stream, place, left0, left1):
    """Return the next number of a sequence that is in the stock, which must have one.

    `place` is the number that the seat came to last and the two words of the stream that goes on
    from there; so is what is returned. `stream` may be modified.
    """
    number, word0, word1 = place
    if popcount(left0) + popcount(left1) == 1:  # To come to it would take longest.
        return lowest_bit(left0) if left0 else A_WORD + lowest_bit(left1), word0, word1
    while is_left(number, left0, left1) == 0:
        found, word0, word1 = rng.below_by_words(stream, word0, word1, deck.DECK_SIZE)
        number = np.int64(found)
    return number, word0, word1


@inline_kernel
def find_number(table, box, index):
    """Go on in a seat's sequence to the next number that is in the stock, which must have one."""
    stream = box.draw_rng[index]
    place = box.numbers[index], stream[0], stream[1]
    if table.order_size == deck.DECK_SIZE:
        place = next_number(stream, place, box.left[0], box.left[1])
    else:
        place = next_of_many(stream, place, box.left)
    box.numbers[index], stream[0], stream[1] = place


@kernel
def next_of_many(stream, place, left):
    """Return what `next_number` does, where a set of numbers is four words."""
    number, word0, word1 = place
    while number == deck.LARGEST_DECK or is_left_of_many(number, left) == 0:
        found, word0, word1 = rng.below_by_words(stream, word0, word1, deck.LARGEST_DECK)
        number = np.int64(found)
    return number, word0, word1


@inline_kernel
def is_left_of_many(number, left):
    """Tell whether a set of numbers, four words, has this one."""
    return (left[np.uint32(number // FOUR_WORDS)] >> (number % FOUR_WORDS)) & 1


@inline_kernel
def kind_of_many(number):
    """Return the kind of the card of a number where a set of numbers is four words."""
    place = number % FOUR_WORDS
    return place if place < deck.WILD else deck.WILD + (place - deck.WILD) // 2


@inline_kernel
def take_number(table, box, index):
    """Put the card of the number that a seat has come to on top of the stock."""
    number = box.numbers[index]
    if table.order_size == deck.DECK_SIZE:
        box.left[0], box.left[1] = without_number(number, box.left[0], box.left[1])
        kind = np.int64(deck.DECK[np.uint32(number)])
    else:
        box.left[np.uint32(number // FOUR_WORDS)] &= ~(np.int64(1) << (number % FOUR_WORDS))
        kind = kind_of_many(number)
    top = table.stock_size - 1
    box.stock[np.uint32(top)] = kind
    box.loose = top
