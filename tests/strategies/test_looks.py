"""How much a policy looks at, which is how much has to be watched to play like it."""

from __future__ import annotations

import polars as pl
import pytest

import cardlab
from studies.cli.app import run_app

FILE = """
from simcore.language import *
from cardlab import policy

class State:
    acc = memory(number)

def of_the_deck(s):
    return s.trump

@policy("updown", idea="nothing but its moves")
def blind(s, seat, moves):
    return lowest(moves)

@policy("updown", idea="two things, one of them by a helper, and what it remembers")
def three(s, seat, moves):
    s.acc[seat] += 1
    if of_the_deck(s) and len(s.hand[seat]) > 3 and s.acc[seat] > 2:
        return lowest(moves)
    return highest(moves)
"""


def looks(game, **named):
    rows = cardlab.strategies(game, **named).to_dicts()
    return {row["policy"]: row["looks_at"] for row in rows}


def test_what_code_reads_is_counted_through_helpers_memory_included(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    found = looks("updown", strategies=str(file))
    assert found["blind"] == []
    assert found["three"] == ["acc", "hand", "trump"]
    assert found["random"] == []
    assert found["search"] is None  # it plays on, which nobody does by hand


def test_the_list_tells_policies_that_look_at_the_same(capsys):
    assert run_app(["strategies", "upordown"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (appender,) = (line for line in lines if line.startswith("appender "))
    (scorer,) = (line for line in lines if line.startswith("scorer "))
    found = looks("upordown")
    assert found["scorer"] == found["stepper"] != found["appender"]
    assert f"{len(found['appender'])}: {found['appender'][0]}" in appender
    assert f"{len(found['scorer'])}, as stepper" in scorer


PIG = '''"""Pig: roll, or keep what the turn has brought."""

from cardlab.rules import *

players = 2, 4


class State:
    heap = shown(number)
    spare = shown(number)
    kept = shown(number, per=seat)


def deal(s):
    s.heap = 0
    s.spare = 0
    for player in seats():
        s.kept[player] = 0


def legal(s, seat):
    return {0, 1}


def apply(s, seat, move):
    if move:
        die = below(s, CHANCE, 6) + 1
        s.heap = 0 if die == 1 else s.heap + die
        if die == 1:
            s.spare = 1
    else:
        s.kept[seat] += s.heap
        s.heap = 0
        s.spare = 1


def next_seat(s, seat):
    if s.spare:
        s.spare = 0
        return after(seat, 1)
    return seat


def ended(s, seat):
    return s.kept[seat] >= 30


def score(s):
    for player in seats():
        s.points[player] = s.kept[player]
'''
POLICIES = '''

@policy
def ten(s, seat, moves):
    """Roll until ten."""
    return 1 if s.heap < 10 else 0


@policy
def ten_again(s, seat, moves):
    """Roll until ten, but look at what is kept, too."""
    return 1 if s.heap < 10 + 0 * s.kept[seat] else 0


@policy
def two(s, seat, moves):
    """Roll until two."""
    return 1 if s.heap < 2 else 0
'''


@pytest.fixture(scope="module")
def pig(tmp_path_factory):
    """The game's file: all studies are of one, so that it is compiled once."""
    file = tmp_path_factory.mktemp("pig") / "pig.py"
    file.write_text(PIG + POLICIES)
    return file


@pytest.fixture(scope="module")
def tournament(pig):
    pairs = (("ten", "ten_again"), ("ten", "two"), ("ten_again", "two"))
    study = {
        "title": "Who is best?",
        "game": str(pig),
        "matches": 3_000,
        "options": {"players": 2},
        "lineups": [
            {"name": "-".join(pair), "seats": list(pair), "rotate": True} for pair in pairs
        ],
    }
    results = cardlab.run(study, pig.parent / "out")
    return results, pig.parent / "out"


def test_a_tournament_tells_who_is_alike_and_who_is_the_easiest_of_them(tournament):
    results, directory = tournament
    # As the study was run, and as its directory tells it, which runs no file of a game.
    for answer in (results.compare(), cardlab.compare(str(directory))):
        text = " ".join(str(answer).split())
        alike = text[text.index("Who is alike?") :].partition(". ")[0]
        assert "ten" in alike
        assert "ten_again" in alike
        assert "two" not in alike
        assert "easiest to play: ten, with 1 thing to look at" in alike
        assert "looks at" in text


def test_alike_is_what_all_bounds_hold_close_together(tournament):
    frame = tournament[0].compare().frame
    pairs = frame.filter((pl.col("kind") == "difference") & (pl.col("number") == "win_rate"))
    assert len(pairs.filter(pl.col("who").str.starts_with("policy"))) == 3
    for row in pairs.filter(pl.col("who").str.starts_with("policy")).to_dicts():
        are_twins = {row["who"], row["against"]} == {"policy ten", "policy ten_again"}
        assert (max(abs(row["low_all"]), abs(row["high_all"])) < 0.01) == are_twins


@pytest.mark.parametrize(
    ("seats", "matches", "are_alike"),
    [
        (("ten", "ten_again"), 2_000, True),
        (("ten", "ten_again"), 50, False),  # the same in all 50 deals, which are too few
        (("ten", "two"), 2_000, False),
    ],
)
def test_a_duel_of_the_same_twice_is_alike_once_enough_deals_are_played(
    pig, tmp_path, seats, matches, are_alike
):
    study = {
        "title": "Twins",
        "game": str(pig),
        "matches": matches,
        "options": {"players": 2},
        "lineups": [{"name": "both", "seats": list(seats), "rotate": True}],
    }
    text = str(cardlab.run(study, tmp_path / "out").compare())
    assert ("Who is alike? ten and ten_again" in " ".join(text.split())) == are_alike
