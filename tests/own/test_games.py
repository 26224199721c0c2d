"""Games in a file: those of docs/games, one of `cardlab new`, and one whose file is changed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlab
from simcore.batch import play
from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.replay import replay
from studies.check.gamecheck import check_game
from tests.own.small import EIGHTS, GAMES, cell_of, play_less, write


@pytest.mark.usefixtures("in_plain")
def test_a_round_of_hearts_has_26_points_or_three_times_as_many():
    block = play(cell_of(str(GAMES / "hearts.py"), "ducker,random", target=1), 0, 25)
    assert set(block.scores.sum(axis=0).tolist()) <= {26, 78}
    assert not block.aborted.any()


def test_moves_are_told_by_the_names_that_apply_gives_them():
    gin = list(replay(cell_of(str(GAMES / "gin.py"), "quick"), 0))
    assert any(re.search(r"^\d+\. seat \d discards [\dAJQK]+[♣♦♥♠]\.$", line) for line in gin)
    assert any(" leaves the pile; draws " in line for line in gin)
    assert any(" takes the top card; takes " in line for line in gin)
    farkle = list(replay(cell_of(str(GAMES / "farkle.py"), "careful", target=1000), 0))
    assert farkle[1:3] == ["The match ends when a player has reached 1000 points.", "Round 1."]
    assert any(re.search(r" rolls on; die: [\d ]+", line) for line in farkle)
    eights = list(replay(cell_of(EIGHTS, "saver,random"), 3, why=True))
    assert eights[1] == "Round 1: the cards are dealt."
    assert "with" in eights[-1]


def test_a_saver_of_dear_cards_beats_random_play():
    block = play(cell_of(EIGHTS, "random,saver"), 0, 4000)
    wins = [(block.winners >> seat & 1).mean() for seat in range(4)]
    assert wins[1] + wins[3] > wins[0] + wins[2] + 0.04


def test_a_changed_file_is_another_game(tmp_path: Path):
    first = get_game(write(tmp_path, "eights.py"))
    second = get_game(write(tmp_path, "eights.py", ("50", "40")))
    assert first.files({}) != second.files({})


def test_the_beginning_plays_and_passes_its_own_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = cardlab.new("my_game.py")
    assert file.read_text().startswith('"""My game: lay a card')
    told = cardlab.play("my_game.py", players=3, lineup=["highest_rank", "random"])
    assert "wins with" in told.lines[-1]
    play_less(monkeypatch)
    assert not [verdict for verdict in check_game("my_game.py") if verdict.failed]


@pytest.mark.parametrize("name", ["game", "game.txt", ".py"])
def test_a_beginning_is_a_python_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"is refused; allowed: a name as in mygame\.py"):
        cardlab.new(name)


def test_a_beginning_is_written_over_nothing(tmp_path):
    file = tmp_path / "game.py"
    file.write_text("mine")
    with pytest.raises(InputError, match="is there already and is kept"):
        cardlab.new(file)
    assert file.read_text() == "mine"
    with pytest.raises(InputError, match="cannot be written: No such file"):
        cardlab.new(tmp_path / "none" / "game.py")
