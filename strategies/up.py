"""Up: policies, simplest first. All but `random` and `search` are nothing but play specs."""

from __future__ import annotations

import math
from collections.abc import Sequence

from simcore.games.up.cards import HIGHEST
from simcore.games.up.moves import random_move
from simcore.games.up.spec import (
    COLLAPSE,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    MOST_CARDS,
    NO_CAP,
    TURN_UP,
    VALUE,
    play_spec,
    weights,
)
from simcore.games.up.table import CUT
from strategies.params import Param
from strategies.registry import Policy, policy, register, spec_policy
from strategies.search import best_move, search_params, usual_move

HEAVY_OR_RESCUE = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
SPECIAL_FIRST = (LAY_CLEAR, LAY_MINUS_TWOS, LAY_HEAVY, TURN_UP, COLLAPSE)
HEAVY_OR_SAVE_SPECIALS = (LAY_HEAVY, TURN_UP, COLLAPSE, LAY_MINUS_TWOS, LAY_CLEAR)
TURN_UP_FIRST = (TURN_UP, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, COLLAPSE)
COLLAPSE_FIRST = (COLLAPSE, LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP)
"""Orders of sorts of moves: what is tried in turn."""

PATIENCE = 40
"""Plays for each player after which a round is long; most end within half of that."""


LOW_POINTS = range(6)
"""Of "-2" cards that count so little that nobody needs to be rid of them."""

TUNED = (
    # By `cardlab tune --rule clear_cards=0`; of more players against what it found first, too.
    (
        {"clear_cards": (0,), "players": (2,)},
        {"card": 1.4, "open": 1.6, "low": 2, "light": 6, "cap": 9, "cards": 0},
    ),
    ({"clear_cards": (0,)}, {"card": 0.7, "open": 3.3, "low": 4, "light": 4, "cap": 7, "cards": 1}),
    ({"minus_two_points": LOW_POINTS}, {"cards": 0}),
)
"""How `all_rounder` weighs under rules where its usual weights are worse by a point or more."""


def random(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return random_move(table, seat)


register(
    Policy(
        "up",
        "random",
        "any legal move, each with the same probability (the reference)",
        random,
        built_in=True,
    )
)


@spec_policy(
    "up",
    idea="lays as many cards as it can at once, and of those what lowers the tower least",
    params=[Param("card", 2, 0, 12, "values of the tower that laying one more card is worth")],
)
def greedy(params: Sequence[float]) -> Sequence[int]:
    """Lay many."""
    return play_spec(HEAVY_OR_RESCUE, weights=_worths(params[0], 0.0))


@spec_policy(
    "up",
    idea="sheds what counts most first: the heaviest value; special cards before it near the end",
    params=[Param("cards", 6, 0, 60, "own cards left from which on special cards go first")],
)
def shedder(params: Sequence[float]) -> Sequence[int]:
    """Shed high first."""
    return play_spec(HEAVY_OR_RESCUE, SPECIAL_FIRST, own=(0, params[0]))


@spec_policy(
    "up",
    idea="frees its hidden cards: open cards before the hand, then turns up when it is safe",
    params=[Param("cap", 6, 0, 12, "lowest cap at which it turns up a hidden card")],
)
def freer(params: Sequence[float]) -> Sequence[int]:
    """Free the hidden cards."""
    cap = (params[0], NO_CAP)
    return play_spec(HEAVY_OR_RESCUE, TURN_UP_FIRST, per_open=HIGHEST, cap=cap)


@spec_policy(
    "up",
    idea='hoards "-2" and clear cards, and takes towers for it, until it has few cards left',
    params=[
        Param("threshold", 6, 0, 60, "own cards left from which on it plays special cards"),
        Param("tower", 3, 0, 143, "most cards that it takes to save a special card"),
    ],
)
def hoarder(params: Sequence[float]) -> Sequence[int]:
    """Hoard special cards with many cards left, on small towers."""
    own = (math.floor(params[0]) + 1, MOST_CARDS)
    return play_spec(
        HEAVY_OR_RESCUE, HEAVY_OR_SAVE_SPECIALS, own=own, tower=params[1], announces=(1, 1)
    )


@spec_policy(
    "up",
    idea="collapses small low towers on purpose early in the round, to collect low cards and lead",
    params=[
        Param("cards", 2, 0, 20, "most cards it takes"),
        Param("cap", 4, 0, 11, "highest cap of a low tower"),
        Param("laps", 4, 0, 100, "laps of the round in which it does so"),
    ],
)
def collapser(params: Sequence[float]) -> Sequence[int]:
    """Collapse on purpose."""
    cards, cap, laps = params
    return play_spec(HEAVY_OR_RESCUE, COLLAPSE_FIRST, tower=cards, cap=(1, cap), laps=laps)


@spec_policy(
    "up",
    idea="watches for an opponent about to finish: then blocks with low caps and dumps what counts",
    params=[Param("cards", 3, 0, 13, "cards left of an opponent that put it on its guard")],
)
def guard(params: Sequence[float]) -> Sequence[int]:
    """Guard against an opponent about to finish."""
    return play_spec(HEAVY_OR_RESCUE, SPECIAL_FIRST, opponent=params[0], announces=(1, 1))


@spec_policy(
    "up",
    idea='a bit of all: most cards, open cards, hidden ones; "-2" before low cards and as a guard',
    params=[
        # By `cardlab tune --against all_rounder,guard,greedy --budget 400000`.
        Param("card", 1.6, 0, 12, "values that laying one more card is worth"),
        Param("open", 2.5, 0, 12, "values that each card is worth more if it is an open one"),
        Param("low", 3, 0, 11, 'it lays a "-2" rather than a value up to this'),
        Param("light", 5, 0, 11, "it turns up a hidden card rather than lay a value up to this"),
        Param("cap", 8, 0, 12, "lowest cap at which it does so"),
        Param("cards", 2, 0, 60, "cards left of an opponent that put it on its guard"),
    ],
    under=TUNED,
)
def all_rounder(params: Sequence[float]) -> Sequence[int]:
    """Weigh cards against values, save low cards, and guard."""
    card, open_card, low, light, cap, cards = params
    worths = _worths(card, open_card, low=low, light=light, cap=cap, opponent=cards)
    return play_spec(HEAVY_OR_RESCUE, weights=worths, announces=(1, 2))


def _worths(per_card: float, per_open: float, **when: float) -> int:
    """Return what each card is worth, and each open card besides; and when other moves go first."""
    open_weight, late_weight = int(VALUE * (per_card + per_open)), int(VALUE * per_open)
    return weights(int(VALUE * per_card), open_weight, late_weight, PATIENCE, **when)


@policy(
    "up",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("up", "all_rounder", rollouts=100, winning=10, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search; at the cut, before anything is dealt, do as the heuristic does."""
    if table.phase == CUT:
        return usual_move(table, seat)
    return best_move(table, seat)
