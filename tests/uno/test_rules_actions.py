"""Action and wild cards, challenges. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.uno.following import named
from tests.uno.position import dealt, position

FOUR = "wild draw four, blue 1, blue 2"


class TestR10DrawTwo:
    def test_the_next_player_draws_two_and_misses_the_turn(self):
        p = position("red draw two, blue 1", "red 7", players=4).play("red draw two")
        assert [p.count(seat) for seat in range(4)] == [1, 5, 3, 3]
        assert p.seat == 2

    def test_on_its_colour_or_its_face(self):
        assert "red draw two" in position("red draw two, blue 1", "red 7").moves
        assert "red draw two" in position("red draw two, blue 1", "blue draw two").moves
        assert "red draw two" not in position("red draw two, blue 1", "blue skip").moves

    def test_as_the_first_card(self):
        p = dealt("red draw two", players=4, dealer=3)
        assert [p.count(seat) for seat in range(4)] == [9, 7, 7, 7]
        assert p.seat == 1


class TestR11Reverse:
    def test_the_direction_turns(self):
        p = position("red reverse, blue 1", "red 7", players=4).play("red reverse")
        assert (p.direction, p.seat) == (-1, 3)

    def test_and_turns_back(self):
        p = position(
            "red reverse, blue 1", "red 7", players=4, others={3: "blue reverse, red 1"}
        ).play("red reverse", "blue reverse")
        assert (p.direction, p.seat) == (1, 0)

    def test_as_the_first_card_the_dealer_begins(self):
        assert dealt("red reverse", players=4, dealer=2).seat == 2


class TestR12Skip:
    @pytest.mark.parametrize(("turned", "seat"), [(False, 2), (True, 2)])
    def test_the_next_player_is_passed_over(self, turned, seat):
        p = position("red skip, blue 1", "red 7", players=4, counter_clockwise=turned)
        assert p.play("red skip").seat == seat

    def test_with_three_players_in_either_direction(self):
        assert position("red skip, blue 1", "red 7").play("red skip").seat == 2
        turned = position("red skip, blue 1", "red 7", counter_clockwise=True)
        assert turned.play("red skip").seat == 1

    def test_as_the_first_card(self):
        assert dealt("red skip", players=4, dealer=3).seat == 1
        assert dealt("red skip", players=2, dealer=1).seat == 1


class TestR13Wild:
    def test_names_the_colour(self):
        p = position("wild, blue 1", "red 7").play("wild")
        assert (p.seat, p.phase, p.moves) == (0, "COLOUR", {"blue", "green", "red", "yellow"})
        p.play("red")
        assert (p.seat, p.phase, p.colour, p.top) == (1, "PLAY", "red", "wild")

    def test_as_the_first_card_the_left_neighbour_names_it(self):
        p = dealt("wild", players=4, dealer=3)
        assert (p.seat, p.phase) == (0, "COLOUR")


class TestR14WildDrawFour:
    def test_the_next_player_draws_four_and_misses_the_turn(self):
        p = position(FOUR, "red 7", players=4).play("wild draw four", "green", "accept")
        assert [p.count(seat) for seat in range(4)] == [2, 7, 3, 3]
        assert (p.seat, p.colour) == (2, "green")

    def test_only_without_a_card_of_the_colour(self):
        assert "wild draw four" in position(FOUR, "red 7", challenge="off").moves
        assert "wild draw four" not in position(FOUR, "blue 7", challenge="off").moves

    def test_cards_that_match_by_face_do_not_forbid_it(self):
        hand = "wild draw four, blue 7, green 1"
        assert position(hand, "red 7", challenge="off").moves == {
            "blue 7",
            "wild draw four",
            "draw",
        }

    def test_never_the_first_card(self):
        assert dealt("wild draw four", players=3).top != "wild draw four"


class TestR15Challenge:
    def test_guilty(self):
        p = position(FOUR, "blue 7").play("wild draw four", "green")
        assert (p.seat, p.phase, p.moves) == (1, "CHALLENGE", {"accept", "challenge"})
        p.play("challenge")
        assert [p.count(seat) for seat in range(3)] == [6, 3, 3]
        assert (p.metric("challenges"), p.metric("caught"), p.metric("bluffs")) == (1, 1, 1)

    def test_innocent(self):
        p = position(FOUR, "red 7").play("wild draw four", "green", "challenge")
        assert [p.count(seat) for seat in range(3)] == [2, 9, 3]
        assert (p.seat, p.metric("challenges"), p.metric("caught")) == (2, 1, 0)

    def test_the_hand_is_shown(self):
        p = position(FOUR, "red 7").play("wild draw four", "green", "challenge")
        assert p.s.knows[1] == 0
        assert named(p.s.hand_seen[1]) == {"blue 1": 1, "blue 2": 1}
        assert p.s.knows[2] == -1


class TestC6TwoPlayers:
    def test_a_reverse_is_a_skip(self):
        p = position("red reverse, red 1, blue 1", "red 7", players=2).play("red reverse")
        assert p.seat == 0

    def test_or_not(self):
        p = position("red reverse, red 1", "red 7", players=2, reverse_two_players="none").play(
            "red reverse"
        )
        assert p.seat == 1

    def test_as_the_first_card_the_dealer_begins(self):
        for value in ("skip", "none"):
            p = dealt("red reverse", players=2, dealer=1, reverse_two_players=value)
            assert p.seat == 1

    @pytest.mark.parametrize("value", ["skip", "none"])
    @pytest.mark.parametrize(("hand", "laid"), [("red reverse", True), ("red 1", False)])
    def test_the_clause_is_of_reverses_laid_not_of_one_turned_up(self, value, hand, laid):
        p = dealt("red reverse", players=2, dealer=1, reverse_two_players=value)
        p.hold(1, f"{hand}, red 2")
        p.hold(0, "red 3, red 4")
        p.play(hand)
        p.hold(p.seat, "red 2")
        assert p.play("red 2").score().clause("reverse_two") == laid

    @pytest.mark.parametrize("players", [2, 3])
    def test_the_clause_is_of_two_players(self, players):
        p = position("red reverse, red 1", "red 7", players=players).play("red reverse")
        p.hold(p.seat, "red 2")
        assert p.play("red 2").score().clause("reverse_two") == (players == 2)

    def test_skip_and_draw_two_come_back_too(self):
        assert position("red skip, blue 1", "red 7", players=2).play("red skip").seat == 0
        p = position("red draw two, blue 1", "red 7", players=2).play("red draw two")
        assert (p.seat, p.count(1)) == (0, 5)

    def test_three_players_do_not_care(self):
        for value in ("skip", "none"):
            p = position("red reverse, red 1", "red 7", reverse_two_players=value)
            assert p.play("red reverse").seat == 2


class TestC10NoStacking:
    @pytest.mark.parametrize("laid", ["red draw two", "wild draw four"])
    def test_a_draw_card_does_not_help(self, laid):
        others = {1: "red draw two, wild draw four, red 2"}
        p = position(f"{laid}, blue 1, blue 2", "red 7", others=others).play(laid)
        if laid == "wild draw four":
            assert p.play("red").moves == {"accept", "challenge"}
            p.play("accept")
        assert p.count(1) == (5 if laid == "red draw two" else 7)
        assert p.seat == 2


class TestC11Colour:
    @pytest.mark.parametrize("card", ["red skip", "red draw two", "red reverse", "red 0"])
    def test_every_card_of_the_colour_forbids_it(self, card):
        hand = f"wild draw four, {card}, blue 1"
        assert "wild draw four" not in position(hand, "red 7", challenge="off").moves
        assert position(hand, "red 7").play("wild draw four").metric("bluffs") == 1

    @pytest.mark.parametrize("card", ["wild", "wild draw four", "blue 7", "blue skip"])
    def test_no_other_card_does(self, card):
        for top in ("red 7", "red skip"):
            hand = f"wild draw four, {card}, blue 1"
            assert "wild draw four" in position(hand, top, challenge="off").moves
            assert position(hand, top).play("wild draw four").metric("bluffs") == 0

    def test_on_a_wild_the_named_colour_counts(self):
        hand = "wild draw four, blue 1, green 1"
        assert "wild draw four" not in position(hand, "wild blue", challenge="off").moves
        assert "wild draw four" in position(hand, "wild red", challenge="off").moves


class TestC12Victim:
    def test_only_the_next_player_is_asked(self):
        p = position(FOUR, "red 7", players=4, counter_clockwise=True)
        p.play("wild draw four", "green")
        assert (p.seat, p.phase) == (3, "CHALLENGE")
        assert p.play("accept").phase == "PLAY"

    def test_nobody_with_challenge_off(self):
        p = position(FOUR, "red 7", challenge="off").play("wild draw four", "green")
        assert (p.phase, p.seat, p.count(1)) == ("PLAY", 2, 7)


class TestC13Caught:
    def test_card_and_colour_stand_and_the_turn_is_normal(self):
        p = position(FOUR, "blue 7", others={1: "green 4, red 1"})
        p.play("wild draw four", "green", "challenge")
        assert (p.seat, p.phase, p.top, p.colour) == (1, "PLAY", "wild draw four", "green")
        assert p.moves == {"green 4", "draw"}
        assert p.s.turns == 2


class TestC14Bluff:
    def test_is_possible(self):
        p = position(FOUR, "blue 7")
        assert "wild draw four" in p.moves
        p.play("wild draw four", "green", "accept")
        assert (p.metric("bluffs"), p.count(1), p.seat) == (1, 7, 2)

    def test_the_last_card_is_always_legal(self):
        p = position("wild draw four", "blue 7").play("wild draw four")
        assert (p.phase, p.metric("bluffs")) == ("ROUND_OVER", 0)


class TestC28Shown:
    def test_as_it_was_when_challenged(self):
        p = position(FOUR, "blue 7").play("wild draw four", "green", "challenge")
        assert named(p.s.hand_seen[1]) == {"blue 1": 1, "blue 2": 1}
        assert p.count() == 6


class TestC31Turns:
    def test_colour_and_challenge_are_no_turns(self):
        p = position(FOUR, "red 7").play("wild draw four", "green")
        assert p.s.turns == 1
        assert p.play("accept").s.turns == 2

    def test_seats_passed_over_have_none(self):
        assert position("red skip, blue 1", "red 7").play("red skip").s.turns == 2


class TestC32Memory:
    def test_what_somebody_drew_on_and_laid(self):
        p = position("blue 1, red 2", "red 7", stock="green 1, green 2")
        p.play("draw")
        assert p.s.drew_on[0] == p.s.top
        p = position("blue 1, red 2", "red 7").play("red 2")
        assert p.s.last_laid[0] == p.s.top

    def test_it_is_void_after_other_cards_were_drawn(self):
        p = position("red draw two, red 2, red 3", "red 7")
        p.s.drew_on[1] = p.s.top
        assert p.play("red draw two").s.drew_on[1] == -1

    def test_what_the_layer_of_a_wild_draw_four_laid_before(self):
        p = position(FOUR, "green 7")
        p.s.last_laid[0] = 7
        p.play("wild draw four")
        assert (p.s.laid_before, p.s.colour_before, p.s.layer) == (7, 1, 0)

    def test_the_discard_pile(self):
        p = position("red 2, red 3", "red 7", pile="red 2").play("red 2")
        assert p.discards == {"red 7": 1, "red 2": 2}
