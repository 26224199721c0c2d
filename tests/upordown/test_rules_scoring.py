"""Scoring, the lead and the winners. Test classes bear the marks of RULES.md."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simcore.games.upordown.rules import note_lap
from tests.upordown.following import Follower
from tests.upordown.players import BUILDER
from tests.upordown.position import position
from tests.upordown.test_referee import cell_of


def lead_after_laps(*laps, players=2):
    """Return a position after laps with these points of the seats."""
    p = position(players=players)
    for points in laps:
        for seat in range(players):
            p.s.scores[seat] = points[seat]
        p.plain.run(p.plain.add(note_lap), p.s)
    return p


LAST = {"hand": "53", "hands": ["54"], "circle": "30 47 48 49 50 51"}


class TestR18Columns:
    @pytest.mark.parametrize(
        ("column", "points"),
        [
            ("1", 1),
            ("1 7", 4),
            ("1 2", 2),
            ("1 2 3 4 5 6 7 13", 24),
            ("1 2 3 7 8 13 19 25", 40),
            ("25 19 13 7 1", 25),
        ],
    )
    def test_most_frequent_colour_times_cards(self, column, points):
        assert position(display=[column]).scores[0] == points

    def test_columns_add_up(self):
        assert position(display=["1 7", "2 8 14", "5"]).scores[0] == 4 + 9 + 1


class TestC15SeveralColours:
    def test_only_the_number_counts(self):
        assert position(display=["1 2 7 8"]).scores[0] == 8


class TestR19Discards:
    def test_one_point_each(self):
        p = position(**LAST, display=["1 7 13", "2"]).play("53", "upper")
        assert p.scores[0] == 9 + 1
        assert p.copy().play("give up 1").scores[0] == 3 + 1 + 1
        assert p.copy().play("give up 2").scores[0] == 9 + 1 + 1


class TestC17PerCard:
    def test_not_per_column(self):
        p = position(**LAST, display=["1 2 3 4 5"]).play("53", "upper", "give up 1")
        assert p.scores[0] == 5 + 1


class TestC16Circle:
    def test_scores_nothing(self):
        p = position(**LAST).play("53", "upper", "new", "54", "upper", "new").finish()
        assert [p.scores[0], p.scores[1]] == [1, 1]


class TestR20Winner:
    def test_the_highest_total(self):
        p = position(**LAST, display=["1 7"]).play("53", "upper", "new")
        p.play("54", "upper", "new").finish()
        assert p.s.winners == 0b01
        assert [p.scores[0], p.scores[1]] == [5, 1]


class TestC19SharedWin:
    def test_all_with_the_highest(self):
        p = position(**LAST).play("53", "upper", "new", "54", "upper", "new").finish()
        assert p.s.winners == 0b11
        assert p.s.aborted == 0


class TestC20LeadChanges:
    def test_counted_by_laps(self):
        p = position(
            hand="53 52", hands=["54 46"], circle="30 47 48 49 50 51", others=[["7 13", "9"]]
        )
        p.play("53", "upper", "new", "54", "upper", "give up 1")
        assert p.s.leaders == 0b10
        assert p.metric("lead_changes") == 0
        before = int(p.s.scores[1])
        p.s.scores[0] = before + 10
        p.play("52", "upper", "new", "46", "upper", "new")
        assert p.s.leaders == 0b01
        assert p.metric("lead_changes") == 1

    def test_the_first_lap_is_none(self):
        p = position(**LAST, display=["1 7"]).play("53", "upper", "new", "54", "upper", "new")
        assert (p.s.leaders, p.metric("lead_changes")) == (0b01, 0)
        assert p.metric("last_lead_change") == 1

    def test_all_level_is_no_lead(self):
        p = lead_after_laps([5, 5], [5, 9])
        assert (p.s.leaders, p.metric("lead_changes")) == (0b10, 0)
        assert p.metric("last_lead_change") == 2

    @pytest.mark.parametrize(("then", "changes", "since"), [([9, 5], 0, 1), ([5, 9], 1, 3)])
    def test_all_level_again_changes_nothing_until_others_lead(self, then, changes, since):
        p = lead_after_laps([9, 5], [9, 9])
        assert (p.s.leaders, p.metric("lead_changes")) == (0b01, 0)
        p = lead_after_laps([9, 5], [9, 9], then)
        assert (p.metric("lead_changes"), p.metric("last_lead_change")) == (changes, since)

    def test_of_three_two_level_are_a_lead(self):
        p = lead_after_laps([9, 5, 5], [9, 9, 5], players=3)
        assert (p.s.leaders, p.metric("lead_changes")) == (0b011, 1)

    @pytest.mark.parametrize(("end", "since"), [([9, 9], 3), ([9, 5], 1)])
    def test_all_level_at_the_end(self, end, since):
        p = lead_after_laps([9, 5], [9, 5], end)
        p.plain.score_round(p.s)
        assert p.s.winners == sum(1 << seat for seat in range(2) if end[seat] == 9)
        assert (p.metric("lead_changes"), p.metric("last_lead_change")) == (0, since)

    def test_against_the_totals_of_every_lap(self):
        for match in range(6):
            follower = Follower(cell_of({}, {}, seats=(BUILDER,)), match).run()
            sets = []
            for before, s in pairwise(follower.states):
                last = before.seat == (s.first_seat - 1) % 4
                if last and s.turns_left < before.turns_left:
                    best = max(s.scores[:4])
                    sets.append(frozenset(seat for seat in range(4) if s.scores[seat] == best))
            assert len(sets) == 24
            sets = [leaders for leaders in sets if len(leaders) < 4]
            changes = sum(one != other for one, other in pairwise(sets))
            assert follower.row["lead_changes"] == changes


class TestC22Columns:
    def test_of_those_scored_at_the_end(self):
        p = position(**LAST, display=["1 2 3 4", "5 11"], others=[["9 8"]])
        p.play("53", "upper", "give up 1", "54", "upper", "new").finish()
        assert p.metric("longest_column") == 2
        assert p.metric("best_column") == 4
        assert p.metric("cards_discarded") == 4
