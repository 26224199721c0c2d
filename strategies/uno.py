"""UNO: policies, simplest first."""

from __future__ import annotations

from simcore.games.uno.moves import random_move
from strategies.registry import Policy, register


def random(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return random_move(table, seat)


register(
    Policy(
        "uno",
        "random",
        "any legal move, each with the same probability (the reference)",
        random,
        built_in=True,
    )
)
