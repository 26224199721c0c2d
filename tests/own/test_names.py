"""How moves and numbers of a game in a file read in a transcript."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlab
from simcore.errors import InputError
from studies.check.gamecheck import check_game

GAME = '''"""Bids: each seat bids once; the highest bid names the suit that counts."""

from cardlab.rules import *

deck = french_deck()
players = 2
(TRUMP,) = decisions("TRUMP")


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    most = shown(number, named="move")
    holder = shown(seat, start=-1)
    trump = shown(suit)
    best = shown(rank)


def deal(s):
    s.most, s.holder, s.trump = 0, -1, -1
    for one in seats():
        draw(s.stock, s.hand[one], 3)


def legal(s, seat):
    return {0, 1, 2, 3}


def apply(s, seat, bid):
    if bid >= s.most:
        s.most, s.holder = bid, seat
        s.best = rank(lowest(s.hand[seat]))
    if seat == 1:
        ask(s, s.holder, TRUMP)


def legal_trump(s, seat):
    return {0, 1, 2, 3}


def apply_trump(s, seat, suit):
    s.trump = suit


def ended(s, seat):
    return s.trump >= 0


def score(s):
    s.points[s.holder] = s.most


def name_move(s, bid):
    return f"bid {bid}" if bid else "pass"


@policy
def steady(s, seat, moves):
    """Always the third."""
    because("the third is enough")
    return nth(moves, 2)
'''

DOUBLE = '''"""Double: whoever bids least may double."""

from cardlab.rules import *

game = "bids.py"
(DOUBLE,) = decisions("DOUBLE")


class State:
    doubled = shown(number, named="double")


def apply(usual, s, seat, bid):
    if seat == 0:
        ask(s, 1, DOUBLE)
    usual(s, seat, bid)


def legal_double(s, seat):
    return {0, 1}


def apply_double(s, seat, way):
    s.doubled = way


def name_double(s, way):
    return "redouble" if way else "leave it"
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bids.py").write_text(GAME)
    (tmp_path / "double.py").write_text(DOUBLE)
    return tmp_path


def test_moves_and_fields_read_as_the_game_names_them(folder: Path):
    told = str(cardlab.play("bids.py", lineup="steady", match=0))
    assert "1. seat 0 (steady): bid 2; most bid 2; holder seat 0; best " in told
    assert re.search(r"trump: none\n", told)
    assert "3. seat 1 (steady): trump ♥; trump ♥." in told
    named = set(re.findall(r"best (\w+)", told))
    assert named <= {"A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"}


def test_names_of_several_words_have_commas_between(folder: Path):
    deck = 'cards_of(("red", "blue"), range(1, 11))'
    (folder / "bids.py").write_text(GAME.replace("french_deck()", deck))
    told = str(cardlab.play("bids.py"))
    assert re.search(
        r"hand: seat 0 \(random\) (red|blue) \d+, (red|blue) \d+, (red|blue) \d+;", told
    )


def test_a_card_that_lies_alone_is_named(folder: Path):
    shows = "    draw(s.stock, s.table)\n    if bid >= s.most:"
    text = GAME.replace("    if bid >= s.most:", shows, 1)
    text = text.replace("    hand = own(cards)", "    hand = own(cards)\n    table = shown(cards)")
    (folder / "bids.py").write_text(text)
    told = cardlab.play("bids.py", lineup="steady").lines
    (first,) = [line for line in told if "1. seat 0" in line]
    assert re.search(r"table [\dAJQK]+[♣♦♥♠];", first)


def test_nobody_and_none_are_told_as_such(folder: Path):
    told = cardlab.play("bids.py", lineup="random", match=0).lines
    assert "    holder: nobody" in told
    assert "    trump: none" in told
    assert "    most: pass" in told


def test_decisions_and_fields_of_a_file_of_rules_are_named(folder: Path):
    told = str(cardlab.play("bids.py", rules="double.py", lineup="random", match=2))
    assert re.search(r"seat 1 \(random\): (redouble|leave it)", told)
    assert re.search(r"doubled: leave it\n", told)


def test_reasons_of_every_decision(folder: Path):
    few = str(cardlab.play("bids.py", lineup="steady", why=True))
    all_ = str(cardlab.play("bids.py", lineup="steady", why="all"))
    assert few.count("decides: the third is enough") == 1
    assert all_.count("decides: the third is enough") == 3
    assert "may: pass; bid 1; bid 2; bid 3 → bid 2" in all_
    with pytest.raises(InputError, match=r"unknown word for why 'every'; known: all"):
        cardlab.play("bids.py", why="every")


WRONG = {
    "a near name": ("def name_move(", "def name_mvoe(", "did you mean `name_move`?"),
    "another number of values": (
        "name_move(s, bid)",
        "name_move(s, seat, bid)",
        r"as in name_move\(s, move\)",
    ),
    "no text": ('f"bid {bid}" if bid else "pass"', "bid", "it returned [0-9], no text"),
    "a field without such a name": ('named="move"', 'named="mvoe"', "did you mean `name_move`?"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_names_nothing_is_refused_with_its_line(wrong: str, folder: Path):
    old, new, told = WRONG[wrong]
    (folder / "bids.py").write_text(GAME.replace(old, new))
    with pytest.raises(InputError, match=rf"bids\.py, line \d+.*{told}"):
        cardlab.play("bids.py")


MANY = '''"""Auction: bid up to 100 for a prize of unknown worth."""

from cardlab.rules import *

players = 2, 5


class State:
    bid = own(number)
    worth = hidden(number)


def deal(s):
    s.worth = below(s, CHANCE, 200)
    for one in seats():
        s.bid[one] = -1


def count_move(s, seat):
    return 101


def nth_move(s, seat, k):
    return k


def apply(s, seat, bid):
    s.bid[seat] = bid


def ended(s, seat):
    return s.bid[after(seat, 1)] >= 0


def score(s):
    most = max(s.bid[one] for one in seats())
    for one in seats():
        s.points[one] = s.worth - most if s.bid[one] == most else 0


def deal_unseen(s, seat):
    s.worth = below(s, ASIDE, 200)


@policy
def highest_of(s, seat, moves):
    """The highest bid there is."""
    return moves - 1
'''


LISTED = """def legal(s, seat):
    moves = set()
    for bid in range(101):
        moves = moves | {bid}
    return moves
"""


def test_more_than_64_moves_are_counted_as_the_refusal_says(folder: Path):
    counted = MANY[MANY.index("def count_move") : MANY.index("\n\ndef apply")]
    (folder / "many.py").write_text(MANY.replace(counted, LISTED))
    told = r"no card 64.*count_move\(s, seat\) and nth_move\(s, seat, k\) stand in place of legal"
    with pytest.raises(InputError, match=told):
        cardlab.play("many.py")
    (folder / "many.py").write_text(MANY)
    assert "seat 0 (highest_of): bid 100" in str(cardlab.play("many.py", lineup="highest_of"))


@pytest.mark.whole
def test_counted_moves_are_the_same_compiled(folder: Path):
    (folder / "many.py").write_text(MANY)
    assert not [found for found in check_game("many.py") if found.failed]


@pytest.mark.whole
def test_search_looks_at_bids_over_the_whole_range(folder: Path):
    (folder / "many.py").write_text(MANY.replace("200)", "2) + 1000"))
    told = str(cardlab.play("many.py", players=2, lineup="search(rollouts=16),random", match=1))
    (bid,) = re.findall(r"seat 0 .*: bid (\d+)", told)
    assert int(bid) > 64


@pytest.mark.parametrize("half", ["count_move", "nth_move"])
def test_one_of_the_two_alone_is_refused(half: str, folder: Path):
    whole = {"count_move": "def count_move(s, seat):\n    return 101\n\n\n"}
    whole["nth_move"] = "def nth_move(s, seat, k):\n    return k\n\n\n"
    (folder / "many.py").write_text(MANY.replace(whole[half], ""))
    with pytest.raises(InputError, match=r"many\.py.*no step `(legal|count_move)`"):
        cardlab.play("many.py")


def test_a_policy_that_takes_counted_moves_for_a_set_is_refused(folder: Path):
    (folder / "many.py").write_text(MANY.replace("moves - 1", "highest(moves)"))
    with pytest.raises(InputError, match=r"many\.py, line \d+, in highest_of"):
        cardlab.simulate("many.py", lineup="highest_of", matches=20)
