"""Some deals of each cell of a study, and what they tell of one outcome, deal by deal.

Values are those whose mean `cardlab compare` tells: a variant's change on the same deals; without
variants what is told of a table by itself. Shares of decided matches are linearised
(`studies.compare.decided` has the sources), so that the mean over a deal's rotations is one value.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from simcore.errors import DataError
from simcore.game import get_game
from studies.deals.sums import by_deal, seats_of
from studies.deals.values import match_columns
from studies.design.cells import StudyCell, period
from studies.design.margins import WIN_SHARE
from studies.design.study import BASELINE
from studies.run.executors import play_rotations, playable
from studies.run.run import Watcher
from studies.store.reading import read_deals, sound_scans

Array = np.ndarray[Any, Any]
Columns = Mapping[str, Array]

ANOTHER_WINNER = "another_winner"
SCORE = "score"
MOST_DEALS = 5_000
"""Of a directory: more tell the spread no better than anybody plans."""


@dataclass(frozen=True)
class Played:
    """Some deals of a cell.

    Attributes
    ----------
    cell : StudyCell
        With the rotations that the deals were played in: all that its seats have, in a pilot.
    columns : mapping of str to array, each of shape (deals, rotations)
    used : int
        Rotations that the study plays.
    """

    cell: StudyCell
    columns: Columns
    used: int

    @property
    def deals(self) -> int:
        """How many."""
        return len(self.columns["winners"])

    def first(self, rotations: int) -> Played:
        """Return what was played of it in the first rotations."""
        if rotations == self.cell.rotations:
            return self
        columns = {name: values[:, :rotations] for name, values in self.columns.items()}
        return Played(replace(self.cell, rotations=rotations), columns, rotations)


def play_pilot(
    cells: Sequence[StudyCell],
    deals: int,
    threads: int,
    watcher: Watcher | None,
    coupling: str | None = None,
) -> dict[str, Played]:
    """Return the first deals of each cell, by its id, played in memory.

    Cells that are not rotated are played in all rotations all the same, to tell what that saves.

    Parameters
    ----------
    coupling : str, optional
        In place of that of the cells.
    """
    found = {}
    for place, cell in enumerate(cells):
        own = replace(
            cell,
            rotations=period(cell.seats),
            coupling=coupling or cell.coupling,
            planned=deals,
        )
        flat, _ = play_rotations(playable(own), 0, deals, own.rotations, threads=threads)
        kept = {name: flat[name] for name in _needed(own)}
        found[cell.id] = Played(own, by_deal(kept, own.rotations), cell.rotations)
        if watcher:
            watcher.advance(deals * own.rotations, place + 1)
    return found


def read_pilot(directory: Path) -> dict[str, Played]:
    """Return the first deals of each cell of a study directory, by its id.

    Raises
    ------
    DataError
        If a cell has fewer than two, or a file is damaged.
    """
    scans = list(sound_scans(directory))
    deals = min(_prefix([(part.first, part.stop) for part in scan.parts]) for _, scan in scans)
    if deals < 2:
        raise DataError(
            f"{directory} holds {deals} deals that all its cells have; to plan from it takes 2 or "
            "more: cardlab run plays them"
        )
    return {
        cell.id: Played(
            cell, read_deals(cell, scan, 0, deals, _needed(cell)).columns, cell.rotations
        )
        for cell, scan in scans
    }


def _needed(cell: StudyCell) -> list[str]:
    return [*match_columns(cell.players), *get_game(cell.game).metric_names]


def _prefix(parts: Sequence[tuple[int, int]]) -> int:
    reached = 0
    for first, stop in parts:
        if first > reached:
            break
        reached = max(reached, stop)
    return min(reached, MOST_DEALS)


@dataclass(frozen=True)
class Subject:
    """Somebody's outcome, or a table's, in the deals of a pilot.

    Attributes
    ----------
    of : str
        Policy, "position 0" …, "greedy - random" (a difference); empty of matches.
    before, after : float64[deals, rotations]
        Without and with the variant, less what they would be on average; `before` is None where
        there is no variant.
    bound : float or None
        Largest absolute value of a deal's change, or of its outcome; None where it has none.
    """

    of: str
    before: Array | None
    after: Array
    bound: float | None

    @property
    def values(self) -> Array:
        """What the mean is taken of: float64[deals, rotations]."""
        return self.after if self.before is None else self.after - self.before


def subjects(name: str, played: Played, base: Played | None, *, gaps: bool) -> list[Subject]:
    """Return whose outcomes a cell has.

    Parameters
    ----------
    name : str
        "win_share", "score", "another_winner" or a metric.
    base : Played or None
        The baseline on the same deals, of a variant.
    gaps : bool
        Without a variant: differences of policies in place of each for itself.
    """
    if name == ANOTHER_WINNER:
        if base is None:
            return []
        old, new = (one.columns["winners"] for one in (base, played))
        both = (old != 0) & (new != 0)
        return [Subject("", None, _linearised((old != new) & both, both), 1.0)]
    own = _outcomes(name, played)
    if base is not None:
        before = _outcomes(name, base)
        return [Subject(who, before[who][0], value, bound) for who, (value, bound) in own.items()]
    if gaps and name in (WIN_SHARE, SCORE) and len(seats_of(played.cell).policies) > 1:
        return [
            Subject(f"{one} - {other}", None, first - second, None if bound is None else 1.0)
            for (one, (first, bound)), (other, (second, _)) in itertools.combinations(
                own.items(), 2
            )
        ]
    return [Subject(who, None, value, bound) for who, (value, bound) in own.items()]


def _outcomes(name: str, played: Played) -> dict[str, tuple[Array, float | None]]:
    """Return the outcome of each policy, or of each position where all seats are alike."""
    cell, columns = played.cell, played.columns
    if name not in (WIN_SHARE, SCORE):
        return {"": (columns[name].astype(np.float64), None)}
    tables, size = seats_of(cell), cell.rotations
    alone = len(tables.policies) == 1
    names = [f"position {k}" for k in range(cell.players)] if alone else tables.policies
    found: dict[str, tuple[Array, float | None]] = {}
    for place, who in enumerate(names):
        held = 1 if alone else tables.held[place]
        if name == WIN_SHARE:
            shares = _won(played, place, alone=alone) / (tables.unit * held)
            found[who] = (_linearised(shares, columns["winners"] != 0), 1.0 / held)
            continue
        scores = np.zeros((played.deals, size))
        for rotation in range(size):
            if alone:
                seats = (columns["first_seat"][:, rotation].astype(np.int64) + place) % cell.players
                for seat in range(cell.players):
                    own = columns[f"score_{seat}"][:, rotation]
                    scores[:, rotation] += np.where(seats == seat, own, 0)
            else:
                for seat in tables.seats[place][rotation]:
                    scores[:, rotation] += columns[f"score_{seat}"][:, rotation] / held
        found[who] = (scores, None)
    return found


def _won(played: Played, place: int, *, alone: bool) -> Array:
    """Return the win rates of a policy or position, in units of `Seats.unit`."""
    tables, winners = seats_of(played.cell), played.columns["winners"]
    if alone:
        first = played.columns["first_seat"].astype(np.int64)
        won: Array = tables.positions[first, place, winners]
    else:
        won = np.stack(
            [
                tables.shares[place, rotation][winners[:, rotation]]
                for rotation in range(winners.shape[1])
            ],
            axis=1,
        )
    return won


def _linearised(part: Array, whole: Array) -> Array:
    """Return values whose mean over deals varies as the ratio of two totals does."""
    total = float(whole.sum())
    if not total:
        return np.zeros(part.shape)
    found: Array = (part - float(part.sum()) / total * whole) / (total / whole.size)
    return found


def pairs_of(
    cells: Sequence[StudyCell], pilot: Mapping[str, Played]
) -> list[tuple[StudyCell, Played, Played | None]]:
    """Return each cell with its deals and, of a variant at the same table, its baseline's.

    Left out are A/A controls, which change nothing, and baselines that variants are compared with:
    they need as many deals as those.
    """
    bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}
    compared: dict[tuple[str, str], bool] = {}
    found: list[tuple[StudyCell, Played, Played | None]] = []
    for cell in cells:
        base = bases[cell.group]
        if cell.variant == BASELINE:
            continue
        if cell.seats != base.seats or cell.rotations != base.rotations:
            found.append((cell, pilot[cell.id], None))
        elif cell.options != base.options:
            compared[cell.group] = True
            found.append((cell, pilot[cell.id], pilot[base.id]))
    found += [(cell, pilot[cell.id], None) for cell in bases.values() if cell.group not in compared]
    order = {cell.id: place for place, cell in enumerate(cells)}
    return sorted(found, key=lambda one: order[one[0].id])
