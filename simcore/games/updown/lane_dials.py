"""UP & DOWN: the dials [H1]…[H7], as the kernels of lanes are handed them.

`dials` is None where all are as in the rule text: what is compiled for None has them as constants,
so that a dial costs nothing until it is set. Otherwise it is `Dials`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from simcore.games.updown.options import HAND_SIZES
from simcore.games.updown.table import CHANGES
from simcore.jit import inline_kernel


class Dials(NamedTuple):
    """What dials say, in fields of TABLE of the same names."""

    changes: Any
    keep: Any
    eligible: Any
    winner_leads: Any
    dice: Any
    pots: Any
    carried: Any
    players: Any
    hand_size: Any


RULE_TEXT = Dials(CHANGES, -1, 0, 0, 1, 1, 0, 0, 0)
"""But for players and cards of a hand, of which only who is handed dials asks."""


def has_dials(table):
    """Tell whether a TABLE is played in another way than by the rule text; not compiled."""
    usual = HAND_SIZES[int(table.players)]
    return plays_otherwise(dials_of(table)) or table.hand_size != usual or table.carried != 0


@inline_kernel
def dials_of(table):
    """Return the dials of a TABLE."""
    return Dials(
        changes=table.changes,
        keep=table.keep,
        eligible=table.eligible,
        winner_leads=table.winner_leads,
        dice=table.dice,
        pots=table.pots,
        carried=table.carried,
        players=np.int64(table.players),
        hand_size=table.hand_size,
    )


@inline_kernel
def rules_by(dials):
    """Return what dials say; of None that is the rule text."""
    return RULE_TEXT if dials is None else dials


@inline_kernel
def plays_otherwise(dials):
    """Tell whether a trick is played in another way than by the rule text."""
    if dials is None:
        return False
    moves = (dials.changes != CHANGES) | (dials.keep >= 0)
    return moves | (dials.eligible != 0) | (dials.winner_leads != 0) | (dials.pots == 0)
