"""Clauses and choices about actions, sets and the ends of round and match."""

from __future__ import annotations

import pytest

from simcore.games.dnup.deck import load_deck
from tests.dnup.following import bits
from tests.dnup.position import position


class TestR1Cards:
    def test_a_card_has_two_values_one_of_them_active(self):
        p = position("2/5 7/2")
        assert p.moves == {"2", "7", "turn"}
        assert position("5/2 2/7").moves == {"2", "5", "turn"}


class TestR4Set:
    def test_cards_with_the_same_active_value_are_a_set(self):
        assert position("3/1 3/2 3/4 3/6 4/5").moves == {
            *("3", "4", "3 3", "3 3 3", "3 3 3 3", "turn"),
        }


class TestR5Clockwise:
    def test_the_turn_passes_clockwise(self):
        p = position("2/5 7/2", players=3)
        seats = [p.play("turn").seat for _ in range(3)]
        assert seats == [1, 2, 0]


class TestR6Discard:
    def test_the_old_set_goes_before_the_next_action(self):
        p = position("2/5 7/2 4/5").play("7", "turn")
        assert p.lying(0) == "7"
        p.play("turn")
        assert (p.seat, p.lying(0), p.discards) == (0, "", "2/7")


class TestR7Actions:
    def test_one_action_of_four(self):
        p = position("3/1 3/2 7/4", {1: "3/6", 2: "5/6 5/7"})
        assert p.moves == {
            *("7", "3 3", "turn", "take 3", "take 5 5"),
        } - {"3 3"}

    def test_turns_count_actions(self):
        p = position("3/1 3/2 7/4", {1: "1/6"}).play("3", "3/1", "turn")
        assert p.s.turns == 2


class TestR8GoldenRule:
    def test_what_is_taken_is_turned(self):
        p = position("8/1", {1: "2/5 2/7 2/9"}).play("take 2 2 2")
        assert p.hand(0) == "5/2 7/2 8/1 9/2"

    def test_what_is_beaten_is_turned(self):
        p = position("5/2 8/1", {1: "3/4", 2: "4/6 4/8"}, others={1: "9/1"}).play("5")
        assert p.hand(1) == "4/3 9/1"


class TestR9Play:
    def test_the_example_of_the_rules(self):
        """A single 7 and three 6s lie."""
        sets = {1: "7/1", 2: "6/1 6/2 6/3"}
        hand = "7/2 8/1 5/1 5/2 5/3 5/4 1/2 1/3 9/6"
        p = position(hand, sets)
        assert {name for name in p.moves if name[0].isdigit()} == {
            *("8", "9", "5 5", "1 1", "5 5 5 5"),
        }
        assert "7 7 7" in position("7/2 7/3 7/4 1/2", sets).moves

    def test_some_cards_may_be_kept(self):
        p = position("3/1 3/2 3/4 9/8").play("3 3", "3/1 3/4")
        assert p.lying(0) == "3 3"
        assert p.hand(0) == "3/2 9/8"

    def test_the_lower_set_goes_back(self):
        p = position("7/2 7/3 8/1", {2: "3/4 3/6"}, others={2: "9/1"}).play("7 7")
        assert (p.lying(0), p.lying(2), p.hand(2)) == ("7 7", "", "4/3 6/3 9/1")
        assert p.metric("sets_beaten") == 1


class TestR10Add:
    def test_the_example_of_the_rules_3s_stay(self):
        """No 3 can be added while two 5s lie."""
        p = position("3/1 8/2", {1: "3/6", 2: "5/6 5/7"})
        assert "add to 3" not in p.moves

    def test_the_example_of_the_rules_5s_grow(self):
        """A 5 sends two 3s back, which become a 4 and a 6."""
        p = position("5/1 8/2", {2: "5/6", 1: "3/4 3/6"}, others={1: "9/1"}).play("add to 5")
        assert p.lying(2) == "5 5"
        assert p.hand(1) == "4/3 6/3 9/1"
        assert (p.metric("cards_added"), p.metric("sets_beaten")) == (1, 1)

    def test_the_value_must_be_that_of_the_set(self):
        assert not [name for name in position("4/1 6/2", {1: "5/6"}).moves if "add" in name]


class TestR11Take:
    def test_a_whole_set_is_taken(self):
        p = position("8/1", {1: "2/5 2/7"}).play("take 2 2")
        assert (p.lying(1), p.hand(0), p.metric("sets_taken")) == ("", "5/2 7/2 8/1", 1)


class TestR12Turn:
    def test_all_hand_cards_are_turned(self):
        p = position("2/5 7/2 4/5", {1: "1/6"}).play("turn")
        assert (p.hand(0), p.lying(1)) == ("2/7 5/2 5/4", "")

    def test_twice_is_as_before(self):
        p = position("2/5 7/2 4/5")

        def look():
            return p.hand(0), p.known(0)

        before = look()
        assert p.play("turn", "turn", "turn") is p
        assert look() != before
        p.play("turn")
        assert look() == before


class TestR13FirstOut:
    def test_two_markers_and_no_more_turns(self):
        p = position("2/5", scores=(1, 0, 0)).play("2")
        assert (p.scores, p.phase, p.seat) == ([3, 0, 0], "ACTION", 1)
        p.play("turn", "turn")
        assert p.seat == 1

    def test_the_set_stays_until_all_others_had_a_turn(self):
        p = position("2/5").play("2", "turn")
        assert p.lying(0) == "2"
        p.play("turn")
        assert (p.lying(0), p.discards) == ("", "2/5")


class TestR14SecondOut:
    def test_one_marker_and_the_round_is_over(self):
        p = position("2/5", others={1: "3/1"}, players=4).play("2", "3")
        assert p.phase == "ROUND_OVER"
        assert p.score().scores == [2, 1, 0, 0]


class TestR15Goal:
    def test_four_markers_win(self):
        p = position("2/5", scores=(2, 3, 3)).play("2")
        assert (p.phase, int(p.s.winners), p.clause("goal")) == ("MATCH_OVER", 1, True)

    def test_the_second_out_can_win_too(self):
        p = position("2/5", others={1: "3/1"}, scores=(0, 3, 0)).play("2", "3").score()
        assert (p.phase, int(p.s.winners)) == ("MATCH_OVER", 2)

    def test_another_goal(self):
        assert position("2/5", scores=(2, 0, 0), markers_to_win=5).play("2").phase == "ACTION"


class TestC5StarCard:
    @pytest.mark.parametrize("hand", ["1/5* 8/2", "5/1* 8/2"])
    def test_it_need_not_be_played(self, hand):
        assert {"8", "turn"} < position(hand).moves


class TestC6WholeSet:
    def test_added_cards_are_discarded_too(self):
        p = position("2/5 8/1", others={1: "2/7 9/1"}).play("2", "add to 2", "turn")
        assert sorted(p.discards.split()) == ["2/5", "2/7"]

    def test_nothing_when_it_was_taken(self):
        p = position("2/5 8/1", others={1: "3/7 9/1"}).play("2", "take 2", "turn")
        assert p.discards == ""


class TestC7NoPassing:
    def test_turning_is_always_possible(self):
        assert "turn" in position("2/5", {1: "9/1"}).moves


class TestC8StrictlyHigher:
    def test_an_equal_value_does_not_beat(self):
        assert "7" not in position("7/2 7/3", {1: "7/1"}).moves
        assert "add to 5" not in position("5/1 8/2", {1: "5/6", 2: "5/4 5/7"}).moves


class TestC9OneOfASize:
    def test_the_table_holds_no_two_sets_of_a_size(self):
        p = position("7/2 8/2", {1: "3/1", 2: "4/1 4/2"}).play("7")
        assert [p.lying(place) for place in range(3)] == ["7", "", "4 4"]


class TestC10BeatenWhenOut:
    def test_it_is_discarded_when_beaten_by_a(self):
        p = position("7/2 8/2", {2: "3/1"}, out=2).play("7")
        assert (p.discards, p.hand(2), p.metric("sets_beaten")) == ("1/3", "", 1)

    def test_it_is_discarded_when_beaten_by_b(self):
        p = position("5/2 8/2", {3: "5/6", 2: "3/1 3/2"}, out=2, players=4).play("add to 5")
        assert (p.discards, p.hand(2), p.metric("sets_beaten")) == ("1/3 2/3", "", 1)


class TestC11Growth:
    def test_a_card_is_added_as_it_is_held(self):
        assert "add to 5" not in position("2/5 8/1", {1: "5/6"}).moves

    def test_the_size_that_becomes_free_causes_nothing(self):
        p = position("5/2 8/2", {2: "5/6", 1: "3/1 3/2 3/4"}, players=4, out=3).play("add to 5")
        assert (p.lying(2), p.metric("sets_beaten")) == ("5 5", 0)


class TestC12SetOfWhoIsOut:
    def test_it_may_grow_or_be_taken(self):
        p = position("3/2 8/2", {2: "3/1"}, out=2, players=4)
        assert {"add to 3", "take 3"} < p.moves
        assert p.play("take 3").hand(0) == "1/3 3/2 8/2"

    def test_growing_does_not_prolong_its_stay(self):
        p = position("3/2 8/2", {2: "3/1"}, out=2, players=4).play("add to 3", "turn")
        assert (p.seat, p.lying(2), p.discards) == (3, "", "1/3 2/3")


class TestC13NoLimit:
    def test_a_hand_may_grow(self):
        p = position("8/1 8/2 8/3 8/4 8/5 8/6 8/7", {1: "2/5 2/7 2/9"}).play("take 2 2 2")
        assert len(p.s.hand[0]) == 10


class TestC14AlsoByAdding:
    def test_the_last_card_may_be_added(self):
        p = position("5/2", {1: "5/6"}).play("add to 5")
        assert p.scores == [2, 0, 0]

    def test_a_set_beaten_later_does_not_undo_it(self):
        p = position("2/5", others={1: "3/1 9/8"}).play("2", "3")
        assert (p.scores, p.hand(0), p.discards) == ([2, 0, 0], "", "2/5")


class TestC15WhenExactly:
    def test_the_seat_before_can_still_meet_it(self):
        p = position("2/5", others={2: "3/1 9/8"}).play("2", "turn")
        assert "take 2" in p.moves
        p.play("turn")
        assert (p.seat, p.moves & {"take 2"}) == (1, set())


class TestC16NothingForOthers:
    def test_three_markers_a_round(self):
        p = position("2/5", others={1: "3/1"}, players=5).play("2", "3").score()
        assert sum(p.scores) == 3


class TestC17AtOnce:
    def test_the_match_ends_in_mid_round(self):
        p = position("2/5", others={1: "3/1"}, scores=(3, 3, 0)).play("2")
        assert (p.phase, p.scores) == ("MATCH_OVER", [5, 3, 0])


class TestC19Skipped:
    def test_who_is_out_has_no_turn(self):
        p = position("2/5 8/1", out=1, players=4).play("turn")
        assert p.seat == 2


class TestC25Known:
    def test_discards_and_cards_taken_are_remembered(self):
        p = position("2/5 7/2 8/1", {1: "3/4 3/6"}).play("take 3 3")
        assert p.known(0) == "4/3 6/3"
        p.play("turn", "turn", "turn")
        assert (p.known(0), p.known(1)) == ("3/4 3/6", "")
        p.play("turn", "turn", "3", "3/4")
        assert p.known(0) == "3/6"

    def test_what_is_beaten_is_known(self):
        p = position("5/2 8/1", {1: "3/4"}).play("5")
        assert p.known(1) == "4/3"


class TestC26Pick:
    def test_each_subset(self):
        p = position("3/1 3/2 3/4 9/8").play("3 3")
        assert p.phase == "PICK"
        assert p.listed == ["3/1 3/2", "3/1 3/4", "3/2 3/4"]

    def test_also_what_is_added(self):
        p = position("5/1 5/2 8/1", {1: "5/6"}).play("add to 5")
        assert p.moves == {"5/1", "5/2"}

    def test_no_choice_among_cards_that_are_alike(self):
        p = position("1/9 1/9 8/2", players=5).play("1")
        assert (p.phase, p.hand(0)) == ("ACTION", "1/9 8/2")

    def test_alike_cards_count_apart_when_there_is_another(self):
        p = position("1/9 1/9 1/4 8/2", players=5).play("1")
        assert p.listed == ["1/4", "1/9", "1/9"]

    def test_no_choice_when_all_are_played(self):
        assert position("3/1 3/2 9/8").play("3 3").phase == "ACTION"


class TestC27Order:
    def test_moves_are_listed_by_action_size_and_value(self):
        p = position("3/1 3/2 5/1 8/1 8/2", {1: "3/4", 2: "5/6 5/7"}, players=4)
        assert p.listed == [
            *("5", "8", "8 8", "turn", "add to 5 5", "take 3", "take 5 5"),
        ]
        assert list(p.plain.moves(p.s)) == sorted(p.plain.moves(p.s))


class TestC28Cap:
    def test_the_cap_aborts(self):
        p = position("2/5 8/1", turns=99, turn_cap=100).play("turn")
        assert (p.phase, int(p.s.aborted), p.clause("turn_cap")) == ("MATCH_OVER", 1, True)

    def test_not_when_the_action_ends_the_round(self):
        p = position("2/5", out=1, turns=99, turn_cap=100).play("2")
        assert p.phase == "ROUND_OVER"


class TestC29Aborted:
    def test_no_winner_and_no_markers_of_the_round(self):
        p = position("2/5", scores=(1, 3, 0), turns=98, turn_cap=100).play("2", "turn")
        assert (p.scores, int(p.s.winners)) == ([1, 3, 0], 0)


class TestC30Lead:
    def test_other_leaders_than_before(self):
        p = position("2/5", others={1: "3/1"}, scores=(0, 1, 0))
        p.s.round_number, p.s.leaders = 2, 2
        p.play("2", "3").score()
        assert p.metric("lead_changes") == 1

    def test_the_first_round_changes_nothing(self):
        p = position("2/5", others={1: "3/1"}).play("2", "3").score()
        assert (p.metric("lead_changes"), int(p.s.leaders)) == (0, 1)

    def test_a_round_cut_short_does_not_count(self):
        p = position("2/5", scores=(3, 4, 0), markers_to_win=5)
        p.s.round_number, p.s.leaders = 2, 2
        assert p.play("2").metric("lead_changes") == 0


def test_the_deck_of_tests_is_profile_a():
    assert len(bits((1 << len(load_deck("a"))) - 1)) == 40
