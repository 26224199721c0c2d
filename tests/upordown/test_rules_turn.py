"""A turn: circle, display, piles. Tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.upordown.position import Position, placing, position
from tests.upordown.rows import Rows


class TestTurn(Rows):
    rows = """
    [R6] lay between | circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6
        11 takes 10  | hand 11 54 | 11, lower | s.taken_card = 10
        11 takes 20  | hand 11 54 | 11, upper | s.taken_card = 20
        25 takes 20  | hand 25 54 | 25, lower | s.taken_card = 20; circle = 10 25 30 40 50 52
        25 takes 30  | hand 25 54 | 25, upper | s.taken_card = 30; circle = 10 20 25 40 50 52
        49 takes 40  | hand 49 54 | 49, lower | s.taken_card = 40
        49 takes 50  | hand 49 54 | 49, upper | s.taken_card = 50
        51 takes 50  | hand 51 54 | 51, lower | s.taken_card = 50; circle = 10 20 30 40 51 52
        51 takes 52  | hand 51 54 | 51, upper | s.taken_card = 52; circle = 10 20 30 40 50 51
        any hand card, by value | hand 33 2 17 | | listed = 2, 17, 33
    [R7] beyond the ends | circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6
        1 takes 52  | hand 1 54  | 1, lower  | s.taken_card = 52
        1 takes 10  | hand 1 54  | 1, upper  | s.taken_card = 10
    [C5] seam: either may be taken | circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6
        9 takes 52  | hand 9 54  | 9, lower  | s.taken_card = 52; circle = 9 10 20 30 40 50
        9 takes 10  | hand 9 54  | 9, upper  | s.taken_card = 10; circle = 9 20 30 40 50 52
        53 takes 52 | hand 53 54 | 53, lower | s.taken_card = 52; circle = 10 20 30 40 50 53
        53 takes 10 | hand 53 54 | 53, upper | s.taken_card = 10; circle = 20 30 40 50 52 53
    [R8] take one | circle 10 20 30 40 50 52; face_up 3 4; face_down 5 6
        exactly one of two | hand 25 | 25 | listed = lower, upper; phase = TAKE
    [R15] draw | card 30
        from the face-up pile | | new | phase = DRAW; listed = face up, face down
            | face up   | hand = 3; s.face_up_card = 4
        from the other        | | new, face down | hand = 5; s.face_up_card = 3
        two hidden piles      | open_pile = False | new | listed = face up, face down
            | face up   | s.face_up_card = 0
    [C13] empty pile | circle 30 47 48 49 50 51
        drawn from the other  | hand 53; face_up 3 4   | 53, upper, new | hand = 3; seat = 1
        or from the face-down | hand 53; face_down 3 4 | 53, upper, new | hand = 3; seat = 1
        none is drawn         | hand 53 54; seat 1 hand 1 | 53, upper, new | hand = 54; seat = 1
    [R17] end
        when all hand cards are played | hand 53; seat 1 hand 1; circle 30 47 48 49 50 51
            | 53, upper, new | phase = CARD | 1, upper, new | phase = ROUND_OVER
    [C21] what is seen | card 30
        what was drawn openly       | | new, face up | drawn_openly = 3
        not a card drawn face down  | | new, face down | drawn_openly =
        nor one of two hidden piles | open_pile = False | new, face up | drawn_openly =
    """


@pytest.mark.parametrize("card", [1, 11, 25, 49, 51, 53])
@pytest.mark.parametrize("side", ["lower", "upper"])
def test_c6_always_six_cards_and_the_card_laid_among_them(card, side):
    p = position(hand=f"{card} 54", circle="10 20 30 40 50 52", face_up="3 4", face_down="5 6")
    circle = p.play(str(card), side).circle.split()
    assert len(set(circle)) == 6
    assert str(card) in circle
    assert str(p.s.taken_card) not in circle


def test_r16_clockwise():
    p = position(hand="53", circle="30 47 48 49 50 51", players=3, face_up="3 4", face_down="5 6")
    p.play("53", "upper", "new", "face up")
    assert p.seat == 1
    p.s.seat = 2
    p.hold(2, "2")
    p.play("2", "upper", "new", "face down")
    assert p.seat == 0


@pytest.mark.parametrize(("players", "turns"), [(2, 24), (3, 24), (4, 24), (5, 24), (6, 20)])
def test_c14_the_same_number_of_turns(players, turns):
    p = Position(players, {}).finish()
    assert p.metric("turns") == turns * players
    for seat in range(players):
        assert p.placed(seat) == turns


def test_c21_a_card_drawn_openly_is_seen_until_it_is_laid():
    p = placing(30).play("new", "face up")
    assert 53 in p.s.laid
    assert set(p.s.drawn_openly[0]) == {3}
    p.s.seat = 0
    p.play("3")
    assert 3 in p.s.laid
    assert not p.s.drawn_openly[0]
