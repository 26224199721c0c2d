"""`rows = false`: sums in place of rows tell the same, merge in any way, and mend."""

import shutil
from pathlib import Path

import polars as pl
import pyarrow.parquet as pq
import pytest

from simcore.errors import DataError
from studies.check.stored_blocks import check_blocks
from studies.design.cells import expand
from studies.measures import parse_measures
from studies.run.estimate import estimate
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.studies.conftest import (
    contents,
    everything,
    goal_study,
    load,
    parts_of,
    rewrite,
    study,
    table,
    totals_of,
)

SUMS = study(rows=False)
LONG = {"measures": {"long": "plays > 20"}}


@pytest.fixture(scope="module")
def summed(tmp_path_factory):
    directory = tmp_path_factory.mktemp("summed") / "study"
    run_study(SUMS, directory, threads=2, block=25)
    return directory


@pytest.fixture
def sums(summed, tmp_path):
    """A copy of the study of sums, to be changed."""
    return Path(shutil.copytree(summed, tmp_path / "sums"))


def by_cell(directory):
    return {cell.id: rows for cell, rows in totals_of(directory)}


@pytest.mark.parametrize(
    "changes",
    [
        {
            "lineups": [
                {"name": "a", "seats": ["greedy", "random", "hoarder"]},
                table("mixed", "shedder", "hoarder", "greedy"),
            ]
        },
        {
            "options": {"players": 2, "rounds": 1},
            "measures": {"long": "plays > 20", "kept": {"value": "clears", "of": "plays"}},
        },
    ],
)
def test_sums_are_those_of_the_matches(changes, tmp_path):
    run_study(study(**changes), tmp_path / "rows", threads=2)
    run_study(study(**changes, rows=False), tmp_path / "sums", threads=2, block=13)
    assert by_cell(tmp_path / "rows") == by_cell(tmp_path / "sums")


def test_a_variant_with_other_players_is_not_paired(tmp_path):
    run_study(study(variants={"two": {"players": 2}}), tmp_path, threads=2)
    stored = open_study(tmp_path)
    assert [stored.totals(cell).before for cell in stored.cells] == [None, None]


def test_a_variant_is_told_on_the_deals_that_its_baseline_has(copy):
    run_study(study(matches=70), copy, threads=1, block=10)
    stored = open_study(copy)
    base, dirty, _ = stored.cells
    stored.parts[base.id] = [part for part in stored.parts[base.id] if part.first != 25]
    totals = stored.totals(dirty)
    assert stored.deals(dirty) == 70
    assert totals.deals == totals.before.deals == 70 - 25


def test_sums_merge_over_blocks_in_any_way(summed, played, tmp_path):
    assert by_cell(played) == by_cell(summed)
    run_study(SUMS, tmp_path / "one", threads=1, block=60)
    assert by_cell(tmp_path / "one") == by_cell(summed)
    run_study(study(rows=False, matches=31), tmp_path / "two", threads=1, block=9)
    run_study(SUMS, tmp_path / "two", threads=2, block=20)
    assert by_cell(tmp_path / "two") == by_cell(summed)


def test_a_part_that_is_lost_is_seen_and_played_again(summed, sums):
    for cell, place in zip(expand(study()), (0, 1, 1), strict=True):
        (sums / parts_of(summed, cell)[place].path.relative_to(summed)).unlink()
    with pytest.raises(DataError, match="it is gone"):
        totals_of(sums)
    assert run_study(SUMS, sums, threads=2, block=25).played == 3 * 25 * 3
    assert contents(sums) == contents(summed)


def test_no_rows_are_kept(summed):
    assert not (summed / "matches").exists()
    assert not open_study(summed).study.rows
    with pytest.raises(DataError, match="sums instead of matches"):
        load(summed)


def test_a_measure_that_was_not_kept_is_refused_and_computed_from_rows(summed, played):
    measures = parse_measures(LONG["measures"])
    stored = open_study(summed)
    with pytest.raises(DataError, match="measure 'long' is refused"):
        stored.totals(stored.cells[0], measures)
    rows = open_study(played)
    totals = rows.totals(rows.cells[0], measures)
    plays = load(played).filter(pl.col("cell") == rows.cells[0].id).collect()["plays"]
    assert totals.total("long") == (plays > 20).sum()


def test_other_measures_need_other_sums_but_no_other_rows(sums, copy):
    with pytest.raises(DataError, match="measures"):
        run_study(study(rows=False, **LONG), sums, threads=1)
    assert run_study(study(**LONG), copy, threads=1).played == 0
    stored = open_study(copy)
    assert [measure.name for measure in stored.measures] == ["long"]
    assert all("long" in stored.totals(cell).sums for cell in stored.cells)


def test_matches_and_sums_do_not_mix(summed):
    before = everything(summed)
    with pytest.raises(DataError, match="rows = false there, true here"):
        run_study(study(), summed, threads=1)
    assert everything(summed) == before


def swap_sums(directory, place):
    """Let a cell have the sums of another one."""
    cell, other, _ = expand(study())
    path, source = (parts_of(directory, owner)[place].path for owner in (cell, other))
    rewrite(path, pq.ParquetFile(source).read())


def test_check_plays_sums_again(summed, sums):
    assert len(list(check_blocks(summed, 4, seed=1))) == 4
    swap_sums(sums, 0)
    with pytest.raises(DataError, match=r"The sum .* is stored"):
        list(check_blocks(sums, 99, seed=1))


def test_sums_that_do_not_come_out_again_are_not_added_to(sums):
    swap_sums(sums, 2)
    with pytest.raises(DataError, match="does not come out again"):
        run_study(study(rows=False, matches=70), sums, threads=1)


def test_sums_of_blocks_across_a_look_are_refused(tmp_path):
    run_study(goal_study(rows=False, matches=180, goal=None), tmp_path, threads=2, block=90)
    with pytest.raises(DataError, match="do not end at deal 100"):
        run_study(goal_study(rows=False), tmp_path, threads=2)


def test_ten_thousand_million_matches_fit_on_a_disk(tmp_path):
    planned = study(rows=False, matches=10**10, variants={})
    guess = estimate(planned, expand(planned), tmp_path / "none", 2)
    assert guess.rows_left == 3 * 10**10
    assert guess.bytes < 10e9
