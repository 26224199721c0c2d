"""The study directory: what is in it, what is missing, who may write.

Layout: `cells.parquet`, `matches/cell=<id>/<first>-<count>.parquet` (`sums/…` in a study that keeps
sums), `study.toml`, `provenance.json`, `.lock`. Parts are immutable (`studies.parts`); nothing is
written over except `study.toml` and `provenance.json`, which are replaced in one step when a study
is run again. What is damaged is set aside under `damaged/`, never deleted.
"""

from __future__ import annotations

import itertools
import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.errors import DataError, InputError
from simcore.game import STOCK, get_game
from studies.cellfile import CELLS, read_cells, write_cells
from studies.cells import StudyCell
from studies.location import is_local, move
from studies.overrides import shorten
from studies.parts import TEMPORARY, Part, cannot_write, fault, parse_part, write_aside
from studies.study import MATCHES, SUMMARY, Study

FOLDERS = {MATCHES: "matches", SUMMARY: "sums"}
STUDY = "study.toml"
PROVENANCE = "provenance.json"
_COMPARED = ("game", "seed", "options", "sweep", "variants", "lineups", "detail", "coupling")

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


def cell_folder(directory: Path, cell_id: str, detail: str = MATCHES) -> Path:
    """Return the folder of a cell's parts."""
    return directory / FOLDERS[detail] / f"cell={cell_id}"


def stored_detail(directory: Path) -> str:
    """Return whether a study directory holds matches or sums."""
    try:
        told = tomllib.loads((directory / STUDY).read_text("utf-8")).get("detail", MATCHES)
    except (OSError, ValueError):
        told = SUMMARY if (directory / FOLDERS[SUMMARY]).is_dir() else MATCHES
    return told if told in FOLDERS else MATCHES


def scan_cell(directory: Path, cell: StudyCell, detail: str = MATCHES) -> Scan:
    """Look what is there of a cell; only ends and footers of files are read.

    Raises
    ------
    DataError
        If two parts hold the same matches.
    """
    whole: list[Part] = []
    faults: list[tuple[Part, str]] = []
    foreign: list[Path] = []
    folder = cell_folder(directory, cell.id, detail)
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
    whole.sort()
    for before, after in itertools.pairwise(whole):
        if before.stop > after.first:
            raise DataError(
                f"parts {before.path} and {after.path.name} both hold match {after.first}: rows "
                "would count twice. This happens when files of two directories are put together. "
                "Move one of the two away and run the study again"
            )
    return Scan(tuple(whole), tuple(faults), tuple(foreign))


def check_directory(directory: Path, study: Study, cells: Sequence[StudyCell]) -> bool:
    """Return whether the directory holds this study already; False when it is new or empty.

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
        there = {(row["cell"], row["variant"], row["lineup"]) for row in read_cells(directory)}
        same = there == {(cell.id, cell.variant, cell.lineup) for cell in cells}
        if same and stored_detail(directory) == study.detail:
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
    defaults: dict[str, Any] = {"seed": 1, "detail": MATCHES, "coupling": STOCK}
    here = {**study.document, "coupling": study.coupling_used}
    for key in _COMPARED:
        old = there.get(key, defaults.get(key, {}))
        new = here.get(key, defaults.get(key, {}))
        if old != new:
            return f": {key} = {shorten(old)} there, {shorten(new)} here"
    return ""


def prepare(
    directory: Path, study: Study, cells: Sequence[StudyCell], run: dict[str, object]
) -> None:
    """Write what describes the study; call it with the lock held, after `check_directory`.

    A study that is run with fewer matches than before keeps the larger number in `study.toml`.
    How cells ended is added by `record_stops`.
    """
    import tomli_w

    if not (directory / CELLS).exists():
        write_cells(directory, cells)
    document = {**study.document, "seed": study.seed}
    if len(get_game(study.game).couplings) > 1:
        document["coupling"] = study.coupling_used
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
        "coupling": study.coupling_used,
        "assumptions": get_game(study.game).assumed({cell.players for cell in cells}),
        **run,
        "runs": [*runs, run],
    }
    content = json.dumps(record, indent=1, ensure_ascii=False, default=str)
    write_aside(directory / PROVENANCE, content.encode(), replace=True)


def keep_compare(directory: Path, study: Study) -> None:
    """Keep in `study.toml` what `compare` is to examine, which may change when all is played."""
    import tomli_w

    path = directory / STUDY
    try:
        document = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return
    if document.get("compare") != study.document.get("compare"):
        document.pop("compare", None)
        if study.compare:
            document["compare"] = study.document["compare"]
        write_aside(path, tomli_w.dumps(document).encode(), replace=True)


def record_stops(directory: Path, stops: Mapping[str, Any]) -> None:
    """Write into `provenance.json` how the cells ended; nothing is written where it is there."""
    path = directory / PROVENANCE
    try:
        record = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return
    if record.get("stops") != stops:
        content = json.dumps({**record, "stops": stops}, indent=1, ensure_ascii=False)
        write_aside(path, content.encode(), replace=True)


def clear_away(directory: Path, scans: Iterable[Scan], notice: Notice) -> None:
    """Set damaged parts aside and remove temporary files of killed runs; needs the lock."""
    for folder in FOLDERS.values():
        for path in (directory / folder).glob(f"cell=*/.*{TEMPORARY}"):
            path.unlink(missing_ok=True)
    for scan in scans:
        for part, why in scan.faults:
            aside = directory / "damaged" / part.path.parent.name / part.path.name
            while aside.exists():
                aside = aside.with_name(aside.name + ".again")
            try:
                aside.parent.mkdir(parents=True, exist_ok=True)
                move(part.path, aside)
            except OSError as error:
                raise cannot_write(aside, error) from None
            notice(
                f"part {part.path} is damaged ({why}); set aside as {aside}, its "
                f"{part.count:,} match numbers are played again"
            )
        if scan.foreign:
            names = ", ".join(str(path) for path in scan.foreign[:3])
            notice(f"ignored, no part of this study: {names}")
