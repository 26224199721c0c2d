"""What a policy may read: what is shown, and what its own seat has; told from its source."""

from __future__ import annotations

import ast
from types import FunctionType

from simcore.compiler.lower import EFFECTS
from simcore.compiler.program import Program, Routine
from simcore.language import WORDS, Field

DRAWS = ("below", "word", "uniform", "below_from")


class Visibility:
    """Refuses policies that read or change what they may not, through all that they call.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self._checked: set[tuple[str, bool]] = set()

    def check(self, routine: Routine, *, own: bool = True) -> None:
        """Check a policy's function, and all that it calls.

        Parameters
        ----------
        routine : Routine
        own : bool
            Whether its `seat` is the policy's: what it asks of other seats lies open.

        Raises
        ------
        Refused
            With file and line, and what is allowed.
        """
        if (routine.name, own) in self._checked:
            return
        self._checked.add((routine.name, own))
        self._own = own
        inside = {
            id(part)
            for node in ast.walk(routine.tree)
            if isinstance(node, ast.Subscript)
            for part in ast.walk(node.value)
        }
        counted = {
            id(part)
            for node in ast.walk(routine.tree)
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "len"
            for argument in node.args
            if isinstance(argument, (ast.Attribute, ast.Subscript))
            for part in ast.walk(argument)
        }
        for node in ast.walk(routine.tree):
            if isinstance(node, ast.Name) and node.id == "seat" and isinstance(node.ctx, ast.Store):
                raise routine.refuse(node, "`seat` is who decides; use another name for others")
            if isinstance(node, (ast.Attribute, ast.Subscript)):
                if isinstance(node.ctx, ast.Store):
                    self._check_written(routine, node)
                elif id(node) not in counted:
                    self._check_read(routine, node, id(node) in inside)
            elif isinstance(node, ast.Call):
                self._check_call(routine, node)
                self._own = own

    def _field(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return the field of the state that is meant, and its indices."""
        indices: list[ast.expr] = []
        while isinstance(node, ast.Subscript):
            indices.insert(0, node.slice)
            node = node.value
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") == "s":
            return node.attr, indices
        return "", []

    def _is_own(self, indices: list[ast.expr]) -> bool:
        first = indices[0] if indices else None
        return self._own and isinstance(first, ast.Name) and first.id == "seat"

    def _vouched(self, routine: Routine, declared: Field) -> bool:
        """Tell whether the rules of one of the five games look at what is noted of hidden cards.

        As which way up a seat's own cards are; of places of cards even rules tell no policy.
        """
        package = self.program.rules.__name__.rpartition(".")[0]
        name = str(routine.space.get("__name__"))
        noted = not self.program.is_place(declared.kind)
        return noted and not self.program.game.digest and name.startswith(package)

    def _check_read(self, routine: Routine, node: ast.expr, inside: bool) -> None:
        name, indices = self._field(node)
        declared = self.program.fields.get(name)
        if declared is None or declared.sees == "shown":
            return
        text = ast.unparse(node)
        if declared.sees == "hidden":
            if self._vouched(routine, declared):
                return
            raise routine.refuse(
                node, f"a policy reads {text}: nobody sees that; allowed is len({text})"
            )
        if not self._is_own(indices) and not (inside and not indices):
            raise routine.refuse(
                node,
                f"a policy reads {text}{'' if self._own else ' of another seat'}: only its own "
                f"seat sees that; allowed are s.{name}[seat] and len({text})",
            )

    def _check_written(self, routine: Routine, node: ast.expr) -> None:
        name, indices = self._field(node)
        declared = self.program.fields.get(name)
        if name and not (declared and declared.sees == "memory" and self._is_own(indices)):
            raise routine.refuse(
                node,
                f"a policy changes {ast.unparse(node)}: who decides changes nothing but its memory",
            )

    def _check_call(self, routine: Routine, call: ast.Call) -> None:
        text = ast.unparse(call.func)
        value = routine.space.get(text)
        word = WORDS.get(value) if isinstance(value, FunctionType) else None
        if word in DRAWS:
            if not self._own or len(call.args) < 2 or ast.unparse(call.args[1]) != "SEAT(seat)":
                raise routine.refuse(call, "a policy draws from its own stream only: SEAT(seat)")
        elif word in EFFECTS:
            raise routine.refuse(call, f"a policy calls {word}: who decides changes nothing")
        callee = routine.calls.get(text)
        if callee is None or "s" not in callee.params:
            return
        own = self._own
        if "seat" in callee.params:
            place = callee.params.index("seat")
            own = own and place < len(call.args) and ast.unparse(call.args[place]) == "seat"
        self.check(callee, own=own)
