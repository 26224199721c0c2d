"""Pilots: some deals of each cell of a study, played in memory for a plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from studies.design.cells import StudyCell
from studies.design.study import BASELINE
from studies.measures import Measure
from studies.run.executors import play_rotations, playable
from studies.run.run import Watcher
from studies.store.totals import block_totals

if TYPE_CHECKING:
    from studies.answers.totals import Totals


def pilot_totals(
    cells: Sequence[StudyCell],
    deals: int,
    threads: int,
    watcher: Watcher | None = None,
    measures: Sequence[Measure] = (),
) -> dict[str, Totals]:
    """Return the Totals of the first deals of each cell, by its id."""
    bases = {cell.group: cell for cell in cells if cell.variant == BASELINE}
    if watcher:
        watcher.begin(deals * sum(cell.rotations for cell in cells), len(cells))
    totals: dict[str, Totals] = {}
    kept: tuple[tuple[str, str] | None, dict[str, Any]] = (None, {})
    for place, cell in enumerate(cells):  # a baseline comes before its variants
        columns, _ = play_rotations(playable(cell), 0, deals, cell.rotations, threads=threads)
        if cell.variant == BASELINE:
            kept = cell.group, columns
        baseline = kept[1] if kept[0] == cell.group else None
        totals |= block_totals(bases[cell.group], baseline, [(cell, columns)], measures)
        if watcher:
            watcher.advance(deals * cell.rotations, place + 1)
    return totals
