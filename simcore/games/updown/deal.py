"""UP & DOWN: the start of a match and of a round: deal, first trump, toss of the U&D card."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_mask
from simcore.games.updown.cards import DECK
from simcore.games.updown.draws import FRACTION_BITS, draw, fresh_fraction
from simcore.games.updown.table import (
    ADJACENT_CLAUSE,
    CHANGE,
    CHANGES,
    CLAUSES,
    FURTHER_ROUNDS_CLAUSE,
    MAX_HAND,
    NO_SEAT,
    SEATS,
    TIE_ROUND_CLAUSE,
)
from simcore.jit import inline_kernel, kernel
from simcore.match import begin_match
from simcore.records import NO_MOVE, RANDOM

CARDS = 44
MOST_LEADS = 8
"""Tricks of a round that one seat leads at most: of two players, every second of 15."""


def falling_products() -> np.ndarray:
    """Return n (n − 1) … for `count` factors by [n, count], 0 where a fraction does not suffice."""
    products = np.zeros((CARDS + 1, MAX_HAND + 1), dtype=np.uint64)
    for n in range(CARDS + 1):
        product = 1
        for count in range(min(n, MAX_HAND) + 1):
            products[n, count] = product if product < 1 << FRACTION_BITS else 0
            product *= n - count
    return products


FALLING = falling_products()
ALL_CHANGES = np.uint64(CHANGES**MOST_LEADS)


@kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match."""
    begin_match(table, box, seed, match)
    if table.adjacent:
        table.metrics[CLAUSES] |= ADJACENT_CLAUSE


@inline_kernel
def draw_cards(deck, size, count, stream):
    """Return a card set of `size` cards without `count` ≤ 8 of them, drawn at random."""
    fraction = fresh_fraction(stream, FALLING[np.uint32(size), np.uint32(count)])
    for left in range(size, size - count, -1):
        index, fraction = draw(fraction, left)
        deck ^= nth_mask(deck, index)
    return deck


@inline_kernel
def without_cards(deck, size, count, stream):
    """Return a card set of `size` cards without `count` of them, drawn at random.

    In two parts: so many cards would be too much for one word.
    """
    first = (count + 1) >> 1
    deck = draw_cards(deck, size, first, stream)
    return draw_cards(deck, size - first, count - first, stream)


@inline_kernel
def deal_hands(players, hand_size, stream):
    """Return four hands as card sets, 0 where nobody sits [R3]; what is left lies aside [C12].

    With four players the last hand is what the others leave, with two or three what those leave and
    the cards aside.
    """
    deck = np.int64(DECK)
    third = np.int64(0)
    fourth = np.int64(0)
    rest = without_cards(deck, CARDS, hand_size, stream)
    first = deck ^ rest
    size = CARDS - hand_size
    if players == 2:
        second = without_cards(rest, size, size - hand_size, stream)
    else:
        deck = rest
        rest = without_cards(deck, size, hand_size, stream)
        second = deck ^ rest
        size -= hand_size
        third = without_cards(rest, size, size - hand_size if players == 3 else hand_size, stream)
        if players == 4:
            fourth = third
            third ^= rest
    return first, second, third, fourth


@inline_kernel
def throw_dice(stream):
    """Return the sum of two dice [R6]."""
    throw = rng.below(stream, 36)
    return throw // 6 + throw % 6 + 2


@inline_kernel
def toss(players, stream):
    """Toss the U&D card: return its face and the seat to which ROSE points [R4] [R5] [C2]."""
    side = rng.below(stream, 2 * players)
    return side & 1, side >> 1


@inline_kernel
def open_seat(seat, box, round_number, index):
    """Open the private stream of a seat for a round (`seat` is modified in place).

    For uniform random play it is drawn from at once: `rng` then holds the fractions for the order
    in which the hand will be played, and for the changes of the rules.
    """
    rng.open_stream(seat.rng, box.seed, box.key, round_number, rng.FIRST_SEAT_STREAM + index)


@inline_kernel
def draw_random_play(seat, hand_size):
    """Draw how a seat of uniform random play will decide in the whole round."""
    cards = fresh_fraction(seat.rng, FALLING[np.uint32(hand_size), np.uint32(hand_size)])
    changes = fresh_fraction(seat.rng, ALL_CHANGES)
    seat.rng[0] = cards
    seat.rng[1] = changes


@inline_kernel
def open_round(box, round_number):
    """Open the streams of the deal and of the dice for a round."""
    rng.open_stream(box.deal_rng, box.seed, box.key, round_number, rng.DEAL)
    rng.open_stream(box.chance_rng, box.seed, box.key, round_number, rng.CHANCE)


@kernel
def start_round(table, box):
    """Set up a round afresh [R19] [C11]: toss, first trump, deal; the first leader is on turn."""
    table.round_number += 1
    open_round(box, table.round_number)
    face, leader = toss(table.players, box.deal_rng)
    table.face = face
    table.leader = leader
    table.turn = table.shifts[np.uint32(leader)]
    table.trump = throw_dice(box.chance_rng)
    hands = deal_hands(table.players, table.hand_size, box.deal_rng)
    for index in range(table.players):
        seat = box.seats[index]
        open_seat(seat, box, table.round_number, index)
        if box.policies[index] == RANDOM:
            draw_random_play(seat, table.hand_size)
    box.seats[0].hand = hands[0]
    box.seats[1].hand = hands[1]
    box.seats[2].hand = hands[2]
    box.seats[3].hand = hands[3]
    for seat in range(SEATS):
        table.played[seat] = 0
        table.last_cards[seat] = 0
        box.chosen[seat] = 0
    table.last_winner = NO_SEAT
    table.pot = 0
    table.trick = 0
    if table.round_number == 1:
        table.first_seat = leader
    else:
        note_further_round(table)
    table.seat = np.uint32(leader)
    table.change = NO_MOVE
    table.phase = CHANGE


@inline_kernel
def note_further_round(table):
    """Note why there is another round than the first."""
    if table.round_number > table.rounds:
        table.metrics[CLAUSES] |= TIE_ROUND_CLAUSE
    else:
        table.metrics[CLAUSES] |= FURTHER_ROUNDS_CLAUSE
