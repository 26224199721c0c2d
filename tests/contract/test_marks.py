"""RULES.md of a game, its code and its tests know the same marks."""

from __future__ import annotations

import re

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from tests.programs import ROOT

RULE = re.compile(r"^- \*\*\[([RCH]\d+)\]\*\* (\(text only\))?", re.MULTILINE)
CITED = re.compile(r"\[([RCH]\d+)\]")
TESTED = re.compile(r"(?:^class Test|^def test_|^ +\[|\"\[)([RCHrch]\d+)[A-Z\]_]", re.MULTILINE)
RANGE = re.compile(r"\[[RCH]\d+\]\s*[–-]\s*\[[RCH]\d+\]")


class Marks:
    """The marks of one game.

    Attributes
    ----------
    text : str
        Its RULES.md.
    explained : dict
        The marks that it explains, in its order; True for those that need code.
    cited : set
        The marks in docstrings and comments of the code, and those that options name.
    tested : set
        The marks that a test or a class of tests bears, or rows of cases (`tests/games/rows.py`).
    """

    def __init__(self, game: str) -> None:
        self.game = game
        room = ROOT / "simcore" / "games" / game
        self.sources = sorted(room.glob("*.py"))
        self.text = (room / "RULES.md").read_text(encoding="utf-8")
        rules = RULE.findall(self.text)
        assert len(rules) == len({mark for mark, _ in rules}), "a mark is explained twice"
        self.explained = {mark: not text_only for mark, text_only in rules}
        self.cited = {option.rule for option in get_game(game).options}
        for path in self.sources:
            self.cited |= set(CITED.findall(path.read_text(encoding="utf-8")))
        self.tested = {
            mark.upper()
            for path in (ROOT / "tests" / game).glob("test_*.py")
            for mark in TESTED.findall(path.read_text(encoding="utf-8"))
        }

    @property
    def with_code(self) -> set[str]:
        return {mark for mark, needs_code in self.explained.items() if needs_code}


CHOICE = re.compile(r"^- \*\*\[(C\d+)\]\*\*(.*(?:\n  .*)*)", re.MULTILINE)
READING = re.compile(r"«(?P<quote>[^»]+)» Other reading: (?P<other>[^;].*); (?P<option>.+)\.$")
OPTION = re.compile(r"`(\w+)(?: = [^`]+)?`")


@pytest.fixture(scope="module", params=game_names())
def marks(request):
    return Marks(request.param)


def in_order(marks: set[str]) -> list[str]:
    return sorted(marks, key=lambda mark: ("RCH".index(mark[0]), int(mark[1:])))


def test_marks_are_numbered_without_a_gap(marks):
    clauses = [mark for mark in marks.explained if mark[0] == "R"]
    choices = [mark for mark in marks.explained if mark[0] == "C"]
    house = [mark for mark in marks.explained if mark[0] == "H"]
    assert clauses == [f"R{number}" for number in range(1, len(clauses) + 1)]
    assert choices == [f"C{number}" for number in range(1, len(choices) + 1)]
    assert house == [f"H{number}" for number in range(1, len(house) + 1)]
    assert len(clauses) >= 13
    assert len(choices) >= 10


def test_house_rules_are_options_after_those_of_the_rule_text(marks):
    options = get_game(marks.game).options
    house = [option for option in options if option.house]
    assert list(options[len(options) - len(house) :]) == house
    named = {mark for option in house for mark in re.findall(r"[H]\d+", option.rule)}
    assert named == {mark for mark in marks.explained if mark[0] == "H"}


def test_rules_refer_to_marks_that_there_are(marks):
    assert set(CITED.findall(marks.text)) <= set(marks.explained)


def test_every_mark_is_cited_where_the_code_carries_it_out(marks):
    missing = marks.with_code - marks.cited
    assert not missing, f"cited nowhere: {in_order(missing)}"


def test_code_cites_no_other_marks(marks):
    unknown = marks.cited - set(marks.explained)
    assert not unknown, (
        f"simcore/games/{marks.game}/RULES.md has no clause {in_order(unknown)}, which options or "
        "code name; add it"
    )
    assert not marks.cited & (set(marks.explained) - marks.with_code)


def test_marks_are_cited_one_by_one(marks):
    for path in marks.sources:
        assert not RANGE.search(path.read_text(encoding="utf-8")), path.name


def test_every_mark_has_a_test(marks):
    missing = marks.with_code - marks.tested
    assert not missing, f"tests/{marks.game} has no test or row of {in_order(missing)}; add one"


def test_no_test_bears_another_mark(marks):
    unknown = marks.tested - set(marks.explained)
    assert not unknown, f"not in RULES.md: {in_order(unknown)}"


def test_every_choice_quotes_the_text_and_names_another_reading(marks):
    names = {option.name for option in get_game(marks.game).options}
    choices = dict(CHOICE.findall(marks.text))
    assert list(choices) == [mark for mark in marks.explained if mark[0] == "C"]
    for mark, lines in choices.items():
        reading = READING.search(" ".join(lines.split()))
        assert reading, mark
        assert 1 <= len(reading["quote"].split()) <= 8, mark
        if reading["option"] != "no option":
            assert reading["option"].startswith("option: "), mark
            named = OPTION.findall(reading["option"])
            assert named, mark
            assert set(named) <= names, mark


def test_no_paper_outside_the_repository_is_referred_to(marks):
    assert not re.search(r"\b(UP|UD|UN|DN|OD)-\d", marks.text)
