"""Course of play: laps, sources, hidden cards, collapses. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.position import position
from tests.up.rows import Rows

pytestmark = pytest.mark.usefixtures("any_layout")


class TestCourse(Rows):
    rows = """
    [R8] forehand
        leads from the hand | hand 11 7 4 2 1; open 9 8 6 5; hidden 3 3 5 8; first_turn
            | | moves = 11, 7, 4, 2, 1 | 2 | cap = 2
    [R9] later cards
        same or lower value | hand 9 8 7 1; tower 8 | 8 | cap = 8; seat = 1
        clockwise | hand 9 9; seat 1 hand 5 5; seat 2 hand 3 3
            | 9 | seat = 1 | 5 | seat = 2 | 3 | seat = 0
    [R10] sources
        first turn from the hand, then free
            | hand 9 8; open 4 3; seat 1 hand 7 7; players = 2; first_turn
            | | moves = 9, 8 | 9, 7 | moves = 8, open 4, open 3 | open 4 | open = 3
    [R11] together
        of one source | hand 7 7 5; open 7 5 5; tower 9
            | | moves = 7, 7 7, 5, open 7, open 5, open 5 5
        one   | hand 7 7 7; open 2; tower 9 | 7     | tower = 9 7; hand = 7 7; count = 3
        two   | hand 7 7 7; open 2; tower 9 | 7 7   | tower = 9 7 7; hand = 7; count = 2
        three | hand 7 7 7; open 2; tower 9 | 7 7 7 | tower = 9 7 7 7; hand =; count = 1
    [R12] blind
        a hidden card instead of a hand card | hand 3; hidden 8 5; tower 9
            | | moves = 3, blind | blind | cap = 5; hidden = 8; hand = 3; seat = 1
    [R13] empty hand
        a hidden card must be turned up | hidden 8 5; tower 9 | | moves = blind
        also to lead                    | hidden 8 5          | | moves = blind
    [R14] ways out
        all three | hand 11 -2 clear; hidden 8 5; tower 9 | | moves = 11, -2, clear, blind
        no hidden card while one lies open | hand 11; open 10; hidden 8; tower 9
            | | moves = 11, open 10
    [R15] collapse
        the tower goes to the hand | hand 10 1; tower 9 7 7 -2; cap = 5 | 10
            | hand = 10 9 7 7 1 -2; tower =; cap = 0; count = 6; collapses = 1; largest_pickup = 5
    [R16] next tower
        the same player leads from hand or open cards | hand 10 1; open 4 4; hidden 8; tower 9 9
            | 10 | seat = 0; moves = 10, 9, 9 9, 1, open 4, open 4 4
        or with a hidden card | hand 10; hidden 8 3; tower 9
            | 10 | moves = 10, 9, blind | blind | tower = 3; cap = 3; seat = 1
        nobody is obliged to lay what fits | hand 11 3; tower 9 | 11 | collapses = 1
    [C7] lap
        each player's first turn is its own
            | hand 9 9; seat 1 hand 5 5; seat 1 open 4; seat 2 hand 3; seat 2 open 2; first_turn
            | 9       | moves = 5, 5 5
            | 5       | moves = 3
            | 3, 9, 9 | moves = 5, open 4
    [C8] multiples in first turn
        allowed | hand 7 7 7; open 2; first_turn
            | | moves = 7, 7 7, 7 7 7 | 7 7 | hand = 7; clause first_turn_multiples
        one 1 | hand 1 1 1; open 2; first_turn; multiples_in_first_lap = False | | moves = 1
            | 1 | hand = 1 1; tower = 1; count = 3; clause first_turn_multiples
        one 7 | hand 7 7 7; open 2; first_turn; multiples_in_first_lap = False | | moves = 7
            | 7 | hand = 7 7; tower = 7; count = 3; clause first_turn_multiples
        one 11 | hand 11 11 11; open 2; first_turn; multiples_in_first_lap = False | | moves = 11
            | 11 | hand = 11 11; tower = 11; count = 3; clause first_turn_multiples
        in the first turn only | hand 7 7; tower 9; multiples_in_first_lap = False
            | | moves = 7, 7 7
        nothing to note when no cards are equal
            | hand 7 6; open 2; first_turn; multiples_in_first_lap = False
            | 7 | no clause first_turn_multiples
        still the first turn after a collapse
            | hand 10 9; open 2; tower 9 9; first_turn; multiples_in_first_lap = False
            | 10 | moves = 10, 9
    [C9] open cards first
        with an empty hand | open 5; hidden 8; tower 9 | | moves = open 5
    [C10] all four gone
        not before one   | hand 3; open 6; hidden 8 8 7 7; tower 9     | | may not blind
        not before two   | hand 3; open 6 5; hidden 8 8 7 7; tower 9   | | may not blind
        not before three | hand 3; open 6 5 4; hidden 8 8 7 7; tower 9 | | may not blind
        then | hand 3; open 6; hidden 8 8 7 7; seat 1 hand 5 5; players = 2 | open 6, 5 | may blind
    [C11] one hidden card
        one at a time | hand 3; hidden 8 5 5; tower 9
            | blind | hidden = 8 5; tower = 9 5; blind_plays = 1
        also with hand cards that fit | hand 3 2; hidden 8; tower 9 | | may blind
    [C12] turned up
        it stays | hand 3; hidden 8 5; tower 5
            | blind | tower = 5 5; cap = 5; seat = 1; count = 2
        too heavy | hand 3; hidden 8 6; tower 5
            | blind | hand = 6 5 3; hidden = 8; tower =; seat = 0; count = 4
        a clear card | hand 3; hidden 8 clear; tower 5
            | blind | cleared = 5 clear; tower =; seat = 0; hand = 3
        a 1 on an empty table   | hand 3; hidden 8 1  | blind | tower = 1; cap = 1; seat = 1
        an 11 on an empty table | hand 3; hidden 8 11 | blind | tower = 11; cap = 11; seat = 1
        a minus two that fits | hand 3; hidden 8 -2; tower 5
            | blind | tower = 5 -2; cap = 3; seat = 1; minus_twos = 1
        a minus two that does not | hand 3; hidden 8 -2; tower 2
            | blind | hand = 3 2 -2; seat = 0; minus_twos = 0
    [C13] free
        special and hidden cards beside cards that fit | hand 3 -2 clear; hidden 8; tower 9
            | | moves = 3, -2, clear, blind
        from the open cards | hand 3; open -2 -2 clear; tower 9
            | | moves = 3, open -2, open -2 -2, open clear | open -2 -2 | cap = 5
    [C14] one heavier card
        exactly one | hand 11 11 10; open 11 11 3; tower 9
            | | moves = 11, 10, open 11, open 3 | 11 | hand = 11 11 10 9; largest_pickup = 2
        from the open cards    | hand 1; open 11 11; tower 9 | open 11 | hand = 11 9 1; open = 11
        impossible without one | hand 9 9 4; tower 9         |         | moves = 9, 9 9, 4
    [C15] card just played
        it is taken up too | hand 1; open 10; hidden 8; tower 9
            | open 10 | hand = 10 9 1; open =; may blind
    [C16] lead at once
        then the turn passes   | hand 10 1; tower 9 | 10 | seat = 0 | 9 | seat = 1
        it cannot be declined  | hand 10; tower 9   | 10 | moves = 10, 9
    [C17] collapse in first turn
        lead from the hand | hand 10 1; open 4; tower 9; first_turn | 10 | moves = 10, 9, 1
    [C48] no lead in first turn
        the lead passes despite open cards | hand -2 -2; open 4 3; hidden 8; first_turn
            | | moves = | pass | seat = 1; hand = -2 -2; plays = 0
        also with an empty hand | hand clear; open 4; first_turn
            | clear | seat = 0; moves = | pass | seat = 1
    """


@pytest.mark.parametrize("card", range(1, 12))
@pytest.mark.parametrize("cap", range(1, 12))
def test_every_value_on_every_cap(card, cap):
    p = position(hand=f"{card} 6", tower=str(cap)).play(str(card))
    if card <= cap:
        assert (p.cap, p.seat, p.hand()) == (card, 1, "6")
    else:
        assert (p.cap, p.seat, p.metric("collapses")) == (0, 0, 1)
