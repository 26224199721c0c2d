"""Sums by group of deals: exact, whatever the blocks. What they are of is in `test_oracle.py`."""

from itertools import pairwise

import numpy as np
import pytest

from studies.answers.totals import GROUPS, Totals, sum_totals, totals_of
from studies.measures import parse_measures
from tests.studies.answer_rows import Cell, columns, measures_for, some, totals

FRACTIONS = parse_measures({"odd": "turns / 3.0", "mean_score": "score_{seat} / 7.0"})


def rows_of(cell, deals, seed=1, first=0):
    rng = np.random.default_rng(seed)
    players, shape = len(cell.seats), (deals, cell.rotations)
    winners = rng.integers(1, 1 << players, shape)
    winners[rng.random(shape) < 0.1] = 0
    bounds = {"turns": 80, "decisions": 80, "forced": 80, "rounds": 9, "last_lead_change": 9}
    return columns(
        winners,
        first,
        first_seat=rng.integers(0, players, shape),
        scores=rng.integers(-90, 90, (players, *shape)),
        comeback=rng.integers(0, 50, shape),
        rotations=np.ones(shape, int),  # UP & DOWN has a metric of this name
        **{name: rng.integers(1, bound, shape) for name, bound in bounds.items()},
    )


def same(first, second):
    return first.to_frame().equals(second.to_frame())


@pytest.mark.parametrize("seats", [("a", "b"), ("a", "b", "a"), ("a", "b", "c", "a")])
def test_sums_do_not_depend_on_blocks_or_their_order(seats):
    base = Cell(seats=seats, rotations=len(seats))
    variant = Cell(seats=seats, rotations=len(seats), variant="v", options={"x": 1})
    before, after = rows_of(base, 2_500), rows_of(base, 2_500, seed=2)
    every = totals(variant, after, FRACTIONS, base, before)
    ends = np.array([0, 7, 1_024, 1_030, 2_100, 2_500]) * len(seats)
    parts = [
        totals(variant, some(after, block), FRACTIONS, base, some(before, block))
        for block in [slice(*ends) for ends in pairwise(ends)][::-1]
    ]
    assert same(every, sum_totals(parts))
    assert same(every, parts[0] + (parts[1] + parts[2] + (parts[3] + parts[4])))


def test_deals_that_are_not_consecutive_fall_into_their_groups():
    cell = Cell(rotations=2)
    rows = rows_of(cell, 3_000)
    chosen = np.sort(np.random.default_rng(5).permutation(3_000)[:700])
    places = (chosen[:, None] * 2 + np.arange(2)).ravel()
    rest = np.setdiff1d(np.arange(6_000), places)
    parts = [totals(cell, some(rows, part)) for part in (places, rest)]
    assert same(totals(cell, rows), parts[0] + parts[1])


def test_a_frame_gives_the_sums_back():
    cell = Cell(seats=("a", "b", "a"), rotations=3)
    variant = Cell(seats=("a", "b", "a"), rotations=3, variant="v", options={"x": 1})
    sums = totals(variant, rows_of(cell, 60, 2), FRACTIONS, cell, rows_of(cell, 60))
    again = Totals.from_frame(sums.to_frame())
    assert same(sums, again)
    assert again.total("rotations") == 180
    assert again.rotations == again.before.rotations == 3
    assert again.histogram("turns") == sums.histogram("turns")
    assert again.before.histogram("turns") == sums.before.histogram("turns") != {}


def test_a_margin_of_just_a_tenth_is_close_and_of_just_a_half_is_a_runaway():
    counts = ("rounds", "comeback", "last_lead_change", "lead_changes")
    rows = columns(
        [[1], [1]],
        scores=[[100, 100], [90, 50], [0, 0]],
        **dict.fromkeys(counts, np.ones((2, 1), int)),
    )
    sums = totals(Cell(seats=("a", "b", "c")), rows)
    assert sums.by_group("close", 2).tolist() == [1, 0]
    assert sums.by_group("runaway", 2).tolist() == [0, 1]


def test_sums_of_few_deals_are_short_and_add_up_with_those_of_many():
    cell = Cell(seats=("a", "b", "c"), rotations=3)
    few, many = totals(cell, rows_of(cell, 5)), totals(cell, rows_of(cell, 2_000, first=5))
    assert len(few.sums["decided"]) == 5
    before = few.sums["decided"].copy()
    assert same(few + many, many + few)
    assert (few + many).decided == few.decided + many.decided
    assert few.sums["decided"].tolist() == before.tolist()


def test_fractions_add_up_exactly_and_nothing_that_is_no_number_is_summed():
    rows = columns(np.ones((GROUPS * 3, 1)), turns=np.full(GROUPS * 3, 0.1))
    sums = totals(Cell(), rows)
    assert sums.by_group("turns").sum() == pytest.approx(0.1 * GROUPS * 3, abs=4e-9)
    rows["turns"][5] = np.nan
    with pytest.raises(Exception, match="measure 'turns' gives a value that is no finite number"):
        totals(Cell(), rows)


def test_a_deal_may_stand_in_any_number_of_rows():
    rows = columns([[1], [2], [1], [0]])
    rows["match"] = np.array([7, 7, 9, 12])
    sums = totals(Cell(), rows)
    assert sums.deals == 3
    assert sums.total("deals|decided") == 2
    assert sums.by_group("decided")[[7, 9, 12]].tolist() == [2, 1, 0]


def test_sides_must_fit():
    cell, variant = Cell(), Cell(variant="v")
    rows = columns([[1], [2]])
    with pytest.raises(ValueError, match="same seats"):
        totals_of(variant, rows, measures_for(cell, rows), Cell(seats=("a", "a")), rows)
    with pytest.raises(ValueError, match="same deals"):
        totals(variant, rows, (), cell, columns([[1], [2]], first=5))
