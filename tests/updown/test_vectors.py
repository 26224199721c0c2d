"""The end of a round in lanes is compiled to vector instructions, by the rule text and with dials.

The rows would be the same without, and only a clock would tell; see `tests/up/test_vectors.py`.
"""

from __future__ import annotations

import re

import numba
import pytest

from simcore.games.updown import lane_rows, lanes
from simcore.games.updown.table import DTYPES
from simcore.jit import kernel
from simcore.lanes import FOUR_AT_ONCE


def by_the_rule_text(work, column, first, table):
    lanes.end_rounds(work, column, first, table, None)


def with_dials(work, column, first, table):
    lanes.end_rounds(work, column, first, table, lane_rows.dials_of(table))


@pytest.mark.skipif(not FOUR_AT_ONCE, reason="vectors of four numbers need AVX2")
@pytest.mark.parametrize("end", [by_the_rule_text, with_dials])
def test_a_round_ends_in_vector_registers(end):
    compiled = kernel(end)
    work, table = map(numba.from_dtype, (lane_rows.WORK, DTYPES.table))
    compiled.compile((work, numba.int64, numba.int64, table))
    (code,) = compiled.inspect_llvm().values()
    widths = [int(width or 1) for width in re.findall(r"ashr (?:exact )?(?:<(\d+) x )?i64", code)]
    assert widths, "nothing is taken from words of totals"
    assert min(widths) >= 4, "totals are taken from words for one lane after another"
