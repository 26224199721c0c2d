"""Cases of a rule, a row each: a name, a position, and in turn moves and what holds after them.

    class TestCourse(Rows):
        rows = '''
            [R13] who has no hand card turns up a hidden one | hidden 8 5
                it must be played      | tower 9 | | moves = blind
                it lies there then     |         | blind | seat = 1; hidden = 8
        '''

A line that begins with "[" names the clause (or subject) of the rows below it; a position beside it
is theirs too, unless the line is a row itself, with what must hold. A line that begins with "|", or
follows one that ends with ";" or ",", goes on with the row before.

Among the moves "score" scores the round. Positions: cards by place ("tower 9 7",
"seat 1 hand 5 5"), and settings ("players = 2", "first_turn"). What holds: what a position has by
a name ("cap = 5"), with a seat where it is another than 0 ("hand 1 = 7 6"), a count
("collapses = 1"), a field of the state ("s.plays = 3"), "may red 7", "may not blind",
"clause limit", "no clause limit", and what a policy chooses ("choice greedy = 2 2",
"choice greedy not = 2 2", "turn stepper = 51 upper new"). Numbers of several seats stand side by
side ("scores = 20 4"), moves and columns with commas.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from typing import Any, ClassVar

import pytest

from tests.games.position import Position


def rows_in(text: str) -> Iterator[list[str]]:
    """Yield the columns of each row: its name after that of its clause, its position, and so on."""
    lines: list[str] = []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("|") or (lines and lines[-1].endswith((";", ","))):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    mark = shared = ""
    for line in lines:
        name, *columns = (column.strip() for column in line.split("|"))
        if name.startswith("["):
            mark, name = map(str.strip, name[1:].split("]", 1))
            shared = "" if columns[1:] else "".join(columns)
        if columns[1:]:
            yield [f"{mark} {name}".strip(), f"{shared}; {columns[0]}", *columns[1:]]


def items(text: str, separator: str) -> list[str]:
    return [item.strip() for item in text.split(separator) if item.strip()]


def given_in(text: str) -> dict[str, Any]:
    """Return what a position is made from; cards of other seats are in `others`."""
    given: dict[str, Any] = {}
    others: dict[int, dict[str, str]] = {}
    for item in items(text, ";"):
        name, equals, value = item.partition(" = ")
        if equals:
            given[name] = ast.literal_eval(value)
        elif item.startswith("seat "):
            _, seat, place, *cards = item.split(" ", 3)
            others.setdefault(int(seat), {})[place] = "".join(cards)
        else:
            place, _, cards = item.partition(" ")
            given[place] = cards.strip() or True
    return given | ({"others": others} if others else {})


def value_of(p: Position, words: str) -> Any:
    """Return what a position has by a name: "seat", "hand 1", "collapses", "s.plays"."""
    name, *seat = words.split()
    if name in ("choice", "turn"):
        return getattr(p, name)("".join(seat))
    if name.startswith("s."):
        return getattr(p.s, name.removeprefix("s."))
    if hasattr(p, name):
        value = getattr(p, name)
        if callable(value):
            return value(*map(int, seat))
        return value[int(*seat)] if seat else value
    return p.metric(name)


def spellings(value: Any) -> set[str]:
    """Return how rows may write a value."""
    if isinstance(value, str) or not isinstance(value, Collection):
        return {str(value)}
    if isinstance(value, Counter):
        value = sorted(value.elements())
    separator = ", " if any(isinstance(item, str) for item in value) else " "
    items = map(str, sorted(value) if isinstance(value, set) else value)
    return {str(value), separator.join(items)}


def check(p: Position, claim: str) -> None:
    """Fail unless a claim holds."""
    words, equals, wanted = f"{claim} ".partition(" = ")
    wanted = wanted.strip()
    if words == "moves":
        assert p.moves == set(items(wanted, ","))
    elif equals and words.endswith(" not"):
        assert wanted not in spellings(value_of(p, words.removesuffix(" not"))), claim
    elif equals:
        assert wanted in spellings(value_of(p, words)), claim
    elif claim.startswith("may "):
        move = claim.removeprefix("may ").removeprefix("not ")
        assert (move in p.moves) != claim.startswith("may not "), claim
    else:
        clause = claim.removeprefix("no ").removeprefix("clause ")
        assert p.clause(clause) != claim.startswith("no "), claim


class Rows:
    """Base of the test classes; `position` makes a position of the game."""

    rows: ClassVar[str]

    def position(self, **given: Any) -> Position:
        raise NotImplementedError

    @classmethod
    def pytest_generate_tests(cls, metafunc: pytest.Metafunc) -> None:
        if "row" in metafunc.fixturenames:
            rows = list(rows_in(cls.rows))
            metafunc.parametrize("row", rows, ids=[row[0] for row in rows])

    def test_row(self, row: list[str]) -> None:
        _, given, *steps = row
        p = self.position(**given_in(given))
        for moves, claims in zip(steps[::2], steps[1::2], strict=True):
            for move in items(moves, ","):
                p.score() if move == "score" else p.play(move)
            for claim in items(claims, ";"):
                check(p, claim)


class Told(Rows):
    """Rows of what spectators are told: a name, a position, moves, and the lines told of the last.

    Each line is a column; its indentation does not count.
    """

    words: ClassVar[Any]
    names = ("Ann", "Bob", "Cy", "Dot")

    def test_row(self, row: list[str]) -> None:
        _, given, moves, *lines = row
        p = self.position(**given_in(given))
        *before, last = items(moves, ",")
        if last == "score":
            told = p.play(*before).told_round(self.words, self.names[: p.players])
        else:
            told = p.told(self.words, self.names, *before, last)
        assert list(map(str.split, told)) == list(map(str.split, lines))
