"""Words of rules that change the state: cards that move, what happens next, and counts."""

from __future__ import annotations

import ast

from simcore.compiler.calls import Calls
from simcore.compiler.core import BOOL, INT, Core, lines
from simcore.compiler.program import (
    FIRST_DECISION,
    near,
)


class Actions(Calls):
    """Translates words that change the state."""

    def word_move(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        (what,), (source, target) = self.zones(call, self.x, self.zone, self.zone)
        return self.moved(call, what, source, target)

    def word_bring(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        (what,), (target,) = self.zones(call, self.x, self.zone)
        what = self.saved(self.as_set(what, call, one=True))
        text = [f"{b} = {b} | {w}" for b, w in zip(target.words, what.texts, strict=True)]
        if target.is_ordered:
            text = self.each_laid(what.texts, target)
        if self.low.checked:
            twice = f"if rarely({self.lying(what.texts)} != 0):\n    s.fault = 1"
            text.insert(0, twice)
        return lines("\n".join(text))

    def lying(self, words: list[str]) -> str:
        """Return how many of some words have cards that lie somewhere already."""
        names = [f"w{place}" for place in range(len(words))]
        text = ["found = 0"]
        for name, declared in self.program.fields.items():
            if not self.program.is_place(declared.kind) or name not in self.low.fields:
                continue
            size = f"o.players * {max(declared.many, 1)}" if declared.per_seat else declared.many
            index = "[k]" if size else ""
            each = zip(names, self.low.field_names(name), strict=True)
            lying = [f"found = found | ({word} & s.{part}{index})" for word, part in each]
            text += (
                [f"for k in range({size}):", *("    " + one for one in lying)] if size else lying
            )
        text.append("return found")
        return self.low.check("lying_", *words, params=" ".join(names), text="\n".join(text))

    def word_ask(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        seat, decision = (self.as_int(one, call) for one in self.operands(call.args[1:]))
        if self.low.checked:
            seat, count = self.index(seat, "o.players"), len(self.program.decisions)
            known = map(str, self.program.decisions.values())
            if decision not in known:
                place = self.index(f"wadd({decision}, {-FIRST_DECISION})", str(count))
                decision = f"{place} + {FIRST_DECISION}"
        return lines(f"s.seat, s.phase = {seat}, {decision}")

    def word_end_round(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 1)
        return lines("s.phase = 1")

    def word_end_match(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        winners = self.checked("winners_", self.as_int(self.x(call.args[1]), call))
        if self.program.seating.has_teams:
            winners = self.checked_teams(winners)
        return lines(f"s.winners = {winners}\ns.phase = 0")

    def checked_teams(self, winners: str) -> str:
        """Return winners; note that one of a team is left out."""
        text = (
            "for one in range(o.players):\n"
            f"    if ((winners >> one) & 1) != 0 and ({self.low.team('one')} & ~winners) != 0:\n"
            "        s.fault = 1\nreturn winners"
        )
        if not self.low.checked:
            return winners
        return self.low.check("whole_teams_", winners, params="winners", text=text)

    def word_abort(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 1)
        return lines("s.winners = 0\ns.aborted = 1\ns.phase = 0")

    def clause_bit(self, node: ast.expr) -> int:
        names = [clause.name for clause in self.program.game.clauses]
        name = getattr(node, "value", None)
        if name not in names:
            hint = near(str(name), names) if names else "; count with measure(…) and s.count"
            self.stop(node, f"no clause {name!r}{hint}")
        return 1 << names.index(name)

    def word_note(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        return lines(f"s.count_clauses = s.count_clauses | {self.clause_bit(call.args[1])}")

    def word_note_if(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 3)
        bit, test = self.clause_bit(call.args[1]), self.test(call.args[2])
        return lines(f"s.count_clauses = s.count_clauses | ({bit} if {test} else 0)")

    def word_note_lead_change(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2)
        return lines(f"s.count_last_lead_change = {self.as_int(self.x(call.args[1]), call)}")

    def word_note_leaders(self, call: ast.Call) -> list[ast.stmt]:
        self.need(call, 2, 3)
        lowest = self.test(call.args[1])
        changes = getattr(call.args[2], "value", "") if len(call.args) > 2 else "lead_changes"
        counted = f"count_{changes}" if changes in self.program.metrics else ""
        name = f"note_leaders_{changes}_" if counted else "note_leaders_"
        change = f"    if s.leaders != 0:\n        s.{counted} = s.{counted} + 1\n"
        if name not in self.low.done:
            behind = self.checked("short_", "behind")
            text = (
                "best = best_score_(s, o, lowest)\nleaders = 0\n"
                "for seat in range(o.players):\n"
                "    behind = max(best - s.scores[seat], s.scores[seat] - best)\n"
                f"    s.deficits[seat] = max(s.deficits[seat], {behind})\n"
                "    leaders = leaders | ((1 << seat) if s.scores[seat] == best else 0)\n"
                "if leaders != s.leaders:\n"
                + (change if counted else "")
                + "    s.count_last_lead_change = s.round_number\n"
                "s.leaders = leaders\n"
            )
            self.best_score()
            kinds = {"lowest": BOOL, "best": INT, "leaders": INT, "seat": INT, "behind": INT}
            self.low.add(Core(name, ["lowest"], lines(text), kinds, (), True, True))
        return lines(f"{name}(s, o, {lowest})")
