"""Play blocks on other machines: on an existing Dask cluster, or one started here.

`dask.distributed` (extra `cluster`) sends tasks to workers and retries when a worker dies. A worker
plays and encodes a block and sends the bytes back; only this process writes, holding the
directory's lock. Workers therefore need no shared disk, a block that is played twice because its
worker was lost is written once, and the files are those of a local run.

Each task carries the sources of users' policies and the files named in options. It does not carry
cardlab's own sources; a worker with different ones is refused.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from simcore.catalogue import get_game
from simcore.errors import InputError
from simcore.options import FileOption, read_text
from simcore.userfiles.loading import UserFile, loaded_file
from simcore.userfiles.rule_overrides import files_of, parts_of
from strategies import Policies, load_strategies, session
from studies.design.cells import StudyCell
from studies.run.executors import Done, Keep, LostError, Take, Task, compute
from studies.version import VERSION

LOCAL = "local"
CONNECT_SECONDS = 10
_TASKS_A_THREAD = 2
_RETRIES_OF_LOST_WORKERS = 10
_LOST = (OSError, TimeoutError, asyncio.CancelledError, concurrent.futures.CancelledError)
"""Errors of calls when the scheduler is gone; errors of storing a part are `InputError`s."""


Files = tuple[tuple[str, bytes], ...]
"""(Name, content) of a file, then of the modules in its folder that it imports."""


@dataclass(frozen=True)
class Payload:
    """Files sent with every task.

    Attributes
    ----------
    strategies : tuple of Files
        Each file of user's policies.
    files : tuple of (str, Files)
        Path, as in options and games, with the files there.
    """

    strategies: tuple[Files, ...] = ()
    files: tuple[tuple[str, Files], ...] = ()


def pack(cells: Sequence[StudyCell], strategy_files: Sequence[Path]) -> Payload:
    """Return the local files that the cells need."""
    files: dict[str, Files] = {
        path: ((Path(path).name, read_text(path).encode()),)
        for cell in cells
        for path in _files(cell).values()
    }
    for game in dict.fromkeys(cell.game for cell in cells):
        files |= {path: _files_of(file) for path, file in files_of(get_game(game)).items()}
    return Payload(
        tuple(_files_of(loaded_file(path)) for path in strategy_files), tuple(files.items())
    )


def _files_of(file: UserFile) -> Files:
    return ((file.path.name, file.content), *file.imports.items())


def _files(cell: StudyCell) -> dict[str, str]:
    return {
        option.name: str(cell.options[option.name])
        for option in get_game(cell.game).options
        if isinstance(option, FileOption) and cell.options[option.name] not in option.values
    }


def play_abroad(task: Task, payload: Payload) -> Done:
    """Play a block on a worker, and return the parts as bytes."""
    worker = describe_worker()
    if worker["source"] != task.source:
        raise InputError(
            f"a worker ({worker['place']}) has other sources of cardlab: {worker['version']}, hash "
            f"{worker['source']}; wanted: {VERSION}, hash {task.source}"
        )
    policies = _policies(payload.strategies)
    files = dict(payload.files)

    def stand_in(cell: StudyCell) -> StudyCell:
        cell = replace(cell, policies=policies)
        for path in (part for part in parts_of(cell.game) if part.endswith(".py")):
            cell = replace(cell, game=cell.game.replace(path, _unpacked(files[path])))
        paths = _files(cell)
        if not paths:
            return cell
        contents = {name: _unpacked(files[path]) for name, path in paths.items()}
        return replace(cell, options={**cell.options, **contents})

    block = compute(task, stand_in)
    return replace(
        block, parts=tuple(replace(part, content=bytes(part.content)) for part in block.parts)
    )


@cache
def describe_worker() -> dict[str, str]:
    """Return a description of this worker, for comparison with the client."""
    import socket

    from simcore.jit import source_hash

    return {
        "source": source_hash(),
        "version": VERSION,
        "python": sys.version.split()[0],
        "place": f"process {os.getpid()} on {socket.gethostname()}",
    }


@cache
def _folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="cardlab-worker-"))


@cache
def _unpacked(files: Files) -> str:
    digest = blake2b(digest_size=8)
    for name, content in files:
        digest.update(blake2b(name.encode()).digest() + blake2b(content).digest())
    folder = _folder() / digest.hexdigest()
    folder.mkdir(exist_ok=True)
    for name, content in files:
        aside = folder / f".{os.getpid()}.tmp"
        aside.write_bytes(content)
        aside.replace(folder / name)
    return str(folder / files[0][0])


_loading = threading.Lock()


def _policies(strategies: tuple[Files, ...]) -> Policies:
    """Return the user's policies; those of the files used last are cached."""
    with _loading:
        return _loaded(strategies)


@lru_cache(maxsize=1)
def _loaded(strategies: tuple[Files, ...]) -> Policies:
    policies = session()
    for files in strategies:
        policies = load_strategies(_unpacked(files), policies)
    return policies


class DaskExecutor:
    """Plays on the workers of a Dask cluster."""

    def __init__(self, client: Any, payload: Payload) -> None:
        self._client, self._payload = client, payload
        self._address = client.scheduler.address
        self.workers = self._threads()
        self._under_way: dict[Any, Task] = {}
        self._keep: Keep | None = None

    def _threads(self) -> int:
        return max(1, int(sum(self._client.nthreads().values())))

    def run(self, take: Take, keep: Keep) -> Iterator[Done]:
        """Play tasks and yield their results in the order of completion."""
        self._keep = keep
        try:
            yield from self._run(take, keep)
        except _LOST as error:
            why = type(error).__name__
            raise LostError(f"the Dask scheduler {self._address} was lost ({why})") from None

    def _run(self, take: Take, keep: Keep) -> Iterator[Done]:
        from distributed import as_completed

        ended = as_completed(loop=self._client.loop)
        while True:
            while len(self._under_way) < _TASKS_A_THREAD * self._threads():
                task = take()
                if task is None:
                    break
                future = self._client.submit(play_abroad, task, self._payload, pure=False)
                self._under_way[future] = task
                ended.add(future)
            if not self._under_way:
                return
            yield self._kept(next(ended), keep)

    def finish(self) -> Iterator[Done]:
        """Start nothing more; yield finished results and abandon the rest."""
        for future in list(self._under_way):
            if self._keep and future.status == "finished":
                with contextlib.suppress(Exception):
                    yield self._kept(future, self._keep)
            else:
                self._under_way.pop(future, None)
                with contextlib.suppress(*_LOST):
                    future.cancel()

    def _kept(self, future: Any, keep: Keep) -> Done:
        task = self._under_way.pop(future)
        try:
            block: Done = future.result()
        except _LOST:
            raise
        except Exception as error:
            raise _said(error) from error
        for part in block.parts:
            keep(part)
        return Done(task, block.seconds)


def _said(error: Exception) -> Exception:
    """Return an error of the cluster as an InputError."""
    if isinstance(error, InputError):
        return error
    if type(error).__name__ == "KilledWorker":
        return InputError(
            f"a block was given up because {_RETRIES_OF_LOST_WORKERS} workers that played it were "
            f"lost: {error}. Perhaps they have too little memory; a smaller block (--set block=N) "
            "takes less. What was finished is kept"
        )
    return error


@contextlib.contextmanager
def connected(
    address: str,
    cells: Sequence[StudyCell],
    strategy_files: Sequence[Path],
    threads: int,
) -> Iterator[DaskExecutor]:
    """Yield an executor on the cluster at an address, or on a local one ("local")."""
    try:
        import distributed
    except ImportError:
        raise InputError(
            f"--scheduler {address!r} is refused: dask.distributed is not installed; "
            "pip install 'cardlab[cluster]', or leave --scheduler out to run on this machine"
        ) from None
    import dask

    settings = {
        "distributed.scheduler.allowed-failures": _RETRIES_OF_LOST_WORKERS,
        "distributed.comm.timeouts.connect": f"{CONNECT_SECONDS}s",
    }
    with contextlib.ExitStack() as stack:
        stack.enter_context(dask.config.set(settings))
        stack.enter_context(_quiet())
        if address == LOCAL:
            cluster = distributed.LocalCluster(
                n_workers=threads,
                threads_per_worker=1,
                processes=True,
                dashboard_address="127.0.0.1:0",
                silence_logs="CRITICAL",
            )
            stack.enter_context(cluster)
            client = distributed.Client(cluster, set_as_default=False)
        else:
            client = _connect(distributed, address)
        stack.enter_context(client)
        check_workers(client, address)
        yield DaskExecutor(client, pack(cells, strategy_files))


def _connect(distributed: Any, address: str) -> Any:
    allowed = 'allowed: the address of a running Dask scheduler, as in tcp://host:8786, or "local"'
    try:
        distributed.comm.resolve_address(address)
        return distributed.Client(address, timeout=f"{CONNECT_SECONDS}s", set_as_default=False)
    except (OSError, TimeoutError):
        raise InputError(
            f"--scheduler {address!r} is refused: no scheduler answers there within "
            f"{CONNECT_SECONDS} s; {allowed}"
        ) from None
    except (ValueError, TypeError) as error:
        raise InputError(f"--scheduler {address!r} is refused: {error}; {allowed}") from None


def check_workers(client: Any, address: str) -> None:
    """Refuse a cluster without workers, or with workers that have other sources."""
    with contextlib.suppress(TimeoutError):
        client.wait_for_workers(1, timeout=CONNECT_SECONDS)
    if not client.nthreads():
        raise InputError(
            f"--scheduler {address!r} is refused: no worker is there after {CONNECT_SECONDS} s; "
            "start one with: dask worker ADDRESS"
        )
    try:
        workers = client.run(describe_worker)
    except ImportError as error:
        raise InputError(
            f"--scheduler {address!r} is refused: a worker has no cardlab ({error}); install "
            f"version {VERSION} beside every worker"
        ) from None
    here = describe_worker()
    for worker, described in workers.items():
        if described["source"] != here["source"]:
            raise InputError(
                f"--scheduler {address!r} is refused: worker {worker} has other sources of cardlab "
                f"({described['version']}, hash {described['source']}; here {here['version']}, "
                f"hash {here['source']}); rows of different sources may differ. Install the same "
                "version beside every worker"
            )


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Hide the cluster's log messages about lost workers."""
    import logging

    families = ("distributed", "tornado", "asyncio")
    known = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in families]
    loggers = [logging.getLogger(name) for name in {*families, *known}]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)
