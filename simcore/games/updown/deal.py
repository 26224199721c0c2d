"""UP & DOWN: the start of a round: deal, first trump, toss of the U&D card.

Hands are drawn as *places*: bits 0 to 43 for the cards of the deck in order, one word a hand.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown.cards import LANE, LOWEST, SIDES, VALUES
from simcore.games.updown.draws import MOST, draw, fresh_fraction, lengthened, long_fraction
from simcore.games.updown.options import CARDS
from simcore.games.updown.table import CHANGE, CLAUSE, METRIC, NO_SEAT, SEATS, USUAL_HAND
from simcore.jit import inline_kernel, kernel
from simcore.records import NO_MOVE, RANDOM
from simcore.wide import times

FIRST_PILE = 11
"""Cards that are drawn first of a hand of more than `USUAL_HAND`, of which a fraction cannot tell.
"""

LATER_CARDS = 14
"""Cards of such a hand whose order a second fraction tells."""

_WHOLE_DECK = (1 << CARDS) - 1
_COLOUR_MASKS = tuple(VALUES << (LANE * colour) for colour in range(SIDES))


def falling_products() -> np.ndarray:
    """Return n (n − 1) … for `count` factors by [n, count], 0 where a fraction does not suffice."""
    products = np.zeros((CARDS + 1, USUAL_HAND + 1), dtype=np.int64)
    for n in range(CARDS + 1):
        product = 1
        for count in range(min(n, USUAL_HAND) + 1):
            products[n, count] = product if product < MOST else 0
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
    sixth = times(throw, 43) >> 8  # Exact below 128.
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
def fractions_of(drawn, words):
    """Draw the two fractions from which cards are drawn; return them and the words of the stream.

    In two parts: so many cards would be too much for one word.
    """
    count, size = drawn
    first = np.uint32((count + 1) >> 1)
    one, words = fresh_fraction(words, FALLING[np.uint32(size), first])
    other = FALLING[np.uint32(size) - first, np.uint32(count) - first]
    two, words = fresh_fraction(words, other)
    return (one, two), words


@inline_kernel
def draw_place(fraction, size, index, count):
    """Return the place that is drawn as number `index`, as a bit, and the fraction left.

    No place once `count` are drawn.
    """
    place, fraction = draw(fraction, size - index)
    return np.int64(index < count) << place, fraction


@inline_kernel
def draw_places(fraction, size, count):
    """Draw up to eight places, each among those that the others leave."""
    two = three = four = five = six = seven = eight = fraction & 0
    one, fraction = draw_place(fraction, size, 0, count)
    if count > 1:
        two, fraction = draw_place(fraction, size, 1, count)
    if count > 2:
        three, fraction = draw_place(fraction, size, 2, count)
        four, fraction = draw_place(fraction, size, 3, count)
    if count > 4:
        five, fraction = draw_place(fraction, size, 4, count)
        six, fraction = draw_place(fraction, size, 5, count)
    if count > 6:
        seven, fraction = draw_place(fraction, size, 6, count)
        eight, fraction = draw_place(fraction, size, 7, count)
    return one, two, three, four, five, six, seven, eight


@inline_kernel
def put_in(cards, place, held):
    """Return places counted as if `place`, a bit or 0, were not there, with it there.

    It is among them if it is `held`, 0 or -1.
    """
    return cards + (cards & (0 - place)) | (place & held)


@inline_kernel
def put_all_in(cards, places, count, held):
    """Do the same for places that were drawn one after another, the last one first."""
    if count > 6:
        cards = put_in(put_in(cards, places[7], held), places[6], held)
    if count > 4:
        cards = put_in(put_in(cards, places[5], held), places[4], held)
    if count > 2:
        cards = put_in(put_in(cards, places[3], held), places[2], held)
    if count > 1:
        cards = put_in(cards, places[1], held)
    return put_in(cards, places[0], held) if count > 0 else cards


@inline_kernel
def draw_hand(fractions, drawn, later, many):
    """Return the hand that two fractions draw, and those that were drawn from what it leaves.

    Each draw is from those that the draws before leave; to undo this from the last one on takes
    less than to find the card for each number. `drawn` says how many cards are drawn, of how many;
    `later` are three hands, as places of what is left, the third only where there are `many`.
    """
    count, size = drawn
    first = (count + 1) >> 1
    second = count - first
    places = draw_places(fractions[0], size, first)
    others = draw_places(fractions[1], size - first, second)
    hand, one, two, three = fractions[0] & 0, later[0], later[1], later[2]
    hand = put_all_in(put_all_in(hand, others, second, -1), places, first, -1)
    one = put_all_in(put_all_in(one, others, second, 0), places, first, 0)
    two = put_all_in(put_all_in(two, others, second, 0), places, first, 0)
    if many:
        three = put_all_in(put_all_in(three, others, second, 0), places, first, 0)
    return hand, one, two, three


@inline_kernel
def card_set(places):
    """Return a card set by the places of its cards in the whole deck [R2]."""
    cards = (places << LOWEST) & _COLOUR_MASKS[0]
    cards = cards | ((places << (LOWEST + 5)) & _COLOUR_MASKS[1])
    cards = cards | ((places << (LOWEST + 10)) & _COLOUR_MASKS[2])
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
    none = first & 0
    hand0 = card_set(first | (second if in_two else none))
    hand1 = rest if (players == 2) & is_left else card_set(second)
    hand2 = rest if (players == 3) & is_left else card_set(third)
    hand3 = rest if is_left else card_set(fourth)
    return hand0, hand1, hand2 if players > 2 else none, hand3 if players > 3 else none


@kernel
def deal_hands(players, hand_size, words):
    """Return four hands as card sets, 0 where nobody sits; for `words` see `draws`."""
    drawn = draws_of_round(players, hand_size)
    first, words = fractions_of(drawn[0], words)
    second, words = fractions_of(drawn[1], words)
    third, words = fractions_of(drawn[2], words)
    none = words[0] & 0
    pile2 = pile3 = none
    four = drawn[3][0] > 0
    if four:
        fourth, words = fractions_of(drawn[3], words)
        pile3, _, _, _ = draw_hand(fourth, drawn[3], (none, none, none), False)
    if drawn[2][0] > 0:
        pile2, _, _, pile3 = draw_hand(third, drawn[2], (none, none, pile3), four)
    pile1, pile2, _, pile3 = draw_hand(second, drawn[1], (pile2, none, pile3), four)
    pile0, pile1, pile2, pile3 = draw_hand(first, drawn[0], (pile1, pile2, pile3), four)
    return hands_of((pile0, pile1, pile2, pile3), players, hand_size)


@inline_kernel
def throw_dice(stream):
    """Return the sum of two dice."""
    return sum_of_dice(rng.below(stream, 36))


@inline_kernel
def draw_decisions(hand_size, all_changes, words):
    """Draw all that a seat decides at random in a round; for `words` see `draws`.

    Return the fractions for the order in which it plays its hand, for its changes of the rules, a
    long one, and that for the order of the `LATER_CARDS` of a large hand.
    """
    later = np.int64(LATER_CARDS if hand_size > USUAL_HAND else 0)
    size = np.uint32(hand_size)
    order, words = fresh_fraction(words, FALLING[size, np.uint32(hand_size - later)])
    changes, words = long_fraction(words, np.int64(all_changes))
    order_of_later = changes & 0
    if later > 0:
        order_of_later, words = fresh_fraction(words, FALLING[np.uint32(later), np.uint32(later)])
    return order, changes, order_of_later


@inline_kernel
def open_seat(seat, box, table, index):
    """Open the private stream of a seat for a round (`seat` is modified in place).

    For uniform random play it is drawn from at once: `rng` then holds long fractions for the order
    in which the hand will be played, and for the changes of the rules; `later` that for the last
    cards of a large hand.
    """
    number = table.round_number
    rng.open_stream(seat.rng, box.seed, box.key, number, rng.FIRST_SEAT_STREAM + index)
    if box.policies[index] == RANDOM:
        words = np.int64(seat.rng[0]), np.int64(seat.rng[1])
        order, changes, later = draw_decisions(table.hand_size, table.all_changes, words)
        seat.rng[0], seat.rng[1] = np.uint64(lengthened(order)), np.uint64(changes)
        seat.later = lengthened(later)


@inline_kernel
def clauses_of(set_clauses, rounds, number):
    """Return the clauses that have come into play when a round with this number is played.

    `set_clauses` are those that are in play by what was agreed.
    """
    return (
        set_clauses
        + CLAUSE.further_rounds * np.int64(min(number, rounds) > 1)
        + CLAUSE.tie_round * np.int64(number > rounds)
    )


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
    words = np.int64(box.deal_rng[0]), np.int64(box.deal_rng[1])
    hands = deal_hands(table.players, table.hand_size, words)
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
