"""Which functions are cardlab's own, a hash of its sources, and whether anything is compiled."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

SOURCE_ROOTS = ("simcore", "strategies")
IN_PLAIN_PYTHON = os.environ.get("CARDLAB_PLAIN", "0") not in ("", "0")
"""Whether rules run as ordinary Python; nothing is compiled then."""

TOP = Path(__file__).resolve().parent.parent


def source_hash() -> str:
    """Return a hash of every Python source that rows can depend on.

    No rows depend on the examples of users' policies.
    """
    digest = hashlib.blake2b(digest_size=8)
    for root in SOURCE_ROOTS:
        for path in sorted((TOP / root).rglob("*.py")):
            if path.parent.name == "examples":
                continue
            digest.update(str(path.relative_to(TOP)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def is_builtin_file(file: Path) -> bool:
    """Return whether a file is one of cardlab's sources, and no example of a user's policy."""
    return file.parent.name != "examples" and any(
        TOP / root in file.parents for root in SOURCE_ROOTS
    )


def is_builtin(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of cardlab's sources, not a user's or an example."""
    return is_builtin_file(Path(function.__code__.co_filename))
