"""Up: policies, simplest first."""

from __future__ import annotations

import numpy as np

from simcore.games.up.cards import HIGHEST, size_of
from simcore.games.up.moves import random_move
from simcore.games.up.table import CUT, PLAY
from strategies import up_specs
from strategies.registry import Param, Policy, policy, register
from strategies.search import best_move, search_params, usual_move
from strategies.up_moves import (
    NOTHING,
    collapse,
    fewest_cards,
    judge,
    lay_best,
    lay_heavy,
    lay_heavy_or_rescue,
    lay_minus_twos,
    lay_special,
    rescue,
    save_specials,
    say_nothing,
    turn_up_safely,
)
from strategies.up_sight import value_of


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


@policy(
    "up",
    idea="lays as many cards as it can at once, and of those what lowers the tower least",
    params=[Param("card", 2, 0, 12, "values of the tower that laying one more card is worth")],
    spec=up_specs.greedy,
)
def greedy(table, seat):
    """Lay many."""
    if table.phase != PLAY:
        return say_nothing(table)
    move = lay_best(table, seat, seat.params[0], 0.0)
    if move == NOTHING:
        move = rescue(table, seat)
    return move


@policy(
    "up",
    idea="sheds what counts most first: the heaviest value; special cards before it near the end",
    params=[Param("cards", 6, 0, 60, "own cards left from which on special cards go first")],
    spec=up_specs.shedder,
)
def shedder(table, seat):
    """Shed high first."""
    if table.phase != PLAY:
        return say_nothing(table)
    move = np.int64(NOTHING)
    if table.cards[table.seat] <= seat.params[0]:
        move = lay_special(table, seat)
    if move == NOTHING:
        move = lay_heavy_or_rescue(table, seat, 0)
    return move


@policy(
    "up",
    idea="frees its hidden cards: open cards before the hand, then turns up when it is safe",
    params=[Param("cap", 6, 0, 12, "lowest cap at which it turns up a hidden card")],
    spec=up_specs.freer,
)
def freer(table, seat):
    """Free the hidden cards."""
    if table.phase != PLAY:
        return say_nothing(table)
    move = turn_up_safely(table, seat, seat.params[0])
    if move == NOTHING:
        move = lay_heavy_or_rescue(table, seat, HIGHEST)
    return move


@policy(
    "up",
    idea='hoards "-2" and clear cards, and takes towers for it, until it has few cards left',
    params=[
        Param("threshold", 6, 0, 60, "own cards left from which on it plays special cards"),
        Param("tower", 3, 0, 143, "most cards that it takes to save a special card"),
    ],
    spec=up_specs.hoarder,
)
def hoarder(table, seat):
    """Hoard special cards."""
    if table.phase != PLAY:
        return judge(table, seat, 1)
    move = lay_heavy(table, seat, 0)
    if move == NOTHING:
        if table.cards[table.seat] <= seat.params[0] or size_of(table.tower) > seat.params[1]:
            return rescue(table, seat)
        return save_specials(table, seat)
    return move


@policy(
    "up",
    idea="collapses small low towers on purpose early in the round, to collect low cards and lead",
    params=[
        Param("cards", 2, 0, 20, "most cards it takes"),
        Param("cap", 4, 0, 11, "highest cap of a low tower"),
        Param("laps", 4, 0, 100, "laps of the round in which it does so"),
    ],
    spec=up_specs.collapser,
)
def collapser(table, seat):
    """Collapse on purpose."""
    if table.phase != PLAY:
        return say_nothing(table)
    move = np.int64(NOTHING)
    if (
        0 < table.cap <= seat.params[1]
        and table.plays < seat.params[2] * table.players
        and size_of(table.tower) <= seat.params[0]
    ):
        move = collapse(table, seat)
    if move == NOTHING:
        move = lay_heavy_or_rescue(table, seat, 0)
    return move


@policy(
    "up",
    idea="watches for an opponent about to finish: then blocks with low caps and dumps what counts",
    params=[Param("cards", 3, 0, 13, "cards left of an opponent that put it on its guard")],
    spec=up_specs.guard,
)
def guard(table, seat):
    """Guard against an opponent about to finish."""
    if table.phase != PLAY:
        return judge(table, seat, 1)
    move = lay_special(table, seat)
    if move != NOTHING and fewest_cards(table) <= seat.params[0]:
        return move
    return lay_heavy_or_rescue(table, seat, 0)


@policy(
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
    spec=up_specs.all_rounder,
)
def all_rounder(table, seat):
    """Weigh cards against values, save low cards, and guard."""
    if table.phase != PLAY:
        return judge(table, seat, 2)
    best = lay_best(table, seat, seat.params[0], seat.params[1])
    value = value_of(table, best)
    move = lay_minus_twos(table, seat)
    if move != NOTHING and (value <= seat.params[2] or fewest_cards(table) <= seat.params[5]):
        return move
    move = np.int64(NOTHING)
    if value <= seat.params[3]:
        move = turn_up_safely(table, seat, seat.params[4])
    if move == NOTHING:
        move = best
    if move == NOTHING:
        move = rescue(table, seat)
    return move


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
