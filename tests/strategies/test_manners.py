"""What policies say of how they play, for the lanes; each game tests that they do play so."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest

from simcore.game import game_names, get_game
from simcore.records import MANNER_WORDS
from strategies import policies
from strategies.registry import Param, Strategy, parse_strategy

MANNERED = [
    pytest.param(policy, id=f"{name}-{policy.name}")
    for name in game_names()
    for policy in policies(get_game(name))
    if policy.manner is not None
]


@pytest.mark.parametrize("policy", MANNERED)
def test_manners_fit_the_records_whatever_the_parameters(policy):
    ends = [(param.low, param.default, param.high) for param in policy.params]
    assert all(isinstance(param, Param) for param in policy.params)
    for values in product(*ends):
        names = [param.name for param in policy.params]
        found = Strategy(policy, dict(zip(names, values, strict=True))).manner()
        assert len(found) <= MANNER_WORDS
        assert all(isinstance(word, int) and -(1 << 63) <= word < 1 << 63 for word in found)
        assert not found or found[0] != 0


def test_there_are_some():
    assert len(MANNERED) >= 20


def test_that_of_a_policy_from_elsewhere_is_not_taken():
    """Nobody has tested that it plays so."""
    shedder = parse_strategy(get_game("up"), "shedder").policy
    elsewhere = replace(shedder, function=lambda _table, _seat: 0)
    assert Strategy(shedder).manner() != ()
    assert Strategy(elsewhere).manner() == ()
