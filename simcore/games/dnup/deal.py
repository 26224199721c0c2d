"""dnup: the start of a match and of a round: shuffle, deal, who begins."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_mask
from simcore.games.dnup.cards import chart_hand
from simcore.games.dnup.table import ACTION, CLAUSE, METRIC, NO_PLACE, PLACES
from simcore.jit import kernel
from simcore.match import begin_match


@kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match."""
    begin_match(table, box, seed, match)
    table.dealer = 0
    if table.deck_size % table.players:
        rng.open_stream(box.chance_rng, box.seed, box.key, 0, rng.MATCH)
        table.dealer = rng.below(box.chance_rng, table.players)
    if table.deck_changed:
        table.metrics[METRIC.clauses] |= CLAUSE.deck
    if not table.may_turn:
        table.metrics[METRIC.clauses] |= CLAUSE.no_turning  # [H4]


@kernel
def start_round(table, box):
    """Shuffle and deal, and put on turn who begins [R3] [R5]."""
    table.round_number += 1
    table.metrics[METRIC.rounds] += 1
    rng.open_stream(box.deal_rng, box.seed, box.key, table.round_number, rng.DEAL)
    clear_table(table)
    if table.round_number > 1:
        table.dealer = (table.dealer + 1) % table.players
    deal(table, box)
    begin_play(table, box)
    for index in range(table.players):
        seat = box.seats[index]
        chart_hand(table, seat)
        purpose = rng.FIRST_SEAT_STREAM + index
        rng.open_stream(seat.rng, box.seed, box.key, table.round_number, purpose)


@kernel
def clear_table(table):
    """Remove all that is left of the round before."""
    for place in range(PLACES):
        table.set_cards[place] = 0
        table.set_bit[place] = 0
    for seat in range(table.players):
        table.known[seat] = 0
    table.known_down = 0
    table.laid = 0
    table.discards = 0
    table.turns = 0
    table.first_out = NO_PLACE
    table.last_out = -1


@kernel
def deal(table, box):
    """Deal all cards, each either way up [R3] [C3].

    Uneven packs give the first seats from the dealer's left a card more [C4]. A hand is a random
    subset of the cards that are left, and the last one is the rest.
    """
    sides = np.int64(rng.next_word(box.deal_rng) >> np.uint64(1))
    word0, word1 = box.deal_rng[0], box.deal_rng[1]
    rest = table.in_play
    left = table.deck_size
    for step in range(table.players):
        index = (table.dealer + 1 + step) % table.players
        hand = rest
        if step < table.players - 1:
            hand = np.int64(0)
            for _ in range(box.hand_sizes[step]):
                number, word0, word1 = rng.below_by_words(box.deal_rng, word0, word1, left)
                card = nth_mask(rest, np.int64(number))
                hand |= card
                rest ^= card
                left -= 1
        # The lower value is up where the card's bit is 0.
        box.seats[index].up = hand & ~sides
        box.seats[index].down = hand & sides
        table.cards[index] = box.hand_sizes[step]


@kernel
def begin_play(table, box):
    """Put the holder of the star card on turn [C5], with two players for area 2 [R19].

    By a house rule it is who was out first in the last round, if there was one [H6].
    """
    holder = 0
    for seat in range(table.players):
        if ((box.seats[seat].up | box.seats[seat].down) >> table.star) & 1:
            holder = seat
    if table.winner_starts and table.round_number > 1:
        if holder != table.last_winner:
            table.metrics[METRIC.clauses] |= CLAUSE.winner_started
        holder = table.last_winner
    table.seat = holder
    table.place = holder + table.area_step if table.players == 2 else holder
    if table.round_number == 1:
        table.first_seat = holder
    table.phase = ACTION
