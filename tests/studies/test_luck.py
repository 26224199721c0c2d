"""Luck against skill: planted variance parts come out, and nothing else does."""

import math
from collections import Counter

import numpy as np
import pytest

from studies.balance.luck import SOURCES, Crossed, most_by_policy

TRUE_PARTS = {
    "cards": 4.0 + 1.0,
    "seat": 0.3,
    "policy": 2.0,
    "policy and cards": 1.5,
    "policy and seat": 0.0,
    "rest": 3.0,
}


def crossed_outcome(rng, deals, rotations=3):
    """Return (deals, rotations, seats) with the parts of `TRUE_PARTS`, three seats."""

    def centred(axis, shape):
        values = rng.normal(size=shape)
        return math.sqrt(1.5) * (values - values.mean(axis=axis, keepdims=True))  # variance 1

    place = np.array([-1.0, 0.0, 1.0]) * math.sqrt(1.5)  # mean 0, variance 1
    y = 2.0 * rng.normal(size=(deals, 1, 1))
    y = y + centred(1, (deals, 3, 1))
    y = y + math.sqrt(1.5) * centred(2, (deals, 1, 3))
    y = y + math.sqrt(3.0) * rng.normal(size=(deals, 3, 3))
    y = y + math.sqrt(0.3) * place[:, None] + math.sqrt(2.0) * place[None, :]
    outcome = np.empty((deals, 3, 3))
    for rotation in range(rotations):
        for seat in range(3):
            outcome[:, rotation, seat] = y[:, seat, (seat + rotation) % 3]
    return outcome


def test_planted_variance_parts_come_out():
    crossed = Crossed(3, 3)
    outcome = crossed_outcome(np.random.default_rng(6), 40_000)
    crossed.add(0, outcome[:777])
    crossed.add(777, outcome[777:])
    parts = crossed.parts()
    total = sum(TRUE_PARTS.values())
    assert parts.total == pytest.approx(total, rel=0.02)
    for name in SOURCES:
        assert parts.shares[name].estimate == pytest.approx(TRUE_PARTS[name] / total, abs=0.006)
    assert sum(own.estimate for own in parts.shares.values()) == pytest.approx(1)


def test_variance_intervals_hold_their_level():
    rng = np.random.default_rng(7)
    total = sum(TRUE_PARTS.values())
    held = Counter()
    for _ in range(500):
        crossed = Crossed(3, 3)
        crossed.add(0, crossed_outcome(rng, 400))
        for name, own in crossed.parts().shares.items():
            held[name] += own.low <= TRUE_PARTS[name] / total <= own.high
    error = 4 * math.sqrt(0.05 * 0.95 / 500)
    for name in ("cards", "policy", "policy and cards", "rest"):
        assert abs(held[name] / 500 - 0.95) < error, name
    assert held["policy and seat"] / 500 > 0.95 - error


def test_chance_alone_is_neither_cards_nor_policy():
    """Each match is won by lot: what one seat wins the others lose."""
    for players, rotations in ((4, 2), (3, 3), (2, 2), (6, 2)):
        won = np.random.default_rng(players).integers(players, size=(20_000, rotations))
        crossed = Crossed(players, rotations)
        crossed.add(0, np.eye(players)[won])
        shares = crossed.parts().shares
        assert shares["rest"].estimate == pytest.approx(1, abs=0.02)
        for name in ("cards", "seat", "policy"):
            assert shares[name].estimate == pytest.approx(0, abs=0.02), name


@pytest.mark.parametrize("players", [2, 4])
def test_intervals_of_equals_hold_their_level(players):
    """What is not there is estimated around 0, where the jackknife alone is blind."""
    rng = np.random.default_rng(players)
    held = Counter()
    for _ in range(300):
        favoured = rng.integers(players, size=(300, 1))
        lot = rng.integers(players, size=(300, 2))
        won = np.where(rng.random((300, 2)) < 0.5, favoured, lot)
        crossed = Crossed(players, 2)
        crossed.add(0, np.eye(players)[won])
        for name, own in crossed.parts().shares.items():
            held[name] += own.low <= 0 <= own.high
    for name in ("seat", "policy", "policy and seat"):
        assert held[name] / 300 > 0.95 - 4 * math.sqrt(0.05 * 0.95 / 300), name


def test_the_seat_that_the_cards_favour_always_wins():
    for players, rotations in ((4, 2), (3, 3), (2, 2)):
        won = np.random.default_rng(players).integers(players, size=(5000, 1))
        crossed = Crossed(players, rotations)
        crossed.add(0, np.eye(players)[np.repeat(won, rotations, axis=1)])
        shares = crossed.parts().shares
        assert shares["cards"].estimate == pytest.approx(1, abs=0.01)


def test_the_policy_that_the_cards_favour_always_wins():
    """Two at a time hold the policy that a deal favours; one of them wins by lot."""
    rng = np.random.default_rng(1)
    favoured = rng.integers(2, size=5000)
    outcome = np.zeros((5000, 2, 4))
    for rotation in range(2):
        first = (favoured - rotation) % 2
        outcome[range(5000), rotation, first + 2 * rng.integers(2, size=5000)] = 1
    crossed = Crossed(4, 2)
    crossed.add(0, outcome)
    shares = crossed.parts().shares
    assert shares["policy and cards"].estimate == pytest.approx(1 / 3, abs=0.02)
    assert shares["policy"].estimate == pytest.approx(0, abs=0.01)


@pytest.mark.parametrize(("players", "rotations"), [(4, 2), (6, 2), (3, 3), (2, 2), (4, 4)])
def test_a_policy_that_always_wins_explains_the_most(players, rotations):
    """One of its seats by lot; other policies hold as many seats each."""
    rng = np.random.default_rng(9)
    held = players // rotations
    outcome = np.zeros((3000, rotations, players))
    for rotation in range(rotations):
        seat = (-rotation) % rotations + rotations * rng.integers(held, size=3000)
        outcome[range(3000), rotation, seat] = 1
    crossed = Crossed(players, rotations)
    crossed.add(0, outcome)
    own = crossed.parts()
    most = most_by_policy(players, held)
    assert own.shares["policy"].estimate == pytest.approx(most, abs=0.01)
    assert own.shares["policy"].low < most
    assert crossed.means == pytest.approx([1 / held] + [0] * (rotations - 1))


def test_a_certain_win_is_no_more_certain_than_its_deals():
    """All of 200 deals to one side: the chance of 0.98 to see that when 1 in 10,000 differs."""
    outcome = np.zeros((200, 2, 2))
    outcome[:, 0, 0] = outcome[:, 1, 1] = 1
    crossed = Crossed(2, 2)
    crossed.add(0, outcome)
    own = crossed.parts().shares["policy"]
    assert own.estimate == 1
    assert 4 * 3.0 / 200 < 1 - own.low < 4 * 5.0 / 200


def test_deals_with_an_aborted_match_are_left_out_of_luck():
    rng = np.random.default_rng(10)
    outcome = crossed_outcome(rng, 900)
    whole = rng.random(900) < 0.7
    crossed, plain = Crossed(3, 3), Crossed(3, 3)
    for part in (slice(0, 130), slice(130, 900)):
        crossed.add(part.start, np.where(whole[part, None, None], outcome[part], 0.0), whole[part])
    assert (crossed.deals, crossed.left_out) == (whole.sum(), (~whole).sum())
    plain.add(0, outcome[whole])
    for name, own in crossed.parts().shares.items():
        assert own.estimate == pytest.approx(plain.parts().shares[name].estimate)


def test_too_few_deals_tell_nothing_of_variance():
    crossed = Crossed(3, 3)
    crossed.add(0, crossed_outcome(np.random.default_rng(8), 20))
    assert all(math.isnan(own.estimate) for own in crossed.parts().shares.values())
