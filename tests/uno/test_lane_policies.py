"""Policies that say how they play are played in lanes just as they are when they are called."""

from __future__ import annotations

import pytest

from simcore.batch import play, records
from simcore.games.uno.kernel import block_kernel, play_block
from simcore.games.uno.lanes import play_as_told, play_in_lanes
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
    assert kernel_of(cell_of(UNO, options, *lineup(names))) is play_as_told
    assert_rows_are_the_same(names, options, 7, 300)
