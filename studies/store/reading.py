"""Matches of a study directory in chunks of deals, for the estimators."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.design.study import MATCHES, SUMMARY
from studies.seal import SealWarning
from studies.store import documents
from studies.store.cellfile import stored_cells
from studies.store.directory import Scan, scan_cell, stored_detail
from studies.store.parts import Part, damaged, read_part

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_ROWS = 1_000_000


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
            SUMMARY: "sums instead of matches: there are no rows; `cardlab compare` and `cardlab "
            "report` tell what the sums allow, `cardlab.open(…).sums()` gives them",
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
    table = read_part(part, list(pieces))
    for name, arrays in pieces.items():
        arrays.append(_numbers(table[name])[rows])


def _numbers(column: pa.ChunkedArray) -> np.ndarray[Any, Any]:
    """Return a column as an array; Arrow's own way would import pandas for it."""
    import pyarrow as pa

    bits = pa.types.is_boolean(column.type)
    whole = column.cast(pa.uint8()) if bits else column
    found = np.concatenate([np.from_dlpack(chunk) for chunk in whole.chunks])
    return found.view(np.bool_) if bits else found


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
