"""UP & DOWN: what moves do: changing the rules, choosing a card, and the tricks."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.updown.cards import DOWN, PLACES, best_value, of_value
from simcore.games.updown.deal import throw_dice
from simcore.games.updown.table import (
    CARD,
    CHANGE,
    FLIP,
    FLIPS,
    LARGEST_POT,
    LEAD_CHANGES,
    NO_SEAT,
    POTS,
    ROLL,
    ROLLS,
    ROTATIONS,
    SEATS,
    TRICKS,
    TRUMP_WINS,
)
from simcore.jit import inline_kernel, kernel
from simcore.match import note_lead_change
from simcore.records import NO_MOVE, ROUND_OVER


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the next seat is on turn, or the phase is `ROUND_OVER`.
    """
    if table.phase == CARD:
        choose_card(table, box, move)
    else:
        change_rules(table, box, move)


@inline_kernel
def turn_after(turn, change):
    """Return the turn of the U&D card after a change of the rules [R10] [C7].

    Turning it over leaves it, as do four quarter turns, which is the number of `ROLL`.
    """
    return (turn + 16 * change) & PLACES


@inline_kernel
def new_trump(trump, stream):
    """Throw the dice until there is a new trump [R11] [C6]."""
    thrown = throw_dice(stream)
    while thrown == trump:
        thrown = throw_dice(stream)
    return thrown


@kernel
def change_rules(table, box, move):
    """Let the leader change exactly one of face, rotation and trump [R9] [C5]."""
    table.change = move
    table.turn = turn_after(table.turn, move)
    if move == FLIP:
        table.face ^= DOWN
        table.metrics[FLIPS] += 1
    elif move == ROLL:
        table.trump = new_trump(table.trump, box.chance_rng)
        table.metrics[ROLLS] += 1
    else:
        table.metrics[ROTATIONS] += 1
    table.seat = np.uint32(0)
    table.phase = CARD


@inline_kernel
def choose_card(table, box, card):
    """Lay a card face-down; once all have done so they are revealed [R9] [C9]."""
    chosen = np.int64(1) << card
    box.seats[table.seat].hand ^= chosen
    box.chosen[table.seat] = chosen
    seat = np.int64(table.seat) + 1
    if seat < table.players:
        table.seat = np.uint32(seat)
    else:
        finish_trick(table, box)


@inline_kernel
def seat_of(cards, card):
    """Return the seat whose card of the trick is the one in `card`, a card set; 0 if none."""
    return (
        np.int64(cards[1] & card != 0)
        + 2 * np.int64(cards[2] & card != 0)
        + 3 * np.int64(cards[3] & card != 0)
    )


@kernel
def finish_trick(table, box):
    """Reveal the cards, give the trick to its winner or to the pot, and pass the lead on."""
    cards = (box.chosen[0], box.chosen[1], box.chosen[2], box.chosen[3])
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    trump_bit = np.int64(1) << table.trump
    best = best_value(cards, shifts, table.turn, table.face, trump_bit)
    for seat in range(SEATS):
        table.played[seat] |= box.chosen[seat]
        table.last_cards[seat] = box.chosen[seat]
        box.chosen[seat] = 0
    table.metrics[TRICKS] += 1
    if best <= 1:
        table.metrics[POTS] += 1
        table.pot += 1  # [R15]
        table.last_winner = NO_SEAT
    else:
        take_trick(table, seat_of(cards, of_value(best)))
        table.metrics[TRUMP_WINS] += np.int64(best == trump_bit)
    table.trick += 1
    if table.trick == table.hand_size:
        table.phase = ROUND_OVER  # [R18]
    else:
        pass_lead(table)


@inline_kernel
def take_trick(table, winner):
    """Give the winner the trick, with all tricks of the pot [R16] [C10] [C19]."""
    table.metrics[LARGEST_POT] = max(table.metrics[LARGEST_POT], table.pot)
    before = table.leaders
    most = table.scores[lowest_bit(before)] if before else np.int64(0)
    behind = most - table.scores[winner]
    table.deficits[winner] = max(table.deficits[winner], behind)
    total = table.scores[winner] + 1 + table.pot
    table.scores[winner] = total
    table.pot = 0
    table.last_winner = winner
    table.leaders = leaders_after(before, most, winner, total)
    table.metrics[LEAD_CHANGES] += is_lead_change(before, table.leaders)
    if table.leaders != before:
        note_lead_change(table, table.metrics[TRICKS])


@inline_kernel
def leaders_after(leaders, most, winner, total):
    """Return who leads, as a bit mask, once `winner` has a new total; `most` is the best before."""
    alone = np.int64(1) << winner
    if total == most:
        alone |= leaders
    return alone if total >= most else leaders


@inline_kernel
def is_lead_change(before, leaders):
    """Tell (0 or 1) whether other seats lead than before; the first to lead do not count [C17]."""
    return np.int64(before != leaders) & np.int64(before != 0)


@inline_kernel
def pass_lead(table):
    """Pass the lead clockwise, whoever won; an empty side is passed over [R17] [C4]."""
    leader = table.leader + 1
    if leader == table.players:
        leader = np.int64(0)
    table.leader = leader
    table.seat = np.uint32(leader)
    table.change = NO_MOVE
    table.phase = CHANGE
