"""Checks of cardlab itself on this machine: `cardlab check --self`.

For every game: the rows of a block come out again on several threads, through the replay, which
plays move by move; and how quick it is. They are real matches at the usual
table, not recorded ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simcore.batch import Block, Cell, play
from simcore.compiler.plain import Match
from simcore.game import Game, game_names, get_game
from strategies import make_strategy, policies
from studies.check.speed import decisions_per_second

SEED = 2026
MATCHES = 400
REPLAYED = 3
SLOW = ("search",)
"""Policies that are left out: they take seconds a match."""


@dataclass(frozen=True)
class SelfCheck:
    """The result for one game.

    Attributes
    ----------
    matches : int
        Compared, row by row.
    differing : int
        Of these, matches that did not come out the same; 0 is as it must be.
    decisions_per_second : float
        Of uniform random play, one thread.
    """

    game: str
    matches: int
    differing: int
    decisions_per_second: float


def check_self() -> Iterator[SelfCheck]:
    """Check every game on this machine."""
    for name in game_names():
        mixed, *alone = _cells(get_game(name))
        random = alone[0]
        differing = matches = 0
        for cell, threads in ((mixed, 2), (random, 3)):
            differing += _replayed(cell)
            differing += _differing(play(cell, 0, MATCHES), play(cell, 0, MATCHES, threads=threads))
            matches += REPLAYED + MATCHES
        yield SelfCheck(name, matches, differing, decisions_per_second(random))


def _cells(game: Game) -> list[Cell]:
    """Return cells: several policies at a table, then each policy alone, random play first."""
    options = game.resolve({})
    players = options["players"]
    assert isinstance(players, int)
    known = [make_strategy(policy, {}) for policy in policies(game) if policy.name not in SLOW]
    mixed = tuple(known[seat % len(known)] for seat in range(players))
    seatings = [mixed, *((policy,) * players for policy in known)]
    return [Cell(game, options, seats, SEED) for seats in seatings]


def _replayed(cell: Cell) -> int:
    differing = 0
    for match in range(REPLAYED):
        playback = Match(cell, match)
        for _ in playback:
            pass
        row = {name: int(column[0]) for name, column in play(cell, match, 1).columns().items()}
        differing += playback.row() != row
    return differing


def _differing(block: Block, other: Block) -> int:
    columns = other.columns()
    differ = np.zeros(len(block), dtype=np.bool_)
    for name, column in block.columns().items():
        differ |= column != columns[name]
    return int(differ.sum())
