"""What the kernels say and what the referees say must be the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from simcore.game import Game


def same(kernel: Any, referee: Any, subject: str, seat: int | None = None) -> None:
    """Fail with both values unless the kernel and the referee agree."""
    if kernel != referee:
        place = "" if seat is None else f" of seat {seat}"
        pytest.fail(f"{subject}{place}: kernel {kernel!r}, referee {referee!r}")


def same_in_play(game: Game, row: Mapping[str, Any], came: set[str]) -> None:
    """Fail unless the clauses of house rules came into play that the referee noted, by option."""
    house = {option.name for option in game.options if option.house}
    clauses = {
        bit: clause for bit, clause in enumerate(game.clauses) if house.intersection(clause.options)
    }
    kernel = {clause.name for bit, clause in clauses.items() if row["clauses"] >> bit & 1}
    noted = {clause.name for clause in clauses.values() if came & set(clause.options)}
    same(kernel, noted, "house rules that came into play")
