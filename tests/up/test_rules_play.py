"""Course of play: laps, sources, hidden cards, collapses. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.position import position

pytestmark = pytest.mark.usefixtures("any_layout")


class TestR8Forehand:
    def test_leads_from_the_hand(self):
        p = position(hand="11 7 4 2 1", open="9 8 6 5", hidden="3 3 5 8", first_turn=True)
        assert p.moves == {"11", "7", "4", "2", "1"}
        assert p.play("2").cap == 2


class TestR9LaterCards:
    def test_same_or_lower_value(self):
        p = position(hand="9 8 7 1", tower="8")
        assert p.play("8").cap == 8
        assert p.seat == 1

    @pytest.mark.parametrize("card", range(1, 12))
    @pytest.mark.parametrize("cap", range(1, 12))
    def test_every_value_on_every_cap(self, card, cap):
        p = position(hand=f"{card} 6", tower=str(cap)).play(str(card))
        if card <= cap:
            assert (p.cap, p.seat, p.hand()) == (card, 1, "6")
        else:
            assert (p.cap, p.seat, p.metric("collapses")) == (0, 0, 1)

    def test_the_turn_goes_clockwise(self):
        p = position(hand="9 9", others={1: {"hand": "5 5"}, 2: {"hand": "3 3"}})
        assert [p.play(card).seat for card in ("9", "5", "3")] == [1, 2, 0]


class TestR10Sources:
    def test_first_turn_from_the_hand_then_free(self):
        p = position(
            hand="9 8", open="4 3", others={1: {"hand": "7 7"}}, players=2, first_turn=True
        )
        assert p.moves == {"9", "8"}
        p.play("9", "7")
        assert p.moves == {"8", "open 4", "open 3"}
        assert p.play("open 4").open() == "3"


class TestR11Together:
    def test_equal_cards_of_one_source(self):
        p = position(hand="7 7 5", open="7 5 5", tower="9")
        assert p.moves == {"7", "7 7", "5", "open 7", "open 5", "open 5 5"}

    @pytest.mark.parametrize("count", [1, 2, 3])
    def test_any_number_of_them(self, count):
        p = position(hand="7 7 7", open="2", tower="9").play(" ".join(["7"] * count))
        assert (p.tower, p.hand()) == (
            " ".join(["9", *["7"] * count]),
            " ".join(["7"] * (3 - count)),
        )
        assert p.count() == 4 - count


class TestR12Blind:
    def test_a_hidden_card_instead_of_a_hand_card(self):
        p = position(hand="3", hidden="8 5", tower="9")
        assert p.moves == {"3", "blind"}
        p.play("blind")
        assert (p.cap, p.hidden(), p.hand(), p.seat) == (5, "8", "3", 1)


class TestR13EmptyHand:
    def test_a_hidden_card_must_be_turned_up(self):
        assert position(hidden="8 5", tower="9").moves == {"blind"}

    def test_also_to_lead(self):
        assert position(hidden="8 5").moves == {"blind"}


class TestR14WaysOut:
    def test_all_three(self):
        p = position(hand="11 -2 clear", hidden="8 5", tower="9")
        assert p.moves == {"11", "-2", "clear", "blind"}

    def test_no_hidden_card_while_one_lies_open(self):
        assert position(hand="11", open="10", hidden="8", tower="9").moves == {"11", "open 10"}


class TestR15Collapse:
    def test_the_tower_goes_to_the_hand(self):
        p = position(hand="10 1", tower="9 7 7 -2", cap=5).play("10")
        assert (p.hand(), p.tower, p.cap) == ("10 9 7 7 1 -2", "", 0)
        assert p.count() == 6
        assert (p.metric("collapses"), p.metric("largest_pickup")) == (1, 5)


class TestR16NextTower:
    def test_the_same_player_leads_from_hand_or_open_cards(self):
        p = position(hand="10 1", open="4 4", hidden="8", tower="9 9").play("10")
        assert p.seat == 0
        assert p.moves == {"10", "9", "9 9", "1", "open 4", "open 4 4"}

    def test_or_with_a_hidden_card(self):
        p = position(hand="10", hidden="8 3", tower="9").play("10")
        assert p.moves == {"10", "9", "blind"}
        p.play("blind")
        assert (p.tower, p.cap, p.seat) == ("3", 3, 1)

    def test_nobody_is_obliged_to_lay_what_fits(self):
        assert position(hand="11 3", tower="9").play("11").metric("collapses") == 1


class TestC7Lap:
    def test_each_players_first_turn_is_its_own(self):
        p = position(
            hand="9 9",
            others={1: {"hand": "5 5", "open": "4"}, 2: {"hand": "3", "open": "2"}},
            first_turn=True,
        )
        p.play("9")
        assert p.moves == {"5", "5 5"}
        p.play("5")
        assert p.moves == {"3"}
        p.play("3", "9", "9")  # seat 0 makes the tower collapse and leads; seat 1 is free now
        assert p.moves == {"5", "open 4"}


class TestC8MultiplesInFirstTurn:
    def test_allowed(self):
        p = position(hand="7 7 7", open="2", first_turn=True)
        assert p.moves == {"7", "7 7", "7 7 7"}
        p.play("7 7")
        assert (p.hand(), p.clause("first_turn_multiples")) == ("7", True)

    @pytest.mark.parametrize("card", ["1", "7", "11"])
    def test_one_at_a_time(self, card):
        p = position(
            hand=f"{card} {card} {card}", open="2", first_turn=True, multiples_in_first_lap=False
        )
        assert p.moves == {card}
        p.play(card)
        assert (p.hand(), p.tower, p.count()) == (f"{card} {card}", card, 3)
        assert p.clause("first_turn_multiples")

    def test_in_the_first_turn_only(self):
        p = position(hand="7 7", tower="9", multiples_in_first_lap=False)
        assert p.moves == {"7", "7 7"}

    def test_nothing_to_note_when_no_cards_are_equal(self):
        p = position(hand="7 6", open="2", first_turn=True, multiples_in_first_lap=False)
        p.play("7")
        assert not p.clause("first_turn_multiples")

    def test_after_a_collapse_it_is_still_the_first_turn(self):
        p = position(
            hand="10 9", open="2", tower="9 9", first_turn=True, multiples_in_first_lap=False
        )
        assert p.play("10").moves == {"10", "9"}


class TestC9OpenCardsFirst:
    def test_with_an_empty_hand(self):
        assert position(open="5", hidden="8", tower="9").moves == {"open 5"}


class TestC10AllFourGone:
    @pytest.mark.parametrize("open_cards", ["6", "6 5", "6 5 4"])
    def test_no_hidden_card_before(self, open_cards):
        p = position(hand="3", open=open_cards, hidden="8 8 7 7", tower="9")
        assert "blind" not in p.moves

    def test_then(self):
        p = position(hand="3", open="6", hidden="8 8 7 7", others={1: {"hand": "5 5"}}, players=2)
        p.play("open 6", "5")
        assert "blind" in p.moves


class TestC11OneHiddenCard:
    def test_one_at_a_time(self):
        p = position(hand="3", hidden="8 5 5", tower="9").play("blind")
        assert (p.hidden(), p.tower, p.metric("blind_plays")) == ("8 5", "9 5", 1)

    def test_also_with_hand_cards_that_fit(self):
        assert "blind" in position(hand="3 2", hidden="8", tower="9").moves


class TestC12TurnedUp:
    def test_it_stays(self):
        p = position(hand="3", hidden="8 5", tower="5").play("blind")
        assert (p.tower, p.cap, p.seat, p.count()) == ("5 5", 5, 1, 2)

    def test_too_heavy(self):
        p = position(hand="3", hidden="8 6", tower="5").play("blind")
        assert (p.hand(), p.hidden(), p.tower, p.seat) == ("6 5 3", "8", "", 0)
        assert p.count() == 4

    def test_a_clear_card(self):
        p = position(hand="3", hidden="8 clear", tower="5").play("blind")
        assert (p.cleared, p.tower, p.seat, p.hand()) == ("5 clear", "", 0, "3")

    @pytest.mark.parametrize("card", ["1", "11"])
    def test_any_number_on_an_empty_table(self, card):
        p = position(hand="3", hidden=f"8 {card}").play("blind")
        assert (p.tower, p.cap, p.seat) == (card, int(card), 1)

    def test_a_minus_two_that_fits(self):
        p = position(hand="3", hidden="8 -2", tower="5").play("blind")
        assert (p.tower, p.cap, p.seat, p.metric("minus_twos")) == ("5 -2", 3, 1, 1)

    def test_a_minus_two_that_does_not(self):
        p = position(hand="3", hidden="8 -2", tower="2").play("blind")
        assert (p.hand(), p.seat, p.metric("minus_twos")) == ("3 2 -2", 0, 0)


class TestC13Free:
    def test_special_and_hidden_cards_beside_cards_that_fit(self):
        p = position(hand="3 -2 clear", hidden="8", tower="9")
        assert p.moves == {"3", "-2", "clear", "blind"}

    def test_from_the_open_cards(self):
        p = position(hand="3", open="-2 -2 clear", tower="9")
        assert p.moves == {"3", "open -2", "open -2 -2", "open clear"}
        assert p.play("open -2 -2").cap == 5


class TestC14OneHeavierCard:
    def test_exactly_one(self):
        p = position(hand="11 11 10", open="11 11 3", tower="9")
        assert p.moves == {"11", "10", "open 11", "open 3"}
        p.play("11")
        assert p.hand() == "11 11 10 9"
        assert p.metric("largest_pickup") == 2

    def test_from_the_open_cards(self):
        p = position(hand="1", open="11 11", tower="9").play("open 11")
        assert (p.hand(), p.open()) == ("11 9 1", "11")

    def test_impossible_without_one(self):
        assert position(hand="9 9 4", tower="9").moves == {"9", "9 9", "4"}


class TestC15CardJustPlayed:
    def test_it_is_taken_up_too(self):
        p = position(hand="1", open="10", hidden="8", tower="9").play("open 10")
        assert (p.hand(), p.open()) == ("10 9 1", "")
        assert "blind" in p.moves


class TestC16LeadAtOnce:
    def test_then_the_turn_passes(self):
        p = position(hand="10 1", tower="9")
        assert p.play("10").seat == 0
        assert p.play("9").seat == 1

    def test_it_cannot_be_declined(self):
        assert position(hand="10", tower="9").play("10").moves == {"10", "9"}


class TestC17CollapseInFirstTurn:
    def test_lead_from_the_hand(self):
        p = position(hand="10 1", open="4", tower="9", first_turn=True).play("10")
        assert p.moves == {"10", "9", "1"}


class TestC48NoLeadInFirstTurn:
    def test_the_lead_passes_despite_open_cards(self):
        p = position(hand="-2 -2", open="4 3", hidden="8", first_turn=True)
        assert p.moves == set()
        p.play("pass")
        assert (p.seat, p.hand(), p.metric("plays")) == (1, "-2 -2", 0)

    def test_also_with_an_empty_hand(self):
        p = position(hand="clear", open="4", first_turn=True).play("clear")
        assert (p.seat, p.moves) == (0, set())
        assert p.play("pass").seat == 1
