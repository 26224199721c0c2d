"""`cardlab tune`."""

from __future__ import annotations

QUICK = ("--players", 3, "--rule", "rounds=1", "--budget", 6000)


def test_the_last_line_is_a_strategy_that_is_clearly_better(cardlab):
    weak = "hoarder(tower=143)"
    result = cardlab("tune", "up", weak, "--against", "greedy", *QUICK[:-1], 20_000)
    tuned = result.out.splitlines()[-1]
    assert tuned.startswith("hoarder(")
    assert "fresh deals" in result.out
    assert "Nothing" not in result.out
    again = cardlab("simulate", "up", "--players", 3, "--matches", 5, "--lineup", tuned, "--json")
    assert again.json["lineup"] == [tuned] * 3


def test_nothing_is_recommended_where_the_gain_is_not_clear(cardlab):
    result = cardlab("tune", "up", "greedy", "--against", "greedy", *QUICK)
    lines = result.out.splitlines()
    assert "Nothing clearly better than greedy was found" in " ".join(lines[-2:])
    assert "tuned" not in result.out
    assert "gain" in result.out
    assert not any(line.startswith("greedy(") for line in lines)
    data = cardlab("tune", "up", "greedy", "--against", "greedy", *QUICK, "--json").json
    assert data["tuned"] is None
    assert data["clear"] is False
    assert data["gain"]["low"] <= 0 <= data["gain"]["high"]
    assert data["found"].startswith("greedy(")


def test_json_and_csv(cardlab):
    data = cardlab("tune", "up", "shedder", *QUICK, "--json").json
    assert data["default"] == "shedder"
    assert data["gain"]["low"] <= data["gain"]["estimate"] <= data["gain"]["high"]
    assert data["tuned"] == (data["found"] if data["clear"] else None)
    first, *rows = cardlab("tune", "up", "shedder", *QUICK, "--csv").out.splitlines()
    assert first == "parameter,before,found,allowed,meaning"
    names = [row["parameter"] for row in data["parameters"]]
    assert [row.partition(",")[0] for row in rows] == names
