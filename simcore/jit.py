"""Where compiled code is kept, what it depends on, and what the processor can do.

Code is kept on disk (`simcore.codecache`) in a folder whose name holds a hash of all sources of
`simcore` and `strategies`.
"""

from __future__ import annotations

import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

SOURCE_ROOTS = ("simcore", "strategies")
IN_PLAIN_PYTHON = os.environ.get("CARDLAB_PLAIN", "0") not in ("", "0")
"""Whether rules run as ordinary Python; nothing is compiled then."""

_TOP = Path(__file__).resolve().parent.parent


def source_hash() -> str:
    """Return a hash of every Python source that compiled code can depend on.

    No code depends on the examples of users' policies.
    """
    digest = hashlib.blake2b(digest_size=8)
    for root in SOURCE_ROOTS:
        for path in sorted((_TOP / root).rglob("*.py")):
            if path.parent.name == "examples":
                continue
            digest.update(str(path.relative_to(_TOP)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


def cache_folder() -> Path:
    """Return the folder for compiled code: `CARDLAB_CACHE`, or the user's cache folder.

    A user without a home has one among the temporary files, which `codecache` uses only if it is
    his alone.
    """
    base = os.environ.get("CARDLAB_CACHE") or _users_cache()
    return Path(base) / f"kernels-{source_hash()}"


def _users_cache() -> str:
    caches = os.environ.get("XDG_CACHE_HOME")
    try:
        return str(Path(caches or Path.home() / ".cache") / "cardlab")
    except RuntimeError:  # a user without a home
        number = os.getuid() if hasattr(os, "getuid") else ""
        return str(Path(tempfile.gettempdir()) / f"cardlab-{number}")


CACHE_FOLDER = cache_folder()


def is_builtin(function: Callable[..., Any]) -> bool:
    """Return whether a function is one of cardlab's sources, not a user's or an example."""
    file = Path(function.__code__.co_filename)
    tops = [_TOP / root for root in SOURCE_ROOTS]
    return file.parent.name != "examples" and any(top in file.parents for top in tops)


@cache
def processor() -> tuple[str, str]:
    """Return the name of this processor and its features, as LLVM has them."""
    import llvmlite.binding as llvm

    return str(llvm.get_host_cpu_name()), str(llvm.get_host_cpu_features().flatten())


def has_feature(name: str) -> bool:
    """Tell whether the processor to compile for is an x86 one with a feature, by LLVM's name."""
    return platform.machine() in ("x86_64", "AMD64") and f"+{name}" in processor()[1].split(",")
