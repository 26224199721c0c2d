"""UP & DOWN: the dials [H1]…[H7], as the kernels of lanes are handed them.

`dials` is None where all are as in the rule text: what is compiled for None has them as constants,
so that a dial costs nothing until it is set. Otherwise it is what `dials_of` returns.
"""

from __future__ import annotations

import numpy as np

from simcore.games.updown.options import HAND_SIZES
from simcore.games.updown.table import CHANGES
from simcore.jit import inline_kernel


def has_dials(table):
    """Tell whether a TABLE is played in another way than by the rule text; not compiled."""
    usual = HAND_SIZES[int(table.players)]
    return plays_otherwise(dials_of(table)) or table.hand_size != usual or table.carried != 0


@inline_kernel
def dials_of(table):
    """Return the dials of a TABLE.

    How many moves a leader has, and which is `KEEP`, or -1; whether only cards that could win
    cancel each other, and whether winners lead; a mask for what is in the pot; whether dice are
    thrown; a mask for the pot that is carried over. Then players, and cards of a full hand.
    """
    return (
        table.changes,
        table.keep,
        table.eligible,
        table.winner_leads,
        -table.pots,
        table.dice,
        -table.carried,
        np.int64(table.players),
        table.hand_size,
    )


@inline_kernel
def plays_otherwise(dials):
    """Tell whether a trick is played in another way than by the rule text."""
    if dials is None:
        return False
    moves = (dials[0] != CHANGES) | (dials[1] >= 0)
    return moves | (dials[2] != 0) | (dials[3] != 0) | (dials[4] == 0)


@inline_kernel
def changes_of(dials):
    """Return how many moves a leader has [H2] [H3]."""
    return CHANGES if dials is None else dials[0]


@inline_kernel
def keep_of(dials):
    """Return which of them is `KEEP` [H3], or -1."""
    return -1 if dials is None else dials[1]


@inline_kernel
def is_eligible(dials):
    """Tell whether only cards that could win cancel each other [H4]."""
    return False if dials is None else dials[2] != 0


@inline_kernel
def winner_leads(dials):
    """Tell whether who won a trick leads next [H5]."""
    return False if dials is None else dials[3] != 0


@inline_kernel
def pot_mask(dials):
    """Return a mask for what is in the pot [H7]."""
    return np.int64(-1) if dials is None else dials[4]


@inline_kernel
def has_dice(dials):
    """Tell whether dice name a trump [H2]."""
    return True if dials is None else dials[5] != 0


@inline_kernel
def carried_mask(dials):
    """Return a mask for the pot that goes into the next round [H6]."""
    return np.int64(0) if dials is None else dials[6]


@inline_kernel
def table_of(dials):
    """Return the players and the cards of a full hand [H1]."""
    return dials[7], dials[8]
