"""A test of what goes on from round to round: who begins, what is kept, what teams score."""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

from simcore.phrases import joined, plural
from studies.check.moments import At, Test
from studies.check.seats import numbers_by_field

ENOUGH = 10
"""Rounds, first and later ones, after which one expects to have seen what usually happens."""

NEARLY_ALL = 0.9
"""A share of a team's scores: some rules give points to one of its seats besides."""


class Rounds(Test):
    """Rounds are begun and scored; what they keep, and what is always alike, is remarked on."""

    name = "rounds"

    def __init__(self) -> None:
        super().__init__()
        self.program: Any = None
        self.rounds: Counter[bool] = Counter()
        """First rounds of a match, and later ones."""
        self.asked: Counter[tuple[int, bool]] = Counter()
        """How often each decision was asked in first rounds, and in later ones."""
        self.first_seat = -1
        self.same_seat = 0
        """Later rounds that the seat begins that began the match."""
        self.at_start: dict[str, Any] = {}
        self.at_end: dict[str, Any] = {}
        """The numbers of the state as a round began, and as it left them."""
        self.changed: set[str] = set()
        """Fields that changed during a round."""
        self.kept: dict[str, bool] = {}
        """By field, whether every later round began with what the one before it had left."""
        self.team_points: Counter[bool] = Counter()
        """Scores of a team: whether all of its seats had the same points, of those not 0."""

    def look(self, at: At) -> None:
        """Note how rounds begin and end."""
        kind, plain = type(at.event).__name__, at.match.plain
        self.program = plain.program
        if kind == "RoundStart":
            self._begin(plain, at.event.s)
        elif kind == "RoundEnd":
            self._end(plain, at.event.after.s)
        elif at.is_move:
            self.asked[at.event.s.phase, at.event.s.round_number == 1] += 1

    def _begin(self, plain: Any, s: Any) -> None:
        is_first = s.round_number == 1
        self.rounds[is_first] += 1
        self.at_start = dict(numbers_by_field(plain, s.copy()))
        if is_first:
            self.first_seat = s.seat
            return
        self.same_seat += s.seat == self.first_seat
        for name, value in self.at_start.items():
            if value != self.at_end[name]:
                self.kept[name] = False
            elif any(value) if isinstance(value, list) else value:
                self.kept.setdefault(name, True)

    def _end(self, plain: Any, s: Any) -> None:
        self.at_end = dict(numbers_by_field(plain, s.copy()))
        self.changed |= {name for name in self.at_end if self.at_end[name] != self.at_start[name]}
        seating, points = plain.program.seating, s.__dict__.get("points")
        if not seating.has_teams or points is None:
            return
        for seat in range(plain.players):
            team = seating.team(seat, plain.players)
            each = [points[one] for one in range(plain.players) if team >> one & 1]
            if 1 < len(each) < plain.players and any(each):
                self.team_points[len(set(each)) == 1] += 1

    def end(self) -> None:
        """Remark on what may not be meant."""
        self.passed = f"{plural(self.rounds.total(), 'round')} begun and scored"
        if not self.rounds.total():
            self.not_tested = "no round was begun"
            return
        self.remarks += self._decisions_left_out()
        if self.rounds[False] >= ENOUGH:
            told = " ".join(self.remarks)
            kept = [f"s.{name}" for name in self._kept() if f"s.{name} " not in f"{told} "]
            if kept:
                begins = "begins" if len(kept) == 1 else "begin"
                why = f"{joined(kept)} {begins} each later round as the one before left it; meant?"
                self.remarks.append(why)
            if self.same_seat == self.rounds[False] and self.program.game.players.high > 1:
                self.remarks.append("the same seat begins every round of a match; meant?")
        if self.team_points[True] >= max(ENOUGH, NEARLY_ALL * self.team_points.total()):
            self.remarks.append(
                "the seats of a team get the same points, which are added up for the team; meant?"
            )

    def _kept(self) -> Iterator[str]:
        """Yield the fields that change, and that each round leaves to the next."""
        names = (name for name, kept in self.kept.items() if kept and name in self.changed)
        return (name for name in names if name != "points")  # set anew when it is scored

    def _decisions_left_out(self) -> Iterator[str]:
        """Tell of decisions that are asked far less often from the second round on."""
        if min(self.rounds[True], self.rounds[False]) < ENOUGH:
            return
        for name, phase in self.program.decisions.items():
            first, later = (
                operator.truediv(self.asked[phase, is_first], self.rounds[is_first])
                for is_first in (True, False)
            )
            if name != "MOVE" and later < first / 2:
                kept = [f"s.{name}" for name, is_kept in self.kept.items() if is_kept]
                why = f": {joined(kept)} still as the round before left them" if kept else ""
                yield (
                    f"{name} is asked {first:.1f} times in round 1, {later:.1f} times in a later "
                    f"round{why}; meant?"
                )
