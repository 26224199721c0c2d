"""House rules and dials. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.games.dnup.deck import load_deck
from simcore.match import Match
from tests.dnup.following import DNUP
from tests.dnup.rows import Rows
from tests.players import RANDOM_PLAYER

STAR = next(card for card, printed in enumerate(load_deck("a")) if printed.star)


def assert_refused(match, **options):
    with pytest.raises(InputError, match=match):
        DNUP.resolve(options)


class TestHouseRules(Rows):
    rows = """
    [H1] markers
        the first out gets so many | hand 2/5; first_out_markers = 3
            | 2 | scores = 3 0 0; clause other_markers
        the second out gets so many | hand 2/5; seat 1 hand 3/1; second_out_markers = 3
            | 2, 3, score | scores = 2 3 0; clause other_markers
        the usual numbers are none to tell of | hand 2/5; seat 1 hand 3/1
            | 2, 3, score | scores = 2 1 0; no clause other_markers
        the round ends though the second out gets nothing
            | hand 2/5; seat 1 hand 3/1; second_out_markers = 0
            | 2, 3 | phase = ROUND_OVER | score | scores = 2 0 0
        the first out may get nothing | hand 2/5; seat 1 hand 3/1; first_out_markers = 0
            | 2 | phase = ACTION; scores = 0 0 0 | 3, score | scores = 0 1 0
        the goal is reached at once | hand 2/5; scores = (0, 3, 0); first_out_markers = 4
            | 2 | phase = MATCH_OVER; s.winners = 1
        an aborted round gives none | hand 2/5; first_out_markers = 3; turns = 98; turn_cap = 100
            | 2, turn | scores = 0 0 0
    [H2] the side is kept | turn_on_taking = False
        of what is taken | hand 8/1; seat 1 set 2/5 2/7 2/9
            | take 2 2 2 | hand = 2/5 2/7 2/9 8/1; known 0 = 2/5 2/7 2/9; clause kept_side
        of what is beaten | hand 5/2 8/1; seat 1 set 3/4; seat 1 hand 9/1 | 5 | hand 1 = 3/4 9/1
        its chart is that of its cards | hand 8/1 2/4; seat 1 set 2/5 2/7 2/9
            | take 2 2 2, turn, turn | may 2; may 2 2; may 2 2 2; may 2 2 2 2
        the hand is turned all the same | hand 2/5 7/2 | turn | hand = 2/7 5/2
    [H3] no taking | take_up = False
        no set may be taken | hand 5/1 8/1; seat 1 set 5/7 | | moves = 8, turn, add to 5
        large sets neither | hand 5/1 8/1; seat 1 set 9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8;
            seat 1 hand 4/1; seat 2 hand 4/3 | | moves = 5, 8, turn
        its clause when somebody else has a set | hand 5/1 8/1
            | turn | no clause no_taking | 9, 9/1 | clause no_taking
        of two players when the other has one | hand 5/1 8/1 3/4; players = 2
            | 5 | no clause no_taking | 8 | clause no_taking
    [H4] no turning | turn_hand = False
        the hand may not be turned | hand 5/1 8/1; seat 1 set 5/7
            | | moves = 8, add to 5, take 5; clause no_turning
        with large sets neither | hand 5/1 8/1; seat 1 set 9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8;
            seat 1 hand 4/1; seat 2 hand 4/3 | | moves = 5, 8, take 9 9 9 9 9 9 9 9
    [H4] a player who can do nothing passes | turn_hand = False; take_up = False
        one turn | hand 5/1; seat 1 set 9/7 | | moves =
            | pass | seat = 1; s.turns = 1; passes = 1; lying 1 =
        with a large set on the table too | hand 5/1; seat 2 set 8/7;
            seat 1 set 9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8; seat 1 hand 4/1; seat 2 hand 4/3
            | pass | passes = 1
        a pass is the one turn after somebody is out
            | hand 9/7; seat 1 hand 5/1 5/2 8/1; seat 2 hand 4/1
            | 9, 5 5, pass | lying 0 =; discards = 1/5 2/5 7/9; seat = 1
        a pass may reach the cap | hand 5/1; seat 1 set 9/7; turns = 99; turn_cap = 100
            | pass | phase = MATCH_OVER
        of two players it is one of two moves | hand 5/1; seat 1 set 9/7; players = 2
            | pass | seat = 0; area = 2
    [H5] an equal set beats | equal_beats = True
        and is counted | hand 7/2 8/1; seat 1 set 7/4; seat 1 hand 9/1
            | 7 | lying 0 = 7; lying 1 =; hand 1 = 4/7 9/1; sets_beaten = 1; clause equal_beaten
        a lower one does not | hand 6/2 8/1; seat 1 set 7/4 | | may not 6
        a higher one is no equal | hand 8/2 6/1; seat 1 set 7/4
            | 8 | sets_beaten = 1; no clause equal_beaten
        a set that grew beats an equal one
            | hand 5/1 8/2; seat 2 set 5/6; seat 3 set 5/3 5/7; seat 3 hand 9/1; players = 4
            | add to 5 | lying 2 = 5 5; lying 3 =; hand 3 = 3/5 7/5 9/1
        of a player who is out it is discarded | hand 7/2 8/1; seat 2 set 7/4; out = 2
            | 7 | discards = 4/7; hand 2 =
        two players may beat their own | hand 7/2 8/3; seat 0 set2 7/6; players = 2
            | 7 | lying 0 = 7; lying 1 =; hand = 6/7 8/3
        large sets beat equal ones | hand 9/2 9/3 9/4 9/5 9/6 9/7 9/8 8/2;
            seat 1 set 1/2 1/3 1/4 1/5* 1/6 1/7 1/8 1/9; seat 1 hand 4/2;
            seat 2 set 8/4; seat 2 hand 4/3 | | may 8; may 9 9 9 9 9 9 9
    """


def test_h1_is_refused_where_nobody_could_win():
    together = "first_out_markers = 0 and second_out_markers = 0 .*allowed: 1…10"
    assert_refused(together, first_out_markers=0, second_out_markers=0)


@pytest.mark.parametrize("name", ["first_out_markers", "second_out_markers"])
def test_h1_is_refused_with_two_players(name):
    assert_refused(f"{name} = 1 .*3 to 5 players", players=2, **{name: 1})
    assert DNUP.resolve({"players": 2})[name] is None


def test_h4_blocks_and_replays_count_passes_alike():
    options = {"turn_hand": False, "take_up": False, "players": 2}
    cell = Cell(DNUP, DNUP.resolve(options), (RANDOM_PLAYER,) * 2, 3)
    rows = play(cell, 0, 4).columns()
    for match in range(4):
        playback = Match(cell, match)
        for _ in playback:
            pass
        for name in ("turns", "passes", "decisions", "forced"):
            assert playback.row()[name] == rows[name][match]
    assert rows["passes"].sum() > 0


class TestH6RoundStart:
    def starts(self, players, *, matches=3, rounds=99, **options):
        resolved = DNUP.resolve({"players": players} | options)
        cell = Cell(DNUP, resolved, (RANDOM_PLAYER,) * players, 3)
        for match in range(matches):
            last = None
            for event in Match(cell, match):
                if isinstance(event, RoundStart):
                    yield last, event.s
                    if event.s.round_number == rounds:
                        break
                else:
                    last = event.s

    @pytest.mark.parametrize("players", [2, 3, 5])
    def test_the_winner_of_the_last_round_starts(self, players):
        later = 0
        for last, start in self.starts(players, round_start="winner"):
            if start.round_number == 1:
                assert STAR in start.hand[start.seat]
                continue
            assert start.seat == (last.last_out if players == 2 else last.first_out)
            assert start.place == (2 * start.seat + 1 if players == 2 else start.seat)
            later += 1
        assert later >= 4

    def test_whatever_the_markers(self):
        rules = {"round_start": "winner", "first_out_markers": 0, "second_out_markers": 3}
        for last, start in self.starts(4, matches=1, **rules):
            if start.round_number > 1:
                assert start.seat == last.first_out

    def test_its_clause_is_that_another_seat_starts(self):
        bit = 1 << [clause.name for clause in DNUP.clauses].index("winner_started")
        clauses = {
            STAR in start.hand[start.seat]: start.count.clauses & bit != 0
            for _, start in self.starts(3, matches=8, rounds=2, round_start="winner")
            if start.round_number == 2
        }
        assert clauses == {0: True, 1: False}
