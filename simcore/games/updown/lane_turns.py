"""UP & DOWN: tricks in the lanes of vector registers, at random or by specs; see `lanes`.

Eight lanes at a time are a vector, which is handed to `by_spec`. For `dials` see `lane_rows`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown import by_spec, play
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import LANE, of_seat
from simcore.games.updown.choice import View
from simcore.games.updown.draws import draw_long
from simcore.games.updown.lane_rows import LANES, rules_by
from simcore.games.updown.moves import nth_change
from simcore.games.updown.spec import BETS, BETTER, DODGES, HOW, KEEN
from simcore.games.updown.table import CHANGES, CLAUSE, FLIP, KEEP, ROLL, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.records import RANDOM
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, eight_at, put_eight
from simcore.wide import as_reals, largest_quarters

TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 22 tricks. So are counts:"""

ONE_FLIP, ONE_ROLL, ONE_WIN, ONE_TRUMP_WIN = (1 << (LANE * i) for i in range(4))

AT_RANDOM = len(by_spec.WAYS_TO_LEAD)
"""How leaders choose a change of the rules who have no spec."""

NO_LEAD = -SEATS
"""By the distance from the first leader, who leads next where nobody waits for that."""


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
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    choose_changes(work, column, leader, table, box, shifts, dials)
    for start in range(column, column + LANES, EIGHT):
        change_rules(work.rows, start, eight_at(work.rows, at.MADE, start), dials)
    for seat in range(table.players):
        if box.policies[seat] == RANDOM:
            continue
        if trick + 1 < table.hand_size:
            choose_cards(work, column, leader, trick, seat, table, box, shifts, dials)
        else:
            play_last_cards(work, column, trick, seat)
    finish_trick(work, column, trick, shifts, dials)


@outer_kernel
def choose_changes(work, column, leader, table, box, shifts, dials):
    """Let the leaders choose changes of the rules, each kind of them in the lanes it leads in."""
    players = np.int64(table.players)
    for kind in range(AT_RANDOM + 1):
        who = np.int64(0)
        for seat in range(players):
            own = by_spec.way_to_lead(box.seats[seat].spec[HOW])
            own = AT_RANDOM if box.policies[seat] == RANDOM else own
            who |= np.int64(own == kind) << seat
        if who != 0:
            lead(work, column, leader, players, box, shifts, kind, who, dials)


@kernel
def lead(work, column, leader, players, box, shifts, kind, who, dials):
    """Choose the changes of the leaders in the mask `who`."""
    rows, rules, seats = work.rows, rules_by(dials), box.seats
    word = BETTER if kind == by_spec.BY_COUNT else KEEN
    words = seats[0].spec[word], seats[1].spec[word], seats[2].spec[word], seats[3].spec[word]
    for start in range(column, column + LANES, EIGHT):
        seat = leader_of(eight_at(rows, at.LEADER, start), leader, players)
        hand = of_seat(seat, four_at(rows, at.HAND, start))
        view = view_at(rows, start, seat, hand, shifts, players, dials)
        weight = as_reals(of_seat(seat, words))
        if kind == AT_RANDOM:
            change = draw_change(rows, start, leader, dials)
        else:
            change = by_spec.change_as(kind, view, weight, rules.keep, rules.changes)
        made = eight_at(rows, at.MADE, start)
        put_eight(rows, at.MADE, start, choose((who >> seat) & 1 != 0, change, made))


@inline_kernel
def four_at(rows, row, start):
    """Return what four rows, one of each seat, have for eight lanes."""
    low = eight_at(rows, row, start), eight_at(rows, row + 1, start)
    return *low, eight_at(rows, row + 2, start), eight_at(rows, row + 3, start)


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
        of_seat(seat, shifts),
        shifts,
        eight_at(rows, at.TURN, start),
        eight_at(rows, at.FACE, start),
        play.trump_of(eight_at(rows, at.THROWS, start)),
        eight_at(rows, at.PLAYED, start),
        players,
        rules_by(dials).eligible != 0,
    )


@inline_kernel
def draw_change(rows, start, leader, dials):
    """Return the changes that leaders make at random, of what was drawn for the round."""
    if dials is None:
        row = at.CHANGE + leader
        index, fraction = draw_long(eight_at(rows, row, start), CHANGES)
        put_eight(rows, row, start, fraction)
        return index
    seat = eight_at(rows, at.LEADER, start)
    drawn = of_seat(seat, four_at(rows, at.SEAT_CHANGE, start))
    index, fraction = draw_long(drawn, rules_by(dials).changes)
    for other in range(SEATS):
        row = at.SEAT_CHANGE + other
        put_eight(rows, row, start, choose(seat == other, fraction, eight_at(rows, row, start)))
    return nth_change(index, rules_by(dials).keep)


@outer_kernel
def choose_cards(work, column, leader, trick, seat, table, box, shifts, dials):
    """Let a seat that has a choice choose its card in all lanes, as its spec says."""
    own = by_spec.play_of(box.seats[seat])
    left = table.hand_size - trick
    players = np.int64(table.players)
    waits = rules_by(dials).pots != 0
    next_lead = play.next_leader(leader, players) if waits else np.int64(NO_LEAD)
    if own.how & (BETS | DODGES):
        rate_all(work, column, next_lead, seat, own, left, table, shifts, dials)
    play_cards(work, column, next_lead, trick, seat, own, left, shifts, players, dials)


@inline_kernel
def seat_at(rows, start, next_lead, seat, shifts, players, dials):
    """Return what a seat sees in eight lanes, and whether it leads next."""
    hand = eight_at(rows, at.HAND + seat, start)
    lead = leader_of(eight_at(rows, at.LEADER, start), next_lead, players) == seat
    return view_at(rows, start, seat, hand, shifts, players, dials), lead


@kernel
def rate_all(work, column, next_lead, seat, own, left, table, shifts, dials):
    """Rate the values of a seat that bets or dodges in all lanes."""
    rows = work.rows
    players, hand_size = np.int64(table.players), table.hand_size
    word0, word1 = at.SEAT_WORD0 + seat, at.SEAT_WORD1 + seat
    for start in range(column, column + LANES, EIGHT):
        view, lead = seat_at(rows, start, next_lead, seat, shifts, players, dials)
        words = eight_at(rows, word0, start), eight_at(rows, word1, start)
        pot = eight_at(rows, at.POT, start)
        first, anyway, words = by_spec.rate_values(view, own, pot, left, hand_size, lead, words)
        put_eight(rows, at.FIRST, start, first)
        put_eight(rows, at.ANYWAY, start, anyway)
        put_eight(rows, word0, start, words[0])
        put_eight(rows, word1, start, words[1])


@kernel
def play_cards(work, column, next_lead, trick, seat, own, left, shifts, players, dials):
    """Let a seat play its card in all lanes."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        view, lead = seat_at(rows, start, next_lead, seat, shifts, players, dials)
        rated = eight_at(rows, at.FIRST, start), eight_at(rows, at.ANYWAY, start)
        card = by_spec.choose_card(view, own, rated, eight_at(rows, at.POT, start), left, lead)
        put_eight(rows, at.CARD + SEATS * trick + seat, start, card)
        put_eight(rows, at.HAND + seat, start, view.hand ^ card)


@kernel
def play_last_cards(work, column, trick, seat):
    """Let a seat play the card that it has left, which is no decision [C13]."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        card = eight_at(rows, at.HAND + seat, start)
        put_eight(rows, at.CARD + SEATS * trick + seat, start, card)


@inline_kernel
def change_rules(rows, start, change, dials):
    """Change the rules; return turn, face, and the trump as a bit."""
    turn = play.turn_after(eight_at(rows, at.TURN, start), change)
    put_eight(rows, at.TURN, start, turn)
    face = play.face_after(eight_at(rows, at.FACE, start), change)
    put_eight(rows, at.FACE, start, face)
    rolls = change == ROLL
    throws = eight_at(rows, at.THROWS, start)
    throws = choose(rolls, throws >> play.FIELD, throws)
    put_eight(rows, at.THROWS, start, throws)
    add(rows, at.COUNTS, start, choose(change == FLIP, ONE_FLIP, 0) + choose(rolls, ONE_ROLL, 0))
    if dials is not None:
        add(rows, at.METRIC.kept, start, choose(change == KEEP, 1, 0))
    return turn, face, play.trump_of(throws)


@inline_kernel
def add(rows, row, start, numbers):
    """Add numbers to those of a row."""
    put_eight(rows, row, start, eight_at(rows, row, start) + numbers)


@kernel
def finish_trick(work, column, trick, shifts, dials):
    """Reveal the cards and give the trick to its winner in all lanes."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        trump_bit = play.trump_of(eight_at(rows, at.THROWS, start))
        rules = eight_at(rows, at.TURN, start), eight_at(rows, at.FACE, start), trump_bit
        cards = end_trick(rows, start, rules, trick, shifts, dials)
        played = eight_at(rows, at.PLAYED, start) | cards[0] | cards[1] | cards[2] | cards[3]
        put_eight(rows, at.PLAYED, start, played)


@inline_kernel
def end_trick(rows, start, rules, trick, shifts, dials):
    """Give the trick to its winner, or to the pot; return its cards."""
    cards = four_at(rows, at.CARD + SEATS * trick, start)
    best, winner, best_of_all = play.judge(cards, shifts, rules, rules_by(dials).eligible != 0)
    if dials is not None:
        note(rows, start, best != best_of_all, CLAUSE.eligible)
    taken, pot = play.tricks_taken(best, eight_at(rows, at.POT, start))
    put_eight(rows, at.POT, start, pot & -rules_by(dials).pots)
    if dials is not None:
        pass_lead(rows, start, winner, best > 1, trick, dials)
    give_tricks(rows, start, winner, taken, trick)
    trump_wins = choose(play.is_won_by_trump(best, rules[2]), ONE_TRUMP_WIN, 0)
    add(rows, at.COUNTS, start, choose(best > 1, ONE_WIN, 0) + trump_wins)
    return cards


@inline_kernel
def give_tricks(rows, start, winner, taken, trick):
    """Give the tricks taken to the winners, and see who leads now."""
    place = LANE * winner
    counts = at.METRIC
    tally = play.Tally(
        eight_at(rows, at.LEADERS, start),
        eight_at(rows, at.MOST, start),
        eight_at(rows, counts.lead_changes, start),
        eight_at(rows, counts.last_lead_change, start),
        eight_at(rows, counts.largest_pot, start),
    )
    totals = eight_at(rows, at.TOTALS, start)
    tricks = eight_at(rows, counts.tricks, start) + (trick + 1)
    total = (totals >> place) & TOTAL
    tally, behind = play.tally_after(tally, total, winner, taken, tricks)
    put_eight(rows, at.TOTALS, start, totals + (taken << place))
    # Nobody has fallen back further since than just before a trick of one's own.
    deficits = largest_quarters(eight_at(rows, at.DEFICITS, start), behind << place)
    put_eight(rows, at.DEFICITS, start, deficits)
    put_eight(rows, at.LEADERS, start, tally.leaders)
    put_eight(rows, at.MOST, start, tally.most)
    put_eight(rows, counts.lead_changes, start, tally.lead_changes)
    put_eight(rows, counts.last_lead_change, start, tally.last_lead_change)
    put_eight(rows, counts.largest_pot, start, tally.largest_pot)


@inline_kernel
def note(rows, start, came, clause):
    """Note where a clause came into play."""
    put_eight(rows, at.CAME, start, eight_at(rows, at.CAME, start) | choose(came, clause, 0))


@inline_kernel
def pass_lead(rows, start, winner, is_won, trick, dials):
    """Let the next seats lead, as agreed."""
    clockwise = play.next_leader(eight_at(rows, at.LEADER, start), dials.players)
    leader = play.leader_after(clockwise, winner, is_won, dials.winner_leads != 0)
    put_eight(rows, at.LEADER, start, leader)
    if trick + 1 < dials.hand_size:
        note(rows, start, leader != clockwise, CLAUSE.winner_leads)
