"""A variant that changes nothing changes no match: A/A studies of every game."""

from __future__ import annotations

import pytest

from simcore.game import game_names, get_game
from strategies import policies
from studies.compare.effects import compare
from studies.design.study import check_study
from studies.run.run import run_study


@pytest.mark.parametrize("game", game_names())
def test_no_winner_differs(game, tmp_path):
    names = [policy.name for policy in policies(get_game(game)) if policy.name != "search"]
    lineups = [
        {"name": "random", "seats": ["random"]},
        {"name": "mixed", "seats": names[1:3], "rotate": True},
    ]
    document = {"game": game, "matches": 60, "variants": {"aa": {}}, "lineups": lineups}
    run_study(check_study(document), tmp_path / "study", threads=2)
    found = compare(tmp_path / "study")
    assert len(found.variants) == 2
    for effect in found.variants:
        assert effect.control
        assert effect.matches >= 60
        assert effect.winners_differ_count == 0
        assert all(change.change.estimate == 0 for change in effect.metrics.values())
