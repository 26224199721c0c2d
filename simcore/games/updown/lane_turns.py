"""UP & DOWN: the tricks of random play, in the lanes of vector registers; see `lanes`.

Does what `random_play.play_random_match` does. Each loop over `LANES` is compiled to vector
instructions: everything in it is arithmetic on numbers and truth values; a branch would end the
vectors.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.updown.cards import DOWN, best_value, of_value
from simcore.games.updown.draws import draw
from simcore.games.updown.lane_deal import FIELD
from simcore.games.updown.lane_rows import (
    ABORTED,
    AGAIN,
    CARD,
    CHANGE,
    DEFICITS,
    FACE,
    FLIPS,
    LARGEST,
    LAST_CHANGE,
    LEAD_CHANGES,
    LEADERS,
    LOST,
    METRIC,
    MOST,
    OVER,
    POT,
    POTS,
    ROLLS,
    ROUND,
    SCORE,
    THROWS,
    TOTALS,
    TRUMP,
    TRUMP_WINS,
    TURN,
    WINNERS,
)
from simcore.games.updown.play import is_lead_change, leaders_after, seat_of, turn_after
from simcore.games.updown.score import all_seats
from simcore.games.updown import table as updown
from simcore.games.updown.table import CHANGES, FLIP, FURTHER_ROUNDS, ROLL, SEATS
from simcore.jit import kernel
from simcore.lanes import LANES, LINE
from simcore.records import FROM_END

LANE = 16
TOTAL = (1 << LANE) - 1
"""Totals of all seats are kept in one word: at most 1050 rounds of 15 tricks."""

EACH_FIELD = sum(1 << place for place in range(0, 60, FIELD))


@kernel
def play_trick(work, column, leader, hand_size, trick, shifts):
    """Play a trick in all lanes, the first of a round being number 0.

    `leader` counts from the first leader of the round.
    """
    rows = work[0].rows
    change_row = CHANGE + (leader & 3)
    cards = CARD + SEATS * (trick & 15)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        change, fraction = draw(np.uint64(rows[change_row, lane]), CHANGES)
        rows[change_row, lane] = np.int64(fraction)
        turn = turn_after(rows[TURN, lane], change)
        rows[TURN, lane] = turn
        flips = np.int64(change == FLIP)
        rows[FLIPS, lane] += flips
        face = rows[FACE, lane] ^ (DOWN * flips)
        rows[FACE, lane] = face
        rolls = change == ROLL
        rows[ROLLS, lane] += np.int64(rolls)

        # The first throw that differs from the trump.
        trump_bit = rows[TRUMP, lane]
        throws = rows[THROWS, lane]
        unlike = throws ^ (popcount(trump_bit - 1) * EACH_FIELD)
        place = popcount(~unlike & (unlike - 1)) & -FIELD
        rest = throws >> place
        new_trump = rest & ((1 << FIELD) - 1)
        rows[AGAIN, lane] |= np.int64(rolls & (new_trump == 0))
        rows[THROWS, lane] = rest >> FIELD if rolls else throws
        trump_bit = np.int64(1) << new_trump if rolls else trump_bit
        rows[TRUMP, lane] = trump_bit

        trick_cards = (
            rows[cards, lane],
            rows[cards + 1, lane],
            rows[cards + 2, lane],
            rows[cards + 3, lane],
        )
        best = best_value(trick_cards, shifts, turn, face, trump_bit)
        place = LANE * seat_of(trick_cards, of_value(best))
        won = np.int64(best > 1)
        pot = rows[POT, lane] + 1
        taken = pot * won
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
        leaders = leaders_after(before, most, place >> 4, total)
        rows[LEADERS, lane] = leaders
        rows[MOST, lane] = max(most, total)
        rows[LEAD_CHANGES, lane] += is_lead_change(before, leaders)
        number = (rows[ROUND, lane] - 1) * hand_size + trick + 1
        last = rows[LAST_CHANGE, lane]
        rows[LAST_CHANGE, lane] = number if before != leaders else last
        rows[POTS, lane] += 1 - won
        rows[LARGEST, lane] = max(rows[LARGEST, lane], taken - 1)
        rows[TRUMP_WINS, lane] += np.int64(best == trump_bit)


@kernel
def end_rounds(work, column, table):
    """End a round in all lanes, and note what matches that end now would have as a result."""
    rows = work[0].rows
    players = table.players
    hand_size = table.hand_size
    rounds = table.rounds
    most_rounds = rounds + (FURTHER_ROUNDS if table.tie_round else 0)
    always = updown.ADJACENT_CLAUSE if table.adjacent else 0
    always += updown.FURTHER_ROUNDS_CLAUSE if rounds > 1 else 0
    tie_round = np.int64(table.tie_round != 0)
    for offset in range(LANES):
        lane = (column & (LINE - 1)) + offset
        lost = rows[LOST, lane] + rows[POT, lane]
        rows[LOST, lane] = lost
        leaders = rows[LEADERS, lane]
        winners = leaders if leaders != 0 else all_seats(players)
        tied = winners & (winners - 1) != 0
        number = rows[ROUND, lane]
        goes_on = (number < rounds) | (tied & (number < most_rounds))
        rows[OVER, lane] = np.int64(not goes_on)
        rows[WINNERS, lane] = winners
        rows[ABORTED, lane] = tie_round & np.int64(tied)
        comeback = np.int64(0)
        for seat in range(SEATS):
            rows[SCORE + seat, lane] = (rows[TOTALS, lane] >> (LANE * seat)) & TOTAL
            deficit = (rows[DEFICITS, lane] >> (LANE * seat)) & TOTAL
            comeback = max(comeback, deficit if (winners >> seat) & 1 != 0 else 0)
        tricks = number * hand_size
        flips = rows[FLIPS, lane]
        rolls = rows[ROLLS, lane]
        clauses = always + (updown.TIE_ROUND_CLAUSE if number > rounds else 0)
        forced = number * players
        rows[METRIC + updown.ROUNDS, lane] = number
        rows[METRIC + updown.TRICKS, lane] = tricks
        rows[METRIC + updown.POTS, lane] = rows[POTS, lane]
        rows[METRIC + updown.LOST_TRICKS, lane] = lost
        rows[METRIC + updown.LARGEST_POT, lane] = rows[LARGEST, lane]
        rows[METRIC + updown.FLIPS, lane] = flips
        rows[METRIC + updown.ROTATIONS, lane] = tricks - flips - rolls
        rows[METRIC + updown.ROLLS, lane] = rolls
        rows[METRIC + updown.TRUMP_WINS, lane] = rows[TRUMP_WINS, lane]
        rows[METRIC + updown.LEAD_CHANGES, lane] = rows[LEAD_CHANGES, lane]
        rows[METRIC + updown.CLAUSES, lane] = clauses
        rows[METRIC + updown.DECISIONS, lane] = tricks + players * tricks - forced
        rows[METRIC + updown.FORCED, lane] = forced
        rows[METRIC + COMEBACK, lane] = comeback
        rows[METRIC + LAST_LEAD_CHANGE, lane] = rows[LAST_CHANGE, lane]


COMEBACK = updown.METRIC_INDEX["comeback"]
LAST_LEAD_CHANGE = updown.METRIC_INDEX["last_lead_change"]
