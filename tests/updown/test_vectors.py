"""A trick at random in lanes is compiled to vector instructions, by the rule text and with dials.

The rows would be the same without, and only a clock would tell; see `tests/up/test_vectors.py`.
"""

from __future__ import annotations

import re

import numba
import pytest

from simcore.games.updown import lane_dials, lane_rows, lane_turns
from simcore.games.updown.table import dtypes
from simcore.jit import kernel
from simcore.lanes import FOUR_AT_ONCE


def by_the_rule_text(work, column, trick, table):
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    lane_turns.play_trick(work, column, trick & 3, trick, shifts, None)


def with_dials(work, column, trick, table):
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    dials = lane_dials.dials_of(table)
    lane_turns.play_trick(work, column, trick & 3, trick, shifts, dials)


@pytest.mark.skipif(not FOUR_AT_ONCE, reason="vectors of four numbers need AVX2")
@pytest.mark.parametrize("play", [by_the_rule_text, with_dials])
def test_a_trick_counts_bits_in_vector_registers(play):
    compiled = kernel(play)
    work, table = map(numba.from_dtype, (lane_rows.WORK, dtypes().table))
    compiled.compile((work, numba.int64, numba.int64, table))
    (code,) = compiled.inspect_llvm().values()
    widths = [int(width or 1) for width in re.findall(r"@llvm\.ctpop\.(?:v(\d+))?i64\(", code)]
    assert widths, "nothing is counted"
    assert min(widths) >= 4, "bits are counted for one lane after another"
