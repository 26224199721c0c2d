"""UP & DOWN: policies, simplest first; all but the search say in numbers how they play.

`simcore/games/updown/spec.py` says what the words mean.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.updown.moves import random_move
from simcore.games.updown.spec import (
    BETS_ANYWAY,
    CANCELS,
    CANCELS_BEFORE_LEAD,
    PATIENT,
    PLAYS_BEST,
    play_spec,
)
from strategies.params import Param
from strategies.registry import Policy, policy, register, spec_policy
from strategies.search import best_move, search_params


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


@spec_policy(
    "updown",
    idea="always plays its best card that can win; leads for the rules that make one best",
)
def eager(_params: Sequence[float]) -> tuple[int, ...]:
    """Go for every trick."""
    return play_spec()


@spec_policy(
    "updown",
    idea="saves trumps for the pot and the end: before that, its best card in the own colour",
    params=[
        Param("pot", 1, 0, 15, "tricks in the pot for which it plays a trump"),
        Param("late", 8, 0, 15, "cards left from which on it plays trumps for any trick"),
    ],
)
def saver(params: Sequence[float]) -> tuple[int, ...]:
    """Save trumps."""
    pot, late = params
    return play_spec(pot, late)


@spec_policy(
    "updown",
    idea="cancels on purpose: without a card that can win it plays what an opponent would like to",
)
def spoiler(_params: Sequence[float]) -> tuple[int, ...]:
    """Spoil the tricks of others."""
    return play_spec(then=CANCELS)


@spec_policy(
    "updown",
    idea="changes the rules to suit itself and nobody else: few unseen cards beat its best",
    params=[
        Param("better", 0.5, 0, 12, "ranks that each unseen card takes off that beats its best")
    ],
)
def shaper(params: Sequence[float]) -> tuple[int, ...]:
    """Shape the rules."""
    return play_spec(better=params[0])


@spec_policy(
    "updown",
    idea="counts the cards played, and plays and changes the rules for the best chance by that",
    params=[Param("chance", 0.1, 0, 1, "lowest chance for which it goes for a trick")],
)
def counter(params: Sequence[float]) -> tuple[int, ...]:
    """Count cards."""
    return play_spec(keen=1, enough=params[0])


@spec_policy(
    "updown",
    idea="fills the pot before it leads itself: then it cancels what others want",
    params=[
        Param("chance", 0.5, 0, 1, "chance from which on it goes for the trick all the same"),
    ],
)
def banker(params: Sequence[float]) -> tuple[int, ...]:
    """Fill the pot for the own lead."""
    return play_spec(keen=1, enough=params[0], then=PATIENT | CANCELS_BEFORE_LEAD | PLAYS_BEST)


@spec_policy(
    "updown",
    idea="dodges cancelling: a lower card whose equals are gone before a higher one; guesses ties",
    params=[Param("equal", 2, 0, 12, "ranks that each equal card still unseen takes off a card")],
)
def dodger(params: Sequence[float]) -> tuple[int, ...]:
    """Dodge cancelling."""
    return play_spec(equal=params[0])


@spec_policy(
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
def all_rounder(params: Sequence[float]) -> tuple[int, ...]:
    """Weigh chances, the pot and the lead."""
    keen, price, chance, cancels = params
    then = PATIENT | BETS_ANYWAY | (CANCELS_BEFORE_LEAD if cancels >= 1 else 0)
    then |= CANCELS if cancels >= 2 else 0
    return play_spec(keen=keen, enough=chance, price=price, then=then)


@policy(
    "updown",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("updown", "all_rounder", rollouts=100, winning=3, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
