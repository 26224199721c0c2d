"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import pytest

from simcore.batch import records
from simcore.lanes import EIGHT_AT_ONCE, LANES
from simcore.match import all_play
from simcore.records import RANDOM
from strategies.registry import parse_strategy
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP
from tests.dnup.variants import VARIANTS
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need vectors")


ONE_BY_ONE = Called(parse_strategy(DNUP, "random"))


def assert_rows_are_the_same(options, first, count):
    lanes = cell_of(DNUP, options, RANDOM_PLAYER)
    assert_same_rows(lanes, cell_of(DNUP, options, ONE_BY_ONE), first, count)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    lanes, single = cell_of(DNUP, options, RANDOM_PLAYER), cell_of(DNUP, options, ONE_BY_ONE)
    assert all_play(*(array[0] for array in records(lanes)), RANDOM)
    assert not all_play(*(array[0] for array in records(single)), RANDOM)
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
    mixed = cell_of(DNUP, {}, RANDOM_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER, ONE_BY_ONE)
    assert not all_play(*(array[0] for array in records(mixed)), RANDOM)
    assert_same_rows(mixed, cell_of(DNUP, {}, ONE_BY_ONE), 7, 300)
