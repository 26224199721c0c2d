"""UP & DOWN: tricks in the lanes of vector registers, at random or by specs; see `lanes`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
For `dials` see `lane_dials`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE, best_value, of_value
from simcore.games.updown.lane_choice import (
    choose_cards,
    choose_changes,
    draw_change,
    play_last_cards,
)
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import (
    best_of_able,
    face_after,
    is_lead_change,
    is_won_by_trump,
    leader_after,
    leaders_after,
    next_leader,
    next_trump,
    seat_of,
    tricks_taken,
    turn_after,
)
from simcore.games.updown.table import CLAUSE, FLIP, KEEP, ROLL, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import lanes_from
from simcore.records import RANDOM

TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 22 tricks. So are counts:"""

ONE_FLIP, ONE_ROLL, ONE_WIN, ONE_TRUMP_WIN = (1 << (LANE * i) for i in range(4))


@kernel
def play_trick(work, column, leader, trick, shifts, dials):
    """Play a trick at random in all lanes, the first of a round being number 0.

    `leader` counts from the first leader of the round; with dials the lanes say who leads now.
    """
    rows = work.rows
    for lane in lanes_from(column, LANES):
        change = draw_change(rows, lane, leader, dials)
        rules = change_rules(rows, lane, change, dials)
        end_trick(rows, lane, rules, trick, shifts, dials)


@outer_kernel
def play_trick_by_specs(work, column, leader, trick, table, box, dials):
    """Play a trick in all lanes, some seats at random, the others by their specs.

    `leader` counts from the first leader of the round, with dials from who leads now.
    """
    players = table.players
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    choose_changes(work, column, leader, table, box, shifts, dials)
    change_all(work, column, dials)
    for seat in range(players):
        if box.policies[seat] == RANDOM:
            continue
        if trick + 1 < table.hand_size:
            choose_cards(work, column, leader, trick, seat, table, box, shifts, dials)
        else:
            play_last_cards(work, column, trick, seat)
    finish_trick(work, column, trick, shifts, dials)


@inline_kernel
def change_rules(rows, lane, change, dials):
    """Change the rules; return turn, face, and the trump as a bit."""
    turn = turn_after(rows[at.TURN, lane], change)
    rows[at.TURN, lane] = turn
    face = face_after(rows[at.FACE, lane], change)
    rows[at.FACE, lane] = face
    rolls = change == ROLL
    counts = rows[at.COUNTS, lane]
    counts += ONE_FLIP if change == FLIP else 0
    counts += ONE_ROLL if rolls else 0
    rows[at.COUNTS, lane] = counts
    if dials is not None:
        rows[at.METRIC.kept, lane] += np.int64(change == KEEP)
    throws = rows[at.THROWS, lane] >> rows[at.USED, lane]
    rows[at.THROWS, lane] = throws
    trump_bit, used = next_trump(throws, rows[at.TRUMP, lane])
    rows[at.USED, lane] = used if rolls else 0
    trump_bit = trump_bit if rolls else rows[at.TRUMP, lane]
    rows[at.TRUMP, lane] = trump_bit
    return turn, face, trump_bit


@kernel
def change_all(work, column, dials):
    """Change the rules as the leaders chose."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        change_rules(rows, lane, rows[at.MADE, lane], dials)


@kernel
def finish_trick(work, column, trick, shifts, dials):
    """Reveal the cards and give the trick to its winner in all lanes."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        rules = rows[at.TURN, lane], rows[at.FACE, lane], rows[at.TRUMP, lane]
        cards = end_trick(rows, lane, rules, trick, shifts, dials)
        rows[at.PLAYED, lane] |= cards[0] | cards[1] | cards[2] | cards[3]


@inline_kernel
def end_trick(rows, lane, rules, trick, shifts, dials):
    """Give the trick to its winner, or to the pot; return its cards."""
    turn, face, trump_bit = rules
    card = at.CARD + SEATS * (trick & at.TRICKS_MASK)
    cards = rows[card, lane], rows[card + 1, lane], rows[card + 2, lane], rows[card + 3, lane]
    best = best_value(cards, shifts, turn, face, trump_bit)
    winning = of_value(best)
    if dials is not None:
        other, able = best_of_able(cards, shifts, turn, face, trump_bit)
        eligible = rules_by(dials).eligible != 0
        rows[at.CAME, lane] |= CLAUSE.eligible if eligible & (other != best) else 0
        best = other if eligible else best
        winning = of_value(other) & able if eligible else winning
    winner = seat_of(cards, winning)
    taken, pot = tricks_taken(best, rows[at.POT, lane])
    if dials is not None:
        pot &= -rules_by(dials).pots
        pass_lead(rows, lane, winner, best > 1, trick, dials)
    rows[at.POT, lane] = pot
    place = LANE * winner
    totals = rows[at.TOTALS, lane] + (taken << place)
    rows[at.TOTALS, lane] = totals
    total = (totals >> place) & TOTAL
    before = rows[at.LEADERS, lane]
    most = rows[at.MOST, lane]
    # Nobody has fallen back further since than just before a trick of one's own.
    deficits = rows[at.DEFICITS, lane]
    deficit = (deficits >> place) & TOTAL
    behind = most - total + taken if before != 0 else 0
    rows[at.DEFICITS, lane] = deficits + ((max(behind, deficit) - deficit) << place)
    leaders = leaders_after(before, most, winner, total)
    rows[at.LEADERS, lane] = leaders
    rows[at.MOST, lane] = max(most, total)
    rows[at.METRIC.lead_changes, lane] += is_lead_change(before, leaders)
    now = rows[at.METRIC.tricks, lane] + (trick + 1) if before != leaders else 0
    rows[at.METRIC.last_lead_change, lane] = max(rows[at.METRIC.last_lead_change, lane], now)
    rows[at.METRIC.largest_pot, lane] = max(rows[at.METRIC.largest_pot, lane], taken - 1)
    counts = rows[at.COUNTS, lane]
    counts += ONE_WIN if best > 1 else 0
    counts += ONE_TRUMP_WIN if is_won_by_trump(best, trump_bit) else 0
    rows[at.COUNTS, lane] = counts
    return cards


@inline_kernel
def pass_lead(rows, lane, winner, is_won, trick, dials):
    """Let the next seat lead in a lane, as agreed."""
    clockwise = next_leader(rows[at.LEADER, lane], dials.players)
    leader = leader_after(clockwise, winner, is_won, rules_by(dials).winner_leads != 0)
    rows[at.LEADER, lane] = leader
    other = (leader != clockwise) & (trick + 1 < dials.hand_size)
    rows[at.CAME, lane] |= CLAUSE.winner_leads if other else 0
