"""`cells.parquet`: what each cell of a study directory is, for readers and for continuing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from simcore.errors import DataError, InputError
from simcore.game import STOCK, get_game
from simcore.options import show
from studies.cells import StudyCell
from studies.location import opened
from studies.parts import first_line, write_aside

CELLS = "cells.parquet"


def write_cells(directory: Path, cells: Sequence[StudyCell]) -> None:
    """Write `cells.parquet`: one row a cell.

    Columns: `cell`, `game`, `variant`, `lineup`, every option, `seat_0`…, `rotations`, `seed`,
    `coupling`, and as JSON `point` (the sweep's values) and `options`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns: dict[str, list[object]] = {
        "cell": [cell.id for cell in cells],
        "game": [cell.game for cell in cells],
        "variant": [cell.variant for cell in cells],
        "lineup": [cell.lineup for cell in cells],
    }
    for name in get_game(cells[0].game).option_names:
        values = [cell.options[name] for cell in cells]
        lists = any(isinstance(value, list) for value in values)
        columns[name] = [show(value) for value in values] if lists else list(values)
    for seat in range(max(cell.players for cell in cells)):
        columns[f"seat_{seat}"] = [
            cell.seats[seat] if seat < cell.players else None for cell in cells
        ]
    columns["rotations"] = [cell.rotations for cell in cells]
    columns["seed"] = [cell.seed for cell in cells]
    columns["coupling"] = [cell.coupling for cell in cells]
    columns["point"] = [json.dumps(cell.point) for cell in cells]
    columns["options"] = [json.dumps(cell.options) for cell in cells]
    arrays = {
        name: pa.array(values, pa.int64())
        if all(value is None for value in values)
        else pa.array(values)
        for name, values in columns.items()
    }
    stream = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays), stream, compression="zstd")
    write_aside(directory / CELLS, memoryview(stream.getvalue()))


def read_cells(directory: Path) -> list[dict[str, Any]]:
    """Return the rows of `cells.parquet`.

    Raises
    ------
    InputError
        If the directory is no study directory, or the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = directory / CELLS
    if not path.is_file():
        raise InputError(
            f"{directory} is no study directory: it has no {CELLS}; allowed: a directory written "
            "by `cardlab run`"
        )
    try:
        with opened(path) as file:
            rows: list[dict[str, Any]] = pq.ParquetFile(file).read().to_pylist()
        _check_names(rows)
    except (OSError, pa.ArrowException, KeyError, ValueError) as error:
        raise DataError(
            f"{path} is damaged ({first_line(error)}). Move it away; "
            f"running the study again writes it anew"
        ) from None
    return rows


def _check_names(rows: list[dict[str, Any]]) -> None:
    """Refuse names that would change how a terminal shows the rest; `run` never writes such."""
    for row in rows:
        if not f"{row['cell']}{row['variant']}{row['lineup']}".isprintable():
            raise ValueError("a name holds control characters")


def stored_cells(directory: Path) -> list[StudyCell]:
    """Return the cells of a study directory, as they were played.

    Raises
    ------
    InputError
        As `read_cells`.
    """
    rows = read_cells(directory)
    try:
        return [
            StudyCell(
                id=row["cell"],
                game=row["game"],
                variant=row["variant"],
                lineup=row["lineup"],
                point=json.loads(row["point"]),
                options=json.loads(row["options"]),
                seats=tuple(
                    row[name]
                    for name in sorted(row, key=lambda name: (len(name), name))
                    if name.startswith("seat_") and row[name] is not None
                ),
                rotations=row["rotations"],
                seed=row["seed"],
                coupling=row.get("coupling", STOCK),
            )
            for row in rows
        ]
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(
            f"{directory / CELLS} was not written by this version of cardlab: {error!r}"
        ) from None
