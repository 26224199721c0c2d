"""UP & DOWN: pieces of play for policies of one's own; those of `simcore.games.updown.choice`."""

from __future__ import annotations

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.updown import choice
from simcore.games.updown.cards import of_value, own_cards
from simcore.jit import inline_kernel

NO_CARD = -1


@inline_kernel
def trump_bit_of(table):
    """Return the trump as a bit of a value set."""
    return np.int64(1) << table.trump


@inline_kernel
def surest_card(table, seat):
    """Return the best card in hand that can win, a trump or the best in the own colour, or none."""
    view = choice.view_of(table, seat)
    able = choice.able_values(view.hand, view.shift, view.turn, view.trump_bit)
    value_bit = choice.surest_card(able, view.face, view.trump_bit, False)
    if value_bit == 0:
        return np.int64(NO_CARD)
    return lowest_bit(choice.card_of(value_bit, view.hand, own_cards(view.shift, view.turn)))


@inline_kernel
def shed(table, seat):
    """Return the least useful card, one that cannot win if there is any."""
    able = own_cards(table.shifts[table.seat], table.turn) | of_value(trump_bit_of(table))
    return lowest_bit(choice.shed(seat.hand, seat.hand & ~able))


@inline_kernel
def change_for_best_card(table, seat):
    """Change the rules so that the best card in the own colour is as good as can be.

    Where the rules may be kept, they are if that is better than any change.
    """
    view = choice.view_of(table, seat)
    change = choice.change_for_best_card(view)
    return choice.kept_for_best_card(change, view) if table.keep >= 0 else change
