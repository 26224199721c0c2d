"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import pytest

from simcore.batch import records
from simcore.games.up.lanes import lanes_kernel
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.up.following import UP
from tests.up.variants import VARIANTS

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")


ONE_BY_ONE = Called(parse_strategy(UP, "random"))


TOO_MANY = "more than lanes hold"


def test_more_cards_than_lanes_hold_are_played_one_by_one():
    cell = cell_of(UP, VARIANTS[TOO_MANY], RANDOM_PLAYER)
    assert lanes_kernel(*(array[0] for array in records(cell))) is None


@pytest.mark.parametrize("name", [name for name in VARIANTS if name != TOO_MANY])
def test_rows_are_the_same(name):
    options = VARIANTS[name]
    lanes, single = cell_of(UP, options, RANDOM_PLAYER), cell_of(UP, options, ONE_BY_ONE)
    assert lanes_kernel(*(array[0] for array in records(lanes))) is not None
    assert lanes_kernel(*(array[0] for array in records(single))) is None
    assert_same_rows(lanes, single, 7, 600)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_same_rows(cell_of(UP, {}, RANDOM_PLAYER), cell_of(UP, {}, ONE_BY_ONE), 0, count)
