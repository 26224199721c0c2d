"""House rules and dials: positions, one class a mark."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.errors import InputError
from simcore.events import RoundStart
from simcore.games.dnup.deck import load_deck
from tests.dnup.following import DNUP
from tests.dnup.position import position
from tests.players import RANDOM_PLAYER

STAR = next(card for card, printed in enumerate(load_deck("a")) if printed.star)


def assert_refused(match, **options):
    with pytest.raises(InputError, match=match):
        DNUP.resolve(options)


class TestH1Markers:
    def test_the_first_out_gets_so_many(self):
        p = position("2/5", first_out_markers=3).play("2")
        assert (p.scores, p.clause("other_markers")) == ([3, 0, 0], True)

    def test_the_second_out_gets_so_many(self):
        p = position("2/5", others={1: "3/1"}, second_out_markers=3).play("2", "3").score()
        assert (p.scores, p.clause("other_markers")) == ([2, 3, 0], True)

    def test_the_usual_numbers_are_none_to_tell_of(self):
        p = position("2/5", others={1: "3/1"}).play("2", "3").score()
        assert (p.scores, p.clause("other_markers")) == ([2, 1, 0], False)

    def test_the_round_ends_though_the_second_out_gets_nothing(self):
        p = position("2/5", others={1: "3/1"}, second_out_markers=0).play("2", "3")
        assert p.phase == "ROUND_OVER"
        assert p.score().scores == [2, 0, 0]

    def test_the_first_out_may_get_nothing(self):
        p = position("2/5", others={1: "3/1"}, first_out_markers=0).play("2")
        assert (p.phase, p.scores) == ("ACTION", [0, 0, 0])
        assert p.play("3").score().scores == [0, 1, 0]

    def test_the_goal_is_reached_at_once(self):
        p = position("2/5", scores=(0, 3, 0), first_out_markers=4).play("2")
        assert (p.phase, int(p.s.winners)) == ("MATCH_OVER", 1)

    def test_an_aborted_round_gives_none(self):
        p = position("2/5", first_out_markers=3, turns=98, turn_cap=100).play("2", "turn")
        assert p.scores == [0, 0, 0]

    def test_refused_where_nobody_could_win(self):
        together = "first_out_markers = 0 and second_out_markers = 0 .*allowed: 1…10"
        assert_refused(together, first_out_markers=0, second_out_markers=0)

    @pytest.mark.parametrize("name", ["first_out_markers", "second_out_markers"])
    def test_refused_with_two_players(self, name):
        assert_refused(f"{name} = 1 .*3 to 5 players", players=2, **{name: 1})
        assert DNUP.resolve({"players": 2})[name] is None


class TestH2KeptSide:
    def test_what_is_taken_keeps_its_side(self):
        p = position("8/1", {1: "2/5 2/7 2/9"}, turn_on_taking=False).play("take 2 2 2")
        assert (p.hand(0), p.known(0)) == ("2/5 2/7 2/9 8/1", "2/5 2/7 2/9")
        assert p.clause("kept_side")

    def test_what_is_beaten_keeps_its_side(self):
        p = position("5/2 8/1", {1: "3/4"}, others={1: "9/1"}, turn_on_taking=False).play("5")
        assert p.hand(1) == "3/4 9/1"

    def test_its_chart_is_that_of_its_cards(self):
        p = position("8/1 2/4", {1: "2/5 2/7 2/9"}, turn_on_taking=False).play("take 2 2 2")
        p.play("turn", "turn")
        assert {"2", "2 2", "2 2 2", "2 2 2 2"} < p.moves

    def test_the_hand_is_turned_all_the_same(self):
        assert position("2/5 7/2", turn_on_taking=False).play("turn").hand(0) == "2/7 5/2"


class TestH3NoTaking:
    def test_no_set_may_be_taken(self):
        p = position("5/1 8/1", {1: "5/7"}, take_up=False)
        assert p.moves == {"8", "turn", "add to 5"}

    def test_large_sets_neither(self):
        eight = "9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8"
        p = position("5/1 8/1", {1: eight}, others={1: "4/1", 2: "4/3"}, take_up=False)
        assert p.moves == {"5", "8", "turn"}

    def test_its_clause_when_somebody_else_has_a_set(self):
        p = position("5/1 8/1", take_up=False)
        assert not p.play("turn").clause("no_taking")
        assert p.play("9", "9/1").clause("no_taking")

    def test_of_two_players_when_the_other_has_one(self):
        p = position("5/1 8/1 3/4", players=2, take_up=False)
        assert not p.play("5").clause("no_taking")
        assert p.play("8").clause("no_taking")


class TestH4NoTurning:
    BARE = MappingProxyType({"turn_hand": False, "take_up": False})

    def test_the_hand_may_not_be_turned(self):
        p = position("5/1 8/1", {1: "5/7"}, turn_hand=False)
        assert p.moves == {"8", "add to 5", "take 5"}
        assert p.clause("no_turning")

    def test_with_large_sets_neither(self):
        eight = "9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8"
        p = position("5/1 8/1", {1: eight}, others={1: "4/1", 2: "4/3"}, turn_hand=False)
        assert p.moves == {"5", "8", "take 9 9 9 9 9 9 9 9"}

    def test_who_can_do_nothing_passes(self):
        p = position("5/1", {1: "9/7"}, turn_hand=False, take_up=False)
        assert p.moves == set()
        p.play("pass")
        assert (p.seat, int(p.s.turns), p.metric("passes")) == (1, 1, 1)
        assert p.lying(1) == ""

    def test_with_a_large_set_on_the_table_too(self):
        eight = "9/1 9/2 9/3 9/4 9/5 9/6 9/7 9/8"
        sets = {1: eight, 2: "8/7"}
        p = position("5/1", sets, others={1: "4/1", 2: "4/3"}, turn_hand=False, take_up=False)
        assert p.play("pass").metric("passes") == 1

    def test_a_pass_is_the_one_turn_after_somebody_is_out(self):
        p = position("9/7", others={1: "5/1 5/2 8/1", 2: "4/1"}, **self.BARE)
        p.play("9", "5 5", "pass")
        assert (p.lying(0), "7/9" in p.discards, p.seat) == ("", True, 1)

    def test_a_pass_may_reach_the_cap(self):
        p = position("5/1", {1: "9/7"}, turn_hand=False, take_up=False, turns=99, turn_cap=100)
        assert p.play("pass").phase == "MATCH_OVER"

    def test_of_two_players_it_is_one_of_two_moves(self):
        rules = {"turn_hand": False, "take_up": False, "players": 2}
        p = position("5/1", {(1, 1): "9/7"}, **rules).play("pass")
        assert (p.seat, p.area) == (0, 2)

    def test_blocks_and_replays_count_alike(self):
        options = {"turn_hand": False, "take_up": False, "players": 2}
        cell = Cell(DNUP, DNUP.resolve(options), (RANDOM_PLAYER,) * 2, 3)
        rows = play(cell, 0, 12).columns()
        for match in range(12):
            playback = Match(cell, match)
            for _ in playback:
                pass
            for name in ("turns", "passes", "decisions", "forced"):
                assert playback.row()[name] == rows[name][match]
        assert rows["passes"].sum() > 0


class TestH5EqualBeats:
    def test_an_equal_set_beats(self):
        p = position("7/2 8/1", {1: "7/4"}, others={1: "9/1"}, equal_beats=True).play("7")
        assert (p.lying(0), p.lying(1), p.hand(1)) == ("7", "", "4/7 9/1")
        assert (p.metric("sets_beaten"), p.clause("equal_beaten")) == (1, True)

    def test_a_lower_one_does_not(self):
        assert "6" not in position("6/2 8/1", {1: "7/4"}, equal_beats=True).moves

    def test_a_higher_one_is_no_equal(self):
        p = position("8/2 6/1", {1: "7/4"}, equal_beats=True).play("8")
        assert (p.metric("sets_beaten"), p.clause("equal_beaten")) == (1, False)

    def test_a_set_that_grew_beats_an_equal_one(self):
        sets = {2: "5/6", 3: "5/3 5/7"}
        p = position("5/1 8/2", sets, others={3: "9/1"}, players=4, equal_beats=True)
        p.play("add to 5")
        assert (p.lying(2), p.lying(3), p.hand(3)) == ("5 5", "", "3/5 7/5 9/1")

    def test_of_who_is_out_it_is_discarded(self):
        p = position("7/2 8/1", {2: "7/4"}, out=2, equal_beats=True).play("7")
        assert (p.discards, p.hand(2)) == ("4/7", "")

    def test_two_players_may_beat_their_own(self):
        p = position("7/2 8/3", {(0, 2): "7/6"}, players=2, equal_beats=True).play("7")
        assert (p.lying(0), p.lying(1), p.hand(0)) == ("7", "", "6/7 8/3")

    def test_large_sets_beat_equal_ones(self):
        cards = "1/2 1/3 1/4 1/5* 1/6 1/7 1/8 1/9"
        hand = "9/2 9/3 9/4 9/5 9/6 9/7 9/8 8/2"
        p = position(hand, {1: cards}, others={1: "4/2", 2: "4/3"}, equal_beats=True)
        assert "8" in p.moves
        assert "9 9 9 9 9 9 9" in p.moves


class TestH6RoundStart:
    def starts(self, players, *, matches=6, rounds=99, **options):
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
        assert later >= 10

    def test_whatever_the_markers(self):
        rules = {"round_start": "winner", "first_out_markers": 0, "second_out_markers": 3}
        for last, start in self.starts(4, **rules):
            if start.round_number > 1:
                assert start.seat == last.first_out

    def test_its_clause_is_that_another_seat_starts(self):
        bit = 1 << [clause.name for clause in DNUP.clauses].index("winner_started")
        clauses = {
            STAR in start.hand[start.seat]: start.count.clauses & bit != 0
            for _, start in self.starts(5, matches=15, rounds=2, round_start="winner")
            if start.round_number == 2
        }
        assert clauses == {0: True, 1: False}
