"""What the language refuses, where, and what it says: `refusals.txt`, and the tables of a page.

The page is docs/explanation/compiling.md; what stands beside its refused lines is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from simcore import batch
from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.replay import replay
from studies.check import gamecheck
from studies.check.compared import matches_end
from tests.own.small import EIGHTS, ROOT, cell_of, changed, row_in_plain, text_of, write

PAGE = ROOT / "docs" / "explanation" / "compiling.md"
MINE = "\n\n@policy\ndef mine(s, seat, moves):\n    BODY\n    return lowest(moves)\n"
HEAD = '"""A mistake."""\n\nfrom cardlab.rules import *\n\ngame = "eights.py"\n'
HAND_OF = "\n\ndef hand_of(s, seat):\n    return s.hand[seat]\n"
SECTIONS = {
    "eights.py+mistake.py": HEAD,
    "eights.py: mine": text_of("eights.py") + MINE,
    "eights.py+queens.py": text_of("queens.py"),
    "eights.py+counts.py": text_of("counts.py"),
    "guess.py: apply": f"{text_of('guess.py')}\n\n{text_of('helpers.py')}",
    "guess.py: long": f"{text_of('guess.py')}\n\nLONG = [0] * 70_000\n",
    "guess.py: keeper": f"{text_of('guess.py').replace('    BODY', '')}\n\n{text_of('keeper.py')}",
    "pairs.py: mine": text_of("pairs.py") + MINE + HAND_OF,
    "rows.py: mine": text_of("rows.py") + MINE,
}
"""The texts that cases change, where it is not the file alone that the section names."""


COMPILE = batch.warm_up
"""Finds kinds that do not fit, which plain Python may pass by."""


class Accepted(Exception):  # noqa: N818 (no error)
    """Some matches have been played as checked Python."""


@pytest.fixture(autouse=True)
def nothing_is_compiled(monkeypatch: pytest.MonkeyPatch):
    """Stop `play` when the first matches, which run as checked Python, have been accepted."""

    def stop(*_args: object, **_kwargs: object) -> None:
        raise Accepted

    monkeypatch.setattr(batch, "warm_up", stop)
    monkeypatch.setattr(batch, "TRIED", 4)


def cases() -> Iterator[tuple[str, str, str]]:
    """Yield the section, title and lines of each case of `refusals.txt`."""
    text = (Path(__file__).parent / "refusals.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^\[(.+)\]\n", text, flags=re.MULTILINE)
    for section, part in zip(parts[::2], parts[1::2], strict=True):
        for case in re.split(r"\n(?=\S)", part.strip()):
            title, _, lines = case.partition("\n")
            yield section, title.partition("  #")[0], lines or title


def written(folder: Path, section: str, lines: str) -> tuple[str, str]:
    """Write a case's files; return the game's name, and what is said, as a pattern."""
    game, _, rules = section.partition(": ")[0].partition("+")
    file = folder / (rules or game)
    text, body = SECTIONS.get(section, "") or text_of(game), list[str]()
    pattern_text = ""
    for line in dedent(lines).splitlines():
        code, mark, words = re.fullmatch(r"(.*?)(?:  #([!:]) (.*))?", line).groups()  # type: ignore[union-attr]
        pattern_text = words or pattern_text
        code += "  # here" * (mark == "!")
        if " → " in code:
            text = changed(text, tuple(code.split(" → ")))
        else:
            body.append(code)
    if "    BODY\n" in text:
        text = text.replace("BODY", "\n    ".join(body))
    elif body:
        text += "\n\n" + "\n".join(body) + "\n"
    pattern = ".*".join(map(re.escape, pattern_text.split("…")))
    for number, line in enumerate(text.splitlines(), 1):
        if line.endswith("  # here"):
            source = re.escape(line.removesuffix("  # here").strip())
            pattern = rf"{re.escape(file.name)}, line {number}(, in \w+)?: `{source}`: .*{pattern}"
    file.write_text(text.replace("  # here", ""), encoding="utf-8")
    if rules:
        write(folder, game)
        return f"{folder / game}+{file}", pattern
    return str(file), pattern


def first_matches(name: str, policy: str) -> Cell:
    """Play some matches as checked Python, and tell one; return their cell."""
    options = {"draws": 52} if "eights" in name else {}
    cell = cell_of(name, policy, **options)
    with suppress(Accepted):
        play(cell, 0, 30)
    list(replay(cell, 0))
    return cell


@pytest.mark.whole_only("guess.py: apply: x = card and s.laid")  # as `or`: Numba finds it
@pytest.mark.parametrize(
    ("section", "lines"),
    [pytest.param(section, lines, id=f"{section}: {title}") for section, title, lines in cases()],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, section: str, lines: str):
    name, pattern = written(tmp_path, section, lines)
    policy = re.findall(r"@policy.*\ndef (\w+)", Path(name.rpartition("+")[2]).read_text())
    with pytest.raises(InputError) as refused:
        COMPILE(first_matches(name, policy[-1] if policy else "random"))
    message = str(refused.value)
    assert re.search(pattern, message), message
    assert Path(name.rpartition("+")[2]).name in message
    assert "\n" not in message


DOORS = {
    "replay": lambda name: list(replay(cell_of(name), 0)),
    "check": lambda name: list(gamecheck.check_game(name)),
}


@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("number", [0, 4, 8])
def test_a_mistake_is_told_by_every_command(tmp_path: Path, number: int, door: str):
    section, _, lines = list(cases())[number]
    name, pattern = written(tmp_path, section, lines)
    with pytest.raises(Refused, match=pattern):
        DOORS[door](name)


ALLOWED = """
    x = len(s.hand[partner(seat)] & all_cards)
    x = lowest(s.hand[after(seat, 2)])
    x = sum(len(s.hand[p] & all_cards) for p in partners(seat))
    x = sum(len(s.hand[p] | set()) for p in team(seat))
    mate = partner(seat); x = lowest(s.hand[mate])
    x = sum(len(s.brow[p] & all_cards) for p in others(seat))
    x = lowest(s.brow[after(seat, 3)])
    x = lowest(s.peek[after(seat, -1)])
    x = len(s.hand[after(seat, 1)]) + len(s.brow[seat])
    x = lowest(hand_of(s, partner(seat)))
"""


def test_a_policy_reads_what_its_seat_sees(tmp_path: Path):
    name, _ = written(tmp_path, "pairs.py: mine", ALLOWED)
    first_matches(name, "mine")


@pytest.mark.parametrize(
    "body",
    [
        "return highest(moves) if len(s.stock) > 9 else lowest(moves)",
        "return lowest(moves) if s.phase == MOVE else highest(moves)",
    ],
)
def test_a_policy_counts_what_it_does_not_see_and_knows_its_decision(tmp_path: Path, body: str):
    name, _ = written(tmp_path, "eights.py: mine", body)
    first_matches(name, "mine")


LEAK = """
class State:
    hint = shown(number)


def begin_turn(usual, s, seat):
    usual(s, seat)
    s.hint = len(s.hand[after(seat, 1)] & of_suit(0))


@policy
def reader(s, seat, moves):
    return lowest(moves) if s.hint > 1 else highest(moves)
"""


def test_what_rules_show_is_seen_whatever_it_was_taken_from(tmp_path: Path):
    """Rules may show anything, as a card that is turned up."""
    name, _ = written(tmp_path, "eights.py+mistake.py", LEAK)
    first_matches(name, "reader")


@pytest.mark.usefixtures("in_plain")
def test_a_match_that_passes_for_ever_is_aborted_and_found_by_check(tmp_path, monkeypatch):
    monkeypatch.setattr("studies.check.compared.COMPILED", 2)
    lines = "    def ended(s, seat):\n        return s.passes > 1_000_000_000"
    name, _ = written(tmp_path, "eights.py+mistake.py", lines)
    (table,) = gamecheck.game_tables(name, {"players": 4}, "saver")[:1]
    with pytest.raises(gamecheck.FaultError, match=r"2 of 2 matches have no end .* match 0"):
        matches_end(table)


def test_a_match_without_end_is_told_not_waited_for(tmp_path: Path, monkeypatch):
    monkeypatch.setattr("simcore.match.MOST_STEPS", 2000)
    more = "\n\ndef match_over(s):\n    return s.scores[0] > 0\n"
    cell = cell_of(write(tmp_path, "eights.py", more=more))
    with pytest.raises(InputError, match=r"a match does not end: 2,000 decisions in .*match_over"):
        play(cell, 0, 30)


def test_what_nothing_reads_is_told_by_check(tmp_path: Path):
    more = "\n\ndef greedy(s, seat, moves):\n    return lowest(moves)\n"
    *_, told = gamecheck._names(get_game(write(tmp_path, "eights.py", more=more)))
    assert told.verdict == gamecheck.REMARK
    assert "nothing calls `greedy`; a policy is marked with @policy" in told.found


def test_an_option_out_of_range_is_told_with_its_bounds():
    with pytest.raises(InputError, match=r"option wild = .*14.* is refused; allowed: .* -1…12"):
        get_game(EIGHTS).resolve({"wild": 14})


def test_no_such_file():
    with pytest.raises(InputError, match="there is no such file"):
        get_game("nowhere.py")


# ---- the tables of the page

PLACES = {"rules": "guess.py", "play": "guess.py", "policy": "eights.py: mine"}


def rows() -> Iterator[tuple[str, str, str, str]]:
    """Yield the rows of the page's tables: where a line stands, it, what is said, instead."""
    tables = r"^<!-- refused: (\w+) -->\n((?:\|.*\n)+)"
    for place, table in re.findall(tables, PAGE.read_text("utf-8"), re.MULTILINE):
        for line in table.splitlines()[2:]:
            wrong, message, right = (
                cell.strip().replace("\\|", "|").removeprefix("``").removesuffix("``").strip()
                for cell in re.split(r"(?<!\\)\|", line)[1:-1]
            )
            yield place, wrong.strip("`"), message, right


def played_and_compiled(folder: Path, place: str, line: str) -> None:
    """Play a line of the page as checked Python; compile it, where that passes what is wrong."""
    name, _ = written(folder, PLACES[place], line)
    cell = cell_of(name, "mine" if place == "policy" else "random")
    with suppress(Accepted):
        play(cell, 0, 20)
    COMPILE(cell)


@pytest.mark.parametrize(
    ("place", "wrong", "words"), [row[:3] for row in rows() if row[0] != "play"]
)
def test_what_is_refused(tmp_path: Path, place: str, wrong: str, words: str):
    with pytest.raises(InputError) as refused:
        played_and_compiled(tmp_path, place, wrong)
    assert words in str(refused.value).partition(f"`{wrong}`: ")[2]


def game_of(folder: Path, place: str, lines: list[str], late: int = 0, more: str = "") -> str:
    """Write a game whose option `way` is the number of the line that is played, in late matches."""
    is_policy = place == "policy"
    given, back = ("moves", "return ") if is_policy else ("card", "")
    end = "\n    return lowest(moves)" * is_policy
    option_line = f'\nway = option(0, 0, {len(lines)}, "which line")\nclass State'
    body, functions = "", more
    for number, line in enumerate(lines):
        body += f"\n    if s.match_number >= {late} and way == {number}:"
        body += f"\n        {back}line_{number}(s, seat, {given})"
        functions += f"\n\n\ndef line_{number}(s, seat, {given}):\n    {line}{end}\n"
    file = folder / PLACES[place].partition(":")[0]
    changes = ("    BODY", body), ("\nclass State", option_line)
    text = changed(SECTIONS.get(PLACES[place]) or text_of(PLACES[place]), *changes)
    file.write_text(text + functions, encoding="utf-8")
    return str(file)


@pytest.mark.parametrize("place", PLACES)
def test_what_to_write_instead(tmp_path: Path, place: str):
    lines = [row[3].strip("`") for row in rows() if row[0] == place and row[3].startswith("`")]
    name = game_of(tmp_path, place, lines)
    for number in range(len(lines)):
        cell = cell_of(name, "mine" if place == "policy" else "random", way=number)
        _ = [row_in_plain(cell, match) for match in range(4)]


def test_what_goes_wrong_in_a_match(tmp_path: Path):
    wrong = {line: words for place, line, words, _ in rows() if place == "play"}
    name = game_of(tmp_path, "play", list(wrong))
    for number, line in enumerate(wrong):
        with pytest.raises(InputError) as told:
            row_in_plain(cell_of(name, way=number), 0)
        assert wrong[line] in str(told.value).partition(f"`{line}`: ")[2]


HELPERS = """


def price(k):
    return PRICES[k]


def first_of(cards: cardset):
    return lowest(cards)


def drawn_late(s, seat):
    while s.stock:
        draw(s.stock, s.laid)
    return draw(s.stock, s.laid)


def endless(s, seat):
    x = 0
    while x < 5:
        x = draw(s.hand[seat], s.laid) - 60
    return x
"""

MORE = (
    "x = price(card + 6)",
    "x = first_of(s.laid - s.laid)",
    "x = drawn_late(s, seat)",
    "x = endless(s, seat)",
    "x = sum(9223372036854775807 for c in s.laid | s.hand[seat] | s.stock)",
    "x = len({c + 60 for c in s.laid | s.hand[seat] | s.stock})",
    "x = s.sums[after(seat, 1)][lowest(s.hand[seat])]",
    "x = int(0.5 + (9007199254740993 + card))",
)
"""What else is wrong: in helpers without the state, in loops that would not end."""


def test_compiled_code_tells_what_ordinary_python_tells(tmp_path: Path, monkeypatch):
    monkeypatch.undo()  # it is compiled
    monkeypatch.setattr(batch, "TRIED", 2)
    wrong = [line for place, line, _, _ in rows() if place == "play" and "3_000_000" not in line]
    wrong += MORE
    name = game_of(tmp_path, "play", wrong, batch.TRIED, HELPERS)
    for number, line in enumerate(wrong):
        cell = replace(cell_of(name, way=number), general=True)  # all ways by the same code
        with pytest.raises(InputError) as compiled:
            play(cell, 0, 40)
        with pytest.raises(InputError) as expected:
            _ = [row_in_plain(cell, match) for match in range(batch.TRIED, 40)]
        assert str(compiled.value) == str(expected.value), line
        where = r"guess\.py, line \d+, in \w+: .*\(match \d+, seed 1"
        assert re.search(where, str(compiled.value)), line
        assert len(play(cell, 0, batch.TRIED)) == batch.TRIED


@pytest.mark.whole
@pytest.mark.parametrize("wrong", ["s.row[seat], 2) → s.row[seat], 9)", "len(s.stock) // 3) → 99)"])
def test_compiled_matches_tell_of_places_in_order_too(wrong, tmp_path, monkeypatch):
    monkeypatch.undo()
    name = write(tmp_path, "rows.py", tuple(wrong.split(" → ")))
    message = r"below 9 cards of" if "9)" in wrong and "99" not in wrong else r"cut\(…, 99\) of"
    with pytest.raises(InputError, match=message):
        play(cell_of(name), 0, 500)
