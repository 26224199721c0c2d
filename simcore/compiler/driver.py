"""Plays blocks of any game: one match after another, or many side by side.

Lanes are refilled as matches end. They go *in step* (all that are on turn with the same seat move
together, and the seat is one number) or *free* (each with the seat that is on turn in it).
"""

from __future__ import annotations

import hashlib
import importlib
from typing import Any

import numba
import numpy as np

from simcore.compiler import race
from simcore.compiler.lanes import Unit
from simcore.compiler.lower import Lowering

HEAT = 8
"""Deals of a search between two looks at which moves have fallen behind."""

ONE, STEP, FREE = "one", "step", "free"

_WRITE = """
@part
def write_row_(rows, lane, row, first_seat, winners, aborted, scores, metrics):
    first_seat[row] = load(rows, FIRST_SEAT * L + lane)
    winners[row] = load(rows, WINNERS * L + lane)
    aborted[row] = load(rows, ABORTED * L + lane)
    for seat in range(scores.shape[0]):
        scores[seat, row] = load(rows, (SCORES + seat) * L + lane)
    for k in range(metrics.shape[0]):
        metrics[k, row] = load(rows, (METRICS + k) * L + lane)

@part
def begin_(rows, lane, o, seed, match):
    for k in range(FIELDS):
        store(rows, k * L + lane, 0)
    START
"""

_ONE = """
@njit(error_model="numpy", nogil=True, _nrt=False, forceinline=False, no_cfunc_wrapper=True)
def play_DIGEST(rows, o, seed, first, count, first_seat, winners, aborted, scores, metrics, row):
    for i in range(count):
        begin_(rows, 0, o, seed, first + i)
        while True:
            if step___one(rows, 0, o, load(rows, SEAT_AT * L)):
                over = look_after___one(rows, 0, o)
                if over == 2:
                    return i
                if over == 1:
                    break
        write_row_(rows, 0, row + i, first_seat, winners, aborted, scores, metrics)
    return count
"""

_ASK = """
@njit(error_model="numpy", nogil=True, _nrt=False, forceinline=False, no_cfunc_wrapper=True)
def ask_DIGEST(rows, o):
    return ask___one(rows, 0, o, load(rows, SEAT_AT * L))
"""

_LANES = """
@part
def care_(rows, o, bits, active, seed, first, count, begun,
          first_seat, winners, aborted, scores, metrics, row):
    while bits != 0:
        lane = lowest_bit(bits)
        bits &= bits - 1
        over = look_after___one(rows, lane, o)
        if over == 2:
            return active, -1
        if over == 1:
            match = load(rows, MATCH_AT * L + lane)
            write_row_(rows, lane, row + match - first,
                       first_seat, winners, aborted, scores, metrics)
            if begun < count:
                begin_(rows, lane, o, seed, first + begun)
                begun += 1
            else:
                active &= ~(1 << lane)
    return active, begun

@njit(error_model="numpy", nogil=True, _nrt=False, forceinline=False, no_cfunc_wrapper=True)
def play_DIGEST(rows, o, seed, first, count, first_seat, winners, aborted, scores, metrics, row):
    active = 0
    begun = 0
    for lane in range(L):
        if begun < count:
            begin_(rows, lane, o, seed, first + begun)
            begun += 1
            active |= 1 << lane
    players = load(o, PLAYERS_AT)
    seat = 0
    while active != 0:
        mask = mask_of(active)
        while True:
            STEP
            if bits != 0:
                break
        active, begun = care_(rows, o, bits, active, seed, first, count, begun,
                              first_seat, winners, aborted, scores, metrics, row)
        if begun < 0:
            return 0
    return count
"""

_IN_STEP = """m = mask & (vload(rows, SEAT_AT) == seat)
            now = seat
            seat = seat + 1
            if seat == players:
                seat = 0
            bits = bits_of(step___u(rows, o, m, now) & m)"""
_FREE = "bits = bits_of(step___v(rows, o, mask, vload(rows, SEAT_AT)) & mask)"


def aligned(count: int) -> np.ndarray:
    """Return zeros whose first stands at a multiple of 64 bytes."""
    raw = np.zeros(count + 8, np.int64)
    start = (-raw.ctypes.data // 8) % 8
    return raw[start : start + count]


class Kernel:
    """Compiled code that plays blocks.

    Attributes
    ----------
    low : Lowering
        With the engine's functions.
    lanes : int
    way : str
        ONE, STEP or FREE.
    text : str
        The source that is compiled.
    numbers : dict of int
        What `o.policy` has for each policy.
    """

    numbers: dict[str, int]

    def __init__(self, low: Lowering, lanes: int, way: str) -> None:
        self.low, self.lanes, self.way = low, lanes, way
        unit = Unit(low, lanes)
        for name in ("start_match_", "look_after_"):
            unit.one(name)
        if way == ONE:
            unit.one("step_")
        else:
            unit.wide("step_", "u" if way == STEP else "v")
        if "ask_" in low.done:
            unit.one("ask_")
        start = "start_match___one(rows, lane, o, seed, match)"
        body = _ONE if way == ONE else _LANES.replace("STEP", _IN_STEP if way == STEP else _FREE)
        parts = [*unit.done.values(), _WRITE.replace("START", start), body]
        parts += [_ASK] if "ask_" in low.done else []
        self.text = "\n\n".join(parts)
        self.constants = {
            "FIELDS": low.state.size,
            "L": lanes,
            "FIRST_SEAT": low.state["first_seat"][0],
            "WINNERS": low.state["winners"][0],
            "ABORTED": low.state["aborted"][0],
            "SCORES": low.state["scores"][0],
            "METRICS": low.state[f"count_{low.program.metrics[0]}"][0],
            "SEAT_AT": low.state["seat"][0],
            "MATCH_AT": low.state["match_number"][0],
            "PLAYERS_AT": low.options["players"][0],
        }
        digest = hashlib.blake2b(self.text.encode(), digest_size=8)
        digest.update(repr(sorted(self.constants.items())).encode())
        for name, table in sorted(low.tables.items()):
            digest.update(name.encode() + table.tobytes())
        self.digest = digest.hexdigest()
        self._play: Any = None
        self._ask: Any = None

    @property
    def play(self) -> Any:
        """The compiled function."""
        if self._play is None:
            self._play = self._compiled("play")
        return self._play

    @property
    def ask(self) -> Any:
        """The compiled function that decides once, of kernels with a search."""
        if self._ask is None:
            self._ask = self._compiled("ask")
        return self._ask

    def space(self) -> dict[str, Any]:
        """Return the names that the text uses."""
        # Where nothing is compiled there are no vectors; so it is imported where it is needed.
        machine = importlib.import_module("simcore.compiler.machine")
        space = {k: v for k, v in vars(machine).items() if not k.startswith("__")}
        if self.way == ONE:
            space.update(np=np, numba=numba, HEAT=HEAT, FEWEST_DEALS=race.FEWEST_DEALS)
            space.update(drop_moves=race.drop_moves, chosen=race.chosen)
        else:
            space.update(machine.words_for(self.lanes))
        space["__name__"] = machine.__name__
        space.update(self.low.tables, njit=numba.njit, **self.constants)
        return space

    def _compiled(self, what: str) -> Any:
        from simcore.codecache import keep_code
        from simcore.jit import CACHE_FOLDER, JIT_DISABLED

        name = f"{what}_{self.digest}"
        text = self.text.replace("_DIGEST", f"_{self.digest}")
        space = self.space()
        file = f"<{self.low.program.game.name} {self.way} {self.digest}>"
        exec(compile(text, file, "exec"), space)  # noqa: S102 (made by us)
        function = space[name]
        if not JIT_DISABLED:
            keep_code(function, CACHE_FOLDER)
        return function

    def rows(self) -> np.ndarray:
        """Return room for the state of the matches under way."""
        return aligned(self.low.state.size * self.lanes)
