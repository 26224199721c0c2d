"""From rules to numbers: sets of cards become machine words, fields and options get places.

`Lowering` makes the functions of a unit, over numbers (`core`), which `module` prints for Numba; a
`Translator` makes one of them: statements here, expressions in `expressions`, calls in `words`.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence

from simcore.compiler import refusals
from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    WORD_OPTION,
    Core,
    Value,
    assigned,
    join,
    lines,
    parsed,
)
from simcore.compiler.expressions import sign_of
from simcore.compiler.layout import Functions, Place
from simcore.compiler.program import Routine
from simcore.compiler.words import TABLE, Calls

_MOVES = {
    "legal": "the set of legal moves, as in s.hand[seat] or {0, 1},",
    "count": "how many moves there are",
    "nth": "the number of a move",
}
"""What the steps of a decision must return."""

_PARAM_KINDS = {
    "float": FLOAT,
    "bool": BOOL,
    "int": INT,
    "cardset": SET,
    "cards": SET,
    "Any": INT,
}
"""Kinds of parameters by annotation."""

_BELOW = {"seat": "o.players", "first_seat": "o.players", "aborted": "2"}
"""Fields of every game that hold small numbers only."""


class Lowering(Functions):
    """Translates the functions of a unit; see `layout.Functions`."""

    def want(self, routine: Routine, given: dict[str, str] | None = None) -> Core:
        """Return a routine over numbers, and add it with what it calls.

        `given` are the kinds of its arguments at the first call; a parameter without one is a
        number, and `moves` a set.
        """
        if routine.name not in self.done:
            self.done[routine.name] = Translator(self, routine, given or {}).lowered()
        return self.done[routine.name]

    def want_policy(self, routine: Routine, moves: str) -> Core:
        """Return a policy's function over numbers: of moves of a kind, and of floats."""
        return self.want(routine, {"moves": moves, **dict.fromkeys(routine.params[3:], FLOAT)})


class Translator(Calls):
    """Translates one routine: a method for each class of statement."""

    def lowered(self) -> Core:
        tree = self.routine.tree
        if tree.args.defaults or tree.args.kwonlyargs or tree.args.vararg or tree.args.kwarg:
            self.stop(
                tree, "parameters have names only: no defaults, no *; give all values in each call"
            )
        for argument in tree.args.args:
            if argument.arg == "o":
                self.stop(argument, refusals.TAKEN.format("o"))
            if argument.arg != "s":
                self.kinds[argument.arg] = self.param_kind(argument)
        given = dict(self.kinds)
        self.named |= set(given)
        self.routine.__dict__["param_kinds"] = given
        params = [word for name in given for word in self.names_of(name)]
        for _ in range(4):  # until the kinds of locals are known
            before = dict(self.kinds)
            self.types, self.count, self.returns, self.before = {}, 0, None, []
            self.has = set(given)
            body = self.block(tree.body)
            if before == self.kinds:
                break
        if self.source_returns and _falls_through(tree.body):
            self.stop(tree, "it returns a value on one way through it, and none on another")
        for name, kind in given.items():
            self.types |= dict.fromkeys(self.names_of(name), INT if kind == SET else kind)
        self.check_moves(self.source_returns)
        for node in body:
            ast.fix_missing_locations(node)
        return Core(
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

    def check_moves(self, kinds: Sequence[str]) -> None:
        """Refuse a step that does not return the legal moves as it must."""
        names = (name for name, step in self.program.steps.items() if step is self.routine)
        moves = next(names, "").partition("_")[0]
        if moves in _MOVES and (len(kinds) != 1 or (kinds[0] == SET) != (moves == "legal")):
            self.stop(None, f"it must return {_MOVES[moves]} on every way through it")

    def param_kind(self, argument: ast.arg) -> str:
        note = ast.unparse(argument.annotation) if argument.annotation else ""
        if note and note not in _PARAM_KINDS:
            self.stop(argument, f"`{note}` is no kind; allowed: int, float, bool, cardset")
        if note:
            return _PARAM_KINDS[note]
        kind = self.given.get(argument.arg, SET if argument.arg == "moves" else INT)
        return INT if kind in (BOOL, WORD_OPTION) else kind

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            outer, self.before = self.before, []
            statements = self.with_lines(self.statement(node))
            self.before = outer
            made += [ast.copy_location(statement, node) for statement in statements]
        return made

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        kind = type(node).__name__
        method = getattr(self, f"do_{kind}", None)
        if method is None:
            allowed = ": assignments, if, while, for, return, calls" + refusals.SYNTAX.get(kind, "")
            name = refusals.KEYWORDS.get(kind, kind.lower())
            self.stop(node, refusals.NOT_A_RULE.format(name, allowed))
        return method(node)  # type: ignore[no-any-return]

    def do_Pass(self, node: ast.Pass) -> list[ast.stmt]:
        return [node]

    def do_Break(self, node: ast.Break) -> list[ast.stmt]:
        self.breaks[-1].append(self.has)
        self.has = self.named  # what follows is never reached
        return [node]

    def do_Continue(self, node: ast.Continue) -> list[ast.stmt]:
        self.has = self.named
        return [node]

    # -------------------------------------------------------------------------------- assignments

    def do_AnnAssign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return []
        if isinstance(node.target, ast.Name) and ast.unparse(node.annotation) == "float":
            self.kinds[node.target.id] = FLOAT
        return self.do_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def do_Assign(self, node: ast.Assign) -> list[ast.stmt]:
        target, is_one = node.targets[0], len(node.targets) == 1
        if isinstance(target, ast.Tuple) and not isinstance(node.value, ast.Tuple):
            callee = self.callee(node.value)
            if not is_one or callee is None:
                self.stop(node, refusals.AS_MANY)
            core, call, kinds = self.called(node.value, callee)
            if len(kinds) != len(target.elts):
                self.stop(node, f"{callee.tree.name} returns {len(kinds)} values")
            return self.store_all(target.elts, self.several(call, core, kinds))
        values = self.operands(
            node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        )
        if not is_one:
            values = [self.saved(value) for value in values]
        made = []
        for target in node.targets:
            targets = target.elts if isinstance(target, ast.Tuple) else [target]
            if len(targets) != len(values):
                self.stop(node, refusals.AS_MANY)
            made = self.store_all(targets, values)
            if not is_one:  # a later target is found when those before have their values
                self.before += [ast.unparse(statement) for statement in made]
                made = []
        return made

    def store_all(self, targets: list[ast.expr], values: list[Value]) -> list[ast.stmt]:
        """Assign values to targets, from left to right."""
        at = len(self.before)
        pairs = [self.target(*pair) for pair in zip(targets, values, strict=True)]
        if len(self.before) > at:
            # What finds a target runs after the value is known, and after targets before it.
            del self.before[at:]
            values = self.kept(values, at)
            for target, value in zip(targets, values, strict=True):
                pair = self.target(target, value)
                self.before.append(assigned(*pair))
            return []
        left, right = ([text for pair in pairs for text in pair[side]] for side in (0, 1))
        return lines(assigned(left, right))

    def target(self, target: ast.expr, value: Value) -> tuple[list[str], list[str]]:
        """Return the words of a target, and the source of their values."""
        if isinstance(target, ast.Name):
            return self.local(target, value)
        return self.stored(self.place(target), value, target)

    def stored(self, place: Place, value: Value, target: ast.expr) -> tuple[list[str], list[str]]:
        """Return the words of a field or count, and what they are given."""
        name, shown = place.name, ast.unparse(target)
        if place.holder != "s":
            self.stop(
                target,
                f"{shown} cannot be changed; what changes is declared in State, what a policy "
                "remembers as memory(number)",
            )
        declared = self.low.fields.get(name)
        if declared is not None and self.program.is_place(declared.kind):
            self.stop(
                target,
                f"{shown} holds cards: they go from one place to another by move() or draw() only, "
                "so that none is lost",
            )
        if place.kind == SET:
            return self.at(place), self.as_set(value, target).texts
        if value.kind == FLOAT:
            self.stop(target, "the state holds whole numbers; write int(…), or // for a division")
        words, text = self.at(place), self.as_int(value, target)
        is_short = name in ("scores", "deficits") or name.startswith("count_")
        if name in _BELOW:
            text = self.index(text, _BELOW[name])
        elif is_short and value.bits > 31:
            text = self.guarded("short_", text)
        return words, [text]

    def local(self, target: ast.Name, value: Value) -> tuple[list[str], list[str]]:
        """Return the words of a local, and what they are given; note its kind."""
        name = target.id
        self.refuse_name(target, name)
        old, kind = self.kinds.get(name), INT if value.kind == WORD_OPTION else value.kind
        if old is not None and old != kind:
            if SET in (old, kind) and value.texts != ["0"]:
                self.stop(target, f"`{name}` is a set of cards here and a number there")
            kind = join(old, kind)
        self.kinds[name], self.has = kind, {*self.has, name}
        names = self.names_of(name)
        self.types |= dict.fromkeys(names, INT if kind == SET else kind)
        if kind == SET:
            return names, self.as_set(value, target).texts
        return names, [self.cast(value, kind, target)]

    def do_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Change a target: its place, and its value, are read before the operand is evaluated."""
        target, sign = node.target, sign_of(node.op)
        if isinstance(target, ast.Name):
            self.refuse_name(target, target.id)
            load = ast.copy_location(ast.Name(target.id, ast.Load()), target)
            value = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
            return self.store_all([target], [self.x(value)])
        place = self.place(target)
        changes = self.changes(node.value)
        if changes:
            (place,) = self.kept([place], len(self.before))
        old, at = self.read(place), len(self.before)
        operand = self.x(node.value)
        if changes:
            (old,) = self.kept([old], at)
        made = self.binary(node, sign, old, operand)
        return lines(assigned(*self.stored(place, made, target)))

    # ---------------------------------------------------------------------------- calls, branches

    def do_Expr(self, node: ast.Expr) -> list[ast.stmt]:
        call = node.value
        if not isinstance(call, ast.Call):
            self.stop(node, "a line that does nothing; a value is assigned or returned")
        name, callee = self.word_of(call), self.callee(call)
        if name is not None:
            made = self.translated(TABLE[name], call)
            return lines("\n".join(made)) if TABLE[name].acts else []
        if callee is None:
            self.x(call)
            return []
        core, text, kinds = self.called(call, callee)
        if len(core.returns) > 1:
            self.several(text, core, kinds)
            return []
        return lines(text)

    def do_If(self, node: ast.If) -> list[ast.stmt]:
        test = parsed(self.test(node.test))
        before = self.has
        body = self.block(node.body)
        after, self.has = self.has, before
        orelse = self.block(node.orelse)
        self.has = self.has & after
        return [ast.If(test, body or [ast.Pass()], orelse)]

    def loop(self, node: ast.While | ast.For) -> list[ast.stmt]:
        """Translate a loop; a name has a value after it if it had one before, or at each exit."""
        if node.orelse:
            self.stop(node, "no `else` after a loop")
        self.breaks.append([])
        before = self.has
        made = self.while_(node) if isinstance(node, ast.While) else self.for_(node)
        exits = self.breaks.pop()
        self.has = self.named.intersection(*exits) if _is_endless(node) else before
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

    def for_(self, node: ast.For) -> list[ast.stmt]:
        if not isinstance(node.target, ast.Name):
            self.stop(
                node, "a loop has one name: `for seat in seats():`, then s.hand[seat] and the like"
            )
        head, first = self.loop_head(node.iter, node)
        self.local(node.target, Value(INT, ["0"]))
        (variable,) = self.names_of(node.target.id)
        (made,) = lines(f"{head.replace('VARIABLE', variable)}\n    pass")
        body = [*lines("\n".join(first(variable))), *self.block(node.body)]
        made.body = body or [ast.Pass()]  # type: ignore[attr-defined]
        return [made]

    def do_Return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None:
            self.has = self.named
            return [ast.Return()]
        values = self.operands(
            node.value.elts if isinstance(node.value, ast.Tuple) else [node.value]
        )
        kinds = [INT if value.kind == WORD_OPTION else value.kind for value in values]
        note = self.routine.tree.returns
        if len(kinds) == 1 and note is not None and ast.unparse(note) in ("cardset", "cards"):
            kinds = [SET]
        if self.returns is not None:
            if len(self.returns) and len(kinds) != len(self.source_returns):
                self.stop(node, f"it returns {len(self.source_returns)} values elsewhere")
            kinds = [join(a, b) for a, b in zip(self.source_returns, kinds, strict=True)]
        self.source_returns = self.routine.__dict__["kinds"] = kinds
        texts, self.returns = [], []
        for value, kind in zip(values, kinds, strict=True):
            words = (
                self.as_set(value, node).texts if kind == SET else [self.cast(value, kind, node)]
            )
            texts += words
            self.returns += [INT if kind == SET else kind] * len(words)
        self.has = self.named
        return [ast.Return(parsed(texts[0] if len(texts) == 1 else f"({', '.join(texts)})"))]


def _falls_through(body: Sequence[ast.stmt]) -> bool:
    """Tell whether statements may end without returning a value."""
    return any(_is_bare(part) for node in body for part in ast.walk(node)) or _goes_on(body)


def _is_bare(node: ast.AST) -> bool:
    return isinstance(node, ast.Return) and node.value is None


def _goes_on(body: Sequence[ast.stmt]) -> bool:
    """Tell whether control may reach the end of statements."""
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
