"""Rows of cells drawn at random, kept as hashes: a change of the compiler must not change a row.

`rows.json` has a line a cell: options, line-up, and the hash of the rows of its first 60 matches
at 6813f297. `python -m tests.contract.rows GAME…` plays all cells of some games and tells which
rows are others. `--write` draws the cells and keeps the hashes of this code: after a change of
rules that is wanted, with the reason in the commit.

Searches have at least four rollouts, since fewer than `rollouts.FEWEST_DEALS` deal nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import random
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from simcore.batch import Cell, play
from simcore.catalogue import get_game
from simcore.game import Game, game_names
from simcore.options import ChoiceOption, FileOption, IntOption, Option, ProbabilityOption
from strategies import policies
from strategies.params import Param
from studies.operations.arguments import make_cell
from tests.variants import is_allowed

FILE = Path(__file__).with_suffix(".json")
CELLS = 300
MATCHES = 60
RANDOM_CELLS = 30
"""So many cells of a game, the first, have uniform random play in all seats."""
OTHER_DECKS = range(20, 30)
"""Cells that may have another deck or a file's other words."""
EVERY_SEARCH = 10
"""One cell in so many has a search in one seat, and at most three players."""


class Frozen(NamedTuple):
    """A cell and the hash of its rows; its number is its seed."""

    number: int
    options: dict[str, Any]
    lineup: list[str]
    rows: str

    @property
    def searches(self) -> bool:
        return any(strategy.startswith("search") for strategy in self.lineup)


def frozen_cells(game: str) -> list[Frozen]:
    """Return the cells of a game."""
    document = json.loads(FILE.read_text(encoding="utf-8"))
    return [Frozen(*entry) for entry in document[game]]


def cell_of(game: Game, frozen: Frozen) -> Cell:
    cell = make_cell(game, frozen.options, frozen.lineup, seed=frozen.number)
    return replace(cell, general=True)  # one code plays all options


def hash_of(cell: Cell) -> str:
    """Return the hash of a cell's rows."""
    columns = play(cell, 0, MATCHES).columns()
    digest = hashlib.blake2b(digest_size=8)
    for name, column in columns.items():
        digest.update(f"{name} {column.astype(np.int64).tolist()}".encode())
    return digest.hexdigest()


def differences(game: str, cells: Iterable[Frozen]) -> list[str]:
    """Return those of some cells of a game that give other rows."""
    known = get_game(game)
    return [f"{game} {cell}" for cell in cells if hash_of(cell_of(known, cell)) != cell.rows]


# ------------------------------------------------------------------------------ drawing the cells


def _value(option: Option, chance: random.Random) -> Any:
    if isinstance(option, ProbabilityOption):
        return chance.choice((0.0, 0.25, 1.0))
    if isinstance(option, IntOption):
        high = min(option.high, option.low + 8)
        return chance.choice((option.low, chance.randint(option.low, high)))
    if isinstance(option, ChoiceOption | FileOption):
        return chance.choice(option.values)
    return chance.random() < 0.5


def _options(game: Game, number: int, chance: random.Random) -> dict[str, Any]:
    """Draw options; those that do not go with the others are left as they are."""
    tables = [2, 3] if number % EVERY_SEARCH == 0 else [*range(2, 7), game.players.high]
    options = {"players": chance.choice([n for n in tables if is_allowed(game, {"players": n})])}
    drawn = [option for option in game.options if option.name != "players"]
    share = chance.choice((0.0, 0.1, 0.3, 0.5))
    for option in chance.sample(drawn, len(drawn)):
        if chance.random() < share:
            value = _value(option, chance)
            # Another deck is another layout, and so needs code of its own.
            if isinstance(option, FileOption) and number not in OTHER_DECKS:
                value = option.default
            wanted = options | {option.name: value}
            if value != option.default and is_allowed(game, wanted):
                options = wanted
    return options


def _strategy(game: Game, chance: random.Random, *, search: bool) -> str:
    known = [policy for policy in policies(game) if not policy.takes_policy]
    policy = chance.choice(known)
    if search:
        rollouts = chance.choice((4, 5, 8))
        return f"search(rollouts={rollouts},rollout={policy.name},sure={chance.choice((0, 0.5))})"
    given = []
    for param in policy.params:
        assert isinstance(param, Param)
        if chance.random() < 0.6:
            whole = float(param.low).is_integer() and param.high - param.low > 2
            high = min(param.high, max(param.low + 12, param.default))
            number = chance.uniform(param.low, high)
            given.append(f"{param.name}={round(number) if whole else round(number, 3)}")
    return f"{policy.name}({','.join(given)})" if given else policy.name


def drawn(game: Game) -> list[Frozen]:
    """Draw the cells of a game, and play them."""
    cells = []
    for number in range(CELLS):
        chance = random.Random(f"{game.name} {number}")  # noqa: S311
        options = _options(game, number, chance)
        lineup = ["random"]
        if number >= RANDOM_CELLS:
            search = number % EVERY_SEARCH == 0
            lineup = [_strategy(game, chance, search=search)]
            lineup += [_strategy(game, chance, search=False) for _ in range(chance.randrange(4))]
            lineup = lineup[: options["players"]]
        frozen = Frozen(number, options, lineup, "")
        cells.append(frozen._replace(rows=hash_of(cell_of(game, frozen))))
    return cells


def _write(document: dict[str, list[Frozen]]) -> None:
    games = (
        f"{json.dumps(game)}: [\n"
        + ",\n".join(json.dumps(cell, separators=(",", ":")) for cell in cells)
        + "\n]"
        for game, cells in document.items()
    )
    FILE.write_text("{" + ",\n".join(games) + "}\n", encoding="utf-8")


def main() -> int:
    """Compare all cells of some games, or draw them anew."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--write", action="store_true", help="draw the cells, keep these rows")
    parser.add_argument("--no-search", action="store_true", help="leave out cells with a search")
    given = parser.parse_args()
    names = given.games or list(game_names())
    if given.write:
        before = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
        _write(before | {name: drawn(get_game(name)) for name in names})
        return 0
    found = []
    for name in names:
        cells = frozen_cells(name)
        chosen = [cell for cell in cells if not (given.no_search and cell.searches)]
        others = differences(name, chosen)
        sys.stdout.write(f"{name}: {len(chosen)} cells, {len(others)} with other rows\n")
        found += others
    sys.stdout.writelines(f"{text}\n" for text in found)
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
