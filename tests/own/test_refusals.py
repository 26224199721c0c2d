"""docs/explanation/compiling.md: its lines are refused as it says, and what stands beside plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simcore.batch import Cell, play
from simcore.errors import InputError
from simcore.game import get_game
from strategies import parse_strategy, policies
from tests.own.test_language import GAME

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "explanation" / "compiling.md"
EIGHTS = (ROOT / "docs" / "games" / "eights.py").read_text()
PLACES = {
    "rules": GAME,
    "play": GAME,
    "policy": f"{EIGHTS}\n\n@policy\ndef mine(s, seat, moves):\nBODY\n    return lowest(moves)\n",
}


def rows() -> list[tuple[str, str, str, str]]:
    """Return the rows of the page's tables: where a line stands, it, what is said, instead."""
    found = []
    for place, table in re.findall(
        r"^<!-- refused: (\w+) -->\n((?:\|.*\n)+)", PAGE.read_text(), re.MULTILINE
    ):
        for line in table.splitlines()[2:]:
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            wrong, said, right = (
                cell.replace("\\|", "|").removeprefix("``").removesuffix("``").strip()
                for cell in cells
            )
            found.append((place, wrong.strip("`"), said, right))
    return found


def cell_of(folder: Path, place: str, line: str) -> Cell:
    file = folder / "tried.py"
    file.write_text(PLACES[place].replace("BODY", f"    {line}"))
    game = get_game(str(file))
    options = game.resolve({})
    policies(game)
    name = "mine" if place == "policy" else "random"
    return Cell(game, options, (parse_strategy(game, name),) * options["players"], 1)


@pytest.mark.parametrize(("place", "wrong", "said", "right"), rows())
def test_what_is_refused_and_what_to_write(tmp_path, monkeypatch, place, wrong, said, right):
    monkeypatch.setattr("simcore.batch.warm_up", lambda *_args, **_kwargs: pytest.fail("accepted"))
    with pytest.raises(InputError) as refused:
        play(cell_of(tmp_path, place, wrong), 0, 20)
    message = str(refused.value)
    assert f"`{wrong}`: " in message
    assert said in message.partition(f"`{wrong}`: ")[2]
    if right.startswith("`"):
        monkeypatch.setattr("simcore.batch.warm_up", stop)
        with pytest.raises(Accepted):
            play(cell_of(tmp_path, place, right.strip("`")), 0, 20)


class Accepted(Exception):  # noqa: N818 (no error)
    """Twenty matches have been played as checked Python."""


def stop(*_args: object, **_kwargs: object) -> None:
    raise Accepted
