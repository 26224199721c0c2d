"""Seats differ in nothing but their place relative to the first one, in every game.

Where one policy plays all seats, which seat is called 0 decides nothing: scores have the same
distribution for all seats, and so has the seat that begins. Matches are independent, so tests of
matched pairs hold; seeds are fixed.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.game import game_names
from simcore.jit import IN_PLAIN_PYTHON
from strategies import parse_lineup, policies, seat_lineup

IMPROBABLE = 1e-8
"""Some eighty comparisons: one fails by chance with p < 1e-6."""

MATCHES = 20 if IN_PLAIN_PYTHON else 1000


def block_of(name, policy, players):
    game = get_game(name)
    resolved = game.resolve({"players": players})
    seats = seat_lineup(parse_lineup(game, policy), players)
    return play(Cell(game, resolved, seats, 77, general=True), 0, MATCHES)


@pytest.mark.whole_only("heuristic-[!u]*", "heuristic-up", "heuristic-uno", "heuristic-upordown")
@pytest.mark.parametrize("name", game_names())
@pytest.mark.parametrize("policy", [0, 1], ids=["random", "heuristic"])
def test_seats_are_alike(name, policy):
    game = get_game(name)
    for players in (game.players.low, game.players.default, game.players.high):
        block = block_of(name, policies(game)[policy].name, players)
        scores = block.scores.astype(float)
        for seat in range(1, players):
            assert stats.ttest_rel(scores[0], scores[seat]).pvalue > IMPROBABLE
            assert stats.ks_2samp(scores[0], scores[seat], method="asymp").pvalue > IMPROBABLE
        first = np.bincount(block.first_seat, minlength=players)
        assert stats.chisquare(first).pvalue > IMPROBABLE


@pytest.mark.whole
@pytest.mark.skipif(IN_PLAIN_PYTHON, reason="too few matches")
def test_an_advantage_would_be_noticed():
    """Of one seat that plays better."""
    block = block_of("uno", "random,dumper", 4)
    assert stats.ttest_rel(block.scores[0], block.scores[1]).pvalue < IMPROBABLE
