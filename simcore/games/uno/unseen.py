"""UNO: dealing anew what a seat cannot see, consistently with all that it has seen."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno import cards as deck
from simcore.games.uno.table import BY_STOCK, NEVER, NOBODY, OWN_CARDS
from simcore.jit import inline_kernel, kernel

REDRAWS = 8
"""How often a card is drawn again that a player is taken not to hold; there may be no other."""


@kernel
def deal_unseen(table, seat, box, stream):
    """Fill a BOX with cards that a seat holds possible.

    What it knows: its own hand, the discard pile, how many cards everybody has, and of a hand that
    was shown to it for a challenge the cards that must still be there. What is left is dealt at
    random, each such deal with the same probability.

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
    deal_believed(table, seat, box, stream, 0.0)


@kernel
def deal_believed(table, seat, box, stream, trust):
    """Fill a BOX with cards that a seat holds likely; see `deal_unseen`.

    Who draws could have laid a card all the same [R8], but as a rule could not. With probability
    `trust` (0…1) it is taken for granted of a player who drew, and has not been made to draw since,
    that nothing it holds would have gone on what lay on top then. Such a hand is dealt by drawing
    again, `REDRAWS` times at most, whatever would have gone.
    """
    count = unseen_cards(table, seat, box.stock)
    for index in range(table.players):
        other = box.seats[index]
        if index == seat.index:
            other.hand = seat.hand
            other.doubles = seat.doubles
            other.pairs = seat.pairs
            continue
        other.shown_seat = NOBODY
        other.hand = 0
        other.doubles = 0
        other.pairs = 0
        if index == seat.shown_seat:
            count = give_shown(table, seat, other, box.stock, count)
    for index in range(table.players):
        if index != seat.index:
            lacks = cards_lacked(table, index, stream, trust)
            other = box.seats[index]
            for _ in range(
                table.cards[index] - deck.size_of(other.hand, other.doubles, other.pairs)
            ):
                place = rng.below(stream, count)
                redraws = 0
                while (lacks >> np.int64(box.stock[place])) & 1 and redraws < REDRAWS:
                    place = rng.below(stream, count)
                    redraws += 1
                count = give(other, box.stock, place, count)
    box.loose = count
    box.coupling = BY_STOCK
    if table.layer != NOBODY:
        box.bluff = np.int64(
            box.seats[table.layer].hand & deck.COLOUR_CARDS[deck.WILD_NAMED + table.colour_before]
            != 0
        )


@inline_kernel
def cards_lacked(table, index, stream, trust):
    """Return the kinds that a seat is taken not to hold; see `deal_believed`."""
    top = table.drew_on[index]
    if trust == 0.0 or top == NEVER or rng.uniform(stream) >= trust:
        return np.int64(0)
    return deck.PLAYABLE[top]


@inline_kernel
def give(seat, cards, place, count):
    """Give a seat the card at a place of `count` ones; return how many are left."""
    deck.add(seat, np.int64(1) << np.int64(cards[place]))
    cards[place] = cards[count - 1]
    return count - 1


@kernel
def give_shown(table, seat, other, cards, count):
    """Give a player the cards that it must still hold since it showed its hand to a seat.

    Of each kind as many as it had less those discarded since, by whomever. Once the discards have
    become the stock nobody can tell any more. `cards`, of which there are `count`, are modified in
    place; returns how many are left.
    """
    if table.stocked != seat.shown_stocked:
        return count
    for kind in range(deck.KINDS):
        left = deck.count_of(seat.shown_hand, seat.shown_doubles, seat.shown_pairs, kind)
        left -= discarded(table, kind)
        left += deck.count_of(
            seat.shown_discards, seat.shown_discard_doubles, seat.shown_discard_pairs, kind
        )
        place = 0
        while left > 0 and place < count:
            if cards[place] == kind:
                count = give(other, cards, place, count)
                left -= 1
            else:
                place += 1
    return count


@inline_kernel
def discarded(table, kind):
    """Return how many cards of a kind lie in the discard pile."""
    return deck.count_of(table.discards, table.discard_doubles, table.discard_pairs, kind)


@kernel
def unseen_cards(table, seat, cards):
    """Write the kinds of the cards that a seat has not seen to `cards`; return how many."""
    count = 0
    kind_before = np.int64(-1)
    seen = 0
    for place in range(table.deck_size):
        kind = np.int64(table.deck[place])
        if kind != kind_before:
            kind_before = kind
            seen = deck.count_of(seat.hand, seat.doubles, seat.pairs, kind) + discarded(table, kind)
        if seen > 0:
            seen -= 1
        else:
            cards[count] = kind
            count += 1
    return count


@inline_kernel
def beliefs(table):  # noqa: ARG001
    """Return how many parameters say what a search believes: the `trust` of `deal_believed`."""
    return 1


@inline_kernel
def score_sign(table):
    """Return 1 when the highest score wins, -1 when the lowest does."""
    return -1.0 if table.scoring == OWN_CARDS else 1.0
