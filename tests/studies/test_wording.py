import math

import pytest

from studies.intervals import Interval
from studies.wording import change, mean, p_value, percent


@pytest.mark.parametrize(
    ("interval", "text"),
    [
        (Interval(0.2131, 0.2111, 0.2151), "21.31 (21.11–21.51)"),
        (Interval(0.42, 0.39, 0.45), "42.0 (39.0–45.0)"),
        (Interval(0.0, 0.0, 0.0004), "0.000 (0.000–0.040)"),
        (Interval(1.0, 0.9996, 1.0), "100.00 (99.96–100.00)"),
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
    ],
)
def test_change(interval, scale, text):
    assert change(interval, scale) == text


def test_mean_has_no_sign():
    assert mean(Interval(222.04, 220.8, 223.28)) == "222.0 ±1.2"


def test_p_value():
    assert [p_value(p) for p in (None, 0.0004, 0.0314)] == ["–", "< 0.001", "0.031"]
