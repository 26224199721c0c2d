"""Units of compiled code: a game's matches, each policy, the search.

A unit has one function that is called by its address: of matches, what plays a block of them; of a
policy or the search, what decides. So kernels of all line-ups and numbers of players are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler import machine
from simcore.compiler.core import INT, Core, lines
from simcore.compiler.module import Writer
from simcore.compiler.translate import Lowering

_ONE = """
i = 0
while i < count:
    clear(s, o.cleared)
    start_match_(s, o, seed, first + i)
    over = 0
    while over == 0:
        if step_(s, o, s.seat):
            over = look_after_(s, o)
    if over == 2 or s.fault != 0:
        return i
    write_row_(s, o, first_seat, winners, aborted, scores, metrics, rows, row + i)
    i += 1
return count
"""

_WRITE = """
put_byte(first_seat, row, s.first_seat)
put_half(winners, row, s.winners)
put_byte(aborted, row, s.aborted)
for seat in range(o.players):
    put_short(scores, seat * rows + row, s.scores[seat])
for k in range(METRICS):
    put_short(metrics, k * rows + row, metric_of(s, k))
"""

_PLACES = ("first_seat", "winners", "aborted", "scores", "metrics")


def add_blocks(low: Lowering) -> None:
    """Add what plays a block of matches, one after another, and writes their rows."""
    text = _WRITE.replace("METRICS", str(len(low.program.metrics)))
    low.add(Core("write_row_", [*_PLACES, "rows", "row"], lines(text), {}))
    params = ["seed", "first", "count", *_PLACES, "rows", "row"]
    low.add(Core("entry", params, lines(_ONE), {}, (INT,)))


def aligned(count: int) -> np.ndarray:
    """Return zeros whose first stands at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    start = (-raw.ctypes.data // 8) % 8
    return raw[start : start + count]


class Unit:
    """Compiled code with one function that is called by its address.

    Parameters
    ----------
    low : Lowering
        With a function `entry`.
    title : str
        With which the names of its files begin.
    what : str
        What it is, for those who wait.

    Attributes
    ----------
    low : Lowering
    text : str
        The printed module.
    address : int
    """

    def __init__(self, low: Lowering, title: str, what: str) -> None:
        self.low = low
        self.text = Writer(low, what).text
        self.address = machine.address_of(self.text, title, what)
        count = 2 + len(low.done["entry"].params)
        self.call: Any = machine.function_at(self.address, count)
