"""One property for each family of numbers: what must hold whatever was played."""

import itertools
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from scipy import stats

from studies.answers.estimate import ratio
from studies.answers.plan import needs
from studies.answers.population import Means
from studies.overview import OverviewInput, answer_tables
from studies.report.report_data import Row
from studies.report.sections import _is_reversed
from tests.studies.answer_rows import Cell, Made, columns


def winners(seats, deals, rotations, *, seed=0, aborted=0.0, worth=None):
    """Return winners drawn seat by seat, of policies with these worths."""
    own = np.random.default_rng(seed)
    drawn = np.zeros((deals, rotations), dtype=int)
    for rotation in range(rotations):
        at = [seats[(seat + rotation) % len(seats)] for seat in range(len(seats))]
        chances = np.array([(worth or {}).get(policy, 1.0) for policy in at])
        drawn[:, rotation] = 1 << own.choice(len(seats), deals, p=chances / chances.sum())
    return np.where(own.random(drawn.shape) < aborted, 0, drawn)


def table(seats, deals=300, rotations=1, *, seed=0, aborted=0.0, worth=None):
    won = winners(seats, deals, rotations, seed=seed, aborted=aborted, worth=worth)
    turns = np.random.default_rng(seed + 1).poisson(20, won.size)
    return columns(won, turns=turns)


@pytest.mark.parametrize("values", [2, 3, 4, 5, 6])
def test_points_of_a_sweep_are_compared_in_all_pairs_up_to_four(values):
    made = Made()
    for value in range(values):
        made.add(Cell(point={"dial": value}), table(("a", "b"), seed=value))
    told = made.frame().filter(kind="point", number="turns")
    pairs = {(row["against"], row["dial"]) for row in told.iter_rows(named=True)}
    firsts = range(values) if values <= 4 else [0]
    assert pairs == {(f"dial = {a}", b) for a in firsts for b in range(a + 1, values)}
    levels = {
        row["dial"]: row["estimate"]
        for row in made.frame().filter(kind="level", number="turns").iter_rows(named=True)
    }
    for row in told.iter_rows(named=True):
        there = levels[int(row["against"].removeprefix("dial = "))]
        assert row["estimate"] == pytest.approx(levels[row["dial"]] - there)


@pytest.mark.parametrize("tables", [2, 3, 5, 20])
def test_a_mean_over_tables_that_share_nothing_has_student_s_interval(tables):
    """Tables far apart, each known exactly but for a trace: the sample of tables is all."""
    values = np.random.default_rng(tables).normal(10, 3, tables)
    deals = 400
    found = Means.of(
        [
            ratio(
                np.full((1, deals), value) + np.resize([1e-6, -1e-6], deals),
                np.ones((1, deals)),
                deals,
            )
            for value in values
        ]
    )
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    ((low,), (high,)), (p,) = found.interval(), found.p()
    assert (low, high) == pytest.approx((expected.low, expected.high), rel=1e-6)
    assert p == pytest.approx(stats.ttest_1samp(values, 0).pvalue, rel=1e-6)
    if tables > 2:
        half = stats.t.ppf(0.975, tables - 1) * values.std(ddof=1) * np.sqrt(1 + 1 / tables)
        assert found.prediction()[1][0] == pytest.approx(values.mean() + half, rel=1e-6)


@pytest.mark.parametrize("tied", [0.0, 1.0, 3.0])
def test_a_mean_over_tables_that_share_deals_is_as_uncertain_as_tables_and_deals(tied):
    """The variance of the mean is s² / k and the mean covariance of two tables."""
    rng = np.random.default_rng(7)
    deals, tables = 400, 5
    values = rng.normal(10, 0.4, (tables, 1)) + rng.normal(size=(tables, deals))
    values += tied * rng.normal(size=deals)
    whole = np.ones((1, deals))
    found = Means.of([ratio(row[None], whole, deals, low=-np.inf) for row in values])
    low, high = found.interval()
    covariance = np.cov(values) / deals
    shared = covariance[~np.eye(tables, dtype=bool)].mean()
    error = np.sqrt(max(values.mean(axis=1).var(ddof=1) / tables + shared, covariance.mean()))
    half = stats.t.ppf(0.975, tables - 1) * error
    assert (high[0] - low[0]) / 2 == pytest.approx(half, rel=1e-6)


@pytest.mark.parametrize("seats", [("a", "b", "b"), ("a", "b", "b", "b"), ("a", "a", "b", "c")])
def test_policies_that_are_alike_share_their_wins_whatever_seats_they_hold(seats):
    frame = Made().add(Cell(seats=seats, rotations=len(seats)), table(seats, 2_000, len(seats)))
    payoffs = frame.frame().filter(kind="payoff")
    assert payoffs.height == len(set(seats)) * (len(set(seats)) - 1)
    assert (payoffs["low"] < 0.5).all()
    assert (payoffs["high"] > 0.5).all()
    assert (payoffs.filter(pl.col("family") != "")["p"] > 0.05).all()
    both = dict(payoffs.select(pl.concat_str("who", "against"), "estimate").iter_rows())
    for one, two in itertools.combinations(sorted(set(seats)), 2):
        names = f"policy {one}", f"policy {two}"
        assert both["".join(names)] + both["".join(names[::-1])] == pytest.approx(1)


@pytest.mark.parametrize("aborted", [0.3, 0.8])
def test_quantiles_of_decided_matches_have_the_deals_that_were_decided(aborted):
    """A margin is known of decided matches alone; deals without any tell nothing of it."""
    won = winners(("a", "b"), 400, 1, aborted=aborted)
    scores = np.random.default_rng(2).integers(0, 500, (2, won.size))
    course = {
        name: np.full(won.size, 5) for name in ("comeback", "lead_changes", "last_lead_change")
    }
    kept = won.ravel() > 0

    def frame(chosen):
        rows = columns(
            won[chosen],
            scores=scores[:, chosen],
            turns=np.full(int(chosen.sum()), 20),
            **{name: values[chosen] for name, values in course.items()},
        )
        return (
            Made()
            .add(Cell(), rows)
            .frame()
            .filter(pl.col("number").str.starts_with("margin q"), kind="quantile")
        )

    told = frame(np.ones(won.size, dtype=bool)), frame(kept)
    assert told[0].height == 5
    for name in ("estimate", "low", "high"):
        assert told[0][name].to_list() == told[1][name].to_list()


@pytest.mark.parametrize("number", ["win_rate", "turns"])
@pytest.mark.parametrize("seats", [("a", "b"), ("a", "b", "c"), ("a", "a")])
@pytest.mark.parametrize("variants", [0, 1, 3])
def test_a_plan_is_corrected_for_the_tests_that_the_frame_has(number, seats, variants):
    made = Made()
    rotations = 1 if len(set(seats)) == 1 else len(seats)
    for at in range(variants + 1):
        options = {f"x{at}": 1} if at else {}
        name = f"v{at}" if at else "baseline"
        made.add(
            Cell(seats=seats, rotations=rotations, variant=name, options=options),
            table(seats, 60, rotations, seed=at),
        )
    found = needs(
        made.cells,
        lambda cell: made.totals[cell.id],
        number,
        detect=0.1,
        metrics=["turns"],
    )
    kind = "metric" if number == "turns" else number
    one = "seats" if len(set(seats)) == 1 else "policies"
    family = f"variants: {kind}" if variants else one
    tests = made.frame().filter(family=family).height
    if not variants and number == "turns":
        tests = 1  # a level has no test; the plan is of its width
    assert {need.family for need in found} == {tests}


def changed(low, high, margin, *, equivalent):
    names = ("lineup", "variant", "kind", "who", "number", "against")
    base = dict(zip(names, ("trio", "baseline", "level", "", "turns", ""), strict=True))
    row = {**base, "variant": "v", "kind": "change"}
    values = {"baseline": 20.0, "matches": 10, "p": 0.5, "p_holm": 0.5, "family": "f"}
    ends = {"estimate": (low + high) / 2, "low": low, "high": high}
    common = {"margin": None, "equivalent": None, **values}
    return pl.DataFrame(
        [
            {**base, **common, "baseline": None, "estimate": 20.0, "low": 19.0, "high": 21.0},
            {**row, **common, **ends, "margin": margin, "equivalent": equivalent},
        ],
        infer_schema_length=None,
    )


@pytest.mark.parametrize(
    ("low", "high", "equivalent", "said"),
    [
        (-0.5, 0.5, True, "yes"),
        (-0.5, 0.5, False, "open"),
        (0.5, 1.5, False, "open"),
        (-1.5, 1.5, False, "open"),
        (1.1, 1.5, False, "no"),
        (-1.5, -1.1, False, "no"),
    ],
)
def test_within_the_margin_is_no_only_where_it_is_shown_to_lie_outside(low, high, equivalent, said):
    frame = changed(low, high, 1.0, equivalent=equivalent)
    (shown,) = answer_tables(OverviewInput(frame), "change")
    assert shown.frame.filter(variant="v")["same"].to_list() == [said]


@pytest.mark.parametrize("ends", list(itertools.product([(-3, -1), (-1, 1), (1, 3)], repeat=2)))
def test_a_lead_is_reversed_only_where_neither_interval_holds_0(ends):
    (before, after) = ({"low": float(low), "high": float(high)} for low, high in ends)
    gap: Row = {"variant": "v", "lineup": "t", "number": "win_rate", "who": "policy a"}
    gap = {**gap, "against": "policy b"}
    rows = {"difference": {**gap, **before}, "after": {**gap, **after}}
    data = SimpleNamespace(
        rows=lambda kind, **_: [rows[kind]],
        main=lambda kind, **_: [rows[kind]],
        point={},
    )
    apart = all(low > 0 or high < 0 for low, high in ends)
    assert _is_reversed(data, gap) == (apart and ends[0] != ends[1])
