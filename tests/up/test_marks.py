"""RULES.md, the code and the tests know the same marks."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
ROOM = ROOT / "simcore" / "games" / "up"
TESTS = Path(__file__).parent

RULE = re.compile(r"^- \*\*\[([RC]\d+)\]\*\* (\(text only\))?", re.MULTILINE)
CITED = re.compile(r"\[([RC]\d+)\]")
TESTED = re.compile(r"^class Test([RC]\d+)[A-Z]", re.MULTILINE)
RANGE = re.compile(r"\[[RC]\d+\]\s*[–-]\s*\[[RC]\d+\]")


def rules() -> dict[str, bool]:
    """The marks that RULES.md explains; True for those that need code."""
    found = RULE.findall((ROOM / "RULES.md").read_text(encoding="utf-8"))
    assert len(found) == len({mark for mark, _ in found}), "a mark is explained twice"
    return {mark: not text_only for mark, text_only in found}


def sources() -> list[Path]:
    return sorted(ROOM.glob("*.py"))


def cited() -> set[str]:
    """The marks in docstrings and comments, and those that options name."""
    marks = set()
    for path in sources():
        text = path.read_text(encoding="utf-8")
        marks |= set(CITED.findall(text))
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.keyword) and node.arg == "rule":
                marks.add(ast.literal_eval(node.value))
    return marks


def marks_tested() -> set[str]:
    return {
        mark
        for path in TESTS.glob("test_*.py")
        for mark in TESTED.findall(path.read_text(encoding="utf-8"))
    }


def in_order(marks: set[str]) -> list[str]:
    return sorted(marks, key=lambda mark: (mark[0] == "C", int(mark[1:])))


def test_marks_are_numbered_without_a_gap():
    marks = list(rules())
    clauses = [mark for mark in marks if mark[0] == "R"]
    choices = [mark for mark in marks if mark[0] == "C"]
    assert clauses == [f"R{number}" for number in range(1, 36)]
    assert choices == [f"C{number}" for number in range(1, len(choices) + 1)]
    assert len(choices) >= 40


def test_rules_refer_to_marks_that_there_are():
    text = (ROOM / "RULES.md").read_text(encoding="utf-8")
    assert set(CITED.findall(text)) <= set(rules())


def test_every_mark_is_cited_where_the_code_carries_it_out():
    missing = {mark for mark, needs_code in rules().items() if needs_code} - cited()
    assert not missing, f"cited nowhere: {in_order(missing)}"


def test_code_cites_no_other_marks():
    unknown = cited() - set(rules())
    assert not unknown, f"not in RULES.md: {in_order(unknown)}"
    text_only = {mark for mark, needs_code in rules().items() if not needs_code}
    assert not cited() & text_only


def test_marks_are_cited_one_by_one():
    for path in sources():
        assert not RANGE.search(path.read_text(encoding="utf-8")), path.name


def test_every_mark_has_a_test():
    missing = {mark for mark, needs_code in rules().items() if needs_code} - marks_tested()
    assert not missing, f"no test class: {in_order(missing)}"


def test_no_test_class_bears_another_mark():
    unknown = marks_tested() - set(rules())
    assert not unknown, f"not in RULES.md: {in_order(unknown)}"
