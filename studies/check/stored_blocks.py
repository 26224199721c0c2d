"""Play stored blocks again and compare them bit for bit with what is on the disk."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simcore.errors import DataError
from strategies import Policies
from studies.design.cells import StudyCell
from studies.run.executors import Task, compute_totals, play_rows
from studies.store.opened import Stored, open_study
from studies.store.parts import Part, as_array, read_part
from studies.store.totals import read_totals


class DifferenceError(DataError):
    """A stored block is not reproduced when it is replayed."""


@dataclass(frozen=True)
class Checked:
    """A block that came out again as it was stored."""

    cell: StudyCell
    part: Part

    @property
    def matches(self) -> int:
        """How many matches the block has, all rotations."""
        return self.part.count * self.cell.rotations


def check_blocks(
    directory: Path, blocks: int, seed: int | None = None, policies: Policies | None = None
) -> Iterator[Checked]:
    """Play random blocks of a study directory again and compare every value.

    Its games' files are run: see `studies.store.opened.prepare_files`.
    """
    stored = open_study(directory, trust=True, policies=policies)
    stored.verify()
    parts = [(cell, part) for cell in stored.cells for part in stored.parts.get(cell.id, ())]
    if not parts:
        raise DataError(f"{directory} holds no matches yet; `cardlab run` plays them")
    for cell, part in random.Random(seed).sample(parts, min(blocks, len(parts))):  # noqa: S311 (no secret)
        differing = _differing_row if part.has_rows else _differing_sum
        difference = differing(stored, cell, part)
        if difference:
            raise DifferenceError(
                f"{part.path} does not come out again (cell {cell.label}). "
                f"{difference[0].upper()}{difference[1:]}. A match is decided by its cell and its "
                "number alone, so this means that the rules, a policy (perhaps one given with "
                "--strategies) or the random streams have changed since it was played, or that the "
                "file was changed. Compare the version and the source hash in the file's metadata "
                "with those of today (provenance.json tells those of each run); to have results of "
                "today's rules, run the study into a new directory"
            )
        yield Checked(cell, part)


def _differing_row(_stored: Stored, cell: StudyCell, part: Part) -> str:
    table = read_part(part, rotations=cell.rotations)
    played, _ = play_rows(cell, part.first, part.count)
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


def _differing_sum(stored: Stored, cell: StudyCell, part: Part) -> str:
    span = part.first, part.count
    task = Task((cell,), stored.base(cell), *span, "", False, stored.measures)
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
