"""A study's matches as frames: lazily for people, in chunks of deals for the estimators."""

from __future__ import annotations

import io
import warnings
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.design.study import MATCHES, SUMMARY
from studies.seal import SealWarning
from studies.store import documents
from studies.store.cellfile import read_cells, stored_cells
from studies.store.directory import Scan, scan_cell, stored_detail
from studies.store.location import is_local
from studies.store.parts import Part, damaged, first_line, sound_bytes
from studies.store.summary_parts import total_sums

CHUNK_ROWS = 1_000_000

_PATH = "path of the part"


def load_matches(directory: Path) -> pl.LazyFrame:
    """Return all matches of a study directory, joined with their cells' columns; see `load`."""
    # polars reads parts later and verifies nothing, so all of them are verified now.
    scans = sound_scans(directory, whole=True)
    played = [(cell, scan) for cell, scan in scans if scan.parts]
    if not played:
        raise DataError(f"{directory} holds no matches yet; `cardlab run` plays them")
    if is_local(directory):
        # A frame for each cell would take minutes to put together where there are thousands.
        tables: dict[int, list[tuple[StudyCell, Scan]]] = defaultdict(list)
        for cell, scan in played:
            tables[cell.players].append((cell, scan))
        frames = [_scan_together(cells) for cells in tables.values()]
    else:
        frames = [_scan_remote(cell, scan.parts) for cell, scan in played]
    return _described(directory, pl.concat(frames, how="diagonal"))


def load_sums(directory: Path) -> pl.LazyFrame:
    """Return the sums of a study directory that keeps them, added up over blocks; see `load_sums`.

    Raises
    ------
    DataError
        If it keeps matches.
    """
    rows = [
        {"cell": cell.id, "name": name, "value": Decimal(value)}
        for cell, scan in sound_scans(directory, SUMMARY)
        for name, value in total_sums(scan.parts).values.items()
    ]
    schema: dict[str, Any] = {"cell": pl.String, "name": pl.String, "value": pl.Decimal(38, 0)}
    return _described(directory, pl.LazyFrame(rows, schema=schema))


def _scan_together(cells: Sequence[tuple[StudyCell, Scan]]) -> pl.LazyFrame:
    """Return the rows of cells with the same columns, read when they are wanted."""
    owners = [(str(part.path), cell.id) for cell, scan in cells for part in scan.parts]
    owner = pl.LazyFrame(owners, schema=[_PATH, "cell"], orient="row")
    rows = pl.scan_parquet([path for path, _ in owners], include_file_paths=_PATH)
    joined = rows.join(owner, on=_PATH, how="left", maintain_order="left")
    return joined.select("cell", pl.all().exclude("cell", _PATH))


def _scan_remote(cell: StudyCell, parts: Sequence[Part]) -> pl.LazyFrame:
    """Return the rows of a cell that lies on another file system, read when they are wanted."""
    import pyarrow.dataset as ds

    remote: Any = parts[0].path
    data = ds.dataset([part.path.path for part in parts], filesystem=remote.fs)  # type: ignore[attr-defined]
    return pl.scan_pyarrow_dataset(data).select(pl.lit(cell.id).alias("cell"), pl.all())


def _described(directory: Path, matches: pl.LazyFrame) -> pl.LazyFrame:
    """Return rows that have a column `cell`, joined with what the cells are."""
    described = pl.DataFrame(read_cells(directory), infer_schema_length=None).drop("options")
    names = set(matches.collect_schema().names()) - {"cell"}
    described = described.rename(
        {name: f"{name}_option" for name in described.columns if name in names}
    )
    return matches.join(described.lazy(), on="cell", how="left", maintain_order="left")


def sound_scans(
    directory: Path, detail: str = MATCHES, *, whole: bool = False
) -> list[tuple[StudyCell, Scan]]:
    """Return every cell with its parts.

    Parameters
    ----------
    detail : str
        What the parts shall hold.
    whole : bool
        Whether all of each part is verified now, because the reader will not do it.

    Raises
    ------
    DataError
        If the directory keeps something else, or a part or a file beside them is damaged.
    """
    cells = stored_cells(directory)
    there = stored_detail(directory)
    if there != detail:
        words = {
            MATCHES: "matches, no sums; `cardlab.open(…).rows()` gives them",
            SUMMARY: "sums instead of matches: there are no rows; `cardlab compare` tells what the "
            "sums allow, `cardlab.open(…).sums()` gives them",
        }
        raise DataError(f'{directory} (detail = "{there}") keeps {words[there]}')
    documents.read_provenance(directory)
    found = [(cell, scan_cell(directory, cell, detail, whole=whole)) for cell in cells]
    for _, scan in found:
        for part, why in scan.faults:
            raise damaged(part.path, why)
    _tell_unsealed(directory, [scan for _, scan in found])
    return found


def _tell_unsealed(directory: Path, scans: Sequence[Scan]) -> None:
    unsealed = sum(scan.unsealed for scan in scans)
    if unsealed:
        parts = sum(len(scan.parts) for scan in scans)
        warnings.warn(
            f"{unsealed:,} of {parts:,} parts in {directory} carry no seal, as older ones: the "
            "checksums of their pages are verified, but not their headers and footers",
            SealWarning,
            stacklevel=3,
        )


@dataclass(frozen=True)
class Deals:
    """Matches of a cell in deals.

    Attributes
    ----------
    columns : dict of str to array, each of shape (deals, rotations)
        Match columns.
    """

    columns: dict[str, np.ndarray[Any, Any]]

    @property
    def count(self) -> int:
        """Number of deals."""
        return int(self.columns["match"].shape[0])


def chunks(scans: Sequence[Scan], rows_a_deal: int) -> Iterator[tuple[int, int]]:
    """Yield ranges [start, stop) of match numbers that all of some cells have, of modest size."""
    edges = [_ranges(scan.parts) for scan in scans]
    size = max(1, CHUNK_ROWS // rows_a_deal)
    for start, stop in _common(edges):
        for first in range(start, stop, size):
            yield first, min(first + size, stop)


def read_deals(cell: StudyCell, scan: Scan, start: int, stop: int, names: Sequence[str]) -> Deals:
    """Return match numbers [start, stop) of a cell, which must be there, in order.

    Raises
    ------
    DataError
        If a part cannot be read or its rows are not in the order of (match, rotation).
    """
    pieces: dict[str, list[np.ndarray[Any, Any]]] = {name: [] for name in ("match", *names)}
    for part in scan.parts:
        low, high = max(start, part.first), min(stop, part.stop)
        if low < high:
            rows = slice((low - part.first) * cell.rotations, (high - part.first) * cell.rotations)
            _append(pieces, part, rows)
    columns = {
        name: np.concatenate(arrays).reshape(-1, cell.rotations) for name, arrays in pieces.items()
    }
    expected = np.arange(start, stop)[:, None]
    if columns["match"].shape[0] != stop - start or (columns["match"] != expected).any():
        raise DataError(
            f"the rows of cell {cell.id} ({cell.label}) are not in the order of their match "
            "numbers; `cardlab check` names the part"
        )
    return Deals(columns)


def _append(pieces: dict[str, list[np.ndarray[Any, Any]]], part: Part, rows: slice) -> None:
    content = io.BytesIO(sound_bytes(part))
    try:
        frame = pl.read_parquet(content, columns=list(pieces), n_rows=rows.stop)
    except pl.exceptions.ColumnNotFoundError as error:
        raise DataError(
            f"{part.path} lacks a column: {first_line(error)}. It was played by another version of "
            "cardlab; run the study again into another directory (--out)"
        ) from None
    except (OSError, pl.exceptions.PolarsError) as error:
        raise damaged(part.path, first_line(error)) from None
    for name, arrays in pieces.items():
        arrays.append(frame[name].to_numpy()[rows])


def _ranges(parts: Sequence[Part]) -> list[tuple[int, int]]:
    """Return the ranges of match numbers in parts that are in order, joined where they touch."""
    joined: list[tuple[int, int]] = []
    for part in parts:
        if joined and joined[-1][1] == part.first:
            joined[-1] = (joined[-1][0], part.stop)
        else:
            joined.append((part.first, part.stop))
    return joined


def _common(edges: Sequence[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the intersection of lists of ranges."""
    common = edges[0]
    for ranges in edges[1:]:
        common = [
            (max(a, c), min(b, d)) for a, b in common for c, d in ranges if max(a, c) < min(b, d)
        ]
    return common
