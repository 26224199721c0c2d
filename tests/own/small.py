"""Games of `games/` and docs/games, changed, written and played for tests."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest

from simcore.batch import Block, Cell, _in_plain
from simcore.catalogue import get_game
from simcore.compiler.blocks import Columns, Player
from simcore.match import Match
from studies.check import gamecheck
from studies.operations.arguments import make_cell
from tests.programs import ROOT

GAMES = ROOT / "docs" / "games"
EIGHTS = str(GAMES / "eights.py")


def text_of(name: str) -> str:
    """Return the text of a game's file."""
    beside = Path(__file__).parent / "games" / name
    return (beside if beside.exists() else GAMES / name).read_text(encoding="utf-8")


def changed(text: str, *changes: tuple[str, str]) -> str:
    """Return a text with some pieces replaced, each of which is there."""
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


def write(folder: Path, name: str, *changes: tuple[str, str], more: str = "") -> str:
    """Write a game to a folder, changed, with more at its end; return its path."""
    file = folder / name
    file.write_text(changed(text_of(name), *changes) + more, encoding="utf-8")
    return str(file)


def cell_of(name: str, lineup: str = "random", seed: int = 1, **options: object) -> Cell:
    return make_cell(get_game(name), options, lineup, seed=seed)


def play_less(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let `cardlab check` play a tenth of its matches as ordinary Python."""
    for name, count in {"MATCHES": 12, "DECISIONS": 300, "FEW_DECISIONS": 60}.items():
        monkeypatch.setattr(gamecheck, name, count)


def row_in_plain(cell: Cell, match: int) -> dict[str, int]:
    """Play a match as ordinary Python; return its row."""
    playback = Match(cell, match)
    for _ in playback.events(copies=False):
        pass
    return playback.row()


def rows_of(block: Block, matches: Iterable[int]) -> list[dict[str, int]]:
    columns = block.columns()
    return [{name: int(columns[name][match]) for name in columns} for match in matches]


def assert_played_alike(cell: Cell, matches: int, subject: object = None) -> int:
    """Fail unless matches are the same compiled; return how many were played to their end."""
    columns = Columns.of(cell, matches)
    done = Player(cell, 0).play(0, matches, columns, 0)
    for plain, compiled in zip(_in_plain(cell, 0, 0, done), columns.rows(0, done), strict=True):
        np.testing.assert_array_equal(plain, compiled, err_msg=str(subject))
    return done
