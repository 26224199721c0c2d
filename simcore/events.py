"""Events that a replay yields, with the state before and after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PASS = -1
"""The move of a seat without a legal move, in every game."""


@dataclass(frozen=True)
class State:
    """The state at a moment of a match.

    Attributes
    ----------
    s : S
        A copy, which later moves do not change.
    """

    s: Any


@dataclass(frozen=True)
class RoundStart(State):
    """The state before the first decision of a round."""


@dataclass(frozen=True)
class Step(State):
    """The position before a move, and the move.

    Attributes
    ----------
    moves : tuple of int
        The legal moves in their order; empty when the seat must pass.
    move : int
        The move made, from `moves`, or `PASS`.
    after : State
        The position after it.
    """

    moves: tuple[int, ...]
    move: int
    after: State

    @property
    def seat(self) -> int:
        """The seat on turn."""
        return int(self.s.seat)

    @property
    def chosen(self) -> bool:
        """Whether there was a choice; a forced move is made without asking the policy."""
        return len(self.moves) > 1


@dataclass(frozen=True)
class RoundEnd(State):
    """The state at the end of a round; `after` is the state once it is scored."""

    after: State


@dataclass(frozen=True)
class MatchEnd(State):
    """The match is over."""


Event = RoundStart | Step | RoundEnd | MatchEnd
