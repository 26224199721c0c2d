"""Search by simulation in games of the language: one policy for all of them.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen, makes each legal move on a copy of that deal, plays the round out with
another policy in all seats, and takes the move with the best mean result (Ginsberg 2001, "GIB:
Imperfect information in a computationally challenging game", JAIR 14, for bridge). Where seats
choose in secret and at the same time, those asked before are let choose again, too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. Moves that have fallen clearly behind are dropped; where none is clearly
ahead of what the other policy would do, that is done (`race`).

Four states lie one behind the other: the match itself, a deal of what is unseen, the rollout under
way, and the match as it was when the decision began. After them there is room for the results. As
many numbers of a state are copied as are cleared when a match begins (`o.cleared`): all but the
memory of seats that are not at the table.
"""

from __future__ import annotations

import ast
import inspect
from typing import Any

from simcore.compiler import race
from simcore.compiler.engine import Engine
from simcore.compiler.lower import (
    BOOL,
    FLOAT,
    INT,
    MEMORY_WORDS,
    REALS_AT,
    WORDS_AT,
    Core,
    Lowering,
    lines,
    nth_text,
)
from simcore.compiler.program import Refused

STATES = 4
HEAT = 8
"""Deals between two looks at which moves have fallen behind."""

MOST_MOVES = 64
"""Moves that are looked at. Of more, as of bids to 100, some at equal distances are; of the
built-in games' hundreds of ways to pick equal cards the first ones."""

TEXT = f"""
rollouts = cut(as_real(option(at)))
winning = as_real(option(at + 1))
sure = as_real(option(at + 2))
trust = as_real(option(at + 3))
dealt = state_after(s, 1)
now = state_after(s, 2)
before = state_after(s, 3)
moves = words_at(s, {STATES} * SIZE)
results = reals_at(s, {STATES} * SIZE + {MOST_MOVES})
copy_state(before, s, o.cleared)
usual = usual_(s, o, seat, seat)
if rollouts < {race.FEWEST_DEALS} or is_overdue_search_(s, o) != 0:
    return usual
size = count_moves_(s, o, seat)
count = min(size, {MOST_MOVES})
moves[0] = usual
left = 1
for k in range(LOOKED_AT):
    move = nth_move_(s, o, seat, PLACE)
    if move != usual and left < count:
        moves[left] = move
        left += 1
tried = 0
while tried < rollouts and left > 1:
    a = next_SEAT(s, o, seat)
    b = next_SEAT(s, o, seat) | 1
    copy_state(dealt, s, o.cleared)
    fresh_streams_(dealt, o, a, b)
    deal_search_(dealt, o, seat, trust)
    forget_others_(dealt, o, seat)
    take_back_search_(dealt, o)
    while dealt.seat != seat:
        roll_(dealt, o, dealt.seat, seat)
    for i in range(left):
        copy_state(now, dealt, o.cleared)
        if moves[i] != usual:
            recall_(now, before, o, seat)
        carry_out_(now, o, seat, moves[i])
        while now.phase > 1:
            roll_(now, o, now.seat, seat)
        if now.phase == 1:
            score_search_(now, o)
        result = margin_search_(now, o, seat)
        if now.phase == 0:
            result += winning * win_share_search_(now, o, seat)
        results[i * rollouts + tried] = result
    tried += 1
    if modulo(tried, {HEAT}) == 0 or tried == rollouts:
        left = drop_moves(moves, results, rollouts, left, tried, usual)
move = moves[chosen(moves, results, rollouts, left, tried, usual, sure)]
if move != usual:
    recall_(s, before, o, seat)
return move
"""

_KINDS = {"Words": WORDS_AT, "Reals": REALS_AT, "int": INT, "float": FLOAT, "bool": BOOL}


def room_for(low: Lowering, rollouts: int) -> int:
    """Return how many numbers a search needs, with the state that it is asked in."""
    return STATES * low.state.size + MOST_MOVES * (1 + rollouts)


def add_search(low: Lowering) -> None:
    """Add the search of a game: one function for all its decisions, called by its address.

    Who plays rounds out has its address in `o.rollout`, and its parameters where `o.rollout_at`
    says.

    Parameters
    ----------
    low : Lowering
        With nothing in it but its layout.
    """
    low.streams |= {"SEAT", "ASIDE"}
    engine = Engine(low)
    engine.asks = False
    engine.streams()
    Search(engine)
    for function in vars(race).values():
        if inspect.isfunction(function) and function.__module__ == race.__name__:
            low.add(_read(function))
    looked_at, place = (
        ("count", "divided_by(k * size, count)") if low.program.game.digest else ("size", "k")
    )
    text = TEXT.replace("SIZE", str(low.state.size))
    text = text.replace("LOOKED_AT", looked_at).replace("PLACE", place)
    params = ["seat", "which", "at", *(f"m{place}" for place in range(engine.widest()))]
    low.add(Core("entry", params, lines(text), {}, (INT,), entry=True))


def _read(function: Any) -> Core:
    """Return a function of `race` as one over numbers."""
    tree = ast.parse(inspect.getsource(function)).body[0]
    assert isinstance(tree, ast.FunctionDef)
    body = [node for node in tree.body if not isinstance(node, ast.Expr) or _is_call(node)]
    for node in body:
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id.isupper():
                part.__class__ = ast.Constant  # type: ignore[assignment]
                part.value = getattr(race, part.id)  # type: ignore[attr-defined]
    kinds = {
        arg.arg: _KINDS[ast.unparse(arg.annotation)] for arg in tree.args.args if arg.annotation
    }
    told = ast.unparse(tree.returns) if tree.returns else "None"
    returns = tuple(
        _KINDS[one] for one in told.removeprefix("tuple[").rstrip("]").split(", ") if one != "None"
    )
    return Core(tree.name, list(kinds), body, kinds, returns, uses_state=False, free=True)


def _is_call(node: ast.Expr) -> bool:
    return isinstance(node.value, ast.Call)


class Search:
    """Adds the pieces of a search to an engine, whose streams and rounds are there."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        for name in engine.program.decisions:
            self._chooser(name)
        self._by_phase(
            "roll_",
            "seat looker",
            lambda name: engine.decision(name, f"rollout_{name.lower()}_", ", looker"),
        )
        self._by_phase("usual_", "seat looker", self._usual, returns=True)
        self._shared()

    def _chooser(self, decision: str) -> None:
        engine = self.engine
        moves = engine.moves_of(decision)
        text = [
            "address = o.rollout[looker]",
            "if address != 0:",
            f"    return {engine.asked(decision, 'address', 'o.rollout_at[looker]')}",
            f"return {engine.random(decision, moves)}",
        ]
        name = f"rollout_{decision.lower()}_"
        engine.core(name, f"seat {' '.join(moves)} looker", "\n".join(text), ("n",))

    def _usual(self, decision: str) -> str:
        engine, low = self.engine, decision.lower()
        moves = engine.moves_of(decision)
        given = ", ".join(moves)
        text = [*engine.find(decision)]
        text += [f"choice = rollout_{low}_(s, o, seat, {given}, looker)"]
        text += [f"if not {engine.is_legal(decision, moves)}:"]
        text += [f"    choice = {engine.first(decision, moves)}", "return choice"]
        return "\n".join(text)

    def _by_phase(self, name: str, params: str, make: Any, returns: bool = False) -> None:
        """Add a function that does something by what is to be decided."""
        text: list[str] = []
        for place, (decision, number) in enumerate(self.engine.program.decisions.items()):
            text.append(f"{'el' if place else ''}if s.phase == {number}:")
            text += ["    " + line for line in make(decision).splitlines()]
        if returns:
            text.append("return -1")
        self.engine.core(name, params, "\n".join(text), ("n",) if returns else (), rare=True)

    def _shared(self) -> None:
        engine = self.engine
        moves_of = engine.moves_of

        def nth(decision: str) -> str:
            moves = moves_of(decision)
            if engine.counted(decision):
                return f"return {engine.steps[f'nth_{decision.lower()}'].name}(s, o, seat, index)"
            found = "\n".join(engine.find(decision))
            return f"{found}\nreturn {nth_text(engine.low, moves, 'index')}"

        def count(decision: str) -> str:
            return "\n".join([*engine.find(decision), "return size"])

        self._by_phase("nth_move_", "seat index", nth, returns=True)
        self._by_phase("count_moves_", "seat", count, returns=True)
        self._by_phase("carry_out_", "seat choice", lambda d: "\n".join(engine.after(d)))
        steps = engine.steps
        self._plain_step(
            "take_back_search_", "", "take_back(s, o)" if "take_back" in steps else "pass"
        )
        self._plain_step("score_search_", "", f"{steps['score_round'].name}(s, o)")
        overdue = "return whole(is_overdue(s, o))" if "is_overdue" in steps else "return 0"
        core = steps.get("is_overdue")
        if core is not None and core.returns == ("n",):
            overdue = "return is_overdue(s, o)"
        engine.core("is_overdue_search_", "", overdue, ("n",), rare=True)
        team = engine.low.team("seat") if engine.program.seating.has_teams else ""
        own = f"popcount({team})" if team else "1"
        engine.core(
            "margin_search_",
            "seat",
            "others = 0\nfor one in range(o.players):\n"
            f"    if {'(' + team + ' >> one) & 1 == 0' if team else 'one != seat'}:\n"
            "        others = others + s.scores[one]\n"
            f"result = real(s.scores[seat]) - real(others) / real(max(o.players - {own}, 1))\n"
            "return (0.0 - result if o.lowest_wins != 0 else result)",
            ("f",),
            kinds={"result": "f"},
        )
        engine.core(
            "win_share_search_",
            "seat",
            "return real((s.winners >> seat) & 1) / real(max(popcount(s.winners), 1))",
            ("f",),
        )
        self._streams()
        self._memory()
        self._deal()

    def _plain_step(self, name: str, params: str, text: str) -> None:
        self.engine.core(name, params, text, rare=True)

    def _streams(self) -> None:
        low = self.engine.low
        text = ["s.aside0 = a", "s.aside1 = b"]
        for family in sorted(low.streams - {"ASIDE"}):
            one, two = f"{family.lower()}0", f"{family.lower()}1"
            if family == "SEAT":
                count = low.state[one][1]
                text += [f"for k in range({count}):"]
                text += [f"    s.{one}[k] = next_ASIDE(s, o)"]
                text += [f"    s.{two}[k] = next_ASIDE(s, o) | 1"]
            else:
                text += [f"s.{one} = next_ASIDE(s, o)", f"s.{two} = next_ASIDE(s, o) | 1"]
        self.engine.core("fresh_streams_", "a b", "\n".join(text), rare=True)

    def _memory(self) -> None:
        """Add what lets others forget, and a seat remember what it did before the decision."""
        engine = self.engine
        rooms = [("memory_", MEMORY_WORDS, 0)]
        for name, declared in engine.program.rules_fields.items():
            if declared.sees == "memory":
                for one in engine.low.field_names(name):
                    rooms.append((one, max(declared.many, 1), declared.start))
        forget, recall = [], []
        for name, many, start in rooms:
            forget += [
                f"for k in range(o.players * {many}):",
                f"    if (k < seat * {many}) or (k >= (seat + 1) * {many}):",
                f"        s.{name}[k] = {start}",
            ]
            recall += [f"for k in range({many}):"]
            recall += [f"    s.{name}[seat * {many} + k] = before.{name}[seat * {many} + k]"]
        engine.core("forget_others_", "seat", "\n".join(forget), rare=True)
        kinds = {"s": "p", "before": "p", "o": "p"}
        params = ["s", "before", "o", "seat"]
        body = lines("\n".join(recall))
        engine.low.add(Core("recall_", params, body, kinds, (), rare=True, free=True))

    def _deal(self) -> None:
        engine = self.engine
        steps = engine.steps
        if "deal_believed" in steps:
            wanted = steps["deal_believed"]
            text = f"{wanted.name}(s, o, seat, trust)"
        elif "deal_unseen" in steps:
            text = f"{steps['deal_unseen'].name}(s, o, seat)"
        else:
            text = self._deal_anew()
        engine.core("deal_search_", "seat trust", text, kinds={"trust": "f"}, rare=True)

    def _deal_anew(self) -> str:
        """Return the text that deals what a seat does not see anew, each deal equally likely."""
        engine, low = self.engine, self.engine.low
        words = low.words
        places = []
        for name, declared in engine.program.rules_fields.items():
            if declared.sees not in ("hidden", "own", "some"):
                continue
            if not engine.program.is_place(declared.kind):
                raise Refused(
                    f"search in {engine.program.game.name} needs a step `deal_unseen(s, seat)`: "
                    f"s.{name} is not seen, and the engine does not know how to deal it anew"
                )
            places.append((name, declared))
        pool = [f"pool{word}" for word in range(words)]
        text = [f"{one} = 0" for one in pool]
        for fill in (False, True):
            for name, declared in places:
                many = max(declared.many, 1)
                count = f"o.players * {many}" if declared.per_seat else str(many)
                fields = low.field_names(name)
                index = "[k]" if declared.per_seat or declared.many else ""
                inner = (
                    self._refill(fields, index, pool)
                    if fill
                    else [f"{p} = {p} | s.{f}{index}" for p, f in zip(pool, fields, strict=True)]
                )
                if declared.to:
                    seen = low.viewers(name, f"divided_by(k, {many})")
                    inner = [f"if (({seen} >> seat) & 1) == 0:", *("    " + line for line in inner)]
                elif declared.sees == "own":
                    guard = f"if (k < seat * {many}) or (k >= (seat + 1) * {many}):"
                    inner = [guard, *("    " + line for line in inner)]
                if index:
                    inner = [f"for k in range({count}):", *("    " + line for line in inner)]
                text += inner
        return "\n".join(text)

    def _refill(self, fields: list[str], index: str, pool: list[str]) -> list[str]:
        low = self.engine.low
        size = " + ".join(f"popcount(s.{name}{index})" for name in fields)
        left = " + ".join(f"popcount({one})" for one in pool)
        text = [f"left = {size}", *(f"s.{name}{index} = 0" for name in fields), "while left > 0:"]
        text.append(f"    card = {nth_text(low, pool, f'below_ASIDE(s, o, {left})')}")
        for place, (name, one) in enumerate(zip(fields, pool, strict=True)):
            bit = (
                "bit_of(card)"
                if len(pool) == 1
                else f"(bit_of(card) if (card >> 6) == {place} else 0)"
            )
            text += [f"    bit = {bit}", f"    s.{name}{index} = s.{name}{index} | bit"]
            text += [f"    {one} = {one} & ~bit"]
        return [*text, "    left = left - 1"]


__all__ = ["add_search", "room_for"]
