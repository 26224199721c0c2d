"""The end of rounds and matches. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.batch import play
from simcore.rng import opened
from tests.players import RANDOM_PLAYER
from tests.uno.following import CHANCE
from tests.uno.position import position
from tests.uno.test_referee import cell_of


def scored(left, *, scores=(0, 0), last="red 5", **options):
    """Seat 0 goes out, seat 1 has cards left; return the totals."""
    p = position(last, "red 7", players=2, others={1: left}, scores=scores, **options)
    return p.play(last).score().scores


class TestR16Uno:
    def test_the_penalty(self):
        p = position("red 5, blue 1", "red 7", forget_uno=1.0).play("red 5")
        assert (p.count(), p.seat, p.metric("uno_penalties")) == (3, 1, 1)
        assert p.clause("forgotten")

    def test_who_calls_draws_nothing(self):
        p = position("red 5, blue 1", "red 7").play("red 5")
        assert (p.count(), p.metric("uno_penalties")) == (1, 0)

    def test_only_with_one_card_left(self):
        p = position("red 5, blue 1, blue 2", "red 7", forget_uno=1.0).play("red 5")
        assert p.metric("uno_penalties") == 0


class TestR17End:
    def test_at_once(self):
        p = position("red 5", "red 7").play("red 5")
        assert p.phase == "ROUND_OVER"

    @pytest.mark.parametrize(("last", "count"), [("red draw two", 5), ("wild draw four", 7)])
    def test_the_next_player_still_draws(self, last, count):
        p = position(last, "red 7").play(last)
        assert (p.phase, p.count(1), p.count(2)) == ("ROUND_OVER", count, 3)

    def test_and_these_count(self):
        assert scored("blue 1", last="red draw two", stock="wild, green 9") == [60, 0]
        stock = "green 1, green 2, green 3, green 4"
        assert scored("blue 1", last="wild draw four", stock=stock) == [11, 0]


class TestR19Points:
    @pytest.mark.parametrize(
        ("left", "points"),
        [
            *((f"blue {number}", number) for number in range(10)),
            ("blue draw two", 20),
            ("blue reverse", 20),
            ("blue skip", 20),
            ("wild", 50),
            ("wild draw four", 50),
            ("wild, wild, wild, wild, wild draw four, blue 9, blue 9", 268),
            ("wild draw four, wild draw four, wild draw four, wild draw four", 200),
        ],
    )
    def test_values(self, left, points):
        assert scored(left) == [points, 0]

    def test_of_all_opponents(self):
        p = position("red 5", "red 7", others={1: "blue 3, wild", 2: "green skip"})
        assert p.play("red 5").score().scores == [73, 0, 0]


class TestR20Target:
    def test_reached_by_the_winner_of_the_round(self):
        p = position("red 5", "red 7", others={1: "wild", 2: "blue 1"}, scores=(460, 480, 0))
        p.play("red 5").score()
        assert (p.phase, p.s.winners, p.scores) == ("MATCH_OVER", 1, [511, 480, 0])
        assert p.clause("end")

    def test_otherwise_another_round(self):
        p = position("red 5", "red 7", others={1: "wild", 2: "blue 1"}, scores=(440, 480, 0))
        assert p.play("red 5").score().phase == "ROUND_OVER"

    def test_another_target(self):
        p = position("red 5", "red 7", others={1: "wild", 2: "blue 1"}, target=51)
        assert p.play("red 5").score().phase == "MATCH_OVER"


class TestR21OwnCards:
    def test_each_is_charged_the_own_cards(self):
        p = position(
            "red 5",
            "red 7",
            others={1: "wild", 2: "blue 1"},
            scores=(499, 460, 0),
            scoring="own_cards",
        )
        p.play("red 5").score()
        assert (p.scores, p.phase, p.s.winners) == ([499, 510, 1], "MATCH_OVER", 4)

    def test_below_the_target_another_round(self):
        assert scored("wild", scoring="own_cards") == [0, 50]


class TestC15Forgetting:
    def test_by_seat(self):
        p = position("red 5, blue 1", "red 7", forget_uno=[0.0, 1.0, 0.0])
        assert p.play("red 5").count() == 1
        p = position("red 5, blue 1", "red 7", forget_uno=[1.0, 0.0, 0.0])
        assert p.play("red 5").count() == 3

    def test_unnoticed(self):
        p = position("red 5, blue 1", "red 7", forget_uno=1.0, notice_uno=0.0).play("red 5")
        assert (p.count(), p.metric("uno_penalties")) == (1, 0)
        assert p.clause("forgotten")

    def test_after_a_card_drawn_too(self):
        p = position("blue 1", "red 7", stock="red 5, green 1, green 2", forget_uno=1.0)
        p.play("draw", "red 5")
        assert p.hand() == "blue 1, green 1, green 2"

    def test_how_often(self):
        penalties = forgotten = 0
        for number in range(400):
            p = position("red 5, blue 1", "red 7", forget_uno=0.5, notice_uno=0.5)
            p.s.streams["CHANCE", 0] = opened(1, 2, number, CHANCE)
            p.play("red 5")
            penalties += p.metric("uno_penalties")
            forgotten += p.clause("forgotten")
        assert 150 < forgotten < 250
        assert 60 < penalties < 140


class TestC16LastCard:
    def test_in_the_direction_of_play(self):
        p = position("red draw two", "red 7", players=4, counter_clockwise=True)
        p.play("red draw two")
        assert [p.count(seat) for seat in range(4)] == [0, 3, 3, 5]

    @pytest.mark.parametrize("last", ["red reverse", "red skip", "wild", "wild draw four"])
    def test_nothing_else_follows(self, last):
        p = position(last, "red 7").play(last)
        assert p.phase == "ROUND_OVER"
        assert p.direction == 1


class TestC19Reached:
    def test_not_exceeded(self):
        assert_over = position("red 5", "red 7", others={1: "wild", 2: "blue 0"}, scores=(450,))
        assert assert_over.play("red 5").score().phase == "MATCH_OVER"
        short = position("red 5", "red 7", others={1: "wild", 2: "blue 0"}, scores=(449,))
        assert short.play("red 5").score().phase == "ROUND_OVER"


class TestC20SharedWin:
    def test_lowest_totals(self):
        p = position(
            "red 5",
            "red 7",
            others={1: "wild", 2: "blue 1"},
            scores=(10, 460, 9),
            scoring="own_cards",
        )
        assert p.play("red 5").score().s.winners == 0b101

    def test_highest_totals_with_rounds(self):
        p = position("red 5", "red 7", others={1: "wild", 2: "blue 0"}, scores=(0, 50, 0), rounds=1)
        assert p.play("red 5").score().s.winners == 0b011


class TestC24TurnCap:
    def test_the_turn_after_the_cap_is_not_begun(self):
        p = position("red 5, red 6", "red 7", turns=100, turn_cap=100).play("red 5")
        assert (p.phase, bool(p.s.aborted), p.metric("turns")) == ("MATCH_OVER", True, 100)
        assert p.clause("turn_cap")

    def test_a_turn_that_ends_the_round_does_not_abort(self):
        p = position("red 5", "red 7", turns=100, turn_cap=100).play("red 5")
        assert p.phase == "ROUND_OVER"


class TestC25CardsDrawn:
    def test_all_but_the_deal(self):
        p = position("red draw two", "red 7").play("red draw two").score()
        assert p.metric("cards_drawn") == 2
        p = position("wild draw four", "red 7").play("wild draw four").score()
        assert p.metric("cards_drawn") == 4


class TestC26Penalty:
    def test_before_the_colour_is_named(self):
        stock = "green 1, green 2, green 3, green 4, green 5, green 6"
        p = position("wild draw four, blue 1", "red 7", stock=stock, forget_uno=1.0)
        p.play("wild draw four")
        assert (p.phase, p.hand()) == ("COLOUR", "blue 1, green 1, green 2")
        p.play("blue", "accept")
        assert p.hand(1).count("green") == 5

    def test_before_the_next_player_draws(self):
        p = position("red draw two, blue 9", "red 7", forget_uno=1.0).play("red draw two")
        assert p.hand() == "blue 1, blue 2, blue 9"

    def test_it_does_not_make_a_bluff(self):
        stock = "red 1, red 2, green 3, green 4, green 5, green 6, green 7, green 8"
        p = position("wild draw four, blue 1", "red 7", stock=stock, forget_uno=1.0)
        p.play("wild draw four", "blue", "challenge")
        assert (p.metric("bluffs"), p.metric("caught")) == (0, 0)


class TestC27Rounds:
    def test_instead_of_the_target(self):
        block = play(cell_of({"rounds": 3, "target": 1, "players": 3}), 0, 50)
        assert (block.columns()["rounds"] == 3).all()

    def test_the_highest_total_wins(self):
        p = position(
            "red 5", "red 7", others={1: "wild", 2: "blue 1"}, scores=(0, 400, 0), rounds=1
        )
        assert p.play("red 5").score().s.winners == 0b010


class TestC29Aborted:
    def test_no_winner_and_the_scores_so_far(self):
        p = position("red 5, red 6", "red 7", scores=(400, 9), turns=100, turn_cap=100)
        p.play("red 5")
        assert (p.s.winners, p.scores) == (0, [400, 9, 0])

    def test_metrics_count_all(self):
        cell = cell_of({"turn_cap": 100, "rounds": None}, seats=(RANDOM_PLAYER,))
        block = play(cell, 0, 300)
        columns = block.columns()
        assert (columns["turns"][block.aborted] >= 100).all()
        assert (columns["winners"][block.aborted] == 0).all()


class TestC30LeadChanges:
    @pytest.mark.parametrize(
        ("number", "leaders", "scores", "changes"),
        [
            (1, 0, (0, 0), 0),
            (2, 1, (0, 0), 0),
            (2, 2, (0, 0), 1),
            (2, 2, (0, 90), 0),
            (2, 2, (0, 50), 1),
        ],
    )
    def test_counted_after_the_first_round(self, number, leaders, scores, changes):
        p = position("red 5", "red 7", players=2, others={1: "wild"}, scores=scores)
        p.s.round_number = number
        p.s.leaders = leaders
        assert p.play("red 5").score().metric("lead_changes") == changes
