"""The last card: announcing, forgetting, going out. Rows bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from simcore.rng import opened
from tests.up.following import CHANCE, UP
from tests.up.position import position
from tests.up.rows import Rows

pytestmark = pytest.mark.usefixtures("any_layout")


class TestLastCard(Rows):
    rows = """
    [R24] announcement
        who forgets is skipped once
            | hand 9 1; seat 1 hand 7 6 5; seat 2 hand 4 4 2; forget_last_card = [1.0, 0.0, 0.0]
            | 9       | lost = 0
            | 7, 4    | seat = 1; lost =; clause lost_turn
            | 6, 6, 4 | seat = 0
        who says it is not | hand 9 1; seat 1 hand 7 6 5; seat 2 hand 4 3 2
            | 9, 7, 4 | seat = 0; lost =; no clause lost_turn
    [R25] nothing to say | tower 9; forget_last_card = 1.0
        going out with equal cards | hand 5 5 | 5 5 | phase = ROUND_OVER; lost =
    [C29] one card left of all | tower 9; forget_last_card = 1.0
        of the hand               | hand 5 1          | 5        | lost = 0
        an open one               | hand 5; open 1    | 5        | lost = 0
        a hidden one              | hand 5; hidden 1  | 5        | lost = 0
        of three                  | hand 5 5 1        | 5 5      | lost = 0
        after open cards          | hand 1; open 5 5  | open 5 5 | lost = 0
        after a minus two         | hand -2 1         | -2       | lost = 0
        after a hidden card       | hidden 1 5        | blind    | lost = 0
        not with a hidden one too | hand 5 1; hidden 8 | 5       | lost =
        not with an open one too  | hand 5 1; open 8  | 5        | lost =
        not with two              | hand 5 5 1        | 5        | lost =
        not after a collapse      | hand 11 1         | 11       | lost =
        after a clear card too    | hand clear -2     | clear    | seat = 0; lost = 0
        a minus two taken back is no card less | hidden 8 -2; tower = "" | blind | count = 2; lost =
    [C30] forgetting
        never by default | hand 5 1; tower 9 | 5 | lost =
        by seat | hand 5 1; seat 1 hand 4 1; players = 2; forget_last_card = [0.0, 1.0]
            | 5, 4 | lost = 1
        the turn is lost even after a collapse
            | hand 9 1; seat 1 hand 8 7 6 3; players = 2; forget_last_card = [1.0, 0.0]
            | 9, 8 | seat = 1; lost = | 7 | seat = 0
        two seats are skipped one after the other | hand 9 8 1; lost = (1, 2)
            | 9 | seat = 0; lost =
        whoever is skipped keeps the first turn
            | hand 9 8 7; seat 1 hand 5 4; seat 1 open 3; seat 2 hand 2 2; seat 2 open 1;
            lost = (1,); first_turn
            | 9 | seat = 2; lost = | 2, 8, 8, 5 | seat = 2
    [C31] from two to none | tower 9; forget_last_card = 1.0
        no single card is left      | hand 5 5 5 | 5 5 5      | phase = ROUND_OVER; lost =
        nor of those lying open     | open 5 5 5 | open 5 5 5 | phase = ROUND_OVER; lost =
    [C32] the last play ends the round
        a number           | hand 5; tower 9       | 5          | phase = ROUND_OVER; count = 0
        one that leads     | hand 5                | 5          | phase = ROUND_OVER; count = 0
        an open one        | open 5; tower 9       | open 5     | phase = ROUND_OVER; count = 0
        a hidden one       | hidden 5; tower 9     | blind      | phase = ROUND_OVER; count = 0
        one that leads too | hidden 5              | blind      | phase = ROUND_OVER; count = 0
        a clear card       | hand clear; tower 9   | clear      | phase = ROUND_OVER; count = 0
        a leading one      | hand clear            | clear      | phase = ROUND_OVER; count = 0
        an open clear card | open clear; tower 9   | open clear | phase = ROUND_OVER; count = 0
        a hidden one of it | hidden clear; tower 9 | blind      | phase = ROUND_OVER; count = 0
        a minus two        | hand -2; tower 9      | -2         | phase = ROUND_OVER; count = 0
        two of them        | hand -2 -2; tower 9   | -2 -2      | phase = ROUND_OVER; count = 0
        not too heavy      | hand 10; tower 9      | 10      | phase = PLAY; hand = 10 9; seat = 0
        not open           | open 10; tower 9      | open 10 | phase = PLAY; hand = 10 9; seat = 0
        not hidden         | hidden 10; tower 9    | blind   | phase = PLAY; hand = 10 9; seat = 0
    """


def test_forgetting_with_a_probability():
    counts = 0
    for stream in range(400):
        p = position(hand="5 1", tower="9", forget_last_card=0.25)
        p.s.streams["CHANCE", 0] = opened(1, stream, 1, CHANCE)
        counts += p.play("5").lost == {0}
    assert 56 < counts < 152  # 100 expected; outside p < 1e-7 (normal, sd 8.7)


@pytest.mark.parametrize("typed", ["0.1,0,0,0.2", "[0.1, 0, 0, 0.2]", "(0.1,0,0,0.2)"])
def test_one_for_each_seat_is_typed_as_it_is_shown(typed):
    assert UP.resolve({"forget_last_card": typed})["forget_last_card"] == [0.1, 0.0, 0.0, 0.2]
