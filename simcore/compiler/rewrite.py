"""The one pass over the source of rules and policies: what is no function is spelt out.

What it makes is ordinary Python over a state: Numba compiles it over the types of `numba_types`,
and plain Python runs it over the classes of `state`. The options `o` are handed on to every
function; displays of sets, comprehensions, loops over sets, places of cards, streams and constants
are spelt out. Nothing is inferred: whether a value is a number or a set is Numba's business. In
users' code, and wherever it runs as plain Python, operators and words are the checked ones
(`checked_words`).

Names that are made here begin with `_`, which no name of a user does.
"""

from __future__ import annotations

import ast
import copy
import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from types import FunctionType, MappingProxyType, ModuleType
from typing import Any, NoReturn

import numpy as np

from simcore import language, words
from simcore.compiler import refusals
from simcore.compiler.checked_words import CHECKED, COMPARISONS, OPERATORS
from simcore.compiler.flow import check_ways, gives, gives_value, goes_on, reads
from simcore.compiler.int64 import EXACT, LEAST, MOST, signed
from simcore.compiler.program import Routine, children_of, indexed, near, parts_of, simple_names
from simcore.errors import unknown
from simcore.language import Decision, Dial, Stream
from simcore.words import WORDS

MADE = "_"
"""Begins every name that is made here, and that of every field of the engine alone."""

BUILT_IN = ("abs", "bool", "float", "int", "len", "max", "min", "set")
"""The functions of Python that rules have, beside those of generators."""

OF_GENERATORS = ("sum", "any", "all", "max", "min")

RESERVED = {*WORDS.values(), *BUILT_IN, "range", "entry", "State", "Options"}
"""Names that made functions call, so that no other function or local has them."""

NO_RESULT = words.EFFECTS - {"draw", "below", "below_from", "word", "uniform"}
NO_RESULT |= {"because", "weigh"}
"""Words that stand on a line of their own."""

BELOW = {"seat": "o.players", "first_seat": "o.players", "aborted": "2"}
"""Fields of every game that hold small numbers only."""

PLACES, TESTS = ("source", "target", "place"), ("condition", "lowest")
"""Parameters of words that take places of cards, and those that take a test."""

OF_TEAMS, OF_DECKS = ("team", "partners", "partner"), ("rank", "suit", "of_rank", "of_suit")


def name_of(text: str) -> ast.Name:
    """Return a name that is read."""
    return ast.Name(text, ast.Load())


def stored(text: str) -> ast.Name:
    """Return a name that is given a value."""
    return ast.Name(text, ast.Store())


def call_of(function: str, *args: ast.expr) -> ast.Call:
    """Return the call of a function by its name."""
    return ast.Call(name_of(function), list(args), [])


def expression(text: str) -> ast.expr:
    """Return the expression that a text is."""
    return statements(text)[0].value  # type: ignore[attr-defined,no-any-return]


def statements(text: str) -> list[ast.stmt]:
    """Return the statements that a text is, without lines: they take those around them."""
    body = ast.parse(text).body
    for part in (part for line in body for part in parts_of(line)):
        for name in part._attributes:
            part.__dict__.pop(name, None)
    return body


def assigned(name: str, value: ast.expr) -> ast.Assign:
    """Return an assignment to a local."""
    return ast.Assign([stored(name)], value)


class Rewriter:
    """Rewrites one routine.

    Parameters
    ----------
    unit : units.Unit
        For which it is rewritten: it knows the fields and options, and adds what is called.
    routine : Routine
    names : bool
        Whether it names moves or numbers in a transcript: then it may be any Python.
    """

    def __init__(self, unit: Any, routine: Routine, *, names: bool = False) -> None:
        self.unit, self.routine, self.program = unit, routine, unit.program
        self.checked, self.names = unit.checked, names
        self.made: list[ast.FunctionDef] = []
        self.count = 0
        self.locals = {*stored_names(routine.tree), *routine.params} - {"s"}
        self.called = {unit.title_of(callee) for callee in routine.calls.values()}
        self.has_state = "s" in routine.params or self.checked

    def stop(self, node: ast.AST | None, text: str) -> NoReturn:
        raise self.routine.refuse(node, text)

    # -------------------------------------------------------------------------------- functions

    def functions(self) -> list[ast.FunctionDef]:
        """Return the function, after those that its comprehensions have become."""
        source = self.routine.tree
        args = source.args
        if args.defaults or args.kwonlyargs or args.vararg or args.kwarg:
            text = "parameters have names only: no defaults, no *; give all values in each call"
            self.stop(source, text)
        for argument in args.args:
            if argument.arg == "o":
                self.stop(argument, refusals.TAKEN.format("o"))
            note = ast.unparse(argument.annotation) if argument.annotation else "int"
            if note not in ("int", "float", "bool", "cardset", "cards", "Any"):
                self.stop(argument, f"`{note}` is no kind; allowed: int, float, bool, cardset")
        body = self.block(source.body)
        check_ways(self.routine)
        if gives_value(source) and goes_on(body):
            # Something wrong may end a loop that has no other end: any value will do.
            body += self.block([next(filter(gives, parts_of(source)))])  # type: ignore[list-item]
        title = self.unit.title_of(self.routine)
        params = [self.local(name) for name in self.routine.params if name != "s"]
        return [*self.made, self.function(title, params, body, source)]

    def function(
        self, title: str, params: Sequence[str], body: list[ast.stmt], source: ast.AST
    ) -> ast.FunctionDef:
        """Return a function with the state and the options as its first parameters."""
        first = ["s", "o"] if self.has_state else ["o"]
        arguments = ast.arguments(
            [], [ast.arg(name) for name in (*first, *params)], None, [], [], None, []
        )
        made = ast.FunctionDef(title, arguments, body or [ast.Pass()], [], None)
        for part in parts_of(made):
            if isinstance(part, ast.Constant) and type(part.value) is int:
                self.need_bits(part)
        self.located(made, source)
        return made

    def need_bits(self, constant: ast.Constant) -> None:
        """Refuse a constant beyond 64 bits."""
        value: Any = constant.value
        if not LEAST <= value <= MOST:
            self.stop(getattr(constant, "source", None), f"{value} is beyond 64 bits")

    @staticmethod
    def located(made: ast.AST, source: ast.AST) -> None:
        """Give what was made the lines of what it was made of."""
        ast.copy_location(made, source)

        def fill(node: ast.AST, above: ast.AST) -> None:
            if "lineno" in node._attributes:
                if not hasattr(node, "lineno"):
                    ast.copy_location(node, above)
                above = node
            for child in children_of(node):
                fill(child, above)

        fill(made, source)

    def local(self, name: str) -> str:
        """Return a local's name in what is made, where nothing else has it."""
        if name == MADE:
            return name
        if name.isascii() and not (
            name.startswith(MADE) or name in RESERVED or name in self.called
        ):
            return name
        plain = name if name.isascii() else "".join(f"{ord(sign):x}" for sign in name)
        return f"{MADE}0{plain}"

    def fresh(self, stem: str = "") -> str:
        """Return a name that nothing else has in this routine."""
        self.count += 1
        return f"{MADE}{stem}{self.count}"

    def refuse_name(self, node: ast.AST, name: str) -> None:
        """Refuse to assign to the name of an option, the state or the options."""
        if name in self.program.dials or name in ("s", "o"):
            self.stop(node, refusals.TAKEN.format(name))

    # ------------------------------------------------------------------------------- statements

    def block(self, body: Sequence[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            for statement in self.statement(node):
                self.located(statement, node)
                made.append(statement)
        return made

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        kind = type(node).__name__
        rewritten: Any = getattr(self, f"do_{kind}", None)
        if rewritten is None:
            allowed = ": assignments, if, while, for, return, calls" + refusals.SYNTAX.get(kind, "")
            name = refusals.KEYWORDS.get(kind, kind.lower())
            self.stop(node, refusals.NOT_A_RULE.format(name, allowed))
        made = rewritten(node)
        return made if isinstance(made, list) else [made]

    def do_Pass(self, node: ast.stmt) -> ast.stmt:
        return copy.copy(node)

    do_Break = do_Continue = do_Pass

    def do_Return(self, node: ast.Return) -> ast.stmt:
        return ast.Return(None if node.value is None else self.several(node.value))

    def several(self, value: ast.expr) -> ast.expr:
        """Rewrite a value, or several of them."""
        if isinstance(value, ast.Tuple):
            return ast.Tuple([self.x(part) for part in value.elts], ast.Load())
        return self.x(value)

    def do_If(self, node: ast.If) -> ast.stmt:
        test, body = self.x(node.test), self.block(node.body)
        return ast.If(test, body or [ast.Pass()], self.block(node.orelse))

    def do_While(self, node: ast.While) -> ast.stmt:
        self.no_else(node)
        test = self.x(node.test)
        return ast.While(test, [*self.tick(), *self.block(node.body)], [])

    def do_For(self, node: ast.For) -> list[ast.stmt]:
        self.no_else(node)
        if not isinstance(node.target, ast.Name):
            text = "a loop has one name: `for seat in seats():`, then s.hand[seat] and the like"
            self.stop(node, text)
        self.refuse_name(node.target, node.target.id)
        over = self.over(node.iter)
        target = self.local(node.target.id)
        return self.each(node.iter, target, over, self.block(node.body))

    def no_else(self, node: ast.While | ast.For) -> None:
        if node.orelse:
            self.stop(node, "no `else` after a loop")

    def tick(self) -> list[ast.stmt]:
        """Return what leaves a loop of users' code when something is wrong."""
        if not self.checked:
            return []
        return [ast.If(call_of("_tick", name_of("s")), [ast.Break()], [])]

    def is_range(self, node: ast.expr) -> bool:
        """Tell whether a loop goes over seats or a range, not over a set of cards."""
        return self.word_of(node) == "seats" or self.is_built_in(node, "range")

    def over(self, node: ast.expr) -> ast.expr:
        """Rewrite what a loop goes over."""
        if not self.is_range(node):
            if isinstance(node, ast.Constant):
                wanted = "a loop goes over a set of cards, seats() or range(…)"
                self.stop(node, f"{wanted}, not {ast.unparse(node)}")
            return self.x(node)
        assert isinstance(node, ast.Call)
        is_seats = self.word_of(node) == "seats"
        if len(node.args) not in ((0,) if is_seats else (1, 2, 3)) or node.keywords:
            form = "seats()" if is_seats else "range(end), range(start, end) or with a step"
            self.stop(node, f"it is called as {form}")
        if is_seats:
            return expression("range(o.players)")
        args = [self.x(arg) for arg in node.args]
        if self.checked:
            args = [
                arg if isinstance(arg, ast.Constant) else call_of("_number", arg) for arg in args
            ]
            if len(args) == 3 and not (isinstance(args[2], ast.Constant) and args[2].value):
                args[2] = call_of("_stride", name_of("s"), args[2])
        return call_of("range", *args)

    def each(
        self, node: ast.expr, target: str, over: ast.expr, body: list[ast.stmt]
    ) -> list[ast.stmt]:
        """Return a loop over what has been rewritten already."""
        if self.is_range(node):
            assert isinstance(over, ast.Call)
            if len(over.args) == 3 and not isinstance(over.args[2], ast.Constant):
                return self.striding(target, over.args, body)
            return [ast.For(stored(target), over, [*self.tick(), *body], [])]
        rest = self.fresh("rest")
        head: list[ast.stmt] = [
            assigned(target, call_of("lowest", name_of(rest))),
            assigned(rest, call_of("_without_lowest", name_of(rest))),
        ]
        loop = ast.While(name_of(rest), [*self.tick(), *head, *body], [])
        return [assigned(rest, call_of("_cards", over) if self.checked else over), loop]

    def striding(self, target: str, ends: list[ast.expr], body: list[ast.stmt]) -> list[ast.stmt]:
        """Return a loop by a step that is no constant: Numba's own would raise where it is 0."""
        at, end, step = (self.fresh(stem) for stem in ("at", "end", "step"))
        text = f"({at} < {end}) if {step} > 0 else ({at} > {end})"
        head = statements(f"{target} = {at}\n{at} = {at} + {step}")
        names = zip((at, end, step), ends, strict=True)
        first: list[ast.stmt] = [assigned(name, value) for name, value in names]
        return [*first, ast.While(expression(text), [*self.tick(), *head, *body], [])]

    # ------------------------------------------------------------------------------ assignments

    def do_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return []
        plain = ast.Assign([node.target], node.value)
        return self.do_Assign(ast.copy_location(plain, node))

    def do_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        value = node.value
        sizes = {len(t.elts) if isinstance(t, ast.Tuple) else 1 for t in node.targets}
        is_several = isinstance(value, ast.Tuple)
        is_call = isinstance(value, ast.Call) and self.callee(value) is not None
        wanted = len(value.elts) if isinstance(value, ast.Tuple) else 1
        if sizes != {wanted} and not (is_call and len(node.targets) == 1):
            self.stop(node, refusals.AS_MANY)
        made = self.several(value)
        targets = [t.elts if isinstance(t, ast.Tuple) else [t] for t in node.targets]
        every = [target for group in targets for target in group]
        if len(every) == 1:
            return [self.store(every[0], made)]
        if all(isinstance(target, ast.Name) for target in every):
            groups = [
                ast.Tuple([self.target(part) for part in t.elts], ast.Store())
                if isinstance(t, ast.Tuple)
                else self.target(t)
                for t in node.targets
            ]
            return [ast.Assign(groups, made)]
        # Values are known before targets are found, which happens from left to right.
        count = len(targets[0])
        kept = [self.fresh("value") for _ in range(count)]
        names: list[ast.expr] = [stored(name) for name in kept]
        several = ast.Tuple(names, ast.Store()) if is_several or count > 1 else names[0]
        pairs = (pair for group in targets for pair in zip(group, kept, strict=True))
        puts = (self.store(target, name_of(name)) for target, name in pairs)
        return [ast.Assign([several], made), *puts]

    def target(self, target: ast.expr) -> ast.expr:
        """Return the target of an assignment."""
        if isinstance(target, ast.Name):
            self.refuse_name(target, target.id)
            return stored(self.local(target.id))
        if not isinstance(target, ast.Attribute | ast.Subscript):
            self.stop(target, refusals.AS_MANY)
        self.need_changeable(target)
        made: Any = self.item(target)
        made.ctx = ast.Store()
        return made  # type: ignore[no-any-return]

    def store(self, target: ast.expr, value: ast.expr) -> ast.stmt:
        """Return the assignment of a value to a local or to a part of the state."""
        made = self.target(target)
        if not isinstance(target, ast.Name):
            value = self.fitting(target, value)
        return ast.Assign([made], value)

    def need_changeable(self, target: ast.expr) -> None:
        """Refuse to assign to what is no part of the state, or to a place of cards."""
        base, _ = indexed(target)
        shown = ast.unparse(target)
        holder = ast.unparse(base.value) if isinstance(base, ast.Attribute) else ""
        if holder not in ("s", "s.count"):
            self.stop(
                target,
                f"{shown} cannot be changed; what changes is declared in State, what a policy "
                "remembers as memory(number)",
            )
        assert isinstance(base, ast.Attribute)
        declared = self.unit.fields.get(base.attr) if holder == "s" else None
        if declared is not None and self.program.is_place(declared.kind):
            self.stop(
                target,
                f"{shown} holds cards: they go from one place to another by move() or draw() only, "
                "so that none is lost",
            )

    def fitting(self, target: ast.expr, value: ast.expr) -> ast.expr:
        """Return a value as a part of the state can hold it."""
        base, _ = indexed(target)
        assert isinstance(base, ast.Attribute)
        is_count = ast.unparse(base.value) == "s.count"
        declared = None if is_count else self.unit.fields.get(base.attr)
        if declared is not None and self.program.is_set(declared.kind):
            return call_of("_cards", value) if self.checked else value
        if declared is not None and declared.kind is language.FLOAT:
            return call_of("_float", value)
        if not self.checked:
            return value
        s = name_of("s")
        value = call_of("_stored", value)
        if is_count or base.attr in ("scores", "deficits"):
            return call_of("_short", s, value)
        if base.attr in BELOW:
            return call_of("_small", s, value, expression(BELOW[base.attr]))
        return value

    def do_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Rewrite `+=` and the like: the target is found and read before the operand is known."""
        target, op = node.target, node.op
        if isinstance(op, ast.Pow | ast.MatMult):
            self.binary(node, op, ast.Constant(None), ast.Constant(None))
        is_plain = not self.checked and not isinstance(op, ast.FloorDiv | ast.Mod)
        if is_plain:
            made = self.target(target)
            return [ast.AugAssign(made, op, self.x(node.value))]  # type: ignore[arg-type]
        if isinstance(target, ast.Name):
            self.refuse_name(target, target.id)
            old: ast.expr = name_of(self.local(target.id))
            value = self.binary(node, op, old, self.x(node.value))
            return [assigned(self.local(target.id), value)]
        self.need_changeable(target)
        first, once = self.indexed_once(target)
        load, put = copy.deepcopy(once), copy.deepcopy(once)
        put.ctx = ast.Store()
        value = self.binary(node, op, load, self.x(node.value))
        return [*first, ast.Assign([put], self.fitting(target, value))]

    def indexed_once(self, node: ast.expr) -> tuple[list[ast.stmt], Any]:
        """Return a part of the state whose indices are names, and what gives these values."""
        made: Any = self.item(node)
        first: list[ast.stmt] = []
        part: Any = made
        parts = list[Any]()
        while isinstance(part, ast.Subscript):
            parts.insert(0, part)
            part = part.value
        for part in parts:
            if not isinstance(part.slice, ast.Constant):
                name = self.fresh("at")
                first.append(assigned(name, part.slice))
                part.slice = name_of(name)
        return first, made

    def do_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        call = node.value
        if not isinstance(call, ast.Call):
            self.stop(node, "a line that does nothing; a value is assigned or returned")
        word = self.word_of(call)
        if word in ("because", "weigh"):
            return self.told(call, word)
        if word is not None:
            return [ast.Expr(self.of_word(call, word))]
        if self.callee(call) is not None:
            return [ast.Expr(self.of_rule(call))]
        return [ast.Expr(self.x(call))]

    def told(self, call: ast.Call, word: str) -> list[ast.stmt]:
        """Rewrite what a policy tells: in plain Python alone, but what it is given may act."""
        if self.unit.tells:
            args = [arg if _is_text(arg) else self.x(arg) for arg in call.args]
            return [ast.Expr(call_of(word, *args))]
        acting = [
            arg for arg in call.args if not _is_text(arg) and self.unit.acts(arg, self.routine)
        ]
        return [assigned(self.fresh("told"), self.x(arg)) for arg in acting]

    # ------------------------------------------------------------------------------ expressions

    def x(self, node: ast.expr) -> ast.expr:
        """Rewrite an expression."""
        if self.names and not self.is_of_rules(node):
            return self.as_it_is(node)
        rewritten: Any = getattr(self, f"x_{type(node).__name__}", None)
        if rewritten is None:
            self.refuse_expression(node)
        made: ast.expr = rewritten(node)
        if not hasattr(made, "lineno"):
            ast.copy_location(made, node)
        return made

    def is_of_rules(self, node: ast.expr) -> bool:
        """Tell whether an expression has a meaning of its own in rules."""
        if isinstance(node, ast.Call):
            return self.word_of(node) is not None or self.callee(node) is not None
        base, _ = indexed(node)
        if isinstance(base, ast.Attribute):
            holder = ast.unparse(base.value)
            return holder in ("s", "s.count") or self.is_options(holder)
        if isinstance(node, ast.Name):
            value = self.routine.space.get(node.id)
            is_local = node.id in self.locals
            return is_local or node.id == "players" or isinstance(value, Dial | Decision)
        return isinstance(node, ast.Set | ast.Compare) and not any(
            isinstance(part, ast.Constant) and isinstance(part.value, str)
            for part in parts_of(node)
        )

    def as_it_is(self, node: ast.expr) -> ast.expr:
        """Return an expression as it is, but for what has a meaning of its own within it."""
        if isinstance(node, ast.Name):
            if node.id in self.routine.space and node.id not in self.locals:
                return name_of(self.unit.object_named(node.id, self.routine.space[node.id]))
            return node
        outer = self.locals
        for loop in getattr(node, "generators", ()):
            self.locals = self.locals | {name.id for name in simple_names(loop.target)}

        def rewritten(value: Any) -> Any:
            if isinstance(value, list):
                return [rewritten(part) for part in value]
            if isinstance(value, ast.expr):
                return (
                    self.x(value)
                    if isinstance(getattr(value, "ctx", None), ast.Load | None)
                    else value
                )
            if isinstance(value, ast.comprehension):
                tests = [self.x(test) for test in value.ifs]
                return ast.comprehension(value.target, self.x(value.iter), tests, value.is_async)
            if isinstance(value, ast.keyword):
                return ast.keyword(value.arg, self.x(value.value))
            return value

        made = type(node)(**{name: rewritten(value) for name, value in ast.iter_fields(node)})
        self.locals = outer
        return ast.copy_location(made, node)

    def refuse_expression(self, node: ast.expr) -> NoReturn:
        advice = refusals.SYNTAX.get(type(node).__name__, "")
        self.stop(node, refusals.NOT_A_RULE.format(ast.unparse(node), advice))

    def test(self, node: ast.expr) -> ast.expr:
        """Rewrite a test to a truth value: `and` and `or` join the truth of sets and numbers."""
        if isinstance(node, ast.BoolOp):
            return ast.BoolOp(node.op, [self.test(part) for part in node.values])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.test(node.operand))
        made = self.x(node)
        is_truth = isinstance(node, ast.Compare) or (
            isinstance(made, ast.Constant) and isinstance(made.value, bool)
        )
        return made if is_truth else call_of("bool", made)

    def x_Constant(self, node: ast.Constant) -> ast.expr:
        if isinstance(node.value, (int, float)) and not isinstance(node.value, complex):
            return self.number(node.value, node)
        advice = "NO_CARD is no card" if node.value is None else "words are values of options"
        self.stop(node, f"{node.value!r}: rules know numbers and cards only; {advice}")

    def number(self, value: Any, node: ast.AST) -> ast.expr:
        """Return a constant."""
        if isinstance(value, (bool, np.bool_)):
            return ast.Constant(bool(value))
        is_float = isinstance(value, (float, np.floating))
        if is_float and np.isnan(value):
            return name_of("_NAN")
        made = ast.Constant(float(value) if is_float else int(value))
        made.source = node  # type: ignore[attr-defined]
        return made

    def x_Name(self, node: ast.Name) -> ast.expr:
        name = node.id
        if name in self.locals:
            return name_of(self.local(name))
        if name == "s":
            self.stop(node, "the state is no value; it is handed on to functions as `s`")
        if name == "players" and self.program.space.get("players") is not None:
            return expression("o.players")
        if name in self.routine.space:
            return self.of_object(name, self.routine.space[name], node)
        known = [word for word in self.routine.space if not word.startswith("_")]
        self.stop(node, f"unknown name `{name}`{near(name, [*self.locals, *known])}")

    def of_object(self, name: str, value: Any, node: ast.AST) -> ast.expr:
        """Return the value of a name of the file: an option, a constant, a decision, a table."""
        if isinstance(value, Dial):
            return expression(f"o.{name}")
        if isinstance(value, Decision):
            if value.name not in self.program.decisions:
                self.stop(node, str(unknown("decision", value.name, tuple(self.program.decisions))))
            return ast.Constant(self.program.decisions[value.name])
        if value is language.all_cards:
            return self.set_of(self.deck(node).all_cards)
        if isinstance(value, (set, frozenset)):
            for card in value if self.checked else ():
                self.need_card(card, node)
            return self.set_of(sum(1 << int(card) for card in value))
        if isinstance(value, (bool, int, float, np.integer, np.floating, np.bool_)):
            return self.number(value, node)
        if isinstance(value, (list, tuple, np.ndarray)):
            return name_of(self.table(name, value, node))
        self.stop(node, f"`{name}` is nothing that rules can use")

    def table(self, name: str, value: Any, node: ast.AST) -> str:
        """Return the name of a constant table."""
        if not isinstance(value, (list, tuple, np.ndarray)):
            self.stop(node, refusals.NO_INDEX.format(name))
        try:
            return str(self.unit.table(name, value))
        except (ValueError, OverflowError, TypeError) as error:
            known = str(error) if str(error).startswith("a table") else refusals.NO_TABLE
            self.stop(node, f"{name}: {known}")

    def deck(self, node: ast.AST) -> Any:
        """Return the game's deck, which suits and ranks need."""
        if self.program.deck is None:
            self.stop(node, "the game has no deck; write deck = french_deck() or another")
        return self.program.deck

    def x_Attribute(self, node: ast.Attribute) -> ast.expr:
        holder = ast.unparse(node.value)
        if holder in ("s", "s.count") or self.is_options(holder):
            return self.item(node)
        module = self.module(node.value)
        if module is not None and hasattr(module, node.attr):
            return self.of_object(node.attr, getattr(module, node.attr), node)
        self.stop(node, refusals.NOT_A_RULE.format(ast.unparse(node), ""))

    def module(self, node: ast.expr) -> Any:
        """Return the module that a name stands for, if it is one."""
        if not isinstance(node, ast.Name) or node.id in self.locals:
            return None
        value = self.routine.space.get(node.id)
        return value if isinstance(value, ModuleType) else None

    def is_options(self, holder: str) -> bool:
        return holder == "o" and self.routine.space.get("o") is language.o

    def x_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self.item(node)

    # ------------------------------------------- fields, counts, options and tables, with indices

    def item(self, node: ast.expr, *, place: bool = False) -> ast.expr:
        """Rewrite a part of the state, an option or a number of a table, with all its indices."""
        base, indices = indexed(node)
        made, counts = self.holder(base, place=place)
        shown = ast.unparse(base)
        if len(indices) != len(counts):
            of = node if len(indices) > len(counts) or not isinstance(base, ast.Name) else base
            self.stop(of, f"{shown} has {refusals.INDICES[len(counts)]}")
        for index, count in zip(indices, counts, strict=True):
            made = ast.Subscript(made, self.index(index, count), ast.Load())
        return made

    def index(self, node: ast.expr, count: str) -> ast.expr:
        """Rewrite an index; users' code is stopped by one that is out of range."""
        if isinstance(node, ast.Slice | ast.Tuple):
            self.refuse_expression(node)
        made = self.x(node)
        if not self.checked:
            return made
        known = made.value if isinstance(made, ast.Constant) else None
        if type(known) is int and count.isdigit() and 0 <= known < int(count):
            return made
        return call_of("_index", name_of("s"), made, expression(count))

    def holder(self, base: ast.expr, *, place: bool = False) -> tuple[ast.expr, list[str]]:
        """Return what indices belong to, and how many there are of each."""
        if isinstance(base, ast.Attribute):
            holder, name = ast.unparse(base.value), base.attr
            if holder == "s" and "s" not in self.locals:
                counts = self.counts_of_field(base)
                return expression(f"s.{MADE if place else ''}{name}"), counts
            if holder == "s.count":
                return expression(f"s.count.{name}"), self.counts_of_count(base)
            if self.is_options(holder):
                if name not in self.unit.options:
                    self.stop(base, f"no option `{name}`{near(name, self.unit.options)}")
                return expression(f"o.{name}"), list(map(str, self.unit.layout.counts[name]))
            module = self.module(base.value)
            if module is not None and hasattr(module, name):
                value = getattr(module, name)
                return name_of(self.table(name, value, base)), _lengths(value)
        if isinstance(base, ast.Name) and base.id not in self.locals:
            value = self.routine.space.get(base.id)
            if base.id in self.routine.space:
                return name_of(self.table(base.id, value, base)), _lengths(value)
        self.stop(base, refusals.NO_INDEX.format(ast.unparse(base)))

    def counts_of_field(self, node: ast.Attribute) -> list[str]:
        name, fields = node.attr, self.unit.fields
        if name not in fields:
            if name == "count":
                self.stop(node, "s.count takes the name of a count, as in s.count.turns")
            self.stop(node, f"the state has no `{name}`{near(name, [*fields, 'count'])}")
        return self.unit.counts_of(fields[name])  # type: ignore[no-any-return]

    def counts_of_count(self, node: ast.Attribute) -> list[str]:
        size = self.program.game.counted.get(node.attr)
        if size:
            return [str(size)]
        if node.attr not in self.program.metrics:
            self.stop(node, f"no count `{node.attr}`{near(node.attr, self.program.metrics)}")
        return []

    # ------------------------------------------------------------------------ sets of cards

    def set_of(self, bits: int) -> ast.expr:
        """Return the set of the cards whose bits a number has."""
        parts = [ast.Constant(signed(bits >> 64 * k)) for k in range(self.unit.width)]
        return call_of("_set", *parts)

    def need_card(self, card: Any, node: ast.AST) -> None:
        """Refuse a card that no set of this game can hold."""
        if not isinstance(card, (int, np.integer)) or not 0 <= card < self.unit.numbers:
            self.stop(
                node,
                f"there is no card {card}: sets of this game hold numbers from 0 to "
                f"{self.unit.numbers - 1}; {self.program.instead_of_legal}",
            )

    def card(self, made: ast.expr) -> ast.expr:
        """Return the set of a card, or a set as it is; in users' code there must be the card."""
        return call_of("_card", name_of("s"), made) if self.checked else call_of("_item", made)

    def x_Set(self, node: ast.Set) -> ast.expr:
        values = [self.x(element) for element in node.elts]
        known = 0
        parts: list[ast.expr] = []
        for value, element in zip(values, node.elts, strict=True):
            if isinstance(value, ast.Constant):
                self.need_card(value.value, element)
                known |= 1 << int(value.value)  # type: ignore[arg-type]
            else:
                parts.append(self.card(value))
        if known or not parts:
            parts.append(self.set_of(known))
        made, *others = parts
        for part in others:
            made = ast.BinOp(made, ast.BitOr(), part)
        return made

    def x_SetComp(self, node: ast.SetComp) -> ast.expr:
        def inside(element: ast.expr) -> list[ast.stmt]:
            joined = ast.BinOp(name_of("_found"), ast.BitOr(), self.card(self.x(element)))
            return [assigned("_found", joined)]

        return self.helper(node, node.elt, "_found = _none()", inside, "return _found")

    def helper(
        self,
        node: Any,
        element: ast.expr,
        start: str,
        inside: Callable[[ast.expr], list[ast.stmt]],
        end: str,
    ) -> ast.expr:
        """Return the call of a function that goes through a comprehension.

        It is given what the comprehension goes over, and the locals that it reads.
        """
        if len(node.generators) != 1 or not isinstance(node.generators[0].target, ast.Name):
            self.stop(node, "one `for`, with one name")
        loop = node.generators[0]
        self.refuse_name(node, loop.target.id)
        over = self.over(loop.iter)
        outer, bound = self.locals, loop.target.id
        read = {name.id for part in (element, *loop.ifs) for name in reads(part)}
        self.locals = outer | {bound}
        body = inside(element)
        for test in reversed(loop.ifs):
            body = [ast.If(self.x(test), body, [])]
        self.locals = outer
        if self.is_range(loop.iter):
            assert isinstance(over, ast.Call)
            given: list[ast.expr] = [arg for arg in over.args if not isinstance(arg, ast.Constant)]
            ends = [self.fresh("end") for _ in given]
            names = iter(ends)
            inner: ast.expr = call_of(
                "range",
                *(
                    arg if isinstance(arg, ast.Constant) else name_of(next(names))
                    for arg in over.args
                ),
            )
        else:
            ends, given = [self.fresh("over")], [over]
            inner = name_of(ends[0])
        lines: list[ast.stmt] = [
            *statements(start),
            *self.each(loop.iter, self.local(bound), inner, body),
            *statements(end),
        ]
        return self.apart(node, lines, read - {bound}, dict(zip(ends, given, strict=True)))

    def apart(
        self,
        node: ast.expr,
        lines: list[ast.stmt],
        read: Collection[str],
        given: Mapping[str, ast.expr] = MappingProxyType({}),
    ) -> ast.expr:
        """Return the call of a function of its own for part of an expression.

        Parameters
        ----------
        read : collection of str
            Names that the part reads; it is given those that are locals.
        given : mapping of str to expr
            Its other parameters, with their arguments.
        """
        params = [self.local(name) for name in sorted(self.locals.intersection(read))]
        title = self.unit.fresh_title(self.routine)
        self.made.append(self.function(title, [*given, *params], lines, node))
        first = ["s", "o"] if self.has_state else ["o"]
        return call_of(title, *map(name_of, first), *given.values(), *map(name_of, params))

    # ---------------------------------------------------------------------------------- operators

    def x_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.binary(node, node.op, self.x(node.left), self.x(node.right))

    def binary(self, node: ast.AST, op: ast.operator, left: ast.expr, right: ast.expr) -> ast.expr:
        """Return an operation on two operands that have been rewritten."""
        if self.names:
            return ast.BinOp(left, op, right)
        sign = ast.unparse(ast.BinOp(name_of("a"), op, name_of("b")))[2:-2]
        known = [part.value if isinstance(part, ast.Constant) else None for part in (left, right)]
        if all(type(value) is int for value in known):
            return self.number(self.of_constants(node, sign, *known), node)  # type: ignore[arg-type]
        if sign in ("**", "@"):
            self.stop(node, f"`{sign}` is not compiled; multiply, or use a table")
        if sign in ("//", "%", "/") and known[1] == 0:
            self.stop(node, refusals.NO_ZERO)
        if self.checked and type(op) in OPERATORS:
            return call_of(OPERATORS[type(op)], name_of("s"), left, right)
        if sign in ("//", "%"):
            return call_of("_divided" if sign == "//" else "_modulo", left, right)
        return ast.BinOp(left, op, right)

    def of_constants(self, node: ast.AST, sign: str, left: int, right: int) -> Any:
        """Evaluate an operation on two constants, as Python does."""
        if sign in ("//", "%", "/") and not right:
            self.stop(node, refusals.NO_ZERO)
        most = 64 if sign == "<<" else 1 << 10
        if sign in ("<<", ">>", "**") and not 0 <= right < most:
            self.stop(node, f"{left} {sign} {right}: from 0 to {most - 1} on the right")
        if sign == "@":
            self.stop(node, refusals.NO_MATRIX)
        value = eval(f"({left}) {sign} ({right})")  # noqa: S307 (two numbers and a sign)
        return signed(value) if sign == "<<" else value

    def x_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return ast.UnaryOp(node.op, self.x(node.operand))
        value = self.x(node.operand)
        if isinstance(node.op, ast.UAdd):
            return value
        known = value.value if isinstance(value, ast.Constant) else None
        is_inverted = isinstance(node.op, ast.Invert)
        if isinstance(known, (int, float)) and not (is_inverted and isinstance(known, float)):
            return self.number(~int(known) if is_inverted else -known, node)
        if is_inverted:
            return ast.UnaryOp(node.op, call_of("_number", value))
        if self.checked:
            return call_of("_sub", name_of("s"), ast.Constant(0), value)
        return ast.UnaryOp(node.op, value)

    def x_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, [self.x(part) for part in node.values])

    def x_IfExp(self, node: ast.IfExp) -> ast.expr:
        return ast.IfExp(self.x(node.test), self.x(node.body), self.x(node.orelse))

    # -------------------------------------------------------------------------------- comparisons

    def x_Compare(self, node: ast.Compare) -> ast.expr:
        sides = [node.left, *node.comparators]
        choices = self.choices(node, sides)
        made: list[ast.expr | None] = [
            None if isinstance(side, ast.Tuple) else self.side(side, choices) for side in sides
        ]
        for place, op in enumerate(node.ops):
            several = node.comparators[place]
            if isinstance(several, ast.Tuple) and not isinstance(op, ast.In | ast.NotIn):
                self.refuse_expression(several)
            if isinstance(op, ast.Is | ast.IsNot):
                sign = "==" if isinstance(op, ast.Is) else "!="
                self.stop(node, f"`is` compares objects; numbers and sets are compared with {sign}")
        if isinstance(node.comparators[-1], ast.Tuple):
            if len(node.ops) > 1:
                self.refuse_expression(node.comparators[-1])
            first = made[0]
            assert first is not None
            values = [self.side(value, choices) for value in node.comparators[-1].elts]
            among = call_of("_among", first, *values)
            return among if isinstance(node.ops[0], ast.In) else ast.UnaryOp(ast.Not(), among)
        if self.checked and not self.names:
            return self.compared(node, made, node.ops)  # type: ignore[arg-type]
        left, *others = made
        return ast.Compare(left, node.ops, others)  # type: ignore[arg-type]

    def compared(
        self, node: ast.Compare, sides: list[ast.expr], ops: Sequence[ast.cmpop]
    ) -> ast.expr:
        """Return checked comparisons of neighbours.

        What stands between two is evaluated once, and the next one only if it has to be: unless
        these are names and constants, all of it becomes a function.
        """
        if all(isinstance(side, ast.Constant | ast.Name) for side in sides[1:-1]):
            tests = list(map(self.comparison, ops, sides, sides[1:]))
            return tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
        lines: list[ast.stmt] = []
        before: ast.expr | None = None
        for op, side in zip([None, *ops], sides, strict=True):
            name = name_of(self.fresh("side"))
            lines.append(assigned(name.id, side))
            if op is not None and before is not None:
                differs = ast.UnaryOp(ast.Not(), self.comparison(op, before, name))
                lines.append(ast.If(differs, [ast.Return(ast.Constant(False))], []))
            before = name
        lines.append(ast.Return(ast.Constant(True)))
        return self.apart(node, lines, {name.id for name in reads(node)})

    def comparison(self, op: ast.cmpop, left: ast.expr, right: ast.expr) -> ast.expr:
        """Return the checked comparison of two."""
        # A small whole number is the same number as a float.
        values = [getattr(side, "value", None) for side in (left, right)]
        is_sure = any(type(value) is int and abs(value) <= EXACT for value in values)
        if is_sure or type(op) not in COMPARISONS:
            return ast.Compare(left, [op], [right])
        return call_of(COMPARISONS[type(op)], left, right)

    def choices(self, node: ast.Compare, sides: Sequence[ast.expr]) -> Sequence[str]:
        """Return the words of the option that is compared, if it is one of words."""
        for side in sides:
            name = side.attr if isinstance(side, ast.Attribute) else getattr(side, "id", "")
            is_option = isinstance(side, ast.Attribute) and self.is_options(ast.unparse(side.value))
            is_dial = name not in self.locals and isinstance(self.routine.space.get(name), Dial)
            if (is_option or is_dial) and name in self.program.option_words:
                for op in node.ops:
                    if not isinstance(op, ast.Eq | ast.NotEq | ast.In | ast.NotIn):
                        word = next(map(ast.unparse, sides[1:]))
                        self.stop(
                            node, f"{word}: only options that are words are compared with words"
                        )
                return tuple(self.program.option_words[name])
        return ()

    def side(self, node: ast.expr, choices: Sequence[str]) -> ast.expr:
        """Rewrite one side of a comparison; a word of an option is its number."""
        if not (isinstance(node, ast.Constant) and isinstance(node.value, str)):
            return self.x(node)
        if not choices:
            self.stop(node, f"{node.value!r}: only options that are words are compared with words")
        if node.value not in choices:
            self.stop(node, f"{node.value!r} is none of {', '.join(choices)}")
        return ast.copy_location(ast.Constant(choices.index(node.value)), node)

    # -------------------------------------------------------------------------------------- calls

    def word_of(self, node: ast.AST) -> str | None:
        """Return the word of the language that is called, if one is."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        value = self.routine.space.get(node.func.id)
        is_word = node.func.id not in self.locals and isinstance(value, FunctionType)
        return WORDS.get(value) if is_word else None

    def callee(self, node: ast.Call) -> Routine | None:
        """Return the function of the rules that is called, if one is."""
        return self.routine.calls.get(ast.unparse(node.func))

    def is_built_in(self, node: ast.AST, name: str) -> bool:
        """Tell whether a function of Python is called."""
        is_called = isinstance(node, ast.Call) and getattr(node.func, "id", "") == name
        return is_called and name not in self.locals and name not in self.routine.calls

    def x_Call(self, node: ast.Call) -> ast.expr:
        callee = self.callee(node)
        if callee is not None:
            if not gives_value(callee.tree):
                name = callee.tree.name
                self.stop(node, f"{name} returns nothing; it stands on a line of its own")
            return self.of_rule(node)
        word = self.word_of(node)
        if word in NO_RESULT:
            self.stop(node, f"{word}(…) has no value; it stands on a line of its own")
        if word is not None:
            return self.of_word(node, word)
        name = getattr(node.func, "id", "")
        if name in self.locals:
            self.stop(node, f"`{name}` is a number here, no function")
        if name in ("max", "min") and node.keywords:
            return self.best_by_key(node, name)
        if name in OF_GENERATORS and len(node.args) == 1:
            return self.of_generator(node, name)
        if name not in BUILT_IN:
            known = [*self.routine.calls, *WORDS.values(), *BUILT_IN, "sum", "any", "all", "range"]
            advice = refusals.FUNCTIONS.get(name or getattr(node.func, "attr", ""))
            hint = f"; {advice}" if advice else near(name, known)
            self.stop(node, f"unknown function `{ast.unparse(node.func)}`{hint}")
        if node.keywords or (name != "set" and not node.args):
            self.stop(node, f"it is called as {name}({'' if name == 'set' else 'x'})")
        return getattr(self, f"call_{name}")(node)  # type: ignore[no-any-return]

    def of_rule(self, node: ast.Call) -> ast.expr:
        """Rewrite the call of another function of the rules."""
        callee = self.callee(node)
        assert callee is not None
        name = callee.tree.name
        if len(node.args) != len(callee.params) or node.keywords:
            wanted, count = ", ".join(callee.params), len(node.args)
            many = "1 value" if count == 1 else f"{count} values"
            self.stop(node, f"{name}({wanted}) is called with {many}")
        given: list[ast.expr] = []
        for param, argument in zip(callee.params, node.args, strict=True):
            if param != "s":
                given.append(self.x(argument))
            elif ast.unparse(argument) != "s":
                self.stop(argument, refusals.NO_STATE)
        title = self.unit.want(callee, names=self.names)
        takes_state = "s" in callee.params or self.checked
        first = ["s", "o"] if takes_state else ["o"]
        return call_of(title, *map(name_of, first), *given)

    def of_word(self, node: ast.Call, word: str) -> ast.expr:
        """Rewrite the call of a word: its arguments, and what it is given beside them."""
        params = self.params_of(node, word)
        if word == "seats":
            self.stop(node, "seats() is what a loop goes over")
        if word in OF_TEAMS:
            self.need_teams(node, word)
        if word in OF_DECKS:
            self.deck(node)
        given = [
            self.argument(argument, param, word)
            for argument, param in zip(node.args, params, strict=False)
        ]
        if word in ("top", "insert", "draw", "bring", "move"):
            moving = self.moving(node, word, given)
            if moving is not None:
                return moving
        given += [self.default(word, param) for param in params[len(given) :]]
        if self.checked and word in CHECKED:
            given = [part for part, param in zip(given, params, strict=True) if param != "s"]
            return call_of(f"{MADE}{word}", name_of("s"), name_of("o"), *given)
        return call_of(word, *self.unit.completed(word, given))

    def params_of(self, node: ast.Call, word: str) -> list[str]:
        """Return the parameters of a word; refuse another number of arguments."""
        signature = inspect.signature(self.unit.stand_in(word))
        params = list(signature.parameters)
        least = sum(p.default is p.empty for p in signature.parameters.values())
        if not least <= len(node.args) <= len(params) or node.keywords:
            counts = range(least, len(params) + 1)
            ways = [f"{word}({', '.join(params[:count])})" for count in counts]
            self.stop(node, f"it is called as {' or '.join(ways)}")
        return params

    def need_teams(self, node: ast.Call, word: str) -> None:
        """Refuse a word of teams in a game without any."""
        seating = self.program.seating
        if not seating.has_teams:
            self.stop(node, refusals.NO_TEAMS)
        if word == "partner" and not seating.are_pairs:
            self.stop(node, "teams do not have two seats each: partners(seat) are all of them")

    def argument(self, node: ast.expr, param: str, word: str) -> ast.expr:
        """Rewrite an argument as a word takes it."""
        if param == "s":
            if ast.unparse(node) != "s" or "s" in self.locals:
                self.stop(node, refusals.NO_STATE)
            return name_of("s")
        if param in PLACES:
            return self.place(node, word, param)
        if param == "stream":
            return self.stream(node)
        if param == "clause":
            return ast.Constant(self.clause_bit(node))
        if param == "changes":
            return self.changes(getattr(node, "value", ""))
        return self.test(node) if param in TESTS or word == "rarely" else self.x(node)

    def default(self, word: str, param: str) -> ast.expr:
        if param == "changes":
            return self.changes("lead_changes")
        return ast.Constant(inspect.signature(self.unit.stand_in(word)).parameters[param].default)

    def place(self, node: ast.expr, word: str, param: str) -> ast.expr:
        """Rewrite a place of cards that a word is given."""
        declared = self.declared(node)
        if declared is None or not self.program.is_place(declared.kind):
            self.stop(node, f"{ast.unparse(node)} is no place of cards")
        needs_order = (param == "place" and word != "bring") or (word, param) == (
            "insert",
            "target",
        )
        if needs_order and declared.kind is not language.ordered:
            base, _ = indexed(node)
            name = getattr(base, "attr", "")
            how = f"declare it as ordered, as in {name} = shown(ordered)"
            self.stop(node, f"s.{name} has no order; {how}")
        return self.item(node, place=True)

    def declared(self, node: ast.expr) -> Any:
        """Return the declaration of the field that is meant, if one is."""
        base, _ = indexed(node)
        if isinstance(base, ast.Attribute) and ast.unparse(base.value) == "s":
            return self.unit.fields.get(base.attr)
        return None

    def moving(self, node: ast.Call, word: str, given: list[ast.expr]) -> ast.expr | None:
        """Rewrite what moves cards, where that depends on the order of places; else None."""
        first = [name_of("s"), name_of("o")]
        is_ordered = [
            (declared := self.declared(arg)) is not None and declared.kind is language.ordered
            for arg in node.args
        ]
        if word == "move" and any(is_ordered):
            return call_of("_insert", *first, *given, ast.Constant(0))
        if word == "bring" and any(is_ordered):
            return call_of("_bring_into", *first, *given)
        if word == "draw":
            count = given[2] if len(given) > 2 else ast.Constant(1)
            if is_ordered[0]:
                return call_of("_draw_top", *first, *given[:2], count)
            if is_ordered[1]:
                return call_of("_draw_into", *first, *given[:2], count)
            if self.checked:
                return call_of("_draw", *first, *given[:2], count)
            return call_of("_draw_one" if len(given) == 2 else "draw", first[0], *given)
        return None

    def stream(self, node: ast.expr) -> ast.expr:
        """Rewrite a stream of random numbers."""
        if self.word_of(node) == "SEAT":
            assert isinstance(node, ast.Call)
            self.params_of(node, "SEAT")
            index = self.index(node.args[0], "o.players")
            return ast.Subscript(expression("s._SEAT"), index, ast.Load())
        is_name = isinstance(node, ast.Name) and node.id not in self.locals
        value = self.routine.space.get(node.id) if is_name else None  # type: ignore[attr-defined]
        if not isinstance(value, Stream):
            self.stop(node, "a stream is DEAL, CHANCE, MATCH, ASIDE or SEAT(seat)")
        return expression(f"s._{value.name}")

    def clause_bit(self, node: ast.expr) -> int:
        names = [clause.name for clause in self.program.game.clauses]
        name = getattr(node, "value", None)
        if name not in names:
            hint = near(str(name), names) if names else "; count with measure(…) and s.count"
            self.stop(node, f"no clause {name!r}{hint}")
        return 1 << names.index(name)

    def changes(self, name: str) -> ast.expr:
        """Return where changes of the lead are counted: nowhere, if the game does not."""
        is_counted = name in self.program.metrics
        return expression(f"s.count._{name}" if is_counted else "s.__uncounted")

    # ---------------------------------------------------------------------- functions of Python

    def one(self, node: ast.Call) -> ast.expr:
        """Return the only argument of a call."""
        if len(node.args) != 1:
            name = getattr(node.func, "id", "")
            self.stop(node, f"it is called as {name}(x)")
        return self.x(node.args[0])

    def call_len(self, node: ast.Call) -> ast.expr:
        over = node.args[0]
        if isinstance(over, ast.Name) and over.id not in self.locals:
            table = self.routine.space.get(over.id)
            if isinstance(table, (list, tuple, np.ndarray)):
                return ast.Constant(len(table))
        return call_of("len", self.one(node))

    def call_set(self, node: ast.Call) -> ast.expr:
        if node.args:
            self.stop(node, "set() is empty; write {a, b}")
        return call_of("_none")

    def call_int(self, node: ast.Call) -> ast.expr:
        value = self.one(node)
        return call_of("_whole", name_of("s"), value) if self.checked else call_of("_int", value)

    def call_float(self, node: ast.Call) -> ast.expr:
        return call_of("_float", self.one(node))

    def call_bool(self, node: ast.Call) -> ast.expr:
        if len(node.args) != 1:
            self.stop(node, "it is called as bool(x)")
        return self.test(node.args[0])

    def call_abs(self, node: ast.Call) -> ast.expr:
        value = self.one(node)
        return call_of("_abs", name_of("s"), value) if self.checked else call_of("abs", value)

    def call_max(self, node: ast.Call) -> ast.expr:
        name = getattr(node.func, "id", "")
        first, *others = [self.x(arg) for arg in node.args]
        for other in others:
            if self.checked:
                first = call_of(f"{MADE}{name}", name_of("s"), first, other)
            else:
                first = call_of(name, first, other)
        return first

    call_min = call_max

    # -------------------------------------------------------------------------------- generators

    def of_generator(self, node: ast.Call, name: str) -> ast.expr:
        """Rewrite sum, any, all, max or min of what a comprehension goes through."""
        over = node.args[0]
        if not isinstance(over, ast.GeneratorExp):
            if self.is_built_in(over, "range"):
                self.stop(node, f"{name}(…) of a range: write {name}(k for k in range(…))")
            self.stop(node, f"{name}(…) of a set: write {name}(… for card in cards)")
        if name in ("any", "all"):
            return self.any_or_all(over, name == "any")
        if name == "sum":
            return self.helper(over, over.elt, "_total = 0", self.added, "return _total")

        def inside(element: ast.expr) -> list[ast.stmt]:
            sign = ">" if name == "max" else "<"
            text = f"if _first or _here {sign} _best:\n    _best = _here\n_first = False"
            return [assigned("_here", self.x(element)), *statements(text)]

        end = self.needing_one("return _best")
        return self.helper(over, over.elt, "_first, _best = True, 0", inside, end)

    def needing_one(self, end: str) -> str:
        """Return the end of a function for the best of some; users' code is stopped without any."""
        return f"_need_one(s, o, _first)\n{end}" if self.checked else end

    def added(self, element: ast.expr) -> list[ast.stmt]:
        value = self.x(element)
        total = name_of("_total")
        if self.checked:
            return [assigned("_total", call_of("_add", name_of("s"), total, value))]
        return [assigned("_total", ast.BinOp(total, ast.Add(), value))]

    def any_or_all(self, over: ast.GeneratorExp, is_any: bool) -> ast.expr:
        def inside(element: ast.expr) -> list[ast.stmt]:
            test = self.x(element)
            found = test if is_any else ast.UnaryOp(ast.Not(), test)
            return [ast.If(found, [ast.Return(ast.Constant(is_any))], [])]

        return self.helper(over, over.elt, "", inside, f"return {not is_any}")

    def best_by_key(self, node: ast.Call, name: str) -> ast.expr:
        """Rewrite max or min of a set by a key."""
        if len(node.args) != 1 or len(node.keywords) != 1 or node.keywords[0].arg != "key":
            self.stop(node, "it is called as max(cards, key=worth)")
        key, bound = node.keywords[0].value, "card"
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            bound, worth = key.args.args[0].arg, key.body
        elif isinstance(key, (ast.Name, ast.Attribute)):
            while bound == ast.unparse(key):
                bound += "_"
            worth = ast.copy_location(ast.Call(key, [name_of(bound)], []), node)
            ast.fix_missing_locations(worth)
        else:
            self.stop(node, "key= names a function, or is a lambda of one card")
        loop = ast.comprehension(stored(bound), node.args[0], [], 0)
        generator = ast.copy_location(ast.GeneratorExp(worth, [loop]), node)
        ast.fix_missing_locations(generator)

        def inside(element: ast.expr) -> list[ast.stmt]:
            sign, card = ">" if name == "max" else "<", self.local(bound)
            test = f"if _first or _here {sign} _most:"
            text = f"{test}\n    _best, _most = {card}, _here\n_first = False"
            return [assigned("_here", self.x(element)), *statements(text)]

        end = self.needing_one("return _best")
        return self.helper(generator, worth, "_first, _best, _most = True, 0, 0", inside, end)


def stored_names(tree: ast.AST) -> set[str]:
    """Return the names that a function assigns, but for variables of comprehensions."""
    names: set[str] = set()
    for node in children_of(tree):
        if isinstance(node, ast.comprehension):
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        names |= stored_names(node)
    return names


def _is_text(node: ast.expr) -> bool:
    """Tell whether an argument is a text, for those who read."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.JoinedStr)


def _lengths(value: Any) -> list[str]:
    """Return how long each axis of a table is."""
    return [str(count) for count in np.shape(value)]
