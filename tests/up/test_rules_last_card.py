"""The last card: announcing, forgetting, going out. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.game import get_game
from simcore.rng import opened
from tests.up.following import CHANCE
from tests.up.position import position

pytestmark = pytest.mark.usefixtures("any_layout")

ALWAYS = {"forget_last_card": 1.0}


class TestR24Announcement:
    def test_who_forgets_is_skipped_once(self):
        seats = {1: {"hand": "7 6 5"}, 2: {"hand": "4 4 2"}}
        p = position(hand="9 1", others=seats, forget_last_card=[1.0, 0.0, 0.0]).play("9")
        assert p.lost == {0}
        p.play("7", "4")
        assert (p.seat, p.lost) == (1, set())  # seat 0 was passed over
        assert p.clause("lost_turn")
        p.play("6", "6", "4")  # seat 1 makes the tower collapse and leads; seat 2 lays a 4
        assert p.seat == 0

    def test_who_says_it_is_not(self):
        p = position(hand="9 1", others={1: {"hand": "7 6 5"}, 2: {"hand": "4 3 2"}})
        p.play("9", "7", "4")
        assert (p.seat, p.lost, p.clause("lost_turn")) == (0, set(), False)


class TestR25NothingToSay:
    def test_going_out_with_equal_cards(self):
        p = position(hand="5 5", tower="9", **ALWAYS).play("5 5")
        assert (p.phase, p.lost) == ("ROUND_OVER", set())


class TestC29AllCards:
    @pytest.mark.parametrize(
        ("piles", "move"),
        [
            ({"hand": "5 1"}, "5"),
            ({"hand": "5", "open": "1"}, "5"),
            ({"hand": "5", "hidden": "1"}, "5"),
            ({"hand": "5 5 1"}, "5 5"),
            ({"hand": "1", "open": "5 5"}, "open 5 5"),
            ({"hand": "-2 1"}, "-2"),
            ({"hidden": "1 5"}, "blind"),
        ],
    )
    def test_due_with_one_card_left(self, piles, move):
        assert position(**piles, tower="9", **ALWAYS).play(move).lost == {0}

    @pytest.mark.parametrize(
        ("piles", "move"),
        [
            ({"hand": "5 1", "hidden": "8"}, "5"),
            ({"hand": "5 1", "open": "8"}, "5"),
            ({"hand": "5 5 1"}, "5"),
            ({"hand": "11 1"}, "11"),
        ],
    )
    def test_not_with_more(self, piles, move):
        assert position(**piles, tower="9", **ALWAYS).play(move).lost == set()

    def test_after_a_clear_card_too(self):
        p = position(hand="clear -2", tower="9", **ALWAYS).play("clear")
        assert (p.seat, p.lost) == (0, {0})

    def test_a_minus_two_taken_back_is_no_card_less(self):
        p = position(hidden="8 -2", **ALWAYS).play("blind")
        assert (p.count(), p.lost) == (2, set())


class TestC30Forgetting:
    def test_never_by_default(self):
        assert position(hand="5 1", tower="9").play("5").lost == set()

    def test_by_seat(self):
        seats = {1: {"hand": "4 1"}}
        p = position(hand="5 1", others=seats, players=2, forget_last_card=[0.0, 1.0])
        p.play("5", "4")
        assert p.lost == {1}

    def test_a_probability(self):
        counts = 0
        for stream in range(400):
            p = position(hand="5 1", tower="9", forget_last_card=0.25)
            p.s.streams["CHANCE", 0] = opened(1, stream, 1, CHANCE)
            counts += p.play("5").lost == {0}
        assert 56 < counts < 152  # 100 expected; outside p < 1e-7 (normal, sd 8.7)

    def test_lost_even_after_a_collapse(self):
        # Seat 0 forgets, is skipped once, and then plays although it has one card only.
        seats = {1: {"hand": "8 7 6 3"}}
        p = position(hand="9 1", others=seats, players=2, forget_last_card=[1.0, 0.0]).play("9")
        p.play("8")
        assert (p.seat, p.lost) == (1, set())
        p.play("7")
        assert p.seat == 0

    def test_two_seats_are_skipped_one_after_the_other(self):
        p = position(hand="9 8 1", lost=(1, 2), players=3).play("9")
        assert (p.seat, p.lost) == (0, set())

    def test_whoever_is_skipped_keeps_the_first_turn(self):
        seats = {1: {"hand": "5 4", "open": "3"}, 2: {"hand": "2 2", "open": "1"}}
        p = position(hand="9 8 7", others=seats, lost=(1,), first_turn=True).play("9")
        assert (p.seat, p.lost) == (2, set())
        p.play("2", "8", "8", "5")
        assert p.seat == 2


class TestC31TwoToNone:
    @pytest.mark.parametrize("source", ["hand", "open"])
    def test_no_single_card_is_left(self, source):
        prefix = "open " if source == "open" else ""
        p = position(**{source: "5 5 5"}, tower="9", **ALWAYS).play(f"{prefix}5 5 5")
        assert (p.phase, p.lost) == ("ROUND_OVER", set())


class TestC32LastPlay:
    @pytest.mark.parametrize(
        ("piles", "tower", "move"),
        [
            ({"hand": "5"}, "9", "5"),
            ({"hand": "5"}, "", "5"),
            ({"open": "5"}, "9", "open 5"),
            ({"hidden": "5"}, "9", "blind"),
            ({"hidden": "5"}, "", "blind"),
            ({"hand": "clear"}, "9", "clear"),
            ({"hand": "clear"}, "", "clear"),
            ({"open": "clear"}, "9", "open clear"),
            ({"hidden": "clear"}, "9", "blind"),
            ({"hand": "-2"}, "9", "-2"),
            ({"hand": "-2 -2"}, "9", "-2 -2"),
        ],
    )
    def test_it_ends_the_round(self, piles, tower, move):
        p = position(**piles, tower=tower).play(move)
        assert (p.phase, p.count()) == ("ROUND_OVER", 0)

    @pytest.mark.parametrize(
        ("piles", "move"),
        [({"hand": "10"}, "10"), ({"open": "10"}, "open 10"), ({"hidden": "10"}, "blind")],
    )
    def test_not_when_it_is_too_heavy(self, piles, move):
        p = position(**piles, tower="9").play(move)
        assert (p.phase, p.hand(), p.seat) == ("PLAY", "10 9", 0)


@pytest.mark.parametrize("typed", ["0.1,0,0,0.2", "[0.1, 0, 0, 0.2]", "(0.1,0,0,0.2)"])
def test_one_for_each_seat_is_typed_as_it_is_shown(typed):
    options = get_game("up").resolve({"forget_last_card": typed})
    assert options["forget_last_card"] == [0.1, 0.0, 0.0, 0.2]
