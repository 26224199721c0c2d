"""dnup: policies, simplest first."""

from __future__ import annotations

from math import floor

from simcore.games.dnup.cards import row_of
from simcore.games.dnup.moves import random_move
from simcore.games.dnup.spec import HIGHEST_FIRST, play_spec
from strategies.dnup_moves import (
    NOTHING,
    PATIENCE,
    add_any,
    add_last_of_value,
    beat_set_of,
    fewest_cards,
    get_by,
    hardest_to_beat,
    highest,
    largest,
    largest_or_get_by,
    least_threatened,
    settle,
    take_fitting,
    turn_for,
    values_held,
    whole_sets,
)
from strategies.registry import Param, Policy, policy, register
from strategies.search import best_move, search_params

GUARD_CARD = 4.0
"""Values that one more card in a set is worth to a guard."""


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


@policy(
    "dnup",
    idea="plays as many cards as it can at once, of those the highest value",
    spec=lambda _values: play_spec(PATIENCE, parts=True),
)
def greedy(table, seat):
    """Play the largest set."""
    move = settle(table, seat)
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="plays the highest value first, as many cards of it as it can",
    spec=lambda _values: play_spec(PATIENCE, parts=True, card=HIGHEST_FIRST),
)
def high(table, seat):
    """Play the highest value."""
    move = settle(table, seat)
    if move == NOTHING:
        move = highest(seat.plays)
    if move == NOTHING:
        move = get_by(table, seat)
    return move


@policy(
    "dnup",
    idea="feeds the sets of others: what is added there never comes back; else the largest set",
    params=[Param("size", 2, 1, 7, "it adds unless it can play more cards than this at once")],
    spec=lambda values: play_spec(PATIENCE, smallest=floor(values[0]) + 1, feeds=True),
)
def feeder(table, seat):
    """Add cards to the sets of others."""
    move = settle(table, seat)
    if move != NOTHING:
        return move
    play = largest(whole_sets(seat))
    if play == NOTHING or row_of(play) + 1 <= seat.params[0]:
        move = add_any(seat)
    return largest_or_get_by(table, seat, play if move == NOTHING else move)


@policy(
    "dnup",
    idea="turns its hand when the other side has fewer different values, so fewer turns to go",
    params=[Param("gain", 2, 1, 9, "different values that turning must save")],
    spec=lambda values: play_spec(PATIENCE, parts=True, gain=values[0]),
)
def turner(table, seat):
    """Turn to the better side."""
    move = settle(table, seat)
    if move == NOTHING:
        move = turn_for(table, seat, seat.params[0])
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="keeps an exit: plays whole values, the hardest to beat first, and the weakest last",
    params=[Param("card", 4, 0, 10, "values that one more card in a set is worth")],
    spec=lambda values: play_spec(PATIENCE, card=values[0], feeds=True),
)
def exit_keeper(table, seat):
    """Keep the weakest set for the end, when nothing can come back."""
    move = settle(table, seat)
    if move == NOTHING:
        move = hardest_to_beat(whole_sets(seat), seat.params[0])
    if move == NOTHING:
        move = add_any(seat)
    return largest_or_get_by(table, seat, move)


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
    play = largest(whole_sets(seat))
    small = play == NOTHING or row_of(play) + 1 <= seat.params[1]
    if small and values_held(seat.active) > seat.params[2]:
        move = take_fitting(table, seat, seat.params[0])
    if move == NOTHING:
        move = turn_for(table, seat, 2)
    if move == NOTHING:
        move = play
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="guards against who is about to finish: sends their sets back; else it keeps an exit",
    params=[Param("cards", 3, 0, 40, "hand cards of an opponent that put it on its guard")],
    spec=lambda values: play_spec(PATIENCE, card=GUARD_CARD, last_of_value=True, wary=values[0]),
)
def guard(table, seat):
    """Starve the opponent with the fewest cards."""
    move = settle(table, seat)
    if move != NOTHING:
        return move
    victim = fewest_cards(table)
    if table.cards[victim] <= seat.params[0]:
        move = beat_set_of(table, seat, victim)
    if move == NOTHING:
        move = add_last_of_value(seat)
    if move == NOTHING:
        move = hardest_to_beat(whole_sets(seat), GUARD_CARD)
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="counts cards: plays what those still out are least likely to beat, and turns in between",
    params=[
        Param("risk", 2, 0, 50, "expected beating plays from which it rather adds a card"),
        Param("gain", 2, 1, 9, "different values that turning must save"),
    ],
)
def counter(table, seat):
    """Play what is least likely to be beaten."""
    move = settle(table, seat)
    if move != NOTHING:
        return move
    move = turn_for(table, seat, seat.params[1])
    if move != NOTHING:
        return move
    best, least = least_threatened(table, seat, whole_sets(seat))
    if least > seat.params[0]:
        move = add_any(seat)
    if move == NOTHING:
        move = best
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="a bit of all: turns to the better side, feeds what stands alone, keeps an exit, guards",
    params=[
        # `gain` and `card` by `cardlab tune --against all_rounder,counter,exit_keeper`.
        Param("gain", 1, 1, 9, "different values that turning must save"),
        Param("card", 6, 0, 10, "values that one more card in a set is worth"),
        Param("cards", 1, 0, 40, "hand cards of an opponent that put it on its guard"),
    ],
    spec=lambda values: play_spec(
        PATIENCE, gain=values[0], card=values[1], wary=values[2], last_of_value=True, feeds=True
    ),
)
def all_rounder(table, seat):
    """Combine the ideas."""
    move = settle(table, seat)
    if move != NOTHING:
        return move
    victim = fewest_cards(table)
    if table.cards[victim] <= seat.params[2]:
        move = beat_set_of(table, seat, victim)
    if move == NOTHING:
        move = turn_for(table, seat, seat.params[0])
    if move == NOTHING:
        move = add_last_of_value(seat)
    if move == NOTHING:
        move = hardest_to_beat(whole_sets(seat), seat.params[1])
    if move == NOTHING:
        move = add_any(seat)
    return largest_or_get_by(table, seat, move)


@policy(
    "dnup",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("dnup", "all_rounder", rollouts=50, winning=3, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
