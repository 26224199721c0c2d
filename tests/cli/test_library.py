"""`cardlab studies`, `cardlab schema`, and what the shell offers."""

from __future__ import annotations

import io
import shutil
import tomllib

import jsonschema
import polars as pl
import pytest

from simcore.game import game_names
from studies.design.cells import expand
from studies.design.study import LIBRARY, check_study, library_names, load_study, study_schema
from tests.programs import run_cardlab


def test_a_library_is_listed_with_what_each_study_asks(cardlab, monkeypatch, tmp_path):
    names = ["quickstart", "up-variants"]  # the whole library is listed in an example of `api/`
    for name in names:
        shutil.copy(LIBRARY / f"{name}.toml", tmp_path)
    monkeypatch.setattr("studies.design.study.LIBRARY", tmp_path)
    rows = cardlab("studies", "--json").json
    assert [row["study"] for row in rows] == names
    quick = rows[0]
    assert quick["asks"] == "Up, four players: how often does each variant change who wins?"
    assert (quick["cells"], quick["matches"]) == (16, 640_000)
    table = pl.read_csv(io.StringIO(cardlab("studies", "--csv").out))
    assert (table.columns, table["study"].to_list()) == (list(rows[0]), names)
    shown = cardlab("studies").out
    assert all(name in shown for name in names)


def test_the_schema_is_printed(cardlab):
    assert cardlab("schema").json == study_schema()


@pytest.mark.parametrize("game", game_names())
def test_variants_are_told_over_a_population_of_all_but_the_weakest(game):
    study = load_study(f"{game}-variants")
    drawn = study.population
    assert drawn.tables >= 7
    assert "all_rounder" in drawn.policies
    assert not {"random", "search"} & set(drawn.policies)
    tables = {cell.seats for cell in expand(study) if cell.lineup in drawn.names}
    sitting = {seat.partition("(")[0] for seats in tables for seat in seats}
    assert len(sitting) > 0.7 * len(drawn.policies)


@pytest.mark.parametrize("name", library_names())
def test_studies_of_the_library_fit_the_schema(name):
    document = tomllib.loads((LIBRARY / f"{name}.toml").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(study_schema()).validate(document)


SMALL = {"game": "up", "matches": 1, "lineups": [{"name": "a", "seats": ["random"]}]}


@pytest.mark.parametrize(
    "changes",
    [
        {"game": "upp"},
        {"matches": 0},
        {"matchs": 1},
        {"seed": -1},
        {"title": 1},
        {"lineups": [{"name": "a"}]},
        {"population": {"policies": {}, "tables": 2}},
        {"population": {"policies": {"greedy": 0}, "tables": 2}},
        {"population": {"policies": {"greedy": 1}}},
        {"lineups": [{"name": "a", "seats": ["random"], "turn": True}]},
        {"sweep": {"players": {}}},
        {"goal": {"half_width": 2}},
        {"compare": {"margin": -1}},
        {"sensitivity": {"hand_cards": [1, 2]}},
        {"measures": {"long": 3}},
        {"detail": "everything"},
    ],
    ids=str,
)
def test_what_the_schema_refuses_cardlab_refuses(changes, tmp_path):
    from simcore.errors import InputError

    del tmp_path
    valid = jsonschema.Draft202012Validator(study_schema()).is_valid
    assert valid(SMALL)
    assert not valid({**SMALL, **changes})
    with pytest.raises(InputError):
        expand(check_study({**SMALL, **changes}))


def offered(*words, folder):
    """What the shell is offered for the last word, as fish asks for it."""
    process = run_cardlab(
        folder=folder,
        _CARDLAB_COMPLETE="complete_fish",
        _TYPER_COMPLETE_ARGS=" ".join(["cardlab", *words]),
        _TYPER_COMPLETE_FISH_ACTION="get-args",
    )
    assert process.stderr == ""
    return [line.partition("\t")[0] for line in process.stdout.splitlines()]


@pytest.mark.whole_but("simulate upd-updown")
@pytest.mark.parametrize(
    ("words", "names"),
    [
        (["stu"], ["studies"]),
        (["simulate", "upd"], ["updown"]),
        (["run", "quick"], ["quickstart"]),
        (["run", "mi"], ["mine.toml"]),
        (["plan", "mi"], ["mine.toml"]),
        (["plan", "mine.toml", "--half"], ["--half-width"]),
        (["simulate", "up", "--rot"], ["--rotate"]),
    ],
    ids=" ".join,
)
def test_the_shell_is_offered_names(words, names, tmp_path):
    (tmp_path / "mine.toml").touch()
    assert offered(*words, folder=tmp_path) == names
