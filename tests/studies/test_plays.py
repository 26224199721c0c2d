"""Logs of plays: changes, seats and strengths of people who meet at tables of changing size."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from studies.answers.plays import Plays, binomial, plays_answers

STRENGTHS = {"Ada": 0.8, "Ben": 0.3, "Cyd": 0.0, "Dan": -0.3, "Eve": -0.8}
FIRST_SEAT = 0.5
LONGER = 5.0


def club(seed, count=120):
    """Return a log with known strengths, a good first seat, and a rule that takes longer."""
    rng = np.random.default_rng(seed)
    names = list(STRENGTHS)
    variant, people, won, minutes = [], [], np.zeros((count, 5)), np.zeros(count)
    for play in range(count):
        size = int(rng.integers(3, 6))
        table = [names[at] for at in rng.permutation(5)[:size]]
        worth = np.exp([STRENGTHS[name] + FIRST_SEAT * (at == 0) for at, name in enumerate(table)])
        won[play, rng.choice(size, p=worth / worth.sum())] = 1
        # The rule is played more often at large tables, which take longer anyway.
        rule = "house" if rng.random() < 0.15 * size else "book"
        minutes[play] = 20 + 4 * size + LONGER * (rule == "house") + rng.normal() * size
        variant.append(rule)
        people.append(tuple(table))
    return Plays(variant, "book", people, won, {"minutes": minutes})


def row(rows, **named):
    (found,) = [one for one in rows if all(one.get(key) == value for key, value in named.items())]
    return found


def share(name, size=4):
    mean = np.mean(list(STRENGTHS.values()))
    return 1 / (1 + (size - 1) * np.exp(mean - STRENGTHS[name]))


def test_a_club_is_told_its_effects_seats_and_strengths():
    rows, notes = plays_answers(club(1, count=2000), 0.95)
    longer = row(rows, kind="change", number="minutes")
    assert longer["low"] < LONGER < longer["high"]
    assert longer["high"] - longer["low"] < 1
    for name in STRENGTHS:
        person = row(rows, who=f"policy {name}")
        size = round(1 / person["baseline"])
        assert person["estimate"] == pytest.approx(share(name, size), abs=0.05)
    first = row(rows, who="position 0")
    assert first["low"] > first["baseline"]
    assert row(rows, kind="people")["p"] < 1e-6
    assert not notes


def test_a_row_never_contradicts_its_interval():
    for seed in range(4):
        rows, _ = plays_answers(club(seed, count=40), 0.95)
        for one in rows:
            if one.get("p") is not None and one["kind"] in ("change", "seat", "person"):
                null = 0.0 if one["kind"] == "change" else one["baseline"]
                outside = not one["low"] <= null <= one["high"]
                assert outside == (one["p"] < 0.05), one


@pytest.mark.whole
def test_intervals_hold_their_level():
    """Of 200 clubs; the exact intervals of seats hold more than they promise."""
    held = {"minutes": 0, "Ada": 0, "Eve": 0}
    for seed in range(200):
        rows, _ = plays_answers(club(seed), 0.95)
        longer = row(rows, kind="change", number="minutes")
        held["minutes"] += longer["low"] < LONGER < longer["high"]
        for name in ("Ada", "Eve"):
            one = row(rows, who=f"policy {name}")
            size = round(1 / one["baseline"])
            held[name] += one["low"] < share(name, size) < one["high"]
    for name, times in held.items():
        assert stats.binom.cdf(times, 200, 0.95) > 1e-4, (name, times)


def test_plays_of_one_deal_are_compared_within_it():
    deals = [1, 1, 2, 2, 3, 3, 4]
    rules = ["book", "house"] * 3 + ["house"]
    minutes = np.array([30.0, 33, 50, 54, 10, 15, 99])
    plays = Plays(rules, "book", [("a", "b")] * 7, np.zeros((7, 2)), {"minutes": minutes}, deals)
    change = row(plays_answers(plays, 0.95)[0], kind="change")
    assert change["estimate"] == pytest.approx(4)
    assert change["deals"] == 3
    assert change["p"] == pytest.approx(stats.ttest_1samp([3, 4, 5], 0).pvalue)


def test_few_plays_give_wide_intervals_and_no_strengths():
    plays = Plays(["book"] * 3, "book", [("a", "b")] * 3, np.array([[1.0, 0]] * 3))
    rows, notes = plays_answers(plays, 0.95)
    who = row(rows, who="policy a")
    assert (who["estimate"], who["high"]) == (1, 1)
    assert who["low"] == pytest.approx(stats.beta.ppf(0.025, 3, 1))
    assert "No strength of b, who never won." in notes


@pytest.mark.parametrize("wins", [0, 1, 7, 12])
def test_a_share_has_its_exact_interval(wins):
    found = binomial(wins, 12, 0.25, 0.95)
    exact = stats.binomtest(wins, 12).proportion_ci(0.95)
    assert (found["low"], found["high"]) == pytest.approx((exact.low, exact.high))


def test_a_shared_win_makes_an_interval_wider():
    halves = binomial(2.5, 10, 0.25, 0.95)
    assert halves["low"] == binomial(2, 10, 0.25, 0.95)["low"]
    assert halves["high"] == binomial(3, 10, 0.25, 0.95)["high"]
