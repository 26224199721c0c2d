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

What is left of the stock is a card set, two words (see `cards`); a card's number stands for one bit
of the two. `box.stock` holds no more than the card on top, once a seat is about to draw it.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import DECK, DECK_SIZE, put
from simcore.jit import inline_kernel, kernel

RENEWAL_SHIFT = 32
"""Stocks of a round are told apart above the bits of its number."""

WORD_BITS = 64


def _places() -> list[int]:
    """Return the bit of every card of the deck in a card set's two words, by number."""
    places: list[int] = []
    cards, doubles = 0, 0
    for kind in DECK.tolist():
        more, more_doubles = (int(word) for word in put(cards, doubles, kind))
        added = (more ^ cards) | (more_doubles ^ doubles) << WORD_BITS
        places.append(added.bit_length() - 1)
        cards, doubles = more, more_doubles
    return places


PLACE = np.array(_places(), dtype=np.uint8)
"""Bit of a card in a card set, by number; bits of the second word from `WORD_BITS` on."""


@kernel
def open_orders(table, box, renewals):
    """Set all seats' sequences to their start, for a stock just made.

    Parameters
    ----------
    table, box : record
        `box.left`, the stock as a card set, must have been filled in. BOX is modified in place.
    renewals : int
        How often the stock was renewed in this round.
    """
    box.renewals = renewals
    box.loose = table.stock_size
    key = np.int64(table.round_number) + (np.int64(renewals) << RENEWAL_SHIFT)
    for seat in range(table.players):
        purpose = rng.FIRST_SEAT_DRAWS + seat
        rng.open_stream(box.draw_rng[seat], box.seed, box.key, key, purpose)


@inline_kernel
def bring_next_card(table, box, index):
    """Put the card that a seat draws next on top of the stock, which must have one."""
    stream = box.draw_rng[index]
    left = box.left
    number = np.uint32(rng.below(stream, DECK_SIZE))
    while not is_among(left, PLACE[number]):
        number = np.uint32(rng.below(stream, DECK_SIZE))
    place = PLACE[number]
    left[place >> 6] ^= np.uint64(1) << np.uint64(place & 63)
    top = table.stock_size - 1
    box.stock[np.uint32(top)] = DECK[number]
    box.loose = top


@inline_kernel
def is_among(cards, place):
    """Tell whether a card set (two words in an array) has the card of a bit."""
    return (cards[place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != 0
