import pytest

from simcore.errors import InputError
from studies.cli.command import read_changes
from studies.design.cells import expand
from studies.design.document import assign, parse_value
from studies.design.study import check_study, library_names, load_study
from studies.operations.study import checked_study
from tests.studies.conftest import document


def refuse(changes, tmp_path):
    import tomli_w

    path = tmp_path / "bad.toml"
    path.write_text(tomli_w.dumps(document()))
    with pytest.raises(InputError) as refused:
        expand(checked_study(path, set=read_changes(changes))[0])
    message = str(refused.value)
    assert "\n" not in message
    return message


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
        ("detail=sums", ["detail = 'sums'", '"matches"', '"summary"']),
        ("detial=summary", ["'detial'", "did you mean 'detail'"]),
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
    ],
)
def test_refused_with_key_value_and_what_is_allowed(change, fragments, tmp_path):
    message = refuse([change], tmp_path)
    for fragment in fragments:
        assert fragment in message


@pytest.mark.parametrize(
    ("values", "fragments"),
    [
        ("[0, 99]", ["hoarder.threshold=99", "threshold = '99'", "0…60"]),
        ("[true]", ["threshold = 'true'", "0…60"]),
        ("[much]", ["threshold = 'much'", "0…60"]),
        ("[[1]]", ["hoarder.threshold", "allowed: numbers"]),
        ("[]", ["hoarder.threshold = []", "one value or more"]),
        ("[1, 1.0]", ["hoarder.threshold", "1 twice"]),
        ("99", ["hoarder.threshold=99", "0…60"]),
    ],
)
def test_swept_parameter_is_checked(values, fragments, tmp_path):
    lineup = "lineups.pair.seats=[hoarder, random]"
    message = refuse([lineup, f'sweep."hoarder.threshold"={values}'], tmp_path)
    for fragment in fragments:
        assert fragment in message


def test_misspelt_parameter_is_refused_with_the_nearest(tmp_path):
    lineup = "lineups.pair.seats=[hoarder, random]"
    message = refuse([lineup, 'sweep."hoarder.treshold"=[1]'], tmp_path)
    assert "did you mean 'threshold'" in message


@pytest.mark.parametrize("change", ["detail=summary", "goal.half_width=0.1"])
def test_variant_with_other_players_cannot_be_paired_at_play(change, tmp_path):
    message = refuse(["variants.x.players=2", change], tmp_path)
    for fragment in ("variant 'x'", "from 3 to 2", "[sweep] players"):
        assert fragment in message


def test_refused_combination_names_the_cell(tmp_path):
    message = refuse(
        ["options.double_two=always", "variants.bare.minus_two=false", "sweep.players=[2,3]"],
        tmp_path,
    )
    assert message.startswith("cell bare, line-up pair, players=2: option minus_two")


def test_two_lineups_of_one_name_are_refused():
    twice = document()["lineups"] * 2
    with pytest.raises(InputError, match="two line-ups"):
        check_study(document(lineups=twice))


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


def test_changes_follow_toml():
    found = document()
    changes = read_changes(
        [
            "matches=1_000",
            "options.dirty_one=always",
            "lineups.0.seats=[greedy, hoarder(threshold=3, x=1), random]",
            'sweep."greedy.x"=[0.5, 1]',
        ]
    )
    for key, value in changes.items():
        assign(found, key, value)
    assert found["matches"] == 1000
    assert found["options"]["dirty_one"] == "always"
    assert found["lineups"][0]["seats"] == ["greedy", "hoarder(threshold=3, x=1)", "random"]
    assert found["sweep"] == {"greedy.x": [0.5, 1]}


def test_value_cannot_smuggle_in_other_keys():
    assert parse_value("1\nseed = 2") == "1\nseed = 2"


@pytest.mark.parametrize("name", library_names())
def test_library_studies_are_sound(name):
    assert len(expand(load_study(name))) > 1


def test_a_game_is_enough():
    asked = check_study({"game": "up"})
    (cell,) = expand(asked)
    assert (asked.matches, cell.lineup, set(cell.seats)) == (10_000, "random", {"random"})


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"sensitivity": {"outcome": "plays"}}, "sensitivity is refused.*factors"),
        ({"goal": {"half_width": 0.1, "anytime": True}}, "goal.anytime is refused.*ordinary"),
        ({"coupling": "stock"}, "coupling is refused.*k-th card"),
        ({"goal": {"half_width": 0.1, "best": True}}, "goal.best is refused.*compare ranks"),
        ({"measures": {"long": "playz > 3"}}, "unknown column 'playz'.*did you mean 'plays'"),
        ({"measures": {"long": "plays >"}}, "measure 'long'"),
        ({"measures": {"plays": "plays > 3"}}, "measure 'plays' is refused"),
        ({"measures": {"long": {"value": "plays > 3", "per": "x"}}}, "unknown study key 'per'"),
        ({"measures": {"long": 3}}, "measures = .* is refused.*SQL"),
        ({"measures": "nowhere.py"}, "nowhere.py': there is no such file"),
        ({"measures": "plays > 3"}, "path of a Python file"),
    ],
)
def test_keys_that_are_gone_and_measures_that_are_none(changes, said):
    with pytest.raises(InputError, match=said):
        check_study(document(**changes))


def test_measures_of_a_file(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(
        "def long(block):\n    return block['plays'] > 20\n\n\ndef _helper(block):\n    pass\n"
    )
    asked = check_study(document(measures=str(path)))
    assert [own.name for own in asked.study_measures] == ["long"]
    path.write_text("x = 1\n")
    with pytest.raises(InputError, match="has no function"):
        check_study(document(measures=str(path)))
    path.write_text("1 / 0\n")
    with pytest.raises(InputError, match="line 1: `1 / 0`: ZeroDivisionError"):
        check_study(document(measures=str(path)))


def test_measures_are_no_part_of_what_a_cell_is():
    one, other = check_study(document()), check_study(document(measures={"long": "plays > 3"}))
    assert [cell.id for cell in expand(one)] == [cell.id for cell in expand(other)]
