"""What `cardlab check GAME.py` finds: nothing in a sound game, and each fault with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from simcore.errors import InputError
from simcore.game import get_game
from strategies import policies
from studies.check import gamecheck

EIGHTS = (Path(__file__).resolve().parents[2] / "docs" / "games" / "eights.py").read_text()


def found(folder: Path, test: str, old: str, new: str, lineup: str = "saver") -> str:
    assert old in EIGHTS
    file = folder / "faulty.py"
    file.write_text(EIGHTS.replace(old, new))
    game = get_game(str(file))
    policies(game)
    try:
        why: str = getattr(gamecheck, test)(game, [lineup])
    except InputError as error:  # as `check_game` tells it
        return str(error)
    return why


@pytest.mark.parametrize("test", ["_cards_stay", "_blind", "_told"])
def test_a_sound_game_passes(tmp_path: Path, test: str):
    assert found(tmp_path, test, "POINTS", "POINTS") == ""


@pytest.mark.parametrize(
    ("test", "old", "new", "told"),
    [
        (
            "_cards_stay",
            "= suit(s.top), 0\n",
            "= suit(s.top), 0\n    bring({0, 1}, s.pile)\n",
            "lies in",
        ),
        (
            "_cards_stay",
            "    move(card, s.hand[seat], s.pile)\n",
            "    move(card, s.hand[seat], s.pile)\n    bring({card}, s.stock)\n",
            "lies in",
        ),
        (
            "_blind",
            "return s.hand[seat] & (",
            "return s.hand[seat] & (of_rank(len(s.hand[after(seat, 1)] & of_suit(0))) | ",
            "which moves are legal depends on cards that the seat does not see",
        ),
    ],
)
def test_a_fault_is_found_with_its_place(tmp_path: Path, test: str, old: str, new: str, told: str):
    why = found(tmp_path, test, old, new)
    assert told in why
    assert "(match " in why


@pytest.mark.whole
@pytest.mark.parametrize(
    ("test", "old", "new", "told"),
    [
        (
            "_matches_end",
            "return not s.hand[seat] or s.passes == players",
            "return False",
            "no end",
        ),
        ("_best_wins", "players = 2, 7\n", 'players = 2, 7\nbest = "lowest"\n', ""),
    ],
)
def test_a_fault_of_whole_matches(tmp_path: Path, test: str, old: str, new: str, told: str):
    why = found(tmp_path, test, old, new, "random")
    assert told in why if told else why == ""
