"""Play many matches of one cell and return their columns.

Matches [first, first + count) of a cell are split over threads; a match depends on nothing but the
seed and its number, so rows are the same whatever the threads and the sizes of the pieces.
Statistics, files and policies are not known here.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from simcore import compiling
from simcore.compiler import blocks
from simcore.compiler.blocks import Columns, check_sources
from simcore.compiler.seat_policy import is_foreign, seat_policies
from simcore.errors import InputError, PolicyError, UnsteadyError
from simcore.game import Game
from simcore.gpu.device import CPU
from simcore.jit import IN_PLAIN_PYTHON
from simcore.options import Options
from simcore.records import COMMON_COUNTS
from simcore.watchdog import carry_out

Array = npt.NDArray[Any]

TRIED = 20
"""Matches that users' policies and games play as ordinary Python first, once under each options."""

_tried: set[Any] = set()
"""Code tried in plain play by this process: functions and options, without parameters."""

MOST_EVENTS = 2000
"""Decisions after which no further match is tried as ordinary Python, which takes its time."""

MAX_PIECE = 50_000
"""Most matches in one call of a kernel."""


class Player(Protocol):
    """A strategy, as a seat needs it."""

    @property
    def idea(self) -> str:
        """Its idea, in words."""
        ...

    def seat_policy(self, options: Options) -> Any:
        """Return the policy of a seat (`compiler.seat_policy.SeatPolicy`) under these options."""


@dataclass(frozen=True)
class Cell:
    """One game with resolved options, a strategy for every seat, and a seed.

    Attributes
    ----------
    game : Game
    options : dict
        All options, as `Game.resolve` returns them.
    seats : tuple of Player
        One for each seat.
    seed : int
        0 … 2⁶³ − 1.
    general : bool
        Whether code for any options plays it, be they the usual ones: other cells, played beside
        it, need that code anyway, and more takes seconds to compile. The rows are the same.
    """

    game: Game
    options: Options
    seats: tuple[Player, ...]
    seed: int
    general: bool = field(default=False, compare=False)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    @cached_property
    def form(self) -> blocks.Form:
        """What is compiled for it, as for all cells whose options look alike."""
        return blocks.form_of(self)

    def rotated(self, rotation: int) -> tuple[Player, ...]:
        """Return the strategies by seat in a rotation: seat s is played by (s + rotation)."""
        return tuple(self.seats[(seat + rotation) % self.players] for seat in range(self.players))


@dataclass(frozen=True)
class Block:
    """The results of consecutive matches of a cell.

    Attributes
    ----------
    game : Game
    match : int64[n]
    rotation : int
    first_seat : uint8[n]
    winners : uint16[n]
        Bit s = seat s.
    aborted : bool[n]
    scores : int32[players, n]
    metrics : int32[m, n]
        The game's metrics in their order, then `records.COMMON_COUNTS`.
    seconds : float
        Time of the simulation alone.
    """

    game: Game
    match: Array
    rotation: int
    first_seat: Array
    winners: Array
    aborted: Array
    scores: Array
    metrics: Array
    seconds: float

    def __len__(self) -> int:
        return len(self.match)

    def columns(self) -> dict[str, Array]:
        """Return the columns in the order of the contract."""
        columns = {
            "match": self.match,
            "rotation": np.full(len(self), self.rotation, dtype=np.int8),
            "first_seat": self.first_seat,
            "winners": self.winners,
            "aborted": self.aborted,
        }
        columns |= {f"score_{seat}": score for seat, score in enumerate(self.scores)}
        names = (*self.game.metric_names, *COMMON_COUNTS)
        return columns | dict(zip(names, self.metrics, strict=True))


def play(
    cell: Cell,
    first: int,
    count: int,
    *,
    threads: int = 1,
    rotation: int = 0,
    device: str = CPU,
) -> Block:
    """Play matches [first, first + count) of a cell.

    Parameters
    ----------
    cell : Cell
    first, count : int
        Match numbers.
    threads : int
        The kernels release the GIL.
    rotation : int
        Seat s is played by the strategy of seat s + rotation.
    device : str
        "cpu", or "cuda" (a GPU), which gives the same rows.

    Raises
    ------
    PolicyError
        If a policy returns a move that is not legal, or none within the limit (`simcore.watchdog`);
        the message names policy, match, seat, the move and the legal ones.
    """
    started = time.perf_counter()
    if IN_PLAIN_PYTHON:
        columns = _in_plain(cell, rotation, first, count, most_events=math.inf)
        return _block(cell, first, rotation, columns, started)
    foreign = is_foreign(cell)
    if foreign:
        check_sources(cell)
    code = _code_of(cell) if foreign else None
    untried = foreign and code not in _tried
    tried = _in_plain(cell, rotation, first, min(count, TRIED)) if untried else None
    warm_up(cell, device, rotation)
    columns = Columns.of(cell, count)
    started = time.perf_counter()
    if device == CPU:
        _play_on_cpu(cell, rotation, first, columns, threads, watched=foreign)
    else:
        _play_on_gpu(cell, rotation, first, columns)
    if tried is not None and not tried.begins(columns):
        raise UnsteadyError(_other_matches(cell, rotation))
    if untried and count >= TRIED:
        _tried.add(code)
    return _block(cell, first, rotation, columns, started)


def try_out(cell: Cell, matches: int, device: str = CPU) -> None:
    """Try a user's code before a clock starts, if that many matches let it count as tried."""
    if is_foreign(cell) and matches >= TRIED and not IN_PLAIN_PYTHON:
        check_sources(cell)
        if _code_of(cell) not in _tried:
            warm_up(cell, device)
            with compiling.trial(cell.game.title):
                play(cell, 0, TRIED, device=device)


def warm_up(cell: Cell, device: str = CPU, rotation: int = 0) -> None:
    """Compile what blocks of a cell need, or load it from the disk."""
    if IN_PLAIN_PYTHON:
        return
    if device == CPU:
        blocks.Player(cell, rotation).play(0, 0, Columns.of(cell, 0), 0)
    else:
        from simcore.gpu import launch

        launch.warm_up(cell)


def compile_together(cells: Sequence[Cell]) -> None:
    """Compile what blocks of several cells need, in as many processes as there are cores."""
    if not IN_PLAIN_PYTHON:
        blocks.compile_together(cells)


def seconds_to_compile(cell: Cell) -> float:
    """Return how long it takes to compile the matches of a cell anew; 0 in plain Python."""
    started = time.perf_counter()
    if IN_PLAIN_PYTHON:
        return 0.0
    blocks.compile_anew(cell)
    return time.perf_counter() - started


def _block(cell: Cell, first: int, rotation: int, columns: Columns, started: float) -> Block:
    seconds = time.perf_counter() - started
    columns = columns._replace(aborted=columns.aborted.view(np.bool_))
    match = np.arange(first, first + len(columns.winners), dtype=np.int64)
    return Block(cell.game, match, rotation, *columns, seconds=seconds)


def _play_on_cpu(
    cell: Cell, rotation: int, first: int, columns: Columns, threads: int, *, watched: bool
) -> None:
    """Play the matches of some columns on threads of this process."""
    count = len(columns.winners)
    # Several pieces a thread, so that the threads end together.
    size = max(1, min(MAX_PIECE, -(-count // (threads * (8 if threads > 1 else 1)))))
    pieces = deque((start, min(size, count - start)) for start in range(0, count, size))
    crew = [
        Worker(blocks.Player(cell, rotation), first, pieces, columns, watched=watched)
        for _ in range(min(threads, len(pieces)))
    ]
    work_off(crew)


def work_off(crew: Sequence[Worker]) -> None:
    """Let each worker play on a thread of its own; raise the error of the earliest match."""
    if len(crew) == 1 and not crew[0].watched:
        crew[0].carry_out()
    else:
        for error in carry_out(crew):
            raise error
    failures = [worker.failure for worker in crew if worker.failure is not None]
    if failures:
        raise min(failures, key=lambda failure: failure[0])[1]


def _play_on_gpu(cell: Cell, rotation: int, first: int, columns: Columns) -> None:
    """Play the matches of some columns on a GPU, but for those that it leaves to the CPU."""
    from simcore.gpu import launch

    for row in launch.play(cell, rotation, first, columns):
        alone = Columns.of(cell, 1)
        _play_on_cpu(cell, rotation, first + row, alone, 1, watched=is_foreign(cell))
        for column, value in zip(columns, alone, strict=True):
            column[..., row] = value[..., 0]


def _in_plain(
    cell: Cell, rotation: int, first: int, count: int, most_events: float = MOST_EVENTS
) -> Columns:
    """Play matches as ordinary Python, with everything checked."""
    from simcore.match import Match

    columns, events = Columns.of(cell, count), 0
    for row in range(count):
        if events > most_events:
            return columns.rows(0, row)
        match = Match(cell, first + row, rotation=rotation)
        for _ in match.events(copies=False):
            events += 1
        match.write(columns, row)
    return columns


def _code_of(cell: Cell) -> Any:
    policies = seat_policies(cell, 0)
    code = frozenset(asked.identity for policy in policies for asked in policy.asked)
    return cell.game.name, cell.game.digest, tuple(sorted(cell.options.items())), code


class Worker:
    """Plays pieces of a block on one thread; what `watchdog.carry_out` is given.

    Attributes
    ----------
    watched : bool
        Whether a watchdog monitors this worker.
    failure : (int, InputError) or None
        The first match of the piece that failed, and why.
    """

    def __init__(
        self,
        player: Any,
        first: int,
        pieces: deque[tuple[int, int]],
        columns: Any,
        *,
        watched: bool,
    ) -> None:
        self.player = player
        self._first, self._pieces, self._columns = first, pieces, columns
        self.watched = watched
        self.failure: tuple[int, InputError] | None = None

    def carry_out(self) -> None:
        """Play the pieces that are left, until a policy fails."""
        while True:
            try:
                start, size = self._pieces.popleft()
            except IndexError:
                return
            first = self._first + start
            played = self.player.play(first, size, self._columns, start)
            if played < size:
                self.failure = (first + played, self.error(first + played))
                self._pieces.clear()
                return

    def error(self, match: int) -> InputError:
        """Replay a match as ordinary Python; return its error."""
        from simcore.match import Match

        cell, rotation = self.player.cell, self.player.rotation
        try:
            for _ in Match(cell, match, rotation=rotation):
                pass
        except InputError as error:
            return error
        return UnsteadyError(f"match {match}: {_other_matches(cell, rotation)}")

    def moment(self) -> bytes | None:
        """Return the state of the match under way; None if no watchdog is needed."""
        return self.player.rows.tobytes() if self.watched else None

    def standing_still(self) -> str:
        """Return which policies are deciding."""
        cell = self.player.cell
        names = ", ".join(dict.fromkeys(map(str, cell.seats)))
        return f"one of the policies {names} of {cell.game.name} (seed {cell.seed})"

    def failed(self, message: str) -> PolicyError:
        """Return the error for a decision that took too long."""
        self._pieces.clear()
        return PolicyError(message)


def _other_matches(cell: Cell, rotation: int) -> str:
    names = sorted(set(map(str, cell.rotated(rotation))))
    return (
        f"{cell.game.name} with policies {', '.join(map(repr, names))} plays other matches "
        "compiled than as ordinary Python. That is a fault of cardlab, wherever in the file it "
        "shows: please send the file to its maintainers, with this line and the command"
    )
