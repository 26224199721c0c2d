"""Up: counting what is left, credits, totals and who leads."""

from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, KINDS, MINUS_TWO, field_of
from simcore.jit import kernel
from simcore.match import note_comeback, note_leaders
from simcore.records import MATCH_OVER

MINUS_TWO_POINTS = 20
CLEAR_POINTS = 50
DIRTY_POINTS = 30
POINT_BITS = 6
CREDIT = 10
BLIND_MINUS_TWO_CREDIT = 80


def card_points(kind: int, double: int, dirty: int, scoring: int) -> int:
    """Return what a card left over counts [R26] [R30] [R32] [R33]."""
    if scoring == up.SCORE_CARDS:
        return 1
    if kind == CLEAR:
        return CLEAR_POINTS
    if kind == MINUS_TWO:
        return 2 if double else MINUS_TWO_POINTS
    if kind == 1 and dirty:
        return DIRTY_POINTS
    return kind


def _cards_by_bit(double: int, dirty: int, scoring: int) -> list[int]:
    return [
        sum(
            15 << 4 * kind
            for kind in range(KINDS)
            if card_points(kind, double, dirty, scoring) >> bit & 1
        )
        for bit in range(POINT_BITS)
    ]


CARDS_BY_BIT = np.array(
    [
        [[_cards_by_bit(double, dirty, scoring) for scoring in range(2)] for dirty in range(2)]
        for double in range(2)
    ],
    dtype=np.int64,
)
"""By double two, dirty one, scoring and binary digit: the cards whose points have this digit."""


@kernel
def count_points(table, box, index):
    """Return the points of all cards a seat has left, hidden ones included [R26].

    Notes the clauses that counted.
    """
    points = 0
    double = np.uint32(table.double)
    digits = CARDS_BY_BIT[double, np.uint32(table.dirty), np.uint32(table.scoring)]
    for word in range(len(table.tower)):
        cards = box.seats[index].hand[word] | table.open_cards[index, word]
        for i in range(up.HIDDEN_CARDS):
            card = np.int64(box.hidden[index, i])
            counts = (i < table.hidden_cards[index]) & (card >> 6 == word)
            cards |= np.int64(counts) << (card & 63)
        for bit in range(POINT_BITS):
            points += popcount(cards & digits[bit]) << bit
        if table.dirty and table.scoring == up.SCORE_POINTS and cards & field_of(1, 0):
            table.metrics[up.CLAUSES] |= up.DIRTY_CLAUSE
        # Nobody can predict whether one is left, so this is no branch.
        is_left = (cards & field_of(MINUS_TWO, double)) != 0
        table.metrics[up.CLAUSES] |= np.int64(is_left) * up.MINUS_TWO_CLAUSE
    return points


@kernel
def score_round(table, box):
    """Book the round just ended [C43] and see whether the match is over [R29] [R31] [C34] [C35]."""
    table.metrics[up.ROUNDS] += 1
    for seat in range(table.players):
        if table.cards[seat] == 0:
            book_first_out(table, seat)
        elif table.scoring != up.SCORE_MATCHES:
            table.scores[seat] += count_points(table, box, seat)
    note_leaders(table, table.scoring != up.SCORE_MATCHES, up.LEAD_CHANGES)  # [R28] [R29] [C52]
    over_limit = table.points_limit > 0 and highest_score(table) > table.points_limit
    if over_limit:
        table.metrics[up.CLAUSES] |= up.LIMIT_CLAUSE
    if over_limit or table.round_number == table.rounds:
        table.phase = MATCH_OVER
        table.winners = table.leaders


@kernel
def finish_match(table):
    """Note what came into play over the whole match."""
    note_comeback(table)
    if table.metrics[up.MINUS_TWOS]:
        table.metrics[up.CLAUSES] |= up.MINUS_TWO_CLAUSE


@kernel
def book_first_out(table, seat):
    """Give the first out the credit [R27] [C24] [C33], or the match [R30]."""
    if table.scoring == up.SCORE_POINTS:
        credit = BLIND_MINUS_TWO_CREDIT if table.blind_finish else CREDIT
        table.scores[seat] = max(0, table.scores[seat] - credit)
    elif table.scoring == up.SCORE_MATCHES:
        table.scores[seat] += 1


@kernel
def highest_score(table):
    """Return the highest total."""
    highest = table.scores[0]
    for seat in range(1, table.players):
        highest = max(highest, table.scores[seat])
    return highest
