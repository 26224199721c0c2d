"""Studies as documents: through TOML and back, the library, the schema."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest

import cardlab
from studies.design.study import LIBRARY, library_names


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
    ("make", "said"),
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
def test_refusals(make, said):
    with pytest.raises(cardlab.InputError) as refusal:
        make()
    assert str(refusal.value).startswith(said)
