"""What `cardlab check GAME.py` plays, which faults it finds and shows, and what it must not say."""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import cardlab
from simcore.errors import InputError
from simcore.game import game_names
from studies.check import compared
from studies.check.gamecheck import check_game, check_tables, game_tables
from studies.check.moments import Verdict
from tests.docs.pages import blocks_of
from tests.own.small import GAMES, ROOT, changed, play_less, text_of, write

SHOWN = r"\(match \d+[,)]|as match \d+|is never asked|, line \d+: "
"""How a position begins, or the match, that shows a fault."""

SOON = (
    "a seat begins|a field keeps|a policy peeks|a card comes twice|a move takes from elsewhere|"
    ".* victim|.* dealt|a division|asking what"
)
"""Faults of the default tier, by their titles."""


@pytest.fixture(autouse=True)
def fewer_matches(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch):
    if not any(map(request.node.get_closest_marker, ("whole", "long"))):
        play_less(monkeypatch)


def source(name: str) -> str:
    """Return a game's text, from its file or from the page that shows it."""
    if (GAMES / name).exists() or (Path(__file__).parent / "games" / name).exists():
        return text_of(name)
    blocks = (block for page in ROOT.glob("docs/*/*.md") for block in blocks_of(page))
    return next(block.text for block in blocks if name in block.all("file"))


def checked(
    folder: Path, name: str, *changes: tuple[str, str], until: str = "", told: str = ""
) -> dict[str, Verdict]:
    """Return the verdicts on a changed game, by test; remarks are joined as one.

    It is read up to the verdict of a test, or the remark of some words: what comes next is
    compiled, which takes seconds.
    """
    file = folder / name
    file.write_text(changed(source(name), *changes), encoding="utf-8")
    verdicts: dict[str, Verdict] = {}
    remarks = ""
    for verdict in check_game(str(file)):
        if verdict.verdict != "remark":
            verdicts[verdict.test] = verdict
        else:
            remarks += f"{verdict.test}: {verdict.found}; "
            verdicts["remark"] = Verdict("", "remark", remarks)
        if verdict.test == until or (told and re.search(told, remarks)):
            break
    return verdicts


def faults() -> Iterator[Any]:
    """Yield the faults of `seeded.txt`: the game, what is changed, the test, what is told."""
    text = (Path(__file__).parent / "seeded.txt").read_text(encoding="utf-8")
    _, *parts = re.split(r"^\[(.+)\]\n", text, flags=re.MULTILINE)
    for game, part in zip(parts[::2], parts[1::2], strict=True):
        for case in re.split(r"\n(?=\w)", part.strip()):
            head, *lines = case.splitlines()
            title, test, words = re.fullmatch(r"(.*)  #: ([\w ]+): ?(.*)", head).groups()  # type: ignore[union-attr]
            old, new = (
                "".join(f"{line[1:]}\n" for line in lines if line[:1] in kept)
                for kept in (" -", " +")
            )
            tier = () if re.match(SOON, title) else pytest.mark.whole
            if game == "gin.py" and test != "refused":
                tier = pytest.mark.long  # Gin Rummy is slow to compile
            yield pytest.param(game, (old, new), test, words, id=title, marks=tier)


@pytest.mark.parametrize(("game", "change", "test", "words"), list(faults()))
def test_a_seeded_fault_is_found(tmp_path: Path, game, change, test, words):
    pattern = ".*".join(map(re.escape, words.split("…")))
    if test == "refused":
        with pytest.raises(InputError, match=pattern) as refused:
            checked(tmp_path, game, change)
        assert ", line " in str(refused.value)
    else:
        is_remark = test == "remark"
        verdicts = checked(tmp_path, game, change, until=test, told=pattern * is_remark)
        verdict = verdicts[test]
        assert re.search(pattern, f"{verdict.found} {verdict.show}"), verdict.found
        if is_remark:
            assert not [verdict for verdict in verdicts.values() if verdict.failed]
        else:
            assert verdict.failed
            assert re.search(SHOWN, verdict.found)


SOUND = (
    "tally",
    "kittens",
    "eights",
    "hearts",
    "farkle",
    "gin",
    "golf",
    "spades",
    "goofspiel",
    "pig",
    "high",
    "orchard",
    "nimmt",
)


@pytest.mark.whole
@pytest.mark.parametrize("game", SOUND)
def test_nothing_is_found_where_nothing_is(tmp_path: Path, game: str):
    verdicts = checked(tmp_path, f"{game}.py")
    assert not [verdict for verdict in verdicts.values() if verdict.failed]
    if game == "farkle":  # nothing is hidden
        assert verdicts["hidden cards"].verdict == "not tested"


@pytest.mark.whole
@pytest.mark.parametrize("game", game_names())
def test_nothing_is_found_in_a_built_in_game(game: str):
    assert not [verdict for verdict in check_game(game) if verdict.failed]


@pytest.mark.usefixtures("in_plain")
def test_a_game_judged_by_its_matches_is_judged_at_the_other_tables(tmp_path: Path, monkeypatch):
    """`lingerer` waits for ever; the other policies' matches are judged all the same."""
    lingerer = (
        "@policy\ndef zero(",
        "@policy\ndef lingerer(s, seat, moves):\n    return lowest(moves)\n\n\n@policy\ndef zero(",
    )
    endless = (
        "def ended(s, seat):\n    return ",
        "def ended(s, seat):\n    return sum(s.bid[one] for one in seats()) != 0 and ",
    )
    monkeypatch.setattr(compared, "COMPILED", 2)
    monkeypatch.setattr(compared, "PLAIN_MATCHES", 2)
    tables = game_tables(write(tmp_path, "tally.py", lingerer, endless))
    verdicts = compared.compiled_matches(tables)
    told = {verdict.test: verdict for verdict in verdicts if verdict.verdict != "remark"}
    assert told["end"].failed
    assert "at others matches do not end, or were not tried" in told["scores"].found


def test_a_move_may_name_a_seat_and_what_was_not_tried_is_told_last(tmp_path: Path):
    answer = cardlab.check(write(tmp_path, "victims.py"))
    verdicts = {row["test"]: row for row in answer.rows}
    assert {row["verdict"] for row in answer.rows} == {"passed", "not tested"}
    assert verdicts["seats"]["verdict"] == "passed"
    assert verdicts["always"]["verdict"] == "not tested"
    assert "no function `always(s)`" in verdicts["always"]["found"]
    page = answer.page()
    assert str(page[0]) == "Nothing failed; not tested: always"
    assert str(page[-1]).startswith("Not tried: ")


@pytest.mark.whole
def test_a_favoured_seat_is_found_among_many_numbers(tmp_path: Path):
    """Eight numbers that might mean seats: 3⁸ readings and more."""
    fields = "\n".join(f"    z{k} = shown(number)" for k in range(8))
    counts = "".join(f"    s.z{k} = len(s.pile) % 3\n" for k in range(8))
    many = (
        ("    top = shown(card)\n", f"    top = shown(card)\n{fields}\n"),
        ("    s.top = card\n", f"    s.top = card\n{counts}"),
    )
    assert checked(tmp_path, "victims.py", *many)["seats"].verdict == "passed"
    favoured = ("s.beaten_by[victim] = seat", "s.beaten_by[victim] = max(seat, 1)")
    assert checked(tmp_path, "victims.py", *many, favoured)["seats"].failed


def test_dealing_out_from_seat_0_is_told(tmp_path: Path):
    verdict = checked(tmp_path, "dealt_out.py", until="seats")["seats"]
    assert verdict.verdict == "passed"
    assert "write `for k in range(players): one = after(s.seat, k)`" in verdict.found


def test_seats_that_are_meant_to_differ_have_rates_in_place_of_a_fault(tmp_path: Path):
    found = checked(tmp_path, "roles.py")
    assert "seats" not in found
    assert not [verdict for verdict in found.values() if verdict.failed]
    rates = re.findall(r"seat (\d) wins ([\d.]+) ±([\d.]+) %", found["remark"].found)
    assert [seat for seat, _, _ in rates] == ["0", "1"]
    for (_, rate, half), share in zip(rates, (30, 70), strict=True):
        assert abs(float(rate) - share) < 2 * float(half) < 5
    equal = ("roles = True\n", "")
    unequal = checked(tmp_path, "roles.py", equal, until="seats")["seats"]
    assert unequal.failed
    assert "if the seats are meant to differ, write `roles = True`" in unequal.found
    why = r"roles.py, line 7: .*: roles = 'two' is refused; allowed: T"
    with pytest.raises(InputError, match=why):
        checked(tmp_path, "roles.py", ("roles = True", 'roles = "two"'))


def test_a_match_that_rarely_never_ends_is_given_up(tmp_path: Path, monkeypatch):
    """Compiled, it went on for half a minute, until its turns no longer fitted into a number."""
    endless = (
        "    return s.round_number == ROUNDS\n",
        "    return s.round_number == ROUNDS and s.scores[0] + s.scores[1] + s.scores[2] != 33\n",
    )
    monkeypatch.setattr("simcore.match.MOST_STEPS", 2000)  # as it is told in plain Python
    started = time.process_time()
    tables = game_tables(write(tmp_path, "tally.py", endless), lineup="random")
    ended = next(compared.compiled_matches(tables))
    assert ended.failed
    assert "a match does not end" in ended.found
    assert time.process_time() - started < 20


def test_what_is_given_stays(tmp_path: Path):
    file = write(tmp_path, "victims.py")
    tables = game_tables(file, {"players": 4}, "random,random")
    assert {table.cell.players for table in tables} == {4}
    assert [table.cell.options["harsh"] for table in tables] == [False, True]
    with pytest.raises(InputError, match="option harsh = 'yess' is refused"):
        cardlab.check(file, options={"harsh": "yess"})
    with pytest.raises(InputError, match="players 3 would do nothing without a game"):
        cardlab.check("duel", players=3)


@pytest.mark.whole
def test_a_decision_that_was_not_asked_with_what_was_given_is_not_tested(tmp_path: Path):
    ask = "    ask(s, seat, VICTIM)\n"
    file = write(tmp_path, "victims.py", (ask, f"    if harsh:\n    {ask}"))
    tables = game_tables(file, {"harsh": False})
    verdicts = {verdict.test: verdict for verdict in check_tables(tables, is_restricted=True)}
    assert verdicts["moves"].verdict == "not tested"
    assert "VICTIM was not asked" in verdicts["moves"].found
    assert checked(tmp_path, "victims.py", (ask, ""))["moves"].failed


def test_the_command_tells_the_match_with_the_same_numbers(tmp_path: Path):
    favoured = ("+= rank(s.top)", "+= rank(s.top) + (victim == 1)")
    verdict = checked(tmp_path, "victims.py", favoured, until="seats")["seats"]
    match, number, seat = re.findall(r"match (\d+), .*, move (\d+), seat (\d+)", verdict.found)[0]
    command = shlex.split(verdict.show)
    assert command[:2] == ["cardlab", "play"]
    assert command[-2:] == ["--match", match]
    players = int(command[command.index("--players") + 1]) if "--players" in command else None
    lines = cardlab.play(command[2], match=match, players=players)
    assert any(line.startswith(f"{number}. seat {seat}") for line in lines)


@pytest.mark.whole
def test_the_lowest_total_may_win(tmp_path: Path):
    lowest = ("players = 2, 7\n", 'players = 2, 7\nbest = "lowest"\n')
    assert checked(tmp_path, "eights.py", lowest)["scores"].verdict == "passed"
