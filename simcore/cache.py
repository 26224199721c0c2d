"""Cache of compiled code on disk, in a folder private to the user; nothing here raises.

A file is named by a hash of everything that its content depends on, so that concurrent processes
write the same bytes and dates do not matter. It begins with a checksum, and is written under a
temporary name and renamed; damaged files are compiled again. Files that another user could have
written are never run.
"""

from __future__ import annotations

import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

_DIGEST_SIZE = 32
MOST_BYTES = 1 << 28
"""Size of the cache after which what was not used for longest is removed."""

refusal = ""
"""Why the last file could not be written or was not read."""


def _cache() -> Path:
    """Return the user's cache folder for cardlab."""
    try:
        caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:  # a user without a home
        import tempfile

        number = os.getuid() if hasattr(os, "getuid") else ""
        return Path(tempfile.gettempdir()) / f"cardlab-{number}"
    return caches / "cardlab"


FOLDER = Path(os.environ.get("CARDLAB_CACHE") or _cache()) / "kernels"


def load(name: str) -> bytes | None:
    """Return the bytes saved under a name; None if there are none, or damaged ones."""
    try:
        if not is_private():
            return None
        with open(FOLDER / name, "rb", opener=_open_no_link) as file:
            if not _is_safe(os.fstat(file.fileno()), stat.S_ISREG):
                _refuse(f"{FOLDER / name} is another user's, or others can write to it")
                return None
            content = file.read()
            _note_use(name)
    except OSError:
        return None
    payload = content[_DIGEST_SIZE:]
    return payload if payload and content[:_DIGEST_SIZE] == _digest(payload) else None


def has(name: str) -> bool:
    """Return whether something is saved under a name, sound or not."""
    return (FOLDER / name).exists()


def has_any(ending: str) -> bool:
    """Return whether something is saved under a name with this ending."""
    with suppress(OSError), os.scandir(FOLDER) as entries:
        return any(entry.name.endswith(ending) for entry in entries)
    return False


def _note_use(name: str) -> None:
    with suppress(OSError):
        os.utime(FOLDER / name)


def save(name: str, payload: bytes) -> None:
    """Save bytes under a name, after their checksum; what was not used for longest goes for it."""
    if write(name, _digest(payload) + payload):
        clear(MOST_BYTES)


def clear(most: int = 0) -> int:
    """Remove the files that were not used for longest, until at most so many bytes are left.

    Returns
    -------
    int
        Bytes that were removed.
    """
    removed = 0
    with suppress(OSError):
        with os.scandir(FOLDER) as entries:
            kept = [(entry.stat(), entry.path) for entry in entries if entry.is_file()]
        left = sum(status.st_size for status, _ in kept)
        for status, path in sorted(kept, key=lambda pair: pair[0].st_mtime):
            if left - removed <= most:
                break
            os.unlink(path)  # noqa: PTH108 (of a path that scandir gives)
            removed += status.st_size
    return removed


def is_private() -> bool:
    """Return whether only the user and root can write to the folder; store the reason if not."""
    is_safe = _is_safe(FOLDER.lstat(), stat.S_ISDIR)
    if not is_safe:
        _refuse(f"{FOLDER} is another user's, or others can write to it")
    return is_safe


def private_folder(name: str) -> Path | None:
    """Return a folder inside the cache, made if need be; None where others could write to it."""
    try:
        _make_folder()
        (FOLDER / name).mkdir(mode=0o700, exist_ok=True)
        is_safe = is_private() and _is_safe((FOLDER / name).lstat(), stat.S_ISDIR)
    except OSError:
        return None
    return FOLDER / name if is_safe else None


def _make_folder() -> None:
    for folder in (*reversed(FOLDER.parents), FOLDER):
        folder.mkdir(mode=0o700, exist_ok=True)


def write(name: str, content: bytes) -> bool:
    """Write a file and return whether that succeeded; store the reason if not."""
    aside = FOLDER / f"{name}.{os.getpid()}.{threading.get_ident()}.tmp"
    try:
        _make_folder()
        if not is_private():
            return False
        try:
            with open(aside, "wb", opener=_open_no_link) as file:
                file.write(content)
            aside.replace(FOLDER / name)
        finally:
            aside.unlink(missing_ok=True)
    except OSError as error:
        _refuse(error.strerror or str(error))
        return False
    return True


def _refuse(why: str) -> None:
    global refusal  # noqa: PLW0603 (of the process, told once by the command line)
    refusal = why


def _is_safe(status: os.stat_result, is_kind: Callable[[int], bool]) -> bool:
    """Return whether only the user and root can have written a file or folder."""
    if not hasattr(os, "getuid"):
        return is_kind(status.st_mode)
    others = status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
    return is_kind(status.st_mode) and not others and status.st_uid in (0, os.getuid())


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _digest(payload: bytes) -> bytes:
    import hashlib  # not for `--help`, which looks for bytecode here

    return hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest()
