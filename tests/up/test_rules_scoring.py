"""Scoring, the end of a match and the variants. Classes bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.errors import InputError
from tests.up.following import KIND_NAMES, UP
from tests.up.position import Position, position, scored

pytestmark = pytest.mark.usefixtures("any_layout")


class TestR26Points:
    @pytest.mark.parametrize("card", KIND_NAMES)
    @pytest.mark.parametrize("place", ["hand", "open", "hidden"])
    def test_every_card_in_every_place(self, card, place):
        points = {"-2": 20, "clear": 50}.get(card) or int(card)
        assert scored({place: card}) == [0, points]

    def test_they_add_up(self):
        left = {"hand": "11 11 -2", "open": "clear 1", "hidden": "8 -2 clear 3"}
        assert scored(left) == [0, 11 + 11 + 20 + 50 + 1 + 8 + 20 + 50 + 3]

    def test_cards_cleared_away_and_in_the_tower_do_not_count(self):
        p = position(hand="clear 5", tower="9 8 7", others={1: {"hand": "4"}}, players=2)
        assert p.play("clear", "5").score().scores == [0, 4]


class TestR27Credit:
    def test_ten(self):
        assert scored({"hand": "4"}, scores=(33, 20)) == [23, 24]

    @pytest.mark.parametrize("tower", ["", "2", "9"])
    def test_eighty_for_turning_up_a_minus_two(self, tower):
        p = position(
            hidden="-2", tower=tower, players=2, scores=(100, 0), others={1: {"hand": "4"}}
        )
        assert p.play("blind").score().scores == [20, 4]


class TestR28RunningTotal:
    def test_totals_are_kept(self):
        assert scored({"hand": "4 3"}, scores=(50, 60)) == [40, 67]

    def test_never_below_zero(self):
        assert scored({"hand": "4"}, scores=(3, 0)) == [0, 4]


class TestR29LowestTotalWins:
    def test_after_the_last_round(self):
        p = position(hand="5", others={1: {"hand": "4"}}, players=2, scores=(30, 5), rounds=1)
        p.play("5").score()
        assert (p.phase, p.scores, p.s.winners) == ("MATCH_OVER", [20, 9], 0b10)


class TestR30Children:
    def test_cards_are_counted_without_credit(self):
        left = {"hand": "11 -2", "open": "clear", "hidden": "1"}
        assert scored(left, scores=(7, 1), scoring="cards") == [7, 5]

    def test_a_match_for_the_first_out(self):
        assert scored({"hand": "11"}, scores=(2, 3), scoring="matches") == [3, 3]

    def test_most_matches_win(self):
        seats = {1: {"hand": "4"}}
        p = position(hand="5", others=seats, players=2, scores=(2, 1), scoring="matches", rounds=1)
        assert p.play("5").score().s.winners == 0b01

    def test_matches_know_no_points_limit(self):
        with pytest.raises(InputError):
            UP.resolve({"scoring": "matches", "points_limit": 300})


class TestR31Limit:
    @pytest.mark.parametrize(("before", "over"), [(297, True), (296, False), (200, False)])
    def test_more_than_300(self, before, over):
        p = position(
            hand="5", others={1: {"hand": "4"}}, players=2, scores=(0, before), points_limit=300
        )
        p.play("5").score()
        assert (p.phase == "MATCH_OVER", p.clause("limit")) == (over, over)
        assert p.s.winners == (0b01 if over else 0)


class TestC35StrictlyMore:
    @pytest.mark.parametrize("who", [0, 1])
    def test_anybodys_total_after_booking(self, who):
        # Seat 0 has 305 before its credit of 10: 295 does not end the match.
        scores = [305, 0] if who == 0 else [0, 305]
        p = position(
            hand="5", others={1: {"hand": "4"}}, players=2, scores=tuple(scores), points_limit=300
        )
        assert (p.play("5").score().phase == "MATCH_OVER") == (who == 1)

    def test_a_tie_is_a_shared_win(self):
        p = position(
            hand="5",
            others={1: {"hand": "4"}, 2: {"hand": "9 9"}},
            scores=(16, 2, 290),
            points_limit=300,
        )
        p.play("5").score()
        assert (p.scores, p.s.winners) == ([6, 6, 308], 0b011)


class TestC24EightyInsteadOfTen:
    def test_also_when_it_fits(self):
        p = position(hidden="-2", tower="9", scores=(100, 0, 0)).play("blind").score()
        assert p.scores[0] == 20

    def test_not_for_one_that_was_not_the_last_card(self):
        seats = {1: {"hand": "5 4"}}
        p = position(hand="1", hidden="-2", tower="9", scores=(100, 0), players=2, others=seats)
        assert p.play("blind", "5", "1").score().scores == [90, 4]


class TestC33Floor:
    @pytest.mark.parametrize(("total", "after"), [(0, 0), (9, 0), (10, 0), (11, 1)])
    def test_ten(self, total, after):
        assert scored({"hand": "4"}, scores=(total, 0))[0] == after

    @pytest.mark.parametrize(("total", "after"), [(0, 0), (79, 0), (81, 1)])
    def test_eighty(self, total, after):
        p = position(hidden="-2", scores=(total, 0, 0)).play("blind").score()
        assert p.scores[0] == after


class TestC34LengthOfAMatch:
    def test_six_rounds_unless_there_is_a_limit(self):
        assert UP.resolve({})["rounds"] == 6
        assert UP.resolve({"points_limit": 300})["rounds"] is None

    def test_it_must_end(self):
        with pytest.raises(InputError):
            UP.resolve({"rounds": None})

    @pytest.mark.parametrize(("number", "over"), [(2, False), (3, True)])
    def test_the_match_ends_with_the_last_round(self, number, over):
        p = position(hand="5", rounds=3)
        p.s.round_number = number
        assert (p.play("5").score().phase == "MATCH_OVER") is over

    @pytest.mark.parametrize(("scores", "number"), [((0, 300, 0), 1), ((0, 0, 0), 3)])
    def test_whichever_comes_first(self, scores, number):
        p = position(hand="5", scores=scores, points_limit=300, rounds=3)
        p.s.round_number = number
        assert p.play("5").score().phase == "MATCH_OVER"

    def test_ties_share_the_win(self):
        p = position(
            hand="5", others={1: {"hand": "4"}, 2: {"hand": "3"}}, scores=(12, 7, 0), rounds=1
        )
        p.play("5").score()
        assert (p.scores, p.s.winners) == ([2, 11, 3], 0b001)
        q = position(
            hand="5", others={1: {"hand": "2"}, 2: {"hand": "3"}}, scores=(12, 0, 0), rounds=1
        )
        assert q.play("5").score().s.winners == 0b011


class TestC40PlayCap:
    @pytest.mark.parametrize("move", ["5", "11", "clear"])
    def test_the_match_is_aborted(self, move):
        p = position(hand="5 11 clear", tower="9", plays=99, play_cap=100).play(move)
        assert (p.phase, p.s.aborted, p.metric("plays")) == ("MATCH_OVER", 1, 100)
        assert p.clause("play_cap")

    def test_also_by_a_minus_two_taken_back(self):
        p = position(hand="5", hidden="8 -2", plays=99, play_cap=100).play("blind")
        assert p.phase == "MATCH_OVER"

    def test_not_before(self):
        p = position(hand="5 1", tower="9", plays=98, play_cap=100).play("5")
        assert (p.phase, p.clause("play_cap")) == ("PLAY", False)


class TestC43CompletedRounds:
    def test_scored_ones_are_counted(self):
        p = position(hand="5")
        assert p.metric("rounds") == 0
        assert p.play("5").score().metric("rounds") == 1

    def test_an_aborted_one_is_not(self):
        p = position(hand="5 1", tower="9", plays=99, play_cap=100).play("5")
        assert (p.phase, p.metric("rounds")) == ("MATCH_OVER", 0)


class TestC50Aborted:
    def test_no_winner_and_the_scores_of_completed_rounds(self):
        p = position(hand="5 1", tower="9", scores=(3, 4, 5), plays=99, play_cap=100).play("5")
        assert (p.s.winners, p.scores) == (0, [3, 4, 5])

    @pytest.mark.parametrize(
        ("piles", "move"),
        [({"hand": "5"}, "5"), ({"hand": "clear"}, "clear"), ({"hidden": "-2"}, "blind")],
    )
    def test_a_play_that_ends_the_round_does_not_abort(self, piles, move):
        p = position(**piles, tower="9", plays=99, play_cap=100).play(move)
        assert (p.phase, p.s.aborted, p.metric("plays")) == ("ROUND_OVER", 0, 100)


class TestC51Plays:
    def test_laying_and_turning_up_but_not_passing(self):
        seats = {1: {"hand": "-2"}, 2: {"hand": "4 -2"}}
        p = position(hand="clear 9", open="", hidden="-2", others=seats).play("clear", "blind")
        p.play("9")
        assert p.s.plays == 3
        q = position(hand="-2", others={1: {"hand": "-2"}, 2: {"hand": "4"}}).play("pass", "pass")
        assert q.s.plays == 0
        assert q.play("4").metric("plays") == 1


class TestC52LeadChanges:
    def lead(self, scores: tuple[int, ...], leaders: int, number: int) -> int:
        p = position(hand="5", others={1: {"hand": "4"}, 2: {"hand": "3"}}, scores=scores)
        p.s.round_number = number
        p.s.leaders = leaders
        return p.play("5").score().metric("lead_changes")

    @pytest.mark.parametrize(
        ("scores", "leaders", "changes"),
        [
            ((10, 6, 6), 0b001, 0),  # 0 10 9: still seat 0
            ((10, 6, 6), 0b010, 1),
            ((30, 0, 1), 0b010, 1),  # 20 4 4: now shared
            ((30, 0, 1), 0b110, 0),
        ],
    )
    def test_another_set_of_leaders(self, scores, leaders, changes):
        assert self.lead(scores, leaders, 2) == changes

    def test_the_first_round_is_not_counted(self):
        assert self.lead((0, 0, 0), 0, 1) == 0


class TestC41FirstSeat:
    def test_left_of_the_first_dealer(self):
        p = Position(5, {})
        for match in range(50):
            s = p.plain.start_match(3, match)
            assert s.first_seat == (s.dealer + 1) % 5
