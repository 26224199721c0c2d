"""Up: the start of a match and of a round: shuffle, cut, deal, announcements."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, MINUS_TWO, Deck, kind_of, put
from simcore.games.up.options import HAND_CARDS, TABLE_CARDS
from simcore.games.up.table import CLAUSE, METRIC
from simcore.games.up.turn import following
from simcore.jit import inline_kernel, kernel, shared_kernel
from simcore.match import begin_match


@shared_kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match; the first dealer is drawn [C41]."""
    begin_match(table, box, seed, match)
    rng.open_stream(box.chance_rng, box.seed, box.key, 0, rng.MATCH)
    table.dealer = rng.below(box.chance_rng, table.players)
    table.first_seat = (table.dealer + 1) % table.players
    usual_hand = HAND_CARDS - (table.minus_two_cards == 0) - (table.clear_cards == 0)
    special_cards = table.minus_two_cards > 1 or table.clear_cards != 1
    clauses = 0 if table.minus_two else CLAUSE.minus_two
    clauses |= CLAUSE.extra_set if table.extra_set else 0
    clauses |= CLAUSE.scoring if table.scoring else 0
    clauses |= CLAUSE.hand_cards if table.dealt_hand != usual_hand else 0
    clauses |= CLAUSE.table_cards if table.table_cards != TABLE_CARDS else 0
    table.metrics[METRIC.clauses] = clauses | (CLAUSE.special_cards if special_cards else 0)


@kernel
def shuffle_pack(table, box):
    """Shuffle the pack for a round.

    Each card in turn is put at a random place of those so far (the "inside-out" shuffle: Knuth,
    TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place). With "-2" cards and the extra
    set last, packs with and without them differ only where one of them was put.
    """
    # In memory a draw would wait for the one before to be written, as cards are written, too.
    word0, word1 = box.deal_rng[0], box.deal_rng[1]
    for size in range(np.int64(table.pack_size)):
        place, word0, word1 = rng.below_by_words(box.deal_rng, word0, word1, size + 1)
        box.pack[size] = box.pack[np.int64(place)]
        box.pack[np.int64(place)] = box.order[size]
    box.deal_rng[0], box.deal_rng[1] = word0, word1


@shared_kernel
def start_round(table, box):
    """Pass the deal [C1], shuffle and cut; deal unless the cutter found a special card."""
    players = table.players
    if table.round_number > 0:
        if table.deal_passes:
            table.dealer = (table.dealer + 1) % players
        else:
            table.metrics[METRIC.clauses] |= CLAUSE.same_dealer
    table.round_number += 1
    rng.open_stream(box.deal_rng, box.seed, box.key, table.round_number, rng.DEAL)
    rng.open_stream(box.chance_rng, box.seed, box.key, table.round_number, rng.CHANCE)
    for seat in range(players):
        rng.open_stream(
            box.seats[seat].rng, box.seed, box.key, table.round_number, rng.FIRST_SEAT_STREAM + seat
        )
        for word in range(len(table.tower)):
            box.seats[seat].hand[word] = 0
            table.open_cards[seat, word] = 0
            table.known_hand[seat, word] = 0
        table.cards[seat] = 0
        table.hidden_cards[seat] = 0
    table.forehand = (table.dealer + 1) % players
    for word in range(len(table.tower)):
        table.tower[word] = 0
        table.cleared[word] = 0
    table.first_turn = (1 << players) - 1
    table.lost_turn = 0
    table.plays = 0
    table.passes = 0
    table.plays_at_pass = 0
    table.anew = 0
    table.equal = 0
    table.cut_kept = 0
    table.blind_finish = 0
    table.dirty = np.int64(table.dirty_one == up.ALWAYS)
    table.double = np.uint32(table.double_two == up.ALWAYS)
    shuffle_pack(table, box)
    # Once the cut is completed, the bottom card of the lifted packet is the last [C2] [C42].
    found = kind_of(box.pack[table.pack_size - 1], Deck(0, table.minus_twos, table.clears, 0))
    if found == CLEAR or found == MINUS_TWO:
        table.seat = (table.dealer + players - 1) % players
        table.phase = up.CUT
    else:
        deal(table, box)


@shared_kernel
def deal(table, box):
    """Deal hidden, open and hand cards in turn; forehand is on turn then.

    [R3] [R4] [R5] [R6] [C38], or so many as are agreed on [H1] [H2].
    Which card the cutter kept is told nobody [C6]; what is left of the pack lies aside [C39].
    """
    players = table.players
    hand_cards = table.dealt_hand
    lying = table.table_cards
    open_place = lying * players
    hand_place = open_place + lying * players
    last_place = hand_place + (hand_cards - 1) * players
    cutter = (table.dealer + players - 1) % players
    seat = table.forehand
    for place in range(players):
        for card in range(lying):
            box.hidden[seat, card] = box.pack[place + card * players]
        last = np.int64(box.pack[last_place])
        if table.cut_kept and seat == cutter:
            last = np.int64(box.pack[table.pack_size - 1])  # [C4] [C5]
        else:
            last_place += 1
        hand = box.seats[seat].hand
        deal_to(table.open_cards[seat], box.pack, open_place + place, players, lying)
        deal_to(hand, box.pack, hand_place + place, players, hand_cards - 1)
        put(hand, last)
        table.hidden_cards[seat] = lying
        table.cards[seat] = 2 * lying + hand_cards
        seat = following(seat, players)
    table.seat = table.forehand
    if table.dirty_one == up.FOREHAND or table.double_two == up.FOREHAND:
        table.phase = up.DECLARE
    else:
        begin_play(table)


@inline_kernel
def deal_to(cards, pack, place, players, passes):
    """Add a card of each of so many passes to a card set that is empty, the first from a place."""
    if len(cards) > 1:
        for number in range(passes):
            put(cards, pack[place + number * players])
    else:
        dealt = np.int64(0)
        for number in range(passes):
            dealt |= 1 << np.int64(pack[place + number * players])
        cards[0] = dealt


@kernel
def begin_play(table):
    """Let forehand lead [R8]; what was announced is in force [R32] [R33]."""
    if table.double:
        table.metrics[METRIC.clauses] |= CLAUSE.double_two
    table.cap = 0
    table.phase = up.PLAY


@kernel
def decide_before_play(table, box, move):
    """Carry out a `CUT` [C3] or `DECLARE` [C36] move."""
    if table.phase == up.CUT:
        table.cut_kept = np.int64(move == up.KEEP)
        deal(table, box)
    else:
        if move & up.DIRTY:
            table.dirty = 1
        if move & up.DOUBLE:
            table.double = np.uint32(1)
        begin_play(table)
