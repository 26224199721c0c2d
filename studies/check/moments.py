"""What the tests of a game look at: moments of matches, and where they are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studies.check.tables import Table


class FaultError(Exception):
    """A fault: what is wrong, at which table and in which match.

    Attributes
    ----------
    is_rare : bool
        Whether it is none where an option is at one of its ends: some policies then never finish.
    """

    is_rare = False

    def __init__(self, why: str, table: Table, match: int) -> None:
        super().__init__(why)
        self.why, self.table, self.match = why, table, match


@dataclass(frozen=True)
class At:
    """A moment of a match."""

    table: Table
    match: Any
    event: Any

    @property
    def where(self) -> str:
        """Say where it is, as `cardlab play` counts."""
        s = self.event.s
        made = s.count.decisions + s.count.forced
        number = f"move {made + 1}" if getattr(self.event, "moves", ()) else f"after move {made}"
        move = f", {number}, seat {s.seat}"
        return f"(match {self.match.match}, round {s.round_number}{move if self.is_move else ''})"

    @property
    def is_move(self) -> bool:
        """Whether a seat is about to move."""
        return hasattr(self.event, "move")

    def fault(self, why: str) -> FaultError:
        """Return a fault that shows here."""
        return FaultError(f"{why} {self.where}", self.table, self.match.match)


class Test:
    """A test, which looks at every moment of every match."""

    name = ""
    passed = ""
    not_tested = ""
    """Why nothing was tested; empty where something was."""

    def look(self, at: At) -> None:
        """Examine a moment; raise `FaultError` at a fault."""

    def end(self) -> None:
        """Examine everything that was recorded; raise `FaultError` at a fault."""


def leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield the values in a field, each with its name in the rules."""
    if isinstance(value, list):
        for index, entry in enumerate(value):
            yield from leaves(f"{name}[{index}]", entry)
    else:
        yield name, value
