"""Up: each policy plays by its idea."""

from __future__ import annotations

from typing import Any

import pytest

from simcore.games.up import rules as up
from tests.games import rows
from tests.strategies.test_policies import policies_of
from tests.up.position import Position, position


def playing(
    *,
    hidden: int = 0,
    tower: str = "",
    others: tuple[int, ...] = (13, 13, 13),
    plays: int = 20,
    equal: int = 0,
    phase: str = "PLAY",
    **given: Any,
) -> Position:
    """Return a position with seat 0 on turn in a round under way.

    It has so many hidden cards, the others so many cards left; the cap is the last value of the
    tower.
    """
    values = [int(name) for name in tower.split() if name not in ("-2", "clear")]
    p = position(
        tower=tower,
        cap=(values or [0])[-1],
        players=1 + len(others),
        others={seat: {} for seat in range(1, 1 + len(others))},
        plays=plays,
        **{"rounds": 6} | given,
    )
    p.s.phase = getattr(up, phase)
    p.s.equal = equal or p.s.equal
    p.s.hidden_cards[0] = hidden
    p.s.cards_left[0] += hidden
    for seat, cards in enumerate(others, start=1):
        p.s.cards_left[seat] = cards
    return p


class Rows(rows.Rows):
    """Rows of "hidden = 4" cards, where "left = 8, 2, 8" are the cards of the others."""

    def position(self, left: tuple[int, ...] = (13, 13, 13), **given: Any) -> Position:
        return playing(others=left, **given)


class TestPolicies(Rows):
    rows = """
        [greedy]
            most cards | hand 9 5 5 5; open 8; hidden = 4; tower 10
                | | choice greedy(card=12) = 5 5 5; choice greedy(card=0) = 9
            of as many the heaviest | hand 9 9 5 5 1; open 8; tower 10 | | choice greedy = 9 9
            a card is worth values  | hand 9 7 7 11; tower 10
                | | choice greedy(card=1) = 9; choice greedy(card=3) = 7 7
            patience ends | hand 10 7 7 7 7 2; plays = 300 | | choice greedy(card=12) = 10
            double two counts both | hand 6 2 -2 -2; tower 9; double_two = "always"
                | | choice greedy(card=3) = 2 2 2
        [shedder]
            heaviest first | hand 9 5 5 5 11; open 8; tower 10 | | choice shedder = 9
            special cards first near the end | hand 9 clear -2 3; tower 10
                | | choice shedder(cards=4) = clear; choice shedder(cards=3) = 9
            "-2" too | hand 9 -2 3; tower 10 | | choice shedder(cards=4) = -2
        [freer]
            open cards before the hand | hand 9 5; open 2 11; hidden = 4; tower 10
                | | choice freer = open 2
            turns up when it is safe | hand 5 3; hidden = 2; tower 7
                | | choice freer(cap=7) = blind; choice freer(cap=8) = 5
            as on an empty tower | hand 5 3; hidden = 2 | | choice freer(cap=12) = blind
        [hoarder]
            takes a small tower for a "-2" | hand 9 9 8 8 -2; open 11; hidden = 4; tower 6 5
                | | choice hoarder(threshold=6) = open 11; choice hoarder(threshold=10) = -2
            or for a clear card | hand 9 9 8 8 clear; open 11; hidden = 4; tower 6 5
                | | choice hoarder(threshold=6) = open 11; choice hoarder(threshold=10) = clear
            no large tower | hand 9 9 8 8 clear; open 11; hidden = 4; tower 7 6 6 5
                | | choice hoarder(tower=3) = clear; choice hoarder(tower=4) = open 11
        [collapser]
            takes a low tower | hand 2 1; open 11; hidden = 4; tower 3 2; plays = 4
                | | choice collapser(cards=2) = open 11; choice collapser(cards=1) = 2
            no high tower | hand 8 1; open 11; hidden = 4; tower 9 8; plays = 4
                | | choice collapser = 8
            not late | hand 2 1; open 11; hidden = 4; tower 3 2; plays = 16
                | | choice collapser(laps=4) = 2; choice collapser(laps=5) = open 11
        [guard]
            blocks an opponent about to finish
                | hand 9 9 3 -2 -2; open 8; hidden = 4; tower 10; left = 8, 2, 8
                | | choice guard(cards=2) = -2 -2; choice guard(cards=1) = 9 9
            dumps clear cards | hand 9 clear; open 8; hidden = 4; tower 10; left = 8, 8, 1
                | | choice guard = clear
        [all_rounder]
            saves low cards | hand 2 11 -2; tower 8; hidden = 4; open 11
                | | choice all_rounder = -2; choice all_rounder(low=1) = 2
            an open card is worth more | hand 9 3; open 7; hidden = 4; tower 10
                | | choice all_rounder(open=3) = open 7; choice all_rounder(open=1) = 9
            turns up rather than lay a light card | hand 5 11; hidden = 2; tower 10
                | | choice all_rounder = blind; choice all_rounder(light=4) = 5
    """

    def test_many_cards_in_many_sets(self, monkeypatch) -> None:
        monkeypatch.setattr("tests.up.position.layout", "three words")
        p = playing(hand="9 5 5 5 5 5 5", tower="10", others=(13,) * 6)
        assert p.choice("greedy") == "5 5 5 5 5 5"


class TestHouseRules(Rows):
    """What a policy weighs is what counts under the rules in force."""

    rows = """
        [points] special cards that count little wait | hand 9 clear -2 3; tower 10
            both | minus_two_points = 0; clear_points = 0 | | choice shedder(cards=4) = 9
            clear cards alone | clear_points = 0 | | choice shedder(cards=4) = -2
            also on guard | minus_two_points = 0; clear_points = 0; left = 1, 9, 9
                | | choice guard = 9
        [points] a "-2" | hand 9 9 -2; hidden = 4; tower 10; left = 2, 8, 8
            is laid at the end | | | choice all_rounder = -2
            kept if it counts little | minus_two_points = 5
                | | choice all_rounder = 9 9; choice all_rounder(cards=2) = -2
        [four_clear] four equal cards go first
            | hand 5 5 4 4 4 3; open 4; tower 5 5; four_clear = True; equal = 2
            | | choice all_rounder = 5 5; choice greedy = 5 5; choice shedder = 5 5;
                choice freer = 5 5; choice guard = 5 5
        [minus_two_collapse] no more "-2" than the tower bears
            | hand -2 -2 -2 9; tower 5; left = 1, 9, 9; minus_two_collapse = "any"
            | | choice all_rounder = -2 -2; choice guard = -2 -2; choice shedder = -2 -2
        [minus_two_lead] a number leads before a "-2"
            | hand -2 2; left = 1, 9, 9; minus_two_lead = True | | choice all_rounder = 2
        [minus_two_lead] else "-2" | hand -2 -2; minus_two_lead = True
            | | choice all_rounder = -2 -2
    """


class TestBeforeThePlay(Rows):
    rows = """
        [declare] the dirty one and the double two
            | phase = "DECLARE"; dirty_one = "forehand"; double_two = "forehand"
            suit rich cards | hand 1 -2 5; open -2 9
                | | choice hoarder = dirty double; choice guard = dirty double;
                    choice all_rounder = dirty double
            not others | hand 3 8 5; open 7 9
                | | choice hoarder = none; choice guard = none; choice all_rounder = none
        [declare] the dirty one alone
            | phase = "DECLARE"; dirty_one = "forehand"; hand 1 -2 5; open -2 9
            suits a seat with a 1
                | | | choice hoarder = dirty; choice guard = dirty; choice all_rounder = dirty
            other policies declare nothing
                | | | choice greedy = none; choice shedder = none; choice freer = none;
                      choice collapser = none
    """

    @pytest.mark.parametrize("policy", policies_of("up")[1:], ids=lambda policy: policy.name)
    def test_the_special_card_is_kept(self, policy) -> None:
        assert playing(phase="CUT").choice(policy.name) == "keep"


def test_positions_are_as_named() -> None:
    p = playing(hand="11 7 7 -2", open="5 1", tower="9 8", hidden=3, others=(3, 4))
    assert p.cap == 8
    assert [p.count(seat) for seat in range(3)] == [9, 3, 4]
    # 7, 7 7, -2, 11 from the hand; 5, 1 from the open cards.
    assert len(p.moves) == 6
