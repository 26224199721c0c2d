"""Factorial studies: designs, cells, and effects against planted truths and brute force."""

import itertools

import numpy as np
import polars as pl
import pytest

from simcore.errors import InputError
from studies.answers.frame import answers
from studies.design.cells import expand
from studies.design.factors import design_rows
from studies.store.opened import open_study
from tests.studies.conftest import study
from tests.studies.planted import plant

TWO = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}
SIX = {
    **TWO,
    "extra_set": [False, True],
    "multiples_in_first_lap": [True, False],
    "deal_passes": [True, False],
    "forget_last_card": [0, 0.2],
}
LINEUP = [{"name": "three", "seats": ["freer", "greedy", "greedy"], "rotate": True}]
FRACTIONS = [("resolution 4", 4), ("resolution 5", 5), ("plackett-burman", 3)]


def factorial(**changes):
    return {"variants": {}, "lineups": LINEUP, **changes}


@pytest.mark.parametrize(("design", "resolution"), FRACTIONS)
@pytest.mark.parametrize("factors", [3, 4, 5, 6, 8, 11])
def test_a_fraction_has_the_resolution_that_it_says(design, resolution, factors):
    rows = design_rows(design, [2] * factors)
    signs = 2 * np.array(rows) - 1
    assert tuple([0] * factors) in rows
    assert len(set(rows)) == len(rows) <= 2**factors
    mains = [signs[:, [one]].prod(axis=1) for one in range(factors)]
    pairs = [signs[:, pair].prod(axis=1) for pair in itertools.combinations(range(factors), 2)]
    clear = [(mains, mains)]
    clear += [(mains, pairs)] if resolution > 3 else []
    clear += [(pairs, pairs)] if resolution > 4 else []
    for some, others in clear:
        for one, other in itertools.product(some, others):
            assert one is other or one @ other == 0


def test_six_options_take_sixteen_cells():
    cells = expand(study(**factorial(factors={"design": "resolution 4", **SIX})))
    assert len(cells) == 16
    assert cells[0].variant == "baseline"
    assert "dirty_one + double_two" in {cell.variant for cell in cells}


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
        ({"design": "half", **TWO}, ["factors.design = 'half'", '"resolution 4"']),
        ({"dirty_one": "off"}, ["factors.dirty_one = 'off'", "list of levels"]),
        ({"dirty_one": ["off"]}, ["the levels off", "two or more"]),
        ({"dirty_one": ["off", "off"]}, ["two or more, each once"]),
        ({"dirty_one": ["off", "maybe"]}, ["factors:", "'maybe'", "off, always, forehand"]),
        ({"dirty_on": ["off", "always"]}, ["unknown option 'dirty_on'", "'dirty_one'"]),
        ({"players": [2, 3]}, ["'players'", "[sweep]"]),
        ({"rounds": [2, 3]}, ["'rounds'", "options", "one of the two"]),
        ({}, ["no option", "dirty_one"]),
        ({"design": "resolution 4", **TWO}, ["2 options", "3 to 20"]),
        (
            {"design": "plackett-burman", **SIX, "dirty_one": ["off", "always", "forehand"]},
            ["3 levels of 'dirty_one'", "two levels"],
        ),
        ({"rounds": list(range(1, 2000)), **SIX}, ["rounds"]),
        ({"points_limit": list(range(1, 2000)), **TWO}, ["7,996 rows", "4,096"]),
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


PAIR, MAIN = 8.0, 6.0


def planted_effects(own):
    """Return a main effect of the third factor, and an interaction of the first two."""
    both = (own["dirty_one"] == "always") * (own["double_two"] == "always")
    return MAIN * own["extra_set"] + PAIR * both


@pytest.mark.parametrize(("design", "_"), FRACTIONS)
def test_a_fraction_says_what_its_effects_are_mixed_with(design, _, tmp_path):
    """Without noise each contrast is its effect plus what it says of the others."""
    factors = {"design": design, **SIX, "play_cap": [2000, 1000], "rounds": [2, 3]}
    changes = {"options": {"players": 3}}
    found, _ = planted(tmp_path / "f", 20, factors, noise=0.0, truth=planted_effects, **changes)
    truth = {
        "dirty_one": PAIR / 2,  # on the mean over the other's levels
        "double_two": PAIR / 2,
        "extra_set": MAIN,
        "dirty_one × double_two": PAIR,
    }
    told = {row["variant"]: row for row in found.iter_rows(named=True)}
    assert told.keys() >= set(SIX)
    if design == "resolution 5":
        assert not any(row["against"] for row in told.values())
    for label, row in told.items():
        assert design != "resolution 4" or "×" in label or not row["against"]
        mixed = [part.partition(" ") for part in row["against"].split(", ") if part]
        added = sum(float(share) * truth.get(other, 0) for share, _, other in mixed)
        assert row["estimate"] == pytest.approx(truth.get(label, 0) + added, abs=1e-4), label


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
