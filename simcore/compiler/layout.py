"""The rows of numbers that compiled code reads: places of fields and options."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from simcore.compiler import piles
from simcore.compiler.core import FLOAT, INT, SET, WORD_OPTION
from simcore.compiler.program import (
    Program,
    Refused,
)
from simcore.language import Field
from simcore.records import MAX_PARAMS

STREAMS = ("DEAL", "CHANCE", "MATCH", "ASIDE", "SEAT")


PER_SEAT_STREAMS = ("SEAT",)


MEMORY_WORDS = 64
"""Numbers that a policy may remember in each seat."""


@dataclass
class Place:
    """Location of a field, option or table: name, kind, and the stride of each index."""

    holder: str
    name: str
    kind: str
    steps: list[int]
    indices: list[str] = field(default_factory=list)
    words: tuple[str, ...] = ()
    counts: list[str] = field(default_factory=list)
    """The length of each index."""
    node: ast.AST | None = None


class Layout:
    """Places of fields or options in a row of numbers."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self.size = 0

    def add(self, name: str, count: int = 1) -> None:
        """Add a name with so many numbers."""
        if name not in self.places:
            self.places[name] = (self.size, count)
            self.size += count

    def __getitem__(self, name: str) -> tuple[int, int]:
        return self.places[name]

    def __contains__(self, name: str) -> bool:
        return name in self.places


class Rows:
    """The rows of numbers of a program: its state and its options.

    Parameters
    ----------
    program : Program
    options : dict
        As `Program.option_values` gives them: what they look like decides where they stand.
    memory : dict of Field
        What the policy that is compiled remembers. It stands in a room at the end of the state, the
        same for all policies, as each seat plays one.
    fixed : dict of int
        Options, by their places, of which the numbers are known already.
    """

    def __init__(
        self,
        program: Program,
        options: Mapping[str, Any],
        memory: Mapping[str, Field] | None = None,
        fixed: Mapping[int, int] | None = None,
    ) -> None:
        self.program, self.players = program, program.most_players
        self.fixed = fixed or {}
        self.fields = {**program.rules_fields, **(memory or {})}
        self.memory = memory or {}
        places = options.get("places", program.deck.places if program.deck else 64)
        self.words = -(-int(places) // 64)
        # Where the deck depends on options, rules name cards that it may lack: sets leave them out.
        self.numbers = 256 if "places" in options else 64 * self.words
        self.state, self.options = Layout(), Layout()
        self.option_shapes: dict[str, Place] = {}
        self._lay_out_state()
        self._lay_out_options(options)

    def field_names(self, name: str) -> list[str]:
        """Return the names of a field's words."""
        declared = self.fields[name]
        return self.word_names(name) if self.program.is_set(declared.kind) else [name]

    def word_names(self, name: str) -> list[str]:
        """Return the names of the words of a set of cards."""
        return [name] if self.words == 1 else [f"{name}__{word}" for word in range(self.words)]

    def _lay_out_state(self) -> None:
        for name in ("seed", "key", "illegal_move", "fault"):
            self.state.add(name)
        for name, declared in self.program.rules_fields.items():
            count = (self.players if declared.per_seat else 1) * max(declared.many, 1)
            for one in self.field_names(name):
                self.state.add(one, count)
            if piles.is_ordered(declared.kind):
                for one in piles.words_of(name):
                    self.state.add(one, count * piles.room_of(self.program))
        for name in self.program.metrics:
            self.state.add(f"count_{name}")
        for name, size in self.program.game.counted.items():
            if size:
                at, _ = self.state[f"count_{name}_0"]
                self.state.places[f"count_{name}"] = at, size
        for family in (*STREAMS, "OTHER"):
            for word in (0, 1):
                count = self.players if family in (*PER_SEAT_STREAMS, "OTHER") else 1
                self.state.add(f"{family.lower()}{word}", count)
        self.state.add("memory_", self.players * MEMORY_WORDS)
        self._lay_out_memory()

    def _lay_out_memory(self) -> None:
        """Place the fields in which a policy remembers; the places are those of seat 0."""
        used, room = 0, self.state["memory_"][0]
        for name, declared in self.memory.items():
            for one in self.field_names(name):
                many = max(declared.many, 1)
                self.state.places[one] = (room + used, (self.players - 1) * MEMORY_WORDS + many)
                used += many
                if used > MEMORY_WORDS:
                    raise Refused(
                        f"a policy of {self.program.game.name} remembers too much from `{name}` "
                        f"on; allowed: {MEMORY_WORDS} numbers for each seat"
                    )

    def _lay_out_options(self, options: Mapping[str, Any]) -> None:
        self.options.add("players")
        for name, value in options.items():
            steps: list[int] = []
            one: Any = value
            if isinstance(value, frozenset):
                for word in self.word_names(name):
                    self.options.add(word)
                self.option_shapes[name] = Place("o", name, SET, [])
                continue
            if isinstance(one, list) and one and isinstance(one[0], frozenset):
                for word in self.word_names(name):
                    self.options.add(word, len(one))
                count = str(len(one))
                self.option_shapes[name] = Place("o", name, SET, [1], counts=[count])
                continue
            if isinstance(one, list):
                steps.append(1)
                if one and isinstance(one[0], list):
                    longest = max(len(each) for each in one)
                    steps = [longest, 1]
                    one = one[0]
            kind = FLOAT if _has_float(value) else INT
            size = len(value) * (steps[0] if len(steps) > 1 else 1) if steps else 1
            if steps and len(steps) == 1:
                size = max(size, self.players)
            self.options.add(name, size)
            words = self.program.option_words.get(name, ())
            kind = WORD_OPTION if words else kind
            counts = [str(len(value)), *map(str, steps[:-1])] if steps else []
            if name in self.program.options_per_seat:
                counts = ["o.players"]
            shape = Place("o", name, kind, steps, words=words, counts=counts)
            self.option_shapes[name] = shape
        self.option_shapes.setdefault("players", Place("o", "players", INT, []))
        self.options.add("lowest_wins")
        self.options.add("cleared")  # so many numbers of the state are 0 when a match begins
        for name in ("policy", "rollout", "rollout_at"):
            self.options.add(name, self.players)
        self.options.add("params", self.players * MAX_PARAMS)

    @property
    def form(self) -> tuple[Any, ...]:
        """Cache key: the shapes of the options."""
        shapes = tuple(
            (name, one.kind, tuple(one.steps), tuple(one.counts), self.options.places.get(name))
            for name, one in self.option_shapes.items()
        )
        return self.words, shapes

    def option_row(self, options: Mapping[str, Any]) -> np.ndarray:
        """Return the numbers of `o` for some option values of this shape."""
        row = np.zeros(self.options.size + 16, np.int64)
        for name, value in options.items():
            flat = value if isinstance(value, list) else [value]
            if flat and isinstance(flat[0], frozenset):
                for place, each in enumerate(flat):
                    bits = sum(1 << card for card in each)
                    for word, title in enumerate(self.word_names(name)):
                        row[self.options[title][0] + place] = signed(bits >> 64 * word)
                continue
            if flat and isinstance(flat[0], list):
                longest = self.option_shapes[name].steps[0]
                flat = [x for each in flat for x in (*each, *[0] * (longest - len(each)))]
            at, count = self.options[name]
            is_float = _has_float(value)
            numbers = np.array(flat, np.float64).view(np.int64) if is_float else np.array(flat)
            if len(numbers) > count:
                raise ValueError(f"option {name} has {len(numbers)} numbers, not {count}")
            row[at : at + len(numbers)] = numbers
        return row


def _has_float(value: Any) -> bool:
    if isinstance(value, list):
        return any(_has_float(each) for each in value)
    return isinstance(value, float)


def signed(word: int) -> int:
    """Return 64 bits as an int64."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word
