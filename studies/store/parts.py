"""One part: the rows of one block of a cell, in one immutable Parquet file.

Its name contains the first deal and the number of deals. Rows are ordered by (match, rotation), so
that the rows of a cell, read in the order of the names, do not depend on block sizes. A study that
keeps sums instead of matches has parts of the same form, with one sum per row
(`studies.answers.totals`). The manifest names every part with its digest (`studies.manifest`),
which is verified whenever its rows are read.

Encoding: on 100,000 rows of 21 columns, BYTE_STREAM_SPLIT without null marks and zstd level 1 takes
78 ns and 9.8 bytes per row on one core; dictionaries, pyarrow's default, take 200 ns and 10.9
bytes. Writing values in large batches saves 7 % of the time. About two thirds of the rest is spent
by the writer apart from compression, so another codec would not help much (LZ4: a quarter less
time, twice the bytes).

The rows of a part are the same wherever it is made. Its bytes are the same only with the same
version of pyarrow, which may otherwise compress and describe the rows differently (`created_by` in
the footer names the writer); so nothing compares parts of two directories by their bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import DataError
from simcore.files import read_regular
from studies.design.cells import StudyCell
from studies.manifest import Entry, Manifest, damaged
from studies.store.files import first_line
from studies.version import VERSION

if TYPE_CHECKING:
    import numpy as np
    import polars as pl
    import pyarrow as pa

    Columns = Mapping[str, np.ndarray[Any, Any]]

FOLDERS = {True: "matches", False: "sums"}
"""Where parts of rows are, and of sums."""

_DETAIL = {True: "matches", False: "summary"}
BATCH = 1 << 16
_NAME = re.compile(r"(?:(?:matches|sums)/cell=([0-9a-f]+)/)?(\d{13})-(\d{1,13})\.parquet")
_OF_THE_WRITER = ("version", "source")
_DISAGREES = {"cell": "it belongs to another cell", "block": "its name and its content disagree"}
STRANGE = (ValueError, TypeError, KeyError, OverflowError, MemoryError)
"""Exceptions, besides its own, that pyarrow raises for an invalid footer."""


@dataclass(frozen=True, order=True)
class Part:
    """Matches [first, first + count) of a cell, all rotations, in the file `path`.

    Attributes
    ----------
    entries : tuple of Entry
        The manifest's entries for the file; empty if it is not listed.
    """

    first: int
    count: int
    path: Path
    entries: tuple[Entry, ...] = field(default=(), compare=False)

    @property
    def has_rows(self) -> bool:
        """Whether it holds a row per match, or sums of them."""
        return self.path.parent.parent.name != FOLDERS[False]

    @property
    def stop(self) -> int:
        """First match number after the part."""
        return self.first + self.count


def part_name(first: int, count: int) -> str:
    """Return the file name of a part."""
    return f"{first:013d}-{count}.parquet"


def parse_part(path: Path) -> Part | None:
    """Return the part with this file name, or None if it is not a part's name."""
    match = _NAME.fullmatch(path.name)
    return Part(int(match[2]), int(match[3]), path) if match else None


def cell_folder(directory: Path, cell_id: str, *, rows: bool = True) -> Path:
    """Return the folder of a cell's parts."""
    return directory / FOLDERS[rows] / f"cell={cell_id}"


def parts_named(manifest: Manifest, directory: Path) -> dict[str, list[Part]]:
    """Return the parts in a manifest, by cell id, in the order of their deals."""
    parts: dict[str, list[Part]] = {}
    for name, entries in manifest.files.items():
        match = _NAME.fullmatch(name)
        if match and match[1]:
            part = Part(int(match[2]), int(match[3]), directory / name, entries)
            parts.setdefault(match[1], []).append(part)
    return {cell: sorted(several) for cell, several in parts.items()}


def present(parts: Sequence[Part], wanted: int) -> int:
    """Return how many of the deals below `wanted` are stored."""
    return sum(max(0, min(part.stop, wanted) - part.first) for part in parts)


def missing(parts: Sequence[Part], wanted: int) -> list[tuple[int, int]]:
    """Return the ranges [start, stop) of deals below `wanted` that are missing."""
    ranges, next_first = [], 0
    for part in parts:
        if part.first > next_first:
            ranges.append((next_first, min(part.first, wanted)))
        next_first = part.stop
    ranges.append((next_first, wanted))
    return [(start, stop) for start, stop in ranges if start < stop]


@dataclass(frozen=True)
class Encoded:
    """A played part that has not been written yet.

    Attributes
    ----------
    count : int
        Match numbers.
    content : memoryview or bytes
        The file.
    """

    cell: StudyCell
    first: int
    count: int
    content: memoryview | bytes


def encode(columns: Columns, metadata: Mapping[str, str]) -> memoryview:
    """Return columns as a Parquet file in memory; see the head of this module."""
    import pyarrow as pa

    arrays = {name: arrow_array(values) for name, values in columns.items()}
    fields = [pa.field(name, array.type, nullable=False) for name, array in arrays.items()]
    schema = pa.schema(fields, metadata=dict(metadata))
    return encode_table(pa.Table.from_arrays(list(arrays.values()), schema=schema))


def arrow_array(values: np.ndarray[Any, Any]) -> pa.Array:
    """Return a column as Arrow's array, whose own conversion would import pandas."""
    import numpy as np
    import pyarrow as pa

    if values.dtype == np.bool_:
        kind, numbers = pa.bool_(), np.packbits(values, bitorder="little")
    else:
        kind, numbers = pa.from_numpy_dtype(values.dtype), np.ascontiguousarray(values)
    return pa.Array.from_buffers(kind, len(values), [None, pa.py_buffer(numbers)])


def encode_table(table: pa.Table) -> memoryview:
    """Return a table as a Parquet file in memory; see the head of this module."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = pa.BufferOutputStream()
    pq.write_table(table, stream, **encoding(table.schema))
    return memoryview(stream.getvalue())


def encoding(schema: pa.Schema) -> dict[str, Any]:
    """Return the options with which pyarrow writes columns of a schema."""
    import pyarrow as pa

    columns = {
        field.name: "BYTE_STREAM_SPLIT" for field in schema if pa.types.is_integer(field.type)
    }
    ordered = [name for name in ("match", "rotation") if name in columns]
    # Match numbers increase by one, so their differences take no space.
    columns |= dict.fromkeys(ordered, "DELTA_BINARY_PACKED")
    return {
        "compression": "zstd",
        "compression_level": 1,
        "use_dictionary": False,
        "column_encoding": columns,
        "write_statistics": ordered,
        "write_page_checksum": True,
        "write_batch_size": BATCH,
    }


def part_metadata(
    cell: StudyCell, first: int, count: int, source: str, *, rows: bool = True
) -> dict[str, str]:
    """Return the metadata of a part; values other than plain text are JSON."""
    return {
        "cell": cell.id,
        "game": cell.game,
        "variant": cell.variant,
        "options": json.dumps(cell.options),
        "lineup": json.dumps(cell.seats),
        "seed": str(cell.seed),
        "block": json.dumps({"first": first, "count": count}),
        "rotations": str(cell.rotations),
        "detail": _DETAIL[rows],
        "version": VERSION,
        "source": source,
    }


def disagreement(part: Part, cell: StudyCell) -> str | None:
    """Return why a file is not a given part of a cell, from its metadata and pages.

    For files that a killed run left behind and the manifest does not list.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        content = read_regular(part.path)
        footer = pq.read_metadata(pa.BufferReader(content))
        metadata = footer.metadata or {}
        _table(content)
    except (OSError, pa.ArrowException, *STRANGE) as error:
        return f"it cannot be read ({first_line(error)})"
    for key, value in part_metadata(cell, part.first, part.count, "", rows=part.has_rows).items():
        if key not in _OF_THE_WRITER and metadata.get(key.encode(), b"") != value.encode():
            return _DISAGREES.get(key, f"it was played with another {key}")
    if part.has_rows and footer.num_rows != part.count * cell.rotations:
        return f"it has {footer.num_rows} rows instead of {part.count * cell.rotations}"
    if not part.has_rows and footer.schema.names != ["name", "at", "value"]:
        return "its sums are those of another version"
    return None


def content_of(part: Part) -> bytes:
    """Return the bytes of a part, verified."""
    try:
        content = read_regular(part.path)
    except FileNotFoundError:
        raise damaged(part.path, "it is gone") from None
    except OSError as error:
        raise damaged(part.path, f"it cannot be read ({first_line(error)})") from None
    faults = [entry.fault(content) for entry in part.entries]
    if faults and all(faults):
        raise damaged(part.path, str(faults[-1]))
    return content


def frame_of(content: bytes, path: Path) -> pl.DataFrame:
    """Return the rows of a small Parquet file by polars: to import Arrow takes longer."""
    import polars as pl

    try:
        return pl.read_parquet(BytesIO(content))
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException, *STRANGE) as error:
        raise damaged(path, first_line(error)) from None


def read_part(
    part: Part, columns: Sequence[str] | None = None, rotations: int | None = None
) -> pa.Table:
    """Return the rows of a part, verified; `rotations` is how many each of its deals has."""
    import pyarrow as pa

    content = content_of(part)
    try:
        table = _table(content, columns, rotations and part.count * rotations)
    except (OSError, pa.ArrowException, *STRANGE) as error:
        raise damaged(part.path, first_line(error)) from None
    lacking = sorted(set(columns or ()) - set(table.column_names))
    if lacking:
        raise DataError(
            f'{part.path} lacks the column "{lacking[0]}". It was played by another version of '
            "cardlab; run the study again into another directory (--out)"
        )
    return table


def read_columns(
    part: Part, names: Sequence[str], rotations: int
) -> dict[str, np.ndarray[Any, Any]]:
    """Return columns of a part as arrays, verified."""
    table = read_part(part, names, rotations)
    return {name: as_array(table[name]) for name in names}


def as_array(column: pa.ChunkedArray) -> np.ndarray[Any, Any]:
    """Return a column as an array; Arrow's own conversion would import pandas."""
    import numpy as np
    import pyarrow as pa

    bits = pa.types.is_boolean(column.type)
    numeric = column.cast(pa.uint8()) if bits else column
    array = np.concatenate([np.from_dlpack(chunk) for chunk in numeric.chunks])
    return array.view(np.bool_) if bits else array


def _table(
    content: bytes, columns: Sequence[str] | None = None, rows: int | None = None
) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
    found = file.metadata.num_rows
    if rows is not None and found != rows:  # before they are unpacked
        raise ValueError(f"it has {found} rows instead of {rows}")
    # A thread of Arrow that releases `content` late would abort the process.
    return file.read(columns=columns, use_threads=False)
