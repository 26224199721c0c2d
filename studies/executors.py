"""Where blocks are played: on threads of this process, for now.

An executor takes tasks as they are asked for and hands back what each gave, in any order. Content
never depends on the executor: a block is decided by its cell and its match numbers. A task is
plain data, so that it can be sent to another machine later.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from simcore.game import get_game
from strategies import parse_lineup
from studies.cells import StudyCell
from studies.parts import write_part
from studies.store import cell_folder

if TYPE_CHECKING:
    import numpy as np

    from simcore.batch import Cell


@dataclass(frozen=True)
class Task:
    """A block to be played: match numbers [first, first + count) of a cell, every rotation."""

    directory: Path
    cell: StudyCell
    first: int
    count: int
    source: str


@dataclass(frozen=True)
class Done:
    """A block that was played and written.

    Attributes
    ----------
    seconds : float
        Simulation alone.
    """

    task: Task
    seconds: float


class Executor(Protocol):
    """Plays tasks somewhere."""

    workers: int

    def run(self, tasks: Iterator[Task]) -> Iterator[Done]:
        """Play tasks and yield what was done; takes a task only when a worker is about free."""
        ...

    def finish(self) -> Iterator[Done]:
        """Start nothing more; yield the blocks under way as they end."""
        ...


@lru_cache(maxsize=4096)
def playable(cell: StudyCell) -> Cell:
    """Return a cell as `simcore.batch` plays it."""
    from simcore.batch import Cell

    game = get_game(cell.game)
    return Cell(game, cell.options, parse_lineup(game, list(cell.seats)), cell.seed)


def play_rows(cell: StudyCell, first: int, count: int) -> tuple[dict[str, Any], float]:
    """Play matches [first, first + count) in every rotation.

    Returns
    -------
    columns : dict of str to array, each of length count × rotations
        In the order of (match, rotation).
    seconds : float
        Simulation alone.
    """
    import numpy as np

    from simcore.batch import play

    blocks = [
        play(playable(cell), first, count, threads=1, rotation=rotation)
        for rotation in range(cell.rotations)
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


def play_task(task: Task) -> Done:
    """Play a block and write its part."""
    columns, seconds = play_rows(task.cell, task.first, task.count)
    folder = cell_folder(task.directory, task.cell.id)
    write_part(folder, task.cell, task.first, task.count, columns, task.source)
    return Done(task, seconds)


class ThreadExecutor:
    """Plays on threads of this process; the kernels run without Python's global lock.

    Each thread writes the part that it played: compression also runs without the lock, and a
    writer thread of its own would only take a core from the kernels.
    """

    def __init__(self, workers: int, play: Callable[[Task], Done] = play_task) -> None:
        self.workers = workers
        self._play = play
        self._pool = ThreadPoolExecutor(workers, thread_name_prefix="block")
        self._under_way: set[Future[Done]] = set()

    def run(self, tasks: Iterator[Task]) -> Iterator[Done]:
        """Play tasks and yield what was done, in the order in which they end."""
        more = True
        while more or self._under_way:
            while more and len(self._under_way) <= self.workers:  # one waits, no thread idles
                task = next(tasks, None)
                if task is None:
                    more = False
                else:
                    self._under_way.add(self._pool.submit(self._play, task))
            yield from self._ended()

    def finish(self) -> Iterator[Done]:
        """Start nothing more; yield the blocks under way as they end.

        Blocks that fail here are passed over: the first failure has been told already.
        """
        self._under_way = {future for future in self._under_way if not future.cancel()}
        while self._under_way:
            ended, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
            self._under_way -= ended
            yield from (future.result() for future in ended if future.exception() is None)
        self._pool.shutdown(wait=True)

    def _ended(self) -> Iterator[Done]:
        if not self._under_way:
            return
        ended, _ = wait(self._under_way, return_when=FIRST_COMPLETED)
        for future in sorted(ended, key=id):
            self._under_way.discard(future)
            yield future.result()
