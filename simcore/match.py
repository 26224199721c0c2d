"""A match under way as ordinary Python, event by event: for replays, tests and searches."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simcore.compiler.plain import Plain, RuleError
from simcore.compiler.program import program_of
from simcore.compiler.state import MATCH_OVER, ROUND_OVER, S
from simcore.errors import PolicyError
from simcore.events import PASS, Event, MatchEnd, RoundEnd, RoundStart, State, Step
from simcore.jit import IN_PLAIN_PYTHON, is_builtin
from simcore.narration.teller import Teller
from simcore.options import show_all

MOST_STEPS = 50_000
"""Decisions after which a match is taken for one without end."""

Chooser = Callable[[Any, Any, tuple[int, ...]], int]


class Match:
    """A match under way as ordinary Python, event by event.

    Parameters
    ----------
    cell : batch.Cell
    match : int
    rotation : int
    choose : callable, optional
        Decides in place of the policies, given the state (twice) and the legal moves.
    """

    def __init__(
        self, cell: Any, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.cell, self.match, self.rotation, self.choose = cell, match, rotation, choose
        self.plain = Plain(program_of(cell.game), cell.options)
        self.players = cell.rotated(rotation)
        if choose is None:
            for player in self.players:
                self.plain.program.remember(player.seat_policy(cell.options))
        self.s = self.plain.start_match(cell.seed, match)

    def __iter__(self) -> Iterator[Event]:
        return self.events()

    def events(self, *, copies: bool = True) -> Iterator[Event]:
        """Play the match from its start; without `copies` events show the state as it goes on."""
        self._copying = copies
        plain, s, steps = self.plain, self.s, 0
        while s.phase != MATCH_OVER:
            plain.start_round(s)
            yield RoundStart(*self._copies())
            while s.phase > ROUND_OVER:
                steps += 1
                if steps > MOST_STEPS:
                    raise self._endless()
                yield self.step()
            if s.phase == ROUND_OVER:
                before = self._copies()
                plain.score_round(s)
                yield RoundEnd(*before, State(*self._copies()))
        plain.finish_match(s)
        yield MatchEnd(*self._copies())

    def _endless(self) -> RuleError:
        s = self.s
        ends = "match_over" if self.plain.program.is_simple else "end_match"
        return RuleError(
            f"{self.cell.game.name}: a match does not end: {MOST_STEPS:,} decisions in "
            f"{s.round_number:,} rounds, scores {list(s.scores)}; what lets it end is `{ends}` "
            f"(match {self.match}, seed {self.cell.seed}, round {s.round_number}, seat {s.seat})"
        )

    def step(self) -> Step:
        """Play one decision."""
        plain, s = self.plain, self.s
        moves, seat = plain.moves(s), s.seat
        before = self._copies()
        made = list(moves[:1] or (PASS,))
        chosen = None
        if self.choose is not None and len(moves) > 1:
            chosen = self.choose(s, s, moves)
            if chosen not in moves:
                raise ValueError(f"move {chosen} is not legal; allowed: {moves}")

        def answer(*_given: Any) -> int:
            made[0] = self._chosen(moves, s) if chosen is None else chosen
            if made[0] not in moves:
                raise PolicyError(self._illegal(made[0], moves))
            return made[0]

        plain.o._policy[seat] = answer
        plain.decide(s)
        return Step(*before, moves, made[0], State(*self._copies()))

    _copying = True

    def _copies(self) -> tuple[S]:
        return (self.s.copy() if self._copying else self.s,)

    @property
    def reasons(self) -> list[tuple[str, Any]]:
        """Reasons that the last policy called gave (`because`, `weigh`)."""
        return self.plain.words.reasons

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats with their policies: "seat 0 (greedy)"."""
        return tuple(f"seat {seat} ({player})" for seat, player in enumerate(self.players))

    def write(self, out: Sequence[Any], row: int) -> None:
        """Write the match's row to the columns of a block."""
        s, (first_seat, winners, aborted, scores, metrics) = self.s, out
        first_seat[row], winners[row], aborted[row] = s.first_seat, s.winners, s.aborted
        scores[:, row] = list(s.scores)
        metrics[:, row] = list(s.count.numbers.values())

    def _illegal(self, move: int, moves: Sequence[int]) -> str:
        """Describe a policy's move that is not legal, with the line of a user's function."""
        s, words, line = self.s, Teller(self.cell.game), ""
        legal = ", ".join(f"{known} ({words.move_in_words(s, s.seat, known)})" for known in moves)
        policy = self.players[s.seat].seat_policy(self.cell.options)
        function = policy.function_for(self.plain.decision_name(s.phase).upper())
        if function is not None and not is_builtin(function):
            routine = self.plain.program.routine(function)
            line = f"{routine.file}, line {routine.tree.lineno}, in {routine.tree.name}: "
        return f"{line}{self.place()} returned {move}, which is no legal move; legal: {legal}"

    def place(self) -> str:
        """Return the policy of the seat on turn, with the game, match, seat and unusual options."""
        s, cell = self.s, self.cell
        return (
            f"policy {str(self.players[s.seat])!r} of {cell.game.name} (match {self.match}, "
            f"seed {cell.seed}, seat {s.seat}, round {s.round_number}; "
            f"{self.options_in_words()})"
        )

    def options_in_words(self) -> str:
        """Return the number of players, and the options that are not as usual."""
        cell = self.cell
        usual = cell.game.resolve({"players": cell.players})
        return show_all(
            {
                name: value
                for name, value in cell.options.items()
                if name == "players" or value != usual[name]
            }
        )

    def ask(self, moves: tuple[int, ...], position: S | None = None) -> int:
        """Return what the policy of the seat on turn chooses, here or at another position."""
        s = position or self.s
        exchange = self.plain.unit.space["_exchange"] if self.plain.is_aside(s) else None
        streams = s._SEAT[s.seat], s._OTHER[s.seat]
        if exchange is not None:
            exchange(*streams)
        try:
            return self._chosen(moves, s)
        finally:
            if exchange is not None:
                exchange(*streams)

    def _chosen(self, moves: tuple[int, ...], s: S) -> int:
        policy = self.players[s.seat].seat_policy(self.cell.options)
        self.plain.words.reasons.clear()
        if policy.rollout is None:
            return self.plain.choice(policy, s, moves)
        if IN_PLAIN_PYTHON:
            return self.plain.searched(policy, s)
        from simcore.compiler.positions import searched

        return searched(self.cell, self.rotation, s)

    def row(self) -> dict[str, int]:
        """Return the columns of the match as it stands, as in the row of a block."""
        s = self.s
        row = {
            "match": self.match,
            "rotation": self.rotation,
            "first_seat": s.first_seat,
            "winners": s.winners,
            "aborted": s.aborted,
        }
        row |= {f"score_{seat}": s.scores[seat] for seat in range(self.plain.players)}
        counts: dict[str, int] = s.count.numbers
        return row | counts
