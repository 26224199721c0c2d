"""The rows of numbers that compiled code reads, and the functions over numbers of a unit."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import FunctionType
from typing import Any

import numpy as np

from simcore.compiler import checked, piles, refusals
from simcore.compiler.core import FLOAT, INT, SET, WORD_OPTION, Core, lines, read_core
from simcore.compiler.program import Program, Refused, Routine
from simcore.language import WORDS, Field
from simcore.records import MAX_PARAMS

STREAMS = ("DEAL", "CHANCE", "MATCH", "ASIDE", "SEAT")
PER_SEAT_STREAMS = ("SEAT",)

MEMORY_WORDS = 64
"""Numbers that a policy may remember in each seat."""

MOST_OF_TABLE = 1 << 16

_EFFECTS = """
    ask end_round end_match abort note note_if note_leaders note_lead_change below word uniform
    below_from move draw bring insert cut shuffle look reveal
"""
EFFECTS = frozenset(_EFFECTS.split())
"""Words that change the state, or what is drawn next."""


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


class Functions:
    """The functions of a unit over numbers, and the rows that they are about: state and options.

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
    checked : bool
        Whether users have written it: what Python refuses while it runs is noted in `fault` of the
        state.

    Attributes
    ----------
    done : dict of Core
        By name.
    tables : dict of arrays
        Constants by name.
    streams : set of str
        Families of random streams that are drawn from.
    """

    def __init__(
        self,
        program: Program,
        options: Mapping[str, Any],
        memory: Mapping[str, Field] | None = None,
        fixed: Mapping[int, int] | None = None,
        *,
        checked: bool = False,
    ) -> None:
        self.program, self.players = program, program.most_players
        self.memory, self.fixed, self.checked = memory or {}, fixed or {}, checked
        self.fields = {**program.rules_fields, **self.memory}
        places = options.get("places", program.deck.places if program.deck else 64)
        self.words = -(-int(places) // 64)
        # Where the deck depends on options, rules name cards that it may lack: sets leave them out.
        self.numbers = 256 if "places" in options else 64 * self.words
        self.state, self.options = Layout(), Layout()
        self.option_shapes: dict[str, Place] = {}
        self._lay_out_state()
        self._lay_out_memory()
        self._lay_out_options(options)
        self.done: dict[str, Core] = {}
        self.tables: dict[str, np.ndarray] = {}
        self.streams: set[str] = set()
        self._changing: dict[str, bool] = {}

    # -------------------------------------------------------------------------------------- state

    def field_names(self, name: str) -> list[str]:
        """Return the names of a field's words."""
        is_set = self.program.is_set(self.fields[name].kind)
        return self.word_names(name) if is_set else [name]

    def word_names(self, name: str) -> list[str]:
        """Return the names of the words of a set of cards."""
        return [name] if self.words == 1 else [f"{name}__{word}" for word in range(self.words)]

    def _lay_out_state(self) -> None:
        for name in ("seed", "key", "illegal_move", "fault"):
            self.state.add(name)
        for name, declared in self.program.rules_fields.items():
            count = (self.players if declared.per_seat else 1) * max(declared.many, 1)
            for word in self.field_names(name):
                self.state.add(word, count)
            if piles.is_ordered(declared.kind):
                for word in piles.words_of(name):
                    self.state.add(word, count * piles.room_of(self.program))
        for name in self.program.metrics:
            self.state.add(f"count_{name}")
        for name, size in self.program.game.counted.items():
            if size:
                self.state.places[f"count_{name}"] = self.state[f"count_{name}_0"][0], size
        for family in (*STREAMS, "OTHER"):
            for place in (0, 1):
                count = self.players if family in (*PER_SEAT_STREAMS, "OTHER") else 1
                self.state.add(f"{family.lower()}{place}", count)
        self.state.add("memory_", self.players * MEMORY_WORDS)

    def _lay_out_memory(self) -> None:
        """Place the fields in which a policy remembers; the places are those of seat 0."""
        used, room = 0, self.state["memory_"][0]
        for name, declared in self.memory.items():
            for word in self.field_names(name):
                many = max(declared.many, 1)
                self.state.places[word] = (room + used, (self.players - 1) * MEMORY_WORDS + many)
                used += many
                if used > MEMORY_WORDS:
                    raise Refused(
                        f"a policy of {self.program.game.name} remembers too much from `{name}` "
                        f"on; allowed: {MEMORY_WORDS} numbers for each seat"
                    )

    # ------------------------------------------------------------------------------------ options

    def _lay_out_options(self, options: Mapping[str, Any]) -> None:
        self.options.add("players")
        for name, value in options.items():
            items = value if isinstance(value, list) else [value]
            first, many = items[0] if items else 0, len(items)
            if isinstance(first, frozenset):
                for word in self.word_names(name):
                    self.options.add(word, many)
                shape = ([1], [str(many)]) if isinstance(value, list) else ([], [])
                self.option_shapes[name] = Place("o", name, SET, shape[0], counts=shape[1])
                continue
            steps: list[int] = []
            if isinstance(first, list):
                steps = [max(map(len, value)), 1]
                many *= steps[0]
            elif isinstance(value, list):
                steps, many = [1], max(many, self.players)
            self.options.add(name, many)
            words = self.program.option_words.get(name, ())
            kind = WORD_OPTION if words else FLOAT if _has_float(value) else INT
            counts = [str(len(value)), *map(str, steps[:-1])] if steps else []
            if name in self.program.options_per_seat:
                counts = ["o.players"]
            self.option_shapes[name] = Place("o", name, kind, steps, words=words, counts=counts)
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
            (
                name,
                shape.kind,
                tuple(shape.steps),
                tuple(shape.counts),
                self.options.places.get(name),
            )
            for name, shape in self.option_shapes.items()
        )
        return self.words, shapes

    def option_row(self, options: Mapping[str, Any]) -> np.ndarray:
        """Return the numbers of `o` for some option values of this shape."""
        row = np.zeros(self.options.size + 16, np.int64)
        for name, value in options.items():
            flat = value if isinstance(value, list) else [value]
            if flat and isinstance(flat[0], frozenset):
                for place, cards in enumerate(flat):
                    bits = sum(1 << card for card in cards)
                    for word, title in enumerate(self.word_names(name)):
                        row[self.options[title][0] + place] = signed(bits >> 64 * word)
                continue
            if flat and isinstance(flat[0], list):
                longest = self.option_shapes[name].steps[0]
                flat = [x for line in flat for x in (*line, *[0] * (longest - len(line)))]
            at, count = self.options[name]
            is_float = _has_float(value)
            numbers = np.array(flat, np.float64).view(np.int64) if is_float else np.array(flat)
            if len(numbers) > count:
                raise ValueError(f"option {name} has {len(numbers)} numbers, not {count}")
            row[at : at + len(numbers)] = numbers
        return row

    # ---------------------------------------------------------------------------------- functions

    def want(self, routine: Routine, given: dict[str, str] | None = None) -> Core:
        """Return a routine over numbers, and add it with what it calls."""
        raise NotImplementedError  # it is `translate.Lowering` that knows how

    def second_form(self, routine: Routine) -> Routine:
        """Return the form of a function that is compiled (`language.fast`)."""
        second = routine.function.__dict__.get("fast")
        if second is None or self.program.is_overridden(routine):
            return routine
        return self.program.routine(second)

    def add(self, core: Core) -> Core:
        """Add a function that was written here."""
        self.done[core.name] = core
        return core

    def pile_function(self, name: str, field: str) -> str:
        """Return the name of a function of an ordered field (`piles`), which is added."""
        title = f"{name}_{field}_"
        if title not in self.done:
            constants = {**vars(piles), "ROOM": piles.room_of(self.program)}
            core = read_core(getattr(piles, name), constants)
            for node in (part for line in core.body for part in ast.walk(line)):
                if isinstance(node, ast.Attribute) and node.attr in ("order", "seen"):
                    node.attr = f"{field}_{node.attr}_"
                elif isinstance(node, ast.Name) and node.id == "turn":
                    node.id = self.pile_function("turn", field)
            self.add(replace(core, name=title))
        return title

    def check(self, name: str, *args: str, params: str = "", text: str = "") -> str:
        """Add the function `name`, which notes faults, if it is missing; return a call of it.

        It is the one of this name in `checked`, or has a text, over whole numbers.
        """
        if name not in self.done:
            if text:
                self.add(Core(name, params.split(), lines(text), {}, (INT,)))
            else:
                self.add(read_core(getattr(checked, name), vars(checked)))
        return f"{name}(s, o, {', '.join(args)})"

    def changes(self, node: ast.AST, routine: Routine) -> bool:
        """Tell whether part of a routine changes the state or uses random numbers."""
        for part in ast.walk(node):
            if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
                return True
            if isinstance(part, ast.Call):
                called = [part.func, *(keyword.value for keyword in part.keywords)]
                if any(self._alters(ast.unparse(function), routine) for function in called):
                    return True
        return False

    def _alters(self, name: str, routine: Routine) -> bool:
        """Tell whether a function that a routine calls changes the state, or draws."""
        value, callee = routine.space.get(name), routine.calls.get(name)
        if callee is None:
            return isinstance(value, FunctionType) and WORDS.get(value) in EFFECTS
        if callee.name not in self._changing:
            self._changing[callee.name] = self.changes(callee.tree, callee)
        return self._changing[callee.name]

    def team(self, seat: str) -> str:
        """Return the seats of a seat's team, as bits."""
        seating = self.program.seating
        table = self.table("team", [seating.team(seat) for seat in range(seating.most)])
        return f"({table.name}[{seat}] & ((1 << o.players) - 1))"

    def viewers(self, name: str, seat: str) -> str:
        """Return the seats that see what a seat has in a field, as bits."""
        declared, seating = self.fields[name], self.program.seating
        if not declared.per_seat or declared.sees in ("shown", "hidden"):
            return "((1 << o.players) - 1)" if declared.sees == "shown" else "0"
        if not declared.to:
            return f"(1 << ({seat}))"
        masks = [
            [seating.viewers(declared, holder, max(players, 1)) for holder in range(seating.most)]
            for players in range(seating.most + 1)
        ]
        table = self.table(f"viewers_{name}", masks)
        return f"{table.name}[o.players * {seating.most} + ({seat})]"

    def table(self, name: str, value: Any) -> Place:
        """Add a constant table; return its place.

        Raises
        ------
        ValueError
            If it holds something else than numbers of 64 bits, too many, or has rows of different
            lengths.
        """
        numbers = np.array(value)
        if numbers.size > MOST_OF_TABLE:
            raise ValueError(
                f"a table has {MOST_OF_TABLE:,} numbers at most, not {numbers.size:,}; what is "
                "larger is worked out by a function"
            )
        if numbers.dtype.kind not in "bif" or not numbers.size:
            raise ValueError(refusals.NO_TABLE)
        kind = FLOAT if numbers.dtype.kind == "f" else INT
        steps = [int(np.prod(numbers.shape[axis + 1 :])) for axis in range(numbers.ndim)]
        flat = numbers.astype(np.float64 if kind == FLOAT else np.int64).ravel()
        flat = np.ascontiguousarray(flat).view(np.int64)
        padded = np.concatenate([flat, np.zeros(max(0, 16 - len(flat)), np.int64)])
        title = "T_" + re.sub(r"\W", "_", name, flags=re.ASCII)
        while not np.array_equal(self.tables.get(title, padded), padded):
            title += "_"
        self.tables[title] = padded
        return Place("", title, kind, steps, counts=list(map(str, numbers.shape)))


def _has_float(value: Any) -> bool:
    if isinstance(value, list):
        return any(_has_float(item) for item in value)
    return isinstance(value, float)


def signed(word: int) -> int:
    """Return 64 bits as an int64."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word
