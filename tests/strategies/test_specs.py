"""What policies say of how they play, for the lanes; each game tests that they do play so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pytest

from simcore.batch import TRIED, play
from simcore.errors import PolicyError, UnsteadyError
from simcore.game import game_names, get_game
from simcore.jit import kernel
from simcore.lanes import EIGHT_AT_ONCE
from simcore.records import SPEC_WORDS
from strategies import policies
from strategies.dnup import greedy
from strategies.registry import Param, Strategy, parse_strategy
from tests.dnup.decks import write_decks
from tests.players import TestPlayer
from tests.side_by_side import cell_of

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
    for values in product(*ends):
        names = [param.name for param in policy.params]
        found = Strategy(policy, dict(zip(names, values, strict=True))).spec()
        assert len(found) <= SPEC_WORDS
        assert all(isinstance(word, int) and -(1 << 63) <= word < 1 << 63 for word in found)
        assert not found or found[0] != 0


def test_there_are_some():
    assert len(WITH_SPECS) >= 20


@dataclass
class Specified(TestPlayer):
    """A player from elsewhere that says it plays in some spec."""

    way: Sequence[int] = ()

    def spec(self) -> Sequence[int]:
        return self.way


FIRST_WRONG = TRIED + 10
play_greedy = kernel(greedy)


def wrong_greedy(table, seat):
    return np.int64(-5) if table.match_number >= FIRST_WRONG else play_greedy(table, seat)


@pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")
@pytest.mark.parametrize(
    ("name", "honest", "wrong", "deck"),
    [("dnup", "greedy", wrong_greedy, "crowded")],
)
def test_an_illegal_move_in_a_turn_out_of_the_lanes_is_told(tmp_path, name, honest, wrong, deck):
    """The first one in the order of the matches, as without lanes."""
    game = get_game(name)
    options = {"deck": write_decks(tmp_path)[deck]} if deck else {}
    way = parse_strategy(game, honest).spec()
    players = (Specified("wrong", wrong, way=way), TestPlayer("wrong", wrong))
    told = []
    for player in players:
        cell = cell_of(game, options, player)
        with pytest.raises(PolicyError) as refused:
            play(cell, 0, 400)
        told.append(str(refused.value))
    assert told[0] == told[1]
    assert f"match {FIRST_WRONG}" in told[0]


def other_than_high(table, seat):
    return play_greedy(table, seat)


@pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")
def test_who_plays_otherwise_than_its_spec_says_is_refused():
    game = get_game("dnup")
    way = parse_strategy(game, "high").spec()
    cell = cell_of(game, {}, Specified("mine", other_than_high, way=way))
    with pytest.raises(UnsteadyError, match="its play spec is not how it plays"):
        play(cell, 0, 100)
