"""UNO: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno.cards import COLOUR_CARDS, DECK, DECK_SIZE, WILD_NAMED, count_of, put
from simcore.games.uno.table import BY_STOCK, NOBODY, OWN_CARDS
from simcore.jit import inline_kernel, kernel


@kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible, each such deal with the same probability.

    What it knows: its own hand, the discard pile, and how many cards everybody has. That a seat had
    to draw on a colour, or showed its hand for a challenge, is evidence about a hand that has
    changed since; it is not weighed here.

    Parameters
    ----------
    table, seat : record
        The TABLE, and the SEAT of who looks on.
    box : record
        BOX, modified in place: hands, the stock (all of it in no order yet, see `stock`), and
        whether the wild draw four to take effect is a bluff with these hands. Whatever orders the
        seats draw along, what is left of them is unknown to all: a stock that is shuffled for
        everybody is as likely.
    stream : uint64[2]
        Modified in place.
    """
    count = unseen_cards(table, seat, box.stock)
    for index in range(table.players):
        other = box.seats[index]
        if index == seat.index:
            other.hand = seat.hand
            other.doubles = seat.doubles
            continue
        other.shown_seat = NOBODY
        other.hand = 0
        other.doubles = 0
        for _ in range(table.cards[index]):
            place = rng.below(stream, count)
            count -= 1
            other.hand, other.doubles = put(other.hand, other.doubles, np.int64(box.stock[place]))
            box.stock[place] = box.stock[count]
    box.loose = count
    box.coupling = BY_STOCK
    box.watched = 1
    if table.layer != NOBODY:
        box.bluff = np.int64(
            box.seats[table.layer].hand & COLOUR_CARDS[WILD_NAMED + table.colour_before] != 0
        )


@kernel
def unseen_cards(table, seat, cards):
    """Write the kinds of the cards that a seat has not seen to `cards`; return how many."""
    count = 0
    kind_before = np.int64(-1)
    seen = 0
    for place in range(DECK_SIZE):
        kind = np.int64(DECK[place])
        if kind != kind_before:
            kind_before = kind
            seen = count_of(seat.hand, seat.doubles, kind)
            seen += count_of(table.discards, table.discard_doubles, kind)
        if seen > 0:
            seen -= 1
        else:
            cards[count] = kind
            count += 1
    return count


@inline_kernel
def score_sign(table):
    """Return 1 when the highest score wins, -1 when the lowest does."""
    return -1.0 if table.scoring == OWN_CARDS else 1.0
