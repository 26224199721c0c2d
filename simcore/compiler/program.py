"""Read the source of a game: its state, its steps, and every function that these call.

Functions are found by their calls, through the globals of the modules that they stand in. Nothing
is run here but what a module does when it is imported.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import linecache
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from simcore import language
from simcore.compiler import usual_rounds
from simcore.compiler.refusals import NO_TEAMS
from simcore.compiler.seating import Seating
from simcore.compiler.usual_rounds import NOTHING, ROUND_OVER
from simcore.errors import InputError
from simcore.game import Game
from simcore.language import Decision, Deck, Dial, Field
from simcore.options import BoolOption, ChoiceOption, IntOption, ProbabilityOption
from simcore.words import WORDS

FIRST_DECISION = 2

MADE = "<made "
"""Prefix of the file names of functions that cardlab itself generates."""

USUAL_ROUNDS = str(usual_rounds.__file__)
"""The file of the rounds of games that say only what a move is."""


class Refused(InputError):
    """A source that cannot be rules; the message has file and line, and what to write instead."""


@dataclass
class Routine:
    """A function of rules or policies, as source.

    Attributes
    ----------
    name : str
        Unique in a program.
    tree : ast.FunctionDef
        With the line numbers of the file.
    space : dict
        The globals that its names stand for.
    plain : code or None
        What runs as ordinary Python, once `plain` has made it.
    """

    name: str
    tree: ast.FunctionDef
    space: dict[str, Any]
    file: str
    function: FunctionType
    rare: bool = False
    calls: dict[str, Routine] = field(default_factory=dict)
    plain: CodeType | None = None

    @property
    def params(self) -> list[str]:
        """Names of the parameters, `s` first where the state is one."""
        return [argument.arg for argument in self.tree.args.args]

    def refuse(self, node: ast.AST | None, text: str) -> Refused:
        """Return the error for a piece of its source."""
        line = getattr(node, "lineno", self.tree.lineno)
        source = linecache.getline(self.file, line).strip()
        shown = f" `{source}`" if source else ""
        return Refused(f"{self.file}, line {line}, in {self.tree.name}:{shown}: {text}")


def children_of(node: ast.AST) -> list[ast.AST]:
    """Return what a piece of source is directly made of, as `ast.iter_child_nodes`, but sooner."""
    found: list[ast.AST] = []
    for name in node._fields:
        part = getattr(node, name, None)
        if isinstance(part, ast.AST):
            found.append(part)
        elif isinstance(part, list):
            found.extend(each for each in part if isinstance(each, ast.AST))
    return found


def parts_of(tree: ast.AST) -> list[ast.AST]:
    """Return a piece of source and all that it is made of, in the order of `ast.walk`."""
    found = [tree]
    for node in found:
        found.extend(children_of(node))
    return found


def simple_names(tree: ast.AST) -> Iterator[ast.Name]:
    """Yield all names in a piece of source."""
    return (node for node in parts_of(tree) if isinstance(node, ast.Name))


def indexed(node: ast.expr) -> tuple[ast.expr, list[ast.expr]]:
    """Return what is indexed, and the indices."""
    indices: list[ast.expr] = []
    while isinstance(node, ast.Subscript):
        indices.insert(0, node.slice)
        node = node.value
    return node, indices


def near(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that is nearest."""
    nearest = difflib.get_close_matches(name, list(known), 1)
    return f"; did you mean `{nearest[0]}`?" if nearest else ""


class Records(ast.NodeTransformer):
    """Replaces a `NamedTuple` by a local for each of its fields: `w.step` becomes `w__step`."""

    def __init__(self, space: Mapping[str, Any]) -> None:
        self.space = space
        self.records: dict[str, Any] = {}

    def record(self, node: ast.AST | None) -> Any:
        """Return the class that a name stands for, if it is one of named numbers."""
        value = self.space.get(node.id) if isinstance(node, ast.Name) else None
        is_record = isinstance(value, type) and issubclass(value, tuple)
        return value if is_record and hasattr(value, "_fields") else None

    def values(self, node: ast.expr) -> dict[str, ast.expr]:
        """Return the values of a record's fields: of a local, or where one is made."""
        if isinstance(node, ast.Name) and node.id in self.records:
            fields = self.records[node.id]._fields
            values: dict[str, Any] = {
                name: ast.Name(f"{node.id}__{name}", ast.Load()) for name in fields
            }
        else:
            record = self.record(node.func) if isinstance(node, ast.Call) else None
            if record is None or not isinstance(node, ast.Call):
                return {}
            given = dict(zip(record._fields, node.args, strict=False))
            given |= {word.arg: word.value for word in node.keywords}
            defaults = record._field_defaults
            values = {
                name: self.visit(given[name]) if name in given else ast.Constant(defaults[name])
                for name in record._fields
            }
        for value in values.values():
            if not hasattr(value, "lineno"):
                ast.copy_location(value, node)
        return values

    def visit_arguments(self, node: ast.arguments) -> Any:
        args: list[ast.arg] = []
        for argument in node.args:
            record = self.record(argument.annotation)
            if record is None:
                args.append(argument)
                continue
            self.records[argument.arg] = record
            for name in record._fields:
                annotation = record.__annotations__[name]
                # Under `from __future__ import annotations` they are texts.
                field = ast.arg(f"{argument.arg}__{name}", ast.Name(_title(annotation), ast.Load()))
                args.append(ast.copy_location(field, argument))
        node.args = args
        return node

    def visit_Assign(self, node: ast.Assign) -> Any:
        """Replace `w = Weights(…)` and `w = w._replace(…)` by an assignment for each field."""
        target, value = node.targets[0], node.value
        if not isinstance(target, ast.Name) or not isinstance(value, ast.Call):
            return self.generic_visit(node)
        values: dict[str, ast.expr] = {}
        if target.id in self.records and ast.unparse(value.func) == f"{target.id}._replace":
            values = {str(word.arg): self.visit(word.value) for word in value.keywords}
        elif self.record(value.func) is not None:
            self.records[target.id] = self.record(value.func)
            values = self.values(value)
        return [
            ast.copy_location(
                ast.Assign([ast.Name(f"{target.id}__{name}", ast.Store())], part), part
            )
            for name, part in values.items()
        ] or self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id in self.records:
            return ast.copy_location(ast.Name(f"{node.value.id}__{node.attr}", node.ctx), node)
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        values = [list(self.values(arg).values()) or [self.visit(arg)] for arg in node.args]
        node.args = [value for part in values for value in part]
        node.keywords = [self.visit(word) for word in node.keywords]
        return node


MOST_BRANCHES = 100
"""Of a chain of `elif`; Python's own compiler has its limits, too."""


def _refuse_long_chains(function: FunctionType, tree: ast.FunctionDef) -> None:
    """Refuse chains of `elif` that are too long for what walks through a tree."""
    for node in parts_of(tree):
        count, part = 0, node
        while isinstance(part, ast.If) and len(part.orelse) == 1:
            count, part = count + 1, part.orelse[0]
        if count > MOST_BRANCHES:
            assert isinstance(node, ast.If)
            file, line = function.__code__.co_filename, node.lineno
            raise Refused(
                f"{file}, line {line}, in {function.__name__}: `if {ast.unparse(node.test)}:`: "
                f"more than {MOST_BRANCHES} `elif` on end; a table, or several functions, say "
                "it shorter"
            )


def _title(annotation: Any) -> str:
    """Return an annotation as it is written: a class, one of our kinds, or a text."""
    for name in ("__forward_arg__", "__name__", "name"):
        if isinstance(title := getattr(annotation, name, None), str):
            return title
    return str(annotation)


_ENGINE_NUMBERS = "seat phase round_number first_seat match_number winners leaders aborted steps"
ENGINE_FIELDS: Mapping[str, Field] = {
    **{name: Field(language.number, "shown", False) for name in _ENGINE_NUMBERS.split()},
    **{name: Field(language.number, "shown", True) for name in ("scores", "deficits")},
}
"""Fields of every game's state; `steps` counts the decisions of a round."""

_STEPS = """
    start_match deal score_round finish_match is_aside
    deal_unseen deal_believed take_back is_overdue
"""
STEPS = tuple(_STEPS.split())
SIMPLE_STEPS = ("deal", "legal", "apply", "next_seat", "begin_turn", "ended", "score", "match_over")

RULES, RULES_MEANING = "rules", "the files that change the game"
"""Pseudo-option that distinguishes cells of a modified game."""

KINDS_OF_STEPS = ("legal", "apply", "count", "nth", "is_legal", "is_aside", "random")
"""Kinds of steps that a decision may have."""

NAMING = "name_"
"""How a function begins that says how a move, or a number of the state, reads in a transcript."""


def is_step_of(name: str, game: Game) -> bool:
    """Tell whether rules of a game may define a step of this name."""
    if is_game_of_turns(vars(game.rules())) and name in SIMPLE_STEPS:
        return True
    is_of_decision = any(name.startswith(f"{kind}_") for kind in KINDS_OF_STEPS)
    return is_of_decision or name in STEPS or name == "prepare"


def is_game_of_turns(names: Mapping[str, object]) -> bool:
    """Tell whether a game defines only its moves, and uses the standard rounds."""
    return "apply" in names and ("legal" in names or "nth_move" in names)


class Program:
    """A game's rules and the policies that play it.

    Parameters
    ----------
    game : Game
    rules : module
        With `State`, the steps, and perhaps `deck` and `prepare`.

    Attributes
    ----------
    rules_fields, fields : dict of Field
        What the state declares, and with it what policies remember, as far as they are known.
    """

    def __init__(self, game: Game, rules: ModuleType) -> None:
        self.game = game
        self.space = dict(vars(rules))
        self.rules = rules
        self.deck: Deck | None = self.space.get("deck")
        self.routines: dict[str, Routine] = {}
        self._by_function: dict[Any, Routine] = {}
        self.usual_rounds = self._usual_rounds() if self.is_simple else {}
        self.overrides = self._overrides()
        self.rules_fields = self._fields(rules)
        self.fields = dict(self.rules_fields)
        self.decisions = self._decisions()
        if game.digest or game.changes:  # a user's: what is wrong in it is told at once
            self._check_steps()
        self._check_naming()
        self._check_relations()

    def _where(self, name: str) -> str:
        """Return the file and line that declare a name, or a decision as in '"MOVE"'."""
        files = [*(change.module.__file__ for change in self.game.changes), self.rules.__file__]
        places = [place_in(str(file), name) for file in files]
        return next((place for place in places if ", line " in place), places[-1])

    def _check_relations(self) -> None:
        """Refuse an order without a deck, and a field shown to partners where there are none."""
        for name, declared in self.rules_fields.items():
            if declared.kind is language.ordered and self.deck is None:
                raise Refused(
                    f"{self._where(name)}: the game has no deck, whose cards could lie in an order"
                )
            if "partners" in declared.to and not self.seating.has_teams:
                raise Refused(f"{self._where(name)}: {NO_TEAMS}")

    def _check_naming(self) -> None:
        """Refuse a field whose naming function is missing, or names other values."""
        names = {name.lower() for name in self.decisions}
        for name, declared in self.rules_fields.items():
            step = f"{NAMING}{declared.named}"
            if declared.named and not self._is_function(step):
                hint = near(step, (other for other in self.space if other.startswith(NAMING)))
                raise Refused(
                    f"{self._where(name)}: no function `{step}(s, {declared.named})`{hint}"
                )
            names.add(declared.named)
        for name in names:
            function = self.space.get(f"{NAMING}{name}")
            if isinstance(function, FunctionType) and function.__code__.co_argcount != 2:
                raise self.routine(function).refuse(
                    None, f"it takes the state and a number, as in {NAMING}{name}(s, {name})"
                )

    def _is_function(self, name: str) -> bool:
        return isinstance(self.space.get(name), FunctionType)

    def _overrides(self) -> Any:
        """Return which functions of files of rules stand in for the game's; None without any."""
        if not self.game.changes:
            return None
        changed: Any = self.game
        overrides = changed.apply_overrides(self.usual_rounds)
        for change in self.game.changes:
            self.space |= dict(change.own(Dial))
            self._prepare(change.module, change.given)
        self.space |= {name: step for name, step in overrides.new.items() if name != "prepare"}
        self.space.setdefault("players", (self.game.players.low, self.game.players.high))
        return overrides

    def _prepare(self, module: ModuleType, given: Mapping[str, object]) -> None:
        """Chain a rule file's `prepare`, which runs once per cell, to the game's own."""
        prepare = vars(module).get("prepare")
        if not isinstance(prepare, FunctionType) or prepare is given.get("prepare"):
            return
        before = self.space.get("prepare", lambda o: {})
        if prepare.__code__.co_argcount == 2:
            self.space["prepare"] = lambda o: prepare(before, o)
        else:
            self.space["prepare"] = lambda o: {**before(o), **prepare(o)}

    # ------------------------------------------------------------------------------------ state

    def _fields(self, rules: ModuleType) -> dict[str, Field]:
        fields = dict(ENGINE_FIELDS)
        modules = [*self._modules(rules), *(change.module for change in self.game.changes)]
        self._states = [vars(module).get("State") for module in modules]
        for module in modules:
            for name, declared in vars(vars(module).get("State", object)).items():
                if isinstance(declared, Field):
                    if name in fields or name == "count":
                        raise _has_already(place_in(str(module.__file__), name), name)
                    fields[name] = declared
        if self.is_simple:
            fields["points"] = Field(language.number, "shown", True)
        return fields

    def _modules(self, rules: ModuleType) -> list[ModuleType]:
        """Return the module and those of its package that it imports, each with a `State`."""
        package = rules.__name__.rpartition(".")[0]
        imported = [value for value in vars(rules).values() if isinstance(value, ModuleType)]
        beside = [module for module in imported if package and module.__name__.startswith(package)]
        return list(dict.fromkeys([rules, *beside]))

    def remember(self, policy: Any) -> None:
        """Add what a policy remembers: the `memory` fields of the `State` beside its functions.

        Parameters
        ----------
        policy : blocks.SeatPolicy
            With the policy that plays rounds out for it.
        """
        for function in (policy.function, *policy.answers.values()):
            memory = self.memory_of(function) if function is not None else {}
            for name, declared in memory.items():
                if self.fields.setdefault(name, declared) != declared:
                    raise _has_already(function.__code__.co_filename, name)
        for asked in policy.asked[1:]:
            self.remember(asked)

    def memory_of(self, function: Any) -> dict[str, Field]:
        """Return what a policy remembers: see `remember`."""
        state, file = function.__globals__.get("State"), function.__code__.co_filename
        if any(state is known for known in self._states):
            return {}
        memory = {
            name: declared
            for name, declared in vars(state or object).items()
            if isinstance(declared, Field) and declared.sees == "memory"
        }
        for name, declared in memory.items():
            if name in self.rules_fields:
                raise _has_already(file, name)
            if declared.start:
                raise Refused(
                    f"{file}: `{name}` starts with {declared.start}; what a policy remembers "
                    "starts with 0"
                )
        return memory

    @cached_property
    def seating(self) -> Seating:
        """Who sits with whom, and who sees what a seat has."""
        players = self.game.players
        return Seating(self.space.get("teams"), players.low, players.high)

    @cached_property
    def most_players(self) -> int:
        """The number of players that a state has room for."""
        players = next(option for option in self.game.options if option.name == "players")
        assert isinstance(players, IntOption)
        return players.high

    @property
    def is_simple(self) -> bool:
        """Whether the game defines only its moves, and plays the usual rounds."""
        return is_game_of_turns(self.space)

    @property
    def instead_of_legal(self) -> str:
        """Advice for a game with more moves than a set of cards can hold."""
        steps = "count_move(s, seat) and nth_move(s, seat, k) stand in place of legal"
        if not self.is_simple:
            steps = "count_…(s, seat) and nth_…(s, seat, k) stand in place of legal_…"
        return f"where there are more moves, {steps}"

    @cached_property
    def metrics(self) -> tuple[str, ...]:
        """Names of the counts, the game's and the common ones."""
        from simcore.records import COMMON_COUNTS

        return (*self.game.metric_names, *COMMON_COUNTS)

    def is_set(self, kind: language.Kind) -> bool:
        """Tell whether a field of this kind is a set of cards."""
        return kind.name in ("cards", "ordered", "cardset", "all_cards")

    @staticmethod
    def is_place(kind: language.Kind) -> bool:
        """Tell whether a field of this kind is a place of cards."""
        return kind.name in ("cards", "ordered", "all_cards")

    @property
    def places(self) -> list[str]:
        """Names of the fields that are places of cards."""
        return [name for name, declared in self.fields.items() if self.is_place(declared.kind)]

    # ---------------------------------------------------------------------------------- decisions

    def _decisions(self) -> dict[str, int]:
        values = vars(self.rules).values()
        numbers = {value.name: int(value) for value in values if isinstance(value, Decision)}
        if self.is_simple:
            # The move itself comes first; what else is asked keeps its order.
            others = {name: number + 1 for name, number in numbers.items() if name != "MOVE"}
            numbers = {"MOVE": FIRST_DECISION, **others}
        else:
            numbers = dict(sorted(numbers.items(), key=lambda pair: pair[1]))
        for change in self.game.changes:
            for _, decision in change.own(Decision):
                if decision.name in numbers:
                    place = place_in(str(change.module.__file__), f'"{decision.name}"')
                    raise Refused(f"{place}: the game decides {decision.name} already")
                numbers[decision.name] = max(numbers.values()) + 1
        return numbers

    @cached_property
    def steps(self) -> dict[str, Routine]:
        """The steps by name, whose sources are read when they are asked for."""
        steps: dict[str, Routine] = {}
        if self.is_simple:
            space = self.usual_rounds
            steps["deal"] = self.routine(space["deal_simple"])
            if "legal" in self.space:
                steps["legal_move"] = self.routine(space["legal"])
            steps["apply_move"] = self.routine(space["apply_simple"])
            steps["score_round"] = self.routine(space["score_simple"])
        names = [f"{kind}_{name.lower()}" for name in self.decisions for kind in KINDS_OF_STEPS]
        for step in (*STEPS, *names):
            if self._is_function(step) and step not in steps:
                steps[step] = self.routine(self.space[step])
        return steps

    @property
    def go_on(self) -> Routine:
        """What ends a move of a game that says only what a move is."""
        return self.routine(self.usual_rounds["go_on"])

    def _check_steps(self) -> None:
        """Refuse a game that lacks a step."""
        for decision in self.decisions:
            self._check_decision(decision)
        wanted = "deal, legal, apply, ended and score; or deal, score_round and decisions(…)"
        missing = [name for name in ("deal", "score_round") if name not in self.steps]
        if not self.decisions:
            missing = [name for name in ("legal", "apply") if name not in self.space]
        if missing:
            raise Refused(f"{self.rules.__file__}: no step `{missing[0]}`; a game needs {wanted}")

    def _check_decision(self, decision: str) -> None:
        """Refuse a decision without its steps: legal (or count and nth) and apply."""
        legal, apply, count, nth = (
            f"{kind}_{decision.lower()}" for kind in ("legal", "apply", "count", "nth")
        )
        missing = next((step for step in (apply, legal) if step not in self.steps), "")
        if missing == apply or (missing and not {count, nth} & set(self.steps)):
            place = self._where(f'"{decision}"')
            raise Refused(
                f"{place}: no step `{missing}`; a decision needs "
                f"{legal}(s, seat) and {apply}(s, seat, move)"
            )
        for step, other in ((count, nth), (nth, count)) if missing else ():
            if step not in self.steps:
                raise self.steps[other].refuse(
                    None,
                    f"no step `{step}`; in place of {legal} there are {count}(s, seat) and "
                    f"{nth}(s, seat, k)",
                )

    def _usual_rounds(self) -> dict[str, Any]:
        """Return the steps of a game that says only what a move is, its own and the usual ones."""
        for name in ("deal", "legal", "apply", "ended", "score"):
            if name == "legal" and "nth_move" in self.space:
                continue
            if not self._is_function(name):
                raise Refused(
                    f"{self.rules.__file__}: no step `{name}`; a game needs deal, legal, apply, "
                    "ended and score"
                )
        turn_cap = self.space.get("turn_cap", 2000)
        if not isinstance(turn_cap, int) or turn_cap < 1:
            raise Refused(
                f"{self._where('turn_cap')}: turn_cap = {turn_cap!r} is refused; allowed: a whole "
                "number from 1"
            )
        space = {
            **{name: vars(language)[name] for name in WORDS.values()},
            "o": language.o,
            "NOTHING": NOTHING,
            "ROUND_OVER": ROUND_OVER,
            "TURN_CAP": turn_cap,
            "LOWEST": int(self.space.get("best", "highest") == "lowest"),
        }
        for name, function in vars(usual_rounds).items():
            if isinstance(function, FunctionType) and function not in WORDS:
                space[name] = FunctionType(function.__code__, space, name)
        space |= {name: self.space[name] for name in SIMPLE_STEPS if self._is_function(name)}
        if "teams" in self.space:
            space["gained"] = space["gained_by_team"]
        return space

    # ---------------------------------------------------------------------------------- functions

    def routine(self, function: Any, *, usual: bool = False) -> Routine:
        """Return the source of a function and of all that it calls.

        Parameters
        ----------
        function : callable
        usual : bool
            The function itself, whatever a file of rules has in its place.

        Raises
        ------
        Refused
            If it calls itself, by whatever way.
        """
        function = getattr(function, "py_func", function)
        if self.overrides is not None and not usual:
            function = self.overrides.final.get(function, function)
        if function not in self._by_function:
            routine = self._read(function)
            self._by_function[function] = routine
            self.routines[routine.name] = routine
            self._find_calls(routine)
            self._refuse_rounds(routine, (routine,))
        return self._by_function[function]

    def _read(self, function: FunctionType) -> Routine:
        lines, first = inspect.getsourcelines(function)
        try:
            tree: Any = ast.parse("\n" * (first - 1) + textwrap.dedent("".join(lines))).body[0]
        except SyntaxError:  # a lambda within a longer piece
            tree = None
        if not isinstance(tree, ast.FunctionDef):
            raise Refused(
                f"{function.__code__.co_filename}, line {first}: `{lines[0].strip()}`: rules call "
                "functions that are written with `def`"
            )
        _refuse_long_chains(function, tree)
        tree.decorator_list = []
        tree.body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
        ] or [ast.copy_location(ast.Pass(), tree)]
        if self.overrides is not None and function in self.overrides.usual:
            del tree.args.args[0]
            for node in simple_names(tree):
                if node.id == "usual":
                    node.id = f"usual_{function.__name__}"
        tree = Records(function.__globals__).visit(tree)
        ast.fix_missing_locations(tree)
        name = base = re.sub(r"\W", "", function.__name__, flags=re.ASCII).strip("_") or "function"
        count = 1
        while name in self.routines:
            count += 1
            name = f"{base}_of_{count}"
        file = function.__code__.co_filename
        return Routine(
            name, tree, function.__globals__, file, function, function.__dict__.get("rare", False)
        )

    def _find_calls(self, routine: Routine) -> None:
        local = {node.id for node in simple_names(routine.tree) if isinstance(node.ctx, ast.Store)}
        local |= set(routine.params)
        for node in parts_of(routine.tree):
            text, value = None, None
            if isinstance(node, ast.Name) and node.id not in local:
                text, value = node.id, routine.space.get(node.id)
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                module = routine.space.get(node.value.id)
                if isinstance(module, ModuleType) and node.value.id not in local:
                    text, value = f"{node.value.id}.{node.attr}", getattr(module, node.attr, None)
            value = value if value is language.o else getattr(value, "py_func", value)
            if text and isinstance(value, FunctionType) and value not in WORDS:
                routine.calls[text] = self.routine(value)
            elif text == f"usual_{routine.function.__name__}" and self.overrides is not None:
                usual = self.overrides.usual[routine.function]
                routine.calls[text] = self.routine(usual, usual=True)

    def is_overridden(self, routine: Routine) -> bool:
        """Tell whether a file of rules replaces a function, or one that it calls."""
        if self.overrides is None:
            return False
        is_replaced = routine.function in self.overrides.final.values()
        return is_replaced or any(map(self.is_overridden, routine.calls.values()))

    def _refuse_rounds(self, routine: Routine, above: tuple[Routine, ...]) -> None:
        for callee in routine.calls.values():
            if callee in above:
                chain = " → ".join(step.tree.name for step in (*above, callee))
                raise routine.refuse(None, f"it calls itself ({chain}); write a loop")
            self._refuse_rounds(callee, (*above, callee))

    # ------------------------------------------------------------------------------------ options

    def option_values(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return what `o` holds: by name a number, a list, a list of lists, or a set of cards.

        Words of choices are their places here; see `option_words`.
        """
        players = int(options["players"])
        values: dict[str, Any] = {}
        for option in self.game.options:
            if option.name == RULES and self.game.changes:
                continue
            value = options[option.name]
            if isinstance(option, (IntOption, BoolOption, ChoiceOption)):
                values[option.name] = option.number(value)
            elif isinstance(option, ProbabilityOption) and option.per_seat:
                items = value if isinstance(value, list) else [value] * players
                values[option.name] = [float(x) for x in items]
            elif isinstance(option, ProbabilityOption):
                values[option.name] = float(value)
        if "prepare" not in self.space:
            return {name: _plain_numbers(value) for name, value in values.items()}
        try:
            values |= self.space["prepare"](Namespace(dict(options)))
            values = {name: _plain_numbers(value) for name, value in values.items()}
            for name, value in values.items():
                rows = value if isinstance(value, list) else []
                lengths = {len(row) if isinstance(row, list) else 0 for row in rows}
                if self.game.digest and len(lengths) > 1:
                    raise ValueError(f"`{name}` has rows of different lengths")  # noqa: TRY301
        except Exception as error:
            if not self.game.digest or isinstance(error, InputError):
                raise
            raise Refused(
                f"{self._where('prepare')}: {type(error).__name__}: {error}; it returns a dict of "
                "names with numbers, lists of numbers, lists of such lists, or sets of cards"
            ) from error
        return values

    @cached_property
    def options_per_seat(self) -> frozenset[str]:
        """The options that have a number for each seat."""
        return frozenset(
            option.name
            for option in self.game.options
            if isinstance(option, ProbabilityOption) and option.per_seat
        )

    @cached_property
    def option_words(self) -> dict[str, tuple[str, ...]]:
        """The words of the options that are choices."""
        choices = (option for option in self.game.options if isinstance(option, ChoiceOption))
        return {choice.name: choice.values for choice in choices}

    @cached_property
    def dials(self) -> dict[str, Dial]:
        """The options that the game's own file declares."""
        return {name: value for name, value in self.space.items() if isinstance(value, Dial)}


def _has_already(place: str, name: str) -> Refused:
    return Refused(f"{place}: the state has a `{name}` already")


def place_in(file: str, name: str) -> str:
    """Return a file with the line that gives a name its meaning."""
    for number, line in enumerate(linecache.getlines(file), 1):
        text = line.strip()
        is_decision = "decisions(" in text and name in text if name.startswith('"') else False
        if is_decision or text.startswith((f"{name} =", f"def {name}(")):
            return f"{file}, line {number}: `{line.strip()}`"
    return file


class Namespace:
    """Names with values, read as attributes."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


def _plain_numbers(value: Any) -> Any:
    if isinstance(value, (set, frozenset)):
        return frozenset(int(card) for card in value)
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return [_plain_numbers(item) for item in value]
    if isinstance(value, (float, np.floating)):
        return float(value)
    return int(value)


_programs: dict[tuple[str, str], Program] = {}


def program_of(game: Game) -> Program:
    """Return a game's program, read once."""
    key = (game.name, game.digest)
    if key not in _programs:
        _programs[key] = Program(game, game.rules())
    return _programs[key]
