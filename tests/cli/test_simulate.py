"""`cardlab simulate`: the form of its JSON, and its numbers against the rows it writes."""

from __future__ import annotations

import json
import re
import statistics
import time

import pyarrow.parquet as pq
import pytest

from simcore.catalogue import get_game
from simcore.game import game_names
from strategies import policies
from studies.render import number, percent
from tests.patience import PATIENCE

KEYS = [
    "game",
    "options",
    "lineup",
    "matches",
    "seed",
    "seconds",
    "metrics",
    "win_share_by_position",
    "score_by_position",
    "win_share_by_strategy",
    "aborted",
]
INTERVALS = [
    "level",
    "decided",
    "even_share",
    "aborted_share",
    "win_rate_by_strategy",
    "win_rate_by_position",
    "score_by_position_interval",
    "metrics_interval",
]


@pytest.fixture(params=game_names())
def game(request):
    return get_game(request.param)


def without_seconds(result):
    return {key: value for key, value in result.json.items() if key != "seconds"}


def test_json_has_the_form_of_the_contract(cardlab, game):
    result = cardlab("simulate", game.name, "--matches", 300, "--json")
    assert (result.status, result.out.count("\n")) == (0, 1)
    data, players = result.json, game.players.default
    contract = KEYS + ["assumptions"] * bool(game.assumed({game.players.default}))
    assert list(data) == contract + INTERVALS
    assert data["game"] == game.name
    assert data["options"] == game.resolve({})
    assert data["lineup"] == ["random"] * players
    assert data["matches"] == 300
    assert data["seconds"] > 0
    assert list(data["metrics"]) == [
        *game.metric_names,
        "decisions",
        "forced",
        "score_sum",
        "winner_score",
        "winner_count",
    ]
    assert all(list(metric) == ["mean", "sd"] for metric in data["metrics"].values())
    assert len(data["win_share_by_position"]) == len(data["score_by_position"]) == players
    assert list(data["win_share_by_strategy"]) == ["random"]


@pytest.mark.whole_but("up", "uno")
def test_numbers_agree_with_the_rows(cardlab, game, tmp_path):
    names = [policy.name for policy in policies(game)][:2]
    out = tmp_path / "rows.parquet"
    lineup = ",".join(names)
    arguments = ("simulate", game.name, "--lineup", lineup, "--matches", 700, "--seed", 5)
    data = cardlab(*arguments, "--json", "--out", out).json
    rows = pq.read_table(out).to_pylist()
    seats = data["lineup"]
    assert seats == [names[seat % len(names)] for seat in range(len(seats))]

    by_position, by_strategy, winner_scores = [0.0] * len(seats), dict.fromkeys(names, 0.0), []
    for row in rows:
        winners = [seat for seat in range(len(seats)) if row["winners"] >> seat & 1]
        for seat in winners:
            by_position[(seat - row["first_seat"]) % len(seats)] += 1 / len(winners) / len(rows)
            by_strategy[seats[seat]] += 1 / len(winners) / len(rows)
        if winners:
            winner_scores.append(statistics.mean(row[f"score_{seat}"] for seat in winners))
    assert data["win_share_by_position"] == pytest.approx(by_position)
    assert data["win_share_by_strategy"] == pytest.approx(by_strategy)
    assert data["aborted"] == sum(row["aborted"] for row in rows)
    assert data["score_by_position"] == pytest.approx(
        [
            statistics.mean(row[f"score_{(row['first_seat'] + p) % len(seats)}"] for row in rows)
            for p in range(len(seats))
        ]
    )

    expected = {name: [row[name] for row in rows] for name in game.metric_names}
    expected["decisions"] = [row["decisions"] for row in rows]
    expected["forced"] = [row["forced"] for row in rows]
    expected["winner_count"] = [row["winners"].bit_count() for row in rows]
    expected["winner_score"] = winner_scores
    expected["score_sum"] = [sum(row[f"score_{s}"] for s in range(len(seats))) for row in rows]
    for name, values in expected.items():
        assert data["metrics"][name]["mean"] == pytest.approx(statistics.mean(values)), name
        assert data["metrics"][name]["sd"] == pytest.approx(statistics.stdev(values)), name


@pytest.mark.whole_but("up")
def test_result_depends_on_the_seed_and_not_on_threads(cardlab, game):
    arguments = ("simulate", game.name, "--matches", 2000, "--json")
    single = without_seconds(cardlab(*arguments, "--threads", 1, "--seed", 3))
    three = without_seconds(cardlab(*arguments, "--threads", 3, "--seed", 3))
    other = without_seconds(cardlab(*arguments, "--threads", 1, "--seed", 4))
    assert single == three
    assert single["metrics"] != other["metrics"]


def test_one_match_has_no_spread(cardlab, game):
    data = cardlab("simulate", game.name, "--matches", 1, "--json").json
    assert {metric["sd"] for metric in data["metrics"].values()} == {None}


def test_options_and_players_reach_the_game(cardlab):
    data = cardlab(
        "simulate", "up", "--players", 3, "--rule", "points_limit=300", "--rule",
        "dirty_one=always", "--matches", 50, "--json",
    ).json  # fmt: skip
    assert data["options"] == get_game("up").resolve(
        {"players": 3, "points_limit": 300, "dirty_one": "always"}
    )
    assert len(data["lineup"]) == 3


@pytest.mark.parametrize(("text", "count"), [("1_0", 10), ("2e1", 20), ("3E0", 3)])
def test_numbers_may_be_written_for_people(cardlab, text, count):
    assert cardlab("simulate", "up", "--matches", text, "--json").json["matches"] == count


def test_summary_shows_shares_with_intervals(cardlab, game):
    result = cardlab("simulate", game.name, "--matches", 400)
    assert result.status == 0
    for word in ("win rate", "Intervals are 95 %", "matches/s", *game.metric_names):
        assert word in result.out


CAPPED = (
    "simulate", "uno", "--rule", "turn_cap=100", "--lineup",
    "random_playable,all_rounder,hitter,hitter", "--matches", 400,
)  # fmt: skip


def test_shares_are_of_decided_matches_and_per_seat(cardlab, tmp_path):
    data = cardlab(*CAPPED, "--json", "--out", tmp_path / "rows.parquet").json
    rows = [row for row in pq.read_table(tmp_path / "rows.parquet").to_pylist() if row["winners"]]
    assert 0 < data["aborted"] == 400 - len(rows) == 400 - data["decided"]
    assert data["aborted_share"]["estimate"] == data["aborted"] / 400
    assert data["even_share"] == 0.25
    held = {"random_playable": {0}, "all_rounder": {1}, "hitter": {2, 3}}
    for name, seats in held.items():
        wins = sum(
            len(seats & set(winners)) / len(winners)
            for row in rows
            for winners in [[seat for seat in range(4) if row["winners"] >> seat & 1]]
        )
        told = data["win_rate_by_strategy"][name]
        assert told["estimate"] == pytest.approx(wins / len(rows) / len(seats))
        # Wilson's interval of independent matches, near enough: 400 deals are groups of their own.
        assert told["low"] < told["estimate"] < told["high"]
        share = wins / len(rows)
        half = 1.96 * (share * (1 - share) / len(rows)) ** 0.5 / len(seats)
        assert told["high"] - told["low"] == pytest.approx(2 * half, rel=0.1)
        assert data["win_share_by_strategy"][name] == pytest.approx(wins / 400)
    for position, told in enumerate(data["win_rate_by_position"]):
        assert told["estimate"] * len(rows) / 400 == pytest.approx(
            data["win_share_by_position"][position]
        )


def test_json_carries_every_interval_that_is_printed(cardlab):
    data, out = cardlab(*CAPPED, "--json").json, " ".join(cardlab(*CAPPED).out.split())
    shares = [*data["win_rate_by_strategy"].values(), *data["win_rate_by_position"]]
    for interval in shares:
        assert percent(interval["estimate"], interval["low"], interval["high"]) in out
    means = [*data["score_by_position_interval"], *data["metrics_interval"].values()]
    for interval in means:
        assert number(interval["estimate"], interval["low"], interval["high"]) in out
    assert f"Win rates are of the {data['decided']} decided matches" in out


def test_who_holds_all_seats_has_the_even_share(cardlab):
    data = cardlab("simulate", "up", "--lineup", "greedy", "--matches", 50, "--json").json
    even = data["even_share"]
    assert data["win_rate_by_strategy"]["greedy"] == {"estimate": even, "low": even, "high": even}


@pytest.mark.whole
def test_first_use_is_announced_and_compiling_is_not_counted(start_cardlab, tmp_path):
    arguments = ("simulate", "uno", "--matches", "100", "--threads", "2", "--json")
    cache = {"CARDLAB_CACHE": str(tmp_path)}
    announced, seconds = [], []
    for _ in ("compiles", "loads"):
        started = time.perf_counter()
        out, err = start_cardlab(*arguments, **cache).communicate(timeout=PATIENCE)
        announced.append(err.count("compiling"))
        seconds.append(time.perf_counter() - started)
        # Of a process that compiles, playing is a small part on any machine.
        seconds_told = json.loads(out)["seconds"]
        assert seconds_told < seconds[0] / 2
    assert announced in ([1, 0], [0, 0])  # where compiling takes less than a moment, none is told


def test_largest_seed_is_accepted(cardlab):
    seed = 2**63 - 1
    assert cardlab("simulate", "up", "--seed", seed, "--matches", 5, "--json").json["seed"] == seed


def test_minutes_are_told_of_the_length(cardlab):
    arguments = ("simulate", "up", "--matches", 200, "--seed", 3)
    plays = cardlab(*arguments, "--json").json["metrics"]["plays"]["mean"]
    told = re.search(r"A match takes ([\d.]+) ±", cardlab(*arguments, "--seconds", 30).out)
    assert float(told[1]) == pytest.approx(plays / 2, rel=0.01)
    assert cardlab(*arguments, "--seconds", 0).status == 2
