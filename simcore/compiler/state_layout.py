"""Where fields of the state and options stand in the rows of numbers that compiled code reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import prod
from typing import Any

import numpy as np

from simcore import language
from simcore.compiler.int64 import signed
from simcore.compiler.program import Program, Refused
from simcore.compiler.seat_policy import SeatPolicy
from simcore.language import Field
from simcore.records import MAX_PARAMS

STREAMS = ("DEAL", "CHANCE", "MATCH", "ASIDE")
STREAMS_PER_SEAT = ("SEAT", "OTHER")
"""Each seat's own stream, and a second one for decisions that only some options add."""

MEMORY_WORDS, MOST_MEMORY = 64, 1 << 14
"""Numbers that there is room for in each seat's memory, and the most of which a policy may have."""

OF_A_CELL = ("players", "lowest_wins", "_cleared", "_policy", "_rollout", "_params")
"""Options that are filled in for each cell, not by the game."""

Place = tuple[Any, ...]
"""Where a field begins, the strides of its indices, the kind of a value ("n", "f" or "s"); of a
place with an order its room, and the seats that see it by players and holder; of an option perhaps
its value."""


class Layout:
    """The rows of a game with options that look alike.

    Parameters
    ----------
    program : Program
    options : dict
        As `Program.option_values` gives them: what they look like decides where they stand.
    memory : dict of Field
        What the policy that is compiled remembers. It stands in a room at the end of the state, the
        same for all policies, as each seat plays one.

    Attributes
    ----------
    state, options : dict of Place
        By name.
    size, options_size : int
        Numbers of each row.
    width : int
        Words of a set of cards.
    numbers : int
        Numbers that a set may be said to hold. Where the deck depends on options, rules name cards
        that it may lack: sets leave them out.
    """

    def __init__(
        self,
        program: Program,
        options: Mapping[str, Any],
        memory: Mapping[str, Field] | None = None,
        memory_words: int = MEMORY_WORDS,
    ) -> None:
        self.program, self.players = program, program.most_players
        places = options.get("places", program.deck.places if program.deck else 64)
        self.width = -(-int(places) // 64)
        self.numbers = 256 if "places" in options else 64 * self.width
        self.memory, self.memory_words = memory or {}, memory_words
        self.fields = {**program.rules_fields, **self.memory}
        self.state: dict[str, Place] = {}
        self.options: dict[str, Place] = {}
        self.counts: dict[str, list[int | str]] = {}
        self.size = self.options_size = 0
        self._lay_out_state()
        self._lay_out_memory()
        self._lay_out_options(options)

    # -------------------------------------------------------------------------------------- state

    def _add(self, name: str, count: int = 1, steps: tuple[int, ...] = (), *more: Any) -> None:
        self.state[name] = (self.size, steps, *(more or ("n",)))
        self.size += count

    def _lay_out_state(self) -> None:
        for name in ("_seed", "_key", "_illegal", "_fault", "_looker", "_uncounted"):
            self._add(name)
        for name, declared in self.program.rules_fields.items():
            self._add_field(name, declared)
        self.first_metric = self.size
        for name in self.program.metrics:
            self._add(f"_count_{name}")
        for name, size in self.program.game.counted.items():
            if size:
                self.state[f"_count_{name}"] = (self.state[f"_count_{name}_0"][0], (1,), "n")
        for name in STREAMS:
            self._add(f"_{name}", 2, (1,))
        for name in STREAMS_PER_SEAT:
            self._add(f"_{name}", 2 * self.players, (1, self.players))
        self.room = self.size
        self.state["_memory"] = (self.size, (self.memory_words, 1), "n")
        self.size += self.memory_words * self.players

    def _add_field(self, name: str, declared: Field) -> None:
        is_set = self.program.is_set(declared.kind)
        is_ordered = declared.kind is language.ordered
        room = max(len(self.program.deck.cards), 2) if is_ordered and self.program.deck else 0
        one = (self.width if is_set else 1) + 2 * room
        many = max(declared.many, 1)
        steps: tuple[int, ...] = (one * many,) if declared.per_seat else ()
        steps += (one,) if declared.many else ()
        more: tuple[Any, ...] = (self.kind_of(declared),)
        if self.has_order and self.program.is_place(declared.kind):
            more += (room, self.viewers(declared))
        count = (self.players if declared.per_seat else 1) * many * one
        self._add(name, count, steps, *more)

    def kind_of(self, declared: Field) -> str:
        """Return the kind of a field's values, as in `Place`."""
        if self.program.is_set(declared.kind):
            return "s"
        return "f" if declared.kind is language.FLOAT else "n"

    @property
    def has_order(self) -> bool:
        """Whether there is a place with an order."""
        fields = self.program.rules_fields.values()
        return any(declared.kind is language.ordered for declared in fields)

    def viewers(self, declared: Field) -> list[list[int]]:
        """Return the seats that see what a seat has in a field, as bits, by players and seat."""
        seating = self.program.seating
        holders = range(seating.most if declared.per_seat else 1)
        return [
            [seating.viewers(declared, holder, max(players, 1)) for holder in holders]
            for players in range(seating.most + 1)
        ]

    def _lay_out_memory(self) -> None:
        """Place the fields in which a policy remembers; the places are those of seat 0."""
        used = self.remembered = 0
        for name, declared in self.memory.items():
            is_set = self.program.is_set(declared.kind)
            one = self.width if is_set else 1
            steps = (self.memory_words, one) if declared.many else (self.memory_words,)
            self.state[name] = (self.room + used, steps, self.kind_of(declared))
            used += one * max(declared.many, 1)
            self.remembered = used
            if used > self.memory_words:
                raise Refused(
                    f"a policy of {self.program.game.name} remembers too much from `{name}` "
                    f"on; allowed: {self.memory_words:,} numbers for each seat"
                )

    # ------------------------------------------------------------------------------------ options

    def _add_option(self, name: str, counts: list[int | str], kind: str, one: int = 1) -> None:
        sizes = [self.players if count == "o.players" else int(count) for count in counts]
        steps = tuple(one * prod(sizes[place + 1 :]) for place in range(len(sizes)))
        if len(sizes) == 1:  # as many as players, perhaps: whose number is not known here
            sizes = [max(*sizes, self.players)]
        self.options[name] = (self.options_size, steps, kind)
        self.counts[name] = counts
        self.options_size += one * prod(sizes)

    def _lay_out_options(self, options: Mapping[str, Any]) -> None:
        self._add_option("players", [], "n")
        for name, value in options.items():
            if name == "players":
                continue
            is_list = isinstance(value, list)
            first = value[0] if is_list and value else 0 if is_list else value
            counts: list[int | str] = [len(value)] if is_list else []
            if isinstance(first, list):
                counts.append(max(map(len, value)))
            if name in self.program.options_per_seat:
                counts = ["o.players"]
            if isinstance(first, frozenset):
                self._add_option(name, counts, "s", self.width)
            else:
                self._add_option(name, counts, "f" if has_float(value) else "n")
        self._add_option("lowest_wins", [], "n")
        self._add_option("_cleared", [], "n")  # so many numbers are 0 when a match begins
        for name in ("_policy", "_rollout", "_rollout_at"):
            self._add_option(name, [self.players], "n")
        self._add_option("_params", [self.players * MAX_PARAMS], "f")

    @property
    def key(self) -> tuple[Any, ...]:
        """Cache key: where the options stand, and how wide sets are."""
        options = tuple(self.options.items()), repr(self.counts)
        return self.width, self.numbers, self.memory_words, *options

    def option_row(self, options: Mapping[str, Any]) -> np.ndarray:
        """Return the numbers of `o` for some option values of this shape."""
        row = np.zeros(self.options_size + 16, np.int64)
        for name, value in options.items():
            at, steps, kind = self.options[name][:3]
            flat = value if isinstance(value, list) else [value]
            if flat and isinstance(flat[0], list):
                longest = steps[0]
                flat = [x for line in flat for x in (*line, *[0] * (longest - len(line)))]
            if kind == "s":
                bits = [sum(1 << card for card in cards) for cards in flat]
                flat = [signed(word >> 64 * k) for word in bits for k in range(self.width)]
            is_float = kind == "f"
            numbers = np.array(flat, np.float64).view(np.int64) if is_float else np.array(flat)
            row[at : at + len(numbers)] = numbers
        return row


def memory_for(program: Program, policies: Iterable[SeatPolicy], width: int) -> int:
    """Return how much memory the seats of a table need: a power of 2.

    Raises
    ------
    Refused
        If a policy remembers more than there may be.
    """
    room = MEMORY_WORDS
    for policy in policies:
        fields = policy.memory(program)
        sizes = [
            max(declared.many, 1) * (width if program.is_set(declared.kind) else 1)
            for declared in fields.values()
        ]
        if sum(sizes) > MOST_MEMORY:
            raise Refused(
                f"policy {policy.name!r} of {program.game.name} remembers {sum(sizes):,} numbers; "
                f"allowed: {MOST_MEMORY:,} for each seat"
            )
        while room < sum(sizes):
            room *= 2
    return room


def has_float(value: Any) -> bool:
    """Tell whether there is a float in nested lists."""
    if isinstance(value, list):
        return any(map(has_float, value))
    return isinstance(value, float)
