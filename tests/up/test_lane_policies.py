"""Policies side by side in lanes give the rows that they give in matches one by one."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from simcore.batch import play, records
from simcore.games.up import kernel
from simcore.games.up.cards import COUNTED
from simcore.games.up.lane_turns import Knows
from simcore.games.up.lanes import kernel_that
from simcore.games.up.rules import HOUSE_RULES, RARE_RULES, SPECIAL_CARDS, TEXT_VARIANTS
from simcore.games.up.spec import (
    ANNOUNCE,
    COLLAPSE,
    LAY_CLEAR,
    LAY_HEAVY,
    LAY_MINUS_TWOS,
    MOST_PER_OPEN,
    SEAT_BITS,
    TURN_UP,
    order_bits,
    play_spec,
    weights,
)
from simcore.lanes import EIGHT_AT_ONCE, LANES
from simcore.records import BY_SPEC
from strategies.registry import parse_strategy, policies
from tests.players import TestPlayer
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.up.following import UP
from tests.up.variants import RARE, VARIANTS

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
    "all_rounder(cards=60)",
    "all_rounder(cards=33)",
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
        "house rules, five",
        *RARE,
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


RARE_OPTIONS = (
    ({"double_two": "always"}, TEXT_VARIANTS),
    ({"multiples_in_first_lap": False}, TEXT_VARIANTS),
    ({"clear_cards": 2}, SPECIAL_CARDS),
    ({"four_clear": True}, HOUSE_RULES),
    ({"four_clear": True, "double_two": "always"}, RARE_RULES),
)
"""Rules of a turn, and which groups of them a kernel must know."""


def test_who_plays_in_lanes():
    others = {one.name for one in policies(UP)} - set(WITH_SPECS)
    assert others == {"random", "search"}
    random = parse_strategy(UP, "random")
    for name in WITH_SPECS:
        strategy = parse_strategy(UP, name)
        weighs = name in {"greedy", "all_rounder"}
        quickest = kernel_that(Knows(1, 0, 1, int(weighs), 0, 1))
        assert chosen({}, strategy) is quickest
        assert chosen({"forget_last_card": 0.5}, strategy) is quickest
        for options, rare in RARE_OPTIONS:
            knows = Knows(1, 0, 1, int(weighs or rare == RARE_RULES), rare, 1)
            assert chosen(options, strategy) is kernel_that(knows)
        counting = kernel_that(Knows(COUNTED, 0, 1, int(weighs), 0, 1))
        assert chosen({"players": 5}, strategy) is counting
        declares = strategy.spec(UP.resolve({}))[ANNOUNCE] >> SEAT_BITS
        doubling = Knows(COUNTED, 0, 1, int(weighs), TEXT_VARIANTS if declares else 0, 1)
        assert chosen({"players": 5, "double_two": "forehand"}, strategy) is kernel_that(doubling)
        special = {"players": 5, "clear_cards": 4}
        assert chosen(special, strategy) is not counting
        assert chosen({}, Called(strategy)) is kernel.play_block
        assert chosen({}, strategy, random) is kernel_that(Knows(1, 1, 1, 1, RARE_RULES, 1))
    assert chosen({}, random) is kernel_that(Knows(1, 1, 0, 0, 0, 0))
    assert chosen({"forget_last_card": 0.5}, random) is kernel_that(Knows(1, 1, 0, 0, 0, 1))
    for options, rare in RARE_OPTIONS:
        assert chosen(options, random) is kernel_that(Knows(1, 1, 0, 0, rare, 0))
    assert chosen({}, random, parse_strategy(UP, "search")) is kernel.play_block


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
@pytest.mark.parametrize("name", WITH_SPECS)
def test_each_policy(name, options):
    assert_plays_as_called(options, [name])


@pytest.mark.parametrize("seats", [["collapser"], ["hoarder", "guard"], WITH_SPECS])
@pytest.mark.parametrize("players", [5, 10])
def test_which_two_goes_alone(players, seats):
    """Of open cards counted as 2s, on a tower of 1: a 2 or a "-2", as their places say [R33]."""
    assert_plays_as_called({"players": players, "double_two": "always"}, seats, count=1000)


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
class Weigher(TestPlayer):
    """A player that says it lays what is worth most."""

    weights: int = 0

    def address(self, _dtypes):
        return BY_SPEC

    def spec(self, _options):
        order = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
        return play_spec(order, weights=self.weights)


def test_open_cards_in_long_rounds():
    """Rounds are hardly ever long while open cards are left, unless they are long at once."""

    def cell(**given):
        player = Weigher("weigher", weights=weights(hand=0, **given))
        return cell_of(UP, {"players": 3}, player)

    usual = cell(open_cards=150, late=0, laps=100)
    assert_same_rows(cell(open_cards=0, late=150, laps=0), usual, 7, 100)
    none = play(cell(open_cards=0, late=0, laps=0), 7, 100)
    assert (none.scores != play(usual, 7, 100).scores).any()


def test_orders_are_of_all_sorts():
    assert order_bits((2, 0, 1, 3, 4)) == 0b110_101_010_100_011
    with pytest.raises(ValueError):
        play_spec((LAY_HEAVY, LAY_CLEAR, COLLAPSE))


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_random_play_among_specs(options):
    for first in range(0, len(WITH_SPECS), 3):
        names = ["random", *WITH_SPECS[first : first + 3], "random"]
        assert_plays_as_called(options, names, first, 200)


@pytest.mark.parametrize("heavier", [0, 3, MOST_PER_OPEN])
def test_open_cards_count_as_heavier(heavier):
    """Also among policies that weigh cards, and by other numbers within bounds."""

    @dataclass
    class Opener(Weigher):
        def spec(self, _options):
            order = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
            return play_spec(order, per_open=heavier, per_open_within=5, cap=(6, 9))

    for others in ("shedder", "greedy", "random"):
        players = [Opener("opener"), parse_strategy(UP, others)]
        lanes_cell = cell_of(UP, {}, *players)
        assert chosen({}, *players) is not kernel.play_block
        rows = play(lanes_cell, 3, 200).columns()
        alone = play(lanes_cell, 3, 200, lanes=False).columns()
        assert all((rows[name] == alone[name]).all() for name in rows)


def test_what_has_no_room_in_a_spec():
    order = (LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE)
    with pytest.raises(ValueError, match="0…14"):
        play_spec(order, per_open=MOST_PER_OPEN + 1)
