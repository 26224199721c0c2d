"""What house rules and dials add to a step in lanes: rows are those of one match after another."""

from __future__ import annotations

import numba
import pytest

from simcore.batch import fits_lanes, play, records
from simcore.games.uno.lane_choice import choose_ahead
from simcore.games.uno.lane_rows import ALL, ANYTHING, MIXED, USUAL, Dials, leaves_to_chance
from simcore.games.uno.lane_steps import take_step
from simcore.games.uno.lanes import WORK, dials_of, rules_of
from simcore.games.uno.lanes import fits_lanes as has_lanes
from simcore.games.uno.table import DTYPES
from simcore.games.uno.turns import first_of, seat_from
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE, LANES, LINE
from strategies.registry import parse_strategy
from tests.side_by_side import cell_of
from tests.uno.following import UNO

in_lanes = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")

PARTY = {"stacking": "any", "jump_in": True, "seven_zero": True}
VARIANTS = {
    "stacking": {"stacking": "any"},
    "two stack the same": {"stacking": "same", "players": 2},
    "ten stack, no challenge": {"stacking": "any", "players": 10, "challenge": "off"},
    "jump_in": {"jump_in": True},
    "two jump in": {"jump_in": True, "players": 2, "reverse_two_players": "none"},
    "nine jump in": {"jump_in": True, "players": 9},
    "seven_zero": {"seven_zero": True},
    "two swap": {"seven_zero": True, "players": 2},
    "ten swap, forgetful": {"seven_zero": True, "players": 10, "forget_uno": 0.4},
    "draw": {"draw": "until_playable"},
    "two draw, no challenge": {"draw": "until_playable", "players": 2, "challenge": "off"},
    "ten draw": {"draw": "until_playable", "players": 10},
    "challenge": {"challenge": "any"},
    "ten challenge": {"challenge": "any", "players": 10},
    "numbers": {"numbers": 3},
    "two, many wild cards": {"wilds": 6, "wild_draw_fours": 8, "players": 2},
    "party": PARTY | {"draw": "until_playable", "must_play": True},
    "party of two": PARTY | {"players": 2, "turn_cap": 150},
    "party of seven": PARTY | {"players": 7, "challenge": "any", "numbers": 4, "wilds": 8},
    "stacking, last a number": {"stacking": "same", "last_card": "number", "players": 3},
    "jump_in, five to draw": {"jump_in": True, "draw_two_cards": 5, "turn_cap": 120},
    "party, one must lay": PARTY | {"must_play": True, "draw_four_cards": 9, "players": 5},
}
LINEUPS = {
    "random": ["random"],
    "all_rounder": ["all_rounder"],
    "mixed": ["all_rounder", "random", "majority", "random_playable", "bluffer"],
}


def seated(options, names, **other):
    names = names[: options.get("players", 4)]
    return cell_of(UNO, options, *(parse_strategy(UNO, name) for name in names), **other)


def assert_rows_are_the_same(cell, first, count):
    single = play(cell, first, count, lanes=False).columns()
    for name, column in play(cell, first, count).columns().items():
        assert column.tolist() == single[name].tolist(), name


@in_lanes
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
@pytest.mark.parametrize("names", LINEUPS.values(), ids=LINEUPS)
def test_rows_are_the_same(options, names):
    cell = seated(options, names)
    assert fits_lanes(cell)
    assert_rows_are_the_same(cell, 7, 150)


@in_lanes
@pytest.mark.parametrize("names", LINEUPS.values(), ids=LINEUPS)
@pytest.mark.parametrize("variant", ["stacking", "jump_in", "seven_zero", "draw", "challenge"])
def test_each_seat_draws_along_its_own_order(variant, names):
    assert_rows_are_the_same(seated(VARIANTS[variant], names, coupling="seat"), 7, 60)


@pytest.mark.parametrize(
    ("options", "known"),
    [
        ({}, ""),
        ({"must_play": True}, "house"),
        ({"draw": "until_playable"}, "until"),
        ({"stacking": "same"}, "stacks"),
        ({"challenge": "any"}, "anyone"),
        ({"challenge": "any", "players": 2}, ""),
        ({"jump_in": True}, "jumps"),
        ({"seven_zero": True}, "swaps"),
        ({"wild_draw_fours": 5}, "wide"),
        ({"jump_in": True, "last_card": "any", "draw_two_cards": 3}, " ".join(Dials._fields)),
        ({"stacking": "any", "seven_zero": True}, " ".join(Dials._fields)),
    ],
    ids=str,
)
def test_steps_know_one_house_rule_or_all(options, known):
    table, _ = (array[0] for array in records(seated(options, ["random"])))
    dials = dials_of(table)
    assert {name for name, rule in dials._asdict().items() if rule} == set(known.split())


@pytest.mark.parametrize(
    "options",
    [
        {"jump_in": True, "last_card": "number"},
        {"draw": "until_playable", "forget_uno": 0.1},
        {"stacking": "any", "draw_two_cards": 0},
        {"challenge": "any", "draw_four_cards": 0},
        {"wilds": 8, "must_play": True, "draw_four_cards": 0},
    ],
    ids=str,
)
def test_what_lanes_leave_to_the_ordinary_loop(options):
    table, box = (array[0] for array in records(seated(options, ["random"])))
    assert not has_lanes(table, box, dials_of(table))


@pytest.mark.parametrize("players", [2, 3, 10])
@pytest.mark.parametrize("reversals", [0, 1])
def test_the_first_seat_after_another_is_found(players, reversals):
    for following in range(players):
        for seats in range(1, 1 << players):
            if seats & ~(1 << following) != seats:
                continue
            first = following
            while not seats >> first & 1:
                first = seat_from(first, 1, reversals, players)
            assert first_of(seats, following, reversals, players) == first


@in_lanes
@pytest.mark.parametrize("told", [ANYTHING, ALL, MIXED], ids=["random", "all", "mixed"])
@pytest.mark.parametrize("name", ["usual", "house", *Dials._fields[1:], "all"])
def test_a_step_is_taken_in_vector_registers(name, told):
    """A choice that the compiler makes a branch, or a call, would leave it to lane after lane."""
    one = {"usual": USUAL, "all": Dials(*[(0,)] * len(Dials._fields))}
    dials = one.get(name) or USUAL._replace(**{name: (0,)})

    def take_steps(work, group, table):
        start = (work.column & (LINE - 1)) + (group & LANES)
        rules, leaves = rules_of(table), 0
        for lane in range(LANES):
            leaves |= take_step(work.lanes, start + lane, rules, dials, told) << lane
        for lane in range(LANES):
            if leaves_to_chance(told):
                choose_ahead(work.lanes, start + lane, rules, dials, told)
        return leaves

    compiled = kernel(take_steps)
    compiled.compile((numba.from_dtype(WORK), numba.int64, numba.from_dtype(DTYPES.table)))
    (code,) = compiled.inspect_llvm().values()
    assert "@llvm.ctpop.v8i64(" in code
    assert "call i64 @llvm.ctpop.i64(" not in code
