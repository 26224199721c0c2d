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
from simcore.compiler import refusals
from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    TABLE,
    WORD_OPTION,
    Value,
    assignments,
    constant,
    either,
    indented,
    join,
)
from simcore.compiler.layout import MEMORY_WORDS, Place, signed
from simcore.compiler.ordering import Ordering
from simcore.compiler.program import near
from simcore.compiler.sets import bit_text, has_text, lowest_text, without_lowest
from simcore.errors import unknown
from simcore.language import Decision, Dial

_CHECKS = {
    "+": "add_",
    "-": "subtract_",
    "*": "multiply_",
    "//": "divide_",
    "%": "modulo_",
    "<<": "left_",
    ">>": "right_",
}
"""Functions of `checked` that stand for operators in users' code."""

_SAFE = {
    "//": range(1, 1 << 63),
    "%": range(1, 1 << 63),
    "<<": range(64),
    ">>": range(1 << 63),
}
"""Constants on the right side with which an operator cannot fail."""

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


class Expressions(Ordering):
    """Translates expressions but for calls: a method for each class of node."""

    def x(self, node: ast.expr) -> Value:
        """Translate an expression."""
        kind = type(node).__name__
        method = getattr(self, f"x_{kind}", None)
        if method is None:
            advice = refusals.SYNTAX.get(kind, "")
            self.stop(node, refusals.NOT_A_RULE.format(ast.unparse(node), advice))
        return method(node)  # type: ignore[no-any-return]

    def operands(self, nodes: Sequence[ast.expr]) -> list[Value]:
        """Translate expressions, which Python evaluates from left to right."""
        return self.in_order([(node, self.x) for node in nodes])

    def integers(self, nodes: Sequence[ast.expr]) -> list[str]:
        """Translate expressions that are whole numbers."""
        return [self.as_int(*pair) for pair in zip(self.operands(nodes), nodes, strict=True)]

    def need(self, call: ast.Call, *counts: int) -> None:
        """Refuse a call with another number of arguments."""
        if len(call.args) not in counts or call.keywords:
            name = ast.unparse(call.func)
            params = list(inspect.signature(self.routine.space.get(name, len)).parameters)
            ways = [f"{name}({', '.join(params[:count])})" for count in counts]
            self.stop(call, f"it is called as {' or '.join(ways)}")

    def refuse_name(self, node: ast.AST, name: str) -> None:
        """Refuse to assign to the name of an option, the state or the options."""
        if name in self.program.dials or name in ("s", "o"):
            self.stop(node, refusals.TAKEN.format(name))

    # ------------------------------------------------------------------- checks in users' code

    def guarded(self, name: str, *args: str) -> str:
        """Return a number; users' code notes a fault where it is out of bounds."""
        return self.low.check(name, *args) if self.low.checked else args[0]

    def index(self, text: str, count: str) -> str:
        """Return an index; users' code notes a fault where it is out of range."""
        number = constant(text)
        if number is not None and count.isdigit() and 0 <= number < int(count):
            return text
        return self.guarded("index_", text, count)

    # -------------------------------------------------------------------------------- conversions

    def as_bool(self, value: Value) -> str:
        return value.text if value.kind == BOOL else f"(({' | '.join(value.texts)}) != 0)"

    def as_int(self, value: Value, node: ast.AST) -> str:
        return self.cast(value, INT, node)

    def cast(self, value: Value, kind: str, node: ast.AST) -> str:
        """Convert a number to another kind."""
        number = value.constant
        if number is not None and not -(1 << 63) <= number < 1 << 63:
            self.stop(node, f"{number} is beyond 64 bits")
        if value.kind == kind or (kind == INT and value.kind == WORD_OPTION):
            return value.text
        if value.kind == SET:
            advice = "len(…), lowest(…), sum(…) give one"
            self.stop(node, f"a set of cards where a number is wanted: {advice}")
        if value.kind == TABLE:
            self.stop(node, "a table where a number is wanted: it takes an index")
        if kind == INT and value.kind == BOOL:
            known = {"True": "1", "False": "0"}
            return known.get(value.text, f"whole({value.text})")
        if kind == INT:
            self.stop(node, "a float where a whole number is wanted; write int(…)")
        if kind == BOOL:
            return self.as_bool(value)
        number = constant(value.text)
        if number is not None:
            return self.number(float(number)).text
        return f"real(whole({value.text}))" if value.kind == BOOL else f"real({value.text})"

    def as_set(self, value: Value, node: ast.AST, one: bool = False) -> Value:
        """Return a value as a set; if `one`, a card stands for the set of itself."""
        if value.kind == SET:
            return value
        if one and value.kind in (INT, BOOL, WORD_OPTION):
            return self.set_with([self.as_int(value, node)], node)
        self.stop(node, "a number where a set of cards is wanted; of one card it is {card}")

    # --------------------------------------------------------------------------------------- sets

    def need_card(self, card: Any, node: ast.AST) -> None:
        """Refuse a card that no set of this game can hold."""
        if not isinstance(card, (int, np.integer)) or not 0 <= card < self.low.numbers:
            self.stop(
                node,
                f"there is no card {card}: sets of this game hold numbers from 0 to "
                f"{self.low.numbers - 1}; {self.program.instead_of_legal}",
            )

    def set_of(self, word: int) -> Value:
        """Return the set of the cards whose bits a number has."""
        mask = (1 << 64) - 1
        words = [(word >> 64 * place) & mask for place in range(self.low.words)]
        return Value(SET, [f"({signed(bits)})" for bits in words])

    def set_with(self, cards: list[str], node: ast.AST) -> Value:
        """Return the code of a set with these cards, each the text of an expression."""
        count, names = self.low.words, list[str]()
        for card in cards:
            number = constant(card)
            if number is not None:
                self.need_card(number, node)
            elif self.low.checked:
                card = self.index(card, str(self.low.numbers))
            is_used_twice = count > 1 or self.low.numbers > 64
            is_simple = number is not None or card.isidentifier()
            names.append(self.held(card) if is_used_twice and not is_simple else card)
        texts = []
        for place in range(count):
            bits = [bit_text(card, place, count) for card in names]
            if count == 1 < self.low.numbers // 64:
                pairs = zip(bits, names, strict=True)
                bits = [f"({bit} if {card} < 64 else 0)" for bit, card in pairs]
            texts.append(bits[0] if len(bits) == 1 else f"({' | '.join(bits)})")
        return Value(SET, texts)

    def x_Set(self, node: ast.Set) -> Value:
        return self.set_with(self.integers(node.elts), node)

    # ------------------------------------------------------------------------- names and constants

    def x_Constant(self, node: ast.Constant) -> Value:
        if isinstance(node.value, (int, float)):
            return self.number(node.value)
        advice = "NO_CARD is no card" if node.value is None else "words are values of options"
        self.stop(node, f"{node.value!r}: rules know numbers and cards only; {advice}")

    def number(self, value: Any) -> Value:
        if isinstance(value, (bool, np.bool_)):
            return Value(BOOL, [str(bool(value))])
        is_float = isinstance(value, (float, np.floating))
        value = float(value) if is_float else int(value)
        text = repr(value) if value >= 0 else f"({value!r})"
        return Value(FLOAT, [text]) if is_float else Value(INT, [text], bits=value.bit_length())

    def x_Name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.kinds:
            if name not in self.has:
                advice = "give it one before the `if` or the loop"
                self.stop(node, f"`{name}` has no value yet on some way; {advice}")
            return Value(self.kinds[name], self.names_of(name))
        if name == "players" and self.program.space.get("players") is not None:
            return Value(INT, ["o.players"])
        if name in self.routine.space:
            return self.of_object(name, self.routine.space[name], node)
        if name == "s":
            self.stop(node, "the state is no value; it is handed on to functions as `s`")
        words = [*self.kinds, *(word for word in self.routine.space if not word.startswith("_"))]
        self.stop(node, f"unknown name `{name}`{near(name, words)}")

    def of_object(self, name: str, value: Any, node: ast.AST) -> Value:
        """Return the value of a name of the file: an option, a constant, a decision, a table."""
        if isinstance(value, Dial):
            return Value(WORD_OPTION if value.values else INT, [f"o.{name}"], value.values)
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

    def deck(self, node: ast.AST) -> Any:
        """Return the game's deck, which suits and ranks need."""
        if self.program.deck is None:
            self.stop(node, "the game has no deck; write deck = french_deck() or another")
        return self.program.deck

    # ------------------------------------------------------ places: fields, counts, options, tables

    def place(self, node: ast.expr) -> Place:
        """Return the place that an expression names, with its indices."""
        indices: list[ast.expr] = []
        base = node
        while isinstance(base, ast.Subscript):
            indices.insert(0, base.slice)
            base = base.value
        place = self.base(base)
        texts = self.integers(indices)
        if self.low.checked:
            pairs = zip(texts, place.counts, strict=False)
            texts = [self.index(*pair) for pair in pairs] + texts[len(place.counts) :]
        if len(texts) > len(place.steps):
            self.stop(node, f"{ast.unparse(base)} has {refusals.INDICES[len(place.steps)]}")
        place.indices, place.node = texts, node
        return place

    def is_options(self, holder: str) -> bool:
        return holder == "o" and self.routine.space.get("o") is language.o

    def base(self, node: ast.expr) -> Place:
        """Return the field, count, option or table that is named, without indices."""
        if isinstance(node, ast.Attribute):
            holder = ast.unparse(node.value)
            if holder == "s":
                return self.field(node)
            if holder == "s.count":
                size = self.program.game.counted.get(node.attr)
                if size:
                    return Place("s", f"count_{node.attr}", INT, [1], counts=[str(size)])
                if node.attr not in self.program.metrics:
                    hint = near(node.attr, self.program.metrics)
                    self.stop(node, f"no count `{node.attr}`{hint}")
                return Place("s", f"count_{node.attr}", INT, [])
            if self.is_options(holder):
                shapes = self.low.option_shapes
                if node.attr not in shapes:
                    self.stop(node, f"no option `{node.attr}`{near(node.attr, shapes)}")
                return replace(shapes[node.attr])
            module = self.routine.space.get(holder)
            if module is not None and hasattr(module, node.attr):
                return self.table_of(node.attr, getattr(module, node.attr), node)
        if isinstance(node, ast.Name) and node.id in self.routine.space:
            return self.table_of(node.id, self.routine.space[node.id], node)
        self.stop(node, refusals.NO_INDEX.format(ast.unparse(node)))

    def table_of(self, name: str, value: Any, node: ast.AST) -> Place:
        if not isinstance(value, (list, tuple, np.ndarray)):
            self.stop(node, refusals.NO_INDEX.format(name))
        try:
            return self.low.table(name, value)
        except ValueError as error:
            known = str(error) if str(error).startswith("a table") else refusals.NO_TABLE
            self.stop(node, f"{name}: {known}")

    def field(self, node: ast.Attribute) -> Place:
        name = node.attr
        if name not in self.low.fields:
            if name == "count":
                self.stop(node, "s.count takes the name of a count, as in s.count.turns")
            self.stop(node, f"the state has no `{name}`{near(name, [*self.low.fields, 'count'])}")
        declared = self.low.fields[name]
        steps, counts = [], []
        if declared.per_seat:
            steps = [MEMORY_WORDS if name in self.low.memory else max(declared.many, 1)]
            counts = ["o.players"]
        if declared.many:
            steps, counts = [*steps, 1], [*counts, str(declared.many)]
        kind = SET if self.program.is_set(declared.kind) else INT
        return Place("s", name, kind, steps, counts=counts)

    def at(self, place: Place) -> list[str]:
        """Return the source of each word of a place."""
        title = f"{place.holder}.{place.name}" if place.holder else place.name
        if len(place.indices) < len(place.steps):
            assert place.node is not None
            shown = title if place.holder else ast.unparse(place.node)
            self.stop(place.node, f"{shown} has {refusals.INDICES[len(place.steps)]}")
        names = self.low.word_names(title) if place.kind == SET else [title]
        if not place.steps:
            return names
        terms = [
            index if step == 1 else f"({index}) * {step}"
            for index, step in zip(place.indices, place.steps, strict=True)
        ]
        return [f"{name}[{' + '.join(terms)}]" for name in names]

    def read(self, place: Place) -> Value:
        texts = self.at(place)
        if place.kind == FLOAT:
            texts = [f"as_real({text})" for text in texts]
        return Value(place.kind, texts, place.words)

    def x_Subscript(self, node: ast.Subscript) -> Value:
        return self.read(self.place(node))

    def x_Attribute(self, node: ast.Attribute) -> Value:
        holder = ast.unparse(node.value)
        if holder in ("s", "s.count") or self.is_options(holder):
            return self.read(self.place(node))
        module = self.routine.space.get(holder)
        if isinstance(node.value, ast.Name) and hasattr(module, node.attr):
            return self.of_object(node.attr, getattr(module, node.attr), node)
        self.stop(node, refusals.NOT_A_RULE.format(ast.unparse(node), ""))

    # ---------------------------------------------------------------------------------- operators

    def x_BinOp(self, node: ast.BinOp) -> Value:
        return self.binary(node, sign_of(node.op), *self.operands([node.left, node.right]))

    def binary(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if SET in (a.kind, b.kind):
            return self.set_operator(node, sign, a, b)
        if a.constant is not None and b.constant is not None:
            return self.of_constants(node, sign, a.constant, b.constant)
        if FLOAT in (a.kind, b.kind) or sign == "/":
            if sign not in ("+", "-", "*", "/"):
                self.stop(node, f"`{sign}` of floats is not compiled; use int(…)")
            left, right = (self.cast(value, FLOAT, node) for value in (a, b))
            if sign == "/" and self.low.checked and not _is_nonzero(right):
                return Value(FLOAT, [self.low.check("ratio_", left, right)])
            return Value(FLOAT, [f"({left} {sign} {right})"])
        if a.kind == b.kind == BOOL and sign in ("&", "|", "^"):
            return Value(BOOL, [f"({a.text} {sign} {b.text})"])
        left, right = (self.as_int(value, node) for value in (a, b))
        number = constant(right)
        if sign in ("**", "@"):
            self.stop(node, f"`{sign}` is not compiled; multiply, or use a table")
        if sign in ("//", "%") and number == 0:
            self.stop(node, refusals.NO_ZERO)
        bits = _bits(sign, a, b, right)
        is_safe = bits <= 62
        if sign in _SAFE:
            is_safe = number is not None and number in _SAFE[sign]
        if self.low.checked and sign in _CHECKS and not is_safe:
            return Value(INT, [self.low.check(_CHECKS[sign], left, right)], bits=bits)
        if sign in ("//", "%"):
            word = "divided_by" if sign == "//" else "modulo"
            return Value(INT, [f"{word}({left}, {right})"], bits=bits)
        if sign == ">>" and number is not None:
            right = str(min(number, 63))
        return Value(INT, [f"({left} {sign} {right})"], bits=bits)

    def of_constants(self, node: ast.AST, sign: str, left: int, right: int) -> Value:
        """Evaluate an operation on two constants, as Python does."""
        if sign in ("//", "%", "/") and not right:
            self.stop(node, refusals.NO_ZERO)
        if sign in ("<<", ">>", "**") and not 0 <= right < 1 << 10:
            self.stop(node, f"{left} {sign} {right}: from 0 to {(1 << 10) - 1} on the right")
        if sign == "@":
            self.stop(node, refusals.NO_MATRIX)
        return self.number(_OF_CONSTANTS[sign](left, right))

    def set_operator(self, node: ast.AST, sign: str, a: Value, b: Value) -> Value:
        if a.kind != b.kind or sign not in ("-", "&", "|", "^"):
            self.stop(
                node,
                f"`{ast.unparse(node)}` mixes a set of cards and a number, or has no meaning for "
                "sets; they have & | - ^, and the set of one card is {card}",
            )
        made = "& ~" if sign == "-" else f"{sign} "
        pairs = zip(a.texts, b.texts, strict=True)
        return Value(SET, [f"({left} {made}{right})" for left, right in pairs])

    def x_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            return Value(BOOL, [f"(not {self.test(node.operand)})"])
        value = self.x(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        if value.constant is not None:
            is_inverted = isinstance(node.op, ast.Invert)
            return self.number(~value.constant if is_inverted else -value.constant)
        if isinstance(node.op, ast.Invert):
            return Value(INT, [f"(~{self.as_int(value, node)})"])
        if value.kind == FLOAT:
            return Value(FLOAT, [f"(0.0 - {value.text})"])
        text = self.as_int(value, node)
        if self.low.checked and value.bits > 62:
            return Value(INT, [self.low.check("subtract_", "0", text)])
        return Value(INT, [f"(0 - {text})"], bits=value.bits)

    # ------------------------------------------------------------------------- truth, comparisons

    def test(self, node: ast.expr) -> str:
        """Translate an expression to a truth value."""
        if isinstance(node, ast.BoolOp):
            return self.joined_tests(
                _and_or(node),
                [self.apart(partial(self.test, part)) for part in node.values],
            )
        return self.as_bool(self.x(node))

    def joined_tests(self, sign: str, parts: Sequence[tuple[str, list[str]]]) -> str:
        """Join tests by `and` or `or`; lines of a test run only where it is reached."""
        (first, made), *others = parts
        self.before += made
        tests, name = [first], ""
        for test, made in others:
            if not made:
                tests.append(test)
                continue
            name = name or self.fresh(BOOL)
            so_far = either(sign, tests)
            if so_far != name:
                self.before.append(f"{name} = {so_far}")
            self.under(name if sign == "and" else f"not {name}", [*made, f"{name} = {test}"])
            tests = [name]
        return either(sign, tests)

    def x_BoolOp(self, node: ast.BoolOp) -> Value:
        """Translate `and` and `or` to the value that decides, or the last one."""
        first = self.x(node.values[0])
        later = [self.apart(partial(self.x, part)) for part in node.values[1:]]
        values = [first, *(value for value, _ in later)]
        kinds = {INT if value.kind == WORD_OPTION else value.kind for value in values}
        sign = _and_or(node)
        if kinds == {BOOL} or (sign == "and" and values[-1].kind == BOOL):
            parts = [(self.as_bool(value), made) for value, made in ((first, []), *later)]
            return Value(BOOL, [self.joined_tests(sign, parts)])
        if SET in kinds and len(kinds) > 1:
            self.stop(
                node,
                f"`{ast.unparse(node)}` is a set of cards or a number, as it comes; write "
                "`a if x else b`, or ask for len(…) > 0",
            )
        kind = SET if SET in kinds else FLOAT if FLOAT in kinds else INT
        texts = [v.texts if kind == SET else [self.cast(v, kind, node)] for v in values]
        if any(made for _, made in later):
            result = self.saved(Value(kind, texts[0]))
            test = self.as_bool(result)
            for words, (_, made) in zip(texts[1:], later, strict=True):
                body = [*made, *assignments(result.texts, words)]
                self.under(f"not {test}" if sign == "or" else test, body)
            return result
        chosen = texts[-1]
        for value, words in zip(reversed(values[:-1]), reversed(texts[:-1]), strict=True):
            if sign == "or":
                chosen = _choices(self.as_bool(value), words, chosen)
            else:
                chosen = _choices(self.as_bool(value), chosen, words)
        return Value(kind, chosen)

    def x_IfExp(self, node: ast.IfExp) -> Value:
        test = self.test(node.test)
        a, first = self.apart(lambda: self.x(node.body))
        b, second = self.apart(lambda: self.x(node.orelse))
        kind = join(a.kind, b.kind)
        if kind == SET:
            left, right = self.as_set(a, node).texts, self.as_set(b, node).texts
        else:
            left, right = [self.cast(a, kind, node)], [self.cast(b, kind, node)]
        if not first and not second:
            return Value(kind, _choices(test, left, right))
        names = [self.fresh(kind if kind in (BOOL, FLOAT) else INT) for _ in left]
        first, second = [*first, *assignments(names, left)], [*second, *assignments(names, right)]
        self.under(test, first, second)
        return Value(kind, names)

    def x_Compare(self, node: ast.Compare) -> Value:
        nodes = [node.left, *node.comparators]
        left, right = self.compared_values(nodes[:2], node.ops[0])
        tests = [(self.compared(node, left, node.ops[0], right, nodes[:2]), list[str]())]
        before = self.before  # the lines above the last operand
        for op, *pair in zip(node.ops[1:], nodes[1:], nodes[2:], strict=False):
            left, (rest, made) = right, self.apart(partial(self.compared_values, pair[1:], op))
            (right,) = rest
            if made and isinstance(left, Value) and self.changes(pair[1]):
                (left,) = self.kept([left], len(before), before)
            tests.append((self.compared(node, left, op, right, pair), made))
            before = made
        return Value(BOOL, [self.joined_tests("and", tests)])

    def compared_values(self, nodes: Sequence[ast.expr], op: ast.cmpop) -> list[Any]:
        """Return operands of a comparison: values, words of options as they are, or several."""

        def evaluate(node: ast.expr) -> Any:
            is_word = isinstance(node, ast.Constant) and isinstance(node.value, str)
            return node.value if is_word else self.x(node)  # type: ignore[attr-defined]

        *others, last = nodes
        if isinstance(op, ast.In | ast.NotIn) and isinstance(last, ast.Tuple):
            values = self.in_order([(part, evaluate) for part in (*others, *last.elts)])
            return [*values[: len(others)], values[len(others) :]]
        return self.in_order([(part, evaluate) for part in nodes])

    def compared(
        self, node: ast.AST, left: Any, op: ast.cmpop, right: Any, nodes: Sequence[ast.expr]
    ) -> str:
        """Return a comparison of two operands, whose nodes are given for refusals."""
        if isinstance(op, (ast.In, ast.NotIn)):
            return self.is_in(node, left, op, right, nodes)
        sign = ast.unparse(ast.Compare(ast.Name("a"), [op], [ast.Name("b")]))[2:-2]
        if isinstance(right, str):
            return self.is_word(node, left, sign, right)
        if isinstance(left, str):
            return self.is_word(node, right, sign, left)
        if SET in (left.kind, right.kind):
            if left.kind != right.kind or sign not in ("==", "!="):
                self.stop(
                    node,
                    "sets of cards are compared with == and != and other sets only; all of a is "
                    "in b if `not a - b`",
                )
            pairs = zip(left.texts, right.texts, strict=True)
            tests = [f"({a} {sign} {b})" for a, b in pairs]
            return f"({(' and ' if sign == '==' else ' or ').join(tests)})"
        if left.kind == right.kind == BOOL and sign in ("==", "!="):
            return f"({left.text} {sign} {right.text})"
        kind = FLOAT if FLOAT in (left.kind, right.kind) else INT
        return f"({self.cast(left, kind, nodes[0])} {sign} {self.cast(right, kind, nodes[1])})"

    def is_word(self, node: ast.AST, value: Any, sign: str, wanted: str) -> str:
        """Return the comparison of an option with one of its words."""
        if getattr(value, "kind", "") != WORD_OPTION or sign not in ("==", "!="):
            self.stop(node, f"{wanted!r}: only options that are words are compared with words")
        if wanted not in value.words:
            self.stop(node, f"{wanted!r} is none of {', '.join(value.words)}")
        return f"({value.text} {sign} {value.words.index(wanted)})"

    def is_in(
        self, node: ast.AST, card: Any, op: ast.cmpop, cards: Any, nodes: Sequence[ast.expr]
    ) -> str:
        """Return the test whether a card is in a set, or a value among several."""
        is_wanted = isinstance(op, ast.In)
        if isinstance(cards, list):
            tests = [self.compared(node, card, ast.Eq(), value, [nodes[0]] * 2) for value in cards]
            text = f"({' or '.join(tests or ['False'])})"
            return text if is_wanted else f"(not {text})"
        if getattr(cards, "kind", "") != SET:
            self.stop(nodes[1], "`in` asks for a set of cards")
        number = self.as_int(card, nodes[0])
        if self.low.words == 1:
            return f"(has_bit({cards.text}, {number}) {'!=' if is_wanted else '=='} 0)"
        text = has_text(cards.texts, number)
        return text if is_wanted else f"(not {text})"

    # --------------------------------------------------------------------- loops, comprehensions

    def loop_head(self, over: ast.expr, node: ast.AST) -> tuple[str, Callable[[str], list[str]]]:
        """Return how a loop begins, and what gives its variable a value in each turn."""
        is_seats = self.word_of(over) == "seats"
        if is_seats or self.is_call(over, "range"):
            assert isinstance(over, ast.Call)
            if len(over.args) not in ((0,) if is_seats else (1, 2, 3)) or over.keywords:
                form = "seats()" if is_seats else "range(end), range(start, end) or with a step"
                self.stop(over, f"it is called as {form}")
            args = [self.as_int(value, over) for value in self.operands(over.args)] or ["o.players"]
            if len(args) < 3 or constant(args[2]):
                return f"for VARIABLE in range({', '.join(args)}):", lambda _: []
            at, end, step = self.all_fresh(args)
            if self.low.checked:
                self.before.append(f"if {step} == 0:\n    s.fault = 1")
            test = f"({at} < {end} if {step} > 0 else {at} > {end})"
            return f"while {test}:", lambda name: [f"{name} = {at}", f"{at} = {at} + {step}"]
        value = self.x(over)
        if value.kind != SET:
            wanted = "a loop goes over a set of cards, seats() or range(…)"
            self.stop(node, f"{wanted}, not {ast.unparse(over)}")
        rest = self.all_fresh(value.texts)
        return f"while ({' | '.join(rest)}) != 0:", lambda name: [
            f"{name} = {lowest_text(rest)}",
            without_lowest(rest),
        ]

    @contextmanager
    def bound(self, node: ast.AST, name: str) -> Iterator[str]:
        """Bind the name of a comprehension; yield its name in the output."""
        self.refuse_name(node, name)
        kinds, inner, has = self.kinds, self.inner, self.has
        variable = self.fresh()
        self.kinds, self.inner = {**kinds, name: INT}, {**inner, name: variable}
        self.has = {*has, name}
        yield variable
        self.kinds, self.inner, self.has = kinds, inner, has

    def each(self, node: Any, inside: Callable[[ast.expr], None]) -> None:
        """Add the loop of a comprehension; `inside` adds what is done with each element."""
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            self.stop(node, "one `for`, with one name")
        loop = node.generators[0]
        head, first = self.loop_head(loop.iter, node)
        with self.bound(node, loop.target.id) as variable:
            _, made = self.apart(lambda: self.where(loop.ifs, lambda: inside(node.elt)))
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
        names = self.all_fresh(["0"] * self.low.words)

        def inside(card: ast.expr) -> None:
            cards = self.as_set(self.x(card), node, one=True)
            pairs = zip(names, cards.texts, strict=True)
            self.before += [f"{name} = {name} | {word}" for name, word in pairs]

        self.each(node, inside)
        return Value(SET, names)


def sign_of(op: ast.operator) -> str:
    """Return how an operator is written."""
    return ast.unparse(ast.BinOp(ast.Name("a"), op, ast.Name("b")))[2:-2]


def _and_or(node: ast.BoolOp) -> str:
    return "and" if isinstance(node.op, ast.And) else "or"


def _choices(test: str, left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Return the words of one of two values, as a test decides."""
    return [f"({a} if {test} else {b})" for a, b in zip(left, right, strict=True)]


def _is_nonzero(text: str) -> bool:
    try:
        return float(text.strip("()")) != 0
    except ValueError:
        return False


def _bits(sign: str, a: Value, b: Value, right: str) -> int:
    """Return the bound of a result's absolute value, as a power of 2."""
    left_bits, right_bits = (1 if value.kind == BOOL else value.bits for value in (a, b))
    if sign in ("+", "-"):
        return min(max(left_bits, right_bits) + 1, 64)
    if sign == "*":
        return min(left_bits + right_bits, 64)
    is_positive = constant(right) is not None and not right.startswith("(")
    if (sign == "&" and is_positive) or (sign == "%" and constant(right) is not None):
        return right_bits
    if sign in ("&", "|", "^"):
        return max(left_bits, right_bits)
    return left_bits if sign in ("//", ">>") else 64
