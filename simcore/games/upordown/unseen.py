"""Up or down?: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown.cards import EMPTY_ROW, card_at, count_of, insert
from simcore.games.upordown.table import FACE_DOWN, FACE_UP, HELD, UNSEEN
from simcore.jit import inline_kernel, kernel

MOST_UNSEEN = 127


@kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible, each such deal with the same probability.

    What it knows: its own hand, all cards that were laid or drawn openly (`whereabouts`), and the
    top of the face-up pile. The other cards of the others and of both piles are drawn from the
    rest.

    Parameters
    ----------
    table, seat : record
        The TABLE, and the SEAT of who looks on.
    box : record
        BOX, modified in place: hands and the deck.
    stream : uint64[2]
        Modified in place.
    """
    cards = np.empty(MOST_UNSEEN, np.int64)
    count = unseen_cards(table, seat, cards)
    drawn = 0
    for index in range(table.players):
        if index == seat.index:
            box.seats[index].hand = seat.hand
            continue
        hand = np.int64(EMPTY_ROW)
        held = 0
        for card in range(1, table.card_count + 1):
            if table.whereabouts[card] == HELD + index:
                hand = insert(hand, np.int64(card))
                held += 1
        for _ in range(hand_size(table, index) - held):
            hand = insert(hand, rng.pick(stream, cards, drawn, count))
            drawn += 1
        box.seats[index].hand = hand
    draw_cards = table.card_count - table.circle_cards - table.hand_cards * table.players
    box.face_up_size = draw_cards // 2
    for pile in (FACE_UP, FACE_DOWN):
        start = 0 if pile == FACE_UP else box.face_up_size
        for place in range(start + 1, start + table.pile_cards[pile] + 1):
            if pile == FACE_UP and place == table.pile_cards[pile] and table.face_up_card:
                box.deck[place] = table.face_up_card
            else:
                box.deck[place] = rng.pick(stream, cards, drawn, count)
                drawn += 1


@inline_kernel
def hand_size(table, index):
    """Return how many cards a seat that is not on turn has: in the end one for each turn left."""
    steps = (index + table.players - np.int64(table.seat)) % table.players
    turns = (table.turns_left - steps + table.players - 1) // table.players
    return min(turns, table.hand_cards)


@kernel
def unseen_cards(table, seat, cards):
    """Write the cards that a seat has not seen to `cards`; return how many."""
    own = count_of(seat.hand)
    count = 0
    for card in range(1, table.card_count + 1):
        seen = table.whereabouts[card] != UNSEEN or card == table.face_up_card
        for i in range(own):
            seen |= card_at(seat.hand, 8 * i) == card
        if not seen:
            cards[count] = card
            count += 1
    return count
