"""A user's own policies: what `check --strategies` finds, and how mistakes in a file are told."""

from __future__ import annotations

import os
import re

import pytest

HEAD = """import numpy as np
import strategies
from simcore.games.up.moves import nth_move


"""

GOOD = """@strategies.policy("up", idea="makes its first legal move")
def own_first(table, seat):
    return nth_move(table, seat, 0)
"""

NOISY = """@strategies.policy("up", idea="draws from a stream of its own")
def own_noisy(table, seat):
    return nth_move(table, seat, np.random.randint(0, seat.move_count))
"""

MISTAKES = {
    "text": ("    return 'a'", 8, "must return a whole number"),
    "nothing": ("    if table.phase > 100:\n        return 1", None, "must return a whole number"),
    "field": ("    x = 1\n    return x + table.caap", 9, "did you mean 'cap'"),
    "name": ("    x = 1\n    return nth_movee(table, seat, 0)", 9, "'nth_movee' is not defined"),
    "object": ("    x = {1: [], 'b': 2}\n    return len(x)", None, "cannot be compiled"),
}

SPECS = {
    "it fails": ("1 / 0", "fails for []: ZeroDivisionError: division by zero"),
    "text": ("('x',)", "is refused: ('x',); allowed: a sequence of at most 12 whole numbers"),
    "no sequence": ("7", "is refused: 7; allowed"),
    "nothing": ("None", "is refused: None; allowed"),
    "a fraction": ("(1, 2.5)", "is refused: (1, 2.5); allowed"),
    "too many": ("(1,) * 13", "at most 12 whole numbers"),
    "too large": ("(1 << 63,)", "whole numbers of 64 bits"),
    "too small": ("(-(1 << 63) - 1,)", "whole numbers of 64 bits"),
    "two orders": ("play_spec([0, 1, 2, 3, 3])", "fails for []: ValueError: the order"),
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


def test_a_good_policy_passes(cardlab, file):
    result = cardlab("check", "--strategies", file(GOOD))
    assert result.status == 0
    assert result.out.count("  passed  ") == 4 + 1  # the heading
    assert "1 policy examined: all passed" in result.out


def test_a_policy_with_a_stream_of_its_own_fails(cardlab, file):
    result = cardlab("check", "--strategies", file(NOISY))
    assert result.status == 1
    failed = [line for line in result.out.splitlines() if "FAILED" in line]
    assert [re.search("same|depend", line)[0] for line in failed] == ["same", "depend"]


def test_an_illegal_move_is_told_with_the_legal_ones(cardlab, file):
    result = cardlab("check", "--strategies", file(GOOD.replace("nth_move(table, seat, 0)", "5")))
    assert result.status == 1
    assert re.search(r"plays legal\s.*FAILED", result.out)
    assert "legal: " in result.out


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_file_line_and_policy(refused, file, mistake):
    body, line, cause = MISTAKES[mistake]
    text = f'@strategies.policy("up", idea="wrong")\ndef own_wrong(table, seat):\n{body}\n'
    path = file(text)
    message = refused("simulate", "up", "--matches", 3, "--lineup", "own_wrong",
                      "--strategies", path)  # fmt: skip
    assert "policy 'own_wrong' of up" in message
    assert str(path) in message
    assert cause in message
    if line is not None:
        assert f"line {line})" in message


def test_wrong_arguments_are_told(refused, file):
    path = file('@strategies.policy("up", idea="wrong")\ndef own_wrong(table):\n    return 0\n')
    message = refused("simulate", "up", "--lineup", "own_wrong", "--strategies", path)
    assert "two arguments" in message


def test_neither_directory_nor_file_is_refused(refused):
    assert "needs a study directory" in refused("check")


@pytest.mark.parametrize("mistake", SPECS)
def test_a_mistake_in_a_spec_is_told(cardlab, file, mistake):
    told, cause = SPECS[mistake]
    path = file(
        "from simcore.games.up.spec import play_spec\nfrom strategies import spec_policy\n\n\n"
        f'@spec_policy("up", idea="a mistake")\ndef own_first(_params):\n    return {told}\n'
    )
    arguments = ("--matches", 3, "--lineup", "own_first", "--strategies", path)
    result = cardlab("simulate", "up", *arguments)
    assert (result.status, result.out) == (2, "")
    # Before it stands that kernels are compiled, if they are.
    message = result.err.splitlines()[-1]
    assert message.startswith("cardlab: the spec of policy 'own_first' of up ")
    assert cause in message


def test_a_pipe_is_no_file_and_is_not_waited_for(refused, tmp_path):
    pipe = tmp_path / "pipe.py"
    os.mkfifo(pipe)
    said = refused("simulate", "updown", "--strategies", pipe, "--matches", 2)
    assert said.endswith("cannot be read; allowed: a .py file\n")
