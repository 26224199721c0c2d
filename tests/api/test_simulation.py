"""`cardlab.simulate` and `cardlab.play` beside the commands, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import cardlab
from studies.cli.app import run_app

ASKED = {"players": 3, "rules": {"dirty_one": "always"}, "lineup": ["greedy", "shedder"]}


@pytest.fixture(scope="module")
def sim():
    return cardlab.simulate("up", **ASKED, matches=400, seed=7)


def test_rows_and_summary_are_those_of_the_command(sim, tmp_path, capfd):
    words = ["simulate", "up", "--players", "3", "--rule", "dirty_one=always", "--seed", "7"]
    words += ["--lineup", "greedy,shedder", "--matches", "400", "--json"]
    assert run_app([*words, "--out", str(tmp_path / "rows.parquet")]) == 0
    told = json.loads(capfd.readouterr().out)
    assert {**told, "seconds": 0} == {**sim.summary, "seconds": 0}
    assert sim.rows.equals(pl.read_parquet(tmp_path / "rows.parquet"))


def test_rows_depend_on_nothing_but_what_is_played(sim):
    again = cardlab.simulate("up", **ASKED, matches=600, seed=7, threads=1)
    assert again.rows.head(400).equals(sim.rows)


def test_nothing_is_printed(capfd):
    cardlab.simulate("up", **ASKED, matches=20)
    cardlab.play("up", **ASKED)
    assert capfd.readouterr() == ("", "")


def test_progress_is_told_on_stderr_alone(capfd, monkeypatch):
    monkeypatch.setattr("studies.run.progress._PLAIN_SECONDS", 0.0)
    cardlab.simulate("up", **ASKED, matches=2_000, threads=1, progress=True)
    out, err = capfd.readouterr()
    assert out == ""
    assert "%" in err


def test_rotations_are_those_of_a_study(tmp_path):
    lineup = ["greedy", "shedder", "random"]
    sim = cardlab.simulate("up", players=3, lineup=lineup, matches=60, seed=5, rotate=True)
    study = {
        "game": "up",
        "seed": 5,
        "matches": 60,
        "options": {"players": 3},
        "lineups": [{"name": "all", "seats": lineup, "rotate": True}],
    }
    results = cardlab.run(study, tmp_path / "study")
    assert results.rows().select(sim.rows.columns).collect().equals(sim.rows)
    # What the summary tells of rotated deals is what `compare` tells of the study.
    told = results.compare().policies.filter(number="win_share", of="policy")
    for name, low, high in told.select("who", "low", "high").iter_rows():
        own = sim.summary["win_share_per_seat"][name]
        # Wilson's interval at the effective size here, the same or one by t there.
        assert own["low"] == pytest.approx(low, abs=0.02)
        assert own["high"] == pytest.approx(high, abs=0.02)
    assert sum(sim.summary["win_share_by_strategy"].values()) == pytest.approx(1)


def test_shares_of_rotated_matches_are_counted_by_who_held_the_seat():
    sim = cardlab.simulate("up", players=2, lineup="greedy,random", matches=50, rotate=True)
    winners, turned = sim.rows["winners"].to_numpy(), sim.rows["rotation"].to_numpy()
    # At rotation 0 greedy holds seat 0, at rotation 1 seat 1.
    greedy = np.where(turned == 0, winners & 1, winners >> 1 & 1) / np.maximum(
        np.bitwise_count(winners), 1
    )
    assert sim.summary["win_share_by_strategy"]["greedy"] == pytest.approx(greedy.mean())


def test_a_transcript_is_the_match_of_the_row(capfd):
    assert run_app(["play", "up", "--players", "3", "--seed", "3", "--match", "4"]) == 0
    printed = capfd.readouterr().out
    transcript = cardlab.play("up", players=3, seed=3, match=4)
    assert str(transcript) + "\n" == printed
    assert repr(transcript) == str(transcript)
    assert transcript.lines[2] in transcript._repr_html_().replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"game": "upp"}, "unknown game 'upp'; did you mean 'up'?"),
        ({"players": 30}, "option players = '30' is refused"),
        ({"players": 3, "rules": {"players": 4}}, "option players is given twice"),
        ({"rules": ["dirty_one"]}, "rules ['dirty_one'] is refused"),
        ({"rules": {"dirty": True}}, "unknown option 'dirty' for up"),
        ({"lineup": "gredy"}, "unknown policy 'gredy' for up; did you mean 'greedy'?"),
        ({"lineup": 5}, "line-up 5 is refused"),
        ({"matches": 0}, "matches '0' is refused; allowed: a whole number 1…"),
        ({"matches": 1.5}, "matches '1.5' is refused"),
        ({"seed": -1}, "seed '-1' is refused"),
        ({"threads": "many"}, "threads 'many' is refused"),
        ({"coupling": "seat"}, "coupling 'seat' is refused for up"),
        ({"strategies": "missing.py"}, "strategies file 'missing.py' cannot be read"),
        ({"strategies": [3]}, "strategies 3 is refused; allowed: files (.py) and functions"),
    ],
)
def test_refusals(asked, said):
    with pytest.raises(cardlab.InputError) as refusal:
        cardlab.simulate(**{"game": "up", "matches": 10, **asked})
    assert str(refusal.value).startswith(said)


def test_things_show_themselves(sim):
    assert "greedy" in sim._repr_html_()
    assert "400 matches" in repr(sim)
    assert len(sim.to_pandas()) == 400
