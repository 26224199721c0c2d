"""How moves and numbers of a game in a file read in a transcript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlab
from simcore.errors import InputError
from studies.check.gamecheck import check_game
from tests.own.small import write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("bids.py", "double.py", "auction.py"):
        write(tmp_path, name)
    return tmp_path


def test_moves_and_fields_read_as_the_game_names_them(folder: Path):
    text = str(cardlab.play("bids.py", lineup="steady", match=0))
    assert "1. seat 0 (steady): bid 2; most bid 2; holder seat 0; best " in text
    assert re.search(r"trump: none\n", text)
    assert "3. seat 1 (steady): trump ♥; trump ♥." in text
    ranks = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
    assert set(re.findall(r"best (\w+)", text)) <= ranks


def test_names_of_several_words_have_commas_between(folder: Path):
    write(folder, "bids.py", ("french_deck()", 'cards_of(("red", "blue"), range(1, 11))'))
    hand = r"hand: seat 0 \(random\) (red|blue) \d+, (red|blue) \d+, (red|blue) \d+;"
    assert re.search(hand, str(cardlab.play("bids.py")))


def test_a_card_that_lies_alone_is_named(folder: Path):
    table = ("    hand = own(cards)", "    hand = own(cards)\n    table = shown(cards)")
    draw = ("    if bid >= s.most:", "    draw(s.stock, s.table)\n    if bid >= s.most:")
    write(folder, "bids.py", table, draw)
    lines = cardlab.play("bids.py", lineup="steady").lines
    (first,) = [line for line in lines if "1. seat 0" in line]
    assert re.search(r"table [\dAJQK]+[♣♦♥♠];", first)


def test_nobody_and_none_are_told_as_such(folder: Path):
    lines = cardlab.play("bids.py", lineup="random", match=0).lines
    assert {"    holder: nobody", "    trump: none", "    most: pass"} <= set(lines)


def test_decisions_and_fields_of_a_file_of_rules_are_named(folder: Path):
    text = str(cardlab.play("bids.py", rules="double.py", lineup="random", match=2))
    assert re.search(r"seat 1 \(random\): (redouble|leave it)", text)
    assert re.search(r"doubled: leave it\n", text)


def test_reasons_of_every_decision(folder: Path):
    few = str(cardlab.play("bids.py", lineup="steady", why=True))
    every = str(cardlab.play("bids.py", lineup="steady", why="all"))
    assert few.count("decides: the third is enough") == 1
    assert every.count("decides: the third is enough") == 3
    assert "may: pass; bid 1; bid 2; bid 3 → bid 2" in every
    with pytest.raises(InputError, match=r"unknown word for why 'every'; known: all"):
        cardlab.play("bids.py", why="every")


def test_more_than_64_moves_are_counted(folder: Path):
    assert "seat 0 (highest_of): bid 100" in str(cardlab.play("auction.py", lineup="highest_of"))


@pytest.mark.whole
def test_counted_moves_are_the_same_compiled(folder: Path):
    assert not [verdict for verdict in check_game("auction.py") if verdict.failed]


@pytest.mark.whole
def test_search_looks_at_bids_over_the_whole_range(folder: Path):
    worth = "s.worth = below(s, {}, 200)", "s.worth = below(s, {}, 2) + 1000"
    changes = (tuple(text.format(stream) for text in worth) for stream in ("CHANCE", "ASIDE"))
    write(folder, "auction.py", *changes)
    text = str(cardlab.play("auction.py", players=2, lineup="search(rollouts=16),random", match=1))
    (bid,) = re.findall(r"seat 0 .*: bid (\d+)", text)
    assert int(bid) > 64
