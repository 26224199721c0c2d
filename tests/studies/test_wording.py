import math

import pytest

from studies.compare.results import Equivalence, Misfit
from studies.show.wording import (
    change,
    count,
    matches_,
    mean,
    misfit_words,
    p_value,
    percent,
    too_few,
    up_to,
    verdict,
)
from studies.stats.intervals import Interval


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(0.2131, 0.2111, 0.2151), "21.31 (21.11–21.51)"),
        (Interval(0.42, 0.39, 0.45), "42.0 (39.0–45.0)"),
        (Interval(0.0, 0.0, 0.0004), "0.000 (0.000–0.040)"),
        (Interval(1.0, 0.9996, 1.0), "100.00 (99.96–100.00)"),
        (Interval(0.5, -math.inf, math.inf), "50.0 (?)"),
        (Interval(math.nan, 0.0, 1.0), "–"),
    ],
)
def test_percent(interval, text):
    assert percent(interval) == text


@pytest.mark.parametrize(
    ("interval", "scale", "text"),
    [
        (Interval(0.0123, 0.0093, 0.0153), 100, "+1.2 ±0.3"),
        (Interval(-0.0123, -0.0133, -0.0113), 100, "-1.23 ±0.10"),
        (Interval(0.0, 0.0, 0.0), 100, "0"),
        (Interval(-0.0001, -0.1, 0.0998), 1, "0.00 ±0.10"),
        (Interval(2.0, -math.inf, math.inf), 1, "+2.0 ±?"),
        (Interval(33.0, 33.0, 33.0), 1, "+33"),
        (Interval(math.nan, 0.0, 1.0), 1, "–"),
    ],
)
def test_change(interval, scale, text):
    assert change(interval, scale) == text


def test_mean_has_no_sign():
    assert mean(Interval(222.04, 220.8, 223.28)) == "222.0 ±1.2"


def test_p_value():
    assert [p_value(p) for p in (None, 0.0004, 0.0314)] == ["–", "< 0.001", "0.031"]


def test_counts_agree_with_their_nouns():
    assert [count(number, "deal") for number in (1, 5000)] == ["1 deal", "5,000 deals"]
    assert [matches_(number) for number in (1, 2)] == ["1 match", "2 matches"]
    assert too_few(1) == "1 match is too few"
    assert too_few(12, "deal") == "12 deals are too few"


def test_bounds_are_rounded_up():
    assert [up_to(share) for share in (0.0, 0.000121, 0.001, 0.0123, 0.5, 0.999)] == [
        "0",
        "0.013",
        "0.1",
        "1.3",
        "50",
        "100",
    ]


def test_an_interval_with_unlike_ends_is_told_by_its_ends():
    assert change(Interval(0.02, -0.001, 0.071)) == "+0.02 (0.00…+0.07)"
    assert change(Interval(0.02, -0.05, 0.09)) == "+0.02 ±0.07"
    assert mean(Interval(1.0, 0.96, 1.0)) == "1.000 (0.960…1.000)"
    assert change(Interval(0.0, -math.inf, math.inf)) == "none"
    assert mean(Interval(0.0, -math.inf, math.inf)) == "0.0 ±?"


@pytest.mark.parametrize(
    ("low", "high", "said"),
    [(0.021, 0.03, "no"), (-0.03, -0.021, "no"), (0.01, 0.03, "open"), (-0.03, 0.03, "open")],
)
def test_verdict_is_no_only_beyond_the_margin(low, high, said):
    between = Interval((low + high) / 2, low, high)
    assert verdict(Equivalence(0.02, 0.4, 0.5, holds=False), between) == said
    assert verdict(Equivalence(0.02, 0.01, 0.02, holds=True), between) == "yes"


def test_p_values_are_shown_down_to_a_thousandth():
    assert [p_value(p) for p in (0.0009, 0.001, 0.0049, None)] == ["< 0.001", "0.001", "0.005", "–"]


def test_a_misfit_says_what_was_seen_and_what_expected():
    assert misfit_words(Misfit("duel", "greedy", True, 0.6, 0.4, 0.01)) == (
        "at duel greedy wins 60.0 % where the strengths say 40.0 %"
    )
