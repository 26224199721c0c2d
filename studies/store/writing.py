"""Write access to a study directory: locked, repaired, extended.

Layout: `manifest.json`, `cells.parquet`, `study.toml`, `provenance.json`,
`matches/cell=<id>/<first>-<count>.parquet` (`sums/…` in a study that keeps sums),
`totals/cell=<id>-….parquet`, `.lock`. Parts are immutable (`studies.store.parts`); the three
documents are replaced atomically, with both versions listed in the manifest meanwhile, so
that a kill at any moment leaves a directory that can be read and continued. Damaged files are
moved to `damaged/`, never deleted.

A part is written first and listed in the manifest afterwards, at the latest when the run ends. The
next run adopts sound parts that a killed run had written but not listed.
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from bisect import insort
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.catalogue import get_game
from simcore.errors import DataError, InputError
from simcore.files import read_regular
from studies.design.cells import StudyCell
from studies.design.document import shorten
from studies.design.study import CELLS, STUDY, Study
from studies.manifest import NAME, Entry, Manifest, read_manifest, read_named
from studies.store.cellfile import encode_cells
from studies.store.files import TEMPORARY, cannot_write, locked, write_aside
from studies.store.gamefiles import FILES, describe, kept_files, read_described, user_files
from studies.store.gamefiles import FOLDER as RULES
from studies.store.opened import decode_json, decode_study, open_study, stray_parts
from studies.store.parts import (
    FOLDERS,
    Encoded,
    Part,
    cell_folder,
    disagreement,
    part_name,
    parts_named,
)
from studies.store.provenance import PROVENANCE
from studies.store.totals import FOLDER as TOTALS
from studies.store.totals import encode_totals

if TYPE_CHECKING:
    from studies.answers.totals import Totals

DAMAGED = "damaged"
_REPORTS = ("report", "report.html", "report.md")
_OURS = (NAME, CELLS, STUDY, PROVENANCE, DAMAGED, RULES, TOTALS, *FOLDERS.values(), *_REPORTS)
_COMPARED = (
    "game",
    "seed",
    "options",
    "sweep",
    "variants",
    "factors",
    "lineups",
    "population",
    "rows",
    "measures",  # reported last, because they may change if matches are stored
)
_SHARE_OF_TIME = 0.05
"""The largest share of a run's time for writing the manifest, which sets how often it is done."""

Notice = Callable[[str], None]


class Writer:
    """A study directory locked for this process.

    Attributes
    ----------
    parts : dict of str to list of Part
        Sound parts by cell id, in order.
    mended : bool
        Whether anything was lost, damaged or adopted since the last run.
    """

    def __init__(
        self, directory: Path, study: Study, cells: Sequence[StudyCell], notice: Notice
    ) -> None:
        self.directory, self.study, self.cells = directory, study, list(cells)
        self._notice = notice
        self._lock = threading.Lock()
        self._saved_at, self._took, self._unsaved = 0.0, 0.0, False
        self.mended = False
        try:
            self.manifest = read_manifest(directory) or Manifest()
        except DataError as error:
            self._tell_aside(str(error), directory / NAME)
            self.manifest = Manifest()
        self._remove_leftovers()
        self._drop_what_is_damaged()
        self._keep_one_entry()
        named = parts_named(self.manifest, directory)
        self.parts = {cell.id: named.get(cell.id, []) for cell in cells}
        for cell in cells:
            self._take_in(cell)
        self._report_foreign()
        if self.mended:
            self.save()

    # ---- mending

    def _remove_leftovers(self) -> None:
        patterns = [f".*{TEMPORARY}", f"{TOTALS}/.*{TEMPORARY}"]
        patterns += [f"{folder}/cell=*/.*{TEMPORARY}" for folder in FOLDERS.values()]
        for pattern in patterns:
            for path in self.directory.glob(pattern):
                with contextlib.suppress(OSError):  # leftovers only cost space
                    path.unlink(missing_ok=True)

    def _drop_what_is_damaged(self) -> None:
        for name, why in list(self.manifest.faults(self.directory)):
            del self.manifest.files[name]
            self.mended = True
            path = self.directory / name
            part = next(iter(parts_named(Manifest({name: ()}), self.directory).values()), [None])[0]
            if part is None:
                self._tell_aside(f"{path} is damaged: {why}", path)
                continue
            aside = f" set aside as {self._set_aside(path)}," if path.exists() else ""
            self._notice(
                f"part {path} is damaged ({why});{aside} its {part.count:,} match numbers are "
                "played again"
            )

    def _keep_one_entry(self) -> None:
        """Keep one manifest entry for files whose replacement was interrupted."""
        for name, entries in self.manifest.files.items():
            if len(entries) > 1:
                self.manifest.files[name] = (Entry.of(self._content(name) or b""),)
                self.mended = True

    def _take_in(self, cell: StudyCell) -> None:
        """Adopt parts of a cell that a killed run had written but not listed in the manifest."""
        for part in stray_parts(self.directory, cell, self.manifest):
            if part.has_rows != self.study.rows:
                continue
            why = disagreement(part, cell)
            if why is None and any(
                other.first < part.stop and part.first < other.stop for other in self.parts[cell.id]
            ):
                self._notice(
                    f"ignored: {part.path} holds matches that another part holds, too; rows would "
                    "count twice"
                )
            elif why is None:
                self._name(cell, part.first, part.count, read_regular(part.path))
                self.mended = True
            else:
                self._notice(
                    f"part {part.path} is damaged ({why}); set aside as "
                    f"{self._set_aside(part.path)}, its {part.count:,} match numbers are played "
                    "again"
                )

    def _report_foreign(self) -> None:
        for cell in self.cells:
            folder = cell_folder(self.directory, cell.id, rows=self.study.rows)
            parts = {part.path.name for part in self.parts[cell.id]}
            foreign = [
                str(path)
                for path in (sorted(folder.iterdir()) if folder.is_dir() else [])
                if path.name not in parts and path.suffix != TEMPORARY
            ]
            if foreign:
                self._notice(f"ignored unknown files: {', '.join(foreign[:3])}")

    def _tell_aside(self, why: str, path: Path) -> None:
        aside = f"; set aside as {self._set_aside(path)}" if path.exists() else ""
        self._notice(f"{why.partition('. ')[0]}{aside}, and written anew")
        self.mended = True

    def _set_aside(self, path: Path) -> Path:
        below = path.relative_to(self.directory).parts[-2:]
        aside = (self.directory / DAMAGED).joinpath(*below)
        while aside.exists():
            aside = aside.with_name(aside.name + ".again")
        try:
            aside.parent.mkdir(parents=True, exist_ok=True)
            path.rename(aside)
        except OSError as error:
            raise cannot_write(aside, error) from None
        return aside

    # ---- documents

    def describe(self, run: Mapping[str, object]) -> None:
        """Write the study's documents, before anything is played.

        A study that is run with fewer matches than before keeps the larger number in `study.toml`.
        How cells ended is added by `record_stops`.
        """
        import tomli_w

        study, game = self.study, get_game(self.study.game)
        before = self._study_before()
        document = {**study.document, "seed": study.seed, "matches": study.matches}
        if before is not None:
            document["matches"] = max(study.matches, before.matches)
        names, kept = kept_files(user_files(study, self.cells))
        runs = self._provenance().get("runs")
        record = {
            "title": study.title,
            "game": study.game,
            "assumptions": game.assumed({cell.players for cell in self.cells}),
            **({FILES: names} if names else {}),
            **describe(study, self.cells),
            **run,
            "runs": [*(runs if isinstance(runs, list) else []), run],
        }
        self._replace(
            {
                CELLS: encode_cells(self.cells),
                STUDY: tomli_w.dumps(document).encode(),
                PROVENANCE: _json(record),
                **kept,
            }
        )

    @property
    def is_described(self) -> bool:
        """Whether all documents exist."""
        return {CELLS, STUDY, PROVENANCE} <= set(self.manifest.files)

    def keep_questions(self) -> None:
        """Update the questions in `study.toml`; they may change after everything is played."""
        import tomli_w

        before = self._study_before()
        if before is None or not asks_otherwise(before, self.study):
            return
        document = {key: value for key, value in before.document.items() if key not in _QUESTIONS}
        document |= {
            key: self.study.document[key] for key in _QUESTIONS & self.study.document.keys()
        }
        self._replace({STUDY: tomli_w.dumps(document).encode()})

    def record_stops(self, stops: Mapping[str, Any]) -> None:
        """Record in `provenance.json` how the cells ended, unless it is recorded already."""
        record = self._provenance()
        if record and record.get("stops") != json.loads(_json(stops)):
            self._replace({PROVENANCE: _json({**record, "stops": stops})})

    def _study_before(self) -> Study | None:
        content = self._content(STUDY)
        if content is None:
            return None
        described = read_described(self._provenance(), self.directory)
        return decode_study(content, self.directory / STUDY, described.games)

    def _provenance(self) -> dict[str, Any]:
        content = self._content(PROVENANCE)
        return {} if content is None else decode_json(content, self.directory / PROVENANCE)

    def _content(self, name: str) -> bytes | None:
        if name not in self.manifest.files:
            return None
        return read_named(self.manifest, self.directory, name)[0]

    def _replace(self, contents: Mapping[str, bytes]) -> None:
        """Replace existing files; see the module's docstring."""
        files = self.manifest.files
        changed = {
            name: content
            for name, content in contents.items()
            if files.get(name) != (Entry.of(content),)
        }
        if not changed:
            return
        # Both versions are listed first, so that a kill in between leaves a valid directory.
        for name, content in changed.items():
            files[name] = (*files.get(name, ()), Entry.of(content))
        self.save()
        for name, content in changed.items():
            write_aside(self.directory / name, content, replace=True)
            files[name] = (Entry.of(content),)
        self.save()

    # ---- what is played

    def keep(self, encoded: Encoded) -> None:
        """Write a part; threads may call it at the same time."""
        folder = cell_folder(self.directory, encoded.cell.id, rows=self.study.rows)
        write_aside(folder / part_name(encoded.first, encoded.count), encoded.content)
        with self._lock:
            self._name(encoded.cell, encoded.first, encoded.count, encoded.content)

    def _name(self, cell: StudyCell, first: int, count: int, content: bytes | memoryview) -> None:
        name = f"{FOLDERS[self.study.rows]}/cell={cell.id}/{part_name(first, count)}"
        self.manifest.files[name] = (Entry.of(content),)
        part = Part(first, count, self.directory / name, self.manifest.files[name])
        insort(self.parts[cell.id], part)
        self._unsaved = True

    def keep_totals(self, name: str, totals: Totals, cell: StudyCell) -> None:
        """Write a cell's Totals under a name of `studies.store.totals.totals_name`."""
        content = encode_totals(totals, {"cell": cell.id})
        write_aside(self.directory / name, content, replace=True)
        with self._lock:
            self.manifest.files[name] = (Entry.of(content),)
            self._unsaved = True

    def drop_totals(self, kept: set[str]) -> None:
        """Drop stored Totals, except those to keep, and remove their files."""
        old = [name for name in self.manifest.files if name.startswith(TOTALS) and name not in kept]
        # Unlisted before they are removed: a listed file that is missing counts as damage.
        for name in old:
            del self.manifest.files[name]
        if old:
            self.save()
        for name in old:
            with contextlib.suppress(OSError):
                (self.directory / name).unlink(missing_ok=True)

    def save(self) -> None:
        """Write the manifest."""
        started = time.monotonic()
        with self._lock:
            content, self._unsaved = self.manifest.encode(), False
        write_aside(self.directory / NAME, content, replace=True)
        self._saved_at = time.monotonic()
        self._took = self._saved_at - started

    def save_now_and_then(self) -> None:
        """Write the manifest if there are new parts, unless it takes too much of the time."""
        if self._unsaved and time.monotonic() - self._saved_at >= self._took / _SHARE_OF_TIME:
            self.save()

    def close(self) -> None:
        """Write the manifest if it lacks any parts."""
        if self._unsaved:
            self.save()


_QUESTIONS = {"compare", "measures"}
"""Keys of a study that do not affect matches."""


def asks_otherwise(before: Study, study: Study) -> bool:
    """Return whether a study asks new questions about the same matches."""
    return any(before.document.get(key) != study.document.get(key) for key in _QUESTIONS)


@contextmanager
def writing(
    directory: Path, study: Study, cells: Sequence[StudyCell], notice: Notice = lambda _: None
) -> Iterator[Writer]:
    """Lock a study directory for one run, and update the manifest at the end."""
    check_directory(directory, study, cells)
    with locked(directory):
        check_directory(directory, study, cells)  # another run may have begun it
        writer = Writer(directory, study, cells, notice)
        try:
            yield writer
        finally:
            writer.close()


# ---- whose directory it is


def check_directory(directory: Path, study: Study, cells: Sequence[StudyCell]) -> bool:
    """Return whether the directory already holds this study; False if it is new or empty.

    If its documents are damaged or missing, the part folders decide: their names identify their
    content.
    """
    if not directory.exists():
        return False
    if not directory.is_dir():
        raise InputError(f"{directory} is a file; allowed: a directory, new or of this study")
    try:
        stored = open_study(directory)
    except InputError:
        stored = None
    if stored is not None:
        stored_cells = {(cell.id, cell.variant, cell.lineup) for cell in stored.cells}
        same = stored_cells == {(cell.id, cell.variant, cell.lineup) for cell in cells}
        kept = stored.study.rows == study.rows and (
            study.rows or stored.study.measures == study.measures
        )
        if kept and (same or _is_extended(stored_cells, study, cells)):
            return True
        raise _another_study(directory, study, stored.study)
    names = [path.name for path in directory.iterdir() if not path.name.startswith(".")]
    folders = {
        name: {path.name.removeprefix("cell=") for path in (directory / name).glob("cell=*")}
        for name in FOLDERS.values()
    }
    played = folders.pop(FOLDERS[study.rows])
    if not any(folders.values()) and played <= {cell.id for cell in cells}:
        others = [name for name in names if name not in _OURS]
        if played or not others:
            return bool(names)
    else:
        others = names
    raise DataError(
        f"{directory} holds other things ({', '.join(sorted(others)[:3])}"
        f"{', …' if len(others) > 3 else ''}) and no study that can be read; nothing was written. "
        "Give a new or empty directory with --out"
    )


def _is_extended(
    stored: set[tuple[str, str, str]], study: Study, cells: Sequence[StudyCell]
) -> bool:
    """Return whether a study contains all cells of a directory and draws more tables."""
    names = study.population.names if study.population else []
    added = {(cell.id, cell.variant, cell.lineup) for cell in cells} - stored
    before = {lineup for _, _, lineup in stored}
    old = len(stored) == len(cells) - len(added)
    return old and all(lineup in names and lineup not in before for _, _, lineup in added)


def _another_study(directory: Path, study: Study, stored: Study) -> DataError:
    difference = ""
    defaults: dict[str, Any] = {"seed": 1, "rows": True}
    for key in _COMPARED:
        old = stored.document.get(key, defaults.get(key, {}))
        new = study.document.get(key, defaults.get(key, {}))
        if old != new:
            difference = f": {key} = {shorten(_written(old))} there, {shorten(_written(new))} here"
            break
    return DataError(
        f"{directory} holds another study{difference}. Results of two studies cannot be put "
        "together; nothing was written. Give another directory with --out"
    )


def _written(value: object) -> object:
    return str(value).lower() if isinstance(value, bool) else value


def _json(document: Mapping[str, Any]) -> bytes:
    return json.dumps(document, indent=1, ensure_ascii=False, default=str).encode()
