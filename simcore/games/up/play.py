"""Up: what a play does to the tower and the hands, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up.cards import CLEAR, FIELD, HIGHEST, MINUS_TWO, UP_TO_BIT, kind_of, put
from simcore.games.up.table import (
    BLIND_FINISHES,
    BLIND_PLAYS,
    CLAUSES,
    CLEARS,
    COLLAPSES,
    FIRST_TURN_CLAUSE,
    LARGEST_PICKUP,
    LOST_TURN_CLAUSE,
    MINUS_TWOS,
    PASS_LEAD,
    PLAY,
    PLAY_CAP_CLAUSE,
    PLAYS,
    SOURCE_STEP,
    TURN_UP,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER, ROUND_OVER


@inline_kernel
def apply_play(table, box, move, cap):
    """Carry out a legal `PLAY` move and return the cap of the tower; see `apply_move`.

    `cap` is handed from play to play because the next player's moves wait for nothing else.
    """
    if move == PASS_LEAD:
        pass_lead(table)
        return 0
    if move == TURN_UP:
        return turn_up(table, box)
    return lay_cards(table, box, move, cap)


@inline_kernel
def lay_cards(table, box, move, cap):
    """Lay cards from the hand or from the open cards [R9] [R10] [R11] [C51]; return the cap."""
    table.plays += 1
    kind = kind_of(move, table.double)
    if stays(kind, cap):
        count = take_up_to(table, box, move)
        return add_to_tower(table, box, kind, count)
    if kind == MINUS_TWO:
        count = take_up_to(table, box, move)
        return lower_cap(table, box, count)
    take_one(table, box, move)
    if kind == CLEAR:
        return clear_tower(table, box)
    return collapse_tower(table, box)  # [R15] [R16]


@inline_kernel
def stays(kind, cap):
    """Tell whether a number card stays on a tower with this cap [R9]."""
    return kind >= 1 and kind <= (cap or HIGHEST)


@inline_kernel
def take_up_to(table, box, move):
    """Take the cards of one kind up to the move's card; they are `laid`. Return how many."""
    if move < SOURCE_STEP:
        count = move_up_to(table, box.seats[table.seat].hand, move)
    else:
        count = move_up_to(table, table.open_cards[table.seat], move - SOURCE_STEP)
    if table.first_turn and count > 1:
        note_first_turn(table)
    return count


@inline_kernel
def move_up_to(table, cards, last):
    """Move the cards of one kind up to card number `last` to `laid`; return how many."""
    up_to = UP_TO_BIT[table.double, np.uint32(last & 63)]
    if len(cards) == 1:
        laid = cards[0] & up_to
        cards[0] ^= laid
        table.laid[0] = laid
        return popcount(laid)
    count = 0
    field = FIELD[table.double, kind_of(last, table.double)]
    for word in range(len(cards)):
        here = field if word < last >> 6 else up_to
        laid = cards[word] & here if word <= last >> 6 else 0
        cards[word] ^= laid
        table.laid[word] = laid
        count += popcount(laid)
    return count


@inline_kernel
def take_one(table, box, move):
    """Take the first card of the move's kind; it is `laid`."""
    if move < SOURCE_STEP:
        move_one(table, box.seats[table.seat].hand, move)
    else:
        move_one(table, table.open_cards[table.seat], move - SOURCE_STEP)


@inline_kernel
def move_one(table, cards, card):
    """Move the first card of the kind of `card` to `laid`."""
    field = FIELD[table.double, kind_of(card, table.double)]
    found = np.int64(0)
    for word in range(len(cards)):
        laid = cards[word] & field
        laid = laid & -laid if found == 0 else np.int64(0)
        cards[word] ^= laid
        table.laid[word] = laid
        found |= laid


@kernel
def note_first_turn(table):
    """Note that several cards were laid together in a first turn [C8]."""
    if (table.first_turn >> table.seat) & 1:
        table.metrics[CLAUSES] |= FIRST_TURN_CLAUSE


@inline_kernel
def lower_cap(table, box, count):
    """Let "-2" cards just laid lower the cap, or the tower collapse [R17] [R18] [C18] [C19]."""
    cap = table.cap - 2 * count
    if cap < 1:
        return collapse_tower(table, box)
    table.metrics[MINUS_TWOS] += count
    return add_to_tower(table, box, cap, count)


@inline_kernel
def add_to_tower(table, box, cap, count):
    """Let the cards just laid stay on the tower, whose cap they set; the turn is over.

    Return the cap.
    """
    table.cap = cap
    for word in range(len(table.tower)):
        table.tower[word] |= table.laid[word]
        table.known_hand[table.seat, word] &= ~table.laid[word]
    shed(table, box, count)
    if table.phase == PLAY:
        next_turn(table)
    return cap


@inline_kernel
def shed(table, box, count):
    """Note that the seat on turn has `count` cards fewer; its last card ends the round [R26].

    Who had several and has none left need not have announced anything [R25] [C31].
    """
    left = table.cards[table.seat] - count
    table.cards[table.seat] = left
    if left <= 1:
        if left == 0:
            end_play(table)
        else:
            announce(table, box)


@kernel
def turn_up(table, box):
    """Turn up a hidden card and play it [R12] [C11] [C12]; return the cap."""
    index = table.seat
    table.plays += 1
    table.metrics[BLIND_PLAYS] += 1
    table.hidden_cards[index] -= 1
    card = np.int64(box.hidden[index, table.hidden_cards[index]])
    for word in range(len(table.laid)):
        table.laid[word] = 0
    put(table.laid, card)
    kind = kind_of(card, table.double)
    if stays(kind, table.cap):
        return add_to_tower(table, box, kind, 1)
    if kind == CLEAR:
        return clear_tower(table, box)
    if kind == MINUS_TWO:
        return turn_up_minus_two(table, box)
    return collapse_tower(table, box)


@kernel
def turn_up_minus_two(table, box):
    """Play a "-2" just turned up; return the cap."""
    if table.cards[table.seat] == 1:
        finish_blind(table)  # [R20] [C23]
        return 0
    if table.cap == 0:
        take_back(table, box)  # [R19] [C20]
        return 0
    return lower_cap(table, box, 1)


@kernel
def finish_blind(table):
    """End the round with a "-2" turned up as the very last card [R20] [C23] [C24] [C45]."""
    table.cards[table.seat] = 0
    table.blind_finish = 1
    table.metrics[BLIND_FINISHES] += 1
    if table.cap > 0:
        table.metrics[MINUS_TWOS] += 1
    end_play(table)


@kernel
def take_back(table, box):
    """Take a "-2", turned up to lead with, into the hand; another card is led [R19] [C44]."""
    seat = box.seats[table.seat]
    for word in range(len(table.laid)):
        seat.hand[word] |= table.laid[word]
        table.known_hand[table.seat, word] |= table.laid[word]
    check_play_cap(table)


@kernel
def clear_tower(table, box):
    """Take the tower and the clear card out of the game; the same seat leads [R21] [R22] [R23].

    Return the cap, 0: there is none [C25].
    """
    table.metrics[CLEARS] += 1
    for word in range(len(table.tower)):
        table.cleared[word] |= table.tower[word] | table.laid[word]
        table.known_hand[table.seat, word] &= ~table.laid[word]
        table.tower[word] = 0
    table.cap = 0
    shed(table, box, 1)
    if table.phase == PLAY:
        check_play_cap(table)
    return 0


@inline_kernel
def collapse_tower(table, box):
    """Take all cards of the tower, with the one just played, into the hand [R15] [C15] [C16].

    Return the cap, 0.
    """
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
    return 0


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
    seat = np.int64(table.seat) + 1
    table.seat = 0 if seat == table.players else seat


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
    match is aborted [C49].
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
    """End the match without a winner [C50]."""
    table.metrics[PLAYS] += table.plays
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER


@kernel
def end_play(table):
    """End the play of a round: the seat on turn has no cards left [R26] [C32]."""
    table.metrics[PLAYS] += table.plays
    table.phase = ROUND_OVER
