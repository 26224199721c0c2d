"""dnup: every policy is legal and repeatable, and each plays by its idea."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.compiler.program import program_of
from simcore.compiler.state import Cards
from simcore.game import get_game
from simcore.games.dnup.charts import shape_of
from strategies import Policy, Strategy, make_strategy, parse_lineup, parse_strategy, policies
from strategies.dnup import play_least_threatened
from tests.dnup.decks import write_decks
from tests.dnup.position import position

DNUP = get_game("dnup")
program_of(DNUP).remember(parse_strategy(DNUP, "greedy").seat_policy(DNUP.resolve({})))
LEAST_WINS = 300
POLICIES = [policy for policy in policies(DNUP) if not policy.takes_policy]
NAMES = [policy.name for policy in POLICIES]
IDEAS = [name for name in NAMES if name != "random"]


def cell(lineup: str, seed: int = 3, **options: object) -> Cell:
    resolved = DNUP.resolve(options)
    strategies = parse_lineup(DNUP, lineup)
    players = int(resolved["players"])
    return Cell(DNUP, resolved, tuple(itertools.islice(itertools.cycle(strategies), players)), seed)


def corners(policy: Policy) -> list[Strategy]:
    """Return the policy with defaults, and with each parameter at its bounds."""
    changes = [{p.name: bound} for p in policy.params for bound in (p.low, p.high)]
    return [make_strategy(policy, change) for change in ({}, *changes)]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
@pytest.mark.parametrize("deck", ["a", "c", "crowded", "uneven"])
def test_all_policies_are_legal(players, deck, tmp_path):
    deck = write_decks(tmp_path).get(deck, deck)
    for first in range(len(NAMES)):
        lineup = ",".join((NAMES[first:] + NAMES[:first])[:players])
        # An illegal move would be an error that names it.
        assert not play(cell(lineup, players=players, deck=deck), 0, 40).aborted.all()


PLAY_OR_PASS = {"turn_hand": False, "take_up": False}
HOUSE_RULES = [
    {"turn_on_taking": False},
    {"take_up": False},
    {"turn_hand": False},
    PLAY_OR_PASS,
    {"equal_beats": True},
    {"equal_beats": True, "turn_hand": False, "turn_on_taking": False, "round_start": "winner"},
]


@pytest.mark.whole
@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("rules", HOUSE_RULES, ids=str)
def test_all_policies_are_legal_under_house_rules(rules, players):
    for first in range(len(NAMES)):
        lineup = ",".join((NAMES[first:] + NAMES[:first])[:players])
        assert not play(cell(lineup, players=players, **rules), 0, 40).aborted.all()
    play(cell("search(rollouts=4),greedy", players=players, **rules), 0, 2)


@pytest.mark.parametrize("rules", [one for one in HOUSE_RULES if one != PLAY_OR_PASS], ids=str)
@pytest.mark.parametrize("players", [2, 4])
def test_every_idea_beats_chance_under_house_rules(rules, players):
    for name in IDEAS:
        block = play(cell(f"{name},random", players=players, **rules), 0, 400)
        wins = sum(int((block.winners >> seat & 1).sum()) for seat in range(0, players, 2))
        assert wins > LEAST_WINS, name


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_a_policy_is_legal_at_every_bound(policy):
    for strategy, players in itertools.product(corners(policy), (2, 4)):
        play(Cell(DNUP, DNUP.resolve({"players": players}), (strategy,) * players, 8), 0, 60)


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_matches_of_equals_end(policy, players):
    assert play(cell(policy.name, players=players), 0, 1000).aborted.mean() < 0.002


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_same_seed_same_rows(policy):
    once, again = (play(cell(f"{policy.name},greedy", seed=6), 0, 50) for _ in range(2))
    for name, column in once.columns().items():
        assert np.array_equal(column, again.columns()[name])


@pytest.mark.parametrize(
    "policy", [one for one in POLICIES if one.name in IDEAS], ids=lambda policy: policy.name
)
@pytest.mark.parametrize("players", [2, 4])
def test_every_idea_beats_chance(policy, players):
    block = play(cell(f"{policy.name},random", players=players), 0, 400)
    wins = sum(int((block.winners >> seat & 1).sum()) for seat in range(0, players, 2))
    assert wins > 360


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
