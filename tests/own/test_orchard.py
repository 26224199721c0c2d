"""Orchard beside its exact values, for three ways of using a basket."""

from __future__ import annotations

import math

import pytest

import cardlab
from tests.own import alone_orchard
from tests.own.small import GAMES

WAYS = {
    "fullest": (alone_orchard.fullest, 0.6840),
    "random": (alone_orchard.anywhere, 0.6320),
    "emptiest": (alone_orchard.emptiest, 0.5324),
}
CASES = [*((policy, {}) for policy in WAYS), ("fullest", {"basket": 3})]
FARTHEST = 4.5
"""Standard deviations."""


@pytest.mark.parametrize("policy", WAYS)
def test_the_exact_chance_is_the_known_one(policy):
    way, known = WAYS[policy]
    assert round(alone_orchard.chance_of_saving(way), 4) == known


@pytest.mark.parametrize(
    ("policy", "options"), [(p, {}) for p in WAYS] + [("fullest", {"basket": 3})]
)
def test_matches_agree_with_the_exact_chance(policy, options):
    matches = 20_000
    chance = alone_orchard.chance_of_saving(WAYS[policy][0], **options)
    simulation = cardlab.simulate(
        str(GAMES / "orchard.py"), players=2, options=options, lineup=policy, matches=matches
    )
    share = simulation.summary["metrics"]["winner_score"]["mean"]
    assert abs(share - chance) < FARTHEST * math.sqrt(chance * (1 - chance) / matches)
