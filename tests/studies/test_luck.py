"""Luck against skill: planted parts of the variance of who wins come out, and nothing else does."""

import math

import numpy as np
import pytest

from studies.answers.luck import FEWEST_DEALS, SOURCES, parts
from tests.studies.answer_rows import Cell, columns, totals


def parts_of(winner, players):
    """Return (share, low, high) by source where these seats win; winner is (deals, rotations)."""
    rotations = winner.shape[1]
    cell = Cell(tuple("abcdef"[seat % rotations] for seat in range(players)), rotations)
    winners = np.where(winner < 0, 0, 1 << np.maximum(winner, 0))
    variance = parts(totals(cell, columns(winners)), players)
    if variance is None:
        return None
    ends = zip(variance.share, variance.low, variance.high, strict=True)
    return dict(zip(SOURCES, ends, strict=True))


def contested(rng, deals, players, rotations, *, skill=0.0):
    """Return who wins where cards, policy and chance add up."""
    strength = rng.normal(size=(deals, 1, players)) + rng.normal(size=(deals, rotations, players))
    for rotation in range(rotations):
        strength[:, rotation] += skill * ((np.arange(players) + rotation) % rotations == 0)
    return strength.argmax(axis=2)


TABLES = [(4, 2), (3, 3), (2, 2), (6, 2)]
OF_TABLES = pytest.mark.parametrize(("players", "rotations"), TABLES)


@OF_TABLES
def test_chance_alone_is_neither_cards_nor_policy(players, rotations):
    """Each match is won by lot: what one seat wins the others lose."""
    won = np.random.default_rng(players).integers(players, size=(20_000, rotations))
    shares = {name: share for name, (share, *_) in parts_of(won, players).items()}
    assert shares == pytest.approx({"cards": 0, "seat": 0, "policy": 0, "rest": 1}, abs=0.02)
    assert sum(shares.values()) == pytest.approx(1)


def test_few_deals_do_not_make_seats_and_policies_of_chance():
    """The squares of means that chance scatters are taken off: none is told on average."""
    shares = []
    for seed in range(60):
        won = np.random.default_rng(seed).integers(3, size=(FEWEST_DEALS, 3))
        shares.append([parts_of(won, 3)[name][0] for name in ("seat", "policy")])
    for values in np.array(shares).T:
        assert abs(values.mean()) < 4 * values.std() / math.sqrt(len(values))
        assert values.std() < 0.01


@OF_TABLES
def test_the_seat_that_the_cards_favour_always_wins(players, rotations):
    won = np.random.default_rng(players).integers(players, size=(5000, 1))
    variance = parts_of(np.repeat(won, rotations, axis=1), players)
    assert variance["cards"][0] == pytest.approx(1, abs=0.01)


@pytest.mark.parametrize(("players", "rotations"), [*TABLES, (4, 4)])
def test_a_policy_that_always_wins_explains_the_most(players, rotations):
    """One of its seats by lot; other policies hold as many seats each."""
    held = players // rotations
    lot = np.random.default_rng(9).integers(held, size=(3000, rotations))
    seats = (-np.arange(rotations)) % rotations + rotations * lot
    share, low, _ = parts_of(seats, players)["policy"]
    most = (1 / (rotations * held**2) - 1 / players**2) / (1 / players - 1 / players**2)
    assert share == pytest.approx(most, abs=0.01)
    assert low < most


def test_a_seat_that_always_wins_is_the_seat():
    assert parts_of(np.zeros((1000, 3), int), 3)["seat"][0] == pytest.approx(1)


def test_a_policy_that_wins_at_its_own_seat_alone_is_neither_seat_nor_policy():
    """Each seat and each policy wins every third match: what is left is where they meet."""
    shares = {k: share for k, (share, *_) in parts_of(np.tile([0, 1, 2], (1000, 1)), 3).items()}
    assert shares == pytest.approx({"cards": 0, "seat": 0, "policy": 0, "rest": 1}, abs=1e-9)


def test_a_certain_win_is_no_more_certain_than_its_deals():
    share, low, _ = parts_of(np.tile([0, 1], (300, 1)), 2)["policy"]
    assert share == 1
    assert 4 * 3.0 / 300 < 1 - low < 4 * 5.0 / 300


def test_deals_with_an_aborted_match_are_left_out():
    rng = np.random.default_rng(10)
    won = contested(rng, 900, 3, 3, skill=0.5)
    complete = rng.random(900) < 0.7
    lost = np.where(complete[:, None], won, np.where(rng.random(won.shape) < 0.5, -1, won))
    lost[~complete, 0] = -1
    some, plain = parts_of(lost, 3), parts_of(won[complete], 3)
    for name in SOURCES:
        assert some[name][0] == pytest.approx(plain[name][0]), name


def test_too_few_deals_tell_nothing():
    rng = np.random.default_rng(8)
    assert parts_of(contested(rng, FEWEST_DEALS - 1, 3, 3), 3) is None


@pytest.mark.whole
@pytest.mark.parametrize(("players", "rotations", "skill"), [(2, 2, 0.0), (4, 2, 0.0), (3, 3, 0.5)])
def test_intervals_hold_their_level(players, rotations, skill):
    """What is not there is estimated around 0, where a jackknife alone is blind."""
    rng = np.random.default_rng(players)
    runs = 150
    truth = parts_of(contested(rng, 150_000, players, rotations, skill=skill), players)
    held = dict.fromkeys(SOURCES, 0)
    for _ in range(runs):
        for name, (_, low, high) in parts_of(
            contested(rng, 300, players, rotations, skill=skill), players
        ).items():
            held[name] += low <= truth[name][0] <= high
    for name, times in held.items():
        assert times / runs > 0.95 - 4 * math.sqrt(0.05 * 0.95 / runs), name
