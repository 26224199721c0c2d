"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import pytest

from simcore.batch import records
from simcore.games.up.lanes import fits_lanes
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.up.following import UP
from tests.up.players import HASTY
from tests.up.variants import VARIANTS

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")


ONE_BY_ONE = Called(parse_strategy(UP, "random"))


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    lanes, single = cell_of(UP, options, RANDOM_PLAYER), cell_of(UP, options, ONE_BY_ONE)
    assert fits_lanes(*(array[0] for array in records(lanes)))
    assert not fits_lanes(*(array[0] for array in records(single)))
    assert_same_rows(lanes, single, 7, 600)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_same_rows(cell_of(UP, {}, RANDOM_PLAYER), cell_of(UP, {}, ONE_BY_ONE), 0, count)


def test_what_is_rare_is_played_one_by_one():
    def fits(player, **options):
        return fits_lanes(*(array[0] for array in records(cell_of(UP, options, player))))

    assert not fits(HASTY)
    assert not fits(RANDOM_PLAYER, forget_last_card=0.5)
    assert not fits(RANDOM_PLAYER, multiples_in_first_lap=False)
    assert fits(RANDOM_PLAYER, players=5)
