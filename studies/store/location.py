"""Where results are stored: a local directory, or an fsspec address (`s3://…`).

Everything else in `studies` works on paths. A path of this machine is a `pathlib.Path`; another
place is a `upath.UPath`, which has the same methods (universal_pathlib, extra `remote`). What
differs between the two is here: replacing a file in one step, and moving one.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

from simcore.errors import InputError

_OF_THIS_MACHINE = ("file://", "local://")
_WHOLE_OR_NOT = {"memory", "s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oci", "oss"}
"""Protocols of stores that show only complete files."""


def locate(place: str | Path) -> Path:
    """Return the path for a user's text."""
    if not isinstance(place, str):
        return place
    if "\0" in place:
        raise InputError(f"place {place!r} is refused: a name cannot hold a null character")
    for prefix in _OF_THIS_MACHINE:
        if place.startswith(prefix):
            return Path(place.removeprefix(prefix))
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
    except Exception as error:  # noqa: BLE001 (each file system has errors of its own)
        why = str(error).splitlines()[0][:200] if str(error) else type(error).__name__
        raise InputError(
            f"place {place!r} cannot be read: {why}; allowed: a directory, or an address that "
            "fsspec knows and may open"
        ) from None
    return cast("Path", path)


def is_local(path: Path) -> bool:
    """Return whether a path is in the local file system."""
    return isinstance(path, Path)


def put(path: Path, content: bytes | memoryview) -> None:
    """Write a complete file to remote storage, replacing an existing one.

    Stores that show only complete files are written directly, others under a temporary name.
    """
    remote = cast("Any", path)
    system = remote.fs
    data = bytes(content)
    if remote.protocol in _WHOLE_OR_NOT:
        system.pipe_file(remote.path, data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = cast("Any", path.with_name(f".{path.name}.tmp"))
    system.pipe_file(aside.path, data)
    system.mv(aside.path, remote.path)


def move(path: Path, target: Path) -> None:
    """Move a file within one place."""
    if is_local(path):
        path.rename(target)
    else:
        remote, other = cast("Any", path), cast("Any", target)
        remote.fs.mv(remote.path, other.path)
