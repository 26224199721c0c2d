"""A hash of cardlab's sources, which functions are built in, and the switch to plain Python."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

SOURCE_ROOTS = ("simcore", "strategies")
IN_PLAIN_PYTHON = os.environ.get("CARDLAB_PLAIN", "0") not in ("", "0")
"""Whether rules run as ordinary Python instead of being compiled."""

TOP = Path(__file__).resolve().parent.parent


@cache
def source_hash() -> str:
    """Return a hash of every Python source that rows can depend on.

    Examples of users' policies are left out, as no rows depend on them.
    """
    digest = hashlib.blake2b(digest_size=8)
    for root in SOURCE_ROOTS:
        for path in sorted((TOP / root).rglob("*.py")):
            if path.parent.name == "examples":
                continue
            digest.update(str(path.relative_to(TOP)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


@cache
def is_builtin_file(file: Path) -> bool:
    """Return whether a file is one of cardlab's sources, and no example of a user's policy."""
    return file.parent.name != "examples" and any(
        TOP / root in file.parents for root in SOURCE_ROOTS
    )


def is_builtin(function: Callable[..., Any]) -> bool:
    """Return whether a function is cardlab's, not from a user's file or an example."""
    return is_builtin_file(Path(function.__code__.co_filename))
