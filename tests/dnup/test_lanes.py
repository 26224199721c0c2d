"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import Cell, play, records
from simcore.games.dnup.moves import random_move
from simcore.lanes import EIGHT_AT_ONCE, LANES
from simcore.match import only_random
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP
from tests.players import RANDOM_PLAYER, TestPlayer

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need vectors")


def at_random(table, seat):
    return random_move(table, seat)


ONE_BY_ONE = TestPlayer("one by one", at_random)
VARIANTS = {
    "defaults": {},
    "two": {"players": 2},
    "two, set returned": {"players": 2, "win_on_playing": False},
    "two, many rounds": {"players": 2, "rounds_to_win": 7},
    "three": {"players": 3},
    "five": {"players": 5},
    "two, deck c": {"players": 2, "deck": "c"},
    "three, deck c": {"players": 3, "deck": "c"},
    "deck c": {"deck": "c"},
    "five, deck c": {"players": 5, "deck": "c"},
    "one marker": {"markers_to_win": 1},
    "many markers": {"players": 3, "markers_to_win": 9},
    "cap": {"turn_cap": 100},
    "two, cap": {"players": 2, "turn_cap": 100},
}


def cell_of(options, player, seed=5):
    resolved = DNUP.resolve(options)
    return Cell(DNUP, resolved, (player,) * int(resolved["players"]), seed)


def assert_rows_are_the_same(options, first, count):
    rows = play(cell_of(options, RANDOM_PLAYER), first, count).columns()
    expected = play(cell_of(options, ONE_BY_ONE), first, count).columns()
    for name, column in expected.items():
        assert np.array_equal(rows[name], column), name


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    lanes, single = cell_of(options, RANDOM_PLAYER), cell_of(options, ONE_BY_ONE)
    assert only_random(*(array[0] for array in records(lanes)))
    assert not only_random(*(array[0] for array in records(single)))
    assert_rows_are_the_same(options, 7, 600)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same({}, 0, count)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["crowded", "uneven"])
def test_large_sets_and_uneven_hands(tmp_path, deck, players):
    options = {"players": players, "deck": write_decks(tmp_path)[deck]}
    assert_rows_are_the_same(options, 3, 300)


def test_policies_are_asked_one_by_one():
    resolved = DNUP.resolve({})
    mixed = Cell(DNUP, resolved, (RANDOM_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER, ONE_BY_ONE), 5)
    assert not only_random(*(array[0] for array in records(mixed)))
    rows = play(mixed, 7, 300).columns()
    expected = play(cell_of({}, ONE_BY_ONE), 7, 300).columns()
    for name, column in expected.items():
        assert np.array_equal(rows[name], column), name
