"""UP & DOWN: the start of a round: deal, first trump, toss of the U&D card.

Hands are drawn as *places*: bits 0 to 43 for the cards of the deck in order, one word a hand.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown.cards import LANE, LOWEST, SIDES, VALUES
from simcore.games.updown.draws import FRACTION_BITS, draw, fresh_fraction
from simcore.games.updown.options import CARDS
from simcore.games.updown.score import clauses_of
from simcore.games.updown.table import CHANGE, CLAUSE, METRIC, NO_SEAT, SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel
from simcore.records import NO_MOVE, RANDOM

FEW_CARDS = 8
"""Small hands are drawn in fewer steps, and those of up to so many in still fewer:"""

VERY_FEW_CARDS = 4

FIRST_PILE = 11
"""Cards that are drawn first of a hand of more than `USUAL_HAND`, of which a fraction cannot tell.
"""

LATER_CARDS = 14
"""Cards of such a hand whose order a second fraction tells."""

_WHOLE_DECK = (1 << CARDS) - 1
_COLOUR_MASKS = tuple(VALUES << (LANE * colour) for colour in range(SIDES))


def falling_products() -> np.ndarray:
    """Return n (n − 1) … for `count` factors by [n, count], 0 where a fraction does not suffice."""
    products = np.zeros((CARDS + 1, USUAL_HAND + 1), dtype=np.uint64)
    for n in range(CARDS + 1):
        product = 1
        for count in range(min(n, USUAL_HAND) + 1):
            products[n, count] = product if product < 1 << FRACTION_BITS else 0
            product *= n - count
    return products


FALLING = falling_products()


@inline_kernel
def toss(side):
    """Return the U&D card's face and the seat to which ROSE points [R4] [R5] [C2].

    `side` is drawn from twice as many as there are players.
    """
    return side & 1, side >> 1


@inline_kernel
def sum_of_dice(throw):
    """Return the sum of two dice [R6] by one of their 36 throws."""
    sixth = (throw * 43) >> 8  # Exact below 128.
    return throw - 5 * sixth + 2


@inline_kernel
def draws_of_round(players, hand_size):
    """Return four times how many cards of how many are drawn [R3] [H1]; see `hands_of`.

    That is hands but the last one, and of this and the cards aside the fewer, at last nothing; with
    two players a large hand in two piles. What is not drawn is what is left.
    """
    aside = CARDS - players * hand_size
    last = min(hand_size, aside)
    if hand_size > USUAL_HAND:
        first, second, third = np.int64(FIRST_PILE), hand_size - FIRST_PILE, aside
    else:
        first, second = hand_size, hand_size if players > 2 else last
        third = (hand_size if players > 3 else last) if players > 2 else np.int64(0)
    fourth = last if players > 3 else np.int64(0)
    left = CARDS - first
    return (first, CARDS), (second, left), (third, left - second), (fourth, left - second - third)


@inline_kernel
def products_of(drawn):
    """Return the bounds of the two fractions from which cards are drawn, multiplied.

    In two parts: so many cards would be too much for one word.
    """
    count, size = drawn
    first = np.uint32((count + 1) >> 1)
    return FALLING[np.uint32(size), first], FALLING[
        np.uint32(size) - first, np.uint32(count) - first
    ]


@inline_kernel
def draw_place(fraction, size, index, count):
    """Return the place that is drawn as number `index`, as a bit, and the fraction left.

    No place once `count` are drawn.
    """
    place, fraction = draw(fraction, size - index)
    return np.int64(index < count) << place, fraction


@inline_kernel
def draw_places(fraction, size, count, more):
    """Draw up to six places, each among those that the others leave; for `more` see `draw_hand`."""
    one, fraction = draw_place(fraction, size, 0, count)
    two, fraction = draw_place(fraction, size, 1, count)
    if len(more) > 2:
        return one, two
    three, fraction = draw_place(fraction, size, 2, count)
    four, fraction = draw_place(fraction, size, 3, count)
    if len(more) > 1:
        return one, two, three, four
    five, fraction = draw_place(fraction, size, 4, count)
    six, fraction = draw_place(fraction, size, 5, count)
    if len(more) > 0:
        seven, fraction = draw_place(fraction, size, 6, count)
        eight, fraction = draw_place(fraction, size, 7, count)
        return one, two, three, four, five, six, seven, eight
    return one, two, three, four, five, six


@inline_kernel
def put_in(cards, place, held):
    """Return places counted as if `place`, a bit or 0, were not there, with it there.

    It is among them if it is `held`, 0 or -1.
    """
    return cards + (cards & -place) | (place & held)


@inline_kernel
def put_all_in(cards, places, held):
    """Do the same for places that were drawn one after another, the last one first."""
    if len(places) > 6:
        cards = put_in(put_in(cards, places[7], held), places[6], held)
    if len(places) > 4:
        cards = put_in(put_in(cards, places[5], held), places[4], held)
    if len(places) > 2:
        cards = put_in(put_in(cards, places[3], held), places[2], held)
    return put_in(put_in(cards, places[1], held), places[0], held)


@inline_kernel
def draw_hand(fractions, drawn, later, more):
    """Return the hand that two fractions draw, and those that were drawn from what it leaves.

    Each draw is from those that the draws before leave; to undo this from the last one on takes
    less than to find the card for each number.

    Parameters
    ----------
    fractions : (int64 or uint64)[2]
    drawn : (int, int)
        How many cards, of how many.
    later : tuple of int64
        Two or three, as places of what is left; 0 for none.
    more : tuple
        Empty for up to 12 cards; with one number up to 16, with two up to `FEW_CARDS`, with three
        up to `VERY_FEW_CARDS`.
    """
    count, size = drawn
    first = (count + 1) >> 1
    places = draw_places(np.uint64(fractions[0]), size, first, more)
    others = draw_places(np.uint64(fractions[1]), size - first, count - first, more)
    hand = put_all_in(put_all_in(np.int64(0), others, -1), places, -1)
    one = put_all_in(put_all_in(later[0], others, 0), places, 0)
    two = put_all_in(put_all_in(later[1], others, 0), places, 0)
    if len(later) > 2:
        return hand, one, two, put_all_in(put_all_in(later[2], others, 0), places, 0)
    return hand, one, two


@inline_kernel
def card_set(places):
    """Return a card set by the places of its cards in the whole deck [R2]."""
    cards = (places << LOWEST) & _COLOUR_MASKS[0]
    cards |= (places << (LOWEST + 5)) & _COLOUR_MASKS[1]
    cards |= (places << (LOWEST + 10)) & _COLOUR_MASKS[2]
    return cards | ((places << (LOWEST + 15)) & _COLOUR_MASKS[3])


@inline_kernel
def hands_of(piles, players, hand_size):
    """Return four hands as card sets by what was drawn, 0 where nobody sits [R3] [C12].

    The last hand is what is left, unless that is more than a hand: then it was drawn.
    """
    first, second, third, fourth = piles
    is_left = CARDS - players * hand_size < hand_size
    rest = card_set(_WHOLE_DECK & ~(first | second | third | fourth))
    in_two = hand_size > USUAL_HAND
    hand0 = card_set(first | (second if in_two else 0))
    hand1 = rest if (players == 2) & is_left else card_set(second)
    hand2 = rest if (players == 3) & is_left else card_set(third)
    hand3 = rest if is_left else card_set(fourth)
    none = np.int64(0)
    return hand0, hand1, hand2 if players > 2 else none, hand3 if players > 3 else none


@inline_kernel
def draw_fractions(stream, drawn):
    """Draw the two fractions with which cards are drawn."""
    one, two = products_of(drawn)
    first = fresh_fraction(stream, one)
    return first, fresh_fraction(stream, two)


@kernel
def deal_hands(players, hand_size, stream):
    """Return four hands as card sets, 0 where nobody sits; `stream` is modified in place."""
    drawn = draws_of_round(players, hand_size)
    first = draw_fractions(stream, drawn[0])
    second = draw_fractions(stream, drawn[1])
    third = draw_fractions(stream, drawn[2])
    none = np.int64(0)
    pile3 = none
    if drawn[3][0] > 0:
        fourth = draw_fractions(stream, drawn[3])
        pile3, _, _ = draw_hand(fourth, drawn[3], (none, none), (1,))
    pile2, pile3, _ = draw_hand(third, drawn[2], (pile3, none), (1,))
    pile1, pile2, pile3 = draw_hand(second, drawn[1], (pile2, pile3), (1,))
    pile0, pile1, pile2, pile3 = draw_hand(first, drawn[0], (pile1, pile2, pile3), (1,))
    return hands_of((pile0, pile1, pile2, pile3), players, hand_size)


@inline_kernel
def throw_dice(stream):
    """Return the sum of two dice."""
    return sum_of_dice(rng.below(stream, 36))


@inline_kernel
def orders_of(hand_size):
    """Return the bounds of the two fractions for the order of a hand, all draws of each together.

    A usual hand needs but the first; of a larger one the second is for the `LATER_CARDS`.
    """
    later = np.int64(LATER_CARDS if hand_size > USUAL_HAND else 0)
    size = np.uint32(hand_size)
    return FALLING[size, np.uint32(hand_size - later)], FALLING[np.uint32(later), np.uint32(later)]


@inline_kernel
def open_seat(seat, box, table, index):
    """Open the private stream of a seat for a round (`seat` is modified in place).

    For uniform random play it is drawn from at once: `rng` then holds the fractions for the order
    in which the hand will be played, and for the changes of the rules; `later` that for the last
    cards of a large hand.
    """
    number = table.round_number
    rng.open_stream(seat.rng, box.seed, box.key, number, rng.FIRST_SEAT_STREAM + index)
    if box.policies[index] == RANDOM:
        orders = orders_of(table.hand_size)
        cards = fresh_fraction(seat.rng, orders[0])
        changes = fresh_fraction(seat.rng, table.all_changes)
        if table.hand_size > USUAL_HAND:
            seat.later = fresh_fraction(seat.rng, orders[1])
        seat.rng[1] = changes
        seat.rng[0] = cards


@kernel
def start_round(table, box):
    """Set up a round afresh [R19] [C11]: toss, first trump, deal; the first leader is on turn.

    Only the pot may be carried over [H6].
    """
    table.round_number += 1
    number = table.round_number
    rng.open_stream(box.deal_rng, box.seed, box.key, number, rng.DEAL)
    rng.open_stream(box.chance_rng, box.seed, box.key, number, rng.CHANCE)
    table.face, table.leader = toss(rng.below(box.deal_rng, 2 * table.players))
    table.turn = table.shifts[np.uint32(table.leader)]
    table.trump = throw_dice(box.chance_rng) if table.dice else 0  # [H2]
    hands = deal_hands(table.players, table.hand_size, box.deal_rng)
    for index in range(table.players):
        open_seat(box.seats[index], box, table, index)
    box.seats[0].hand = hands[0]
    box.seats[1].hand = hands[1]
    box.seats[2].hand = hands[2]
    box.seats[3].hand = hands[3]
    for seat in range(SEATS):
        table.played[seat] = 0
        table.last_cards[seat] = 0
        box.chosen[seat] = 0
    table.last_winner = NO_SEAT
    table.pot = table.pot if table.carried and number > 1 else 0
    table.trick = 0
    table.first_seat = table.leader if number == 1 else table.first_seat
    table.metrics[METRIC.clauses] |= clauses_of(table.set_clauses, table.rounds, number)
    table.metrics[METRIC.clauses] |= CLAUSE.carried_pot if table.pot > 0 else 0
    table.seat = np.uint32(table.leader)
    table.change = NO_MOVE
    table.phase = CHANGE
