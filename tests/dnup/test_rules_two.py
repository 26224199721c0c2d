"""Clauses and choices about the game for two."""

from __future__ import annotations

from simcore.batch import Cell
from simcore.compiler.plain import Match
from simcore.events import RoundStart
from simcore.games.dnup.deck import load_deck
from tests.dnup.following import DNUP
from tests.dnup.position import Position, position
from tests.players import RANDOM_PLAYER


class TestR16Symbols:
    def test_only_cards_without_symbol(self):
        p = Position(2, {})
        assert {p.deck[card].players for card in range(40) if p.plain.o.in_play >> card & 1} == {2}
        assert p.plain.o.deck_size == 18


class TestR17TwoMoves:
    def test_area_1_then_area_2(self):
        p = position("2/5 7/2 4/8", players=2)
        order = [(p.seat, p.area)]
        for _ in range(4):
            p.play("turn")
            order.append((p.seat, p.area))
        assert order == [(0, 1), (0, 2), (1, 1), (1, 2), (0, 1)]

    def test_each_discards_its_own_area(self):
        p = position("2/5 7/2 4/8", {(0, 2): "3/4 3/6", (1, 1): "1/4"}, players=2)
        assert p.lying(1) == "3 3"
        p.play("turn")
        assert (p.lying(1), p.discards) == ("", "3/4 3/6")


class TestR18TwoSets:
    def test_a_player_may_have_two_sets(self):
        p = position("2/5 7/6 7/9 4/8", players=2).play("2", "7 7")
        assert (p.lying(0), p.lying(1)) == ("2", "7 7")


class TestR19Start:
    def test_the_star_holder_begins_in_area_2(self):
        for match in range(20):
            cell = Cell(DNUP, DNUP.resolve({"players": 2}), (RANDOM_PLAYER,) * 2, 3)
            event = next(iter(Match(cell, match)))
            assert isinstance(event, RoundStart)
            star = next(card for card, printed in enumerate(load_deck("a")) if printed.star)
            assert star in event.s.hand[event.s.seat]
            assert event.s.place == 2 * event.s.seat + 1


class TestR20LastCard:
    def test_it_wins_the_round(self):
        p = position("2/5", players=2).play("2")
        assert p.phase == "ROUND_OVER"
        assert p.score().scores == [1, 0]


class TestR21TwoRounds:
    def test_two_rounds_win(self):
        p = position("2/5", players=2, scores=(1, 1)).play("2").score()
        assert (p.phase, int(p.s.winners), p.clause("goal")) == ("MATCH_OVER", 1, True)

    def test_another_goal(self):
        p = position("2/5", players=2, scores=(1, 1), rounds_to_win=3).play("2").score()
        assert p.phase == "ROUND_OVER"


class TestC20OwnSet:
    def test_it_must_be_beaten_and_comes_back(self):
        p = position("7/2 3/8 4/8", {(0, 1): "6/1"}, players=2, area=2)
        assert p.moves == {"7", "turn"}
        p.play("7")
        assert (p.lying(0), p.lying(1), p.hand(0)) == ("", "7", "1/6 3/8 4/8")


class TestC21OthersOnly:
    def test_the_own_set_is_no_target(self):
        p = position("6/7 3/8", {(0, 1): "6/1", (1, 2): "4/1 4/8"}, players=2, area=2)
        assert p.moves == {"turn", "take 4 4"}


class TestC22Order:
    def test_after_the_start_the_other_makes_two(self):
        p = position("7/2 3/8", players=2, area=2).play("turn")
        assert (p.seat, p.area) == (1, 1)
        p.play("turn")
        assert (p.seat, p.area) == (1, 2)

    def test_a_set_lies_in_the_area_of_the_move(self):
        p = position("7/2 3/8 4/8", players=2, area=2).play("7")
        assert (p.lying(0), p.lying(1)) == ("", "7")

    def test_the_area_stays_empty_after_other_actions(self):
        p = position("4/9 3/8", {(1, 1): "4/1"}, players=2).play("add to 4")
        assert (p.lying(0), p.lying(2)) == ("", "4 4")


class TestC23OwnSetReturns:
    def test_the_last_card_wins_all_the_same(self):
        p = position("7/2", {(0, 1): "6/1"}, players=2, area=2).play("7")
        assert (p.phase, p.hand(0)) == ("ROUND_OVER", "1/6")
        assert (p.clause("set_returned"), p.metric("sets_beaten")) == (True, 1)

    def test_or_the_collision_comes_first(self):
        p = position("7/2", {(0, 1): "6/1"}, players=2, area=2, win_on_playing=False).play("7")
        assert (p.phase, p.seat, p.hand(0)) == ("ACTION", 1, "1/6")

    def test_otherwise_it_is_won_all_the_same(self):
        p = position("7/2", {(1, 1): "6/1"}, players=2, area=2, win_on_playing=False).play("7")
        assert (p.phase, p.clause("set_returned")) == ("ROUND_OVER", False)


class TestC24Rounds:
    def test_the_score_is_rounds_won(self):
        p = position("2/5", players=2, others={1: "9/2"}).play("2").score()
        assert p.scores == [1, 0]
