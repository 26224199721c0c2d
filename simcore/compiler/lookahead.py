"""The search of a game: what `rollouts` needs of the game is printed beside its rounds.

A search plays on copies of the state. The policy that plays rounds out has its address in
`o._rollout` of the seat that looks ahead (`s._looker`), and its parameters from `o._rollout_at` on.
"""

from __future__ import annotations

import ast
from textwrap import indent

from simcore.compiler import rollouts
from simcore.compiler.program import Refused, parts_of
from simcore.compiler.rounds import Rounds, each_of_seat
from simcore.compiler.state_layout import Layout

DRAWING = {"draw", "_draw", "_draw_one", "_draw_into", "shuffle"}
"""Words that draw from the stream DEAL."""


def room_for(layout: Layout, deals: int) -> int:
    """Return how many numbers a search needs, with the state that it is asked in."""
    return rollouts.STATES * layout.size + rollouts.MOST_MOVES * (1 + deals)


class SearchRounds(Rounds):
    """Prints rounds that a search plays out, and the search itself."""

    def search(self) -> None:
        """Add `entry`: one function for all decisions, called by its address like a policy."""
        self.play()
        self.looking()
        moves = ", ".join(f"m{k}" for k in range(self.widest()))
        self.unit.add(
            f"def entry(s, o, seat, which, at, {moves}):\n    return _search(s, o, seat, at)"
        )

    def looking(self) -> None:
        """Add what `rollouts` calls."""
        self.ways()
        self.unit.add(self.usual())
        back = f"{self.steps['take_back']}(s, o)" if "take_back" in self.steps else "pass"
        self.unit.add(f"def _overdue(s, o):\n    return {self.overdue()}")
        self.unit.add(f"def _take_back(s, o):\n    {back}")
        self.unit.add(self.open_streams())
        self.unit.add(self.forget_others())
        self.unit.add(self.recall())
        self.unit.add(self.deal_unseen())

    def chooser(self, decision: str) -> str:
        """Return the function that asks the policy that plays rounds out."""
        return (
            f"def _choose_{decision.lower()}(s, o, seat, moves):\n"
            "    address = o._rollout[s._looker]\n"
            "    if address != 0:\n"
            f"        return {self.asked(decision, 'o._rollout_at[s._looker]')}\n"
            f"    return {self.random(decision)}"
        )

    def when_illegal(self, decision: str) -> str:
        return f"\nif not ({self.is_legal(decision)}):\n    choice = {self.nth(decision, '0')}\n"

    def usual(self) -> str:
        """Return the function for the legal move of the policy that plays rounds out."""
        lines = ["def _usual(s, o, seat):", "    _seldom()", "    choice = -1"]
        for name, number in self.program.decisions.items():
            choose = f"choice = _choose_{name.lower()}(s, o, seat, moves)"
            lines += [f"    if s.phase == {number}:", f"        moves = {self.find(name)}"]
            lines.append(indent(choose + self.when_illegal(name), " " * 8).rstrip())
            lines.append("        return choice")
        return "\n".join([*lines, "    return choice"])

    def streams(self) -> list[str]:
        """Return the streams that rules draw from, in the order in which they are opened."""
        found = {"SEAT"}
        for name in list(self.unit.sources):
            for node in parts_of(self.unit.functions[name]):
                if isinstance(node, ast.Attribute) and node.attr in ("_DEAL", "_CHANCE", "_MATCH"):
                    found.add(node.attr[1:])
                elif isinstance(node, ast.Call) and getattr(node.func, "id", "") in DRAWING:
                    found.add("DEAL")
        return sorted(found)

    def open_streams(self) -> str:
        lines = ["_seldom()", "s._ASIDE[0] = a", "s._ASIDE[1] = b"]
        for stream in self.streams():
            inner, item = "", f"s._{stream}"
            if stream == "SEAT":
                lines.append(f"for k in range({self.unit.layout.players}):")
                inner, item = "    ", "s._SEAT[k]"
            lines.append(f"{inner}{item}[0] = _next(s._ASIDE)")
            lines.append(f"{inner}{item}[1] = _next(s._ASIDE) | 1")
        return "def _open_streams(s, o, a, b):\n" + indent("\n".join(lines), "    ")

    # ----------------------------------------------------------------------------------- memory

    def forget_others(self) -> str:
        lines = ["def _forget_others(s, o, seat):", "    _seldom()"]
        lines += ["    for one in range(o.players):", "        if one != seat:"]
        if not self.unit.tells:
            lines += [f"            for k in range({self.unit.layout.memory_words}):"]
            lines += ["                s._memory[one][k] = 0"]
        for name, declared in self.memory().items():
            start = "_none()" if self.program.is_set(declared.kind) else str(declared.start)
            lines += each_of_seat(f"s.{name}[one]", declared, f"ITEM = {start}")
        return "\n".join([*lines, "            pass"])

    # ------------------------------------------------------------------------------ dealing anew

    def deal_unseen(self) -> str:
        head = "def _deal_unseen(s, o, seat, trust):\n    _seldom()\n"
        if "deal_believed" in self.steps:
            return f"{head}    {self.steps['deal_believed']}(s, o, seat, trust)"
        if "deal_unseen" in self.steps:
            return f"{head}    {self.steps['deal_unseen']}(s, o, seat)"
        return head + self.deal_anew()

    def deal_anew(self) -> str:
        """Return the text that deals what a seat does not see anew, each deal equally likely."""
        collect = ["pool = _none()"]
        deal: list[str] = []
        for name, declared in self.program.rules_fields.items():
            if declared.sees not in ("hidden", "own", "some"):
                continue
            if not self.program.is_place(declared.kind):
                raise Refused(
                    f"search in {self.program.game.name} needs a step `deal_unseen(s, seat)`: "
                    f"s.{name} is not seen, and the engine does not know how to deal it anew"
                )
            place = f"s._{name}"
            collect += self.each_unseen(name, f"pool = pool | _unseen({place}, seat)", place)
            deal += self.each_unseen(name, f"pool = _deal_place(s, {place}, seat, pool)", place)
        return indent("\n".join([*collect, *deal]), "    ")

    def each_unseen(self, name: str, text: str, place: str) -> list[str]:
        """Return a text within a loop over the places of a field that the seat does not see."""
        declared = self.program.rules_fields[name]
        lines, inner, item = list[str](), "", place
        if declared.per_seat:
            lines, inner, item = ["for one in range(o.players):"], "    ", f"{place}[one]"
            if declared.sees == "own" and not declared.to:
                lines.append(f"{inner}if one != seat:")
                inner += "    "
            elif declared.to:
                viewers = self.unit.layout.viewers(declared)
                table = self.unit.table(f"viewers_{name}", viewers)
                lines.append(f"{inner}if (({table}[o.players][one] >> seat) & 1) == 0:")
                inner += "    "
        if declared.many:
            lines.append(f"{inner}for k in range({declared.many}):")
            inner, item = inner + "    ", f"{item}[k]"
        return [*lines, inner + text.replace(place, item)]
