"""Expressions of rules as expressions over numbers: places, operators, comparisons, loops."""

from __future__ import annotations

import ast
import inspect
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from simcore import language
from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    TABLE,
    WORD_OPTION,
    Value,
    indented,
    is_number,
    join,
    parsed,
)
from simcore.compiler.functions import NO_TABLE
from simcore.compiler.layout import MEMORY_WORDS, Place, signed
from simcore.compiler.normal_form import NormalForm
from simcore.compiler.program import (
    near,
)
from simcore.compiler.sets import bit_text, lowest_text, without_lowest
from simcore.errors import unknown
from simcore.language import Decision, Dial

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
    "Tuple": "; a loop goes over range(2), seats() or a set of cards, as in {0, 1}",
}
"""Advice for syntax that rules do not have."""


_BELOW = {"seat": "o.players", "first_seat": "o.players", "aborted": "2"}
"""Fields of every game that hold small numbers only."""


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


class Expressions(NormalForm):
    """Translates expressions but for calls."""

    def checked(self, name: str, *args: str) -> str:
        """Return a number, and in users' code a note of a fault if it is none that may be."""
        return self.low.check(name, *args) if self.low.checked else args[0]

    def index(self, text: str, count: str) -> str:
        if is_number(text) and count.isdigit() and 0 <= int(text.strip("()")) < int(count):
            return text
        return self.checked("index_", text, count)

    def refuse_name(self, node: ast.AST, name: str) -> None:
        if name in self.program.dials or name in ("s", "o"):
            self.stop(node, f"`{name}` has a meaning already; take another name")

    def loop_head(self, over: ast.expr, node: ast.AST) -> tuple[str, Callable[[str], list[str]]]:
        """Return how a loop begins, and what gives its variable a value in each turn."""
        if self.is_call(over, "range") or self.word_of(over) == "seats":
            assert isinstance(over, ast.Call)
            self.need_range(over)
            args = [self.as_int(value, over) for value in self.operands(over.args)]
            args = args or ["o.players"]
            if len(args) < 3 or (is_number(args[2]) and int(args[2].strip("()"))):
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

    def x(self, node: ast.expr) -> Value:
        """Translate an expression."""
        method = getattr(self, "x_" + type(node).__name__, None)
        if method is None:
            instead = INSTEAD.get(type(node).__name__, "")
            self.stop(
                node, f"`{ast.unparse(node)}` is not among what rules are written in{instead}"
            )
        return method(node)  # type: ignore[no-any-return]

    def operands(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Translate expressions, which Python evaluates from left to right."""
        return self.in_order([(node, self.x) for node in nodes])

    def need(self, call: ast.Call, *counts: int) -> None:
        if len(call.args) not in counts or call.keywords:
            name = ast.unparse(call.func)
            params = list(inspect.signature(self.routine.space.get(name, len)).parameters)
            ways = [f"{name}({', '.join(params[:count])})" for count in counts]
            self.stop(call, f"it is called as {' or '.join(ways)}")

    def test(self, node: ast.expr) -> str:
        """Translate an expression to a truth value."""
        if isinstance(node, ast.BoolOp):
            return self.decided(node, [partial(self.test, part) for part in node.values])
        return self.as_bool(self.x(node))

    def decided(self, node: ast.BoolOp, parts: Sequence[Callable[[], str]]) -> str:
        """Join tests by `and` or `or`; evaluate none once those before decide."""
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
        """Convert a number to another kind."""
        if value.kind == INT and is_number(value.text) and not fits(value.text):
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
            if is_number(value.text):
                return self.number(float(int(value.text.strip("()")))).text
            inner = f"whole({value.text})" if value.kind == BOOL else value.text
            return f"real({inner})"
        return self.as_bool(value)

    def as_set(self, value: Value, node: ast.AST, one: bool = False) -> Value:
        """Return a value as a set; if `one`, a card stands for the set of itself."""
        if value.kind == SET:
            return value
        if one and value.kind in (INT, BOOL, WORD_OPTION):
            return self.set_with([self.as_int(value, node)], node)
        self.stop(node, "a number where a set of cards is wanted; of one card it is {card}")

    def need_card(self, card: Any, node: ast.AST) -> None:
        """Refuse a card that no set of this game can hold."""
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
            if is_number(card):
                self.need_card(int(card.strip("()")), node)
            elif self.low.checked:
                card = self.index(card, str(self.low.numbers))
            names.append(card)
            once = count > 1 or self.low.numbers > 64
            if once and not is_number(card) and not card.isidentifier():  # evaluated once
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

    def place(self, node: ast.expr) -> Place:
        """Return the place that an expression names, with its indices."""
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
            self.stop(node, f"{ast.unparse(base)} has {indices_in_words(len(found.steps))}")
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
                known = str(error) if str(error).startswith("a table") else NO_TABLE
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
        """Return the source of each word of a place."""
        if len(place.indices) < len(place.steps):
            raise self.routine.refuse(
                place.node,
                f"{place.holder}.{place.name} has {indices_in_words(len(place.steps))}",
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
            self.stop(node, f"{name} has {indices_in_words(len(place.steps))}")
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

    def x_Set(self, node: ast.Set) -> Value:
        values = self.operands(node.elts)
        cards = [self.as_int(*pair) for pair in zip(values, node.elts, strict=True)]
        return self.set_with(cards, node)

    def x_BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(node, _sign(node.op), *self.operands([node.left, node.right]))

    def binary(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if SET in (a.kind, b.kind):
            return self.set_operator(node, sign, a, b)
        if is_number(a.text) and is_number(b.text) and INT == a.kind == b.kind:
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
        if sign == ">>" and is_number(two):
            two = str(min(int(two.strip("()")), 63))
        return Value(INT, [f"({one} {sign} {two})"], bits=bits)

    def folded(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        """Evaluate an operation on two constants, as Python does."""
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
        if value.kind == INT and is_number(value.text):
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
        """Translate `and` and `or` to the value that decides, or the last one."""
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

    @contextmanager
    def bound(self, node: ast.AST, name: str) -> Iterator[str]:
        """Bind the name of a comprehension; yield its name in the output."""
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

    def deck(self, node: ast.AST) -> Any:
        """Return the game's deck, which suits and ranks need."""
        if self.program.deck is None:
            self.stop(node, "the game has no deck; write deck = french_deck() or another")
        return self.program.deck


def parsed_tuple(texts: list[str]) -> ast.expr:
    """Return one value, or a tuple of several."""
    return parsed(texts[0]) if len(texts) == 1 else parsed(f"({', '.join(texts)})")


def indices_in_words(count: int) -> str:
    """Return a number of indices in words."""
    return ("no index", "one index", "two indices")[count]


def fits(text: str) -> bool:
    """Tell whether a whole number has 64 bits at most."""
    return -(1 << 63) <= int(text.strip("()")) < 1 << 63


def _is_nonzero(text: str) -> bool:
    try:
        return float(text.strip("()")) != 0
    except ValueError:
        return False


def _bits(sign: str, a: Value, b: Value, right: str) -> int:
    """Return the bound of a result's absolute value, as a power of 2."""
    one, two = (1 if value.kind == BOOL else value.bits for value in (a, b))
    if sign in ("+", "-"):
        return min(max(one, two) + 1, 64)
    if sign == "*":
        return min(one + two, 64)
    if sign == "&" and is_number(right) and not right.startswith("("):
        return two
    if sign == "%" and is_number(right):
        return two
    if sign in ("&", "|", "^"):
        return max(one, two)
    return one if sign in ("//", ">>") else 64


def _is_safe(sign: str, right: str, bits: int) -> bool:
    """Tell whether an operation can never fail."""
    if sign in _SAFE:
        return is_number(right) and int(right.strip("()")) in _SAFE[sign]
    return bits <= 62


def _sign(op: ast.operator) -> str:
    return ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]
