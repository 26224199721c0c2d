"""Teams, and cards that some seats see: partners, a neighbour, all others."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import cardlab
from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.errors import InputError
from simcore.events import Step
from simcore.game import get_game
from strategies import parse_strategy, policies
from studies.check.gamecheck import check_game, exchanged

GAME = '''"""Pairs: partners see each other's hands, all others the card on a brow."""

from cardlab.rules import *

deck = cards_of(suits=("red", "blue"), ranks=range(1, 14))
players = 4
teams = 2


class State:
    stock = hidden(all_cards)
    hand = own(cards, to=partners)
    brow = shown(cards, per=seat, to=others)
    peek = own(cards, to=1)
    laid = shown(cards)
    gone = shown(cards)
    best = shown(card, start=NO_CARD)
    holder = shown(seat)
    taken = shown(number, per=seat)


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], 3)
        draw(s.stock, s.brow[one])
        draw(s.stock, s.peek[one])
        s.taken[one] = 0


def legal(s, seat):
    return s.hand[seat]


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
    if s.best == NO_CARD or rank(card) > rank(s.best):
        s.best, s.holder = card, seat
    if len(s.laid) == players:
        s.taken[s.holder] += 1
        move(s.laid, s.laid, s.gone)
        s.best = NO_CARD


def next_seat(s, seat):
    return after(seat, 1) if s.laid else s.holder


def ended(s, seat):
    return len(s.gone) == 3 * players


def score(s):
    for one in seats():
        s.points[one] = s.taken[one]


@policy
def helper(s, seat, moves):
    """High, unless the partner can do better, or the cards on brows are high."""
    best = highest(moves)
    if any(rank(c) > rank(best) for c in s.hand[partner(seat)]):
        return lowest(moves)
    for one in others(seat):
        if s.brow[one] and rank(highest(s.brow[one])) > rank(best):
            best = lowest(moves)
    return best if rank(lowest(s.peek[after(seat, -1)])) > 3 else lowest(moves)
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.py").write_text(GAME)
    return tmp_path


def cell_of(*lineup: str) -> Cell:
    game = get_game("pairs.py")
    policies(game)
    seats = tuple(parse_strategy(game, lineup[seat % len(lineup)]) for seat in range(4))
    return Cell(game, game.resolve({}), seats, seed=1)


def read(text: str) -> str:
    """Return the game with a policy that reads something."""
    return f"{GAME}\n\n@policy\ndef spy(s, seat, moves):\n    {text}\n    return lowest(moves)\n"


ALLOWED = {
    "a partner's hand": "x = len(s.hand[partner(seat)] & all_cards)",
    "by its place at the table": "x = lowest(s.hand[after(seat, 2)])",
    "partners in a loop": "x = sum(len(s.hand[p] & all_cards) for p in partners(seat))",
    "the whole team": "x = sum(len(s.hand[p] | set()) for p in team(seat))",
    "a partner by name": "mate = partner(seat)\n    x = lowest(s.hand[mate])",
    "the others' brows": "x = sum(len(s.brow[p] & all_cards) for p in others(seat))",
    "the brow of a neighbour": "x = lowest(s.brow[after(seat, 3)])",
    "the card that the seat before shows": "x = lowest(s.peek[after(seat, -1)])",
    "how many cards": "x = len(s.hand[after(seat, 1)]) + len(s.brow[seat])",
}
REFUSED = {
    "an opponent's hand": ("x = lowest(s.hand[after(seat, 1)])", "its own seat and its partners"),
    "any seat's hand": ("for p in seats():\n        x = lowest(s.hand[p])", "its partners see"),
    "opponents in a loop": (
        "for p in others(seat):\n        x = lowest(s.hand[p])",
        r"allowed are s\.hand\[seat\], s\.hand\[one\] for one in partners\(seat\)",
    ),
    "its own brow": ("x = lowest(s.brow[seat])", "only the others see that"),
    "the team's brows": ("x = max(lowest(s.brow[p]) for p in team(seat))", "the others see that"),
    "the card shown to another": (
        "x = lowest(s.peek[after(seat, 1)])",
        r"the next seat see that; allowed are s\.peek\[seat\], s\.peek\[after\(seat, -1\)\]",
    ),
    "a name that changes": (
        "p = partner(seat)\n    p = after(p, 1)\n    x = lowest(s.hand[p])",
        "its partners see that",
    ),
    "through a helper": ("x = lowest(hand_of(s, after(seat, 1)))", "its partners see that"),
}
HELPER = "\n\ndef hand_of(s, seat):\n    return s.hand[seat]\n"


@pytest.mark.parametrize("reads", ALLOWED)
def test_a_policy_reads_what_its_seat_sees(reads: str, folder: Path):
    (folder / "pairs.py").write_text(read(ALLOWED[reads]))
    cardlab.play("pairs.py", lineup="spy")


@pytest.mark.parametrize("reads", REFUSED)
def test_a_policy_reads_nothing_else(reads: str, folder: Path):
    text, told = REFUSED[reads]
    (folder / "pairs.py").write_text(read(text) + HELPER)
    with pytest.raises(InputError, match=rf"pairs\.py, line \d+, in .*a policy reads .*{told}"):
        cardlab.play("pairs.py", lineup="spy")


def test_a_helper_may_be_asked_of_a_partner(folder: Path):
    (folder / "pairs.py").write_text(read("x = lowest(hand_of(s, partner(seat)))") + HELPER)
    cardlab.play("pairs.py", lineup="spy")


DECLARED = {
    "teams of other sizes": ("teams = 2", "teams = 3", "4 players do not fall into 3 equal"),
    "seats left out": ("teams = 2", "teams = ((0, 2), (1,))", "every seat once"),
    "no number": ("teams = 2", 'teams = "two"', "allowed: a number of teams"),
    "no teams": ("teams = 2\n", "", "the game has no teams; write teams = 2"),
    "misspelt": ("teams = 2", "tams = 2", "did you mean `teams`"),
    "to nobody known": ("to=1", 'to="left"', "allowed: partners, others, a number"),
    "to the seat itself": ("to=1", "to=0", "allowed: partners, others, a number"),
    "to some without seats": ("per=seat, to=others", "to=others", "allowed: with per=seat"),
}


@pytest.mark.parametrize("wrong", DECLARED)
def test_wrong_declarations_are_refused(wrong: str, folder: Path):
    old, new, told = DECLARED[wrong]
    (folder / "pairs.py").write_text(GAME.replace(old, new))
    with pytest.raises(InputError, match=told) as refused:
        cardlab.play("pairs.py")
    assert "pairs.py" in str(refused.value)


def test_the_winners_must_be_whole_teams(folder: Path):
    over = "def ended(s, seat):\n    end_match(s, 1)\n    return True\n"
    text = GAME.replace(GAME[GAME.index("def ended") : GAME.index("\n\ndef score")], over)
    (folder / "pairs.py").write_text(text)
    with pytest.raises(InputError, match=r"a team wins together, as in bits\(team\(0\)\)"):
        cardlab.play("pairs.py")


def test_a_deal_of_the_unseen_leaves_what_the_seat_sees(folder: Path):
    match = Match(cell_of("random"), 0)
    changed = set()
    for event in match.events():
        if not isinstance(event, Step):
            continue
        s, seat, mate = event.s, event.seat, (event.seat + 2) % 4
        for word in range(1, 6):
            other = s.copy()
            match.plain.deal_unseen(other, seat, (word, 1))
            assert [other.hand[one] for one in (seat, mate)] == [
                s.hand[one] for one in (seat, mate)
            ]
            assert other.peek[(seat - 1) % 4] == s.peek[(seat - 1) % 4]
            assert all(other.brow[one] == s.brow[one] for one in range(4) if one != seat)
            changed |= {"brow"} if other.brow[seat] != s.brow[seat] else set()
            changed |= {"peek"} if other.peek[(seat + 1) % 4] != s.peek[(seat + 1) % 4] else set()
            changed |= {"hand"} if other.hand[(seat + 1) % 4] != s.hand[(seat + 1) % 4] else set()
    assert changed == {"brow", "peek", "hand"}


@pytest.mark.whole
def test_search_decides_by_what_its_seat_sees(folder: Path):
    match = Match(cell_of("search(rollouts=8)", "random"), 0)
    chance, asked = random.Random(1), 0  # noqa: S311 (no secret)
    for event in match.events():
        if isinstance(event, Step) and event.chosen and event.seat % 2 == 0:
            other = exchanged(match, event.s, chance)
            assert match.ask(event.moves, event.s.copy()) == match.ask(event.moves, other)
            asked += 1
    assert asked > 2


@pytest.mark.whole
def test_partners_win_together_with_one_total(folder: Path):
    block = play(cell_of("helper", "random"), 0, 2000)
    assert set(block.winners.ravel()) <= {0b0101, 0b1010, 0b1111}
    assert (block.scores[0] == block.scores[2]).all()
    assert (block.scores[0] + block.scores[1] == 3).all()
    told = cardlab.play("pairs.py", lineup=["helper", "random"]).lines[-1]
    assert " win together with" in told


@pytest.mark.whole
def test_the_game_passes_its_check(folder: Path):
    found = {one.test: one for one in check_game("pairs.py")}
    assert not [one for one in found.values() if one.failed]
    assert found["hidden cards"].verdict == found["seats"].verdict == "passed"


@pytest.mark.whole
def test_teams_may_be_any_seats(folder: Path):
    text = GAME.replace("teams = 2", "teams = ((0,), (1, 2, 3))").replace("partner(seat)", "seat")
    (folder / "pairs.py").write_text(text)
    found = {one.test: one for one in check_game("pairs.py")}
    assert not [one for one in found.values() if one.failed]
    assert found["seats"].verdict == "not tested"
    block = play(cell_of("random"), 0, 300)
    assert set(block.winners.ravel()) <= {0b0001, 0b1110, 0b1111}


GIFTS = '''"""Gifts: each seat gives a point, to its partner or to the next seat."""

from cardlab.rules import *

players = 4
teams = 2


class State:
    gifts = shown(number, per=seat)
    given = shown(number)


def deal(s):
    s.given = 0
    for one in seats():
        s.gifts[one] = 0


def legal(s, seat):
    return {0, 1}


def apply(s, seat, way):
    s.gifts[partner(seat) if way else after(seat, 1)] += 1
    s.given += 1


def ended(s, seat):
    return s.given == 12


def score(s):
    for one in seats():
        s.points[one] = s.gifts[one]
'''


@pytest.mark.whole
def test_search_plays_for_its_team(folder: Path):
    (folder / "gifts.py").write_text(GIFTS)
    told = cardlab.play("gifts.py", lineup=["search(rollouts=64)", "random"]).lines
    ways = [line for line in told if "(search" in line and ": way " in line]
    assert len(ways) == 6
    assert all(": way 1;" in line for line in ways)
