"""Changing the rules and playing tricks. Tests bear the marks of RULES.md."""

from __future__ import annotations

from collections import Counter

import pytest
from scipy import stats

from simcore.events import Step
from simcore.games.updown import rules as ud
from simcore.match import Match
from tests.updown.position import Position, play_trick
from tests.updown.rows import Rows
from tests.updown.test_oracles import cell_of

CHANGES = ["flip", "quarter", "half", "three", "roll"]


class TestTricks(Rows):
    rows = """
    [R7] face | trick R5 F3 M11 H8
        high | face = "UP"   | | winner = 2
        low  | face = "DOWN" | | winner = 1
    [R8] own colour
        a trump of any colour | trick R12 H7 M11 F12 | | winner = 1
    [R9] leader, then everybody, then all are revealed | hands R2 R3, F4 F5, M6 M7; leader = 1
        in the order of seats | | | phase = CHANGE; seat = 1
            | flip | phase = CARD; seat = 0; listed = R2, R3
            | R2   | phase = CARD; seat = 1; listed = F4, F5
            | F4   | phase = CARD; seat = 2; listed = M6, M7
            | M6   | phase = CHANGE; hand 1 = F5
    [R10] turn over or rotate | hands R2, F4, M6, H6
        turning over keeps the colours | | | colours = ROSE, FEDER, MONOKEL, HUT
            | flip | colours = ROSE, FEDER, MONOKEL, HUT; s.face = 1
            |      | flips = 1; rotations = 0; rolls = 0
        turning back      | face = "DOWN" | flip | s.face = 0
        by a quarter      | | quarter | colours = HUT, ROSE, FEDER, MONOKEL
            | | s.face = 0; s.trump = 7; rotations = 1
        by a half         | | half    | colours = MONOKEL, HUT, ROSE, FEDER
            | | s.face = 0; s.trump = 7; rotations = 1
        by three quarters | | three   | colours = FEDER, MONOKEL, HUT, ROSE
            | | s.face = 0; s.trump = 7; rotations = 1
    [R12] cancelling
        equal cards cannot win    | trick R12 H12 M5                | | winner = 2
        nor when the lowest wins  | trick R12 H12 M5; face = "DOWN" | | winner = 2
        trumps too                | trick R7 H7 M5                  | | winner = 2
    [R13] a trump beats all
        2 the higher cards  | trick R3 F11 R2 H10; trump = 2                  | | winner = 2
        2 the lower ones    | trick R3 F11 R2 H10; trump = 2; face = "DOWN"   | | winner = 2
        7 the higher cards  | trick R2 F12 R7 H11; trump = 7                  | | winner = 2
        7 the lower ones    | trick R2 F12 R7 H11; trump = 7; face = "DOWN"   | | winner = 2
        12 the lower cards  | trick R3 F11 R12 H10; trump = 12                | | winner = 2
        12 in any case      | trick R3 F11 R12 H10; trump = 12; face = "DOWN" | | winner = 2
    [R14] best card
        a low own card beats a high one that cannot win | trick R3 H12 F11 | | winner = 0
    [R15] pot | trick F12 R11 R12
        no best card | | | winner = None; s.pot = 1; pots = 1; scores = 0 0 0
        several      | pot = 3 | | s.pot = 4
    [R16] the pot is taken
        by the next winner | trick R12 R11 R10; pot = 3 | | winner = 0; scores = 4 0 0; s.pot = 0
    [C8] all cards cancel, whether or not they could win
        one that could not | trick R9 R5 F9 H3  | | winner = 3
        three equal        | trick R9 F9 M9 H3  | | winner = 3
        four equal         | trick R9 F9 M9 H9  | | winner = None
        none of the rest   | trick R9 F9 M3 H3  | | winner = None
        one of the rest    | trick R3 F9 M5 H9  | | winner = 2
        another one        | trick R9 M9 R3 H2  | | winner = 3
    [C10] a pot counts in tricks
        one and the pot | trick R12 R11 R10 R9; pot = 2; scores = (1, 0, 4, 0)
            | | scores = 4 0 4 0; largest_pot = 2
    [C13] no duty | choosing
        every card of the hand | hands R2 F3 M4 H5 H7, R3 F4 M5 H6 F7
            | | listed = R2, F3, M4, H5, H7
        the last card is forced | hands R2, R3 | | listed = R2
    """


@pytest.mark.parametrize("face", ["UP", "DOWN"])
@pytest.mark.parametrize("rotation", range(4))
def test_r8_only_the_seat_at_whom_rose_points_wins_with_rose(face, rotation):
    assert play_trick("R2 R5 R8 R12", face=face, rotation=rotation).winner == rotation


@pytest.mark.whole_but("7")
@pytest.mark.parametrize("trump", range(2, 13))
def test_r11_a_roll_brings_a_new_trump(trump):
    new = Counter()
    p = Position("R2", "F4", trump=trump)
    for _ in range(500):
        p.s.phase, p.s.trump, p.s.seat = int(ud.CHANGE), trump, 0
        p.play("roll")
        new[int(p.s.trump)] += 1
        assert (p.s.face, p.s.turn) == (0, 0)
    weights = {total: 6 - abs(total - 7) for total in range(2, 13) if total != trump}
    expected = [500 * weight / sum(weights.values()) for weight in weights.values()]
    assert set(new) <= set(weights)
    assert stats.chisquare([new[total] for total in weights], expected).pvalue > 1e-7


@pytest.mark.parametrize("leader", range(4))
@pytest.mark.parametrize("cards", ["R12 F2 M2 H2", "R3 F12 M5 H5", "F2 R2 F3 R3"])
def test_r17_the_lead_goes_clockwise_whoever_won(leader, cards):
    p = play_trick(cards, leader=leader)
    assert int(p.s.leader) == p.seat == (leader + 1) % 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_c5_the_rules_change_before_the_first_trick(players):
    step = next(event for event in Match(cell_of(players), 0) if isinstance(event, Step))
    assert (step.s.phase, step.s.trick, len(step.moves)) == (ud.CHANGE, 0, 5)


def test_c6_the_old_trump_again_is_not_counted():
    for _ in range(50):
        p = Position("R2", "F4").play("roll")
        assert p.s.trump != 7
        assert p.metric("rolls") == 1


def test_c6_throws_do_not_depend_on_who_makes_them():
    first = Position("R2 R3", "F4 F5", leader=0, trump=2).play("roll", "R2", "F4")
    second = Position("R2 R3", "F4 F5", leader=1, trump=2).play("roll", "R3", "F5")
    assert first.s.trump == second.s.trump
    assert first.play("roll").s.trump == second.play("roll").s.trump


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("rotation", range(4))
def test_c7_exactly_one_thing_changes(change, rotation):
    p = Position("R2", "F4", "M6", rotation=rotation)
    assert p.listed == CHANGES
    p.play(change)
    changed = (p.s.face != 0, p.s.turn != rotation, p.s.trump != 7)
    assert changed == (change == "flip", change in CHANGES[1:4], change == "roll")


def test_c9_a_card_chosen_is_seen_when_all_are():
    p = Position("R2 R3", "F4 F5", choosing=True)
    before = p.s.copy()
    p.play("R3")
    assert [set(chosen) for chosen in p.s.chosen] == [{3}, set()]
    for name in ("played", "last_card", "scores"):
        assert getattr(p.s, name) == getattr(before, name)
    p.play("F4")
    assert p.s.last_card == [3, 20]
    assert p.s.played == [{3}, {20}]
    assert not any(p.s.chosen)


def test_c15_cards_played_by_seat_are_remembered():
    p = Position("R2 R3 R4", "F4 F5 F6", choosing=True).play("R3", "F4", "flip", "R2", "F6")
    assert p.s.played == [{2, 3}, {20, 22}]
    assert p.s.last_card == [2, 22]
    assert p.s.change == -1
    assert p.play("three").s.change == 3
