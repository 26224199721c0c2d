"""What was computed from a study is kept in the user's cache folder, and not computed again.

It is named by a hash of all that it depends on: the study's manifest, which has the digest of every
file, the sources of cardlab, the versions of the libraries that compute, and what was asked. The
files are compared with the manifest in any case. As compiled code, it is read only from a folder
that nobody else can write to, and what was not used for longest goes first.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from typing import TYPE_CHECKING, TypeVar

from simcore import cache as folder
from simcore.jit import TOP, source_hash

if TYPE_CHECKING:
    from studies.store.opened import Stored

T = TypeVar("T")

LARGEST = 1 << 23
"""Bytes of the largest answer that is kept: those of machine code shall not go for it."""

COMPUTED_BY = ("numpy", "polars", "scipy")


def kept(stored: Stored, asked: tuple[object, ...], make: Callable[[], T]) -> T:
    """Return what `make` computes of a study, or what it computed of the same one before.

    Parameters
    ----------
    asked : tuple
        All that the answer depends on, beside the study; objects that show what they are.
    """
    stored.verify_once()
    told = folder.refusal  # an answer that cannot be kept is no news
    try:
        parts = (_code(), stored.manifest.encode(), *map(repr, asked))
        name = f"answer-{blake2b(repr(parts).encode(), digest_size=16).hexdigest()}.pickle"
        content = folder.load(name)
        if content is not None:
            earlier: T = pickle.loads(content)  # noqa: S301 (from a folder that is the user's alone)
            return earlier
        made = make()
        content = pickle.dumps(made)
        if len(content) <= LARGEST:
            folder.save(name, content)
        return made
    finally:
        folder.refusal = told


@cache
def _code() -> str:
    digest = blake2b(source_hash().encode(), digest_size=16)
    for path in sorted((TOP / "studies").rglob("*.py")):
        digest.update(path.read_bytes())
    versions = " ".join(map(version, COMPUTED_BY))
    return f"{digest.hexdigest()} {versions}"
