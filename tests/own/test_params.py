"""Policies of games in files have parameters, wherever they stand, as those of the five games."""

from __future__ import annotations

from pathlib import Path

import pytest

import cardlab
from cardlab import Param
from simcore.errors import InputError
from simcore.language import highest, lowest
from tests.own.test_language import GAME as TEMPLATE

ROOT = Path(__file__).resolve().parents[2]
GAME = TEMPLATE.replace("simcore.language", "cardlab.rules").replace("BODY\n", "")
FARKLE = ROOT / "docs" / "games" / "farkle.py"

THRESHOLD = """

@policy(idea="low cards up to a rank", params=[Param("rank", 5, 0, 12, "lowest rank kept")])
def keeper(s, seat, moves, rank):
    low = {card for card in moves if card // 4 < rank}
    return lowest(low or moves)
"""

ZERO = """
from cardlab import Param, policy
from simcore.language import highest, lowest
from simcore.games.uno.state import COLOUR


@policy("tried.py", idea="the lowest", params=[Param("high", 0, 0, 1, "takes the highest")])
def zero(s, seat, moves, high):
    return highest(moves) if high > 0.5 else lowest(moves)


@policy("updown", idea="lowest of UP & DOWN")
def lowest_updown(s, seat, moves):
    return lowest(moves)
"""


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A folder, which is the present one, with a game and a file of policies."""
    monkeypatch.chdir(tmp_path)
    Path("tried.py").write_text(GAME)
    Path("zero.py").write_text(ZERO)
    return "tried.py"


def shares(game, lineup, **given):
    found = cardlab.simulate(game, players=2, lineup=lineup, matches=100, **given)
    return found.summary["win_share_by_strategy"]


def test_in_the_games_file(game):
    Path(game).write_text(GAME + THRESHOLD)
    (row,) = (one for one in cardlab.strategies(game).to_dicts() if one["policy"] == "keeper")
    assert row["parameters"] == ["rank=5"]
    assert row["idea"] == "low cards up to a rank"
    assert set(shares(game, ["keeper(rank=3)", "random"])) == {"keeper(rank=3)", "random"}
    with pytest.raises(InputError, match=r"rank = '13' of policy 'keeper' is refused.*0…12"):
        shares(game, ["keeper(rank=13)", "random"])


def test_in_a_file_of_policies_of_several_games(game):
    """The file also imports a decision of a third game, which it does not use."""
    assert "zero(high=1)" in shares(game, ["zero(high=1)", "random"], strategies="zero.py")
    assert "lowest_updown" in shares("updown", ["lowest_updown", "random"], strategies="zero.py")


def test_the_game_may_be_named_by_the_end_of_its_path(game, tmp_path):
    there = Path("games") / game
    there.parent.mkdir()
    Path(game).rename(there)
    for name in (str(there), str(tmp_path / there)):
        assert "zero" in shares(name, ["zero", "random"], strategies="zero.py")


def test_in_a_notebook(game):
    def eager(s, seat, moves, high):
        return highest(moves) if high > 0.5 else lowest(moves)

    high = Param("high", 0, 0, 1, "takes the highest")
    cardlab.policy(game, idea="one or the other end", params=[high])(eager)
    assert "eager(high=1)" in shares(game, ["eager(high=1)", "eager"])


def test_a_changed_game_has_them_too(game):
    Path(game).write_text(GAME + THRESHOLD)
    Path("extra.py").write_text(
        f'from cardlab.rules import *\n\ngame = "{game}"\n'
        '\n@policy(params=[Param("high", 0, 0, 1, "takes the highest")])\n'
        "def ends(s, seat, moves, high):\n"
        "    return highest(moves) if high > 0.5 else lowest(moves)\n"
    )
    found = shares(game, ["keeper(rank=2)", "ends(high=1)"], rules="extra.py")
    assert set(found) == {"keeper(rank=2)", "ends(high=1)"}


def test_what_is_for_another_file_is_not_offered(game):
    Path("other.py").write_text(GAME)
    with pytest.raises(InputError, match=r"unknown policy 'zero' for other\.py"):
        shares("other.py", ["zero", "random"], strategies="zero.py")


def test_hidden_cards_stay_hidden(game):
    Path("zero.py").write_text(ZERO.replace("lowest(moves)\n", "lowest(s.hand[1 - seat])\n", 1))
    with pytest.raises(InputError, match=r"zero.py, line 9.*only its own seat"):
        shares(game, ["zero", "random"], strategies="zero.py")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("@policy(params=[Param('rank', 5, 6, 12, 'x')])", "allowed: 6…12, its bounds"),
        ("@policy(params=[7])", "parameter 7 of policy 'keeper' is refused"),
        ("@policy(params=[Param('low', 5, 0, 12, 'x')])", "must be def keeper"),
        ("@policy('tried.py', idea='x')", "write `from cardlab import policy`"),
    ],
)
def test_mistakes_in_the_games_file(game, wrong, said):
    marked = '@policy(idea="low cards up to a rank", params='
    line = THRESHOLD.strip().splitlines()[0]
    assert line.startswith(marked)
    Path(game).write_text(GAME + THRESHOLD.replace(line, wrong))
    with pytest.raises(InputError) as refused:
        cardlab.strategies(game)
    assert said in str(refused.value)
    assert "tried.py, line" in str(refused.value)


def test_an_answer_takes_numbers_of_its_policy(game):
    Path(game).write_text(
        GAME + THRESHOLD + "\n@answers('keeper', to='move')\ndef more(s, seat, moves, rnak):\n"
        "    return lowest(moves)\n"
    )
    with pytest.raises(InputError, match=r"tried.py, line \d+.*def keeper\(s, seat, moves, rank\)"):
        cardlab.strategies(game)


def test_a_file_that_changed_has_the_policies_that_it_now_says(game):
    for text, there in ((GAME + THRESHOLD, True), (GAME, False), (GAME + THRESHOLD, True)):
        Path(game).write_text(text)
        assert ("keeper" in cardlab.strategies(game)["policy"].to_list()) == there


def test_farkle_is_asked_when_to_bank(tmp_path):
    """By a sweep, and by `tune`: at 300 points or at 500?"""
    study = tmp_path / "bank.toml"
    study.write_text(
        f'title = "When to bank?"\ngame = "{FARKLE}"\nmatches = 40\n[options]\nplayers = 2\n'
        'target = 1_000\n[sweep]\n"careful.bank" = [300, 500]\n'
        '[[lineups]]\nname = "both"\nseats = ["careful", "random"]\n'
    )
    run = cardlab.run(study, tmp_path / "out")
    assert sorted(run.cells()["seat_0"]) == ["careful(bank=300)", "careful(bank=500)"]
    tuned = cardlab.tune(
        str(FARKLE), "careful", players=2, options={"target": 1_000}, budget=1_500, against="random"
    )
    assert tuned.to_dict()["parameters"][0]["allowed"] == "0…2000"
