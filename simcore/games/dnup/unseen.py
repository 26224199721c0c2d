"""dnup: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.dnup.cards import chart_hand
from simcore.games.dnup.table import PLACES
from simcore.jit import kernel


@kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible, each such deal with the same probability.

    What it knows: its own hand, the sets on the table, the cards discarded, and those seen to go to
    a hand, with the side that is up. The other cards of the others are drawn from the rest, either
    way up.

    Parameters
    ----------
    table, seat : record
        The TABLE, and the SEAT of who looks on.
    box : record
        BOX, modified in place: hands and their charts.
    stream : uint64[2]
        Modified in place.
    """
    unseen = unseen_cards(table, seat)
    for index in range(table.players):
        other = box.seats[index]
        if index == seat.index:
            other.up = seat.up
            other.down = seat.down
        else:
            known = table.known[index]
            other.up = known & ~table.known_down
            other.down = known & table.known_down
            for _ in range(table.cards[index] - popcount(known)):
                card = np.int64(1) << nth_bit(unseen, rng.below(stream, popcount(unseen)))
                unseen ^= card
                if rng.below(stream, 2) == 0:
                    other.up |= card
                else:
                    other.down |= card
        chart_hand(table, other)


@kernel
def unseen_cards(table, seat):
    """Return the cards that a seat has not seen: others hold them."""
    seen = seat.up | seat.down | table.discards
    for place in range(PLACES):
        seen |= table.set_cards[place]
    for index in range(table.players):
        if index != seat.index:
            seen |= table.known[index]
    return table.in_play & ~seen
