"""Reading files named by users: regular files only, never a pipe or a device."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
}


def read_regular(path: str | Path, most: int | None = None) -> bytes:
    """Return the content of a regular file.

    A named pipe without a writer would block for ever, and a device may have no end: both are
    refused before they are opened.

    Parameters
    ----------
    path : str or Path
    most : int, optional
        Return at most this many bytes.

    Raises
    ------
    OSError
        If there is no such file, it is not a regular one, or it cannot be read; `strerror` is the
        reason, in words.
    """
    try:
        check_regular(path)
        # Something else may have taken its place since: then opening must not block either.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except ValueError as error:  # a null character in the name
        raise OSError(errno.EINVAL, str(error)) from None
    with os.fdopen(handle, "rb") as file:
        _refuse_irregular(os.fstat(handle).st_mode)
        return file.read(-1 if most is None else most)


def check_regular(path: str | Path) -> None:
    """Raise OSError where a path is no regular file; see `read_regular`.

    Names that are not valid UTF-8 are refused, because results could not be stored with them.
    """
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise OSError(errno.EINVAL, "its name is no text") from None
    _refuse_irregular(Path(path).stat().st_mode)


def _refuse_irregular(mode: int) -> None:
    if not stat.S_ISREG(mode):
        kind = _KINDS.get(stat.S_IFMT(mode), "no regular file")
        raise OSError(errno.EINVAL, f"it is {kind}, not a regular file")
