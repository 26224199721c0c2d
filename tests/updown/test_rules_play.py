"""Changing the rules and playing tricks. Test classes bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from simcore.batch import Cell
from simcore.compiler.plain import Match
from simcore.events import Step
from simcore.games.updown import rules as ud
from tests.players import RANDOM_PLAYER
from tests.updown.following import UPDOWN
from tests.updown.position import Position, play_trick

CHANGES = ["flip", "quarter", "half", "three", "roll"]


def rules(p):
    return int(p.s.face), int(p.s.turn), int(p.s.trump)


class TestR7Face:
    @pytest.mark.parametrize(("face", "winner"), [("UP", 2), ("DOWN", 1)])
    def test_high_or_low(self, face, winner):
        assert play_trick("R5 F3 M11 H8", face=face, trump=7).winner == winner


class TestR8OwnColour:
    @pytest.mark.parametrize("face", ["UP", "DOWN"])
    @pytest.mark.parametrize("rotation", range(4))
    def test_only_the_own_colour_wins(self, face, rotation):
        # Everybody plays ROSE: only the seat at whom ROSE points can win.
        assert play_trick("R2 R5 R8 R12", face=face, rotation=rotation, trump=7).winner == rotation

    def test_a_trump_of_any_colour(self):
        assert play_trick("R12 H7 M11 F12", trump=7).winner == 1


class TestR9Tricks:
    def test_leader_then_everybody_then_revealed(self):
        p = Position("R2 R3", "F4 F5", "M6 M7", leader=1)
        assert (p.phase, int(p.s.seat)) == ("CHANGE", 1)
        p.play("flip")
        for seat in range(3):
            assert (p.phase, int(p.s.seat)) == ("CARD", seat)
            assert p.listed == p.hand(seat).split()
            p.play(p.listed[0])
        assert p.phase == "CHANGE"
        assert p.hand(1) == "F5"


class TestR10TurnOrRotate:
    def test_turning_over_keeps_the_colours(self):
        p = Position("R2", "F4", "M6", "H6")
        before = p.colours()
        p.play("flip")
        assert p.colours() == before
        assert p.s.face == 1
        assert (p.metric("flips"), p.metric("rotations"), p.metric("rolls")) == (1, 0, 0)

    def test_turning_back(self):
        assert Position("R2", "F4", face="DOWN").play("flip").s.face == 0

    @pytest.mark.parametrize(("change", "first"), [("quarter", "H"), ("half", "M"), ("three", "F")])
    def test_rotating_changes_every_colour(self, change, first):
        p = Position("R2", "F4", "M6", "H6")
        before = p.colours()
        p.play(change)
        assert all(one != other for one, other in zip(before, p.colours(), strict=True))
        assert p.colours()[0][0] == first
        assert (p.s.face, p.s.trump, p.metric("rotations")) == (0, 7, 1)


class TestR11Roll:
    @pytest.mark.parametrize("trump", range(2, 13))
    def test_a_new_trump(self, trump):
        new = Counter()
        p = Position("R2", "F4", trump=trump)
        for _ in range(2000):
            p.s.phase, p.s.trump, p.s.seat = int(ud.CHANGE), trump, 0
            p.play("roll")
            new[int(p.s.trump)] += 1
            assert (p.s.face, p.s.turn) == (0, 0)
        weights = {total: 6 - abs(total - 7) for total in range(2, 13) if total != trump}
        expected = [2000 * weight / sum(weights.values()) for weight in weights.values()]
        assert set(new) <= set(weights)
        assert stats.chisquare([new[total] for total in weights], expected).pvalue > 1e-7


class TestR12Cancelling:
    @pytest.mark.parametrize("face", ["UP", "DOWN"])
    def test_equal_cards_cannot_win(self, face):
        assert play_trick("R12 H12 M5", face=face, trump=7).winner == 2

    def test_trumps_too(self):
        assert play_trick("R7 H7 M5", trump=7).winner == 2


class TestR13Trump:
    @pytest.mark.parametrize("face", ["UP", "DOWN"])
    @pytest.mark.parametrize("trump", [2, 7, 12])
    def test_beats_all(self, face, trump):
        low, high = (3, 11) if trump != 7 else (2, 12)
        cards = f"R{low} F{high} R{trump} H{high - 1}"
        assert play_trick(cards, face=face, trump=trump).winner == 2


class TestR14Best:
    def test_a_low_own_card_beats_a_high_one_that_cannot_win(self):
        assert play_trick("R3 H12 F11", trump=7).winner == 0


class TestR15Pot:
    def test_no_best_card(self):
        p = play_trick("F12 R11 R12", trump=7)
        assert p.winner is None
        assert (p.s.pot, p.metric("pots"), p.scores) == (1, 1, [0, 0, 0])

    def test_several(self):
        p = play_trick("F12 R11 R12", trump=7, pot=3)
        assert p.s.pot == 4


class TestR16PotIsTaken:
    def test_by_the_next_winner(self):
        p = play_trick("R12 R11 R10", trump=7, pot=3)
        assert (p.winner, p.scores, p.s.pot) == (0, [4, 0, 0], 0)


class TestR17NextLeader:
    @pytest.mark.parametrize("leader", range(4))
    @pytest.mark.parametrize("cards", ["R12 F2 M2 H2", "R3 F12 M5 H5", "F2 R2 F3 R3"])
    def test_clockwise_whoever_won(self, leader, cards):
        p = play_trick(cards, leader=leader, trump=7)
        assert (int(p.s.leader), int(p.s.seat)) == ((leader + 1) % 4,) * 2


class TestC5BeforeTheFirstTrick:
    @pytest.mark.parametrize("players", [2, 3, 4])
    def test_the_rules_change(self, players):
        cell = Cell(UPDOWN, UPDOWN.resolve({"players": players}), (RANDOM_PLAYER,) * players, 1)
        step = next(event for event in Match(cell, 0) if isinstance(event, Step))
        assert step.s.phase == ud.CHANGE
        assert step.s.trick == 0
        assert len(step.moves) == 5


class TestC6OldTrumpAgain:
    def test_is_not_counted(self):
        for _ in range(50):
            p = Position("R2", "F4").play("roll")
            assert p.s.trump != 7
            assert p.metric("rolls") == 1

    def test_throws_do_not_depend_on_who_makes_them(self):
        one = Position("R2 R3", "F4 F5", leader=0, trump=2).play("roll", "R2", "F4")
        other = Position("R2 R3", "F4 F5", leader=1, trump=2).play("roll", "R3", "F5")
        assert one.s.trump == other.s.trump
        assert one.play("roll").s.trump == other.play("roll").s.trump


class TestC7FiveChanges:
    @pytest.mark.parametrize("change", CHANGES)
    def test_exactly_one_thing_changes(self, change):
        for rotation in range(4):
            p = Position("R2", "F4", "M6", rotation=rotation)
            assert p.listed == CHANGES
            before = rules(p)
            p.play(change)
            changed = [one != other for one, other in zip(before, rules(p), strict=True)]
            assert sum(changed) == 1
            assert changed[1] == (change in CHANGES[1:4])

    def test_nothing_else_is_legal(self):
        p = Position("R2", "F4")
        assert p.plain.moves(p.s) == (0, 1, 2, 3, 4)


class TestC8AllCardsCancel:
    @pytest.mark.parametrize(
        ("cards", "winner"),
        [
            ("R9 R5 F9 H3", 3),  # FEDER 9 of seat 2 could not win, but cancels
            ("R9 F9 M9 H3", 3),
            ("R9 F9 M9 H9", None),
            ("R9 F9 M3 H3", None),
            ("R3 F9 M5 H9", 2),
            ("R9 M9 R3 H2", 3),
        ],
    )
    def test_whether_or_not_they_could_win(self, cards, winner):
        assert play_trick(cards, trump=7).winner == winner


class TestC9SecretChoice:
    def test_a_chosen_card_lies_in_the_box_alone(self):
        p = Position("R2 R3", "F4 F5", "M6 M7", choosing=True)
        before = p.s.copy()
        p.play("R3")
        assert [set(chosen) for chosen in p.s.chosen] == [{3}, set(), set()]
        assert (p.s.played, p.s.last_card, p.s.scores) == (
            before.played,
            before.last_card,
            before.scores,
        )

    def test_all_are_shown_at_once(self):
        p = Position("R2 R3", "F4 F5", choosing=True).play("R3", "F4")
        assert p.s.last_card == [3, 20]
        assert p.s.played == [{3}, {20}]
        assert not any(p.s.chosen)


class TestC10PotInTricks:
    def test_one_and_the_pot(self):
        p = play_trick("R12 R11 R10 R9", trump=7, pot=2, scores=(1, 0, 4, 0))
        assert p.scores == [4, 0, 4, 0]
        assert p.metric("largest_pot") == 2


class TestC13NoDuty:
    def test_every_card_of_the_hand(self):
        p = Position("R2 F3 M4 H5 H7", "R3 F4 M5 H6 F7", choosing=True, trump=7)
        assert p.listed == ["R2", "F3", "M4", "H5", "H7"]
        assert p.plain.moves(p.s) == (2, 19, 36, 53, 55)

    def test_the_last_card_is_forced(self):
        assert Position("R2", "R3", choosing=True).listed == ["R2"]


class TestC15Memory:
    def test_cards_played_by_seat(self):
        p = Position("R2 R3 R4", "F4 F5 F6", choosing=True).play("R3", "F4", "flip", "R2", "F6")
        assert p.s.played == [{2, 3}, {20, 22}]
        assert p.s.last_card == [2, 22]
        assert p.s.change == -1
        assert p.play("three").s.change == 3
