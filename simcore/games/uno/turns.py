"""UNO: whose turn is next, what a draw card makes draw, and what is noted of it."""

from __future__ import annotations

import numpy as np

from simcore.games.uno.cards import DRAW_FOUR_CARD, DRAW_TWOS
from simcore.games.uno.options import usual
from simcore.games.uno.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER

USUAL_DRAW_TWO = usual("draw_two_cards")
USUAL_DRAW_FOUR = usual("draw_four_cards")
USUAL_CHALLENGE_PENALTY = usual("challenge_penalty")


@inline_kernel
def seat_from(index, steps, reversals, players):
    """Return the seat so many steps (−1…2) from a seat in the direction of play [R5] [R11]."""
    back = -(reversals & 1)
    index += (steps ^ back) - back
    index += players & (index >> 63)
    return index - (players & ~((index - players) >> 63))


@inline_kernel
def seat_after(table, index, steps):
    """Return the seat so many steps from a seat, as `seat_from`."""
    return np.uint32(seat_from(np.int64(index), steps, table.reversals, table.players))


@inline_kernel
def begin_turn(table, index):
    """Begin a seat's turn [C31], or abort the match when the round has had its cap [C24]."""
    table.seat = index
    if table.turns >= table.turn_cap:
        table.metrics[METRIC.clauses] |= CLAUSE.turn_cap
        abort(table)
    else:
        table.turns += 1


@inline_kernel
def pass_turn(table, index):
    """Give the turn to the next seat."""
    begin_turn(table, seat_after(table, index, 1))


@kernel
def abort(table):
    """End the match without a winner [C29]."""
    book_counts(table)
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER


@kernel
def book_counts(table):
    """Add what was counted in a round, finished or not, to the match's metrics [C25] [C29]."""
    table.metrics[METRIC.turns] += table.turns
    table.metrics[METRIC.cards_drawn] += table.stocked - table.stock_size
    if table.players == 2 and table.reversals > table.opening_reversals:
        table.metrics[METRIC.clauses] |= CLAUSE.reverse_two


@inline_kernel
def cards_due(card, draw_two_cards, draw_four_cards):
    """Return how many cards a card, as its bit, makes the next player draw [R10] [R14].

    So many are they of a draw two [H5] and of a wild draw four [H6].
    """
    two = draw_two_cards & -np.int64((card & DRAW_TWOS) != 0)
    return two | (draw_four_cards & -np.int64((card & DRAW_FOUR_CARD) != 0))


@inline_kernel
def note_dials(table, two, four, wrong):
    """Note what came into play of the cards that somebody must draw.

    That is a draw two [H5], a wild draw four [H6] or a wrong challenge [H7]; 0 where it did not.
    """
    if two and table.draw_two_cards != USUAL_DRAW_TWO:
        table.metrics[METRIC.clauses] |= CLAUSE.draw_two_cards
    if four and table.draw_four_cards != USUAL_DRAW_FOUR:
        table.metrics[METRIC.clauses] |= CLAUSE.draw_four_cards
    if wrong and table.challenge_penalty != USUAL_CHALLENGE_PENALTY:
        table.metrics[METRIC.clauses] |= CLAUSE.challenge_penalty


@kernel
def show_hand(table, box, layer, victim):
    """Show a challenged player's hand to the challenger, who may remember it [R15] [C28].

    Who has given a hand away [H15] knows it as well [C34].
    """
    seat = box.seats[victim]
    shown = box.seats[layer]
    seat.shown_seat = layer
    seat.shown_hand = shown.hand
    seat.shown_doubles = shown.doubles
    seat.shown_pairs = shown.pairs
    seat.shown_discards = table.discards
    seat.shown_discard_doubles = table.discard_doubles
    seat.shown_discard_pairs = table.discard_pairs
    seat.shown_stocked = table.stocked
