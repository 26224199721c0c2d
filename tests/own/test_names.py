"""How moves and numbers of a game in a file read in a transcript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlab
from simcore.errors import InputError
from studies.check import gamecheck
from tests.own.small import write


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("bids.py", "double.py", "auction.py"):
        write(tmp_path, name)
    return tmp_path


def test_moves_and_fields_read_as_the_game_names_them(folder: Path):
    text = str(cardlab.play("bids.py", lineup="steady", match=0))
    # "most: bid 2" would say it twice.
    assert "1. seat 0: bid 2; holder: seat 0; best: " in text
    assert "3. seat 1: trump ♥.\n" in text
    ranks = {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}
    assert set(re.findall(r"best: (\w+)", text)) <= ranks


def test_cards_whose_names_are_several_words_are_told_by_suit(folder: Path):
    write(folder, "bids.py", ("french_deck()", 'cards_of(("red", "blue"), range(1, 11))'))
    numbers = r"\d+( \d+)*"
    hand = rf"seat 0 has (red {numbers})?(, )?(blue {numbers})?\.\n"
    assert re.search(hand, str(cardlab.play("bids.py")))


def test_a_card_that_comes_to_a_place_is_named(folder: Path):
    table = ("    hand = own(cards)", "    hand = own(cards)\n    table = shown(cards)")
    draw = ("    if bid >= s.most:", "    draw(s.stock, s.table)\n    if bid >= s.most:")
    write(folder, "bids.py", table, draw)
    lines = cardlab.play("bids.py", lineup="steady").lines
    first = next(line for line in lines if line.startswith("1. seat 0: "))
    assert re.search(r"[\dAJQK]+[♣♦♥♠] comes to the table;", first)


def test_what_is_none_or_nobody_is_not_told(folder: Path):
    lines = cardlab.play("bids.py", lineup="random", match=0).lines
    assert lines[1] == "Round 1: the cards are dealt."
    assert all(" has " in line for line in lines[2:4])
    assert lines[4].startswith("1. seat 0: ")


def test_decisions_and_fields_of_a_file_of_rules_are_named(folder: Path):
    text = str(cardlab.play("bids.py", rules="double.py", lineup="random", match=2))
    assert re.search(r"seat 1: (redouble|leave it)\.\n", text)


PHRASES = """

phrases = {
    "moves": {"trump": "name {suit} as trump"},
    "numbers": {"holder": "{who} bids most", "best": "", "most": {2: "that is two"}},
    "deal": "three cards each",
    "amount": "trick",
    "ends": "{players} players have bid",
}
"""


def test_a_file_has_a_table_of_phrases(folder: Path):
    file = folder / "bids.py"
    file.write_text(file.read_text("utf-8") + PHRASES, encoding="utf-8")
    lines = cardlab.play("bids.py", lineup="steady", match=0).lines
    assert lines[2] == "Round 1: three cards each."
    assert "1. seat 0: bid 2; that is two; seat 0 bids most." in lines
    assert "3. seat 1 names ♥ as trump." in lines
    assert lines[1] == "The match ends when 2 players have bid."
    assert re.fullmatch(r"2 players have bid: seat \d wins with \d tricks.*\.", lines[-1])


@pytest.mark.parametrize(
    ("good", "bad", "why"),
    [
        ('"deal"', '"dael"', "unknown key 'dael' in phrases; did you mean 'deal'?"),
        ('"trump":', '"trumps":', "unknown name 'trumps' in phrases['moves']; did you mean"),
        ('"best"', '"bets"', "unknown name 'bets' in phrases['numbers']; did you mean 'best'?"),
        ("{suit}", "{suite}", "unknown name 'suite' in the phrase of 'trump'; did you mean"),
    ],
)
def test_a_phrase_for_what_is_not_there_is_refused(folder: Path, good: str, bad: str, why: str):
    file = folder / "bids.py"
    text = file.read_text("utf-8") + PHRASES.replace(good, bad)
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=re.escape(why)) as caught:
        cardlab.play("bids.py", lineup="steady", match=0)
    assert "bids.py: " in str(caught.value)


def test_a_file_of_rules_that_swaps_hands_in_a_built_in_game_is_told(folder: Path):
    (folder / "swaps.py").write_text(SWAPS, encoding="utf-8")
    lines = cardlab.play(
        "uno", players=3, rules="swaps.py", options={"rounds": 1, "turn_cap": 100}
    ).lines
    swaps = sum(bool(re.match(r"seat [01] and seat [01] swap hands\.", line)) for line in lines)
    lays = [line for line in lines[1:] if re.search(r" lays a (?!wild)", line)]
    # A seat that is out has won before anything takes effect.
    assert swaps == sum("last card" not in line for line in lays) > 20


SWAPS = '''"""Who lays a card lets the first two swap hands."""

from cardlab.rules import *

game = "uno"


def take_effect(usual, s, seat, kind):
    swap_hands(s, 0, 1)
    usual(s, seat, kind)
'''


def test_reasons_of_every_decision(folder: Path):
    few = str(cardlab.play("bids.py", lineup="steady", why=True))
    every = str(cardlab.play("bids.py", lineup="steady", why="all"))
    assert few.count("decides: the third is enough") == 1
    assert every.count("decides: the third is enough") == 3
    assert "may: pass; bid 1; bid 2; bid 3 → bid 2" in every
    with pytest.raises(InputError, match=r"unknown word for why 'every'; known: all"):
        cardlab.play("bids.py", why="every")


def test_more_than_64_moves_are_counted(folder: Path):
    assert "seat 0: bid 100" in str(cardlab.play("auction.py", lineup="highest_of"))


@pytest.mark.whole
def test_counted_moves_are_the_same_compiled(folder: Path):
    assert not [verdict for verdict in gamecheck.check_game("auction.py") if verdict.failed]


@pytest.mark.whole
def test_search_looks_at_bids_over_the_whole_range(folder: Path):
    worth = "s.worth = below(s, {}, 200)", "s.worth = below(s, {}, 2) + 1000"
    changes = (tuple(text.format(stream) for text in worth) for stream in ("CHANCE", "ASIDE"))
    write(folder, "auction.py", *changes)
    text = str(cardlab.play("auction.py", players=2, lineup="search(rollouts=16),random", match=1))
    (bid,) = re.findall(r"seat 0: bid (\d+)", text)
    assert int(bid) > 64


@pytest.mark.parametrize("phrase", ["lambda at: at.nothing", "lambda at: 1 // 0 or ''"])
def test_a_phrase_that_fails_is_told_with_its_line(tmp_path: Path, monkeypatch, phrase: str):
    name = write(tmp_path, "kittens.py", ('        "move": to_play,', f'        "move": {phrase},'))
    before = Path(name).read_text("utf-8").partition(phrase)[0]
    told = rf"kittens.py, line {before.count(chr(10)) + 1}, in phrases: \w+Error: "
    with pytest.raises(InputError, match=told):
        cardlab.play(name)
    monkeypatch.setattr(gamecheck, "MATCHES", 1)
    verdicts = gamecheck.check_tables(gamecheck.game_tables(name, lineup="random")[:1])
    words = next(verdict for verdict in verdicts if verdict.test == "words")
    assert words.failed
    assert re.search(told, words.found)
