"""Scoring, the lead and the winners. Tests bear the marks of RULES.md."""

from __future__ import annotations

from itertools import pairwise

import pytest

from simcore.games.upordown.rules import note_lap
from tests.side_by_side import cell_of
from tests.upordown.following import UPORDOWN, Follower
from tests.upordown.players import BUILDER
from tests.upordown.position import Position, position
from tests.upordown.rows import Rows


class TestScoring(Rows):
    rows = """
    [R18] most frequent colour times cards
        one           | display 1 | | scores 0 = 1
        two alike     | display 1 7 | | scores 0 = 4
        two unlike    | display 1 2 | | scores 0 = 2
        two of seven  | display 1 2 3 4 5 6 7 13 | | scores 0 = 24
        five of eight | display 1 2 3 7 8 13 19 25 | | scores 0 = 40
        side by side  | display 1 7 13 19 25 26 27 28 | | scores 0 = 40
        downwards     | display 25 19 13 7 1 | | scores 0 = 25
        columns add up | display 1 7, 2 8 14, 5 | | scores 0 = 14
    [C15] several colours
        only the number counts | display 1 2 7 8 | | scores 0 = 8
    [R19] discards | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51; display 1 7 13, 2
        one point each  | | 53, upper | scores 0 = 10 | give up 1 | scores 0 = 5
        of a single one | | 53, upper, give up 2 | scores 0 = 11
    [C17] points per card | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        not per column | display 1 2 3 4 5 | 53, upper, give up 1 | scores 0 = 6
    [C16] circle | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        scores nothing | | 53, upper, new, 54, upper, new, score | scores = 1 1
    [R20] winner | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        the highest total | display 1 7
            | 53, upper, new, 54, upper, new, score | s.winners = 1; scores = 5 1
    [C19] shared win | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        all with the highest
            | | 53, upper, new, 54, upper, new, score | s.winners = 3; s.aborted = 0
    [C20] lead changes
        the first lap is none | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51; display 1 7
            | 53, upper, new, 54, upper, new
            | s.leaders = 1; lead_changes = 0; last_lead_change = 1
    [C22] columns of those scored at the end | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        one was given up | display 1 2 3 4, 5 11; seat 1 display 9 8
            | 53, upper, give up 1, 54, upper, new, score
            | longest_column = 2; best_column = 4; cards_discarded = 4
    """


def lead_after_laps(*laps: list[int]) -> Position:
    """Return a position after laps with these points of the seats."""
    p = position(players=len(laps[0]))
    for points in laps:
        p.give_scores(tuple(points))
        p.plain.run(p.plain.add(note_lap), p.s)
    return p


@pytest.mark.parametrize(
    ("laps", "leaders", "changes", "since"),
    [
        pytest.param([[5, 5], [5, 9]], 0b10, 0, 2, id="[C20] all level is no lead"),
        pytest.param([[9, 5], [9, 9]], 0b01, 0, 1, id="all level again"),
        pytest.param([[9, 5], [9, 9], [9, 5]], 0b01, 0, 1, id="the same lead on"),
        pytest.param([[9, 5], [9, 9], [5, 9]], 0b10, 1, 3, id="others lead"),
        pytest.param([[9, 5, 5], [9, 9, 5]], 0b011, 1, 2, id="of three two level are a lead"),
    ],
)
def test_lead_after_laps(laps, leaders, changes, since):
    p = lead_after_laps(*laps)
    assert (p.s.leaders, p.metric("lead_changes")) == (leaders, changes)
    assert p.metric("last_lead_change") == since


@pytest.mark.parametrize(("end", "since"), [([9, 9], 3), ([9, 5], 1)])
def test_c20_all_level_at_the_end(end, since):
    p = lead_after_laps([9, 5], [9, 5], end)
    p.plain.score_round(p.s)
    assert p.s.winners == sum(1 << seat for seat in range(2) if end[seat] == 9)
    assert (p.metric("lead_changes"), p.metric("last_lead_change")) == (0, since)


def test_c20_lead_changes_are_counted_by_laps():
    p = position(hand="53 52", hands=["54 46"], circle="30 47 48 49 50 51", others=[["7 13", "9"]])
    p.play("53", "upper", "new", "54", "upper", "give up 1")
    assert (p.s.leaders, p.metric("lead_changes")) == (0b10, 0)
    p.s.scores[0] = int(p.s.scores[1]) + 10
    p.play("52", "upper", "new", "46", "upper", "new")
    assert (p.s.leaders, p.metric("lead_changes")) == (0b01, 1)


def test_c20_lead_changes_by_the_totals_of_every_lap():
    for match in range(2):
        follower = Follower(cell_of(UPORDOWN, {}, BUILDER, seed=1), match).run()
        leads = []
        for before, s in pairwise(follower.states):
            last = before.seat == (s.first_seat - 1) % 4
            if last and s.turns_left < before.turns_left:
                best = max(s.scores[:4])
                leads.append({seat for seat in range(4) if s.scores[seat] == best})
        assert len(leads) == 24
        leads = [leaders for leaders in leads if len(leaders) < 4]
        changes = sum(before != after for before, after in pairwise(leads))
        assert follower.row["lead_changes"] == changes
