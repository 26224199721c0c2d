"""The end of rounds and matches. Rows and tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.batch import play
from simcore.rng import opened
from tests.players import RANDOM_PLAYER
from tests.uno.following import CHANCE
from tests.uno.position import position
from tests.uno.rows import Rows
from tests.uno.test_referee import cell_of


def scored(left, *, scores=(0, 0), last="red 5", **options):
    """Seat 0 goes out, seat 1 has cards left; return the totals."""
    p = position(last, "red 7", players=2, others={1: left}, scores=scores, **options)
    return p.play(last).score().scores


class TestEnd(Rows):
    rows = """
    [R16] uno
        the penalty | hand red 5, blue 1; top red 7; forget_uno = 1.0
            | red 5 | count = 3; seat = 1; uno_penalties = 1; clause forgotten
        who calls draws nothing | hand red 5, blue 1; top red 7
            | red 5 | count = 1; uno_penalties = 0
        only with one card left | hand red 5, blue 1, blue 2; top red 7; forget_uno = 1.0
            | red 5 | uno_penalties = 0
    [R17] end
        at once | hand red 5; top red 7 | red 5 | phase = ROUND_OVER
        the next player still draws two | hand red draw two; top red 7
            | red draw two | phase = ROUND_OVER; count 1 = 5; count 2 = 3
        the next player still draws four | hand wild draw four; top red 7
            | wild draw four | phase = ROUND_OVER; count 1 = 7; count 2 = 3
    [R20] target
        reached by the winner of the round
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 1; scores = (460, 480, 0)
            | red 5, score
            | phase = MATCH_OVER; s.winners = 1; scores = 511 480 0; clause end
        otherwise another round
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 1; scores = (440, 480, 0)
            | red 5, score | phase = ROUND_OVER
        another target
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 1; target = 51
            | red 5, score | phase = MATCH_OVER
    [R21] own cards
        each is charged the own cards
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 1;
                scores = (499, 460, 0); scoring = "own_cards"
            | red 5, score | scores = 499 510 1; phase = MATCH_OVER; s.winners = 4
        below the target another round
            | hand red 5; top red 7; players = 2; seat 1 hand wild; scoring = "own_cards"
            | red 5, score | scores = 0 50
    [C15] forgetting
        another seat | hand red 5, blue 1; top red 7; forget_uno = [0.0, 1.0, 0.0]
            | red 5 | count = 1
        this seat | hand red 5, blue 1; top red 7; forget_uno = [1.0, 0.0, 0.0]
            | red 5 | count = 3
        unnoticed | hand red 5, blue 1; top red 7; forget_uno = 1.0; notice_uno = 0.0
            | red 5 | count = 1; uno_penalties = 0; clause forgotten
        after a card drawn too
            | hand blue 1; top red 7; stock red 5, green 1, green 2; forget_uno = 1.0
            | draw, red 5 | hand = blue 1, green 1, green 2
    [C16] last card
        in the direction of play | hand red draw two; top red 7; players = 4; counter_clockwise
            | red draw two | count = 0; count 1 = 3; count 2 = 3; count 3 = 5
        a reverse turns nothing | hand red reverse; top red 7
            | red reverse | phase = ROUND_OVER; direction = 1
        a skip skips nobody | hand red skip; top red 7
            | red skip | phase = ROUND_OVER; direction = 1
        a wild names no colour | hand wild; top red 7
            | wild | phase = ROUND_OVER; direction = 1
        nor does a wild draw four | hand wild draw four; top red 7
            | wild draw four | phase = ROUND_OVER; direction = 1
    [C19] reached
        it need not be exceeded
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 0; scores = (450,)
            | red 5, score | phase = MATCH_OVER
        one point short
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 0; scores = (449,)
            | red 5, score | phase = ROUND_OVER
    [C20] shared win
        lowest totals
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 1;
                scores = (10, 460, 9); scoring = "own_cards"
            | red 5, score | s.winners = 5
        highest totals with rounds
            | hand red 5; top red 7; seat 1 hand wild; seat 2 hand blue 0;
                scores = (0, 50, 0); rounds = 1
            | red 5, score | s.winners = 3
    [C24] turn cap
        the turn after the cap is not begun
            | hand red 5, red 6; top red 7; turns = 100; turn_cap = 100
            | red 5 | phase = MATCH_OVER; s.aborted = 1; turns = 100; clause turn_cap
        a turn that ends the round does not abort
            | hand red 5; top red 7; turns = 100; turn_cap = 100 | red 5 | phase = ROUND_OVER
    [C25] cards drawn
        all but the deal: two | hand red draw two; top red 7
            | red draw two, score | cards_drawn = 2
        all but the deal: four | hand wild draw four; top red 7
            | wild draw four, score | cards_drawn = 4
    [C26] penalty
        before the next player draws | hand red draw two, blue 9; top red 7; forget_uno = 1.0
            | red draw two | hand = blue 1, blue 2, blue 9
        it does not make a bluff
            | hand wild draw four, blue 1; top red 7; forget_uno = 1.0;
                stock red 1, red 2, green 3, green 4, green 5, green 6, green 7, green 8
            | wild draw four, blue, challenge | bluffs = 0; caught = 0
    """


def test_r17_and_these_count():
    assert scored("blue 1", last="red draw two", stock="wild, green 9") == [60, 0]
    stock = "green 1, green 2, green 3, green 4"
    assert scored("blue 1", last="wild draw four", stock=stock) == [11, 0]


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
def test_r19_values(left, points):
    assert scored(left) == [points, 0]


def test_r19_of_all_opponents():
    p = position("red 5", "red 7", others={1: "blue 3, wild", 2: "green skip"})
    assert p.play("red 5").score().scores == [73, 0, 0]


def test_c15_how_often():
    penalties = forgotten = 0
    for number in range(120):
        p = position("red 5, blue 1", "red 7", forget_uno=0.5, notice_uno=0.5)
        p.s.streams["CHANCE", 0] = opened(1, 2, number, CHANCE)
        p.play("red 5")
        penalties += p.metric("uno_penalties")
        forgotten += p.clause("forgotten")
    assert 35 < forgotten < 85
    assert 8 < penalties < 52


def test_c26_before_the_colour_is_named():
    stock = "green 1, green 2, green 3, green 4, green 5, green 6"
    p = position("wild draw four, blue 1", "red 7", stock=stock, forget_uno=1.0)
    p.play("wild draw four")
    assert (p.phase, p.hand()) == ("COLOUR", "blue 1, green 1, green 2")
    p.play("blue", "accept")
    assert p.hand(1).count("green") == 5


def test_c27_instead_of_the_target():
    cell = cell_of({"rounds": 3, "target": 1, "players": 3}, seats=(RANDOM_PLAYER,))
    block = play(cell, 0, 50)
    assert (block.columns()["rounds"][~block.aborted] == 3).all()
    assert block.aborted.mean() < 0.5


def test_c27_the_highest_total_wins():
    p = position("red 5", "red 7", others={1: "wild", 2: "blue 1"}, scores=(0, 400, 0), rounds=1)
    assert p.play("red 5").score().s.winners == 0b010


def test_c29_no_winner_and_the_scores_so_far():
    p = position("red 5, red 6", "red 7", scores=(400, 9), turns=100, turn_cap=100)
    p.play("red 5")
    assert (p.s.winners, p.scores) == (0, [400, 9, 0])


def test_c29_metrics_count_all():
    cell = cell_of({"turn_cap": 100, "rounds": None}, seats=(RANDOM_PLAYER,))
    block = play(cell, 0, 300)
    columns = block.columns()
    assert (columns["turns"][block.aborted] >= 100).all()
    assert (columns["winners"][block.aborted] == 0).all()


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
def test_c30_counted_after_the_first_round(number, leaders, scores, changes):
    p = position("red 5", "red 7", players=2, others={1: "wild"}, scores=scores)
    p.s.round_number = number
    p.s.leaders = leaders
    assert p.play("red 5").score().metric("lead_changes") == changes
