"""Each game and each of its policies plays the same compiled and as ordinary Python."""

from __future__ import annotations

import random
from typing import Any

import pytest

from simcore.batch import Cell, _in_plain
from simcore.compiler.blocks import Columns, Player
from simcore.game import get_game
from simcore.jit import IN_PLAIN_PYTHON
from simcore.options import BoolOption, ChoiceOption, IntOption
from strategies import parse_strategy, policies

pytestmark = pytest.mark.skipif(IN_PLAIN_PYTHON, reason="nothing is compiled")
GAMES = ("updown", "dnup", "uno", "up", "upordown")
MATCHES = 3


def random_options(game: Any, chance: random.Random) -> dict[str, Any]:
    """Return options of which some are not as usual; combinations that are refused are left out."""
    for _ in range(50):
        given: dict[str, object] = {}
        for one in game.options:
            if one.name != "players" and chance.random() < 0.7:
                continue
            if isinstance(one, ChoiceOption):
                given[one.name] = chance.choice(one.values)
            elif isinstance(one, BoolOption):
                given[one.name] = chance.random() < 0.5
            elif isinstance(one, IntOption):
                given[one.name] = chance.randint(one.low, min(one.high, one.low + 8))
        try:
            return game.resolve(given)  # type: ignore[no-any-return]
        except ValueError:
            continue
    return game.resolve({})  # type: ignore[no-any-return]


def strategies_of(game: Any) -> list[str]:
    """Return all policies as texts; those that search do it with few deals."""
    return [f"{one.name}(rollouts=5)" if one.takes_policy else one.name for one in policies(game)]


def numbers(most: int) -> list[Any]:
    """Return numbers of random cases: one by default, three in `whole`, the rest in `long`."""
    return [
        0,
        *(pytest.param(n, marks=pytest.mark.whole) for n in range(1, 4)),
        *(pytest.param(n, marks=pytest.mark.long) for n in range(4, most)),
    ]


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("number", numbers(60))
def test_rows_are_the_same(name, number):
    chance = random.Random(f"{name} {number}")  # noqa: S311
    game = get_game(name)
    options, known = random_options(game, chance), strategies_of(game)
    first = number * 5
    lineup = [known[(first + seat) % len(known)] for seat in range(options["players"])]
    cell = Cell(game, options, tuple(parse_strategy(game, one) for one in lineup), seed=number)
    out = Columns.of(cell, MATCHES)
    assert Player(cell, 0).play(0, MATCHES, out, 0) == MATCHES
    assert _in_plain(cell, 0, 0, MATCHES).begins(out), f"{lineup} {options}"


@pytest.mark.parametrize("name", GAMES)
def test_one_kernel_serves_all_tables(name):
    game = get_game(name)
    kernels = set()
    for players in (2, 3, 4):
        options = game.resolve({"players": players})
        for one in strategies_of(game)[:2]:
            cell = Cell(game, options, (parse_strategy(game, one),) * players, seed=1)
            kernels.add(Player(cell, 0).kernel.address)
    assert len(kernels) == 1
