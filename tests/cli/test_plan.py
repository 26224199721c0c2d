"""`cardlab plan`, and the precision that `run --dry-run` tells."""

from __future__ import annotations

import csv
import io

import pytest

from tests.programs import ROOT

EXAMPLES = ROOT / "strategies" / "examples"

STUDY = """
game = "uno"
matches = 500

[options]
players = 2
rounds = 1

[variants]
low = { hand_size = 5 }

[[lineups]]
name = "one"
seats = ["random_playable"]
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(STUDY)
    return path


def test_it_tells_deals_and_cost(cardlab, file):
    result = cardlab("plan", file, "--detect", "5", "--pilot", "60", "--threads", "1")
    assert result.status == 0, result.err
    assert result.out.startswith("Needed to find 5 points of win_rate with power 0.8 at level 0.05")
    text = " ".join(result.out.split())
    for words in ("that compare has", "of disk", "--matches"):
        assert words in text, result.out
    # A path is one word, however long.
    assert max(len(line) for line in result.out.splitlines() if " " in line) <= 80


def test_json_and_csv_say_the_same(cardlab, file):
    command = ("plan", file, "--half-width", "another_winner=2", "--pilot", "60")
    data = cardlab(*command, "--json").json
    (row,) = csv.DictReader(io.StringIO(cardlab(*command, "--csv").out))
    assert int(row["deals"]) == data["matches"] == data["cells"][0]["deals"]
    assert data["number"] == "another_winner"
    assert data["half_width"] == 2
    assert data["power"] is None
    assert data["matches_low"] < data["matches"] < data["matches_high"]
    assert data["pilot_deals"] == 60


def test_rows_of_a_directory_are_the_pilot(cardlab, file, tmp_path):
    directory = tmp_path / "out"
    assert cardlab("run", file, "--matches", "100", "--out", directory).status == 0
    command = ("plan", directory, "--half-width", "hands=1", "--json")
    assert "unknown --half-width name 'hands'" in cardlab(*command).err
    data = cardlab("plan", directory, "--half-width", "5", "--json").json
    assert data["pilot_from_rows"]
    assert data["pilot_deals"] == 100
    assert data["matches_to_play"] == 2 * (data["matches"] - 100)


def test_dry_run_tells_the_precision_to_expect(cardlab, file, tmp_path):
    text = " ".join(cardlab("run", file, "--out", tmp_path / "x", "--dry-run").out.split())
    assert "win rates and of other winners reach ±4.4 points at most with 500 deals" in text
    command = ("run", file, "--out", tmp_path / "x", "--dry-run", "--set", "goal.half_width=0.01")
    limited = " ".join(cardlab(*command).out.split())
    assert "cells stop at ±1 points if they reach it before" in limited


def test_dry_run_counts_files_of_rules_as_variants(cardlab, tmp_path):
    rules = EXAMPLES / "rules" / "uno_out.py"
    file = tmp_path / "short.toml"
    file.write_text(STUDY)
    result = cardlab("run", file, "--out", tmp_path / "x", "--dry-run", "--rules", rules)
    assert result.status == 0, result.err
    assert "3 cells (2 variants, 1 line-up" in " ".join(result.out.split())
