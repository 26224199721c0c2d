"""House rules: how cards are drawn, stacked, laid out of turn, and hands swapped."""

from __future__ import annotations

import pytest

from simcore.errors import InputError
from simcore.games.uno.state import DRAW_FOUR, NOBODY
from tests.uno.following import UNO
from tests.uno.position import dealt, position

FOUR = "wild draw four, blue 1, blue 2"
SIX = ", ".join(f"{colour} {face}" for colour in ("yellow", "green") for face in range(3, 10))


class TestH10DrawUntilPlayable:
    def test_one_draws_until_a_card_goes(self):
        p = position(
            "blue 1, blue 2",
            "red 7",
            stock="green 1, yellow 2, red 3, red 4",
            draw="until_playable",
        ).play("draw")
        assert (p.phase, p.moves) == ("DRAWN", {"red 3", "keep"})
        assert (p.count(), p.clause("draw")) == (5, True)
        assert p.play("keep").seat == 1

    def test_a_card_that_goes_at_once_is_the_only_one(self):
        p = position("blue 1, blue 2", "red 7", stock="red 3, red 4", draw="until_playable")
        assert p.play("draw").count() == 3
        assert not p.clause("draw")

    def test_by_choice_as_well(self):
        p = position("red 1, blue 2", "red 7", stock="green 1, red 3", draw="until_playable")
        assert p.play("draw").count() == 4

    def test_a_bluff_can_be_played_where_it_may_be_challenged(self):
        stock = "wild draw four, red 3"
        p = position("red 1, blue 2", "red 7", stock=stock, draw="until_playable")
        assert p.play("draw").moves == {"wild draw four", "keep"}
        p = position("red 1, blue 2", "red 7", stock=stock, draw="until_playable", challenge="off")
        assert p.play("draw").moves == {"red 3", "keep"}

    def test_without_cards_left_the_turn_passes(self):
        p = position("blue 1, blue 2", "red 7", stock="green 1, green 2", draw="until_playable")
        p.play("draw")
        assert (p.phase, p.seat, p.count()) == ("PLAY", 1, 4)
        assert p.s.last_idle_turn == -1


class TestH11MustPlay:
    def test_draw_is_no_move_with_an_honest_card(self):
        assert position("red 1, blue 2", "red 7", must_play=True).moves == {"red 1"}
        assert position("wild, blue 2", "red 7", must_play=True).moves == {"wild"}
        p = position("green 1, blue 2", "red 7", must_play=True)
        assert p.moves == {"draw"}
        assert not p.clause("must_play")

    def test_a_bluff_is_beside_it_but_never_a_must(self):
        hand = "wild draw four, red 1, blue 2"
        assert position(hand, "red 7", must_play=True).moves == {"red 1", "wild draw four"}
        hand = "wild draw four, green 1, blue 2"
        assert position(hand, "red 7", must_play=True).moves == {"wild draw four"}
        hand = "wild draw four, red skip"
        p = position(hand, "red 7", must_play=True, last_card="number")
        assert p.moves == {"red skip", "wild draw four"}

    def test_a_card_drawn_is_laid(self):
        p = position("blue 1, blue 2", "red 7", stock="red 3, red 4", must_play=True)
        assert p.play("draw").moves == {"red 3"}
        assert p.clause("must_play")
        stock = "wild draw four, red 3"
        p = position("blue 1, blue 2", "blue draw two", stock=stock, must_play=True)
        assert p.moves == {"blue 1", "blue 2"}

    def test_a_bluff_drawn_may_be_kept(self):
        p = position("wild draw four, red 1", "red 7", must_play=True)
        p.s.phase = 3
        p.s.drawn[0] = DRAW_FOUR
        assert p.moves == {"wild draw four", "keep"}


class TestH12LastCard:
    @pytest.mark.parametrize("card", ["red skip", "wild", "wild draw four", "red draw two"])
    def test_no_other_is_played(self, card):
        p = position(card, "red 7", last_card="number")
        assert p.moves == {"draw"}
        assert p.clause("last_card")
        assert card in position(card, "red 7").moves

    def test_a_number_is(self):
        p = position("red 3", "red 7", last_card="number").play("red 3")
        assert (p.phase, p.clause("last_card")) == ("ROUND_OVER", False)

    def test_on_a_stack_and_out_of_turn_neither(self):
        options = {"last_card": "number", "stacking": "same", "jump_in": True}
        p = position("red draw two, blue 1", "red 7", others={1: "blue draw two"}, **options)
        assert p.play("red draw two").count(1) == 3
        p = position("red skip, blue 1", "red 7", others={1: "red skip"}, **options)
        assert p.play("red skip").phase == "PLAY"

    def test_without_numbers_it_is_refused(self):
        with pytest.raises(
            InputError, match="last_card = 'number' is refused without number cards"
        ):
            UNO.resolve({"zeros": 0, "numbers": 0, "last_card": "number", "hand_size": 2})


class TestH13Stacking:
    def test_the_victim_may_lay_another_and_the_next_draws_the_sum(self):
        others = {1: "green draw two, red 1", 2: "blue 1, blue 2"}
        p = position("red draw two, blue 1", "red 7", others=others, stock=SIX, stacking="same")
        p.play("red draw two")
        assert (p.seat, p.phase, p.moves) == (1, "STACK", {"green draw two", "draw"})
        p.play("green draw two")
        assert [p.count(seat) for seat in range(3)] == [1, 1, 6]
        assert (p.seat, p.phase, p.s.turns) == (0, "PLAY", 2)
        assert (p.metric("stacks"), p.metric("largest_stack")) == (1, 4)
        assert p.clause("stacking")

    def test_or_draw(self):
        others = {1: "green draw two, red 1"}
        p = position("red draw two, blue 1", "red 7", others=others, stacking="same")
        p.play("red draw two", "draw")
        assert (p.count(1), p.seat, p.metric("stacks"), p.metric("largest_stack")) == (4, 2, 0, 0)

    @pytest.mark.parametrize(
        ("stacking", "top", "moves"),
        [
            ("same", "red draw two", {"red draw two", "green draw two", "draw"}),
            ("any", "red draw two", {"red draw two", "green draw two", "wild draw four", "draw"}),
            ("same", "wild draw four red", {"wild draw four", "draw"}),
            ("any", "wild draw four red", {"red draw two", "wild draw four", "draw"}),
        ],
    )
    def test_what_goes_on_what(self, stacking, top, moves):
        p = position(
            "red draw two, green draw two, wild draw four, wild, red 1", top, stacking=stacking
        )
        p.s.phase = 6
        assert p.moves == moves

    def test_only_who_accepts_may_stack(self):
        others = {1: "wild draw four, red 1, red 2", 2: "red 5, red 6"}
        p = position(FOUR, "red 7", others=others, stock=SIX, stacking="same")
        p.play("wild draw four", "green")
        assert p.moves == {"accept", "challenge"}
        p.play("accept")
        assert (p.seat, p.phase) == (1, "STACK")
        p.play("wild draw four", "blue")
        assert (p.count(2), p.seat, p.metric("bluffs"), p.metric("wild_draw_fours")) == (
            10,
            0,
            0,
            2,
        )

    @pytest.mark.parametrize(
        ("top", "seat", "cards"), [("blue 7", 1, [6, 3]), ("red 7", 2, [2, 9])]
    )
    def test_a_challenge_ends_the_stack(self, top, seat, cards):
        others = {1: "wild draw four, red 1, red 2"}
        p = position(FOUR, top, others=others, stock=SIX, stacking="any")
        p.play("wild draw four", "green", "challenge")
        assert (p.seat, p.phase, [p.count(0), p.count(1)]) == (seat, "PLAY", cards)
        assert (p.s.stack, p.s.due) == (0, 0)

    def test_the_last_card_ends_the_round_and_the_next_draws_the_sum(self):
        others = {1: "green draw two", 2: "yellow draw two, blue 2"}
        p = position("red draw two, blue 1", "red 7", others=others, stock=SIX, stacking="same")
        p.play("red draw two", "green draw two")
        assert (p.phase, p.count(2), p.metric("largest_stack")) == ("ROUND_OVER", 6, 4)

    def test_the_first_card_is_the_first_of_a_stack(self):
        p = dealt("red draw two", players=3, dealer=2, stacking="same", jump_in=True)
        p.hold(0, "green draw two, red 1, red 2")
        p.s.phase, p.s.seat, p.s.due, p.s.stack = 6, 0, 2, 1
        p.s.turns = 0
        p.hold(1, "red 5, red 6")
        assert p.play("green draw two").count(1) == 6
        assert p.s.turns == 1

    def test_with_two_players_and_nothing_to_draw(self):
        others = {1: "green draw two, red 1"}
        options = {"players": 2, "stacking": "same", "draw_two_cards": 0}
        p = position("red draw two, blue draw two, blue 1", "red 7", others=others, **options)
        p.play("red draw two", "green draw two", "blue draw two")
        assert (p.count(0), p.count(1), p.seat, p.metric("stacks")) == (1, 1, 0, 2)


class TestH14JumpIn:
    def test_who_holds_the_same_card_may_lay_it(self):
        others = {1: "red 1, red 2", 2: "red 5, red 6, red 8"}
        p = position("red 5, blue 1", "red 7", others=others, jump_in=True).play("red 5")
        assert (p.seat, p.phase, p.moves) == (2, "JUMP", {"red 5", "decline"})
        p.play("red 5")
        assert (p.seat, p.phase, p.metric("jump_ins"), p.s.turns) == (0, "PLAY", 1, 2)
        assert p.clause("jump_in")

    def test_or_not(self):
        others = {2: "red 5, red 6, red 8"}
        p = position("red 5, blue 1", "red 7", others=others, jump_in=True).play("red 5", "decline")
        assert (p.seat, p.phase, p.metric("jump_ins")) == (1, "PLAY", 0)

    def test_the_seat_on_turn_next_is_not_asked(self):
        others = {1: "red 5, red 6"}
        p = position("red 5, blue 1", "red 7", others=others, jump_in=True).play("red 5")
        assert (p.seat, p.phase) == (1, "PLAY")

    def test_who_laid_it_is_asked_last(self):
        others = {2: "red 5, red 6"}
        options = {"players": 4, "jump_in": True, "numbers": 4}
        p = position("red 5, red 5, blue 1", "red 7", others=others, **options).play("red 5")
        assert p.seat == 2
        assert p.play("decline").seat == 0
        assert p.play("red 5").seat == 2

    def test_a_skip_acts_from_the_jumper(self):
        others = {1: "red skip, red 6", 2: "red 1, red 2"}
        p = position("red skip, blue 1", "red 7", others=others, players=4, jump_in=True)
        p.play("red skip")
        assert (p.seat, p.phase) == (1, "JUMP")
        assert p.play("red skip").seat == 3

    def test_a_draw_two_makes_draw_before_and_after(self):
        others = {3: "red draw two, red 1"}
        p = position("red draw two, blue 1", "red 7", others=others, players=4, jump_in=True)
        p.play("red draw two", "red draw two")
        assert [p.count(seat) for seat in range(4)] == [3, 5, 3, 1]
        assert p.seat == 1

    def test_nobody_jumps_in_upon_the_first_card_or_a_wild_card(self):
        p = dealt("red draw two", players=3, dealer=2, jump_in=True, draw_twos=4)
        assert p.phase == "PLAY"
        p = position("wild, blue 1", "red 7", others={2: "wild, red 1"}, jump_in=True)
        assert p.play("wild", "red").phase == "PLAY"

    def test_a_forgotten_call_is_punished(self):
        others = {2: "red 5, blue 6"}
        p = position("red 5, blue 1, blue 2", "red 7", others=others, jump_in=True, forget_uno=1.0)
        assert p.play("red 5", "red 5").count(2) == 3

    def test_the_last_card_ends_the_round(self):
        p = position("red 5, blue 1", "red 7", others={2: "red 5"}, jump_in=True)
        assert p.play("red 5", "red 5").phase == "ROUND_OVER"


class TestH15SevenZero:
    def test_a_seven_swaps_hands(self):
        others = {1: "red 1, red 2", 2: "green 1, green 2, green 3"}
        p = position("red 7, blue 1", "red 9", others=others, seven_zero=True).play("red 7")
        assert (p.seat, p.phase, p.moves) == (0, "SWAP", {"swap 1", "swap 2"})
        p.play("swap 2")
        assert [p.hand(seat) for seat in range(3)] == [
            "green 1, green 2, green 3",
            "red 1, red 2",
            "blue 1",
        ]
        assert [p.count(seat) for seat in range(3)] == [3, 2, 1]
        assert (p.seat, p.metric("swaps"), p.clause("seven_zero")) == (1, 1, True)

    def test_with_two_players_there_is_no_choice(self):
        p = position(
            "red 7, blue 1", "red 9", others={1: "green 1, green 2"}, players=2, seven_zero=True
        )
        assert p.play("red 7").phase == "PLAY"
        assert (p.hand(0), p.hand(1)) == ("green 1, green 2", "blue 1")

    @pytest.mark.parametrize(("turned", "giver"), [(False, [2, 0, 1]), (True, [1, 2, 0])])
    def test_a_zero_passes_all_hands_on(self, turned, giver):
        hands = ["blue 1", "green 1, green 2", "yellow 1, yellow 2, yellow 3"]
        others = {1: hands[1], 2: hands[2]}
        p = position(
            "red 0, blue 1", "red 9", others=others, counter_clockwise=turned, seven_zero=True
        ).play("red 0")
        assert [p.hand(seat) for seat in range(3)] == [hands[one] for one in giver]
        assert p.metric("swaps") == 1

    def test_a_card_that_ends_the_round_does_not(self):
        for card in ("red 7", "red 0"):
            p = position(card, "red 9", seven_zero=True).play(card)
            assert (p.phase, p.metric("swaps")) == ("ROUND_OVER", 0)

    def test_a_forgotten_call_is_punished_before(self):
        p = position("red 0, blue 1", "red 9", forget_uno=1.0, seven_zero=True).play("red 0")
        assert p.count(1) == 3

    def test_a_jump_in_follows(self):
        others = {1: "green 1, green 2", 2: "red 7, yellow 2, yellow 3"}
        p = position("red 7, blue 1", "red 9", others=others, seven_zero=True, jump_in=True)
        p.play("red 7", "swap 2")
        assert (p.seat, p.phase) == (0, "JUMP")


class TestH16Pairs:
    def test_an_equal_card_may_be_laid_with_it(self):
        for answer, left in (("red 5", 2), ("decline", 3)):
            p = position("red 5, red 5, blue 1, blue 2", "red 7", pairs=True).play("red 5")
            assert (p.seat, p.phase, p.moves) == (0, "PAIR", {"red 5", "decline"})
            p.play(answer)
            assert (p.count(), p.seat, p.phase, p.s.turns) == (left, 1, "PLAY", 2)
            assert p.clause("pairs")

    @pytest.mark.parametrize("hand", ["red 5, blue 5, blue 1", "wild, wild, blue 1"])
    def test_only_a_card_of_the_same_colour_and_face(self, hand):
        p = position(hand, "red 7", pairs=True).play(hand.split(",")[0])
        assert p.phase in {"PLAY", "COLOUR"}
        assert not p.clause("pairs")

    def test_without_the_rule_it_is_not_asked(self):
        assert position("red 5, red 5, blue 1", "red 7").play("red 5").phase == "PLAY"

    def test_not_after_a_draw(self):
        p = position("red 5, blue 1", "red 7", stock="red 5", pairs=True)
        assert p.play("draw", "red 5").seat == 1

    def test_draw_twos_add_up(self):
        hand = "red draw two, red draw two, blue 1"
        p = position(hand, "red 7", stock=SIX, pairs=True).play("red draw two")
        assert p.count(1) == 3
        p.play("red draw two")
        assert (p.count(1), p.seat) == (7, 2)
        p = position(hand, "red 7", stock=SIX, pairs=True).play("red draw two", "decline")
        assert (p.count(1), p.seat) == (5, 2)

    def test_and_are_stacked_upon(self):
        others = {1: "green draw two, red 1", 2: "blue 1, blue 2"}
        hand = "red draw two, red draw two, blue 1"
        p = position(hand, "red 7", others=others, stock=SIX, pairs=True, stacking="same")
        p.play("red draw two", "red draw two", "green draw two")
        assert (p.count(2), p.metric("largest_stack")) == (8, 6)

    def test_what_else_they_do_they_do_once(self):
        p = position("red skip, red skip, blue 1", "red 7", pairs=True)
        assert p.play("red skip", "red skip").seat == 2
        p = position("red reverse, red reverse, blue 1", "red 7", pairs=True)
        assert p.play("red reverse", "red reverse").seat == 2
        assert p.s.backwards == 1
        p = position("red 0, red 0, blue 1", "red 7", pairs=True, seven_zero=True, zeros=2)
        p.play("red 0")
        assert p.metric("swaps") == 0
        assert p.play("red 0").metric("swaps") == 1

    def test_uno_is_called_when_both_lie(self):
        forget = {"pairs": True, "forget_uno": 1.0}
        p = position("red 5, red 5, blue 1", "red 7", **forget).play("red 5")
        assert p.metric("uno_penalties") == 0
        assert p.play("red 5").count() == 3
        for answer, left, penalties in (("red 5", 0, 0), ("decline", 3, 1)):
            p = position("red 5, red 5", "red 7", **forget).play("red 5")
            assert (p.count(), p.metric("uno_penalties")) == (1, 0)
            p.play(answer)
            assert (p.count(), p.metric("uno_penalties")) == (left, penalties)

    def test_two_as_the_last_cards(self):
        p = position("red draw two, red draw two", "red 7", stock=SIX, pairs=True)
        p.play("red draw two", "red draw two")
        assert (p.phase, p.count(1)) == ("ROUND_OVER", 7)
        p = position("red skip, red skip", "red 7", pairs=True, last_card="number")
        assert p.play("red skip").phase == "PLAY"
        assert p.clause("last_card")

    def test_a_jump_in_follows(self):
        others = {2: "red 5, red 1"}
        p = position("red 5, red 5, blue 1", "red 7", others=others, pairs=True, jump_in=True)
        p.play("red 5", "red 5")
        assert (p.seat, p.phase) == (2, "JUMP")


class TestC34KnownHands:
    def test_who_gave_a_hand_away_knows_it(self):
        p = position("red 7, blue 1", "red 9", seven_zero=True).play("red 7", "swap 2")
        assert list(p.s.knows) == [2, NOBODY, 0]
        assert p.s.hand_seen[0] == p.s.hand[2]
        assert p.hand(2) == "blue 1"

    def test_what_was_shown_goes_with_the_hand(self):
        p = position("red 7, blue 1", "red 9", seven_zero=True)
        p.s.knows[1] = 0
        p.s.drew_on[0] = 5
        p.play("red 7", "swap 2")
        assert p.s.knows[1] == 2
        assert list(p.s.drew_on) == [-1, -1, 5]


class TestAnyMayChallenge:
    def ask(self, top):
        p = position(FOUR, top, players=4, stock=SIX, challenge="any")
        return p.play("wild draw four", "green")

    def test_all_but_the_accused_are_asked(self):
        p = self.ask("red 7")
        for seat in (1, 2, 3):
            assert (p.seat, p.phase) == (seat, "CHALLENGE")
            p.play("accept")
        assert (p.count(1), p.seat) == (7, 2)

    def test_a_wrong_challenger_draws_instead_and_the_victim_misses_the_turn(self):
        p = self.ask("red 7").play("accept", "challenge")
        assert [p.count(seat) for seat in range(4)] == [2, 3, 9, 3]
        assert p.seat == 2

    def test_a_right_one_makes_the_layer_draw(self):
        p = self.ask("blue 7").play("accept", "accept", "challenge")
        assert [p.count(seat) for seat in range(4)] == [6, 3, 3, 3]
        assert (p.seat, p.metric("caught"), p.s.knows[3]) == (1, 1, 0)
