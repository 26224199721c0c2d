"""UNO: what a card that was laid brings about before the next turn, house rules included.

A draw card is settled or stacked [H13], hands are swapped or passed on [H15], and then, before the
next turn begins, others may jump in [H14]. A seat that is asked decides in `play.answer`.
"""

from __future__ import annotations

import numpy as np

from simcore.games.uno.cards import DRAW_TWOS, REVERSES, SEVENS, WILD, ZEROS
from simcore.games.uno.moves import may_jump, stackable_cards
from simcore.games.uno.stock import draw_cards
from simcore.games.uno.table import CLAUSE, JUMP, METRIC, PLAY, STACK, SWAP
from simcore.games.uno.turns import begin_turn, cards_due, note_dials, seat_after, show_hand
from simcore.jit import kernel


@kernel
def press(table, box, victim, card):
    """Let a draw card take effect: its victim draws and misses this turn [R10] [R14] [C10].

    Or it stacks, if it may and can [H13]. `card` is the bit of its kind.
    """
    note_dials(table, card & DRAW_TWOS, 0, 0)
    table.due += cards_due(card, table.draw_two_cards, table.draw_four_cards)
    table.stack += 1
    if table.stacking and stackable_cards(table, box.seats[victim]):
        table.metrics[METRIC.clauses] |= CLAUSE.stacking
        table.seat = victim
        table.phase = STACK
    else:
        settle_debt(table, box, victim)


@kernel
def settle_debt(table, box, victim):
    """Make a seat draw what is due and miss this turn."""
    due = table.due
    table.due = 0
    table.stack = 0
    draw_cards(table, box, victim, due)
    table.phase = PLAY
    settle(table, box, seat_after(table, victim, 1))


@kernel
def go_on_specially(table, box, index, kind):
    """Do what `go_on` does where a coloured card may do more than by the rule text."""
    card = np.int64(1) << kind
    table.laid = 1
    table.reversals += np.int64((card & REVERSES) != 0)  # [R11]
    if card & DRAW_TWOS:
        press(table, box, seat_after(table, index, 1), card)
        return
    following = seat_after(table, index, 1 + np.int64((card & table.skips) != 0))
    if table.seven_zero and card & SEVENS:
        table.following = following
        if table.players > 2:
            table.seat = index
            table.phase = SWAP
        else:
            swap_hands(table, box, index, 1 - index)
        return
    if table.seven_zero and card & ZEROS:
        pass_hands(table, box)
    settle(table, box, following)


@kernel
def swap_hands(table, box, index, other):
    """Let who laid a 7 swap hands with another seat, and go on [H15]."""
    table.metrics[METRIC.swaps] += 1
    table.metrics[METRIC.clauses] |= CLAUSE.seven_zero
    exchange(table, box, index, other)
    show_hand(table, box, other, index)
    show_hand(table, box, index, other)
    table.phase = PLAY
    settle(table, box, np.uint32(table.following))


@kernel
def pass_hands(table, box):
    """Pass all hands on by one seat, in the direction of play [H15]."""
    table.metrics[METRIC.swaps] += 1
    table.metrics[METRIC.clauses] |= CLAUSE.seven_zero
    # The first seat's hand goes from place to place, and each leaves there what it should.
    place = np.uint32(0)
    for _ in range(table.players - 1):
        following = seat_after(table, place, -1)
        exchange(table, box, place, following)
        place = following
    for seat in range(table.players):
        show_hand(table, box, seat_after(table, np.uint32(seat), 1), np.uint32(seat))


@kernel
def exchange(table, box, index, other):
    """Exchange two hands, and with them what is known of them."""
    one, two = box.seats[index], box.seats[other]
    one.hand, two.hand = two.hand, one.hand
    one.doubles, two.doubles = two.doubles, one.doubles
    one.pairs, two.pairs = two.pairs, one.pairs
    cards, drew_on = table.cards[index], table.drew_on[index]
    table.cards[index], table.drew_on[index] = table.cards[other], table.drew_on[other]
    table.cards[other], table.drew_on[other] = cards, drew_on
    for seat in range(table.players):
        knower = box.seats[seat]
        if knower.shown_seat == index:
            knower.shown_seat = other
        elif knower.shown_seat == other:
            knower.shown_seat = index


@kernel
def settle(table, box, following):
    """Begin a seat's turn, unless somebody may jump in upon the card on top before [H14]."""
    if table.jump_in and table.laid and table.top < WILD:
        table.following = following
        ask_to_jump(table, box, seat_after(table, following, 1))
    else:
        begin_turn(table, following)


@kernel
def ask_to_jump(table, box, index):
    """Ask who may jump in, from a seat on, or begin the turn of the seat that follows [H14]."""
    following = np.uint32(table.following)
    while index != following:
        if may_jump(table, box.seats[index]):
            table.metrics[METRIC.clauses] |= CLAUSE.jump_in
            table.seat = index
            table.phase = JUMP
            return
        index = seat_after(table, index, 1)
    table.phase = PLAY
    begin_turn(table, following)
