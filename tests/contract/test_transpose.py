"""Records are put into rows of lanes and taken from them, and nothing else is touched."""

from __future__ import annotations

import numpy as np
import pytest

from simcore.jit import kernel
from simcore.transpose import EIGHT, WORDS, records_from_rows, rows_from_records

PLACE, START, ROW, FIRST = 7, 11, 2, 16


@kernel
def fetch(rows, row, place, start, records, first):
    rows_from_records(rows, row, place, start, records, first)


@kernel
def keep(rows, row, place, start, records, first):
    records_from_rows(rows, row, place, start, records, first)


@pytest.fixture
def rows():
    draw = np.random.default_rng(1)
    rows = draw.integers(-(1 << 62), 1 << 62, (9, 40))
    rows[PLACE] = draw.integers(0, 10, 40)
    return rows


def records_of(shape):
    return np.random.default_rng(2).integers(-(1 << 62), 1 << 62, (*shape, 10, WORDS))


@pytest.mark.parametrize("shape", [(32,), ()], ids=["of each lane", "for all lanes"])
def test_rows_from_records(rows, shape):
    records = records_of(shape)
    expected, kept = rows.copy(), records.copy()
    for lane in range(EIGHT):
        of_lane = records[FIRST + lane] if shape else records
        expected[ROW : ROW + WORDS, START + lane] = of_lane[rows[PLACE, START + lane]]
    fetch(rows, ROW, PLACE, START, records, FIRST)
    assert np.array_equal(rows, expected)
    assert np.array_equal(records, kept)


def test_records_from_rows(rows):
    records = records_of((32,))
    expected, kept = records.copy(), rows.copy()
    for lane in range(EIGHT):
        expected[FIRST + lane, rows[PLACE, START + lane]] = rows[ROW : ROW + WORDS, START + lane]
    keep(rows, ROW, PLACE, START, records, FIRST)
    assert np.array_equal(records, expected)
    assert np.array_equal(rows, kept)
