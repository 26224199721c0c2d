"""dnup: what actions do to hands and sets, who is out, and whose turn is next."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bits, popcount
from simcore.games.dnup import cards as charts
from simcore.games.dnup import table as dnup
from simcore.games.dnup.cards import LARGE, LARGE_ROW, ROWS, is_large, row_of, value_of
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.moves import cards_needed, place_of_set
from simcore.games.dnup.table import CLAUSE, METRIC
from simcore.jit import inline_kernel, kernel
from simcore.records import MATCH_OVER, ROUND_OVER


@inline_kernel
def apply_move(table, box, move):
    """Carry out a legal move of the seat on turn; the records are modified in place [R7].

    Afterwards its cards are to be picked [C26], or the next seat is on turn and has discarded its
    old set, or the phase is `ROUND_OVER` or `MATCH_OVER`.
    """
    seat = box.seats[table.seat]
    went_out = False
    action = table.pending if table.phase == dnup.PICK else move
    if action == dnup.TURN:
        turn_hand(table, seat)
    elif action >= dnup.TAKE:
        take_set(table, seat, action - dnup.TAKE)
    elif action == dnup.PASS:
        table.metrics[METRIC.passes] += 1  # [H4]
    else:
        what, count = cards_needed(action)
        cards = charts.active_cards(table, seat, value_of(what))
        of = popcount(cards)
        if table.phase == dnup.PICK:
            cards = charts.subset(cards, of, count, move)
            table.phase = dnup.ACTION
        elif of > count:
            if not (table.twins and charts.are_alike(table, cards)):
                table.pending = move
                table.phase = dnup.PICK
                return
            cards = lowest_bits(cards, (1 << count) - 1)
        went_out = lay_cards(table, box, seat, action, cards)
    table.turns += 1
    end_action(table, went_out)
    if table.phase == dnup.ACTION:
        next_turn(table)


@inline_kernel
def lay_cards(table, box, seat, action, cards):
    """Play a set [R9] or add to one [R10], and send back the set that it beats.

    Return whether the seat on turn has so played its last cards [C14].
    """
    what, count = cards_needed(action)
    place = table.place
    if action < dnup.TURN:
        table.metrics[METRIC.sets_played] += 1
    else:
        table.metrics[METRIC.cards_added] += 1
        place = place_of_set(table, row_of(what) + 1)
        table.laid ^= table.set_bit[place]
        what += VALUES
    went_out = leave_hand(table, seat, cards, value_of(what), count)
    # After growth only this size can meet another set [C11].
    rival = place_of_set(table, row_of(what) + 1)
    if rival != dnup.NO_PLACE:
        if table.set_value[rival] == value_of(what):
            table.metrics[METRIC.clauses] |= CLAUSE.equal_beaten  # [H5]
        beat_set(table, box, rival)
        went_out = is_out(table, went_out, table.cards[table.seat] > 0)
    put_set(table, place, what, cards)
    return went_out


@inline_kernel
def is_out(table, has_emptied, is_returned):
    """Tell whether who has emptied its hand is out, though its own other set may return [C23]."""
    if has_emptied and is_returned:
        table.metrics[METRIC.clauses] |= CLAUSE.set_returned
        return table.win_on_playing != 0
    return has_emptied


@inline_kernel
def leave_hand(table, seat, cards, value, count):
    """Take so many cards of one active value out of the hand of the seat on turn.

    Return whether they were its last.
    """
    table.known[table.seat] &= ~cards
    table.cards[table.seat] -= count
    large = is_large(seat.active | seat.turned)
    hold(seat, charts.hand_without(table, hand_of(seat), cards, value, count))
    if large:
        charts.chart_hand(table, seat)
    return table.cards[table.seat] == 0


@inline_kernel
def hand_of(seat):
    """Return the hand of a seat; see `cards.hand_without`."""
    return seat.up, seat.down, seat.active, seat.turned


@inline_kernel
def hold(seat, hand):
    """Let a seat have a hand."""
    seat.up, seat.down, seat.active, seat.turned = hand


@inline_kernel
def put_set(table, place, what, cards):
    """Let cards lie at a place, where the set is then `what` in a chart."""
    size = row_of(what) + 1
    table.set_cards[place] |= cards
    table.set_value[place] = value_of(what)
    table.metrics[METRIC.largest_set] = max(table.metrics[METRIC.largest_set], size)
    if size >= LARGE or is_large(table.laid):
        chart_sets(table)
    else:
        table.set_bit[place] = np.int64(1) << what
        table.place_of_row[np.uint32(size - 1)] = place
        table.laid |= table.set_bit[place]


@kernel
def chart_sets(table):
    """Note all sets on the table, by counting their cards."""
    table.laid = 0
    for place in range(dnup.PLACES):
        size = popcount(table.set_cards[place])
        table.set_bit[place] = 0
        if size >= LARGE:
            table.laid |= 1 << LARGE_ROW
        elif size:
            table.set_bit[place] = 1 << (VALUES * (size - 1) + table.set_value[place] - 1)
            table.laid |= table.set_bit[place]
            table.place_of_row[size - 1] = place


@inline_kernel
def remove_set(table, place):
    """Remove the set at a place, if any; return its cards."""
    cards = table.set_cards[place]
    table.set_cards[place] = 0
    if is_large(table.laid):
        chart_sets(table)
    else:
        table.laid ^= table.set_bit[place]
        table.set_bit[place] = 0
    return cards


@inline_kernel
def beat_set(table, box, place):
    """Send a beaten set back to its owner's hand; of a seat that is out, discard it [C10]."""
    table.metrics[METRIC.sets_beaten] += 1
    cards = remove_set(table, place)
    if place == table.first_out:
        table.discards |= cards
    else:
        owner = place & table.seat_mask
        take_up(table, box.seats[owner], owner, cards, table.set_value[place])


@inline_kernel
def take_set(table, seat, what):
    """Take up a set of somebody else [R11]; there is no hand limit [C13]."""
    table.metrics[METRIC.sets_taken] += 1
    place = place_of_set(table, row_of(what) + 1)
    take_up(table, seat, table.seat, remove_set(table, place), value_of(what))


@inline_kernel
def take_up(table, seat, index, cards, value):
    """Take cards of one active value from the table into a hand, turned [R8] or not [H2]."""
    if table.keeps_side:
        table.metrics[METRIC.clauses] |= CLAUSE.kept_side
    count = popcount(cards)
    hand, lower = charts.hand_with(table, hand_of(seat), cards, value, min(count, ROWS))
    hold(seat, hand)
    table.known[index] |= cards
    table.known_down = (table.known_down & ~cards) | lower
    table.cards[index] += count


@inline_kernel
def turn_hand(table, seat):
    """Turn all hand cards [R12]."""
    table.metrics[METRIC.turns_over] += 1
    up, down, active, turned = hand_of(seat)
    hold(seat, (down, up, turned, active))
    table.known_down ^= table.known[table.seat]


@inline_kernel
def end_action(table, went_out):
    """See whether an action, which is counted in `turns`, has ended the round or the match.

    `went_out` tells whether the seat on turn has played its last cards.
    """
    if went_out:
        go_out(table)
    if table.phase == dnup.ACTION and table.turns >= table.turn_cap:
        abort(table)
    if table.phase != dnup.ACTION:
        table.metrics[METRIC.turns] += table.turns


@inline_kernel
def next_turn(table):
    """Give the turn to the next seat that is not out [R5] [C19], or the next area [R17] [C22].

    It discards its old set, cards of others included [R6] [C6]. So is the set of who is out, once
    all others have had a turn [R13] [C15].
    """
    place = table.next_place[table.place]
    if place == table.first_out:
        table.discards |= remove_set(table, place)
        place = table.next_place[place]
    table.place = place
    table.seat = place & table.seat_mask
    table.discards |= remove_set(table, place)
    if not table.may_take and table.metrics[METRIC.clauses] & CLAUSE.no_taking == 0:
        note_no_taking(table)


@kernel
def note_no_taking(table):
    """Note when the seat on turn might take a set if that were allowed [H3]."""
    own = np.int64(table.place ^ table.area_step)
    for place in range(dnup.PLACES):
        if place != own and table.set_cards[place]:
            table.metrics[METRIC.clauses] |= CLAUSE.no_taking


@kernel
def go_out(table):
    """Let the seat on turn, which has played its last cards, be out.

    With three or more players the first out gets its markers [H1] and the round goes on [R13],
    unless that wins the match at once [R15] [C17]. Otherwise the round is over [R14] [R20].
    """
    if table.first_out == dnup.NO_PLACE:
        table.last_winner = table.seat
    if table.players > 2 and table.first_out == dnup.NO_PLACE:
        table.first_out = table.seat
        table.scores[table.seat] += table.first_out_markers
        if table.first_out_markers != dnup.USUAL_FIRST_OUT:
            table.metrics[METRIC.clauses] |= CLAUSE.other_markers
        if table.scores[table.seat] >= table.goal:
            win_match(table, table.seat)
    else:
        table.last_out = table.seat
        table.phase = ROUND_OVER


@kernel
def win_match(table, seat):
    """End the match: a seat has reached the goal [R15] [R21]."""
    table.metrics[METRIC.clauses] |= CLAUSE.goal
    table.winners = 1 << seat
    table.phase = MATCH_OVER


@kernel
def abort(table):
    """End the match without a winner at the cap [C28]; the round gives no markers [C29]."""
    table.metrics[METRIC.clauses] |= CLAUSE.turn_cap
    if table.first_out != dnup.NO_PLACE:
        table.scores[table.first_out] -= table.first_out_markers
    table.aborted = 1
    table.winners = 0
    table.phase = MATCH_OVER
