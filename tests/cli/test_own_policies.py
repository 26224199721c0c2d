"""A user's own policies: what `check --strategies` finds, and how mistakes in a file are told."""

from __future__ import annotations

import os
import re

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
def file(tmp_path, monkeypatch):
    from simcore.game import get_game
    from strategies import policies, registry

    policies(get_game("up"))
    monkeypatch.setitem(registry._policies, "up", dict(registry._policies["up"]))

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
    assert "1 policy examined: all passed" in result.out


def test_an_illegal_move_is_told_with_the_legal_ones(cardlab, file):
    result = cardlab(
        "check",
        "--strategies",
        file(GOOD.replace("lowest(moves)", "5000").replace("nth_play(s, seat, 0)", "5000")),
    )
    assert result.status == 1
    assert re.search(r"^own_first .* plays .*FAILED", result.out, re.MULTILINE)
    told = " ".join(result.out.split())
    assert "line 6, in own_first: policy 'own_first' of up" in told
    assert "returned 5000, which is no legal move; legal: " in told


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


def test_neither_directory_nor_file_is_refused(refused):
    assert "needs a study directory" in refused("check")


def test_a_pipe_is_no_file_and_is_not_waited_for(refused, tmp_path):
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    said = refused("simulate", "updown", "--strategies", pipe, "--matches", 2)
    assert "it is a named pipe, not a regular file; allowed: a .py file\n" in said
