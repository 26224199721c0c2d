"""Measures of one's own: how they are said, what is refused, and that they are in every answer."""

import numpy as np
import pytest

from simcore import records
from simcore.errors import InputError
from studies import measures
from studies.measures import identity, measures_of, parse_measures
from tests.studies.answer_rows import Cell, Made, columns, only, totals

KNOWN = ("turns", "kept", "flips", "score_0", "score_1", "winners")
CELL = Cell(rotations=2)


def rows(longer=0):
    rng = np.random.default_rng(1)
    shape = (80, 2)
    return columns(
        rng.integers(0, 3, shape),
        first_seat=rng.integers(0, 2, shape),
        scores=rng.integers(0, 500, (2, *shape)),
        turns=rng.integers(1, 100, shape) + longer,
        kept=rng.integers(0, 5, shape),
        flips=rng.integers(0, 5, shape),
    )


MEASURES = {
    "long": "turns > 60",
    "kept_rate": {"value": "kept", "of": "kept + flips", "low": 0, "high": 1},
    "over_300": "score_{seat} > 300",
    "swing": {"value": "score_0 - score_1", "of": "decided", "meaning": "points"},
    "some": "CASE WHEN turns > 50 THEN turns END",
    "twice": lambda block: 2 * block["turns"],
    "of_deals": {"value": lambda block: block["turns"].max(axis=1), "of": "decided"},
    "share": lambda block: (block["kept"], block["kept"] + block["flips"]),
}


def test_values_are_what_they_say():
    played = rows()
    turns, decided = played["turns"], played["winners"] > 0
    kept_rate = played["kept"].sum() / (played["kept"] + played["flips"]).sum()
    # At rotation 1 the line-up is turned by a seat.
    score_of_a = np.where(played["rotation"] == 0, played["score_0"], played["score_1"])
    score_of_first = np.where(played["first_seat"] == 0, played["score_0"], played["score_1"])
    frame = Made(measures=parse_measures(MEASURES, KNOWN)).add(CELL, played).frame()
    for number, who, value in (
        ("long", "", (turns > 60).mean()),
        ("kept_rate", "", kept_rate),
        ("share", "", kept_rate),
        ("of_deals", "", turns.reshape(-1, 2).max(axis=1).sum() / decided.sum()),
        ("swing", "", (played["score_0"] - played["score_1"])[decided].mean()),
        ("some", "", turns[turns > 50].mean()),
        ("twice", "", 2 * turns.mean()),
        ("over_300", "policy a", (score_of_a > 300).mean()),
        ("over_300", "position 0", (score_of_first > 300).mean()),
    ):
        row = only(frame, kind="level", number=number, who=who)
        assert row["estimate"] == pytest.approx(value), number
    assert only(frame, kind="level", number="long")["count"] == (turns > 60).sum()


def test_they_are_compared_and_corrected_like_the_built_in_ones():
    parsed = parse_measures({"long": "turns > 60", "many": "kept"}, KNOWN)
    made = Made(measures=parsed, margins={"long": 0.5}).add(CELL, rows())
    made.add(Cell(rotations=2, variant="v", options={"x": 1}), rows(longer=10))
    row = only(made.frame(), kind="change", number="long")
    assert row["family"] == "variants: measure"
    assert row["low"] > 0
    assert row["p"] < row["p_holm"] < 0.05
    assert row["equivalent"] is True


@pytest.mark.parametrize(
    ("document", "words"),
    [
        ({"win_rate": "turns"}, "already called so"),
        ({"turns": "kept"}, "already called so"),
        ({"two words": "kept"}, "it is no name"),
        ({"mine": "turnz > 3"}, "did you mean 'turns'"),
        ({"mine": "turns >"}, "allowed: an SQL expression"),
        (
            {"mine": "turns > (SELECT count(*) FROM read_csv('/etc/passwd'))"},
            "it has a query in it",
        ),
        ({"mine": "turns > AVG(turns)"}, "its value depends on other matches"),
        ({"mine": "SUM(turns)"}, "its value depends on other matches"),
        ({"mine": "LENGTH(turns) > 2"}, "measure 'mine' = 'LENGTH"),
        ({"mine": {"valu": "turns"}}, "did you mean 'value'"),
        ({"mine": {"value": 3}}, "value = 3 is refused"),
        ({"mine": {"value": "turns", "low": "0"}}, "low = '0' is refused"),
    ],
)
def test_what_is_refused_is_named(document, words):
    with pytest.raises(InputError, match=words):
        parse_measures(document, KNOWN)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (lambda block: block["turns"].sum(), r"an array of shape \(\); allowed: \(80, 2\)"),
        (lambda block: block["turnz"], "did you mean 'turns'"),
    ],
)
def test_a_function_that_gives_something_else_is_refused(value, words):
    with pytest.raises(InputError, match=words):
        totals(CELL, rows(), parse_measures({"mine": value}))


def test_an_event_is_a_share_and_a_number_is_not():
    events, numbers = parse_measures({"a": "turns > 3", "b": "turns + 3"}, KNOWN)
    assert (events.low, events.high) == (0.0, 1.0)
    assert (numbers.low, numbers.high) == (None, None)


def test_identity_tells_definitions_apart():
    documents = ({}, {"a": "turns > 3"}, {"a": "turns > 4"}, {"b": "turns > 3"})
    names = [identity(parse_measures(document)) for document in documents]
    assert names[0] == ""
    assert len(set(names)) == 4


def test_every_game_has_measures_whose_columns_exist():
    assert measures.COMMON_COUNTS == records.COMMON_COUNTS
    names = {measure.name for measure in measures_of(Cell(seats=("a",) * 4, game="up"))}
    assert {"win_rate", "score", "aborted", "plays", "forced_share", "margin", "close"} <= names
