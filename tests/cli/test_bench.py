"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import pytest

from simcore.compiling import functions_compiled
from studies.operations import bench


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(bench, "RUN_SECONDS", 0.02)


def test_json_has_all_figures(cardlab):
    (up,) = cardlab("bench", "up", "--runs", 1, "--json").json
    assert (up["game"], up["players"]) == ("up", 4)
    assert up["rounds_per_second"] == pytest.approx(6 * up["matches_per_second"], rel=0.05)
    assert up["decisions_per_second"] > 10 * up["rounds_per_second"]
    assert up["pipeline_ratio"] > 0
    assert up["threads_ratio"] > 0


def test_it_compiles_to_tell_how_long_that_takes(cardlab):
    before = functions_compiled()
    for _ in range(2):  # the second time all is there
        (up,) = cardlab("bench", "up", "--runs", 1, "--json").json
        assert up["compile_seconds"] > 0.1
    assert functions_compiled() - before >= 2
    assert "Compiling: of a game's matches anew" in cardlab("bench", "up", "--runs", 1).out


def test_table_names_the_game(cardlab):
    result = cardlab("bench", "up", "--runs", 1)
    assert result.status == 0
    assert "matches/s" in result.out
    assert "up" in result.out.split()
