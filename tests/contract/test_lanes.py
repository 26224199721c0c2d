"""Each game and each of its policies plays the same in lanes as one match after another."""

from __future__ import annotations

import random

import numpy as np
import pytest

from simcore.batch import Cell, _Columns
from simcore.compiler.blocks import Player
from simcore.game import get_game
from simcore.jit import JIT_DISABLED
from strategies import parse_strategy, policies
from tests.contract.test_plain_and_compiled import GAMES, random_options

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
MATCHES = 41
EXAMPLES = ("docs/games/eights.py",)


def assert_same_rows(cell: Cell, lanes: int) -> None:
    """Play a cell in lanes and one by one, and compare."""
    one_by_one, side_by_side = _Columns(cell, MATCHES), _Columns(cell, MATCHES)
    assert Player(cell, 0).play(0, MATCHES, one_by_one.all(), 0) == MATCHES
    assert Player(cell, 0, lanes).play(0, MATCHES, side_by_side.all(), 0) == MATCHES
    for one, other in zip(one_by_one.all(), side_by_side.all(), strict=True):
        np.testing.assert_array_equal(one, other, err_msg=f"{cell.seats} {cell.options}")


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "number",
    [
        0,
        *(pytest.param(n, marks=pytest.mark.whole) for n in range(1, 4)),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(4, 120)),
    ],
)
def test_rows_are_the_same(name, number):
    chance = random.Random(f"lanes {name} {number}")  # noqa: S311
    game = get_game(name)
    options = random_options(game, chance)
    known = [one.name for one in policies(game) if not one.takes_policy]
    lineup = [chance.choice(known) for _ in range(options["players"])]
    seats = tuple(parse_strategy(game, one) for one in lineup)
    assert_same_rows(Cell(game, options, seats, seed=number), 8 if number % 2 else 4)
