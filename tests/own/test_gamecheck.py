"""What `cardlab check GAME.py` plays, what it says of it, and what it must not say."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

import cardlab
from simcore.errors import InputError
from studies.check.gamecheck import check_game, check_tables, game_tables
from studies.check.moments import Verdict
from tests.docs.pages import ROOT

EIGHTS = (ROOT / "docs" / "games" / "eights.py").read_text()

TARGET = """
from cardlab.rules import *

deck = french_deck()
players = 3, 5
(VICTIM,) = decisions("VICTIM")
harsh = option(False, "points count double")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    pile = shown(cards)
    top = shown(card)
    beaten_by = shown(number, per=seat)
    lost = shown(number, per=seat)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 3)
        s.lost[one] = 0
        s.beaten_by[one] = -1


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    s.top = card
    ask(s, seat, VICTIM)


def legal_victim(s, seat):
    return cards_in(all_seats()) - {seat}


def apply_victim(s, seat, victim):
    s.lost[victim] += rank(s.top) * (2 if harsh else 1)
    s.beaten_by[victim] = seat


def ended(s, seat):
    return not s.hand[after(seat, 1)]


def score(s):
    for one in seats():
        s.points[one] = -s.lost[one]
"""
"""A move names a seat, and so does what each seat remembers; both are sound."""

DEALT_OUT = """
from cardlab.rules import *

deck = french_deck()
players = 3, 4


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    pile = shown(cards)
    best = shown(card)
    holder = shown(number)


def deal(s):
    for k in range(52):
        draw(s.stock, s.hand[k % players])
    s.best = NO_CARD


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.pile)
    if s.best < card:
        s.best, s.holder = card, seat


def ended(s, seat):
    return len(s.pile) >= 48


def score(s):
    s.points[s.holder] = 1
"""
"""All cards are dealt out from seat 0 on, so that it has one more with three players."""

MANY = "\n".join(f"    z{k} = shown(number)" for k in range(8))
COUNTED = "".join(f"    s.z{k} = len(s.pile) % 3\n" for k in range(8))
UNFAIR = TARGET.replace("    top = shown(card)\n", f"    top = shown(card)\n{MANY}\n").replace(
    "    s.top = card\n", f"    s.top = card\n{COUNTED}"
)
"""Eight numbers that might mean seats: 3⁸ readings and more."""


PEEK = """one = lowest(s.hand[after(seat, 1)] or {0})
    return s.hand[seat] - {one + 1} or s.hand[seat]
"""
"""Legal moves that depend on another hand."""


def found(folder: Path, text: str, old: str = "", new: str = "") -> dict[str, Verdict]:
    assert old in text
    file = folder / "tried.py"
    file.write_text(text.replace(old, new, 1) if old else text)
    return {verdict.test: verdict for verdict in check_game(str(file))}


def test_a_move_may_name_a_seat(tmp_path: Path):
    verdicts = found(tmp_path, TARGET)
    assert {one.verdict for one in verdicts.values()} == {"passed", "not tested"}
    assert verdicts["seats"].verdict == "passed"
    assert verdicts["always"].verdict == "not tested"
    assert "no function `always(s)`" in verdicts["always"].found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("s.lost[victim] += rank(s.top)", "s.lost[victim] += rank(s.top) + (victim == 1)"),
        ("cards_in(all_seats()) - {seat}", "cards_in(all_seats()) - {seat, 2 - (seat == 2)}"),
    ],
)
def test_a_favoured_seat_is_found_where_moves_name_seats(tmp_path: Path, old: str, new: str):
    assert found(tmp_path, TARGET, old, new)["seats"].failed


@pytest.mark.whole
def test_a_favoured_seat_is_found_among_many_numbers(tmp_path: Path):
    assert found(tmp_path, UNFAIR)["seats"].verdict == "passed"
    assert found(
        tmp_path, UNFAIR, "s.beaten_by[victim] = seat", "s.beaten_by[victim] = max(seat, 1)"
    )["seats"].failed


def test_dealing_out_from_seat_0_is_told(tmp_path: Path):
    verdict = found(tmp_path, DEALT_OUT)["seats"]
    assert verdict.verdict == "passed"
    assert "write `for k in range(players): one = after(s.seat, k)`" in verdict.found


def test_a_seat_that_is_dealt_more_is_found(tmp_path: Path):
    old, new = "s.hand[k % players])", "s.hand[(k + (k > 48)) % players])"
    assert "seats are dealt" in found(tmp_path, DEALT_OUT, old, new)["seats"].found


@pytest.mark.parametrize(
    ("old", "new", "at"),
    [
        (
            "(2 if harsh else 1)",
            "(2 // (rank(s.top) - rank(s.top)) if harsh else 1)",
            "--players 5 --rule harsh=true",
        ),
        ("3)\n        s.lost", "3 + 52 * (players == 5))\n        s.lost", "--players 5"),
    ],
)
def test_a_fault_under_an_option_is_found(tmp_path: Path, old: str, new: str, at: str):
    """And with what it was played is told, as a command."""
    if "harsh" in at:
        at = "--rule harsh=true"
    verdict = found(tmp_path, TARGET, old, new)["plays"]
    assert verdict.failed
    assert at in verdict.show


def test_what_is_given_stays(tmp_path: Path):
    file = tmp_path / "tried.py"
    file.write_text(TARGET)
    tables = game_tables(str(file), {"players": 4}, "random,random")
    assert {table.cell.players for table in tables} == {4}
    assert [table.cell.options["harsh"] for table in tables] == [False, True]
    with pytest.raises(InputError, match="option harsh = 'yess' is refused"):
        cardlab.check(str(file), options={"harsh": "yess"})
    with pytest.raises(InputError, match="players 3 would do nothing without a game"):
        cardlab.check("duel", players=3)


@pytest.mark.whole
def test_a_decision_that_was_not_asked_with_what_was_given_is_not_tested(tmp_path: Path):
    file = tmp_path / "tried.py"
    file.write_text(
        TARGET.replace(
            "    ask(s, seat, VICTIM)\n", "    if harsh:\n        ask(s, seat, VICTIM)\n"
        )
    )
    tables = game_tables(str(file), {"harsh": False})
    verdicts = {one.test: one for one in check_tables(tables, is_restricted=True)}
    assert verdicts["moves"].verdict == "not tested"
    assert "VICTIM was not asked" in verdicts["moves"].found
    assert found(tmp_path, TARGET, "    ask(s, seat, VICTIM)\n", "")["moves"].failed


def test_the_command_tells_the_match_with_the_same_numbers(tmp_path: Path):
    verdict = found(tmp_path, TARGET, "+= rank(s.top)", "+= rank(s.top) + (victim == 1)")["seats"]
    match, number, seat = re.findall(r"match (\d+), .*, move (\d+), seat (\d+)", verdict.found)[0]
    command = shlex.split(verdict.show)
    assert command[:2] == ["cardlab", "play"]
    assert command[-2:] == ["--match", match]
    told = cardlab.play(
        command[2],
        match=match,
        players=int(command[command.index("--players") + 1]) if "--players" in command else None,
    )
    assert any(line.startswith(f"  {number}. seat {seat} ") for line in told)


@pytest.mark.whole
def test_nothing_hidden_is_not_tested(tmp_path: Path):
    farkle = (ROOT / "docs" / "games" / "farkle.py").read_text()
    verdict = found(tmp_path, farkle)["hidden cards"]
    assert verdict.verdict == "not tested"


@pytest.mark.whole
@pytest.mark.parametrize(
    ("old", "new", "test", "told"),
    [
        (
            "    stock = hidden(all_cards)\n    hand",
            "    stock = hidden(all_cards)\n    other = hidden(all_cards)\n    hand",
            "cards",
            "lies in",
        ),
        (
            "return s.hand[seat]\n",
            PEEK,
            "hidden cards",
            "which moves are legal depends on cards that the seat does not see",
        ),
    ],
)
def test_a_fault_is_found_with_its_place(tmp_path: Path, old: str, new: str, test: str, told: str):
    verdict = found(tmp_path, TARGET, old, new)[test]
    assert told in verdict.found
    assert "(match " in verdict.found
    assert verdict.show


@pytest.mark.whole
def test_the_lowest_total_may_win(tmp_path: Path):
    verdict = found(tmp_path, EIGHTS, "players = 2, 7\n", 'players = 2, 7\nbest = "lowest"\n')
    assert verdict["scores"].verdict == "passed"
