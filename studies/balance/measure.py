"""Measure the balance of a study directory: one pass over its rows, in chunks, or its sums."""

from __future__ import annotations

from pathlib import Path

from simcore.game import get_game
from studies.balance.duels import DuelSums, ladders, split_restrictions
from studies.balance.from_sums import duel_of_sums, table_of_sums
from studies.balance.results import Balance, Duel, TableBalance
from studies.balance.table_sums import TableSums
from studies.compare.from_summary import told_sums
from studies.design.cells import StudyCell
from studies.design.study import SUMMARY
from studies.stats.intervals import LEVEL
from studies.store.directory import Scan, stored_detail
from studies.store.reading import chunks, read_deals, sound_scans
from studies.store.summary_parts import total_sums


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
    detail = stored_detail(directory)
    for cell, scan in sound_scans(directory, detail):
        game = cell.game
        if not scan.parts:
            incomplete.append(cell.label)
            continue
        table, duel = (_of_sums if detail == SUMMARY else _of_matches)(cell, scan, level)
        tables.append(table)
        if duel:
            duels.append(duel)
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


def _of_matches(cell: StudyCell, scan: Scan, level: float) -> tuple[TableBalance, Duel | None]:
    """Return what the matches of a cell tell, and its duel where it is one."""
    sums, duel = TableSums(get_game(cell.game), cell), DuelSums.of(cell)
    for start, stop in chunks([scan], cell.rotations):
        columns = read_deals(cell, scan, start, stop, sums.names).columns
        sums.add(start, columns)
        if duel:
            duel.add(columns["winners"])
    return sums.found(level), duel.found(level) if duel else None


def _of_sums(cell: StudyCell, scan: Scan, level: float) -> tuple[TableBalance, Duel | None]:
    """Return the same of a cell whose sums are kept."""
    sums = told_sums(total_sums(scan.parts), cell)
    return table_of_sums(get_game(cell.game), cell, sums, level), duel_of_sums(cell, sums, level)
