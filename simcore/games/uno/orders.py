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
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import DECK, DECK_SIZE, KINDS
from simcore.jit import inline_kernel, kernel

FIRST_NUMBER = np.searchsorted(DECK, np.arange(KINDS)).astype(np.uint8)
"""The lowest number of a card of each kind."""

GONE = 255
"""In `place`: a card that is not in the stock."""

RENEWAL_SHIFT = 32
"""Stocks of a round are told apart above the bits of its number."""


@kernel
def open_orders(table, box, renewals):
    """Give the cards of a stock just made their numbers, and set all sequences to their start.

    Equal cards get the lowest numbers of their kind, so that a card has the same number in two
    stocks in which it lies as often.

    Parameters
    ----------
    table, box : record
        The cards are the first `table.stock_size` of `box.stock`, in no order. BOX is modified in
        place.
    renewals : int
        How often the stock was renewed in this round.
    """
    box.renewals = renewals
    for number in range(DECK_SIZE):
        box.place[number] = GONE
    for place in range(table.stock_size):
        number = np.int64(FIRST_NUMBER[box.stock[place]])
        while box.place[number] != GONE:
            number += 1
        box.place[number] = place
        box.number[place] = number
    key = np.int64(table.round_number) + (np.int64(renewals) << RENEWAL_SHIFT)
    for seat in range(table.players):
        purpose = rng.FIRST_SEAT_DRAWS + seat
        rng.open_stream(box.draw_rng[seat], box.seed, box.key, key, purpose)


@kernel
def bring_next_card(table, box, index):
    """Put the card that a seat draws next on top of the stock, which must have one."""
    stream = box.draw_rng[index]
    number = rng.below(stream, DECK_SIZE)
    while box.place[number] == GONE:
        number = rng.below(stream, DECK_SIZE)
    swap_to_top(table, box, number)
    box.place[number] = GONE
    box.loose = table.stock_size - 1


@inline_kernel
def swap_to_top(table, box, number):
    """Let the card of a number and the top card of the stock change places."""
    top = np.uint32(table.stock_size - 1)
    place = np.uint32(box.place[number])
    other = box.number[top]
    kind = box.stock[place]
    box.stock[place] = box.stock[top]
    box.stock[top] = kind
    box.number[place] = other
    box.number[top] = number
    box.place[other] = place
