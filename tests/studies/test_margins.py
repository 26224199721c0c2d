"""Margins of equivalence in the study file."""

import json
import shutil
import tomllib

import pytest
import tomli_w

from simcore.errors import InputError
from studies.compare.effects import compare
from studies.run.run import run_study
from tests.studies.conftest import cardlab, document, study, unseal
from tests.studies.test_store import everything

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


def test_unknown_and_missing_keys():
    with pytest.raises(InputError, match=r"'margins' in compare .* did you mean 'margin'"):
        study(compare={"margins": 0.1})
    with pytest.raises(InputError, match=r"compare\.margin is missing"):
        study(compare={})
    with pytest.raises(InputError, match="allow no tests of equivalence"):
        study(compare={"margin": 0.1}, detail="summary")


@pytest.fixture
def copy(played, tmp_path):
    shutil.copytree(played, tmp_path / "copy")
    return tmp_path / "copy"


def verdicts(directory, **given):
    return {
        own.win_share.equivalence and own.win_share.equivalence.margin
        for effect in compare(directory, **given).variants
        for own in effect.policies
    }


def test_of_the_study_and_of_the_caller(copy):
    """Nothing is played for a new margin, and no match is touched."""
    before = everything(copy / "matches")
    assert verdicts(copy) == {None}
    assert run_study(study(compare={"margin": 0.25}), copy).played == 0
    assert verdicts(copy) == {0.25}
    assert compare(copy).margins == {"win_share": 0.25}
    assert verdicts(copy, margins={"win_share": 0.5}) == {0.5}
    assert compare(copy, margins={"score": 3.0}).margins == {"win_share": 0.25, "score": 3.0}
    run_study(study(compare={"margin": LARGE}), copy)
    assert compare(copy).margins == LARGE
    assert tomllib.loads((copy / "study.toml").read_text())["compare"] == {"margin": LARGE}
    run_study(study(), copy)
    assert verdicts(copy) == {None}
    assert everything(copy / "matches") == before
    assert tomllib.loads((copy / "study.toml").read_text())["matches"] == 60


def test_from_the_file_to_the_table(tmp_path):
    path = tmp_path / "study.toml"
    path.write_text(tomli_w.dumps(document(matches=30, compare={"margin": 0.9})))
    cardlab("run", path, "--out", tmp_path / "out", check=True)
    found = cardlab("compare", tmp_path / "out", check=True)
    assert "margins: win_share ±0.9" in " ".join(found.stdout.split())
    found = cardlab("run", path, "--set", "compare.margin=0.8", "--out", tmp_path / "out")
    assert found.returncode == 0
    told = json.loads(cardlab("compare", tmp_path / "out", "--json", check=True).stdout)
    assert told["margins"] == {"win_share": 0.8}


def test_file_changed_by_hand(copy):
    with (copy / "study.toml").open("a") as file:
        file.write("\n[compare]\nmargin = 0.5\n")
    with pytest.raises(InputError, match=r"study\.toml is damaged .*, or was changed by hand"):
        compare(copy)
    unseal(copy / "study.toml")
    with (copy / "study.toml").open("a") as file:
        file.write('\n[compare]\nmargin = "much"\n')
    with pytest.raises(InputError, match=r"study\.toml is damaged .*compare.* 'much' is refused"):
        compare(copy)


def test_sums_allow_none(tmp_path):
    run_study(study(detail="summary", matches=20), tmp_path / "sums", threads=1)
    found = cardlab("compare", tmp_path / "sums", "--margin", "0.1")
    assert (found.returncode, found.stdout) == (2, "")
    assert "--margin is refused" in found.stderr
