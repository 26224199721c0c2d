"""UNO: whose turn is next, and what a card that was laid brings about before.

A draw card is settled or stacked [H13], hands are swapped or passed on [H15], and then, before the
next turn begins, others may jump in [H14]. A seat that is asked decides in `play.answer`.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, popcount
from simcore.games.uno import cards as deck
from simcore.games.uno.cards import any_bits
from simcore.games.uno.moves import may_jump, stackable_cards
from simcore.games.uno.options import usual
from simcore.games.uno.stock import draw_cards
from simcore.games.uno.table import CLAUSE, JUMP, METRIC, PLAY, STACK, SWAP
from simcore.jit import inline_kernel, kernel
from simcore.lanes import blend
from simcore.match import all_seats
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
def after_card(card, skips, reversals):
    """Return how many seats on a card gives the turn [R5] [R12] [C6], and the reversals [R11]."""
    return 1 - any_bits(card & skips), reversals - any_bits(card & deck.REVERSES)


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
    two = draw_two_cards & any_bits(card & deck.DRAW_TWOS)
    return two | (draw_four_cards & any_bits(card & deck.DRAW_FOUR_CARD))


@inline_kernel
def note_clauses(table, clauses):
    """Note which clauses came into play, but for amounts that are as usual."""
    table.metrics[METRIC.clauses] |= clauses & table.notable


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


@kernel
def press(table, box, victim, card):
    """Let a draw card take effect: its victim draws and misses this turn [R10] [R14] [C10].

    Or it stacks, if it may and can [H13]. `card` is the bit of its kind.
    """
    note_clauses(table, CLAUSE.draw_two_cards & any_bits(card & deck.DRAW_TWOS))
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


@inline_kernel
def go_on(table, box, index, card):
    """Give the turn to the seat that it passes to after a coloured card."""
    steps, table.reversals = after_card(card, table.skipping, table.reversals)
    table.laid = 1
    if card & deck.DRAW_TWOS:
        press(table, box, seat_after(table, index, 1), card)
        return
    following = seat_after(table, index, steps)
    if table.special:
        go_on_specially(table, box, index, card, following)
    else:
        begin_turn(table, following)


@inline_kernel
def hands_moved(card, seven_zero, players):
    """Return what a card does to hands, as masks, if a mask says that there is that rule [H15].

    Whether its layer is to choose with whom to swap, has no choice, or all hands are passed on.
    """
    sevens = any_bits(card & deck.SEVENS) & seven_zero
    chooses = sevens & -np.int64(players > 2)
    return chooses, sevens & ~chooses, any_bits(card & deck.ZEROS) & seven_zero


@kernel
def go_on_specially(table, box, index, card, following):
    """Let hands be swapped or passed on, and others jump in."""
    chooses, swaps, passes = hands_moved(card, -table.seven_zero, table.players)
    table.following = following
    if chooses:
        table.seat = index
        table.phase = SWAP
    elif swaps:
        swap_hands(table, box, index, 1 - index)
    else:
        if passes:
            pass_hands(table, box)
        settle(table, box, following)


@kernel
def swap_hands(table, box, index, other):
    """Let who laid a 7 swap hands with another seat, and go on [H15]."""
    table.metrics[METRIC.swaps] += 1
    table.metrics[METRIC.clauses] |= CLAUSE.seven_zero
    exchange((table, box), index, other)
    show_hand(table, box, other, index)
    show_hand(table, box, index, other)
    table.phase = PLAY
    settle(table, box, np.uint32(table.following))


@kernel
def pass_hands(table, box):
    """Pass all hands on by one seat, in the direction of play [H15]."""
    table.metrics[METRIC.swaps] += 1
    table.metrics[METRIC.clauses] |= CLAUSE.seven_zero
    pass_all(exchange, (table, box), table.reversals, table.players)
    for seat in range(table.players):
        show_hand(table, box, seat_after(table, np.uint32(seat), 1), np.uint32(seat))


@inline_kernel
def pass_all(exchange, records, reversals, players):
    """Pass all hands on by one seat, in the direction of play [H15], by exchanges of two."""
    # The first seat's hand goes from place to place, and each leaves there what it should.
    place = np.int64(0)
    for _ in range(players - 1):
        following = seat_from(place, np.int64(-1), reversals, players)
        exchange(records, place, following)
        place = following


@kernel
def exchange(records, index, other):
    """Exchange two hands, and with them what is known of them."""
    table, box = records
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
    if table.jump_in and table.laid and table.top < deck.WILD:
        table.following = following
        table.asked = all_seats(table.players) & ~(np.int64(1) << following)
        ask_to_jump(table, box)
    else:
        begin_turn(table, following)


@inline_kernel
def first_of(seats, following, reversals, players):
    """Return which of some seats, in bits, is the first after a seat in the direction of play."""
    turned = (seats >> following) | (seats << (players - following))
    turned &= (np.int64(1) << players) - 1
    back = -(reversals & 1)
    place = blend(back, highest_bit(turned | 1), popcount((turned & -turned) - 1) & 15)
    seat = following + place
    return seat - (players & ~((seat - players) >> 63))


@kernel
def ask_to_jump(table, box):
    """Ask who may jump in next, or begin the turn of the seat that follows [H14]."""
    following = np.uint32(table.following)
    left = np.int64(0)
    for seat in range(table.players):
        left |= ((box.seats[seat].hand >> np.int64(table.top)) & (table.asked >> seat) & 1) << seat
    while left:
        index = first_of(left, table.following, table.reversals, table.players)
        left ^= np.int64(1) << index
        if may_jump(table, box.seats[index]):
            table.asked &= ~(np.int64(1) << index)
            table.metrics[METRIC.clauses] |= CLAUSE.jump_in
            table.seat = index
            table.phase = JUMP
            return
    table.phase = PLAY
    begin_turn(table, following)
