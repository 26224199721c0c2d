"""The special cards: "-2" and the clear card. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.up.position import position
from tests.up.rows import Rows

pytestmark = pytest.mark.usefixtures("any_layout")


class TestSpecialCards(Rows):
    rows = """
    [R17] lowers the cap
        on a seven at most five | hand -2 1; tower 7; seat 1 hand 6 5
            | -2 | cap = 5; seat = 1; tower = 7 -2 | 5 | collapses = 0
        heavier cards make it collapse | hand -2 1; tower 7; seat 1 hand 6 5
            | -2, 6 | hand 1 = 7 6 5 -2; collapses = 1
        three on a ten at most four | hand -2 -2 -2 1; tower 10
            | -2 -2 -2 | cap = 4; hand = 1; minus_twos = 3
    [R18] greater than zero
        on a three one is left | hand -2 1; tower 3 | -2 | cap = 1; seat = 1; minus_twos = 1
        on a one it collapses | hand -2 7; tower 1
            | -2 | hand = 7 1 -2; tower =; cap = 0; seat = 0; count = 3
            |    | collapses = 1; minus_twos = 0
        on a two it collapses | hand -2 7; tower 2
            | -2 | hand = 7 2 -2; tower =; cap = 0; seat = 0; count = 3
            |    | collapses = 1; minus_twos = 0
    [C18] cap as it stands
        seven minus two minus two bears three | hand -2 1; tower 7; seat 1 hand -2 1
            | -2, -2 | cap = 3; seat = 2
        not the last number | hand -2 -2 9; tower 7 -2 -2; cap = 3 | | moves = -2, 9
    [C19] how many
        from the open cards too | hand 1; open -2 -2 -2; tower 5
            | | moves = 1, open -2, open -2 -2 | open -2 -2 | cap = 1
        collapse on purpose | hand -2 1; open -2; tower 2
            | | moves = -2, 1, open -2
            | open -2 | hand = 2 1 -2 -2; open =; seat = 0; moves = 2, 1
    [R19] turned up to lead
        to the hand and another card | hand 4; hidden 8 -2
            | blind | seat = 0; hand = 4 -2; hidden = 8; tower =; cap = 0; moves = 4, blind
            |       | count = 3; collapses = 0; largest_pickup = 0
    [C20] another card
        also another hidden one | hidden 8 -2 -2
            | blind, blind | seat = 0; hand = -2 -2; moves = blind | blind | tower = 8
        the same card cannot lead | hand 4; hidden -2 | blind | moves = 4
        everybody knows it then   | hand 4; hidden 8 -2 | blind | known = -2
    [C21] no lead
        from hand or open cards | hand -2 4; open -2 3       |       | moves = 4, open 3
        after a clear card      | hand clear -2 4; tower 9   | clear | moves = 4
        after a collapse        | hand -2 10; tower 9        | 10    | moves = 10, 9
    [C22] nothing to lead
        the lead passes | hand -2 clear; tower 9; seat 1 hand 5 4
            | clear | seat = 0; moves =
            | pass  | seat = 1; hand = -2; cap = 0; phase = PLAY; moves = 5, 4
        with hidden cards one must be turned up | hand -2; hidden 8          | | moves = blind
        not while open cards cover them         | hand -2; open -2; hidden 8 | | moves =
        from seat to seat | hand -2; seat 1 hand -2 -2; seat 2 hand 5 -2
            | pass, pass | seat = 2; moves = 5
    [R20] last hidden card
        no tower | hidden -2
            | blind | phase = ROUND_OVER; count = 0; blind_minus_two_finishes = 1; collapses = 0
        it does not fit | hidden -2; tower 1
            | blind | phase = ROUND_OVER; count = 0; blind_minus_two_finishes = 1; collapses = 0
        it fits | hidden -2; tower 9
            | blind | phase = ROUND_OVER; count = 0; blind_minus_two_finishes = 1; collapses = 0
    [C23] only hidden cards
        the last one in the hand must fit | hand -2; tower 2
            | -2 | phase = PLAY; hand = 2 -2; collapses = 1
        and may then end the round | hand -2; tower 3
            | -2 | phase = ROUND_OVER; blind_minus_two_finishes = 0
        lying open too | open -2; tower 2 | open -2 | phase = PLAY; hand = 2 -2
        a hidden one with a hand card left must fit | hand 4; hidden -2; tower 2
            | blind | phase = PLAY; hand = 4 2 -2
    [R21] clear
        the tower goes out of the game | hand clear 3 3; tower 9 7 7 -2; cap = 5
            | clear | cleared = 9 7 7 -2 clear; tower =; cap = 0; hand = 3 3; clears = 1; count = 2
        at any time: 1  | hand clear 3; tower 11; cap = 1  | | may clear
        at any time: 2  | hand clear 3; tower 11; cap = 2  | | may clear
        at any time: 11 | hand clear 3; tower 11; cap = 11 | | may clear
    [R22] clear to lead
        it removes only itself | hand clear 3 3 | clear | cleared = clear; clears = 1; seat = 0
    [R23] lead after clear
        the same player | hand clear 3 3; tower 1 | clear | seat = 0; moves = 3, 3 3
    [C25] no cap
        the heaviest may lead | hand clear 11 4; tower 2 | clear, 11 | cap = 11; seat = 1
        the lightest may lead | hand clear 1 4; tower 2  | clear, 1  | cap = 1; seat = 1
    [C26] own turn
        only the seat on turn moves | hand 9 9; seat 1 hand clear 4; seat 2 hand clear 3
            | | moves = 9, 9 9 | 9 | seat = 1; moves = clear, 4
    [C27] one after the other
        clear cards | hand clear clear 4; tower 9
            | | moves = clear, 4 | clear, clear | seat = 0; cleared = 9 clear clear; clears = 2
        from the open cards | hand 4; open clear clear; tower 9
            | | moves = 4, open clear | open clear | open = clear
    [C28] any source
        lead from the open cards  | hand clear 4; open 3; hidden 8; tower 9
            | clear | moves = 4, open 3
        lead with a hidden card | hand 4; open clear; hidden 8; tower 9
            | open clear | moves = 4, blind
    [C44] taken back
        it counts as a play and a blind play | hand 4; hidden 8 -2
            | blind | s.plays = 1; blind_plays = 1; minus_twos = 0
    [C45] count of minus twos
        laid without collapse           | hand -2 -2 1; tower 9 | -2 -2 | minus_twos = 2
        ending the round without a tower | hidden -2            | blind | minus_twos = 0
        ending the round on a 1          | hidden -2; tower 1   | blind | minus_twos = 1
        ending the round on a 9          | hidden -2; tower 9   | blind | minus_twos = 1
    [C47] singly in first turn
        one minus two
            | hand -2 -2 -2 3; tower 9; first_turn; multiples_in_first_lap = False
            | | moves = -2, 3 | -2 | cap = 7; hand = 3 -2 -2
    [C49] nobody can lead
        not while somebody has open cards and a first turn to come
            | hand -2; seat 1 hand -2; seat 1 open 5; players = 2; first_turn
            | pass, pass, pass | seat = 1; moves = open 5
        passes count anew after a play | hand -2; seat 1 hand -2; seat 2 hand clear clear -2
            | pass, pass, clear, clear           | phase = PLAY
            | pass, pass, pass, pass, pass, pass | phase = PLAY
            | pass                               | phase = MATCH_OVER
        the match is aborted | hand -2; seat 1 hand -2; players = 2
            | pass, pass, pass, pass, pass | phase = MATCH_OVER; s.aborted = 1; s.winners = 0
            |                              | no clause play_cap
    """


@pytest.mark.parametrize("cap", range(1, 12))
def test_k_minus_twos_on_two_k_plus_one(cap):
    p = position(hand="-2 -2 -2 -2", tower=str(cap))
    most = max(1, min(4, (cap - 1) // 2))
    assert p.moves == {" ".join(["-2"] * count) for count in range(1, most + 1)}
