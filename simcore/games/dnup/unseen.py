"""dnup: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.dnup.cards import chart_hand
from simcore.games.dnup.deck import MOST_PLAYERS
from simcore.jit import inline_kernel, kernel

assert MOST_PLAYERS == 5, "`of_all` has as many words"


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
    unseen, _ = unseen_cards(table, seat)
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


@inline_kernel
def unseen_cards(table, seat):
    """Return the cards that a seat has not seen, which others hold, and those seen to go there."""
    known = of_all(table.known) ^ table.known[np.uint32(seat.index)]
    seen = seat.up | seat.down | table.discards | of_all(table.set_cards) | known
    return table.in_play & ~seen, known


@inline_kernel
def of_all(cards):
    """Return all cards of so many seats, or places in use, as there may be; see `MOST_PLAYERS`."""
    return cards[0] | cards[1] | cards[2] | cards[3] | cards[4]
