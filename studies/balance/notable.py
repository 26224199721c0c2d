"""Matches worth looking at, found on the way, and the command that plays one again."""

from __future__ import annotations

import shlex
from typing import Any

import numpy as np

from simcore.errors import InputError
from simcore.game import STOCK, Game
from simcore.options import Options, show
from studies.balance.results import Notable, TableBalance
from studies.design.cells import StudyCell

Array = np.ndarray[Any, Any]


class Finds:
    """The extreme match of each kind so far; of equals the one with the lowest number."""

    def __init__(self, cell: StudyCell) -> None:
        self.cell = cell
        self.best: dict[str, tuple[int, int, int, int]] = {}

    def add(
        self,
        first: int,
        moves: Array,
        margin: Array,
        winners: Array,
        aborted: Array,
        lead_changes: Array | None,
        comeback: Array,
    ) -> None:
        """Look at the deals from match number `first` on; arrays of shape (deals, rotations)."""
        alone = winners == 1
        self._offer("longest", first, moves, ~aborted, moves)
        self._offer("closest", first, -margin, alone, margin)
        self._offer("clearest", first, margin, alone, margin)
        if lead_changes is not None:
            self._offer("most lead changes", first, lead_changes, ~aborted, lead_changes)
        self._offer("largest comeback", first, comeback, comeback > 0, comeback)
        self._offer("aborted", first, np.zeros_like(moves), aborted, moves)

    def _offer(self, kind: str, first: int, key: Array, among: Array, value: Array) -> None:
        if not among.any():
            return
        ranked = np.where(among, key.astype(np.int64), np.iinfo(np.int64).min)
        deal = int(ranked.max(axis=1).argmax())
        rotation = int(ranked[deal].argmax())
        if kind not in self.best or ranked[deal, rotation] > self.best[kind][0]:
            self.best[kind] = (
                int(ranked[deal, rotation]),
                int(value[deal, rotation]),
                first + deal,
                rotation,
            )

    def found(self) -> list[Notable]:
        """Return the finds."""
        return [
            Notable(kind, value, match, rotation, rotated(self.cell.seats, rotation))
            for kind, (_, value, match, rotation) in self.best.items()
        ]


def rotated(seats: tuple[str, ...], rotation: int) -> list[str]:
    """Return who sits where at a rotation."""
    return [seats[(seat + rotation) % len(seats)] for seat in range(len(seats))]


def replay_command(game: Game, table: TableBalance, notable: Notable) -> str:
    """Return the command that plays a match again.

    Who sits where at the match's rotation is written out as a line-up: a match depends on the deal,
    the coupling and who sits where, on nothing else.
    """
    words = ["cardlab", "play", game.name]
    for name, value in _given(game, table.options).items():
        words += ["--players", show(value)] if name == "players" else ["--rule", _rule(name, value)]
    words += ["--lineup", ",".join(_period(notable.seats)).replace(", ", ",")]
    words += ["--seed", str(table.seed), "--match", str(notable.match)]
    words += ["--coupling", table.coupling] if table.coupling != STOCK else []
    return shlex.join(words)


def _rule(name: str, value: object) -> str:
    return f"{name}={show(value)}"


def _given(game: Game, options: Options) -> Options:
    """Return few options from which all of `options` follow."""
    defaults = game.resolve({"players": options["players"]})
    given = {name: value for name, value in options.items() if value != defaults[name]}
    if options["players"] != game.players.default:
        given = {"players": options["players"], **given}
    for name in list(given):
        fewer = {other: value for other, value in given.items() if other != name}
        try:
            if game.resolve(fewer) == options:
                given = fewer
        except InputError:
            continue
    return given


def _period(seats: list[str]) -> list[str]:
    """Return the shortest beginning that gives the seats when it is repeated round the table."""
    count = len(seats)
    return next(
        seats[:length]
        for length in range(1, count + 1)
        if all(seats[seat] == seats[seat % length] for seat in range(count))
    )
