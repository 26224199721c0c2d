"""Up: deal, play, and the match loop.

Marks in brackets name clauses and choices of RULES.md. Kernels assume legal input and never raise;
`play_round` checks what policies return.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up.cards import (
    CLEAR,
    FIELD,
    HIGHEST,
    MINUS_TWO,
    UP_TO_BIT,
    kind_of,
    put,
)
from simcore.games.up.moves import (
    find_moves,
    find_play_moves,
    is_legal,
    nth_play_move,
    random_move,
)
from simcore.games.up.score import score_round
from simcore.games.up.table import (
    ALWAYS,
    BLIND_FINISHES,
    BLIND_PLAYS,
    CLAUSES,
    CLEARS,
    COLLAPSES,
    CUT,
    DECISIONS,
    DECLARE,
    DIRTY,
    DOUBLE,
    DOUBLE_CLAUSE,
    EXTRA_SET_CLAUSE,
    FIRST_TURN_CLAUSE,
    FORCED,
    FOREHAND,
    HAND_CARDS,
    HIDDEN_CARDS,
    KEEP,
    LARGEST_PICKUP,
    LOST_TURN_CLAUSE,
    MINUS_TWOS,
    MINUS_TWO_CLAUSE,
    OPEN_CARDS,
    PASS_LEAD,
    PLAY,
    PLAYS,
    PLAY_CAP_CLAUSE,
    SAME_DEALER_CLAUSE,
    SCORING_CLAUSE,
    SOURCE_STEP,
    TURN_UP,
)
from simcore.jit import call_policy, inline_kernel, kernel
from simcore.records import (
    MATCH_OVER,
    MAX_SEATS,
    MEMORY_WORDS,
    NO_MOVE,
    RANDOM,
    ROUND_OVER,
    write_row,
)


@kernel
def start_match(table, box, seed, match):
    """Make the records ready for a match; the first dealer is drawn [C1]."""
    box.seed = np.uint64(seed)
    box.key = rng.match_key(seed, match)
    rng.open_stream(box.chance_rng, box.seed, box.key, 0, rng.MATCH)
    table.dealer = rng.below(box.chance_rng, table.players)
    table.first_seat = (table.dealer + 1) % table.players
    table.round_number = 0
    table.winners = 0
    table.leaders = 0
    table.aborted = 0
    table.phase = ROUND_OVER
    for seat in range(MAX_SEATS):
        table.scores[seat] = 0
    for i in range(len(table.metrics)):
        table.metrics[i] = 0
    for seat in range(table.players):
        box.seats[seat].index = seat
        for i in range(MEMORY_WORDS):
            box.seats[seat].memory[i] = 0
    if not table.minus_two:
        table.metrics[CLAUSES] |= MINUS_TWO_CLAUSE
    if table.extra_set:
        table.metrics[CLAUSES] |= EXTRA_SET_CLAUSE
    if table.scoring:
        table.metrics[CLAUSES] |= SCORING_CLAUSE


@kernel
def shuffle_pack(table, box):
    """Shuffle the pack for a round.

    Each card in turn is put at a random place of those so far (the "inside-out" shuffle: Knuth,
    TAOCP vol. 2, 3.4.2, algorithm P, built up instead of in place). With "-2" cards and the extra
    set last, packs with and without them differ only where one of them was put.
    """
    for size in range(table.pack_size):
        place = rng.below(box.deal_rng, size + 1)
        box.pack[size] = box.pack[place]
        box.pack[place] = box.order[size]


@kernel
def start_round(table, box):
    """Shuffle and cut; deal unless the cutter found a special card and must decide."""
    players = table.players
    if table.round_number > 0:
        if table.deal_passes:
            table.dealer = (table.dealer + 1) % players
        else:
            table.metrics[CLAUSES] |= SAME_DEALER_CLAUSE
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
    table.cut_kept = 0
    table.blind_finish = 0
    table.dirty = np.int64(table.dirty_one == ALWAYS)
    table.double = np.uint32(table.double_two == ALWAYS)
    shuffle_pack(table, box)
    # The bottom card of the lifted packet is the last of the pack once the cut is completed [C2].
    found = kind_of(box.pack[table.pack_size - 1], 0)
    if found == CLEAR or found == MINUS_TWO:
        table.seat = (table.dealer + players - 1) % players
        table.phase = CUT
    else:
        deal(table, box)


@kernel
def deal(table, box):
    """Deal hidden, open and hand cards in turn [R3] [R4] [R5] [R6]; then forehand is on turn."""
    players = table.players
    place = 0
    for card in range(HIDDEN_CARDS):
        for step in range(players):
            box.hidden[(table.forehand + step) % players, card] = box.pack[place]
            place += 1
    for _ in range(OPEN_CARDS):
        for step in range(players):
            put(table.open_cards[(table.forehand + step) % players], box.pack[place])
            place += 1
    cutter = (table.dealer + players - 1) % players
    hand_cards = HAND_CARDS - 1 + table.minus_two
    for card in range(hand_cards):
        for step in range(players):
            seat = (table.forehand + step) % players
            if table.cut_kept and card == hand_cards - 1 and seat == cutter:
                put(box.seats[seat].hand, box.pack[table.pack_size - 1])  # [C4] [C5]
            else:
                put(box.seats[seat].hand, box.pack[place])
                place += 1
    for seat in range(players):
        table.hidden_cards[seat] = HIDDEN_CARDS
        table.cards[seat] = HIDDEN_CARDS + OPEN_CARDS + hand_cards
    table.seat = table.forehand
    if table.dirty_one == FOREHAND or table.double_two == FOREHAND:
        table.phase = DECLARE
    else:
        begin_play(table)


@kernel
def begin_play(table):
    """Let forehand lead [R8]; what was announced is in force [R32] [R33]."""
    if table.double:
        table.metrics[CLAUSES] |= DOUBLE_CLAUSE
    table.cap = 0
    table.phase = PLAY


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the next seat with a turn is on turn, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    if table.phase == PLAY:
        apply_play(table, box, move)
    else:
        decide_before_play(table, box, move)


@inline_kernel
def apply_play(table, box, move):
    """Carry out a legal `PLAY` move; see `apply_move`."""
    if move == PASS_LEAD:
        pass_lead(table)
    elif move == TURN_UP:
        turn_up(table, box)
    else:
        lay_cards(table, box, move)


@kernel
def decide_before_play(table, box, move):
    """Carry out a `CUT` [C3] or `DECLARE` [C36] move."""
    if table.phase == CUT:
        table.cut_kept = np.int64(move == KEEP)
        deal(table, box)
    else:
        if move & DIRTY:
            table.dirty = 1
        if move & DOUBLE:
            table.double = np.uint32(1)
        begin_play(table)


@inline_kernel
def lay_cards(table, box, move):
    """Lay cards from the hand or from the open cards [R9] [R10] [R11]."""
    table.plays += 1
    if move < SOURCE_STEP:
        count = take(table, box.seats[table.seat].hand, move)
    else:
        count = take(table, table.open_cards[table.seat], move - SOURCE_STEP)
    if table.first_turn and count > 1:
        note_first_turn(table)
    build(table, box, kind_of(move, table.double), count)


@inline_kernel
def take(table, cards, last):
    """Take the cards of one kind up to card number `last` out of a card set; return how many.

    They are then `laid`. The bit of `last` also stands for the only card to be laid of its kind,
    whichever it is.
    """
    count = 0
    bit = np.uint32(last & 63)
    if len(cards) == 1:
        laid = cards[0] & UP_TO_BIT[table.double, bit]
        if laid == 0:
            laid = cards[0] & FIELD[table.double, kind_of(last, table.double)]
            laid &= -laid
        cards[0] ^= laid
        table.laid[0] = laid
        return popcount(laid)
    field = FIELD[table.double, kind_of(last, table.double)]
    for word in range(len(cards)):
        up_to = field if word < last >> 6 else UP_TO_BIT[table.double, bit]
        laid = cards[word] & up_to if word <= last >> 6 else 0
        table.laid[word] = laid
        count += popcount(laid)
    for word in range(len(cards)):
        if count == 0:
            laid = cards[word] & field
            table.laid[word] = laid & -laid
            count = popcount(table.laid[word])
        cards[word] ^= table.laid[word]
    return count


@kernel
def note_first_turn(table):
    """Note that several cards were laid together in a first turn [C8]."""
    if (table.first_turn >> table.seat) & 1:
        table.metrics[CLAUSES] |= FIRST_TURN_CLAUSE


@inline_kernel
def build(table, box, kind, count):
    """Put the cards just laid on the tower, or see it collapse or be cleared away."""
    if kind >= 1 and kind <= HIGHEST and (kind <= table.cap or table.cap == 0):
        add_to_tower(table, box, kind, count)  # [R9]
    elif kind == CLEAR:
        clear_tower(table, box)
    elif kind == MINUS_TWO and table.cap > 2 * count:
        table.metrics[MINUS_TWOS] += count
        add_to_tower(table, box, table.cap - 2 * count, count)  # [R17] [R18] [C18]
    else:
        collapse_tower(table, box)  # [R15] [R16] [C19]


@inline_kernel
def add_to_tower(table, box, cap, count):
    """Let the cards just laid stay on the tower, whose cap they set; the turn is over."""
    table.cap = cap
    for word in range(len(table.tower)):
        table.tower[word] |= table.laid[word]
        table.known_hand[table.seat, word] &= ~table.laid[word]
    shed(table, box, count)
    if table.phase == PLAY:
        next_turn(table)


@inline_kernel
def shed(table, box, count):
    """Note that the seat on turn has `count` cards fewer; its last card ends the round [R26]."""
    left = table.cards[table.seat] - count
    table.cards[table.seat] = left
    if left <= 1:
        if left == 0:
            end_play(table)
        else:
            announce(table, box)


@kernel
def turn_up(table, box):
    """Turn up a hidden card and play it [R12] [C11] [C12]."""
    index = table.seat
    table.plays += 1
    table.metrics[BLIND_PLAYS] += 1
    table.hidden_cards[index] -= 1
    card = np.int64(box.hidden[index, table.hidden_cards[index]])
    for word in range(len(table.laid)):
        table.laid[word] = 0
    put(table.laid, card)
    kind = kind_of(card, table.double)
    if kind == MINUS_TWO and table.cards[index] == 1:
        finish_blind(table)
    elif kind == MINUS_TWO and table.cap == 0:
        take_back(table, box)
    else:
        build(table, box, kind, 1)


@kernel
def finish_blind(table):
    """End the round with a "-2" turned up as the very last card [R20] [C23] [C24]."""
    table.cards[table.seat] = 0
    table.blind_finish = 1
    table.metrics[BLIND_FINISHES] += 1
    if table.cap > 0:
        table.metrics[MINUS_TWOS] += 1
    end_play(table)


@kernel
def take_back(table, box):
    """Take a "-2", turned up to lead with, into the hand; the seat leads another card [R19]."""
    seat = box.seats[table.seat]
    for word in range(len(table.laid)):
        seat.hand[word] |= table.laid[word]
        table.known_hand[table.seat, word] |= table.laid[word]
    check_play_cap(table)


@kernel
def clear_tower(table, box):
    """Take the tower and the clear card out of the game; the same seat leads [R21] [R22] [R23]."""
    table.metrics[CLEARS] += 1
    for word in range(len(table.tower)):
        table.cleared[word] |= table.tower[word] | table.laid[word]
        table.known_hand[table.seat, word] &= ~table.laid[word]
        table.tower[word] = 0
    table.cap = 0
    shed(table, box, 1)
    if table.phase == PLAY:
        check_play_cap(table)


@inline_kernel
def collapse_tower(table, box):
    """Take all cards of the tower, with the one just played, into the hand [R15] [C15] [C16]."""
    seat = box.seats[table.seat]
    taken = 0
    for word in range(len(table.tower)):
        cards = table.tower[word] | table.laid[word]
        seat.hand[word] |= cards
        table.known_hand[table.seat, word] |= cards
        table.tower[word] = 0
        taken += popcount(cards)
    table.cards[table.seat] += taken - 1
    table.metrics[COLLAPSES] += 1
    table.metrics[LARGEST_PICKUP] = max(table.metrics[LARGEST_PICKUP], taken)
    table.cap = 0
    check_play_cap(table)


@inline_kernel
def announce(table, box):
    """Announce the last card, or forget to and lose the next turn [R24] [C29] [C30]."""
    forget = table.forget_last_card[table.seat]
    if forget > 0.0 and rng.uniform(box.chance_rng) < forget:
        table.lost_turn |= 1 << table.seat


@inline_kernel
def next_turn(table):
    """Give the turn to the next seat clockwise that has not lost it [R9] [R24]."""
    check_play_cap(table)
    if table.first_turn:
        table.first_turn &= ~(1 << table.seat)
    step_seat(table)
    if table.lost_turn:
        skip_lost_turns(table)


@inline_kernel
def step_seat(table):
    """Move the turn to the next seat clockwise."""
    seat = table.seat + np.uint32(1)
    table.seat = np.uint32(0) if seat == table.players else np.uint32(seat)


@kernel
def skip_lost_turns(table):
    """Pass over seats that lose this turn; each loses one [C30]."""
    while (table.lost_turn >> table.seat) & 1:
        table.lost_turn &= ~(1 << table.seat)
        table.metrics[CLAUSES] |= LOST_TURN_CLAUSE
        step_seat(table)


@kernel
def pass_lead(table):
    """Pass the lead to the next seat, for want of a card that may lead [C22].

    Once every seat has passed with its first turn behind it, nobody can ever move again and the
    match is aborted [C40].
    """
    if table.plays > table.plays_at_pass:
        table.plays_at_pass = table.plays
        table.passes = 0
    table.passes += 1
    if table.passes > 2 * table.players:
        abort(table)
    else:
        next_turn(table)


@inline_kernel
def check_play_cap(table):
    """Abort the match when the round has had its cap of plays [C40]."""
    if table.plays >= table.play_cap:
        table.metrics[CLAUSES] |= PLAY_CAP_CLAUSE
        abort(table)


@kernel
def abort(table):
    """End the match without a winner."""
    table.metrics[PLAYS] += table.plays
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER


@kernel
def end_play(table):
    """End the play of a round: the seat on turn has no cards left [R26] [C32]."""
    table.metrics[PLAYS] += table.plays
    table.phase = ROUND_OVER


@kernel
def play_round(table, box):
    """Play the round that was started to its end; return False after an illegal move.

    A policy is asked only where there are two or more moves.
    """
    while table.phase > ROUND_OVER and table.phase != PLAY:
        table.metrics[DECISIONS] += 1
        seat = box.seats[table.seat]
        find_moves(table, seat)
        move = ask(table, seat, box.policies[table.seat])
        if move == NO_MOVE:
            return False
        decide_before_play(table, box, move)
    decisions = 0
    forced = 0
    while table.phase == PLAY:
        seat = box.seats[table.seat]
        count = find_play_moves(table, seat)
        move = np.int64(PASS_LEAD)
        if count > 1:
            decisions += 1
            policy = box.policies[table.seat]
            if policy == RANDOM:
                move = nth_play_move(seat, rng.below(seat.rng, count))
            else:
                move = ask(table, seat, policy)
                if move == NO_MOVE:
                    return False
        elif count == 1:
            forced += 1
            move = nth_play_move(seat, 0)
        apply_play(table, box, move)
    table.metrics[DECISIONS] += decisions
    table.metrics[FORCED] += forced
    return True


@inline_kernel
def ask(table, seat, policy):
    """Return the move that a policy chooses, or `NO_MOVE` after noting an illegal one."""
    if policy == RANDOM:
        return random_move(table, seat)
    move = call_policy(policy, table, seat)
    if is_legal(table, seat, move):
        return move
    table.illegal_move = move
    return np.int64(NO_MOVE)


@kernel
def play_match(table, box, seed, match):
    """Play one match; return False after an illegal move."""
    start_match(table, box, seed, match)
    while table.phase != MATCH_OVER:
        start_round(table, box)
        if not play_round(table, box):
            return False
        if table.phase == ROUND_OVER:
            score_round(table, box)
    if table.metrics[MINUS_TWOS]:
        table.metrics[CLAUSES] |= MINUS_TWO_CLAUSE
    return True


@kernel
def play_block(tables, boxes, seed, first, count, out):
    """Play the matches first … first + count − 1 and write one row for each.

    Parameters
    ----------
    tables, boxes : record[1]
        Work space, modified in place. The options stand in the table; the policies and their
        parameters in the box.
    seed, first, count : int
    out : tuple of arrays
        `first_seat` uint8[count], `winners` uint16[count], `aborted` uint8[count], `scores`
        int32[players, count], `metrics` int32[metrics, count], modified in place.

    Returns
    -------
    int
        How many matches were played: `count`, or fewer when a policy returned an illegal move (the
        position is then in the records, the move in `illegal_move`).
    """
    table = tables[0]
    box = boxes[0]
    for row in range(count):
        if not play_match(table, box, seed, first + row):
            return row
        write_row(table, row, out)
    return count


@kernel
def choose(tables, boxes):
    """Return the move of the policy of the seat on turn, as in a block; for replays."""
    table = tables[0]
    box = boxes[0]
    return ask(table, box.seats[table.seat], box.policies[table.seat])
