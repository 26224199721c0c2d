"""Margins of equivalence in the study file."""

import csv
import io
import shutil
import tomllib

import polars as pl
import pytest
import tomli_w

from simcore.errors import InputError
from studies.operations.results import open as open_results
from studies.run.run import run_study
from tests.studies.conftest import cardlab, document, everything, study

LARGE = {"win_share": 0.9, "plays": 10_000}


@pytest.mark.parametrize(
    ("margin", "fragments"),
    [
        (0, ["compare.margin = 0 is refused", "a number above 0"]),
        (-0.1, ["compare.margin = -0.1 is refused"]),
        (float("inf"), ["compare.margin = inf is refused"]),
        (True, ["compare.margin = true is refused"]),
        ("small", ["compare.margin = 'small' is refused"]),
        ({"score": 0}, ["compare.margin = {'score': 0} is refused", "a number above 0"]),
        ({"playz": 1}, ["compare.margin is refused", "'playz'", "mean 'plays'"]),
    ],
)
def test_refused(margin, fragments):
    with pytest.raises(InputError) as refused:
        study(compare={"margin": margin})
    for fragment in fragments:
        assert fragment in str(refused.value)


def test_unknown_keys():
    with pytest.raises(InputError, match=r"'margins' in compare .* did you mean 'margin'"):
        study(compare={"margins": 0.1})


@pytest.fixture
def copy(played, tmp_path):
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def margins_of(directory, **given):
    """Return the margins of the changes that are tested, by number."""
    frame = open_results(directory).compare(**given).frame.filter(pl.col("margin").is_not_null())
    assert set(frame["kind"]) <= {"change", "difference"}
    assert frame["equivalent"].null_count() == 0
    return dict(frame.select("number", "margin").iter_rows())


def test_of_the_study_and_of_the_caller(copy):
    """Nothing is played for a new margin, and no match is touched."""
    before = everything(copy / "matches")
    assert margins_of(copy) == {}
    assert run_study(study(compare={"margin": 0.25}), copy).played == 0
    assert margins_of(copy) == {"win_rate": 0.25}
    assert margins_of(copy, margin=0.5) == {"win_rate": 0.5}
    assert margins_of(copy, margin={"score": 3.0}) == {"score": 3.0}
    run_study(study(compare={"margin": LARGE}), copy)
    assert margins_of(copy) == {"win_rate": 0.9, "plays": 10_000}
    assert tomllib.loads((copy / "study.toml").read_text())["compare"] == {"margin": LARGE}
    run_study(study(), copy)
    assert margins_of(copy) == {}
    assert everything(copy / "matches") == before
    assert tomllib.loads((copy / "study.toml").read_text())["matches"] == 60


def test_what_is_shown_to_be_alike(copy):
    """A wide margin is kept by all changes, a narrow one by none that vary."""
    told = {}
    for margin in (0.6, 0.001):
        frame = open_results(copy).compare(margin=margin).frame
        told[margin] = frame.filter(pl.col("margin").is_not_null(), variant="dirty")
        assert told[margin].height >= 5
    assert told[0.6]["equivalent"].all()
    assert (told[0.6]["p_equivalent"] <= 0.05).all()
    assert not told[0.001]["equivalent"].any()


def test_from_the_file_to_the_table(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(document(matches=30, compare={"margin": 0.9})))
    cardlab("run", path, "--out", tmp_path / "out", check=True)
    assert margins_of(tmp_path / "out") == {"win_rate": 0.9}
    found = cardlab("run", path, "--set", "compare.margin=0.8", "--out", tmp_path / "out")
    assert found.returncode == 0
    rows = csv.DictReader(
        io.StringIO(cardlab("compare", tmp_path / "out", "--csv", check=True).stdout)
    )
    assert {row["margin"] for row in rows} == {"", "0.8"}


def test_sums_allow_them_too(tmp_path):
    run_study(study(matches=20), tmp_path / "rows", threads=1)
    run_study(study(detail="summary", matches=20), tmp_path / "sums", threads=1)
    one, two = (
        open_results(tmp_path / name).compare(margin=0.3).frame.select("margin", "p_equivalent")
        for name in ("rows", "sums")
    )
    assert one.equals(two)
    assert one["margin"].null_count() < one.height
