"""The special cards: "-2" and the clear card. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.position import position

pytestmark = pytest.mark.usefixtures("any_layout")


class TestR17LowersTheCap:
    def test_on_a_seven_at_most_five(self):
        p = position(hand="-2 1", tower="7", others={1: {"hand": "6 5"}}).play("-2")
        assert (p.cap, p.seat, p.tower) == (5, 1, "7 -2")
        assert p.play("5").metric("collapses") == 0

    def test_heavier_cards_make_it_collapse(self):
        p = position(hand="-2 1", tower="7", others={1: {"hand": "6 5"}}).play("-2", "6")
        assert (p.hand(1), p.metric("collapses")) == ("7 6 5 -2", 1)

    def test_three_on_a_ten_at_most_four(self):
        p = position(hand="-2 -2 -2 1", tower="10").play("-2 -2 -2")
        assert (p.cap, p.hand(), p.metric("minus_twos")) == (4, "1", 3)


class TestR18GreaterThanZero:
    def test_on_a_three_one_is_left(self):
        p = position(hand="-2 1", tower="3").play("-2")
        assert (p.cap, p.seat, p.metric("minus_twos")) == (1, 1, 1)

    @pytest.mark.parametrize("cap", [1, 2])
    def test_otherwise_the_tower_collapses(self, cap):
        p = position(hand="-2 7", tower=str(cap)).play("-2")
        assert (p.hand(), p.tower, p.cap, p.seat) == (f"7 {cap} -2", "", 0, 0)
        assert (p.metric("collapses"), p.metric("minus_twos")) == (1, 0)
        assert p.count() == 3


class TestC18CapAsItStands:
    def test_seven_minus_two_minus_two_bears_three(self):
        p = position(hand="-2 1", tower="7", others={1: {"hand": "-2 1"}}).play("-2", "-2")
        assert (p.cap, p.seat) == (3, 2)

    def test_not_the_last_number(self):
        p = position(hand="-2 -2 9", tower="7 -2 -2", cap=3)
        assert p.moves == {"-2", "9"}


class TestC19HowMany:
    @pytest.mark.parametrize("cap", range(1, 12))
    def test_k_on_two_k_plus_one(self, cap):
        p = position(hand="-2 -2 -2 -2", tower=str(cap))
        most = max(1, min(4, (cap - 1) // 2))
        assert p.moves == {" ".join(["-2"] * count) for count in range(1, most + 1)}

    def test_from_the_open_cards_too(self):
        p = position(hand="1", open="-2 -2 -2", tower="5")
        assert p.moves == {"1", "open -2", "open -2 -2"}
        assert p.play("open -2 -2").cap == 1

    def test_collapse_on_purpose(self):
        p = position(hand="-2 1", open="-2", tower="2")
        assert p.moves == {"-2", "1", "open -2"}
        p.play("open -2")
        assert (p.hand(), p.open(), p.seat) == ("2 1 -2 -2", "", 0)
        assert p.moves == {"2", "1"}


class TestR19TurnedUpToLead:
    def test_to_the_hand_and_another_card(self):
        p = position(hand="4", hidden="8 -2").play("blind")
        assert (p.seat, p.hand(), p.hidden(), p.tower, p.cap) == (0, "4 -2", "8", "", 0)
        assert p.moves == {"4", "blind"}
        assert p.count() == 3
        assert (p.metric("collapses"), p.metric("largest_pickup")) == (0, 0)


class TestC20AnotherCard:
    def test_also_another_hidden_one(self):
        p = position(hidden="8 -2 -2").play("blind", "blind")
        assert (p.seat, p.hand(), p.moves) == (0, "-2 -2", {"blind"})
        assert p.play("blind").tower == "8"

    def test_the_same_card_cannot_lead(self):
        p = position(hand="4", hidden="-2").play("blind")
        assert p.moves == {"4"}

    def test_everybody_knows_it_then(self):
        p = position(hand="4", hidden="8 -2").play("blind")
        assert p.named(p.s.known_hand[0]) == "-2"


class TestC21NoLead:
    def test_from_hand_or_open_cards(self):
        p = position(hand="-2 4", open="-2 3")
        assert p.moves == {"4", "open 3"}

    def test_after_a_clear_card_or_a_collapse(self):
        assert position(hand="clear -2 4", tower="9").play("clear").moves == {"4"}
        assert position(hand="-2 10", tower="9").play("10").moves == {"10", "9"}


class TestC22NothingToLead:
    def test_the_lead_passes(self):
        p = position(hand="-2 clear", tower="9", others={1: {"hand": "5 4"}}).play("clear")
        assert (p.seat, p.moves) == (0, set())
        p.play("pass")
        assert (p.seat, p.hand(), p.cap, p.phase) == (1, "-2", 0, "PLAY")
        assert p.moves == {"5", "4"}

    def test_with_hidden_cards_one_must_be_turned_up(self):
        assert position(hand="-2", hidden="8").moves == {"blind"}

    def test_not_while_open_cards_cover_them(self):
        assert position(hand="-2", open="-2", hidden="8").moves == set()

    def test_from_seat_to_seat(self):
        p = position(hand="-2", others={1: {"hand": "-2 -2"}, 2: {"hand": "5 -2"}})
        p.play("pass", "pass")
        assert (p.seat, p.moves) == (2, {"5"})


class TestR20LastHiddenCard:
    @pytest.mark.parametrize("tower", ["", "1", "9"])
    def test_the_round_ends_fitting_or_not(self, tower):
        p = position(hidden="-2", tower=tower).play("blind")
        assert (p.phase, p.count(), p.metric("blind_minus_two_finishes")) == ("ROUND_OVER", 0, 1)
        assert p.metric("collapses") == 0


class TestC23OnlyHiddenCards:
    def test_the_last_one_in_the_hand_must_fit(self):
        p = position(hand="-2", tower="2").play("-2")
        assert (p.phase, p.hand(), p.metric("collapses")) == ("PLAY", "2 -2", 1)

    def test_and_may_then_end_the_round(self):
        p = position(hand="-2", tower="3").play("-2")
        assert (p.phase, p.metric("blind_minus_two_finishes")) == ("ROUND_OVER", 0)

    def test_lying_open_too(self):
        p = position(open="-2", tower="2").play("open -2")
        assert (p.phase, p.hand()) == ("PLAY", "2 -2")

    def test_a_hidden_one_with_a_hand_card_left_must_fit(self):
        p = position(hand="4", hidden="-2", tower="2").play("blind")
        assert (p.phase, p.hand()) == ("PLAY", "4 2 -2")


class TestR21Clear:
    def test_the_tower_goes_out_of_the_game(self):
        p = position(hand="clear 3 3", tower="9 7 7 -2", cap=5).play("clear")
        assert (p.cleared, p.tower, p.cap, p.hand()) == ("9 7 7 -2 clear", "", 0, "3 3")
        assert (p.metric("clears"), p.count()) == (1, 2)

    @pytest.mark.parametrize("cap", [1, 2, 11])
    def test_at_any_time(self, cap):
        assert "clear" in position(hand="clear 3", tower="11", cap=cap).moves


class TestR22ClearToLead:
    def test_it_removes_only_itself(self):
        p = position(hand="clear 3 3").play("clear")
        assert (p.cleared, p.metric("clears"), p.seat) == ("clear", 1, 0)


class TestR23LeadAfterClear:
    def test_the_same_player(self):
        p = position(hand="clear 3 3", tower="1").play("clear")
        assert (p.seat, p.moves) == (0, {"3", "3 3"})


class TestC25NoCap:
    @pytest.mark.parametrize("card", ["11", "1"])
    def test_any_number_may_lead(self, card):
        p = position(hand=f"clear {card} 4", tower="2").play("clear", card)
        assert (p.cap, p.seat) == (int(card), 1)


class TestC26OwnTurn:
    def test_only_the_seat_on_turn_moves(self):
        p = position(hand="9 9", others={1: {"hand": "clear 4"}, 2: {"hand": "clear 3"}})
        assert p.moves == {"9", "9 9"}
        p.play("9")
        assert (p.seat, p.moves) == (1, {"clear", "4"})


class TestC27OneAfterTheOther:
    def test_clear_cards(self):
        p = position(hand="clear clear 4", tower="9")
        assert p.moves == {"clear", "4"}
        p.play("clear", "clear")
        assert (p.seat, p.cleared, p.metric("clears")) == (0, "9 clear clear", 2)

    def test_from_the_open_cards(self):
        p = position(hand="4", open="clear clear", tower="9")
        assert p.moves == {"4", "open clear"}
        assert p.play("open clear").open() == "clear"


class TestC28AnySource:
    def test_lead_from_another_source(self):
        p = position(hand="clear 4", open="3", hidden="8", tower="9").play("clear")
        assert p.moves == {"4", "open 3"}
        q = position(hand="4", open="clear", hidden="8", tower="9").play("open clear")
        assert q.moves == {"4", "blind"}


class TestC44TakenBack:
    def test_it_counts_as_a_play_and_a_blind_play(self):
        p = position(hand="4", hidden="8 -2").play("blind")
        assert (p.s.plays, p.metric("blind_plays"), p.metric("minus_twos")) == (1, 1, 0)


class TestC45CountOfMinusTwos:
    def test_laid_without_collapse(self):
        p = position(hand="-2 -2 1", tower="9").play("-2 -2")
        assert p.metric("minus_twos") == 2

    @pytest.mark.parametrize(("tower", "count"), [("", 0), ("1", 1), ("9", 1)])
    def test_ending_the_round_on_a_tower(self, tower, count):
        assert position(hidden="-2", tower=tower).play("blind").metric("minus_twos") == count


class TestC47SinglyInFirstTurn:
    def test_one_minus_two(self):
        p = position(hand="-2 -2 -2 3", tower="9", first_turn=True, multiples_in_first_lap=False)
        assert p.moves == {"-2", "3"}
        p.play("-2")
        assert (p.cap, p.hand()) == (7, "3 -2 -2")


class TestC49NobodyCanLead:
    def test_the_match_is_aborted(self):
        p = position(hand="-2", others={1: {"hand": "-2"}}, players=2)
        while p.phase == "PLAY":
            p.play("pass")
        assert (p.phase, p.s.aborted, p.s.winners) == ("MATCH_OVER", 1, 0)
        assert not p.clause("play_cap")

    def test_not_while_somebody_has_open_cards_and_a_first_turn_to_come(self):
        p = position(hand="-2", others={1: {"hand": "-2", "open": "5"}}, players=2, first_turn=True)
        p.play("pass", "pass", "pass")
        assert (p.seat, p.moves) == (1, {"open 5"})

    def test_passes_count_anew_after_a_play(self):
        seats = {1: {"hand": "-2"}, 2: {"hand": "clear clear -2"}}
        p = position(hand="-2", others=seats)
        p.play("pass", "pass", "clear", "clear")
        assert p.phase == "PLAY"
        for _ in range(2 * 3):
            p.play("pass")
        assert p.phase == "PLAY"
        assert p.play("pass").phase == "MATCH_OVER"
