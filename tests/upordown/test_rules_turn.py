"""A turn: circle, display, piles. Test classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.upordown.position import Position, placing, position

CIRCLE = "10 20 30 40 50 52"
PILES = {"face_up": "3 4", "face_down": "5 6"}


def laid(card, side, **more):
    """Lay a card and take a neighbour; return the position and the card taken."""
    p = position(hand=f"{card} 54", circle=CIRCLE, **PILES, **more).play(str(card), side)
    return p, int(p.s.taken_card)


class TestR6LayBetween:
    @pytest.mark.parametrize(
        ("card", "lower", "upper"), [(11, 10, 20), (25, 20, 30), (49, 40, 50), (51, 50, 52)]
    )
    def test_where_it_keeps_the_order(self, card, lower, upper):
        assert laid(card, "lower")[1] == lower
        assert laid(card, "upper")[1] == upper

    def test_the_circle_stays_in_order(self):
        assert laid(25, "lower")[0].circle == "10 25 30 40 50 52"
        assert laid(25, "upper")[0].circle == "10 20 25 40 50 52"

    def test_any_hand_card_by_value(self):
        assert position(hand="33 2 17", circle=CIRCLE, **PILES).listed == ["2", "17", "33"]


class TestR7BeyondTheEnds:
    @pytest.mark.parametrize("card", [1, 9, 53])
    def test_between_the_lowest_and_the_highest(self, card):
        assert laid(card, "lower")[1] == 52
        assert laid(card, "upper")[1] == 10


class TestC5Seam:
    @pytest.mark.parametrize(
        ("card", "side", "circle"),
        [
            (9, "lower", "9 10 20 30 40 50"),
            (9, "upper", "9 20 30 40 50 52"),
            (53, "lower", "10 20 30 40 50 53"),
            (53, "upper", "20 30 40 50 52 53"),
        ],
    )
    def test_either_may_be_taken(self, card, side, circle):
        assert laid(card, side)[0].circle == circle


class TestR8TakeOne:
    def test_exactly_one_of_two(self):
        p = position(hand="25", circle=CIRCLE, **PILES).play("25")
        assert p.listed == ["lower", "upper"]
        assert p.phase == "TAKE"


class TestC6Compulsory:
    def test_always_six_cards_and_the_card_laid_among_them(self):
        for card in (1, 11, 25, 49, 51, 53):
            for side in ("lower", "upper"):
                p, taken = laid(card, side)
                circle = set(p.circle.split())
                assert len(circle) == 6
                assert str(card) in circle
                assert str(taken) not in circle


class TestR15Draw:
    def test_either_pile(self):
        p = placing(30).play("new")
        assert p.phase == "DRAW"
        assert p.listed == ["face up", "face down"]
        assert p.copy().play("face up").hand() == "3"
        assert p.copy().play("face down").hand() == "5"

    def test_the_next_card_is_seen(self):
        p = placing(30).play("new")
        assert p.copy().play("face up").s.face_up_card == 4
        assert p.copy().play("face down").s.face_up_card == 3

    def test_a_choice_of_two_hidden_piles(self):
        p = placing(30, open_pile=False).play("new")
        assert p.listed == ["face up", "face down"]
        assert p.play("face up").s.face_up_card == 0


class TestC13EmptyPile:
    def test_draws_from_the_other(self):
        for piles in ({"face_up": "3 4"}, {"face_down": "3 4"}):
            p = position(hand="53", circle="30 47 48 49 50 51", **piles)
            assert p.play("53", "upper", "new").hand() == "3"
            assert p.seat == 1

    def test_draws_none(self):
        p = position(hand="53 54", hands=["1"], circle="30 47 48 49 50 51")
        assert p.play("53", "upper", "new").hand() == "54"
        assert p.seat == 1


class TestR16Clockwise:
    def test_next_seat(self):
        p = position(hand="53", circle="30 47 48 49 50 51", players=3, **PILES)
        p.play("53", "upper", "new", "face up")
        assert p.seat == 1
        p.s.seat = 2
        p.hold(2, "2")
        p.play("2", "upper", "new", "face down")
        assert p.seat == 0


class TestR17End:
    def test_when_all_hand_cards_are_played(self):
        p = position(hand="53", hands=["1"], circle="30 47 48 49 50 51")
        p.play("53", "upper", "new")
        assert p.phase == "CARD"
        p.play("1", "upper", "new")
        assert p.phase == "ROUND_OVER"


class TestC14SameNumberOfTurns:
    @pytest.mark.parametrize(("players", "turns"), [(2, 24), (3, 24), (4, 24), (5, 24), (6, 20)])
    def test_24_or_20(self, players, turns):
        p = Position(players, {}).finish()
        assert p.metric("turns") == turns * players
        for seat in range(players):
            assert p.placed(seat) == turns


class TestC21WhatIsSeen:
    def test_cards_of_the_circle_and_what_was_drawn_openly(self):
        p = placing(30).play("new", "face up")
        assert 53 in p.s.laid
        assert set(p.s.drawn_openly[0]) == {3}
        p.s.seat = 0
        p.play("3")
        assert 3 in p.s.laid
        assert not p.s.drawn_openly[0]

    def test_a_card_drawn_face_down_is_not(self):
        assert not placing(30).play("new", "face down").s.drawn_openly[0]
        hidden = placing(30, open_pile=False).play("new", "face up")
        assert not hidden.s.drawn_openly[0]
