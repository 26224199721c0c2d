"""UP & DOWN: tricks in the lanes of vector registers, at random or by specs; see `lanes`.

Eight lanes at a time are a vector. For `dials` see `lane_dials`.
"""

from __future__ import annotations

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
    FIELD,
    best_of_able,
    face_after,
    is_lead_change,
    is_won_by_trump,
    leader_after,
    leaders_after,
    next_leader,
    seat_of,
    tricks_taken,
    trump_of,
    turn_after,
)
from simcore.games.updown.table import CLAUSE, FLIP, KEEP, ROLL, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, largest, put_eight
from simcore.wide import largest_quarters

TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 22 tricks. So are counts:"""

ONE_FLIP, ONE_ROLL, ONE_WIN, ONE_TRUMP_WIN = (1 << (LANE * i) for i in range(4))


@kernel
def play_trick(work, column, leader, trick, shifts, dials):
    """Play a trick at random in all lanes, the first of a round being number 0.

    `leader` counts from the first leader of the round; with dials the lanes say who leads now.
    """
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        change = draw_change(rows, start, leader, dials)
        rules = change_rules(rows, start, change, dials)
        end_trick(rows, start, rules, trick, shifts, dials)


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
def change_rules(rows, start, change, dials):
    """Change the rules; return turn, face, and the trump as a bit."""
    turn = turn_after(eight_at(rows, at.TURN, start), change)
    put_eight(rows, at.TURN, start, turn)
    face = face_after(eight_at(rows, at.FACE, start), change)
    put_eight(rows, at.FACE, start, face)
    rolls = change == ROLL
    throws = eight_at(rows, at.THROWS, start)
    throws = choose(rolls, throws >> FIELD, throws)
    put_eight(rows, at.THROWS, start, throws)
    add(rows, at.COUNTS, start, choose(change == FLIP, ONE_FLIP, 0) + choose(rolls, ONE_ROLL, 0))
    if dials is not None:
        add(rows, at.METRIC.kept, start, choose(change == KEEP, 1, 0))
    return turn, face, trump_of(throws)


@inline_kernel
def add(rows, row, start, numbers):
    """Add numbers to those of a row."""
    put_eight(rows, row, start, eight_at(rows, row, start) + numbers)


@inline_kernel
def raise_to(rows, row, start, numbers):
    """Raise the numbers of a row that are less than others to these."""
    put_eight(rows, row, start, largest(eight_at(rows, row, start), numbers))


@kernel
def change_all(work, column, dials):
    """Change the rules as the leaders chose."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        change_rules(rows, start, eight_at(rows, at.MADE, start), dials)


@kernel
def finish_trick(work, column, trick, shifts, dials):
    """Reveal the cards and give the trick to its winner in all lanes."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        trump_bit = trump_of(eight_at(rows, at.THROWS, start))
        rules = eight_at(rows, at.TURN, start), eight_at(rows, at.FACE, start), trump_bit
        cards = end_trick(rows, start, rules, trick, shifts, dials)
        played = eight_at(rows, at.PLAYED, start) | cards[0] | cards[1] | cards[2] | cards[3]
        put_eight(rows, at.PLAYED, start, played)


@inline_kernel
def end_trick(rows, start, rules, trick, shifts, dials):
    """Give the trick to its winner, or to the pot; return its cards."""
    turn, face, trump_bit = rules
    card = at.CARD + SEATS * trick
    first, second = eight_at(rows, card, start), eight_at(rows, card + 1, start)
    cards = first, second, eight_at(rows, card + 2, start), eight_at(rows, card + 3, start)
    best = best_value(cards, shifts, turn, face, trump_bit)
    winning = of_value(best)
    if rules_by(dials).eligible != 0:
        other, able = best_of_able(cards, shifts, turn, face, trump_bit)
        note(rows, start, other != best, CLAUSE.eligible)
        best, winning = other, of_value(other) & able
    winner = seat_of(cards, winning)
    taken, pot = tricks_taken(best, eight_at(rows, at.POT, start))
    put_eight(rows, at.POT, start, pot & -rules_by(dials).pots)
    if dials is not None:
        pass_lead(rows, start, winner, best > 1, trick, dials)
    give_tricks(rows, start, winner, taken, trick)
    trump_wins = choose(is_won_by_trump(best, trump_bit), ONE_TRUMP_WIN, 0)
    add(rows, at.COUNTS, start, choose(best > 1, ONE_WIN, 0) + trump_wins)
    return cards


@inline_kernel
def give_tricks(rows, start, winner, taken, trick):
    """Give the tricks taken to the winners, and see who leads now."""
    place = LANE * winner
    totals = eight_at(rows, at.TOTALS, start) + (taken << place)
    put_eight(rows, at.TOTALS, start, totals)
    total = (totals >> place) & TOTAL
    before, most = eight_at(rows, at.LEADERS, start), eight_at(rows, at.MOST, start)
    # Nobody has fallen back further since than just before a trick of one's own.
    behind = choose(before != 0, most - total + taken, 0)
    deficits = largest_quarters(eight_at(rows, at.DEFICITS, start), behind << place)
    put_eight(rows, at.DEFICITS, start, deficits)
    leaders = leaders_after(before, most, winner, total)
    put_eight(rows, at.LEADERS, start, leaders)
    put_eight(rows, at.MOST, start, largest(most, total))
    add(rows, at.METRIC.lead_changes, start, is_lead_change(before, leaders))
    now = eight_at(rows, at.METRIC.tricks, start) + (trick + 1)
    last = eight_at(rows, at.METRIC.last_lead_change, start)
    put_eight(rows, at.METRIC.last_lead_change, start, choose(before != leaders, now, last))
    raise_to(rows, at.METRIC.largest_pot, start, taken - 1)


@inline_kernel
def note(rows, start, came, clause):
    """Note where a clause came into play."""
    put_eight(rows, at.CAME, start, eight_at(rows, at.CAME, start) | choose(came, clause, 0))


@inline_kernel
def pass_lead(rows, start, winner, is_won, trick, dials):
    """Let the next seats lead, as agreed."""
    clockwise = next_leader(eight_at(rows, at.LEADER, start), dials.players)
    leader = leader_after(clockwise, winner, is_won, dials.winner_leads != 0)
    put_eight(rows, at.LEADER, start, leader)
    if trick + 1 < dials.hand_size:
        note(rows, start, leader != clockwise, CLAUSE.winner_leads)
