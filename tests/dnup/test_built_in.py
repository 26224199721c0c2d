"""What is built into the loop, random play and play specs, gives the rows it gives when called."""

from __future__ import annotations

import pytest

from simcore.batch import play
from strategies.registry import parse_lineup, parse_strategy
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP
from tests.dnup.variants import VARIANTS
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of

ONE_BY_ONE = Called(parse_strategy(DNUP, "random"))
MIXED = parse_lineup(DNUP, "guard(cards=5),turner,feeder,exit_keeper(card=2),high")


def assert_random_is_the_same(options, count):
    built_in = cell_of(DNUP, options, RANDOM_PLAYER)
    assert_same_rows(built_in, cell_of(DNUP, options, ONE_BY_ONE), 7, count)


def assert_specs_are_the_same(options, players, count):
    cells = [cell_of(DNUP, options, *them) for them in (players, [*map(Called, players)])]
    assert_same_rows(*cells, 7, count)


@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    assert_random_is_the_same(options, 600)
    assert_specs_are_the_same(options, MIXED[: options.get("players", 4)], 300)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["crowded", "uneven"])
def test_large_sets_and_uneven_hands(tmp_path, deck, players):
    options = {"players": players, "deck": write_decks(tmp_path)[deck]}
    assert_random_is_the_same(options, 300)
    assert_specs_are_the_same(options, MIXED[:players], 300)


def test_one_is_called_beside_others_that_are_not():
    mixed = cell_of(DNUP, {}, RANDOM_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER, ONE_BY_ONE)
    assert_same_rows(mixed, cell_of(DNUP, {}, ONE_BY_ONE), 7, 300)


def test_a_long_round():
    # Found among 200,000 matches: a round in which policies begin to play at random at times.
    high = parse_lineup(DNUP, "high")
    for match in (10947, 27599, 59142):
        cells = [cell_of(DNUP, {}, *them) for them in (high, [*map(Called, high)])]
        assert_same_rows(*cells, match, 1)
        assert play(cells[0], match, 1).columns()["turns"][0] > 0
