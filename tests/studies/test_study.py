"""Study documents: what they may say, what is refused and how, and the cells that they have."""

from collections import Counter

import pytest

from simcore.errors import InputError
from studies.cli.command import read_changes
from studies.design.cells import _digest, expand
from studies.design.document import assign, parse_value
from studies.design.study import check_study, library_names, load_study
from studies.operations.study import checked_study
from tests.studies.conftest import document, study, table

TWO = {"dirty_one": ["off", "always"], "double_two": ["off", "always"]}
HOARDER = "lineups.pair.seats=[hoarder, random]"
POPULATION = {"lineups": [], "population": {"policies": {"greedy": 2, "freer": 1}, "tables": 2}}


def assert_told(refused, fragments):
    message = str(refused.value)
    assert "\n" not in message
    for fragment in fragments:
        assert fragment in message


# ---- refusals


@pytest.mark.parametrize(
    ("change", "fragments"),
    [
        ("sed=5", ["unknown study key 'sed'", "did you mean 'seed'"]),
        ("players=5", ["did you mean 'options.players'"]),
        ("options.playrs=5", ["unknown option 'playrs'", "did you mean 'players'"]),
        ("options.players=99", ["players", " = 99 ", "2…10"]),
        ("options.players=nan", ["options.players = nan", "2…10"]),
        ("options.forget_last_card=inf", ["forget_last_card", "0…1"]),
        ("seed=-1", ["seed = -1", "allowed"]),
        ("seed=1.5", ["seed = 1.5", "whole number"]),
        (f"seed={10**30}", ["seed", "whole number"]),
        ("seed=" + "9" * 5000, ["seed", "whole number"]),
        ("matches=0", ["matches = 0", "whole number"]),
        ("matches=true", ["matches = true", "whole number"]),
        ("game=upp", ["unknown game 'upp'", "did you mean 'up'"]),
        ("game=3", ["game = 3"]),
        ("title=[1]", ["title", "a text"]),
        ("lineups.pair.seats=[gredy]", ["'gredy'", "did you mean 'greedy'", "line-up pair"]),
        ("lineups.pair.seats=[]", ["lineups.0.seats", "list of policies"]),
        ("lineups.pair.rotat=true", ["'rotat'", "did you mean 'rotate'"]),
        ("lineups.pear.rotate=true", ["unknown line-up 'pear'", "did you mean 'pair'"]),
        ("lineups=3", ["lineups = 3", "[[lineups]]"]),
        ("variants.x=3", ["variants.x = 3", "option = value"]),
        ("variants.x.dirty_one=maybe", ["variant 'x'", "'maybe'", "off, always, forehand"]),
        ("variants.baseline.dirty_one=always", ["baseline", "any other name"]),
        ("sweep.players={}", ["sweep.players = {}", "list of values"]),
        ("sweep.players=[]", ["sweep.players = []"]),
        ("sweep.players=[2,2]", ["'players'", "twice"]),
        ("sweep.players=[2,99]", [" = 99 ", "2…10"]),
        ("sweep.playes=[2]", ["'playes'", "did you mean 'players'"]),
        ('sweep."nobody.threshold"=[1]', ["nobody.threshold", "changes no seat"]),
        ("goal.half_width=0", ["goal.half_width = 0"]),
        ("goal.half_width=1", ["goal.half_width = 1", "between 0 and 1"]),
        ("goal.half_width=narrow", ["goal.half_width = 'narrow'", "between 0 and 1"]),
        ("goal=0.1", ["goal = 0.1", "half_width"]),
        ("detail=sums", ["detail = 'sums'", "rows = false", '"summary"']),
        ("row=false", ["'row'", "did you mean 'rows'"]),
        ("block=0", ["block = 0", "whole number 1…"]),
        ("block=1.5", ["block = 1.5", "whole number 1…"]),
        ('sweep."greedy.x"=[1]', ["parameter 'x'", "'greedy'"]),
        ('sweep."greedi.x"=[1]', ["'greedi.x'", "changes no seat", "did you mean 'greedy'"]),
        ("goal.halfwidth=0.1", ["'halfwidth'", "did you mean 'half_width'"]),
        ("options=5", ["options = 5"]),
        ("options.players=2026-01-01", ["options.players"]),
        ("seed", ["KEY=VALUE"]),
        ("=", ["KEY=VALUE"]),
        ("seed.deep=1", ["no table"]),
        # Parameters of policies that are swept.
        ('sweep."hoarder.threshold"=[0, 99]', ["threshold=99", "threshold = '99'", "0…60"]),
        ('sweep."hoarder.threshold"=[true]', ["threshold = 'true'", "0…60"]),
        ('sweep."hoarder.threshold"=[much]', ["threshold = 'much'", "0…60"]),
        ('sweep."hoarder.threshold"=[[1]]', ["hoarder.threshold", "allowed: numbers"]),
        ('sweep."hoarder.threshold"=[]', ["hoarder.threshold = []", "one value or more"]),
        ('sweep."hoarder.threshold"=[1, 1.0]', ["hoarder.threshold", "1 twice"]),
        ('sweep."hoarder.threshold"=99', ["hoarder.threshold=99", "0…60"]),
        ('sweep."hoarder.treshold"=[1]', ["did you mean 'threshold'"]),
        # Variants that cannot be paired at play, and options that do not go together.
        (
            ["variants.x.players=2", "detail=summary"],
            ["variant 'x'", "from 3 to 2", "[sweep] players"],
        ),
        (
            ["variants.x.players=2", "goal.half_width=0.1"],
            ["variant 'x'", "from 3 to 2", "[sweep] players"],
        ),
        (
            ["options.double_two=always", "variants.bare.minus_two=false", "sweep.players=[2,3]"],
            ["cell bare, line-up pair, players=2: option minus_two"],
        ),
    ],
)
def test_changes_are_refused_with_key_value_and_what_is_allowed(change, fragments, study_file):
    changes = [change] if isinstance(change, str) else change
    if changes[0].startswith('sweep."hoarder'):
        changes = [HOARDER, *changes]
    with pytest.raises(InputError) as refused:
        expand(checked_study(study_file(), set=read_changes(changes))[0])
    assert_told(refused, fragments)


@pytest.mark.parametrize(
    ("changes", "fragments"),
    [
        ({"lineups": document()["lineups"] * 2}, ["two line-ups"]),
        # Keys that are gone.
        ({"sensitivity": {"outcome": "plays"}}, ["sensitivity is refused", "factors"]),
        ({"goal": {"half_width": 0.1, "anytime": True}}, ["goal.anytime is refused", "ordinary"]),
        ({"coupling": "stock"}, ["coupling is refused", "k-th card"]),
        ({"goal": {"half_width": 0.1, "best": True}}, ["goal.best is refused", "compare ranks"]),
        # Measures; expressions are in `test_measures.py`.
        ({"measures": {"long": "playz > 3"}}, ["unknown column 'playz'", "did you mean 'plays'"]),
        ({"measures": {"plays": "plays > 3"}}, ["measure 'plays' is refused"]),
        ({"measures": {"long": {"value": "plays", "per": "x"}}}, ["unknown study key 'per'"]),
        ({"measures": {"long": 3}}, ["measures = ", "is refused", "SQL"]),
        ({"measures": "nowhere.py"}, ["nowhere.py': there is no such file"]),
        ({"measures": "plays > 3"}, ["path of a Python file"]),
        # What is compared.
        ({"compare": {"margin": 0}}, ["compare.margin = 0 is refused", "a number above 0"]),
        ({"compare": {"margin": -0.1}}, ["compare.margin = -0.1 is refused"]),
        ({"compare": {"margin": float("inf")}}, ["compare.margin = inf is refused"]),
        ({"compare": {"margin": True}}, ["compare.margin = true is refused"]),
        ({"compare": {"margin": "small"}}, ["compare.margin = 'small' is refused"]),
        ({"compare": {"margin": {"score": 0}}}, ["margin = {'score': 0} is refused", "above 0"]),
        ({"compare": {"margin": {"playz": 1}}}, ["compare.margin is refused", "mean 'plays'"]),
        ({"compare": {"margins": 0.1}}, ["'margins' in compare", "did you mean 'margin'"]),
        ({"compare": {"reference": "pare"}}, ["unknown line-up 'pare'", "did you mean 'pair'"]),
        # Factors.
        (
            {"factors": {"design": "resolution 4", **TWO}},
            ["factors.design = 'resolution 4'", '"full"'],
        ),
        ({"factors": {"dirty_one": "off"}}, ["the levels off", "two or more"]),
        ({"factors": {"dirty_one": {}}}, ["factors.dirty_one = {}", "list of levels"]),
        ({"factors": {"dirty_one": ["off", "off"]}}, ["two or more, each once"]),
        ({"factors": {"dirty_one": ["off", "no"]}}, ["factors:", "'no'", "off, always, forehand"]),
        ({"factors": {"dirty_on": ["off", "always"]}}, ["unknown option 'dirty_on'", "dirty_one"]),
        ({"factors": {"players": [2, 3]}}, ["'players'", "[sweep]"]),
        ({"factors": {"rounds": [2, 3]}}, ["'rounds'", "options", "one of the two"]),
        ({"factors": {}}, ["no option", "dirty_one"]),
        ({"factors": {"rounds": list(range(1, 2000)), **TWO}}, ["rounds"]),
        (
            {"factors": {"points_limit": list(range(1, 2000)), **TWO}},
            ["7,996 combinations", "4,096"],
        ),
        (
            {"factors": TWO, "variants": {"dirty_one": {"extra_set": True}}},
            ["a row of the design has this name"],
        ),
        # Populations.
        ({"population": {"policies": {"gredy": 1}, "tables": 2}}, ["did you mean 'greedy'"]),
        ({"population": {"policies": {"greedy": 0}, "tables": 2}}, ["greedy = 0", "weight"]),
        ({"population": {"policies": {"greedy": 1}, "tables": 0}}, ["tables = 0", "1…1_000"]),
        ({"population": {"policies": {"greedy": 1}}}, ["population.tables is missing"]),
        ({"population": {"table": 2}}, ["did you mean 'tables'"]),
        (
            {**POPULATION, "lineups": [table("table 2", "greedy")]},
            ["'table 2'", "two line-ups"],
        ),
    ],
)
def test_documents_are_refused_with_what_is_allowed(changes, fragments):
    variants = {} if "factors" in changes else document()["variants"]
    with pytest.raises(InputError) as refused:
        expand(study(**{"variants": variants, **changes}))
    assert_told(refused, fragments)


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"not toml ][", b"x = " + b"[" * 3000, b"a" * 2_000_000]
)
def test_hostile_files_are_refused_in_a_line(content, tmp_path):
    path = tmp_path / "study.toml"
    path.write_bytes(content)
    with pytest.raises(InputError) as refused:
        load_study(str(path))
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("where", "fragment"),
    [("quickstrat", "did you mean 'quickstart'"), ("/", "is a directory"), ("a\0b", "known:")],
)
def test_unknown_study(where, fragment):
    with pytest.raises(InputError, match=fragment):
        load_study(where)


# ---- what is allowed


def test_changes_follow_toml():
    changed = document()
    changes = read_changes(
        [
            "matches=1_000",
            "options.dirty_one=always",
            "lineups.0.seats=[greedy, hoarder(threshold=3, x=1), random]",
            'sweep."greedy.x"=[0.5, 1]',
        ]
    )
    for key, value in changes.items():
        assign(changed, key, value)
    assert changed["matches"] == 1000
    assert changed["options"]["dirty_one"] == "always"
    assert changed["lineups"][0]["seats"] == ["greedy", "hoarder(threshold=3, x=1)", "random"]
    assert changed["sweep"] == {"greedy.x": [0.5, 1]}
    assert parse_value("1\nseed = 2") == "1\nseed = 2"  # cannot smuggle in other keys


@pytest.mark.parametrize("name", library_names())
def test_library_studies_are_sound(name):
    assert len(expand(load_study(name))) > 1


def test_a_game_is_enough():
    planned = check_study({"game": "up"})
    (cell,) = expand(planned)
    assert (planned.matches, cell.lineup, set(cell.seats)) == (10_000, "random", {"random"})


def test_measures_of_a_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "def long(block):\n    return block['plays'] > 20\n\n\ndef _helper(block):\n    pass\n"
    )
    measures = study(measures=str(path)).study_measures
    assert [measure.name for measure in measures] == ["long"]
    for content, fragment in (
        ("x = 1\n", "has no function"),
        ("1 / 0\n", "line 1: `1 / 0`: ZeroDivisionError"),
    ):
        path.write_text(content)
        with pytest.raises(InputError, match=fragment):
            study(measures=str(path))


# ---- cells


def ids_of(**changes):
    return [cell.id for cell in expand(study(**changes))]


def test_product_of_sweep_variants_and_lineups():
    cells = expand(
        study(
            options={},
            sweep={"players": [2, 4], "rounds": [1, 2, 3]},
            lineups=[{"name": "a", "seats": ["random"]}, {"name": "b", "seats": ["greedy"]}],
        )
    )
    assert len(cells) == 2 * 3 * 3 * 2
    assert Counter(cell.variant for cell in cells) == {"baseline": 12, "dirty": 12, "same": 12}
    assert len({cell.id for cell in cells}) == len(cells)
    assert {cell.players for cell in cells} == {2, 4}


def test_identity_is_content_not_labels():
    ids = ids_of()
    assert ids[:2] == ids_of(
        title="other",
        matches=7,
        variants={"new": {"dirty_one": "always"}},
        lineups=[table("x", "greedy", "random")],
    )
    assert ids == ids_of(measures={"long": "plays > 3"})
    for change in ({"seed": 6}, {"options": {"players": 4}}):
        assert not set(ids) & set(ids_of(**change))
    # Another value here makes every study directory that exists one of "another study".
    assert _digest({"b": [1, None, 0.5], "a": "up"}) == "ab29f08a99aa"


def test_variant_without_change_is_a_cell_of_its_own():
    base, _, same = expand(study())
    assert (base.options, base.seats) == (same.options, same.seats)
    assert base.id != same.id


def test_defaults_follow_what_the_variant_gives():
    cells = expand(study(options={"players": 3}, variants={"up300": {"points_limit": 300}}))
    assert [cell.options["rounds"] for cell in cells] == [6, None]


@pytest.mark.parametrize(
    ("seats", "players", "rotations"),
    [
        (["random"], 4, 1),
        (["greedy", "random"], 4, 2),
        (["greedy", "random"], 3, 3),
        (["greedy", "random", "random"], 3, 3),
        (["greedy", "greedy", "random", "random"], 4, 4),
    ],
)
def test_only_distinct_rotations_are_played(seats, players, rotations):
    cells = expand(study(options={"players": players}, lineups=[table("x", *seats)]))
    assert {cell.rotations for cell in cells} == {rotations}


def test_swept_parameter_reaches_the_seats_that_leave_it_open():
    lineups = [
        {"name": "open", "seats": ["hoarder", "hoarder(threshold=4)", "random"]},
        {"name": "none", "seats": ["random"]},
    ]
    cells = expand(study(variants={}, sweep={"hoarder.threshold": [1, 2]}, lineups=lineups))
    swept = [cell for cell in cells if cell.lineup == "open"]
    assert len({cell.seats[0] for cell in swept}) == 2
    assert len({cell.seats[1] for cell in swept}) == 1
    assert [cell.point for cell in cells if cell.lineup == "none"] == [{}]


def test_variant_that_fixes_a_swept_option_keeps_a_cell_at_each_point():
    cells = expand(
        study(sweep={"dirty_one": ["off", "always"]}, variants={"f": {"dirty_one": "forehand"}})
    )
    points = [cell.point_text for cell in cells if cell.variant == "f"]
    assert points == ["dirty_one=off", "dirty_one=always"]


def test_first_levels_of_factors_are_those_of_the_unchanged_rules():
    factors = {"dirty_one": ["always", "off", "forehand"], "extra_set": [True, False]}
    cells = expand(study(variants={}, factors=factors))
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


def test_unusual_options_of_a_cell_are_told_to_all_of_its_study():
    usual = {"variants": {}, "options": {"players": 3}}
    assert not any(cell.general for cell in expand(study(**usual)))
    unusual = {**usual, "variants": {"up300": {"points_limit": 300}}}
    assert all(cell.general for cell in expand(study(**unusual)))
