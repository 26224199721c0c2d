"""One file of match rows, written while the matches are played: Parquet, CSV or Arrow.

The file has no name before it is complete, so a file of the wanted name is always whole and a
killed program leaves nothing behind. Where the file system knows no files without a name, it is
written aside and renamed; what a killed program left is removed by the next one that writes into
the same folder. Row groups are cut at fixed matches: the bytes do not depend on blocks or threads.
CSV has no place for metadata.
"""

from __future__ import annotations

import contextlib
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
from studies.store.parts import encoding

ROW_GROUP = 1 << 17
ASIDE = ".cardlab-rows"

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
    """A file under construction; leaving the `with` block without error completes it."""

    def __init__(self, path: Path, metadata: Mapping[str, object]) -> None:
        self.path = path
        self._metadata = {
            key: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            for key, value in metadata.items()
        }
        self._check()
        self._pending: list[Columns] = []
        self._pending_rows = 0
        self._writer: Writer | None = None
        self._aside: Path | None = None
        with self._refusing():
            self._sink = self._open()

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
        except FileExistsError:
            raise self._exists() from None
        except OSError as error:
            raise InputError(
                f"out {str(self.path)!r} cannot be written: {error.strerror or error}"
            ) from None

    def _exists(self) -> InputError:
        return InputError(f"out {str(self.path)!r} exists already; allowed: a name that is free")

    def _check(self) -> None:
        place = f"out {str(self.path)!r}"
        with self._refusing():
            if self.path.is_dir():
                raise InputError(f"{place} is a directory; allowed: the name of a file")
            if os.path.lexists(self.path):
                raise self._exists()
        if self.path.suffix.lower() not in FORMS:
            raise InputError(
                f"{place} is refused; allowed: a name that ends in {', '.join(FORMS)} (Parquet, "
                "CSV, Arrow IPC)"
            )

    def _open(self) -> BinaryIO:
        """Open a file that has no name yet, or where there is no such thing one aside."""
        folder = self.path.parent
        with contextlib.suppress(OSError, AttributeError):
            return os.fdopen(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o666), "wb")
        for left in folder.glob(f".*{ASIDE}"):
            with contextlib.suppress(OSError), left.open("rb") as file:
                if try_lock(file.fileno()):  # who wrote it is no more
                    left.unlink()
        self._aside = self.path.with_name(f".{self.path.name}.{os.getpid()}{ASIDE}")
        sink = self._aside.open("xb")
        try_lock(sink.fileno())
        return sink

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
        if self._aside is None:
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                # With a folder Python calls linkat, which follows the link to the open file.
                source = f"/proc/self/fd/{self._sink.fileno()}"
                os.link(source, self.path, src_dir_fd=folder, follow_symlinks=True)
            finally:
                os.close(folder)
        else:
            os.link(self._aside, self.path)

    def _discard(self) -> None:
        with contextlib.suppress(OSError, ValueError, pa.ArrowException):
            if self._writer is not None:
                self._writer.close()
        with contextlib.suppress(OSError):
            self._sink.close()
        if self._aside is not None:
            self._aside.unlink(missing_ok=True)

    def _write_group(self, rows: int) -> None:
        parts = self._pending
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        arrays = {name: pa.array(values[:rows]) for name, values in columns.items()}
        fields = [pa.field(name, own.type, nullable=False) for name, own in arrays.items()]
        table = pa.Table.from_arrays(list(arrays.values()), schema=pa.schema(fields))
        if self._writer is None:
            open_writer = FORMS[self.path.suffix.lower()]
            self._writer = open_writer(self._sink, table.schema.with_metadata(self._metadata))
        self._writer.write_table(table)
        self._pending_rows -= rows
        rest = {name: values[rows:] for name, values in columns.items()}
        self._pending = [rest] if self._pending_rows else []
