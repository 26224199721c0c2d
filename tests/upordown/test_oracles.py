"""The figures of the rules file, for all numbers of players."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.batch import Cell, play
from strategies import parse_strategy
from tests.players import RANDOM_PLAYER
from tests.upordown.following import UPORDOWN
from tests.upordown.position import position

PILES = {2: (21, 21), 3: (31, 32), 4: (42, 42), 5: (52, 53), 6: (51, 51)}
"""Face-up and face-down."""
TURNS = {2: 48, 3: 72, 4: 96, 5: 120, 6: 120}


@pytest.mark.parametrize("cards", range(1, 10))
def test_most_points_of_a_column(cards):
    column = " ".join(str(6 * card + 1) for card in range(cards))
    assert position(display=[column]).scores[0] == cards**2


def mean_draws(first: int, second: int) -> float:
    """Return how often both piles have cards when each is drawn from as likely."""
    means = np.zeros((first + 1, second + 1))
    for a in range(1, first + 1):
        for b in range(1, second + 1):
            means[a, b] = 1 + (means[a - 1, b] + means[a, b - 1]) / 2
    return float(means[first, second])


@pytest.mark.whole_but("4")
@pytest.mark.parametrize("players", PILES)
def test_decisions_of_random_play(players):
    """Three decisions a turn, but in each seat's first and last; draws as exactly known."""
    cell = Cell(UPORDOWN, UPORDOWN.resolve({"players": players}), (RANDOM_PLAYER,) * players, 3)
    columns = play(cell, 0, 20_000).columns()
    draws = columns["decisions"] - (3 * TURNS[players] - 2 * players)
    expected = mean_draws(*PILES[players])
    assert abs(draws.mean() - expected) < 5 * draws.std() / len(draws) ** 0.5
    assert (columns["forced"] == 2 * players).all()


@pytest.mark.whole_but("4")
@pytest.mark.parametrize("players", PILES)
def test_seats_are_alike(players):
    seats = (parse_strategy(UPORDOWN, "appender"),) * players
    cell = Cell(UPORDOWN, UPORDOWN.resolve({"players": players}), seats, 4)
    block = play(cell, 0, 6000)
    spread = block.scores.std(axis=1).max() * (2 / 6000) ** 0.5
    assert np.ptp(block.scores.mean(axis=1)) < 6 * spread


def test_as_likely_as_said_in_every_phase():
    """Each legal move with equal probability, in the block as in single steps."""
    p = position(hand="10 20 30", circle="1 2 3 4 5 6", display=["40 45", "7"], face_up="53 52",
                 face_down="51 50")  # fmt: skip
    for names in ((), ("20",), ("20", "upper"), ("20", "upper", "append 2")):
        here = p.copy().play(*names)
        moves = here.plain.moves(here.s)
        counts = dict.fromkeys(moves, 0)
        for _ in range(3000):
            counts[here.plain.random_move(here.s, moves)] += 1
        expected = 3000 / len(moves)
        assert all(abs(count - expected) < 5.5 * expected**0.5 for count in counts.values())
