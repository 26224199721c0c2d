"""dnup: each policy plays by its idea."""

from __future__ import annotations

import pytest

from simcore.catalogue import get_game
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.games.dnup.charts import shape_of
from strategies import parse_strategy
from strategies.dnup import play_least_threatened
from tests.dnup.position import position
from tests.dnup.rows import Rows
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


class TestPolicies(Rows):
    rows = """
        greedy: most cards           | hand 2/1 2/3 2/4 9/5 9/6 | | choice greedy = 2 2 2
        then the highest value       | hand 2/1 2/3 9/5 9/6 1/4 | | choice greedy = 9 9
        high: highest value first    | hand 2/1 2/3 2/4 9/5 3/6 | | choice high = 9
        all of that value            | hand 2/1 2/3 2/4 7/5 7/6 3/6 | | choice high = 7 7
        feeder: adds rather than play two | hand 2/1 2/3 5/4; seat 1 set 5/6
            | | choice feeder = add to 5
        but plays more | hand 2/1 2/3 2/4 5/4; seat 1 set 5/6
            | | choice feeder = 2 2 2; choice feeder(size=3) = add to 5
        turner: turns to the better side | hand 1/9 2/9 3/9 4/9
            | | choice turner = turn; choice greedy = 4
        all_rounder: turns as well | hand 1/9 2/9 3/9 4/9 | | choice all_rounder = turn
        not for little | hand 1/9 2/9 3/8 4/7
            | | choice turner(gain=2) = 4; choice turner(gain=1) = turn
        exit_keeper: weakest last | hand 1/5 6/2 6/3 | | choice exit_keeper = 6 6
        or a single one | hand 2/5 2/6 9/3
            | | choice exit_keeper = 9; choice exit_keeper(card=9) = 2 2
        whole values before parts | hand 9/1 9/2 4/3; seat 1 set 9/6 9/7
            | | choice exit_keeper = 4
        collector: takes what fits | hand 5/1 7/1 3/8 4/8; seat 1 set 2/5 2/7
            | | choice collector = take 2 2
        not what does not | hand 5/1 8/1 3/8 4/8; seat 1 set 2/5 2/7
            | | choice collector not = take 2 2
        not with a set of its own | hand 5/1 5/3 7/1 3/8 4/8; seat 1 set 2/5 2/7
            | | choice collector = 5 5
        guard: sends back the set of who is about to finish
            | hand 9/6 4/2 4/3 2/1; seat 1 set 3/6 3/7; seat 1 hand 8/1;
                seat 2 hand 5/1 5/2 5/3 5/7
            | | choice guard = 4 4; choice guard(cards=0) = 9; choice all_rounder = 4 4
        adds a card that stands alone
            | hand 9/6 4/2 4/3 2/1; seat 1 set 2/7; seat 1 hand 8/1 8/2 8/3 8/4;
                seat 2 hand 5/1 5/2 5/3 5/7
            | | choice guard = add to 2; choice all_rounder = add to 2
        counter: adds when all is risky | hand 4/2 2/3 1/7; seat 1 set 2/5
            | | choice counter(risk=0) = add to 2
    """

    def test_plays_what_nothing_left_can_beat(self):
        """All 9s and 8s are discarded or its own: the 7 is safe, two 3s are not."""
        p = position(
            "7/1 3/2 3/4 3/5 3/6 1/2", players=3, deck="a", others={1: "1/4 2/5", 2: "2/7 1/6"}
        )
        assert p.choice("counter") in {"3 3 3 3", "7"}
        high = {card for card, face in enumerate(p.deck) if {face.low, face.high} & {8, 9}}
        p.s.discards = Cards.of(high - p.used)
        assert p.choice("counter") == "7"


class TestUnderHouseRules(Rows):
    rows = """
        who may not turn takes the smallest set
            | hand 3/1 4/1; seat 1 set 9/1; seat 2 set 5/6 5/7; turn_hand = False
            | | choice turner = take 9
        turning saves much | hand 1/9 2/9 3/9 4/9 5/8; players = 5 | | choice all_rounder = turn
        however much it would save | hand 1/9 2/9 3/9 4/9 5/8; players = 5; turn_hand = False
            | | choice all_rounder not = turn
        a set fits by its other side | hand 3/1 4/1 5/1 6/1 2/1; seat 1 set 7/3 7/4
            | | choice collector = take 7 7
        not where it keeps its side
            | hand 3/1 4/1 5/1 6/1 2/1; seat 1 set 7/3 7/4; turn_on_taking = False
            | | choice collector not = take 7 7
        then it fits by that | hand 7/1 4/1 5/1 6/1 2/1; seat 1 set 7/3 7/4; turn_on_taking = False
            | | choice collector = take 7 7
    """

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
