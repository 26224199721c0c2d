"""Probabilities of UP & DOWN that are known exactly, measured on the kernel.

Those of all possible tricks are enumerated in `test_oracles.py`.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest
from scipy import stats

from simcore.batch import play
from simcore.games.updown import rules as ud
from tests.exact import SAMPLE, assert_distribution, hypergeometric, starts_of_rules
from tests.updown.test_oracles import HAND_SIZES, cell_of

DICE = {total: Fraction(6 - abs(7 - total), 36) for total in range(2, 13)}


def test_the_new_trump_is_another_throw_of_two_dice():
    """Two dice, thrown again while the old trump comes: [C6]."""
    found: Counter[tuple[int, int]] = Counter()
    for plain, s in starts_of_rules("updown", {"players": 3}):
        old = s.trump
        plain.apply(s, ud.ROLL)
        found[old, s.trump] += 1
    chances = {
        (old, new): first * second / (1 - first)
        for old, first in DICE.items()
        for new, second in DICE.items()
        if old != new
    }
    assert_distribution(found, chances)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_how_often_leaders_turn_and_roll_in_a_round(players):
    """Random leaders choose one of five moves before every trick."""
    columns = play(cell_of(players), 0, SAMPLE).columns()
    tricks = HAND_SIZES[players]
    for name, chance in (("flips", 0.2), ("rolls", 0.2), ("rotations", 0.6)):
        binomial = {k: float(stats.binom.pmf(k, tricks, chance)) for k in range(tricks + 1)}
        assert_distribution(Counter(columns[name].tolist()), binomial)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_cards_of_a_colour_in_a_hand(players):
    found = Counter(
        sum(card >> 4 == 2 for card in s.hand[1])
        for _, s in starts_of_rules("updown", {"players": players})
    )
    assert_distribution(found, hypergeometric(44, 11, HAND_SIZES[players]))


@pytest.mark.parametrize("players", [2, 3, 4])
def test_face_first_leader_and_first_trump_are_independent(players):
    found = Counter(
        (s.face, s.leader, s.trump) for _, s in starts_of_rules("updown", {"players": players})
    )
    faces = {face for face, _, _ in found}
    assert len(faces) == 2
    chances = {
        (face, leader, trump): chance / (2 * players)
        for face in faces
        for leader in range(players)
        for trump, chance in DICE.items()
    }
    assert_distribution(found, chances)
