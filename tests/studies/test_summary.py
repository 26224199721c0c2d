"""`detail = "summary"`: sums in place of rows tell the same, merge in any way, and mend."""

import shutil

import polars as pl
import pyarrow.parquet as pq
import pytest

from simcore.errors import DataError
from studies.check.stored_blocks import check_blocks
from studies.design.cells import expand
from studies.design.study import check_study
from studies.measures import parse_measures
from studies.run.estimate import estimate
from studies.run.run import run_study
from studies.store.opened import open_study
from tests.studies.conftest import load, parts_there, rewrite, study, told
from tests.studies.test_stopping import goal_study
from tests.studies.test_store import everything


@pytest.fixture(scope="module")
def summed(tmp_path_factory):
    directory = tmp_path_factory.mktemp("summed") / "study"
    run_study(study(detail="summary"), directory, threads=2, block=25)
    return directory


def frames(directory):
    return {cell.id: rows for cell, rows in told(directory)}


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"lineups": [{"name": "a", "seats": ["greedy", "random", "hoarder"]}]},
        {"options": {"players": 2, "rounds": 1}},
        {"lineups": [{"name": "mixed", "seats": ["shedder", "hoarder", "greedy"], "rotate": True}]},
        {"measures": {"long": "plays > 20", "kept": {"value": "clears", "of": "plays"}}},
    ],
)
def test_sums_are_those_of_the_matches(changes, tmp_path):
    run_study(study(**changes), tmp_path / "rows", threads=2)
    run_study(study(**changes, detail="summary"), tmp_path / "sums", threads=2, block=13)
    assert frames(tmp_path / "rows") == frames(tmp_path / "sums")


def test_a_variant_with_other_players_is_not_paired(tmp_path):
    asked = study(variants={"two": {"players": 2}})
    run_study(asked, tmp_path, threads=2)
    stored = open_study(tmp_path)
    assert [stored.totals(cell).before for cell in stored.cells] == [None, None]


def test_a_variant_is_told_on_the_deals_that_its_baseline_has(played, tmp_path):
    shutil.copytree(played, tmp_path / "copy")
    run_study(study(matches=70), tmp_path / "copy", threads=1, block=10)
    stored = open_study(tmp_path / "copy")
    base, dirty, _ = stored.cells
    stored.parts[base.id] = [part for part in stored.parts[base.id] if part.first != 25]
    found = stored.totals(dirty)
    assert stored.deals(dirty) == 70
    assert found.deals == found.before.deals == 70 - 25


def test_sums_merge_over_blocks_in_any_way(summed, tmp_path):
    run_study(study(detail="summary"), tmp_path / "whole", threads=1, block=60)
    assert frames(tmp_path / "whole") == frames(summed)
    run_study(study(detail="summary", matches=31), tmp_path / "two", threads=1, block=9)
    run_study(study(detail="summary"), tmp_path / "two", threads=2, block=20)
    assert frames(tmp_path / "two") == frames(summed)


def test_a_part_that_is_lost_is_seen_and_played_again(summed, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    lost = [
        parts_there(directory, cell)[place].path
        for cell, place in zip(expand(study()), (0, 1, 1), strict=True)
    ]
    for path in lost:
        path.unlink()
    with pytest.raises(DataError, match="it is gone"):
        told(directory)
    outcome = run_study(study(detail="summary"), directory, threads=2, block=25)
    assert outcome.played == 3 * 25 * 3
    kept = {path.name: path.read_bytes() for path in summed.glob("sums/*/*.parquet")}
    assert {path.name: path.read_bytes() for path in directory.glob("sums/*/*.parquet")} == kept


def test_no_rows_are_kept(summed):
    assert not (summed / "matches").exists()
    assert open_study(summed).detail == "summary"
    with pytest.raises(DataError, match="sums instead of matches"):
        load(summed)


def test_a_measure_that_was_not_kept_is_refused(summed, played):
    own = parse_measures({"long": "plays > 20"})
    stored = open_study(summed)
    with pytest.raises(DataError, match="measure 'long' is refused"):
        stored.totals(stored.cells[0], own)
    rows = open_study(played)
    found = rows.totals(rows.cells[0], own)
    plays = load(played).filter(pl.col("cell") == rows.cells[0].id).collect()["plays"]
    assert found.total("long") == (plays > 20).sum()


def test_other_measures_need_other_sums_but_no_other_rows(summed, played, tmp_path):
    for name in ("summed", "played"):
        shutil.copytree({"summed": summed, "played": played}[name], tmp_path / name)
    long = {"measures": {"long": "plays > 20"}}
    with pytest.raises(DataError, match="measures"):
        run_study(study(detail="summary", **long), tmp_path / "summed", threads=1)
    assert run_study(study(**long), tmp_path / "played", threads=1).played == 0
    stored = open_study(tmp_path / "played")
    assert [own.name for own in stored.measures] == ["long"]
    assert all("long" in stored.totals(cell).sums for cell in stored.cells)


def test_matches_and_sums_do_not_mix(summed, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    before = everything(directory)
    with pytest.raises(DataError, match="detail = summary there, matches here"):
        run_study(study(), directory, threads=1)
    assert everything(directory) == before


def test_check_plays_sums_again(summed, tmp_path):
    assert len(list(check_blocks(summed, 4, seed=1))) == 4
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    one, other, _ = expand(study())
    a, b = (parts_there(directory, cell)[0].path for cell in (one, other))
    rewrite(a, pq.ParquetFile(b).read())
    with pytest.raises(DataError, match=r"The sum .* is stored"):
        list(check_blocks(directory, 99, seed=1))


def test_sums_that_do_not_come_out_again_are_not_added_to(summed, tmp_path):
    directory = tmp_path / "copy"
    shutil.copytree(summed, directory)
    one, other, _ = expand(study())
    a, b = (parts_there(directory, cell)[2].path for cell in (one, other))
    rewrite(a, pq.ParquetFile(b).read())
    with pytest.raises(DataError, match="does not come out again"):
        run_study(study(detail="summary", matches=70), directory, threads=1)


def test_sums_of_blocks_across_a_look_are_refused(tmp_path):
    without = goal_study(detail="summary", matches=400).document
    without = check_study({key: value for key, value in without.items() if key != "goal"})
    run_study(without, tmp_path, threads=2, block=90)
    with pytest.raises(DataError, match="do not end at deal 100"):
        run_study(goal_study(detail="summary"), tmp_path, threads=2)


def test_ten_thousand_million_matches_fit_on_a_disk(tmp_path):
    asked = study(detail="summary", matches=10**10, variants={})
    guess = estimate(asked, expand(asked), tmp_path / "none", 2)
    assert guess.rows_left == 3 * 10**10
    assert guess.bytes < 10e9
