"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import re

import pytest

from simcore.game import get_game
from strategies import policies
from strategies.registry import parse_strategy
from studies.operations import bench
from tests.side_by_side import cell_of


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(bench, "_match_count", lambda _cell, _seconds: 500)
    monkeypatch.setattr(bench, "measure_start", lambda _game, _runs: {"help": 0.1, "simulate": 0.5})


@pytest.mark.whole
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


@pytest.fixture
def two_policies(monkeypatch):
    monkeypatch.setattr(bench, "POLICY_SECONDS", 0.02)
    monkeypatch.setattr(bench, "policy_names", lambda _cell: ["shedder", "greedy"])


@pytest.mark.whole
@pytest.mark.usefixtures("two_policies")
def test_policies_beside_random_play(cardlab):
    result = cardlab("bench", "up", "--players", 2, "--runs", 3, "--policies", "--json").json
    assert (result["game"], result["players"], result["runs"]) == ("up", 2, 3)
    assert [row["policy"] for row in result["policies"]] == ["shedder", "greedy"]
    for row in result["policies"]:
        assert row["lowest_ratio"] <= row["highest_ratio"]
        # A policy that looks at its cards can be as quick as random play, but not ten times so.
        assert 0.01 < row["ratio"] < 10
        base = result["random_decisions_per_second"]
        assert row["decisions_per_second"] == pytest.approx(row["ratio"] * base, rel=0.9)


@pytest.mark.usefixtures("two_policies")
def test_policies_in_words(cardlab):
    result = cardlab("bench", "up", "--runs", 1, "--policies")
    assert result.status == 0
    assert re.search(r"greedy +[\d,]+ +\d\.\d\d \(\d\.\d\d–\d\.\d\d\)\n", result.out)
    words = " ".join(result.out.split())
    assert "up, 4 players; random play: " in words
    assert "Decisions with a choice" in words


def test_policies_measured_are_all_but_those_that_look_ahead():
    game = get_game("up")
    cell = cell_of(game, {}, parse_strategy(game, "random"))
    names = [policy.name for policy in policies(game)]
    assert set(names) - set(bench.policy_names(cell)) == {"random", "search"}
