"""dnup: policies, simplest first."""

from __future__ import annotations

from math import floor

from simcore.games.dnup.cards import row_of
from simcore.games.dnup.choice import NOTHING, play_by, whole_sets
from simcore.games.dnup.moves import random_move
from simcore.games.dnup.spec import HIGHEST_FIRST, play_spec
from strategies.dnup_moves import largest, settle, take_fitting, values_held
from strategies.params import Param
from strategies.registry import Policy, policy, register, spec_policy
from strategies.search import best_move, search_params

GUARD_CARD = 4.0
"""Values that one more card in a set is worth to a guard."""

_TURNING = play_spec(gain=2)
"""What a collector does besides."""


def random(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return random_move(table, seat)


register(
    Policy(
        "dnup",
        "random",
        "any legal move, each with the same probability (the reference)",
        random,
        built_in=True,
    )
)


@spec_policy(
    "dnup",
    idea="plays as many cards as it can at once, of those the highest value",
)
def greedy(_values):
    """Play the largest set."""
    return play_spec(parts=True)


@spec_policy(
    "dnup",
    idea="plays the highest value first, as many cards of it as it can",
)
def high(_values):
    """Play the highest value."""
    return play_spec(parts=True, card=HIGHEST_FIRST)


@spec_policy(
    "dnup",
    idea="feeds the sets of others: what is added there never comes back; else the largest set",
    params=[Param("size", 2, 1, 7, "it adds unless it can play more cards than this at once")],
)
def feeder(values):
    """Add cards to the sets of others."""
    return play_spec(smallest=floor(values[0]) + 1, feeds=True)


@spec_policy(
    "dnup",
    idea="turns its hand when the other side has fewer different values, so fewer turns to go",
    params=[Param("gain", 2, 1, 9, "different values that turning must save")],
)
def turner(values):
    """Turn to the better side."""
    return play_spec(parts=True, gain=values[0])


@spec_policy(
    "dnup",
    idea="keeps an exit: plays whole values, the hardest to beat first, and the weakest last",
    params=[Param("card", 4, 0, 10, "values that one more card in a set is worth")],
)
def exit_keeper(values):
    """Keep the weakest set for the end, when nothing can come back."""
    return play_spec(card=values[0], feeds=True)


@policy(
    "dnup",
    idea="takes up sets that, turned, all fit values it holds, while it could only play small ones",
    params=[
        Param("fit", 2, 1, 9, "cards of the set at least"),
        Param("size", 1, 0, 7, "most cards of its own largest set"),
        Param("values", 3, 0, 9, "it takes nothing with so few different values"),
    ],
)
def collector(table, seat):
    """Take sets that fit."""
    move = settle(table, seat)
    if move != NOTHING:
        return move
    play = largest(whole_sets(seat.active, seat.plays))
    small = play == NOTHING or row_of(play) + 1 <= seat.params[1]
    if small and values_held(seat.active) > seat.params[2]:
        move = take_fitting(table, seat, seat.params[0])
    return move if move != NOTHING else play_by(table, seat, _TURNING)


@spec_policy(
    "dnup",
    idea="guards against who is about to finish: sends their sets back; else it keeps an exit",
    params=[Param("cards", 3, 0, 40, "hand cards of an opponent that put it on its guard")],
)
def guard(values):
    """Starve the opponent with the fewest cards."""
    return play_spec(card=GUARD_CARD, last_of_value=True, wary=values[0])


@spec_policy(
    "dnup",
    idea="counts cards: plays what those still out are least likely to beat, and turns in between",
    params=[
        Param("risk", 2, 0, 50, "expected beating plays from which it rather adds a card"),
        Param("gain", 2, 1, 9, "different values that turning must save"),
    ],
)
def counter(values):
    """Play what is least likely to be beaten."""
    return play_spec(counts=True, card=values[0], gain=values[1], feeds=True)


@spec_policy(
    "dnup",
    idea="a bit of all: turns to the better side, feeds what stands alone, keeps an exit, guards",
    params=[
        # `gain` and `card` by `cardlab tune --against all_rounder,counter,exit_keeper`.
        Param("gain", 1, 1, 9, "different values that turning must save"),
        Param("card", 6, 0, 10, "values that one more card in a set is worth"),
        Param("cards", 1, 0, 40, "hand cards of an opponent that put it on its guard"),
    ],
)
def all_rounder(values):
    """Combine the ideas."""
    return play_spec(gain=values[0], card=values[1], wary=values[2], last_of_value=True, feeds=True)


@policy(
    "dnup",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("dnup", "all_rounder", rollouts=50, winning=3, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
