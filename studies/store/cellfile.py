"""`cells.parquet`: what each cell of a study directory is, for readers and for continuing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, Json, ValidationError

from simcore.errors import DataError, InputError
from simcore.game import STOCK, get_game
from simcore.options import show, show_all
from studies.design.cells import StudyCell
from studies.design.overrides import shorten
from studies.design.study import BASELINE, CELLS, LARGEST_SEED
from studies.seal import BROKEN, holds
from studies.store.parts import STRANGE, first_line, sealed_table, write_aside


def write_cells(directory: Path, cells: Sequence[StudyCell]) -> None:
    """Write `cells.parquet`: one row a cell.

    Columns: `cell`, `game`, `variant`, `lineup`, every option, `seat_0`…, `rotations`, `seed`,
    `coupling`, and as JSON `point` (the sweep's values) and `options`.
    """
    import pyarrow as pa

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
    content = sealed_table(pa.table(arrays), compression="zstd")
    write_aside(directory / CELLS, content, replace=True)


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
    try:
        content = path.read_bytes() if path.is_file() else None
    except OSError as error:
        raise _damaged(path, first_line(error)) from None
    if content is None:
        raise InputError(
            f"{directory} is no study directory: it has no {CELLS}; allowed: a directory written "
            "by `cardlab run`"
        )
    if holds(content) is False:
        raise _damaged(path, BROKEN)
    try:
        table = pq.ParquetFile(pa.BufferReader(content)).read(use_threads=False)  # see `parts`
        rows: list[dict[str, Any]] = table.to_pylist()
        _check_rows(rows)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        column = ".".join(map(str, first["loc"]))
        raise _damaged(path, f"column {column}: {shorten(first['msg'], 100)}") from None
    except (OSError, pa.ArrowException, *STRANGE) as error:
        raise _damaged(path, first_line(error)) from None
    return rows


def _damaged(path: Path, why: str) -> DataError:
    return DataError(
        f"{path} is damaged ({why}). Running the study again writes it anew; the matches stay"
    )


def _printable(text: str) -> str:
    """Refuse what would change how a terminal shows the rest; `run` never writes such names."""
    if not text.isprintable():
        raise ValueError("a name holds control characters")
    return text


_Line = Annotated[str, AfterValidator(_printable)]
_Value = bool | int | float | _Line | list[int | float] | None


class _Row(BaseModel):
    """What the columns that every game has hold; options and seats stand beside them."""

    model_config = ConfigDict(strict=True)

    cell: Annotated[str, Field(pattern="^[0-9a-f]{1,64}$")]
    game: str
    variant: _Line
    lineup: _Line
    rotations: Annotated[int, Field(ge=1, le=64)]
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)]
    coupling: Literal["stock", "seat"] = "stock"
    point: Json[dict[str, _Value]]
    options: Json[dict[str, _Value]]


def _check_rows(rows: list[dict[str, Any]]) -> None:
    """Refuse what `run` never writes, so that whoever reads cells need not think of it."""
    if not rows:
        raise ValueError("it has no rows")
    seen: set[object] = set()
    groups: dict[object, set[str]] = {}
    for row in rows:
        checked = _Row.model_validate(row)
        game = get_game(checked.game)
        seats = _seats(row)
        if checked.game != rows[0]["game"] or not set(checked.options) <= set(game.option_names):
            raise ValueError(f"cell {checked.cell} is one of another game")
        if checked.options.get("players") != len(seats) or checked.rotations > len(seats):
            raise ValueError(f"cell {checked.cell} has {len(seats)} seats")
        for seat in seats:
            _printable(seat)
        variants = groups.setdefault((checked.lineup, show_all(checked.point)), set())
        if checked.cell in seen or checked.variant in variants:
            raise ValueError(f"cell {checked.cell} is there twice")
        seen.add(checked.cell)
        variants.add(checked.variant)
    if any(BASELINE not in variants for variants in groups.values()):
        raise ValueError("variants have no baseline")


def _seats(row: dict[str, Any]) -> tuple[str, ...]:
    names = sorted(
        (name for name in row if name.startswith("seat_")), key=lambda name: (len(name), name)
    )
    return tuple(row[name] for name in names if row[name] is not None)


def stored_cells(directory: Path) -> list[StudyCell]:
    """Return the cells of a study directory, as they were played.

    Raises
    ------
    InputError
        As `read_cells`.
    """
    return [
        StudyCell(
            id=row["cell"],
            game=row["game"],
            variant=row["variant"],
            lineup=row["lineup"],
            point=json.loads(row["point"]),
            options=json.loads(row["options"]),
            seats=_seats(row),
            rotations=row["rotations"],
            seed=row["seed"],
            coupling=row.get("coupling", STOCK),
        )
        for row in read_cells(directory)
    ]
