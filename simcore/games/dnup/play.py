"""dnup: what actions do to hands and sets, who is out, and whose turn is next.

`laid`, the chart of the sets on the table, is handed from function to function: the next player's
moves wait for it.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bits, popcount
from simcore.games.dnup.cards import (
    LARGE,
    LARGE_ROW,
    ROWS,
    active_cards,
    chart_hand,
    hand_with,
    hand_without,
    is_large,
    row_of,
    subset,
    value_of,
)
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.moves import cards_needed, is_pick, place_of_set
from simcore.games.dnup.table import (
    ACTION,
    CLAUSE,
    METRIC,
    NO_PLACE,
    PASS,
    PICK,
    PLACES,
    TAKE,
    TURN,
    USUAL_FIRST_OUT,
)
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER, ROUND_OVER


@inline_kernel
def apply_action(table, box, move):
    """Carry out a legal action of the seat on turn, or let its cards be picked first [R7] [C26]."""
    seat = box.seats[table.seat]
    if move == TURN:
        turn_hand(table, seat)
        end_action(table, table.place, table.laid, False)
    elif move >= TAKE:
        laid = take_set(table, seat, table.laid, move - TAKE, False)
        end_action(table, table.place, laid, False)
    elif move == PASS:
        pass_by(table)
        end_action(table, table.place, table.laid, False)
    else:
        what, count = cards_needed(move)
        cards = active_cards(table, seat, value_of(what))
        if is_pick(table, cards, popcount(cards) > count):
            table.pending = move
            table.phase = PICK
        else:
            lay_out(table, box, move, lowest_bits(cards, (1 << count) - 1))


@inline_kernel
def apply_pick(table, box, rank):
    """Carry out the pending action with the subset number `rank` of the cards [C26]."""
    what, count = cards_needed(table.pending)
    cards = active_cards(table, box.seats[table.seat], value_of(what))
    table.phase = ACTION
    lay_out(table, box, table.pending, subset(cards, popcount(cards), count, rank))


@kernel
def lay_out(table, box, move, cards):
    """Carry out an action A or B with these cards."""
    seat = box.seats[table.seat]
    laid, went_out = lay_cards(table, box, seat, table.laid, move, cards, False)
    end_action(table, table.place, laid, went_out)


@inline_kernel
def lay_cards(table, box, seat, laid, move, cards, exact):
    """Play a set [R9] or add to one [R10], and send back the set that it beats; see `put_down`."""
    what, count = cards_needed(move)
    place = table.place
    if move < TURN:
        table.metrics[METRIC.sets_played] += 1
    else:
        table.metrics[METRIC.cards_added] += 1
        place = place_of_set(table, laid, row_of(what) + 1, exact)
        laid ^= table.set_bit[place]
        what += VALUES
    return put_down(table, box, seat, laid, place, what, cards, count, exact)


@inline_kernel
def put_down(table, box, seat, laid, place, what, cards, count, exact):
    """Lay so many cards of the hand at a place, where the set is then `what` in a chart.

    Return what then lies on the table, and whether the seat on turn has so played its last cards:
    by action A or B [C14]. `exact` says that charts are known to be exact.
    """
    index = table.seat
    went_out = leave_hand(table, seat, cards, value_of(what), count, exact)
    # After growth only this size can meet another set [C11].
    rival = place_of_set(table, laid, row_of(what) + 1, exact)
    if rival != NO_PLACE:
        if table.set_value[rival] == value_of(what):
            table.metrics[METRIC.clauses] |= CLAUSE.equal_beaten  # [H5]
        laid = beat_set(table, box, laid, rival, exact)
        if went_out and table.cards[index] > 0:
            table.metrics[METRIC.clauses] |= CLAUSE.set_returned
            went_out = table.win_on_playing != 0  # [C23]
    return put_set(table, laid, place, what, cards, exact), went_out


@inline_kernel
def leave_hand(table, seat, cards, value, count, exact):
    """Take so many cards of one active value out of the hand of the seat on turn.

    Return whether they were its last.
    """
    index = table.seat
    table.known[index] &= ~cards
    left = table.cards[index] - count
    table.cards[index] = left
    large = not exact and is_large(seat.active | seat.turned)
    hold(seat, hand_without(table, hand_of(seat), cards, value, count))
    if large:
        chart_hand(table, seat)
    return left == 0


@inline_kernel
def hand_of(seat):
    """Return the hand of a seat; see `cards.hand_without`."""
    return seat.up, seat.down, seat.active, seat.turned


@inline_kernel
def hold(seat, hand):
    """Let a seat have a hand."""
    seat.up, seat.down, seat.active, seat.turned = hand


@inline_kernel
def put_set(table, laid, place, what, cards, exact):
    """Let cards lie at a place, where the set is then `what`; return what lies on the table."""
    size = row_of(what) + 1
    table.set_cards[place] |= cards
    table.set_value[place] = value_of(what)
    table.metrics[METRIC.largest_set] = max(table.metrics[METRIC.largest_set], size)
    if size >= LARGE or (not exact and is_large(laid)):
        return chart_sets(table)
    bit = np.int64(1) << what
    table.set_bit[place] = bit
    table.place_of_row[np.uint32(size - 1)] = place
    return laid | bit


@kernel
def chart_sets(table):
    """Note all sets on the table, by counting their cards; return what lies there."""
    laid = np.int64(0)
    for place in range(PLACES):
        size = popcount(table.set_cards[place])
        table.set_bit[place] = 0
        if size >= LARGE:
            laid |= 1 << LARGE_ROW
        elif size:
            table.set_bit[place] = 1 << (VALUES * (size - 1) + table.set_value[place] - 1)
            laid |= table.set_bit[place]
            table.place_of_row[size - 1] = place
    return laid


@inline_kernel
def remove_set(table, laid, place, exact):
    """Remove the set at a place, if any; return what is left on the table."""
    left = laid ^ table.set_bit[place]
    table.set_cards[place] = 0
    table.set_bit[place] = 0
    if not exact and is_large(laid):
        return chart_sets(table)
    return left


@inline_kernel
def discard_set(table, laid, place, exact):
    """Discard the set at a place, if any; return what is left on the table."""
    table.discards |= table.set_cards[place]
    return remove_set(table, laid, place, exact)


@inline_kernel
def beat_set(table, box, laid, place, exact):
    """Send a beaten set back to its owner's hand; of a seat that is out, discard it [C10].

    Return what is left on the table.
    """
    table.metrics[METRIC.sets_beaten] += 1
    if place == table.first_out:
        return discard_set(table, laid, place, exact)
    owner = place & table.seat_mask
    cards = table.set_cards[place]
    left = remove_set(table, laid, place, exact)
    take_up(table, box.seats[owner], owner, cards, table.set_value[place])
    return left


@inline_kernel
def take_set(table, seat, laid, what, exact):
    """Take up a set of somebody else [R11]; there is no hand limit [C13].

    Return what is left on the table.
    """
    table.metrics[METRIC.sets_taken] += 1
    place = place_of_set(table, laid, row_of(what) + 1, exact)
    cards = table.set_cards[place]
    left = remove_set(table, laid, place, exact)
    take_up(table, seat, table.seat, cards, value_of(what))
    return left


@inline_kernel
def take_up(table, seat, index, cards, value):
    """Take cards of one active value from the table into a hand, turned [R8] or not [H2]."""
    if table.keeps_side:
        table.metrics[METRIC.clauses] |= CLAUSE.kept_side
    count = popcount(cards)
    hand, lower = hand_with(table, hand_of(seat), cards, value, min(count, ROWS))
    hold(seat, hand)
    table.known[index] |= cards
    table.known_down = (table.known_down & ~cards) | lower
    table.cards[index] += count


@inline_kernel
def pass_by(table):
    """Let a seat without a legal action pass [H4]; its old set is discarded already."""
    table.metrics[METRIC.passes] += 1


@inline_kernel
def turn_hand(table, seat):
    """Turn all hand cards [R12]."""
    table.metrics[METRIC.turns_over] += 1
    up, down, active, turned = hand_of(seat)
    hold(seat, (down, up, turned, active))
    table.known_down ^= table.known[table.seat]


@inline_kernel
def end_action(table, place, laid, went_out):
    """Count an action and see whose turn is next, or whether round or match are over.

    Return the place that is on turn, and what lies on the table.
    """
    table.turns += 1
    if went_out:
        go_out(table)
    if table.phase == ACTION:
        if table.turns >= table.turn_cap:
            abort(table)
        else:
            place, laid = next_turn(table, place, laid)
    table.laid = laid
    return place, laid


@inline_kernel
def next_turn(table, place, laid):
    """Give the turn to the next seat that is not out [R5] [C19], or the next area [R17] [C22].

    It discards its old set, cards of others included [R6] [C6]. So is the set of who is out, once
    all others have had a turn [R13] [C15]. Return the place and what lies on the table.
    """
    place = table.next_place[place]
    if place == table.first_out:
        laid = discard_set(table, laid, place, False)
        place = table.next_place[place]
    table.place = place
    table.seat = place & table.seat_mask
    laid = discard_set(table, laid, place, False)
    if not table.may_take and table.metrics[METRIC.clauses] & CLAUSE.no_taking == 0:
        note_no_taking(table)
    return place, laid


@kernel
def note_no_taking(table):
    """Note when the seat on turn might take a set if that were allowed [H3]."""
    own = np.int64(table.place ^ table.area_step)
    for place in range(PLACES):
        if place != own and table.set_cards[place]:
            table.metrics[METRIC.clauses] |= CLAUSE.no_taking


@kernel
def go_out(table):
    """Let the seat on turn, which has played its last cards, be out.

    With three or more players the first out gets its markers [H1] and the round goes on [R13],
    unless that wins the match at once [R15] [C17]. Otherwise the round is over [R14] [R20].
    """
    if table.first_out == NO_PLACE:
        table.last_winner = table.seat
    if table.players > 2 and table.first_out == NO_PLACE:
        table.first_out = table.seat
        table.scores[table.seat] += table.first_out_markers
        if table.first_out_markers != USUAL_FIRST_OUT:
            table.metrics[METRIC.clauses] |= CLAUSE.other_markers
        if table.scores[table.seat] >= table.goal:
            win_match(table, table.seat)
            count_turns(table)
    else:
        table.last_out = table.seat
        table.phase = ROUND_OVER
        count_turns(table)


@kernel
def win_match(table, seat):
    """End the match: a seat has reached the goal [R15] [R21]."""
    table.metrics[METRIC.clauses] |= CLAUSE.goal
    table.winners = 1 << seat
    table.phase = MATCH_OVER


@kernel
def count_turns(table):
    """Add the actions of the round to those of the match."""
    table.metrics[METRIC.turns] += table.turns


@kernel
def abort(table):
    """End the match without a winner at the cap [C28]; the round gives no markers [C29]."""
    table.metrics[METRIC.clauses] |= CLAUSE.turn_cap
    count_turns(table)
    if table.first_out != NO_PLACE:
        table.scores[table.first_out] -= table.first_out_markers
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER
