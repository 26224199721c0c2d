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


@pytest.fixture(scope="module", params=(2, pytest.param(3, marks=pytest.mark.whole), 4))
def dealt(request):
    """Return a number of players, and the same first rounds for all tests."""
    return request.param, list(starts_of_rules("updown", {"players": request.param}))


def test_the_new_trump_is_another_throw_of_two_dice(dealt):
    """Two dice, thrown again while the old trump comes: [C6]."""
    counts: Counter[tuple[int, int]] = Counter()
    for plain, begun in dealt[1]:
        s, old = begun.copy(), begun.trump
        plain.apply(s, ud.ROLL)
        counts[old, s.trump] += 1
    chances = {
        (old, new): first * second / (1 - first)
        for old, first in DICE.items()
        for new, second in DICE.items()
        if old != new
    }
    assert_distribution(counts, chances)


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("trump", ["dice", "none"])
@pytest.mark.parametrize("change", ["must", "may"])
def test_how_often_leaders_make_each_change_in_a_round(players, trump, change):
    """Random leaders choose one of the moves before every trick, of which three rotate."""
    cell = cell_of(players, trump=trump, leader_change=change)
    columns, tricks = play(cell, 0, SAMPLE).columns(), HAND_SIZES[players]
    shares = {"flips": 1, "rotations": 3, "rolls": trump == "dice", "kept": change == "may"}
    for name, share in shares.items():
        counts = Counter(columns[name].tolist())
        chances = stats.binom.pmf(range(tricks + 1), tricks, share / sum(shares.values()))
        if share:
            assert_distribution(counts, dict(enumerate(chances.tolist())))
        else:
            assert set(counts) == {0}


def test_cards_of_a_colour_in_a_hand(dealt):
    players, begun = dealt
    counts = Counter(sum(card >> 4 == 2 for card in s.hand[1]) for _, s in begun)
    assert_distribution(counts, hypergeometric(44, 11, HAND_SIZES[players]))


def test_c2_face_first_leader_and_first_trump_are_independent(dealt):
    players, begun = dealt
    counts = Counter((s.face, s.leader, s.trump) for _, s in begun)
    faces = {face for face, _, _ in counts}
    assert len(faces) == 2
    chances = {
        (face, leader, trump): chance / (2 * players)
        for face in faces
        for leader in range(players)
        for trump, chance in DICE.items()
    }
    assert_distribution(counts, chances)
