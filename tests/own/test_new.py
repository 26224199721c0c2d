"""`cardlab new`: the beginning of a game of one's own."""

from __future__ import annotations

import pytest

import cardlab
from simcore.errors import InputError
from studies.check.gamecheck import check_game


def test_the_beginning_plays_and_passes_its_own_check(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = cardlab.new("my_game.py")
    assert file.read_text().startswith('"""My game: lay a card')
    sim = cardlab.simulate("my_game.py", players=3, lineup=["highest_rank", "random"], matches=300)
    assert sim.rows().collect()["aborted"].sum() == 0
    failed = [found for found in check_game("my_game.py") if found.failed]
    assert not failed


@pytest.mark.parametrize("name", ["game", "game.txt", ".py"])
def test_it_is_a_python_file(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError, match=r"is refused; allowed: a name as in mygame\.py"):
        cardlab.new(name)


def test_nothing_is_written_over(tmp_path):
    file = tmp_path / "game.py"
    file.write_text("mine")
    with pytest.raises(InputError, match="is there already and is kept"):
        cardlab.new(file)
    assert file.read_text() == "mine"
    with pytest.raises(InputError, match="cannot be written: No such file"):
        cardlab.new(tmp_path / "none" / "game.py")
