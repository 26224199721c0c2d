"""UP & DOWN: what moves do: changing the rules, choosing a card, and the tricks."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.updown import table as updown
from simcore.games.updown.cards import (
    DOWN,
    PLACES,
    able_cards,
    best_of,
    best_value,
    lone_values,
    of_value,
)
from simcore.games.updown.deal import throw_dice
from simcore.games.updown.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.match import note_lead_change
from simcore.records import NO_MOVE, ROUND_OVER
from simcore.vectors import choose

FIELD = 4
"""Bits of a throw, or of a card's value or colour, in a list of such."""

NO_TRUMP = 1
"""The trump, as a bit, when a list of throws has come to its end, or there is none."""


@inline_kernel
def turn_after(turn, change):
    """Return the turn of the U&D card after a change of the rules [R10] [C7].

    Turning it over leaves it, as do four and eight quarter turns, the numbers of `ROLL` and `KEEP`.
    """
    return (turn + 16 * change) & PLACES


@inline_kernel
def face_after(face, change):
    """Return the face of the U&D card after a change of the rules."""
    return face ^ choose(change == updown.FLIP, DOWN, 0)


@inline_kernel
def trump_of(throws):
    """Return the trump, as a bit, by the lowest of a list of throws."""
    return np.int64(1) << (throws & ((1 << FIELD) - 1))


@inline_kernel
def judge(cards, shifts, rules, eligible):
    """Return the value of the card that wins a trick, see `best_value`, and who played it.

    And the value if all cards cancelled each other, where only those do that could win (`eligible`)
    [H4]. `rules` are turn, face, and the trump as a bit.
    """
    turn, face, trump_bit = rules
    best = best_of_all = best_value(cards, shifts, turn, face, trump_bit)
    winning = of_value(best)
    if eligible:
        able = able_cards(cards, shifts, turn, trump_bit)
        best = best_of(lone_values(able), face, trump_bit)
        winning = of_value(best) & able
    return best, seat_of(cards, winning), best_of_all


@inline_kernel
def seat_of(cards, card):
    """Return the seat whose card of the trick is the one in `card`, a card set; 0 if none."""
    among = choose(cards[1] & card != 0, 1, choose(cards[2] & card != 0, 2, 0))
    return choose(cards[3] & card != 0, 3, among)


@inline_kernel
def is_won_by_trump(best, trump_bit):
    """Tell whether a trick was won by a trump [C19], by the value of the best card."""
    return (best == trump_bit) & (best > 1)


@inline_kernel
def tricks_taken(best, pot):
    """Return how many tricks the best card wins [R16] [C10], and what is in the pot then [R15]."""
    taken = choose(best > 1, pot + 1, 0)
    return taken, pot + 1 - taken


@inline_kernel
def leaders_after(leaders, most, winner, total):
    """Return who leads, as a bit mask, once `winner` has a new total; `most` is the best before.

    At least 1: nobody leads without a trick.
    """
    alone = np.int64(1) << winner
    return choose(total <= most, leaders, 0) | choose(total >= most, alone, 0)


@inline_kernel
def is_lead_change(before, leaders):
    """Tell (0 or 1) whether other seats lead than before; the first to lead do not count [C17]."""
    return choose((before != leaders) & (before != 0), 1, 0)


@inline_kernel
def next_leader(leader, players):
    """Return who leads next, clockwise, whoever won; an empty side is passed over [R17] [C4]."""
    return choose(leader + 1 < players, leader + 1, 0)


@inline_kernel
def leader_after(clockwise, winner, is_won, winner_leads):
    """Return who leads next where who won the trick may lead [H5]; else the next clockwise."""
    return choose(is_won & winner_leads, winner, clockwise)


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place.

    Afterwards the next seat is on turn, or the phase is `ROUND_OVER`.
    """
    if table.phase == updown.CARD:
        choose_card(table, box, move)
    else:
        change_rules(table, box, move)


@kernel
def change_rules(table, box, move):
    """Let the leader change exactly one of face, rotation and trump [R9] [C5], or nothing [H3]."""
    table.change = move
    table.turn = turn_after(table.turn, move)
    table.face = face_after(table.face, move)
    if move == updown.ROLL:
        table.trump = roll(table.trump, box.chance_rng)
    if move == updown.KEEP:
        table.metrics[METRIC.kept] += 1
        table.metrics[METRIC.clauses] |= CLAUSE.kept
    else:
        turns = METRIC.rolls if move == updown.ROLL else METRIC.rotations
        table.metrics[METRIC.flips if move == updown.FLIP else turns] += 1
    table.seat = np.uint32(0)
    table.phase = updown.CARD


@inline_kernel
def roll(trump, stream):
    """Throw the dice until there is a new trump [R11] [C6]."""
    found = trump
    while found == trump:
        found = throw_dice(stream)
    return found


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


@kernel
def finish_trick(table, box):
    """Reveal the cards, give the trick to its winner or to the pot, and pass the lead on."""
    cards = (box.chosen[0], box.chosen[1], box.chosen[2], box.chosen[3])
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    trump_bit = np.int64(1) << table.trump
    rules = table.turn, table.face, trump_bit
    best, winner, best_of_all = judge(cards, shifts, rules, table.eligible != 0)
    table.metrics[METRIC.clauses] |= CLAUSE.eligible if best != best_of_all else 0
    for seat in range(updown.SEATS):
        table.played[seat] |= box.chosen[seat]
        table.last_cards[seat] = box.chosen[seat]
        box.chosen[seat] = 0
    table.metrics[METRIC.tricks] += 1
    taken, table.pot = tricks_taken(best, table.pot)
    if taken == 0:
        table.metrics[METRIC.pots] += 1
        table.last_winner = updown.NO_SEAT
        if not table.pots:  # [H7]
            table.metrics[METRIC.lost_tricks] += table.pot
            table.pot = 0
            table.metrics[METRIC.clauses] |= CLAUSE.lost_at_once
    else:
        take_tricks(table, winner, taken)
        table.metrics[METRIC.trump_wins] += np.int64(is_won_by_trump(best, trump_bit))
    table.trick += 1
    if table.trick == table.hand_size:
        table.phase = ROUND_OVER  # [R18]
    else:
        pass_lead(table)


@inline_kernel
def take_tricks(table, winner, taken):
    """Give the winner the trick, with all tricks of the pot [C19]."""
    table.metrics[METRIC.largest_pot] = max(table.metrics[METRIC.largest_pot], taken - 1)
    before = table.leaders
    most = table.scores[lowest_bit(before)] if before else np.int64(1)
    if before:
        behind = most - table.scores[winner]
        table.deficits[winner] = max(table.deficits[winner], behind)
    table.scores[winner] += taken
    table.last_winner = winner
    table.leaders = leaders_after(before, most, winner, table.scores[winner])
    table.metrics[METRIC.lead_changes] += is_lead_change(before, table.leaders)
    if table.leaders != before:
        note_lead_change(table, table.metrics[METRIC.tricks])


@inline_kernel
def pass_lead(table):
    """Let the next seat lead."""
    clockwise = next_leader(table.leader, table.players)
    is_won = table.last_winner != updown.NO_SEAT
    table.leader = leader_after(clockwise, table.last_winner, is_won, table.winner_leads != 0)
    table.metrics[METRIC.clauses] |= CLAUSE.winner_leads if table.leader != clockwise else 0
    table.seat = np.uint32(table.leader)
    table.change = NO_MOVE
    table.phase = updown.CHANGE
