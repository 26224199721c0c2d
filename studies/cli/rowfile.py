"""One file of match rows, written while the matches are played: Parquet, CSV or Arrow.

The file is written aside and renamed when it is complete, so a file of the wanted name is always
whole. Row groups are cut at fixed matches: the bytes do not depend on blocks or threads. Who writes
holds a lock on the file aside; what a killed program left behind is removed by the next that writes
to the same name. CSV has no place for metadata.
"""

from __future__ import annotations

import contextlib
import glob
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Protocol, Self, cast

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from simcore.errors import InputError
from studies.store.lock import try_lock
from studies.store.parts import as_table, encoding

ROW_GROUP = 1 << 17

Columns = Mapping[str, NDArray[Any]]


class Writer(Protocol):
    """What the writers of the three forms have in common."""

    def write_table(self, table: pa.Table, /) -> object:
        """Append rows."""
        ...

    def close(self) -> object:
        """Complete the file."""
        ...


def _parquet(sink: BinaryIO, schema: pa.Schema) -> Writer:
    return cast("Writer", pq.ParquetWriter(sink, schema, **encoding(schema)))


def _csv(sink: BinaryIO, schema: pa.Schema) -> Writer:
    from pyarrow import csv

    return cast("Writer", csv.CSVWriter(sink, schema))


def _arrow(sink: BinaryIO, schema: pa.Schema) -> Writer:
    return cast("Writer", pa.ipc.new_file(sink, schema))


FORMS: Mapping[str, Callable[[BinaryIO, pa.Schema], Writer]] = {
    ".parquet": _parquet,
    ".csv": _csv,
    ".arrow": _arrow,
}
"""Writers by the ending of the file's name."""


class RowFile:
    """A file under construction; leaving the `with` block without error completes it.

    Parameters
    ----------
    path : Path
        Where the file shall be; its ending decides its form.
    metadata : mapping
        Key-value metadata, which CSV leaves out; values that are no text are written as JSON.
    force : bool
        Replace a file that exists.

    Raises
    ------
    InputError
        If the file exists or cannot be written, or its ending is another.
    """

    def __init__(self, path: Path, metadata: Mapping[str, object], *, force: bool = False) -> None:
        self.path = path
        self._metadata = {
            key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in metadata.items()
        }
        self._check(force=force)
        self._aside = path.with_name(f".{path.name}.{os.getpid()}.part")
        self._pending: list[Columns] = []
        self._pending_rows = 0
        self._writer: Writer | None = None
        with self._refusing():
            self._clear_leftovers()
            self._sink: BinaryIO = self._aside.open("xb")
        try_lock(self._sink.fileno())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                with self._refusing():
                    self._complete()
        finally:
            self._discard()

    @contextlib.contextmanager
    def _refusing(self) -> Iterator[None]:
        """Say which file cannot be written when the system refuses."""
        try:
            yield
        except OSError as error:
            raise InputError(
                f"--out {str(self.path)!r} cannot be written: {error.strerror or error}"
            ) from None

    def _check(self, *, force: bool) -> None:
        """Refuse what is no place for a file."""
        place = f"--out {str(self.path)!r}"
        with self._refusing():
            if self.path.is_dir():
                raise InputError(f"{place} is a directory; allowed: the name of a file")
            if self.path.exists() and not self.path.is_file():
                raise InputError(f"{place} is no ordinary file; allowed: the name of a file")
            if self.path.exists() and not force:
                raise InputError(f"{place} exists already; to replace it: --force")
        if self.path.suffix.lower() not in FORMS:
            raise InputError(
                f"{place} is refused; allowed: a name that ends in {', '.join(FORMS)} (Parquet, "
                "CSV, Arrow IPC)"
            )

    def _clear_leftovers(self) -> None:
        """Remove what killed programs left of this file; those that are alive hold theirs."""
        for path in self.path.parent.glob(f".{glob.escape(self.path.name)}.*.part"):
            if path.name.removesuffix(".part").rpartition(".")[2].isdecimal():
                with contextlib.suppress(OSError), path.open("rb") as file:
                    if try_lock(file.fileno()):
                        path.unlink()

    def add(self, columns: Columns) -> None:
        """Append the rows of a block."""
        self._pending.append(columns)
        self._pending_rows += len(columns["match"])
        with self._refusing():
            while self._pending_rows >= ROW_GROUP:
                self._write_group(ROW_GROUP)

    def _complete(self) -> None:
        if self._pending_rows or self._writer is None:
            self._write_group(self._pending_rows)
        assert self._writer is not None
        self._writer.close()
        self._writer = None
        self._sink.flush()
        os.fsync(self._sink.fileno())
        self._sink.close()
        self._aside.replace(self.path)

    def _discard(self) -> None:
        """Close everything and remove what was written aside; after `_complete` there is none."""
        with contextlib.suppress(OSError, ValueError, pa.ArrowException):
            if self._writer is not None:
                self._writer.close()
        with contextlib.suppress(OSError):
            self._sink.close()
        self._aside.unlink(missing_ok=True)

    def _write_group(self, rows: int) -> None:
        parts = self._pending
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        table = as_table({name: values[:rows] for name, values in columns.items()})
        if self._writer is None:
            self._writer = self._open_writer(table.schema)
        self._writer.write_table(table)
        self._pending_rows -= rows
        rest = {name: values[rows:] for name, values in columns.items()}
        self._pending = [rest] if self._pending_rows else []

    def _open_writer(self, schema: pa.Schema) -> Writer:
        open_writer = FORMS[self.path.suffix.lower()]
        return open_writer(self._sink, schema.with_metadata(self._metadata))
