"""Each game and each of its policies plays the same in lanes as one match after another."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from simcore.batch import Cell, _Columns, play
from simcore.compiler.blocks import Player
from simcore.errors import PolicyError
from simcore.game import get_game
from simcore.jit import IN_PLAIN_PYTHON
from strategies import load_strategies, parse_strategy, policies
from strategies.registry import forget
from tests.contract.test_plain_and_compiled import GAMES, numbers, random_options

TOP = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
MATCHES = 41
EXAMPLES = sorted(map(str, (TOP / "docs/games").glob("*.py")))


def assert_same_rows(cell: Cell, lanes: int) -> None:
    """Play a cell in lanes and one by one, and compare."""
    one_by_one, side_by_side = _Columns(cell, MATCHES), _Columns(cell, MATCHES)
    assert Player(cell, 0).play(0, MATCHES, one_by_one.all(), 0) == MATCHES
    assert Player(cell, 0, lanes).play(0, MATCHES, side_by_side.all(), 0) == MATCHES
    for one, other in zip(one_by_one.all(), side_by_side.all(), strict=True):
        np.testing.assert_array_equal(one, other, err_msg=f"{cell.seats} {cell.options}")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", numbers(120))
def test_rows_are_the_same(name, number):
    chance = random.Random(f"lanes {name} {number}")  # noqa: S311
    game = get_game(name)
    options = random_options(game, chance)
    known = [one.name for one in policies(game) if not one.takes_policy]
    lineup = [chance.choice(known) for _ in range(options["players"])]
    seats = tuple(parse_strategy(game, one) for one in lineup)
    assert_same_rows(Cell(game, options, seats, seed=number), 8 if number % 2 else 4)


@pytest.mark.parametrize("file", EXAMPLES)
def test_rows_of_a_game_of_ones_own(file):
    game = get_game(file)
    options = game.resolve({})
    seats = (parse_strategy(game, "random"),) * options["players"]
    assert_same_rows(Cell(game, options, seats, seed=1), 4)


WRONG = """from simcore.language import *
from strategies import policy

@policy("updown", idea="plays what it has not, in one match")
def own_wrong(s, seat, moves):
    return 63 if s.match_number == 30 else lowest(moves)
"""


def test_an_illegal_move_is_told_as_one_by_one(monkeypatch, tmp_path):
    file, game, told = tmp_path / "own_wrong.py", get_game("updown"), []
    file.write_text(WRONG)
    load_strategies(file)
    options = game.resolve({})
    seats = (parse_strategy(game, "own_wrong"),) * options["players"]
    for lanes in ("0", "4"):
        monkeypatch.setenv("CARDLAB_LANES", lanes)
        with pytest.raises(PolicyError, match="match 30") as caught:
            play(Cell(game, options, seats, seed=1), 0, 50)
        told.append(str(caught.value))
    forget([one for one in policies(game) if one.name == "own_wrong"])
    assert told[0] == told[1]
