"""What a spectator is told: every kind of event, in words."""

from __future__ import annotations

import itertools
import re

import pytest

import cardlab
from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.narration.teller import Teller
from simcore.replay import replay
from tests.dnup.following import DNUP
from tests.dnup.players import HASTY
from tests.dnup.position import position
from tests.dnup.rows import Rows
from tests.games import rows

words = Teller(get_game("dnup"))
NAMES = ("Ann", "Bob", "Cy", "Di")


class TestTold(rows.Told, Rows):
    words = words
    names = NAMES
    rows = """
    a pair | hand 7/3 7/9 8/1
        | 7 7 | Ann plays two 7s (7/3 7/9): there is no other pair on the table; 1 card left.
    beating | hand 8/3 7/9 2/1; seat 2 set 7/1
        | 8 | Ann plays an 8 (8/3), which beats Cy's 7: back to Cy's hand as 1/7; 2 cards left.
    some of three | hand 3/1 3/2 3/4 9/8
        | 3 3, 3/1 3/4 | Ann plays two 3s (3/1 3/4): there is no other pair on the table; 2 cards \
          left.
    adding | hand 5/1* 8/2; seat 2 set 5/6; seat 1 set 3/4 3/6
        | add to 5
        | Ann adds a 5 (5/1★) to Cy's 5, now two 5s, which beats Bob's two 3s: back to Bob's hand \
          as 4/3 6/3; 1 card left.
    taking | hand 8/1; seat 1 set 2/5 2/7 2/9
        | take 2 2 2 | Ann takes Bob's three 2s to the hand, turned: 5/2 7/2 9/2.
    turning | hand 8/1 2/6; seat 1 set 4/5
        | turn | Ann turns all hand cards: 1/8 6/2.
        | Nobody has beaten Bob's single card 4/5: it is discarded.
    out | hand 8/1
        | 8 | Ann plays an 8 (8/1): there is no other single card on the table; no cards left.
        | Ann is out first and gets 2 markers, 2 in all.
    then others turn | hand 8/1 | 8, turn | Bob turns all hand cards: 1/9 2/9.
    until all had a turn | hand 8/1 | 8, turn, turn | Cy turns all hand cards: 3/9 4/9.
        | All others have had a turn since Ann was out: the single card 8/1 is discarded.
    beating a set of a player who is out | hand 8/1 9/6; seat 1 set 7/6; out = 1
        | 8 | Ann plays an 8 (8/1), which beats Bob's 7: discarded; 1 card left.
    two players | hand 7/2 3/8; seat 0 set 6/1; players = 2; area = 2
        | 7 | Ann, for area 2, plays a 7 (7/2), which beats its own 6 in area 1: back to its own \
              hand as 1/6; 2 cards left.
    the cap | hand 8/1 9/6; turns = 99; turn_cap = 100
        | turn | Ann turns all hand cards: 1/8 6/9.
        | After 100 actions the round has reached its cap: the match is aborted.
    the end of a round | hand 2/5; seat 1 hand 3/1; scores = (0, 1, 1)
        | 2, 3, score | Bob is out second and gets 1 marker: round 1 is over.
        | Markers: Ann 2, Bob 2, Cy 1. | Ann and Bob are ahead.
    """


def said_of(p):
    """The legal moves in words."""
    return [words.move_in_words(p.s, p.seat, move) for move in p.plain.moves(p.s)]


def test_the_legal_moves():
    p = position("3/1 3/2 5/1 8/1", {1: "3/4", 2: "5/6 5/7"}, players=4)
    assert said_of(p) == [
        *("play a 5", "play an 8", "turn all hand cards", "add a 5 to seat 2's two 5s"),
        *("take seat 1's 3", "take seat 2's two 5s"),
    ]
    p = position("3/1 3/2 5/1").play("3")
    assert said_of(p) == [
        "use 3/1",
        "use 3/2",
    ]


def test_the_table_is_drawn_once_a_move_and_says_which_area_it_is_for():
    for goal, areas in (
        ({"players": 2, "rounds_to_win": 1}, {"; move for area 1", "; move for area 2"}),
        ({"players": 3, "markers_to_win": 1}, {""}),
    ):
        players = goal["players"]
        cell = Cell(DNUP, DNUP.resolve(goal), (HASTY,) * players, 4)
        lines = [line for line in replay(cell, 1, draw=True) if line[0] not in "│└"]
        heads = [line for line in lines if line[0] == "┌"]
        assert {
            re.sub(r"^┌─ round \d+, discarded: \d+ cards?", "", head) for head in heads
        } == areas
        # Between two drawings something has been told.
        assert not any(line[0] == other[0] == "┌" for line, other in itertools.pairwise(lines))
        decisions = [line for line in replay(cell, 1, why=True) if " may" in line]
        assert all((", for area " in line) == (players == 2) for line in decisions)
        for head, told in itertools.pairwise(lines):
            if head[0] == "┌" and players == 2:
                area = head.rpartition(" ")[2]
                assert f", for area {area}, " in told


@pytest.mark.parametrize("goal", [{"players": 2}, {"players": 5, "markers_to_win": 2}], ids=str)
def test_a_whole_match(goal):
    cell = Cell(DNUP, DNUP.resolve(goal), (HASTY,) * goal["players"], 4)
    lines = list(replay(cell, 1, why=True))
    assert "holds the star card 5/1★ and begins" in "\n".join(lines)
    assert "wins with" in lines[-1]


def test_who_begins_as_winner_need_not_hold_the_star_card():
    options = {"round_start": "winner", "markers_to_win": 3}
    lines = cardlab.play("dnup", players=3, options=options).lines
    began = [line for line in lines if line.endswith(" and begins.")]
    assert "holds the star card" in began[0]
    assert all("was out first in the last round" in line for line in began[1:])
    assert len(began) > 1
