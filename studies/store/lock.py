"""One run at a time in a directory.

In the local file system the operating system holds the lock and releases it when the process ends,
however it ends. Object stores have no locks: there a run leaves the marker `.lock`, which other
runs read; two runs that start at the same moment may miss each other's marker. Then nothing is lost
or duplicated, because a part's name determines its content: both write the same rows under the same
names, and only time is wasted. A killed run leaves its marker behind, and the message says how to
remove it.
"""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from simcore.errors import InputError
from studies.store.files import cannot_write
from studies.store.location import is_local, put

LOCK = ".lock"
_HELD = b"process "
"""Beginning of a local lock file; markers in object stores are JSON."""


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
        if not try_lock(handle):
            holder = os.read(handle, 200).decode(errors="replace").strip()
            raise InputError(
                f"another run is writing to {directory}"
                + (f" ({holder})" if holder else "")
                + "; wait for it to end, or give another directory with --out"
            )
        os.ftruncate(handle, 0)
        os.pwrite(handle, _HELD + f"{os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def try_lock(handle: int) -> bool:
    """Lock an open file, if the system can; return False if another process holds the lock."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


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
        put(path, content)
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
        if content.startswith(_HELD):
            return None  # the directory was copied from a file system with locks
        mark = json.loads(content)
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return mark if isinstance(mark, dict) else {}


def _is_gone(mark: dict[str, object]) -> bool:
    process = mark.get("process")
    if mark.get("host") != socket.gethostname() or not isinstance(process, int):
        return False
    if process == os.getpid():
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
