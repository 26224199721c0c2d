"""Scoring and the end of a match. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.following import KIND_NAMES, UP
from tests.up.position import Position, scored
from tests.up.rows import Rows

pytestmark = pytest.mark.usefixtures("any_layout")


class TestScoring(Rows):
    rows = """
    [R26] points | hand 5; players = 2
        they add up | seat 1 hand 11 11 -2; seat 1 open clear 1; seat 1 hidden 8 -2 clear 3
            | 5, score | scores = 0 174
        cards cleared away and in the tower do not count | hand clear 5; tower 9 8 7; seat 1 hand 4
            | clear, 5, score | scores = 0 4
    [R27] credit | seat 1 hand 4; players = 2
        ten        | hand 5; scores = (33, 20)             | 5, score     | scores = 23 24
        eighty for a hidden minus two | hidden -2; scores = (100, 0) | blind, score | scores = 20 4
        on a 2 too | hidden -2; tower 2; scores = (100, 0) | blind, score | scores = 20 4
        on a 9 too | hidden -2; tower 9; scores = (100, 0) | blind, score | scores = 20 4
    [R28] running total | hand 5; players = 2
        totals are kept  | seat 1 hand 4 3; scores = (50, 60) | 5, score | scores = 40 67
        never below zero | seat 1 hand 4; scores = (3, 0)     | 5, score | scores = 0 4
    [R29] the lowest total wins | hand 5; seat 1 hand 4; players = 2
        after the last round | scores = (30, 5); rounds = 1
            | 5, score | phase = MATCH_OVER; scores = 20 9; s.winners = 2
    [R30] children | hand 5; players = 2
        cards are counted without credit
            | seat 1 hand 11 -2; seat 1 open clear; seat 1 hidden 1; scores = (7, 1);
            scoring = "cards"
            | 5, score | scores = 7 5
        a match for the first out | seat 1 hand 11; scores = (2, 3); scoring = "matches"
            | 5, score | scores = 3 3
        most matches win | seat 1 hand 4; scores = (2, 1); scoring = "matches"; rounds = 1
            | 5, score | s.winners = 1
    [R31] limit | hand 5; seat 1 hand 4; players = 2; points_limit = 300
        more than 300 | scores = (0, 297)
            | 5, score | phase = MATCH_OVER; clause limit; s.winners = 1
        exactly 300   | scores = (0, 296)
            | 5, score | phase = ROUND_OVER; no clause limit; s.winners = 0
    [C35] strictly more, after booking | hand 5; seat 1 hand 4; points_limit = 300
        not before the credit   | players = 2; scores = (305, 0) | 5, score | phase = ROUND_OVER
        anybody's total         | players = 2; scores = (0, 305) | 5, score | phase = MATCH_OVER
        a tie is a shared win   | seat 2 hand 9 9; scores = (16, 2, 290)
            | 5, score | scores = 6 6 308; s.winners = 3
    [C24] eighty instead of ten
        also when it fits | hidden -2; tower 9; scores = (100, 0, 0) | blind, score | scores 0 = 20
        not for one that was not the last card
            | hand 1; hidden -2; tower 9; seat 1 hand 5 4; players = 2; scores = (100, 0)
            | blind, 5, 1, score | scores = 90 4
    [C33] floor
        ten of nothing    | hand 5; scores = (0, 0, 0)     | 5, score     | scores 0 = 0
        ten of nine       | hand 5; scores = (9, 0, 0)     | 5, score     | scores 0 = 0
        ten of ten        | hand 5; scores = (10, 0, 0)    | 5, score     | scores 0 = 0
        ten of eleven     | hand 5; scores = (11, 0, 0)    | 5, score     | scores 0 = 1
        eighty of nothing | hidden -2; scores = (0, 0, 0)  | blind, score | scores 0 = 0
        eighty of 79      | hidden -2; scores = (79, 0, 0) | blind, score | scores 0 = 0
        eighty of 81      | hidden -2; scores = (81, 0, 0) | blind, score | scores 0 = 1
    [C34] length of a match | hand 5
        not before the last round  | rounds = 3; round_number = 2 | 5, score | phase = ROUND_OVER
        after the last round       | rounds = 3; round_number = 3 | 5, score | phase = MATCH_OVER
        with a limit the limit     | rounds = 3; points_limit = 300; scores = (0, 300, 0)
            | 5, score | phase = MATCH_OVER
        or the rounds | rounds = 3; points_limit = 300; round_number = 3
            | 5, score | phase = MATCH_OVER
        the least wins | seat 1 hand 4; seat 2 hand 3; scores = (12, 7, 0); rounds = 1
            | 5, score | scores = 2 11 3; s.winners = 1
        ties share the win | seat 1 hand 2; seat 2 hand 3; scores = (12, 0, 0); rounds = 1
            | 5, score | s.winners = 3
    [C40] cap on plays | hand 5 11 clear; tower 9; plays = 99; play_cap = 100
        laying           | | 5     | phase = MATCH_OVER; s.aborted = 1; plays = 100; clause play_cap
        a collapse       | | 11    | phase = MATCH_OVER; s.aborted = 1; plays = 100; clause play_cap
        a clear card     | | clear | phase = MATCH_OVER; s.aborted = 1; plays = 100; clause play_cap
        a minus two taken back | hand 5; hidden 8 -2; tower = "" | blind | phase = MATCH_OVER
        not before | hand 5 1; plays = 98 | 5 | phase = PLAY; no clause play_cap
    [C43] completed rounds
        scored ones are counted | hand 5 | | rounds = 0 | 5, score | rounds = 1
        an aborted one is not | hand 5 1; tower 9; plays = 99; play_cap = 100
            | 5 | phase = MATCH_OVER; rounds = 0
    [C50] aborted | tower 9; plays = 99; play_cap = 100
        no winner, and the scores of completed rounds | hand 5 1; scores = (3, 4, 5)
            | 5 | s.winners = 0; scores = 3 4 5
        not by a number that ends the round | hand 5
            | 5 | phase = ROUND_OVER; s.aborted = 0; plays = 100
        nor by a clear card | hand clear
            | clear | phase = ROUND_OVER; s.aborted = 0; plays = 100
        nor by a hidden minus two | hidden -2
            | blind | phase = ROUND_OVER; s.aborted = 0; plays = 100
    [C51] plays
        laying and turning up | hand clear 9; hidden -2; seat 1 hand -2; seat 2 hand 4 -2
            | clear, blind, 9 | s.plays = 3
        but not passing | hand -2; seat 1 hand -2; seat 2 hand 4
            | pass, pass | s.plays = 0 | 4 | plays = 1
    [C52] lead changes | hand 5; seat 1 hand 4; seat 2 hand 3; round_number = 2
        still seat 0       | scores = (10, 6, 6); leaders = 1 | 5, score | lead_changes = 0
        no longer seat 1   | scores = (10, 6, 6); leaders = 2 | 5, score | lead_changes = 1
        now shared         | scores = (30, 0, 1); leaders = 2 | 5, score | lead_changes = 1
        still shared       | scores = (30, 0, 1); leaders = 6 | 5, score | lead_changes = 0
        the first round is not counted | round_number = 1     | 5, score | lead_changes = 0
    """


@pytest.mark.parametrize("card", KIND_NAMES)
@pytest.mark.parametrize("place", ["hand", "open", "hidden"])
def test_points_of_every_card_in_every_place(card, place):
    points = {"-2": 20, "clear": 50}.get(card) or int(card)
    assert scored({place: card}) == [0, points]


def test_six_rounds_unless_there_is_a_limit():
    assert UP.resolve({})["rounds"] == 6
    assert UP.resolve({"points_limit": 300})["rounds"] is None


def test_c41_the_first_seat_is_left_of_the_first_dealer():
    p = Position(5, {})
    for match in range(50):
        s = p.plain.start_match(3, match)
        assert s.first_seat == (s.dealer + 1) % 5
