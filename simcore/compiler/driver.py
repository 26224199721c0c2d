"""What is compiled of a game: its matches, each policy, its search; each is made once.

A unit has one function that is called by its address: of matches, what plays a block of them; of a
policy or the search, what decides. So kernels of all line-ups and numbers of players are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler import machine
from simcore.compiler.branchless import Branchless
from simcore.compiler.emit import ALL, Code, title
from simcore.compiler.lanes import in_lanes
from simcore.compiler.lower import INT, Core, Lowering, lines

ENTRY = title("entry")

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

_LANES = """
number = lane_number()
s.seat = 0 - 1
while number < count:
    if how_many(s.seat < 0) * 2 >= how_many(True):
        if s.seat < 0:
            for k in range(o.cleared):
                s.all_[k] = 0
            start_match_(s, o, seed, first + number)
    for seat in range(o.players):
        if s.seat == seat:
            if step_(s, o, seat):
                over = look_after_(s, o)
                if over != 0:
                    if over == 2 or s.fault != 0:
                        return 0 - 1
                    place = row + number
                    write_row_(s, o, first_seat, winners, aborted, scores, metrics, rows, place)
                    number = number + LANES
                    s.seat = 0 - 1
return count
"""
"""Each lane plays every so many-th match, going round the table with the others; where half of them
have none any more, they begin the next ones together."""

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
    columns = dict.fromkeys(_PLACES, "p")
    text = _WRITE.replace("METRICS", str(len(low.program.metrics)))
    low.add(Core("write_row_", [*_PLACES, "rows", "row"], lines(text), columns))
    params = ["seed", "first", "count", *_PLACES, "rows", "row"]
    low.add(Core("entry", params, lines(_ONE), columns, (INT,), entry=True))


def add_lanes(low: Lowering, lanes: int) -> None:
    """Add what plays a block of matches side by side; it returns -1 if a move was illegal."""
    columns = dict.fromkeys(_PLACES, "p")
    low.state.places[ALL] = 0, low.state.size
    text = _WRITE.replace("METRICS", str(len(low.program.metrics)))
    low.add(Core("write_row_", [*_PLACES, "rows", "row"], lines(text), columns, rare=True))
    params = ["seed", "first", "count", *_PLACES, "rows", "row"]
    text = _LANES.replace("LANES", str(lanes))
    low.add(Core("play_", params, lines(text), columns, (INT,)))
    text = f"return all_lanes(s, o, {', '.join(params)})"
    low.add(Core("entry", params, lines(text), columns, (INT,), entry=True))


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
    what : str
        What it is, for those who wait.
    lanes : int
        How many matches lie side by side.
    checked : bool
        Whether users have written it; see `emit.Code`.

    Attributes
    ----------
    low : Lowering
    lanes : int
    text : str
        What LLVM is given.
    address : int
    """

    def __init__(self, low: Lowering, what: str, lanes: int = 1, *, checked: bool = False) -> None:
        self.low, self.lanes = low, lanes
        Branchless(low, checked=checked).all()
        code, entry = Code(low, lanes, checked=checked), ENTRY
        if lanes > 1 and "play_" not in low.done:  # a policy, which is called for all lanes
            given = "uuu" + "v" * (len(low.done["entry"].params) - 3)
            entry = title(in_lanes(code, "entry", given))
        else:
            code.want("entry")
        self.text = code.text()
        self.address = machine.address_of(self.text, entry, what)
        count = len(code.params_of(low.done["entry"]))
        self.call: Any = machine.function_at(self.address, count)
