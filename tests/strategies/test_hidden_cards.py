"""No policy of any game lets cards it cannot see decide.

A game provides, in `tests/<game>/unseen.py`, options under which matches are watched (`VARIANTS`),
and `shuffle(table, box, looker, random)`, which deals anew whatever the seat `looker` does not know
(the records are modified in place; `random` is a NumPy generator).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from simcore.batch import Cell
from simcore.compiler.plain import Match
from simcore.game import game_names, get_game
from strategies import make_strategy, policies
from tests.cases import module_of

UNSEEN = {name: module_of(name, "unseen", "VARIANTS and shuffle") for name in game_names()}
CASES = [
    pytest.param(game, policy, options, id=f"{game}-{policy.name}-{number}")
    for game in game_names()
    for policy in policies(get_game(game))
    for number, options in enumerate(UNSEEN[game].VARIANTS)
]
EVERY = 3
MATCHES = {"first": 0, "second": 1}


class Watcher:
    """Asks the policy on turn also where what it cannot see was shuffled."""

    def __init__(self, cell: Cell, match: int, disturb: Any) -> None:
        self.kernel = cell.game.room("kernel")
        self.random = np.random.default_rng(match)
        self.disturb = disturb
        self.asked = 0
        self.shuffled = 0
        self.changed = 0
        self.playback = Match(cell, match, choose=self.choose)

    def choose(self, table: Any, box: Any, moves: tuple[int, ...]) -> int:
        del box
        assert len(moves) > 1
        tables, boxes = self.playback.tables, self.playback.boxes
        self.asked += 1
        if self.asked % EVERY == 0:
            other_tables, other_boxes = tables.copy(), boxes.copy()
            self.disturb(other_tables[0], other_boxes[0], int(table.seat), self.random)
            self.shuffled += other_boxes[0].tobytes() != boxes[0].tobytes()
            other = int(self.kernel.choose(other_tables, other_boxes))
        move = int(self.kernel.choose(tables, boxes))
        if self.asked % EVERY == 0:
            self.changed += other != move
        return move


def watch(game: str, policy: Any, options: dict[str, object], disturb: Any, match: int) -> Watcher:
    known = get_game(game)
    resolved = known.resolve(options)
    names = {param.name for param in policy.params}
    strategy = make_strategy(policy, {"rollouts": 2} if "rollouts" in names else {})
    cell = Cell(known, resolved, (strategy,) * int(resolved["players"]), 11)
    watcher = Watcher(cell, match, disturb)
    for _ in watcher.playback:
        if watcher.asked > 600:
            break
    return watcher


@pytest.mark.parametrize("match", MATCHES)
@pytest.mark.parametrize(("game", "policy", "options"), CASES)
def test_what_is_hidden_does_not_decide(game: str, policy: Any, options: Any, match: str) -> None:
    watcher = watch(game, policy, options, UNSEEN[game].shuffle, MATCHES[match])
    assert watcher.shuffled > 30
    assert watcher.changed == 0


@pytest.mark.parametrize("game", game_names())
def test_it_would_be_noticed(game: str) -> None:
    """A seat's own private stream is seen by it: with another one `random` chooses otherwise."""

    def disturb(table: Any, box: Any, seat: int, random: np.random.Generator) -> None:
        del table
        box.seats[seat].rng[:] = random.integers(1, 2**63, 2, dtype=np.uint64)

    policy, options = policies(get_game(game))[0], UNSEEN[game].VARIANTS[0]
    changed = [watch(game, policy, options, disturb, match).changed for match in MATCHES.values()]
    assert sum(changed) > 20
