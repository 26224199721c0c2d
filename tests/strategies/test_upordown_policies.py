"""Up or down?: each policy plays by its idea; `turn` is what it makes of a whole turn."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.compiler.program import program_of
from strategies import parse_strategy
from tests.strategies.test_policies import policies_of
from tests.upordown.following import UPORDOWN
from tests.upordown.position import TWO_PILES, Position, position
from tests.upordown.rows import Rows

# Positions are made before a policy is asked; this is what policies remember.
program_of(UPORDOWN).remember(parse_strategy(UPORDOWN, "stepper").seat_policy(UPORDOWN.resolve({})))

PLANNERS = [policy.name for policy in policies_of("upordown")[2:]]
CIRCLE = "10 20 30 40 50 52"


class Turns(Rows):
    def position(self, **given: Any) -> Position:
        shared = {} if "card" in given else {"circle": CIRCLE, **TWO_PILES}
        return super().position(**shared | given)


class TestPolicies(Turns):
    # 40 and 45 are pink as the column of 4; 20 is near it, but red. 31 and 33 reach the same cards;
    # without one of them the hand is still spread. Both reds are alike to the spoiler, but the next
    # player waits for 20.
    rows = """
        [appender]
            appends             | hand 25 26; display 45, 10 40, 33 29
                | 25, upper | choice appender = append 1
            or starts           | hand 25 26; display 10 40, 33 29
                | 25, upper | choice appender = new
            or gives up the shortest | hand 25 26; display 10 40 41, 33 29, 35 22 21
                | 25, upper | choice appender = give up 2
        [stepper]
            smallest step       | hand 25 45; display 1 38, 54 53, 12 11
                | | turn stepper = 45 lower append 1
            gives up when the step is too wide | hand 45; display 1 2, 54 53, 12 5
                | | turn stepper(patience=40) = 45 upper append 2
            in good time        | hand 25; display 1 2, 12 5, 13 14; columns = 3
                | | turn stepper(patience=1) = 25 lower append 3
            starts near an extreme | hand 51 25 | | turn stepper = 51 upper new
        [scorer] most points at once: five pinks
            | hand 25 45; display 4 10 16 22, 29 28, 51 50 | | turn scorer = 45 lower append 1
        [weights] | hand 15 45; display 4 16; columns = 1
            collector: goes further for a colour
                | | | turn collector(colour=30) = 45 lower append 1;
                      turn collector(colour=3) = 15 upper append 1
            trader: price of a step
                | | | turn trader(price=0.01) = 45 lower append 1;
                      turn trader(price=1) = 15 upper append 1
            all_rounder: weighs points and room
                | | | turn all_rounder(points=10,price=0,deny=0,spread=0) = 45 lower append 1;
                      turn all_rounder(points=0,price=5,deny=0,spread=0) = 15 upper append 1
            planner: room counts while turns are left
                | turns_left = 40 | | turn planner(stride=6,match=0) = 15 upper append 1
            not at the end
                | turns_left = 2 | | turn planner(stride=6,match=0) = 45 lower append 1
        [finisher] points at last | hand 15 45; display 4 16 17; columns = 1
            | | turn finisher(turns=0,colour=0) = 15 upper append 1;
                turn finisher(turns=24,colour=0) = 45 lower append 1
        [spreader] keeps hand cards apart
            | hand 8 31 33; circle 7 9 30 34 50 52; display 29; columns = 1
            | | turn spreader(price=0,spread=5) = 31 lower give up 1
        [spoiler] takes what suits the next player
            | hand 25; circle 2 20 30 51 52 53; seat 1 display 8 14; turns_left = 8
            | | turn spoiler(deny=2) = 25 lower new
    """


class TestDials(Turns):
    """Who places a card that it took without a plan reckons with the dials in force."""

    # 31 is of the colour of 19 and 25; 30 is nearer to it than 25.
    rows = """
        [insert] | card 19; display 20 30, 44 45, 46 40
            at the end alone | | | choice stepper = append 3
            before the first where that is the smaller step
                | insert = "both_ends" | | choice stepper = append 1
        [insert] rather than give up | card 12; display 10 30, 40 45, 9 3
            at the end alone | | | choice stepper = give up 3
            at both ends | insert = "both_ends" | | choice stepper = append 3
            anywhere | insert = "anywhere"
                | | choice stepper = append 3; choice scorer = append 1;
                    choice all_rounder = append 1; choice appender = append 1
        [discard_points] | card 35; display 20 30, 9 8, 40 33
            -10 | discard_points = -10 | | choice scorer = append 1
            0   | discard_points = 0 | | choice scorer = append 1
            10  | discard_points = 10 | | choice scorer = give up 3
        [give_up] | card 31; display 20 30, 9 8, 28 29; discard_points = 10
            free   | | | choice scorer = give up 3
            forced | give_up = "forced" | | choice scorer = append 3
        [scoring] length | card 31; display 19 25, 24 30
            not alone | | | choice collector = append 1
            alone no colour is worth a step
                | scoring = "length"; discard_points = 0 | | choice collector = append 2
        [scoring] colour | card 25; display 1 2 3 4 5 6, 13 19
            not alone | | | choice scorer = append 1
            squared   | scoring = "colour" | | choice scorer = append 2
    """


class TestDraw(Turns):
    # The column ends with 20; a hidden card reaches a step of 14 on average.
    rows = """
        [draw] | hand 25; display 1 2; columns = 1; face_down 3 5
            a card that reaches what fits | face_up 27 1
                | 25, lower, append 1 | choice stepper = face up
            another                       | face_up 45 1
                | 25, lower, append 1 | choice stepper = face down
    """

    @pytest.mark.parametrize("name", PLANNERS)
    def test_face_down_when_nothing_is_seen(self, name):
        p = position(hand="25", circle=CIRCLE, face_up="45 1", face_down="2 3", open_pile=False)
        assert p.play("25", "upper", "new").choice(name) == "face down"


@pytest.mark.parametrize("name", PLANNERS)
def test_the_last_hand_card_is_planned_too(name):
    """With one card left nobody is asked for it, so the plan is made when a neighbour is taken."""
    p = position(hand="45", circle=CIRCLE, display=["28 34"], columns=1, turns_left=2).play("45")
    assert p.choice(name) == "lower"
    assert p.play("lower").choice(name) == "append 1"
