"""Atomic file writing: write under a temporary name, sync to disk, rename.

A file with its final name is always complete, even if the process is killed.
"""

from __future__ import annotations

import errno
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from simcore.errors import DataError, InputError
from studies.store.location import is_local, put

TEMPORARY = ".tmp"


class CannotWriteError(InputError):
    """The system refuses to write."""


def cannot_write(path: Path, error: OSError) -> CannotWriteError:
    """Return the error for a file that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CannotWriteError(
            f"the disk is full: {path} could not be written. The parts written before are whole; "
            "make room and run the same command again, it continues"
        )
    return CannotWriteError(f"{path} cannot be written: {error.strerror or error}")


@contextmanager
def written_aside(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """Open a new file, which gets its name, synced to disk, when the block ends without an error.

    Raises
    ------
    FileExistsError
        If there is a file of this name by then, unless it is to be replaced.
    """
    # A file system may allow no more than 255 bytes.
    name = os.fsencode(path.name)
    named = path.name if len(name) < 200 else f"{zlib.crc32(name):x}"
    aside = path.with_name(f".{named}.{os.getpid()}{TEMPORARY}")
    try:
        with aside.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not replace and os.path.lexists(path):
            raise FileExistsError(errno.EEXIST, "exists already", str(path))
        aside.rename(path)
    finally:
        aside.unlink(missing_ok=True)
    _sync_folder(path.parent)


def write_aside(path: Path, content: bytes | memoryview, *, replace: bool = False) -> None:
    """Write a file under a temporary name, sync it and rename it."""
    try:
        if not is_local(path):
            if not replace and path.exists():
                raise there_already(path)
            put(path, content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(path, replace=replace) as file:
            file.write(content)
    except FileExistsError:
        raise there_already(path) from None
    except OSError as error:
        raise cannot_write(path, error) from None


def there_already(path: Path) -> DataError:
    """Return the error for a part that already exists."""
    return DataError(f"{path} is there already; it is never written over")


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def first_line(error: Exception) -> str:
    """Return the first line of an error message."""
    return (str(error).splitlines() or [type(error).__name__])[0][:100]
