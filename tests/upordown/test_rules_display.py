"""The display: columns, and giving them up. Test classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.upordown.position import placing, position


class TestR9AnyColumn:
    def test_any_that_it_fits(self):
        p = placing(30, "10 20", "45 40", "5")
        assert p.listed[:3] == ["append 1", "append 2", "append 3"]
        assert p.play("append 2").columns() == ["10 20", "45 40 30", "5"]


class TestR10RoomForThree:
    def test_three(self):
        assert "new" in placing(30, "10 20", "45 40").moves
        assert "new" not in placing(30, "10 20", "45 40", "5").moves

    @pytest.mark.parametrize("columns", range(1, 7))
    def test_other_numbers(self, columns):
        display = ("10 20", "45 40", "5", "7", "8", "9")
        assert "new" not in placing(30, *display[:columns], columns=columns).moves
        assert "new" in placing(30, *display[: columns - 1], columns=columns).moves

    def test_in_the_clauses_of_a_match(self):
        last = {"hand": "53", "hands": ["54"], "circle": "30 47 48 49 50 51"}
        for columns, full in ((["1", "2"], True), (["1"], False)):
            p = position(display=columns, **last).play("53", "upper", "new", "54", "upper", "new")
            assert bool(p.finish().metric("clauses") & 1) == full


class TestC7FreeChoice:
    def test_a_new_column_although_it_fits(self):
        p = placing(30, "10 20").play("new")
        assert p.columns() == ["10 20", "30"]

    def test_the_lowest_empty_place(self):
        p = placing(30, columns=6).play("new")
        assert p.columns() == ["30"]

    def test_order_of_the_moves(self):
        assert placing(30, "10 20", "25 22").listed == ["append 1", "new", "give up 1", "give up 2"]


class TestR11Direction:
    def test_the_second_card_settles_it(self):
        assert placing(30, "10 20").listed[0] == "append 1"
        assert placing(30, "20 10").listed[0] == "new"

    def test_for_good(self):
        p = placing(30, "10 20 40")
        assert "append 1" not in p.moves


class TestC8SecondCard:
    @pytest.mark.parametrize(("first", "up"), [(10, True), (46, False)])
    def test_higher_ascends_lower_descends(self, first, up):
        p = placing(30, str(first)).play("append 1")
        assert [p.fits(card) for card in (1, 29, 31, 54)] == [not up, not up, up, up]


class TestR12Order:
    def test_up(self):
        assert "append 1" in placing(30, "10 20 29").moves
        assert "append 1" not in placing(30, "10 20 31").moves

    def test_down(self):
        assert "append 1" in placing(30, "45 40 31").moves
        assert "append 1" not in placing(30, "45 40 29").moves

    def test_to_the_highest_card(self):
        p = position(players=6, hand="124", circle="2 3 4 5 125 126", display=["120 121"])
        p.hold(0, "1")
        p.play("1", "lower", "append 1")
        assert p.columns() == ["120 121 126"]
        assert not any(p.fits(card) for card in range(1, 127))


class TestC9AtTheEnd:
    def test_not_in_between_nor_before(self):
        assert "append 1" not in placing(30, "20 40").moves
        assert "append 1" not in placing(30, "40 45").moves

    def test_a_single_card_takes_any(self):
        for card in (1, 29, 31, 54):
            assert "append 1" in placing(30, str(card)).moves


class TestR13GiveUp:
    def test_any_column(self):
        p = placing(30, "10 40 41", "20 25", "44")
        assert p.listed[-3:] == ["give up 1", "give up 2", "give up 3"]

    def test_its_cards_are_discarded(self):
        p = placing(30, "10 40 41", "20 25", "44").play("give up 1")
        assert p.discards() == 3
        assert p.metric("columns_given_up") == 1


class TestR14NewColumn:
    def test_the_card_begins_it(self):
        p = placing(30, "10 40 41", "20 25").play("give up 2")
        assert p.columns() == ["10 40 41", "30"]


class TestC10AtWill:
    def test_with_room_and_although_it_fits(self):
        p = placing(30, "10 20")
        assert p.listed == ["append 1", "new", "give up 1"]
        assert p.play("give up 1").columns() == ["30"]


class TestC11ThePlaceFreed:
    def test_not_to_another_column(self):
        p = placing(30, "10 20", "40 45", "5").play("give up 2")
        assert p.columns() == ["10 20", "30", "5"]


class TestC12OneCard:
    def test_may_be_given_up(self):
        p = placing(30, "10").play("give up 1")
        assert p.columns() == ["30"]
        assert p.scores[0] == 2
