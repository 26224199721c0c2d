"""Margins of equivalence: changes up to which two sets of rules count as equivalent.

They are given in the study file (`[compare] margin`) or to `cardlab compare` (`--margin`), and
should be fixed before anything is played.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from simcore.errors import InputError, unknown
from simcore.game import Game
from studies.design.keys import Compare

WIN_SHARE, WIN_RATE = "win_share", "win_rate"
MARGINS = (WIN_SHARE, "score")
"""Numbers that can have a margin, besides the game's metrics."""


def named_margins(margin: float | Mapping[str, float] | None) -> dict[str, float]:
    """Return margins by name; a bare number is a margin of the win rate."""
    if margin is None:
        return {}
    return dict(margin) if isinstance(margin, Mapping) else {WIN_SHARE: margin}


def frame_margins(compare: Compare | None) -> dict[str, float]:
    """Return a study's margins by the names that its numbers have in the frame of answers."""
    margins = named_margins(compare.margin if compare else None)
    return {WIN_RATE if name == WIN_SHARE else name: margin for name, margin in margins.items()}


def check_margins(game: Game, margins: Mapping[str, float]) -> Mapping[str, float]:
    """Return margins of equivalence, checked."""
    allowed = (*MARGINS, *game.metric_names)
    for name, margin in margins.items():
        if name not in allowed:
            raise unknown("margin", name, allowed, f"of {game.name}")
        if not 0 < margin < math.inf:
            raise InputError(f"margin {name} = {margin!r} is refused; allowed: a number above 0")
    return margins
