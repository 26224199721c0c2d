"""Files of a study directory: how they are written, and who may write.

A file is written under a temporary name, synced to disk and renamed. So a file with its final name
is always complete, even if the process is killed.

One run at a time writes to a directory. The operating system holds the lock and releases it when
the process ends, however it ends.
"""

from __future__ import annotations

import errno
import os
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from simcore.errors import DataError, InputError
from studies.manifest import NAME as MANIFEST
from studies.manifest import refuse_links

TEMPORARY = ".tmp"
LOCK = ".lock"


class CannotWriteError(InputError):
    """The system refuses to write."""


def locate(place: str | Path) -> Path:
    """Return the path for a user's text."""
    text = str(place)
    if "\0" in text:
        raise InputError(f"place {text!r} is refused: a name cannot hold a null character")
    if "://" in text:
        raise InputError(f"place {text!r} is refused; allowed: a local or mounted directory")
    return Path(place)


# ---- writing


@contextmanager
def written_aside(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """Open a new file, which gets its name when the block ends without an error.

    Raises
    ------
    FileExistsError
        If there is a file of this name by then, unless it is to be replaced.
    """
    # A file system may allow no more than 255 bytes.
    name = os.fsencode(path.name)
    short = path.name if len(name) < 200 else f"{zlib.crc32(name):x}"
    aside = path.with_name(f".{short}.{os.getpid()}{TEMPORARY}")
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
    if os.name == "posix":
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def write_aside(path: Path, content: bytes | memoryview, *, replace: bool = False) -> None:
    """Write a file under a temporary name and rename it."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(path, replace=replace) as file:
            file.write(content)
    except FileExistsError:
        raise DataError(f"{path} is there already; it is never written over") from None
    except OSError as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: OSError) -> CannotWriteError:
    """Return the error for a file that cannot be written."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return CannotWriteError(
            f"the disk is full: {path} could not be written. The parts written before are whole; "
            "make room and run the same command again, it continues"
        )
    return CannotWriteError(f"{path} cannot be written: {error.strerror or error}")


def first_line(error: Exception) -> str:
    """Return the first line of an error message."""
    return (str(error).splitlines() or [type(error).__name__])[0][:100]


# ---- one run at a time


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the directory for one run."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if (directory / MANIFEST).exists():
            refuse_links(directory)
        no_links = getattr(os, "O_NOFOLLOW", 0)
        handle = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | no_links, 0o644)
    except OSError as error:
        raise cannot_write(directory, error) from None
    try:
        _lock(handle, directory)
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, directory: Path) -> None:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(handle, 200).decode(errors="replace").strip()
        raise InputError(
            f"another run is writing to {directory}"
            + (f" ({holder})" if holder else "")
            + "; wait for it to end, or give another directory with --out"
        ) from None
