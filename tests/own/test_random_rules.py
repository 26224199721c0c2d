"""Random programs of rules play the same matches compiled and as ordinary Python."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from simcore.batch import Cell, _in_plain
from simcore.compiler.blocks import Columns, Player
from simcore.compiler.program import Refused
from simcore.errors import InputError
from simcore.game import get_game
from strategies import parse_strategy, policies
from tests.own.random_rules import Rules

MATCHES = 6
FIRST = (2, 18, 24)
"""Programs of the default tier: each is compiled, which takes seconds."""


def check(number: int, folder: Path) -> str:
    """Play a program both ways; return "plays", "refused" (with file and line) or "stops"."""
    name = Rules(number).write(folder)
    sys.modules.pop("tables", None)
    sys.path.insert(0, str(folder))
    try:
        game = get_game(name)
        options = game.resolve({"players": 2 + number % 3, "way": ("low", "high")[number % 2]})
        policies(game)
        lineup = ("thinker", "random") * 2
        seats = tuple(parse_strategy(game, lineup[seat]) for seat in range(options["players"]))
        cell = Cell(game, options, seats, number)
        player = Player(cell, 0)
    except Refused as refused:
        if not re.search(r", line \d+, in \w+: `", str(refused)):
            raise
        return "refused"
    finally:
        sys.path.remove(str(folder))
    out = Columns.of(cell, MATCHES)
    done = player.play(0, MATCHES, out, 0)
    if done < MATCHES:
        with pytest.raises(InputError):
            _in_plain(cell, 0, done, 1)
        out = out.rows(0, done)
    plain = _in_plain(cell, 0, 0, done)
    for mine, theirs in zip(plain, out, strict=True):
        np.testing.assert_array_equal(mine, theirs, err_msg=f"program {number}")
    return "plays" if done == MATCHES else "stops"


@pytest.mark.parametrize(
    "number",
    [*FIRST, *(pytest.param(n, marks=pytest.mark.whole) for n in range(30) if n not in FIRST)],
)
def test_random_rules_play_alike(number, tmp_path: Path):
    assert check(number, tmp_path) in ("plays", "stops")


@pytest.mark.long
def test_many_random_rules_play_alike(tmp_path: Path):
    outcomes = Counter[str]()
    for number in range(30, 3000):
        folder = tmp_path / str(number)
        folder.mkdir()
        outcomes[check(number, folder)] += 1
    assert outcomes["refused"] < 0.1 * outcomes.total()
