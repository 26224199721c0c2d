"""UP & DOWN: the tricks of random play, in the lanes of vector registers; see `lanes`.

Does what `random_play.play_random_match` does. Each loop over `LANES` is compiled to vector
instructions: everything in it is arithmetic on numbers and truth values; a branch would end the
vectors.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.updown import table as updown
from simcore.games.updown.cards import (
    DOWN,
    LANE,
    PLACES,
    VALUES,
    best_of,
    lone_values,
    of_value,
)
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_deal import FIELD
from simcore.games.updown.lane_rows import (
    ABORTED,
    AGAIN,
    CARD,
    CHANGE,
    CLAUSES,
    COMEBACK,
    COUNTS,
    DECISIONS,
    DEFICITS,
    FACE,
    FLIPS,
    FORCED,
    LANES,
    LARGEST,
    LAST_CHANGE,
    LEAD_CHANGES,
    LEADERS,
    LOST,
    MATCH,
    MOST,
    OVER,
    POT,
    POTS,
    ROLLS,
    ROTATIONS,
    ROUND,
    ROUNDS,
    SCORE,
    STRAYS,
    THROWS,
    TOTALS,
    TRICKS,
    TRUMP,
    TRUMP_WINS,
    TURN,
    USED,
    WINNERS,
)
from simcore.games.updown.play import seat_of, turn_after
from simcore.games.updown.table import CHANGES, FLIP, FURTHER_ROUNDS, ROLL, SEATS
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LINE
from simcore.match import all_seats

TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 15 tricks. So are counts:"""

ONE_FLIP, ONE_ROLL, ONE_WIN, ONE_TRUMP_WIN = (1 << (LANE * i) for i in range(4))

NO_TRUMP = 1
"""The trump, as a bit, when the throws of a round did not suffice."""

EACH_FIELD = sum(1 << place for place in range(0, 60, FIELD))
_FIELD = (1 << FIELD) - 1
_PLACE = 60


@inline_kernel
def rotate_right(cards, places):
    """Return a card set rotated by any number of places."""
    word = np.uint64(cards)
    left = word << np.uint64(-places & PLACES)
    return np.int64(left | (word >> np.uint64(places & PLACES)))


@inline_kernel
def change_rules(rows, lane, change):
    """Change the rules; return turn, face, and the trump as a bit."""
    turn = turn_after(rows[TURN, lane], change)
    rows[TURN, lane] = turn
    flips = change == FLIP
    face = rows[FACE, lane] ^ (DOWN * np.int64(flips))
    rows[FACE, lane] = face
    rolls = change == ROLL
    counts = rows[COUNTS, lane]
    counts += ONE_FLIP if flips else 0
    counts += ONE_ROLL if rolls else 0
    rows[COUNTS, lane] = counts

    # The first throw that differs from the trump.
    trump_bit = rows[TRUMP, lane]
    throws = rows[THROWS, lane] >> rows[USED, lane]
    rows[THROWS, lane] = throws
    unlike = throws ^ (popcount(trump_bit - 1) * EACH_FIELD)
    place = popcount(~unlike & (unlike - 1)) & _PLACE
    throw = (throws >> place) & _FIELD
    rows[USED, lane] = place + FIELD if rolls else 0
    trump_bit = np.int64(1) << throw if rolls else trump_bit
    rows[TRUMP, lane] = trump_bit
    return turn, face, trump_bit


@kernel
def play_trick(work, column, leader, trick, shifts):
    """Play a trick at random in all lanes, the first of a round being number 0.

    `leader` counts from the first leader of the round.
    """
    rows = work.rows
    change_row = CHANGE + (leader & 3)
    cards = CARD + SEATS * (trick & 15)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change, fraction = draw(np.uint64(rows[change_row, lane]), CHANGES)
        rows[change_row, lane] = np.int64(fraction)
        rules = change_rules(rows, lane, change)
        end_trick(rows, lane, cards, rules, trick, shifts)


@inline_kernel
def end_trick(rows, lane, cards, rules, trick, shifts):
    """Give the trick to its winner, or to the pot; its cards stand from the row `cards` on."""
    turn, face, trump_bit = rules
    card0 = rows[cards, lane]
    card1 = rows[cards + 1, lane]
    card2 = rows[cards + 2, lane]
    card3 = rows[cards + 3, lane]
    # As in `cards.best_value`.
    own = rotate_right(card0, shifts[0]) | rotate_right(card1, shifts[1])
    own |= rotate_right(card2, shifts[2]) | rotate_right(card3, shifts[3])
    able = (rotate_right(own, -turn) & VALUES) | trump_bit
    best = best_of(able & lone_values(card0 | card1 | card2 | card3), face, trump_bit)
    place = LANE * seat_of((card0, card1, card2, card3), of_value(best))
    wins = best > 1
    pot = rows[POT, lane] + 1
    taken = pot if wins else 0
    rows[POT, lane] = pot - taken
    totals = rows[TOTALS, lane] + (taken << place)
    rows[TOTALS, lane] = totals
    total = (totals >> place) & TOTAL
    before = rows[LEADERS, lane]
    most = rows[MOST, lane]
    # Nobody has fallen back further since than just before a trick of one's own.
    deficits = rows[DEFICITS, lane]
    deficit = (deficits >> place) & TOTAL
    behind = most - total + taken if before != 0 else 0
    rows[DEFICITS, lane] = deficits + ((max(behind, deficit) - deficit) << place)
    alone = np.int64(1) << (place >> 4)
    leaders = (before if total <= most else 0) | (alone if total >= most else 0)
    rows[LEADERS, lane] = leaders
    rows[MOST, lane] = max(most, total)
    changed = before != leaders
    rows[LEAD_CHANGES, lane] += np.int64(changed & (before != 0))
    now = rows[TRICKS, lane] + (trick + 1) if changed else 0
    rows[LAST_CHANGE, lane] = max(rows[LAST_CHANGE, lane], now)
    rows[LARGEST, lane] = max(rows[LARGEST, lane], taken - 1)
    counts = rows[COUNTS, lane]
    counts += ONE_WIN if wins else 0
    counts += ONE_TRUMP_WIN if best == trump_bit else 0
    rows[COUNTS, lane] = counts


@kernel
def end_rounds(work, column, first, table):
    """End a round in all lanes, and note what matches that end now would have as a result.

    `first` is the match of the first lane.
    """
    rows = work.rows
    players = table.players
    hand_size = table.hand_size
    rounds = table.rounds
    most_rounds = rounds + (FURTHER_ROUNDS if table.tie_round else 0)
    always = updown.ADJACENT_CLAUSE if table.adjacent else 0
    always += updown.FURTHER_ROUNDS_CLAUSE if rounds > 1 else 0
    tie_round = np.int64(table.tie_round != 0)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        rows[LOST, lane] += rows[POT, lane]
        leaders = rows[LEADERS, lane]
        winners = leaders if leaders != 0 else all_seats(players)
        tied = winners & (winners - 1) != 0
        number = rows[ROUND, lane]
        goes_on = (number < rounds) | (tied & (number < most_rounds))
        rows[OVER, lane] = np.int64(not goes_on)
        rows[STRAYS, lane] = np.int64(goes_on) | (rows[MATCH, lane] ^ (first + offset))
        rows[WINNERS, lane] = winners
        rows[ABORTED, lane] = tie_round & np.int64(tied)
        rows[AGAIN, lane] |= np.int64(rows[TRUMP, lane] == NO_TRUMP)
        totals = rows[TOTALS, lane]
        deficits = rows[DEFICITS, lane]
        comeback = np.int64(0)
        for seat in range(SEATS):
            rows[SCORE + seat, lane] = (totals >> (LANE * seat)) & TOTAL
            deficit = (deficits >> (LANE * seat)) & TOTAL
            comeback = max(comeback, deficit & -((winners >> seat) & 1))
        rows[COMEBACK, lane] = comeback
        rows[ROUNDS, lane] = number
        tricks = rows[TRICKS, lane] + hand_size
        rows[TRICKS, lane] = tricks
        counts = rows[COUNTS, lane]
        flips = counts & TOTAL
        rolls = (counts >> LANE) & TOTAL
        rows[FLIPS, lane] = flips
        rows[ROLLS, lane] = rolls
        rows[ROTATIONS, lane] = tricks - flips - rolls
        rows[POTS, lane] = tricks - ((counts >> (2 * LANE)) & TOTAL)
        rows[TRUMP_WINS, lane] = counts >> (3 * LANE)
        rows[CLAUSES, lane] = always + (updown.TIE_ROUND_CLAUSE if number > rounds else 0)
        forced = number * players
        rows[DECISIONS, lane] = tricks + players * tricks - forced
        rows[FORCED, lane] = forced
