"""What is played side by side in lanes, at random or by specs, gives the rows of one by one.

`test_built_in.py` has more options.
"""

from __future__ import annotations

import pytest

from simcore.batch import fits_lanes
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.dnup.decks import write_decks
from tests.dnup.following import DNUP
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need vectors")

ONE_BY_ONE = Called(parse_strategy(DNUP, "random"))
LINEUPS = [
    ["greedy"],
    ["all_rounder"],
    ["high", "turner"],
    ["random", "greedy"],
    ["counter"],
    ["counter(risk=0.5,gain=1)", "guard", "counter(risk=6)"],
    ["random", "random", "guard(cards=9)", "all_rounder"],
    ["feeder", "guard", "exit_keeper"],
    ["exit_keeper(card=0.3)", "all_rounder(card=3.7,cards=40)", "turner(gain=1)", "guard(cards=9)"],
]


def assert_rows_are_the_same(options, first, count, lineup=("random",)):
    players = [parse_strategy(DNUP, name) for name in lineup]
    lanes = cell_of(DNUP, options, *players)
    assert fits_lanes(lanes)
    assert_same_rows(lanes, cell_of(DNUP, options, *map(Called, players)), first, count)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same({}, 0, count)


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["heaped", "uneven"])
def test_large_sets_and_uneven_hands(tmp_path, deck, players):
    options = {"players": players, "deck": write_decks(tmp_path)[deck], "turn_cap": 300}
    assert_rows_are_the_same(options, 3, 300)
    for lineup in LINEUPS:
        assert_rows_are_the_same(options, 3, 150, lineup)


@pytest.mark.parametrize("lineup", LINEUPS, ids=str)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_play_by_specs_and_at_random_beside_them(lineup, players):
    assert_rows_are_the_same({"players": players}, 11, 1000, lineup)


@pytest.mark.parametrize(
    "options",
    [
        {"players": 2, "win_on_playing": False},
        {"players": 3, "turn_cap": 100},
        {"players": 4, "first_out_markers": 3, "second_out_markers": 0},
        {"players": 5, "deck": "c", "round_start": "winner", "markers_to_win": 9},
    ],
    ids=str,
)
def test_options_that_lanes_know(options):
    assert_rows_are_the_same(options, 7, 2000)


HOUSE_RULES = {"turn_on_taking": False, "take_up": False, "turn_hand": False, "equal_beats": True}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("rule", [[one] for one in HOUSE_RULES] + [list(HOUSE_RULES)], ids=str)
def test_house_rules(rule, players):
    options = {one: HOUSE_RULES[one] for one in rule} | {"players": players, "turn_cap": 300}
    for lineup in [["random"], *LINEUPS[1:4]]:
        assert_rows_are_the_same(options, 17, 300, lineup)


def test_functions_are_called_one_by_one():
    assert not fits_lanes(cell_of(DNUP, {}, RANDOM_PLAYER, ONE_BY_ONE))


def test_cards_with_twice_the_same_value_are_played_one_by_one(tmp_path):
    assert not fits_lanes(cell_of(DNUP, {"deck": write_decks(tmp_path)["crowded"]}, RANDOM_PLAYER))
