"""Files of a study directory: where they are, how they are written, and who may write.

A directory is a `pathlib.Path` of this machine, or a `upath.UPath` with the same methods
(universal_pathlib, extra `remote`) for an fsspec address such as `s3://…`.

A file is written under a temporary name, synced to disk and renamed. So a file with its final name
is always complete, even if the process is killed.

One run at a time writes to a directory. In the local file system the operating system holds the
lock and releases it when the process ends, however it ends. Object stores have no locks: there a
run leaves the marker `.lock`, which other runs read; two runs that start at the same moment may
miss each other's marker. Then nothing is lost or duplicated, because a part's name determines its
content: both write the same rows under the same names, and only time is wasted. A killed run leaves
its marker behind, and the message says how to remove it.
"""

from __future__ import annotations

import errno
import json
import os
import re
import socket
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, cast

from simcore.errors import DataError, InputError

TEMPORARY = ".tmp"
LOCK = ".lock"
_HELD = b"process "
"""Beginning of a local lock file; markers in object stores are JSON."""

_OF_THIS_MACHINE = ("file://", "local://")
_SHOWS_WHOLE_FILES = re.compile("memory|s3a?|gs|gcs|abfss?|az|adl|oci|oss")
"""Protocols of stores that show only complete files."""


class CannotWriteError(InputError):
    """The system refuses to write."""


def locate(place: str | Path) -> Path:
    """Return the path for a user's text."""
    if not isinstance(place, str):
        return place
    if "\0" in place:
        raise InputError(f"place {place!r} is refused: a name cannot hold a null character")
    for prefix in _OF_THIS_MACHINE:
        place = place.removeprefix(prefix)
    if "://" not in place:
        return Path(place)
    try:
        from upath import UPath
    except ImportError:
        raise InputError(
            f"place {place!r} is not on this machine, and what reads such places is not "
            "installed; allowed: a directory, or after pip install 'cardlab[remote]' any address "
            "of fsspec"
        ) from None
    try:
        path = UPath(place)
        path.exists()
    except ImportError as error:
        raise InputError(f"place {place!r} cannot be read: {error}") from None
    except Exception as error:
        why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InputError(
            f"place {place!r} cannot be read: {why}; allowed: a directory, or an address that "
            "fsspec knows and may open"
        ) from None
    return cast("Path", path)


def is_local(path: Path) -> bool:
    """Return whether a path is in the local file system."""
    return isinstance(path, Path)


# ---- writing


@contextmanager
def written_aside(path: Path, *, replace: bool = False) -> Iterator[BinaryIO]:
    """Open a new local file, which gets its name when the block ends without an error.

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
    """Write a file, here or in remote storage, under a temporary name and rename it."""
    exists = DataError(f"{path} is there already; it is never written over")
    if not replace and not is_local(path) and path.exists():
        raise exists
    try:
        if not is_local(path):
            _put(path, content)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with written_aside(path, replace=replace) as file:
            file.write(content)
    except FileExistsError:
        raise exists from None
    except OSError as error:
        raise cannot_write(path, error) from None


def _put(path: Path, content: bytes | memoryview) -> None:
    """Write a complete file to remote storage, replacing an existing one."""
    remote = cast("Any", path)
    if _SHOWS_WHOLE_FILES.fullmatch(remote.protocol):
        remote.fs.pipe_file(remote.path, bytes(content))
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = remote.with_name(f".{path.name}.tmp")
    remote.fs.pipe_file(aside.path, bytes(content))
    move(aside, path)


def move(path: Path, target: Path) -> None:
    """Move a file within one place."""
    if is_local(path):
        path.rename(target)
    else:
        remote, other = cast("Any", path), cast("Any", target)
        remote.fs.mv(remote.path, other.path)


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
    with _held(directory) if is_local(directory) else _marked(directory):
        yield


@contextmanager
def _held(directory: Path) -> Iterator[None]:
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise cannot_write(directory, error) from None
    try:
        _lock(handle, directory)
        os.ftruncate(handle, 0)
        os.pwrite(handle, _HELD + f"{os.getpid()} on {socket.gethostname()}\n".encode(), 0)
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


@contextmanager
def _marked(directory: Path) -> Iterator[None]:
    path = directory / LOCK
    mark = {
        "process": os.getpid(),
        "host": socket.gethostname(),
        "since": datetime.now(UTC).isoformat(timespec="microseconds"),
    }
    content = json.dumps(mark).encode()
    try:
        other = _read_mark(path)
        if other is not None and not _is_gone(other):
            raise InputError(
                f"another run is writing to {directory} (process {other.get('process')} on "
                f"{other.get('host')}, since {other.get('since')}); wait for it to end, or give "
                f"another place with --out. If that run was killed, remove its mark {path}: such a "
                "place has no lock that the system frees"
            )
        _put(path, content)
        if path.read_bytes() != content:
            raise InputError(f"another run has begun to write to {directory} at the same moment")
    except OSError as error:
        raise cannot_write(directory, error) from None
    try:
        yield
    finally:
        if _read_mark(path) == mark:
            path.unlink(missing_ok=True)


def _read_mark(path: Path) -> dict[str, object] | None:
    try:
        content = path.read_bytes()
        # A directory that was copied from a file system with locks has a local lock file.
        mark = None if content.startswith(_HELD) else json.loads(content)
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return mark if mark is None or isinstance(mark, dict) else {}


def _is_gone(mark: dict[str, object]) -> bool:
    """Return whether the process that left a mark has ended; False where that cannot be told."""
    process = mark.get("process")
    if mark.get("host") != socket.gethostname() or not isinstance(process, int):
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
