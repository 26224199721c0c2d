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
    assert set(rows["variant"]) == {"four"}
    assert {"estimate", "low", "high"} <= set(rows.columns)


@pytest.mark.parametrize(
    "command",
    [*LISTS, ("compare", "nowhere"), ("plan", "quickstart", "--detect", "1"), ("bench", "up")],
    ids=" ".join,
)
def test_one_form_at_a_time(refused, command):
    assert "--json and --csv are both given" in refused(*command, "--json", "--csv")
