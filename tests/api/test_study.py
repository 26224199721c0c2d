"""Studies as documents: through TOML and back, the library, the schema."""

from __future__ import annotations

import re
import tomllib

import numpy as np
import pytest

import cardlab
from studies.design.cells import expand
from studies.design.study import LIBRARY, library_names
from studies.operations.study import checked_study


@pytest.mark.parametrize("name", library_names())
def test_a_study_of_the_library_goes_through_toml_without_loss(name, tmp_path):
    study = cardlab.Study.read(name)
    assert cardlab.Study.from_toml(study.to_toml()) == study
    again = cardlab.Study.read(study.write(tmp_path / "again.toml"))
    assert again.document == tomllib.loads((LIBRARY / f"{name}.toml").read_text())


def test_what_python_has_and_toml_has_not():
    study = cardlab.Study(
        game="up",
        matches=np.int64(20),
        seed=2**63 - 1,
        title="“quoted” \\ 'and' \"so\" on #1",
        options={"points_limit": None},
        sweep={"players": range(2, 5), "greedy.x": (0.1, 1e-300)},
        variants={"a b.c": {"minus_two": False}, "aa": {}},
        lineups=({"name": "ä", "seats": ("greedy",), "rotate": True},),
        goal=None,
    )
    assert study.document["sweep"] == {"players": [2, 3, 4], "greedy.x": [0.1, 1e-300]}
    assert study.document["options"] == {"points_limit": "none"}
    assert "goal" not in study.document
    assert cardlab.Study.from_toml(study.to_toml()) == study
    assert study.changed({'lineups."ä".rotate': False}).document["lineups"][0]["rotate"] is False
    assert study.document["lineups"][0]["rotate"] is True


def test_a_game_is_a_study():
    cells = cardlab.Study(game="up").cells()
    assert cells.select("variant", "seats", "matches").rows() == [
        ("baseline", ["random"] * 4, 10_000)
    ]


@pytest.mark.parametrize(
    ("name", "changes", "value"),
    [("sweep.players", 3, (3,)), ("sweep.players", "3,5", (3, 5)), ("sweep.scoring", "cards", ())],
)
def test_a_bare_value_is_taken_where_a_list_is_wanted(name, changes, value):
    cells = cardlab.Study(game="up").changed({name: changes}).cells()
    assert tuple(cells["players"]) == (value or (4,))


def test_seats_are_taken_as_on_the_command_line():
    lineups = [{"name": "two", "seats": "greedy,all_rounder(light=0)"}]
    (row,) = cardlab.Study(game="up", lineups=lineups).cells().rows(named=True)
    assert [seat.partition("(")[0] for seat in row["seats"]] == ["greedy", "all_rounder"] * 2


def players_of(study, directory, **arguments):
    checked, _ = checked_study(study, directory, **arguments)
    return [(cell.variant, cell.players) for cell in expand(checked)]


def test_players_take_the_place_of_the_study_s(tmp_path):
    swept = {"game": "up", "sweep": {"players": [2, 4]}, "variants": {"a": {"scoring": "cards"}}}
    fixed = {"game": "up", "options": {"players": 4}}
    assert players_of(swept, tmp_path, players="5") == [("baseline", 5), ("a", 5)]
    assert players_of(fixed, tmp_path, players=5) == [("baseline", 5)]
    assert players_of(fixed, tmp_path, players=[3, 5]) == [("baseline", 3), ("baseline", 5)]
    assert players_of({"game": "up"}, tmp_path, players="2,3") == [("baseline", 2), ("baseline", 3)]


def test_an_option_is_fixed_or_swept():
    study = cardlab.Study(game="up", sweep={"players": [2, 4]})
    fixed = study.changed({"options.players": 5})
    assert fixed.cells()["players"].to_list() == [5]
    assert fixed.changed({"sweep.players": [2, 3]}).cells()["players"].to_list() == [2, 3]
    with pytest.raises(cardlab.InputError, match=r"sweep.players = \[2, 4\] sets this option"):
        cardlab.Study(study.document, options={"players": 5})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"set": {"sweep.players": 5}, "players": 3}, "sweep.players is given twice"),
        ({"players": 11}, "players 11 is refused; allowed: a whole number 2…10"),
        ({"players": "some"}, "players 'some' is refused; allowed: a whole number 2…10"),
        ({"players": []}, "players [] is refused; allowed: a number"),
    ],
    ids=str,
)
def test_numbers_of_players_that_are_refused(arguments, message, tmp_path):
    study = {"game": "up", "sweep": {"players": [2, 4]}}
    with pytest.raises(cardlab.InputError, match=re.escape(message)):
        checked_study(study, tmp_path, **arguments)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: cardlab.Study(matches=5), "study key game is missing"),
        (lambda: cardlab.Study({"game": "up", "matchs": 1}), "unknown study key 'matchs'"),
        (lambda: cardlab.Study("up"), "study 'up' is refused; allowed: a mapping"),
        (lambda: cardlab.Study.from_toml("game = "), "study text is no TOML"),
        (
            lambda: cardlab.Study.read("quickstart").changed({"a b": 1}),
            "key 'a b' is refused; allowed: a dotted key",
        ),
    ],
)
def test_refusals(make, message):
    with pytest.raises(cardlab.InputError) as refusal:
        make()
    assert str(refusal.value).startswith(message)
