"""What a replay yields: the moments of a match, with the state before and after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

PASS = -1
"""The move of a seat on turn that has no legal one, in every game."""


@dataclass(frozen=True)
class State:
    """A moment of a match.

    Attributes
    ----------
    s : S
        The state, copied: later moves do not change it.
    """

    s: Any


@dataclass(frozen=True)
class RoundStart(State):
    """A round was started; its first decision is to come."""


@dataclass(frozen=True)
class Step(State):
    """The position before a move, and the move.

    Attributes
    ----------
    moves : tuple of int
        The legal moves in their order; empty when the seat must pass.
    move : int
        The move made: one of `moves`, or `PASS`.
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
        """Whether there was a choice; otherwise the move was forced and nobody was asked."""
        return len(self.moves) > 1


@dataclass(frozen=True)
class RoundEnd(State):
    """A round was over; `after` is the position once it is scored."""

    after: State


@dataclass(frozen=True)
class MatchEnd(State):
    """The match is over."""


Event = RoundStart | Step | RoundEnd | MatchEnd
