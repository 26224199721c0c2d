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
    command = ("tune", "up", "greedy", "--against", "greedy", *QUICK)
    result = cardlab(*command)
    lines = result.out.splitlines()
    assert "Nothing clearly better than greedy was found" in " ".join(lines[-2:])
    assert "tuned" not in result.out
    assert "gain" in result.out
    assert not any(line.startswith("greedy(") for line in lines)
    data = cardlab(*command, "--json").json
    assert (data["default"], data["tuned"], data["clear"]) == ("greedy", None, False)
    assert data["gain"]["low"] <= min(0, data["gain"]["estimate"])
    assert data["gain"]["high"] >= max(0, data["gain"]["estimate"])
    assert data["found"].startswith("greedy(")
    first, *rows = cardlab(*command, "--csv").out.splitlines()
    assert first == "parameter,before,found,allowed,meaning"
    names = [row["parameter"] for row in data["parameters"]]
    assert [row.partition(",")[0] for row in rows] == names
