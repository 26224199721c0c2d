"""What policies say of how they play, for the lanes; each game tests that they do play so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from simcore.batch import TRIED, play
from simcore.errors import PolicyError
from simcore.game import game_names, get_game
from simcore.games.up.spec import (
    ANNOUNCE,
    ANY_NEAR,
    LAY_HEAVY,
    OPPONENT_PLACE,
    ORDER,
    RANK_BITS,
    SORTS,
    for_match,
    play_spec,
)
from simcore.jit import kernel
from simcore.records import BY_SPEC, SPEC_WORDS
from strategies import policies
from strategies.dnup_moves import NOTHING, get_by, settle
from strategies.params import Param
from strategies.registry import Strategy, make_strategy, parse_strategy
from tests.players import TestPlayer
from tests.side_by_side import assert_same_rows, cell_of

DNUP, UP = get_game("dnup"), get_game("up")

WITH_SPECS = [
    pytest.param(policy, id=f"{name}-{policy.name}")
    for name in game_names()
    for policy in policies(get_game(name))
    if policy.spec is not None
]


@pytest.mark.parametrize("policy", WITH_SPECS)
def test_specs_fit_the_records_whatever_the_parameters(policy):
    assert all(isinstance(param, Param) for param in policy.params)
    # The bits of -0.0, which counts as 0, are those of the least int64.
    ends = [
        (param.low, param.default, param.high, *(() if param.low else (-0.0,)))
        for param in policy.params
    ]
    options = get_game(policy.game).resolve({})
    for values in product(*ends):
        names = [param.name for param in policy.params]
        found = Strategy(policy, dict(zip(names, values, strict=True))).spec(options)
        assert len(found) <= SPEC_WORDS
        assert all(isinstance(word, int) and -(1 << 63) <= word < 1 << 63 for word in found)
        assert not found or found[0] != 0


def test_there_are_some():
    assert len(WITH_SPECS) >= 20


def test_other_weights_are_of_rules_and_parameters_that_there_are():
    """Each row of some policy's `under` is met by some match, and no earlier row hides it."""
    for policy in (param.values[0] for param in WITH_SPECS):
        game = get_game(policy.game)
        for rules, values in policy.under:
            for end in (0, -1):
                options = game.resolve({name: meant[end] for name, meant in rules.items()})
                assert Strategy(policy).under(options).params == values
            assert make_strategy(policy, values).params == values


@pytest.mark.parametrize("number", [-(1 << 63), -1, 1, (1 << 63) - 1])
def test_words_of_ones_own_fit_the_records_of_any_match(number):
    """A user may return words that `play_spec` never does, and fewer of them."""
    for players in (2, 10):
        options = UP.resolve({"players": players, "minus_two_points": 0, "clear_points": 0})
        for count in range(1, ANNOUNCE + 3):
            found = for_match((number,) * count, options)
            assert all(-(1 << 63) <= word < 1 << 63 for word in found)


@dataclass
class Ordered(TestPlayer):
    """A player of Up by words that no `play_spec` returns: sorts of moves of the same rank."""

    choice: int = 0

    def address(self, _dtypes: object) -> int:
        return BY_SPEC

    def spec(self, options: object) -> Sequence[int]:
        return for_match((self.choice, *play_spec(range(SORTS), range(SORTS))[1:]), options)


def test_any_ranks_are_played_alike_in_lanes_and_one_by_one():
    drawn = np.random.default_rng(1)
    for players in (2, 3, 4) * 4:
        ranks = drawn.integers(0, 8, (2, SORTS))
        ranks[:, LAY_HEAVY] = drawn.integers(0, 4, 2)
        orders = [sum(int(r) << RANK_BITS * sort for sort, r in enumerate(one)) for one in ranks]
        choice = orders[0] | orders[1] << ORDER | ANY_NEAR << OPPONENT_PLACE
        cell = cell_of(UP, {"players": players}, Ordered("mine", None, choice=choice))
        rows = [play(cell, 0, 60, lanes=lanes).columns() for lanes in (False, True)]
        assert all(np.array_equal(rows[0][name], rows[1][name]) for name in rows[0]), ranks


def test_other_weights_under_other_rules():
    usual, no_clear_cards = (
        UP.resolve({"players": 3, **rule}) for rule in ({}, {"clear_cards": 0})
    )
    own = parse_strategy(UP, "all_rounder")
    assert own.spec(usual) == parse_strategy(UP, "all_rounder(card=1.6, low=3)").spec(usual)
    assert own.spec(usual) != own.spec(no_clear_cards)
    given = parse_strategy(UP, "all_rounder(card=1.6, low=3)")
    assert given.under(no_clear_cards).params == {
        **own.under(no_clear_cards).params,
        **given.params,
    }
    searching = parse_strategy(UP, "search(rollout=all_rounder)")
    assert searching.spec(no_clear_cards) == own.spec(no_clear_cards)


def test_other_weights_are_played():
    told = "all_rounder(card=0.7, open=3.3, low=4, light=4, cap=7, cards=1)"
    cells = [
        cell_of(UP, {"players": 3, "clear_cards": 0}, parse_strategy(UP, player))
        for player in (told, "all_rounder")
    ]
    assert_same_rows(*cells, 0, 40)


@dataclass
class Specified(TestPlayer):
    """A player from elsewhere that says it plays in some spec."""

    way: Sequence[int] = ()

    def spec(self, _options: object) -> Sequence[int]:
        return self.way


FIRST_WRONG = TRIED + 10


def usual(table, seat):
    move = settle(table, seat)
    return move if move != NOTHING else get_by(table, seat)


play_usual = kernel(usual)


def wrong_usual(table, seat):
    return np.int64(-5) if table.match_number >= FIRST_WRONG else play_usual(table, seat)


def players_of(function):
    """Return two players, of whom the first says that it plays in a way."""
    way = parse_strategy(DNUP, "high").spec({})
    return Specified("mine", function, way=way), TestPlayer("mine", function)


def test_an_illegal_move_of_who_has_a_spec_is_told():
    """The first one in the order of the matches."""
    told = []
    for player in players_of(wrong_usual):
        with pytest.raises(PolicyError) as refused:
            play(cell_of(DNUP, {}, player), 0, 400)
        told.append(str(refused.value))
    assert told[0] == told[1]
    assert f"match {FIRST_WRONG}" in told[0]


def test_who_has_a_function_plays_as_it_says():
    with_spec, without = (cell_of(DNUP, {}, player) for player in players_of(usual))
    assert_same_rows(with_spec, without, 0, 100)
