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
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from simcore import compiling
from simcore.compiler.blocks import Player as Player_
from simcore.compiler.blocks import is_foreign as has_foreign
from simcore.errors import PolicyError, UnsteadyError
from simcore.game import COUPLINGS, STOCK, Game
from simcore.guard import cause_of_failure, is_foreign
from simcore.guard import guarded as guard_of
from simcore.jit import JIT_DISABLED, POLICY_FAILED, POLICY_WROTE
from simcore.limit import carry_out
from simcore.options import Options, show_all
from simcore.phrases import legal_moves_in_words
from simcore.records import COMMON_COUNTS, MAX_PARAMS, Dtypes
from simcore.rooms import BlockKernel
from simcore.ways import lanes_allowed

Array = npt.NDArray[Any]

TRIED = 20
"""Matches of a block that users' policies play on copies first."""

MOST_EVENTS = 2000
"""Decisions after which no further match is tried as ordinary Python, which takes its time."""

MAX_PIECE = 50_000
"""Most matches in one call of a kernel."""


class Player(Protocol):
    """What a seat needs of a strategy: a compiled policy and its parameters."""

    def numbers(self, dtypes: Dtypes) -> Sequence[float]:
        """Return the parameter values as a SEAT holds them."""

    def address(self, dtypes: Dtypes) -> int:
        """Return the address of the policy compiled for these records, or `records.RANDOM`."""

    def asked(self, options: Options) -> Any:
        """Return who is asked (`compiler.blocks.Asked`), in games of the language."""

    def spec(self, options: Options) -> Sequence[int]:
        """Return what SEAT holds of how it plays, in the words of the game's room `spec`.

        It may depend on the options of the match: other weights under other rules.
        """


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
    coupling : str
        One of the game's couplings (`Game.check_coupling`).
    planned : int or None
        How many matches of it are to be played in all, where that is known: it decides whether
        they are worth a kernel of lanes (`pays_in_lanes`), never what their rows are.
    """

    game: Game
    options: Options
    seats: tuple[Player, ...]
    seed: int
    coupling: str = STOCK
    planned: int | None = None

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

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


def records(
    cell: Cell, rotation: int = 0, *, guarded: bool = False
) -> tuple[np.recarray, np.recarray]:
    """Return TABLE[n] and BOX[n] arrays ready for matches of a cell, all n alike.

    n is 1, or `RECORDS` of a game that plays several matches side by side. With `guarded`, users'
    policies decide on copies (`simcore.guard`).
    """
    compiling.about(cell.game.title)
    table_room = cell.game.room("table")
    tables, boxes = table_room.new_records(cell.options)
    dtypes = table_room.record_dtypes(cell.options)
    if cell.coupling != STOCK:
        boxes[0].coupling = COUPLINGS.index(cell.coupling)
    for seat, player in enumerate(cell.rotated(rotation)):
        values = player.numbers(dtypes)
        assert len(values) <= MAX_PARAMS
        address = player.address(dtypes)
        boxes[0].policies[seat] = guard_of(address) if guarded else address
        spec = player.spec(cell.options)
        boxes[0].seats[seat].spec[: len(spec)] = spec
        boxes[0].seats[seat].params[: len(values)] = values
    count = table_room.RECORDS
    return tables.repeat(count), boxes.repeat(count)  # type: ignore[return-value]


def play(
    cell: Cell,
    first: int,
    count: int,
    *,
    threads: int = 1,
    rotation: int = 0,
    lanes: bool = True,
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
    lanes : bool
        Whether matches may be played side by side where that pays (`pays_in_lanes`).

    Raises
    ------
    InputError
        If `CARDLAB_LANES` is neither on nor off (`simcore.ways`).
    PolicyError
        If a policy returns a move that is not legal, or none within the limit (`simcore.limit`);
        the message names policy, match, seat, the move and the legal ones.
    """
    out = _Columns(cell, count)
    if cell.game.in_language and JIT_DISABLED:
        started = time.perf_counter()
        whole = _in_plain(cell, rotation, first, count, most_events=math.inf)
        return _block(cell, first, count, rotation, whole, time.perf_counter() - started)
    if cell.game.in_language and may_loop(cell):
        tried = _in_plain(cell, rotation, first, min(count, TRIED))
    warm_up(cell, rotation, lanes=lanes)
    started = time.perf_counter()
    pieces = _pieces(count, threads)
    left = deque(pieces)
    foreign = may_loop(cell)
    if cell.game.in_language:
        lanes = lanes and pays_in_lanes(cell)
        _carry_out(
            [
                _RulesWorker(cell, rotation, first, left, out, watched=foreign, lanes=lanes)
                for _ in range(min(threads, len(pieces)))
            ]
        )
        if foreign and not tried.begins(out):
            raise UnsteadyError(_other_matches(cell, rotation))
        return _block(cell, first, count, rotation, out, time.perf_counter() - started)
    crew = [
        _Worker(cell, rotation, first, left, out, watched=foreign, lanes=lanes)
        for _ in range(min(threads, len(pieces)))
    ]
    trial = _on_copies(cell, rotation, first, min(count, TRIED), lanes=lanes) if foreign else None
    _carry_out(crew)
    if trial is not None and not trial.begins(out):
        raise UnsteadyError(_other_matches(cell, rotation))
    return _block(cell, first, count, rotation, out, time.perf_counter() - started)


def _block(
    cell: Cell, first: int, count: int, rotation: int, out: _Columns, seconds: float
) -> Block:
    return Block(
        game=cell.game,
        match=np.arange(first, first + count, dtype=np.int64),
        rotation=rotation,
        first_seat=out.first_seat,
        winners=out.winners,
        aborted=out.aborted.view(np.bool_),
        scores=out.scores,
        metrics=out.metrics,
        seconds=seconds,
    )


def _in_plain(
    cell: Cell, rotation: int, first: int, count: int, most_events: float = MOST_EVENTS
) -> _Columns:
    """Play matches as ordinary Python, with everything checked."""
    from simcore.compiler.plain import Match

    trial, events = _Columns(cell, count), 0
    for row in range(count):
        if events > most_events:
            trial.cut(row)
            break
        match = Match(cell, first + row, rotation=rotation)
        for _ in match.events(copies=False):
            events += 1
        match.write(trial.all(), row)
    return trial


class _RulesWorker:
    """Plays pieces of a block on one thread, by rules in the language; see `_Worker`."""

    def __init__(
        self,
        cell: Cell,
        rotation: int,
        first: int,
        left: deque[tuple[int, int]],
        out: _Columns,
        *,
        watched: bool,
        lanes: bool,
    ) -> None:
        self._player = Player_(cell, rotation, lanes=lanes)
        self._first, self._left, self._out = first, left, out
        self.watched = watched
        self.failure: tuple[int, PolicyError] | None = None

    def carry_out(self) -> None:
        """Play what is left, piece by piece, until a policy fails."""
        while True:
            try:
                start, size = self._left.popleft()
            except IndexError:
                return
            first = self._first + start
            done = self._player.play(first, size, self._out.all(), start)
            if done < size:
                self.failure = (first + done, self._error(first + done))
                self._left.clear()
                return

    def _error(self, match: int) -> PolicyError:
        """Return the error of a match with an illegal move, which plain Python tells."""
        from simcore.compiler.plain import Match

        cell, rotation = self._player.cell, self._player.rotation
        try:
            for _ in Match(cell, match, rotation=rotation):
                pass
        except PolicyError as error:
            return error
        return PolicyError(f"match {match} of {cell.game.name} ended with an illegal move")

    def moment(self) -> bytes | None:
        """Return the open matches; None where nobody need be watched."""
        return self._player.rows.tobytes() if self.watched else None

    def standing_still(self) -> str:
        """Return where the matches stand."""
        cell = self._player.cell
        names = ", ".join(dict.fromkeys(str(one) for one in cell.seats))
        return f"one of the policies {names} of {cell.game.name} (seed {cell.seed})"

    def failed(self, message: str) -> PolicyError:
        """Return the error for a decision that took too long."""
        self._left.clear()
        return PolicyError(message)


def _on_copies(cell: Cell, rotation: int, first: int, count: int, *, lanes: bool) -> _Columns:
    """Play matches in which users' policies decide on copies of their records."""
    trial = _Columns(cell, count)
    left = deque([(0, count)])
    _carry_out(
        [_Worker(cell, rotation, first, left, trial, watched=True, guarded=True, lanes=lanes)]
    )
    return trial


def warm_up(cell: Cell, rotation: int = 0, *, lanes: bool = True) -> None:
    """Compile what a cell needs, or load it from the disk."""
    if cell.game.in_language and JIT_DISABLED:
        return
    if cell.game.in_language:
        Player_(cell, rotation, lanes=lanes and pays_in_lanes(cell)).play(
            0, 0, _Columns(cell, 0).all(), 0
        )
        return
    for guarded in (False, True) if may_loop(cell) else (False,):
        tables, boxes = records(cell, rotation, guarded=guarded)
        play_block = _block_kernel(cell, tables, boxes, lanes=lanes)
        play_block(tables, boxes, cell.seed, 0, 0, _Columns(cell, 0).all(), 0)


FEW_MATCHES = 2000
"""Each house rule has kernels of its own for lanes. To compile one takes as long as to play some
hundred thousand matches, so that a cell of fewer than these is played one match after another."""


def pays_in_lanes(cell: Cell) -> bool:
    """Return whether the matches planned of a cell are worth a kernel of lanes; all ask this.

    `CARDLAB_LANES` may forbid lanes, whatever they are worth.
    """
    if not lanes_allowed():
        return False
    if cell.planned is None or cell.planned >= FEW_MATCHES:
        return True
    changed = (one for one in cell.game.options if cell.options[one.name] != one.default)
    return not any(one.house for one in changed)


def fits_lanes(cell: Cell, rotation: int = 0) -> bool:
    """Return whether matches of a cell are played side by side here."""
    if cell.game.in_language:
        return Player_(cell, rotation, lanes=pays_in_lanes(cell)).kernel.lanes > 1
    kernel = _block_kernel(cell, *records(cell, rotation), lanes=True)
    return kernel is not cell.game.room("kernel").play_block


def _block_kernel(
    cell: Cell, tables: np.recarray, boxes: np.recarray, *, lanes: bool
) -> BlockKernel:
    room = cell.game.room("kernel")
    if not (lanes and pays_in_lanes(cell)):
        return room.play_block
    return room.block_kernel(tables[0], boxes[0])


class _Columns:
    """Empty columns of a block."""

    def __init__(self, cell: Cell, count: int) -> None:
        metrics = len(cell.game.metrics) + len(COMMON_COUNTS)
        self.first_seat = np.empty(count, dtype=np.uint8)
        self.winners = np.empty(count, dtype=np.uint16)
        self.aborted = np.empty(count, dtype=np.uint8)
        self.scores = np.empty((cell.players, count), dtype=np.int32)
        self.metrics = np.empty((metrics, count), dtype=np.int32)

    def all(self) -> tuple[Array, ...]:
        """Return the arrays in the order in which kernels take them."""
        return self.first_seat, self.winners, self.aborted, self.scores, self.metrics

    def cut(self, count: int) -> None:
        """Leave the first rows only."""
        self.first_seat, self.winners = self.first_seat[:count], self.winners[:count]
        self.aborted, self.scores = self.aborted[:count], self.scores[:, :count]
        self.metrics = self.metrics[:, :count]

    def begins(self, other: _Columns) -> bool:
        """Return whether the other columns begin with these."""
        pairs = zip(self.all(), other.all(), strict=True)
        return all(bool((own == more[..., : own.shape[-1]]).all()) for own, more in pairs)


def _pieces(count: int, threads: int) -> list[tuple[int, int]]:
    # Several pieces a thread, so that the threads end together.
    size = max(1, min(MAX_PIECE, -(-count // (threads * (8 if threads > 1 else 1)))))
    return [(start, min(size, count - start)) for start in range(0, count, size)]


class _Worker:
    """Plays pieces of a block on one thread; what `limit.carry_out` is given.

    With `guarded`, users' policies decide on copies.

    Attributes
    ----------
    watched : bool
        Whether somebody looks whether its matches go on.
    failure : (int, PolicyError) or None
        The first match of the piece that failed, and why.
    """

    def __init__(
        self,
        cell: Cell,
        rotation: int,
        first: int,
        left: deque[tuple[int, int]],
        out: _Columns,
        *,
        watched: bool,
        guarded: bool = False,
        lanes: bool,
    ) -> None:
        self._cell, self._rotation, self._lanes = cell, rotation, lanes
        self._first, self._left, self._out = first, left, out
        self._tables, self._boxes = records(cell, rotation, guarded=guarded)
        self.watched = watched
        self.failure: tuple[int, PolicyError] | None = None

    def carry_out(self) -> None:
        """Play what is left, piece by piece, until a policy fails."""
        tables, boxes = self._tables, self._boxes
        play_block = _block_kernel(self._cell, tables, boxes, lanes=self._lanes)
        one_by_one = self._cell.game.room("kernel").play_block
        out = self._out.all()
        while True:
            try:
                start, size = self._left.popleft()
            except IndexError:
                return
            first = self._first + start
            done = play_block(tables, boxes, self._cell.seed, first, size, out, start)
            if done < size and play_block is not one_by_one:
                # Lanes do not end in the order of the matches: which is the first to end so?
                done = one_by_one(tables, boxes, self._cell.seed, first, size, out, start)
            if done < size:
                error = _illegal(self._cell, tables[0], boxes[0], self._rotation)
                self.failure = (first, error)
                # Pieces before this one have been taken: the first illegal move is among theirs.
                self._left.clear()
                return

    def moment(self) -> bytes | None:
        """Return the open table; None where nobody need be watched."""
        return self._tables[0].tobytes() if self.watched else None

    def standing_still(self) -> str:
        """Return the policy on turn, and where."""
        return place_in_words(self._cell, self._tables[0], self._rotation)

    def failed(self, message: str) -> PolicyError:
        """Return the error for a decision that took too long."""
        self._left.clear()
        return PolicyError(message)


def _other_matches(cell: Cell, rotation: int) -> str:
    if cell.game.in_language:
        names = {str(one) for one in cell.rotated(rotation)}
    else:
        dtypes = cell.game.room("table").record_dtypes(cell.options)
        names = {str(one) for one in cell.rotated(rotation) if is_foreign(one.address(dtypes))}
    return (
        f"policy {' or '.join(repr(name) for name in sorted(names))} of {cell.game.name} plays "
        "other matches on copies of TABLE and SEAT: it changes its SEAT, or decides by something "
        "that it is not shown, such as a random stream of its own. A policy may write to "
        "seat.memory and draw from seat.rng, and to nothing else"
    )


def _carry_out(crew: Sequence[_Worker | _RulesWorker]) -> None:
    if len(crew) == 1 and not crew[0].watched:
        crew[0].carry_out()
    else:
        for error in carry_out(crew):
            raise error
    failures = [worker.failure for worker in crew if worker.failure is not None]
    if failures:
        raise min(failures, key=lambda failure: failure[0])[1]


def may_loop(cell: Cell) -> bool:
    """Return whether a policy that is not cardlab's own plays, or is a parameter of one."""
    if cell.game.in_language:
        return has_foreign(cell)
    dtypes = cell.game.room("table").record_dtypes(cell.options)
    return any(
        is_foreign(number)
        for player in cell.seats
        for number in (player.address(dtypes), *player.numbers(dtypes))
    )


def place_in_words(cell: Cell, table: np.record, rotation: int) -> str:
    """Return the policy of the seat on turn, with the game, match, seat and options."""
    seat = int(table.seat)
    choices = show_all({**cell.options, **coupling_given(cell.coupling)})
    return (
        f"policy {str(cell.rotated(rotation)[seat])!r} of {cell.game.name} "
        f"(match {int(table.match_number)}, seed {cell.seed}, seat {seat}, "
        f"round {int(table.round_number)}; {choices})"
    )


def _illegal(cell: Cell, table: np.record, box: np.record, rotation: int) -> PolicyError:
    move = int(table.illegal_move)
    place = place_in_words(cell, table, rotation)
    if move == POLICY_WROTE:
        return PolicyError(
            f"{place} changed the TABLE; a policy may write to seat.memory and draw from seat.rng, "
            "and to nothing else"
        )
    if move == POLICY_FAILED:
        seat = int(table.seat)
        cause = cause_of_failure(int(box.policies[seat]), table, box.seats[seat])
        return PolicyError(
            f"{place} raised an exception instead of returning a move{cause or ', or returned NaN'}"
        )
    legal = legal_moves_in_words(cell.game, table, box)
    return PolicyError(
        f"{place} returned {move}, which is no legal move; legal: "
        + ", ".join(f"{number} ({text})" for number, text in legal.items())
    )


def coupling_given(coupling: str) -> dict[str, str]:
    """Return a coupling by its name where it is not the one that goes without saying."""
    return {} if coupling == STOCK else {"coupling": coupling}
