"""Up or down?: the dials [H1] [H2] [H4] [H5] [H6] [H7], as kernels are handed them.

`dials` are six whole numbers, in the order of `RULE_TEXT`; or None where all are as in the rule
text: what is compiled for None has them as constants, so that a dial costs nothing until it is set.
"""

from __future__ import annotations

from simcore.games.upordown.options import CIRCLE_CARDS, HAND_CARDS
from simcore.jit import inline_kernel

END, BOTH_ENDS, ANYWHERE = range(3)
"""Where a card may be put into a column [H4]: numbers of `insert`."""

COLOUR_TIMES_LENGTH, LENGTH_ALONE, COLOUR_ALONE = range(3)
"""What a column scores [H7]: numbers of `scoring`."""

ROW_CIRCLE = 6
"""Most cards of a circle that is kept as a row; a wider one is a card set."""

RULE_TEXT = (HAND_CARDS, CIRCLE_CARDS, END, 1, 0, COLOUR_TIMES_LENGTH)
"""Cards of a hand, cards of the circle, `insert`, `discard_points`, whether columns are given up by
force only, `scoring`."""


@inline_kernel
def dials_of(table):
    """Return the dials of a TABLE."""
    return (
        table.hand_cards,
        table.circle_cards,
        table.insert,
        table.discard_points,
        table.is_forced,
        table.scoring,
    )


@inline_kernel
def hand_of(dials):
    """Return how many cards a hand has [H1]."""
    return HAND_CARDS if dials is None else dials[0]


@inline_kernel
def circle_of(dials):
    """Return how many cards the circle has [H2]."""
    return CIRCLE_CARDS if dials is None else dials[1]


@inline_kernel
def insert_of(dials):
    """Return where a card may be put into a column [H4]."""
    return END if dials is None else dials[2]


@inline_kernel
def discard_points_of(dials):
    """Return the points of a card of a column given up [H5]."""
    return 1 if dials is None else dials[3]


@inline_kernel
def is_forced(dials):
    """Tell whether a column may be given up only if the card has no other place [H6]."""
    return False if dials is None else dials[4] != 0


@inline_kernel
def scoring_of(dials):
    """Return what a column scores [H7]."""
    return COLOUR_TIMES_LENGTH if dials is None else dials[5]
