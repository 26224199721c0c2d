"""The variants: dirty one and double two. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.position import Position, before_deal, dealt, pack_of
from tests.up.rows import Rows

pytestmark = pytest.mark.usefixtures("any_layout")


def declared(**options: object) -> Position:
    """Forehand before announcing."""
    cards = pack_of(Position(3, options))
    return dealt(cards[::-1], dealer=0, players=3, **options)


class TestVariants(Rows):
    rows = """
    [R32] dirty one | hand 5; players = 2
        each one counts thirty
            | seat 1 hand 1 1; seat 1 open 1; seat 1 hidden 1 2; dirty_one = "always"
            | 5, score | scores = 0 122; clause dirty_one
        one without it | seat 1 hand 1 1; seat 1 open 1; seat 1 hidden 1 2 | 5, score | scores = 0 6
        no 1 was left  | seat 1 hand 2; dirty_one = "always" | 5, score | no clause dirty_one
    [R33] double two | hand 5; players = 2
        it counts two | seat 1 hand -2 -2 2; seat 1 hidden -2; double_two = "always"
            | 5, score | scores = 0 8
    [C37] ordinary two | double_two = "always"
        laid together with twos | hand -2 2 -2 5; open 3; tower 9
            | | moves = 2, 2 2, 2 2 2, 5, open 3 | 2 2 | hand = 5 2; cap = 2; tower = 9 2 2
        it may lead and lowers nothing | hand -2 3 | 2 | cap = 2; seat = 1; minus_twos = 0
        on a one it is too heavy | hand -2 -2 2; open -2 2; tower 1
            | | moves = 2, open 2 | 2 | hand = 2 2 2 1; seat = 0
        on a one from the open cards | hand 5; open -2; tower 1 | open 2 | hand = 5 2 1; open =
        singly in the first turn
            | hand -2 2 5; tower 9; first_turn; multiples_in_first_lap = False
            | | moves = 2, 5 | 2 | hand = 5 2; tower = 9 2
        two printed ones | hand 2 2 5; tower 9; first_turn; multiples_in_first_lap = False
            | | moves = 2, 5 | 2 | hand = 5 2; tower = 9 2
        two minus twos | hand -2 -2 5; tower 9; first_turn; multiples_in_first_lap = False
            | | moves = 2, 5 | 2 | hand = 5 2; tower = 9 2
    [C46] no minus two any more | double_two = "always"
        no credit of eighty | hidden -2; players = 2; scores = (100, 0); seat 1 hand 4
            | blind, score | scores = 90 4; blind_minus_two_finishes = 0; minus_twos = 0
        turned up it leads | hand 4; hidden 8 -2
            | blind | seat = 1; tower = 2; cap = 2; hand = 4
        the last one must fit | hidden -2; tower 1 | blind | phase = PLAY; hand = 2 1
    """


@pytest.mark.parametrize("announced", ["dirty", "double", "dirty double"])
def test_announced_until_the_next_deal(announced):
    p = declared(dirty_one="forehand", double_two="forehand").play(announced)
    assert (p.s.dirty, p.s.double) == ("dirty" in announced, "double" in announced)
    assert p.clause("double_two") == ("double" in announced)
    p.plain.start_round(p.s)
    assert (p.s.dirty, p.s.double) == (0, 0)


@pytest.mark.parametrize(
    ("dirty_one", "double_two", "moves"),
    [
        ("forehand", "off", {"none", "dirty"}),
        ("off", "forehand", {"none", "double"}),
        ("forehand", "forehand", {"none", "dirty", "double", "dirty double"}),
        ("always", "forehand", {"none", "double"}),
        ("forehand", "always", {"none", "dirty"}),
    ],
)
def test_c36_every_combination_that_the_options_allow(dirty_one, double_two, moves):
    p = declared(dirty_one=dirty_one, double_two=double_two)
    assert (p.phase, p.seat, p.moves) == ("DECLARE", 1, moves)
    assert [p.count(seat) for seat in range(3)] == [13, 13, 13]
    for move in moves:
        q = declared(dirty_one=dirty_one, double_two=double_two).play(move)
        assert q.phase == "PLAY"
        assert q.s.dirty == (dirty_one == "always" or "dirty" in move)
        assert q.s.double == (double_two == "always" or "double" in move)


def test_c36_nobody_is_asked_when_it_is_agreed_on_or_off():
    assert declared(dirty_one="always").phase == declared().phase == "PLAY"


def test_c37_a_double_two_kept_at_the_cut():
    cards = pack_of(Position(3, {"double_two": "always"}))
    cards.remove("-2")
    p = before_deal([*cards, "-2"], dealer=0, players=3, double_two="always").play("keep")
    assert "2" in p.hand(2).split()
    assert "-2" not in p.hand(2)
