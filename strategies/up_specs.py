"""Up: how the policies of `strategies.up` play, in the numbers that the game's lanes know.

Each function takes a policy's parameter values and returns what `simcore.games.up.spec.spec`
returns. It must say just what the policy does; `tests/up/test_lane_policies.py` compares them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from simcore.games.up.cards import HIGHEST
from simcore.games.up.spec import (
    COLLAPSE,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    MOST_CARDS,
    MOST_OF_OPPONENT,
    NO_CAP,
    TURN_UP,
    play_spec,
    weights,
)
from strategies.up_moves import PATIENCE, WEIGHT

HEAVY_OR_RESCUE = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
SPECIAL_FIRST = (LAY_CLEAR, LAY_MINUS_TWOS, LAY_HEAVY, TURN_UP, COLLAPSE)
HEAVY_OR_SAVE_SPECIALS = (LAY_HEAVY, TURN_UP, COLLAPSE, LAY_MINUS_TWOS, LAY_CLEAR)
TURN_UP_FIRST = (TURN_UP, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, COLLAPSE)
COLLAPSE_FIRST = (COLLAPSE, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP)
"""Orders of sorts of moves: what the pieces of the same names in `up_moves` try in turn."""


def shedder(params: Sequence[float]) -> Sequence[int]:
    """Lay special cards first with few cards left."""
    return play_spec(HEAVY_OR_RESCUE, SPECIAL_FIRST, own=(0, params[0]))


def freer(params: Sequence[float]) -> Sequence[int]:
    """Lay open cards before those of the hand; first turn up if the tower bears enough."""
    cap = (params[0], NO_CAP)
    return play_spec(HEAVY_OR_RESCUE, TURN_UP_FIRST, per_open=HIGHEST, cap=cap)


def hoarder(params: Sequence[float]) -> Sequence[int]:
    """Save special cards with many cards left and on small towers."""
    own = (math.floor(params[0]) + 1, MOST_CARDS)
    return play_spec(HEAVY_OR_RESCUE, HEAVY_OR_SAVE_SPECIALS, own=own, tower=params[1])


def collapser(params: Sequence[float]) -> Sequence[int]:
    """Let small low towers collapse first, early in the round."""
    cards, cap, laps = params
    return play_spec(HEAVY_OR_RESCUE, COLLAPSE_FIRST, tower=cards, cap=(1, cap), laps=laps)


def guard(params: Sequence[float]) -> Sequence[int]:
    """Lay special cards first if an opponent has few cards left."""
    return play_spec(HEAVY_OR_RESCUE, SPECIAL_FIRST, opponent=params[0])


def greedy(params: Sequence[float]) -> Sequence[int]:
    """Lay what is worth most, by cards."""
    return play_spec(HEAVY_OR_RESCUE, weights=_worths(params[0], 0.0))


def all_rounder(params: Sequence[float]) -> Sequence[int]:
    """Lay what is worth most, but other cards before low values.

    No spec if it is on its guard against more cards than lanes count of an opponent.
    """
    card, open_card, low, light, cap, cards = params
    if cards >= MOST_OF_OPPONENT:
        return ()
    when = {"low": low, "light": light, "cap": cap, "opponent": cards}
    return play_spec(HEAVY_OR_RESCUE, weights=_worths(card, open_card, **when))


def _worths(per_card: float, per_open: float, **when: float) -> int:
    """Return the weights as `up_moves.lay_best` rounds them, and when other moves go first."""
    open_weight, late_weight = int(WEIGHT * (per_card + per_open)), int(WEIGHT * per_open)
    return weights(int(WEIGHT * per_card), open_weight, late_weight, PATIENCE, **when)
