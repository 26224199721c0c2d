"""Factorial studies: designs, cells, and effects against planted truths and brute force."""

import numpy as np
import polars as pl
import pytest

from simcore.errors import InputError
from studies.answers.frame import answers
from studies.design.cells import expand
from studies.store.opened import open_study
from tests.studies.conftest import study
from tests.studies.planted import plant

TWO = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}
LINEUP = [{"name": "three", "seats": ["freer", "greedy", "greedy"], "rotate": True}]


def factorial(**changes):
    return {"variants": {}, "lineups": LINEUP, **changes}


def test_first_levels_are_those_of_the_unchanged_rules():
    factors = {"dirty_one": ["always", "off", "forehand"], "extra_set": [True, False]}
    cells = expand(study(**factorial(factors=factors)))
    assert [cell.variant for cell in cells] == [
        "baseline",
        "extra_set",
        "dirty_one=off",
        "dirty_one=off + extra_set",
        "dirty_one=forehand",
        "dirty_one=forehand + extra_set",
    ]
    assert (cells[0].options["dirty_one"], cells[0].options["extra_set"]) == ("always", True)
    assert (cells[3].options["dirty_one"], cells[3].options["extra_set"]) == ("off", False)


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
        expand(study(**factorial(factors=factors)))
    message = str(refused.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message


def test_a_variant_may_not_have_the_name_of_a_row():
    with pytest.raises(InputError, match="a row of the design has this name"):
        expand(study(variants={"dirty_one": {"extra_set": True}}, lineups=LINEUP, factors=TWO))


def planted(directory, deals, factors, *, noise=3.0, truth, **changes):
    """Plant lengths of which `truth(cell.options)` is the gain; return the frame's factors."""
    columns_of = {}

    def rows(cell, columns):
        own = np.random.default_rng(len(columns_of))
        luck = np.random.default_rng(77).normal(0, noise, (deals, 1))
        length = 60 + truth(cell.options) + luck + own.normal(0, noise, (deals, cell.rotations))
        columns["plays"] = np.rint(length).astype(np.int32)
        columns_of[cell.variant] = columns

    plant(directory, deals, rows, **factorial(factors=factors, **changes))
    stored = open_study(directory)
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    return frame.filter(kind="factor", number="plays"), columns_of


def test_a_factor_of_three_levels_by_brute_force(tmp_path):
    levels = {"dirty_one": ["off", "always", "forehand"], "extra_set": [False, True]}
    found, columns_of = planted(
        tmp_path / "full",
        500,
        levels,
        truth=lambda own: (
            {"off": 0, "always": 4, "forehand": -2}[own["dirty_one"]]
            + 3 * own["extra_set"] * (own["dirty_one"] == "always")
        ),
    )
    assert found["variant"].to_list() == [
        "dirty_one=always",
        "dirty_one=forehand",
        "extra_set",
        "dirty_one=always × extra_set",
        "dirty_one=forehand × extra_set",
    ]
    plays = {name: own["plays"].mean() for name, own in columns_of.items()}
    base, extra = plays["baseline"], plays["extra_set"]
    one, both = plays["dirty_one=always"], plays["dirty_one=always + extra_set"]
    other, two = plays["dirty_one=forehand"], plays["dirty_one=forehand + extra_set"]
    told = {row["variant"]: row for row in found.iter_rows(named=True)}
    for label, value in {
        "dirty_one=always": (one + both) / 2 - (base + extra) / 2,
        "extra_set": (extra + both + two) / 3 - (base + one + other) / 3,
        "dirty_one=always × extra_set": both - one - extra + base,
    }.items():
        assert told[label]["estimate"] == pytest.approx(value)
    assert told["dirty_one=always × extra_set"]["p_holm"] < 0.001
    assert told["dirty_one=forehand × extra_set"]["p_holm"] > 0.01


def test_a_table_that_lacks_a_cell_has_no_effects(tmp_path):
    cells = expand(study(matches=50, **factorial(factors=TWO)))
    planted(tmp_path / "full", 50, TWO, truth=planted_effects_of_two)
    stored = open_study(tmp_path / "full")
    frame = answers(
        stored.cells,
        lambda cell: None if cell.id == cells[-1].id else stored.totals(cell),
        study=stored.study,
    ).frame
    assert not frame.filter(kind="factor").height
    assert frame.filter(kind="change")["variant"].n_unique() == 2


def planted_effects_of_two(own):
    return 5.0 * (own["dirty_one"] == "always") * (own["double_two"] == "always")


def test_rows_of_a_design_are_no_pairs_of_variants(tmp_path):
    planted(tmp_path / "full", 50, TWO, truth=planted_effects_of_two)
    stored = open_study(tmp_path / "full")
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    assert not frame.filter(pl.col("kind") == "interaction").height
    assert frame.filter(kind="factor").height
