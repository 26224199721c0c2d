"""UNO: each policy plays by its idea."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import play
from simcore.games.uno import state as uno
from tests.strategies.positions_uno import challenged, decide, naming, playing
from tests.strategies.test_policies import cell
from tests.uno.position import number_of_top


class TestRandomPlayable:
    def test_lays_whatever_goes(self) -> None:
        played = set()
        for match in range(60):
            p = playing("red 1, red 5, blue 7, wild, green 2", "red 7")
            played.add(decide(p, "random_playable", chance=match))
        assert played == {"red 1", "red 5", "blue 7", "wild"}

    def test_draws_only_if_nothing_goes(self) -> None:
        p = playing("red 1, green 2", "red 7", stock="blue 7, green 1").play("draw")
        assert decide(p, "random_playable") == "blue 7"

    def test_neither_bluffs_nor_challenges(self) -> None:
        p = playing("red 1, wild draw four", "red 7")
        assert {decide(p, "random_playable", chance=k) for k in range(30)} == {"red 1"}
        p = playing("blue 1, wild draw four", "red 7")
        assert decide(p, "random_playable") == "wild draw four"
        assert decide(challenged(30), "random_playable") == "accept"

    def test_draws_rather_than_bluff(self) -> None:
        p = playing("green 1, green 2", "red 7", stock="wild draw four, green 1").play("draw")
        p.hold(0, "red 1, wild draw four")
        assert decide(p, "random_playable") == "keep"


class TestDumper:
    def test_what_counts_most_first(self) -> None:
        assert decide(playing("red 1, red 9, red skip", "red 7"), "dumper") == "red skip"
        assert decide(playing("red 1, red 9, blue 7", "red 7"), "dumper") == "red 9"
        assert decide(playing("red 1, red 2, red 5, red 3", "red 7"), "dumper") == "red 5"

    def test_wild_cards_near_the_end(self) -> None:
        p = playing("red 1, red 9, wild", "red 7", cards=(5, 2))
        assert decide(p, "dumper(cards=2)") == "wild"
        assert decide(p, "dumper(cards=1)") == "red 9"


class TestMajority:
    def test_the_richest_colour(self) -> None:
        p = playing("red 9, blue 7, blue 1, blue 1, green 3", "red 7")
        assert decide(p, "majority") == "blue 7"
        p = playing("red 9, red 1, red 2, blue 7, blue 1", "red 7")
        assert decide(p, "majority") == "red 9"

    def test_of_colours_that_are_equally_rich_the_last(self) -> None:
        assert decide(playing("blue 7, blue 1, red 9, red 1", "red 7"), "majority") == "red 9"
        assert decide(naming("blue 1, green 2"), "majority") == "green"

    def test_wilds_last(self) -> None:
        assert decide(playing("red 0, wild, blue 1, blue 2", "red 7"), "majority") == "red 0"
        assert decide(playing("wild, blue 1, blue 2", "red 7"), "majority") == "wild"

    def test_names_it(self) -> None:
        assert decide(naming("red 1, green 2, green 2"), "majority") == "green"

    def test_is_honest(self) -> None:
        assert decide(playing("red 0, wild draw four", "red 7"), "majority") == "red 0"
        assert decide(challenged(30), "majority") == "accept"


class TestSaver:
    def test_numbers_first(self) -> None:
        p = playing("red 1, red skip, wild", "red 7", cards=(5, 5))
        assert decide(p, "saver(cards=4)") == "red 1"
        assert decide(p, "saver(cards=5)") == "red skip"

    def test_any_opponent(self) -> None:
        p = playing("red 1, wild, blue 2", "red 8", cards=(5, 2))
        assert decide(p, "saver(cards=2)") == "wild"


class TestHitter:
    @pytest.mark.parametrize("hit", ["draw two", "skip", "reverse"])
    def test_when_the_next_player_is_about_to_finish(self, hit: str) -> None:
        hand = f"red 9, red 1, blue 7, blue 1, blue 2, blue 3, red {hit}"
        near = playing(hand, "red 7", cards=(2, 9, 9))
        assert decide(near, "hitter(cards=2)") == f"red {hit}"
        assert decide(near, "hitter(cards=1)") == "blue 7"

    def test_the_next_player_only(self) -> None:
        hand = "red 9, blue 7, blue 1, blue 2, red skip"
        assert decide(playing(hand, "red 7", cards=(9, 9, 1)), "hitter") == "blue 7"
        turned = playing(hand, "red 7", cards=(9, 9, 1), counter_clockwise=True)
        assert decide(turned, "hitter") == "red skip"

    def test_a_wild_draw_four_hits_too(self) -> None:
        p = playing("blue 7, wild draw four, blue 1", "red 7", cards=(1, 9))
        assert decide(p, "hitter") == "wild draw four"


class TestWatcher:
    def test_names_what_the_next_player_lacks(self) -> None:
        p = naming("red 1, green 2, green 3")
        assert decide(p, "watcher(cards=2)") == "green"
        p.s.drew_on[1] = number_of_top("red 4")
        assert decide(p, "watcher(cards=2)") == "red"
        assert decide(p, "watcher(cards=0.5)") == "green"

    def test_plays_it(self) -> None:
        p = playing("red 9, blue 7, blue 1", "red 7")
        p.s.drew_on[1] = number_of_top("wild red")
        assert decide(p, "watcher(cards=2)") == "red 9"
        p.s.drew_on[1] = number_of_top("green 2")
        assert decide(p, "watcher(cards=2)") == "blue 7"


class TestBluffer:
    def test_holds_the_colour(self) -> None:
        p = playing("red 9, red 1, wild draw four", "red 7", cards=(2, 9))
        assert decide(p, "bluffer(rate=1)") == "wild draw four"
        assert decide(p, "bluffer(rate=0)") == "red 9"
        assert decide(p, "bluffer(rate=1,cards=1)") == "red 9"

    def test_at_a_rate(self) -> None:
        bluffs = 0
        for match in range(200):
            p = playing("red 9, red 1, wild draw four", "red 7", cards=(2, 9))
            bluffs += decide(p, "bluffer(rate=0.3)", chance=match) == "wild draw four"
        assert 30 < bluffs < 90


class TestChallenger:
    def test_many_cards(self) -> None:
        assert decide(challenged(6), "challenger(cards=6)") == "challenge"
        assert decide(challenged(5), "challenger(cards=6)") == "accept"

    def test_the_colour_just_laid(self) -> None:
        laid = challenged(4, before="red", laid="red 5")
        assert decide(laid, "challenger(cards=6,laid=3)") == "challenge"
        assert decide(laid, "challenger(cards=6,laid=1)") == "accept"
        other = challenged(4, before="red", laid="blue 5")
        assert decide(other, "challenger(cards=6,laid=3)") == "accept"

    def test_a_draw_on_the_colour(self) -> None:
        drew = challenged(9, before="red", drew="red 5")
        assert decide(drew, "challenger(cards=6)") == "accept"
        other = challenged(9, before="red", drew="blue 5")
        assert decide(other, "challenger(cards=6)") == "challenge"

    def test_pays_against_bluffs(self) -> None:
        lineup = "{},bluffer(rate=1,cards=20)"
        doubting = play(cell("uno", lineup.format("challenger(cards=4)"), players=2), 0, 2000)
        trusting = play(cell("uno", lineup.format("majority"), players=2), 0, 2000)
        assert np.mean(doubting.winners == 1) > np.mean(trusting.winners == 1) + 0.02


class TestAllRounder:
    def test_hits_and_bluffs(self) -> None:
        p = playing("red 9, red skip, wild draw four", "red 7", cards=(1, 9))
        assert decide(p, "all_rounder(bluff=1)") == "wild draw four"
        assert decide(p, "all_rounder(bluff=0)") == "red skip"

    def test_action_cards_first_with_two_players(self) -> None:
        hand = "red 9, blue 7, blue 1, blue 2, red skip"
        assert decide(playing(hand, "red 7", cards=(9,)), "all_rounder") == "red skip"
        assert decide(playing(hand, "red 7", cards=(9, 9)), "all_rounder") == "blue 7"

    def test_what_others_lack(self) -> None:
        p = naming("red 1, green 2, green 3")
        p.s.drew_on[1] = number_of_top("red 4")
        assert decide(p, "all_rounder(lack=2)") == "red"
        assert decide(p, "all_rounder(lack=0)") == "green"

    def test_doubts(self) -> None:
        assert decide(challenged(10), "all_rounder") == "challenge"
        assert decide(challenged(5), "all_rounder") == "accept"

    def test_wild_cards_late(self) -> None:
        p = playing("red 9, wild", "red 7", cards=(5, 1))
        assert decide(p, "all_rounder(late=1)") == "wild"
        assert decide(p, "all_rounder(late=0)") == "red 9"


class TestHouseRules:
    """What every policy but random play does under house rules."""

    SOME = ("random_playable", "majority", "all_rounder")

    @pytest.mark.parametrize("name", SOME)
    def test_swaps_for_the_smallest_hand(self, name):
        p = playing("blue 1, blue 2", "red 7", cards=(5, 2, 9), seven_zero=True)
        p.s.phase = int(uno.SWAP)
        assert decide(p, name) == "2"

    @pytest.mark.parametrize(
        ("hand", "cards", "chosen"),
        [
            ("red 7, red 1", (9, 9), "red 1"),  # nobody swaps a hand of one card for one of nine
            ("red 7, red 1, blue 1, blue 2, blue 3", (2, 9), "red 7"),
            ("red 7, blue 1", (9, 9), "draw"),
            ("red 7, blue 1", (2, 9), "red 7"),  # a card more costs no more than drawing
            ("red 0, red 1", (9, 9), "red 1"),
            ("red 0, red 1, blue 1, blue 2, blue 3", (9, 2), "red 0"),  # from the seat before
            ("red 0, red 1, red 2, blue 2, blue 3", (2, 9), "red 2"),
        ],
    )
    def test_trades_no_small_hand_for_a_large_one(self, hand, cards, chosen):
        p = playing(hand, "red 5", cards=cards, seven_zero=True)
        assert decide(p, "majority") == chosen

    def test_who_must_play_lays_even_a_bad_seven(self):
        p = playing("red 7, blue 1, red 7", "red 5", cards=(9, 9), seven_zero=True, must_play=True)
        assert p.moves == {"red 7"}

    @pytest.mark.parametrize("name", SOME)
    def test_jumps_in(self, name):
        p = playing("red 5, blue 1", "red 5", cards=(3, 3), jump_in=True)
        p.s.phase = int(uno.JUMP)
        assert decide(p, name) == "red 5"

    def test_jumps_in_with_no_seven_that_costs(self):
        p = playing("red 7, blue 1", "red 7", cards=(9, 9), jump_in=True, seven_zero=True)
        p.s.phase = int(uno.JUMP)
        assert decide(p, "all_rounder") == "decline"

    @pytest.mark.parametrize("name", SOME)
    def test_stacks_rather_than_draws(self, name):
        p = playing("red draw two, blue 1", "blue draw two", cards=(3, 3), stacking="same")
        p.s.phase = int(uno.STACK)
        assert decide(p, name) == "red draw two"
