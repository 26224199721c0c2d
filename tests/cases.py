"""Cases that tests need of every game: what is missing is asked for in a sentence."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any


class Cases(dict[str, Any]):
    """A dict by game, which says where an entry is missing and what it is for.

    Parameters
    ----------
    place : str
        File and name, as in "tests/variants.py: SHORT".
    purpose : str
        What an entry is.
    entries : mapping
        By game.
    """

    def __init__(self, place: str, purpose: str, entries: Mapping[str, Any]) -> None:
        super().__init__(entries)
        self.place, self.purpose = place, purpose

    def __missing__(self, game: str) -> Any:
        raise AssertionError(self.lacks(game))

    def lacks(self, game: str) -> str:
        """Say what to add for a game."""
        return f"{self.place} has no entry {game!r}; add {self.purpose}"


def module_of(game: str, name: str, purpose: str) -> ModuleType:
    """Import tests/<game>/<name>.py, or say what to add there."""
    place = f"tests/{game}/{name}.py"
    assert (Path(__file__).parents[1] / place).is_file(), f"{place} is missing; add {purpose}"
    return importlib.import_module(f"tests.{game}.{name}")
