"""UNO: policies, simplest first."""

from __future__ import annotations

import numpy as np

from simcore.games.uno.cards import (
    ACTIONS,
    COLOURED,
    NUMBERS,
    WILDS,
)
from simcore.games.uno.moves import random_move
from simcore.games.uno.table import CHALLENGE, COLOUR
from strategies.registry import Param, Policy, policy, register
from strategies.search import best_move, search_params, usual_move
from strategies.uno_moves import (
    FOUR_AND_MORE,
    HITS,
    NOTHING,
    SEVEN_AND_MORE,
    accept,
    answer,
    bluff,
    doubt,
    lay_any,
    lay_in_best_colour,
    lay_or_draw,
    name_any,
    name_best_colour,
)
from strategies.uno_sight import (
    colour_drawn_on,
    fewest_cards,
    honest_cards,
    lay_none,
    next_seat,
    prefer,
)
from strategies.uno_specs import (
    dumper_spec,
    hitter_spec,
    majority_spec,
    random_playable_spec,
    saver_spec,
)


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


@policy(
    "uno",
    idea="any card that goes, each with the same probability; no bluff, no challenge",
    spec=random_playable_spec,
)
def random_playable(table, seat):
    """Lay a random card whenever one goes; draw only if none does."""
    if table.phase >= COLOUR:
        return accept() if table.phase == CHALLENGE else name_any(seat)
    cards = honest_cards(table, seat)
    if cards == 0:
        return lay_none(table)
    return lay_any(seat, cards)


@policy(
    "uno",
    idea="sheds what counts most first: action cards, high numbers, near the end wild cards",
    params=[Param("cards", 2, 0, 20, "cards left of an opponent at which wild cards go first")],
    spec=dumper_spec,
)
def dumper(table, seat):
    """Shed points."""
    if table.phase >= COLOUR:
        return answer(table, seat)
    cards = honest_cards(table, seat)
    if fewest_cards(table, seat) <= seat.params[0]:
        cards = prefer(cards, WILDS)
    for kinds in (ACTIONS, SEVEN_AND_MORE, FOUR_AND_MORE):
        if cards & kinds:
            return lay_or_draw(table, seat, cards & kinds)
    return lay_or_draw(table, seat, cards)


@policy(
    "uno",
    idea="lays in the colour of which it holds most, so that it can go on; wilds last",
    spec=majority_spec,
)
def majority(table, seat):
    """Stay in the richest colour."""
    if table.phase >= COLOUR:
        return answer(table, seat)
    return lay_or_draw(table, seat, prefer(honest_cards(table, seat), COLOURED))


@policy(
    "uno",
    idea="keeps action and wild cards until an opponent has few cards left, then lays them first",
    params=[
        # By `cardlab tune --against all_rounder,hitter,watcher`.
        Param("cards", 2, 0, 20, "cards left of an opponent that end the saving"),
    ],
    spec=saver_spec,
)
def saver(table, seat):
    """Save what is strong."""
    if table.phase >= COLOUR:
        return answer(table, seat)
    cards = honest_cards(table, seat)
    if fewest_cards(table, seat) <= seat.params[0]:
        cards = prefer(cards, ACTIONS | WILDS)
    else:
        cards = prefer(prefer(cards, COLOURED), NUMBERS)
    return lay_or_draw(table, seat, cards)


@policy(
    "uno",
    idea="hits the next player when that one is about to finish: draw, skip or reverse first",
    params=[Param("cards", 3, 0, 20, "cards left of the next player that make it hit")],
    spec=hitter_spec,
)
def hitter(table, seat):
    """Act against a player about to finish."""
    if table.phase >= COLOUR:
        return answer(table, seat)
    cards = honest_cards(table, seat)
    if table.cards[next_seat(table, seat)] <= seat.params[0]:
        cards = prefer(cards, HITS)
    else:
        cards = prefer(cards, COLOURED)
    return lay_or_draw(table, seat, cards)


@policy(
    "uno",
    idea="remembers on which colour the next player had to draw, and plays and names that one",
    params=[Param("cards", 0.5, 0, 20, "own cards that this is worth")],
)
def watcher(table, seat):
    """Remember what others lack."""
    favour = colour_drawn_on(table, next_seat(table, seat))
    bonus = seat.params[0]
    if table.phase >= COLOUR:
        if table.phase == CHALLENGE:
            return accept()
        return name_best_colour(seat, favour, bonus)
    cards = prefer(honest_cards(table, seat), COLOURED)
    return lay_in_best_colour(table, seat, cards, favour, bonus)


@policy(
    "uno",
    idea="bluffs now and then: a wild draw four although it holds the colour",
    params=[
        Param("rate", 0.5, 0, 1, "probability of a bluff when one is possible"),
        Param("cards", 2, 0, 20, "cards left of the next player from which on it bluffs"),
    ],
)
def bluffer(table, seat):
    """Bluff."""
    if table.phase >= COLOUR:
        return answer(table, seat)
    move = np.int64(NOTHING)
    if table.cards[next_seat(table, seat)] <= seat.params[1]:
        move = bluff(seat, seat.params[0])
    if move == NOTHING:
        move = lay_or_draw(table, seat, prefer(honest_cards(table, seat), COLOURED))
    return move


@policy(
    "uno",
    idea="challenges a wild draw four on evidence: many cards left, the colour just laid, no draw",
    params=[
        Param("cards", 10, 0, 40, "cards left of the layer that make it challenge"),
        Param("laid", 3, 0, 40, "cards that the evidence of the last card's colour is worth"),
        Param("drew", 20, 0, 40, "cards that a draw on that colour weighs against it"),
    ],
)
def challenger(table, seat):
    """Challenge on evidence."""
    if table.phase == CHALLENGE:
        return doubt(table, seat.params[0], seat.params[1], seat.params[2])
    if table.phase == COLOUR:
        return answer(table, seat)
    return lay_or_draw(table, seat, prefer(honest_cards(table, seat), COLOURED))


@policy(
    "uno",
    idea="a bit of all: richest colour, hits and bluffs, what others lack, doubts on evidence",
    params=[
        Param("hit", 1, 0, 20, "cards left of the next player that make it hit"),
        Param("bluff", 1, 0, 1, "probability that it then bluffs if it can"),
        Param("late", 1, 0, 20, "cards left of any opponent at which wild cards go first"),
        Param("actions", 2, 0, 10, "most players with whom it lays action cards first"),
        Param("lack", 0.5, 0, 20, "own cards that a colour is worth that the next player lacks"),
        Param("doubt", 10, 0, 40, "cards left of the layer that make it challenge"),
    ],
)
def all_rounder(table, seat):
    """Weigh it all."""
    if table.phase == CHALLENGE:
        return doubt(table, seat.params[5], 3.0, 20.0)
    following = next_seat(table, seat)
    favour = colour_drawn_on(table, following)
    if table.phase == COLOUR:
        return name_best_colour(seat, favour, seat.params[4])
    cards = honest_cards(table, seat)
    if table.cards[following] <= seat.params[0]:
        move = bluff(seat, seat.params[1])
        if move != NOTHING:
            return move
        cards = prefer(cards, HITS)
    elif fewest_cards(table, seat) <= seat.params[2]:
        cards = prefer(cards, WILDS)
    else:
        cards = prefer(cards, COLOURED)
    if table.players <= seat.params[3]:
        cards = prefer(cards, ACTIONS)
    return lay_in_best_colour(table, seat, cards, favour, seat.params[4])


@policy(
    "uno",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params(
        "uno",
        "all_rounder",
        rollouts=400,
        winning=100,
        sure=1,
        believed=[Param("trust", 1, 0, 1, "probability that who drew a card had none to lay")],
    ),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search; a challenge is decided as the heuristic does.

    The hands dealt know nothing of who would bluff, so it would doubt too often.
    """
    if table.phase == CHALLENGE:
        return usual_move(table, seat)
    return best_move(table, seat)
