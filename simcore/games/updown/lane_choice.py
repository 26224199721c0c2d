"""UP & DOWN: how seats choose, in the lanes of vector registers; see `lanes`.

Eight lanes at a time are handed to `by_spec`. For `dials` see `lane_dials`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown import lane_rows as at
from simcore.games.updown.by_spec import (
    change_by_chance,
    choose_card,
    lead_by_count,
    lead_for_best,
    play_of,
    rate_values,
)
from simcore.games.updown.cards import of_seat
from simcore.games.updown.choice import View
from simcore.games.updown.draws import draw_long
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.moves import nth_change
from simcore.games.updown.play import next_leader, trump_of
from simcore.games.updown.spec import BETS, COUNTS_BETTER, DODGES, HOW
from simcore.games.updown.table import CHANGES, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, put_eight

NO_LEAD = -SEATS
"""By the distance from the first leader, who leads next where nobody waits for that."""


@outer_kernel
def choose_changes(work, column, leader, table, box, shifts, dials):
    """Let the leaders choose changes of the rules: each kind of leader in the lanes where it leads.

    Those for the best card are chosen everywhere, unless nobody does so.
    """
    players = table.players
    by_chance = np.int64(0)
    by_count = np.int64(0)
    at_random = np.int64(0)
    for seat in range(players):
        how = box.seats[seat].spec[HOW]
        is_random = box.policies[seat] == RANDOM
        at_random |= np.int64(is_random) << seat
        by_chance |= np.int64((how & BETS != 0) & (not is_random)) << seat
        by_count |= np.int64((how & COUNTS_BETTER != 0) & (not is_random)) << seat
    by_count &= ~by_chance
    if at_random | by_chance | by_count != (1 << players) - 1:
        all_lead_for_best(work, column, leader, players, shifts, dials)
    if at_random != 0:
        lead_at_random(work, column, leader, players, at_random, dials)
    if by_count != 0:
        all_lead_by_count(work, column, leader, players, shifts, by_count, plays_of(box), dials)
    if by_chance != 0:
        all_lead_by_chance(work, column, leader, players, shifts, by_chance, plays_of(box), dials)


@inline_kernel
def plays_of(box):
    """Return by seat how it plays."""
    seats = box.seats
    return play_of(seats[0]), play_of(seats[1]), play_of(seats[2]), play_of(seats[3])


@inline_kernel
def leader_of(first, distance, players):
    """Return the seat that leads, by its distance from the first leader."""
    seat = first + distance
    return choose(seat >= players, seat - players, seat)


@inline_kernel
def view_at(rows, start, seat, hand, shifts, players, dials):
    """Return what a seat sees in eight lanes; it need not be the same in all."""
    return View(
        seat,
        hand,
        of_seat(seat, shifts[0], shifts[1], shifts[2], shifts[3]),
        shifts,
        eight_at(rows, at.TURN, start),
        eight_at(rows, at.FACE, start),
        trump_of(eight_at(rows, at.THROWS, start)),
        eight_at(rows, at.PLAYED, start),
        players,
        rules_by(dials).eligible != 0,
    )


@inline_kernel
def leader_at(rows, start, leader, shifts, players, dials):
    """Return what the leaders see in eight lanes."""
    seat = leader_of(eight_at(rows, at.LEADER, start), leader, players)
    first, second = eight_at(rows, at.HAND, start), eight_at(rows, at.HAND + 1, start)
    third, fourth = eight_at(rows, at.HAND + 2, start), eight_at(rows, at.HAND + 3, start)
    hand = of_seat(seat, first, second, third, fourth)
    return view_at(rows, start, seat, hand, shifts, players, dials)


@inline_kernel
def put_change(rows, start, view, who, change):
    """Note the change that leaders make, where they are in the mask `who`."""
    made = eight_at(rows, at.MADE, start)
    put_eight(rows, at.MADE, start, choose((who >> view.seat) & 1 != 0, change, made))


@kernel
def all_lead_for_best(work, column, leader, players, shifts, dials):
    """Choose the changes that make the best cards as good as can be in all lanes."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        view = leader_at(rows, start, leader, shifts, players, dials)
        put_eight(rows, at.MADE, start, lead_for_best(view, rules_by(dials).keep))


@kernel
def all_lead_by_count(work, column, leader, players, shifts, who, plays, dials):
    """Choose the changes of the leaders in `who` by rank and by what beats the best cards."""
    rows = work.rows
    first, second, third, fourth = plays
    for start in range(column, column + LANES, EIGHT):
        view = leader_at(rows, start, leader, shifts, players, dials)
        better = of_seat(view.seat, first.better, second.better, third.better, fourth.better)
        change = lead_by_count(view, better, rules_by(dials).keep)
        put_change(rows, start, view, who, change)


@kernel
def all_lead_by_chance(work, column, leader, players, shifts, who, plays, dials):
    """Choose the changes of the leaders in `who` by chance."""
    rows = work.rows
    rules = rules_by(dials)
    first, second, third, fourth = plays
    for start in range(column, column + LANES, EIGHT):
        view = leader_at(rows, start, leader, shifts, players, dials)
        keen = of_seat(view.seat, first.keen, second.keen, third.keen, fourth.keen)
        change = change_by_chance(view, keen, rules.keep, rules.changes)
        put_change(rows, start, view, who, change)


@inline_kernel
def draw_change(rows, start, leader, dials):
    """Return the changes that leaders make at random, of what was drawn for the round."""
    if dials is None:
        row = at.CHANGE + leader
        index, fraction = draw_long(eight_at(rows, row, start), CHANGES)
        put_eight(rows, row, start, fraction)
        return index
    seat = eight_at(rows, at.LEADER, start)
    drawn = of_seat(
        seat,
        eight_at(rows, at.SEAT_CHANGE, start),
        eight_at(rows, at.SEAT_CHANGE + 1, start),
        eight_at(rows, at.SEAT_CHANGE + 2, start),
        eight_at(rows, at.SEAT_CHANGE + 3, start),
    )
    index, fraction = draw_long(drawn, rules_by(dials).changes)
    for other in range(SEATS):
        row = at.SEAT_CHANGE + other
        put_eight(rows, row, start, choose(seat == other, fraction, eight_at(rows, row, start)))
    return nth_change(index, rules_by(dials).keep)


@kernel
def lead_at_random(work, column, leader, players, who, dials):
    """Draw the changes of the leaders that are in the mask `who`."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        change = draw_change(rows, start, leader, dials)
        seat = leader_of(eight_at(rows, at.LEADER, start), leader, players)
        made = eight_at(rows, at.MADE, start)
        put_eight(rows, at.MADE, start, choose((who >> seat) & 1 != 0, change, made))


@outer_kernel
def choose_cards(work, column, leader, trick, seat, table, box, shifts, dials):
    """Let a seat that has a choice choose its card in all lanes, as its spec says."""
    play = play_of(box.seats[seat])
    left = table.hand_size - trick
    players = np.int64(table.players)
    waits = rules_by(dials).pots != 0
    next_lead = next_leader(leader, players) if waits else np.int64(NO_LEAD)
    if play.how & (BETS | DODGES):
        rate_all(work, column, next_lead, seat, play, left, table, shifts, dials)
    play_cards(work, column, next_lead, trick, seat, play, left, shifts, players, dials)


@inline_kernel
def seat_at(rows, start, next_lead, seat, shifts, players, dials):
    """Return what a seat sees in eight lanes, and whether it leads next."""
    hand = eight_at(rows, at.HAND + seat, start)
    lead = leader_of(eight_at(rows, at.LEADER, start), next_lead, players) == seat
    return view_at(rows, start, seat, hand, shifts, players, dials), lead


@kernel
def rate_all(work, column, next_lead, seat, play, left, table, shifts, dials):
    """Rate the values of a seat that bets or dodges in all lanes."""
    rows = work.rows
    players, hand_size = np.int64(table.players), table.hand_size
    word0, word1 = at.SEAT_WORD0 + seat, at.SEAT_WORD1 + seat
    for start in range(column, column + LANES, EIGHT):
        view, lead = seat_at(rows, start, next_lead, seat, shifts, players, dials)
        words = eight_at(rows, word0, start), eight_at(rows, word1, start)
        pot = eight_at(rows, at.POT, start)
        first, anyway, words = rate_values(view, play, pot, left, hand_size, lead, words)
        put_eight(rows, at.FIRST, start, first)
        put_eight(rows, at.ANYWAY, start, anyway)
        put_eight(rows, word0, start, words[0])
        put_eight(rows, word1, start, words[1])


@kernel
def play_cards(work, column, next_lead, trick, seat, play, left, shifts, players, dials):
    """Let a seat play its card in all lanes."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        view, lead = seat_at(rows, start, next_lead, seat, shifts, players, dials)
        rated = eight_at(rows, at.FIRST, start), eight_at(rows, at.ANYWAY, start)
        card = choose_card(view, play, rated, eight_at(rows, at.POT, start), left, lead)
        put_eight(rows, at.CARD + SEATS * trick + seat, start, card)
        put_eight(rows, at.HAND + seat, start, view.hand ^ card)


@kernel
def play_last_cards(work, column, trick, seat):
    """Let a seat play the card that it has left, which is no decision [C13]."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        card = eight_at(rows, at.HAND + seat, start)
        put_eight(rows, at.CARD + SEATS * trick + seat, start, card)
