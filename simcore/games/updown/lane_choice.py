"""UP & DOWN: how seats choose, in the lanes of vector registers; see `lanes`.

Eight lanes at a time are handed to `by_spec`. For `dials` see `lane_dials`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown import lane_rows as at
from simcore.games.updown.by_spec import (
    choose_card,
    float_of,
    play_of,
    rate_values,
)
from simcore.games.updown.cards import of_seat
from simcore.games.updown.choice import View, change_by_chance, change_for_best_card
from simcore.games.updown.draws import draw_long
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.moves import nth_change
from simcore.games.updown.play import next_leader, trump_of
from simcore.games.updown.spec import BETS, BETTER, DODGES, HOW, KEEN
from simcore.games.updown.table import CHANGES, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, put_eight

KINDS = 4
BY_RANK, BY_COUNT, BY_CHANCE, AT_RANDOM = range(KINDS)
"""How leaders choose a change of the rules."""

NO_LEAD = -SEATS
"""By the distance from the first leader, who leads next where nobody waits for that."""


@outer_kernel
def choose_changes(work, column, leader, table, box, shifts, dials):
    """Let the leaders choose changes of the rules, each kind of them in the lanes it leads in."""
    players = np.int64(table.players)
    for kind in range(KINDS):
        who = np.int64(0)
        for seat in range(players):
            who |= np.int64(kind_of(box, seat) == kind) << seat
        if who != 0:
            lead(work, column, leader, players, box, shifts, kind, who, dials)


@inline_kernel
def kind_of(box, seat):
    """Return how a seat chooses a change of the rules."""
    spec = box.seats[seat].spec
    if box.policies[seat] == RANDOM:
        return AT_RANDOM
    return BY_CHANCE if spec[HOW] & BETS else BY_COUNT if spec[BETTER] else BY_RANK


@kernel
def lead(work, column, leader, players, box, shifts, kind, who, dials):
    """Choose the changes of the leaders in the mask `who`."""
    rows, rules, seats = work.rows, rules_by(dials), box.seats
    word = BETTER if kind == BY_COUNT else KEEN
    one, two = float_of(seats[0].spec[word]), float_of(seats[1].spec[word])
    three, four = float_of(seats[2].spec[word]), float_of(seats[3].spec[word])
    for start in range(column, column + LANES, EIGHT):
        view = leader_at(rows, start, leader, shifts, players, dials)
        weight = of_seat(view.seat, one, two, three, four)
        if kind == BY_RANK:
            change = change_for_best_card(view, 0.0, False, rules.keep >= 0)
        elif kind == BY_COUNT:
            change = change_for_best_card(view, weight, True, rules.keep >= 0)
        elif kind == BY_CHANCE:
            change = change_by_chance(view, weight, rules.keep, rules.changes)
        else:
            change = draw_change(rows, start, leader, dials)
        made = eight_at(rows, at.MADE, start)
        put_eight(rows, at.MADE, start, choose((who >> view.seat) & 1 != 0, change, made))


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
