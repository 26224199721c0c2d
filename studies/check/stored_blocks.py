"""Play stored blocks again and compare them bit for bit with what is on the disk.

A block does not tell whether its matches were played side by side in lanes or one by one, and rows
do not depend on it. So it is played again both ways, wherever its table fits lanes: what lanes have
written the ordinary loop must give as well, and the reverse.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from simcore.batch import fits_lanes
from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.design.study import SUMMARY
from studies.run.executors import Task, compute_totals, play_rows, playable
from studies.store.opened import Stored, open_study
from studies.store.parts import Part, as_array, read_part
from studies.store.totals import read_totals


class DifferenceError(DataError):
    """A stored block does not come out again."""


@dataclass(frozen=True)
class Checked:
    """A block that came out again as it was stored.

    Attributes
    ----------
    in_lanes : bool
        Whether it did in lanes as well as one match after another.
    """

    cell: StudyCell
    part: Part
    in_lanes: bool

    @property
    def matches(self) -> int:
        """How many matches the block has, all rotations."""
        return self.part.count * self.cell.rotations


Compare = Callable[[bool], str]
"""Plays a block again, in lanes if told so; returns what differs in words, or nothing."""


def check_blocks(directory: Path, blocks: int, seed: int | None = None) -> Iterator[Checked]:
    """Play random blocks of a study directory again and compare every value."""
    stored = open_study(directory)
    stored.verify()
    parts = [(cell, part) for cell in stored.cells for part in stored.parts.get(cell.id, ())]
    if not parts:
        raise DataError(f"{directory} holds no matches yet; `cardlab run` plays them")
    for cell, part in random.Random(seed).sample(parts, min(blocks, len(parts))):  # noqa: S311 (no secret)
        if stored.detail == SUMMARY:
            in_lanes = _fits_lanes(cell) or _fits_lanes(stored.base(cell))
            _check(cell, part, partial(_differing_sum, stored, cell, part), in_lanes=in_lanes)
        else:
            in_lanes = _fits_lanes(cell)
            _check(cell, part, partial(_differing_row, cell, part), in_lanes=in_lanes)
        yield Checked(cell, part, in_lanes)


def _fits_lanes(cell: StudyCell) -> bool:
    return any(fits_lanes(playable(cell), rotation) for rotation in range(cell.rotations))


def _check(cell: StudyCell, part: Part, compare: Compare, *, in_lanes: bool) -> None:
    found = {lanes: compare(lanes) for lanes in ((True, False) if in_lanes else (False,))}
    wrong = {lanes: text for lanes, text in found.items() if text}
    if len(wrong) == len(found):
        raise _difference(cell, part, next(iter(wrong.values())))
    for lanes, text in wrong.items():
        raise _one_way(cell, part, text, lanes=lanes)


def _differing_row(cell: StudyCell, part: Part, lanes: bool) -> str:
    table = read_part(part)
    played, _ = play_rows(cell, part.first, part.count, lanes=lanes)
    if table.column_names != list(played):
        return f"its columns are {', '.join(table.column_names)}; played now: {', '.join(played)}"
    for name, values in played.items():
        stored = as_array(table[name])
        if stored.dtype != values.dtype:
            return f"column {name} has type {stored.dtype}; played now: {values.dtype}"
        unequal = np.flatnonzero(stored != values)
        if unequal.size:
            row = int(unequal[0])
            return (
                f"match {played['match'][row]}, rotation {played['rotation'][row]}: {name} = "
                f"{stored[row]} is stored, {values[row]} is played now; {unequal.size:,} of "
                f"{len(values):,} rows differ in this column"
            )
    return ""


def _differing_sum(stored: Stored, cell: StudyCell, part: Part, lanes: bool) -> str:
    span = part.first, part.count
    task = Task((cell,), stored.base(cell), *span, "", SUMMARY, stored.measures, lanes)
    played = compute_totals(task)[0][cell.id].to_frame()
    sums = read_totals(part).to_frame()
    if sums.equals(played):
        return ""
    keys = ["name", "at"]
    both = sums.join(played, on=keys, how="full", suffix="_now", coalesce=True)
    first = both.filter(both["value"].ne_missing(both["value_now"])).row(0, named=True)
    return (
        f"the sum {first['name']} of group {first['at']} = {first['value']} is stored, "
        f"{first['value_now']} comes out now"
    )


def _one_way(cell: StudyCell, part: Part, found: str, *, lanes: bool) -> DifferenceError:
    wrong, right = "in lanes", "one match after another"
    if not lanes:
        wrong, right = right, wrong
    return DifferenceError(
        f"{part.path} comes out again {right}, but not {wrong} (cell {cell.label}). "
        f"{found[0].upper()}{found[1:]}. Rows do not depend on the way of playing, so this is a "
        "fault: of the play spec of a policy given with --strategies, if there is such a one, else "
        "of cardlab on this machine. CARDLAB_LANES=off in the environment plays one match after "
        "another"
    )


def _difference(cell: StudyCell, part: Part, found: str) -> DifferenceError:
    return DifferenceError(
        f"{part.path} does not come out again (cell {cell.label}). {found[0].upper()}{found[1:]}. "
        "A match is decided by its cell and its number alone, so this means that the rules, a "
        "policy (perhaps one given with --strategies) or the random streams have changed since "
        "it was played, or that the file was changed. Compare the version and the source hash in "
        "the file's metadata with those of today (provenance.json tells those of each run); to "
        "have results of today's rules, run the study into a new directory"
    )
