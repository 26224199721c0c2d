"""A unit: the functions that are compiled together, as the text of one module.

A game's matches are a unit, its search is one, and each policy. Its text is complete: where the
fields of the state and the options stand, the tables, the words that are called, the functions of
rules and policies as `rewrite` makes them, and the rounds (`rounds`), `entry` last.
"""

from __future__ import annotations

import ast
import inspect
import math
import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from pathlib import Path
from pprint import pformat
from types import FunctionType
from typing import Any

import numpy as np

from simcore import words
from simcore.compiler import checked_words, networks, refusals, rollouts
from simcore.compiler.int64 import signed
from simcore.compiler.machine import NotCompiled
from simcore.compiler.program import NAMING, Routine, parts_of
from simcore.compiler.rewrite import MADE, RESERVED, Rewriter
from simcore.compiler.state_layout import Layout
from simcore.jit import TOP, is_builtin_file
from simcore.language import Deck
from simcore.records import MAX_PARAMS
from simcore.words import WORDS

MOST_OF_TABLE = 1 << 16


class Unit:
    """Collects functions, with all that they call.

    Parameters
    ----------
    layout : Layout
    checked : bool
        Whether operators and words are the checked ones.
    tells : bool
        Whether what policies tell of their reasons is kept, as in plain Python.

    Attributes
    ----------
    functions : dict of FunctionDef
        By name, callees first; those of rules have the lines of their files.
    sources : dict of Routine
        The rule that each function of rules was made of, by its name.
    tables : dict
        Constant tables by name, as nested lists.
    """

    def __init__(self, layout: Layout, *, checked: bool, tells: bool = False) -> None:
        self.layout, self.program = layout, layout.program
        self.checked, self.tells = checked, tells
        self.fields, self.options = layout.fields, layout.options
        self.width, self.numbers = layout.width, layout.numbers
        self.functions: dict[str, ast.FunctionDef] = {}
        self.sources: dict[str, Routine] = {}
        self.tables: dict[str, Any] = {}
        self._titles: dict[str, int] = {}
        self._acting: dict[str, bool] = {}
        self._of_game: dict[str, ast.FunctionDef] = {}

    # ------------------------------------------------------------------------ for the rewriter

    @staticmethod
    def title_of(routine: Routine) -> str:
        """Return a function's name in the unit."""
        return routine.name if routine.name not in RESERVED else f"{MADE}0{routine.name}"

    def fresh_title(self, routine: Routine) -> str:
        """Return a name for a comprehension of a function."""
        count = self._titles[routine.name] = self._titles.get(routine.name, 0) + 1
        return f"{MADE}{routine.name}_{count}"

    def want(self, routine: Routine, *, names: bool = False) -> str:
        """Add a routine, with what it calls; return its name in the unit.

        What names moves and numbers in a transcript is no rule: it may be any Python.
        """
        title = self.title_of(routine)
        if title not in self.sources:
            name = routine.function.__name__
            is_named = self.program.space.get(name) is routine.function
            names = self.tells and (names or (name.startswith(NAMING) and is_named))
            made = Rewriter(self, routine, names=names).functions()
            self.sources[title] = routine
            if routine.rare:
                made[-1].body.insert(0, ast.Expr(ast.Call(ast.Name("_seldom", ast.Load()), [], [])))
            for function in made:
                self.sources[function.name] = routine
                self.functions[function.name] = function
        return title

    def stand_in(self, word: str) -> Any:
        """Return the function that rules import for a word."""
        return _stand_ins()[word]

    def completed(self, word: str, given: Iterable[ast.expr]) -> list[ast.expr]:
        """Return a word's arguments, with those that rules do not write."""
        rest = iter(given)
        return [
            ast.Name("s" if name == "state" else "o", ast.Load())
            if name in words.HIDDEN
            else next(rest)
            for name in _params_of(word)
        ]

    def acts(self, node: ast.AST, routine: Routine) -> bool:
        """Tell whether part of a routine changes the state or uses random numbers."""
        for part in parts_of(node):
            if isinstance(part, (ast.Attribute, ast.Subscript)) and isinstance(part.ctx, ast.Store):
                return True
            if isinstance(part, ast.Call):
                called = [part.func, *(keyword.value for keyword in part.keywords)]
                if any(self._alters(ast.unparse(function), routine) for function in called):
                    return True
        return False

    def _alters(self, name: str, routine: Routine) -> bool:
        value, callee = routine.space.get(name), routine.calls.get(name)
        if callee is None:
            return isinstance(value, FunctionType) and WORDS.get(value) in words.EFFECTS
        if callee.name not in self._acting:
            self._acting[callee.name] = self.acts(callee.tree, callee)
        return self._acting[callee.name]

    def table(self, name: str, value: Any) -> str:
        """Add a constant table; return its name in the unit.

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
        numbers = numbers.astype(np.float64 if numbers.dtype.kind == "f" else np.int64)
        title = f"{MADE}T_" + re.sub(r"\W", "_", name, flags=re.ASCII)
        while not np.array_equal(self.tables.get(title, numbers), numbers):
            title += "_"
        self.tables[title] = numbers.tolist()
        return title

    def object_named(self, name: str, value: Any) -> str:
        """Add any object of a file, for what names moves; return its name in the unit."""
        title = f"{MADE}O_{name}"
        while self.tables.setdefault(title, value) is not value:
            title += "_"
        return title

    # ---------------------------------------------------------------------------------- the text

    def add(self, text: str) -> None:
        """Add functions that are given as text, callees first."""
        for function in ast.parse(text).body:
            assert isinstance(function, ast.FunctionDef)
            self.functions[function.name] = function

    def complete(self) -> None:
        """Add the words that are called, and what they need of the game."""
        if not self._of_game:
            self._of_game = self._of_the_game()
        known = {**library(plain=self.tells), **self._of_game}
        added: dict[str, ast.FunctionDef] = {}

        def want(functions: Iterable[ast.FunctionDef]) -> None:
            for function in functions:
                for name in sorted(_called(function)):
                    if name in known and name not in self.functions and name not in added:
                        word = known[name]
                        want([word])
                        added[name] = word

        want(list(self.functions.values()))
        self.functions = {**added, **self.functions}

    def _of_the_game(self) -> dict[str, ast.FunctionDef]:
        """Return the functions that depend on the deck and the fields of the game."""
        text = self._lying()
        if self.program.deck is not None:
            text += self._patterns(self.program.deck)
        return {
            function.name: function
            for function in ast.parse(text).body
            if isinstance(function, ast.FunctionDef)
        }

    def _lying(self) -> str:
        """Return the function that finds the cards that lie somewhere."""
        lines = ["def _lying(s, o):", "    found = _none()"]
        for name, declared in self.program.rules_fields.items():
            if not self.program.is_place(declared.kind):
                continue
            item, inner = f"s.{name}", "    "
            for index, count in enumerate(self.counts_of(declared)):
                lines.append(f"{inner}for k{index} in range({count}):")
                item, inner = f"{item}[k{index}]", inner + "    "
            lines.append(f"{inner}found = found | {item}")
        return "\n".join([*lines, "    return found\n"])

    @staticmethod
    def counts_of(declared: Any) -> list[str]:
        """Return how many there are by each index of a field."""
        counts = ["o.players"] if declared.per_seat else []
        return [*counts, str(declared.many)] if declared.many else counts

    def _patterns(self, deck: Deck) -> str:
        """Return the functions that find the cards of a suit and of a rank."""
        if self.width > 1 and deck.packs == 1:
            return "".join(self._looked_up(deck, name) for name in ("suit", "rank"))
        every = signed(deck.all_cards & ((1 << 64) - 1))
        suit = (1 << (1 << deck.shift)) - 1 if deck.shift < 6 else (1 << 64) - 1
        first = sum(1 << (suit << deck.shift) for suit in range(len(deck.suits)))
        words = f"_set({', '.join(['word'] * self.width)})"
        return (
            f"def of_suit(suit):\n    word = ({signed(suit)} << (suit << {deck.shift})) & {every}\n"
            f"    return {words}\n"
            f"def of_rank(rank):\n    word = (({signed(first)} << (rank & 63)) & {every}) "
            f"if rank >= 0 else 0\n    return {words}\n"
        )

    def _looked_up(self, deck: Deck, name: str) -> str:
        """Return the function that finds the cards of a suit or rank in tables."""
        mask = (1 << deck.shift) - 1
        of_card = {
            card: card >> deck.shift if name == "suit" else card & mask for card in deck.cards
        }
        many = max(len(deck.suits), max(deck.ranks) + 1)
        sets = [
            sum(1 << card for card, which in of_card.items() if which == k) for k in range(many)
        ]
        parts = []
        for part in range(self.width):
            line = [signed(bits >> 64 * part) for bits in sets]
            parts.append(f"{self.table(f'of_{name}_{part}', line)}[{name}]")
        return f"def of_{name}({name}):\n    return _set({', '.join(parts)})\n"

    def constants(self) -> dict[str, Any]:
        """Return what words need to know of the game, by the names that they have for it."""
        deck, program = self.program.deck, self.program
        constants: dict[str, Any] = {"_DECISIONS": len(program.decisions), "_NAN": math.nan}
        for module in (rollouts, networks):
            constants |= {name: value for name, value in vars(module).items() if name.isupper()}
        constants |= {
            "_NUMBERS": self.numbers,
            "MAX_PARAMS": MAX_PARAMS,
            "STATE_SIZE": self.layout.size,
            "SPREAD": bool(program.game.digest),
        }
        if deck is not None:
            pack = 63 if deck.packs > 1 else -1
            constants |= {"_SHIFT": deck.shift, "_OF_A_PACK": pack}
            constants |= {"_SUITS": len(deck.suits), "_RANKS": max(deck.ranks) + 1}
        return constants

    def text(self, title: str, fixed: dict[str, Any] | None = None) -> str:
        """Return the module, for Numba.

        Parameters
        ----------
        title : str
            What it is.
        fixed : dict
            Options whose values are known.
        """
        self.complete()
        layout, fixed = self.layout, fixed or {}
        seating = self.program.seating
        teams = [seating.team(seat) for seat in range(seating.most)]
        tables = {"_TEAM": teams, **self.tables}
        options = {
            name: (*place, fixed[name]) if name in fixed and not place[1] else place
            for name, place in layout.options.items()
        }
        body = "\n\n\n".join(map(self._function_text, self.functions.values()))
        used, known = set(re.findall(r"\w+", body)), self.constants()
        constants = [
            *(f"{name} = {_shown(value)}" for name, value in known.items() if name in used),
            *(f"{name} = _table({value})" for name, value in tables.items() if name in used),
        ]
        return (
            f'"""{title}\n\nPrinted by cardlab from the rules; changes here have no effect.\n"""'
            "\n\n"
            f"STATE = {pformat(layout.state, width=100, compact=True)}\n"
            f"OPTIONS = {pformat(options, width=100, compact=True, sort_dicts=False)}\n"
            "State, Options, _item, _set, cards_in, _none = _rows(\n"
            f"    STATE, OPTIONS, {layout.players}, {layout.width}, {layout.numbers}\n)\n"
            + "\n".join(constants)
            + f"\n\n\n{body}\n"
        )

    def refused(self, text: str, stopped: NotCompiled) -> Exception:
        """Return the error for what Numba has refused of this unit's text, with file and line."""
        place = next((place for place in stopped.places if place[0] in self.sources), None)
        if place is None:
            return RuntimeError(f"a unit of {self.program.game.name} was not compiled: {stopped}")
        name, line = place
        printed = next(
            node
            for node in ast.parse(text).body
            if isinstance(node, ast.FunctionDef) and node.name == name
        )
        pairs = zip(_statements(printed), _statements(self.functions[name]), strict=True)
        before = [source for node, source in pairs if node.lineno <= line]
        return self.sources[name].refuse(before[-1] if before else None, stopped.why)

    def _function_text(self, function: ast.FunctionDef) -> str:
        text = ast.unparse(ast.fix_missing_locations(function))
        routine = self.sources.get(function.name)
        if routine is None:
            return text
        path = Path(routine.file)
        # The text, and so its key in the cache, is the same wherever the package is installed.
        file = path.relative_to(TOP) if is_builtin_file(path) else path
        # A name of a file may have the end of a line in it.
        place = "".join(sign if sign.isprintable() else "?" for sign in file.as_posix())
        first = "".join((inspect.getdoc(routine.function) or "").splitlines()[:1])
        about = f"# {first}\n" if first and function.name == self.title_of(routine) else ""
        return f"# {place}:{routine.tree.lineno}\n{about}{text}"


@cache
def _stand_ins() -> dict[str, Any]:
    return {name: function for function, name in WORDS.items()}


class _Faults(ast.NodeTransformer):
    """Replaces what says what is wrong, `_wrong(s, "…")`, by the note that something is."""

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        call = node.value
        if not isinstance(call, ast.Call) or getattr(call.func, "id", "") != "_wrong":
            return node
        fault = ast.Attribute(call.args[0], "_fault", ast.Store())
        return ast.Assign([fault], ast.Constant(1))


@cache
def library(*, plain: bool = False) -> dict[str, ast.FunctionDef]:
    """Return the words that are ordinary functions, and what these call, by name.

    In plain Python what is wrong is said; compiled code notes that something is.
    """
    found: dict[str, ast.FunctionDef] = {}
    for module in (words, checked_words, rollouts, networks):
        tree = ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8"))
        if not plain:
            tree = _Faults().visit(tree)
        for function in tree.body:
            if not isinstance(function, ast.FunctionDef):
                continue
            is_word = bool(function.decorator_list)
            is_helper = function.name.startswith("_") or module is rollouts
            if is_helper or (is_word and function.name in words.BODIES):
                function.decorator_list, function.returns = [], None
                function.args.defaults = []
                if ast.get_docstring(function):
                    del function.body[0]
                for argument in function.args.args:
                    argument.annotation = None
                found[function.name] = function
    return found


@cache
def _params_of(word: str) -> tuple[str, ...]:
    """Return a word's parameters, with those that rules do not write."""
    function = words.BODIES.get(word)
    if function is None:
        return tuple(inspect.signature(_stand_ins()[word]).parameters)
    return tuple(inspect.signature(function).parameters)


def _shown(value: Any) -> str:
    """Return a constant as it is printed."""
    return f"float('{value}')" if value != value else str(value)  # noqa: PLR0124 (no number)


@lru_cache(10_000)
def _called(function: ast.FunctionDef) -> frozenset[str]:
    """Return the names that a function reads and does not assign."""
    own = {argument.arg for argument in function.args.args}
    return frozenset(node.id for node in parts_of(function) if isinstance(node, ast.Name)) - own


def _statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements within a statement, and itself first, as they are printed."""
    if isinstance(node, ast.stmt):
        yield node
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt):
            yield from _statements(child)
