"""The options of dnup as its referee reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

FIRST_OUT_MARKERS = 2
SECOND_OUT_MARKERS = 1


@dataclass(frozen=True)
class Options:
    """The resolved options of a match, named as for `--rule`; None where none applies."""

    players: int = 4
    deck: str = "a"
    markers_to_win: int | None = None
    rounds_to_win: int | None = None
    win_on_playing: bool | None = None
    turn_cap: int = 1000
    first_out_markers: int | None = None
    second_out_markers: int | None = None
    turn_on_taking: bool = True
    take_up: bool = True
    turn_hand: bool = True
    equal_beats: bool = False
    round_start: str = "star"

    def __post_init__(self) -> None:
        """Fill in the defaults of this table size; refuse what belongs to the other one."""
        if not 2 <= self.players <= 5:
            raise ValueError(f"dnup is for 2 to 5 players, not {self.players}")
        defaults: dict[str, int | bool] = {
            "markers_to_win": 4,
            "first_out_markers": FIRST_OUT_MARKERS,
            "second_out_markers": SECOND_OUT_MARKERS,
        }
        foreign: tuple[str, ...] = ("rounds_to_win", "win_on_playing")
        if self.players == 2:
            defaults, foreign = {"rounds_to_win": 2, "win_on_playing": True}, tuple(defaults)
        for name in foreign:
            if getattr(self, name) is not None:
                raise ValueError(f"{name} means nothing with {self.players} players")
        for name, default in defaults.items():
            if getattr(self, name) is None:
                object.__setattr__(self, name, default)
        if not 1 <= self.goal <= 100:
            raise ValueError(f"the goal {self.goal} is not in 1 to 100")
        if self.turn_cap < 100:
            raise ValueError(f"turn_cap {self.turn_cap} is below 100")
        self._check_house_rules()

    def _check_house_rules(self) -> None:
        """Refuse house rules that cannot be played."""
        if self.players > 2 and not self.first_out_markers and not self.second_out_markers:
            raise ValueError("without any markers nobody would ever win")
        if self.round_start not in {"star", "winner"}:
            raise ValueError(f"round_start {self.round_start!r} is neither 'star' nor 'winner'")

    @property
    def goal(self) -> int:
        """The markers (2 players: rounds) that win the match."""
        return cast("int", self.rounds_to_win if self.players == 2 else self.markers_to_win)
