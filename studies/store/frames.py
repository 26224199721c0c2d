"""A study's matches as frames for people, read when they are wanted."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import polars as pl

from simcore.errors import DataError
from studies.design.cells import StudyCell
from studies.design.study import SUMMARY
from studies.store.cellfile import read_cells
from studies.store.directory import Scan
from studies.store.location import is_local
from studies.store.parts import Part
from studies.store.reading import sound_scans
from studies.store.summary_parts import total_sums

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
