"""The clauses that other UNO programs get wrong, one test each.

They are those of a comparison of six open-source implementations; each name says what was wrong
somewhere.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from simcore.batch import play
from simcore.compiler.plain import Match
from simcore.events import Step
from tests.players import RANDOM_PLAYER
from tests.referee.uno_cards import DECK_COUNT
from tests.uno.following import named
from tests.uno.players import HASTY
from tests.uno.position import dealt, position
from tests.uno.test_exact import first_face, starts
from tests.uno.test_referee import cell_of


def test_two_to_ten_players_each_with_their_own_result():
    for players in (2, 4, 10):
        block = play(cell_of({"players": players}), 0, 300)
        assert len(block.scores) == players
        wins = [(block.winners >> seat & 1).sum() for seat in range(players)]
        assert min(wins) > 0
        assert not (block.scores < 0).any()


@pytest.mark.parametrize("face", ["draw two", "reverse", "skip"])
def test_an_action_card_goes_on_its_symbol_in_another_colour(face):
    assert f"blue {face}" in position(f"blue {face}, blue 1", f"red {face}").moves


def test_an_action_card_does_not_go_on_another_action():
    p = position("blue skip, blue reverse, blue draw two", "red skip")
    assert p.moves == {"blue skip", "draw"}


def test_a_reverse_is_a_skip_with_two_players():
    p = position("red reverse, red 1, blue 1", "red 7", players=2).play("red reverse")
    assert (p.seat, p.phase) == (0, "PLAY")


@pytest.mark.parametrize("card", ["red 5", "blue 7", "red skip", "wild", "wild draw four"])
def test_a_drawn_card_may_be_played_or_kept(card):
    p = position("green 1", "red 7", stock=f"{card}, green 2").play("draw")
    assert p.moves == {card, "keep"}


def test_a_drawn_action_card_takes_effect():
    stock = "red draw two, green 2, green 3"
    p = position("green 1", "red 7", stock=stock).play("draw", "red draw two")
    assert (p.count(1), p.seat) == (5, 2)
    p = position("green 1", "red 7", stock="red skip, green 2").play("draw", "red skip")
    assert p.seat == 2
    p = position("green 1", "red 7", stock="red reverse, green 2").play("draw", "red reverse")
    assert (p.direction, p.seat) == (-1, 2)


def test_a_drawn_wild_is_named_by_its_player():
    p = position("green 1", "red 7", stock="wild, green 2").play("draw", "wild")
    assert (p.seat, p.moves) == (0, {"blue", "green", "red", "yellow"})
    assert p.play("blue").colour == "blue"


def test_a_drawn_wild_draw_four_makes_the_next_player_draw():
    stock = "wild draw four, green 2, green 3, green 4, green 5"
    p = position("green 1", "red 7", stock=stock)
    p.play("draw", "wild draw four", "blue", "accept")
    assert (p.count(1), p.seat) == (7, 2)


def test_a_wild_draw_four_is_legal_by_colour_only():
    by_face = position("wild draw four, blue 7, green 1", "red 7", challenge="off")
    assert {"wild draw four", "blue 7"} <= by_face.moves
    by_colour = position("wild draw four, red 1, green 1", "red 7", challenge="off")
    assert "wild draw four" not in by_colour.moves


def test_after_an_opening_draw_two_the_first_player_draws_and_is_skipped():
    p = dealt("green draw two", players=4, dealer=1)
    assert [p.count(seat) for seat in range(4)] == [7, 7, 9, 7]
    assert p.seat == 3


def test_an_opening_wild_is_named_by_the_first_player():
    p = dealt("wild", players=4, dealer=1)
    assert (p.seat, p.phase, p.top) == (2, "COLOUR", "wild")


def test_an_opening_wild_draw_four_goes_back_and_no_other_card_does():
    tops = Counter(first_face(s) for _, s in starts(2))
    assert tops[14] == 0
    assert 0.5 < tops[13] / (sum(tops.values()) * 4 / 104) < 1.6


def test_a_reshuffle_keeps_the_top_card_out():
    p = position("blue 1", "red 7", stock="", pile="yellow 1, red 7, green 2").play("draw")
    assert p.top == "red 7"
    assert p.discards == Counter(["red 7"])
    drawn = Counter(p.hand().split(", ")) - Counter(["blue 1"])
    assert p.stock + drawn == Counter(["yellow 1", "red 7", "green 2"])


def test_there_are_108_cards_after_every_move():
    reshuffles = 0
    for match in range(4):
        cell = cell_of({"players": 4, "turn_cap": 400}, seats=(RANDOM_PLAYER,))
        for event in Match(cell, match):
            if not isinstance(event, Step):
                continue
            s = event.after.s
            cards = Counter(card for place in (*s.hand, s.pile, s.stock) for card in place)
            assert max(cards.values()) == 1
            assert Counter(named(cards)) == DECK_COUNT
        reshuffles += s.count.reshuffles
    assert reshuffles > 3


def test_an_exhausted_stock_is_renewed_and_no_win():
    block = play(cell_of({"players": 2}, seats=(RANDOM_PLAYER,)), 0, 400)
    renewed = block.columns()["reshuffles"] > 0
    assert renewed.sum() > 100
    assert (block.scores.max(axis=0) > 0)[~block.aborted].all()


def test_a_wild_is_wild_again_after_a_reshuffle():
    p = position("wild", "wild red", stock="", pile="wild")
    p.hold(0, "blue 9, wild")
    assert "wild" in p.moves
    p.play("draw")
    assert set(p.stock) | set(p.hand().split(", ")) == {"blue 9", "wild"}


def test_a_draw_two_is_not_stacked():
    p = position("red draw two, blue 1", "red 7", others={1: "blue draw two, red draw two"})
    p.play("red draw two")
    assert (p.count(1), p.seat) == (4, 2)


def test_scores_go_to_500():
    block = play(cell_of({"rounds": None}), 0, 200)
    assert (block.scores.max(axis=0) >= 500).all()
    second = np.sort(block.scores, axis=0)[-2]
    assert (second < 500).all()


def test_a_wild_draw_four_can_be_challenged():
    hand = "wild draw four, red 1, green 1"
    p = position(hand, "red 7").play("wild draw four", "blue", "challenge")
    assert (p.count(0), p.count(1), p.seat) == (6, 3, 1)


def test_uno_is_called_and_a_forgotten_call_costs_two_cards():
    p = position("red 5, blue 1", "red 7", forget_uno=1.0).play("red 5")
    assert p.count() == 3


def test_an_unfinished_match_is_aborted_and_nobody_wins():
    block = play(cell_of({"turn_cap": 100}, seats=(RANDOM_PLAYER,)), 0, 400)
    assert block.aborted.sum() > 100
    assert (block.winners[block.aborted] == 0).all()
    assert (block.scores[:, block.aborted] == 0).all()


def test_no_seat_is_favoured_by_its_number():
    block = play(cell_of({"players": 4}, seats=(HASTY,)), 0, 20_000)
    wins = np.array([(block.winners >> seat & 1).sum() for seat in range(4)])
    assert (abs(wins - wins.mean()) < 5 * np.sqrt(wins.mean())).all()
