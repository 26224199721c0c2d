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
    found = cardlab("tune", "up", "greedy", "--against", "greedy", *QUICK, "--json").json
    assert found["tuned"] is None
    assert found["clear"] is False
    assert found["gain"]["low"] <= 0 <= found["gain"]["high"]
    assert found["found"].startswith("greedy(")


def test_json(cardlab):
    found = cardlab("tune", "up", "shedder", *QUICK, "--json").json
    assert found["default"] == "shedder"
    assert found["gain"]["low"] <= found["gain"]["estimate"] <= found["gain"]["high"]
    assert found["tuned"] == (found["found"] if found["clear"] else None)
