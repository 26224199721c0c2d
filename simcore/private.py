"""Whether anybody else could put files into a folder: compiled code is run, so nobody may.

The system's owner (root) may do as he likes anyway, and is trusted. Access lists beyond owner,
group and others are not looked at, nor anything on systems without user numbers.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import cache
from pathlib import Path

MOST_LINKS = 40
ROOT = 0
_CHECKED = hasattr(os, "getuid")


def make_private(folder: Path) -> str:
    """Make a folder that only the user can write to, with its parents, where it is missing.

    Returns
    -------
    str
        Who else could change what lies there, in words; "" if nobody could.

    Raises
    ------
    OSError
        If it cannot be made.
    """
    missing = [one for one in (folder, *folder.parents) if not one.exists()]
    for one in reversed(missing):
        one.mkdir(mode=0o700, exist_ok=True)
    return exposure(folder)


def exposure(folder: Path) -> str:
    """Return who else could change what lies in a folder, in words; "" if nobody could.

    Looked at are the folder and all on the way to it, through symbolic links, too: each must belong
    to the user or to root, and nobody else may write to it. On the way there may be folders like
    `/tmp`, where all may write, but none may rename what is another's.

    Raises
    ------
    OSError
        If the folder is missing, or may not be looked at.
    """
    if not _CHECKED:
        return ""
    way = list(_steps(folder))
    for place, status in way:
        on_the_way = place != way[-1][0]
        stranger = status.st_uid not in (ROOT, os.getuid())
        if stranger and not (on_the_way and status.st_uid == _unmapped_user()):
            return f"{place} belongs to {_user_name(status.st_uid)}"
        shared = status.st_mode & stat.S_ISVTX and on_the_way
        if not stat.S_ISLNK(status.st_mode) and not shared and _others_write(status):
            return f"others can write to {place}"
    return ""


def is_own_file(status: os.stat_result) -> bool:
    """Return whether nobody but the user and root can have written a file."""
    return not _CHECKED or (
        stat.S_ISREG(status.st_mode)
        and status.st_uid in (ROOT, os.getuid())
        and not _others_write(status)
    )


def _steps(folder: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """Yield what the system goes through to find a folder, links and their targets."""
    place = Path(os.path.abspath(folder))  # noqa: PTH100 (resolves no links)
    left = list(reversed(place.parts))
    links = 0
    at = Path(left.pop())
    yield at, at.lstat()
    while left:
        part = left.pop()
        if part == os.pardir:
            at = at.parent
            continue
        step = at / part
        status = step.lstat()
        yield step, status
        if not stat.S_ISLNK(status.st_mode):
            at = step
            continue
        links += 1
        if links > MOST_LINKS:
            raise OSError(f"too many symbolic links on the way to {folder}")
        left.extend(reversed(step.readlink().parts))
        if step.readlink().is_absolute():
            at = Path(left.pop())


@cache
def _unmapped_user() -> int:
    """Return whose all is that belongs to users unknown in here, as root in a sandbox; -1: none.

    See user_namespaces(7).
    """
    try:
        known = Path("/proc/self/uid_map").read_text(encoding="utf-8").split()
        if known == ["0", "0", str(2**32 - 1)]:
            return -1
        return int(Path("/proc/sys/kernel/overflowuid").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return -1


def _others_write(status: os.stat_result) -> bool:
    if status.st_mode & stat.S_IWOTH:
        return True
    return bool(status.st_mode & stat.S_IWGRP) and not _is_private_group(status.st_gid)


def _is_private_group(group: int) -> bool:
    """Return whether a group is the user's own, as where each user has one of his name."""
    import grp
    import pwd

    try:
        user, entry = pwd.getpwuid(os.getuid()), grp.getgrgid(group)
    except KeyError:
        return False
    return (
        user.pw_gid == group
        and entry.gr_name == user.pw_name
        and set(entry.gr_mem) <= {user.pw_name}
    )


def _user_name(number: int) -> str:
    import pwd

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"
