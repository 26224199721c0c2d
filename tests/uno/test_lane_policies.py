"""Policies that say how they play are played in lanes just as they are when they are called."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import fits_lanes, records
from simcore.games.uno.choice import EMPTY_TABLE, next_has, some_opponent_has, with_count
from simcore.games.uno.kernel import block_kernel
from simcore.games.uno.lane_choice import choose_ahead, take_place
from simcore.games.uno.lane_rows import (
    AGAIN,
    ALL,
    ANYTHING,
    HAND,
    LANE_ROWS,
    LAST_LIKED,
    MIXED,
    MOVE,
    PLAYABLE,
    PREFERRED,
    RANDOM_CARDS,
    SOME_RANDOM,
    USUAL,
    Rules,
)
from simcore.games.uno.lanes import kernel_that
from simcore.games.uno.spec import doubts
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.uno.following import UNO

in_lanes = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")

TOLD = ["random_playable", "majority", "dumper", "saver", "hitter"]
TOLD += ["watcher", "bluffer", "challenger", "all_rounder"]
LINEUPS = [
    *([name] for name in TOLD),
    ["dumper(cards=0)"],
    ["dumper(cards=20)"],
    ["saver(cards=1.5)"],
    ["saver(cards=12)"],
    ["hitter(cards=0)"],
    ["hitter(cards=20)"],
    ["saver", "dumper(cards=7)", "hitter(cards=1)", "random_playable", "majority"],
    ["majority", "random_playable"],
    ["random", "all_rounder(hit=5)", "challenger(cards=4)", "bluffer(cards=20)"],
    ["challenger(cards=31,laid=7.5,drew=12)", "random", "bluffer(rate=1,cards=20)"],
    ["all_rounder(actions=10,lack=20,doubt=3,hit=20,bluff=0.3)", "watcher(cards=3.3)"],
]
VARIANTS = {
    "defaults": {},
    "who can must lay": {"must_play": True},
    "last a number": {"last_card": "number", "players": 5, "forget_uno": 0.5},
    "both house rules": {"must_play": True, "last_card": "number", "draw_two_cards": 0},
    "two": {"players": 2},
    "two, nobody skipped": {"players": 2, "reverse_two_players": "none"},
    "three": {"players": 3},
    "five, own cards": {"players": 5, "scoring": "own_cards"},
    "ten": {"players": 10},
    "no challenge": {"challenge": "off"},
    "ten, no challenge": {"players": 10, "challenge": "off"},
    "one round": {"rounds": 1},
    "forgetful": {"forget_uno": 0.5},
    "nine, forgetful": {"players": 9, "forget_uno": 0.5, "notice_uno": 0.3},
    "cap": {"turn_cap": 100},
    "ten, long": {"players": 10, "target": 3000},
}


def lineup(names):
    return [parse_strategy(UNO, name) for name in names]


def assert_rows_are_the_same(names, options, first, count, **other):
    told = cell_of(UNO, options, *lineup(names), **other)
    called = cell_of(UNO, options, *map(Called, lineup(names)), **other)
    assert_same_rows(told, called, first, count)


def kernel_of(cell):
    return block_kernel(*(array[0] for array in records(cell)))


@in_lanes
@pytest.mark.parametrize("names", LINEUPS, ids=",".join)
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options, names):
    names = names[: options.get("players", 4)]
    assert fits_lanes(cell_of(UNO, options, *lineup(names)))
    assert_rows_are_the_same(names, options, 7, 300)


@in_lanes
@pytest.mark.parametrize("count", [0, 1, LANES - 1, 2 * LANES, 2 * LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same(["dumper", "hitter"], {"players": 2}, 3, count)


@in_lanes
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("names", [LINEUPS[-8], *LINEUPS[-3:]], ids=",".join)
def test_each_seat_draws_along_its_own_order(options, names):
    names = names[: options.get("players", 4)]
    assert fits_lanes(cell_of(UNO, options, *lineup(names), coupling="seat"))
    assert_rows_are_the_same(names, options, 7, 100, coupling="seat")


@in_lanes
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["random"], kernel_that(ANYTHING, USUAL)),
        (["majority", "random"], kernel_that(MIXED, USUAL)),
        (["watcher", "random_playable"], kernel_that(MIXED, USUAL)),
        (["majority", "watcher"], kernel_that(ALL, USUAL)),
        (["all_rounder(bluff=0,lack=0,doubt=40)"], kernel_that(ALL, USUAL)),
        (["majority", "hitter"], kernel_that(PREFERRED, USUAL)),
        (["majority", "random_playable"], kernel_that(SOME_RANDOM, USUAL)),
        (["random_playable"], kernel_that(RANDOM_CARDS, USUAL)),
    ],
)
def test_kernels_are_chosen_by_line_up(names, expected):
    assert kernel_of(cell_of(UNO, {}, *lineup(names))) is expected


@pytest.mark.parametrize("seats", [2, 5, 10])
def test_few_cards_are_seen_at_every_seat(seats):
    """Whoever has them, the player on turn excepted, and however many others have."""
    draw = np.random.default_rng(seats)
    for _ in range(300):
        hands = draw.choice([1, 2, 3, 5, 20, 21, 30, 31, 32, 90], seats)
        counts = np.int64(EMPTY_TABLE)
        for seat, cards in enumerate(hands):
            counts = with_count(counts, seat, draw.integers(91))
            counts = with_count(counts, seat, cards)
        index, following = draw.choice(seats, 2, replace=False)
        at_most = draw.integers(21, size=2)
        others = np.delete(hands, index)
        assert some_opponent_has(counts, index, at_most[0]) == -int(others.min() <= at_most[0])
        assert next_has(counts, following, at_most[1]) == -int(hands[following] <= at_most[1])


TWO_PLAYERS = Rules(2, *[0] * (len(Rules._fields) - 1))


@kernel
def choose_at_random(lanes):
    choose_ahead(lanes, 0, TWO_PLAYERS, USUAL, SOME_RANDOM)
    take_place(lanes, 0)


@pytest.mark.parametrize(("cards", "again"), [(0b1, 0), (0b101, -1)])
def test_a_number_that_might_be_drawn_again_is_noticed(cards, again):
    """The stream of two zeros draws 0; `rng.below` then asks whether that may be biased."""
    lanes = np.zeros((LANE_ROWS, 1), dtype=np.int64)
    lanes[LAST_LIKED] = -1
    lanes[HAND] = lanes[PLAYABLE] = cards
    choose_at_random(lanes)
    assert (lanes[MOVE, 0], lanes[AGAIN, 0]) == (0b1, again)


@pytest.mark.parametrize(
    "case", [(10, 3, 20), (0, 0, 0), (4.5, 0.3, 0.1), (40, 40, 40), (40, 0, 0)]
)
def test_doubts_are_those_of_the_evidence_weighed(case):
    """Its cards, more for the card laid before, less for a draw: as float64, for every hand."""
    cards, laid, drew = case
    for number, least in enumerate(doubts(*case)):
        for count in range(1, 108):
            evidence = float(count)
            if number & 1:
                evidence += laid
            if number & 2:
                evidence -= drew
            assert (count >= least) == (evidence >= cards)
