"""What commands tell as tables they tell as JSON and CSV too, and never as both."""

from __future__ import annotations

import io

import polars as pl
import pytest

from simcore.game import game_names, get_game
from strategies import policies

LISTS = [("games",), ("games", "uno"), ("strategies",), ("strategies", "up"), ("studies",)]


def frame(result):
    assert result.status == 0, result.err
    return pl.read_csv(io.StringIO(result.out))


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_lists_have_the_same_rows_as_json_and_as_csv(cardlab, command):
    rows = frame(cardlab(*command, "--csv"))
    data = cardlab(*command, "--json").json
    data = data["options"] if command == ("games", "uno") else data
    assert rows.columns == list(data[0])
    first = rows.columns[0]
    assert rows[first].to_list() == [row[first] for row in data]


def test_games_tell_all_of_a_game(cardlab):
    assert frame(cardlab("games", "--csv"))["game"].to_list() == list(game_names())
    data = cardlab("games", "uno", "--json").json
    game = get_game("uno")
    assert [row["option"] for row in data["options"]] == [row.name for row in game.options]
    assert [row["metric"] for row in data["metrics"]] == list(game.metric_names)
    assert [row["clause"] for row in data["clauses"]] == [row.name for row in game.clauses]


def test_strategies_tell_their_parameters(cardlab):
    rows = frame(cardlab("strategies", "up", "--csv"))
    for row, policy in zip(rows.iter_rows(named=True), policies(get_game("up")), strict=True):
        assert row["policy"] == policy.name
        assert (row["parameters"] or "").count("=") == len(policy.params)


def test_compare_tells_what_variants_change(cardlab, tmp_path):
    study = tmp_path / "own.toml"
    study.write_text(
        'game = "updown"\nmatches = 60\n[variants.four]\nrounds = 4\n'
        '[[lineups]]\nname = "all"\nseats = ["random"]\n',
        "utf-8",
    )
    assert cardlab("run", study, "--out", tmp_path / "done").status == 0
    rows = frame(cardlab("compare", tmp_path / "done", "--csv"))
    assert set(rows["variant"]) == {"baseline", "four"}
    assert {"estimate", "low", "high"} <= set(rows.columns)


@pytest.mark.whole
def test_check_tells_what_came_out_again(cardlab, tmp_path):
    study = tmp_path / "own.toml"
    seats = '[[lineups]]\nname = "all"\nseats = ["random"]\n'
    study.write_text(f'game = "updown"\nmatches = 60\n{seats}', "utf-8")
    assert cardlab("run", study, "--out", tmp_path / "done").status == 0
    data = cardlab("check", tmp_path / "done", "--json").json
    assert (data["same"], data["difference"]) == (True, None)
    rows = frame(cardlab("check", tmp_path / "done", "--csv"))
    assert rows.rows(named=True) == data["blocks"]
    assert sum(rows["matches"]) == 60


@pytest.mark.whole
@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_check_tells_how_policies_are_examined(cardlab, tmp_path, form):
    name = "first"
    file = tmp_path / "own.py"
    file.write_text(
        "import strategies\nfrom simcore.games.up.rules import PLAY, lowest, nth_play\n\n\n"
        "@strategies.policy('up', idea='makes its first legal move')\n"
        f"def {name}(s, seat, moves):\n"
        "    return nth_play(s, seat, 0) if s.phase == PLAY else lowest(moves)\n",
        "utf-8",
    )
    result = cardlab("check", "--strategies", file, form)
    if form == "--json":
        data = result.json
        assert data["failed"] == 0
        rows = pl.DataFrame(data["tests"])
    else:
        rows = frame(result)
    assert set(rows["policy"]) == {name}
    assert (rows["verdict"] == "passed").all()
    assert len(rows) > 2


def test_tune_tells_each_parameter(cardlab):
    command = ("tune", "up", "shedder", "--players", 3, "--rule", "rounds=1", "--budget", 6000)
    parameters = cardlab(*command, "--json").json["parameters"]
    rows = frame(cardlab(*command, "--csv"))
    assert rows.columns == ["parameter", "before", "found", "allowed", "meaning"]
    assert rows["parameter"].to_list() == [row["parameter"] for row in parameters]


def test_simulate_tells_its_metrics(cardlab):
    command = ("simulate", "updown", "--matches", 20)
    rows = frame(cardlab(*command, "--csv"))
    metrics = cardlab(*command, "--json").json["metrics"]
    assert dict(zip(rows["metric"], rows["mean"], strict=True)) == pytest.approx(
        {name: metric["mean"] for name, metric in metrics.items()}
    )
