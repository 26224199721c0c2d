"""Names that the shell offers: games and studies.

`cardlab --install-completion` sets it up; nothing is compiled for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from simcore.game import game_names, get_game

Offer = tuple[str, str]
"""A word, and what it means."""


def offer_games(incomplete: str) -> Iterator[Offer]:
    """Offer names of games."""
    for name in game_names():
        if name.startswith(incomplete):
            yield name, get_game(name).title


def offer_studies(incomplete: str) -> Iterator[Offer]:
    """Offer studies of the library, and study files."""
    from studies.design.study import library_names

    for name in library_names():
        if name.startswith(incomplete):
            yield name, "in the library"
    with suppress(OSError, ValueError):
        for path in sorted(Path().glob(f"{incomplete}*")):
            if path.suffix == ".toml":
                yield str(path), "study file"
            elif path.is_dir():
                yield f"{path}/", "folder"
