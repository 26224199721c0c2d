"""Up: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up.cards import CLEAR, KINDS, MINUS_TWO, card_number
from simcore.games.up.table import hand_size
from simcore.jit import inline_kernel, kernel, shared_kernel

MOST_EACH = 4
"""Special cards of a set, at most."""

OVERDUE_LAPS = 50
"""Plays for each player after which a round should be over; one of four all-rounders in a thousand
takes more than 45."""


@shared_kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible, each such deal with the same probability.

    What it knows: its own hand, the tower, the cards cleared away and all open cards, the cards it
    saw others take up (`known_hand`), and how many cards lie where. The hidden cards, its own too,
    the unknown hand cards of the others and the cards not dealt are drawn from all the rest.

    Parameters
    ----------
    table, seat : record
        The TABLE, and the SEAT of who looks on.
    box : record
        BOX of zeros or one filled before, modified in place: `seats` (hands) and `hidden`.
    stream : uint64[2]
        Modified in place.
    """
    count = unseen_cards(table, seat, box.pack)
    drawn = 0
    for other in range(table.players):
        if other == seat.index:
            for word in range(len(seat.hand)):
                box.seats[other].hand[word] = seat.hand[word]
            continue
        unknown = hand_size(table, other)
        for word in range(len(seat.hand)):
            box.seats[other].hand[word] = table.known_hand[other, word]
            unknown -= popcount(table.known_hand[other, word])
        for _ in range(unknown):
            card = rng.pick(stream, box.pack, drawn, count)
            drawn += 1
            box.seats[other].hand[card >> 6] |= 1 << (card & 63)
    for other in range(table.players):
        for i in range(table.hidden_cards[other]):
            box.hidden[other, i] = rng.pick(stream, box.pack, drawn, count)
            drawn += 1


@kernel
def unseen_cards(table, seat, cards):
    """Write the numbers of the cards that a seat has not seen to `cards`; return how many."""
    count = np.int64(0)
    sets = table.players + table.extra_set
    for colour in range(sets):
        for kind in range(KINDS):
            count = note_unseen(table, seat, cards, count, kind, colour, colour + 1)
    count = note_unseen(table, seat, cards, count, MINUS_TWO, sets, MOST_EACH * sets)
    return note_unseen(table, seat, cards, count, CLEAR, sets, MOST_EACH * sets)


@kernel
def note_unseen(table, seat, cards, count, kind, first, end):
    """Add those cards of a kind from one number to another that there are and nobody has seen.

    Return how many cards have been noted now.
    """
    each = 1
    if kind == MINUS_TWO:
        each = table.minus_two_cards
    elif kind == CLEAR:
        each = table.clear_cards
    for index in range(first, min(end, each * (table.players + table.extra_set))):
        card = card_number(kind, index, table.minus_two_bits, table.clear_bits)
        word = card >> 6
        seen = table.tower[word] | table.cleared[word] | seat.hand[word]
        for other in range(table.players):
            seen |= table.open_cards[other, word]
            if other != seat.index:
                seen |= table.known_hand[other, word]
        if not (seen >> (card & 63)) & 1:
            cards[count] = card
            count += 1
    return count


@inline_kernel
def is_overdue(table):
    """Tell whether a round goes on as if nobody would end it, or half its cap of plays is gone.

    Each of several searches may have the tower collapse on the next seat again and again, in the
    belief that the others will end the round as heuristics do.
    """
    return table.plays >= min(OVERDUE_LAPS * table.players, table.play_cap // 2)
