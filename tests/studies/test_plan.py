"""Goals and plans: when a cell is known well enough, how many deals that takes."""

import numpy as np
import pytest

from studies.answers.estimate import ratio
from studies.answers.plan import deals_for_power, goal_state, needs, power_at
from studies.measures import parse_measures
from tests.studies.answer_rows import VARIANT, Cell, Made, columns, contested, only, totals


def pair(deals=400, moved=0.2, measures=()):
    """Return a study of one variant that plays a share of the matches anew."""
    rng = np.random.default_rng(deals)
    before = rng.integers(1, 3, (deals, 1))
    after = np.where(rng.random((deals, 1)) < moved, rng.integers(1, 3, (deals, 1)), before)
    made = Made(measures=measures)
    for cell, winners in ((Cell(), before), (VARIANT, after)):
        made.add(cell, columns(winners, turns=rng.integers(30, 60, (deals, 1))))
    return made


def needs_of(made, number, **options):
    options = {"deals": 400, "measures": made.measures, "metrics": ("turns",), **options}
    return needs(made.cells, lambda cell: made.totals[cell.id], number, **options)


def test_a_goal_is_reached_when_the_widest_interval_is_narrow():
    made = pair(2_000)
    cell, sums = made.cells[1], made.totals[made.cells[1].id]
    row = only(made.frame(), kind="after", number="win_rate", who="policy a", against="")
    half = (row["high"] - row["low"]) / 2
    assert goal_state(cell, sums, 0.03).narrow
    assert 1.0001 * half < goal_state(cell, sums, 0.03).widest < 1.2 * half
    assert not goal_state(cell, sums, half * 0.99).narrow


def test_rare_events_do_not_reach_a_goal_too_early():
    # None of 100 deals moved the win: that leaves room for 3 %, and for what a look may miss.
    rows = columns(np.random.default_rng(1).integers(1, 3, (100, 1)))
    assert goal_state(VARIANT, totals(VARIANT, rows, (), Cell(), rows), 0.05).widest > 0.03


def test_a_rotated_duel_that_cards_decide_needs_few_deals():
    winners = np.repeat(np.random.default_rng(1).integers(1, 3, (400, 1)), 2, axis=1)
    cell = Cell(rotations=2)
    assert goal_state(cell, totals(cell, columns(winners)), 0.03).narrow


def test_as_many_deals_as_planned_give_the_half_width_asked_for():
    need = needs_of(pair(), "win_rate", half_width=0.01)[0]
    assert need.low < need.deals < need.high
    frame = pair(int(need.deals)).frame()
    row = only(frame, kind="change", number="win_rate", who="policy a", against="")
    assert (row["high"] - row["low"]) / 2 == pytest.approx(0.01, rel=0.15)


def test_a_test_finds_what_it_was_planned_for():
    deals = deals_for_power(4.0, 0.5, 0.05, 0.8)
    assert power_at(4.0, 0.5, deals, 0.05) == pytest.approx(0.8, abs=0.01)
    values = np.random.default_rng(1).normal(0.5, 2.0, (2_000, int(deals)))
    p = ratio(values, np.ones_like(values), deals).p()
    assert (p < 0.05).mean() == pytest.approx(0.8, abs=0.03)


def test_every_number_of_the_frame_can_be_planned_for():
    made = pair(measures=parse_measures({"long": "turns > 50"}, ("turns",)))
    for number in ("win_rate", "another_winner", "turns", "long", "aborted"):
        variants = [need.cell.variant for need in needs_of(made, number, half_width=0.02)]
        assert variants == ["v"], number
    assert not needs_of(made, "another_winner", half_width=0.01)[0].of
    assert needs_of(made, "score", half_width=1) == []


@pytest.mark.parametrize("number", ["win_rate", "turns"])
@pytest.mark.parametrize("seats", [("a", "b"), ("a", "b", "c"), ("a", "a")])
@pytest.mark.parametrize("variants", [0, 1, 3])
def test_a_plan_is_corrected_for_the_tests_that_the_frame_has(number, seats, variants):
    made = Made()
    rotations = 1 if len(set(seats)) == 1 else len(seats)
    for at in range(variants + 1):
        labels = {"variant": f"v{at}", "options": {f"x{at}": 1}} if at else {}
        rows = contested(seats, 60, rotations, at)
        made.add(Cell(seats=seats, rotations=rotations, **labels), rows)
    kind = "metric" if number == "turns" else number
    alone = "seats" if len(set(seats)) == 1 else "policies"
    family = f"variants: {kind}" if variants else alone
    tests = made.frame().filter(family=family, number=number).height
    if not variants and number == "turns":
        tests = 1  # a level has no test; the plan is of its width
    assert {need.family for need in needs_of(made, number, detect=0.1)} == {tests}


def test_a_pilot_that_saw_nothing_says_how_many_it_might_take():
    need = needs_of(pair(moved=0.0), "win_rate", half_width=0.001)[0]
    assert not need.seen
    assert need.low < need.deals == need.high < np.inf
