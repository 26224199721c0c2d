"""Check from a policy's source that it reads only what its seat may see."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType
from typing import Any

from simcore.compiler.program import Program, Routine, indexed, parts_of
from simcore.language import Field, ordered
from simcore.phrases import joined
from simcore.words import EFFECTS, WORDS

DRAWS = ("below", "word", "uniform", "below_from")


Seats = tuple[frozenset[int], ...]
"""Seats that may be meant, for each number of players and each seat of the policy."""


class Visibility:
    """Refuses policies that read or change what they may not, through all that they call.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        self.program, self.seating = program, program.seating
        tables = self.seating.tables
        self._tables = [(players, seat) for players in tables for seat in range(players)]
        self._own: Seats = tuple(frozenset({seat}) for _, seat in self._tables)
        self._any: Seats = tuple(frozenset(range(players)) for players, _ in self._tables)
        self._checked: set[tuple[str, Seats]] = set()

    def check(self, routine: Routine, who: Seats = ()) -> None:
        """Check a policy's function, and all that it calls.

        Parameters
        ----------
        routine : Routine
        who : Seats
            What its `seat` may be; the policy's own unless said.

        Raises
        ------
        Refused
            With file and line, and what is allowed.
        """
        who = who or self._own
        if (routine.name, who) in self._checked:
            return
        self._checked.add((routine.name, who))
        names = Names(routine, who)
        for node in parts_of(routine.tree):
            if isinstance(node, ast.Name) and node.id == "seat" and isinstance(node.ctx, ast.Store):
                raise routine.refuse(node, "`seat` is who decides; use another name for others")
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                if isinstance(node.ctx, ast.Store):
                    self._check_written(node, names)
                elif not self._is_open(node, names):
                    self._check_read(node, names)
            elif isinstance(node, ast.Call):
                self._check_call(node, names)

    def _is_open(self, node: ast.expr, names: Names) -> bool:
        """Tell whether a place is named for its size, or for what was seen: all may do that."""
        argument: ast.AST = node
        call = names.above(node)
        while isinstance(call, ast.Subscript) and call.value is argument:
            argument = call
            call = names.above(argument)
        if not isinstance(call, ast.Call) or argument not in call.args:
            return False
        if names.word_of(call) == "seen" and len(call.args) > 1:
            return argument is call.args[1] and self._seats(call.args[0], names) == self._own
        return getattr(call.func, "id", "") == "len"

    # ---------------------------------------------------------------------- which seat is meant

    def _seats(self, node: ast.expr, names: Names) -> Seats | None:
        """Return the seats that an expression may mean; None where it may be any number."""
        if isinstance(node, ast.Name):
            if node.id == "seat":
                return names.who
            value = names.value_of(node)
            if value is None or value in names.under_way:  # it depends on itself
                return None
            names.under_way.append(value)
            seats = self._seats(value, names)
            names.under_way.remove(value)
            return seats
        if not isinstance(node, ast.Call) or not node.args:
            return None
        word, before = names.word_of(node), self._seats(node.args[0], names)
        steps = _number(node.args[1]) if word == "after" and len(node.args) == 2 else None
        is_known = steps is not None or word in ("team", "partner", "partners", "others")
        if before is None or not is_known:
            return None
        made: list[frozenset[int]] = []
        for (players, _), seats_before in zip(self._tables, before, strict=True):
            meant: set[int] = set()
            for seat in seats_before:
                team = self.seating.team(seat, players)
                if steps is not None:
                    meant.add((seat + steps) % players)
                elif word == "others":
                    meant |= set(range(players)) - {seat}
                else:
                    team &= ~(0 if word == "team" else 1 << seat)
                    meant |= {other for other in range(players) if team >> other & 1}
            made.append(frozenset(meant))
        return tuple(made)

    def _sees(self, name: str, seats: Seats) -> bool:
        """Tell whether a policy sees what these seats have in a field."""
        declared = self.program.fields[name]
        return all(
            self.seating.viewers(declared, holder, players) >> seat & 1
            for (players, seat), holders in zip(self._tables, seats, strict=True)
            for holder in holders
        )

    def _field(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return the field of the state that is meant, and its indices."""
        node, indices = indexed(node)
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "s":
            return node.attr, indices
        return "", []

    def _vouched(self, routine: Routine, declared: Field) -> bool:
        """Tell whether the rules of one of the five games look at what is noted of hidden cards.

        As which way up a seat's own cards are; of places of cards even rules tell no policy.
        """
        package = self.program.rules.__name__.rpartition(".")[0]
        name = str(routine.space.get("__name__"))
        noted = not self.program.is_place(declared.kind)
        return noted and not self.program.game.digest and name.startswith(package)

    def _check_read(self, node: ast.expr, names: Names) -> None:
        routine = names.routine
        name, indices = self._field(node)
        declared = self.program.fields.get(name)
        if declared is None or declared.sees == "shown":
            return
        text = ast.unparse(node)
        if declared.sees == "hidden":
            if self._vouched(routine, declared):
                return
            raise routine.refuse(
                node,
                f"a policy reads {text}: nobody sees that; allowed is {_instead(text, declared)}",
            )
        above = names.above(node)
        if not indices and isinstance(above, ast.Subscript) and above.value is node:
            return
        seats = self._seats(indices[0], names) if indices else None
        if not self._sees(name, seats or self._any):
            foreign = "" if names.who == self._own else " of another seat"
            raise routine.refuse(
                node,
                f"a policy reads {text}{foreign}: {_who_sees(declared)}; allowed are "
                f"{', '.join(_allowed(name, declared))} and {_instead(text, declared)}",
            )

    def _check_written(self, node: ast.expr, names: Names) -> None:
        name, indices = self._field(node)
        declared = self.program.fields.get(name)
        seats = self._seats(indices[0], names) if indices else None
        if name and not (declared and declared.sees == "memory" and seats == self._own):
            raise names.routine.refuse(
                node,
                f"a policy changes {ast.unparse(node)}: who decides changes nothing but its memory",
            )

    def _check_call(self, call: ast.Call, names: Names) -> None:
        routine = names.routine
        word = names.word_of(call)
        if word in DRAWS:
            is_own = names.who == self._own and len(call.args) > 1
            if not is_own or ast.unparse(call.args[1]) != "SEAT(seat)":
                raise routine.refuse(call, "a policy draws from its own stream only: SEAT(seat)")
        elif word in EFFECTS:
            raise routine.refuse(call, f"a policy calls {word}: who decides changes nothing")
        callee = routine.calls.get(ast.unparse(call.func))
        if callee is None or "s" not in callee.params:
            return
        who = names.who
        if "seat" in callee.params:
            place = callee.params.index("seat")
            given = call.args[place] if place < len(call.args) else None
            who = (self._seats(given, names) if given is not None else None) or self._any
        self.check(callee, who)


def read_by(program: Program, functions: Iterable[Callable[..., Any]]) -> tuple[str, ...]:
    """Return which fields of the state, or memory, some functions read, through all that they call.

    Not the engine's: who is on turn and what is asked everybody knows.
    """
    found: set[str] = set()
    known: set[str] = set()
    functions = list(functions)
    waiting = [program.routine(function) for function in functions]
    fields = {*program.fields}.union(*map(program.memory_of, functions)) - {"seat", "phase"}
    while waiting:
        routine = waiting.pop()
        if routine.name in known:
            continue
        known.add(routine.name)
        waiting += routine.calls.values()
        found |= {
            node.attr
            for node in parts_of(routine.tree)
            if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "s"
        }
    return tuple(sorted(found & fields))


class Names:
    """What the names in a function are given.

    Parameters
    ----------
    routine : Routine
    who : Seats
        What its `seat` may be.
    """

    def __init__(self, routine: Routine, who: Seats) -> None:
        self.routine, self.who = routine, who
        self.under_way: list[ast.expr] = []  # values of names, while seats are found
        self._above: dict[int, ast.AST] = {
            id(child): node
            for node in parts_of(routine.tree)
            for child in ast.iter_child_nodes(node)
        }

    def above(self, node: ast.AST) -> ast.AST | None:
        """Return the node that a node is a part of."""
        return self._above.get(id(node))

    def word_of(self, call: ast.Call) -> str | None:
        """Return the word of the language that is called, if one is."""
        value = self.routine.space.get(ast.unparse(call.func))
        return WORDS.get(value) if isinstance(value, FunctionType) else None

    def value_of(self, name: ast.Name) -> ast.expr | None:
        """Return what a name is given, or goes over; None where that is not one expression."""
        below: ast.AST | None = name
        while below is not None:
            node = self.above(below)
            loops: list[ast.For | ast.comprehension] = list(getattr(node, "generators", ()))
            if isinstance(node, ast.For) and below is not node.iter:
                loops = [node]
            for loop in loops:
                if isinstance(loop.target, ast.Name) and loop.target.id == name.id:
                    assert node is not None
                    return loop.iter if self._stores(node, name.id) == 1 else None
            below = node
        values = [
            node.value
            for node in parts_of(self.routine.tree)
            if isinstance(node, ast.Assign)
            and any(
                isinstance(target, ast.Name) and target.id == name.id for target in node.targets
            )
        ]
        once = self._stores(self.routine.tree, name.id) == 1 and name.id not in self.routine.params
        return values[0] if once and values else None

    def _stores(self, tree: ast.AST, name: str) -> int:
        """Return the number of assignments to a name in a piece of source."""
        return sum(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            for node in parts_of(tree)
        )


def _number(node: ast.expr) -> int | None:
    """Return a whole number as it stands in the source; None of anything else."""
    sign = 1
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        node, sign = node.operand, -1
    value = getattr(node, "value", None)
    return sign * value if type(value) is int else None


def _instead(text: str, declared: Field) -> str:
    """Return what a policy may ask of a place that it does not see."""
    seen = f" and seen(seat, {text}, k)" if declared.kind is ordered else ""
    return f"len({text}){seen}"


def _who_sees(declared: Field) -> str:
    """Say who sees what a seat has in a field."""
    names = {"partners": "its partners", "others": "the others", 1: "the next seat"}
    who = [] if declared.sees == "some" else ["its own seat"]
    who += [names.get(seat) or f"the seat {seat} further on" for seat in declared.to]
    return f"only {joined(who)} see{'s' if len(who) == 1 and who[0].endswith('seat') else ''} that"


def _allowed(name: str, declared: Field) -> Iterator[str]:
    """Yield what a policy may read of a field that some seats see."""
    if declared.sees != "some":
        yield f"s.{name}[seat]"
    for who in declared.to:
        if isinstance(who, int):
            yield f"s.{name}[after(seat, {-who})]"
        else:
            yield f"s.{name}[one] for one in {who}(seat)"
