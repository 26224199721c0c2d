"""Rules run as ordinary Python, and compiled, give the same rows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.own.small import assert_played_alike, cell_of, text_of, write

MATCHES = 12
MEANINGS = re.split(
    r"\n(?=\S)", (Path(__file__).parent / "meanings.txt").read_text(encoding="utf-8").rstrip()
)
"""What compiled rules got wrong once: titles, each with lines that give `x` a value."""

CALL = "    s.sums[seat][1] += meaning_{}(s, seat, card) & 1023\n    s.last &= 1023\n"
DECKS = {1: 'cards_of("AB", range(8))', 3: 'cards_of("ABCDEF", range(20))'}
"""By the words of a set of cards."""

WITH_SETS = r"s\.(laid|hand|stock)|\{|drawn|of_"
"""What has to do with the words of a set."""

FIELDS = """
wrong = option(False, "an index outside")


class State:
    share = shown(float, per=seat, start=1)"""
OUTSIDE = """    if wrong:
        s.sums[seat + 1000 * card][0] += 1
"""
TABLES = "PREFIX = [5, 6, 7, 8]\n\n\ndef fourth(k):\n    return PREFIX[k]\n"


def played(folder: Path, lines: str, more: str, words: int, *, wrong: bool = False) -> int:
    """Play Guess with lines in `apply` both ways; return how many matches came to their end."""
    (folder / "tables.py").write_text(TABLES)
    imported = (
        f"\nimport sys\nsys.path.insert(0, {str(folder)!r})\nimport tables\nsys.path.pop(0)\n"
    )
    changes = ("    BODY\n", lines + OUTSIDE), (DECKS[1], DECKS[words]), ("class State:", FIELDS)
    name = write(folder, "guess.py", *changes, more=f"\n\n{text_of('helpers.py')}{more}{imported}")
    cell = cell_of(name, players=2 + words % 3, wrong=wrong)
    return assert_played_alike(replace(cell, general=True), MATCHES, lines)


EVERY = (False, True)


@pytest.mark.parametrize(
    ("words", "sets"),
    [
        (1, [False]),
        (3, [True]),
        pytest.param(1, EVERY, marks=pytest.mark.whole),
        pytest.param(3, EVERY, marks=pytest.mark.whole),
    ],
)
def test_compiled_rules_mean_what_python_means(words: int, sets, tmp_path: Path):
    functions, calls = "", {}
    cases = [case for case in MEANINGS if bool(re.search(WITH_SETS, case)) in sets]
    for number, case in enumerate(cases):
        title, _, body = case.partition("\n")
        body += "" if "\n    return " in body else "\n    return x"
        functions += f"\n\ndef meaning_{number}(s, seat, card):\n    x = 0\n{body}\n"
        calls[title] = CALL.format(number)
    every = "".join(calls.values())
    try:
        assert played(tmp_path, every, functions, words) == MATCHES
    except AssertionError:
        for title, line in calls.items():  # which of them is it?
            assert played(tmp_path, line, functions, words) == MATCHES, title
        raise
    # An index outside reaches no memory: its match is told from plain Python.
    assert played(tmp_path, every, functions, words, wrong=True) == 0
