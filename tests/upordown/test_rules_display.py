"""The display: columns, and giving them up. Tests bear the marks of RULES.md."""

from __future__ import annotations

import pytest

from tests.upordown.position import placing, position
from tests.upordown.rows import Rows


class TestDisplay(Rows):
    rows = """
    [R9] any column | card 30
        that it fits | display 10 20, 45 40, 5
            | | listed = append 1, append 2, append 3, give up 1, give up 2, give up 3
            | append 2 | columns = 10 20, 45 40 30, 5
    [R10] room for three | card 30
        a third   | display 10 20, 45 40    | | may new
        no fourth | display 10 20, 45 40, 5 | | may not new
    [R10] in the clauses of a match | hand 53; seat 1 hand 54; circle 30 47 48 49 50 51
        full     | display 1, 2 | 53, upper, new, 54, upper, new, score | clause columns
        not full | display 1    | 53, upper, new, 54, upper, new, score | no clause columns
    [C7] free choice | card 30
        a new column although it fits | display 10 20 | new | columns = 10 20, 30
        the lowest empty place | columns = 6 | new | columns = 30
        order of the moves | display 10 20, 25 22
            | | listed = append 1, new, give up 1, give up 2
    [R11] direction | card 30
        the second card settles it: up   | display 10 20    | | may append 1
        or down                          | display 20 10    | | may not append 1; may new
        for good                         | display 10 20 40 | | may not append 1
    [C8] second card | card 30
        higher ascends | display 10 | append 1
            | fits 1 = False; fits 29 = False; fits 31 = True; fits 54 = True
        lower descends | display 46 | append 1
            | fits 1 = True; fits 29 = True; fits 31 = False; fits 54 = False
    [R12] order | card 30
        up       | display 10 20 29 | | may append 1
        not up   | display 10 20 31 | | may not append 1
        down     | display 45 40 31 | | may append 1
        not down | display 45 40 29 | | may not append 1
    [C9] at the end
        not in between | card 30; display 20 40 | | may not append 1
        nor before     | card 30; display 40 45 | | may not append 1
        a single card takes a lower one  | card 30; display 31 | | may append 1
        a much lower one                 | card 30; display 54 | | may append 1
        a higher one                     | card 30; display 29 | | may append 1
        a much higher one                | card 30; display 1  | | may append 1
    [R13] give up | card 30; display 10 40 41, 20 25, 44
        any column | | | may give up 1; may give up 2; may give up 3
        its cards are discarded | | give up 1 | discards = 3; columns_given_up = 1
    [R14] new column | card 30
        the card begins it | display 10 40 41, 20 25 | give up 2 | columns = 10 40 41, 30
    [C10] at will | card 30
        with room and although it fits | display 10 20
            | | listed = append 1, new, give up 1 | give up 1 | columns = 30
    [C11] the place freed | card 30
        not to another column | display 10 20, 40 45, 5 | give up 2 | columns = 10 20, 30, 5
    [C12] one card | card 30
        may be given up | display 10 | give up 1 | columns = 30; scores 0 = 2
    """


@pytest.mark.parametrize("columns", range(1, 7))
def test_r10_other_numbers(columns):
    display = ("10 20", "45 40", "5", "7", "8", "9")
    assert "new" not in placing(30, *display[:columns], columns=columns).moves
    assert "new" in placing(30, *display[: columns - 1], columns=columns).moves


def test_r12_to_the_highest_card():
    p = position(players=6, hand="124", circle="2 3 4 5 125 126", display=["120 121"])
    p.hold(0, "1")
    p.play("1", "lower", "append 1")
    assert p.columns() == ["120 121 126"]
    assert not any(p.fits(card) for card in range(1, 127))
