"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import Cell, play, records
from simcore.games.up.lanes import fits_lanes
from simcore.games.up.moves import random_move
from simcore.lanes import EIGHT_AT_ONCE, LANES
from tests.players import RANDOM_PLAYER, TestPlayer
from tests.up.following import UP
from tests.up.players import HASTY

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")


def at_random(table, seat):
    return random_move(table, seat)


ONE_BY_ONE = TestPlayer("one by one", at_random)
VARIANTS = {
    "defaults": {},
    "two": {"players": 2},
    "three": {"players": 3},
    "extra set": {"players": 3, "extra_set": True},
    "declared": {"dirty_one": "forehand", "double_two": "forehand"},
    "always": {"dirty_one": "always"},
    "without minus two": {"minus_two": False},
    "cards": {"scoring": "cards"},
    "matches": {"scoring": "matches", "deal_passes": False},
    "limit": {"rounds": None, "points_limit": 60},
    "extra set, four": {"extra_set": True},
    "five": {"players": 5},
    "six, without minus two": {"players": 6, "minus_two": False},
    "eight, declared": {"players": 8, "dirty_one": "forehand", "double_two": "forehand"},
    "ten": {"players": 10},
    "ten, extra set": {"players": 10, "extra_set": True},
    "ten, cap": {"players": 10, "play_cap": 150},
    "low cap": {"play_cap": 100},
    "cap": {"play_cap": 250},
}


def cell_of(options, player, seed=5):
    resolved = UP.resolve(options)
    return Cell(UP, resolved, (player,) * int(resolved["players"]), seed)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    lanes, single = cell_of(options, RANDOM_PLAYER), cell_of(options, ONE_BY_ONE)
    assert fits_lanes(*(array[0] for array in records(lanes)))
    assert not fits_lanes(*(array[0] for array in records(single)))
    rows, expected = play(lanes, 7, 600).columns(), play(single, 7, 600).columns()
    for name, column in expected.items():
        assert np.array_equal(rows[name], column), name


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    rows = play(cell_of({}, RANDOM_PLAYER), 0, count).columns()
    expected = play(cell_of({}, ONE_BY_ONE), 0, count).columns()
    for name, column in expected.items():
        assert np.array_equal(rows[name], column), name


def test_what_is_rare_is_played_one_by_one():
    def fits(player, **options):
        return fits_lanes(*(array[0] for array in records(cell_of(options, player))))

    assert not fits(HASTY)
    assert not fits(RANDOM_PLAYER, forget_last_card=0.5)
    assert not fits(RANDOM_PLAYER, multiples_in_first_lap=False)
    assert fits(RANDOM_PLAYER, players=5)
