"""Sums by group of deals: exact, whatever the blocks; the same as counted by hand."""

from itertools import pairwise

import numpy as np
import pytest

from studies.answers.totals import GROUPS, Totals, sum_totals, totals_of
from studies.measures import parse_measures
from tests.studies.answer_rows import Cell, columns, measures_for, part, totals

FRACTIONS = parse_measures({"odd": "turns / 3.0", "mean_score": "score_{seat} / 7.0"})


def rows_of(cell, deals, seed=1, first=0, aborted=0.1):
    rng = np.random.default_rng(seed)
    players, shape = len(cell.seats), (deals, cell.rotations)
    winners = rng.integers(1, 1 << players, shape)
    winners[rng.random(shape) < aborted] = 0
    return columns(
        winners,
        first,
        first_seat=rng.integers(0, players, shape),
        scores=rng.integers(-90, 90, (players, *shape)),
        turns=rng.integers(1, 80, shape),
        decisions=rng.integers(1, 80, shape),
        forced=rng.integers(1, 80, shape),
        comeback=rng.integers(0, 50, shape),
        last_lead_change=rng.integers(0, 9, shape),
        rounds=rng.integers(1, 9, shape),
        rotations=np.ones(shape, int),  # UP & DOWN has a metric of this name
    )


def same(one, two):
    assert one.to_frame().equals(two.to_frame())


@pytest.mark.parametrize("seats", [("a", "b"), ("a", "b", "a"), ("a", "b", "c", "a")])
def test_sums_do_not_depend_on_blocks_or_their_order(seats):
    cell = Cell(seats=seats, rotations=len(seats))
    base = Cell(seats=seats, rotations=len(seats))
    variant = Cell(seats=seats, rotations=len(seats), variant="v", options={"x": 1})
    rows, moved = rows_of(cell, 2_500), rows_of(cell, 2_500, seed=2)
    whole = totals(variant, moved, FRACTIONS, base, rows)
    ends = np.array([0, 7, 1_024, 1_030, 2_100, 2_500]) * len(seats)
    blocks = [slice(a, b) for a, b in pairwise(ends)]
    parts = [
        totals(variant, part(moved, own), FRACTIONS, base, part(rows, own)) for own in blocks[::-1]
    ]
    same(whole, sum_totals(parts))
    same(whole, parts[0] + (parts[1] + parts[2] + (parts[3] + parts[4])))


def test_deals_that_are_not_consecutive_fall_into_their_groups():
    cell = Cell(rotations=2)
    rows = rows_of(cell, 3_000)
    chosen = np.random.default_rng(5).permutation(3_000)[:700]
    places = (np.sort(chosen)[:, None] * 2 + np.arange(2)).ravel()
    rest = np.setdiff1d(np.arange(6_000), places)
    parts = [totals(cell, part(rows, own)) for own in (places, rest)]
    same(totals(cell, rows), parts[0] + parts[1])


def test_a_frame_gives_the_sums_back():
    cell = Cell(seats=("a", "b", "a"), rotations=3)
    variant = Cell(seats=("a", "b", "a"), rotations=3, variant="v", options={"x": 1})
    found = totals(variant, rows_of(cell, 60, 2), FRACTIONS, cell, rows_of(cell, 60))
    again = Totals.from_frame(found.to_frame())
    same(found, again)
    assert again.total("rotations") == 180
    assert again.rotations == again.before.rotations == 3
    assert again.histogram("turns") == found.histogram("turns")
    assert again.before.histogram("turns") == found.before.histogram("turns") != {}


def test_sums_are_those_counted_match_by_match():
    seats = ("a", "b", "a")
    cell = Cell(seats=seats, rotations=3)
    rows = rows_of(cell, 40)
    found = totals(cell, rows)
    wins, scores, places = dict.fromkeys("ab", 0), dict.fromkeys("ab", 0), [0, 0, 0]
    turned = [0, 0, 0]
    for row in range(120):
        won = [seat for seat in range(3) if rows["winners"][row] >> seat & 1]
        for seat in range(3):
            policy = seats[(seat + rows["rotation"][row]) % 3]
            place = (seat - int(rows["first_seat"][row])) % 3
            scores[policy] += rows[f"score_{seat}"][row]
            turned[place] += rows[f"score_{seat}"][row]
            if seat in won:
                wins[policy] += 6 // len(won)
                places[place] += 6 // len(won)
    for policy in "ab":
        assert found.total(f"win_rate|policy {policy}") == wins[policy]
        assert found.total(f"score|policy {policy}") == scores[policy]
    for place in range(3):
        assert found.total(f"win_rate|position {place}") == places[place]
        assert found.total(f"score|position {place}") == turned[place]
    assert found.total("turns") == rows["turns"].sum()
    assert found.decided == (rows["winners"] > 0).sum() < 120
    deals = rows["winners"].reshape(40, 3)
    assert found.total("luck|deals") == (deals > 0).all(axis=1).sum()


def test_margins_and_the_course_are_those_counted_match_by_match():
    cell = Cell(seats=("a", "b", "c"), rotations=1)
    rows = rows_of(cell, 200)
    found = totals(cell, rows)
    margin = close = runaway = early = last = 0
    for row in range(200):
        won = [seat for seat in range(3) if rows["winners"][row] >> seat & 1]
        if not won:
            continue
        score = [int(rows[f"score_{seat}"][row]) for seat in range(3)]
        own = 0
        if len(won) == 1:
            own = min(abs(score[won[0]] - score[s]) for s in range(3) if s != won[0])
        distance = max(score) - min(score)
        margin += own
        close += own <= 0.1 * distance
        runaway += own >= 0.5 * distance > 0
        early += rows["last_lead_change"][row] <= 0.5 * rows["rounds"][row]
        last += rows["last_lead_change"][row] == rows["rounds"][row]
    assert found.total("decided_at_the_end") == last > 0
    assert found.total("margin") == margin
    assert found.total("close") == close > 0
    assert found.total("runaway") == runaway > 0
    assert found.total("settled_by_half") == early > 0


def test_what_a_variant_moves_is_counted_pair_by_pair():
    cell = Cell(rotations=2)
    variant = Cell(rotations=2, variant="v", options={"x": 1})
    before, after = rows_of(cell, 30), rows_of(cell, 30, 2)
    after["turns"] = before["turns"].copy()
    for name in ("score_0", "score_1", "comeback", "last_lead_change", "rounds"):
        after[name] = before[name].copy()
    found = totals(variant, after, (), cell, before)
    both = (before["winners"] > 0) & (after["winners"] > 0)
    assert found.total("pair|both") == both.sum()
    assert found.total("pair|another") == (both & (before["winners"] != after["winners"])).sum()
    # What merely is asked, and who begins, does not count.
    assert found.total("pair|in_play") == (before["winners"] != after["winners"]).sum()


def test_a_margin_of_just_a_tenth_is_close_and_of_just_a_half_is_a_runaway():
    cell = Cell(seats=("a", "b", "c"))
    counts = dict.fromkeys(("rounds", "comeback", "last_lead_change", "lead_changes"), 1)
    rows = columns(
        [[1], [1]],
        scores=np.array([[[100], [100]], [[90], [50]], [[0], [0]]]),
        **{name: np.full((2, 1), value) for name, value in counts.items()},
    )
    found = totals(cell, rows)
    assert found.by_group("close", 2).tolist() == [1, 0]
    assert found.by_group("runaway", 2).tolist() == [0, 1]


def test_sums_of_few_deals_are_short_and_add_up_with_those_of_many():
    cell = Cell(seats=("a", "b", "c"), rotations=3)
    few, many = totals(cell, rows_of(cell, 5)), totals(cell, rows_of(cell, 2_000, first=5))
    assert len(few.sums["decided"]) == 5
    before = few.sums["decided"].copy()
    one, other = few + many, many + few
    same(one, other)
    assert one.decided == few.decided + many.decided
    assert few.sums["decided"].tolist() == before.tolist()


def test_fractions_add_up_exactly_and_nothing_that_is_no_number_is_summed():
    cell = Cell()
    rows = columns(np.ones((GROUPS * 3, 1)), turns=np.full(GROUPS * 3, 0.1))
    found = totals(cell, rows)
    assert found.by_group("turns").sum() == pytest.approx(0.1 * GROUPS * 3, abs=4e-9)
    rows["turns"][5] = np.nan
    with pytest.raises(Exception, match="measure 'turns' gives a value that is no finite number"):
        totals(cell, rows)


def test_a_deal_may_stand_in_any_number_of_rows():
    rows = columns([[1], [2], [1], [0]])
    rows["match"] = np.array([7, 7, 9, 12])
    found = totals(Cell(), rows)
    assert found.deals == 3
    assert found.total("deals|decided") == 2
    assert found.by_group("decided")[[7, 9, 12]].tolist() == [2, 1, 0]


def test_sides_must_fit():
    cell = Cell()
    rows = columns([[1], [2]])
    with pytest.raises(ValueError, match="same seats"):
        totals_of(Cell(variant="v"), rows, measures_for(cell, rows), Cell(seats=("a", "a")), rows)
    with pytest.raises(ValueError, match="same deals"):
        totals(Cell(variant="v"), rows, (), cell, columns([[1], [2]], first=5))
