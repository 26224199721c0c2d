"""UP & DOWN: what moves do: changing the rules, choosing a card, and the tricks."""

from __future__ import annotations

from typing import Any, NamedTuple

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
from simcore.records import NO_MOVE, ROUND_OVER
from simcore.vectors import choose, largest

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


class Tally(NamedTuple):
    """Who leads a match, as a bit mask, with how many tricks, and counts of it; see `METRICS`.

    At least one trick: nobody leads without.
    """

    leaders: Any
    most: Any
    lead_changes: Any
    last_lead_change: Any
    largest_pot: Any


@inline_kernel
def tally_after(tally, total, winner, taken, tricks):
    """Return the tally after a trick, the match's number `tricks`, and how far the winner was back.

    `total` is the winner's before this trick; of a trick that nobody takes any seat's.
    """
    before, most = tally.leaders, tally.most
    behind = choose(before != 0, most - total, 0)
    total = total + taken
    alone = np.int64(1) << winner
    leaders = choose(total <= most, before, 0) | choose(total >= most, alone, 0)
    is_change = before != leaders
    after = Tally(
        leaders,
        largest(most, total),
        # The first to lead are no change [C17].
        tally.lead_changes + choose(is_change & (before != 0), 1, 0),
        largest(tally.last_lead_change, choose(is_change, tricks, 0)),
        largest(tally.largest_pot, taken - 1),
    )
    return after, behind


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


@inline_kernel
def change_rules(table, box, move):
    """Let the leader change exactly one of face, rotation and trump [R9] [C5], or nothing [H3]."""
    table.change = move
    table.turn = turn_after(table.turn, move)
    table.face = face_after(table.face, move)
    if move == updown.ROLL:
        table.trump = roll(table.trump, box.chance_rng)
    turns = choose(move == updown.ROLL, METRIC.rolls, METRIC.rotations)
    turns = choose(move == updown.FLIP, METRIC.flips, turns)
    table.metrics[choose(move == updown.KEEP, METRIC.kept, turns)] += 1
    table.metrics[METRIC.clauses] |= choose(move == updown.KEEP, CLAUSE.kept, 0)
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
    own = table.seat
    box.seats[own].hand ^= chosen
    box.chosen[own] = chosen
    seat = np.int64(own) + 1
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
    metrics = table.metrics
    for seat in range(updown.SEATS):
        table.played[seat] |= cards[seat]
        table.last_cards[seat] = cards[seat]
    for seat in range(updown.SEATS):
        box.chosen[seat] = 0
    is_won = best > 1
    taken, pot = tricks_taken(best, table.pot)
    table.pot = pot & -table.pots  # [H7]
    table.last_winner = choose(is_won, winner, np.int64(updown.NO_SEAT))
    metrics[METRIC.tricks] += 1
    metrics[METRIC.pots] += choose(is_won, 0, 1)
    metrics[METRIC.lost_tricks] += pot - table.pot
    metrics[METRIC.trump_wins] += choose(is_won_by_trump(best, trump_bit), 1, 0)
    came = choose(best != best_of_all, CLAUSE.eligible, 0)
    metrics[METRIC.clauses] |= came | choose(pot != table.pot, CLAUSE.lost_at_once, 0)
    give_tricks(table, winner, taken)
    table.trick += 1
    if table.trick == table.hand_size:
        table.phase = ROUND_OVER  # [R18]
    else:
        pass_lead(table)


@inline_kernel
def give_tricks(table, winner, taken):
    """Give the winner the trick, with all tricks of the pot [C19]; without one, nobody any."""
    metrics = table.metrics
    # Who leads has most; where nobody does, nobody has any, nor has the last seat.
    most = max(table.scores[lowest_bit(table.leaders | 1 << (updown.SEATS - 1))], 1)
    changes, last = metrics[METRIC.lead_changes], metrics[METRIC.last_lead_change]
    tally = Tally(table.leaders, most, changes, last, metrics[METRIC.largest_pot])
    total = table.scores[winner]
    tally, behind = tally_after(tally, total, winner, taken, metrics[METRIC.tricks])
    table.scores[winner] = total + taken
    table.deficits[winner] = max(table.deficits[winner], behind)
    table.leaders = tally.leaders
    metrics[METRIC.lead_changes] = tally.lead_changes
    metrics[METRIC.last_lead_change] = tally.last_lead_change
    metrics[METRIC.largest_pot] = tally.largest_pot


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
