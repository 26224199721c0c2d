"""Factorial studies: designs, cells, and effects; brute force is in `test_oracle.py`, too."""

import numpy as np
import pytest

from simcore.errors import InputError
from studies.answers.frame import answers
from studies.design.cells import expand
from studies.store.opened import open_study
from tests.studies.conftest import frame_of, study, table
from tests.studies.planted import plant

TWO = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}
LINEUP = [table("three", "freer", "greedy", "greedy")]


def factorial(factors, **changes):
    return {"variants": {}, "lineups": LINEUP, "factors": factors, **changes}


# ---- designs


def test_first_levels_are_those_of_the_unchanged_rules():
    factors = {"dirty_one": ["always", "off", "forehand"], "extra_set": [True, False]}
    cells = expand(study(**factorial(factors)))
    assert [cell.variant for cell in cells] == [
        "baseline",
        "extra_set",
        "dirty_one=off",
        "dirty_one=off + extra_set",
        "dirty_one=forehand",
        "dirty_one=forehand + extra_set",
    ]
    for at, levels in ((0, ("always", True)), (3, ("off", False))):
        assert (cells[at].options["dirty_one"], cells[at].options["extra_set"]) == levels


@pytest.mark.parametrize(
    ("factors", "fragments"),
    [
        ({"design": "resolution 4", **TWO}, ["factors.design = 'resolution 4'", '"full"']),
        ({"dirty_one": "off"}, ["the levels off", "two or more"]),
        ({"dirty_one": {}}, ["factors.dirty_one = {}", "list of levels"]),
        ({"dirty_one": ["off", "off"]}, ["two or more, each once"]),
        ({"dirty_one": ["off", "maybe"]}, ["factors:", "'maybe'", "off, always, forehand"]),
        ({"dirty_on": ["off", "always"]}, ["unknown option 'dirty_on'", "'dirty_one'"]),
        ({"players": [2, 3]}, ["'players'", "[sweep]"]),
        ({"rounds": [2, 3]}, ["'rounds'", "options", "one of the two"]),
        ({}, ["no option", "dirty_one"]),
        ({"rounds": list(range(1, 2000)), **TWO}, ["rounds"]),
        ({"points_limit": list(range(1, 2000)), **TWO}, ["7,996 combinations", "4,096"]),
    ],
)
def test_refused_with_what_is_allowed(factors, fragments):
    with pytest.raises(InputError) as refused:
        expand(study(**factorial(factors)))
    message = str(refused.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message


def test_a_variant_may_not_have_the_name_of_a_row():
    with pytest.raises(InputError, match="a row of the design has this name"):
        expand(study(**factorial(TWO, variants={"dirty_one": {"extra_set": True}})))


# ---- effects


def test_a_factor_of_three_levels_by_brute_force(tmp_path):
    plays = {}

    def rows(cell, columns):
        options = cell.options
        gain = {"off": 0, "always": 4, "forehand": -2}[options["dirty_one"]]
        gain += 3 * options["extra_set"] * (options["dirty_one"] == "always")
        luck = np.random.default_rng(len(plays)).normal(0, 3.0, (500, cell.rotations))
        luck += np.random.default_rng(77).normal(0, 3.0, (500, 1))
        columns["plays"] = np.rint(60 + gain + luck).astype(np.int32)
        plays[cell.variant] = columns["plays"].mean()

    levels = {"dirty_one": ["off", "always", "forehand"], "extra_set": [False, True]}
    frame = frame_of(plant(tmp_path / "full", 500, rows, **factorial(levels)))
    effects = {
        row["variant"]: row
        for row in frame.filter(kind="factor", number="plays").iter_rows(named=True)
    }
    always, forehand = "dirty_one=always", "dirty_one=forehand"
    assert list(effects) == [
        always,
        forehand,
        "extra_set",
        f"{always} × extra_set",
        f"{forehand} × extra_set",
    ]
    base, extra = plays["baseline"], plays["extra_set"]
    one, both = plays[always], plays[f"{always} + extra_set"]
    other, two = plays[forehand], plays[f"{forehand} + extra_set"]
    for label, value in {
        always: (one + both) / 2 - (base + extra) / 2,
        "extra_set": (extra + both + two) / 3 - (base + one + other) / 3,
        f"{always} × extra_set": both - one - extra + base,
    }.items():
        assert effects[label]["estimate"] == pytest.approx(value)
    assert effects[f"{always} × extra_set"]["p_holm"] < 0.001
    assert effects[f"{forehand} × extra_set"]["p_holm"] > 0.01


def test_rows_of_a_design_are_no_pairs_of_variants_and_each_is_needed(tmp_path):
    stored = open_study(plant(tmp_path / "full", 50, lambda *_: None, **factorial(TWO)))
    frame = frame_of(stored)
    assert frame.filter(kind="interaction").is_empty()
    assert frame.filter(kind="factor").height
    lost = stored.cells[-1].id
    frame = answers(
        stored.cells,
        lambda cell: None if cell.id == lost else stored.totals(cell),
        study=stored.study,
    ).frame
    assert frame.filter(kind="factor").is_empty()
    assert frame.filter(kind="change")["variant"].n_unique() == 2
