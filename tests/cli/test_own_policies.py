"""A user's own policies: what `check --strategies` finds, and how mistakes in a file are told."""

from __future__ import annotations

import os
import re
import shlex

import pytest

HEAD = """import strategies
from simcore.games.up.rules import PLAY, lowest, nth, nth_play


"""

GOOD = """@strategies.policy("up", idea="makes its first legal move")
def own_first(s, seat, moves):
    return nth_play(s, seat, 0) if s.phase == PLAY else lowest(moves)
"""

MISTAKES = {
    "text": ("    return 'a'", 7, "numbers and cards only"),
    "field": ("    x = 1\n    return x + s.caap", 8, "has no `caap`"),
    "name": ("    x = 1\n    return nthh(moves, 0)", 8, "nthh"),
}


@pytest.fixture
def file(tmp_path):
    def write(text, name="mine.py"):
        path = tmp_path / name
        path.write_text(HEAD + text, encoding="utf-8")
        return path

    return write


@pytest.mark.whole
def test_a_good_policy_passes(cardlab, file):
    result = cardlab("check", "--strategies", file(GOOD))
    assert result.status == 0
    assert result.out.count("  passed  ") == 4
    assert "1 policy examined: Nothing failed" in result.out


def test_an_illegal_move_is_told_with_the_legal_ones(cardlab, file):
    result = cardlab(
        "check",
        "--strategies",
        file(GOOD.replace("lowest(moves)", "5000").replace("nth_play(s, seat, 0)", "5000")),
    )
    assert result.status == 1
    assert re.search(r"^own_first .* plays .*FAILED", result.out, re.MULTILINE)
    text = " ".join(result.out.split())
    assert "line 6, in own_first: policy 'own_first' of up" in text
    assert "returned 5000, which is no legal move; legal: " in text


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_file_line_and_policy(refused, file, mistake):
    body, line, cause = MISTAKES[mistake]
    text = f'@strategies.policy("up", idea="wrong")\ndef own_wrong(s, seat, moves):\n{body}\n'
    path = file(text)
    message = refused("simulate", "up", "--matches", 3, "--lineup", "own_wrong",
                      "--strategies", path)  # fmt: skip
    assert str(path) in message
    assert cause in message
    if line is not None:
        assert f"line {line}" in message


def test_wrong_arguments_are_told(refused, file):
    path = file('@strategies.policy("up", idea="wrong")\ndef own_wrong(s):\n    return 0\n')
    message = refused("simulate", "up", "--lineup", "own_wrong", "--strategies", path)
    assert "def own_wrong(s, seat, moves)" in message


def test_a_pipe_is_no_file_and_is_not_waited_for(refused, tmp_path):
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    message = refused("simulate", "updown", "--strategies", pipe, "--matches", 2)
    assert "it is a named pipe, not a regular file; allowed: a .py file\n" in message


ROLLER = """import strategies
from simcore.games.updown.rules import CHANGE, ROLL, lowest


@strategies.policy("updown", idea="throws the dice anew, which not all options allow")
def own_roller(s, seat, moves):
    return ROLL if s.phase == CHANGE else lowest(moves)
"""


def test_a_fault_under_an_option_is_found_and_its_command_tells_it(cardlab, tmp_path):
    path = tmp_path / "roller.py"
    path.write_text(ROLLER, encoding="utf-8")
    result = cardlab("check", "--strategies", path, "--json")
    assert result.status == 1
    (row,) = result.json["tests"]
    assert (row["test"], row["verdict"]) == ("plays legal moves", "failed")
    assert "returned 4, which is no legal move" in row["found"]
    assert row["found"].endswith("trump = none (own_roller)")
    shown = cardlab(*shlex.split(row["show"])[1:])
    assert shown.status == 2
    assert "returned 4, which is no legal move" in shown.err


@pytest.mark.whole
def test_what_is_given_stays_and_the_rest_is_varied(cardlab, tmp_path):
    path = tmp_path / "roller.py"
    path.write_text(ROLLER, encoding="utf-8")
    result = cardlab("check", "--strategies", path, "--rule", "trump=dice", "--players", 3)
    assert result.status == 0
    text = " ".join(result.out.split())
    assert "tables: 3 players" in text
    assert "hand_cards 1" in text
    assert "trump none" not in text


def test_options_of_another_game_are_refused(refused, tmp_path):
    path = tmp_path / "roller.py"
    path.write_text(ROLLER, encoding="utf-8")
    assert "seven_zero" in refused("check", "--strategies", path, "--rule", "seven_zero=true")
