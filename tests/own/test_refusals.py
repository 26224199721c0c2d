"""docs/explanation/compiling.md: its lines are refused as it says, and what stands beside plays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from simcore.batch import Cell, play
from simcore.compiler.plain import Match
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


LATE = """
    if s.match_number >= 25 and way == {number}:
        wrong_{number}(s, seat, card)"""

HELPERS = """


def price(k):
    return PRICES[k]


def first_of(cards: cardset):
    return lowest(cards)


def drawn_late(s, seat):
    while s.stock:
        draw(s.stock, s.laid)
    return draw(s.stock, s.laid)


def endless(s, seat):
    x = 0
    while x < 5:
        x = draw(s.hand[seat], s.laid) - 60
    return x
"""

MORE = (
    "x = price(card + 6)",
    "x = first_of(s.laid - s.laid)",
    "x = drawn_late(s, seat)",
    "x = endless(s, seat)",
    "x = sum(9223372036854775807 for c in s.laid | s.hand[seat] | s.stock)",
    "x = len({c + 60 for c in s.laid | s.hand[seat] | s.stock})",
    "x = s.sums[after(seat, 1)][lowest(s.hand[seat])]",
)
"""What else is wrong: in helpers without the state, in loops that would not end."""


def test_compiled_code_tells_what_ordinary_python_tells(tmp_path: Path):
    wrong = [line for place, line, _, _ in rows() if place == "play" and "3_000_000" not in line]
    wrong += MORE
    late = "".join(LATE.format(number=number) for number in range(len(wrong)))
    functions = "".join(
        f"\n\n\ndef wrong_{number}(s, seat, card):\n    {line}" for number, line in enumerate(wrong)
    )
    text = GAME.replace("BODY", late).replace(
        "\nsize =", f'\nway = option(0, 0, {len(wrong)}, "what is wrong")\nsize ='
    )
    file = tmp_path / "late.py"
    file.write_text(text + HELPERS + functions)
    game = get_game(str(file))
    for number, line in enumerate(wrong):
        options = game.resolve({"way": number})
        cell = Cell(game, options, (parse_strategy(game, "random"),) * options["players"], 1)
        with pytest.raises(InputError) as told:
            play(cell, 0, 60)
        with pytest.raises(InputError) as expected:
            in_plain(cell, range(25, 60))
        assert str(told.value) == str(expected.value), line
        assert re.search(r"late\.py, line \d+, in \w+: .*\(match \d+, seed 1", str(told.value)), (
            line
        )
        assert len(play(cell, 0, 25)) == 25


def in_plain(cell: Cell, matches: range) -> None:
    for match in matches:
        for _ in Match(cell, match):
            pass


class Accepted(Exception):  # noqa: N818 (no error)
    """Twenty matches have been played as checked Python."""


def stop(*_args: object, **_kwargs: object) -> None:
    raise Accepted
