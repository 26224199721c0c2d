"""Options whose value may be the path of a file."""

from __future__ import annotations

import pytest

from simcore.errors import InputError
from simcore.options import LARGEST_FILE, FileOption


def three_lines(text):
    if len(text.splitlines()) != 3:
        raise ValueError("line 4 is one too many")


DECK = FileOption(
    name="deck",
    default="a",
    values=("a", "c"),
    contents="a deck file",
    check=three_lines,
    meaning="the deck",
    rule="C1",
)


def test_a_word_is_a_word():
    assert DECK.parse(" c ") == "c"
    assert DECK.fingerprint("c") == "c"


def test_a_file_is_named_by_its_path_and_known_by_its_contents(tmp_path):
    first, other = tmp_path / "one.txt", tmp_path / "other.txt"
    first.write_text("1\n2\n3\n")
    other.write_text("1\n2\n3\n")
    assert DECK.parse(str(first)) == str(first)
    assert DECK.fingerprint(str(first)) == DECK.fingerprint(str(other))
    other.write_text("1\n2\n4\n")
    assert DECK.fingerprint(str(first)) != DECK.fingerprint(str(other))


def test_what_is_wrong_is_said(tmp_path):
    file = tmp_path / "deck.txt"

    def refused(value):
        with pytest.raises(InputError, match=r"option deck = .* is refused") as caught:
            DECK.parse(value)
        assert "allowed: a, c, or the path of a deck file" in str(caught.value)
        return str(caught.value)

    assert "no such file" in refused(str(file))
    assert "it is a directory" in refused(str(tmp_path))
    for value in ("", "a\0b", 3, None, ["a"]):
        refused(value)
    file.write_text("1\n2\n3\n4\n")
    assert "line 4 is one too many" in refused(str(file))
    file.write_bytes(b"\xff\xfe\x00")
    assert "no UTF-8 text" in refused(str(file))
    file.write_bytes(b"1" * (LARGEST_FILE + 1))
    assert "larger than" in refused(str(file))
