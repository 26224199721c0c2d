"""Policies side by side in lanes give the rows that they give when they are called."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import records
from simcore.games.upordown.kernel import block_kernel, play_block
from simcore.games.upordown.lanes import (
    play_by_spec,
    play_by_tastes,
    play_without_hopes,
)
from simcore.games.upordown.spec import COLOUR, HIGHEST_NUMBER, STEP, STRIDE, play_spec
from simcore.lanes import EIGHT_AT_ONCE, FOUR_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.upordown.following import UPORDOWN

pytestmark = pytest.mark.skipif(not FOUR_AT_ONCE, reason="lanes need wide vectors")
tasteful = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="tastes need vectors of eight")

APPENDER = parse_strategy(UPORDOWN, "appender")
VARIANTS = {
    f"{players} players, {columns} columns": {"players": players, "columns": columns}
    for players in range(2, 7)
    for columns in range(1, 4)
} | {"hidden pile": {"open_pile": False}}

TASTES = {
    "stepper": ("stepper(patience=0)", "stepper(patience=100)", "stepper(patience=0.7)"),
    "scorer": (),
    "collector": ("collector(colour=0, patience=0)", "collector(colour=126, patience=3.3)"),
    "finisher": ("finisher(turns=0)", "finisher(turns=24)", "finisher(turns=7.5, colour=3)"),
    "trader": ("trader(price=0)", "trader(price=10)", "trader(price=0.013)"),
    "spreader": ("spreader(price=0, spread=0)", "spreader(price=1, spread=10)"),
    "planner": ("planner(stride=1, match=0)", "planner(stride=126)", "planner(stride=3.7)"),
    "spoiler": ("spoiler(deny=0)", "spoiler(deny=2, stride=7)", "spoiler(deny=0.61, match=0.4)"),
    "all_rounder": (
        "all_rounder(stride=1, match=0, points=0, price=0, deny=0, spread=0)",
        "all_rounder(stride=126, match=1, points=10, price=10, deny=2, spread=10)",
        "all_rounder(points=0.37, price=0.041, deny=0.7, spread=0.3)",
    ),
}
HOPEFUL = ("planner", "spoiler", "all_rounder")
STRATEGIES = [parse_strategy(UPORDOWN, name) for name in TASTES]
OTHERS = [one for others in TASTES.values() for one in others]


def kernel_of(options, *players):
    return block_kernel(*(array[0] for array in records(cell_of(UPORDOWN, options, *players))))


def assert_rows_are_the_same(options, first, count, *players, **given):
    players = players or (APPENDER,)
    lanes = cell_of(UPORDOWN, options, *players)
    called = cell_of(UPORDOWN, options, *(Called(player) for player in players))
    assert_same_rows(lanes, called, first, count, **given)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    assert kernel_of(options, APPENDER) is play_by_spec
    assert_rows_are_the_same(options, 7, 600)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same({}, 0, count)


def test_a_random_number_is_drawn_again():
    # Found among 100 million matches of random play: without another draw its row is different.
    assert_rows_are_the_same({"players": 6}, 39810670, 1)


@tasteful
@pytest.mark.parametrize("strategy", STRATEGIES, ids=TASTES)
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_tastes_lead_to_the_same_rows(options, strategy):
    expected = play_by_tastes if strategy.name in HOPEFUL else play_without_hopes
    assert kernel_of(options, strategy) is expected
    assert_rows_are_the_same(options, 7, 300, strategy)


@tasteful
@pytest.mark.parametrize("text", OTHERS)
@pytest.mark.parametrize("players", [2, 6])
def test_tastes_with_other_numbers(players, text):
    strategy = parse_strategy(UPORDOWN, text)
    assert_rows_are_the_same({"players": players}, 1000, 300, strategy)


@tasteful
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("first", range(len(STRATEGIES)))
def test_tastes_round_the_table(options, first):
    """Every policy beside others, and a line-up with everything that a taste may care about."""
    players = [STRATEGIES[(first + 2 * seat) % len(STRATEGIES)] for seat in range(6)]
    assert kernel_of(options, *players) in (play_by_tastes, play_without_hopes)
    assert_rows_are_the_same(options, 50, 200, *players)


@tasteful
@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1, 5 * LANES])
@pytest.mark.parametrize("rotation", [0, 1])
def test_tastes_in_blocks_of_any_size(count, rotation):
    players = [STRATEGIES[-1], STRATEGIES[3], STRATEGIES[0]]
    assert_rows_are_the_same({"players": 3}, 0, count, *players, rotation=rotation)


@tasteful
def test_tastes_on_several_threads():
    assert_rows_are_the_same({}, 3, 500, *STRATEGIES[-4:], threads=2)


@tasteful
def test_any_taste():
    """Numbers that no policy has, all at once, of which many lead to equal worths."""
    random = np.random.default_rng(7)
    mixer = parse_strategy(UPORDOWN, "all_rounder")
    for _ in range(20):
        values = random.integers(0, 5, 6) / 4.0
        values[0] += 1
        text = ", ".join(
            f"{param.name}={value}"
            for param, value in zip(mixer.policy.params, values, strict=True)
        )
        strategy = parse_strategy(UPORDOWN, f"all_rounder({text})")
        assert_rows_are_the_same({"players": int(random.integers(2, 7))}, 5, 100, strategy)


@pytest.mark.parametrize(
    ("number", "value"),
    [(STEP, -0.5), (STEP, HIGHEST_NUMBER + 1), (STRIDE, 0.0), (STRIDE, -1.0), (COLOUR, 1.0)],
)
def test_tastes_that_lanes_cannot_have(number, value):
    taste = [1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    assert play_spec(taste)
    taste[number] = value
    with pytest.raises(ValueError):
        play_spec(taste)


def test_others_are_called(tmp_path):
    colours = tmp_path / "colours.txt"
    colours.write_text("red\nblue\n" * 63)
    scorer = parse_strategy(UPORDOWN, "scorer")
    for options, players in (
        ({}, (APPENDER, parse_strategy(UPORDOWN, "random"))),
        ({}, (APPENDER, scorer)),
        ({}, (scorer, parse_strategy(UPORDOWN, "random"))),
        ({}, (Called(APPENDER),)),
        ({}, (scorer, Called(scorer))),
        ({"columns": 4}, (APPENDER,)),
        ({"columns": 4}, (scorer,)),
        ({"colours": str(colours)}, (APPENDER,)),
        ({"colours": str(colours)}, (scorer,)),
    ):
        assert kernel_of(options, *players) is play_block
