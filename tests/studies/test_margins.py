"""Margins of equivalence in the study file."""

import csv
import io
import tomllib

import polars as pl

from studies.operations.results import open as open_results
from studies.run.run import run_study
from tests.studies.conftest import cardlab, everything, study

LARGE = {"win_rate": 0.9, "plays": 10_000}


def rows_with_margin(directory, **options):
    """Return the rows with a margin."""
    frame = open_results(directory).compare(**options).frame.filter(pl.col("margin").is_not_null())
    assert set(frame["kind"]) <= {"change", "difference"}
    assert frame["equivalent"].null_count() == 0
    return frame


def margins_of(directory, **options):
    return dict(rows_with_margin(directory, **options).select("number", "margin").iter_rows())


def test_of_the_study_and_of_the_caller(copy):
    """Nothing is played for a new margin, and no match is touched."""
    before = everything(copy / "matches")
    assert margins_of(copy) == {}
    assert run_study(study(compare={"margin": 0.25}), copy).played == 0
    assert margins_of(copy) == {"win_rate": 0.25}
    assert margins_of(copy, margin=0.5) == {"win_rate": 0.5}
    assert margins_of(copy, margin={"win_share": 0.5}) == {"win_rate": 0.5}  # its older name
    assert margins_of(copy, margin={"score": 3.0}) == {"score": 3.0}
    run_study(study(compare={"margin": LARGE}), copy)
    assert margins_of(copy) == {"win_rate": 0.9, "plays": 10_000}
    assert tomllib.loads((copy / "study.toml").read_text())["compare"] == {"margin": LARGE}
    run_study(study(), copy)
    assert margins_of(copy) == {}
    assert everything(copy / "matches") == before
    assert tomllib.loads((copy / "study.toml").read_text())["matches"] == 60


def test_a_wide_margin_is_kept_by_all_changes_a_narrow_one_by_none_that_vary(played):
    wide, narrow = (
        rows_with_margin(played, margin=m).filter(variant="dirty") for m in (0.6, 0.001)
    )
    assert wide.height == narrow.height >= 5
    assert wide["equivalent"].all()
    assert (wide["p_equivalent"] <= 0.05).all()
    assert not narrow["equivalent"].any()


def test_from_the_file_to_the_table(study_file, tmp_path):
    path, out = study_file(matches=30, compare={"margin": 0.9}), tmp_path / "out"
    cardlab("run", path, "--out", out, check=True)
    assert margins_of(out) == {"win_rate": 0.9}
    cardlab("run", path, "--set", "compare.margin=0.8", "--out", out, check=True)
    rows = csv.DictReader(io.StringIO(cardlab("compare", out, "--csv", check=True).stdout))
    assert {row["margin"] for row in rows} == {"", "0.8"}


def test_sums_allow_them_too(played, tmp_path):
    run_study(study(detail="summary"), tmp_path, threads=1)
    of_rows, of_sums = (
        rows_with_margin(directory, margin=0.3).select("margin", "p_equivalent")
        for directory in (played, tmp_path)
    )
    assert of_rows.equals(of_sums)
    assert of_rows.height


def test_a_question_that_is_no_longer_asked_leaves_the_study_file(copy):
    asked = {"compare": {"margin": 0.3}, "measures": {"long": "plays > 100"}}
    run_study(study(**asked), copy)
    document = tomllib.loads((copy / "study.toml").read_text())
    assert (document["compare"], document["measures"]) == tuple(asked.values())
    run_study(study(compare=asked["compare"]), copy)
    document = tomllib.loads((copy / "study.toml").read_text())
    assert document["compare"] == asked["compare"]
    assert "measures" not in document
    run_study(study(), copy)
    assert "compare" not in tomllib.loads((copy / "study.toml").read_text())
