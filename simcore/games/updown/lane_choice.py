"""UP & DOWN: how seats choose that play by specs, in the lanes of vector registers; see `lanes`.

For `dials` see `lane_dials`.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import bits_of
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import DECK, of_seat
from simcore.games.updown.choice import (
    NO_GAIN,
    able_values,
    best_chance,
    bet_if_enough,
    cancelling,
    card_to_play,
    change_by_count,
    change_for_best_card,
    enough_of,
    float_of,
    gain_of,
    is_better_change,
    kept_by_count,
    kept_for_best_card,
    opponents_of,
    others_of,
    price_of,
    rivals_of,
    surest_card,
    ways_of,
    worth_of_rolling,
    worth_of_value,
)
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_deal import first_below
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.moves import nth_change
from simcore.games.updown.play import next_leader
from simcore.games.updown.spec import (
    BETS,
    BETS_ANYWAY,
    BETTER,
    CANCELS,
    CANCELS_BEFORE_LEAD,
    COUNTS_BETTER,
    DODGES,
    ENOUGH,
    EQUAL,
    HOW,
    KEEN,
    LATE,
    PLAYS_BEST,
    POT,
)
from simcore.games.updown.table import CHANGES, ROLL, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import blend, lanes_from
from simcore.records import RANDOM

_SELDOM = CANCELS_BEFORE_LEAD | BETS_ANYWAY | PLAYS_BEST

NO_LEAD = -SEATS
"""By the distance from the first leader, who leads next after the last trick."""

_NO_GAIN_BITS = bits_of(NO_GAIN)


# ----------------------------------------------------------------------------- changes of the rules


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
        lead_for_best(work, column, leader, players, shifts)
        if rules_by(dials).keep >= 0:
            keep_for_best(work, column, leader, players, shifts)
    if at_random != 0:
        lead_at_random(work, column, leader, players, at_random, dials)
    if by_count != 0:
        better = floats_of(box, BETTER)
        lead_by_count(work, column, leader, players, shifts, by_count, better, dials)
    if by_chance != 0:
        keens = floats_of(box, KEEN)
        for index in range(rules_by(dials).changes):
            change = nth_change(index, rules_by(dials).keep)
            look_at_change(work, column, leader, players, shifts, by_chance, keens, change, dials)


@inline_kernel
def floats_of(box, word):
    """Return by seat a float of the specs."""
    seats = box.seats
    return (
        float_of(seats[0].spec[word]),
        float_of(seats[1].spec[word]),
        float_of(seats[2].spec[word]),
        float_of(seats[3].spec[word]),
    )


@inline_kernel
def leader_of(rows, lane, leader, players):
    """Return the seat that leads, by its distance from the first leader."""
    seat = rows[at.LEADER, lane] + leader
    return seat - (players if seat >= players else 0)


@inline_kernel
def hand_and_shift(rows, lane, seat, shifts):
    """Return what a seat holds, and its shift."""
    first, second = rows[at.HAND, lane], rows[at.HAND + 1, lane]
    hand = of_seat(seat, first, second, rows[at.HAND + 2, lane], rows[at.HAND + 3, lane])
    return hand, of_seat(seat, shifts[0], shifts[1], shifts[2], shifts[3])


@kernel
def lead_for_best(work, column, leader, players, shifts):
    """Choose the changes that make the best cards in the own colour as good as can be."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        hand, shift = hand_and_shift(rows, lane, leader_of(rows, lane, leader, players), shifts)
        turn = rows[at.TURN, lane]
        rows[at.MADE, lane] = change_for_best_card(hand, shift, turn, rows[at.FACE, lane])


@inline_kernel
def draw_change(rows, lane, leader, dials):
    """Return the change that a leader makes at random, of what was drawn for the round."""
    if dials is None:
        row = at.CHANGE + (leader & 3)
        index, fraction = draw(np.uint64(rows[row, lane]), CHANGES)
        rows[row, lane] = np.int64(fraction)
        return index
    seat = rows[at.LEADER, lane]
    drawn = np.int64(0)
    for other in range(SEATS):
        drawn |= rows[at.SEAT_CHANGE + other, lane] & -np.int64(seat == other)
    index, fraction = draw(np.uint64(drawn), rules_by(dials).changes)
    for other in range(SEATS):
        row = at.SEAT_CHANGE + other
        rows[row, lane] = blend(-np.int64(seat == other), np.int64(fraction), rows[row, lane])
    return nth_change(index, rules_by(dials).keep)


@kernel
def lead_at_random(work, column, leader, players, who, dials):
    """Draw the changes of the leaders that are in the mask `who`."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        change = draw_change(rows, lane, leader, dials)
        leads = (who >> leader_of(rows, lane, leader, players)) & 1 != 0
        rows[at.MADE, lane] = change if leads else rows[at.MADE, lane]


@kernel
def keep_for_best(work, column, leader, players, shifts):
    """Let the leaders keep the rules where that is better for the best cards."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        hand, shift = hand_and_shift(rows, lane, leader_of(rows, lane, leader, players), shifts)
        rules = rows[at.TURN, lane], rows[at.FACE, lane]
        rows[at.MADE, lane] = kept_for_best_card(
            rows[at.MADE, lane], hand, shift, rules[0], rules[1]
        )


@kernel
def lead_by_count(work, column, leader, players, shifts, who, better, dials):
    """Choose the changes of the leaders in `who` by rank and by what beats the best cards."""
    rows = work.rows
    better0, better1, better2, better3 = better
    for lane in lanes_from(column, LANES):
        seat = leader_of(rows, lane, leader, players)
        hand, shift = hand_and_shift(rows, lane, seat, shifts)
        less = of_seat(seat, better0, better1, better2, better3)
        unseen = DECK & ~(rows[at.PLAYED, lane] | hand)
        others = others_of(shifts, players, shift)
        turn, face = rows[at.TURN, lane], rows[at.FACE, lane]
        change = change_by_count(hand, shift, turn, face, unseen, others, less)
        if dials is not None:
            kept = kept_by_count(change, hand, shift, turn, face, unseen, others, less)
            change = kept if rules_by(dials).keep >= 0 else change
        leads = (who >> seat) & 1 != 0
        rows[at.MADE, lane] = change if leads else rows[at.MADE, lane]


@kernel
def look_at_change(work, column, leader, players, shifts, who, keens, change, dials):
    """Look what a change is worth to the leaders in `who`, by chance, and take the best so far."""
    rows = work.rows
    keen0, keen1, keen2, keen3 = keens
    for lane in lanes_from(column, LANES):
        seat = leader_of(rows, lane, leader, players)
        hand, shift = hand_and_shift(rows, lane, seat, shifts)
        keen = of_seat(seat, keen0, keen1, keen2, keen3)
        unseen = DECK & ~(rows[at.PLAYED, lane] | hand)
        here = ((1 << players) - 1) & ~(1 << seat)
        rules = rows[at.TURN, lane], rows[at.FACE, lane], rows[at.TRUMP, lane]
        rivals = np.int64(-1)
        if dials is not None:
            rivals = rivals_of(others_of(shifts, players, shift), rules_by(dials).eligible != 0)
        worth = best_chance(change, False, hand, shift, shifts, rules, unseen, rivals, keen, here)
        if change == ROLL:
            worth = worth_of_rolling(worth, hand, rules[2], players)
        best_worth = float_of(rows[at.WORTH, lane]) if change > 0 else NO_GAIN
        takes = ((who >> seat) & 1 != 0) & is_better_change(change, worth, best_worth)
        rows[at.MADE, lane] = change if takes else rows[at.MADE, lane]
        rows[at.WORTH, lane] = np.float64(worth if takes else best_worth).view(np.int64)


# -------------------------------------------------------------------------------------------- cards


@outer_kernel
def choose_card(work, column, leader, trick, seat, table, box, shifts, dials):
    """Let a seat choose its card in all lanes, as its spec says."""
    spec = box.seats[seat].spec
    how = ways_of(spec[HOW], rules_by(dials).eligible != 0)
    left = table.hand_size - trick
    players = table.players
    if how & BETS:
        keen = float_of(spec[KEEN])
        price = price_of(spec, left, table.hand_size)
        look_at_hand(work, column, seat, shifts)
        look_at_opponents(work, column, seat, shifts, keen, players)
        if rules_by(dials).eligible != 0:
            leave_rivals(work, column, seat, shifts, players)
        while has_able(work, column):
            look_at_bet(work, column, keen, price)
    elif how & DODGES:
        look_at_hand(work, column, seat, shifts)
        if rules_by(dials).eligible != 0:
            leave_rivals(work, column, seat, shifts, players)
        while has_able(work, column):
            look_at_value(work, column, seat, float_of(spec[EQUAL]))
    pot = spec[POT] if left > spec[LATE] else np.int64(0)
    if how & (BETS | _SELDOM):
        waits = (left > 1) & (rules_by(dials).pots != 0)
        next_lead = next_leader(leader, players) if waits else np.int64(NO_LEAD)
        more = how, float_of(spec[ENOUGH]), players, next_lead
        play_card(work, column, trick, seat, shifts, pot, more)
    elif how & CANCELS:
        play_card(work, column, trick, seat, shifts, pot, (players, 1))
    elif how & DODGES:
        play_card(work, column, trick, seat, shifts, pot, (1,))
    else:
        play_card(work, column, trick, seat, shifts, pot, ())


@kernel
def look_at_hand(work, column, seat, shifts):
    """Note what a seat that rates its values looks at."""
    rows = work.rows
    shift = of_seat(seat, shifts[0], shifts[1], shifts[2], shifts[3])
    hand_row = at.HAND + (seat & 3)
    for lane in lanes_from(column, LANES):
        hand = rows[hand_row, lane]
        rows[at.ABLE, lane] = able_values(hand, shift, rows[at.TURN, lane], rows[at.TRUMP, lane])
        rows[at.UNSEEN, lane] = DECK & ~(rows[at.PLAYED, lane] | hand)
        rows[at.BEST, lane] = 0
        rows[at.WORTH, lane] = _NO_GAIN_BITS


@kernel
def look_at_opponents(work, column, seat, shifts, keen, players):
    """Note what a seat that bets thinks of the others."""
    rows = work.rows
    here = ((1 << players) - 1) & ~(1 << seat)
    for lane in lanes_from(column, LANES):
        turn, trump_bit, unseen = rows[at.TURN, lane], rows[at.TRUMP, lane], rows[at.UNSEEN, lane]
        able, share = opponents_of(False, shifts, turn, trump_bit, unseen, keen, here)
        for other in range(SEATS):
            rows[at.RIVAL + other, lane] = able[other]
            rows[at.SHARE + other, lane] = np.float64(share[other]).view(np.int64)


@kernel
def leave_rivals(work, column, seat, shifts, players):
    """Leave of the unseen cards those that would cancel equal ones [H4]."""
    rows = work.rows
    shift = of_seat(seat, shifts[0], shifts[1], shifts[2], shifts[3])
    others = others_of(shifts, players, shift)
    for lane in lanes_from(column, LANES):
        turn, trump_bit = rows[at.TURN, lane], rows[at.TRUMP, lane]
        rows[at.UNSEEN, lane] = cancelling(rows[at.UNSEEN, lane], others, turn, trump_bit)


@kernel
def has_able(work, column):
    """Tell whether there is a value to look at in any lane."""
    rows = work.rows
    able = np.int64(0)
    for lane in range(LANES):
        able |= rows[at.ABLE, column + lane]
    return able != 0


@kernel
def look_at_bet(work, column, keen, price):
    """Look at the lowest value not yet looked at in all lanes, and bet on the best so far."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        able = rows[at.ABLE, lane]
        value_bit = able & -able
        rows[at.ABLE, lane] = able & (able - 1)
        r, s = at.RIVAL, at.SHARE
        rivals = rows[r, lane], rows[r + 1, lane], rows[r + 2, lane], rows[r + 3, lane]
        share0, share1 = float_of(rows[s, lane]), float_of(rows[s + 1, lane])
        share2, share3 = float_of(rows[s + 2, lane]), float_of(rows[s + 3, lane])
        opponents = rivals, (share0, share1, share2, share3)
        face, trump_bit, unseen = rows[at.FACE, lane], rows[at.TRUMP, lane], rows[at.UNSEEN, lane]
        stake = rows[at.POT, lane] + 1
        gain = gain_of(value_bit, False, face, trump_bit, unseen, stake, price, keen, opponents)
        best_gain = float_of(rows[at.WORTH, lane])
        takes = (value_bit != 0) & (gain > best_gain)
        rows[at.BEST, lane] = value_bit if takes else rows[at.BEST, lane]
        rows[at.WORTH, lane] = np.float64(gain if takes else best_gain).view(np.int64)


@kernel
def look_at_value(work, column, seat, equal):
    """Do the same for a seat that dodges; of equal ones its stream decides."""
    rows = work.rows
    row0, row1 = at.SEAT_WORD0 + (seat & 3), at.SEAT_WORD1 + (seat & 3)
    for lane in lanes_from(column, LANES):
        able = rows[at.ABLE, lane]
        value_bit = able & -able
        rows[at.ABLE, lane] = able & (able - 1)
        face, trump_bit, unseen = rows[at.FACE, lane], rows[at.TRUMP, lane], rows[at.UNSEEN, lane]
        worth = worth_of_value(value_bit, face, trump_bit, unseen, equal)
        best_worth = float_of(rows[at.WORTH, lane])
        ties = (value_bit != 0) & (worth == best_worth)
        word0, word1 = np.uint64(rows[row0, lane]), np.uint64(rows[row1, lane])
        word, next0, next1 = rng.step(word0, word1)
        coin, again = first_below(word, 2)
        rows[row0, lane] = np.int64(next0 if ties else word0)
        rows[row1, lane] = np.int64(next1 if ties else word1)
        rows[at.AGAIN, lane] |= np.int64(ties & again)
        takes = ((value_bit != 0) & (worth > best_worth)) | (ties & (coin == 0))
        rows[at.BEST, lane] = value_bit if takes else rows[at.BEST, lane]
        rows[at.WORTH, lane] = np.float64(worth if takes else best_worth).view(np.int64)


@kernel
def play_card(work, column, trick, seat, shifts, pot, more):
    """Let a seat play its card in all lanes.

    Parameters
    ----------
    pot : int
        From how many tricks in the pot on it does not save trumps.
    more : tuple
        Empty if the seat but looks for its best card; with one number if it has found its value;
        with two, the first for the players, if it looks for the best card and cancels always. Or
        words of its spec, players, and who leads next by the distance from the first leader.
    """
    rows = work.rows
    hand_row = at.HAND + (seat & 3)
    shift = of_seat(seat, shifts[0], shifts[1], shifts[2], shifts[3])
    for lane in lanes_from(column, LANES):
        hand = rows[hand_row, lane]
        rules = rows[at.TURN, lane], rows[at.FACE, lane], rows[at.TRUMP, lane]
        turn, face, trump_bit = rules
        able = able_values(hand, shift, turn, trump_bit)
        first = surest_card(able, face, trump_bit, rows[at.POT, lane] < pot)
        unseen = DECK & ~(rows[at.PLAYED, lane] | hand)
        bet = rows[at.BEST, lane], float_of(rows[at.WORTH, lane])
        how, others, lead = 0, np.int64(0), False
        if len(more) == 1:
            first = bet[0]
        elif len(more) == 2:
            how = CANCELS
            others = others_of(shifts, more[0], shift)
        elif len(more) > 2:
            how, enough, players, next_lead = more
            others = others_of(shifts, players, shift)
            lead = leader_of(rows, lane, next_lead, players) == seat
            bets = bet_if_enough(
                bet[0], bet[1], enough_of(how, enough, rows[at.POT, lane] + 1, lead)
            )
            first = bets if how & BETS != 0 else (bet[0] if how & DODGES != 0 else first)
        card = card_to_play(False, how, first, bet, hand, shift, rules, unseen, others, lead)
        rows[at.CARD + SEATS * (trick & at.TRICKS_MASK) + (seat & 3), lane] = card
        rows[hand_row, lane] = hand ^ card
