"""One part: the rows of one block of a cell, in one immutable Parquet file.

A part is written under a temporary name in its own folder, forced to the disk and renamed, so a
file with a part's name is whole unless the disk fails. Its name carries first match number and
count. Rows are in the order of (match, rotation): the rows of a cell, read in the order of the
names, do not depend on the block sizes. A study that keeps sums instead of matches has parts of the
same form, with a sum in each row (`studies.deals.sums`). Every part carries a seal
(`studies.seal`), which is verified whenever its rows are read.

Encoding: measured on 100,000 rows of 21 columns, the bytes of each number put apart
(BYTE_STREAM_SPLIT), no marks for missing values and zstd level 1 take 78 ns a row of one core and
9.8 bytes; dictionaries, pyarrow's default, take 200 ns and 10.9 bytes. Values are handed over in
large batches, which saves 7 % of the time. Some two thirds of what is left is spent by the writer
without any compression, so that another one would not help much (LZ4: a quarter less, twice the
bytes).

The rows of a part are the same wherever it is made. Its bytes are, too, where pyarrow has the same
version: another one may compress and describe the same rows in other words (`created_by` in the
footer names the writer), so nothing here compares parts by their bytes.
"""

from __future__ import annotations

import errno
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import DataError, InputError
from studies.design.cells import StudyCell
from studies.design.study import MATCHES
from studies.seal import BLANK, BROKEN, KEY, MARK, holds, seal
from studies.store.location import is_local, put
from studies.version import VERSION

if TYPE_CHECKING:
    import numpy as np
    import pyarrow as pa

    Columns = Mapping[str, np.ndarray[Any, Any]]

TEMPORARY = ".tmp"
BATCH = 1 << 16
_NAME = re.compile(r"(\d{13})-(\d{1,13})\.parquet")
_MAGIC = b"PAR1"
_CUT_SHORT = "it is cut short or no Parquet file"
_OF_THE_WRITER = ("version", "source")
_DISAGREES = {"cell": "it belongs to another cell", "block": "its name and its content disagree"}
STRANGE = (ValueError, TypeError, KeyError, OverflowError, MemoryError)
"""What readers of Parquet raise besides their own errors when a footer is nonsense."""


@dataclass(frozen=True, order=True)
class Part:
    """Matches [first, first + count) of a cell, all rotations, in the file `path`."""

    first: int
    count: int
    path: Path

    @property
    def stop(self) -> int:
        """First match number after the part."""
        return self.first + self.count


def part_name(first: int, count: int) -> str:
    """Return the file name of a part."""
    return f"{first:013d}-{count}.parquet"


def parse_part(path: Path) -> Part | None:
    """Return the part that a file name stands for, or None when it is no part's name."""
    found = _NAME.fullmatch(path.name)
    return Part(int(found[1]), int(found[2]), path) if found else None


@dataclass(frozen=True)
class Encoded:
    """A part that was played and is still to be written.

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


def write_part(folder: Path, encoded: Encoded) -> Part:
    """Write a part into its cell's folder, which is made when it is missing.

    Raises
    ------
    InputError
        If the file exists or cannot be written; nothing is left under the part's name.
    """
    path = folder / part_name(encoded.first, encoded.count)
    write_aside(path, encoded.content)
    return Part(encoded.first, encoded.count, path)


def write_aside(path: Path, content: bytes | memoryview, *, replace: bool = False) -> None:
    """Write a file under a temporary name, force it to the disk and rename it.

    Parameters
    ----------
    replace : bool
        Whether a file of that name may be there; it is then replaced in one step.

    Raises
    ------
    InputError
        If the file exists and may not be replaced, or cannot be written.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}{TEMPORARY}")
    try:
        if not is_local(path):
            if not replace and path.exists():
                raise there_already(path)
            put(path, content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with aside.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            if not replace and path.exists():
                raise there_already(path)
            aside.rename(path)
        finally:
            aside.unlink(missing_ok=True)
        _sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from None


def there_already(path: Path) -> DataError:
    """Return the error for a part that is to be written where there is one."""
    return DataError(f"{path} is there already; it is never written over")


class CannotWriteError(InputError):
    """The system does not let us write."""


def cannot_write(path: Path, error: OSError) -> CannotWriteError:
    """Return the refusal for a file that the system does not let us write."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CannotWriteError(
            f"the disk is full: {path} could not be written. The parts written before are whole; "
            "make room and run the same command again, it continues"
        )
    return CannotWriteError(f"{path} cannot be written: {error.strerror or error}")


def _sync_folder(folder: Path) -> None:
    """Force a folder's entries to the disk, where the system knows how."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def encode(columns: Columns, metadata: Mapping[str, str]) -> memoryview:
    """Return columns as a sealed Parquet file in memory (zstd, page checksums)."""
    return encode_table(as_table(columns).replace_schema_metadata(dict(metadata)))


def as_table(columns: Columns) -> pa.Table:
    """Return columns as a table without missing values."""
    import pyarrow as pa

    arrays = {name: pa.array(values) for name, values in columns.items()}
    schema = pa.schema(
        [pa.field(name, array.type, nullable=False) for name, array in arrays.items()]
    )
    return pa.Table.from_arrays(list(arrays.values()), schema=schema)


def encode_table(table: pa.Table) -> memoryview:
    """Return a table as a sealed Parquet file in memory; see the head of this module."""
    return sealed_table(table, **encoding(table.schema))


def sealed_table(table: pa.Table, **how: Any) -> memoryview:
    """Return a table as a Parquet file in memory, written as told, with a seal in its footer."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    stream = pa.BufferOutputStream()
    with pq.ParquetWriter(stream, table.schema, **how) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({KEY: BLANK})
    return seal(memoryview(stream.getvalue()))


def encoding(schema: pa.Schema) -> dict[str, Any]:
    """Return how pyarrow shall write columns of a schema."""
    import pyarrow as pa

    columns = {
        field.name: "BYTE_STREAM_SPLIT" for field in schema if pa.types.is_integer(field.type)
    }
    ordered = [name for name in ("match", "rotation") if name in columns]
    # Match numbers rise by one, so their differences take no room.
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
    cell: StudyCell, first: int, count: int, source: str, detail: str = MATCHES
) -> dict[str, str]:
    """Return what a part says of itself; values other than plain text are JSON."""
    return {
        "cell": cell.id,
        "game": cell.game,
        "variant": cell.variant,
        "options": json.dumps(cell.options),
        "lineup": json.dumps(cell.seats),
        "seed": str(cell.seed),
        "block": json.dumps({"first": first, "count": count}),
        "rotations": str(cell.rotations),
        "coupling": cell.coupling,
        "detail": detail,
        "version": VERSION,
        "source": source,
    }


@dataclass(frozen=True)
class Looked:
    """What a look at a part found.

    Attributes
    ----------
    why : str or None
        What is wrong with it.
    sealed : bool
        Whether it carries a seal; parts of before have none.
    """

    why: str | None = None
    sealed: bool = True


def fault(part: Part, cell: StudyCell, detail: str = MATCHES, *, whole: bool = False) -> Looked:
    """Look whether a part is sound.

    Parameters
    ----------
    whole : bool
        Whether to read all of it. Otherwise only its ends and its footer are looked at, and
        `sound_bytes` verifies the rest when it is read.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        if whole:
            sound_bytes(part)
        with part.path.open("rb") as file:
            start = file.read(4)
            end = file.seek(0, os.SEEK_END)
            file.seek(max(0, end - 4))
            if start != _MAGIC or end < 2 * len(_MAGIC) or file.read(4) != _MAGIC:
                return Looked(_CUT_SHORT)
            footer = pq.read_metadata(file)
            told = footer.metadata or {}
    except DamagedError as error:
        return Looked(error.why)
    except (OSError, pa.ArrowException, *STRANGE) as error:
        return Looked(f"it cannot be read ({first_line(error)})")
    sealed = any(value.startswith(MARK) for value in told.values())
    for key, value in part_metadata(cell, part.first, part.count, "", detail).items():
        if key not in _OF_THE_WRITER and told.get(key.encode(), value.encode()) != value.encode():
            return Looked(_DISAGREES.get(key, f"it was played with another {key}"), sealed)
    if b"cell" not in told or b"block" not in told:
        return Looked(_DISAGREES["cell"], sealed)
    if detail == MATCHES and footer.num_rows != part.count * cell.rotations:
        why = f"it has {footer.num_rows} rows instead of {part.count * cell.rotations}"
        return Looked(why, sealed)
    return Looked(sealed=sealed)


def sound_bytes(part: Part) -> bytes:
    """Return the file of a part, verified: by its seal, older ones by their pages' checksums.

    Raises
    ------
    DamagedError
        If it cannot be read or is not as it was written.
    """
    import pyarrow as pa

    try:
        content = part.path.read_bytes()
    except OSError as error:
        raise damaged(part.path, f"it cannot be read ({first_line(error)})") from None
    if len(content) < 2 * len(_MAGIC) or not content.startswith(_MAGIC):
        raise damaged(part.path, _CUT_SHORT)
    if not content.endswith(_MAGIC):
        raise damaged(part.path, _CUT_SHORT)
    fits = holds(content)
    if fits is None:
        try:
            _table(content)
        except (OSError, pa.ArrowException, *STRANGE) as error:
            raise damaged(part.path, first_line(error)) from None
    elif not fits:
        raise damaged(part.path, BROKEN)
    return content


def read_part(part: Part, columns: Sequence[str] | None = None) -> pa.Table:
    """Return the rows of a part, verified.

    Parameters
    ----------
    columns : sequence of str, optional
        Only these.

    Raises
    ------
    DataError
        If the part cannot be read (DamagedError), or lacks a column.
    """
    import pyarrow as pa

    content = sound_bytes(part)
    try:
        table = _table(content, columns)
    except (OSError, pa.ArrowException, *STRANGE) as error:
        raise damaged(part.path, first_line(error)) from None
    lacking = sorted(set(columns or ()) - set(table.column_names))
    if lacking:
        raise DataError(
            f'{part.path} lacks the column "{lacking[0]}". It was played by another version of '
            "cardlab; run the study again into another directory (--out)"
        )
    return table


def _table(content: bytes, columns: Sequence[str] | None = None) -> pa.Table:
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = pq.ParquetFile(pa.BufferReader(content), page_checksum_verification=True)
    # A thread of Arrow's that lets go of `content` late aborts.
    return file.read(columns=columns, use_threads=False)


def first_line(error: Exception) -> str:
    """Return the beginning of what an error says."""
    return (str(error).splitlines() or [type(error).__name__])[0][:100]


class DamagedError(DataError):
    """A part cannot be used; `why` says in short why not."""

    def __init__(self, message: str, why: str) -> None:
        super().__init__(message)
        self.why = why


def damaged(path: Path, why: str) -> DamagedError:
    """Return the error for a part that cannot be used."""
    return DamagedError(
        f"part {path} is damaged: {why}. Run the study again: it sets the part aside and plays its "
        "matches again, the same rows",
        why,
    )
