"""UP & DOWN: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_mask, popcount
from simcore.games.updown.cards import DECK
from simcore.games.updown.table import CARD
from simcore.jit import inline_kernel, kernel


@kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible, each such deal with the same probability.

    What it knows: its own hand and all cards played in the round. In the phase `CARD` the seats
    before it have chosen already: each of their cards is as likely to be the chosen one.

    Parameters
    ----------
    table, seat : record
        The TABLE, and the SEAT of who looks on.
    box : record
        BOX, modified in place: hands and chosen cards.
    stream : uint64[2]
        Modified in place.
    """
    unseen = np.int64(DECK) & ~seat.hand
    for index in range(table.players):
        unseen &= ~table.played[index]
    left = table.hand_size - table.trick
    for index in range(table.players):
        box.chosen[index] = 0
        if index == seat.index:
            box.seats[index].hand = seat.hand
            continue
        hand = np.int64(0)
        for _ in range(left):
            card = one_of(unseen, stream)
            unseen ^= card
            hand |= card
        if table.phase == CARD and index < seat.index:
            box.chosen[index] = one_of(hand, stream)
        box.seats[index].hand = hand & ~box.chosen[index]


@kernel
def take_back(table, box):
    """Take back the cards chosen for the trick under way (the records are modified in place).

    Then all seats choose again, from seat 0 on [C9].
    """
    if table.phase == CARD:
        for index in range(table.players):
            box.seats[index].hand |= box.chosen[index]
            box.chosen[index] = 0
        table.seat = 0


@inline_kernel
def one_of(cards, stream):
    """Return one card of a card set, drawn at random."""
    return nth_mask(cards, rng.below(stream, popcount(cards)))
