"""Under every option of every game lanes give the rows of one match after another."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import fits_lanes, play
from strategies import make_strategy, policies
from tests.contract.test_games import CASES, cell_of, player_counts
from tests.players import RANDOM_PLAYER

MATCHES = 40


def seatings(game):
    """Yield random play, and all policies with a play spec round the table."""
    yield (RANDOM_PLAYER,)
    yield tuple(make_strategy(one, {}) for one in policies(game) if one.spec is not None)


@pytest.mark.parametrize(("game", "variant"), CASES)
def test_rows_do_not_depend_on_the_way_of_playing(game, variant):
    for players in player_counts(game, variant):
        for seats in seatings(game):
            cell = cell_of(game, seats, **({"players": players} | variant))
            if not fits_lanes(cell):
                continue
            rows = play(cell, 0, MATCHES, lanes=False).columns()
            for name, column in play(cell, 0, MATCHES).columns().items():
                different = np.flatnonzero(column != rows[name])
                assert not different.size, (
                    f"simcore/games/{game.name}: with {variant} and {players} players, match "
                    f"{different[0]} of {', '.join(map(str, seats))} has {name} = "
                    f"{column[different[0]]} in lanes and {rows[name][different[0]]} one by one"
                )
