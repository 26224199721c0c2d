"""What cardlab once got wrong in rules that somebody wrote: each kind of it, with the right answer.

Plain and compiled rules share their text, so what a value is stands here as a number.
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from pathlib import Path

import pytest

import cardlab
from simcore.batch import _in_plain
from simcore.catalogue import get_game
from simcore.compiler.blocks import Columns, Player
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.games.updown.rules import CARD
from simcore.jit import IN_PLAIN_PYTHON
from tests.own.small import EIGHTS, cell_of, changed, row_in_plain, text_of, write

VALUES = """
several cards are inserted where one count says: 3265410
    insert({24, 25, 26}, s.stock, s.row[0], len(s.row[0]) // 2)
    x = order(s, 0)
the top card goes to the bottom: 2103
    insert(top(s.row[0]), s.row[0], s.row[0], len(s.row[0]) - 1)
    x = order(s, 0)
cards of a hand are inserted while it shrinks: 10
    insert({20, 30}, s.hand[0], s.row[1], len(s.hand[0]) - 2)
    x = 10 * (len(s.row[1]) == 2) + len(s.hand[0])
as many cards are drawn as there are in half of the stock: 26
    draw(s.stock, s.laid, len(s.stock) // 2)
    x = len(s.laid) - 1
a row is cut by its own length: 321
    cut(s.row[0], len(s.row[0]) // 2 + 1)
    x = order(s, 0)
a number stays one, whatever its note says: 10
    x = twice(s.zero + 5)
bits of numbers that are noted as truth values: 21
    x = both(s.zero + 3, s.zero + 2)
a large number beside a float: 1
    x = 1 if s.big > 9007199254740992.0 else 0
a large constant beside a float: 1
    x = 1 if 9007199254740993 != 9007199254740992.0 + s.zero else 0
a large number between floats: 10
    x = 10 * (0.5 < s.big + s.zero < 9007199254740994.0)
    x += 0.5 < s.big + s.zero <= 9007199254740992.0
a float before a large number that is no float: 1
    x = 1 if 9007199254740992.0 < s.big else 0
what stands between two is evaluated once: 11
    x = 0.5 < again(s) < s.zero + 1.5
    x = x + 10 * s.calls
what is not reached is not evaluated: 2
    x = 0 if 1 > s.zero + 2 > again(s) > s.zero else 2 + s.calls
a large number that is no float: 0
    x = 1 if s.big == 9007199254740992.0 else 0
nothing is larger than what is no number: 1
    nan = 1e308 * 10 - 1e308 * 10
    x = 1 if max(0.0, nan) == 0.0 else 2
what is no number stays the largest if it comes first: 2
    nan = 1e308 * 10 - 1e308 * 10
    x = 1 if max(nan, 0.0) == 0.0 else 2
the smallest beside what is no number: 1
    nan = 1e308 * 10 - 1e308 * 10
    x = 1 if min(0.0, nan) == 0.0 and min(nan, 0.0) != 0.0 else 2
the size of a float: 5
    x = int(abs(2.5 + s.zero) + abs(s.zero - 2.5))
what is no number has no size: 1
    nan = 1e308 * 10 - 1e308 * 10
    x = 1 if abs(nan) != abs(nan) else 2
no card is higher than the largest number: 0
    x = len(higher(s.hand[0], 9223372036854775807 + s.zero))
all cards are higher than the smallest: 2
    x = len(higher(s.hand[0], -9223372036854775807 - 1 + s.zero))
all cards are lower than the largest: 2
    x = len(lower(s.hand[0], 9223372036854775807 + s.zero))
an infinite constant: 5
    best = -INF
    for c in s.hand[0]:
        best = max(best, 0.5 * c)
    x = int(best) // 3
a constant without bounds: 1
    x = 1 if s.big < MOST and -MOST < s.zero else 0
"""
"""Titles with the value that the lines give `x`."""

CASES = [
    (match[1], int(match[2]), match[3])
    for match in re.finditer(r"^(\S.*): (-?\d+)\n((?:    .*\n)+)", VALUES, re.MULTILINE)
]


def test_every_case_is_read():
    assert len({title for title, _, _ in CASES}) == len(CASES)
    assert len(CASES) == len(re.findall(r"^\S", VALUES, re.MULTILINE))


def game_of_values(folder: Path) -> str:
    """Write a game with a function for each case, so that all are compiled at once."""
    functions = "".join(
        f"def value_{number}(s):\n    x = 0\n{lines}    return x\n\n\n"
        for number, (_, _, lines) in enumerate(CASES)
    )
    choice = "".join(
        f"    if which == {number}:\n        return value_{number}(s)\n"
        for number in range(len(CASES))
    )
    functions += f"def value(s):\n{choice}    return 0\n"
    text = text_of("values.txt").replace("$last", str(len(CASES))).replace("$functions", functions)
    file = folder / "values.py"
    file.write_text(text, encoding="utf-8")
    return str(file)


def test_a_value_is_the_one_that_python_gives(tmp_path: Path):
    name = game_of_values(tmp_path)
    right = {title: value for title, value, _ in CASES}
    plain, compiled = {}, {}
    for number, title in enumerate(right):
        cell = replace(cell_of(name, which=number), general=True)  # all by the same code
        plain[title] = row_in_plain(cell, 0)["score_0"]
        columns = Columns.of(cell, 1)
        if not IN_PLAIN_PYTHON:
            assert Player(cell, 0).play(0, 1, columns, 0) == 1
        compiled[title] = columns.scores[0, 0]
    assert plain == right
    if not IN_PLAIN_PYTHON:
        assert compiled == right


# ----------------------------------------------------------------------------------- what plays

GUESS = text_of("guess.py").replace("    BODY\n", "")


def test_a_chain_of_400_cases_is_refused_with_its_line(tmp_path: Path):
    cases = "".join(f"    elif card == {k}:\n        s.last += {k}\n" for k in range(1, 400))
    body = f"    if card == 0:\n        s.last += 1\n{cases}"
    file = tmp_path / "chain.py"
    file.write_text(text_of("guess.py").replace("    BODY\n", body), encoding="utf-8")
    with pytest.raises(
        Refused, match=r"chain.py, line \d+, in apply: `if card == 0:`: .*100 `elif`"
    ):
        row_in_plain(cell_of(str(file)), 0)


def test_the_larger_of_a_float_and_a_number_that_is_none_is_refused(tmp_path: Path):
    line = "    s.last = int(max(0.5, s.last + 9007199254740993))\n"
    name = write(tmp_path, "guess.py", ("    BODY\n", line))
    with pytest.raises(InputError, match=r"line \d+, in apply: .*9007199254740993 beside a float"):
        row_in_plain(cell_of(name), 0)


MEMORY = '''"""A policy with memory in a file of rules."""

from cardlab.rules import *

game = "updown"


class State:
    kept = memory(number)


@policy
def counts(s, seat, moves):
    """It counts its decisions."""
    s.kept[seat] += 1
    return lowest(moves) if s.kept[seat] & 1 else highest(moves)
'''


def test_a_policy_in_a_file_of_rules_remembers(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("counts.py").write_text(MEMORY)
    plain = _in_plain(cell_of("updown+counts.py", "counts,random"), 0, 0, 8)
    first = _in_plain(cell_of("updown", "random"), 0, 0, 8)
    assert not plain.begins(first)


@pytest.mark.usefixtures("in_plain")
def test_the_phase_before_a_move_is_its_decision(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("before.py").write_text(
        '"""What is decided before a card."""\n\nfrom cardlab.rules import *\n\ngame = "updown"\n'
        'seen = measure("phase")\n\n\n@at("before", CARD)\ndef look(s, seat, card):\n'
        "    s.count.seen = s.phase\n"
    )
    rows = cardlab.simulate("updown", rules="before.py", matches=50).rows().collect()
    assert set(rows["seen"]) == {int(CARD)}


# ------------------------------------------------------------------------------- what is refused

REFUSED = {
    "ranks below 0": (
        'deck = cards_of("AB", range(8)) → deck = cards_of("AB", range(-2, 5))',
        r"ranks range\(-2, 5\) is refused; allowed: ranks from 0",
    ),
    "a field of a thousand millions": (
        "class State:\n → class State:\n    x = shown(number, many=10**9)\n",
        r"many=1000000000\) is refused; allowed: 0…4096",
    ),
    "a measure in a game": (
        'class State:\n → cards_seen = measure("cards")\n\n\nclass State:\n',
        r"line \d+: `cards_seen = measure.*in a file of rules",
    ),
    "a moment in a game": (
        'class State:\n → @at("end")\ndef look_on(s):\n    s.points[0] += 1\n\n\nclass State:\n',
        r"line \d+: `def look_on.*in a file of rules",
    ),
    "a field that is declared twice": (
        "class State:\n → class State:\n    twice = shown(number)\n    twice = shown(cards)\n",
        r"line \d+: `twice = shown\(cards\)`: line \d+ declares `twice` already",
    ),
    "a number among the fields": (
        "class State:\n → class State:\n    z = 5\n",
        r"line \d+: `z = 5`: `z` is no field; write z = shown\(number\)",
    ),
    "a helper named like a word": (
        "class State:\n → def suit(card):\n    return card & 1\n\n\nclass State:\n",
        r"line \d+: `def suit\(card\):`: `suit` is a word of the language; choose another name",
    ),
    "a function that is defined twice": (
        "class State:\n → def f(x):\n    return x\n\n\ndef f(x):\n    return 1\n\n\nclass State:\n",
        r"line \d+: `def f\(x\):`: line \d+ defines `f` already",
    ),
    "an option that nothing reads": (
        'class State:\n → spare = option(1, 0, 9, "spare")\n\n\nclass State:\n',
        r"line \d+: `spare = option.*: nothing reads the option `spare`",
    ),
}


@pytest.mark.parametrize("title", REFUSED)
def test_what_would_have_no_effect_is_refused_at_once(tmp_path: Path, title: str):
    change, words = REFUSED[title]
    old, new = change.split(" → ")
    file = tmp_path / "guess.py"
    file.write_text(changed(GUESS, (old, new)), encoding="utf-8")
    started = time.perf_counter()
    with pytest.raises(InputError, match=words) as refused:
        get_game(str(file))
    assert time.perf_counter() - started < 5
    assert "guess.py" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_other_rows_compiled_than_plain_are_told_as_a_fault_of_cardlab(monkeypatch):
    """Nothing that somebody writes may do it, so the rows are made wrong here."""

    def other(self, first, count, columns, row):
        for column in columns:
            column[...] = 0
        return count

    monkeypatch.setattr("simcore.compiler.blocks.Player.play", other)
    with pytest.raises(InputError, match=r"fault of cardlab.*send the file") as told:
        cardlab.simulate(EIGHTS, matches=30, threads=1)
    assert "eights.py" in str(told.value)
    assert not isinstance(told.value, Refused)
