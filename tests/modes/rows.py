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
from simcore.game import Game, get_game
from strategies import parse_lineup, policies, seat_lineup
from tests.cases import Cases
from tests.contract.test_games import is_allowed, variants, with_needed

SHORT = Cases(
    "tests/modes/rows.py: SHORT",
    "options under which a match is short, or {}",
    {
        "up": {"rounds": 1, "play_cap": 150},
        "updown": {"rounds": 1},
        "uno": {"rounds": 1, "turn_cap": 200},
        "dnup": {"turn_cap": 150},
        "upordown": {},
    },
)
"""Options under which a match is short; those of a variant go first."""

SEED = 11
SEARCH = "search(rollouts=4,rollout=random),random"


def cell_of(game: Game, lineup: str, options: dict[str, object]) -> Cell:
    resolved = game.resolve(options)
    seats = seat_lineup(parse_lineup(game, lineup), int(resolved["players"]))
    return Cell(game, resolved, seats, SEED)


def with_short(game: Game, variant: dict[str, object]) -> dict[str, object]:
    """Return a variant with as many of the short options as go with it."""
    options = dict(variant)
    for name, value in SHORT[game.name].items():
        if is_allowed(game, {name: value} | options):
            options = {name: value} | options
    return options


def labelled(game: Game) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield (label, options): short matches under every option's values that the pack allows."""
    for variant in variants(game):
        goes = with_needed(game, variant)
        if is_allowed(game, goes):
            label = ",".join(f"{name}={value}" for name, value in variant.items()) or "defaults"
            yield label, with_short(game, goes)


def cells_of_options(game: Game) -> Iterator[tuple[str, Cell, int]]:
    """Yield (label, cell, matches): random play under every option's values."""
    for label, options in labelled(game):
        yield label, cell_of(game, "random", options), 1
    for players in (game.players.low, game.players.high):
        options = with_short(game, {"players": players})
        yield f"players={players}", cell_of(game, "random", options), 1


def cells_of_policies(game: Game) -> Iterator[tuple[str, Cell, int]]:
    """Yield (label, cell, matches): every policy but the search at the default options."""
    for policy in policies(game):
        if policy.name != "search":
            lineup = f"{policy.name},random"
            yield lineup, cell_of(game, lineup, with_short(game, {})), 1


def cells_at_length(game: Game) -> Iterator[tuple[str, Cell, int]]:
    """Yield (label, cell, matches): whole matches, every policy at small and large tables."""
    for label, options in labelled(game):
        for policy in policies(game)[1:4]:
            yield f"{label} {policy.name}", cell_of(game, policy.name, options), 1
    for players in (game.players.low, game.players.high):
        for policy in policies(game):
            lineup = SEARCH if policy.name == "search" else policy.name
            if policy.name == "search" and players == game.players.high:
                continue
            options = with_short(game, {"players": players})
            yield f"{lineup} of {players}", cell_of(game, lineup, options), 1
    yield "whole", cell_of(game, policies(game)[1].name, {}), 1


def rows(name: str, *, at_length: bool = False) -> dict[str, np.ndarray]:
    """Return the rows of all cells of a game by label."""
    game = get_game(name)
    cells = [*cells_of_options(game), *cells_of_policies(game)]
    if at_length:
        cells += cells_at_length(game)
    return {f"{name}: {label}": row(cell, matches) for label, cell, matches in cells}


def row(cell: Cell, matches: int) -> np.ndarray:
    """Return the columns of some matches, one below the other."""
    columns = play(cell, 1, matches).columns().values()
    return np.array([column.astype(np.int64) for column in columns])


def main() -> None:
    """Write the rows of some games to a file."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("games", nargs="+")
    parser.add_argument("--at-length", action="store_true")
    given = parser.parse_args()
    found: dict[str, np.ndarray] = {}
    for name in given.games:
        found |= rows(name, at_length=given.at_length)
    np.savez(given.file, **found)  # type: ignore[arg-type]


if __name__ == "__main__":
    main()
