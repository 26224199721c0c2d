"""Parts of a study that keeps sums: one row a sum, exact to 38 digits."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path

from simcore.errors import DataError
from studies.deals.sums import Sums
from studies.design.cells import StudyCell
from studies.design.study import SUMMARY
from studies.store.parts import Part, encode_table, part_metadata, read_part

_DIGITS = 38


def encode_sums(cell: StudyCell, first: int, count: int, sums: Sums, source: str) -> memoryview:
    """Return the sums of a block as a Parquet file in memory."""
    import pyarrow as pa

    names = sorted(sums.values)
    schema = pa.schema(
        [
            pa.field("name", pa.string(), nullable=False),
            pa.field("value", pa.decimal128(_DIGITS, 0), nullable=False),
        ],
        metadata=part_metadata(cell, first, count, source, SUMMARY),
    )
    values = [Decimal(sums.values[name]) for name in names]
    arrays = [pa.array(names, pa.string()), pa.array(values, pa.decimal128(_DIGITS, 0))]
    return encode_table(pa.Table.from_arrays(arrays, schema=schema))


def read_sums(part: Part) -> Sums:
    """Return the sums of a block.

    Raises
    ------
    DataError
        If the part cannot be read.
    """
    table = read_part(part)
    values = (int(value) for value in table["value"].to_pylist())
    return Sums(dict(zip(table["name"].to_pylist(), values, strict=True)))


def total_sums(parts: Iterable[Part]) -> Sums:
    """Return the sums over several blocks."""
    total = Sums()
    for part in parts:
        total += read_sums(part)
    return total


def sums_between(parts: Iterable[Part], start: int, stop: int, where: Path) -> Sums:
    """Return the sums over deals [start, stop), which must be whole blocks.

    Raises
    ------
    DataError
        If a block lies across `start` or `stop`.
    """
    inside = [part for part in parts if part.first < stop and part.stop > start]
    if sum(part.count for part in inside) != stop - start:
        raise DataError(
            f"the sums in {where} do not end at deal {stop:,}: they were kept in blocks of other "
            "sizes, because the study was begun without its goal or with another block. Sums "
            "cannot be taken apart; give another directory with --out"
        )
    return total_sums(inside)
