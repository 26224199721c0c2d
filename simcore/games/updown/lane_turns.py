"""UP & DOWN: tricks in the lanes of vector registers, at random or by specs; see `lanes`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import bits_of
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import DECK, LANE, of_seat
from simcore.games.updown.choice import (
    NO_GAIN,
    able_values,
    best_chance,
    bet_if_enough,
    card_to_play,
    change_by_count,
    change_for_best_card,
    enough_of,
    float_of,
    gain_of,
    is_better_change,
    opponents_of,
    others_of,
    price_of,
    surest_card,
    worth_of_rolling,
    worth_of_value,
)
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_deal import first_below
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import (
    face_after,
    is_lead_change,
    leaders_after,
    next_leader,
    next_trump,
    tricks_taken,
    turn_after,
    winner_of,
)
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
from simcore.games.updown.table import CHANGES, FLIP, ROLL, SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import LINE
from simcore.records import RANDOM

TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 15 tricks. So are counts:"""

ONE_FLIP, ONE_ROLL, ONE_WIN, ONE_TRUMP_WIN = (1 << (LANE * i) for i in range(4))

_SELDOM = CANCELS_BEFORE_LEAD | BETS_ANYWAY | PLAYS_BEST

NO_LEAD = -SEATS
"""By the distance from the first leader, who leads next after the last trick."""

_NO_GAIN_BITS = bits_of(NO_GAIN)


# ------------------------------------------------------------------------------------------- tricks


@kernel
def play_trick(work, column, leader, trick, shifts):
    """Play a trick at random in all lanes, the first of a round being number 0.

    `leader` counts from the first leader of the round.
    """
    rows = work.rows
    change_row = at.CHANGE + (leader & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change, fraction = draw(np.uint64(rows[change_row, lane]), CHANGES)
        rows[change_row, lane] = np.int64(fraction)
        rules = change_rules(rows, lane, change)
        end_trick(rows, lane, rules, trick, shifts)


@outer_kernel
def play_trick_by_specs(work, column, leader, trick, table, box):
    """Play a trick in all lanes, some seats at random, the others by their specs."""
    players = table.players
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    choose_changes(work, column, leader, table, box, shifts)
    change_all(work, column)
    for seat in range(players):
        if box.policies[seat] != RANDOM:
            choose_card(work, column, leader, trick, seat, table, box, shifts)
    finish_trick(work, column, trick, shifts)


@inline_kernel
def change_rules(rows, lane, change):
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
    throws = rows[at.THROWS, lane] >> rows[at.USED, lane]
    rows[at.THROWS, lane] = throws
    trump_bit, used = next_trump(throws, rows[at.TRUMP, lane])
    rows[at.USED, lane] = used if rolls else 0
    trump_bit = trump_bit if rolls else rows[at.TRUMP, lane]
    rows[at.TRUMP, lane] = trump_bit
    return turn, face, trump_bit


@kernel
def change_all(work, column):
    """Change the rules as the leaders chose."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change_rules(rows, lane, rows[at.MADE, lane])


@kernel
def finish_trick(work, column, trick, shifts):
    """Reveal the cards and give the trick to its winner in all lanes."""
    rows = work.rows
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rules = rows[at.TURN, lane], rows[at.FACE, lane], rows[at.TRUMP, lane]
        cards = end_trick(rows, lane, rules, trick, shifts)
        rows[at.PLAYED, lane] |= cards[0] | cards[1] | cards[2] | cards[3]


@inline_kernel
def end_trick(rows, lane, rules, trick, shifts):
    """Give the trick to its winner, or to the pot; return its cards."""
    turn, face, trump_bit = rules
    card = at.CARD + SEATS * (trick & 15)
    cards = rows[card, lane], rows[card + 1, lane], rows[card + 2, lane], rows[card + 3, lane]
    winner, best = winner_of(cards, shifts, turn, face, trump_bit)
    taken, rows[at.POT, lane] = tricks_taken(best, rows[at.POT, lane])
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
    rows[at.LEAD_CHANGES, lane] += is_lead_change(before, leaders)
    now = rows[at.TRICKS, lane] + (trick + 1) if before != leaders else 0
    rows[at.LAST_CHANGE, lane] = max(rows[at.LAST_CHANGE, lane], now)
    rows[at.LARGEST, lane] = max(rows[at.LARGEST, lane], taken - 1)
    counts = rows[at.COUNTS, lane]
    counts += ONE_WIN if best > 1 else 0
    counts += ONE_TRUMP_WIN if best == trump_bit else 0
    rows[at.COUNTS, lane] = counts
    return cards


# ----------------------------------------------------------------------------- changes of the rules


@outer_kernel
def choose_changes(work, column, leader, table, box, shifts):
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
    if at_random != 0:
        lead_at_random(work, column, leader, players, at_random)
    if by_count != 0:
        lead_by_count(work, column, leader, players, shifts, by_count, floats_of(box, BETTER))
    if by_chance != 0:
        keens = floats_of(box, KEEN)
        for change in range(CHANGES):
            look_at_change(work, column, leader, players, shifts, by_chance, keens, change)


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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        hand, shift = hand_and_shift(rows, lane, leader_of(rows, lane, leader, players), shifts)
        turn = rows[at.TURN, lane]
        rows[at.MADE, lane] = change_for_best_card(hand, shift, turn, rows[at.FACE, lane])


@kernel
def lead_at_random(work, column, leader, players, who):
    """Draw the changes of the leaders that are in the mask `who`."""
    rows = work.rows
    row = at.CHANGE + (leader & 3)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change, fraction = draw(np.uint64(rows[row, lane]), CHANGES)
        rows[row, lane] = np.int64(fraction)
        leads = (who >> leader_of(rows, lane, leader, players)) & 1 != 0
        rows[at.MADE, lane] = change if leads else rows[at.MADE, lane]


@kernel
def lead_by_count(work, column, leader, players, shifts, who, better):
    """Choose the changes of the leaders in `who` by rank and by what beats the best cards."""
    rows = work.rows
    better0, better1, better2, better3 = better
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        seat = leader_of(rows, lane, leader, players)
        hand, shift = hand_and_shift(rows, lane, seat, shifts)
        less = of_seat(seat, better0, better1, better2, better3)
        unseen = DECK & ~(rows[at.PLAYED, lane] | hand)
        others = others_of(shifts, players, shift)
        rules = rows[at.TURN, lane], rows[at.FACE, lane]
        change = change_by_count(hand, shift, rules[0], rules[1], unseen, others, less)
        leads = (who >> seat) & 1 != 0
        rows[at.MADE, lane] = change if leads else rows[at.MADE, lane]


@kernel
def look_at_change(work, column, leader, players, shifts, who, keens, change):
    """Look what a change is worth to the leaders in `who`, by chance, and take the best so far."""
    rows = work.rows
    keen0, keen1, keen2, keen3 = keens
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        seat = leader_of(rows, lane, leader, players)
        hand, shift = hand_and_shift(rows, lane, seat, shifts)
        keen = of_seat(seat, keen0, keen1, keen2, keen3)
        unseen = DECK & ~(rows[at.PLAYED, lane] | hand)
        here = ((1 << players) - 1) & ~(1 << seat)
        rules = rows[at.TURN, lane], rows[at.FACE, lane], rows[at.TRUMP, lane]
        worth = best_chance(change, False, hand, shift, shifts, rules, unseen, keen, here)
        if change == ROLL:
            worth = worth_of_rolling(worth, hand, rules[2], players)
        best_worth = float_of(rows[at.WORTH, lane]) if change > 0 else NO_GAIN
        takes = ((who >> seat) & 1 != 0) & is_better_change(change, worth, best_worth)
        rows[at.MADE, lane] = change if takes else rows[at.MADE, lane]
        rows[at.WORTH, lane] = np.float64(worth if takes else best_worth).view(np.int64)


# -------------------------------------------------------------------------------------------- cards


@outer_kernel
def choose_card(work, column, leader, trick, seat, table, box, shifts):
    """Let a seat choose its card in all lanes, as its spec says."""
    spec = box.seats[seat].spec
    how = spec[HOW]
    left = table.hand_size - trick
    players = table.players
    if how & BETS:
        keen = float_of(spec[KEEN])
        price = price_of(spec, left, table.hand_size)
        look_at_hand(work, column, seat, shifts)
        look_at_opponents(work, column, seat, shifts, keen, players)
        while has_able(work, column):
            look_at_bet(work, column, keen, price)
    elif how & DODGES:
        look_at_hand(work, column, seat, shifts)
        while has_able(work, column):
            look_at_value(work, column, seat, float_of(spec[EQUAL]))
    pot = spec[POT] if left > spec[LATE] else np.int64(0)
    if how & (BETS | _SELDOM):
        next_lead = next_leader(leader, players) if left > 1 else np.int64(NO_LEAD)
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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        turn, trump_bit, unseen = rows[at.TURN, lane], rows[at.TRUMP, lane], rows[at.UNSEEN, lane]
        able, share = opponents_of(False, shifts, turn, trump_bit, unseen, keen, here)
        for other in range(SEATS):
            rows[at.RIVAL + other, lane] = able[other]
            rows[at.SHARE + other, lane] = np.float64(share[other]).view(np.int64)


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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
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
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
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
        rows[at.CARD + SEATS * (trick & 15) + (seat & 3), lane] = card
        rows[hand_row, lane] = hand ^ card
