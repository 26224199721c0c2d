"""Read access to a study directory: its study, its cells, their Totals and rows.

Everything is verified against the manifest: documents when the study is opened, all other files
once before the first numbers are computed. A damaged directory therefore gives the same error in
every operation.
"""

from __future__ import annotations

import json
import tomllib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simcore.errors import DataError, InputError
from simcore.game import Game
from strategies import Policies
from studies.design.cells import StudyCell
from studies.design.keys import Goal
from studies.design.study import CELLS, STUDY, Study, check_study
from studies.manifest import NAME, Manifest, damaged, read_manifest, read_named
from studies.measures import BASELINE, Measure
from studies.store.cellfile import decode_cells, join_cells
from studies.store.files import first_line
from studies.store.gamefiles import (
    check_trust,
    code_of,
    games_named,
    read_described,
    refuse_untrusted,
    stand_in_files,
)
from studies.store.parts import FOLDERS, Part, cell_folder, parse_part, parts_named
from studies.store.provenance import PROVENANCE, StopReason, from_record
from studies.store.totals import group_totals, read_totals, totals_name

if TYPE_CHECKING:
    import polars as pl

    from studies.answers.totals import Totals

DOCUMENTS = (CELLS, STUDY, PROVENANCE)
_PATH = "path of the part"
_LOOKS = 3

MOST_KEPT = 1 << 31
"""Bytes of computed sums kept in memory, enough for a study with many small cells."""


def open_study(directory: Path, *, trust: bool = False, policies: Policies | None = None) -> Stored:
    """Open a study directory.

    Parameters
    ----------
    trust : bool
        Whether Python files that it names or carries may be run.
    policies : Policies, optional
        Those that its cells name; default: those of the session.
    """
    for look in range(_LOOKS):
        manifest = read_manifest(directory)
        if manifest is None:
            raise InputError(
                f"{directory} is no study directory: it has no {NAME}; allowed: a directory "
                "written by `cardlab run`"
            )
        try:
            return Stored(directory, manifest, trust=trust, policies=policies)
        except DataError:
            # A run may have replaced files since the manifest was read.
            if look + 1 == _LOOKS or read_manifest(directory) == manifest:
                raise
    raise AssertionError


def prepare_files(directory: Path, why: str, *, trust: bool) -> None:
    """Make ready to run the users' files of a directory, or refuse.

    Files at the paths that the study names are the user's. Files in the directory itself, which
    replace missing ones, are run only if the directory is trusted.

    Parameters
    ----------
    why : str
        The operation that needs them, as in "replaying matches".
    """
    manifest = read_manifest(directory)
    if manifest is None or PROVENANCE not in manifest.files:
        return
    record = decode_json(_document(manifest, directory, PROVENANCE), directory / PROVENANCE)
    if trust:
        stand_in_files(manifest, directory, record)
        return
    study = parse_study(_document(manifest, directory, STUDY), directory / STUDY)
    check_trust(record, study, directory, f"{why} needs Python files that {directory} carries")


class Stored:
    """The content of a study directory.

    Attributes
    ----------
    directory : Path
    study : Study
        As of the last run.
    cells : list of StudyCell
    parts : dict of str to list of Part
        By cell id, in the order of their match numbers.
    goal : Goal or None
        The goal of the last run.
    stops : dict of str to Stop
        Why each cell stopped, by id; empty if the last run was killed.
    """

    def __init__(
        self,
        directory: Path,
        manifest: Manifest,
        *,
        trust: bool = False,
        policies: Policies | None = None,
    ) -> None:
        self.directory, self.manifest, self.trust = directory, manifest, trust
        contents = {name: _document(manifest, directory, name) for name in DOCUMENTS}
        record = decode_json(contents[PROVENANCE], directory / PROVENANCE)
        self.described = read_described(record, directory)
        if trust:
            stand_in_files(manifest, directory, record)
        else:
            self._refuse_undescribed(contents[STUDY], record)
        games = self.described.games
        cells = decode_cells(contents[CELLS], directory / CELLS, games)
        self.cells: list[StudyCell] = [replace(cell, policies=policies) for cell in cells]
        self.study: Study = decode_study(contents[STUDY], directory / STUDY, games)
        for cell in self.cells:
            if cell.game.split("+")[0] != self.study.game.split("+")[0]:
                why = f"it names the game {self.study.game}, its cells {cell.game}"
                raise damaged(directory / STUDY, why)
        self.goal: Goal | None = self.study.goal
        self.stops: dict[str, StopReason] = {}
        if stops := record.get("stops"):
            try:
                self.goal, self.stops = from_record(stops)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise damaged(directory / PROVENANCE, first_line(error)) from None
        self.parts: dict[str, list[Part]] = parts_named(manifest, directory)
        self._bases = {cell.group: cell for cell in self.cells if cell.variant == BASELINE}
        self._groups: dict[tuple[str, str], list[StudyCell]] = defaultdict(list)
        for cell in self.cells:
            self._groups[cell.group].append(cell)
        self._computed: dict[object, dict[str, Totals]] = {}
        self._kept_bytes = 0
        self._is_verified = False

    def _refuse_undescribed(self, study: bytes, record: Mapping[str, Any]) -> None:
        """Refuse a study whose description is missing: an older version wrote it."""
        if b".py" not in study:
            return
        document = parse_study(study, self.directory / STUDY)
        games = [game for game in games_named(document) if game not in self.described.games]
        measures = isinstance(document.get("measures"), str) and self.described.measures is None
        if games or measures:
            raise refuse_untrusted(
                f"{self.directory} was written by an earlier version, which did not store what its "
                f"{'game' if games else 'file of measures'} counts: reading it runs that file",
                list(code_of(record, document, self.directory).values()),
            )

    @cached_property
    def measures(self) -> tuple[Measure, ...]:
        """The study's own measures; those of a file are not run unless it is trusted."""
        if isinstance(self.study.measures, str) and not self.trust:
            return self.described.measures or ()
        return self.study.study_measures

    def base(self, cell: StudyCell) -> StudyCell:
        """Return a cell's baseline: unchanged rules at the same line-up and sweep point."""
        return self._bases[cell.group]

    def deals(self, cell: StudyCell) -> int:
        """Return the number of stored deals of a cell."""
        return sum(part.count for part in self.parts.get(cell.id, ()))

    def matches(self, cell: StudyCell) -> int:
        """Return the number of stored matches of a cell."""
        return self.deals(cell) * cell.rotations

    def verify(self) -> None:
        """Compare every byte of every file in the manifest with its digest."""
        for name, why in self.manifest.faults(self.directory):
            raise damaged(self.directory / name, why)
        self._is_verified = True

    def verify_once(self) -> None:
        """Do so unless it has been done."""
        if not self._is_verified:
            self.verify()

    @property
    def notes(self) -> list[str]:
        """Notes about files that look like parts but are not in the manifest."""
        strays = sum(len(stray_parts(self.directory, cell, self.manifest)) for cell in self.cells)
        note = (
            f"{strays:,} parts in {self.directory} are not in its {NAME} and do not count, as a "
            "killed run leaves them; running the study again takes in those that are sound"
        )
        return [note] if strays else []

    def totals(self, cell: StudyCell, measures: Sequence[Measure] = ()) -> Totals | None:
        """Return the sums of a cell's measures by group of deals; None if nothing was played."""
        self.verify_once()
        if measures and not self.study.rows:
            raise DataError(
                f"measure {measures[0].name!r} is refused: {self.directory} keeps sums alone (rows "
                "= false), from which no other measure can be told; allowed: [measures] in the "
                "study before it is run"
            )
        every, base = (*self.measures, *measures), self.base(cell)
        name = totals_name(cell, base, self.parts, every)
        if name in self.manifest.files:
            return read_totals(Part(0, 0, self.directory / name, self.manifest.files[name]))
        key = (cell.group, every)
        if key not in self._computed:
            group = group_totals(base, self._groups[cell.group], self.parts, every)
            self._kept_bytes += sum(totals.bytes for totals in group.values())
            if self._kept_bytes > MOST_KEPT:
                self._computed.clear()
                self._kept_bytes = 0
            self._computed[key] = group
        return self._computed[key].get(cell.id)

    def rows(self, cell: StudyCell | None = None) -> pl.LazyFrame:
        """Return the matches of a cell, or those of all cells with the columns of their cells.

        Returns
        -------
        polars.LazyFrame
            One row per match; for all cells: `cell`, the match columns, and the cell's columns. An
            option whose name is also that of a metric (`rounds` of Up) gets the ending `_option`.
            Columns that a cell does not have (`score_4` at four players) are null. Within a cell
            the rows are in the order of (match, rotation).
        """
        import polars as pl

        if not self.study.rows:
            raise DataError(
                f"{self.directory} keeps sums instead of matches (rows = false): there are no "
                "rows; `cardlab compare` and `cardlab report` tell what the sums tell"
            )
        self.verify_once()
        cells = [cell] if cell else self.cells
        played = [cell for cell in cells if self.parts.get(cell.id)]
        if not played:
            raise DataError(f"{self.directory} holds no matches yet; `cardlab run` plays them")
        # With thousands of cells, combining one frame per cell would take minutes.
        alike: dict[tuple[int, str], list[StudyCell]] = defaultdict(list)
        for member in played:
            alike[member.players, member.game].append(member)  # other rules may add columns
        frames = [_scan_together(members, self.parts) for members in alike.values()]
        rows = pl.concat(frames, how="diagonal")
        return rows.drop("cell") if cell else join_cells(rows, self.cells)


def _document(manifest: Manifest, directory: Path, name: str) -> bytes:
    if name not in manifest.files:
        raise damaged(directory / NAME, f"it does not name {name}")
    content, why = read_named(manifest, directory, name)
    if why:
        raise damaged(directory / name, f"{why}, or it was changed by hand")
    return content


def decode_study(content: bytes, path: Path, described: Mapping[str, Game] | None = None) -> Study:
    """Return the study in a `study.toml` of a directory; raise DataError."""
    try:
        return check_study(parse_study(content, path), stored=True, described=described)
    except ValueError as error:
        raise damaged(path, first_line(error)) from None


def parse_study(content: bytes, path: Path) -> dict[str, Any]:
    """Return the document in a `study.toml` of a directory; raise DataError."""
    try:
        document = tomllib.loads(content.decode())
    except (ValueError, RecursionError) as error:
        raise damaged(path, first_line(error)) from None
    if document.get("coupling") == "stock":
        del document["coupling"]  # as older versions wrote what is the only way now
    return document


def decode_json(content: bytes, path: Path) -> dict[str, Any]:
    """Return the JSON object in a file of a directory; raise DataError."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise damaged(path, first_line(error)) from None
    if not isinstance(document, dict):
        raise damaged(path, "it is no JSON object")
    return document


def stray_parts(directory: Path, cell: StudyCell, manifest: Manifest) -> list[Part]:
    """Return files with the name of a part of a cell that are not in the manifest."""
    parts = []
    for rows in FOLDERS:
        folder = cell_folder(directory, cell.id, rows=rows)
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            part = parse_part(path)
            name = f"{FOLDERS[rows]}/{folder.name}/{path.name}"
            if part is not None and path.is_file() and name not in manifest.files:
                parts.append(part)
    return parts


def _scan_together(cells: Sequence[StudyCell], parts: Mapping[str, Sequence[Part]]) -> pl.LazyFrame:
    """Return the rows of cells with the same columns, read lazily."""
    import polars as pl

    owners = [(str(part.path), cell.id) for cell in cells for part in parts[cell.id]]
    owner = pl.LazyFrame(owners, schema=[_PATH, "cell"], orient="row")
    rows = pl.scan_parquet([path for path, _ in owners], include_file_paths=_PATH)
    joined = rows.join(owner, on=_PATH, how="left", maintain_order="left")
    return joined.select("cell", pl.all().exclude("cell", _PATH))
