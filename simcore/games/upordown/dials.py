"""Up or down?: the dials [H1] [H2] [H4] [H5] [H6] [H7], as kernels are handed them.

`dials` are `Dials`; or None where all are as in the rule text, as may be `insert` and `scoring`:
what is compiled for None has them as constants, so that a dial costs nothing until it is set.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from simcore.games.upordown.options import CIRCLE_CARDS, HAND_CARDS
from simcore.jit import inline_kernel

END, BOTH_ENDS, ANYWHERE = range(3)
"""Where a card may be put into a column [H4]: numbers of `insert`."""

COLOUR_TIMES_LENGTH, LENGTH_ALONE, COLOUR_ALONE = range(3)
"""What a column scores [H7]: numbers of `scoring`."""

ROW_CIRCLE = 6
"""Most cards of a circle that is kept as a row; a wider one is a card set."""


class Dials(NamedTuple):
    """What dials say, in fields of TABLE of the same names."""

    hand_cards: Any
    circle_cards: Any
    insert: Any
    discard_points: Any
    is_forced: Any
    scoring: Any


RULE_TEXT = Dials(HAND_CARDS, CIRCLE_CARDS, END, 1, 0, COLOUR_TIMES_LENGTH)


@inline_kernel
def dials_of(table):
    """Return the dials of a TABLE."""
    return dials_with(table, table.insert, table.scoring)


@inline_kernel
def dials_with(table, insert, scoring):
    """Return the dials of a TABLE but for these two, which may be None."""
    cards = table.hand_cards, table.circle_cards
    return Dials(*cards, insert, table.discard_points, table.is_forced, scoring)


@inline_kernel
def rules_by(dials):
    """Return what dials say; of None that is the rule text."""
    if dials is None:
        return RULE_TEXT
    return dials_with(dials, said(dials.insert, END), said(dials.scoring, COLOUR_TIMES_LENGTH))


@inline_kernel
def said(number, otherwise):
    """Return a number, or another for None."""
    return otherwise if number is None else number
