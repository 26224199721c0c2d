"""Policies that say how they play are played in lanes just as they are when they are called."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import records
from simcore.games.uno.kernel import block_kernel, play_block
from simcore.games.uno.lane_choice import (
    EMPTY_TABLE,
    TACTIC,
    choose_as_told,
    is_called_for,
    with_count,
    write_tactic,
)
from simcore.games.uno.lanes import (
    play_by_spec,
    play_cards_at_random,
    play_in_lanes,
    play_partly_at_random,
)
from simcore.games.uno.spec import BY_PREFERENCE
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE, LANES
from strategies.registry import parse_strategy
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.uno.following import UNO

in_lanes = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")

TOLD = ["random_playable", "majority", "dumper", "saver", "hitter"]
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
]
VARIANTS = {
    "defaults": {},
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
    assert kernel_of(cell_of(UNO, options, *lineup(names))) is not play_block
    assert_rows_are_the_same(names, options, 7, 300)


@in_lanes
@pytest.mark.parametrize("count", [0, 1, LANES - 1, 2 * LANES, 2 * LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same(["dumper", "hitter"], {"players": 2}, 3, count)


def test_each_seat_draws_along_its_own_order():
    cell = cell_of(UNO, {}, *lineup(["saver"]), coupling="seat")
    assert kernel_of(cell) is play_block
    assert_rows_are_the_same(["saver"], {}, 7, 100, coupling="seat")


@in_lanes
@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["random"], play_in_lanes),
        (["majority", "random"], play_block),
        (["majority", "watcher"], play_block),
        (["majority", "hitter"], play_by_spec),
        (["majority", "random_playable"], play_partly_at_random),
        (["random_playable"], play_cards_at_random),
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
        spec = np.array([BY_PREFERENCE, *at_most, 0, 0, 0, 0, 0])
        tactic = np.zeros(TACTIC, dtype=np.int64)
        write_tactic(tactic, spec)
        few = is_called_for(tactic[0], tactic[1], counts, index, following)
        assert few == -int(others.min() <= at_most[0] or hands[following] <= at_most[1])


@kernel
def choose(tactic, honest, word0, word1):
    words = (np.uint64(word0), np.uint64(word1))
    nobody = np.int64(EMPTY_TABLE)
    return choose_as_told(tactic, nobody, 0, 1, honest, np.int64(0), honest, words, (0, 0))


@pytest.mark.parametrize(("cards", "again"), [(0b1, 0), (0b101, -1)])
def test_a_number_that_might_be_drawn_again_is_noticed(cards, again):
    """The stream of two zeros draws 0; `rng.below` then asks whether that may be biased."""
    told = (np.int64(0), np.int64(0), np.int64(0), np.int64(-1))
    move, _, at_random, found, _ = choose(told, np.int64(cards), 0, 0)
    assert (move, at_random, found) == (0b1, -1, again)
