"""A cell's Totals (`studies.answers.totals`): from its rows, from sums of blocks, or stored.

`compare`, `report` and plans are computed from them. A run stores them at its end, so that millions
of rows need not be read again; if none are stored (after a killed run, or for a measure added
later) the same function computes them from the rows, with the same result.

Stored totals are named by a hash of their inputs: the parts of the cell and of its baseline, the
measures, and the counting code.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.measures import Measure, columns_of, identity, measures_of
from studies.store.parts import Part, content_of, frame_of, part_metadata, read_columns

if TYPE_CHECKING:
    from studies.answers.totals import Totals

FOLDER = "totals"
CHUNK_ROWS = 200_000
LEAST_ROWS = 20_000
"""The fewest rows of a cell to store its Totals; with fewer, they take as much room as the rows."""

_KEY_BYTES = 8

Columns = Mapping[str, np.ndarray[Any, Any]]
Parts = Mapping[str, Sequence[Part]]
"""Parts in order, by cell id."""


def pairs(cell: StudyCell, base: StudyCell) -> bool:
    """Return whether a variant's matches can be paired with those of its baseline."""
    return cell.id != base.id and (cell.seats, cell.rotations) == (base.seats, base.rotations)


def group_totals(
    base: StudyCell,
    cells: Sequence[StudyCell],
    parts: Parts,
    measures: Sequence[Measure] = (),
    start: int = 0,
    stop: int | None = None,
    only: Collection[str] = (),
) -> dict[str, Totals]:
    """Return the Totals of cells of one line-up and sweep point over their parts, by cell id.

    A variant's totals cover the deals that its baseline has, too; cells without such deals are left
    out. Parts of sums are added up; they have all sums of the study's measures.
    """
    summed = {cell.id: several for cell in cells if (several := parts.get(cell.id))}
    if any(not part.has_rows for several in summed.values() for part in several):
        return {name: _sums_between(several, start, stop) for name, several in summed.items()}
    readers = {cell.id: _Reader(cell, parts.get(cell.id, ())) for cell in {base, *cells}}
    needs_base = any(cell.id == base.id or pairs(cell, base) for cell in cells)
    edges = {start} if stop is None else {start, stop}
    for reader in readers.values():
        edges |= {at for part in reader.parts for at in (part.first, part.stop)}
    step = max(1, CHUNK_ROWS // base.rotations)
    totals: dict[str, Totals] = {}
    for low, high in itertools.pairwise(sorted(edges)):
        if low < start or (stop is not None and high > stop):
            continue
        for first in range(low, high, step):
            span = first, min(high, first + step)
            baseline = readers[base.id].between(*span) if needs_base else None
            played = []
            for cell in cells:
                columns = baseline if cell.id == base.id else readers[cell.id].between(*span)
                if columns is not None:
                    played.append((cell, columns))
            add_up(totals, block_totals(base, baseline, played, measures, only))
    return totals


def add_up(totals: dict[str, Totals], piece: Mapping[str, Totals]) -> None:
    """Add the Totals of further deals to those of each cell."""
    for name, more in piece.items():
        if name in totals:
            totals[name].add(more)
        else:
            totals[name] = more


def block_totals(
    base: StudyCell,
    baseline: Any,
    played: Iterable[tuple[StudyCell, Any]],
    measures: Sequence[Measure],
    only: Collection[str] = (),
    add: Callable[..., Totals] | None = None,
) -> dict[str, Totals]:
    """Return the Totals of one block of cells of a line-up and sweep point, by cell id.

    Parameters
    ----------
    baseline : mapping of str to array of shape (rows,), or None
        Columns of the baseline on these deals; without them, variants that pair with it are
        omitted.
    played : iterable of (StudyCell, columns)
    add : callable, optional
        Replaces `totals_of` for other kinds of columns (`studies.answers.device_sums`).
    """
    from studies.answers.totals import Totals, totals_of

    total_of = add or totals_of

    def chosen(cell: StudyCell) -> list[Measure]:
        return [
            measure for measure in measures_of(cell, measures) if not only or measure.name in only
        ]

    before = None if baseline is None else total_of(base, baseline, chosen(base))
    by_cell = {}
    for cell, columns in played:
        if cell.id == base.id:
            if before is not None:
                by_cell[cell.id] = before + Totals(
                    base.rotations
                )  # a copy, since others are added to it
        elif not pairs(cell, base):
            by_cell[cell.id] = total_of(cell, columns, chosen(cell))
        elif before is not None:
            by_cell[cell.id] = total_of(cell, columns, chosen(cell), base, baseline, before)
    return by_cell


class _Reader:
    """Rows of a cell by range of deals; the last part read is cached."""

    def __init__(self, cell: StudyCell, parts: Sequence[Part]) -> None:
        self.cell, self.parts = cell, parts
        self._last: tuple[Part, Columns] | None = None

    def between(self, first: int, stop: int) -> Columns | None:
        """Return the columns of deals [first, stop) of one part; None if they are missing."""
        part = next(
            (part for part in self.parts if part.first <= first and stop <= part.stop), None
        )
        if part is None:
            return None
        if self._last is None or self._last[0] is not part:
            self._last = part, read_columns(part, columns_of(self.cell, ()), self.cell.rotations)
        rows = slice(
            (first - part.first) * self.cell.rotations, (stop - part.first) * self.cell.rotations
        )
        return {name: values[rows] for name, values in self._last[1].items()}


def encode_totals(totals: Totals, metadata: Mapping[str, str]) -> memoryview:
    """Return Totals as a Parquet file in memory."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    frame = totals.to_frame()
    columns = {
        # In order of appearance: a categorical's codes would depend on what else the process read.
        "name": frame["name"].cast(pl.String).to_arrow().cast(pa.string()).dictionary_encode(),
        "at": frame["at"].to_arrow(),
        "value": frame["value"].to_arrow(),
    }
    stream = pa.BufferOutputStream()
    pq.write_table(
        pa.table(columns, metadata=dict(metadata)),
        stream,
        compression="zstd",
        use_dictionary=["name"],
        column_encoding=dict.fromkeys(("at", "value"), "DELTA_BINARY_PACKED"),
        write_statistics=False,
        write_page_checksum=True,
    )
    return memoryview(stream.getvalue())


def read_totals(part: Part) -> Totals:
    """Return the Totals of a file, verified."""
    from studies.answers.totals import Totals

    return Totals.from_frame(frame_of(content_of(part), part.path))


def encode_block(
    cell: StudyCell, first: int, count: int, totals: Totals, source: str
) -> memoryview:
    """Return the sums of a block as a Parquet file in memory (`rows = false`)."""
    return encode_totals(totals, part_metadata(cell, first, count, source, rows=False))


def _sums_between(parts: Sequence[Part], start: int, stop: int | None) -> Totals:
    """Return the sums over deals [start, stop), which must be whole blocks."""
    from studies.answers.totals import sum_totals

    stop = parts[-1].stop if stop is None else stop
    inside = [part for part in parts if part.first < stop and part.stop > start]
    total = sum_totals(map(read_totals, inside))
    if total is None or inside[0].first < start or inside[-1].stop > stop:
        raise DataError(
            f"the sums in {parts[0].path.parent} do not end at deal {stop:,}: they were kept in "
            "blocks of other sizes, because the study was begun without its goal or with another "
            "block. Sums cannot be taken apart; give another directory with --out"
        )
    return total


def totals_name(cell: StudyCell, base: StudyCell, parts: Parts, measures: Sequence[Measure]) -> str:
    """Return the name of the file that stores a cell's Totals; see the head of this module."""
    needed = (cell, base) if pairs(cell, base) else (cell,)
    contents = [
        identity(measures),
        _code(),
        *(
            f"{part.path.name} {part.entries}"
            for member in needed
            for part in parts.get(member.id, ())
        ),
    ]
    key = blake2b("\n".join(contents).encode(), digest_size=_KEY_BYTES).hexdigest()
    return f"{FOLDER}/cell={cell.id}-{key}.parquet"


@cache
def _code() -> str:
    from studies import measures
    from studies.answers import totals

    digest = blake2b(digest_size=_KEY_BYTES)
    for module in (measures, totals):
        digest.update(Path(str(module.__file__)).read_bytes())
    return digest.hexdigest()
