"""Small matches of every game, policy and option, whose rows must be the same in every mode.

A mode is a way to play: compiled, or as ordinary Python with everything checked
(`CARDLAB_PLAIN=1`). `python -m tests.modes.rows FILE GAME…` plays the matches and writes their
rows to a file; the tests run it as a program, since the mode is chosen when cardlab is imported.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.game import Game
from strategies import policies
from studies.operations.arguments import make_cell
from tests.variants import Options, variants, with_needed, with_short

SEARCH = "search(rollouts=4,rollout=random)"


def cell_of(game: Game, lineup: str, options: Options) -> Cell:
    return make_cell(game, with_short(game, options), lineup, seed=11)


def small_cells(game: Game) -> Iterator[tuple[str, Cell]]:
    """Yield (label, cell): random play under every option's values, and every policy but search."""
    for label, options in variants(game):
        yield label, cell_of(game, "random", with_needed(game, options))
    for players in (game.players.low, game.players.high):
        yield f"players={players}", cell_of(game, "random", {"players": players})
    for policy in policies(game):
        if policy.name != "search":
            yield f"{policy.name},random", cell_of(game, f"{policy.name},random", {})


def cells_at_length(game: Game) -> Iterator[tuple[str, Cell]]:
    """Yield (label, cell): policies under every option's values, and at small and large tables."""
    names = [policy.name for policy in policies(game)]
    for label, options in variants(game):
        for name in names[1:4]:
            yield f"{label} {name}", cell_of(game, name, with_needed(game, options))
    for players in (game.players.low, game.players.high):
        for name in names:
            lineup = f"{SEARCH},random" if name == "search" else name
            if name != "search" or players == game.players.low:
                yield f"{lineup} of {players}", cell_of(game, lineup, {"players": players})
    yield "whole", make_cell(game, {}, names[1], seed=11)


def rows(names: list[str], *, at_length: bool = False) -> dict[str, np.ndarray]:
    """Return the rows of a match of all cells of some games, by label."""
    columns_by_label = {}
    for game in map(get_game, names):
        cells = [*small_cells(game), *(cells_at_length(game) if at_length else ())]
        for label, cell in cells:
            columns = play(cell, 1, 1).columns().values()
            columns_by_label[f"{game.name}: {label}"] = np.array(
                [column.astype(int) for column in columns]
            )
    return columns_by_label


def main() -> None:
    """Write the rows of some games to a file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--at-length", action="store_true")
    given = parser.parse_args()
    np.savez(given.file, **rows(given.games, at_length=given.at_length))  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
