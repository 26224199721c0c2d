"""The study directory: what is in it, what is missing, who may write.

Layout: `cells.parquet`, `matches/cell=<id>/<first>-<count>.parquet` (`sums/…` in a study that keeps
sums), `study.toml`, `provenance.json`, `.lock`; under `sensitivity/` again `matches/…`, and
`rankings.json`. Parts are immutable (`studies.store.parts`);
nothing is written over except `study.toml` and `provenance.json`, which are replaced in one step
when a study is run again, and `cells.parquet` when a population draws more tables. What is damaged
is set aside under `damaged/`, never deleted.
"""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.errors import DataError, InputError
from simcore.game import STOCK, get_game
from studies.design.cells import StudyCell
from studies.design.overrides import shorten
from studies.design.study import CELLS, MATCHES, STUDY, SUMMARY, Study
from studies.store import documents
from studies.store.cellfile import read_cells, write_cells
from studies.store.documents import PROVENANCE
from studies.store.location import is_local, move
from studies.store.parts import TEMPORARY, Part, cannot_write, fault, parse_part

FOLDERS = {MATCHES: "matches", SUMMARY: "sums"}
DAMAGED = "damaged"
SENSITIVITY = "sensitivity"
"""Folder of the points of a sensitivity design, and what they told."""

_OURS = (
    CELLS,
    STUDY,
    PROVENANCE,
    DAMAGED,
    SENSITIVITY,
    *FOLDERS.values(),
    "report",
    "report.html",
    "report.md",
)
_COMPARED = (
    "game",
    "seed",
    "options",
    "sweep",
    "variants",
    "factors",
    "lineups",
    "population",
    "detail",
    "coupling",
)

Notice = Callable[[str], None]


@dataclass(frozen=True)
class Scan:
    """What a directory holds of a cell: sound parts in order, and damaged ones with the reason.

    Attributes
    ----------
    unsealed : int
        How many of the sound parts carry no seal (`studies.seal`).
    """

    parts: tuple[Part, ...]
    faults: tuple[tuple[Part, str], ...] = ()
    foreign: tuple[Path, ...] = ()
    unsealed: int = 0

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


def cell_folder(directory: Path, cell_id: str, detail: str = MATCHES) -> Path:
    """Return the folder of a cell's parts."""
    return directory / FOLDERS[detail] / f"cell={cell_id}"


def stored_detail(directory: Path) -> str:
    """Return whether a study directory holds matches or sums.

    Raises
    ------
    DataError
        If its `study.toml` is damaged.
    """
    study = documents.read_study(directory)
    if study is not None:
        return study.detail
    return SUMMARY if (directory / FOLDERS[SUMMARY]).is_dir() else MATCHES


def scan_cell(
    directory: Path, cell: StudyCell, detail: str = MATCHES, *, whole: bool = False
) -> Scan:
    """Look what is there of a cell.

    Parameters
    ----------
    whole : bool
        Whether to verify all of each part; otherwise only ends and footers are read, and who reads
        rows verifies them.

    Raises
    ------
    DataError
        If two parts hold the same matches.
    """
    sound: list[Part] = []
    faults: list[tuple[Part, str]] = []
    foreign: list[Path] = []
    unsealed = 0
    folder = cell_folder(directory, cell.id, detail)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        part = parse_part(path)
        if path.name.endswith(TEMPORARY):
            continue
        if part is None or not path.is_file():
            foreign.append(path)
            continue
        looked = fault(part, cell, detail, whole=whole)
        if looked.why is None:
            sound.append(part)
            unsealed += not looked.sealed
        else:
            faults.append((part, looked.why))
    sound.sort()
    for before, after in itertools.pairwise(sound):
        if before.stop > after.first:
            raise DataError(
                f"parts {before.path} and {after.path.name} both hold match {after.first}: rows "
                "would count twice. This happens when files of two directories are put together. "
                "Move one of the two away and run the study again"
            )
    return Scan(tuple(sound), tuple(faults), tuple(foreign), unsealed)


def check_directory(directory: Path, study: Study, cells: Sequence[StudyCell]) -> bool:
    """Return whether the directory holds this study already; False when it is new or empty.

    Where `cells.parquet` is damaged or missing, the folders of the parts tell: they are named by
    what is in them.

    Raises
    ------
    DataError
        If it holds another study, or other things.
    """
    if not directory.exists():
        return False
    if is_local(directory) and not directory.is_dir():
        raise InputError(f"{directory} is a file; allowed: a directory, new or of this study")
    if (directory / CELLS).exists():
        try:
            there = {(row["cell"], row["variant"], row["lineup"]) for row in read_cells(directory)}
        except DataError:
            if _holds_parts_of(directory, cells):
                return True
            raise
        same = there == {(cell.id, cell.variant, cell.lineup) for cell in cells}
        if (same or _is_extended(there, study, cells)) and _same_detail(directory, study):
            return True
        raise DataError(
            f"{directory} holds another study{_difference(directory, study)}. Results of two "
            "studies cannot be put together; nothing was written. Give another directory with "
            "--out"
        )
    others = [
        path.name
        for path in directory.iterdir()
        if not path.name.startswith(".") and path.name != SENSITIVITY
    ]
    if others and not _holds_parts_of(directory, cells):
        raise DataError(
            f"{directory} holds other things ({', '.join(sorted(others)[:3])}"
            f"{', …' if len(others) > 3 else ''}) and no study; nothing was written. Give a new "
            "or empty directory with --out"
        )
    return bool(others)


def _is_extended(
    there: set[tuple[str, str, str]], study: Study, cells: Sequence[StudyCell]
) -> bool:
    """Return whether all cells of a directory are the study's, which draws more tables beside."""
    names = study.population.names if study.population else []
    added = {(cell.id, cell.variant, cell.lineup) for cell in cells} - there
    before = {lineup for _, _, lineup in there}
    old = len(there) == len(cells) - len(added)
    return old and all(lineup in names and lineup not in before for _, _, lineup in added)


def _holds_parts_of(directory: Path, cells: Sequence[StudyCell]) -> bool:
    """Return whether there are parts, of these cells only, and nothing that is not ours."""
    names = {path.name for path in directory.iterdir() if not path.name.startswith(".")}
    folders = [path for name in FOLDERS.values() for path in (directory / name).glob("cell=*")]
    ids = {path.name.removeprefix("cell=") for path in folders}
    return names <= set(_OURS) and bool(ids) and ids <= {cell.id for cell in cells}


def _same_detail(directory: Path, study: Study) -> bool:
    try:
        return stored_detail(directory) == study.detail
    except DataError:
        return not (directory / FOLDERS[SUMMARY if study.detail == MATCHES else MATCHES]).is_dir()


def _difference(directory: Path, study: Study) -> str:
    """Say in what the study of a directory differs, where its study.toml tells."""
    try:
        stored = documents.read_study(directory)
    except DataError:
        stored = None
    if stored is None:
        return ""
    defaults: dict[str, Any] = {"seed": 1, "detail": MATCHES, "coupling": STOCK}
    here = {**study.document, "coupling": study.coupling_used}
    for key in _COMPARED:
        old = stored.document.get(key, defaults.get(key, {}))
        new = here.get(key, defaults.get(key, {}))
        if old != new:
            return f": {key} = {shorten(old)} there, {shorten(new)} here"
    return ""


def prepare(
    directory: Path, study: Study, cells: Sequence[StudyCell], run: dict[str, object]
) -> None:
    """Write what describes the study; call it with the lock held, after `clear_away`.

    A study that is run with fewer matches than before keeps the larger number in `study.toml`.
    How cells ended is added by `record_stops`. All three files are sealed before a sealed part is
    written.
    """
    unsealed = {path.name for path in documents.unsealed(directory)}
    if CELLS in unsealed or len(read_cells(directory)) != len(cells):
        write_cells(directory, cells)
    document = {**study.document, "seed": study.seed}
    if len(get_game(study.game).couplings) > 1:
        document["coupling"] = study.coupling_used
    before = documents.read_study(directory)
    if before is not None:
        document["matches"] = max(study.matches, before.matches)
    documents.write_study(directory, document)
    record = {
        "title": study.title,
        "game": study.game,
        "coupling": study.coupling_used,
        "assumptions": get_game(study.game).assumed({cell.players for cell in cells}),
        **run,
        "runs": [*documents.read_provenance(directory).runs, run],
    }
    documents.write_provenance(directory, record)


def missing(directory: Path) -> bool:
    """Return whether one of the files beside the matches is not there."""
    return not all((directory / name).exists() for name in (CELLS, STUDY, PROVENANCE))


def keep_compare(directory: Path, study: Study) -> None:
    """Keep in `study.toml` what `compare` is to examine, which may change when all is played."""
    before = documents.read_study(directory)
    if before is None or before.document.get("compare") == study.document.get("compare"):
        return
    document = dict(before.document)
    document.pop("compare", None)
    if study.compare:
        document["compare"] = study.document["compare"]
    documents.write_study(directory, document)


def record_stops(directory: Path, stops: Mapping[str, Any]) -> None:
    """Write into `provenance.json` how the cells ended; nothing is written where it is there."""
    record = documents.provenance_document(directory)
    if record and record.get("stops") != stops:
        documents.write_provenance(directory, {**record, "stops": stops})


def clear_away(directory: Path, scans: Iterable[Scan], notice: Notice) -> None:
    """Set aside what is damaged and remove temporary files of killed runs; needs the lock."""
    leftovers = [
        *directory.glob(f".*{TEMPORARY}"),
        *(
            path
            for folder in FOLDERS.values()
            for path in (directory / folder).glob(f"cell=*/.*{TEMPORARY}")
        ),
    ]
    for path in leftovers:
        with contextlib.suppress(OSError):  # they cost room, nothing else
            path.unlink(missing_ok=True)
    for path, why in _faults_beside(directory):
        aside = _set_aside(path, directory / DAMAGED / path.name)
        notice(f"{why.partition('. ')[0]}; set aside as {aside}, and written anew")
    for scan in scans:
        for part, why in scan.faults:
            target = directory / DAMAGED / part.path.parent.name / part.path.name
            aside = _set_aside(part.path, target)
            notice(
                f"part {part.path} is damaged ({why}); set aside as {aside}, its "
                f"{part.count:,} match numbers are played again"
            )
        if scan.foreign:
            names = ", ".join(str(path) for path in scan.foreign[:3])
            notice(f"ignored, no part of this study: {names}")


def _faults_beside(directory: Path) -> list[tuple[Path, str]]:
    found = documents.faults(directory)
    if (directory / CELLS).exists():
        try:
            read_cells(directory)
        except InputError as error:
            found.append((directory / CELLS, str(error)))
    return found


def _set_aside(path: Path, aside: Path) -> Path:
    while aside.exists():
        aside = aside.with_name(aside.name + ".again")
    try:
        aside.parent.mkdir(parents=True, exist_ok=True)
        move(path, aside)
    except OSError as error:
        raise cannot_write(aside, error) from None
    return aside
