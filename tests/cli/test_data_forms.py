"""What commands tell as tables they tell as JSON and CSV too, and never as both."""

from __future__ import annotations

import io

import polars as pl
import pytest

from simcore.game import game_names, get_game
from strategies import policies

LISTS = [("games",), ("games", "uno"), ("strategies",), ("strategies", "up"), ("studies",)]


def frame(done):
    assert done.status == 0, done.err
    return pl.read_csv(io.StringIO(done.out))


@pytest.mark.parametrize("command", LISTS, ids=" ".join)
def test_lists_have_the_same_rows_as_json_and_as_csv(cardlab, command):
    rows = frame(cardlab(*command, "--csv"))
    told = cardlab(*command, "--json").json
    told = told["options"] if command == ("games", "uno") else told
    assert rows.columns == list(told[0])
    first = rows.columns[0]
    assert rows[first].to_list() == [row[first] for row in told]


def test_games_tell_all_of_a_game(cardlab):
    assert frame(cardlab("games", "--csv"))["game"].to_list() == list(game_names())
    told = cardlab("games", "uno", "--json").json
    game = get_game("uno")
    assert [own["option"] for own in told["options"]] == [own.name for own in game.options]
    assert [own["metric"] for own in told["metrics"]] == list(game.metric_names)
    assert [own["clause"] for own in told["clauses"]] == [own.name for own in game.clauses]


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
    told = cardlab("check", tmp_path / "done", "--json").json
    assert (told["same"], told["difference"]) == (True, None)
    rows = frame(cardlab("check", tmp_path / "done", "--csv"))
    assert rows.rows(named=True) == told["blocks"]
    assert sum(rows["matches"]) == 60


@pytest.mark.whole
@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_check_tells_how_policies_are_examined(cardlab, tmp_path, form):
    name = "first"
    own = tmp_path / "own.py"
    own.write_text(
        "import strategies\nfrom simcore.games.up.rules import PLAY, lowest, nth_play\n\n\n"
        "@strategies.policy('up', idea='makes its first legal move')\n"
        f"def {name}(s, seat, moves):\n"
        "    return nth_play(s, seat, 0) if s.phase == PLAY else lowest(moves)\n",
        "utf-8",
    )
    done = cardlab("check", "--strategies", own, form)
    if form == "--json":
        told = done.json
        assert told["failed"] == 0
        rows = pl.DataFrame(told["tests"])
    else:
        rows = frame(done)
    assert set(rows["policy"]) == {name}
    assert (rows["verdict"] == "passed").all()
    assert len(rows) > 2


def test_tune_tells_each_parameter(cardlab):
    asked = ("tune", "up", "shedder", "--players", 3, "--rule", "rounds=1", "--budget", 6000)
    told = cardlab(*asked, "--json").json["parameters"]
    rows = frame(cardlab(*asked, "--csv"))
    assert rows.columns == ["parameter", "before", "found", "allowed", "meaning"]
    assert rows["parameter"].to_list() == [one["parameter"] for one in told]


def test_simulate_tells_its_metrics(cardlab):
    asked = ("simulate", "updown", "--matches", 20)
    rows = frame(cardlab(*asked, "--csv"))
    told = cardlab(*asked, "--json").json["metrics"]
    assert dict(zip(rows["metric"], rows["mean"], strict=True)) == pytest.approx(
        {name: own["mean"] for name, own in told.items()}
    )
