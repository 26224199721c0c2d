"""A turn in lanes is compiled to vector instructions, with card sets of any form.

The rows would be the same without, and only a clock would tell: a choice that the compiler makes a
branch, or a call that it does not inline, leaves the loop over lanes to one lane after another. So
this compiles the loop alone and looks at how it counts cards, or finds the highest.
"""

from __future__ import annotations

import re

import numba
import pytest

from simcore.games.up import lane_turns
from simcore.games.up.cards import COUNTED
from simcore.games.up.lane_turns import Knows
from simcore.games.up.rules import RARE_RULES
from simcore.games.up.table import dtypes
from simcore.jit import kernel
from simcore.lanes import FOUR_AT_ONCE

AT_RANDOM = Knows(1, 1, 0, 0, 0, 0)
ANYHOW = Knows(1, 1, 1, 1, RARE_RULES, 1)
CASES = {
    "one word, at random": (1, AT_RANDOM),
    "one word, anyhow": (1, ANYHOW),
    "two words, at random": (3, AT_RANDOM._replace(width=2)),
    "several words, at random": (3, AT_RANDOM._replace(width=3)),
    "several words, anyhow": (3, ANYHOW._replace(width=3)),
    "counted": (3, Knows(COUNTED, 0, 1, 0, 0, 1)),
    "counted and weighed": (3, Knows(COUNTED, 0, 1, 1, 0, 1)),
}
"""Words of a card set, and what a turn knows."""


@pytest.mark.skipif(not FOUR_AT_ONCE, reason="vectors of four numbers need AVX2")
@pytest.mark.parametrize(("words", "knows"), CASES.values(), ids=CASES)
def test_a_turn_counts_cards_in_vector_registers(words, knows):
    def take_turns(work, column, table):
        lane_turns.take_turns(work, column, table, knows)

    compiled = kernel(take_turns)
    work, table = map(numba.from_dtype, (lane_turns.WORK, dtypes(words).table))
    compiled.compile((work, numba.int64, table))
    (code,) = compiled.inspect_llvm().values()
    widths = [
        int(width or 1) for width in re.findall(r"@llvm\.ct(?:pop|lz)\.(?:v(\d+))?i64\(", code)
    ]
    assert widths, "nothing is counted"
    assert min(widths) >= 4, "cards are counted for one lane after another"
