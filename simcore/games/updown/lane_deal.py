"""UP & DOWN: the start of a round in the lanes of vector registers; see `lanes`."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import of_seat
from simcore.games.updown.deal import deal_hands, sum_of_dice, toss
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import FIELD, NO_TRUMP
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.lanes import lanes_from
from simcore.vectors import LANES as EIGHT
from simcore.vectors import eight_at, put_eight

MOST_THROWS = 15
"""As many throws as one word has room for. With fewer tricks fewer will do as well."""

THROWS = 3
"""So many are made at a time."""

FIRST_SEAT = 2
"""The number of the stream of seat 0; those below are of the purposes with these numbers."""
assert (rng.DEAL, rng.CHANCE) == (0, 1)

_FIELD = (1 << FIELD) - 1
_UPPER_HALF = np.uint64(32)


@outer_kernel
def open_rounds(work, column, table, dials):
    """Begin a round in all lanes: toss the U&D card, deal, throw the dice."""
    open_stream(work, column, rng.DEAL, np.int64(0))
    toss_all(work, column, table.players)
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    deal_all(work, column, table.players, table.hand_size, shifts)
    if rules_by(dials).dice != 0:
        open_stream(work, column, rng.CHANCE, np.int64(0))
        for first in range(0, min(MOST_THROWS, table.hand_size + 2), THROWS):
            throw_dice(work, column, FIELD * first)
    else:
        leave_dice(work, column)


@inline_kernel
@wrapping
def first_below(word, bound):
    """Return the number that `rng.below` makes of a word, and whether it might draw again."""
    product = (word >> _UPPER_HALF) * np.uint64(bound)
    return np.int64(product >> _UPPER_HALF), (product & rng.HALF) < np.uint64(bound)


@kernel
def mix_rounds(work, column, seed, players):
    """Note of all streams what is the same in all matches of a round."""
    rows = work.rows
    for stream in range(FIRST_SEAT + players):
        of_seat = rng.FIRST_SEAT_STREAM + stream - FIRST_SEAT
        purpose = of_seat if stream >= FIRST_SEAT else stream
        for lane in lanes_from(column, LANES):
            word, mixed = rng.round_words(seed, rows[at.ROUND, lane], purpose)
            rows[at.ROUND_WORD + (stream & at.STREAMS_MASK), lane] = np.int64(word)
            rows[at.ROUND_MIXED + (stream & at.STREAMS_MASK), lane] = np.int64(mixed)


@kernel
def open_stream(work, column, stream, seat):
    """Open the streams with a number (`mix_rounds`); they stand where those of a seat do."""
    rows = work.rows
    number = stream & at.STREAMS_MASK
    for lane in lanes_from(column, LANES):
        word = np.uint64(rows[at.ROUND_WORD + number, lane])
        of_round = word, np.uint64(rows[at.ROUND_MIXED + number, lane])
        word0, word1 = rng.start_in(of_round, np.uint64(rows[at.KEY, lane]))
        rows[at.SEAT_WORD0 + (seat & 3), lane] = np.int64(word0)
        rows[at.SEAT_WORD1 + (seat & 3), lane] = np.int64(word1)


@kernel
def toss_all(work, column, players):
    """Toss the U&D card."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        word0 = np.uint64(rows[at.SEAT_WORD0, lane])
        word1 = np.uint64(rows[at.SEAT_WORD1, lane])
        word, word0, word1 = rng.step(word0, word1)
        side, again = first_below(word, 2 * players)
        rows[at.FACE, lane], leader = toss(side)
        rows[at.LEADER, lane] = leader
        rows[at.FIRST_SEAT, lane] = (
            leader if rows[at.ROUND, lane] == 1 else rows[at.FIRST_SEAT, lane]
        )
        rows[at.AGAIN, lane] |= np.int64(again)
        rows[at.SEAT_WORD0, lane] = np.int64(word0)
        rows[at.SEAT_WORD1, lane] = np.int64(word1)


@kernel
def deal_all(work, column, players, hand_size, shifts):
    """Give everybody a hand, as a card set, and set the turn."""
    rows = work.rows
    for start in range(column, column + LANES, EIGHT):
        words = eight_at(rows, at.SEAT_WORD0, start), eight_at(rows, at.SEAT_WORD1, start)
        hands = deal_hands(players, hand_size, words)
        put_eight(rows, at.HAND, start, hands[0])
        put_eight(rows, at.HAND + 1, start, hands[1])
        put_eight(rows, at.HAND + 2, start, hands[2])
        put_eight(rows, at.HAND + 3, start, hands[3])
        leader = eight_at(rows, at.LEADER, start)
        turn = of_seat(leader, shifts[0], shifts[1], shifts[2], shifts[3])
        put_eight(rows, at.TURN, start, turn)
        put_eight(rows, at.PLAYED, start, 0)


@kernel
def throw_dice(work, column, place):
    """Throw the dice `THROWS` times; the throws stand in `THROWS` from a bit on."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        word0 = np.uint64(rows[at.SEAT_WORD0, lane])
        word1 = np.uint64(rows[at.SEAT_WORD1, lane])
        again = False
        throws = np.int64(0)
        for i in range(THROWS):
            word, word0, word1 = rng.step(word0, word1)
            throw, rejected = first_below(word, 36)
            again |= rejected
            throws |= sum_of_dice(throw) << (FIELD * i)
        rows[at.SEAT_WORD0, lane] = np.int64(word0)
        rows[at.SEAT_WORD1, lane] = np.int64(word1)
        throws = throws << place | (rows[at.THROWS, lane] if place > 0 else 0)
        rows[at.THROWS, lane] = throws
        rows[at.TRUMP, lane] = np.int64(1) << (throws & _FIELD)
        rows[at.USED, lane] = FIELD
        rows[at.AGAIN, lane] |= np.int64(again)


@kernel
def leave_dice(work, column):
    """Throw no dice: nothing is trump [H2]."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        rows[at.THROWS, lane] = 0
        rows[at.TRUMP, lane] = NO_TRUMP
        rows[at.USED, lane] = 0
