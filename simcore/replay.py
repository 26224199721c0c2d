"""One match again, decision by decision: for programs (`steps`) and in words (`replay`).

Matches are keyed by seed and number, so any one of them can be played alone; a replay runs the
same rules functions as a block, one move at a time from Python, and ends with the same row. It is
thousands of times slower and meant for reading, tests, adapters and search from outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from simcore.batch import Cell, may_loop, place_in_words, play, records
from simcore.compiler.plain import Match
from simcore.errors import PolicyError
from simcore.events import PASS, Event, MatchEnd, RoundEnd, RoundStart, State, Step
from simcore.limit import carry_out
from simcore.phrases import legal_moves_in_words, match_in_words
from simcore.reason import Reason
from simcore.records import COMMON_COUNTS, FROM_END, MATCH_OVER, NO_MOVE, ROUND_OVER
from simcore.rooms import WordsRoom

Chooser = Callable[[Any, Any, tuple[int, ...]], int]
"""Takes the TABLE and BOX records and the legal moves, returns one of them."""


@runtime_checkable
class Reasoning(Protocol):
    """A player that tells why it made a move."""

    def reason(self, table: Any, seat: Any, moves: Sequence[int], move: int) -> Reason:
        """Return why; TABLE and SEAT are copies from before the move, its moves found."""


def Playback(  # noqa: N802 (it stands for two classes while games are being moved)
    cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
) -> Any:
    """Return a match under way, event by event; see `RecordPlayback`."""
    if cell.game.in_language:
        return Match(cell, match, rotation=rotation, choose=choose)
    return RecordPlayback(cell, match, rotation=rotation, choose=choose)


class RecordPlayback:
    """A match under way, event by event.

    Parameters
    ----------
    cell : Cell
    match : int
        Its number.
    rotation : int
        As in `batch.play`.
    choose : callable, optional
        Decides in place of the policies, wherever there is a choice.

    Attributes
    ----------
    names : tuple of str
        Who sits where: "seat 0 (greedy)".
    """

    def __init__(
        self, cell: Cell, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.cell = cell
        self.match = match
        self.rotation = rotation
        self.tables, self.boxes = records(cell, rotation, guarded=True)
        self.names = tuple(
            f"seat {seat} ({player})" for seat, player in enumerate(cell.rotated(rotation))
        )
        self._kernel = cell.game.room("kernel")
        self._choose = choose

    def __iter__(self) -> Iterator[Event]:
        """Play the match from its start."""
        kernel = self._kernel
        table, box = self.tables[0], self.boxes[0]
        kernel.start_match(table, box, self.cell.seed, self.match)
        while table.phase != MATCH_OVER:
            kernel.start_round(table, box)
            yield RoundStart(*self._copies())
            while table.phase > ROUND_OVER:
                yield self._step()
            if table.phase == ROUND_OVER:
                before = self._copies()
                kernel.score_round(table, box)
                yield RoundEnd(*before, State(*self._copies()))
        kernel.finish_match(table)
        yield MatchEnd(*self._copies())

    def row(self) -> dict[str, int]:
        """Return the columns of the match as it stands, as in the row of a block."""
        table = self.tables[0]
        row = {
            "match": self.match,
            "rotation": self.rotation,
            "first_seat": int(table.first_seat),
            "winners": int(table.winners),
            "aborted": int(table.aborted),
        }
        row |= {f"score_{seat}": int(table.scores[seat]) for seat in range(self.cell.players)}
        names = (*self.cell.game.metric_names, *COMMON_COUNTS)
        return row | dict(zip(names, (int(count) for count in table.metrics), strict=True))

    def _step(self) -> Step:
        table, box = self.tables[0], self.boxes[0]
        moves = self._legal_moves()
        before = self._copies()
        move = self._decide(moves)
        self._kernel.apply_move(table, box, move)
        return Step(*before, moves, move, State(*self._copies()))

    def _legal_moves(self) -> tuple[int, ...]:
        table = self.tables[0]
        seat = self.boxes[0].seats[table.seat]
        count = self._kernel.find_moves(table, seat)
        self._kernel.legal_moves(table, seat)
        return tuple(seat.moves[:count].tolist())

    def _decide(self, moves: tuple[int, ...]) -> int:
        # A block counts these in its own loop.
        metrics = self.tables[0].metrics
        if len(moves) < 2:
            metrics[len(metrics) + FROM_END["forced"]] += len(moves)
            return moves[0] if moves else PASS
        metrics[len(metrics) + FROM_END["decisions"]] += 1
        if self._choose is not None:
            move = self._choose(self.tables[0], self.boxes[0], moves)
            if move not in moves:
                raise ValueError(f"move {move} is not legal; allowed: {moves}")
            return move
        move = self.choose(self.tables, self.boxes)
        if move == NO_MOVE:
            # A block of this one match ends with the error that tells what happened.
            play(self.cell, self.match, 1, rotation=self.rotation)
        return move

    def choose(self, tables: Any, boxes: Any) -> int:
        """Return what the policy of the seat on turn chooses at a position, or `NO_MOVE`.

        Raises
        ------
        PolicyError
            If it has not chosen within the limit (`simcore.limit`).
        """
        question = _Question(self, tables, boxes)
        if not may_loop(self.cell):
            question.carry_out()
        else:
            for error in carry_out([question]):
                raise error
        return question.move

    def _copies(self) -> tuple[Any, Any]:
        return _copy(self.tables), _copy(self.boxes)


class _Question:
    """One decision of a policy; what `limit.carry_out` is given."""

    move = NO_MOVE

    def __init__(self, playback: RecordPlayback, tables: Any, boxes: Any) -> None:
        self._playback, self._tables, self._boxes = playback, tables, boxes

    def carry_out(self) -> None:
        """Ask."""
        kernel = self._playback.cell.game.room("kernel")
        self.move = int(kernel.choose(self._tables, self._boxes))

    def moment(self) -> bytes:
        """Return nothing that changes: there is one decision."""
        return b""

    def standing_still(self) -> str:
        """Return the policy on turn, and where."""
        return place_in_words(self._playback.cell, self._tables[0], self._playback.rotation)

    def failed(self, message: str) -> PolicyError:
        """Return the error for a decision that took too long."""
        return PolicyError(message)


def _copy(array: np.recarray[Any, Any]) -> Any:
    return array[:1].copy()[0]


def steps(
    cell: Cell, match: int, rotation: int = 0, *, choose: Chooser | None = None
) -> Iterator[Step]:
    """Yield every move of a match with the position before and after it.

    Parameters
    ----------
    cell, match, rotation, choose
        As for `Playback`.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal.
    """
    for event in Playback(cell, match, rotation=rotation, choose=choose):
        if isinstance(event, Step):
            yield event


def replay(
    cell: Cell, match: int, *, rotation: int = 0, why: bool = False, draw: bool = False
) -> Iterator[str]:
    """Yield a match in words, line by line, as a spectator who sees all cards would tell it.

    Parameters
    ----------
    cell, match, rotation
        As in `batch.play`.
    why : bool
        Before every choice also tell the legal moves, which of them was chosen, by which clause
        of the rules it is one, what the policy weighed and which of its rules decided.
    draw : bool
        Before every move also draw the table.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal.
    """
    words = cell.game.room("words")
    playback = Playback(cell, match, rotation=rotation)
    names = playback.names
    for event in playback:
        match event:
            case RoundStart():
                yield from words.round_in_words(event, names)
            case Step():
                if draw:
                    yield from words.table_in_words(event, names)
                if why and event.chosen:
                    yield from _why(event, playback, words)
                yield from words.step_in_words(event, names)
            case RoundEnd():
                yield from words.score_in_words(event, names)
            case MatchEnd():
                yield match_in_words(words, event.table, names)


def _why(step: Step, playback: Any, words: WordsRoom) -> Iterator[str]:
    """Tell what might be done, what is chosen, and why; nothing of the step is modified."""
    if playback.cell.game.in_language:
        yield from _why_by_rules(step, playback, words)
        return
    table, box = step.table.copy(), step.box.copy()
    legal = legal_moves_in_words(playback.cell.game, table, box)
    name = playback.names[step.seat]
    mark = words.mark_of(table, box.seats[step.seat], step.move)
    occasion = getattr(words, "occasion", None)
    where = occasion(table) if occasion is not None else ""
    yield f"    {name} may{where}: {'; '.join(legal.values())} → {legal[step.move]} {mark}"
    player = playback.cell.rotated(playback.rotation)[step.seat]
    if isinstance(player, Reasoning):
        seat = box.seats[step.seat]
        yield from player.reason(table, seat, step.moves, step.move).lines(name, legal)


def _why_by_rules(step: Step, match: Match, words: Any) -> Iterator[str]:
    """Tell the same of a game in the language: what the policy told while it decided."""
    s = step.s
    legal = {move: words.move_in_words(s, step.seat, move) for move in step.moves}
    name = match.names[step.seat]
    occasion = getattr(words, "occasion", None)
    where = occasion(s) if occasion is not None else ""
    mark = words.mark_of(s, step.seat, step.move)
    yield f"    {name} may{where}: {'; '.join(legal.values())} → {legal[step.move]} {mark}"
    told = match.told
    weights = sorted((value for kind, value in told if kind == "weigh"), key=lambda one: -one[1])
    if weights:
        listed = "; ".join(f"{legal.get(move, move)}: {worth:.4g}" for move, worth in weights)
        yield f"    {name} weighs: {listed}"
    reasons = [" ".join(map(str, value)) for kind, value in told if kind == "because"]
    player = match.players[step.seat]
    yield f"    {name} decides: {'; '.join(reasons) or player.idea}"
