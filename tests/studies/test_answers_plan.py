"""Goals and plans: looks, when a cell is known well enough, how many deals that takes."""

import numpy as np
import pytest

from studies.answers.estimate import ratio
from studies.answers.plan import deals_for_power, goal_state, looks, needs, power_at
from studies.measures import parse_measures
from tests.studies.answer_rows import Cell, Made, columns, one, totals


def study(deals=400, moved=0.2, own=()):
    rng = np.random.default_rng(deals)
    before = rng.integers(1, 3, (deals, 1))
    after = np.where(rng.random((deals, 1)) < moved, rng.integers(1, 3, (deals, 1)), before)
    made = Made(own=own).add(Cell(), columns(before, turns=rng.integers(30, 60, (deals, 1))))
    turns = rng.integers(30, 60, (deals, 1))
    return made.add(Cell(variant="v", options={"x": 1}), columns(after, turns=turns))


def asked(made, number, **said):
    said = {"deals": 400, "measures": made.own, **said}
    return needs(made.cells, lambda c: made.totals[c.id], number, metrics=("turns",), **said)


def test_looks_are_ten_to_each_power_of_ten_and_the_end():
    assert list(looks(1234)) == [100, 125, 150, 200, 250, 300, 400, 500, 600, 800, 1000, 1234]
    assert list(looks(40)) == [40]


def test_a_goal_is_reached_when_the_widest_interval_is_narrow():
    made = study(2_000)
    state = goal_state(made.cells[1], made.totals[made.cells[1].id], 0.03)
    frame = made.frame()
    row = one(frame, kind="after", number="win_rate", who="policy a", against="")
    half = (row["high"] - row["low"]) / 2
    assert state.narrow
    assert 1.0001 * half < state.widest < 1.2 * half
    assert not goal_state(made.cells[1], made.totals[made.cells[1].id], half * 0.99).narrow


def test_rare_events_do_not_reach_a_goal_too_early():
    # None of 100 deals moved the win: that leaves room for 3 %, and for what a look may miss.
    winners = np.random.default_rng(1).integers(1, 3, (100, 1))
    still = totals(
        Cell(variant="v", options={"x": 1}), columns(winners), (), Cell(), columns(winners)
    )
    assert goal_state(Cell(variant="v"), still, 0.05).widest > 0.03


def test_a_rotated_duel_that_cards_decide_needs_few_deals():
    winners = np.repeat(np.random.default_rng(1).integers(1, 3, (400, 1)), 2, axis=1)
    cell = Cell(rotations=2)
    assert goal_state(cell, totals(cell, columns(winners)), 0.03).narrow


def test_as_many_deals_as_planned_give_the_half_width_asked_for():
    need = asked(study(), "win_rate", half_width=0.01)[0]
    assert need.low < need.deals < need.high
    more = study(int(need.deals))
    row = one(more.frame(), kind="change", number="win_rate", who="policy a", against="")
    assert (row["high"] - row["low"]) / 2 == pytest.approx(0.01, rel=0.15)


def test_a_test_finds_what_it_was_planned_for():
    deals = deals_for_power(4.0, 0.5, 0.05, 0.8)
    assert power_at(4.0, 0.5, deals, 0.05) == pytest.approx(0.8, abs=0.01)
    rng = np.random.default_rng(1)
    values = rng.normal(0.5, 2.0, (2_000, int(deals)))
    found = ratio(values, np.ones_like(values), deals).p() < 0.05
    assert found.mean() == pytest.approx(0.8, abs=0.03)


def test_every_number_of_the_frame_can_be_planned_for():
    made = study(own=parse_measures({"long": "turns > 50"}, ("turns",)))
    for number in ("win_rate", "another_winner", "turns", "long", "aborted"):
        need = asked(made, number, half_width=0.02)
        assert [one.cell.variant for one in need] == ["v"], number
    assert not asked(made, "another_winner", half_width=0.01)[0].of
    assert asked(made, "turns", detect=1.0)[0].family == 1
    assert asked(made, "win_rate", detect=0.01)[0].family == 4
    assert asked(made, "score", half_width=1) == []


def test_a_pilot_that_saw_nothing_says_how_many_it_might_take():
    need = asked(study(moved=0.0), "win_rate", half_width=0.001)[0]
    assert not need.seen
    assert need.low < need.deals == need.high < np.inf
