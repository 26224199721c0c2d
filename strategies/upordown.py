"""Up or down?: policies, simplest first."""

from __future__ import annotations

from simcore.games.upordown.moves import random_move
from simcore.games.upordown.spec import APPENDS, ONLY_POINTS
from simcore.games.upordown.table import PLACE
from strategies import upordown_specs
from strategies.registry import Param, Policy, policy, register
from strategies.search import best_move, search_params
from strategies.upordown_sight import (
    NOTHING,
    append_or_start,
    decide,
    give_up_shortest,
    own_turns_left,
)


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


@policy(
    "upordown",
    idea="appends whenever it can, else starts a column, else gives up the shortest",
    spec=lambda _values: (APPENDS,),
)
def appender(table, seat):
    """Append whatever comes."""
    if table.phase != PLACE:
        return random_move(table, seat)
    move = append_or_start(table, seat)
    if move == NOTHING:
        move = give_up_shortest(table)
    return move


@policy(
    "upordown",
    idea="takes the smallest steps: the card nearest to a column's last, starts near the extremes",
    params=[
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card")
    ],
    spec=upordown_specs.stepper,
)
def stepper(table, seat):
    """Take small steps."""
    return decide(table, seat, (0.0, 1.0, 0.0, 0.0, 1.0, 0.0, seat.params[0], 0.0, 0.0))


@policy(
    "upordown",
    idea="takes what scores most points at once",
    spec=upordown_specs.scorer,
)
def scorer(table, seat):
    """Score at once."""
    return decide(table, seat, ONLY_POINTS)


@policy(
    "upordown",
    idea="collects colours: goes further for a card of a column's most frequent colour",
    params=[
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour"),
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card"),
    ],
    spec=upordown_specs.collector,
)
def collector(table, seat):
    """Collect colours."""
    taste = (0.0, 1.0, seat.params[0], 0.0, 1.0, 0.0, seat.params[1], 0.0, 0.0)
    return decide(table, seat, taste)


@policy(
    "upordown",
    idea="takes small steps as a collector does, and in its last turns what scores most at once",
    params=[
        Param("turns", 4, 0, 24, "own turns left from which on only points count"),
        Param("colour", 14, 0, 126, "numbers that it skips for a card of the colour before"),
        Param("patience", 10, 0, 100, "numbers to skip before it gives up a column, for each card"),
    ],
    spec=upordown_specs.finisher,
)
def finisher(table, seat):
    """Build first, score last."""
    if own_turns_left(table) < seat.params[0]:
        return decide(table, seat, ONLY_POINTS)
    taste = (0.0, 1.0, seat.params[1], 0.0, 1.0, 0.0, seat.params[2], 0.0, 0.0)
    return decide(table, seat, taste)


@policy(
    "upordown",
    idea="trades points against room: a step costs more for each number skipped",
    params=[Param("price", 0.35, 0, 10, "points that a number skipped costs")],
    spec=upordown_specs.trader,
)
def trader(table, seat):
    """Trade points against room."""
    return decide(table, seat, (1.0, seat.params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0))


@policy(
    "upordown",
    idea="trades points against room, and keeps hand cards far apart, to reach all of the circle",
    params=[
        Param("price", 0.35, 0, 10, "points that a number skipped costs"),
        Param("spread", 0.02, 0, 10, "points that a number between the hand cards kept is worth"),
    ],
    spec=upordown_specs.spreader,
)
def spreader(table, seat):
    """Keep the hand spread."""
    taste = (1.0, seat.params[0], 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, seat.params[1])
    return decide(table, seat, taste)


@policy(
    "upordown",
    idea="plans: what every column may come to with its room and the turns left",
    params=[
        # `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
        Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room"),
        Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour"),
    ],
    spec=upordown_specs.planner,
)
def planner(table, seat):
    """Plan the columns."""
    taste = (0.0, 0.0, 0.0, 1.0, seat.params[0], seat.params[1], 0.0, 0.0, 0.0)
    return decide(table, seat, taste)


@policy(
    "upordown",
    idea="plans, and spoils: takes what suits the next player, and lays what does not",
    params=[
        Param("deny", 0.1, 0, 2, "share of its worth to the next player that a card counts"),
        # `stride` and `match` by `cardlab tune --against all_rounder,spreader,planner`.
        Param("stride", 44, 1, 126, "numbers that a card to come takes of a column's room"),
        Param("match", 1, 0, 1, "how many of the cards to come are of a column's colour"),
    ],
    spec=upordown_specs.spoiler,
)
def spoiler(table, seat):
    """Plan and spoil."""
    taste = (0.0, 0.0, 0.0, 1.0, seat.params[1], seat.params[2], 0.0, seat.params[0], 0.0)
    return decide(table, seat, taste)


@policy(
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
    spec=upordown_specs.all_rounder,
)
def all_rounder(table, seat):
    """Weigh it all."""
    params = seat.params
    taste = (params[2], params[3], 0.0, 1.0, params[0], params[1], 0.0, params[4], params[5])
    return decide(table, seat, taste)


@policy(
    "upordown",
    idea="deals the unseen cards many times, tries every move, plays on with a heuristic",
    params=search_params("upordown", "all_rounder", rollouts=50, winning=10, sure=0.5),
    source="Ginsberg 2001; see strategies/search.py",
)
def search(table, seat):
    """Search."""
    return best_move(table, seat)
