"""From rules to numbers: sets of cards become machine words, fields and options get places.

What comes out are functions over numbers (`core`), which `module` prints for Numba.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Sequence

from simcore.compiler.actions import Actions
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
from simcore.compiler.expressions import _BELOW, INSTEAD, _sign, parsed_tuple
from simcore.compiler.functions import Functions
from simcore.compiler.layout import Place
from simcore.compiler.program import (
    Routine,
)

KEYWORDS = {
    "FunctionDef": "def",
    "AsyncFunctionDef": "async def",
    "ClassDef": "class",
    "Delete": "del",
    "ImportFrom": "import",
}
"""Keywords of statements whose classes have other names."""


_MOVES = {
    "legal": "the set of legal moves, as in s.hand[seat] or {0, 1},",
    "count": "how many moves there are",
    "nth": "the number of a move",
}


class Lowering(Functions):
    """Translates the functions of a unit; see `Functions`."""

    def want(self, routine: Routine, given: dict[str, str] | None = None) -> Core:
        """Return a routine over numbers, and what it calls.

        `given` are the kinds of its arguments at the first call; where nothing is said of them a
        parameter is a number, and `moves` a set.
        """
        second = routine.function.__dict__.get("fast")
        if second is not None and not self.program.game.changes:
            routine = self.program.routine(second)
        if routine.name not in self.done:
            self.done[routine.name] = Translator(self, routine, given or {}).lowered()
        return self.done[routine.name]

    def want_policy(self, routine: Routine, moves: str) -> Core:
        """Return a policy's function over numbers: of moves of a kind, and of floats."""
        given = {"moves": moves, **dict.fromkeys(routine.params[3:], FLOAT)}
        return self.want(routine, given)


class Translator(Actions):
    """Translates one routine."""

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

    def block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        made: list[ast.stmt] = []
        for node in body:
            kept, self.before = self.before, []
            each = self.statement(node)
            each = self.joined(each)
            self.before = kept
            made += [ast.copy_location(one, node) for one in each]
        return made

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

    def store_all(self, targets: list[ast.expr], values: list[Value]) -> list[ast.stmt]:
        """Assign values to targets, from left to right."""
        at = len(self.before)
        pairs = [self.target(*pair) for pair in zip(targets, values, strict=True)]
        if len(self.before) > at:
            # What finds a target is run after the value is there, and after targets before it.
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
        return lines(assigned(*self.stored(place, made, target)))

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
        """Translate a loop; a name has a value after it if it had one before, or at each exit."""
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

    def loop_of(self, head: str, variable: str, body: list[ast.stmt]) -> list[ast.stmt]:
        (made,) = lines(f"{head.replace('VARIABLE', variable)}\n    pass")
        made.body = body or [ast.Pass()]  # type: ignore[attr-defined]
        return [made]


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
