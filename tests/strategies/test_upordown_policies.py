"""Up or down?: each policy plays by its idea."""

from __future__ import annotations

import pytest

from simcore.compiler.program import program_of
from strategies import parse_strategy
from tests.strategies.test_policies import policies_of
from tests.upordown.following import UPORDOWN
from tests.upordown.position import position

# Positions are made before a policy is asked; this is what policies remember.
program_of(UPORDOWN).remember(parse_strategy(UPORDOWN, "stepper").seat_policy(UPORDOWN.resolve({})))


def turn(strategy: str, **named: object) -> str:
    """Return a whole turn of a strategy: "25 upper append 1"."""
    p = position(face_up="3 4", face_down="5 6", **named)
    made = []
    while p.phase != "DRAW":
        move = p.choice(strategy) if len(p.moves) > 1 else p.listed[0]
        made.append(move)
        p.play(move)
    return " ".join(made)


PLANNERS = [policy.name for policy in policies_of("upordown")[2:]]
CIRCLE = "10 20 30 40 50 52"


class TestAppender:
    @pytest.mark.parametrize(
        ("display", "move"),
        [
            (["45", "10 40", "33 29"], "append 1"),
            (["10 40", "33 29"], "new"),
            (["10 40 41", "33 29", "35 22 21"], "give up 2"),
        ],
    )
    def test_appends_or_starts_or_gives_up_the_shortest(self, display, move):
        p = position(hand="25 26", circle=CIRCLE, display=display).play("25", "upper")
        assert p.choice("appender") == move


class TestStepper:
    def test_smallest_step(self):
        named = {"hand": "25 45", "circle": CIRCLE, "display": ["1 38", "54 53", "12 11"]}
        assert turn("stepper", **named) == "45 lower append 1"

    def test_gives_up_when_the_step_is_too_wide(self):
        named = {"hand": "45", "circle": CIRCLE, "display": ["1 2", "54 53", "12 5"]}
        assert turn("stepper(patience=40)", **named) == "45 upper append 2"
        named = {"hand": "25", "circle": CIRCLE, "display": ["1 2", "12 5", "13 14"], "columns": 3}
        assert turn("stepper(patience=1)", **named).startswith("25 lower append 3")

    def test_starts_near_an_extreme(self):
        assert turn("stepper", hand="51 25", circle=CIRCLE) == "51 upper new"


class TestScorer:
    def test_most_points_at_once(self):
        # 40 makes the column of four pinks 5 × 5.
        named = {"hand": "25 45", "circle": CIRCLE, "display": ["4 10 16 22", "29 28", "51 50"]}
        assert turn("scorer", **named) == "45 lower append 1"


class TestCollector:
    def test_goes_further_for_a_colour(self):
        # 20 is near but red; 40 is pink as the column.
        named = {"hand": "15 45", "circle": CIRCLE, "display": ["4 16"], "columns": 1}
        assert turn("collector(colour=30)", **named) == "45 lower append 1"
        assert turn("collector(colour=3)", **named) == "15 upper append 1"


class TestFinisher:
    def test_points_at_last(self):
        display = ["4 16 17"]
        named = {"hand": "15 45", "circle": CIRCLE, "display": display, "columns": 1}
        assert turn("finisher(turns=0,colour=0)", **named) == "15 upper append 1"
        assert turn("finisher(turns=24,colour=0)", **named) == "45 lower append 1"


class TestTrader:
    def test_price_of_a_step(self):
        named = {"hand": "15 45", "circle": CIRCLE, "display": ["4 16"], "columns": 1}
        assert turn("trader(price=0.01)", **named) == "45 lower append 1"
        assert turn("trader(price=1)", **named) == "15 upper append 1"


class TestSpreader:
    def test_keeps_hand_cards_apart(self):
        # 31 and 33 reach the same cards; without one of them the hand is still spread.
        named = {"hand": "8 31 33", "circle": CIRCLE, "display": ["29"], "columns": 1}
        named["circle"] = "7 9 30 34 50 52"
        assert turn("spreader(price=0,spread=5)", **named).split()[0] in {"31", "33"}


class TestPlanner:
    def test_room_counts_while_turns_are_left(self):
        named = {"hand": "15 45", "circle": CIRCLE, "display": ["4 16"], "columns": 1}
        assert turn("planner(stride=6,match=0)", turns_left=40, **named) == "15 upper append 1"
        assert turn("planner(stride=6,match=0)", turns_left=2, **named) == "45 lower append 1"


class TestSpoiler:
    def test_takes_what_suits_the_next_player(self):
        # Both reds are alike to seat 0, but the next player waits for 20.
        named = {"hand": "25", "circle": "2 20 30 51 52 53", "display": []}
        others = [["8 14"]]
        with_deny = turn("spoiler(deny=2)", others=others, turns_left=8, **named)
        assert with_deny.split()[1] == "lower"


class TestAllRounder:
    def test_weighs_points_and_room(self):
        named = {"hand": "15 45", "circle": CIRCLE, "display": ["4 16"], "columns": 1}
        assert turn("all_rounder(points=10,price=0,deny=0,spread=0)", **named) == (
            "45 lower append 1"
        )
        assert turn("all_rounder(points=0,price=5,deny=0,spread=0)", **named) == (
            "15 upper append 1"
        )


class TestDraw:
    def test_the_face_up_card_if_it_reaches_what_fits(self):
        # The column ends with 20; a hidden card reaches a step of 14 on average.
        for face_up, pile in (("27 1", "face up"), ("45 1", "face down")):
            named = {"circle": CIRCLE, "display": ["1 2"], "columns": 1, "face_down": "3 5"}
            p = position(hand="25", face_up=face_up, **named)
            assert p.play("25", "lower", "append 1").choice("stepper") == pile

    @pytest.mark.parametrize("name", PLANNERS)
    def test_face_down_when_nothing_is_seen(self, name):
        p = position(hand="25", circle=CIRCLE, face_up="45 1", face_down="2 3", open_pile=False)
        p.play("25", "upper", "new")
        assert p.choice(name) == "face down"


@pytest.mark.parametrize("name", PLANNERS)
def test_the_last_hand_card_is_planned_too(name):
    """With one card left nobody is asked for it, so the plan is made when a neighbour is taken."""
    p = position(hand="45", circle=CIRCLE, display=["28 34"], columns=1, turns_left=2)
    p.play("45")
    assert p.choice(name) == "lower"
    p.play("lower")
    assert p.choice(name) == "append 1"


class TestDials:
    """Who plans does so with the dials in force."""

    def placed(self, strategy, card, display, **options):
        """Return where a strategy places a card that it took without a plan."""
        p = position(hand="53", circle=f"{card} 47 48 49 50 51", display=display, **options)
        return p.play("53", "upper").choice(strategy)

    def test_cards_go_before_the_first_where_that_is_the_smaller_step(self):
        display = ["20 30", "44 45", "46 40"]
        assert self.placed("stepper", 19, display) == "append 3"
        assert self.placed("stepper", 19, display, insert="both_ends") == "append 1"

    def test_and_between_others_rather_than_give_up(self):
        display = ["10 30", "40 45", "9 3"]
        assert self.placed("stepper", 12, display).startswith("give up")
        assert self.placed("stepper", 12, display, insert="both_ends") != "append 1"
        for strategy in ("stepper", "scorer", "all_rounder", "appender"):
            placed = self.placed(strategy, 12, display, insert="anywhere")
            assert placed.startswith("append"), strategy

    @pytest.mark.parametrize(("points", "gives_up"), [(-10, False), (0, False), (10, True)])
    def test_what_a_card_given_up_scores_is_weighed(self, points, gives_up):
        display = ["20 30", "9 8", "40 33"]
        placed = self.placed("scorer", 35, display, discard_points=points)
        assert placed.startswith("give up") == gives_up

    def test_who_may_not_give_up_appends(self):
        display = ["20 30", "9 8", "28 29"]
        more = {"discard_points": 10}
        assert self.placed("scorer", 31, display, **more).startswith("give up")
        placed = self.placed("scorer", 31, display, give_up="forced", **more)
        assert placed.startswith("append")

    def test_no_colour_is_worth_a_step_where_only_length_scores(self):
        # 31 is of the colour of 19 and 25; 30 is nearer to it than 25.
        display = ["19 25", "24 30"]
        assert self.placed("collector", 31, display) == "append 1"
        given = {"scoring": "length", "discard_points": 0}
        assert self.placed("collector", 31, display, **given) == "append 2"

    def test_colours_squared_are_what_scores(self):
        display = ["1 2 3 4 5 6", "13 19"]
        assert self.placed("scorer", 25, display) == "append 1"
        assert self.placed("scorer", 25, display, scoring="colour") == "append 2"
