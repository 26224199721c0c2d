"""UNO: policies, simplest first.

All but the search say in numbers how they play, in the words of `simcore/games/uno/spec.py`.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.uno.cards import ACTIONS, COLOURS, DRAW_FOUR_CARD, FACES, NUMBERS, WILDS
from simcore.games.uno.moves import random_move
from simcore.games.uno.spec import RANDOM_CARD, RANDOM_MOVE, doubts, play_spec
from simcore.games.uno.table import CHALLENGE
from strategies.params import Param
from strategies.registry import Policy, policy, register, spec_policy
from strategies.search import best_move, search_params, usual_move

SEVEN_AND_MORE = sum(0b111 << FACES * colour + 7 for colour in range(len(COLOURS)))
FOUR_AND_MORE = sum(0b111111 << FACES * colour + 4 for colour in range(len(COLOURS)))
HITS = ACTIONS | DRAW_FOUR_CARD
"""Cards that make the next player miss a turn, or take it away."""


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
        spec=lambda _params: RANDOM_MOVE,
    )
)


@spec_policy(
    "uno", idea="any card that goes, each with the same probability; no bluff, no challenge"
)
def random_playable(_params: Sequence[float]) -> tuple[int, ...]:
    """Lay a random card whenever one goes; draw only if none does."""
    return RANDOM_CARD


@spec_policy(
    "uno",
    idea="sheds what counts most first: action cards, high numbers, near the end wild cards",
    params=[Param("cards", 2, 0, 20, "cards left of an opponent at which wild cards go first")],
)
def dumper(params: Sequence[float]) -> tuple[int, ...]:
    """Shed points."""
    preferred = ACTIONS, SEVEN_AND_MORE, FOUR_AND_MORE
    return play_spec(*preferred, called_for=WILDS, opponents=params[0])


@spec_policy(
    "uno",
    idea="lays in the colour of which it holds most, so that it can go on; wilds last",
)
def majority(_params: Sequence[float]) -> tuple[int, ...]:
    """Stay in the richest colour."""
    return play_spec()


@spec_policy(
    "uno",
    idea="keeps action and wild cards until an opponent has few cards left, then lays them first",
    params=[
        # By `cardlab tune --against all_rounder,hitter,watcher`.
        Param("cards", 2, 0, 20, "cards left of an opponent that end the saving"),
    ],
)
def saver(params: Sequence[float]) -> tuple[int, ...]:
    """Save what is strong."""
    return play_spec(NUMBERS, called_for=ACTIONS | WILDS, opponents=params[0])


@spec_policy(
    "uno",
    idea="hits the next player when that one is about to finish: draw, skip or reverse first",
    params=[Param("cards", 3, 0, 20, "cards left of the next player that make it hit")],
)
def hitter(params: Sequence[float]) -> tuple[int, ...]:
    """Act against a player about to finish."""
    return play_spec(called_for=HITS, following=params[0])


@spec_policy(
    "uno",
    idea="remembers on which colour the next player had to draw, and plays and names that one",
    params=[Param("cards", 0.5, 0, 20, "own cards that this is worth")],
)
def watcher(params: Sequence[float]) -> tuple[int, ...]:
    """Remember what others lack."""
    return play_spec(lack=params[0])


@spec_policy(
    "uno",
    idea="bluffs now and then: a wild draw four although it holds the colour",
    params=[
        Param("rate", 0.5, 0, 1, "probability of a bluff when one is possible"),
        Param("cards", 2, 0, 20, "cards left of the next player from which on it bluffs"),
    ],
)
def bluffer(params: Sequence[float]) -> tuple[int, ...]:
    """Bluff."""
    return play_spec(bluff=params[0], following=params[1])


@spec_policy(
    "uno",
    idea="challenges a wild draw four on evidence: many cards left, the colour just laid, no draw",
    params=[
        Param("cards", 10, 0, 40, "cards left of the layer that make it challenge"),
        Param("laid", 3, 0, 40, "cards that the evidence of the last card's colour is worth"),
        Param("drew", 20, 0, 40, "cards that a draw on that colour weighs against it"),
    ],
)
def challenger(params: Sequence[float]) -> tuple[int, ...]:
    """Challenge on evidence."""
    return play_spec(doubts=doubts(params[0], params[1], params[2]))


@spec_policy(
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
def all_rounder(params: Sequence[float]) -> tuple[int, ...]:
    """Weigh it all."""
    hit, bluff, late, actions, lack, doubt = params
    return play_spec(
        ACTIONS,
        players=actions,
        called_for=WILDS,
        opponents=late,
        hits=HITS,
        following=hit,
        bluff=bluff,
        lack=lack,
        doubts=doubts(doubt, 3, 20),
    )


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
