"""dnup: each policy plays by its idea."""

from __future__ import annotations

import pytest

from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.game import get_game
from simcore.games.dnup.charts import shape_of
from strategies import parse_strategy
from strategies.dnup import play_least_threatened
from tests.dnup.position import position
from tests.strategies.test_policies import policies_of

DNUP = get_game("dnup")
program_of(DNUP).remember(parse_strategy(DNUP, "greedy").seat_policy(DNUP.resolve({})))
IDEAS = [policy.name for policy in policies_of("dnup")[1:]]


@pytest.mark.parametrize("name", IDEAS)
class TestCommon:
    def test_plays_all_cards_when_it_can(self, name):
        assert position("3/1 3/2", {1: "9/1"}).choice(name) == "3 3"

    def test_adds_its_last_card(self, name):
        assert position("3/1", {1: "3/6", 2: "9/4 9/5 9/6"}).choice(name) == "add to 3"

    def test_picks_what_is_of_least_use(self, name):
        """Of 1/2 and 1/7 it lays 1/2: there is another 7 on the other side."""
        p = position("1/2 1/7 4/7").play("1")
        assert p.choice(name) == "1/2"

    def test_does_not_turn_twice_in_a_row(self, name):
        p = position("3/1 4/1", {1: "9/1", 2: "5/6 5/7"}, others={1: "8/1 7/1", 2: "9/2 9/3"})
        p.s.turns = 10
        assert p.choice(name) == "turn"
        assert p.choice(name) == "take 9"


class TestUnderHouseRules:
    def test_who_may_not_turn_takes_the_smallest_set(self):
        p = position("3/1 4/1", {1: "9/1", 2: "5/6 5/7"}, turn_hand=False)
        assert p.choice("turner") == "take 9"

    def test_no_turning_however_much_it_would_save(self):
        hand = "1/9 2/9 3/9 4/9 5/8"
        assert position(hand, players=5).choice("all_rounder") == "turn"
        assert position(hand, players=5, turn_hand=False).choice("all_rounder") != "turn"

    def test_a_set_fits_by_the_side_it_keeps(self):
        sets = {1: "7/3 7/4"}
        hand = "3/1 4/1 5/1 6/1 2/1"
        assert position(hand, sets).choice("collector") == "take 7 7"
        assert position(hand, sets, turn_on_taking=False).choice("collector") != "take 7 7"
        kept = position("7/1 4/1 5/1 6/1 2/1", sets, turn_on_taking=False)
        assert kept.choice("collector") == "take 7 7"

    def test_a_counter_reckons_with_equal_sets(self):
        """Of 9 and 8 the 9 cannot be beaten, unless equal 9s beat it."""
        hand, others = "9/1 9/2 9/3 8/1", {1: "9/4 9/5", 2: "9/6 9/7"}
        for equal in (False, True):
            p = position(hand, others=others, equal_beats=equal)
            piece = p.plain.add(play_least_threatened)
            p.plain.words.reasons.clear()
            p.plain.run(piece, p.s, 0, shape_of(9, 1), 0, 50.0)
            weights = [value[1] for kind, value in p.plain.words.reasons if kind == "weigh"]
            assert (weights[0] < 0) == equal


class TestGreedy:
    def test_most_cards(self):
        assert position("2/1 2/3 2/4 9/5 9/6").choice("greedy") == "2 2 2"

    def test_then_the_highest_value(self):
        assert position("2/1 2/3 9/5 9/6 1/4").choice("greedy") == "9 9"


class TestHigh:
    def test_highest_value_first(self):
        assert position("2/1 2/3 2/4 9/5 3/6").choice("high") == "9"

    def test_all_of_that_value(self):
        assert position("2/1 2/3 2/4 7/5 7/6 3/6").choice("high") == "7 7"


class TestFeeder:
    def test_adds_rather_than_play_two(self):
        assert position("2/1 2/3 5/4", {1: "5/6"}).choice("feeder") == "add to 5"

    def test_but_plays_more(self):
        p = position("2/1 2/3 2/4 5/4", {1: "5/6"})
        assert p.choice("feeder") == "2 2 2"
        assert p.choice("feeder(size=3)") == "add to 5"


class TestTurner:
    def test_turns_to_the_better_side(self):
        p = position("1/9 2/9 3/9 4/9")
        assert p.choice("turner") == "turn"
        assert p.choice("greedy") == "4"

    def test_not_for_little(self):
        p = position("1/9 2/9 3/8 4/7")
        assert p.choice("turner(gain=2)") == "4"
        assert p.choice("turner(gain=1)") == "turn"


class TestExitKeeper:
    def test_weakest_last(self):
        assert position("1/5 6/2 6/3").choice("exit_keeper") == "6 6"
        assert position("2/5 2/6 9/3").choice("exit_keeper") == "9"
        assert position("2/5 2/6 9/3").choice("exit_keeper(card=9)") == "2 2"

    def test_whole_values_before_parts(self):
        p = position("9/1 9/2 4/3", {1: "9/6 9/7"})
        assert p.choice("exit_keeper") == "4"


class TestCollector:
    def test_takes_what_fits(self):
        p = position("5/1 7/1 3/8 4/8", {1: "2/5 2/7"})
        assert p.choice("collector") == "take 2 2"

    def test_not_what_does_not(self):
        p = position("5/1 8/1 3/8 4/8", {1: "2/5 2/7"})
        assert p.choice("collector") != "take 2 2"

    def test_not_with_a_set_of_its_own(self):
        p = position("5/1 5/3 7/1 3/8 4/8", {1: "2/5 2/7"})
        assert p.choice("collector") == "5 5"


class TestGuard:
    def test_sends_back_the_set_of_who_is_about_to_finish(self):
        p = position("9/6 4/2 4/3 2/1", {1: "3/6 3/7"}, others={1: "8/1", 2: "5/1 5/2 5/3 5/7"})
        assert p.choice("guard") == "4 4"
        assert p.choice("guard(cards=0)") == "9"

    def test_adds_a_card_that_stands_alone(self):
        p = position(
            "9/6 4/2 4/3 2/1", {1: "2/7"}, others={1: "8/1 8/2 8/3 8/4", 2: "5/1 5/2 5/3 5/7"}
        )
        assert p.choice("guard") == "add to 2"


class TestCounter:
    def test_plays_what_nothing_left_can_beat(self):
        """All 9s and 8s are discarded or its own: the 7 is safe, two 3s are not."""
        p = position(
            "7/1 3/2 3/4 3/5 3/6 1/2", players=3, deck="a", others={1: "1/4 2/5", 2: "2/7 1/6"}
        )
        assert p.choice("counter") in {"3 3 3 3", "7"}
        high = {card for card, one in enumerate(p.deck) if {one.low, one.high} & {8, 9}}
        p.s.discards = Cards.of(high - p.used)
        assert p.choice("counter") == "7"

    def test_adds_when_all_is_risky(self):
        p = position("4/2 2/3 1/7", {1: "2/5"}, players=3)
        assert p.choice("counter(risk=0)") == "add to 2"


class TestAllRounder:
    def test_turns_feeds_and_guards(self):
        assert position("1/9 2/9 3/9 4/9").choice("all_rounder") == "turn"
        p = position(
            "9/6 4/2 4/3 2/1", {1: "2/7"}, others={1: "8/1 8/2 8/3 8/4", 2: "5/1 5/2 5/3 5/7"}
        )
        assert p.choice("all_rounder") == "add to 2"
        p = position("9/6 4/2 4/3 2/1", {1: "3/6 3/7"}, others={1: "8/1", 2: "5/1 5/2 5/3 5/7"})
        assert p.choice("all_rounder") == "4 4"
