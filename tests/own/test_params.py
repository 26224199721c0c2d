"""Policies of games in files have parameters, wherever they stand, as those of the five games."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlab
from cardlab import Param
from simcore.errors import InputError
from simcore.language import highest, lowest
from strategies import Policy, Strategy
from studies.run.tuning import _at
from tests.own.small import changed, text_of

GUESS = changed(text_of("guess.py"), ("    BODY\n", ""))
KEEPER = f"{GUESS}\n\n{text_of('keeper.py')}"


@pytest.fixture
def game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Make a folder with a game and a file of policies the present one."""
    monkeypatch.chdir(tmp_path)
    Path("guess.py").write_text(GUESS)
    Path("zero.py").write_text(text_of("zero.py"))
    return "guess.py"


def shares(game, lineup, **given):
    simulation = cardlab.simulate(game, players=2, lineup=lineup, matches=40, **given)
    return simulation.summary["win_share_by_strategy"]


def test_in_the_games_file(game):
    Path(game).write_text(KEEPER)
    (row,) = (row for row in cardlab.strategies(game).to_dicts() if row["policy"] == "keeper")
    assert row["parameters"] == ["rank=5"]
    assert row["idea"] == "low cards up to a rank"
    assert set(shares(game, ["keeper(rank=3)", "random"])) == {"keeper(rank=3)", "random"}
    with pytest.raises(InputError, match=r"rank = '13' of policy 'keeper' is refused.*0…12"):
        shares(game, ["keeper(rank=13)", "random"])


@pytest.mark.usefixtures("in_plain")
def test_in_a_file_of_policies_of_several_games(game):
    """The file also imports a decision of a third game, which it does not use."""
    assert "zero(high=1)" in shares(game, ["zero(high=1)", "random"], strategies="zero.py")
    assert "lowest_updown" in shares("updown", ["lowest_updown", "random"], strategies="zero.py")


@pytest.mark.usefixtures("in_plain")
def test_the_game_may_be_named_by_the_end_of_its_path(game, tmp_path):
    elsewhere = Path("games") / game
    elsewhere.parent.mkdir()
    Path(game).rename(elsewhere)
    for name in (str(elsewhere), str(tmp_path / elsewhere)):
        assert "zero" in shares(name, ["zero", "random"], strategies="zero.py")


@pytest.mark.usefixtures("in_plain")
def test_in_a_notebook(game):
    def eager(s, seat, moves, high):
        return highest(moves) if high > 0.5 else lowest(moves)

    high = Param("high", 0, 0, 1, "takes the highest")
    cardlab.policy(game, idea="one or the other end", params=[high])(eager)
    assert "eager(high=1)" in shares(game, ["eager(high=1)", "eager"])


@pytest.mark.usefixtures("in_plain")
def test_a_changed_game_has_them_too(game):
    Path(game).write_text(KEEPER)
    Path("extra.py").write_text(
        f'from cardlab.rules import *\n\ngame = "{game}"\n'
        '\n@policy(params=[Param("high", 0, 0, 1, "takes the highest")])\n'
        "def ends(s, seat, moves, high):\n"
        "    return highest(moves) if high > 0.5 else lowest(moves)\n"
    )
    lineup = ["keeper(rank=2)", "ends(high=1)"]
    assert set(shares(game, lineup, rules="extra.py")) == set(lineup)


def test_what_is_for_another_file_is_not_offered(game):
    Path("other.py").write_text(GUESS)
    with pytest.raises(InputError, match=r"unknown policy 'zero' for other\.py"):
        shares("other.py", ["zero", "random"], strategies="zero.py")


def test_hidden_cards_stay_hidden(game):
    peek = ("lowest(moves)\n", "lowest(s.hand[1 - seat])\n")
    Path("zero.py").write_text(changed(text_of("zero.py"), peek))
    with pytest.raises(InputError, match=r"zero.py, line \d+.*only its own seat"):
        shares(game, ["zero", "random"], strategies="zero.py")


def test_a_file_that_changed_has_the_policies_that_it_now_says(game):
    for text in (KEEPER, GUESS, KEEPER):
        Path(game).write_text(text)
        assert ("keeper" in cardlab.strategies(game)["policy"].to_list()) == (text == KEEPER)


@pytest.mark.usefixtures("in_plain")
def test_a_study_sweeps_them(game):
    Path(game).write_text(KEEPER)
    Path("ranks.toml").write_text(
        f'title = "How low?"\ngame = "{game}"\nmatches = 4\n[options]\nplayers = 2\n'
        '[sweep]\n"keeper.rank" = [3, 5]\n'
        '[[lineups]]\nname = "both"\nseats = ["keeper", "random"]\n'
    )
    run = cardlab.run("ranks.toml", "out")
    assert sorted(run.cells()["seat_0"]) == ["keeper(rank=3)", "keeper(rank=5)"]


@pytest.mark.whole  # `tune` imports for seconds
def test_they_are_tuned(game):
    Path(game).write_text(KEEPER)
    tuned = cardlab.tune(game, "keeper", players=2, budget=1_500, against="random")
    assert tuned.to_dict()["parameters"][0]["allowed"] == "0…12"


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ("1.5, 0, 3", "default 1.5 of parameter 'cards' is refused; allowed: a whole number"),
        ("1, 0.5, 3", "lowest value 0.5 of parameter 'cards' is refused; allowed: a whole number"),
    ],
)
def test_a_whole_parameter_has_whole_bounds(given: str, why: str):
    default, low, high = map(float, given.split(", "))
    with pytest.raises(InputError, match=re.escape(why)):
        Param("cards", default, low, high, "cards", whole=True)


def test_a_whole_parameter_takes_whole_numbers_only():
    cards = Param("cards", 2, 0, 7, "cards", whole=True)
    assert cards.parse("3", "keeper") == 3
    with pytest.raises(InputError, match="allowed: a whole number 0…7"):
        cards.parse("2.5", "keeper")


def test_a_search_for_parameters_tries_whole_numbers_of_a_whole_one():
    param = Param("cards", 2, 0, 7, "cards", whole=True)
    start = Strategy(Policy("up", "keeper", "keeps cards", lambda: 0, (param,)), {"cards": 2.0})
    tried = {_at(start, [param], [place / 50]).params["cards"] for place in range(51)}
    assert tried == set(range(8))
