"""`cardlab play`: plain where it is read by programs, coloured in a terminal, tables on request."""

import os
import pty
import re
import subprocess
import sys

import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.narration.teller import Teller
from tests.cases import Cases
from tests.patience import PATIENCE
from tests.programs import CARDLAB, ROOT, environment

MATCH = ("play", "up", "--lineup", "greedy,guard", "--rule", "rounds=1", "--match", "4")
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def in_a_terminal(*arguments, **variables):
    """Return what `cardlab` writes to a terminal."""
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, *CARDLAB, *arguments],
        cwd=ROOT,
        stdout=slave,
        stderr=subprocess.DEVNULL,
        env=environment(TERM="xterm-256color", COLUMNS="80", **variables),
    )
    os.close(slave)
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        parts.append(part)
    os.close(master)
    assert process.wait(timeout=PATIENCE) == 0
    return b"".join(parts).decode().replace("\r\n", "\n")


@pytest.fixture
def plain(cardlab):
    return cardlab(*MATCH).out


def test_plain_outside_of_a_terminal(plain):
    assert not COLOUR.search(plain)


def test_colours_change_nothing_but_colours(plain):
    shown = in_a_terminal(*MATCH)
    assert COLOUR.sub("", shown) == plain
    assert "\x1b[1;35mclear\x1b[0m" in shown
    assert "Round 1:" in shown  # a number that is no card has no colour
    assert "\x1b[1mseat 3\x1b[0m cuts and finds a \x1b[34m10\x1b[0m." in shown


@pytest.mark.whole
def test_no_color_is_respected(plain):
    assert in_a_terminal(*MATCH, NO_COLOR="1") == plain
    assert COLOUR.search(in_a_terminal(*MATCH, NO_COLOR=""))


def test_why_tells_the_moves_the_choice_its_clause_and_the_reason(cardlab, plain):
    lines = cardlab(*MATCH, "--why").out.splitlines()
    command = [place for place, line in enumerate(lines) if " may: " in line]
    assert len(command) >= 4
    for place in command:
        text, _, choice = lines[place].split(" may: ")[1].partition(" → ")
        moves = text.split("; ")
        assert len(moves) > 1
        assert re.sub(r" \[[RCH]\d+\]$", "", choice) in moves
        assert re.search(r" \[[RCH]\d+\]$", choice)
    decided = re.findall(
        r"^    seat \d \((\w+)\) decides: ([a-z].*)$", "\n".join(lines), re.MULTILINE
    )
    for policy in {name for name, _ in decided}:
        reasons = [reason for name, reason in decided if name == policy]
        told_twice = max(map(reasons.count, reasons))
        assert told_twice <= 2, "a reason is told once, and once with its weights"
    assert {name for name, _ in decided} == set(
        re.findall(r"seat \d \((\w+)\) may", "\n".join(lines))
    )
    kept = [line for line in lines if not re.search(" (?:may|weighs .*|decides): ", line)]
    assert kept == plain.splitlines()


def test_why_tells_what_is_weighed_where_there_is_a_choice(cardlab):
    lines = cardlab("play", "up", "--players", "3", "--lineup", "greedy,guard", "--why").out
    weighed = [line.partition(" weighs: ")[2] for line in lines.splitlines() if " weighs: " in line]
    assert weighed
    assert all(";" in text for text in weighed)


def test_table_is_drawn_before_each_move(cardlab, plain):
    lines = cardlab(*MATCH, "--show", "table").out.splitlines()
    drawn = [line for line in lines if line[0] in "┌│└"]
    assert [line for line in lines if line not in drawn] == plain.splitlines()
    tables = [line for line in drawn if line.startswith("┌")]
    assert len(tables) > 40
    assert len(drawn) == 6 * len(tables)
    turns = [line for line in drawn if line.startswith("│ ▶ ")]
    assert len(turns) == len(tables)
    first = drawn[1]
    assert first == ("│   seat 0  11 10 7 6 2   open 9 6 1 clear   hidden 9 7 5 clear  (0 points)")


OTHERS = Cases(
    "tests/cli/test_play.py: OTHERS",
    "a coloured card, and how a row of the drawn table begins",
    {
        "updown": ("\x1b[31mROSE", "│   seat 1  "),
        "uno": ("\x1b[31mred ", "│   seat 0  blue "),
        "dnup": ("\x1b[33m1/7\x1b[0m", "│   seat 0  lies –  hand 1/"),
        "upordown": (
            "\x1b[36mteal ",
            "│   seat 0  teal 54, purple 65, pink 70  (0 points)",
        ),
    },
)


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", [name for name in game_names() if name != "up"])
def test_table_of_every_game_in_colour(game, cardlab):
    """The drawing adds lines and the colours nothing but colours; one seat is on turn in each."""
    words = Teller(get_game(game))
    short = {"uno": ["rounds=1"], "dnup": ["markers_to_win=2"]}.get(game, [])
    rules = [word for rule in short for word in ("--rule", rule)]
    command = ("play", game, "--players", "3", *rules, "--lineup", "random")
    plain = cardlab(*command).out.splitlines()
    text = in_a_terminal(*command, "--show", "table")
    lines = COLOUR.sub("", text).splitlines()
    drawn = [line for line in lines if line[0] in "┌│└"]
    assert [line for line in lines if line not in drawn] == plain
    tables = [line for line in drawn if line.startswith("┌")]
    assert len(tables) > 20
    assert sum(line.startswith("│ ▶ ") for line in drawn) == len(tables)
    coloured, row = OTHERS[game]
    assert coloured in text
    assert any(line.startswith(row) for line in drawn)
    assert words.card_colours


def test_show_is_checked(refused):
    assert "unknown word for show 'tabel'; did you mean 'table'?" in refused(
        "play", "up", "--show", "tabel"
    )
