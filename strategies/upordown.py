"""Up or down?: policies, simplest first.

They plan with the dials in force: what a column scores, where a card may be put, what a card given
up is worth, and when a column may be given up. Where cards may go anywhere in a column no number is
skipped, so all steps are alike; where only length scores no colour is worth anything.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.games.upordown.moves import random_move
from simcore.games.upordown.spec import APPENDS, ONLY_POINTS, play_spec
from strategies.params import Param
from strategies.registry import Policy, policy, register, spec_policy
from strategies.search import best_move, search_params


def random(table, seat):
    """Choose one of the legal moves, each with the same probability."""
    return random_move(table, seat)


register(
    Policy(
        "upordown",
        "random",
        "any legal move, each with the same probability (the reference)",
        random,
        built_in=True,
    )
)


@spec_policy(
    "upordown",
    idea="appends whenever it can, else starts a column, else gives up the shortest",
)
def appender(_params: Sequence[float]) -> tuple[int, ...]:
    """Append whatever comes."""
    return (APPENDS,)


@spec_policy(
    "upordown",
    idea="takes the smallest steps: the card nearest to a column's last, starts near the extremes "
    "(with insert = anywhere there are no steps: it takes whatever fits)",
    params=[
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card")
    ],
)
def stepper(params: Sequence[float]) -> tuple[int, ...]:
    """Take small steps."""
    return play_spec((0.0, 1.0, 0.0, 0.0, 1.0, 0.0, params[0], 0.0, 0.0))


@spec_policy(
    "upordown",
    idea="takes what scores most points at once",
)
def scorer(_params: Sequence[float]) -> tuple[int, ...]:
    """Score at once."""
    return play_spec(ONLY_POINTS)


@spec_policy(
    "upordown",
    idea="collects colours: goes further for a card of a column's most frequent colour (with "
    "scoring = length colours are worth nothing: it is a stepper)",
    params=[
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour"),
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card"),
    ],
)
def collector(params: Sequence[float]) -> tuple[int, ...]:
    """Collect colours."""
    return play_spec((0.0, 1.0, params[0], 0.0, 1.0, 0.0, params[1], 0.0, 0.0))


@spec_policy(
    "upordown",
    idea="takes small steps as a collector does, and in its last turns what scores most at once",
    params=[
        Param("turns", 4, 0, 24, "own turns left from which on only points count"),
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour before"),
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card"),
    ],
)
def finisher(params: Sequence[float]) -> tuple[int, ...]:
    """Build first, score last."""
    return play_spec((0.0, 1.0, params[1], 0.0, 1.0, 0.0, params[2], 0.0, 0.0), params[0])


@spec_policy(
    "upordown",
    idea="trades points against room: a step costs more for each number skipped",
    params=[Param("price", 0.35, 0, 10, "points that a number skipped costs")],
)
def trader(params: Sequence[float]) -> tuple[int, ...]:
    """Trade points against room."""
    return play_spec((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))


@spec_policy(
    "upordown",
    idea="trades points against room, and keeps hand cards far apart, to reach all of the circle",
    params=[
        Param("price", 0.35, 0, 10, "points that a number skipped costs"),
        Param("spread", 0.02, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
)
def spreader(params: Sequence[float]) -> tuple[int, ...]:
    """Keep the hand spread."""
    return play_spec((1.0, params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, params[1]))


@spec_policy(
    "upordown",
    idea="plans: what every column may come to with its room and the turns left",
    params=[
        # `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
        Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room"),
        Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour"),
    ],
)
def planner(params: Sequence[float]) -> tuple[int, ...]:
    """Plan the columns."""
    return play_spec((0.0, 0.0, 0.0, 1.0, params[0], params[1], 0.0, 0.0, 0.0))


@spec_policy(
    "upordown",
    idea="plans, and spoils: takes what suits the next player, and lays what does not",
    params=[
        Param("deny", 0.1, 0, 2, "share of its worth to the next player that a card counts"),
        # `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
        Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room"),
        Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour"),
    ],
)
def spoiler(params: Sequence[float]) -> tuple[int, ...]:
    """Plan and spoil."""
    return play_spec((0.0, 0.0, 0.0, 1.0, params[1], params[2], 0.0, params[0], 0.0))


@spec_policy(
    "upordown",
    idea="a bit of all: plans, counts points at once and steps, spreads its hand, spoils a little",
    params=[
        # `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
        Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room"),
        Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour"),
        Param("points", 0.5, 0, 10, "what a point at once is worth beside one hoped for"),
        Param("price", 0.15, 0, 10, "points that a number skipped costs"),
        Param("deny", 0.05, 0, 2, "share of its worth to the next player that a card counts"),
        Param("spread", 0.005, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
    under=[
        # By `cardlab tune --rule scoring=length --rule discard_points=0`: room is worth little.
        (
            {"scoring": ("length",), "discard_points": (0,)},
            {"stride": 1.2, "match": 0.45, "points": 8, "price": 0.35, "deny": 0.1, "spread": 0.02},
        ),
    ],
)
def all_rounder(params: Sequence[float]) -> tuple[int, ...]:
    """Weigh it all."""
    stride, match, points, price, deny, far = params
    return play_spec((points, price, 0.0, 1.0, stride, match, 0.0, deny, far))


@policy(
    "upordown",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("upordown", "all_rounder", rollouts=50, winning=10, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
