"""Up: counting what is left, credits, totals and who leads."""

from __future__ import annotations

import numpy as np

from simcore.games.up import cards as sets
from simcore.games.up import table as up
from simcore.games.up.options import USUAL_VALUES as USUAL
from simcore.games.up.rules import RARE_RULES, RARE_WITH_USUAL_CARDS, deck_of
from simcore.games.up.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel, shared_kernel, wrapping
from simcore.match import note_comeback, note_leaders
from simcore.records import MATCH_OVER

MOST_ROUNDS = 1000
USUAL_POINTS = (USUAL["minus_two_points"], USUAL["clear_points"], USUAL["dirty_one_points"])
USUAL_CREDITS = (USUAL["out_credit"], USUAL["blind_credit"])


@inline_kernel
def count_points(table, box, index, width):
    """Return the points of all cards a seat has left, hidden ones included [R26] [R30] [H5].

    Notes the clauses that counted. Hand and open cards have so many words, see `cards.COUNTED`.
    """
    deck = deck_of(table, RARE_RULES if width != sets.COUNTED else RARE_WITH_USUAL_CARDS)
    plain = sets.Deck(0, deck.minus_twos, deck.clears, np.int64(width == sets.COUNTED))
    cards = sets.both(sets.words_of(box.seats[index].hand), sets.words_of(table.open_cards[index]))
    for i in range(up.MOST_HIDDEN):
        card = np.int64(box.hidden[index, i])
        one = sets.one_of(i < table.hidden_cards[index], sets.only(card, width), sets.NO_CARDS)
        cards = sets.both(cards, one)
    counts = sets.tally(cards, plain) & sets.NUMBERS
    ones = sets.number_in(counts, 1)
    minus_twos = sets.size_of_kind(sets.in_field(cards, plain.minus_twos), sets.MINUS_TWO, plain)
    clears = sets.size_of_kind(sets.in_field(cards, plain.clears), sets.CLEAR, plain)
    # Nobody can predict whether one is left, so these are no branches.
    is_left = (minus_twos != 0) & (deck.double == 0)
    table.metrics[METRIC.clauses] |= np.int64(is_left) * CLAUSE.minus_two
    if table.scoring == up.SCORE_CARDS:
        return table.cards[index]
    dirty = ones if table.dirty else 0
    twos = 0 if deck.double else minus_twos
    table.metrics[METRIC.clauses] |= np.int64(dirty != 0) * CLAUSE.dirty_one
    two_points, clear_points, one_points = USUAL_POINTS
    others = (twos != 0) & (table.minus_two_points != two_points)
    others |= (clears != 0) & (table.clear_points != clear_points)
    others |= (dirty != 0) & (table.dirty_one_points != one_points)
    table.metrics[METRIC.clauses] |= np.int64(others) * CLAUSE.points
    numbers = values_of(counts)
    numbers += 2 * (minus_twos - twos) + dirty * (table.dirty_one_points - 1)  # [R32] [R33]
    return numbers + twos * table.minus_two_points + clears * table.clear_points


@inline_kernel
@wrapping
def values_of(counts):
    """Return what so many number cards of each kind are worth."""
    values = np.int64(0)
    for kind in range(1, sets.MINUS_TWO):
        values += kind * sets.number_in(counts, kind)
    return values


@shared_kernel
def score_round(table, box):
    """Book the round just ended; see `book_round`."""
    book_round(table, box, len(table.tower))


@inline_kernel
def book_round(table, box, width):
    """Book the round just ended [C43] and see whether the match is over.

    [R29] [R31] [C34] [C35] [H6]
    """
    table.metrics[METRIC.rounds] += 1
    for seat in range(table.players):
        if table.cards[seat] == 0:
            book_first_out(table, seat)
        elif table.scoring != up.SCORE_MATCHES:
            table.scores[seat] += count_points(table, box, seat, width)
    note_leaders(table, table.scoring != up.SCORE_MATCHES, METRIC.lead_changes)  # [R28] [R29] [C52]
    highest = table.scores[0]
    for seat in range(1, table.players):
        highest = max(highest, table.scores[seat])
    over_limit = 0 < table.points_limit < highest
    if over_limit:
        table.metrics[METRIC.clauses] |= CLAUSE.limit
    if over_limit or table.round_number == table.rounds:
        table.phase = MATCH_OVER
        table.winners = table.leaders
    elif table.round_number == MOST_ROUNDS:
        table.phase = MATCH_OVER
        table.aborted = 1


@shared_kernel
def finish_match(table):
    """Note what came into play over the whole match."""
    note_comeback(table)
    if table.metrics[METRIC.minus_twos]:
        table.metrics[METRIC.clauses] |= CLAUSE.minus_two


@kernel
def book_first_out(table, seat):
    """Give the first out the credit [R27] [C24] [C33] [H6], or the match [R30]."""
    if table.scoring == up.SCORE_POINTS:
        usual = USUAL_CREDITS[1] if table.blind_finish else USUAL_CREDITS[0]
        credit = table.blind_credit if table.blind_finish else table.out_credit
        if credit != usual:
            table.metrics[METRIC.clauses] |= CLAUSE.credit
        table.scores[seat] = max(0, table.scores[seat] - credit)
    elif table.scoring == up.SCORE_MATCHES:
        table.scores[seat] += 1
