"""Measure the balance of a study directory: one pass over its rows, in chunks."""

from __future__ import annotations

from pathlib import Path

from simcore.game import get_game
from studies.balance.duels import DuelSums, ladders, split_restrictions
from studies.balance.results import Balance, Duel, TableBalance
from studies.balance.table_sums import TableSums
from studies.design.study import BASELINE
from studies.stats.intervals import LEVEL
from studies.store.reading import chunks, read_deals, sound_scans


def measure(directory: Path, level: float = LEVEL) -> Balance:
    """Measure all tables of a study directory.

    Parameters
    ----------
    directory : Path
        As written by `cardlab run`.
    level : float
        Of every interval.

    Raises
    ------
    InputError
        If the directory is no study directory, or damaged.
    """
    tables: list[TableBalance] = []
    duels: list[Duel] = []
    incomplete: list[str] = []
    game = ""
    for cell, scan in sound_scans(directory):
        game = cell.game
        if not scan.parts:
            incomplete.append(cell.label)
            continue
        sums = TableSums(get_game(cell.game), cell)
        duel = DuelSums.of(cell) if cell.variant == BASELINE else None
        for start, stop in chunks([scan], cell.rotations):
            columns = read_deals(cell, scan, start, stop, sums.names).columns
            sums.add(start, columns)
            if duel:
                duel.add(columns["winners"])
        tables.append(sums.found(level))
        if duel:
            duels.append(duel.found(level))
    of_policies, restrictions = split_restrictions(game, duels)
    return Balance(
        game=game,
        level=level,
        tables=tables,
        duels=of_policies,
        ladders=ladders(of_policies),
        restrictions=restrictions,
        incomplete=incomplete,
    )
