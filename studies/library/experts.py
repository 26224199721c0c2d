"""Train the policy `expert` of built-in games: `python -m studies.library.experts [GAME…]`.

Each takes at most ten minutes on two cores, and is written to strategies/experts/ as a module whose
docstring and `record` say with which seed, in how many steps, and how strong it is. The same seed
and steps give the same file on the same machine.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from simcore.game import game_names
from studies.learn.policy_file import as_built_in

FOLDER = Path(__file__).parents[2] / "strategies" / "experts"
SEED = 1

STEPS = {"updown": 3}
"""Of a game whose expert was trained with other steps than `USUAL_STEPS`."""

USUAL_STEPS = 3


def make(game: str) -> None:
    """Train the expert of a game and put it in place."""
    from studies.operations.train import train

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "trained.py"
        steps = STEPS.get(game, USUAL_STEPS)
        train(game, players=4, steps=steps, seed=SEED, out=file, progress=True)
        text = as_built_in(file.read_text(encoding="utf-8"), "trained")
    (FOLDER / f"{game}.py").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    for name in sys.argv[1:] or game_names():
        make(name)
