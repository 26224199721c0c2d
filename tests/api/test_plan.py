"""`cardlab.plan`: what the command tells, as an object."""

from __future__ import annotations

import json

import pytest

import cardlab

SHORT = {
    "game": "uno",
    "matches": 300,
    "options": {"players": 2, "rounds": 1},
    "variants": {"low": {"hand_size": 5}},
    "lineups": [{"name": "one", "seats": ["random_playable"]}],
}


def test_it_shows_itself_and_says_the_same_everywhere():
    planned = cardlab.plan(SHORT, detect="win_rate=5", power=0.9, pilot=60)
    data = json.loads(planned.to_json())
    assert data == planned.to_dict()
    assert (data["detect"], data["power"], data["game"]) == (5, 0.9, "uno")
    assert data["matches"] == planned.matches == planned.cells["deals"].max()
    assert planned.cells["matches"].item() == planned.matches
    assert planned.cells["tests"].item() == 2
    assert f"{planned.matches:,} deals" in repr(planned)
    assert "<table" in planned._repr_html_()


def test_results_are_a_pilot(tmp_path):
    results = cardlab.run(SHORT, tmp_path / "short", matches=80)
    planned = cardlab.plan(results, half_width={"turns": 2})
    assert planned.pilot == 80
    assert planned.matches == cardlab.plan(tmp_path / "short", half_width="turns=2").matches
    with pytest.raises(cardlab.InputError, match="set is refused for the study directory"):
        cardlab.plan(results, detect=1, set={"seed": 2})
    with pytest.raises(cardlab.InputError, match="pilot 50 would do nothing for the study direct"):
        cardlab.plan(results, detect=1, pilot=50)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "detect and half_width are both missing; allowed: one of them"),
        ({"detect": float("nan")}, "detect nan is refused; allowed: a number above 0"),
        ({"detect": {"score": 1, "turns": 1}}, "allowed: one name with its amount"),
        ({"half_width": {"turn": 1}}, "unknown half_width name 'turn'.*did you mean 'turns'"),
        ({"detect": 1, "pilot": 2.5}, "pilot 2.5 is refused; allowed: a whole number 20"),
    ],
)
def test_refusals(arguments, message):
    with pytest.raises(cardlab.InputError, match=message):
        cardlab.plan(SHORT, **arguments)
