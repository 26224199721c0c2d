"""Random play side by side in lanes gives the rows that matches one by one give."""

from __future__ import annotations

import pytest

from simcore.batch import play, records
from simcore.games.uno.cards import count_of, put, put_any, put_more, size_of, take, take_more
from simcore.games.uno.stock import held_of, only, with_hand
from simcore.lanes import EIGHT_AT_ONCE, LANES
from simcore.match import all_random
from strategies.registry import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.side_by_side import Called, assert_same_rows, cell_of
from tests.uno.following import KIND_NAMES, UNO, named

in_lanes = pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")


ONE_BY_ONE = Called(parse_strategy(UNO, "random"))
VARIANTS = {
    "defaults": {},
    "who can must lay": {"must_play": True},
    "last a number": {"last_card": "number", "players": 5, "forget_uno": 0.5},
    "both house rules": {"must_play": True, "last_card": "number", "draw_two_cards": 0},
    "two": {"players": 2},
    "two, nobody skipped": {"players": 2, "reverse_two_players": "none"},
    "three": {"players": 3},
    "five": {"players": 5},
    "seven, own cards": {"players": 7, "scoring": "own_cards"},
    "ten": {"players": 10},
    "ten, many rounds": {"players": 10, "target": 3000},
    "no challenge": {"challenge": "off"},
    "ten, no challenge": {"players": 10, "challenge": "off"},
    "own cards": {"scoring": "own_cards"},
    "one round": {"rounds": 1},
    "forgetful": {"forget_uno": 0.5},
    "forgetful, seldom noticed": {"players": 9, "forget_uno": 0.5, "notice_uno": 0.3},
    "cap": {"turn_cap": 137},
    "ten, cap": {"players": 10, "turn_cap": 211},
    "few cards to draw": {"draw_two_cards": 0, "draw_four_cards": 0, "challenge_penalty": 0},
    "nobody draws four": {"draw_four_cards": 0, "challenge": "off", "players": 3},
    "many cards to draw": {"draw_two_cards": 7, "draw_four_cards": 9, "challenge_penalty": 5},
    "large hands, few cards": {"hand_size": 12, "numbers": 1, "reverses": 0, "wilds": 1},
    "many equal cards": {"numbers": 4, "wilds": 8, "rounds": 1},
}


def assert_rows_are_the_same(options, first, count, **other):
    lanes = cell_of(UNO, options, RANDOM_PLAYER, **other)
    assert_same_rows(lanes, cell_of(UNO, options, ONE_BY_ONE, **other), first, count)


@in_lanes
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_rows_are_the_same(options):
    lanes, single = cell_of(UNO, options, RANDOM_PLAYER), cell_of(UNO, options, ONE_BY_ONE)
    assert all_random(*(array[0] for array in records(lanes)))
    assert not all_random(*(array[0] for array in records(single)))
    assert_rows_are_the_same(options, 7, 400)


@in_lanes
@pytest.mark.parametrize("count", [0, 1, LANES - 1, LANES, LANES + 1])
def test_blocks_of_any_size(count):
    assert_rows_are_the_same({}, 0, count)


@in_lanes
def test_counts_of_very_long_rounds():
    """They stand in few bits of a lane and must be booked before these overflow."""
    cell = cell_of(UNO, {"players": 10, "rounds": 1}, RANDOM_PLAYER)
    columns = play(cell, 0, 1500).columns()
    assert columns["wild_draw_fours"].max() > 255
    assert_rows_are_the_same({"players": 10, "rounds": 1}, 0, 1500)


@in_lanes
@pytest.mark.parametrize("options", VARIANTS.values(), ids=VARIANTS)
def test_each_seat_draws_along_its_own_order(options):
    assert_rows_are_the_same(options, 7, 100, coupling="seat")


def test_policies_are_asked_one_by_one():
    mixed = cell_of(UNO, {}, RANDOM_PLAYER, RANDOM_PLAYER, RANDOM_PLAYER, ONE_BY_ONE)
    assert_same_rows(mixed, cell_of(UNO, {}, ONE_BY_ONE), 7, 200)


@pytest.mark.parametrize(("kind", "copies"), [(0, 1), (5, 2), (51, 2), (52, 4), (53, 4)])
def test_cards_are_put_and_taken_one_after_another(kind, copies):
    bit, (others, twice) = 1 << kind, (0b110 if kind > 2 else 0b110 << 7, 0)
    hands = [(others, twice)]
    for copy in range(1, copies + 1):
        cards, doubles, pairs = put(*hands[-1], 0, bit)
        assert put_any(*hands[-1], bit) == (cards, doubles)
        assert pairs == 0
        assert sorted(named(cards, doubles).values()) == sorted([1, 1, copy])
        hands.append((cards, doubles))
    while len(hands) > 1:
        assert take(*hands.pop(), bit) == hands[-1]
    assert put_any(*hands[0], 0) == take(*hands[0], 0) == hands[0]


@pytest.mark.parametrize(("kind", "copies"), [(0, 4), (50, 4), (51, 4), (52, 8), (53, 8)])
def test_many_equal_cards_are_put_and_taken_one_after_another(kind, copies):
    bit, hands = 1 << kind, [(0b10, 0b10, 0b10)]
    for copy in range(1, copies + 1):
        hands.append(put(*hands[-1], bit))
        assert put_more(*hands[-2], bit) == hands[-1]
        assert named(*hands[-1]) == {KIND_NAMES[1]: 4, KIND_NAMES[kind]: copy}
        assert count_of(*hands[-1], kind) == copy
        assert size_of(*hands[-1]) == 4 + copy
    while len(hands) > 1:
        assert take_more(*hands.pop(), bit) == hands[-1]
    assert put_more(*hands[0], 0) == take_more(*hands[0], 0) == hands[0]


@pytest.mark.parametrize("kind", [52, 53])
@pytest.mark.parametrize("hands", [(1,) * 8, (8,), (4, 3, 1), (2, 5), (7, 0, 1)], ids=str)
def test_wild_cards_in_hands_and_on_top_are_counted(kind, hands):
    held = only(1 << 5)
    for count in hands:
        cards = doubles = pairs = 0
        for _ in range(count):
            cards, doubles, pairs = put(cards, doubles, pairs, 1 << kind)
        held = with_hand(held, cards, doubles, pairs)
    assert held_of(held, kind) == sum(hands)
    assert held_of(held, 105 - kind) == 0
