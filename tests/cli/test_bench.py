"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import pytest

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


def test_table_names_the_game(cardlab):
    result = cardlab("bench", "up", "--runs", 1)
    assert result.status == 0
    assert "matches/s" in result.out
    assert "up" in result.out.split()
