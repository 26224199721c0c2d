"""House rules: how cards are drawn, stacked, laid out of turn, and hands swapped.

Rows bear the marks of RULES.md.
"""

from __future__ import annotations

import pytest

from simcore.errors import InputError
from simcore.games.uno.state import DRAW_FOUR, DRAWN, NOBODY, STACK
from tests.uno.following import UNO
from tests.uno.position import dealt, position
from tests.uno.rows import Rows


class TestDrawing(Rows):
    rows = """
    [H10] draw until playable | top red 7; draw = "until_playable"
        until a card goes | hand blue 1, blue 2; stock green 1, yellow 2, red 3, red 4
            | draw | phase = DRAWN; moves = red 3, keep; count = 5; clause draw
            | keep | seat = 1
        a card that goes at once is the only one | hand blue 1, blue 2; stock red 3, red 4
            | draw | count = 3; no clause draw
        by choice as well | hand red 1, blue 2; stock green 1, red 3 | draw | count = 4
        a bluff can be played where it may be challenged
            | hand red 1, blue 2; stock wild draw four, red 3
            | draw | moves = wild draw four, keep
        and nowhere else | hand red 1, blue 2; stock wild draw four, red 3; challenge = "off"
            | draw | moves = red 3, keep
        without cards left the turn passes | hand blue 1, blue 2; stock green 1, green 2
            | draw | phase = PLAY; seat = 1; count = 4; s.last_idle_turn = -1
    [H11] must play | top red 7; must_play = True
        draw is no move with an honest card | hand red 1, blue 2 | | moves = red 1
        a wild card is honest | hand wild, blue 2 | | moves = wild
        without one | hand green 1, blue 2 | | moves = draw; no clause must_play
        a bluff is beside it | hand wild draw four, red 1, blue 2 | | moves = red 1, wild draw four
        a wild draw four without its colour is a must | hand wild draw four, green 1, blue 2
            | | moves = wild draw four
        also when a last card may be a number only
            | hand wild draw four, red skip; last_card = "number"
            | | moves = red skip, wild draw four
        a card drawn is laid | hand blue 1, blue 2; stock red 3, red 4
            | draw | moves = red 3; clause must_play
    [H11] must play on a draw two | top blue draw two; must_play = True
        its colour | hand blue 1, blue 2; stock wild draw four, red 3 | | moves = blue 1, blue 2
    [H12] last card is a number | top red 7; last_card = "number"
        no skip     | hand red skip       | | moves = draw; clause last_card
        no wild     | hand wild           | | moves = draw; clause last_card
        no four     | hand wild draw four | | moves = draw; clause last_card
        no draw two | hand red draw two   | | moves = draw; clause last_card
        a number    | hand red 3 | red 3 | phase = ROUND_OVER; no clause last_card
        nor on a stack
            | hand red draw two, blue 1; seat 1 hand blue draw two; stacking = "same";
                jump_in = True
            | red draw two | count 1 = 3
        nor out of turn
            | hand red skip, blue 1; seat 1 hand red skip; stacking = "same"; jump_in = True
            | red skip | phase = PLAY
    [H12] without the rule | top red 7
        a skip     | hand red skip       | | may red skip
        a wild     | hand wild           | | may wild
        a four     | hand wild draw four | | may wild draw four
        a draw two | hand red draw two   | | may red draw two
    """


class TestStacking(Rows):
    rows = """
    [H13] stacking | top red 7; stacking = "same"; stock yellow 3, green 3, yellow 4, green 4,
            yellow 5, green 5, yellow 6, green 6, yellow 7, green 7
        the victim may lay another and the next draws the sum
            | hand red draw two, blue 1; seat 1 hand green draw two, red 1;
                seat 2 hand blue 1, blue 2
            | red draw two | seat = 1; phase = STACK; moves = green draw two, draw
            | green draw two | count = 1; count 1 = 1; count 2 = 6; seat = 0; phase = PLAY;
                s.turns = 2; stacks = 1; largest_stack = 4; clause stacking
        or draw | hand red draw two, blue 1; seat 1 hand green draw two, red 1
            | red draw two, draw | count 1 = 4; seat = 2; stacks = 0; largest_stack = 0
        only who accepts may stack | hand wild draw four, blue 1, blue 2;
                seat 1 hand wild draw four, red 1, red 2; seat 2 hand red 5, red 6
            | wild draw four, green | moves = accept, challenge
            | accept | seat = 1; phase = STACK
            | wild draw four, blue | count 2 = 10; seat = 0; bluffs = 0; wild_draw_fours = 2
        the last card ends the round and the next draws the sum
            | hand red draw two, blue 1; seat 1 hand green draw two;
                seat 2 hand yellow draw two, blue 2
            | red draw two, green draw two | phase = ROUND_OVER; count 2 = 6; largest_stack = 4
        with two players and nothing to draw
            | hand red draw two, blue draw two, blue 1; seat 1 hand green draw two, red 1;
                players = 2; draw_two_cards = 0
            | red draw two, green draw two, blue draw two
            | count = 1; count 1 = 1; seat = 0; stacks = 2
    [H13] a challenge ends the stack | stacking = "any"; hand wild draw four, blue 1, blue 2;
            seat 1 hand wild draw four, red 1, red 2; stock yellow 3, green 3, yellow 4, green 4,
            yellow 5, green 5, yellow 6, green 6, yellow 7, green 7
        a right one | top blue 7 | wild draw four, green, challenge
            | seat = 1; phase = PLAY; count = 6; count 1 = 3; s.stack = 0; s.due = 0
        a wrong one | top red 7 | wild draw four, green, challenge
            | seat = 2; phase = PLAY; count = 2; count 1 = 9; s.stack = 0; s.due = 0
    [H13] what goes on what
            | hand red draw two, green draw two, wild draw four, wild, red 1; phase = "STACK"
        the same on a draw two | top red draw two; stacking = "same"
            | | moves = red draw two, green draw two, draw
        any on a draw two | top red draw two; stacking = "any"
            | | moves = red draw two, green draw two, wild draw four, draw
        the same on a wild draw four | top wild draw four red; stacking = "same"
            | | moves = wild draw four, draw
        any on a wild draw four | top wild draw four red; stacking = "any"
            | | moves = red draw two, wild draw four, draw
    """


class TestJumpIn(Rows):
    rows = """
    [H14] jump in | top red 7; jump_in = True
        who holds the same card may lay it
            | hand red 5, blue 1; seat 1 hand red 1, red 2; seat 2 hand red 5, red 6, red 8
            | red 5 | seat = 2; phase = JUMP; moves = red 5, decline
            | red 5 | seat = 0; phase = PLAY; jump_ins = 1; s.turns = 2; clause jump_in
        or not | hand red 5, blue 1; seat 2 hand red 5, red 6, red 8
            | red 5, decline | seat = 1; phase = PLAY; jump_ins = 0
        the seat on turn next is not asked | hand red 5, blue 1; seat 1 hand red 5, red 6
            | red 5 | seat = 1; phase = PLAY
        who laid it is asked last
            | hand red 5, red 5, blue 1; seat 2 hand red 5, red 6; players = 4; numbers = 4
            | red 5 | seat = 2 | decline | seat = 0 | red 5 | seat = 2
        a skip acts from the jumper
            | hand red skip, blue 1; seat 1 hand red skip, red 6; seat 2 hand red 1, red 2;
                players = 4
            | red skip | seat = 1; phase = JUMP | red skip | seat = 3
        a draw two makes draw before and after
            | hand red draw two, blue 1; seat 3 hand red draw two, red 1; players = 4
            | red draw two, red draw two
            | count = 3; count 1 = 5; count 2 = 3; count 3 = 1; seat = 1
        not upon a wild card | hand wild, blue 1; seat 2 hand wild, red 1
            | wild, red | phase = PLAY
        a forgotten call is punished
            | hand red 5, blue 1, blue 2; seat 2 hand red 5, blue 6; forget_uno = 1.0
            | red 5, red 5 | count 2 = 3
        the last card ends the round | hand red 5, blue 1; seat 2 hand red 5
            | red 5, red 5 | phase = ROUND_OVER
    [H14] not upon the first card
        a draw two | first red draw two; players = 3; dealer = 2; jump_in = True; draw_twos = 4
            | | phase = PLAY
    """


class TestSwaps(Rows):
    rows = """
    [H15] seven and zero | top red 9; seven_zero = True
        a seven swaps hands
            | hand red 7, blue 1; seat 1 hand red 1, red 2; seat 2 hand green 1, green 2, green 3
            | red 7 | seat = 0; phase = SWAP; moves = swap 1, swap 2
            | swap 2 | hand = green 1, green 2, green 3; hand 1 = red 1, red 2; hand 2 = blue 1;
                seat = 1; swaps = 1; clause seven_zero
        with two players there is no choice
            | hand red 7, blue 1; seat 1 hand green 1, green 2; players = 2
            | red 7 | phase = PLAY; hand = green 1, green 2; hand 1 = blue 1
        a zero passes all hands on | hand red 0, blue 1; seat 1 hand green 1, green 2;
                seat 2 hand yellow 1, yellow 2, yellow 3
            | red 0 | hand = yellow 1, yellow 2, yellow 3; hand 1 = blue 1;
                hand 2 = green 1, green 2; swaps = 1
        the other way | hand red 0, blue 1; seat 1 hand green 1, green 2;
                seat 2 hand yellow 1, yellow 2, yellow 3; counter_clockwise
            | red 0 | hand = green 1, green 2; hand 1 = yellow 1, yellow 2, yellow 3;
                hand 2 = blue 1; swaps = 1
        a seven that ends the round does not | hand red 7 | red 7 | phase = ROUND_OVER; swaps = 0
        a zero that ends the round does not  | hand red 0 | red 0 | phase = ROUND_OVER; swaps = 0
        a forgotten call is punished before | hand red 0, blue 1; forget_uno = 1.0
            | red 0 | count 1 = 3
        a jump in follows | hand red 7, blue 1; seat 1 hand green 1, green 2;
                seat 2 hand red 7, yellow 2, yellow 3; jump_in = True
            | red 7, swap 2 | seat = 0; phase = JUMP
    [C34] known hands | top red 9; seven_zero = True
        a seat that gave a hand away knows it | hand red 7, blue 1
            | red 7, swap 2 | s.knows = [2, -1, 0]; hand 2 = blue 1
    """

    def test_c34_the_hand_that_was_seen_is_the_hand(self):
        p = position("red 7, blue 1", "red 9", seven_zero=True).play("red 7", "swap 2")
        assert p.s.hand_seen[0] == p.s.hand[2]
        assert p.s.knows[1] == NOBODY

    def test_c34_what_was_shown_goes_with_the_hand(self):
        p = position("red 7, blue 1", "red 9", seven_zero=True)
        p.s.knows[1] = 0
        p.s.drew_on[0] = 5
        p.play("red 7", "swap 2")
        assert p.s.knows[1] == 2
        assert list(p.s.drew_on) == [-1, -1, 5]


class TestPairs(Rows):
    rows = """
    [H16] pairs | top red 7; pairs = True; stock yellow 3, green 3, yellow 4, green 4, yellow 5,
            green 5, yellow 6, green 6
        an equal card may be laid with it | hand red 5, red 5, blue 1, blue 2
            | red 5 | seat = 0; phase = PAIR; moves = red 5, decline
            | red 5 | count = 2; seat = 1; phase = PLAY; s.turns = 2; clause pairs
        or not | hand red 5, red 5, blue 1, blue 2
            | red 5, decline | count = 3; seat = 1; phase = PLAY; s.turns = 2; clause pairs
        only a card of the same colour | hand red 5, blue 5, blue 1
            | red 5 | phase = PLAY; no clause pairs
        no wild cards | hand wild, wild, blue 1 | wild | phase = COLOUR; no clause pairs
        not after a draw | hand red 5, blue 1; stock red 5 | draw, red 5 | seat = 1
        draw twos add up | hand red draw two, red draw two, blue 1
            | red draw two | count 1 = 3 | red draw two | count 1 = 7; seat = 2
        one alone | hand red draw two, red draw two, blue 1
            | red draw two, decline | count 1 = 5; seat = 2
        they are stacked upon | hand red draw two, red draw two, blue 1;
                seat 1 hand green draw two, red 1; seat 2 hand blue 1, blue 2; stacking = "same"
            | red draw two, red draw two, green draw two | count 2 = 8; largest_stack = 6
        skips skip once | hand red skip, red skip, blue 1 | red skip, red skip | seat = 2
        reverses turn once | hand red reverse, red reverse, blue 1
            | red reverse, red reverse | seat = 2; s.backwards = 1
        zeros pass the hands on once | hand red 0, red 0, blue 1; seven_zero = True; zeros = 2
            | red 0 | swaps = 0 | red 0 | swaps = 1
        uno is called when both lie | hand red 5, red 5, blue 1; forget_uno = 1.0
            | red 5 | uno_penalties = 0 | red 5 | count = 3
        two last cards need no call | hand red 5, red 5; forget_uno = 1.0
            | red 5 | count = 1; uno_penalties = 0 | red 5 | count = 0; uno_penalties = 0
        one of two that is kept does | hand red 5, red 5; forget_uno = 1.0
            | red 5 | count = 1; uno_penalties = 0 | decline | count = 3; uno_penalties = 1
        two as the last cards | hand red draw two, red draw two
            | red draw two, red draw two | phase = ROUND_OVER; count 1 = 7
        two as the last cards are not numbers | hand red skip, red skip; last_card = "number"
            | red skip | phase = PLAY; clause last_card
        a jump in follows | hand red 5, red 5, blue 1; seat 2 hand red 5, red 1; jump_in = True
            | red 5, red 5 | seat = 2; phase = JUMP
    [H16] without the rule | top red 7
        it is not asked | hand red 5, red 5, blue 1 | red 5 | phase = PLAY
    """


class TestAnyMayChallenge(Rows):
    rows = """
    [R15] challenged by any | hand wild draw four, blue 1, blue 2; players = 4; challenge = "any";
            stock yellow 3, green 3, yellow 4, green 4, yellow 5, green 5, yellow 6, green 6
        all but the accused are asked | top red 7
            | wild draw four, green | seat = 1; phase = CHALLENGE
            | accept | seat = 2; phase = CHALLENGE | accept | seat = 3; phase = CHALLENGE
            | accept | count 1 = 7; seat = 2
        a wrong challenger draws instead and the victim misses the turn | top red 7
            | wild draw four, green, accept, challenge
            | count = 2; count 1 = 3; count 2 = 9; count 3 = 3; seat = 2
        a right one makes the layer draw | top blue 7
            | wild draw four, green, accept, accept, challenge
            | count = 6; count 1 = 3; count 2 = 3; count 3 = 3; seat = 1; caught = 1
    """

    def test_a_right_challenger_has_seen_the_hand(self):
        p = position("wild draw four, blue 1, blue 2", "blue 7", players=4, challenge="any")
        p.play("wild draw four", "green", "accept", "accept", "challenge")
        assert p.s.knows[3] == 0


def test_h11_a_bluff_drawn_may_be_kept():
    p = position("wild draw four, red 1", "red 7", must_play=True)
    p.s.phase = DRAWN
    p.s.drawn[0] = DRAW_FOUR
    assert p.moves == {"wild draw four", "keep"}


def test_h12_without_numbers_it_is_refused():
    with pytest.raises(InputError, match="last_card = 'number' is refused without number cards"):
        UNO.resolve({"zeros": 0, "numbers": 0, "last_card": "number", "hand_size": 2})


def test_h13_the_first_card_is_the_first_of_a_stack():
    p = dealt("red draw two", players=3, dealer=2, stacking="same", jump_in=True)
    p.hold(0, "green draw two, red 1, red 2")
    p.s.phase, p.s.seat, p.s.due, p.s.stack, p.s.turns = STACK, 0, 2, 1, 0
    p.hold(1, "red 5, red 6")
    assert p.play("green draw two").count(1) == 6
    assert p.s.turns == 1
