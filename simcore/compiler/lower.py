"""From rules to numbers: sets of cards become machine words, fields and options get places.

What comes out is Python again (`Core`): functions of `s` and `o` over int64, float64 and truth
values, in which `s.name[index]` and `o.name[index]` have one index and every test is a truth
value. `module` prints it for Numba.
"""

from __future__ import annotations

import ast
import inspect
import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import FunctionType
from typing import Any, NoReturn

import numpy as np

from simcore import language
from simcore.compiler.checked import CHECKS, Check, of_words
from simcore.compiler.program import (
    FIRST_DECISION,
    NO_TEAMS,
    Namespace,
    Program,
    Refused,
    Routine,
    is_ordinary,
    near,
    simple_names,
)
from simcore.errors import unknown
from simcore.language import NO_CARD, WORDS, Decision, Dial, Field, Stream
from simcore.records import MAX_PARAMS

INT, BOOL, FLOAT, SET, TABLE, WORD_OPTION = "n", "b", "f", "s", "t", "w"
POINTER, WORDS_AT, REALS_AT = "p", "pn", "pf"
"""Kinds of parameters: a state or options, and the start of an array of whole numbers or floats."""

EFFECTS = {
    "ask",
    "end_round",
    "end_match",
    "abort",
    "note",
    "note_if",
    "note_leaders",
    "note_lead_change",
    "below",
    "word",
    "uniform",
    "below_from",
    "move",
    "draw",
    "bring",
}
"""Words that change the state, or what is drawn next."""

STREAMS = ("DEAL", "CHANCE", "MATCH", "ASIDE", "SEAT")
PER_SEAT_STREAMS = ("SEAT",)
MEMORY_WORDS = 64
"""Numbers that a policy may remember in each seat."""

MOST_OF_TABLE = 1 << 16
_NO_TABLE = "a table holds numbers of 64 bits, in rows of the same length"

KEYWORDS = {
    "FunctionDef": "def",
    "AsyncFunctionDef": "async def",
    "ClassDef": "class",
    "Delete": "del",
    "ImportFrom": "import",
}
"""Statements that are not called as Python's own classes call them."""

_TABLE = (
    "; a table of numbers is a constant of the file, and what changes is declared in `State`, as "
    "in shown(number, many=4)"
)
INSTEAD = {
    "FunctionDef": "; write it beside the other functions",
    "Import": "; import at the top of the file",
    "ImportFrom": "; import at the top of the file",
    "List": _TABLE,
    "Dict": _TABLE,
    "ListComp": f"; a set of cards is {{card for card in cards if …}}{_TABLE}",
    "DictComp": _TABLE,
    "Lambda": "; write a function, with a name",
    "NamedExpr": "; assign on a line of its own",
    "Slice": "; one index at a time",
    "GeneratorExp": "; it stands in sum(…), any(…), all(…), max(…) or min(…)",
}
"""What to write in place of what rules do not have."""

NO_FUNCTIONS = {
    "print": "`cardlab play` tells a match move by move",
    "sorted": "a loop over a set begins with the lowest card; max(cards, key=…) finds the best",
    "enumerate": "loop over range(…), with an index",
    "zip": "loop over range(…), with an index",
    "round": "write int(x + 0.5)",
    **dict.fromkeys(
        ("random", "randint", "randrange", "choice", "shuffle"),
        "below(s, CHANCE, n) draws a number, draw(place, place) a card; policies draw with "
        "below(s, SEAT(seat), n)",
    ),
    **dict.fromkeys(
        ("add", "remove", "discard", "append", "pop", "clear", "update"),
        "cards change their place by move(what, from, to) or draw(from, to); sets are made with "
        "| & - ^",
    ),
}
"""Functions of Python that are missed, and what to write instead."""


@dataclass
class Core:
    """A function over numbers.

    Attributes
    ----------
    name : str
    params : list of str
        Without `s` and `o`, which the first is given where it `uses_state`, the second always.
    kinds : dict
        Of each parameter and local: INT, BOOL or FLOAT.
    returns : tuple of str
        The kinds of what it returns.
    """

    name: str
    params: list[str]
    body: list[ast.stmt]
    kinds: dict[str, str]
    returns: tuple[str, ...] = ()
    uses_state: bool = True
    rare: bool = False
    file: str = ""
    line: int = 0
    about: str = ""
    """The docstring of the source."""
    free: bool = False
    """Whether it takes neither the state nor the options."""
    gives: tuple[str, ...] = ()
    """The kinds of what it returns in its source, where a set is one value."""


@dataclass
class Value:
    """What an expression is: its kind, and a text for each of its words."""

    kind: str
    texts: list[str]
    words: tuple[str, ...] = ()
    bits: int = 64
    """A whole number is nearer to 0 than 2 to this power, as far as is known."""

    @property
    def text(self) -> str:
        return self.texts[0]


@dataclass
class Place:
    """Where a field, an option or a table stands: name, kind, and how far each index counts."""

    holder: str
    name: str
    kind: str
    steps: list[int]
    indices: list[str] = field(default_factory=list)
    words: tuple[str, ...] = ()
    counts: list[str] = field(default_factory=list)
    """How many there are by each index."""
    node: ast.AST | None = None


def parsed(text: str) -> ast.expr:
    """Return the expression that a text is."""
    return ast.parse(text, mode="eval").body


def lines(text: str) -> list[ast.stmt]:
    """Return the statements that a text is."""
    return ast.parse(text).body


_NUMBERS = {
    "int": INT,
    "float": FLOAT,
    "bool": BOOL,
    "Words": WORDS_AT,
    "Reals": REALS_AT,
    "State": POINTER,
}


def read_core(function: Callable[..., Any], constants: Mapping[str, Any]) -> Core:
    """Return a Python function over numbers, with annotations; names in capitals are constants."""
    tree = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    for part in ast.walk(tree):
        if isinstance(part, ast.Name) and part.id.isupper():
            part.__class__ = ast.Constant  # type: ignore[assignment]
            part.value = constants[part.id]  # type: ignore[attr-defined]
    kinds = {arg.arg: ast.unparse(arg.annotation) for arg in tree.args.args if arg.annotation}
    uses_state = list(kinds)[:2] == ["s", "o"]
    params = list(kinds)[2:] if uses_state else list(kinds)
    returned = ast.unparse(tree.returns).removeprefix("tuple[").rstrip("]") if tree.returns else ""
    return Core(
        tree.name,
        params,
        tree.body[1:] if ast.get_docstring(tree) else tree.body,
        {name: _NUMBERS[kinds[name]] for name in params},
        tuple(_NUMBERS[one] for one in returned.split(", ") if one not in ("", "None")),
        uses_state,
        free=not uses_state,
    )


class Layout:
    """Places of fields or options in a row of numbers."""

    def __init__(self) -> None:
        self.places: dict[str, tuple[int, int]] = {}
        self.size = 0

    def add(self, name: str, count: int = 1) -> None:
        """Give a name so many places."""
        if name not in self.places:
            self.places[name] = (self.size, count)
            self.size += count

    def __getitem__(self, name: str) -> tuple[int, int]:
        return self.places[name]

    def __contains__(self, name: str) -> bool:
        return name in self.places


class Lowering:
    """All functions of a program that are wanted, over numbers.

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
        self.checked = checked
        self.fixed = fixed or {}
        self.fields = {**program.rules_fields, **(memory or {})}
        self.memory = memory or {}
        self.done: dict[str, Core] = {}
        self.routines: dict[str, Routine] = {}
        self.tables: dict[str, np.ndarray] = {}
        self.streams: set[str] = set()
        places = options.get("places", program.deck.places if program.deck else 64)
        self.words = -(-int(places) // 64)
        # Where the deck depends on options, rules name cards that it may lack: sets leave them out.
        self.numbers = 256 if "places" in options else 64 * self.words
        self.state, self.options = Layout(), Layout()
        self.option_shapes: dict[str, Place] = {}
        self._lay_out_state()
        self._lay_out_options(options)
        self._changing: dict[str, bool] = {}

    # ------------------------------------------------------------------------------------- layout

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
        """Give what a policy remembers its places, which are those of the first seat."""
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
        """What of the options decides the code."""
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

    # ---------------------------------------------------------------------------------- functions

    def want(self, routine: Routine, given: dict[str, str] | None = None) -> Core:
        """Return a routine over numbers, and what it calls.

        `given` are the kinds of its arguments at the first call; where nothing is said of them a
        parameter is a number, and `moves` a set.
        """
        second = routine.function.__dict__.get("fast")
        if second is not None and not self.program.game.changes:
            routine = self.program.routine(second)
        if routine.name not in self.done:
            self.done[routine.name] = Body(self, routine, given or {}).lowered()
        return self.done[routine.name]

    def want_policy(self, routine: Routine, moves: str) -> Core:
        """Return a policy's function over numbers: of moves of a kind, and of floats."""
        given = {"moves": moves, **dict.fromkeys(routine.params[3:], FLOAT)}
        return self.want(routine, given)

    def add(self, core: Core) -> Core:
        """Add a function that was written here."""
        self.done[core.name] = core
        return core

    def check(self, name: str, *args: str, check: Check | None = None) -> str:
        """Return the call of a function that notes a fault (`checked`), which is added."""
        if name not in self.done:
            check = check or CHECKS[name]
            params = check.params.split()
            kinds = dict.fromkeys(params, check.kind)
            self.add(Core(name, params, lines(check.text), kinds, (check.returns,), True))
        return f"{name}(s, o, {', '.join(args)})"

    def changes(self, node: ast.AST, one: Routine) -> bool:
        """Tell whether a piece of a routine changes the state or what is drawn."""
        for part in ast.walk(node):
            if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
                return True
            if isinstance(part, ast.Call):
                called = [part.func, *(word.value for word in part.keywords)]
                if any(self._alters(ast.unparse(each), one) for each in called):
                    return True
        return False

    def _alters(self, name: str, one: Routine) -> bool:
        """Tell whether a function that is called in a routine changes the state, or draws."""
        value, callee = one.space.get(name), one.calls.get(name)
        if callee is None:
            return isinstance(value, FunctionType) and WORDS.get(value) in EFFECTS
        if callee.name not in self._changing:
            self._changing[callee.name] = self.changes(callee.tree, callee)
        return self._changing[callee.name]

    def team(self, seat: str) -> str:
        """Return the seats of a seat's team, as bits."""
        seating = self.program.seating
        table = self.table("team", [seating.team(one) for one in range(seating.most)])
        return f"({table.name}[{seat}] & ((1 << o.players) - 1))"

    def viewers(self, name: str, seat: str) -> str:
        """Return the seats that see what a seat has in a field, as bits."""
        declared, seating = self.fields[name], self.program.seating
        if not declared.per_seat or declared.sees in ("shown", "hidden"):
            return "((1 << o.players) - 1)" if declared.sees == "shown" else "0"
        if not declared.to:
            return f"(1 << ({seat}))"
        masks = [
            [seating.viewers(declared, one, max(players, 1)) for one in range(seating.most)]
            for players in range(seating.most + 1)
        ]
        table = self.table(f"viewers_{name}", masks)
        return f"{table.name}[o.players * {seating.most} + ({seat})]"

    def table(self, name: str, value: Any) -> Place:
        """Return the place of a constant table, and keep its numbers.

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
            raise ValueError(_NO_TABLE)
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
        return any(_has_float(each) for each in value)
    return isinstance(value, float)


def signed(word: int) -> int:
    """Return 64 bits as an int64."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


_MOVES = {
    "legal": "the set of legal moves, as in s.hand[seat] or {0, 1},",
    "count": "how many moves there are",
    "nth": "the number of a move",
}


class Body:
    """Lowers one routine."""

    def __init__(self, lowering: Lowering, routine: Routine, given: dict[str, str]) -> None:
        self.low, self.routine, self.program = lowering, routine, lowering.program
        self.given = given
        self.kinds: dict[str, str] = {}  # of names in the source
        self.types: dict[str, str] = {}  # of names in what is made
        self.returns: list[str] | None = None
        self.named = {
            one.id for one in simple_names(routine.tree) if not isinstance(one.ctx, ast.Load)
        }
        self.has: set[str] = set()  # names that have a value, whatever happened before
        self.breaks: list[list[set[str]]] = []  # what has one where loops under way are left
        self.count = 0
        self.before: list[str] = []  # lines that the statement under way needs before it
        self.inner: dict[str, str] = {}  # names of comprehensions, and what they are called
        self.renamed: dict[str, str] = {}

    # ------------------------------------------------------------------------------------- whole

    def lowered(self) -> Core:
        tree = self.routine.tree
        if tree.args.defaults or tree.args.kwonlyargs or tree.args.vararg or tree.args.kwarg:
            self.stop(
                tree, "parameters have names only: no defaults, no *; give all values in each call"
            )
        params: list[str] = []
        for argument in tree.args.args:
            if argument.arg == "s":
                continue
            if argument.arg == "o":
                self.stop(argument, "`o` has a meaning already; take another name")
            self.kinds[argument.arg] = self.param_kind(argument, self.given)
        given = dict(self.kinds)
        self.named |= set(given)
        self.routine.__dict__["param_kinds"] = given
        for _ in range(4):  # until the kinds of locals are known
            before = dict(self.kinds)
            self.types, self.count, self.returns, self.before = {}, 0, None, []
            self.has = set(given)
            for name, kind in given.items():
                for one in self.names_of(name):
                    self.types[one] = INT if kind == SET else kind
            body = self.block(tree.body)
            if before == self.kinds:
                break
        if self.source_returns and _falls_through(tree.body):
            self.stop(tree, "it returns a value on one way through it, and none on another")
        for name in given:
            params += self.names_of(name)
            for one in self.names_of(name):
                self.types[one] = INT if given[name] == SET else given[name]
        made = Core(
            self.routine.name,
            params,
            body or [ast.Pass()],
            dict(self.types),
            tuple(self.returns or ()),
            "s" in self.routine.params or self.low.checked,
            self.routine.rare,
            self.routine.file,
            tree.lineno,
            inspect.getdoc(self.routine.function) or "",
            gives=tuple(self.source_returns),
        )
        for node in made.body:
            ast.fix_missing_locations(node)
        self.check_moves(made.gives)
        return made

    def check_moves(self, gives: tuple[str, ...]) -> None:
        """Refuse a step that does not return the legal moves as it must."""
        steps = self.program.steps.items()
        step = next((name for name, one in steps if one is self.routine), "")
        kind = next((kind for kind in _MOVES if step.startswith(f"{kind}_")), "")
        if kind and (len(gives) != 1 or (gives[0] == SET) != (kind == "legal")):
            self.stop(None, f"it must return {_MOVES[kind]} on every way through it")

    def param_kind(self, argument: ast.arg, given: dict[str, str]) -> str:
        note = ast.unparse(argument.annotation) if argument.annotation else ""
        known = {"float": FLOAT, "bool": BOOL, "int": INT, "cardset": SET, "cards": SET, "Any": INT}
        if note in known:
            return known[note]
        if note:
            self.stop(argument, f"`{note}` is no kind; allowed: int, float, bool, cardset")
        kind = given.get(argument.arg, SET if argument.arg == "moves" else INT)
        return INT if kind in (BOOL, WORD_OPTION) else kind

    def stop(self, node: ast.AST | None, text: str) -> NoReturn:
        raise self.routine.refuse(node, text)

    def names_of(self, name: str) -> list[str]:
        """Return what the words of a local are called."""
        if name in self.inner:
            return [self.inner[name]]
        title = self.title_of(name)
        return self.low.word_names(title) if self.kinds.get(name) == SET else [title]

    def title_of(self, name: str) -> str:
        """Return what a local is called: its name, unless that means something else here."""
        functions = {one.name for one in self.routine.calls.values()}
        if is_ordinary(name) and name not in functions:
            return name
        return self.renamed.setdefault(name, f"local{len(self.renamed)}_")

    def fresh(self, kind: str = INT) -> str:
        self.count += 1
        name = f"t{self.count}_"
        self.types[name] = kind
        return name

    # -------------------------------------------------------------------------------- statements

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            kept, self.before = self.before, []
            each = self.statement(node)
            each = self.joined(each)
            self.before = kept
            made += [ast.copy_location(one, node) for one in each]
        return made

    def joined(self, made: list[ast.stmt]) -> list[ast.stmt]:
        """Return a statement after those that it needs; a value used at once needs no name."""
        name = getattr(getattr(made[0], "value", None), "id", "") if len(made) == 1 else ""
        last = self.before[-1] if self.before else ""
        if name and last.startswith(f"{name} = ") and name.endswith("_") and "\n" not in last:
            del self.before[-1]
            made[0].value = parsed(last.partition(" = ")[2])  # type: ignore[attr-defined]
        return [*lines("\n".join(self.before)), *made]

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        method = getattr(self, "do_" + type(node).__name__, None)
        if method is None:
            kind = type(node).__name__
            self.stop(
                node,
                f"`{KEYWORDS.get(kind, kind.lower())}` is not among what rules are written in: "
                f"assignments, if, while, for, return, calls{INSTEAD.get(kind, '')}",
            )
        return method(node)  # type: ignore[no-any-return]

    def do_Pass(self, node: ast.Pass) -> list[ast.stmt]:
        return [node]

    def do_Break(self, node: ast.Break) -> list[ast.stmt]:
        self.breaks[-1].append(self.has)
        self.has = self.named  # of what is never reached nothing is asked
        return [node]

    def do_Continue(self, node: ast.Continue) -> list[ast.stmt]:
        self.has = self.named
        return [node]

    def do_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return []
        if isinstance(node.target, ast.Name) and ast.unparse(node.annotation) == "float":
            self.kinds[node.target.id] = FLOAT
        return self.do_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def do_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        target = node.targets[0]
        if isinstance(target, ast.Tuple) and not isinstance(node.value, ast.Tuple):
            if len(node.targets) > 1:
                self.stop(node, "assign as many values as names")
            return self.store_all(target.elts, self.unpacked(node, target))
        if isinstance(node.value, ast.Tuple):
            values = self.operands(node.value.elts)
        else:
            values = [self.x(node.value)]
        if len(node.targets) > 1:
            values = [self.saved(value) for value in values]
        made = []
        for one in node.targets:
            targets = one.elts if isinstance(one, ast.Tuple) else [one]
            if len(targets) != len(values):
                self.stop(node, "assign as many values as names")
            made += self.store_all(targets, values)
            if len(node.targets) > 1:  # a later one is found when those before have their values
                self.before += [ast.unparse(each) for each in made]
                made = []
        return made

    def unpacked(self, node: ast.Assign, target: ast.Tuple) -> list[Value]:
        """Return the values of a call of a function that returns several."""
        callee = self.callee(node.value)
        if callee is None:
            self.stop(node, "assign as many values as names")
        core, call, kinds = self.called(node.value, callee)
        if len(kinds) != len(target.elts):
            self.stop(node, f"{callee.tree.name} returns {len(kinds)} values")
        return self.several(call, core, kinds)

    def several(self, call: str, core: Core, kinds: list[str]) -> list[Value]:
        """Call a function that returns several numbers; return its values."""
        names = [self.fresh(kind) for kind in core.returns]
        self.before.append(f"{', '.join(names)} = {call}")
        values, at = [], 0
        for kind in kinds:
            width = self.low.words if kind == SET else 1
            values.append(Value(kind, names[at : at + width]))
            at += width
        return values

    def store_all(self, targets: list[ast.expr], values: list[Value]) -> list[ast.stmt]:
        """Return statements that give targets their values, from left to right."""
        at = len(self.before)
        pairs = [self.target(*pair) for pair in zip(targets, values, strict=True)]
        if len(self.before) > at:
            # What finds a target is run after the value is there, and after targets before it.
            del self.before[at:]
            values = self.kept(values, at)
            for target, value in zip(targets, values, strict=True):
                pair = self.target(target, value)
                self.before.append(_assigned(*pair))
            return []
        left, right = ([text for pair in pairs for text in pair[side]] for side in (0, 1))
        return lines(_assigned(left, right))

    def target(self, target: ast.expr, value: Value) -> tuple[list[str], list[str]]:
        """Return the words of a target, and the texts that they are given."""
        if isinstance(target, ast.Name):
            return self.local(target, value)
        return self.stored(self.place(target), value, target)

    def stored(self, place: Place, value: Value, target: ast.expr) -> tuple[list[str], list[str]]:
        if place.holder != "s":
            self.stop(
                target,
                f"{ast.unparse(target)} cannot be changed; what changes is declared in State, "
                "what a policy remembers as memory(number)",
            )
        declared = self.low.fields.get(place.name)
        if declared is not None and self.program.is_place(declared.kind):
            self.stop(
                target,
                f"{ast.unparse(target)} holds cards: they go from one place to another by move() "
                "or draw() only, so that none is lost",
            )
        if place.kind == SET:
            return self.at(place), self.as_set(value, target).texts
        if value.kind == FLOAT:
            self.stop(target, "the state holds whole numbers; write int(…), or // for a division")
        return self.at(place), [self.storable(place.name, value, self.as_int(value, target))]

    def storable(self, name: str, value: Value, text: str) -> str:
        """Return what a field is given, checked where it does not hold every number."""
        if name in _BELOW:
            return self.index(text, _BELOW[name])
        if (name in ("scores", "deficits") or name.startswith("count_")) and value.bits > 31:
            return self.checked("short_", text)
        return text

    def checked(self, name: str, *args: str) -> str:
        """Return a number, and in users' code a note of a fault if it is none that may be."""
        return self.low.check(name, *args) if self.low.checked else args[0]

    def index(self, text: str, count: str) -> str:
        if _is_number(text) and count.isdigit() and 0 <= int(text.strip("()")) < int(count):
            return text
        return self.checked("index_", text, count)

    def local(self, target: ast.Name, value: Value) -> tuple[list[str], list[str]]:
        name = target.id
        self.refuse_name(target, name)
        old, new = self.kinds.get(name), value.kind
        if new == WORD_OPTION:
            new = INT
        if old is not None and old != new:
            if SET in (old, new):
                if value.texts != ["0"]:
                    self.stop(target, f"`{name}` is a set of cards here and a number there")
                new = SET
            else:
                new = FLOAT if FLOAT in (old, new) else INT
        self.kinds[name] = new
        self.has = {*self.has, name}
        names = self.names_of(name)
        for one in names:
            self.types[one] = INT if new == SET else new
        if new == SET:
            return names, self.as_set(value, target).texts
        return names, [self.cast(value, new, target)]

    def refuse_name(self, node: ast.AST, name: str) -> None:
        if name in self.program.dials or name in ("s", "o"):
            self.stop(node, f"`{name}` has a meaning already; take another name")

    def do_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Change what a target has: where it stands, and what it had, come before the value."""
        target, sign = node.target, _sign(node.op)
        if isinstance(target, ast.Name):
            self.refuse_name(target, target.id)
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            value = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
            return self.store_all([target], [self.x(value)])
        place = self.place(target)
        later = self.changes(node.value)
        if later:
            (place,) = self.kept([place], len(self.before))
        old = self.read_place(place, target)
        at = len(self.before)
        value_given = self.x(node.value)
        if later:
            (old,) = self.kept([old], at)
        made = self.binary(node, sign, old, value_given)
        return lines(_assigned(*self.stored(place, made, target)))

    def do_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        call = node.value
        if not isinstance(call, ast.Call):
            self.stop(node, "a line that does nothing; a value is assigned or returned")
        name, callee = self.word_of(call), self.callee(call)
        if name is not None and hasattr(self, f"word_{name}"):
            return getattr(self, f"word_{name}")(call)  # type: ignore[no-any-return]
        if name in ("because", "weigh"):
            self.operands([arg for arg in call.args if self.changes(arg)])
            return [ast.Pass()]
        if name == "draw":
            self.drawn(call, wanted=False)
            return []
        if callee is not None:
            core, text, kinds = self.called(call, callee)
            if len(core.returns) > 1:
                self.several(text, core, kinds)
                return []
            return lines(text)
        self.x(call)
        return []

    def do_If(self, node: ast.If) -> list[ast.stmt]:
        test = parsed(self.test(node.test))
        before = self.has
        body = self.block(node.body)
        after, self.has = self.has, before
        orelse = self.block(node.orelse)
        self.has = self.has & after
        return [ast.If(test, body or [ast.Pass()], orelse)]

    def loop(self, node: ast.While | ast.For) -> list[ast.stmt]:
        """Return a loop; what has a value after it had it before, or wherever it is left."""
        if node.orelse:
            self.stop(node, "no `else` after a loop")
        self.breaks.append([])
        before = self.has
        made = self.while_(node) if isinstance(node, ast.While) else self.for_(node)
        left = self.breaks.pop()
        self.has = self.named.intersection(*left) if _is_endless(node) else before
        return made

    do_While = do_For = loop

    def while_(self, node: ast.While) -> list[ast.stmt]:
        test, first = self.apart(lambda: self.test(node.test))
        body = self.block(node.body)
        if self.low.checked:
            body = [*lines("if rarely(s.fault != 0):\n    break"), *body]
        if not first:
            return [ast.While(parsed(test), body, [])]
        leave = ast.If(parsed(f"not {test}"), [ast.Break()], [])
        return [ast.While(parsed("True"), [*lines("\n".join(first)), leave, *body], [])]

    def do_Return(self, node: ast.Return) -> list[ast.stmt]:
        made = self.returned(node)
        self.has = self.named
        return made

    def returned(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            return [ast.Return()]
        parts = node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        values = self.operands(parts)
        kinds = [INT if value.kind == WORD_OPTION else value.kind for value in values]
        note = self.routine.tree.returns
        if len(kinds) == 1 and note is not None and ast.unparse(note) in ("cardset", "cards"):
            kinds = [SET]
        if self.returns is not None:
            if len(self.returns) and len(kinds) != len(self.source_returns):
                self.stop(node, f"it returns {len(self.source_returns)} values elsewhere")
            kinds = [join(a, b) for a, b in zip(self.source_returns, kinds, strict=True)]
        self.source_returns = kinds
        self.routine.__dict__["kinds"] = kinds
        texts, flat = [], []
        for value, kind in zip(values, kinds, strict=True):
            if kind == SET:
                texts += self.as_set(value, node).texts
                flat += [INT] * self.low.words
            else:
                texts.append(self.cast(value, kind, node))
                flat.append(kind)
        self.returns = flat
        return [ast.Return(parsed_tuple(texts))]

    source_returns: list[str] = []  # noqa: RUF012

    def for_(self, node: ast.For) -> list[ast.stmt]:
        if not isinstance(node.target, ast.Name):
            self.stop(
                node, "a loop has one name: `for seat in seats():`, then s.hand[seat] and the like"
            )
        head, first = self.loop_head(node.iter, node)
        self.local(node.target, Value(INT, ["0"]))
        (variable,) = self.names_of(node.target.id)
        body = self.block(node.body)
        return self.loop_of(head, variable, [*lines("\n".join(first(variable))), *body])

    def loop_head(self, over: ast.expr, node: ast.AST) -> tuple[str, Callable[[str], list[str]]]:
        """Return how a loop begins, and what gives its variable a value in each turn."""
        if self.is_call(over, "range") or self.word_of(over) == "seats":
            assert isinstance(over, ast.Call)
            self.need_range(over)
            args = [self.as_int(value, over) for value in self.operands(over.args)]
            args = args or ["o.players"]
            if len(args) < 3 or (_is_number(args[2]) and int(args[2].strip("()"))):
                return f"for VARIABLE in range({', '.join(args)}):", lambda _: []
            at, end, step = (self.fresh() for _ in range(3))
            self.before += [f"{at} = {args[0]}", f"{end} = {args[1]}", f"{step} = {args[2]}"]
            self.before += self.refused_step(step)
            test = f"({at} < {end} if {step} > 0 else {at} > {end})"
            return f"while {test}:", lambda name: [f"{name} = {at}", f"{at} = {at} + {step}"]
        value = self.x(over)
        if value.kind != SET:
            self.stop(
                node,
                f"a loop goes over a set of cards, seats() or range(…), not {ast.unparse(over)}",
            )
        rest = [self.fresh() for _ in value.texts]
        self.before += [f"{a} = {b}" for a, b in zip(rest, value.texts, strict=True)]
        return f"while ({' | '.join(rest)}) != 0:", lambda name: [
            f"{name} = {lowest_text(rest)}",
            without_lowest(rest),
        ]

    def refused_step(self, step: str) -> list[str]:
        """Return what notes that a range has no steps."""
        return [f"if {step} == 0:\n    s.fault = 1"] if self.low.checked else []

    def need_range(self, call: ast.Call) -> None:
        counts = (0,) if self.word_of(call) == "seats" else (1, 2, 3)
        if len(call.args) not in counts or call.keywords:
            way = "seats()" if counts == (0,) else "range(end), range(start, end) or with a step"
            self.stop(call, f"it is called as {way}")

    def loop_of(self, head: str, variable: str, body: list[ast.stmt]) -> list[ast.stmt]:
        (made,) = lines(f"{head.replace('VARIABLE', variable)}\n    pass")
        made.body = body or [ast.Pass()]  # type: ignore[attr-defined]
        return [made]

    # ------------------------------------------------ the order in which expressions are evaluated

    def changes(self, node: ast.AST) -> bool:
        """Tell whether an expression changes the state, or draws."""
        return self.low.changes(node, self.routine)

    def operands(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Return what some expressions are, which Python evaluates from left to right."""
        return self.in_order([(node, self.x) for node in nodes])

    def in_order(self, steps: Sequence[tuple[ast.expr, Callable[[Any], Any]]]) -> list[Any]:
        """Evaluate one expression after another.

        What changes the state stands on a line before the statement under way (`before`). Where a
        later expression has such a line, what earlier ones have read of the state is kept first.
        """
        found: list[Any] = []
        for node, evaluate in steps:
            at = len(self.before)
            value = evaluate(node)
            if len(self.before) > at and self.changes(node):
                found = self.kept(found, at)
            found.append(value)
        return found

    def kept(self, values: Sequence[Any], at: int) -> list[Any]:
        """Return values and places that no later change of the state alters."""
        made: list[str] = []
        found: list[Any] = []
        for value in values:
            texts = value.indices if isinstance(value, Place) else value.texts
            if all(map(_is_steady, texts)):
                found.append(value)
                continue
            kind = INT if isinstance(value, Place) else self.number_kind(value)
            names = [text if _is_steady(text) else self.fresh(kind) for text in texts]
            made += [f"{a} = {b}" for a, b in zip(names, texts, strict=True) if a != b]
            part = "indices" if isinstance(value, Place) else "texts"
            found.append(replace(value, **{part: names}))
        self.before[at:at] = made
        return found

    def saved(self, value: Value) -> Value:
        """Return a value that is worked out on a line of its own."""
        names = [self.fresh(self.number_kind(value)) for _ in value.texts]
        self.before += [f"{a} = {b}" for a, b in zip(names, value.texts, strict=True)]
        return replace(value, texts=names)

    def number_kind(self, value: Value) -> str:
        return value.kind if value.kind in (FLOAT, BOOL) else INT

    def apart(self, evaluate: Callable[[], Any]) -> tuple[Any, list[str]]:
        """Return what is evaluated only under a condition, and the lines that this takes."""
        outer, self.before = self.before, []
        value = evaluate()
        inner, self.before = self.before, outer
        return value, inner

    def under(self, test: str, made: list[str], otherwise: Sequence[str] = ()) -> None:
        """Add lines that are run under a condition."""
        text = f"if {test}:\n{indented(chr(10).join(made) or 'pass')}"
        if otherwise:
            text += f"\nelse:\n{indented(chr(10).join(otherwise))}"
        self.before.append(text)

    # ---------------------------------------------------------------------------------- words

    def word_of(self, node: ast.AST) -> str | None:
        """Return the word that is called, if one is."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id in self.kinds:
                return None
            value = self.routine.space.get(node.func.id)
            return WORDS.get(value) if isinstance(value, FunctionType) else None
        return None

    def is_call(self, node: ast.AST, name: str) -> bool:
        """Tell whether a function of Python's is called."""
        if not isinstance(node, ast.Call) or getattr(node.func, "id", "") != name:
            return False
        return name not in self.kinds and name not in self.routine.calls

    def callee(self, node: ast.AST) -> Routine | None:
        if not isinstance(node, ast.Call):
            return None
        return self.routine.calls.get(ast.unparse(node.func))

    def need(self, call: ast.Call, *counts: int) -> None:
        if len(call.args) not in counts or call.keywords:
            name = ast.unparse(call.func)
            params = list(inspect.signature(self.routine.space.get(name, len)).parameters)
            ways = [f"{name}({', '.join(params[:count])})" for count in counts]
            self.stop(call, f"it is called as {' or '.join(ways)}")

    def need_state(self, call: ast.Call) -> None:
        """Refuse a word that is given something else in place of the state."""
        if call.args and ast.unparse(call.args[0]) != "s":
            self.stop(call.args[0], "the state is handed on as `s`")

    def zone(self, node: ast.expr) -> Place:
        place = self.place(node)
        declared = self.low.fields.get(place.name) if place.holder == "s" else None
        if declared is None or not self.program.is_place(declared.kind):
            self.stop(node, f"{ast.unparse(node)} is no place of cards")
        self.at(place)
        return place

    def zones(
        self, call: ast.Call, *how: Callable[[Any], Any]
    ) -> tuple[list[Any], list[list[str]]]:
        """Return the values of a call's arguments, and the texts of those that are places.

        A place is found once, before cards move.
        """
        found = self.in_order(list(zip(call.args, how, strict=False)))
        places = [one for one in found if isinstance(one, Place)]
        texts = [self.at(one) for one in self.kept(places, len(self.before))]
        return [one for one in found if not isinstance(one, Place)], texts

    def word_move(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        (what,), (source, target) = self.zones(call, self.x, self.zone, self.zone)
        what = self.as_set(what, call, one=True)
        names = [self.fresh() for _ in what.texts]
        text = [f"{name} = {word}" for name, word in zip(names, what.texts, strict=True)]
        if self.low.checked:
            elsewhere = " | ".join(f"{x} & ~{a}" for x, a in zip(names, source, strict=True))
            text.append(f"if rarely(({elsewhere}) != 0):\n    s.fault = 1")
        for a, b, name in zip(source, target, names, strict=True):
            text += [f"{a} = {a} & ~{name}", f"{b} = {b} | {name}"]
        return lines("\n".join(text))

    def word_bring(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        (what,), (target,) = self.zones(call, self.x, self.zone)
        what = self.saved(self.as_set(what, call, one=True))
        text = [f"{b} = {b} | {w}" for b, w in zip(target, what.texts, strict=True)]
        if self.low.checked:
            twice = f"if rarely({self.lying(what.texts)} != 0):\n    s.fault = 1"
            text.insert(0, twice)
        return lines("\n".join(text))

    def lying(self, words: list[str]) -> str:
        """Return how many of some words have cards that lie somewhere already."""
        names = [f"w{place}" for place in range(len(words))]
        text = ["found = 0"]
        for name, declared in self.program.fields.items():
            if not self.program.is_place(declared.kind) or name not in self.low.fields:
                continue
            size = f"o.players * {max(declared.many, 1)}" if declared.per_seat else declared.many
            index = "[k]" if size else ""
            each = zip(names, self.low.field_names(name), strict=True)
            lying = [f"found = found | ({word} & s.{part}{index})" for word, part in each]
            text += (
                [f"for k in range({size}):", *("    " + one for one in lying)] if size else lying
            )
        check = Check(" ".join(names), "\n".join([*text, "return found"]))
        return self.low.check("lying_", *words, check=check)

    def drawn(self, call: ast.Call, *, wanted: bool = True) -> Value:
        """Draw cards; return the last one."""
        self.need(call, 2, 3)
        counts, (source, target) = self.zones(call, self.zone, self.zone, self.x)
        card = self.fresh()
        size = " + ".join(f"popcount({word})" for word in source)
        self.low.streams.add("DEAL")
        several = bool(counts)
        checked = self.low.checked
        there = self.fresh() if several or checked else size
        text = [f"{card} = {nth_text(self.low, source, f'below_DEAL(s, o, {there})')}"]
        for place, (a, b) in enumerate(zip(source, target, strict=True)):
            bit = self.fresh()
            text += [f"{bit} = {bit_text(card, place, len(source))}"]
            text += [f"{a} = {a} & ~{bit}", f"{b} = {b} | {bit}"]
        if not several:
            if checked:
                self.before += [f"{card} = 0", f"{there} = {size}"]
                self.under(f"rarely({there} == 0)", ["s.fault = 1"], text)
            else:
                self.before += text
            return Value(INT, [card], bits=8)
        count = self.as_int(counts[0], call)
        if wanted:
            self.before.append(f"{card} = {NO_CARD}")
        self.before.append(f"{there} = {size}")  # once, as each card waits for the one before
        text.append(f"{there} = {there} - 1")
        if checked:
            text.insert(0, f"if rarely({there} == 0):\n    s.fault = 1\n    break")
        inner = indented("\n".join(text))
        self.before.append(f"for {self.fresh()} in range({count}):\n{inner}")
        return Value(INT, [card])

    def word_ask(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        seat, decision = (self.as_int(one, call) for one in self.operands(call.args[1:]))
        if self.low.checked:
            seat, count = self.index(seat, "o.players"), len(self.program.decisions)
            known = map(str, self.program.decisions.values())
            if decision not in known:
                place = self.index(f"wadd({decision}, {-FIRST_DECISION})", str(count))
                decision = f"{place} + {FIRST_DECISION}"
        return lines(f"s.seat, s.phase = {seat}, {decision}")

    def word_end_round(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 1)
        return lines("s.phase = 1")

    def word_end_match(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        winners = self.checked("winners_", self.as_int(self.x(call.args[1]), call))
        if self.program.seating.has_teams:
            winners = self.checked_teams(winners)
        return lines(f"s.winners = {winners}\ns.phase = 0")

    def checked_teams(self, winners: str) -> str:
        """Return winners; note that one of a team is left out."""
        text = (
            "for one in range(o.players):\n"
            f"    if ((winners >> one) & 1) != 0 and ({self.low.team('one')} & ~winners) != 0:\n"
            "        s.fault = 1\nreturn winners"
        )
        if not self.low.checked:
            return winners
        return self.low.check("whole_teams_", winners, check=Check("winners", text))

    def word_abort(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 1)
        return lines("s.winners = 0\ns.aborted = 1\ns.phase = 0")

    def clause_bit(self, node: ast.expr) -> int:
        names = [clause.name for clause in self.program.game.clauses]
        name = getattr(node, "value", None)
        if name not in names:
            hint = near(str(name), names) if names else "; count with measure(…) and s.count"
            self.stop(node, f"no clause {name!r}{hint}")
        return 1 << names.index(name)

    def word_note(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        return lines(f"s.count_clauses = s.count_clauses | {self.clause_bit(call.args[1])}")

    def word_note_if(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        bit, test = self.clause_bit(call.args[1]), self.test(call.args[2])
        return lines(f"s.count_clauses = s.count_clauses | ({bit} if {test} else 0)")

    def word_note_lead_change(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        return lines(f"s.count_last_lead_change = {self.as_int(self.x(call.args[1]), call)}")

    def word_note_leaders(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2, 3)
        lowest = self.test(call.args[1])
        changes = getattr(call.args[2], "value", "") if len(call.args) > 2 else "lead_changes"
        counted = f"count_{changes}" if changes in self.program.metrics else ""
        name = f"note_leaders_{changes}_" if counted else "note_leaders_"
        change = f"    if s.leaders != 0:\n        s.{counted} = s.{counted} + 1\n"
        if name not in self.low.done:
            behind = self.checked("short_", "behind")
            text = (
                "best = best_score_(s, o, lowest)\nleaders = 0\n"
                "for seat in range(o.players):\n"
                "    behind = max(best - s.scores[seat], s.scores[seat] - best)\n"
                f"    s.deficits[seat] = max(s.deficits[seat], {behind})\n"
                "    leaders = leaders | ((1 << seat) if s.scores[seat] == best else 0)\n"
                "if leaders != s.leaders:\n"
                + (change if counted else "")
                + "    s.count_last_lead_change = s.round_number\n"
                "s.leaders = leaders\n"
            )
            self.best_score()
            kinds = {"lowest": BOOL, "best": INT, "leaders": INT, "seat": INT, "behind": INT}
            self.low.add(Core(name, ["lowest"], lines(text), kinds, (), True, True))
        return lines(f"{name}(s, o, {lowest})")

    def best_score(self) -> None:
        text = (
            "best = s.scores[0]\n"
            f"{self.same_totals()}"
            "for seat in range(1, o.players):\n"
            "    best = (min(best, s.scores[seat]) if lowest else max(best, s.scores[seat]))\n"
            "return best"
        )
        kinds = {"lowest": BOOL, "best": INT, "seat": INT}
        self.low.add(Core("best_score_", ["lowest"], lines(text), kinds, (INT,), True))

    def same_totals(self) -> str:
        """Return the text that notes that seats of a team have different totals."""
        if not (self.low.checked and self.program.seating.has_teams):
            return ""
        return (
            "for seat in range(o.players):\n"
            f"    if s.scores[seat] != s.scores[lowest_bit({self.low.team('seat')})]:\n"
            "        s.fault = 1\n"
        )

    # ------------------------------------------------------------------------------ expressions

    def x(self, node: ast.expr) -> Value:
        """Return what an expression is."""
        method = getattr(self, "x_" + type(node).__name__, None)
        if method is None:
            instead = INSTEAD.get(type(node).__name__, "")
            self.stop(
                node, f"`{ast.unparse(node)}` is not among what rules are written in{instead}"
            )
        return method(node)  # type: ignore[no-any-return]

    def test(self, node: ast.expr) -> str:
        """Return an expression as a truth value."""
        if isinstance(node, ast.BoolOp):
            return self.decided(node, [partial(self.test, part) for part in node.values])
        return self.as_bool(self.x(node))

    def decided(self, node: ast.BoolOp, parts: Sequence[Callable[[], str]]) -> str:
        """Return tests joined by `and` or `or`: none is evaluated once those before decide."""
        sign = " and " if isinstance(node.op, ast.And) else " or "
        return self.joined_tests(sign, parts)

    def joined_tests(self, sign: str, parts: Sequence[Callable[[], str]]) -> str:
        first, *others = parts
        tests, name = [first()], ""
        for part in others:
            test, made = self.apart(part)
            if made and not name:
                name = self.fresh(BOOL)
            if made:
                so_far = f"({sign.join(tests)})" if len(tests) > 1 else tests[0]
                if so_far != name:
                    self.before.append(f"{name} = {so_far}")
                self.under(name if "and" in sign else f"not {name}", [*made, f"{name} = {test}"])
                tests = [name]
            else:
                tests.append(test)
        return f"({sign.join(tests)})" if len(tests) > 1 else tests[0]

    def as_bool(self, value: Value) -> str:
        if value.kind == BOOL:
            return value.text
        return f"(({' | '.join(value.texts)}) != 0)"

    def as_int(self, value: Value, node: ast.AST) -> str:
        return self.cast(value, INT, node)

    def cast(self, value: Value, kind: str, node: ast.AST) -> str:
        """Return a number as one of another kind."""
        if value.kind == INT and _is_number(value.text) and not _fits(value.text):
            self.stop(node, f"{value.text.strip('()')} is beyond 64 bits")
        if value.kind == kind or (kind == INT and value.kind == WORD_OPTION):
            return value.text
        if value.kind in (SET, TABLE):
            what = (
                "a set of cards where a number is wanted: len(…), lowest(…), sum(…) give one"
                if value.kind == SET
                else "a table where a number is wanted: it takes an index"
            )
            self.stop(node, what)
        if kind == INT:
            if value.kind == BOOL:
                known = {"True": "1", "False": "0"}
                return known.get(value.text, f"whole({value.text})")
            self.stop(node, "a float where a whole number is wanted; write int(…)")
        if kind == FLOAT:
            if _is_number(value.text):
                return self.number(float(int(value.text.strip("()")))).text
            inner = f"whole({value.text})" if value.kind == BOOL else value.text
            return f"real({inner})"
        return self.as_bool(value)

    def as_set(self, value: Value, node: ast.AST, one: bool = False) -> Value:
        """Return a set; a card where `one` may stand for a set of itself."""
        if value.kind == SET:
            return value
        if one and value.kind in (INT, BOOL, WORD_OPTION):
            return self.set_with([self.as_int(value, node)], node)
        self.stop(node, "a number where a set of cards is wanted; of one card it is {card}")

    def need_card(self, card: Any, node: ast.AST) -> None:
        """Refuse what no set of cards of this game can hold."""
        if not isinstance(card, (int, np.integer)) or not 0 <= card < self.low.numbers:
            self.stop(
                node,
                f"there is no card {card}: sets of this game hold numbers from 0 to "
                f"{self.low.numbers - 1}; {self.program.instead_of_legal}",
            )

    def set_of(self, word: int) -> Value:
        mask = (1 << 64) - 1
        each = [(word >> 64 * place) & mask for place in range(self.low.words)]
        return Value(SET, [f"({signed(one)})" for one in each])

    def set_with(self, cards: list[str], node: ast.AST) -> Value:
        """Return the set of some cards."""
        count, names = self.low.words, list[str]()
        for card in cards:
            if _is_number(card):
                self.need_card(int(card.strip("()")), node)
            elif self.low.checked:
                card = self.index(card, str(self.low.numbers))
            names.append(card)
            once = count > 1 or self.low.numbers > 64
            if once and not _is_number(card) and not card.isidentifier():  # evaluated once
                (names[-1],) = self.saved(Value(INT, [card])).texts
        texts = []
        for place in range(count):
            bits = [bit_text(card, place, count) for card in names]
            if count == 1 < self.low.numbers // 64:
                bits = [
                    f"({bit} if {card} < 64 else 0)" for bit, card in zip(bits, names, strict=True)
                ]
            texts.append(bits[0] if len(bits) == 1 else f"({' | '.join(bits)})")
        return Value(SET, texts)

    def x_Constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, bool):
            return Value(BOOL, [str(node.value)])
        if isinstance(node.value, (int, float)):
            return self.number(node.value)
        instead = "NO_CARD is no card" if node.value is None else "words are values of options"
        self.stop(node, f"{node.value!r}: rules know numbers and cards only; {instead}")

    def number(self, value: Any) -> Value:
        if isinstance(value, (bool, np.bool_)):
            return Value(BOOL, [str(bool(value))])
        if isinstance(value, (float, np.floating)):
            return Value(FLOAT, [repr(float(value)) if value >= 0 else f"({float(value)!r})"])
        value = int(value)
        text = str(value) if value >= 0 else f"({value})"
        return Value(INT, [text], bits=value.bit_length())

    def x_Name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.kinds:
            if name not in self.has:
                where = "give it one before the `if` or the loop"
                self.stop(node, f"`{name}` has no value yet on some way; {where}")
            return Value(self.kinds[name], self.names_of(name))
        if name == "players" and self.program.space.get("players") is not None:
            return Value(INT, ["o.players"])
        if name not in self.routine.space:
            if name == "s":
                self.stop(node, "the state is no value; it is handed on to functions as `s`")
            words = [*self.kinds, *(n for n in self.routine.space if not n.startswith("_"))]
            self.stop(node, f"unknown name `{name}`{near(name, words)}")
        return self.of_object(name, self.routine.space[name], node)

    def of_object(self, name: str, value: Any, node: ast.AST) -> Value:
        if isinstance(value, Dial):
            kind = WORD_OPTION if value.values else INT
            return Value(kind, [f"o.{name}"], value.values)
        if isinstance(value, Decision):
            if value.name not in self.program.decisions:
                self.stop(node, str(unknown("decision", value.name, tuple(self.program.decisions))))
            return self.number(self.program.decision_number(value))
        if value is language.all_cards:
            return self.set_of(self.deck(node).all_cards)
        if isinstance(value, (set, frozenset)):
            for card in value if self.low.checked else ():
                self.need_card(card, node)
            return self.set_of(sum(1 << int(card) for card in value))
        if isinstance(value, (bool, int, float, np.integer, np.floating, np.bool_)):
            return self.number(value)
        if isinstance(value, (list, tuple, np.ndarray)):
            return Value(TABLE, [self.table_of(name, value, node).name])
        self.stop(node, f"`{name}` is nothing that rules can use")

    # -- places -----------------------------------------------------------------------------------

    def place(self, node: ast.expr) -> Place:
        """Return where a field, an option or a table stands, with its indices."""
        indices: list[ast.expr] = []
        base = node
        while isinstance(base, ast.Subscript):
            indices.insert(0, base.slice)
            base = base.value
        found = self.base(base)
        values = self.operands(indices)
        texts = [self.as_int(*pair) for pair in zip(values, indices, strict=True)]
        if self.low.checked:
            pairs = zip(texts, found.counts or [""] * len(texts), strict=False)
            texts = [self.index(*pair) for pair in pairs] + texts[len(found.counts) :]
        if len(texts) > len(found.steps):
            self.stop(node, f"{ast.unparse(base)} has {_indices(len(found.steps))}")
        found.indices, found.node = texts, node
        return found

    def base(self, node: ast.expr) -> Place:
        if isinstance(node, ast.Attribute):
            holder = ast.unparse(node.value)
            if holder == "s":
                return self.field(node)
            if holder == "s.count":
                if self.program.game.counted.get(node.attr):
                    count = str(self.program.game.counted[node.attr])
                    return Place("s", f"count_{node.attr}", INT, [1], counts=[count])
                if node.attr not in self.program.metrics:
                    self.stop(
                        node, f"no count `{node.attr}`{near(node.attr, self.program.metrics)}"
                    )
                return Place("s", f"count_{node.attr}", INT, [])
            if holder == "o" and self.routine.space.get("o") is language.o:
                return self.option(node)
            module = self.routine.space.get(holder)
            if module is not None and hasattr(module, node.attr):
                return self.table_of(node.attr, getattr(module, node.attr), node)
        if isinstance(node, ast.Name) and node.id in self.routine.space:
            return self.table_of(node.id, self.routine.space[node.id], node)
        self.stop(node, f"{ast.unparse(node)} is nothing that has an index")

    def table_of(self, name: str, value: Any, node: ast.AST) -> Place:
        if isinstance(value, (list, tuple, np.ndarray)):
            try:
                return self.low.table(name, value)
            except ValueError as error:
                known = str(error) if str(error).startswith("a table") else _NO_TABLE
                self.stop(node, f"{name}: {known}")
        self.stop(node, f"{name} is nothing that has an index")

    def field(self, node: ast.Attribute) -> Place:
        name = node.attr
        if name not in self.low.fields:
            if name == "count":
                self.stop(node, "s.count takes the name of a count, as in s.count.turns")
            self.stop(node, f"the state has no `{name}`{near(name, [*self.low.fields, 'count'])}")
        declared = self.low.fields[name]
        steps = [max(declared.many, 1)] if declared.per_seat else []
        if name in self.low.memory:
            steps = [MEMORY_WORDS]
        steps += [1] if declared.many else []
        counts = ["o.players"] if declared.per_seat else []
        counts += [str(declared.many)] if declared.many else []
        kind = SET if self.program.is_set(declared.kind) else INT
        return Place("s", name, kind, steps, counts=counts)

    def option(self, node: ast.Attribute) -> Place:
        shapes = self.low.option_shapes
        if node.attr not in shapes:
            self.stop(node, f"no option `{node.attr}`{near(node.attr, shapes)}")
        shape = shapes[node.attr]
        return replace(shape, steps=list(shape.steps))

    def at(self, place: Place) -> list[str]:
        """Return the texts of a place's words."""
        if len(place.indices) < len(place.steps):
            raise self.routine.refuse(
                place.node,
                f"{place.holder}.{place.name} has {_indices(len(place.steps))}",
            )
        names = [place.name]
        if place.kind == SET and self.low.words > 1:
            names = [f"{place.name}__{word}" for word in range(self.low.words)]
        if not place.steps:
            return [f"{place.holder}.{name}" if place.holder else name for name in names]
        parts = [
            index if step == 1 else f"({index}) * {step}"
            for index, step in zip(place.indices, place.steps, strict=True)
        ]
        index = " + ".join(parts)
        return [f"{place.holder}.{n}[{index}]" if place.holder else f"{n}[{index}]" for n in names]

    def read(self, node: ast.expr) -> Value:
        return self.read_place(self.place(node), node)

    def read_place(self, place: Place, node: ast.expr) -> Value:
        if len(place.indices) < len(place.steps):
            name = f"{place.holder}.{place.name}" if place.holder else ast.unparse(node)
            self.stop(node, f"{name} has {_indices(len(place.steps))}")
        texts = self.at(place)
        if place.kind == FLOAT:
            texts = [f"as_real({text})" for text in texts]
        return Value(place.kind, texts, place.words)

    def x_Subscript(self, node: ast.Subscript) -> Value:
        return self.read(node)

    def x_Attribute(self, node: ast.Attribute) -> Value:
        holder = ast.unparse(node.value)
        if holder in ("s", "s.count") or (
            holder == "o" and self.routine.space.get("o") is language.o
        ):
            return self.read(node)
        module = self.routine.space.get(holder)
        if isinstance(node.value, ast.Name) and hasattr(module, node.attr):
            return self.of_object(node.attr, getattr(module, node.attr), node)
        self.stop(node, f"`{ast.unparse(node)}` is not among what rules are written in")

    # -- operators ----------------------------------------------------------------------------------  # noqa: E501

    def x_Set(self, node: ast.Set) -> Value:
        values = self.operands(node.elts)
        cards = [self.as_int(*pair) for pair in zip(values, node.elts, strict=True)]
        return self.set_with(cards, node)

    def x_BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(node, _sign(node.op), *self.operands([node.left, node.right]))

    def binary(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if SET in (a.kind, b.kind):
            return self.set_operator(node, sign, a, b)
        if _is_number(a.text) and _is_number(b.text) and INT == a.kind == b.kind:
            return self.folded(node, sign, a, b)
        if FLOAT in (a.kind, b.kind) or sign == "/":
            if sign not in ("+", "-", "*", "/"):
                self.stop(node, f"`{sign}` of floats is not compiled; use int(…)")
            one, two = (self.cast(value, FLOAT, node) for value in (a, b))
            if sign == "/" and self.low.checked and not _is_nonzero(two):
                return Value(FLOAT, [self.low.check("ratio_", one, two)])
            return Value(FLOAT, [f"({one} {sign} {two})"])
        if a.kind == b.kind == BOOL and sign in ("&", "|", "^"):
            return Value(BOOL, [f"({a.text} {sign} {b.text})"])
        one, two = (self.as_int(value, node) for value in (a, b))
        if sign in ("**", "@"):
            self.stop(node, f"`{sign}` is not compiled; multiply, or use a table")
        if sign in ("//", "%") and two in ("0", "(0)"):
            self.stop(node, "a division by zero")
        bits = _bits(sign, a, b, two)
        if self.low.checked and sign in _CHECKED and not _is_safe(sign, two, bits):
            return Value(INT, [self.low.check(_CHECKED[sign], one, two)], bits=bits)
        if sign in ("//", "%"):
            word = "divided_by" if sign == "//" else "modulo"
            return Value(INT, [f"{word}({one}, {two})"], bits=bits)
        if sign == ">>" and _is_number(two):
            two = str(min(int(two.strip("()")), 63))
        return Value(INT, [f"({one} {sign} {two})"], bits=bits)

    def folded(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        """Return what two constants give, as Python reckons."""
        one, two = (int(value.text.strip("()")) for value in (a, b))
        if sign in ("//", "%", "/") and not two:
            self.stop(node, "a division by zero")
        if sign in ("<<", ">>", "**") and not 0 <= two < 1 << 10:
            self.stop(node, f"{one} {sign} {two}: from 0 to {(1 << 10) - 1} on the right")
        if sign == "@":
            self.stop(node, "`@` is not compiled; multiply, or use a table")
        return self.number(_OF_CONSTANTS[sign](one, two))

    def set_operator(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if a.kind != b.kind or sign not in ("-", "&", "|", "^"):
            self.stop(
                node,
                f"`{ast.unparse(node)}` mixes a set of cards and a number, or has no meaning for "
                "sets; they have & | - ^, and the set of one card is {card}",
            )
        made = "& ~" if sign == "-" else f"{sign} "
        pairs = zip(a.texts, b.texts, strict=True)
        return Value(SET, [f"({one} {made}{two})" for one, two in pairs])

    def x_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(BOOL, [f"(not {self.test(node.operand)})"])
        value = self.x(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if value.kind == INT and _is_number(value.text):
            number = int(value.text.strip("()"))
            return self.number(~number if isinstance(node.op, ast.Invert) else -number)
        if isinstance(node.op, ast.Invert):
            return Value(INT, [f"(~{self.as_int(value, node)})"])
        if value.kind == FLOAT:
            return Value(FLOAT, [f"(0.0 - {value.text})"])
        text = self.as_int(value, node)
        if self.low.checked and value.bits > 62:
            return Value(INT, [self.low.check("subtract_", "0", text)])
        return Value(INT, [f"(0 - {text})"], bits=value.bits)

    def x_BoolOp(self, node: ast.BoolOp) -> Value:
        """Return one of the values, as Python does: the first that decides, or the last."""
        first = self.x(node.values[0])
        later = [self.apart(partial(self.x, part)) for part in node.values[1:]]
        values = [first, *(value for value, _ in later)]
        kinds = {INT if value.kind == WORD_OPTION else value.kind for value in values}
        is_or, last = isinstance(node.op, ast.Or), values[-1].kind
        if (BOOL in kinds and len(kinds) == 1) or (not is_or and last == BOOL):
            parts = [self.again(self.as_bool(first), [])]
            parts += [self.again(self.as_bool(value), made) for value, made in later]
            return Value(BOOL, [self.decided(node, parts)])
        if SET in kinds and len(kinds) > 1:
            self.stop(
                node,
                f"`{ast.unparse(node)}` is a set of cards or a number, as it comes; write "
                "`a if x else b`, or ask for len(…) > 0",
            )
        kind = SET if SET in kinds else FLOAT if FLOAT in kinds else INT
        each = [v.texts if kind == SET else [self.cast(v, kind, node)] for v in values]
        if any(made for _, made in later):
            return self.first_that_decides(is_or, Value(kind, each[0]), each[1:], later)
        tests = [self.as_bool(value) for value in values]
        result = each[-1]
        for test, texts in zip(reversed(tests[:-1]), reversed(each[:-1]), strict=True):
            here, there = (texts, result) if is_or else (result, texts)
            pairs = zip(here, there, strict=True)
            result = [f"({a} if {test} else {b})" for a, b in pairs]
        return Value(kind, result)

    def again(self, text: str, made: list[str]) -> Callable[[], str]:
        """Return what gives a text once more, with the lines that it takes."""

        def evaluate() -> str:
            self.before += made
            return text

        return evaluate

    def first_that_decides(
        self,
        is_or: bool,
        first: Value,
        texts: Sequence[list[str]],
        later: Sequence[tuple[Value, list[str]]],
    ) -> Value:
        found = self.saved(first)
        test = self.as_bool(found)
        for words, (_, made) in zip(texts, later, strict=True):
            pairs = zip(found.texts, words, strict=True)
            given = [f"{name} = {word}" for name, word in pairs]
            self.under(f"not {test}" if is_or else test, [*made, *given])
        return found

    def x_Compare(self, node: ast.Compare) -> Value:
        nodes = [node.left, *node.comparators]
        one, other = self.operands_or_words(nodes[:2], node.ops[0])
        tests = [self.again(self.compared(node, one, node.ops[0], other, nodes[:2]), [])]
        before = self.before
        for op, *pair in zip(node.ops[1:], nodes[1:], nodes[2:], strict=False):
            one, (found, made) = other, self.apart(partial(self.operands_or_words, pair[1:], op))
            (other,) = found
            if made and isinstance(one, Value) and self.changes(pair[1]):
                outer, self.before = self.before, before  # where it was evaluated itself
                (one,) = self.kept([one], len(before))
                self.before = outer
            tests.append(self.again(self.compared(node, one, op, other, pair), made))
            before = made
        return Value(BOOL, [self.joined_tests(" and ", tests)])

    def operands_or_words(self, nodes: Sequence[ast.expr], op: ast.cmpop) -> list[Any]:
        """Return operands of a comparison: values, words of options as they are, or several."""

        def evaluate(node: ast.expr) -> Any:
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                return node.value
            return self.x(node)

        *others, last = nodes
        if isinstance(op, ast.In | ast.NotIn) and isinstance(last, ast.Tuple):
            found = self.in_order([(one, evaluate) for one in (*others, *last.elts)])
            return [*found[: len(others)], found[len(others) :]]
        return self.in_order([(one, evaluate) for one in nodes])

    def compared(
        self, node: ast.AST, one: Any, op: ast.cmpop, other: Any, nodes: Sequence[ast.expr]
    ) -> str:
        if isinstance(op, (ast.In, ast.NotIn)):
            return self.is_in(node, one, op, other, nodes)
        sign = ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]
        if isinstance(other, str):
            return self.is_word(node, one, sign, other)
        if isinstance(one, str):
            return self.is_word(node, other, sign, one)
        if SET in (one.kind, other.kind):
            if one.kind != other.kind or sign not in ("==", "!="):
                self.stop(
                    node,
                    "sets of cards are compared with == and != and other sets only; all of a is "
                    "in b if `not a - b`",
                )
            join_ = " and " if sign == "==" else " or "
            pairs = zip(one.texts, other.texts, strict=True)
            return "(" + join_.join(f"({x} {sign} {y})" for x, y in pairs) + ")"
        if one.kind == other.kind == BOOL and sign in ("==", "!="):
            return f"({one.text} {sign} {other.text})"
        kind = FLOAT if FLOAT in (one.kind, other.kind) else INT
        return f"({self.cast(one, kind, nodes[0])} {sign} {self.cast(other, kind, nodes[1])})"

    def is_word(self, node: ast.AST, value: Any, sign: str, wanted: str) -> str:
        if getattr(value, "kind", "") != WORD_OPTION or sign not in ("==", "!="):
            self.stop(node, f"{wanted!r}: only options that are words are compared with words")
        if wanted not in value.words:
            self.stop(node, f"{wanted!r} is none of {', '.join(value.words)}")
        return f"({value.text} {sign} {value.words.index(wanted)})"

    def is_in(
        self, node: ast.AST, card: Any, op: ast.cmpop, cards: Any, nodes: Sequence[ast.expr]
    ) -> str:
        if isinstance(cards, list):
            tests = [self.compared(node, card, ast.Eq(), one, [nodes[0]] * 2) for one in cards]
            text = "(" + " or ".join(tests or ["False"]) + ")"
            return text if isinstance(op, ast.In) else f"(not {text})"
        if getattr(cards, "kind", "") != SET:
            self.stop(nodes[1], "`in` asks for a set of cards")
        value = self.as_int(card, nodes[0])
        sign = "!=" if isinstance(op, ast.In) else "=="
        if self.low.words == 1:
            return f"(has_bit({cards.text}, {value}) {sign} 0)"
        each = [
            f"(has_bit({word}, {value} - {64 * place}) != 0)"
            for place, word in enumerate(cards.texts)
        ]
        text = "(" + " or ".join(each) + ")"
        return text if sign == "!=" else f"(not {text})"

    def x_IfExp(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        a, first = self.apart(lambda: self.x(node.body))
        b, second = self.apart(lambda: self.x(node.orelse))
        kind = join(a.kind, b.kind)
        if kind == SET:
            one, two = self.as_set(a, node).texts, self.as_set(b, node).texts
        else:
            one, two = [self.cast(a, kind, node)], [self.cast(b, kind, node)]
        if not first and not second:
            pairs = zip(one, two, strict=True)
            return Value(kind, [f"({x} if {test} else {y})" for x, y in pairs])
        names = [self.fresh(kind if kind in (BOOL, FLOAT) else INT) for _ in one]
        first += [f"{name} = {text}" for name, text in zip(names, one, strict=True)]
        second += [f"{name} = {text}" for name, text in zip(names, two, strict=True)]
        self.under(test, first, second)
        return Value(kind, names)

    # -- loops within expressions ----------------------------------------------------------------------  # noqa: E501

    @contextmanager
    def bound(self, node: ast.AST, name: str) -> Iterator[str]:
        """Let a name be a number within a comprehension; yield what it is called there."""
        self.refuse_name(node, name)
        kind, has, before = self.kinds.get(name), self.has, self.inner.get(name)
        self.kinds[name], self.has = INT, {*has, name}
        self.inner[name] = self.fresh()
        yield self.inner[name]
        self.has = has
        del self.kinds[name], self.inner[name]
        if kind is not None:
            self.kinds[name] = kind
        if before is not None:
            self.inner[name] = before

    def each(self, node: Any, inside: Callable[[ast.expr], None]) -> None:
        """Add the loop of a comprehension; `inside` adds what is done with each element."""
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            self.stop(node, "one `for`, with one name")
        comp = node.generators[0]
        head, first = self.loop_head(comp.iter, node)
        with self.bound(node, comp.target.id) as variable:
            _, made = self.apart(lambda: self.where(comp.ifs, lambda: inside(node.elt)))
        body = indented("\n".join([*first(variable), *made]) or "pass")
        self.before.append(f"{head.replace('VARIABLE', variable)}\n{body}")

    def where(self, tests: list[ast.expr], inside: Callable[[], None]) -> None:
        """Add what is done where all tests hold."""
        if not tests:
            inside()
            return
        test = self.test(tests[0])
        _, made = self.apart(lambda: self.where(tests[1:], inside))
        self.under(test, made)

    def x_SetComp(self, node: ast.SetComp) -> Value:
        names = [self.fresh() for _ in range(self.low.words)]
        self.before += [f"{name} = 0" for name in names]

        def inside(card: ast.expr) -> None:
            cards = self.as_set(self.x(card), node, one=True)
            pairs = zip(names, cards.texts, strict=True)
            self.before += [f"{name} = {name} | {word}" for name, word in pairs]

        self.each(node, inside)
        return Value(SET, names)

    def key_of(self, node: ast.Call) -> tuple[str, ast.expr]:
        if len(node.args) != 1 or len(node.keywords) != 1 or node.keywords[0].arg != "key":
            self.stop(node, "it is called as max(cards, key=worth)")
        key = node.keywords[0].value
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            return key.args.args[0].arg, key.body
        if isinstance(key, (ast.Name, ast.Attribute)):
            call = ast.Call(key, [ast.Name("card_", ast.Load())], [])
            return "card_", ast.fix_missing_locations(ast.copy_location(call, node))
        self.stop(node, "key= names a function, or is a lambda of one card")

    def best_by_key(self, node: ast.Call, sign: str) -> Value:
        name, worth = self.key_of(node)
        those = self.as_set(self.x(node.args[0]), node)
        rest = [self.fresh() for _ in those.texts]
        self.before += [f"{a} = {b}" for a, b in zip(rest, those.texts, strict=True)]
        best, first = self.fresh(), self.fresh(BOOL)
        with self.bound(node, name) as variable:
            value, made = self.apart(lambda: self.x(worth))
        kind = FLOAT if value.kind == FLOAT else INT
        text, here, most = self.cast(value, kind, node), self.fresh(kind), self.fresh(kind)
        self.before += [f"{best} = 0", f"{most} = {_ZEROS[kind]}", f"{first} = True"]
        step = [f"{variable} = {lowest_text(rest)}", without_lowest(rest), *made]
        step += [f"{here} = {text}", f"if {first} or {here} {sign} {most}:"]
        step += [f"    {best} = {variable}\n    {most} = {here}", f"{first} = False"]
        loop = indented("\n".join(step))
        self.before.append(f"while ({' | '.join(rest)}) != 0:\n{loop}")
        self.refuse_none(first)
        return Value(INT, [best], bits=8)

    def refuse_none(self, first: str) -> None:
        """Note that the best of nothing was asked for."""
        if self.low.checked:
            self.under(f"rarely({first})", ["s.fault = 1"])

    def aggregate(self, name: str, node: ast.GeneratorExp) -> Value:
        """Return a sum, the most, or whether any or all hold, of a generator."""
        start, result, first, worth = len(self.before), self.fresh(), self.fresh(), self.fresh()
        kinds = {BOOL if name in ("any", "all") else INT}

        def inside(one: ast.expr) -> None:
            if name in ("any", "all"):
                test = self.test(one)
                test = test if name == "any" else f"not {test}"
                self.under(test, [f"{result} = {name == 'any'}", "break"])
                return
            element = self.x(one)
            kinds.add(FLOAT if element.kind == FLOAT else INT)
            text = self.cast(element, FLOAT if FLOAT in kinds else INT, node)
            if name == "sum":
                total = f"{result} + {text}"
                if self.low.checked and element.kind != FLOAT and element.bits > 40:
                    total = self.low.check("add_", result, text)
                self.before.append(f"{result} = {total}")
                return
            sign = ">" if name == "max" else "<"
            self.before.append(f"{worth} = {text}")
            self.under(f"{first} or {worth} {sign} {result}", [f"{result} = {worth}"])
            self.before.append(f"{first} = False")

        self.each(node, inside)
        kind = FLOAT if FLOAT in kinds else kinds.pop()
        begin = [f"{result} = {str(name == 'all') if kind == BOOL else _ZEROS[kind]}"]
        if name in ("max", "min"):
            begin.append(f"{first} = True")
        self.before[start:start] = begin
        if name in ("max", "min"):
            self.refuse_none(first)
        self.types |= {result: kind, first: BOOL, worth: kind}
        return Value(kind, [result])

    # -- calls ----------------------------------------------------------------------------------------  # noqa: E501

    def x_Call(self, node: ast.Call) -> Value:
        callee = self.callee(node)
        if callee is not None:
            return self.x_call_of(node, callee)
        word = self.word_of(node)
        if word in BIT_WORDS:
            return self.bit_word(word, self.numbers(node, BIT_WORDS[word]))
        if word == "draw":
            return self.drawn(node)
        if word is not None:
            method = getattr(self, f"call_{word}", None)
            if method is None:
                self.stop(node, f"{word}(…) has no value; it stands on a line of its own")
            return method(node)  # type: ignore[no-any-return]
        name = getattr(node.func, "id", "")
        if name in self.kinds:
            self.stop(node, f"`{name}` is a number here, no function")
        if name in ("max", "min") and node.keywords:
            return self.best_by_key(node, ">" if name == "max" else "<")
        if name in ("sum", "any", "all", "max", "min") and len(node.args) == 1:
            if isinstance(node.args[0], ast.GeneratorExp):
                return self.aggregate(name, node.args[0])
            if self.callee(node.args[0]) is None and self.is_call(node.args[0], "range"):
                self.stop(node, f"{name}(…) of a range: write {name}(k for k in range(…))")
            self.stop(node, f"{name}(…) of a set: write {name}(… for card in cards)")
        method = getattr(self, f"built_{name}", None)
        if method is None:
            known = [*self.routine.calls, *(n for n in WORDS.values()), *BUILT]
            instead = NO_FUNCTIONS.get(name or getattr(node.func, "attr", ""))
            hint = f"; {instead}" if instead else near(name, known)
            self.stop(node, f"unknown function `{ast.unparse(node.func)}`{hint}")
        return method(node)  # type: ignore[no-any-return]

    def bit_word(self, word: str, given: list[str]) -> Value:
        bits = 8 if word in _FEW else 64
        if self.low.checked and word == "shr":
            return Value(INT, [self.low.check("shr_", *given)])
        if self.low.checked and word in ("lowest_bit", "highest_bit", "nth_bit"):
            name = f"{word.removesuffix('_bit')}_"
            return Value(INT, [self.of_words(name, given[:1], given[1:])], bits=bits)
        return Value(INT, [f"{word}({', '.join(given)})"], bits=bits)

    def of_words(self, name: str, words: list[str], more: Sequence[str] = ()) -> str:
        """Return a card of a set, found by `lowest_`, `highest_` or `nth_`."""
        find = _FINDS[name]
        if not self.low.checked:
            return find(self.low, words, *more)
        check = of_words(name, len(words))
        names = check.params.split()
        value = find(self.low, names[: len(words)], *names[len(words) :])
        check = check._replace(text=check.text.replace("VALUE", value))
        return self.low.check(f"{name}{len(words)}_", *words, *more, check=check)

    def called(self, node: Any, callee: Routine) -> tuple[Core, str, list[str]]:
        """Return a callee over numbers, the call, and the kinds of what it returns."""
        second = callee.function.__dict__.get("fast")
        one = self.program.routine(second) if second is not None else callee
        wanted = one.tree.args.args
        if len(node.args) != len(wanted) or node.keywords:
            names = ", ".join(argument.arg for argument in wanted)
            self.stop(node, f"{callee.tree.name}({names}) is called with {_values(len(node.args))}")
        named = []
        for given, argument in zip(node.args, wanted, strict=True):
            if argument.arg != "s":
                named.append((argument.arg, given))
            elif ast.unparse(given) != "s":
                self.stop(given, "the state is handed on as `s`")
        values = self.operands([given for _, given in named])
        pairs = [(*pair, value) for pair, value in zip(named, values, strict=True)]
        core = self.low.want(one, {name: value.kind for name, _, value in pairs})
        kinds = one.__dict__["param_kinds"]
        args = ["s", "o"] if core.uses_state else ["o"]
        for name, given, value in pairs:
            if kinds[name] == SET:
                args += self.as_set(value, given).texts
            else:
                if kinds[name] == INT and value.kind == FLOAT:
                    self.stop(given, f"write `{name}: float` in the def of {callee.tree.name}")
                args.append(self.cast(value, kinds[name], given))
        return core, f"{core.name}({', '.join(args)})", list(one.__dict__.get("kinds", []))

    def x_call_of(self, node: Any, callee: Routine) -> Value:
        core, call, kinds = self.called(node, callee)
        if not kinds:
            self.stop(node, f"{callee.tree.name} returns nothing; it stands on a line of its own")
        if len(kinds) > 1:
            self.stop(node, f"{callee.tree.name} returns {len(kinds)} values: assign them")
        if kinds[0] == SET and self.low.words > 1:
            (found,) = self.several(call, core, kinds)
            return found
        return self.once(Value(kinds[0], [call]), node)

    def once(self, value: Value, node: ast.AST) -> Value:
        """Return a value, on a line of its own if it changes the state or draws."""
        return self.saved(value) if self.changes(node) else value

    def numbers(self, node: ast.Call, count: int) -> list[str]:
        self.need(node, count)
        return [
            self.as_int(*pair) for pair in zip(self.operands(node.args), node.args, strict=True)
        ]

    def built_len(self, node: ast.Call) -> Value:
        self.need(node, 1)
        (what,) = node.args
        if isinstance(what, ast.Name) and what.id not in self.kinds:
            table = self.routine.space.get(what.id)
            if isinstance(table, (list, tuple, np.ndarray)):
                return self.number(len(table))
        value = self.as_set(self.x(node.args[0]), node)
        text = "(" + " + ".join(f"popcount({w})" for w in value.texts) + ")"
        return Value(INT, [text], bits=9)

    def built_set(self, node: ast.Call) -> Value:
        if node.args:
            self.stop(node, "set() is empty; write {a, b}")
        return Value(SET, ["0"] * self.low.words)

    def built_int(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        if value.kind == FLOAT:
            cut = self.low.check("whole_", value.text) if self.low.checked else f"cut({value.text})"
            return Value(INT, [cut])
        return Value(INT, [self.as_int(value, node)])

    def built_float(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(FLOAT, [self.cast(self.x(node.args[0]), FLOAT, node)])

    def built_bool(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(BOOL, [self.test(node.args[0])])

    def built_abs(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        kind = FLOAT if value.kind == FLOAT else INT
        text = self.cast(value, kind, node)
        if self.low.checked and kind == INT and value.bits > 62:
            text = self.saved(Value(INT, [text])).text
            return Value(kind, [f"max({text}, {self.low.check('subtract_', '0', text)})"])
        return Value(kind, [f"max({text}, {_ZEROS[kind]} - {text})"], bits=value.bits)

    def extreme(self, node: ast.Call, name: str) -> Value:
        values = self.operands(node.args)
        if len(values) < 2:
            self.stop(node, f"{name} of one value")
        kind = FLOAT if any(value.kind == FLOAT for value in values) else INT
        text = self.cast(values[0], kind, node)
        for value in values[1:]:
            text = f"{name}({text}, {self.cast(value, kind, node)})"
        return Value(kind, [text])

    def built_max(self, node: ast.Call) -> Value:
        return self.extreme(node, "max")

    def built_min(self, node: ast.Call) -> Value:
        return self.extreme(node, "min")

    # -- words that are expressions ----------------------------------------------------------------

    def call_rarely(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(BOOL, [f"rarely({self.test(node.args[0])})"])

    def call_seats(self, node: ast.Call) -> Value:
        self.stop(node, "seats() is what a loop goes over")

    def call_all_seats(self, node: ast.Call) -> Value:
        self.need(node, 0)
        return Value(INT, ["((1 << o.players) - 1)"])

    def call_after(self, node: ast.Call) -> Value:
        seat, steps = self.numbers(node, 2)
        if self.low.checked:
            return Value(INT, [self.low.check("after_", seat, steps)], bits=8)
        if "after_" not in self.low.done:
            text = (
                "if seat >= o.players:\n    seat = seat - o.players\n"
                "if seat < 0:\n    seat = seat + o.players\nreturn seat"
            )
            self.low.add(Core("after_", ["seat"], lines(text), {"seat": INT}, (INT,), False))
        return Value(INT, [f"after_(o, {seat} + {steps})"], bits=8)

    def team_of(self, node: ast.Call, but: str = "") -> tuple[str, str]:
        """Return the seats of a seat's team as bits, and the seat."""
        (seat,) = self.numbers(node, 1)
        if not self.program.seating.has_teams:
            self.stop(node, NO_TEAMS)
        if not seat.isidentifier():
            (seat,) = self.saved(Value(INT, [self.index(seat, "o.players")])).texts
        elif self.low.checked:
            seat = self.index(seat, "o.players")
        return f"({self.low.team(seat)}{but.replace('SEAT', seat)})", seat

    def of_seats(self, text: str) -> Value:
        return Value(SET, [text, *["0"] * (self.low.words - 1)])

    def call_team(self, node: ast.Call) -> Value:
        return self.of_seats(self.team_of(node)[0])

    def call_partners(self, node: ast.Call) -> Value:
        return self.of_seats(self.team_of(node, " & ~(1 << SEAT)")[0])

    def call_partner(self, node: ast.Call) -> Value:
        if self.program.seating.has_teams and not self.program.seating.are_pairs:
            self.stop(node, "teams do not have two seats each: partners(seat) are all of them")
        return Value(INT, [f"lowest_bit({self.team_of(node, ' & ~(1 << SEAT)')[0]})"], bits=8)

    def call_others(self, node: ast.Call) -> Value:
        (seat,) = self.numbers(node, 1)
        seat = self.index(seat, "o.players")
        return self.of_seats(f"(((1 << o.players) - 1) & ~(1 << {seat}))")

    def call_best_seats(self, node: ast.Call) -> Value:
        self.need(node, 2)
        lowest = self.test(node.args[1])
        if "best_seats_" not in self.low.done:
            self.best_score()
            text = (
                "best = best_score_(s, o, lowest)\nfound = 0\nfor seat in range(o.players):\n"
                "    found = found | ((1 << seat) if s.scores[seat] == best else 0)\nreturn found"
            )
            kinds = {"lowest": BOOL, "best": INT, "found": INT, "seat": INT}
            self.low.add(Core("best_seats_", ["lowest"], lines(text), kinds, (INT,), True))
        return Value(INT, [f"best_seats_(s, o, {lowest})"])

    def stream(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return a stream's family, and the further argument that names the seat."""
        if isinstance(node, ast.Name) and node.id not in self.kinds:
            value = self.routine.space.get(node.id)
            if isinstance(value, Stream):
                self.low.streams.add(value.name)
                return value.name, []
        name = self.word_of(node)
        if name in PER_SEAT_STREAMS:
            assert isinstance(node, ast.Call)
            self.need(node, 1)
            self.low.streams.add(name)
            return name, node.args
        self.stop(node, "a stream is DEAL, CHANCE, MATCH, ASIDE or SEAT(seat)")

    def from_stream(self, word: str, node: ast.Call, count: int) -> str:
        """Return the call of what draws from a stream, with so many numbers."""
        self.need(node, 2 + count)
        self.need_state(node)
        name, seat = self.stream(node.args[1])
        nodes = [*seat, *node.args[2:]]
        given = [self.as_int(*pair) for pair in zip(self.operands(nodes), nodes, strict=True)]
        if seat:
            given[0] = self.index(given[0], "o.players")
        if word == "below_from":
            given[-2] = self.index(given[-2], str(1 << 32))
        if count and not (_is_number(given[-1]) and 0 < int(given[-1].strip("()")) <= 1 << 32):
            given[-1] = self.checked("bound_", given[-1])
        return f"{word}_{name}({', '.join(['s', 'o', *given])})"

    def call_below(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("below", node, 1)], bits=32))

    def call_below_from(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("below_from", node, 2)]))

    def call_word(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("next", node, 0)]))

    def call_uniform(self, node: ast.Call) -> Value:
        word = self.saved(Value(INT, [self.from_stream("next", node, 0)])).text
        return Value(FLOAT, [f"(real(shr({word}, 11)) * {2.0**-53!r})"])

    def of_set(self, node: ast.Call) -> Value:
        return self.as_set(self.x(node.args[0]), node)

    def call_lowest(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_words("lowest_", self.of_set(node).texts)], bits=8)

    def call_highest(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_words("highest_", self.of_set(node).texts)], bits=8)

    def of_set_and(self, node: ast.Call) -> tuple[list[str], str]:
        """Return the texts of a set of cards and of a number."""
        self.need(node, 2)
        cards, number = self.operands(node.args)
        return self.as_set(cards, node).texts, self.as_int(number, node)

    def call_lower(self, node: ast.Call) -> Value:
        words, card = self.of_set_and(node)
        return Value(SET, [lower_text(word, card, at) for at, word in enumerate(words)])

    def call_higher(self, node: ast.Call) -> Value:
        words, card = self.of_set_and(node)
        below = [lower_text(word, f"({card} + 1)", at) for at, word in enumerate(words)]
        return Value(SET, [f"({a} ^ {b})" for a, b in zip(words, below, strict=True)])

    def call_nth(self, node: ast.Call) -> Value:
        words, index = self.of_set_and(node)
        return Value(INT, [self.of_words("nth_", words, [index])], bits=8)

    def call_of_suit(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return self.pattern(node, text, lambda deck, number: _suit(deck, number), "suit")

    def call_of_rank(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return self.pattern(node, text, lambda deck, number: _rank(deck, number), "rank")

    def pattern(
        self, node: ast.AST, text: str, part: Callable[[Any, int], Iterable[int]], name: str
    ) -> Value:
        """Return the set of the cards of a suit or rank."""
        deck = self.deck(node)
        if _is_number(text):
            return self.set_of(sum(1 << c for c in part(deck, int(text.strip("()")))))
        if self.low.checked:
            many = len(deck.suits) if name == "suit" else max(deck.ranks) + 1
            text = self.saved(Value(INT, [text])).text
            some = self.pattern_of(deck, text, part, name)
            texts = [f"({one} if {text} >= 0 and {text} < {many} else 0)" for one in some.texts]
            return Value(SET, texts)
        return self.pattern_of(deck, text, part, name)

    def pattern_of(
        self, deck: Any, text: str, part: Callable[[Any, int], Iterable[int]], name: str
    ) -> Value:
        count = self.low.words
        if deck.packs == 1 and deck.places > 64:
            most = max(len(deck.suits), max(deck.ranks) + 1)
            texts = []
            for place in range(count):
                each = [
                    signed(sum(1 << c for c in part(deck, n)) >> 64 * place) for n in range(most)
                ]
                table = self.low.table(f"of_{name}_{place}", each)
                texts.append(f"{table.name}[{text}]")
            return Value(SET, texts)
        all_cards = signed(deck.all_cards & ((1 << 64) - 1))
        if name == "suit":
            base = (1 << (1 << deck.shift)) - 1 if deck.shift < 6 else (1 << 64) - 1
            one = f"(({signed(base)} << ({text} << {deck.shift})) & {all_cards})"
        else:
            base = sum(1 << (suit << deck.shift) for suit in range(len(deck.suits)))
            one = f"((({signed(base)} << ({text} & 63)) & {all_cards}) if {text} >= 0 else 0)"
        return Value(SET, [one] * count)

    def deck(self, node: ast.AST) -> Any:
        """Return the game's deck, for what knows suits and ranks."""
        if self.program.deck is None:
            self.stop(node, "the game has no deck; write deck = french_deck() or another")
        return self.program.deck

    def call_rank(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        shift = self.deck(node).shift
        return Value(INT, [f"({text} & {(1 << shift) - 1})"], bits=shift)

    def call_suit(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        deck = self.deck(node)
        inner = f"({text} & 63)" if deck.packs > 1 else text
        return Value(INT, [f"({inner} >> {deck.shift})"])

    def call_kinds(self, node: ast.Call) -> Value:
        self.need(node, 1)
        texts = self.of_set(node).texts
        return Value(SET, ["(" + " | ".join(texts) + ")", *["0"] * (self.low.words - 1)])

    def call_bits(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_set(node).texts[0]])

    def call_cards_in(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return Value(SET, [text, *["0"] * (self.low.words - 1)])


BIT_WORDS = {
    **dict.fromkeys(("popcount", "lowest_bit", "highest_bit"), 1),
    **dict.fromkeys(("nth_bit", "deposit", "extract", "shr", "rotl"), 2),
}
"""Words of numbers alone, which `numba_code` has by the same names, with how many they take."""

BUILT = ("len", "set", "int", "float", "bool", "abs", "max", "min", "sum", "any", "all", "range")


def parsed_tuple(texts: list[str]) -> ast.expr:
    """Return one value, or a tuple of several."""
    return parsed(texts[0]) if len(texts) == 1 else parsed(f"({', '.join(texts)})")


def join(a: str, b: str) -> str:
    """Return the kind that holds what both hold."""
    a, b = (INT if kind == WORD_OPTION else kind for kind in (a, b))
    if a == b:
        return a
    if SET in (a, b):
        return SET
    return FLOAT if FLOAT in (a, b) else INT


def indented(text: str) -> str:
    """Return some lines further in."""
    return "\n".join("    " + line for line in text.splitlines())


def lowest_text(words: list[str]) -> str:
    """Return the number of the lowest bit of some words."""
    text = f"lowest_bit({words[-1]})" + (f" + {64 * (len(words) - 1)}" if len(words) > 1 else "")
    for place in range(len(words) - 2, -1, -1):
        more = f" + {64 * place}" if place else ""
        text = f"(lowest_bit({words[place]}){more} if {words[place]} != 0 else {text})"
    return text


def without_lowest(words: list[str]) -> str:
    """Return statements that take the lowest bit of some words away."""
    text = []
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        below = " | ".join(words[:place])
        cleared = f"cleared({word})"
        text.append(
            f"{word} = ({cleared} if ({below}) == 0 else {word})"
            if below
            else f"{word} = {cleared}"
        )
    return "\n".join(text)


def lower_text(word: str, card: str, place: int) -> str:
    """Return those bits of a word of a set that are lower than a card."""
    return f"below_bit({word}, {card} - {64 * place})" if place else f"below_bit({word}, {card})"


def bit_text(card: str, place: int, count: int) -> str:
    """Return the bit of a card in a word of a set."""
    if count == 1:
        if _is_number(card):
            return f"({signed(1 << int(card.strip('()')))})"
        return f"bit_of({card})"
    if _is_number(card):
        number = int(card.strip("()"))
        return f"({signed(1 << number % 64)})" if number // 64 == place else "0"
    if count == 2:
        return f"((({card} >> 6) == {place}) << ({card} & 63))"  # none for what is no card
    return f"(bit_of({card}) if ({card} >> 6) == {place} else 0)"


def nth_text(low: Lowering, words: list[str], index: str) -> str:
    """Return the card of a set by its place."""
    if len(words) == 1:
        return f"nth_bit({words[0]}, {index})"
    name = f"nth_of_{len(words)}"
    if name not in low.done:
        given = [f"w{place}" for place in range(len(words))]
        text = ["left = index", "card = 0", "word = w0", "base = 0"]
        for place in range(len(words) - 1):
            # Of words that are passed over all bits are counted off. Where nothing is beyond, as in
            # many sets of moves, the compiler sees that nothing is to be done.
            beyond = " | ".join(f"w{one}" for one in range(place + 1, len(words)))
            text += [
                f"count = popcount(w{place})",
                f"if (left >= count) and (base == {64 * place}) and ({beyond}) != 0:",
                f"    left = left - count\n    base = {64 * (place + 1)}\n    word = w{place + 1}",
            ]
        text.append("return base + nth_bit(word, left)")
        kinds = dict.fromkeys([*given, "index", "left", "card", "word", "base", "count"], INT)
        low.add(Core(name, [*given, "index"], lines("\n".join(text)), kinds, (INT,), False))
    return f"{name}(o, {', '.join(words)}, {index})"


def highest_text(_low: Lowering, words: list[str]) -> str:
    """Return the number of the highest bit of some words."""
    text = f"highest_bit({words[0]})"
    for place, one in enumerate(words[1:], 1):
        text = f"({64 * place} + highest_bit({one}) if {one} != 0 else {text})"
    return text


_FINDS: Mapping[str, Callable[..., str]] = {
    "lowest_": lambda _low, words: lowest_text(words),
    "highest_": highest_text,
    "nth_": nth_text,
}


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"


def _indices(count: int) -> str:
    """Return how many indices something takes, in words."""
    return ("no index", "one index", "two indices")[count]


def _is_number(text: str) -> bool:
    text = text.strip("()")
    return text.lstrip("-").isdigit()


def _fits(text: str) -> bool:
    return -(1 << 63) <= int(text.strip("()")) < 1 << 63


def _is_nonzero(text: str) -> bool:
    try:
        return float(text.strip("()")) != 0
    except ValueError:
        return False


def _bits(sign: str, a: Value, b: Value, right: str) -> int:
    """Return how far a result may be from 0, as a power of 2."""
    one, two = (1 if value.kind == BOOL else value.bits for value in (a, b))
    if sign in ("+", "-"):
        return min(max(one, two) + 1, 64)
    if sign == "*":
        return min(one + two, 64)
    if sign == "&" and _is_number(right) and not right.startswith("("):
        return two
    if sign == "%" and _is_number(right):
        return two
    if sign in ("&", "|", "^"):
        return max(one, two)
    return one if sign in ("//", ">>") else 64


_CHECKED = {
    "+": "add_",
    "-": "subtract_",
    "*": "multiply_",
    "//": "divide_",
    "%": "modulo_",
    "<<": "left_",
    ">>": "right_",
}
_SAFE = {
    "//": range(1, 1 << 63),
    "%": range(1, 1 << 63),
    "<<": range(64),
    ">>": range(1 << 63),
}
"""Constants on the right side that nothing goes wrong with."""


def _is_safe(sign: str, right: str, bits: int) -> bool:
    """Tell whether nothing can go wrong."""
    if sign in _SAFE:
        return _is_number(right) and int(right.strip("()")) in _SAFE[sign]
    return bits <= 62


_FEW = ("popcount", "lowest_bit", "highest_bit", "nth_bit")
_BELOW = {"seat": "o.players", "first_seat": "o.players", "aborted": "2"}
"""Fields of every game that hold small numbers only."""


_OF_CONSTANTS: Mapping[str, Callable[[int, int], Any]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "//": operator.floordiv,
    "%": operator.mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda a, b: signed(a << b),
    ">>": operator.rshift,
    "**": operator.pow,
}
_ZEROS = {INT: "0", FLOAT: "0.0"}


def _is_steady(text: str) -> bool:
    """Tell whether a text has the same value however the state changes."""
    return re.search(r"\bs\b", text) is None


def _assigned(left: list[str], right: list[str]) -> str:
    return f"{', '.join(left)} = {', '.join(right)}"


def _falls_through(body: Sequence[ast.stmt]) -> bool:
    """Tell whether some statements may end without `return`, or return nothing."""
    return any(_is_bare(part) for node in body for part in ast.walk(node)) or _goes_on(body)


def _is_bare(node: ast.AST) -> bool:
    return isinstance(node, ast.Return) and node.value is None


def _goes_on(body: Sequence[ast.stmt]) -> bool:
    """Tell whether what stands behind some statements may be reached."""
    for node in body:
        if isinstance(node, ast.Return | ast.Break | ast.Continue):
            return False
        if isinstance(node, ast.If) and not (_goes_on(node.body) or _goes_on(node.orelse)):
            return False
        if isinstance(node, ast.While) and _is_endless(node) and not any(map(_breaks, node.body)):
            return False
    return True


def _breaks(node: ast.stmt) -> bool:
    """Tell whether a statement leaves the loop that it stands in."""
    if isinstance(node, ast.While | ast.For):
        return False
    inner = (part for part in ast.iter_child_nodes(node) if isinstance(part, ast.stmt))
    return isinstance(node, ast.Break) or any(map(_breaks, inner))


def _is_endless(node: ast.stmt) -> bool:
    test = getattr(node, "test", None)
    return isinstance(node, ast.While) and isinstance(test, ast.Constant) and bool(test.value)


def _sign(op: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]


def _suit(deck: Any, number: int) -> list[int]:
    return [
        card
        for card in deck.cards
        if (card % 64 if deck.packs > 1 else card) >> deck.shift == number
    ]


def _rank(deck: Any, number: int) -> list[int]:
    return [card for card in deck.cards if card & ((1 << deck.shift) - 1) == number]


__all__ = ["Core", "Layout", "Lowering", "Namespace", "lines", "parsed"]
