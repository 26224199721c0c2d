"""Compile all code for a game's studies in advance."""

from __future__ import annotations

from simcore.batch import Cell, compile_together, warm_up
from simcore.compiling import functions_compiled
from simcore.game import Game
from simcore.replay import replay
from strategies import make_strategy, policies
from studies.design.cells import expand
from studies.design.study import library_names, load_study
from studies.run.executors import compile_cells

_SEED = 1


def warm(game: Game) -> int:
    """Compile all code for a game's built-in studies, or load it from disk.

    This covers every cell of every study; every policy at the game's usual tables, by
    itself, beside random play and beside another policy; and a match in words.

    Returns
    -------
    int
        Number of functions compiled, not counting their callees; 0 if all were cached.
    """
    before = functions_compiled()
    for name in library_names():
        study = load_study(name)
        if study.game == game.name:
            compile_cells(expand(study))
    options = game.resolve({})
    players = options["players"]
    assert isinstance(players, int)
    known = [make_strategy(policy, {}) for policy in policies(game)]
    pairs = [(one, beside) for one in known for beside in (one, known[0], known[-1])]
    cells = [
        Cell(game, options, tuple(pair[seat % 2] for seat in range(players)), _SEED)
        for pair in pairs
    ]
    compile_together(cells)
    for cell in cells:
        warm_up(cell)
    for strategy in known[:2]:
        for _ in replay(Cell(game, options, (strategy,) * players, _SEED), 0):
            pass
    return functions_compiled() - before
