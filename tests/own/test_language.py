"""Rules run as ordinary Python, and compiled, give the same rows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.own.small import assert_played_alike, cell_of, text_of, write

MATCHES = 12
MEANINGS = (Path(__file__).parent / "meanings.txt").read_text(encoding="utf-8")
"""What compiled rules got wrong once: titles, each with lines that give `x` a value."""

CALL = "    s.sums[seat][1] += meaning_{}(s, seat, card) & 1023\n    s.last &= 1023\n"
DECKS = {1: 'cards_of("AB", range(8))', 3: 'cards_of("ABCDEF", range(20))'}
"""By the words of a set of cards."""


def played(folder: Path, line: str, players: int, more: str, words: int = 1) -> int:
    """Play Guess with a line in `apply` both ways; return how many matches came to their end."""
    changes = ("    BODY\n", line), (DECKS[1], DECKS[words])
    name = write(folder, "guess.py", *changes, more=f"\n\n{text_of('helpers.py')}{more}")
    return assert_played_alike(cell_of(name, players=players), MATCHES, line)


@pytest.mark.parametrize("words", DECKS)
def test_compiled_rules_mean_what_python_means(words: int, tmp_path: Path):
    functions, calls = "", {}
    for number, case in enumerate(re.split(r"\n(?=\S)", MEANINGS.rstrip())):
        title, _, body = case.partition("\n")
        body += "" if "\n    return " in body else "\n    return x"
        functions += f"\n\ndef meaning_{number}(s, seat, card):\n    x = 0\n{body}\n"
        calls[title] = CALL.format(number)
    try:
        assert played(tmp_path, "".join(calls.values()), 2 + words % 3, functions, words) == MATCHES
    except AssertionError:
        for title, line in calls.items():  # which of them is it?
            assert played(tmp_path, line, 2 + words % 3, functions, words) == MATCHES, title
        raise


def test_tables_of_two_files_have_their_own_numbers(tmp_path: Path):
    (tmp_path / "tables.py").write_text(
        "PREFIX = [5, 6, 7, 8]\n\n\ndef fourth(k):\n    return PREFIX[k]\n"
    )
    line = "    s.sums[seat][0] += PREFIX[2] + tables.fourth(3) * 10 + PREFIX[0]\n"
    more = f"\nimport sys\nsys.path.insert(0, {str(tmp_path)!r})\nimport tables\nsys.path.pop(0)\n"
    assert played(tmp_path, line, 4, more) == MATCHES


def test_an_index_outside_reaches_no_memory(tmp_path: Path):
    """The match counts as one that went wrong, which is then told from plain Python."""
    assert played(tmp_path, "    s.sums[seat + 1000 * card][0] += 1\n", 4, "") == 0
