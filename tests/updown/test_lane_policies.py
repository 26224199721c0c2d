"""Policies side by side in lanes give the rows that they give when seats are asked in turn."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simcore.batch import records
from simcore.games.updown.kernel import block_kernel, play_block
from simcore.games.updown.lanes import play_dials_in_lanes, play_in_lanes
from simcore.lanes import FOUR_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.updown.following import UPDOWN
from tests.updown.variants import VARIANTS, has_dials

pytestmark = pytest.mark.skipif(not FOUR_AT_ONCE, reason="lanes need wide vectors")

STRATEGIES = (
    "eager",
    "saver",
    "saver(pot=0,late=0)",
    "saver(pot=2.5,late=3.2)",
    "saver(pot=15,late=0)",
    "spoiler",
    "shaper",
    "shaper(better=0)",
    "shaper(better=1.7)",
    "shaper(better=12)",
    "dodger",
    "dodger(equal=0)",
    "dodger(equal=0.7)",
    "counter",
    "counter(chance=0)",
    "counter(chance=0.6)",
    "banker",
    "banker(chance=0)",
    "banker(chance=1)",
    "all_rounder",
    "all_rounder(cancel=0,trump=0)",
    "all_rounder(cancel=2,keen=1)",
    "all_rounder(keen=77,trump=1.1,chance=0,cancel=1.4)",
)
PLAYERS = [
    *((name,) for name in STRATEGIES),
    *((name, "random") for name in STRATEGIES),
    *pairwise(STRATEGIES),
    ("random", "all_rounder", "shaper", "dodger"),
    ("eager", "shaper", "spoiler", "saver"),
    ("spoiler", "shaper(better=0)", "shaper(better=3)"),
    ("dodger(equal=1)", "shaper", "dodger(equal=3)"),
]


def players_of(names):
    return tuple(parse_strategy(UPDOWN, name) for name in names)


def kernel_of(options, *players):
    return block_kernel(*(array[0] for array in records(cell_of(UPDOWN, options, *players))))


def assert_rows_are_the_same(names, options, first, count, **given):
    players = players_of(names)
    lanes = cell_of(UPDOWN, options, *players)
    # The random play that is built in draws from the seat's stream in another way than the called.
    asked = (player if player.name == "random" else Called(player) for player in players)
    called = cell_of(UPDOWN, options, *asked)
    assert_same_rows(lanes, called, first, count, **given)


@pytest.mark.parametrize("options", VARIANTS, ids=str)
@pytest.mark.parametrize("names", PLAYERS, ids=str)
def test_rows_are_the_same(names, options):
    in_lanes = play_dials_in_lanes if has_dials(options) else play_in_lanes
    assert kernel_of(options, *players_of(names)) is in_lanes
    assert_rows_are_the_same(names, options, 7, 500)


@pytest.mark.parametrize(
    "names", [("eager",), ("spoiler", "dodger", "saver"), ("random", "dodger")], ids=str
)
def test_long_matches(names):
    """In some of so many rounds random numbers are drawn again, or the throws do not suffice."""
    assert_rows_are_the_same(names, {"players": 2, "rounds": 1000}, 3, 100)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1, 5 * LANES + 3])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same(("eager", "spoiler"), {"tie_round": True}, 2, count)


def test_pieces_on_several_threads():
    assert_rows_are_the_same(("eager", "spoiler"), {"tie_round": True}, 5, 1000, threads=3)


def test_others_are_called():
    eager, counter = players_of(("eager", "counter"))
    for players in ((eager, Called(counter)), (Called(eager),), (RANDOM_PLAYER, Called(eager))):
        assert kernel_of({}, *players) is play_block
