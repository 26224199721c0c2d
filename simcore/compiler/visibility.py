"""Check from a policy's source that it reads only what its seat may see."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType

from simcore.compiler.layout import EFFECTS
from simcore.compiler.piles import is_ordered
from simcore.compiler.program import Program, Routine
from simcore.language import WORDS, Field
from simcore.phrases import joined

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
        inside = {
            id(part)
            for node in ast.walk(routine.tree)
            if isinstance(node, ast.Subscript)
            for part in ast.walk(node.value)
        }
        counted = {
            id(part)
            for node in ast.walk(routine.tree)
            if isinstance(node, ast.Call)
            for argument in self._open(names, node)
            if isinstance(argument, (ast.Attribute, ast.Subscript))
            for part in ast.walk(argument)
        }
        for node in ast.walk(routine.tree):
            if isinstance(node, ast.Name) and node.id == "seat" and isinstance(node.ctx, ast.Store):
                raise routine.refuse(node, "`seat` is who decides; use another name for others")
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                if isinstance(node.ctx, ast.Store):
                    self._check_written(node, names)
                elif id(node) not in counted:
                    self._check_read(node, names, id(node) in inside)
            elif isinstance(node, ast.Call):
                self._check_call(node, names)

    def _open(self, names: Names, call: ast.Call) -> list[ast.expr]:
        """Return the places that a call may name, seen or not: for their size, or what was seen."""
        value = names.routine.space.get(getattr(call.func, "id", ""))
        if isinstance(value, FunctionType) and WORDS.get(value) == "seen" and len(call.args) > 1:
            return call.args[1:2] if self._seats(call.args[0], names) == self._own else []
        return call.args if getattr(call.func, "id", "") == "len" else []

    # ---------------------------------------------------------------------- which seat is meant

    def _seats(self, node: ast.expr, names: Names) -> Seats | None:
        """Return the seats that an expression may mean; None where it may be any number."""
        routine = names.routine
        if isinstance(node, ast.Name):
            if node.id == "seat":
                return names.who
            value = names.value_of(node)
            if value is None or value in names.under_way:  # it depends on itself
                return None
            names.under_way.append(value)
            found = self._seats(value, names)
            names.under_way.remove(value)
            return found
        if not isinstance(node, ast.Call) or not node.args or not isinstance(node.func, ast.Name):
            return None
        value = routine.space.get(node.func.id)
        word = WORDS.get(value) if isinstance(value, FunctionType) else None
        before = self._seats(node.args[0], names)
        if before is None:
            return None
        steps = _number(node.args[1]) if word == "after" and len(node.args) == 2 else None
        made: list[frozenset[int]] = []
        for (players, _), seats in zip(self._tables, before, strict=True):
            each: set[int] = set()
            for seat in seats:
                team = self.seating.team(seat, players)
                if steps is not None:
                    each.add((seat + steps) % players)
                elif word in ("team", "partner", "partners"):
                    own = 0 if word == "team" else 1 << seat
                    each |= {one for one in range(players) if (team & ~own) >> one & 1}
                elif word == "others":
                    each |= set(range(players)) - {seat}
                else:
                    return None
            made.append(frozenset(each))
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
        indices: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            indices.insert(0, node.slice)
            node = node.value
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

    def _check_read(self, node: ast.expr, names: Names, inside: bool) -> None:
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
        if not indices and inside:
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
        text = ast.unparse(call.func)
        value = routine.space.get(text)
        word = WORDS.get(value) if isinstance(value, FunctionType) else None
        if word in DRAWS:
            own = names.who == self._own and len(call.args) > 1
            if not own or ast.unparse(call.args[1]) != "SEAT(seat)":
                raise routine.refuse(call, "a policy draws from its own stream only: SEAT(seat)")
        elif word in EFFECTS:
            raise routine.refuse(call, f"a policy calls {word}: who decides changes nothing")
        callee = routine.calls.get(text)
        if callee is None or "s" not in callee.params:
            return
        who = names.who
        if "seat" in callee.params:
            place = callee.params.index("seat")
            given = call.args[place] if place < len(call.args) else None
            who = (self._seats(given, names) if given is not None else None) or self._any
        self.check(callee, who)


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
        self.under_way: list[ast.expr] = []
        self._above: dict[int, ast.AST] = {
            id(child): node
            for node in ast.walk(routine.tree)
            for child in ast.iter_child_nodes(node)
        }

    def value_of(self, name: ast.Name) -> ast.expr | None:
        """Return what a name is given, or goes over; None where that is not one expression."""
        below: ast.AST = name
        while id(below) in self._above:
            node = self._above[id(below)]
            loops: list[ast.For | ast.comprehension] = list(getattr(node, "generators", ()))
            if isinstance(node, ast.For) and below is not node.iter:
                loops = [node]
            for loop in loops:
                if isinstance(loop.target, ast.Name) and loop.target.id == name.id:
                    return loop.iter if self._stores(node, name.id) == 1 else None
            below = node
        given = [
            node.value
            for node in ast.walk(self.routine.tree)
            if isinstance(node, ast.Assign)
            and any(isinstance(one, ast.Name) and one.id == name.id for one in node.targets)
        ]
        once = self._stores(self.routine.tree, name.id) == 1 and name.id not in self.routine.params
        return given[0] if once and given else None

    def _stores(self, tree: ast.AST, name: str) -> int:
        """Return the number of assignments to a name in a piece of source."""
        return sum(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
            for node in ast.walk(tree)
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
    seen = f" and seen(seat, {text}, k)" if is_ordered(declared.kind) else ""
    return f"len({text}){seen}"


def _who_sees(declared: Field) -> str:
    """Say who sees what a seat has in a field."""
    who = [] if declared.sees == "some" else ["its own seat"]
    for one in declared.to:
        known = {"partners": "its partners", "others": "the others", 1: "the next seat"}
        who.append(known.get(one) or f"the seat {one} further on")
    return f"only {joined(who)} see{'s' if len(who) == 1 and who[0].endswith('seat') else ''} that"


def _allowed(name: str, declared: Field) -> Iterator[str]:
    """Yield what a policy may read of a field that some seats see."""
    if declared.sees != "some":
        yield f"s.{name}[seat]"
    for one in declared.to:
        if isinstance(one, int):
            yield f"s.{name}[after(seat, {-one})]"
        else:
            yield f"s.{name}[one] for one in {one}(seat)"
