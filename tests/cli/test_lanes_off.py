"""`CARDLAB_LANES=off`: no match is played side by side, and the rows are the same."""

from __future__ import annotations

import pickle

import pytest

from simcore.batch import FEW_MATCHES, fits_lanes, pays_in_lanes, play
from simcore.errors import InputError
from simcore.game import game_names, get_game
from simcore.lanes import EIGHT_AT_ONCE
from simcore.ways import VARIABLE, lanes_allowed
from studies.design.cells import expand
from studies.operations.bench import measure_game
from studies.run.cluster import Luggage, describe_worker, play_abroad
from studies.run.executors import Task, compile_cells
from studies.run.pilot import pilot_totals
from studies.run.run import run_study
from tests.players import RANDOM_PLAYER
from tests.side_by_side import assert_same_rows, cell_of
from tests.studies.conftest import study


@pytest.fixture
def off(monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")


@pytest.fixture
def no_choice(monkeypatch):
    """Fail wherever a kernel for side by side might be chosen."""

    def chosen(*_records):
        raise AssertionError("a kernel for side by side may be chosen")

    for name in game_names():
        monkeypatch.setattr(get_game(name).room("kernel"), "block_kernel", chosen)


def at_random(name, rules=(), **other):
    return cell_of(get_game(name), dict(rules), RANDOM_PLAYER, **other)


@pytest.mark.parametrize("name", game_names())
def test_rows_are_the_same_and_no_lanes_are_chosen(name, monkeypatch, request):
    assert fits_lanes(at_random(name)) or not EIGHT_AT_ONCE
    beside = play(at_random(name), 0, 40)
    monkeypatch.setenv(VARIABLE, "off")
    request.getfixturevalue("no_choice")
    alone = play(at_random(name), 0, 40, threads=2)
    assert all((column == alone.columns()[key]).all() for key, column in beside.columns().items())
    assert not fits_lanes(at_random(name))


@pytest.mark.usefixtures("no_choice")
def test_a_caller_can_ask_for_one_after_another():
    play(at_random("up"), 0, 3, lanes=False)
    with pytest.raises(AssertionError, match="side by side"):
        play(at_random("up"), 0, 3)


@pytest.mark.usefixtures("off", "no_choice")
def test_every_use_keeps_to_it(cardlab):
    for arguments in (
        ("simulate", "up", "--matches", "20", "--threads", "2", "--json"),
        ("play", "up"),
    ):
        result = cardlab(*arguments)
        assert result.status == 0, result.err
    measure_game(at_random("up"), 1, 0.05)
    compile_cells(expand(study()))
    assert_same_rows(at_random("up"), at_random("up"), 0, 3)


@pytest.mark.usefixtures("no_choice")
def test_it_travels_with_a_task(monkeypatch):
    cell = expand(study())[0]

    def task():
        return Task((cell,), cell, 0, 5, describe_worker()["source"])

    monkeypatch.setenv(VARIABLE, "off")
    packed = pickle.dumps(task())
    monkeypatch.delenv(VARIABLE)
    assert play_abroad(pickle.loads(packed), Luggage()).parts  # noqa: S301 (packed here)
    with pytest.raises(AssertionError, match="side by side"):
        play_abroad(task(), Luggage())


@pytest.mark.parametrize(
    ("rules", "matches", "pays"),
    [
        ({}, 1, True),
        ({"target": 300, "players": 2}, 1, True),
        ({"stacking": "same"}, FEW_MATCHES - 1, False),
        ({"stacking": "same"}, FEW_MATCHES, True),
        ({"stacking": "off"}, 1, True),
    ],
)
def test_what_is_worth_a_kernel(rules, matches, pays):
    assert pays_in_lanes(at_random("uno", rules, planned=matches)) is pays
    assert pays_in_lanes(at_random("uno", rules))


@pytest.mark.usefixtures("no_choice")
def test_few_matches_under_a_house_rule_are_played_one_after_another(cardlab, tmp_path):
    rule = ("--rule", "hand_cards=3")
    assert cardlab("simulate", "up", "--matches", "20", *rule).status == 0
    tuned = ("shedder", "--players", "2", "--budget", str(FEW_MATCHES - 1))
    assert cardlab("tune", "up", *tuned, *rule).status == 0
    few = study(options={"hand_cards": 3}, matches=6)
    run_study(few, tmp_path / "few", threads=1)
    pilot_totals(expand(study(options={"hand_cards": 3}, matches=FEW_MATCHES)), 4, 1)
    with pytest.raises(AssertionError, match="side by side"):
        compile_cells(expand(study(options={"hand_cards": 3}, matches=FEW_MATCHES)))
    with pytest.raises(AssertionError, match="side by side"):
        run_study(study(matches=6), tmp_path / "usual", threads=1)


@pytest.mark.parametrize("text", ["0", "no", "OFF", " off"])
def test_anything_else_is_refused(cardlab, monkeypatch, text):
    monkeypatch.setenv(VARIABLE, text)
    with pytest.raises(InputError, match=f"^{VARIABLE} = '{text}' is refused; allowed: on .*, off"):
        play(at_random("up"), 0, 1)
    for arguments in (("simulate", "up", "--matches", "1"), ("play", "up"), ("warmup", "up")):
        result = cardlab(*arguments)
        assert result.status == 2
        assert result.err.startswith(f"cardlab: {VARIABLE} = '{text}' is refused")
        assert result.err.count("\n") == 1


@pytest.mark.parametrize(("text", "allowed"), [("on", True), ("", True), ("off", False)])
def test_on_is_the_default(monkeypatch, text, allowed):
    monkeypatch.setenv(VARIABLE, text)
    assert lanes_allowed() is allowed
    monkeypatch.delenv(VARIABLE)
    assert lanes_allowed()
