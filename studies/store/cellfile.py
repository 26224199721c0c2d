"""`cells.parquet`: the cells of a study directory, for readers and for continuing a run."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import DataError
from simcore.game import Game
from simcore.options import show
from studies.design.cells import StudyCell, option_names
from studies.manifest import damaged
from studies.measures import BASELINE, game_of
from studies.store.files import first_line
from studies.store.parts import STRANGE, frame_of

if TYPE_CHECKING:
    import polars as pl


def cell_frame(cells: Sequence[StudyCell]) -> pl.DataFrame:
    """Return one row per cell.

    `cell`, `game`, `variant`, `lineup`, every option, `seat_0`…, `rotations`, `seed`,
    and as JSON `point` (the sweep's values).
    """
    import polars as pl

    columns: dict[str, list[object]] = {
        "cell": [cell.id for cell in cells],
        "game": [cell.game for cell in cells],
        "variant": [cell.variant for cell in cells],
        "lineup": [cell.lineup for cell in cells],
    }
    for name in option_names(cells):
        values = [cell.options.get(name) for cell in cells]
        lists = any(isinstance(value, list) for value in values)
        columns[name] = [show(value) for value in values] if lists else list(values)
    for seat in range(max(cell.players for cell in cells)):
        columns[f"seat_{seat}"] = [
            cell.seats[seat] if seat < cell.players else None for cell in cells
        ]
    columns["rotations"] = [cell.rotations for cell in cells]
    columns["seed"] = [cell.seed for cell in cells]
    columns["point"] = [json.dumps(cell.point) for cell in cells]
    return pl.DataFrame(
        [
            pl.Series(name, values, pl.Int64 if set(values) == {None} else None, strict=False)
            for name, values in columns.items()
        ]
    )


def encode_cells(cells: Sequence[StudyCell]) -> bytes:
    """Return `cells.parquet`: `cell_frame`, and all options as JSON."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    options = pl.Series("options", [json.dumps(cell.options) for cell in cells])
    # Arrow imports pandas to look at a list, and has two kinds of text.
    arrays = {
        column.name: column.to_arrow().cast(pa.string())
        if column.dtype == pl.String
        else column.to_arrow()
        for column in cell_frame(cells).with_columns(options)
    }
    stream = pa.BufferOutputStream()
    pq.write_table(pa.table(arrays), stream, compression="zstd")
    return bytes(memoryview(stream.getvalue()))


def join_cells(matches: pl.LazyFrame, cells: Sequence[StudyCell]) -> pl.LazyFrame:
    """Return matches, which have a column `cell`, with the columns of their cells.

    An option that is named like a metric gets the ending `_option`.
    """
    taken = set(matches.collect_schema().names()) - {"cell"}
    columns = cell_frame(cells)
    columns = columns.rename({name: f"{name}_option" for name in columns.columns if name in taken})
    return matches.join(columns.lazy(), on="cell", how="left", maintain_order="left")


def decode_cells(
    content: bytes, path: Path, described: Mapping[str, Game] | None = None
) -> list[StudyCell]:
    """Return the cells of a study directory, as they were played.

    Parameters
    ----------
    described : mapping of str to Game, optional
        The games of users' files, as the directory describes them.
    """
    frame = frame_of(content, path)
    try:
        if "coupling" in frame.columns and "seat" in frame["coupling"]:
            raise DataError(
                f'{path} has cells of a study with coupling = "seat", which this version cannot '
                "play; play the study again, in another directory"
            )
        cells = [
            StudyCell(
                id=row["cell"],
                game=row["game"],
                variant=row["variant"],
                lineup=row["lineup"],
                point=json.loads(row["point"]),
                options=json.loads(row["options"]),
                seats=tuple(
                    row[name] for name in row if name.startswith("seat_") and row[name] is not None
                ),
                rotations=row["rotations"],
                seed=row["seed"],
                described=(described or {}).get(row["game"]),
            )
            for row in frame.to_dicts()
        ]
        _check(cells)
    except (AttributeError, RecursionError, *STRANGE) as error:
        if isinstance(error, DataError):
            raise
        raise damaged(path, first_line(error)) from None
    return cells


def _check(cells: Sequence[StudyCell]) -> None:
    """Refuse what `run` never writes, so that readers of cells need not check."""
    groups: dict[object, list[str]] = {}
    whose = game_of(cells[0]).original.name if cells else ""
    for cell in cells:
        names = (cell.id, cell.variant, cell.lineup, *cell.seats)
        texts = (*cell.options, *map(str, cell.options.values()), *cell.point, cell.point_text)
        if not all(map(_is_line, (*names, *texts))):
            raise ValueError("a name holds control characters")
        game = game_of(cell)
        if game.original.name != whose or not set(cell.options) <= set(game.option_names):
            raise ValueError(f"cell {cell.id} is one of another game")
        if cell.options["players"] != cell.players or not 1 <= cell.rotations <= cell.players:
            raise ValueError(f"cell {cell.id} has {cell.players} seats")
        if type(cell.seed) is not int:
            raise ValueError(f"cell {cell.id} has another seed than a study")
        groups.setdefault(cell.group, []).append(cell.variant)
    variants = [set(names) for names in groups.values()]
    doubled = len({cell.id for cell in cells}) < len(cells) or sum(map(len, variants)) < len(cells)
    if not cells or doubled or any(BASELINE not in names for names in variants):
        raise ValueError("cells are there twice, or variants have no baseline")


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable()
