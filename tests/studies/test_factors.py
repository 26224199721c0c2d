"""Factorial studies: designs, cells, and effects against planted truths and brute force."""

import itertools
import json

import numpy as np
import pytest
from scipy import stats

from simcore.errors import InputError
from studies.cli.app import run_app
from studies.compare.effects import compare
from studies.compare.factorial import _effects, _weights
from studies.design.cells import expand
from studies.design.factors import design_rows
from tests.studies.conftest import study
from tests.studies.planted import plant
from tests.studies.test_coverage import holds
from tests.studies.test_interactions import contrast_of

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
    """Plant lengths and winners of which `truth(cell.options)` is the gain."""
    columns_of = {}

    def rows(cell, columns):
        own = np.random.default_rng(len(columns_of))
        shape = (deals, cell.rotations)
        luck = np.random.default_rng(77).normal(0, noise, (deals, 1))
        gain = truth(cell.options)
        length = 60 + gain + luck + own.normal(0, noise, shape)
        columns["plays"] = np.rint(length).astype(np.int32)
        columns["winners"] = np.where(own.random(shape) < 0.3 + gain / 100, 1, 2).astype(np.uint16)
        columns_of[cell.variant] = columns

    plant(directory, deals, rows, **factorial(factors=factors, **changes))
    return directory, columns_of


def effects_of(directory):
    found = compare(directory).factors
    return {
        own.label: {(one.of, one.who, one.number): one for one in own.outcomes}
        for own in found.effects
    }


PLAYS = ("metric", "plays", "plays")


def test_a_full_design_by_brute_force(tmp_path):
    levels = {"dirty_one": ["off", "always", "forehand"], "extra_set": [False, True]}
    directory, columns_of = planted(
        tmp_path / "full",
        500,
        levels,
        truth=lambda own: (
            {"off": 0, "always": 4, "forehand": -2}[own["dirty_one"]]
            + 3 * own["extra_set"] * (own["dirty_one"] == "always")
        ),
    )
    found = effects_of(directory)
    assert list(found) == [
        "dirty_one=always",
        "dirty_one=forehand",
        "extra_set",
        "dirty_one=always × extra_set",
        "dirty_one=forehand × extra_set",
    ]
    plays = {name: own["plays"].mean(axis=1) for name, own in columns_of.items()}
    base, extra = plays["baseline"], plays["extra_set"]
    one, both = plays["dirty_one=always"], plays["dirty_one=always + extra_set"]
    other, two = plays["dirty_one=forehand"], plays["dirty_one=forehand + extra_set"]
    for label, values in {
        "dirty_one=always": (one + both) / 2 - (base + extra) / 2,
        "extra_set": (extra + both + two) / 3 - (base + one + other) / 3,
        "dirty_one=always × extra_set": both - one - extra + base,
    }.items():
        told = found[label][PLAYS]
        low, high = stats.t.interval(0.95, 499, values.mean(), stats.sem(values))
        assert told.contrast.estimate == pytest.approx(values.mean())
        assert (told.contrast.low, told.contrast.high) == pytest.approx((low, high), rel=1e-5)
    assert found["dirty_one=always × extra_set"][PLAYS].p_family < 0.001
    assert found["dirty_one=forehand × extra_set"][PLAYS].p_family > 0.01


PLANTED_PAIR = 8.0
PLANTED_MAIN = 6.0


def planted_effects(own):
    """Return a main effect of the third factor, and an interaction of the first two."""
    both = (own["dirty_one"] == "always") * (own["double_two"] == "always")
    return PLANTED_MAIN * own["extra_set"] + PLANTED_PAIR * both


@pytest.mark.parametrize(("design", "_"), FRACTIONS)
def test_a_fraction_says_what_its_effects_are_mixed_with(design, _, tmp_path):
    """Without noise each contrast is its effect plus what it says of the others."""
    factors = {"design": design, **SIX, "play_cap": [2000, 1000], "rounds": [2, 3]}
    changes = {"options": {"players": 3}}
    directory, _ = planted(tmp_path / "f", 20, factors, noise=0.0, truth=planted_effects, **changes)
    truth = {
        "dirty_one": PLANTED_PAIR / 2,  # on the mean over the other's levels
        "double_two": PLANTED_PAIR / 2,
        "extra_set": PLANTED_MAIN,
        "dirty_one × double_two": PLANTED_PAIR,
    }
    told = compare(directory).factors
    assert {own.label for own in told.effects} >= set(SIX)
    if design == "resolution 5":
        assert not any(own.mixed_with for own in told.effects)
    for own in told.effects:
        assert design != "resolution 4" or len(own.factors) == 2 or not own.mixed_with
        (plays,) = (one for one in own.outcomes if one.number == "plays")
        mixed = sum(share * truth.get(other, 0) for other, share in own.mixed_with.items())
        assert plays.contrast.estimate == pytest.approx(truth.get(own.label, 0) + mixed, abs=1e-6)


def test_sums_tell_the_same_estimates(tmp_path):
    rows, _ = planted(tmp_path / "rows", 200, TWO, truth=planted_effects_of_two)
    sums, _ = planted(tmp_path / "sums", 200, TWO, truth=planted_effects_of_two, detail="summary")
    one, other = effects_of(rows), effects_of(sums)
    assert one.keys() == other.keys()
    for label, outcomes in one.items():
        for key, told in outcomes.items():
            assert other[label][key].contrast.estimate == pytest.approx(
                told.contrast.estimate, abs=1e-6
            )


def planted_effects_of_two(own):
    return 5.0 * (own["dirty_one"] == "always") * (own["double_two"] == "always")


def test_a_table_that_lacks_a_cell_has_no_effects(tmp_path):
    directory, _ = planted(tmp_path / "full", 50, TWO, truth=planted_effects_of_two)
    cells = expand(study(matches=50, **factorial(factors=TWO)))
    for path in (directory / "matches" / f"cell={cells[-1].id}").iterdir():
        path.unlink()
    found = compare(directory)
    assert found.factors.effects == []
    assert len(found.variants) == 2


def test_rows_of_a_design_are_no_pairs_of_variants(tmp_path):
    directory, _ = planted(tmp_path / "full", 50, TWO, truth=planted_effects_of_two)
    assert compare(directory).interactions == []


@pytest.mark.parametrize("deals", [200, 1000, 5000])
def test_coverage_of_planted_effects(deals):
    """Three factors in eight cells, won with chances that add up but for one pair."""
    rows = [dict(zip("abc", row, strict=True)) for row in itertools.product((0, 1), repeat=3)]
    generator = np.random.default_rng(deals)
    luck = generator.normal(0, 1, (1000, deals)).astype(np.float32)
    levels = {name: [False, True] for name in "abc"}
    effects = list(_effects("full", levels, rows))
    values = {tuple(own.levels): np.zeros((1000, deals), np.float32) for own in effects}
    for place, row in enumerate(rows):
        gain = 0.04 * row["a"] - 0.03 * row["b"] + 0.05 * row["a"] * row["b"]
        noise = luck + generator.normal(0, 0.5, luck.shape).astype(np.float32)
        won = noise > stats.norm.ppf(1 - 0.25 - gain, scale=1.25**0.5)
        for own in effects:
            values[tuple(own.levels)] += _weights(own.levels, rows)[place] * won
    truth = {("a",): 0.065, ("b",): -0.005, ("c",): 0, ("a", "b"): 0.05, ("a", "c"): 0}
    for names, expected in truth.items():
        found = [contrast_of(run.astype(float)).interval() for run in values[names]]
        assert holds(found, expected)


def test_it_is_told_in_words_json_frames_and_a_report(tmp_path, capfd):
    import cardlab
    from studies.report.build import build

    factors = {"design": "resolution 4", **SIX}
    directory, _ = planted(tmp_path / "six", 300, factors, truth=planted_effects)
    assert run_app(["compare", str(directory)]) == 0
    shown = " ".join(capfd.readouterr().out.split())
    assert "main effects and interactions (design resolution 4, 16 cells" in shown
    assert "the cells cannot tell apart dirty_one × double_two + " in shown
    assert "Interactions of three factors and more are taken to be none." in shown
    assert "• extra_set: changes win rate" in shown
    answer = cardlab.open(directory).compare()
    told = json.loads(answer.to_json())["factors"]
    assert (told["design"], len(told["variants"]), len(told["effects"])) == ("resolution 4", 15, 13)
    frame = answer.factors
    plays = frame.filter(number="plays", effect="extra_set").row(0, named=True)
    assert plays["low"] < PLANTED_MAIN < plays["high"]
    sections = {own.name: own for own in build(directory).sections}
    # Rows of the design are no variants, of which one would be named the longest.
    assert "Longer matches" not in shown + " ".join(sections["variants"].sentences)
    section = sections["together"]
    assert section.items[0].draw(False).x.label == "win rate per seat, points"
    assert len(section.items[1].rows) >= 13
