"""Populations: which tables are drawn, how a study grows by them, and what they tell together."""

import numpy as np
import polars as pl
import pytest
from scipy import stats

from simcore.errors import DataError, InputError
from studies.answers.frame import answers
from studies.design.cells import expand
from studies.design.population import study_lineups
from studies.design.study import check_study
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.studies.conftest import document, read_rows
from tests.studies.planted import plant

POLICIES = {"greedy": 2, "shedder": 1, "freer": 1}
PLAYERS = 3


def drawing(tables=7, policies=POLICIES, **changes):
    population = {"policies": policies, "tables": tables}
    return check_study(document(**{"lineups": [], "population": population, **changes}))


def tables_of(study):
    """Return the seats of each table at each point, under the unchanged rules."""
    cells = [cell for cell in expand(study) if cell.variant == "baseline"]
    return {(cell.lineup, cell.point_text): cell.seats for cell in cells}


def test_a_table_is_the_same_however_many_are_drawn():
    few, many = tables_of(drawing(3)), tables_of(drawing(30))
    assert len(many) == 30
    assert few == {key: many[key] for key in few}
    assert len(set(many.values())) > 10
    assert tables_of(drawing(3, seed=6)) != few
    assert few == tables_of(drawing(3, dict(reversed(POLICIES.items()))))


def test_policies_sit_as_often_as_they_weigh():
    seats = [seat for table in tables_of(drawing(1000)).values() for seat in table]
    counts = [seats.count(policy) for policy in POLICIES]
    assert stats.chisquare(counts, np.array([0.5, 0.25, 0.25]) * 3000).pvalue > 1e-4


def test_a_larger_table_begins_as_a_smaller_one():
    seats = tables_of(drawing(4, options={}, sweep={"players": [2, 5]}))
    for number in range(1, 5):
        five = seats[f"table {number}", "players=5"]
        assert seats[f"table {number}", "players=2"] == five[:2]
        assert len(five) == 5


def test_tables_of_like_players_have_one_policy_each():
    population = {"policies": POLICIES, "tables": 300, "alike": True}
    alike = tables_of(drawing(population=population))
    assert all(len(set(held)) == 1 for held in alike.values())
    first = [held[0] for held in alike.values()]
    assert first == [held[0] for held in tables_of(drawing(300)).values()]
    counts = [first.count(policy) for policy in POLICIES]
    assert stats.chisquare(counts, [150, 75, 75]).pvalue > 1e-4


def test_tables_stand_beside_lineups_and_are_rotated():
    own = {"name": "own", "seats": ["random"]}
    cells = expand(
        drawing(
            2,
            lineups=[own],
            sweep={"hoarder.threshold": [1, 2]},
            policies={"hoarder": 1, "greedy": 1},
        )
    )
    assert list(dict.fromkeys(cell.lineup for cell in cells)) == ["own", "table 1", "table 2"]
    mixed = next(cell for cell in cells if len(set(cell.seats)) > 1)
    assert mixed.rotations == PLAYERS


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"population": {"policies": {"gredy": 1}, "tables": 2}}, ["did you mean 'greedy'"]),
        ({"population": {"policies": {"greedy": 0}, "tables": 2}}, ["greedy = 0", "weight"]),
        ({"population": {"policies": {"greedy": 1}, "tables": 0}}, ["tables = 0", "1…1_000"]),
        ({"population": {"policies": {"greedy": 1}}}, ["population.tables is missing"]),
        ({"population": {"table": 2}}, ["did you mean 'tables'"]),
        ({"lineups": [{"name": "table 2", "seats": ["greedy"]}]}, ["'table 2'", "two line-ups"]),
    ],
)
def test_what_is_refused(changes, fragments):
    whole = {**document(lineups=[], population={"policies": POLICIES, "tables": 2}), **changes}
    with pytest.raises(InputError) as refused:
        expand(check_study({key: value for key, value in whole.items() if value is not None}))
    assert all(fragment in str(refused.value) for fragment in fragments)


def test_more_tables_extend_a_study(tmp_path):
    options = {"game": "uno", "options": {"players": 2}, "matches": 4, "variants": {"same": {}}}
    policies = {"dumper": 1, "majority": 1}

    def play(tables, **changes):
        own = drawing(tables, policies, **{**options, **changes})
        run_study(own, tmp_path / "study", threads=1)
        return read_rows(tmp_path / "study")

    two = play(2)
    three = play(3)
    assert len(two) == 4
    assert len(three) == 6
    assert all(three[cell] == rows for cell, rows in two.items())
    with pytest.raises(DataError, match="population"):
        play(2)
    with pytest.raises(DataError, match="another study"):
        play(3, variants={"same": {}, "more": {}})


def test_a_study_without_a_population_tells_none(tmp_path):
    stored = open_study(plant(tmp_path / "study", 20, lambda *_: None))
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    assert not set(frame["kind"]) & {"population", "prediction"}
    assert len(study_lineups(check_study(document()), None)) == 1


def test_a_policy_is_told_where_it_sits_with_others(tmp_path):
    """Tables of like players say nothing of who wins, but of lengths."""
    population = {"policies": POLICIES, "tables": 3, "alike": True}
    directory = plant(tmp_path / "alike", 40, lambda *_: None, lineups=[], population=population)
    stored = open_study(directory)
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    told = frame.filter(kind="population")
    assert told.height
    assert not told.filter(pl.col("who").str.starts_with("policy")).height
    assert "plays" in told["number"].to_list()
