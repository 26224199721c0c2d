"""Positions of a plain match as compiled code has them: a search is asked compiled, for it is slow.

In plain Python a search takes minutes where compiled code takes a second, so that a match with one
could not be told. With `CARDLAB_PLAIN=1` it runs as plain Python like everything else.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from simcore.compiler import machine
from simcore.compiler.blocks import Array, Player
from simcore.compiler.int64 import signed
from simcore.compiler.seat_policy import seat_policies
from simcore.compiler.state import Cards, Pile, S
from simcore.compiler.state_layout import STREAMS, STREAMS_PER_SEAT, Layout
from simcore.records import MAX_PARAMS
from simcore.rng import MASK


def searched(cell: Any, rotation: int, s: S) -> int:
    """Return what the search of the seat on turn chooses; its stream and memory go on.

    Parameters
    ----------
    cell : batch.Cell
    rotation : int
    s : S
        The position; only the seat's own stream and what it remembers are changed.
    """
    form, player = cell.form, Player(cell, rotation)
    rollout = seat_policies(cell, rotation)[s.seat].rollout
    assert rollout is not None
    memory = rollout.memory(form.program)
    layout = Layout(form.program, form.options, memory, form.layout.memory_words)
    for place, number in _numbers(layout, s):
        player.rows[place] = number
    unit = form.unit("search")
    count = len(unit.functions["entry"].args.args)
    search = machine.function_at(form.code("search"), count)
    addresses = player.rows.ctypes.data, player.options.ctypes.data
    first_parameter, moves = s.seat * MAX_PARAMS, [0] * (count - 5)  # it finds the moves itself
    choice = int(search(*addresses, s.seat, s.phase, first_parameter, *moves))

    at, (to_seat, to_word), _ = layout.state["_SEAT"]
    for word in (0, 1):
        number = int(player.rows[at + s.seat * to_seat + word * to_word])
        s.streams["SEAT", s.seat][word] = number & MASK
    for name, declared in memory.items():
        at, steps, kind = layout.state[name]
        start = at + s.seat * steps[0]
        size = layout.width if kind == "s" else 1
        values = [
            _value(player.rows[start + k * size : start + (k + 1) * size], kind)
            for k in range(max(declared.many, 1))
        ]
        s.__dict__[name][s.seat] = values if declared.many else values[0]
    return choice


def _numbers(layout: Layout, s: S) -> Iterator[tuple[int, int]]:
    """Yield the numbers of a position, each with its place in the row."""
    for name, (at, steps, kind, *more) in layout.state.items():
        held: Any
        if name.startswith("_count_"):
            counted = name.removeprefix("_count_")
            if counted not in s.count.numbers:
                continue  # all counts of one name, which stand by their own names, too
            held = s.count.numbers[counted]
        elif name[1:] in STREAMS:
            held = s.streams.get((name[1:], 0), [0, 0])
        elif name[1:] in STREAMS_PER_SEAT:
            held = [s.streams[name[1:], seat] for seat in range(s.players)]
        elif name in ("_memory", "_uncounted"):
            continue
        else:
            held = s.__dict__[name]
        room = more[0] if more else 0
        for place, value in _leaves(held, at, steps):
            yield from _words(value, place, kind, layout.width, room)


def _leaves(held: Any, at: int, steps: tuple[int, ...]) -> Iterator[tuple[int, Any]]:
    if isinstance(held, list):
        for index, part in enumerate(held):
            yield from _leaves(part, at + index * steps[0], steps[1:])
    else:
        yield at, held


def _words(value: Any, at: int, kind: str, width: int, room: int) -> Iterator[tuple[int, int]]:
    """Yield the words of one value of a field."""
    if kind == "s":
        for part in range(width):
            yield at + part, signed(value.word >> 64 * part)
        if isinstance(value, Pile):
            for row, numbers in enumerate((value.order, value.seen)):
                for k, number in enumerate(numbers):
                    yield at + width + row * room + k, number
    elif kind == "f":
        yield at, int(np.float64(value).view(np.int64))
    else:
        yield at, signed(int(value))


def _value(words: Array, kind: str) -> Any:
    if kind == "s":
        return Cards(sum((int(word) & MASK) << 64 * part for part, word in enumerate(words)))
    return float(words.view(np.float64)[0]) if kind == "f" else int(words[0])
