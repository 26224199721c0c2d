"""Up: every policy is legal and repeatable, and each plays by its idea."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from simcore.batch import Cell, play
from simcore.errors import PolicyError
from simcore.game import get_game
from simcore.games.up import table as up
from simcore.games.up.moves import find_moves
from strategies import Param, Policy, Strategy, make_strategy, parse_lineup, policies
from tests.strategies.positions_up import Position

UP = get_game("up")
POLICIES = [policy for policy in policies(UP) if not policy.takes_policy]
OPTIONS = [
    {},
    {"points_limit": 300},
    {"dirty_one": "always"},
    {"dirty_one": "forehand"},
    {"double_two": "always"},
    {"double_two": "forehand"},
    {"dirty_one": "forehand", "double_two": "forehand"},
    {"minus_two": False},
    {"extra_set": True},
    {"scoring": "cards"},
    {"scoring": "matches"},
    {"multiples_in_first_lap": False},
    {"multiples_in_first_lap": False, "double_two": "always", "extra_set": True},
    {"deal_passes": False},
    {"forget_last_card": 0.5},
    {"play_cap": 100},
    {"minus_two_cards": 4, "minus_two_collapse": "any", "minus_two_lead": True, "rounds": 2},
    {"clear_cards": 3, "four_clear": True, "restart_open": True, "hand_cards": 2, "rounds": 2},
    {"minus_two_points": 0, "clear_points": 0, "table_cards": 1},
]


def cell(lineup: str, seed: int = 3, **options: object) -> Cell:
    resolved = UP.resolve(options)
    strategies = parse_lineup(UP, lineup)
    players = int(resolved["players"])
    return Cell(UP, resolved, tuple(itertools.islice(itertools.cycle(strategies), players)), seed)


def corners(policy: Policy) -> list[Strategy]:
    """Return the policy with defaults, and with each parameter at its bounds."""
    changes = [{p.name: bound} for p in policy.params for bound in (p.low, p.high)]
    return [make_strategy(policy, change) for change in ({}, *changes)]


@pytest.mark.parametrize("players", [2, 3, 4, 7, 10])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_all_policies_are_legal(players: int, options: dict[str, object]) -> None:
    resolved = UP.resolve({"players": players, **options})
    names = [policy.name for policy in POLICIES]
    for first in range(len(names)):
        lineup = ",".join((names[first:] + names[:first])[:players])
        # An illegal move would be an error that names it.
        block = play(cell(lineup, **resolved), 0, 40)
        assert "play_cap" in options or not block.aborted.all()


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_a_policy_is_legal_at_every_bound(policy: Policy) -> None:
    for strategy, players in itertools.product(corners(policy), (3, 5)):
        resolved = UP.resolve({"players": players, "dirty_one": "forehand"})
        play(Cell(UP, resolved, (strategy,) * players, 8), 0, 40)


@pytest.mark.parametrize("policy", POLICIES[1:], ids=lambda policy: policy.name)
def test_matches_of_equals_end(policy: Policy) -> None:
    block = play(cell(policy.name), 0, 2000)
    assert block.aborted.mean() < 0.005


@pytest.mark.parametrize("policy", POLICIES, ids=lambda policy: policy.name)
def test_same_seed_same_rows(policy: Policy) -> None:
    once, again = (play(cell(f"{policy.name},greedy", seed=6), 0, 50) for _ in range(2))
    other = play(cell(f"{policy.name},greedy", seed=7), 0, 50)
    assert np.array_equal(once.scores, again.scores)
    assert not np.array_equal(once.scores, other.scores)


@pytest.mark.parametrize("policy", POLICIES[1:], ids=lambda policy: policy.name)
def test_better_than_random(policy: Policy) -> None:
    block = play(cell(f"{policy.name},random,random,random"), 0, 500)
    assert np.mean(block.winners == 1) > 0.9


def test_an_illegal_move_names_policy_and_place() -> None:
    def stubborn(_table, _seat):
        return 511

    stubborn_policy = Policy("up", "stubborn", "", stubborn, (Param("a", 0, 0, 1, ""),))
    seats = (Strategy(stubborn_policy), *parse_lineup(UP, "random,random,random"))
    with pytest.raises(PolicyError, match=r"stubborn.*511"):
        play(Cell(UP, UP.resolve({}), seats, 1), 0, 10)


class TestGreedy:
    def test_lays_most_cards(self) -> None:
        position = Position(hand="9 5 5 5", open="8", hidden=4, tower="10")
        assert position.played("greedy(card=12)") == "hand 5 5 5"
        assert position.played("greedy(card=0)") == "hand 9"

    def test_of_as_many_the_heaviest(self) -> None:
        assert Position(hand="9 9 5 5 1", open="8", tower="10").played("greedy") == "hand 9 9"

    def test_a_card_is_worth_values(self) -> None:
        position = Position(hand="9 7 7 11", tower="10")
        assert position.played("greedy(card=1)") == "hand 9"
        assert position.played("greedy(card=3)") == "hand 7 7"

    def test_many_cards_in_many_sets(self) -> None:
        seven = (13,) * 6
        position = Position(hand="9 5 5 5 5 5 5", tower="10", others=seven)
        assert position.played("greedy") == "hand 5 5 5 5 5 5"

    def test_patience_ends(self) -> None:
        position = Position(hand="10 7 7 7 7 2", plays=300)
        assert position.played("greedy(card=12)") == "hand 10"

    def test_double_two_counts_both(self) -> None:
        position = Position(hand="6 2 -2 -2", tower="9", double_two="always")
        assert position.played("greedy(card=3)") == "hand 2 2 2"


class TestShedder:
    def test_heaviest_first(self) -> None:
        assert Position(hand="9 5 5 5 11", open="8", tower="10").played("shedder") == "hand 9"

    def test_special_cards_first_near_the_end(self) -> None:
        position = Position(hand="9 clear -2 3", tower="10")
        assert position.played("shedder(cards=4)") == "hand clear"
        assert position.played("shedder(cards=3)") == "hand 9"
        assert Position(hand="9 -2 3", tower="10").played("shedder(cards=4)") == "hand -2"


class TestFreer:
    def test_open_cards_before_the_hand(self) -> None:
        assert Position(hand="9 5", open="2 11", hidden=4, tower="10").played("freer") == "open 2"

    def test_turns_up_when_it_is_safe(self) -> None:
        position = Position(hand="5 3", hidden=2, tower="7")
        assert position.played("freer(cap=7)") == "hidden"
        assert position.played("freer(cap=8)") == "hand 5"
        assert Position(hand="5 3", hidden=2).played("freer(cap=12)") == "hidden"


class TestHoarder:
    @pytest.mark.parametrize("special", ["-2", "clear"])
    def test_takes_a_small_tower_for_it(self, special: str) -> None:
        position = Position(hand=f"9 9 8 8 {special}", open="11", hidden=4, tower="6 5")
        assert position.played("hoarder(threshold=6)") == "open 11"
        assert position.played("hoarder(threshold=10)") == f"hand {special}"

    def test_takes_no_large_tower(self) -> None:
        position = Position(hand="9 9 8 8 clear", open="11", hidden=4, tower="7 6 6 5")
        assert position.played("hoarder(tower=3)") == "hand clear"
        assert position.played("hoarder(tower=4)") == "open 11"


class TestCollapser:
    def test_takes_a_low_tower(self) -> None:
        position = Position(hand="2 1", open="11", hidden=4, tower="3 2", plays=4)
        assert position.played("collapser(cards=2)") == "open 11"
        assert position.played("collapser(cards=1)") == "hand 2"

    def test_no_high_tower_and_not_late(self) -> None:
        high = Position(hand="8 1", open="11", hidden=4, tower="9 8", plays=4)
        assert high.played("collapser") == "hand 8"
        late = Position(hand="2 1", open="11", hidden=4, tower="3 2", plays=16)
        assert late.played("collapser(laps=4)") == "hand 2"
        assert late.played("collapser(laps=5)") == "open 11"


class TestGuard:
    def test_blocks_an_opponent_about_to_finish(self) -> None:
        cards = {"hand": "9 9 3 -2 -2", "open": "8", "hidden": 4, "tower": "10"}
        near = Position(others=(8, 2, 8), **cards)
        assert near.played("guard(cards=2)") == "hand -2 -2"
        assert near.played("guard(cards=1)") == "hand 9 9"

    def test_dumps_clear_cards(self) -> None:
        position = Position(hand="9 clear", open="8", hidden=4, tower="10", others=(8, 8, 1))
        assert position.played("guard") == "hand clear"


class TestAllRounder:
    def test_saves_low_cards(self) -> None:
        position = Position(hand="2 11 -2", tower="8", hidden=4, open="11")
        assert position.played("all_rounder") == "hand -2"
        assert position.played("all_rounder(low=1)") == "hand 2"

    def test_an_open_card_is_worth_more(self) -> None:
        position = Position(hand="9 3", open="7", hidden=4, tower="10")
        assert position.played("all_rounder(open=3)") == "open 7"
        assert position.played("all_rounder(open=1)") == "hand 9"

    def test_turns_up_rather_than_lay_a_light_card(self) -> None:
        position = Position(hand="5 11", hidden=2, tower="10")
        assert position.played("all_rounder") == "hidden"
        assert position.played("all_rounder(light=4)") == "hand 5"


class TestBeforeThePlay:
    def test_keeps_the_special_card(self) -> None:
        for policy in POLICIES[1:]:
            assert Position().cutting().choice(policy.name) == up.KEEP

    @pytest.mark.parametrize("name", ["hoarder", "guard", "all_rounder"])
    def test_judges_by_its_cards(self, name: str) -> None:
        both = {"dirty_one": "forehand", "double_two": "forehand"}
        rich = Position(hand="1 -2 5", open="-2 9", **both).declaring()
        assert rich.choice(name) == up.DIRTY + up.DOUBLE
        assert Position(hand="3 8 5", open="7 9", **both).declaring().choice(name) == 0
        only = Position(hand="1 -2 5", open="-2 9", dirty_one="forehand").declaring()
        assert only.choice(name) == up.DIRTY

    def test_the_others_declare_nothing(self) -> None:
        position = Position(hand="1 -2 5", open="-2 9", dirty_one="forehand").declaring()
        for name in ("greedy", "shedder", "freer", "collapser"):
            assert position.choice(name) == 0


class TestHouseRules:
    """What a policy weighs is what counts under the rules in force."""

    def test_special_cards_that_count_little_wait(self) -> None:
        hand = {"hand": "9 clear -2 3", "tower": "10"}
        position = Position(**hand, minus_two_points=0, clear_points=0)
        assert position.played("shedder(cards=4)") == "hand 9"
        assert Position(**hand, clear_points=0).played("shedder(cards=4)") == "hand -2"
        position = Position(**hand, others=(1, 9, 9), minus_two_points=0, clear_points=0)
        assert position.played("guard") == "hand 9"

    def test_a_minus_two_that_counts_little_is_kept_at_the_end(self) -> None:
        cards = {"hand": "9 9 -2", "hidden": 4, "tower": "10", "others": (2, 8, 8)}
        assert Position(**cards).played("all_rounder") == "hand -2"
        assert Position(**cards, minus_two_points=5).played("all_rounder") == "hand 9 9"
        assert Position(**cards, minus_two_points=5).played("all_rounder(cards=2)") == "hand -2"

    @pytest.mark.parametrize("name", ["all_rounder", "greedy", "shedder", "freer", "guard"])
    def test_four_equal_cards_go_first(self, name: str) -> None:
        position = Position(hand="5 5 4 4 4 3", open="4", tower="5 5", four_clear=True)
        position.tables[0].equal = 2
        assert position.played(name) == "hand 5 5"

    @pytest.mark.parametrize("name", ["all_rounder", "guard", "shedder"])
    def test_no_more_minus_twos_than_the_tower_bears(self, name: str) -> None:
        position = Position(
            hand="-2 -2 -2 9", tower="5", others=(1, 9, 9), minus_two_collapse="any"
        )
        assert position.played(name) == "hand -2 -2"

    def test_a_number_leads_before_a_minus_two(self) -> None:
        position = Position(hand="-2 2", others=(1, 9, 9), minus_two_lead=True)
        assert position.played("all_rounder") == "hand 2"
        assert Position(hand="-2 -2", minus_two_lead=True).played("all_rounder") == "hand -2 -2"


def test_positions_are_as_named() -> None:
    position = Position(hand="11 7 7 -2", open="5 1", tower="9 8", hidden=3, others=(3, 4))
    table, seat = position.tables[0], position.boxes[0].seats[0]
    assert table.cap == 8
    assert table.cards[:3].tolist() == [9, 3, 4]
    # 7, 7 7, -2, 11 from the hand; 5, 1 from the open cards.
    assert find_moves(table, seat) == 6
