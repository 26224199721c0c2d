"""A position of a game in names: cards, moves and what is counted.

What differs by game is in the adapters, `tests/<game>/position.py`: how cards are named and dealt
into a state, and how moves are named.
"""

from __future__ import annotations

from typing import Any, ClassVar, Self

from simcore.compiler.plain import Plain
from simcore.compiler.program import program_of
from simcore.compiler.state import MATCH_OVER, ROUND_OVER
from simcore.events import PASS, RoundEnd, State, Step
from simcore.game import Game
from strategies import parse_strategy

OVER = {ROUND_OVER: "ROUND_OVER", MATCH_OVER: "MATCH_OVER"}


class Position:
    """A state of the rules, run as ordinary Python.

    Attributes
    ----------
    plain : Plain
        The rules.
    s
        The state.
    events : list
        What was played, for words.
    """

    game: ClassVar[Game]
    phases: ClassVar[dict[int, str]]

    def __init__(self, players: int, options: dict[str, Any]) -> None:
        self.options = self.game.resolve({"players": players} | options)
        self.players = players
        self.plain = self.rules()
        self.s: Any = self.plain.start_match(1, 0)
        self.events: list[Any] = []

    def rules(self) -> Plain:
        return Plain(program_of(self.game), self.options)

    def named_moves(self) -> list[tuple[str, int]]:
        """Return the legal moves by name, in their order."""
        raise NotImplementedError

    def give_scores(self, scores: tuple[int, ...]) -> None:
        for seat, score in enumerate(scores):
            self.s.scores[seat] = score

    @property
    def seat(self) -> int:
        return int(self.s.seat)

    @property
    def phase(self) -> str:
        return (OVER | self.phases)[int(self.s.phase)]

    @property
    def scores(self) -> list[int]:
        return list(self.s.scores)

    def metric(self, name: str) -> int:
        return int(getattr(self.s.count, name))

    def clause(self, name: str) -> bool:
        """Tell whether a clause came into play."""
        bit = [clause.name for clause in self.game.clauses].index(name)
        return bool(self.metric("clauses") >> bit & 1)

    @property
    def moves(self) -> set[str]:
        return set(self.listed)

    @property
    def listed(self) -> list[str]:
        """The legal moves in their order."""
        return [name for name, _ in self.named_moves()]

    def play(self, *names: str) -> Self:
        """Make moves one after the other, whoever is on turn; "pass" when there are none."""
        for name in names:
            moves = dict(self.named_moves()) or {"pass": PASS}
            assert name in moves, f"no move {name!r} among {sorted(moves)}"
            self.apply(moves[name])
        return self

    def apply(self, move: int) -> None:
        before, moves = self.s.copy(), self.plain.moves(self.s)
        self.plain.apply(self.s, move)
        self.events.append(Step(before, moves, move, State(self.s.copy())))

    def score(self) -> Self:
        """Score the round, and finish the match if it was the last."""
        assert self.phase == "ROUND_OVER"
        before = self.s.copy()
        self.plain.score_round(self.s)
        self.events.append(RoundEnd(before, State(self.s.copy())))
        if self.s.phase == MATCH_OVER:
            self.plain.finish_match(self.s)
        return self

    def choice(self, strategy: str) -> str:
        """Return what a strategy chooses in place of the seat on turn; it is legal."""
        moves = self.named_moves()
        assert len(moves) > 1
        policy = parse_strategy(self.game, strategy).seat_policy(self.options)
        move = self.plain.choice(policy, self.s, tuple(number for _, number in moves))
        return next(name for name, number in moves if number == move)

    def moves_in_words(self, words: Any) -> list[str]:
        """Return the legal moves as they are shown."""
        return [words.move_in_words(self.s, self.seat, move) for move in self.plain.moves(self.s)]

    def told(self, words: Any, names: tuple[str, ...], *moves: str) -> list[str]:
        """Make moves; return what is told of the last."""
        step = self.play(*moves).events[-1]
        return list(words.step_in_words(step, names[: self.players]))

    def told_round(self, words: Any, names: tuple[str, ...]) -> list[str]:
        """Score the round; return what is told of it."""
        return list(words.score_in_words(self.score().events[-1], names[: self.players]))
