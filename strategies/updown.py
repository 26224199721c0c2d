"""UP & DOWN: policies, simplest first."""

from __future__ import annotations

import numpy as np

from simcore.games.updown.moves import random_move
from simcore.games.updown.table import CHANGE
from strategies.registry import Param, Policy, policy, register
from strategies.search import best_move, search_params
from strategies.updown_moves import (
    best_bet,
    cancel,
    change_by_chance,
    change_by_count,
    change_for_best_card,
    is_late,
    leads_next,
    least_cancelled,
    own_colour_card,
)
from strategies.updown_sight import (
    NO_CARD,
    shed,
    surest_card,
)
from strategies.updown_specs import (
    dodger_spec,
    eager_spec,
    saver_spec,
    shaper_spec,
    spoiler_spec,
)


def random(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return random_move(table, seat)


register(
    Policy(
        "updown",
        "random",
        "any legal move, each with the same probability (the reference)",
        random,
        built_in=True,
    )
)


@policy(
    "updown",
    idea="always plays its best card that can win; leads for the rules that make one best",
    spec=eager_spec,
)
def eager(table, seat):
    """Go for every trick."""
    if table.phase == CHANGE:
        return change_for_best_card(table, seat)
    card = surest_card(table, seat)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="saves trumps for the pot and the end: before that, its best card in the own colour",
    params=[
        Param("pot", 1, 0, 15, "tricks in the pot for which it plays a trump"),
        Param("late", 8, 0, 15, "cards left from which on it plays trumps for any trick"),
    ],
    spec=saver_spec,
)
def saver(table, seat):
    """Save trumps."""
    if table.phase == CHANGE:
        return change_for_best_card(table, seat)
    card = np.int64(NO_CARD)
    if table.pot >= seat.params[0] or is_late(table, seat.params[1]):
        card = surest_card(table, seat)
    if card == NO_CARD:
        card = own_colour_card(table, seat)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="cancels on purpose: without a card that can win it plays what an opponent would like to",
    spec=spoiler_spec,
)
def spoiler(table, seat):
    """Spoil the tricks of others."""
    if table.phase == CHANGE:
        return change_for_best_card(table, seat)
    card = surest_card(table, seat)
    if card == NO_CARD:
        card = cancel(table, seat)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="changes the rules to suit itself and nobody else: few unseen cards beat its best",
    params=[
        Param("better", 0.5, 0, 12, "ranks that each unseen card takes off that beats its best")
    ],
    spec=shaper_spec,
)
def shaper(table, seat):
    """Shape the rules."""
    if table.phase == CHANGE:
        return change_by_count(table, seat, seat.params[0])
    card = surest_card(table, seat)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="counts the cards played, and plays and changes the rules for the best chance by that",
    params=[Param("chance", 0.1, 0, 1, "lowest chance for which it goes for a trick")],
)
def counter(table, seat):
    """Count cards."""
    if table.phase == CHANGE:
        return change_by_chance(table, seat, 1.0)
    card = best_bet(table, seat, 1.0, seat.params[0], 0.0)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="fills the pot before it leads itself: then it cancels what others want",
    params=[
        Param("chance", 0.5, 0, 1, "chance from which on it goes for the trick all the same"),
    ],
)
def banker(table, seat):
    """Fill the pot for the own lead."""
    if table.phase == CHANGE:
        return change_by_chance(table, seat, 1.0)
    lead = leads_next(table)
    card = best_bet(table, seat, 1.0, seat.params[0] * (1 + table.pot) if lead else 0.0, 0.0)
    if card == NO_CARD and lead:
        card = cancel(table, seat)
    if card == NO_CARD:
        card = surest_card(table, seat)
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="dodges cancelling: a lower card whose equals are gone before a higher one; guesses ties",
    params=[Param("equal", 2, 0, 12, "ranks that each equal card still unseen takes off a card")],
    spec=dodger_spec,
)
def dodger(table, seat):
    """Dodge cancelling."""
    if table.phase == CHANGE:
        return change_for_best_card(table, seat)
    card = least_cancelled(table, seat, seat.params[0])
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="counts cards, expects keen opponents, saves trumps, and fills the pot before it leads",
    params=[
        # Tuned as one seat of four, keen=77, trump=1.1, chance=0, cancel=1.4 wins 8 points more;
        # but two such players ruin each other's tricks, so the defaults are what it was before.
        Param("keen", 4, 1, 100, "how much likelier opponents play a card that can win"),
        Param("trump", 0.35, 0, 5, "tricks that a trump is worth when kept, with a full hand"),
        Param("chance", 0.7, 0, 1, "chance from which on it goes for a trick before its own lead"),
        Param("cancel", 1, 0, 2, "cancels what others want never, before its own lead, always"),
    ],
)
def all_rounder(table, seat):
    """Weigh chances, the pot and the lead."""
    if table.phase == CHANGE:
        return change_by_chance(table, seat, seat.params[0])
    lead = leads_next(table)
    least = seat.params[2] * (1 + table.pot) if lead else 0.0
    card = best_bet(table, seat, seat.params[0], least, seat.params[1])
    if card == NO_CARD and seat.params[3] + lead >= 2.0:
        card = cancel(table, seat)
    if card == NO_CARD and lead:
        card = best_bet(table, seat, seat.params[0], 0.0, seat.params[1])
    if card == NO_CARD:
        card = shed(table, seat)
    return card


@policy(
    "updown",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("updown", "all_rounder", rollouts=100, winning=3, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
