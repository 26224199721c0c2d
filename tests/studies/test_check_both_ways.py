"""`cardlab check` plays in lanes what was played one by one, and the reverse, and compares."""

import re

import pytest

from simcore.game import get_game
from simcore.ways import VARIABLE
from studies.check.stored_blocks import check_blocks
from studies.cli.app import run_app
from studies.run.run import run_study
from tests.studies.conftest import study

KERNEL = get_game("up").room("kernel")
RIGHT = KERNEL.play_block
"""Plays one match after another; here also as if it played in lanes, on any machine."""


def as_lanes(*block):
    return RIGHT(*block)


def wrong(tables, boxes, seed, first, count, out, row):
    """Play, and get the first score of the last match wrong."""
    done = RIGHT(tables, boxes, seed, first, count, out, row)
    if count:
        out[3][0, row + count - 1] += 1
    return done


@pytest.fixture
def ways(monkeypatch):
    """Set what plays in lanes and what plays one match after another."""

    def set_ways(lanes, one_by_one=RIGHT):
        monkeypatch.setattr(KERNEL, "block_kernel", lambda _table, _box: lanes)
        monkeypatch.setattr(KERNEL, "play_block", one_by_one)

    return set_ways


@pytest.fixture(scope="module", params=["matches", "summary"])
def stored(request, tmp_path_factory):
    directory = tmp_path_factory.mktemp("both") / "study"
    run_study(study(detail=request.param, matches=20), directory, threads=1, block=20)
    return directory


def checked(directory, capsys):
    capsys.readouterr()
    status = run_app(["check", str(directory), "--blocks", "2"])
    found = capsys.readouterr()
    return status, " ".join((found.out + found.err).split())


def test_what_fits_lanes_is_played_both_ways(stored, ways, capsys):
    played = []
    ways(lambda *block: played.append("in lanes") or RIGHT(*block),
         lambda *block: played.append("one by one") or RIGHT(*block))  # fmt: skip
    status, said = checked(stored, capsys)
    assert status == 0
    assert {"in lanes", "one by one"} == set(played)
    assert said.count(", in lanes and one by one") == 2
    assert "2 blocks (120 matches) played again: every value is the same" in said
    assert re.search(r"after another: all of them; in lanes as well: 2 blocks \(120 m", said)


def test_what_does_not_is_played_one_by_one(stored, ways, capsys):
    ways(RIGHT)
    status, said = checked(stored, capsys)
    assert status == 0
    assert "in lanes as well: 0 blocks (0 matches)" in said


def test_lanes_that_are_off_are_not_checked(stored, ways, capsys, monkeypatch):
    ways(wrong)
    monkeypatch.setenv(VARIABLE, "off")
    status, said = checked(stored, capsys)
    assert status == 0
    assert "in lanes as well: 0 blocks (0 matches)" in said


@pytest.mark.parametrize(
    ("lanes", "one_by_one", "right_way", "wrong_way"),
    [
        (wrong, RIGHT, "one match after another", "in lanes"),
        (as_lanes, wrong, "in lanes", "one match after another"),
    ],
)
def test_a_way_that_plays_wrong_is_named(
    stored, ways, capsys, lanes, one_by_one, right_way, wrong_way
):
    ways(lanes, one_by_one)
    status, said = checked(stored, capsys)
    assert status == 1
    assert f"comes out again {right_way}, but not {wrong_way} (cell " in said
    assert "this is a fault" in said
    assert "is stored" in said


def test_both_ways_wrong_is_another_cause(stored, ways, capsys):
    def also_wrong(*block):
        return wrong(*block)

    ways(wrong, also_wrong)
    status, said = checked(stored, capsys)
    assert status == 1
    assert "does not come out again" in said
    assert "have changed since" in said


def test_blocks_tell_which_way_they_were_checked(stored, ways):
    ways(as_lanes)
    assert all(one.in_lanes and one.matches == 60 for one in check_blocks(stored, 9))
