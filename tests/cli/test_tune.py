"""`cardlab tune`."""

from __future__ import annotations

QUICK = ("--players", 3, "--rule", "rounds=1", "--budget", 6000)


def test_the_last_line_is_a_strategy(cardlab):
    result = cardlab("tune", "up", "shedder", "--against", "greedy,random", *QUICK)
    tuned = result.out.splitlines()[-1]
    assert tuned.startswith("shedder(cards=")
    assert "fresh deals" in result.out
    again = cardlab("simulate", "up", "--players", 3, "--matches", 5, "--lineup", tuned, "--json")
    assert again.json["lineup"] == [tuned] * 3


def test_json(cardlab):
    found = cardlab("tune", "up", "shedder", *QUICK, "--json").json
    assert found["default"] == "shedder"
    assert found["gain"]["low"] <= found["gain"]["estimate"] <= found["gain"]["high"]


def test_bad_input(refused):
    assert "did you mean 'hoarder'" in refused("tune", "up", "horder")
    assert "no parameter left" in refused("tune", "up", "random")
    assert "too few matches" in refused("tune", "up", "shedder", "--budget", 10)
    assert "--budget" in refused("tune", "up", "shedder", "--budget", "much")
