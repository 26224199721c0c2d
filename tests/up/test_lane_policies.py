"""Policies side by side in lanes give the rows that they give when they are called."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from simcore.batch import TRIED, play, records
from simcore.errors import PolicyError
from simcore.games.up import kernel, lanes
from simcore.games.up.spec import (
    COLLAPSE,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    TURN_UP,
    order_bits,
    play_spec,
    weights,
)
from simcore.games.up.table import DECLARE
from simcore.jit import kernel as kernel_of
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy, policies
from strategies.up import hoarder
from tests.players import TestPlayer
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.up.following import UP
from tests.up.variants import VARIANTS

pytestmark = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")

WITH_SPECS = [one.name for one in policies(UP) if one.spec is not None]
UNUSUAL = (
    "shedder(cards=0)",
    "shedder(cards=60)",
    "shedder(cards=9.5)",
    "freer(cap=0)",
    "freer(cap=3.2)",
    "freer(cap=12)",
    "hoarder(threshold=0,tower=0)",
    "hoarder(threshold=4.5,tower=143)",
    "hoarder(threshold=60)",
    "collapser(cards=20,cap=11,laps=100)",
    "collapser(cards=4.5,cap=6.5,laps=2.3)",
    "collapser(cap=0)",
    "collapser(laps=0)",
    "guard(cards=0)",
    "guard(cards=6.5)",
    "guard(cards=13)",
    "greedy(card=0)",
    "greedy(card=0.37)",
    "greedy(card=12)",
    "all_rounder(card=0,open=0,low=0,light=0,cap=0,cards=0)",
    "all_rounder(card=12,open=12,low=11,light=11,cap=12,cards=30.5)",
    "all_rounder(card=0.7,open=4.4,low=5.5,light=9.5,cap=3.5,cards=6.5)",
    "all_rounder(open=9,low=0,light=11,cap=0,cards=12)",
)
OPTIONS = {
    name: VARIANTS[name]
    for name in (
        "defaults",
        "two",
        "three",
        "extra set",
        "declared",
        "without minus two",
        "limit",
        "low cap",
        "five",
        "eight, declared",
        "ten, extra set, low cap",
    )
}


def assert_plays_as_called(options, names, first=7, count=300):
    """Assert it of a line-up, which is repeated round the table."""
    strategies = [parse_strategy(UP, name) for name in names]
    specified = cell_of(UP, options, *strategies)
    called = cell_of(UP, options, *map(Called, strategies))
    assert_same_rows(specified, called, first, count)


def chosen(options, *players):
    return kernel.block_kernel(*(array[0] for array in records(cell_of(UP, options, *players))))


def test_who_plays_in_lanes():
    others = {one.name for one in policies(UP)} - set(WITH_SPECS)
    assert others == {"random", "search"}
    for name in WITH_SPECS:
        strategy = parse_strategy(UP, name)
        assert chosen({}, strategy) in (lanes.play_by_spec, lanes.play_weighed)
        assert chosen({}, Called(strategy)) is kernel.play_block
        assert chosen({"forget_last_card": 0.5}, strategy) is kernel.play_block
        assert chosen({"multiples_in_first_lap": False}, strategy) is kernel.play_block
        assert chosen({}, strategy, parse_strategy(UP, "random")) is kernel.play_block
    near = parse_strategy(UP, "all_rounder(cards=31)")
    assert chosen({}, near) is kernel.play_block


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", WITH_SPECS)
def test_each_policy(name, options):
    assert_plays_as_called(options, [name])


@pytest.mark.parametrize("players", [2, 4, 7])
@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_parameters(name, players):
    assert_plays_as_called({"players": players}, [name, "shedder"])


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_each_seat_in_its_own_spec(options):
    """So that each seat of each number of players meets many specs."""
    for first in range(0, len(UNUSUAL), 5):
        assert_plays_as_called(options, [*UNUSUAL[first : first + 3], *WITH_SPECS], first, 120)


def test_nobody_can_move_any_more():
    """All are left with "-2" cards only, and the lead is passed for ever."""
    freer = parse_strategy(UP, "freer")
    rows = play(cell_of(UP, {"players": 2}, freer), 3500, 3300).columns()
    stuck = (rows["aborted"]) & (rows["plays"] < 1000)
    assert stuck.sum() >= 3
    assert_plays_as_called({"players": 2}, ["freer"], 3500, 3300)


@pytest.mark.parametrize("count", [1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_plays_as_called({}, ["hoarder", "freer"], 0, count)


@dataclass
class Specified(TestPlayer):
    """A player that says it plays like a hoarder."""

    def spec(self):
        return parse_strategy(UP, "hoarder").spec()


FIRST_WRONG = 3 + 2 * TRIED
play_like_hoarder = kernel_of(hoarder)


def wrong_before_play(table, seat):
    """Play like a hoarder, but for an illegal move before the play, after policies are tried."""
    if table.phase == DECLARE and table.match_number >= FIRST_WRONG and table.round_number == 4:
        return np.int64(7)
    return play_like_hoarder(table, seat)


def test_an_illegal_move_is_told_as_if_called():
    values = parse_strategy(UP, "hoarder").values
    in_lanes = Specified("wrong", wrong_before_play, values)
    called = TestPlayer("wrong", wrong_before_play, values)
    options = {"players": 2, "dirty_one": "forehand"}
    assert chosen(options, in_lanes) is lanes.play_by_spec
    messages = []
    for player in (in_lanes, called):
        cell = cell_of(UP, options, player)
        assert len(play(cell, 3, 2 * TRIED)) == 2 * TRIED
        with pytest.raises(PolicyError) as refused:
            play(cell, 3, 2 * TRIED + 40)
        messages.append(str(refused.value))
    assert messages[0] == messages[1]
    assert f"match {FIRST_WRONG}" in messages[0]


@dataclass
class Weigher(TestPlayer):
    """A player that says it lays what is worth most; its function is never asked."""

    weights: int = 0

    def spec(self):
        order = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
        return play_spec(order, weights=self.weights)


def test_open_cards_in_long_rounds():
    """Rounds are hardly ever long while open cards are left, unless they are long at once."""
    own = parse_strategy(UP, "random")

    def cell(**given):
        player = Weigher("weigher", own.policy.function, weights=weights(hand=0, **given))
        return cell_of(UP, {"players": 3}, player)

    usual = cell(open_cards=150, late=0, laps=100)
    assert_same_rows(cell(open_cards=0, late=150, laps=0), usual, 7, 100)
    none = play(cell(open_cards=0, late=0, laps=0), 7, 100)
    assert (none.scores != play(usual, 7, 100).scores).any()


def test_orders_are_of_all_sorts():
    assert order_bits((2, 0, 1, 3, 4)) == 0b1_110_101_010_100_011
    with pytest.raises(ValueError):
        play_spec((LAY_HEAVY, LAY_CLEAR, COLLAPSE))
