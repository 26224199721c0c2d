"""What tests of games and policies have in common: moments of matches, faults, verdicts."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from studies.check.tables import Table

PASSED, FAILED, NOT_TESTED = "passed", "failed", "not tested"
REMARK, MEANT = "remark", "meant"


class FaultError(Exception):
    """A fault: what is wrong, at which table and in which match."""

    share = 1.0
    """Share of the matches that show it."""

    def __init__(self, why: str, table: Table, match: int) -> None:
        super().__init__(why)
        self.why, self.table, self.match = why, table, match

    @property
    def told(self) -> str:
        """What is wrong, and where."""
        return f"{self.why}; at {self.table.in_words}"

    @property
    def show(self) -> str:
        """The command that narrates the match."""
        return self.table.command(self.match)

    @classmethod
    def of(cls, error: Exception, table: Table) -> FaultError:
        """Return the fault of what was refused while a match was played."""
        match = re.search(r"\bmatch (\d+)", str(error))
        return cls(str(error), table, int(match[1]) if match else 0)


@dataclass(frozen=True)
class Verdict:
    """How a test ended.

    Attributes
    ----------
    test : str
    verdict : str
        "passed", "failed" or "not tested"; "remark" where something may or may not be meant, and
        "meant" where the game's file says so.
    found : str
        What was looked at, what is wrong and where, or why nothing was tested.
    show : str
        Of a failure: the command that narrates the match.
    """

    test: str
    verdict: str
    found: str
    show: str = ""

    @property
    def failed(self) -> bool:
        """Whether there is a fault."""
        return self.verdict == FAILED

    @classmethod
    def of(cls, test: str, passed: str, not_tested: str, fault: FaultError | None) -> Verdict:
        """Return the verdict: a fault, else why nothing was tested, else that it passed."""
        if fault is not None:
            return cls(test, FAILED, fault.told, fault.show)
        if not_tested:
            return cls(test, NOT_TESTED, f"because {not_tested}")
        return cls(test, PASSED, passed)


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

    @property
    def is_blind_choice(self) -> bool:
        """Whether a policy has a choice that must not depend on what its seat does not see.

        One that looks ahead deals the unseen cards anew itself.
        """
        policy = self._policy
        return len(self.event.moves) > 1 and not policy.is_random and policy.rollout is None

    @property
    def _policy(self) -> Any:
        player = self.match.players[self.event.s.seat]
        return player.seat_policy(self.match.cell.options)

    def choices(self, other: Any) -> tuple[int, int]:
        """Return what the policy chooses here, and in the same position with other hidden cards.

        It is asked twice: the match itself may have drawn random numbers in between.
        """
        plain, moves = self.match.plain, self.event.moves
        states = self.event.s.copy(), other
        same, choice = (plain.choice(self._policy, s, moves) for s in states)
        return same, choice

    def fault(self, why: str) -> FaultError:
        """Return a fault that shows here."""
        return FaultError(f"{why} {self.where}", self.table, self.match.match)


def exchanged(at: At, chance: random.Random) -> Any:
    """Deal the cards again that the seat on turn does not see; None where there are none."""
    other = at.event.s.copy()
    words = [chance.randrange(1, 1 << 63) for _ in range(2)]
    count = at.match.plain.deal_anew(other, other.seat, words)
    return other if count > 1 else None


class Test:
    """A test, which looks at every moment of every match."""

    name = ""
    passed = ""
    not_tested = ""
    """Why nothing was tested; empty where something was."""

    def __init__(self) -> None:
        self.remarks: list[str] = []
        """What is no fault, but may not be meant."""

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
