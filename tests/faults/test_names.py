"""Names of files and of what stands in them, as people choose them, in every door."""

from __future__ import annotations

import csv
import os
import shlex
from pathlib import Path

import pytest
import tomli_w

from simcore.catalogue import get_game
from simcore.compiler.blocks import printed_module
from simcore.errors import InputError
from strategies import load_strategies
from studies.cli.app import run_app
from studies.operations.arguments import make_cell
from studies.store.files import write_aside

GAME = '''
"""Low: lay two cards; the lower sum wins."""

from cardlab.rules import *

deck = skat_deck()
players = 2
best = "lowest"
kept = option(3, 2, 4, "cards dealt")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    laid = shown(cards)
    sum = shown(number, per=seat)


def deal(s):
    for player in seats():
        draw(s.stock, s.hand[player], kept)
        s.sum[player] = 0


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
    s.sum[seat] += rank(card)


def ended(s, seat):
    return len(s.laid) == 4


def score(s):
    for player in seats():
        s.points[player] = s.sum[player]
'''
RULES = """
from cardlab.rules import *

game = {game!r}
high = measure("cards of high rank")


@at("apply", MOVE)
def count(s, seat, card):
    s.count.high += rank(card) > 5
"""
POLICY = """
from cardlab import policy
from simcore.language import lowest


@policy({game!r}, idea="the lowest card")
def lowly(s, seat, moves):
    return lowest(moves)
"""
PEOPLE = "=Ada;1", '\'Ben "B" ж'

NAMES = {
    "marks": 'a;b, it\'s "quoted" +100%s{0} $(x) `y` #',
    "letters": "ж字ü💥 éאب",
    "formula": "=1+1",
    "hidden": ".x",
    "backslash": "a\\b",
    "long": "x" * 239,  # with its ending and what is added 250 characters
}


@pytest.mark.whole
@pytest.mark.parametrize("kind", NAMES)
def test_every_door_takes_a_name(kind: str, tmp_path: Path, monkeypatch, capsys):
    name = NAMES[kind]
    monkeypatch.chdir(tmp_path)
    label = name[:60]
    game, rules, policies = f"{name}.py", f"{name} rules.py", f"{name} mine.py"
    Path(game).write_text(GAME)
    Path(rules).write_text(RULES.format(game=game))
    Path(policies).write_text(POLICY.format(game=game))

    def cardlab(*words: str, status: int = 0) -> str:
        capsys.readouterr()
        assert run_app(list(words)) == status, capsys.readouterr().err
        result = capsys.readouterr()
        assert "Traceback" not in result.err
        return result.out

    seated = ("--strategies", policies, "--lineup", "lowly,random")
    cardlab("games", game, "--rules", rules)
    cardlab("play", game, "--rules", rules, *seated)
    cardlab("simulate", game, "--matches", "20", "--out", f"{name}.csv", *seated)
    cardlab("check", game)
    cardlab("check", "--strategies", policies)
    study = {
        "title": label,
        "game": game,
        "rules": rules,
        "matches": 20,
        "variants": {label: {"kept": 4}},
        "lineups": [{"name": label, "seats": ["lowly", "random"], "rotate": True}],
    }
    Path(f"{name}.toml").write_text(tomli_w.dumps(study))
    cardlab("run", f"{name}.toml", "--out", name, "--strategies", policies)
    text = cardlab("compare", name)
    assert label in text
    assert "high" in cardlab("compare", name, "--csv")
    for ending in ("html",):
        cardlab("report", name, "--out", f"{name}.{ending}")
    cardlab("check", name, "--strategies", policies)
    Path(game).rename("gone")
    assert cardlab("compare", name) == text
    cardlab("check", name, "--strategies", policies, status=2)
    cardlab("check", name, "--trust", "--strategies", policies)
    with Path(f"{name}2.csv").open("w", newline="") as file:
        plays = csv.writer(file, delimiter=";")
        plays.writerow(["play", "player 1", "player 2", "winner"])
        plays.writerows([play, *PEOPLE, PEOPLE[play % 2]] for play in range(30))
    assert "=Ada;1" in cardlab("compare", f"{name}2.csv")


def test_a_path_may_have_what_joins_games_and_rules(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a+b.py").write_text(GAME)
    Path("c+d.py").write_text(RULES.format(game="a+b.py"))
    Path("mine.py").write_text(POLICY.format(game="a+b.py"))
    assert get_game("a+b.py").title == "Low"
    assert "high" in get_game("a+b.py+c+d.py").metric_names
    assert "lowly" in load_strategies("mine.py").of(get_game("a+b.py"))


def test_the_end_of_a_line_in_a_name_ends_no_comment(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a\nraise SystemExit(3)\n.py").write_text(GAME)
    game = get_game("a\nraise SystemExit(3)\n.py")
    module = printed_module(make_cell(game, {}, "random"))
    assert "a?raise SystemExit(3)?.py" in module
    assert not [line for line in module.splitlines() if line.startswith("raise")]


def test_a_name_that_is_no_text_is_refused(tmp_path: Path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"\xff.py")
    try:
        Path(name).write_text(GAME)
    except OSError:
        pytest.skip("this file system refuses it itself")
    with pytest.raises(InputError, match="its name is no text"):
        get_game(name)


def test_a_name_as_long_as_may_be_is_written(tmp_path: Path):
    path = tmp_path / ("ж" * 125 + ".py")  # 253 bytes
    write_aside(path, b"whole")
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.whole
def test_commands_of_a_check_can_be_pasted(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    name = "a+b; it's.py"
    Path(name).write_text(GAME.replace("s.sum[seat] += rank(card)", "s.sum[seat] += seat"))
    assert run_app(["check", name, "--json"]) == 1
    assert f"cardlab play {shlex.quote(name)} " in capsys.readouterr().out.replace('\\"', '"')
