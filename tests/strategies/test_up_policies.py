"""Up: each policy plays by its idea."""

from __future__ import annotations

import pytest

from simcore.game import get_game
from simcore.games.up import rules as up
from tests.strategies.positions_up import choice, cutting, declaring, played, playing
from tests.strategies.test_policies import policies_of

UP = get_game("up")


class TestGreedy:
    def test_lays_most_cards(self) -> None:
        position = playing(hand="9 5 5 5", open="8", hidden=4, tower="10")
        assert played(position, "greedy(card=12)") == "hand 5 5 5"
        assert played(position, "greedy(card=0)") == "hand 9"

    def test_of_as_many_the_heaviest(self) -> None:
        assert played(playing(hand="9 9 5 5 1", open="8", tower="10"), "greedy") == "hand 9 9"

    def test_a_card_is_worth_values(self) -> None:
        position = playing(hand="9 7 7 11", tower="10")
        assert played(position, "greedy(card=1)") == "hand 9"
        assert played(position, "greedy(card=3)") == "hand 7 7"

    def test_many_cards_in_many_sets(self, monkeypatch) -> None:
        monkeypatch.setattr("tests.up.position.layout", "three words")
        seven = (13,) * 6
        position = playing(hand="9 5 5 5 5 5 5", tower="10", others=seven)
        assert played(position, "greedy") == "hand 5 5 5 5 5 5"

    def test_patience_ends(self) -> None:
        position = playing(hand="10 7 7 7 7 2", plays=300)
        assert played(position, "greedy(card=12)") == "hand 10"

    def test_double_two_counts_both(self) -> None:
        position = playing(hand="6 2 -2 -2", tower="9", double_two="always")
        assert played(position, "greedy(card=3)") == "hand 2 2 2"


class TestShedder:
    def test_heaviest_first(self) -> None:
        assert played(playing(hand="9 5 5 5 11", open="8", tower="10"), "shedder") == "hand 9"

    def test_special_cards_first_near_the_end(self) -> None:
        position = playing(hand="9 clear -2 3", tower="10")
        assert played(position, "shedder(cards=4)") == "hand clear"
        assert played(position, "shedder(cards=3)") == "hand 9"
        assert played(playing(hand="9 -2 3", tower="10"), "shedder(cards=4)") == "hand -2"


class TestFreer:
    def test_open_cards_before_the_hand(self) -> None:
        assert played(playing(hand="9 5", open="2 11", hidden=4, tower="10"), "freer") == "open 2"

    def test_turns_up_when_it_is_safe(self) -> None:
        position = playing(hand="5 3", hidden=2, tower="7")
        assert played(position, "freer(cap=7)") == "hidden"
        assert played(position, "freer(cap=8)") == "hand 5"
        assert played(playing(hand="5 3", hidden=2), "freer(cap=12)") == "hidden"


class TestHoarder:
    @pytest.mark.parametrize("special", ["-2", "clear"])
    def test_takes_a_small_tower_for_it(self, special: str) -> None:
        position = playing(hand=f"9 9 8 8 {special}", open="11", hidden=4, tower="6 5")
        assert played(position, "hoarder(threshold=6)") == "open 11"
        assert played(position, "hoarder(threshold=10)") == f"hand {special}"

    def test_takes_no_large_tower(self) -> None:
        position = playing(hand="9 9 8 8 clear", open="11", hidden=4, tower="7 6 6 5")
        assert played(position, "hoarder(tower=3)") == "hand clear"
        assert played(position, "hoarder(tower=4)") == "open 11"


class TestCollapser:
    def test_takes_a_low_tower(self) -> None:
        position = playing(hand="2 1", open="11", hidden=4, tower="3 2", plays=4)
        assert played(position, "collapser(cards=2)") == "open 11"
        assert played(position, "collapser(cards=1)") == "hand 2"

    def test_no_high_tower_and_not_late(self) -> None:
        high = playing(hand="8 1", open="11", hidden=4, tower="9 8", plays=4)
        assert played(high, "collapser") == "hand 8"
        late = playing(hand="2 1", open="11", hidden=4, tower="3 2", plays=16)
        assert played(late, "collapser(laps=4)") == "hand 2"
        assert played(late, "collapser(laps=5)") == "open 11"


class TestGuard:
    def test_blocks_an_opponent_about_to_finish(self) -> None:
        cards = {"hand": "9 9 3 -2 -2", "open": "8", "hidden": 4, "tower": "10"}
        near = playing(others=(8, 2, 8), **cards)
        assert played(near, "guard(cards=2)") == "hand -2 -2"
        assert played(near, "guard(cards=1)") == "hand 9 9"

    def test_dumps_clear_cards(self) -> None:
        position = playing(hand="9 clear", open="8", hidden=4, tower="10", others=(8, 8, 1))
        assert played(position, "guard") == "hand clear"


class TestAllRounder:
    def test_saves_low_cards(self) -> None:
        position = playing(hand="2 11 -2", tower="8", hidden=4, open="11")
        assert played(position, "all_rounder") == "hand -2"
        assert played(position, "all_rounder(low=1)") == "hand 2"

    def test_an_open_card_is_worth_more(self) -> None:
        position = playing(hand="9 3", open="7", hidden=4, tower="10")
        assert played(position, "all_rounder(open=3)") == "open 7"
        assert played(position, "all_rounder(open=1)") == "hand 9"

    def test_turns_up_rather_than_lay_a_light_card(self) -> None:
        position = playing(hand="5 11", hidden=2, tower="10")
        assert played(position, "all_rounder") == "hidden"
        assert played(position, "all_rounder(light=4)") == "hand 5"


class TestBeforeThePlay:
    def test_keeps_the_special_card(self) -> None:
        for policy in policies_of("up")[1:]:
            assert choice(cutting(), policy.name) == up.KEEP

    @pytest.mark.parametrize("name", ["hoarder", "guard", "all_rounder"])
    def test_judges_by_its_cards(self, name: str) -> None:
        both = {"dirty_one": "forehand", "double_two": "forehand"}
        rich = declaring(hand="1 -2 5", open="-2 9", **both)
        assert choice(rich, name) == up.DIRTY + up.DOUBLE
        assert choice(declaring(hand="3 8 5", open="7 9", **both), name) == 0
        only = declaring(hand="1 -2 5", open="-2 9", dirty_one="forehand")
        assert choice(only, name) == up.DIRTY

    def test_the_others_declare_nothing(self) -> None:
        position = declaring(hand="1 -2 5", open="-2 9", dirty_one="forehand")
        for name in ("greedy", "shedder", "freer", "collapser"):
            assert choice(position, name) == 0


class TestHouseRules:
    """What a policy weighs is what counts under the rules in force."""

    def test_special_cards_that_count_little_wait(self) -> None:
        hand = {"hand": "9 clear -2 3", "tower": "10"}
        position = playing(**hand, minus_two_points=0, clear_points=0)
        assert played(position, "shedder(cards=4)") == "hand 9"
        assert played(playing(**hand, clear_points=0), "shedder(cards=4)") == "hand -2"
        position = playing(**hand, others=(1, 9, 9), minus_two_points=0, clear_points=0)
        assert played(position, "guard") == "hand 9"

    def test_a_minus_two_that_counts_little_is_kept_at_the_end(self) -> None:
        cards = {"hand": "9 9 -2", "hidden": 4, "tower": "10", "others": (2, 8, 8)}
        assert played(playing(**cards), "all_rounder") == "hand -2"
        assert played(playing(**cards, minus_two_points=5), "all_rounder") == "hand 9 9"
        assert played(playing(**cards, minus_two_points=5), "all_rounder(cards=2)") == "hand -2"

    @pytest.mark.parametrize("name", ["all_rounder", "greedy", "shedder", "freer", "guard"])
    def test_four_equal_cards_go_first(self, name: str) -> None:
        position = playing(hand="5 5 4 4 4 3", open="4", tower="5 5", four_clear=True)
        position.s.equal = 2
        assert played(position, name) == "hand 5 5"

    @pytest.mark.parametrize("name", ["all_rounder", "guard", "shedder"])
    def test_no_more_minus_twos_than_the_tower_bears(self, name: str) -> None:
        position = playing(hand="-2 -2 -2 9", tower="5", others=(1, 9, 9), minus_two_collapse="any")
        assert played(position, name) == "hand -2 -2"

    def test_a_number_leads_before_a_minus_two(self) -> None:
        position = playing(hand="-2 2", others=(1, 9, 9), minus_two_lead=True)
        assert played(position, "all_rounder") == "hand 2"
        assert played(playing(hand="-2 -2", minus_two_lead=True), "all_rounder") == "hand -2 -2"


def test_positions_are_as_named() -> None:
    position = playing(hand="11 7 7 -2", open="5 1", tower="9 8", hidden=3, others=(3, 4))
    assert position.cap == 8
    assert [position.count(seat) for seat in range(3)] == [9, 3, 4]
    # 7, 7 7, -2, 11 from the hand; 5, 1 from the open cards.
    assert len(position.moves) == 6
