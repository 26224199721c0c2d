"""Populations: which tables are drawn, how a study grows by them, and what they tell together."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from simcore.errors import DataError
from studies.answers.estimate import ratio
from studies.answers.population import Means
from studies.design.cells import expand
from studies.design.population import study_lineups
from studies.design.study import check_study
from studies.run.run import run_study
from tests.studies.conftest import document, frame_of, read_rows
from tests.studies.planted import plant

POLICIES = {"greedy": 2, "shedder": 1, "freer": 1}
PLAYERS = 3


def drawing(tables=7, policies=POLICIES, alike=False, **changes):
    population = {"policies": policies, "tables": tables, "alike": alike}
    return check_study(document(**{"lineups": [], "population": population, **changes}))


def tables_of(study):
    """Return the seats of each table at each point, under the unchanged rules."""
    cells = [cell for cell in expand(study) if cell.variant == "baseline"]
    return {(cell.lineup, cell.point_text): cell.seats for cell in cells}


# ---- which tables are drawn


def test_a_table_is_the_same_however_many_are_drawn():
    few, many = tables_of(drawing(3)), tables_of(drawing(30))
    assert len(many) == 30
    assert few == {key: many[key] for key in few}
    assert len(set(many.values())) > 10
    assert tables_of(drawing(3, seed=6)) != few
    assert few == tables_of(drawing(3, dict(reversed(POLICIES.items()))))


@pytest.mark.parametrize(("alike", "tables"), [(False, 1000), (True, 300)])
def test_policies_sit_as_often_as_they_weigh(alike, tables):
    seats = tables_of(drawing(tables, alike=alike))
    if alike:
        assert all(len(set(held)) == 1 for held in seats.values())
        first = [held[0] for held in tables_of(drawing(tables)).values()]
        assert [held[0] for held in seats.values()] == first
    drawn = [policy for held in seats.values() for policy in (held[:1] if alike else held)]
    counts = [drawn.count(policy) for policy in POLICIES]
    expected = np.array([0.5, 0.25, 0.25]) * len(drawn)
    assert stats.chisquare(counts, expected).pvalue > 1e-4


def test_a_larger_table_begins_as_a_smaller_one():
    seats = tables_of(drawing(4, options={}, sweep={"players": [2, 5]}))
    for number in range(1, 5):
        five = seats[f"table {number}", "players=5"]
        assert seats[f"table {number}", "players=2"] == five[:2]
        assert len(five) == 5


def test_tables_stand_beside_lineups_and_are_rotated():
    cells = expand(
        drawing(
            2,
            {"hoarder": 1, "greedy": 1},
            lineups=[{"name": "own", "seats": ["random"]}],
            sweep={"hoarder.threshold": [1, 2]},
        )
    )
    assert list(dict.fromkeys(cell.lineup for cell in cells)) == ["own", "table 1", "table 2"]
    assert next(cell for cell in cells if len(set(cell.seats)) > 1).rotations == PLAYERS


def test_more_tables_extend_a_study(tmp_path):
    options = {"matches": 4, "variants": {"same": {}}}
    policies = {"greedy": 1, "random": 1}

    def play(tables, **changes):
        run_study(drawing(tables, policies, **{**options, **changes}), tmp_path, threads=1)
        return read_rows(tmp_path)

    two, three = play(2), play(3)
    assert (len(two), len(three)) == (4, 6)
    assert all(three[cell] == rows for cell, rows in two.items())
    with pytest.raises(DataError, match="population"):
        play(2)
    with pytest.raises(DataError, match="another study"):
        play(3, variants={"same": {}, "more": {}})


# ---- what they tell together


def test_a_study_without_a_population_tells_none(tmp_path):
    frame = frame_of(plant(tmp_path / "study", 20, lambda *_: None))
    assert not set(frame["kind"]) & {"population", "prediction"}
    assert len(study_lineups(check_study(document()), None)) == 1


def test_a_policy_is_told_where_it_sits_with_others(tmp_path):
    """Tables of like players say nothing of who wins, but of lengths."""
    population = {"policies": POLICIES, "tables": 3, "alike": True}
    directory = plant(tmp_path / "alike", 40, lambda *_: None, lineups=[], population=population)
    rows = frame_of(directory).filter(kind="population")
    assert rows.height
    assert not rows.filter(pl.col("who").str.starts_with("policy")).height
    assert "plays" in rows["number"].to_list()


DEALS = 400


def means_of(values, **bounds):
    """Return the mean over tables of numbers by table and deal."""
    return Means.of([ratio(row[None], np.ones((1, DEALS)), DEALS, **bounds) for row in values])


@pytest.mark.parametrize("tables", [2, 3, 5, 20])
def test_a_mean_over_tables_that_share_nothing_has_student_s_interval(tables):
    """Tables far apart, each known exactly but for a trace: the sample of tables is all."""
    values = np.random.default_rng(tables).normal(10, 3, tables)
    means = means_of(values[:, None] + np.resize([1e-6, -1e-6], DEALS))
    student = stats.ttest_1samp(values, 0)
    ends = np.ravel(means.interval())
    assert ends == pytest.approx(list(student.confidence_interval()), rel=1e-6)
    assert means.p()[0] == pytest.approx(student.pvalue, rel=1e-6)
    if tables > 2:
        half = stats.t.ppf(0.975, tables - 1) * values.std(ddof=1) * np.sqrt(1 + 1 / tables)
        assert means.prediction()[1][0] == pytest.approx(values.mean() + half, rel=1e-6)


@pytest.mark.parametrize("tied", [0.0, 1.0, 3.0])
def test_a_mean_over_tables_that_share_deals_is_as_uncertain_as_tables_and_deals(tied):
    """The variance of the mean is s² / k and the mean covariance of two tables."""
    rng = np.random.default_rng(7)
    tables = 5
    values = rng.normal(10, 0.4, (tables, 1)) + rng.normal(size=(tables, DEALS))
    values += tied * rng.normal(size=DEALS)
    (low,), (high,) = means_of(values, low=-np.inf).interval()
    covariance = np.cov(values) / DEALS
    shared = covariance[~np.eye(tables, dtype=bool)].mean()
    error = np.sqrt(max(values.mean(axis=1).var(ddof=1) / tables + shared, covariance.mean()))
    half = stats.t.ppf(0.975, tables - 1) * error
    assert (high - low) / 2 == pytest.approx(half, rel=1e-6)
