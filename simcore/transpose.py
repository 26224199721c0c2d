"""Four words a record against four rows of lanes: as moves of whole vectors, eight lanes at once.

A row of lanes has the same word of many matches. What only one seat of each match needs at a time
is better kept by match and seat, in records of four words, and put into four rows for the seat on
turn. Word by word that takes longer than the turn.
"""

from __future__ import annotations

from typing import Any

from simcore.jit import JIT_DISABLED

WORDS = 4
"""Words of a record; they stand in the first rows."""

EIGHT = 8
"""Lanes that are served at once."""

if JIT_DISABLED:

    def rows_from_records(rows, place, start, records, first):
        """Copy a record of each of eight lanes to the first rows.

        Parameters
        ----------
        rows : int64[R, C]
            Modified in place, in columns [start, start + 8).
        place : int
            The row in which stands which record of a lane is meant.
        start : int
        records : int64[lanes, n, WORDS]
        first : int
            The lane of column `start`.
        """
        for lane in range(EIGHT):
            rows[:WORDS, start + lane] = records[first + lane, rows[place, start + lane]]

    def records_from_rows(rows, place, start, records, first):
        """Copy the other way round, as `rows_from_records`; `records` is modified in place."""
        for lane in range(EIGHT):
            records[first + lane, rows[place, start + lane]] = rows[:WORDS, start + lane]

else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    _WORD = ir.IntType(64)
    _QUARTET = ir.VectorType(_WORD, WORDS)
    _OCTET = ir.VectorType(_WORD, EIGHT)

    def _shuffled(builder: Any, one: Any, other: Any, *places: int) -> Any:
        mask = ir.Constant(ir.VectorType(ir.IntType(32), len(places)), places)
        return builder.shuffle_vector(one, other, mask)

    class _Copy:
        """The vectors in memory that a copy is made from and to."""

        def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
            self.builder = builder
            rows_type, _, _, records_type, _ = signature.args
            rows, place, start, records, first = args
            self._rows = context.make_array(rows_type)(context, builder, rows)
            self._records = context.make_array(records_type)(context, builder, records)
            self._start = start
            self._columns = builder.extract_value(self._rows.shape, 1)
            self._count = builder.extract_value(self._records.shape, 1)
            self._first = first
            row = self._element(place)
            self._places = [
                builder.load(builder.gep(row, [ir.Constant(_WORD, lane)])) for lane in range(EIGHT)
            ]

        def _element(self, row: Any) -> Any:
            number = self.builder.add(self.builder.mul(row, self._columns), self._start)
            return self.builder.gep(self._rows.data, [number])

        def row(self, number: int) -> Any:
            """Return where eight numbers of a row begin."""
            return self.builder.bitcast(
                self._element(ir.Constant(_WORD, number)), _OCTET.as_pointer()
            )

        def record(self, lane: int) -> Any:
            """Return where the record of a lane begins."""
            builder = self.builder
            number = builder.add(self._first, ir.Constant(_WORD, lane))
            number = builder.add(builder.mul(number, self._count), self._places[lane])
            number = builder.mul(number, ir.Constant(_WORD, WORDS))
            return builder.bitcast(builder.gep(self._records.data, [number]), _QUARTET.as_pointer())

    def _signature(rows: Any, records: Any) -> Any:
        return types.void(rows, types.int64, types.int64, records, types.int64)

    @intrinsic
    def rows_from_records(  # noqa: D103 (see above)
        _typing: Any, rows: Any, _place: Any, _start: Any, records: Any, _first: Any
    ) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            copy = _Copy(context, builder, signature, args)
            four = [builder.load(copy.record(lane), align=8) for lane in range(EIGHT)]
            two = [_shuffled(builder, *four[i : i + 2], *range(8)) for i in (0, 2, 4, 6)]
            halves = [
                _shuffled(
                    builder, *two[i : i + 2], *(w + WORDS * k for w in words for k in range(4))
                )
                for words in ((0, 1), (2, 3))
                for i in (0, 2)
            ]
            for word in range(WORDS):
                low, high = halves[word & 2 : (word & 2) + 2]
                places = [i + WORDS * (word & 1) for i in (0, 1, 2, 3, 8, 9, 10, 11)]
                builder.store(_shuffled(builder, low, high, *places), copy.row(word), align=8)
            return context.get_dummy_value()

        return _signature(rows, records), build

    @intrinsic
    def records_from_rows(  # noqa: D103 (see above)
        _typing: Any, rows: Any, _place: Any, _start: Any, records: Any, _first: Any
    ) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            copy = _Copy(context, builder, signature, args)
            row = [builder.load(copy.row(word), align=8) for word in range(WORDS)]
            for low in (0, 4):
                places = [i + k for i in range(low, low + 4) for k in (0, 8)]
                left = _shuffled(builder, row[0], row[1], *places)
                right = _shuffled(builder, row[2], row[3], *places)
                for pair in (0, 4):
                    both = _shuffled(
                        builder, left, right, *(pair + i for i in (0, 1, 8, 9, 2, 3, 10, 11))
                    )
                    for half in (0, 4):
                        four = _shuffled(builder, both, both, *range(half, half + 4))
                        record = copy.record(low + pair // 2 + half // 4)
                        builder.store(four, record, align=8)
            return context.get_dummy_value()

        return _signature(rows, records), build
