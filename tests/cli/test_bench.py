"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import pytest

from studies.cli import bench


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(bench, "_match_count", lambda _cell, _seconds: 500)
    monkeypatch.setattr(bench, "measure_start", lambda _game, _runs: {"help": 0.1, "simulate": 0.5})


def test_json_has_all_figures(cardlab):
    figures = cardlab("bench", "up", "--runs", 1, "--json").json
    assert figures["start_seconds"] == {"help": 0.1, "simulate": 0.5}
    up = figures["games"]["up"]
    assert (up["players"], up["matches"]) == (4, 500)
    assert up["rounds_per_second"] == pytest.approx(6 * up["matches_per_second"], rel=0.05)
    assert up["decisions_per_second"] > 10 * up["rounds_per_second"]
    assert up["pipeline_ratio"] > 0
    assert up["threads_ratio"] > 0


def test_table_names_the_game(cardlab):
    result = cardlab("bench", "up", "--runs", 1)
    assert result.status == 0
    assert "matches/s" in result.out
    assert "up" in result.out.split()
