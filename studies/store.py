"""The study directory: what is in it, what is missing, who may write.

Layout: `cells.parquet`, `matches/cell=<id>/<first>-<count>.parquet`, `study.toml`,
`provenance.json`, `.lock`. Parts are immutable (`studies.parts`); nothing is written over except
`study.toml` and `provenance.json`, which are replaced in one step when a study is extended. What
is damaged is set aside under `damaged/`, never deleted.
"""

from __future__ import annotations

import itertools
import json
import os
import socket
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.errors import DataError, InputError
from simcore.game import get_game
from studies.cellfile import CELLS, read_cells, write_cells
from studies.cells import StudyCell
from studies.overrides import shorten
from studies.parts import (
    TEMPORARY,
    Part,
    cannot_write,
    fault,
    parse_part,
    write_aside,
)
from studies.study import Study

STUDY = "study.toml"
PROVENANCE = "provenance.json"
LOCK = ".lock"
_COMPARED = ("game", "seed", "options", "sweep", "variants", "lineups")

Notice = Callable[[str], None]


@dataclass(frozen=True)
class Scan:
    """What a directory holds of a cell: whole parts in order, and damaged ones with the reason."""

    parts: tuple[Part, ...]
    faults: tuple[tuple[Part, str], ...] = ()
    foreign: tuple[Path, ...] = ()

    def present(self, wanted: int) -> int:
        """Return how many of the match numbers below `wanted` are there."""
        return sum(max(0, min(part.stop, wanted) - part.first) for part in self.parts)

    def missing(self, wanted: int) -> list[tuple[int, int]]:
        """Return the ranges [start, stop) of match numbers below `wanted` that are not there."""
        ranges, next_first = [], 0
        for part in self.parts:
            if part.first > next_first:
                ranges.append((next_first, min(part.first, wanted)))
            next_first = part.stop
        ranges.append((next_first, wanted))
        return [(start, stop) for start, stop in ranges if start < stop]


def cell_folder(directory: Path, cell_id: str) -> Path:
    """Return the folder of a cell's parts."""
    return directory / "matches" / f"cell={cell_id}"


def scan_cell(directory: Path, cell: StudyCell) -> Scan:
    """Look what is there of a cell; only ends and footers of files are read.

    Raises
    ------
    DataError
        If two parts hold the same matches.
    """
    whole: list[Part] = []
    faults: list[tuple[Part, str]] = []
    foreign: list[Path] = []
    folder = cell_folder(directory, cell.id)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        part = parse_part(path)
        if path.name.endswith(TEMPORARY):
            continue
        if part is None or not path.is_file():
            foreign.append(path)
            continue
        why = fault(part, cell)
        if why is None:
            whole.append(part)
        else:
            faults.append((part, why))
    for before, after in itertools.pairwise(whole):
        if before.stop > after.first:
            raise DataError(
                f"parts {before.path} and {after.path.name} both hold match {after.first}: rows "
                "would count twice. This happens when files of two directories are put together. "
                "Move one of the two away and run the study again"
            )
    return Scan(tuple(whole), tuple(faults), tuple(foreign))


@contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Hold the directory for one run; the system frees it when the process ends, however it ends.

    Raises
    ------
    InputError
        If another run holds it, or it cannot be written.
    """
    path = directory / LOCK
    try:
        directory.mkdir(parents=True, exist_ok=True)
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise cannot_write(directory, error) from None
    try:
        if not _try_lock(handle):
            holder = os.read(handle, 200).decode(errors="replace").strip()
            raise InputError(
                f"another run is writing to {directory}"
                + (f" ({holder})" if holder else "")
                + "; wait for it to end, or give another directory with --out"
            )
        os.ftruncate(handle, 0)
        os.pwrite(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        yield
    finally:
        os.close(handle)


def _try_lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:  # not on Windows
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def check_directory(directory: Path, study: Study, cells: Sequence[StudyCell]) -> bool:
    """Return whether the directory holds this study already; False when it is new or empty.

    Raises
    ------
    DataError
        If it holds another study, or other things.
    """
    if not directory.exists():
        return False
    if not directory.is_dir():
        raise InputError(f"{directory} is a file; allowed: a directory, new or of this study")
    if (directory / CELLS).exists():
        there = {(row["cell"], row["variant"], row["lineup"]) for row in read_cells(directory)}
        if there == {(cell.id, cell.variant, cell.lineup) for cell in cells}:
            return True
        raise DataError(
            f"{directory} holds another study{_difference(directory, study)}. Results of two "
            "studies cannot be put together; nothing was written. Give another directory with "
            "--out"
        )
    others = [path.name for path in directory.iterdir() if not path.name.startswith(".")]
    if others:
        raise DataError(
            f"{directory} holds other things ({', '.join(sorted(others)[:3])}"
            f"{', …' if len(others) > 3 else ''}) and no study; nothing was written. Give a new "
            "or empty directory with --out"
        )
    return False


def _difference(directory: Path, study: Study) -> str:
    """Say in what the study of a directory differs, where its study.toml tells."""
    try:
        there = tomllib.loads((directory / STUDY).read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    defaults: dict[str, Any] = {"seed": 1}
    for key in _COMPARED:
        old = there.get(key, defaults.get(key, {}))
        new = study.document.get(key, defaults.get(key, {}))
        if old != new:
            return f": {key} = {shorten(old)} there, {shorten(new)} here"
    return ""


def prepare(
    directory: Path, study: Study, cells: Sequence[StudyCell], run: dict[str, object]
) -> None:
    """Write what describes the study; call it with the lock held, after `check_directory`.

    A study that is run with fewer matches than before keeps the larger number in `study.toml`.
    """
    import tomli_w

    if not (directory / CELLS).exists():
        write_cells(directory, cells)
    document = {**study.document, "seed": study.seed}
    try:
        before = tomllib.loads((directory / STUDY).read_text("utf-8"))
        runs = json.loads((directory / PROVENANCE).read_text("utf-8"))["runs"]
    except (OSError, ValueError, KeyError, TypeError):
        before, runs = {}, []
    if isinstance(before.get("matches"), int):
        document["matches"] = max(study.matches, before["matches"])
    write_aside(directory / STUDY, tomli_w.dumps(document).encode(), replace=True)
    record = {
        "title": study.title,
        "game": study.game,
        "assumptions": list(get_game(study.game).assumptions),
        **run,
        "runs": [*runs, run],
    }
    content = json.dumps(record, indent=1, ensure_ascii=False, default=str)
    write_aside(directory / PROVENANCE, content.encode(), replace=True)


def clear_away(directory: Path, scans: Iterable[Scan], notice: Notice) -> None:
    """Set damaged parts aside and remove temporary files of killed runs; needs the lock."""
    for path in (directory / "matches").glob(f"cell=*/.*{TEMPORARY}"):
        path.unlink(missing_ok=True)
    for scan in scans:
        for part, why in scan.faults:
            aside = directory / "damaged" / part.path.parent.name / part.path.name
            while aside.exists():
                aside = aside.with_name(aside.name + ".again")
            try:
                aside.parent.mkdir(parents=True, exist_ok=True)
                part.path.rename(aside)
            except OSError as error:
                raise cannot_write(aside, error) from None
            notice(
                f"part {part.path} is damaged ({why}); set aside as {aside}, its "
                f"{part.count:,} match numbers are played again"
            )
        if scan.foreign:
            names = ", ".join(str(path) for path in scan.foreign[:3])
            notice(f"ignored, no part of this study: {names}")
