"""Matches on a GPU, by `numba.cuda`: kernels, how they are launched, and what comes back.

What is played is written by `gpu.kernels`. Rows are those of the CPU, bit for bit: a match depends
on nothing but its number, and each has a place of its own in the columns. A match that the device
gives up (a wrong move or index in users' code, a loop without an end) is left to the CPU.
"""

from __future__ import annotations

import hashlib
import importlib.util
import linecache
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from simcore import cache
from simcore.compiler.blocks import Columns
from simcore.compiler.seat_policy import seat_policies
from simcore.compiling import compilation
from simcore.errors import InputError
from simcore.gpu import kernels
from simcore.gpu.device import CPU, CUDA, check_device

MOST_ROWS = 1 << 22
"""Matches of a launch at most: their rows take half a gigabyte on the device."""

ROUNDS = 2
"""Matches a thread, from which on a launch shows how quick its shape is."""

MOST_COMPILING = 8
"""Processes that compile side by side; each takes some memory of a GPU."""

LAUNCH_SECONDS = 1.0
"""A launch cannot be stopped, and a GPU that draws a screen, too, ends one after some seconds."""

_BLOCK = 128

Array = np.ndarray[Any, Any]


@lru_cache
def _gpus() -> queue.SimpleQueue[_Gpu]:
    """Return the GPUs that nobody uses at the moment."""
    from numba import cuda

    check_device(CUDA)
    free: queue.SimpleQueue[_Gpu] = queue.SimpleQueue()
    for place in range(len(cuda.gpus)):
        free.put(_Gpu(place))
    return free


def warm_up(cell: Any) -> None:
    """Compile what plays a cell's matches, or load it from the disk."""
    kernel, gpus = _kernel(cell), _gpus()
    with kernel.lock:
        if kernel.is_warm:
            return
        device = gpus.get()
        try:
            with compilation(f"{cell.game.title}: its matches on a GPU"):
                device.play(kernel, cell, 0, 0, Columns.of(cell, 0))
        finally:
            gpus.put(device)
        kernel.is_warm = True


def warm_up_all(cells: Iterable[Any]) -> None:
    """Compile what many cells need, in processes side by side, or load it from the disk."""
    cells = list(cells)
    kernels = {_kernel(cell): cell for cell in cells}
    needed = [kernel for kernel in kernels if not kernel.is_warm and kernel.file]
    if len(needed) > 1:
        workers = min(len(needed), os.cpu_count() or 1, MOST_COMPILING)
        title = f"{len(needed)} modules of matches for a GPU"
        with compilation(title), ThreadPoolExecutor(workers) as pool:
            # What fails is compiled again below, and says why.
            list(pool.map(_compile_apart, needed, [kernels[kernel] for kernel in needed]))
    for cell in cells:
        warm_up(cell)


def _compile_apart(kernel: _Kernel, cell: Any) -> None:
    columns = Columns.of(cell, 0)
    numbers = len(columns.scores), len(columns.metrics), kernel.size
    command = [sys.executable, "-m", "simcore.gpu.launch", kernel.file, *map(str, numbers)]
    subprocess.run(command, check=False, capture_output=True)  # noqa: S603


def compile_file(file: str, players: int, metrics: int, size: int) -> None:
    """Compile a module's kernel, which stays beside it on the disk."""
    from numba import cuda

    path = Path(file)
    columns = Columns.empty(players, metrics, 1)
    state = [np.empty(size, np.int64)] if size else []
    arrays = [np.zeros(1, np.int64), np.zeros(1, np.int64), *columns, *state]
    numbers = map(np.int64, (0, 0, 0, 0, 0))
    _imported(path.stem, path).play[1, 1](*numbers, *map(cuda.to_device, arrays))
    cuda.synchronize()


def play(cell: Any, rotation: int, first: int, columns: Columns) -> list[int]:
    """Play matches from a number on into the columns of a block.

    Returns
    -------
    list of int
        Rows that the CPU must play.
    """
    from numba import cuda

    kernel, gpus = _kernel(cell), _gpus()

    def play_piece(start: int) -> None:
        device = gpus.get()
        try:
            rows = columns.rows(start, start + MOST_ROWS)
            device.play(kernel, cell, rotation, first + start, rows)
        finally:
            gpus.put(device)

    starts = range(0, len(columns.winners), MOST_ROWS)
    if len(starts) == 1:
        play_piece(0)
    else:
        with ThreadPoolExecutor(len(cuda.gpus)) as pool:
            list(pool.map(play_piece, starts))
    given_up: list[int] = np.flatnonzero(columns.aborted == kernels.GIVEN_UP).tolist()
    return given_up


class NeedsCpuError(Exception):
    """A GPU cannot do it all."""


@dataclass(frozen=True)
class Held:
    """Columns of some deals of a cell on a GPU.

    Attributes
    ----------
    columns : list
        `first_seat`, `winners`, `aborted`, `scores`, `metrics`, each (rotations, …, deals).
    first, count : int
        Which deals.
    seconds : float
        What playing them has taken.
    simulated : bool
        Whether this is no GPU, but Numba's simulator.
    """

    columns: list[Any]
    first: int
    count: int
    seconds: float
    simulated: bool


@contextmanager
def a_gpu() -> Iterator[_Gpu]:
    """Give a GPU that nobody else uses meanwhile."""
    gpus = _gpus()
    device = gpus.get()
    try:
        with _at_work(device):
            yield device
    finally:
        gpus.put(device)


@contextmanager
def _at_work(device: _Gpu) -> Iterator[None]:
    """Make a GPU the one at hand; what its driver or compiler refuses is told in a sentence."""
    from numba import cuda

    try:
        with cuda.gpus[device.place]:
            yield
    except Exception as error:
        if not type(error).__module__.startswith(("numba.", "cuda.")):
            raise
        reason = next(filter(None, (line.strip() for line in str(error).splitlines())), "")
        raise InputError(
            f"GPU {device.place} cannot play this: {type(error).__name__}: {reason[:200]}; allowed "
            f"here: device {CPU!r}"
        ) from error


def add_up(
    text: str,
    numbers: Sequence[int],
    shapes: Sequence[tuple[int, ...]],
    columns: Sequence[Any],
    threads: int,
) -> list[Array]:
    """Return what a kernel `add_up` adds to arrays of zeros, on the GPU that is at hand.

    Parameters
    ----------
    text : str
        A module with the kernel, which is given numbers, the arrays and the columns.
    shapes : sequence of tuple of int
        Of the arrays, int64.
    """
    from numba import cuda

    arrays = [cuda.to_device(np.zeros(shape, np.int64)) for shape in shapes]
    size = min(_BLOCK, threads)
    kernel = _module(text).add_up[-(-threads // size), size]
    kernel(*map(np.int64, numbers), *arrays, *columns)
    return [array.copy_to_host() for array in arrays]


# ---- launches


@dataclass(frozen=True)
class Shape:
    """How a kernel is launched.

    Attributes
    ----------
    block : int
        Threads a block.
    blocks : int
    refill : bool
        Whether a thread takes the next match that nobody has; else each has every so many-th.
    """

    block: int
    blocks: int
    refill: bool

    @property
    def threads(self) -> int:
        """Threads in all."""
        return self.block * self.blocks


@dataclass
class Tuning:
    """Finds the fastest launch shape, by trying shapes on matches that must be played anyway.

    First the threads of a block, then how many blocks, then how matches are handed out.
    """

    multiprocessors: int
    tried: dict[Shape, float] = field(default_factory=dict)

    def next(self) -> tuple[Shape, int]:
        """Return the shape for the next launch, and for how many matches at most."""
        for shape in self._candidates():
            if shape not in self.tried:
                return shape, ROUNDS * shape.threads
        best = self.best
        return best, max(ROUNDS * best.threads, int(self.tried[best] * LAUNCH_SECONDS))

    def note(self, shape: Shape, rate: float) -> None:
        """Receive how many matches a second a launch has played."""
        self.tried[shape] = max(rate, self.tried.get(shape, 0.0))

    @property
    def best(self) -> Shape:
        """The quickest shape up to now."""
        return max(self.tried, key=lambda shape: self.tried[shape])

    def _candidates(self) -> list[Shape]:
        def shape(block: int, resident: int, refill: bool) -> Shape:
            return Shape(block, max(1, self.multiprocessors * resident // block), refill)

        shapes = [shape(block, 2048, False) for block in (128, 64, 256)]
        if self.tried.keys() >= set(shapes):
            shapes.append(shape(self.best.block, 1024, False))
            if shapes[-1] in self.tried:
                shapes.append(Shape(self.best.block, self.best.blocks, True))
        return shapes


class _Gpu:
    """A GPU, which plays one block at a time."""

    def __init__(self, place: int) -> None:
        from numba import cuda

        self.place = place
        self.simulated = bool(int(os.environ.get("NUMBA_ENABLE_CUDASIM", "0") or 0))
        self.multiprocessors = 1
        if not self.simulated:
            self.multiprocessors = int(cuda.gpus[place].MULTIPROCESSOR_COUNT)
        self._tunings: dict[_Kernel, Tuning] = {}
        self._kept: tuple[Any, list[Any]] = None, []
        self._states: dict[_Kernel, Any] = {}

    def play(
        self, kernel: _Kernel, cell: Any, rotation: int, first: int, columns: Sequence[Array]
    ) -> None:
        """Play matches from a number on into columns."""
        with _at_work(self):
            rows = self._rows(columns)
            self._launch(kernel, cell, rotation, first, len(columns[0]), rows)
            if not len(columns[0]):
                return
            for held, column in zip(rows, columns, strict=True):
                if column.ndim == 1:
                    held.copy_to_host(column)
                else:
                    for device, host in zip(held, column, strict=True):
                        device.copy_to_host(host)

    def _launch(
        self, kernel: _Kernel, cell: Any, rotation: int, first: int, count: int, rows: list[Any]
    ) -> None:
        """Play matches from a first number on; the columns stay in device memory."""
        from numba import cuda

        tuning = self._tunings.setdefault(kernel, Tuning(self.multiprocessors))
        options = cuda.to_device(kernels.option_row(cell, rotation))
        start = 0
        while True:
            shape, most = tuning.next()
            if self.simulated:
                shape, most = Shape(2, 1, refill=rotation % 2 == 1), 2
            stop = min(count, start + most)
            taken = cuda.to_device(np.array([start + shape.threads], np.int64))
            more = [self._state(kernel, shape.threads)] if kernel.size else []
            numbers = map(np.int64, (cell.seed, first, start, stop, shape.refill))
            began = time.perf_counter()
            kernel.play[shape.blocks, shape.block](*numbers, taken, options, *rows, *more)
            cuda.synchronize()
            if stop - start >= ROUNDS * shape.threads:
                tuning.note(shape, (stop - start) / (time.perf_counter() - began))
            start = stop
            if start >= count:
                return

    def hold(self, cell: Any, first: int, count: int, rotations: int) -> Held:
        """Play matches into columns that stay here.

        Raises
        ------
        NeedsCpuError
            If the CPU must play some of them.
        """
        from numba import cuda

        started = time.perf_counter()
        columns = [
            cuda.device_array((rotations, *column.shape[:-1], count), column.dtype)
            for column in Columns.of(cell, 0)
        ]
        for rotation in range(rotations):
            rows = [column[rotation] for column in columns]
            self._launch(_kernel(cell), cell, rotation, first, count, rows)
        if (columns[2].copy_to_host() == kernels.GIVEN_UP).any():
            raise NeedsCpuError
        return Held(columns, first, count, time.perf_counter() - started, self.simulated)

    def _rows(self, columns: Sequence[Array]) -> list[Any]:
        """Return columns of this kind on the device; those of the last launch if they fit."""
        from numba import cuda

        key = tuple((column.shape, column.dtype) for column in columns)
        if self._kept[0] != key:
            self._kept = None, []  # its memory is free before more is taken
            shapes = [((*shape[:-1], max(1, shape[-1])), dtype) for shape, dtype in key]
            self._kept = key, [cuda.device_array(shape, dtype) for shape, dtype in shapes]
        return self._kept[1]

    def _state(self, kernel: _Kernel, threads: int) -> Any:
        """Return device memory for the states of `threads` threads; reuse it if large enough."""
        from numba import cuda

        room = self._states.get(kernel)
        if room is None or room.size < kernel.size * threads:
            self._states.clear()
            room = self._states[kernel] = cuda.device_array(kernel.size * threads, np.int64)
        return room


# ---- kernels


@dataclass(eq=False)
class _Kernel:
    """What plays matches of a game under its options, at a table of such policies."""

    play: Any
    size: int
    file: str
    lock: threading.Lock = field(default_factory=threading.Lock)
    is_warm: bool = False


_kernels: dict[Any, _Kernel] = {}
_lock = threading.Lock()


def _kernel(cell: Any) -> _Kernel:
    identities = tuple(policy.identity for policy in kernels.policies_of(cell))
    together = len({policy.identity for policy in seat_policies(cell, 0)}) == 1
    options = repr(sorted(cell.options.items()))
    key = (cell.game.name, cell.game.digest, options, identities, together)
    with _lock:
        if key not in _kernels:
            printed = kernels.module_of(cell)
            module = _module(printed.text)
            _kernels[key] = _Kernel(module.play, printed.size, module.__file__ or "")
        return _kernels[key]


@lru_cache
def _module(text: str) -> ModuleType:
    """Return a module of its text; from a file, so that Numba keeps what it compiles beside it."""
    name = f"cuda_{hashlib.blake2b(text.encode(), digest_size=12).hexdigest()}"
    path = cache.FOLDER / f"{name}.py"
    try:
        is_written = path.read_text(encoding="utf-8") == text and cache.is_private()
    except OSError:
        is_written = False
    if is_written or cache.write(path.name, text.encode()):
        return _imported(name, path)
    module = ModuleType(name)
    module.__file__ = ""
    shown = f"<{name}>"
    linecache.cache[shown] = len(text), None, text.splitlines(keepends=True), shown
    exec(compile(text, shown, "exec"), module.__dict__)  # noqa: S102 (written by gpu.kernels)
    return module


def _imported(name: str, path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    compile_file(sys.argv[1], *map(int, sys.argv[2:]))
