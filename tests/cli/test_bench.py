"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import json
import re
import shutil
import sys

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


PROGRAM = """#!{python}
import json, pathlib, sys, time

pathlib.Path(__file__).with_suffix(".json").write_text(json.dumps(sys.argv[1:]))
matches = int(sys.argv[sys.argv.index("--matches") + 1])
while time.process_time() < matches * 1e-4:
    pass
"""


@pytest.fixture
def program(tmp_path):
    # It plays 10,000 matches a second and notes what it was told.
    path = tmp_path / "player.py"
    path.write_text(PROGRAM.format(python=sys.executable))
    path.chmod(0o755)
    return path


def test_against_a_program(cardlab, program, monkeypatch):
    monkeypatch.setattr(bench, "_match_count", lambda _cell, _seconds: 30_000)
    arguments = ("--players", 2, "--rule", "minus_two=false", "--rule", "rounds=1")
    result = cardlab("bench", "up", *arguments, "--runs", 3, "--against", program, "--json").json
    told = json.loads(program.with_suffix(".json").read_text())
    assert told[2:] == ["--seed", "1", "--players", "2", "--minus_two", "0", "--rounds", "1"]
    assert (result["players"], result["runs"]) == (2, 3)
    # Python itself needs some time to start, and a system may count a child's time in ticks.
    assert 2_000 < result["program_matches_per_second"] < 12_500
    assert result["ratio"] == pytest.approx(
        result["matches_per_second"] / result["program_matches_per_second"]
    )
    assert 0 < result["lowest_ratio"] <= result["highest_ratio"]


def test_against_in_words(cardlab, program):
    result = cardlab("bench", "up", "--runs", 1, "--against", program)
    assert result.status == 0
    assert re.fullmatch(
        r"up, 4 players: [\d,]+ matches per second of processor time, the program [\d,]+: "
        r"[\d.]+ times as many \([\d.]+–[\d.]+ in 1 runs in turn\)",
        " ".join(result.out.split()),
    )


@pytest.fixture
def two_policies(monkeypatch):
    monkeypatch.setattr(bench, "POLICY_SECONDS", 0.02)
    monkeypatch.setattr(bench, "policy_names", lambda _cell: ["shedder", "greedy"])


@pytest.mark.whole
@pytest.mark.usefixtures("two_policies")
def test_policies_beside_random_play(cardlab):
    result = cardlab("bench", "up", "--players", 2, "--runs", 3, "--policies", "--json").json
    assert (result["game"], result["players"], result["runs"]) == ("up", 2, 3)
    assert [one["policy"] for one in result["policies"]] == ["shedder", "greedy"]
    for one in result["policies"]:
        assert one["lowest_ratio"] <= one["highest_ratio"]
        # A policy that looks at its cards can be as quick as random play, but not ten times so.
        assert 0.01 < one["ratio"] < 10
        base = result["random_decisions_per_second"]
        assert one["decisions_per_second"] == pytest.approx(one["ratio"] * base, rel=0.9)


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
    names = [one.name for one in policies(game)]
    assert set(names) - set(bench.policy_names(cell)) == {"random", "search"}


def test_policies_are_of_one_game(refused, program):
    assert "--policies is for one game" in refused("bench", "up", "dnup", "--policies")
    message = refused("bench", "up", "--policies", "--against", program)
    assert "--policies and --against are refused together" in message


def test_against_is_for_one_game(refused, program):
    message = refused("bench", "up", "dnup", "--against", program)
    assert "--against is for one game; given: up, dnup" in message
    assert "--players is for one game" in refused("bench", "--players", 2)


def test_a_program_that_cannot_be_run(cardlab, tmp_path):
    missing = tmp_path / "missing"
    result = cardlab("bench", "up", "--runs", 1, "--against", missing)
    assert (result.status, result.out) == (2, "")
    assert f"--against '{missing}' cannot be run" in result.err


def test_a_program_that_fails(cardlab, program):
    program.write_text(f"#!{sys.executable}\nraise SystemExit('unknown option --players')\n")
    result = cardlab("bench", "up", "--players", 3, "--runs", 1, "--against", program)
    assert (result.status, result.out) == (2, "")
    assert "failed with status 1 when given --matches 64 --seed 1 --players 3" in result.err
    assert "unknown option --players" in result.err


def test_a_program_that_does_not_play(cardlab, monkeypatch):
    monkeypatch.setattr(bench, "_match_count", lambda _cell, _seconds: 5000)
    result = cardlab("bench", "up", "--runs", 1, "--against", shutil.which("true"))
    assert (result.status, result.out) == (2, "")
    assert "it takes no time" in result.err
