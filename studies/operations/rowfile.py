"""One file of match rows, written while the matches are played: Parquet, CSV or Arrow.

It is written aside and renamed (`studies.store.files`), so a file of the wanted name is always
whole. Row groups are cut at fixed matches: the bytes do not depend on blocks or threads. CSV has no
place for metadata.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from simcore.errors import InputError
from studies.store.files import written_aside
from studies.store.parts import arrow_array, encoding

ROW_GROUP = 1 << 17

Columns = Mapping[str, NDArray[Any]]


class Writer(Protocol):
    """Common interface of the three writers."""

    def write_table(self, table: pa.Table, /) -> object:
        """Append rows."""
        ...

    def close(self) -> object:
        """Complete the file."""
        ...


def _csv(sink: BinaryIO, schema: pa.Schema) -> Writer:
    from pyarrow import csv

    return cast("Writer", csv.CSVWriter(sink, schema))


Form = Callable[[BinaryIO, pa.Schema], Writer]

FORMS: Mapping[str, Form] = {
    ".parquet": lambda sink, schema: pq.ParquetWriter(sink, schema, **encoding(schema)),
    ".csv": _csv,
    ".arrow": pa.ipc.new_file,
}
"""Writers by the ending of the file's name."""


@contextmanager
def row_file(path: Path, metadata: Mapping[str, object]) -> Iterator[RowFile]:
    """Open a new file of rows, which is there when the block ends without an error."""
    place = f"out {str(path)!r}"
    exists = InputError(f"{place} exists already; allowed: a name that is free")
    try:
        if path.is_dir():
            raise InputError(f"{place} is a directory; allowed: the name of a file")
        if os.path.lexists(path):
            raise exists
        if path.suffix.lower() not in FORMS:
            raise InputError(
                f"{place} is refused; allowed: a name that ends in {', '.join(FORMS)} (Parquet, "
                "CSV, Arrow IPC)"
            )
        with written_aside(path) as sink:
            file = RowFile(sink, FORMS[path.suffix.lower()], metadata)
            try:
                yield file
                file.complete()
            finally:
                file.close()
    except FileExistsError:
        raise exists from None
    except OSError as error:
        raise InputError(f"{place} cannot be written: {error.strerror or error}") from None


class RowFile:
    """A file under construction."""

    def __init__(self, sink: BinaryIO, form: Form, metadata: Mapping[str, object]) -> None:
        self._sink, self._form = sink, form
        self._metadata = {
            key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in metadata.items()
        }
        self._pending: list[Columns] = []
        self._pending_rows = 0
        self._writer: Writer | None = None

    def add(self, columns: Columns) -> None:
        """Append the rows of a block."""
        self._pending.append(columns)
        self._pending_rows += len(columns["match"])
        while self._pending_rows >= ROW_GROUP:
            self._write_group(ROW_GROUP)

    def complete(self) -> None:
        """Write the rows that are left."""
        if self._pending_rows or self._writer is None:
            self._write_group(self._pending_rows)

    def close(self) -> None:
        """Write the file's end."""
        if self._writer is not None:
            self._writer.close()

    def _write_group(self, rows: int) -> None:
        parts = self._pending
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        arrays = {name: arrow_array(values[:rows]) for name, values in columns.items()}
        fields = [pa.field(name, array.type, nullable=False) for name, array in arrays.items()]
        table = pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))
        if self._writer is None:
            self._writer = self._form(self._sink, table.schema.with_metadata(self._metadata))
        self._writer.write_table(table)
        self._pending_rows -= rows
        rest = {name: values[rows:] for name, values in columns.items()}
        self._pending = [rest] if self._pending_rows else []
