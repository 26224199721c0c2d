"""Four words a record against four rows of lanes: as moves of whole vectors, eight lanes at once.

A row of lanes has the same word of many matches. What only one seat of each match needs at a time
is better kept by match and seat, in records of four words, and put into four rows for the seat on
turn. Word by word that takes longer than the turn.
"""

from __future__ import annotations

from typing import Any

from simcore.jit import JIT_DISABLED

WORDS = 4
"""Words of a record, and rows for them."""

EIGHT = 8
"""Lanes that are served at once."""

if JIT_DISABLED:

    def rows_from_records(rows, row, place, start, records, first):
        """Copy a record of each of eight lanes to four rows.

        Parameters
        ----------
        rows : int64[R, C]
            Modified in place, in columns [start, start + 8).
        row : int
            The first of the four.
        place : int
            The row in which stands which record of a lane is meant.
        start : int
        records : int64[lanes, n, WORDS] or int64[n, WORDS]
            Of each lane, or the same for all.
        first : int
            The lane of column `start`.
        """
        for lane in range(start, start + EIGHT):
            of_lane = records[first + lane - start] if records.ndim > 2 else records
            rows[row : row + WORDS, lane] = of_lane[rows[place, lane]]

    def records_from_rows(rows, row, place, start, records, first):
        """Copy the other way round, as `rows_from_records`; `records` is modified in place."""
        for lane in range(start, start + EIGHT):
            of_lane = records[first + lane - start] if records.ndim > 2 else records
            of_lane[rows[place, lane]] = rows[row : row + WORDS, lane]

else:  # pragma: compiled only
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    from simcore.bits import held

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
            rows_type, _, _, _, self._type, _ = signature.args
            rows, self._row, place, start, records, self._first = args
            self._rows = context.make_array(rows_type)(context, builder, rows)
            self._records = context.make_array(self._type)(context, builder, records)
            self._start = start
            self._columns = builder.extract_value(self._rows.shape, 1)
            self._count = builder.extract_value(self._records.shape, self._type.ndim - 2)
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
                self._element(self.builder.add(self._row, ir.Constant(_WORD, number))),
                _OCTET.as_pointer(),
            )

        def record(self, lane: int) -> Any:
            """Return where the record of a lane begins."""
            builder = self.builder
            number = self._places[lane]
            if self._type.ndim > 2:
                of_lane = builder.add(self._first, ir.Constant(_WORD, lane))
                number = builder.add(builder.mul(of_lane, self._count), number)
            number = builder.mul(number, ir.Constant(_WORD, WORDS))
            return builder.bitcast(builder.gep(self._records.data, [number]), _QUARTET.as_pointer())

    def _signature(rows: Any, records: Any) -> Any:
        number = types.int64
        return types.void(rows, number, number, number, records, number)

    @intrinsic
    def rows_from_records(
        _typing: Any, rows: Any, _row: Any, _place: Any, _start: Any, records: Any, _first: Any
    ) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            copy = _Copy(context, builder, signature, args)
            four = [builder.load(copy.record(lane), align=8) for lane in range(EIGHT)]
            two = [_shuffled(builder, *four[i : i + 2], *range(8)) for i in (0, 2, 4, 6)]
            halves = [
                _shuffled(builder, *two[i : i + 2], *(w + WORDS * k for w in ws for k in range(4)))
                for ws in ((0, 1), (2, 3))
                for i in (0, 2)
            ]
            for word in range(WORDS):
                low, high = halves[word & 2 : (word & 2) + 2]
                places = [i + WORDS * (word & 1) for i in (0, 1, 2, 3, 8, 9, 10, 11)]
                builder.store(_shuffled(builder, low, high, *places), copy.row(word), align=8)
            return context.get_dummy_value()

        return _signature(rows, records), build

    @intrinsic
    def records_from_rows(
        _typing: Any, rows: Any, _row: Any, _place: Any, _start: Any, records: Any, _first: Any
    ) -> Any:
        def build(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            copy = _Copy(context, builder, signature, args)
            row = [builder.load(copy.row(word), align=8) for word in range(WORDS)]
            for low in (0, 1):
                places = [i + k for i in range(low, EIGHT, 2) for k in (0, EIGHT)]
                left = _shuffled(builder, row[0], row[1], *places)
                right = _shuffled(builder, row[2], row[3], *places)
                for pair in (0, 4):
                    both = _shuffled(
                        builder, left, right, *(pair + i for i in (0, 1, 8, 9, 2, 3, 10, 11))
                    )
                    both = held(builder, both)  # Or it would be shuffled half by half.
                    for half in (0, 4):
                        four = _shuffled(builder, both, both, *range(half, half + 4))
                        record = copy.record(low + pair + half // 2)
                        builder.store(four, record, align=8)
            return context.get_dummy_value()

        return _signature(rows, records), build
