"""Logs of plays: changes, seats and strengths of people who meet at tables of changing size."""

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


def only(rows, **values):
    (row,) = (row for row in rows if all(row.get(key) == value for key, value in values.items()))
    return row


def person(rows, name):
    """Return the row of a person, and the share of wins that the strengths give."""
    row = only(rows, who=f"policy {name}")
    others = round(1 / row["baseline"]) - 1
    worth = np.exp(np.mean(list(STRENGTHS.values())) - STRENGTHS[name])
    return row, 1 / (1 + others * worth)


def test_a_club_is_told_its_effects_seats_and_strengths():
    rows, notes = plays_answers(club(1, count=2000), 0.95)
    longer = only(rows, kind="change", number="minutes")
    assert longer["low"] < LONGER < longer["high"]
    assert longer["high"] - longer["low"] < 1
    for name in STRENGTHS:
        row, share = person(rows, name)
        assert row["estimate"] == pytest.approx(share, abs=0.05)
    first = only(rows, who="position 0")
    assert first["low"] > first["baseline"]
    assert only(rows, kind="people")["p"] < 1e-6
    assert not notes


@pytest.mark.parametrize("seed", range(4))
def test_a_row_never_contradicts_its_interval(seed):
    rows, _ = plays_answers(club(seed, count=40), 0.95)
    tested = [
        row
        for row in rows
        if row.get("p") is not None and row["kind"] in ("change", "seat", "person")
    ]
    assert tested
    for row in tested:
        null = 0.0 if row["kind"] == "change" else row["baseline"]
        assert (row["p"] < 0.05) != (row["low"] <= null <= row["high"]), row


@pytest.mark.whole
def test_intervals_hold_their_level():
    """Of 200 clubs; the exact intervals of seats hold more than they promise."""
    held = {"minutes": 0, "Ada": 0, "Eve": 0}
    for seed in range(200):
        rows, _ = plays_answers(club(seed), 0.95)
        truths = {"minutes": (only(rows, kind="change", number="minutes"), LONGER)}
        truths |= {name: person(rows, name) for name in ("Ada", "Eve")}
        for name, (row, truth) in truths.items():
            held[name] += row["low"] < truth < row["high"]
    for name, times in held.items():
        assert stats.binom.cdf(times, 200, 0.95) > 1e-4, (name, times)


def test_plays_of_one_deal_are_compared_within_it():
    deals = [1, 1, 2, 2, 3, 3, 4]
    rules = ["book", "house"] * 3 + ["house"]
    minutes = np.array([30.0, 33, 50, 54, 10, 15, 99])
    plays = Plays(rules, "book", [("a", "b")] * 7, np.zeros((7, 2)), {"minutes": minutes}, deals)
    change = only(plays_answers(plays, 0.95)[0], kind="change")
    assert change["estimate"] == pytest.approx(4)
    assert change["deals"] == 3
    assert change["p"] == pytest.approx(stats.ttest_1samp([3, 4, 5], 0).pvalue)


def test_few_plays_give_wide_intervals_and_no_strengths():
    plays = Plays(["book"] * 3, "book", [("a", "b")] * 3, np.array([[1.0, 0]] * 3))
    rows, notes = plays_answers(plays, 0.95)
    row = only(rows, who="policy a")
    assert (row["estimate"], row["high"]) == (1, 1)
    assert row["low"] == pytest.approx(stats.beta.ppf(0.025, 3, 1))
    assert "No strength of b, who never won." in notes


@pytest.mark.parametrize("wins", [0, 1, 7, 12])
def test_a_share_has_its_exact_interval(wins):
    share = binomial(wins, 12, 0.25, 0.95)
    exact = stats.binomtest(wins, 12).proportion_ci(0.95)
    assert (share["low"], share["high"]) == pytest.approx((exact.low, exact.high))


def test_a_shared_win_makes_an_interval_wider():
    halves, fewer, more = (binomial(wins, 10, 0.25, 0.95) for wins in (2.5, 2, 3))
    assert (halves["low"], halves["high"]) == (fewer["low"], more["high"])


def test_the_error_of_a_rule_allows_unequal_variances_as_hc3_says():
    """By MacKinnon's and White's formula, written out; few plays of one rule, which vary more."""
    rng = np.random.default_rng(5)
    house = np.arange(14) % 4 == 0
    minutes = 30 + 6 * house + rng.normal(size=14) * np.where(house, 9, 1)
    rules = ["house" if of_house else "book" for of_house in house]
    plays = Plays(rules, "book", [("a", "b", "c")] * 14, np.zeros((14, 3)), {"minutes": minutes})
    change = only(plays_answers(plays, 0.95)[0], kind="change")
    x = np.column_stack([house, np.ones(14)]).astype(float)
    bread = np.linalg.inv(x.T @ x)
    coefficients = bread @ x.T @ minutes
    leverage = np.diag(x @ bread @ x.T)
    meat = x.T @ np.diag(((minutes - x @ coefficients) / (1 - leverage)) ** 2) @ x
    error = np.sqrt((bread @ meat @ bread)[0, 0])
    assert change["estimate"] == pytest.approx(coefficients[0])
    reach = stats.t.ppf(0.975, 12) * error
    assert (change["low"], change["high"]) == pytest.approx(
        (coefficients[0] - reach, coefficients[0] + reach)
    )
