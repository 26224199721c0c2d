"""`cardlab.simulate` and `cardlab.play` beside the commands, and what they refuse."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import cardlab
from studies.cli.app import run_app

ASKED = {"players": 3, "options": {"dirty_one": "always"}, "lineup": ["greedy", "shedder"]}


def matches_of(sim):
    return sim.matches_frame()


@pytest.fixture(scope="module")
def sim():
    return cardlab.simulate("up", **ASKED, matches=400, seed=7)


def test_rows_and_summary_are_those_of_the_command(sim, tmp_path, capfd):
    words = ["simulate", "up", "--players", "3", "--rule", "dirty_one=always", "--seed", "7"]
    words += ["--lineup", "greedy,shedder", "--matches", "400", "--json"]
    assert run_app([*words, "--out", str(tmp_path / "rows.parquet")]) == 0
    data = json.loads(capfd.readouterr().out)
    assert {**data, "seconds": 0} == {**sim.summary, "seconds": 0}
    assert matches_of(sim).equals(pl.read_parquet(tmp_path / "rows.parquet"))


def test_rows_depend_on_nothing_but_what_is_played(sim):
    again = cardlab.simulate("up", **ASKED, matches=600, seed=7, threads=1)
    assert matches_of(again).head(400).equals(matches_of(sim))


def test_rows_are_written_as_they_are_kept(sim, tmp_path):
    again = cardlab.simulate("up", **ASKED, matches=400, seed=7, out=tmp_path / "a.csv")
    assert pl.read_csv(tmp_path / "a.csv").height == again.matches == 400
    lean = cardlab.simulate("up", **ASKED, matches=400, seed=7, keep_rows=False)
    assert {**lean.summary, "seconds": 0} == {**sim.summary, "seconds": 0}
    with pytest.raises(cardlab.InputError, match="keeps sums instead of matches"):
        lean.rows()


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


def test_a_rotated_simulation_is_the_study_of_its_one_cell(tmp_path):
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
    columns = matches_of(sim).columns
    assert results.rows().select(columns).collect().equals(matches_of(sim))
    assert results.rows().collect_schema().names() == sim.rows().collect_schema().names()
    assert results.seats().collect_schema().names() == sim.seats().collect_schema().names()
    assert results.cells().columns == sim.cells().columns
    frame = results.compare().frame.filter(kind="level", number="win_rate")
    for who, *bounds in frame.select("who", "estimate", "low", "high").iter_rows():
        share = sim.summary["win_rate_by_strategy"].get(who.removeprefix("policy "))
        share = share or sim.summary["win_rate_by_position"][int(who[-1])]
        assert list(share.values()) == bounds
    assert sum(sim.summary["win_share_by_strategy"].values()) == pytest.approx(1)


def test_shares_of_rotated_matches_are_counted_by_who_held_the_seat():
    sim = cardlab.simulate("up", players=2, lineup="greedy,random", matches=50, rotate=True)
    rows = matches_of(sim)
    winners, turned = rows["winners"].to_numpy(), rows["rotation"].to_numpy()
    # At rotation 0 greedy holds seat 0, at rotation 1 seat 1.
    greedy = np.where(turned == 0, winners & 1, winners >> 1 & 1) / np.maximum(
        np.bitwise_count(winners), 1
    )
    assert sim.summary["win_share_by_strategy"]["greedy"] == pytest.approx(greedy.mean())


class TestCompared:
    """Simulations on the same deals."""

    def test_they_tell_what_a_study_tells(self, tmp_path):
        arguments = {"players": 2, "lineup": ["greedy", "shedder"], "matches": 40, "rotate": True}
        usual = cardlab.simulate("up", **arguments)
        dirty = cardlab.simulate("up", **arguments, options={"dirty_one": "always"})
        study = {
            "game": "up",
            "matches": 40,
            "options": {"players": 2},
            "variants": {"dirty_one=always": {"dirty_one": "always"}},
            "lineups": [{"name": usual.cell.lineup, "seats": arguments["lineup"], "rotate": True}],
        }
        frame = cardlab.run(study, tmp_path / "study").compare().frame
        assert dirty.compare(usual).frame.equals(frame)
        assert cardlab.compare([usual, dirty]).frame.equals(frame)

    def test_on_the_deals_that_both_have(self):
        usual = cardlab.simulate("up", players=2, matches=50)
        longer = cardlab.simulate("up", players=2, matches=80, options={"dirty_one": "always"})
        (deals,) = set(longer.compare(usual).frame.filter(kind="change")["deals"])
        assert deals == 50

    def test_what_shares_no_deals_is_refused(self):
        first, other = (cardlab.simulate("up", players=2, matches=5, seed=seed) for seed in (1, 2))
        with pytest.raises(cardlab.InputError, match="seed 1 and 2 share no deals"):
            other.compare(first)
        with pytest.raises(cardlab.InputError, match="the same game and line-up"):
            cardlab.simulate("up", players=3, matches=5).compare(first)


def test_a_transcript_is_the_match_of_the_row(capfd):
    words = ["play", "up", "--players", "3", "--rule", "rounds=1", "--seed", "3", "--match", "4"]
    assert run_app(words) == 0
    printed = capfd.readouterr().out
    transcript = cardlab.play("up", players=3, options={"rounds": 1}, seed=3, match=4)
    assert str(transcript) + "\n" == printed
    assert repr(transcript) == str(transcript)
    assert transcript.lines[2] in transcript._repr_html_().replace("&#x27;", "'")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"players": "30"}, "option players = '30' is refused"),
        ({"options": {"dirty_one": True}}, "option dirty_one = true is refused"),
        ({"players": 3, "options": {"players": 4}}, "option players is given twice"),
        ({"options": ["dirty_one"]}, "options ['dirty_one'] is refused"),
        ({"lineup": 5}, "line-up 5 is refused"),
        ({"matches": "0"}, "matches '0' is refused; allowed: a whole number 1…"),
        ({"matches": 1.5}, "matches 1.5 is refused"),
        ({"threads": "many"}, "threads 'many' is refused"),
        ({"strategies": "missing.py"}, "strategies 'missing.py': there is no such file"),
        ({"strategies": [3]}, "strategies 3 is refused; allowed: files (.py) and functions"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(cardlab.InputError) as refusal:
        cardlab.simulate(**{"game": "up", "matches": 10, **arguments})
    assert str(refusal.value).startswith(message)


def test_things_show_themselves(sim):
    assert "greedy" in sim._repr_html_()
    assert "400 matches" in repr(sim)
    assert len(sim.to_pandas()) == 400
