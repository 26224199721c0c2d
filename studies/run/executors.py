"""Executors play blocks on threads of this process, or elsewhere (`studies.run.cluster`).

An executor takes tasks when it has capacity and returns their results in any order. Content never
depends on the executor: a block is determined by its cell and its deals. A task is plain data, so
that it can be sent to another machine.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.gpu.device import CPU, CUDA
from strategies import Policies, parse_lineup, session
from studies.design.cells import StudyCell
from studies.measures import Measure
from studies.store.parts import Encoded, encode, part_metadata
from studies.store.totals import add_up, block_totals, encode_block, pairs

if TYPE_CHECKING:
    import numpy as np

    from simcore.batch import Cell
    from simcore.gpu.launch import Held
    from studies.answers.totals import Totals

SUMMARY_PIECE_ROWS = 50_000
DEVICE_PIECE_ROWS = 2_000_000
"""Matches per call on a GPU, which needs very many in parallel to be busy."""

MANY_CELLS = 1000


@dataclass(frozen=True)
class Task:
    """A block to play: deals [first, first + count) in every rotation.

    Attributes
    ----------
    cells : tuple of StudyCell
        Each yields a part. A task of rows has one cell, a task of sums all that lack the block.
    baseline : StudyCell
        The unchanged rules at the same line-up and sweep point, for sums of variants.
    source : str
        Hash of the sources that must play it.
    rows : bool
        Whether rows are kept, or their sums alone.
    measures : tuple of Measure
        The study's measures, whose sums are also kept.
    """

    cells: tuple[StudyCell, ...]
    baseline: StudyCell
    first: int
    count: int
    source: str
    rows: bool = True
    measures: tuple[Measure, ...] = ()


@dataclass(frozen=True)
class Done:
    """A block that has been played.

    Attributes
    ----------
    seconds : float
        Simulation alone.
    parts : tuple of Encoded
        Parts that are still to be written; empty once they are.
    """

    task: Task
    seconds: float
    parts: tuple[Encoded, ...] = ()


class LostError(InputError):
    """The executor was lost; blocks that were stored are safe."""


Take = Callable[[], Task | None]
"""Returns the next task, or None until a task in progress has ended."""

Keep = Callable[[Encoded], None]
"""Writes a part."""


class Executor(Protocol):
    """Plays tasks."""

    workers: int

    def run(self, take: Take, keep: Keep) -> Iterator[Done]:
        """Play tasks and yield the results that were stored, until no task is left."""
        ...

    def finish(self) -> Iterator[Done]:
        """Start nothing more; yield the blocks in progress as they end."""
        ...


def playable(cell: StudyCell) -> Cell:
    """Return a study's cell as a cell of `simcore.batch`."""
    return _playable(cell, cell.policies or session(), general=cell.general)


@lru_cache(maxsize=4096)
def _playable(cell: StudyCell, policies: Policies, *, general: bool) -> Cell:
    from simcore.batch import Cell

    game = get_game(cell.game)
    seats = parse_lineup(game, list(cell.seats), policies)
    return Cell(game, cell.options, seats, cell.seed, general)


def compile_cells(cells: Iterable[StudyCell], device: str = CPU) -> None:
    """Compile the code for cells, or load it from disk.

    With very many cells, only once for each variant of each line-up: other differences
    between cells are mostly numbers that kernels read at run time.
    """
    from simcore.batch import compile_together, warm_up

    cells = list(cells)
    if len(cells) > MANY_CELLS:
        alike = {(cell.variant, cell.lineup, cell.players): cell for cell in reversed(cells)}
        cells = list(reversed(alike.values()))
    chosen = [playable(cell) for cell in cells]
    if device == CPU:
        compile_together(chosen)
        for ready in chosen:
            warm_up(ready)
    else:
        from simcore.gpu.launch import warm_up_all

        warm_up_all(chosen)


def try_cells(cells: Iterable[StudyCell], matches: int, device: str = CPU) -> None:
    """Try users' code as ordinary Python, so that a run's rate is that of compiled matches.

    With very many cells each is tried when its turn comes.
    """
    from simcore.batch import try_out

    cells = list(cells)
    for cell in cells if len(cells) <= MANY_CELLS else ():
        try_out(playable(cell), matches, device)


def play_rows(
    cell: StudyCell, first: int, count: int, device: str = CPU
) -> tuple[dict[str, Any], float]:
    """Play matches [first, first + count) in every rotation.

    Returns
    -------
    columns : dict of str to array, each of length count × rotations
        In the order of (match, rotation).
    seconds : float
        Simulation alone.
    """
    return play_rotations(playable(cell), first, count, cell.rotations, device=device)


def play_rotations(
    cell: Cell,
    first: int,
    count: int,
    rotations: int,
    *,
    threads: int = 1,
    device: str = CPU,
) -> tuple[dict[str, Any], float]:
    """Play matches [first, first + count) of a playable cell in each rotation, as `play_rows`."""
    import numpy as np

    from simcore.batch import play

    blocks = [
        play(cell, first, count, threads=threads, rotation=rotation, device=device)
        for rotation in range(rotations)
    ]
    seconds = sum(block.seconds for block in blocks)
    if len(blocks) == 1:
        return blocks[0].columns(), seconds
    by_rotation = [block.columns() for block in blocks]
    columns: dict[str, np.ndarray[Any, Any]] = {
        name: np.stack([columns[name] for columns in by_rotation], axis=1).ravel()
        for name in by_rotation[0]
    }
    return columns, seconds


StandIn = Callable[[StudyCell], StudyCell]


def compute(task: Task, stand_in: StandIn = lambda cell: cell, *, device: str = CPU) -> Done:
    """Play a task's block; return its encoded rows or sums, and the seconds taken.

    Parameters
    ----------
    stand_in : callable
        Maps a cell to a copy whose options hold paths valid on this machine.
    device : str
        As in `simcore.batch.play`.
    """
    if not task.rows:
        totals, seconds = compute_totals(task, stand_in, device)
        span = task.first, task.count
        return Done(
            task,
            seconds,
            tuple(
                Encoded(cell, *span, encode_block(cell, *span, totals[cell.id], task.source))
                for cell in task.cells
            ),
        )
    parts, seconds = [], 0.0
    for cell in task.cells:
        columns, took = play_rows(stand_in(cell), task.first, task.count, device)
        metadata = part_metadata(cell, task.first, task.count, task.source)
        parts.append(Encoded(cell, task.first, task.count, encode(columns, metadata)))
        seconds += took
    return Done(task, seconds, tuple(parts))


def compute_totals(
    task: Task, stand_in: StandIn = lambda cell: cell, device: str = CPU
) -> tuple[dict[str, Totals], float]:
    """Play a block of several cells together, in pieces that fit the cache.

    Returns
    -------
    totals : dict of str to Totals
        By cell id.
    seconds : float
        Simulation alone.
    """
    base, seconds = task.baseline, 0.0
    totals: dict[str, Totals] = {}
    size = SUMMARY_PIECE_ROWS if device == CPU else DEVICE_PIECE_ROWS
    step = max(1, size // base.rotations)
    for first in range(task.first, task.first + task.count, step):
        count = min(step, task.first + task.count - first)
        if device != CPU:
            on_device = totals_there(task, first, count, stand_in)
            if on_device is not None:
                add_up(totals, on_device[0])
                seconds += on_device[1]
                continue
        baseline: dict[str, Any] | None = None
        if any(cell.id == base.id or pairs(cell, base) for cell in task.cells):
            baseline, took = play_rows(stand_in(base), first, count, device)
            seconds += took
        played = []
        for cell in task.cells:
            columns = baseline if cell.id == base.id else None
            if columns is None:
                columns, took = play_rows(stand_in(cell), first, count, device)
                seconds += took
            played.append((cell, columns))
        add_up(totals, block_totals(base, baseline, played, task.measures))
    return totals, seconds


def totals_there(
    task: Task, first: int, count: int, stand_in: StandIn = lambda cell: cell
) -> tuple[dict[str, Totals], float] | None:
    """Return the totals of some deals, played and summed on a GPU; None if it cannot."""
    from simcore.gpu.launch import NeedsCpuError, a_gpu
    from studies.answers.device_sums import device_totals

    base, seconds = task.baseline, 0.0
    needs_base = any(cell.id == base.id or pairs(cell, base) for cell in task.cells)
    for cell in {base, *task.cells} if needs_base else task.cells:
        try_out(playable(stand_in(cell)), first, count)
    with a_gpu() as gpu:

        def hold(cell: StudyCell) -> Held:
            nonlocal seconds
            held = gpu.hold(playable(stand_in(cell)), first, count, cell.rotations)
            seconds += held.seconds
            return held

        try:
            baseline = hold(base) if needs_base else None
            played = ((cell, baseline if cell.id == base.id else hold(cell)) for cell in task.cells)
            totals = block_totals(base, baseline, played, task.measures, add=device_totals)
        except NeedsCpuError:
            return None
    return totals, seconds


def try_out(cell: Cell, first: int, count: int) -> None:
    """Play users' code once as ordinary Python and on a GPU, and compare (`simcore.batch`)."""
    from simcore.batch import TRIED, play
    from simcore.compiler.seat_policy import is_foreign

    if is_foreign(cell):
        play(cell, first, min(count, TRIED), device=CUDA)


class ThreadExecutor:
    """Plays on threads of this process; the kernels release the GIL.

    Each thread writes the part that it played, because compression also releases the GIL. While a
    thread waits for the disk another plays: there are a few more threads than workers, but only as
    many as workers play at a time.
    """

    def __init__(self, workers: int, compute: Callable[[Task], Done] = compute) -> None:
        self.workers = workers
        self._compute = compute
        self._cores = threading.Semaphore(workers)
        self._threads = workers + max(1, workers // 4)
        self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix="block")
        self._under_way: set[Future[Done]] = set()

    def run(self, take: Take, keep: Keep) -> Iterator[Done]:
        """Play tasks and yield their results in the order of completion."""
        while True:
            while len(self._under_way) <= self._threads:  # one waits, no thread idles
                task = take()
                if task is None:
                    break
                self._under_way.add(self._pool.submit(self._work, task, keep))
            if not self._under_way:
                return
            ended, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            for future in sorted(ended, key=id):
                self._under_way.discard(future)
                yield future.result()

    def finish(self) -> Iterator[Done]:
        """Start nothing more; yield the blocks in progress as they end.

        Blocks that fail here are skipped: the first failure has already been reported.
        """
        self._under_way = {future for future in self._under_way if not future.cancel()}
        while self._under_way:
            ended, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            self._under_way -= ended
            yield from (future.result() for future in ended if future.exception() is None)
        self._pool.shutdown(wait=True)

    def _work(self, task: Task, keep: Keep) -> Done:
        with self._cores:
            block = self._compute(task)
        for encoded in block.parts:
            keep(encoded)
        return Done(task, block.seconds)
