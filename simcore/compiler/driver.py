"""What is compiled of a game: its matches, each policy, its search; each is made once.

A unit has one function that is called by its address: of matches, what plays a block of them; of a
policy or the search, what decides. So kernels of all line-ups and numbers of players are the same.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from simcore.compiler import lanes as lanes_  # noqa: F401 (a word of its own)
from simcore.compiler import machine
from simcore.compiler.branchless import Branchless
from simcore.compiler.emit import Code, title
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
active = 0
begun = 0
ready = (1 << LANES) - 1
seat = 0
while ready != 0 or active != 0:
    while ready != 0:
        lane = lowest_bit(ready)
        ready = cleared(ready)
        match = lane_at(s, lane)
        over = 1
        if ((active >> lane) & 1) != 0:
            over = look_after_(match, o)
            if over == 2:
                return 0 - 1
            if over == 1:
                place = row + match.match_number - first
                write_row_(match, o, first_seat, winners, aborted, scores, metrics, rows, place)
        if over == 1:
            if begun < count:
                begin_(match, o, state_after(s, LANES), seed, first + begun, begun)
                begun += 1
                active |= 1 << lane
            else:
                active &= ~(1 << lane)
    ready = turn_in_lanes(active, s, o, seat)
    seat = seat + 1 if seat + 1 < o.players else 0
return count
"""
"""A lane whose match is over begins the next one at once."""

_BEGIN = """
lane = begun % LANES
if lane == 0:
    clear(room, o.cleared * LANES)
    start_in_lanes((1 << LANES) - 1, room, o, seed, match)
start = lane_at(room, lane)
for k in range(0, o.cleared, 4):
    copy_numbers(s, start, k, 4)
"""
"""Matches are dealt together, in a room of their own; a lane takes the next one from there."""

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
    """Add what plays a block in lanes: where a match ends, the next one begins at once."""
    columns = dict.fromkeys(_PLACES, "p")
    text = _WRITE.replace("METRICS", str(len(low.program.metrics)))
    low.add(Core("write_row_", [*_PLACES, "rows", "row"], lines(text), columns, rare=True))
    given, kinds = ["room", "seed", "match", "begun"], {"room": "p"}
    text = _BEGIN.replace("begun % LANES", f"begun & {lanes - 1}").replace("LANES", str(lanes))
    low.add(Core("begin_", given, lines(text), kinds, rare=True))
    text = "start_match_(s, o, seed, match + lane_number())"
    low.add(Core("start_", ["seed", "match"], lines(text), {}))
    params = ["seed", "first", "count", *_PLACES, "rows", "row"]
    text = _LANES.replace("LANES", str(lanes))
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
        Matches side by side.
    checked : bool
        Whether users have written it; see `emit.Code`.

    Attributes
    ----------
    low : Lowering
    text : str
        What LLVM is given.
    address : int
    """

    def __init__(self, low: Lowering, what: str, lanes: int = 1, *, checked: bool = False) -> None:
        self.low, self.lanes = low, lanes
        if lanes == 1:
            Branchless(low, checked=checked).all()
        code = Code(low, lanes, checked=checked)
        code.want("entry")
        self.text = code.text()
        self.address = machine.address_of(self.text, ENTRY, what)
        count = len(code.params_of(low.done["entry"]))
        self.call: Any = machine.function_at(self.address, count)
