"""Up or down?: the start of a match: shuffle, deal, the circle and the two piles."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown.cards import BYTE, EMPTY_ROW, insert, with_card
from simcore.games.upordown.dials import ROW_CIRCLE
from simcore.games.upordown.moves import new_coins
from simcore.games.upordown.options import MOST_COLUMNS
from simcore.games.upordown.table import CARD, FACE_DOWN, FACE_UP, LAID, METRIC, UNSEEN
from simcore.jit import inline_kernel, kernel
from simcore.match import begin_match
from simcore.vectors import one_at

UNUSED_FLOORS = sum(127 << (8 * place) for place in range(MOST_COLUMNS))
"""Floors of places without a column: no card is as high."""


@kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match; the start player is drawn [C4]."""
    begin_match(table, box, seed, match)
    table.laps = 0
    table.first_seat = first_seat_of(box, box.seed, box.key, table.players)
    table.metrics[METRIC.clauses] = table.clauses_of_options


@inline_kernel
def first_seat_of(box, seed, key, players):
    """Draw the start player of a match, whose key is `rng.match_key`; streams are modified."""
    rng.open_stream(box.chance_rng, seed, key, 0, rng.MATCH)
    return rng.below(box.chance_rng, players)


@inline_kernel
def shuffle(deck, stream, count):
    """Shuffle so many cards, those in play [R2] [H3] (`deck` and `stream` are modified in place).

    Each card in turn is put at a random place of those so far (the "inside-out" shuffle: Knuth,
    TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place). No card stays undealt, so there
    is nothing to be gained by drawing them one by one. A word of random bits serves two cards.
    """
    for card in range(1, count, 2):
        word = rng.next_word(stream)
        put_in(deck, stream, card, word >> np.uint64(32))
        put_in(deck, stream, card + 1, word & np.uint64(0xFFFFFFFF))
    if count & 1:
        put_in(deck, stream, count, rng.next_word(stream) >> np.uint64(32))


@inline_kernel
def put_in(deck, stream, card, half):
    """Put the next card at a random place, by 32 random bits."""
    place = np.uint32(rng.below_from(stream, half, card) + 1)
    deck[np.uint32(card)] = deck[place]
    deck[place] = card


@inline_kernel
def hand_of(deck, place, start, cards):
    """Return the hand that is dealt so many cards [R3] [H1], from index `place` on.

    `deck` is that of a match, or has a column for each lane; then of eight, from `start` on.
    """
    hand = one_at(deck, place, start) & 0 | EMPTY_ROW
    for number in range(cards):
        hand = insert(hand, one_at(deck, place + number, start))
    return hand


@inline_kernel
def circle_of(deck, place, start, cards):
    """Return the circle of so many cards [R4] [H2], from index `place` on, as row or card set.

    The row, and the two words of the set; what does not serve is 0. For the others see `hand_of`.
    """
    none = one_at(deck, place, start) & 0
    circle, low, high = none | EMPTY_ROW, none, none
    if cards > ROW_CIRCLE:
        for number in range(cards):
            low, high = with_card(low, high, one_at(deck, place + number, start))
        return none, low, high
    for number in range(cards):
        circle = insert(circle, one_at(deck, place + number, start))
    return circle & ((1 << (BYTE * cards)) - 1), low, high


@kernel
def start_round(table, box):
    """Shuffle and deal; the start player is on turn then [R5].

    The deck is, from index 1 on: the face-up pile, the face-down pile [C2], both with the top card
    last, the hands of the seats [R3] [H1], and the circle [R4] [H2]. Index 0 is "no card".
    """
    table.round_number = 1
    rng.open_stream(box.deal_rng, box.seed, box.key, 1, rng.DEAL)
    shuffle(box.deck, box.deal_rng, table.card_count)
    table.turns_left = table.card_count - table.circle_cards
    draw_cards = table.turns_left - table.hand_cards * table.players
    table.pile_cards[FACE_UP] = box.face_up_size
    table.pile_cards[FACE_DOWN] = draw_cards - box.face_up_size
    table.face_up_card = box.deck[np.uint32(box.face_up_size)] * table.open_pile  # [C3]
    table.whereabouts[:] = UNSEEN
    place = draw_cards + 1
    for seat in range(table.players):
        box.seats[seat].hand = hand_of(box.deck, place, 0, table.hand_cards)
        place += table.hand_cards
        rng.open_stream(box.seats[seat].rng, box.seed, box.key, 1, rng.FIRST_SEAT_STREAM + seat)
        box.seats[seat].half = 0
        box.seats[seat].coins = new_coins(box.seats[seat])
        clear_display(table, seat)
    table.circle, low, high = circle_of(box.deck, place, 0, table.circle_cards)
    table.wide_circle[0] = low
    table.wide_circle[1] = high
    for number in range(table.circle_cards):
        table.whereabouts[np.uint32(box.deck[np.uint32(place + number)])] = LAID
    table.laid_card = 0
    table.taken_card = 0
    table.seat = table.first_seat
    table.phase = CARD


@inline_kernel
def clear_display(table, seat):
    """Leave a seat without columns, discards and known hand cards."""
    table.columns_used[seat] = 0
    table.floors[seat] = UNUSED_FLOORS
    table.ceilings[seat] = 0
    table.discards[seat] = 0
    for place in range(MOST_COLUMNS):
        table.lengths[seat, place] = 0
        table.most[seat, place] = 0
        table.points[seat, place] = 0
