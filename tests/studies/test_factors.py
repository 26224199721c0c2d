"""Factorial studies: effects of many levels; those of two are in `test_oracle.py`."""

import numpy as np
import pytest

from studies.answers.frame import answers
from studies.store.opened import open_study
from tests.studies.conftest import frame_of, table
from tests.studies.planted import plant

TWO = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}
LINEUP = [table("three", "freer", "greedy", "greedy")]


def factorial(factors, **changes):
    return {"variants": {}, "lineups": LINEUP, "factors": factors, **changes}


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
