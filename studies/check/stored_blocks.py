"""Replay stored blocks and compare them bit for bit with what is on the disk."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.design.study import BASELINE, SUMMARY
from studies.run.executors import play_rows, sums_again
from studies.store.directory import stored_detail
from studies.store.frames import sound_scans
from studies.store.parts import Part, read_part
from studies.store.summary_parts import read_sums


class DifferenceError(DataError):
    """A stored block does not come out again."""


@dataclass(frozen=True)
class Checked:
    """A block that came out again as it was stored."""

    cell: StudyCell
    part: Part


def check_blocks(directory: Path, blocks: int, seed: int | None = None) -> Iterator[Checked]:
    """Replay random blocks of a study directory and compare every value.

    Parameters
    ----------
    blocks : int
        How many; all of them when there are no more.
    seed : int
        Of the choice of blocks; by default another choice each time.

    Raises
    ------
    DifferenceError
        At the first block that differs, with what that means.
    DataError
        If any part is damaged, chosen or not.
    """
    detail = stored_detail(directory)
    scans = sound_scans(directory, detail, whole=True)
    bases = {cell.group: cell for cell, _ in scans if cell.variant == BASELINE}
    parts = [(cell, part) for cell, scan in scans for part in scan.parts]
    if not parts:
        raise DataError(f"{directory} holds no matches yet; `cardlab run` plays them")
    for cell, part in random.Random(seed).sample(parts, min(blocks, len(parts))):  # noqa: S311 (no secret)
        if detail == SUMMARY:
            _check_sums(cell, bases[cell.group], part)
        else:
            _check(cell, part)
        yield Checked(cell, part)


def _check(cell: StudyCell, part: Part) -> None:
    table = read_part(part)
    played, _ = play_rows(cell, part.first, part.count)
    if table.column_names != list(played):
        raise _difference(
            cell,
            part,
            f"its columns are {', '.join(table.column_names)}; played now: {', '.join(played)}",
        )
    for name, values in played.items():
        stored = table[name].to_numpy()
        if stored.dtype != values.dtype:
            raise _difference(
                cell, part, f"column {name} has type {stored.dtype}; played now: {values.dtype}"
            )
        unequal = np.flatnonzero(stored != values)
        if unequal.size:
            row = int(unequal[0])
            raise _difference(
                cell,
                part,
                f"match {played['match'][row]}, rotation {played['rotation'][row]}: {name} = "
                f"{stored[row]} is stored, {values[row]} is played now; {unequal.size:,} of "
                f"{len(values):,} rows differ in this column",
            )


def _check_sums(cell: StudyCell, base: StudyCell, part: Part) -> None:
    stored, played = read_sums(part).values, sums_again(cell, base, part).values
    for name in sorted(stored.keys() | played.keys()):
        if stored.get(name) != played.get(name):
            raise _difference(
                cell,
                part,
                f"the sum {name} = {stored.get(name)} is stored, {played.get(name)} comes out now",
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
