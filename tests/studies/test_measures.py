"""Measures of one's own: how they are said, what is refused, and that they are in every answer."""

import numpy as np
import pytest

from simcore.errors import InputError
from studies.measures import identity, measures_of, parse_measures
from tests.studies.answer_rows import Cell, Made, columns, one, totals

KNOWN = ("turns", "kept", "flips", "score_0", "score_1", "winners")


def rows(seed=1, deals=80, longer=0):
    rng = np.random.default_rng(seed)
    shape = (deals, 2)
    return columns(
        rng.integers(0, 3, shape),
        first_seat=rng.integers(0, 2, shape),
        scores=rng.integers(0, 500, (2, *shape)),
        turns=rng.integers(1, 100, shape) + longer,
        kept=rng.integers(0, 5, shape),
        flips=rng.integers(0, 5, shape),
    )


OWN = {
    "long": "turns > 60",
    "kept_rate": {"value": "kept", "of": "kept + flips", "low": 0, "high": 1},
    "over_300": "score_{seat} > 300",
    "swing": {"value": "score_0 - score_1", "of": "decided", "meaning": "points"},
    "some": "CASE WHEN turns > 50 THEN turns END",
    "twice": lambda block: 2 * block["turns"],
    "of_deals": {"value": lambda block: block["turns"].max(axis=1), "of": "decided"},
    "own_share": lambda block: (block["kept"], block["kept"] + block["flips"]),
}


def test_values_are_what_they_say():
    made = Made(own=parse_measures(OWN, KNOWN))
    told = rows()
    cell = Cell(rotations=2)
    frame = made.add(cell, told).frame().filter(kind="level")
    turns, decided = told["turns"], told["winners"] > 0
    assert one(frame, number="long")["estimate"] == pytest.approx((turns > 60).mean())
    assert one(frame, number="long")["count"] == (turns > 60).sum()
    rate = told["kept"].sum() / (told["kept"] + told["flips"]).sum()
    assert one(frame, number="kept_rate")["estimate"] == pytest.approx(rate)
    assert one(frame, number="own_share")["estimate"] == pytest.approx(rate)
    longest = told["turns"].reshape(-1, 2).max(axis=1)
    assert one(frame, number="of_deals")["estimate"] == pytest.approx(longest.sum() / decided.sum())
    gap = (told["score_0"] - told["score_1"])[decided].mean()
    assert one(frame, number="swing")["estimate"] == pytest.approx(gap)
    assert one(frame, number="some")["estimate"] == pytest.approx(turns[turns > 50].mean())
    assert one(frame, number="twice")["estimate"] == pytest.approx(2 * turns.mean())
    seat_of_a = told["rotation"] % 2  # at rotation 1 the line-up is turned by a seat
    score = np.where(seat_of_a == 0, told["score_0"], told["score_1"])
    found = one(frame, number="over_300", who="policy a")
    assert found["estimate"] == pytest.approx((score > 300).mean())
    first = np.where(told["first_seat"] == 0, told["score_0"], told["score_1"])
    found = one(frame, number="over_300", who="position 0")
    assert found["estimate"] == pytest.approx((first > 300).mean())


def test_they_are_compared_and_corrected_like_the_built_in_ones():
    own = parse_measures({"long": "turns > 60", "many": "kept"}, KNOWN)
    made = Made(own=own, margins={"long": 0.5})
    made.add(Cell(rotations=2), rows())
    made.add(Cell(rotations=2, variant="v", options={"x": 1}), rows(longer=10))
    found = one(made.frame(), kind="change", number="long")
    assert found["family"] == "variants: measure"
    assert found["low"] > 0
    assert found["p"] < found["p_holm"] < 0.05
    assert found["equivalent"] is True


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"win_rate": "turns"}, "already called so"),
        ({"turns": "kept"}, "already called so"),
        ({"two words": "kept"}, "it is no name"),
        ({"mine": "turnz > 3"}, "did you mean 'turns'"),
        ({"mine": "turns >"}, "allowed: an SQL expression"),
        ({"mine": {"valu": "turns"}}, "did you mean 'value'"),
        ({"mine": {"value": 3}}, "value = 3 is refused"),
        ({"mine": {"value": "turns", "low": "0"}}, "low = '0' is refused"),
    ],
)
def test_what_is_refused_is_named(told, words):
    with pytest.raises(InputError, match=words):
        parse_measures(told, KNOWN)


def test_a_function_that_gives_something_else_is_refused():
    own = parse_measures({"mine": lambda block: block["turns"].sum()})
    with pytest.raises(InputError, match=r"returned an array of shape \(\); allowed: \(80, 2\)"):
        totals(Cell(rotations=2), rows(), own)
    own = parse_measures({"mine": lambda block: block["turnz"]})
    with pytest.raises(InputError, match="did you mean 'turns'"):
        totals(Cell(rotations=2), rows(), own)


def test_an_event_is_a_share_and_a_number_is_not():
    events, numbers = parse_measures({"a": "turns > 3", "b": "turns + 3"}, KNOWN)
    assert (events.low, events.high) == (0.0, 1.0)
    assert (numbers.low, numbers.high) == (None, None)


def test_identity_tells_definitions_apart():
    told = [
        identity(parse_measures(own))
        for own in ({}, {"a": "turns > 3"}, {"a": "turns > 4"}, {"b": "turns > 3"})
    ]
    assert told[0] == ""
    assert len(set(told)) == 4


def test_the_common_counts_are_those_of_the_rows():
    from simcore import records
    from studies import measures

    assert measures.COMMON_COUNTS == records.COMMON_COUNTS


def test_every_game_has_measures_whose_columns_exist():
    names = {m.name for m in measures_of(Cell(seats=("a",) * 4, game="up"))}
    assert {"win_rate", "score", "aborted", "plays", "forced_share", "margin", "close"} <= names
