"""What commands tell as tables they tell as JSON and CSV too, and never as both."""

from __future__ import annotations

import io

import polars as pl
import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from strategies import policies

FORMS = [
    (("games",), None),
    (("games", "uno"), "options"),
    (("strategies",), None),
    (("strategies", "up"), None),
]
"""Commands, and where in their JSON the rows of their CSV are."""


def frame(result):
    assert result.status == 0, result.err
    return pl.read_csv(io.StringIO(result.out))


@pytest.mark.parametrize(
    ("command", "place"), FORMS, ids=[" ".join(map(str, command[:2])) for command, _ in FORMS]
)
def test_json_and_csv_have_the_same_rows(cardlab, command, place):
    rows = frame(cardlab(*command, "--csv"))
    data = cardlab(*command, "--json").json
    data = data[place] if place else data
    first = rows.columns[0]
    assert rows.columns == list(data[0])
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


@pytest.fixture
def played(cardlab, tmp_path):
    """The directory of a small study."""
    study = tmp_path / "small.toml"
    study.write_text(
        'game = "updown"\nmatches = 60\n[variants.four]\nrounds = 4\n'
        '[[lineups]]\nname = "all"\nseats = ["random"]\n',
        "utf-8",
    )
    assert cardlab("run", study, "--out", tmp_path / "done").status == 0
    return tmp_path / "done"


def test_compare_tells_what_variants_change(cardlab, played):
    rows = frame(cardlab("compare", played, "--csv"))
    assert set(rows["variant"]) == {"baseline", "four"}
    assert {"estimate", "low", "high"} <= set(rows.columns)


@pytest.mark.whole
def test_check_tells_what_came_out_again(cardlab, played):
    data = cardlab("check", played, "--json").json
    assert (data["same"], data["difference"]) == (True, None)
    # Blocks are replayed in random order.
    rows = frame(cardlab("check", played, "--csv")).sort("part")
    assert rows.rows(named=True) == sorted(data["blocks"], key=lambda block: block["part"])
    assert sum(rows["matches"]) == 120


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


def test_simulate_tells_its_metrics(cardlab):
    command = ("simulate", "updown", "--matches", 20)
    rows = frame(cardlab(*command, "--csv"))
    metrics = cardlab(*command, "--json").json["metrics"]
    assert dict(zip(rows["metric"], rows["mean"], strict=True)) == pytest.approx(
        {name: metric["mean"] for name, metric in metrics.items()}
    )
