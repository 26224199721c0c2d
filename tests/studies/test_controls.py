"""A variant that changes nothing changes no match: A/A studies of every game."""

from __future__ import annotations

import polars as pl
import pytest

from simcore.game import game_names, get_game
from strategies import policies
from studies.answers.frame import answers
from studies.design.study import check_study
from studies.run.run import run_study
from studies.store.opened import open_study


@pytest.mark.whole_but("updown")
@pytest.mark.parametrize("game", game_names())
def test_no_winner_differs(game, tmp_path):
    names = [policy.name for policy in policies(get_game(game)) if policy.name != "search"]
    lineups = [
        {"name": "random", "seats": ["random"]},
        {"name": "mixed", "seats": names[1:3], "rotate": True},
    ]
    document = {"game": game, "matches": 60, "variants": {"aa": {}}, "lineups": lineups}
    run_study(check_study(document), tmp_path / "study", threads=2)
    stored = open_study(tmp_path / "study")
    frame = answers(stored.cells, stored.totals, study=stored.study).frame
    another = frame.filter(variant="aa", number="another_winner")
    assert another["count"].to_list() == [0, 0]
    assert another["matches"].min() > 0
    changes = frame.filter(pl.col("estimate").is_not_null(), kind="change", variant="aa")
    assert changes.height > 40
    assert (changes["estimate"] == 0).all()
