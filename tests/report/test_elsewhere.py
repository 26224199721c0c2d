"""What the report says of an effect at other points of a sweep, and of who plays without an aim."""

import dataclasses

import pytest

from studies.compare.contrast_results import Sameness
from studies.report.sentences import plays_at_random
from studies.report.sentences.words import the_table
from studies.show.contrast_tables import sameness_sentence
from studies.stats.intervals import Interval


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (0.0004, "change 18.4 ±2.9 points more often with six players than with two players (p <"),
        (0.4, "not shown to change more often with six players than with two players: 18.4 ±2.9 p"),
    ],
)
def test_whether_it_is_the_same_elsewhere(p, expected):
    own = Sameness(
        variant="dirty",
        over="points",
        lineup="all",
        point=None,
        tables=["players=2", "players=6"],
        of="match",
        who="",
        number="another_winner",
        p=p,
        p_holm=p,
        largest=Interval(0.184, 0.155, 0.213),
        between=["players=6", "players=2"],
        trends=[],
    )
    words = {"players=6": "with six players", "players=2": "with two players"}
    text = sameness_sentence([own], 0.95, words.__getitem__)
    assert expected in text
    assert "(all)" not in text  # there is but one line-up
    other = dataclasses.replace(own, lineup="pair", p_holm=1.0)
    assert "two players (all)" in sameness_sentence([other, own], 0.95, words.__getitem__)


def test_a_table_is_named_once():
    assert [the_table(name) for name in ("duel", "table 2")] == ["the table duel", "table 2"]


def test_who_plays_without_an_aim():
    assert [plays_at_random(name) for name in ("random", "random_playable", "greedy")] == [
        True,
        True,
        False,
    ]
