"""The end of rounds and matches, and what is counted. Test classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
from simcore.events import RoundEnd, RoundStart
from tests.players import RANDOM_PLAYER
from tests.updown.following import UPDOWN
from tests.updown.position import Position, play_trick


def cell_of(**options):
    resolved = UPDOWN.resolve(options)
    return Cell(UPDOWN, resolved, (RANDOM_PLAYER,) * int(resolved["players"]), 1)


def last_trick(*cards, **position):
    return Position(*cards, choosing=True, **position).play(*cards)


class TestR18LastTrick:
    def test_ends_the_round(self):
        assert last_trick("R12", "R3").phase == "ROUND_OVER"

    def test_its_pot_is_lost(self):
        p = last_trick("F12", "R3", pot=2).score()
        assert (p.scores, p.metric("lost_tricks"), p.metric("largest_pot")) == ([0, 0], 3, 0)

    def test_a_pot_that_is_won_is_not(self):
        p = last_trick("R12", "R3", pot=2).score()
        assert (p.scores, p.metric("lost_tricks"), p.metric("largest_pot")) == ([3, 0], 0, 2)


class TestR19MostTricks:
    def test_one_round(self):
        p = last_trick("R12", "R3", "F2", scores=(2, 4, 1)).score()
        assert (p.phase, p.s.winners, p.metric("rounds")) == ("MATCH_OVER", 0b010, 1)

    def test_several_rounds(self):
        p = last_trick("R12", "R3", scores=(2, 4), rounds=2).score()
        assert p.phase == "ROUND_OVER"
        assert Position("R2", "R3", rounds=2, round_number=2).metric("clauses") == 1

    def test_are_set_up_afresh_and_added_up(self):
        deals = set()
        before = [0] * 3
        for event in Match(cell_of(players=3, rounds=4), 0):
            if isinstance(event, RoundStart):
                deals.add(tuple(event.s.hand[seat] for seat in range(3)))
                assert event.s.scores[:3] == before
                assert not any(event.s.played)
            if isinstance(event, RoundEnd):
                before = event.after.s.scores[:3]
        assert len(deals) == 4


class TestR20Tie:
    def test_a_further_round(self):
        p = last_trick("R12", "R3", scores=(3, 4), tie_round=True).score()
        assert p.phase == "ROUND_OVER"

    def test_none_without_the_option_or_a_tie(self):
        p = last_trick("R12", "R3", scores=(3, 4)).score()
        assert (p.phase, p.s.winners) == ("MATCH_OVER", 0b11)
        p = last_trick("R12", "R3", scores=(4, 4), tie_round=True).score()
        assert (p.phase, p.s.winners) == ("MATCH_OVER", 0b01)


class TestC11RoundsAreSeparate:
    def test_no_pot_is_carried_over(self):
        carried = 0
        pot = 0
        for match in range(20):
            for event in Match(cell_of(players=2, rounds=3), match):
                if isinstance(event, RoundEnd):
                    pot = int(event.s.pot)
                if isinstance(event, RoundStart):
                    carried += pot > 0
                    pot = 0
                    assert event.s.pot == 0
        assert carried > 5


class TestC16FurtherRounds:
    def test_at_most_fifty(self):
        p = last_trick("R12", "R3", scores=(3, 4), tie_round=True, rounds=2, round_number=51)
        assert p.score().phase == "ROUND_OVER"
        p = last_trick("R12", "R3", scores=(3, 4), tie_round=True, rounds=2, round_number=52)
        assert p.score().phase == "MATCH_OVER"
        assert (p.s.aborted, p.s.winners) == (1, 0b11)

    def test_a_decision_in_the_last_is_no_abort(self):
        p = last_trick("R12", "R3", scores=(4, 4), tie_round=True, round_number=51).score()
        assert (p.phase, p.s.aborted, p.s.winners) == ("MATCH_OVER", 0, 0b01)

    def test_only_with_a_tie(self):
        block = play(cell_of(players=3, tie_round=True), 0, 3000)
        columns = block.columns()
        assert set(block.winners.tolist()) == {1, 2, 4}
        further = columns["rounds"] > 1
        assert 0.05 < further.mean() < 0.3
        assert ((columns["clauses"] >> 1 & 1) == further).all()


class TestC17LeadChanges:
    @pytest.mark.parametrize(
        ("scores", "changes", "leaders"),
        [
            ((0, 0, 0), 0, 0b001),  # the first trick anybody wins
            ((1, 0, 0), 0, 0b001),
            ((1, 1, 0), 1, 0b001),
            ((0, 1, 0), 1, 0b011),
            ((0, 2, 2), 0, 0b110),
            ((1, 2, 2), 1, 0b111),
        ],
    )
    def test_when_other_seats_lead(self, scores, changes, leaders):
        p = play_trick("R12 R3 F2", scores=scores, trump=7)
        assert p.winner == 0
        assert (p.metric("lead_changes"), int(p.s.leaders)) == (changes, leaders)

    def test_not_without_a_winner(self):
        p = play_trick("F12 R3 F2", scores=(1, 1, 0), trump=7)
        assert (p.metric("lead_changes"), int(p.s.leaders)) == (0, 0b011)


class TestC18NobodyHasATrick:
    def test_all_share(self):
        p = last_trick("F12", "R3", "R4", pot=13).score()
        assert (p.phase, p.s.winners, p.s.aborted) == ("MATCH_OVER", 0b111, 0)


class TestC19Counting:
    def test_a_trump_that_is_also_the_only_card(self):
        assert play_trick("R7 R3 F2", trump=7).metric("trump_wins") == 1

    def test_no_trump_and_no_winner(self):
        assert play_trick("R12 R3 F2", trump=7).metric("trump_wins") == 0
        assert play_trick("R7 F7 F2", trump=7).metric("trump_wins") == 0

    def test_the_largest_pot_counts_without_its_own_trick(self):
        p = play_trick("R12 R3 F2", trump=7, pot=0)
        assert p.metric("largest_pot") == 0
