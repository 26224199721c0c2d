"""`cardlab sensitivity`: the ranking, its JSON and its figure."""

from __future__ import annotations

import json

import pytest

import cardlab as package

STUDY = """
game = "uno"
matches = 20
[options]
rounds = 1
[[lineups]]
name = "four"
seats = ["random"]
[sensitivity]
outcome = "turns"
samples = 16
must_play = [false, true]
action_points = [10, 30]
"""


@pytest.fixture
def study(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "dials.toml"
    path.write_text(STUDY, encoding="utf-8")
    return path


def test_a_ranking_and_a_figure(cardlab, study, tmp_path):
    figure = tmp_path / "dials.svg"
    result = cardlab("sensitivity", study, "--figure", figure)
    assert result.status == 0
    lines = result.out.splitlines()
    assert lines[0].startswith("UNO H2O To Go: which dial matters for turns?")
    rows = [line.split()[0] for line in lines if line.startswith((" must_play", " action_points"))]
    assert rows == ["must_play", "action_points"]
    assert "Without any effect on these deals: action_points." in result.out
    assert (tmp_path / "results" / "dials" / "sensitivity" / "rankings.json").is_file()
    assert "</svg>" in figure.read_text("utf-8")


def test_json_is_what_python_gives(cardlab, study):
    told = cardlab("sensitivity", study, "--json", "--matches", 10).json
    found = package.sensitivity(study, matches=10)
    assert told == json.loads(found.to_json())
    (table,) = told["tables"]
    assert [own["dial"] for own in table["dials"]] == found.ranking["dial"].to_list()
    assert table["dials"][0]["total"]["low"] is None or found.ranking["total_low"][0] is not None
    assert told["deals"] == 10


def test_ctrl_c_says_how_to_go_on(cardlab, study, monkeypatch):
    from studies.run import points

    def interrupted(*given):
        given[3].interrupted = True  # the outcome

    monkeypatch.setattr(points, "play_plan", interrupted)
    stopped = cardlab("sensitivity", study)
    assert (stopped.status, stopped.out) == (130, "")
    assert "is kept, the same command continues" in stopped.err
    monkeypatch.undo()
    monkeypatch.chdir(study.parent)
    assert cardlab("sensitivity", study).status == 0


def test_bad_input(refused, study):
    assert "did you mean 'png'" in refused("sensitivity", study, "--figure", "x.pnk")
    assert "--level '2' is refused" in refused("sensitivity", study, "--level", 2)
    assert "sensitivity is missing" in refused("sensitivity", "quickstart")
    assert "hand" in refused("sensitivity", study, "--set", "sensitivity.hands=[1,2]")
