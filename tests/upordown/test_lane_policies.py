"""Appenders side by side in lanes give the rows that they give when they are called."""

from __future__ import annotations

import pytest

from simcore.batch import records
from simcore.games.upordown.kernel import block_kernel, play_block
from simcore.games.upordown.lanes import play_mannered
from simcore.lanes import FOUR_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.upordown.following import UPORDOWN

pytestmark = pytest.mark.skipif(not FOUR_AT_ONCE, reason="lanes need wide vectors")

APPENDER = parse_strategy(UPORDOWN, "appender")
VARIANTS = {
    f"{players} players, {columns} columns": {"players": players, "columns": columns}
    for players in range(2, 7)
    for columns in range(1, 4)
} | {"hidden pile": {"open_pile": False}}


def kernel_of(options, *players):
    return block_kernel(*(array[0] for array in records(cell_of(UPORDOWN, options, *players))))


def assert_rows_are_the_same(options, first, count):
    lanes = cell_of(UPORDOWN, options, APPENDER)
    assert_same_rows(lanes, cell_of(UPORDOWN, options, Called(APPENDER)), first, count)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    assert kernel_of(options, APPENDER) is play_mannered
    assert_rows_are_the_same(options, 7, 600)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same({}, 0, count)


def test_a_random_number_is_drawn_again():
    # Found among 100 million matches of random play: without another draw its row is different.
    assert_rows_are_the_same({"players": 6}, 39810670, 1)


def test_others_are_called(tmp_path):
    colours = tmp_path / "colours.txt"
    colours.write_text("red\nblue\n" * 63)
    for options, players in (
        ({}, (APPENDER, parse_strategy(UPORDOWN, "random"))),
        ({}, (APPENDER, parse_strategy(UPORDOWN, "scorer"))),
        ({}, (Called(APPENDER),)),
        ({"columns": 4}, (APPENDER,)),
        ({"colours": str(colours)}, (APPENDER,)),
    ):
        assert kernel_of(options, *players) is play_block
