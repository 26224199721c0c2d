"""Search by simulation in games of the language: one policy for all of them.

For every decision the search deals what its seat cannot see at random among all that is consistent
with what it has seen, makes each legal move on a copy of that deal, plays the round out with
another policy in all seats, and takes the move with the best mean result (Ginsberg 2001, "GIB:
Imperfect information in a computationally challenging game", JAIR 14, for bridge). Where seats
choose in secret and at the same time, those asked before are let choose again, too.

All moves are tried on the same deals, with the same random streams, so the noise of a deal is in
none of the differences. Moves that have fallen clearly behind are dropped; where none is clearly
ahead of what the other policy would do, that is done (`race`).

The state lies in four columns: the match itself, a deal of what is unseen, the rollout under way,
and the match as it was when the decision began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simcore.compiler.lower import lines, nth_text
from simcore.compiler.program import Refused
from simcore.records import MAX_PARAMS

if TYPE_CHECKING:
    from simcore.compiler.engine import Engine

COLUMNS = 4
OWN_PARAMS = ("rollouts", "winning", "sure")
MOST_MOVES = 64

TEXT = """
@numba.njit(error_model="numpy", nogil=True, _nrt=True, forceinline=False, no_cfunc_wrapper=True)
def column_(rows, target, source):
    for k in range(FIELDS):
        store(rows, k * L + target, load(rows, k * L + source))

@numba.njit(error_model="numpy", nogil=True, _nrt=True, forceinline=False, no_cfunc_wrapper=True)
def KEY(rows, lane, o, seat):
    at = PARAMS_AT + seat * MAX_PARAMS
    rollouts = int(as_real(fixed(o, at)))
    winning = as_real(fixed(o, at + 1))
    sure = as_real(fixed(o, at + 2))
    trust = as_real(fixed(o, at + 3))
    column_(rows, 3, 0)
    usual = usual_NUMBER___one(rows, 0, o, seat, seat)
    if rollouts < FEWEST_DEALS or is_overdue_search___one(rows, 0, o) != 0:
        return usual
    size = count_moves___one(rows, 0, o, seat)
    count = min(size, MOST_MOVES)
    moves = np.empty(count, np.int64)
    results = np.empty((count, rollouts))
    moves[0] = usual
    left = 1
    for k in range(size):
        move = nth_move___one(rows, 0, o, seat, k)
        if move != usual and left < count:
            moves[left] = move
            left += 1
    tried = 0
    while tried < rollouts and left > 1:
        a = next_SEAT__one(rows, 0, o, seat)
        b = next_SEAT__one(rows, 0, o, seat) | 1
        column_(rows, 1, 0)
        fresh_streams___one(rows, 1, o, a, b)
        deal_search___one(rows, 1, o, seat, trust)
        forget_others___one(rows, 1, o, seat)
        take_back_search___one(rows, 1, o)
        while load(rows, SEAT_AT * L + 1) != seat:
            roll_NUMBER___one(rows, 1, o, load(rows, SEAT_AT * L + 1), seat)
        for i in range(left):
            column_(rows, 2, 1)
            if moves[i] != usual:
                recall_(rows, 2, seat)
            carry_out___one(rows, 2, o, seat, moves[i])
            while load(rows, PHASE_AT * L + 2) > 1:
                roll_NUMBER___one(rows, 2, o, load(rows, SEAT_AT * L + 2), seat)
            if load(rows, PHASE_AT * L + 2) == 1:
                score_search___one(rows, 2, o)
            result = margin_search___one(rows, 2, o, seat)
            if load(rows, PHASE_AT * L + 2) == 0:
                result += winning * win_share_search___one(rows, 2, o, seat)
            results[i, tried] = result
        tried += 1
        if tried % HEAT == 0 or tried == rollouts:
            left = drop_moves(moves, results, left, tried, usual)
    move = moves[chosen(moves, results, left, tried, usual, sure)]
    if move != usual:
        recall_(rows, 0, seat)
    return move
"""

RECALL = """
@numba.njit(error_model="numpy", nogil=True, _nrt=True, forceinline=False, no_cfunc_wrapper=True)
def recall_(rows, column, seat):
    BODY
"""


class Search:
    """Adds a search policy to an engine.

    Parameters
    ----------
    engine : Engine
    number : int
        What `o.policy` has for its seats.
    rollout : Chooser or None
        Who plays rounds out; None: uniform random play. Its parameters follow the search's.
    first : int
        The place of the first of these.
    """

    def __init__(self, engine: Engine, number: int, rollout: Any, first: int) -> None:
        self.engine, self.number, self.rollout, self.first = engine, number, rollout, first
        low = engine.low
        low.streams |= {"SEAT", "ASIDE"}

    def add(self) -> None:
        """Add what is written in numbers; the streams of the program are there."""
        self._once()
        number = self.number
        for name in self.engine.program.decisions:
            self._chooser(name)
        self._by_phase(
            f"roll_{number}_",
            "seat looker",
            lambda name: self.engine.decision(
                name, f"rollout_{number}_{name.lower()}_", ", looker"
            ),
        )
        self._by_phase(f"usual_{number}_", "seat looker", self._usual, returns=True)
        from simcore.compiler.lower import Core

        key = f"search_{number}_"
        core = Core(key, ["seat"], [], {}, ("n",), True)
        core.source = self._text(f"{key}__one")
        core.needs = [
            f"usual_{number}_",
            f"roll_{number}_",
            *("count_moves_", "nth_move_", "fresh_streams_", "deal_search_", "forget_others_"),
            *("take_back_search_", "carry_out_", "score_search_", "margin_search_"),
            *("win_share_search_", "is_overdue_search_", "next_SEAT"),
        ]
        self.engine.low.add(core)

    def _text(self, key: str) -> str:
        low = self.engine.low
        body = []
        for name, declared in self.engine.program.fields.items():
            if declared.sees != "memory":
                continue
            many = max(declared.many, 1)
            for one in low.field_names(name):
                at = low.state[one][0]
                body += [
                    f"for k in range({many}):",
                    f"        place = ({at} + seat * {many} + k) * L",
                    "        store(rows, place + column, load(rows, place + 3))",
                ]
        text = TEXT.replace("KEY", key).replace("NUMBER", str(self.number))
        text = text.replace("PARAMS_AT", str(low.options["params"][0]))
        text = text.replace("PHASE_AT", str(low.state["phase"][0]))
        recall = RECALL.replace("BODY", "\n    ".join(body) or "pass")
        return recall + text.replace("MAX_PARAMS", str(MAX_PARAMS)).replace(
            "MOST_MOVES", str(MOST_MOVES)
        )

    def _chooser(self, decision: str) -> None:
        engine = self.engine
        moves = engine.moves_of(decision)
        name = f"rollout_{self.number}_{decision.lower()}_"
        if self.rollout is None:
            text = f"return {engine.random(decision, moves)}"
        else:
            routine, params = self.rollout.routines[decision]
            core = engine.low.want_policy(routine)
            weights = "".join(
                f", as_real(o.params[looker * {MAX_PARAMS} + {self.first + p}])" for p in params
            )
            text = f"return {core.name}(s, o, seat, {engine.same_words(core, moves)}{weights})"
        engine.core(name, f"seat {' '.join(moves)} looker", text, ("n",))

    def _usual(self, decision: str) -> str:
        engine, low = self.engine, decision.lower()
        moves = engine.moves_of(decision)
        given = ", ".join(moves)
        text = [*engine.find(decision)]
        text += [f"choice = rollout_{self.number}_{low}_(s, o, seat, {given}, looker)"]
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

    # ----------------------------------------------------------------- what all searches share

    def _once(self) -> None:
        engine = self.engine
        if "carry_out_" in engine.low.done:
            return
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
        engine.core(
            "margin_search_",
            "seat",
            "others = 0\nfor one in range(o.players):\n    if one != seat:\n"
            "        others = others + s.scores[one]\n"
            "result = real(s.scores[seat]) - real(others) / real(max(o.players - 1, 1))\n"
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
        self._by_phase("ask_", "seat", self._asked, returns=True)

    def _asked(self, decision: str) -> str:
        """Return the text that asks whoever plays a seat, for replays."""
        given = ", ".join(self.engine.moves_of(decision))
        call = f"return choose_{decision.lower()}_(s, o, seat, {given})"
        return "\n".join([*self.engine.find(decision), call])

    def _plain_step(self, name: str, params: str, text: str) -> None:
        self.engine.core(name, params, text, rare=True)

    def _streams(self) -> None:
        low = self.engine.low
        text = ["s.aside0 = a", "s.aside1 = b"]
        for family in sorted(low.streams - {"ASIDE"}):
            one, two = f"{family.lower()}0", f"{family.lower()}1"
            if family in ("SEAT", "ORDER"):
                count = low.state[one][1]
                text += [f"for k in range({count}):"]
                text += [f"    s.{one}[k] = next_ASIDE(s, o)"]
                text += [f"    s.{two}[k] = next_ASIDE(s, o) | 1"]
            else:
                text += [f"s.{one} = next_ASIDE(s, o)", f"s.{two} = next_ASIDE(s, o) | 1"]
        self.engine.core("fresh_streams_", "a b", "\n".join(text), rare=True)

    def _memory(self) -> None:
        text = ["pass"]
        for name, declared in self.engine.program.fields.items():
            if declared.sees == "memory":
                many = max(declared.many, 1)
                for one in self.engine.low.field_names(name):
                    text += [
                        f"for k in range(o.players * {many}):",
                        f"    if (k < seat * {many}) or (k >= (seat + 1) * {many}):",
                        f"        s.{one}[k] = {declared.start}",
                    ]
        self.engine.core("forget_others_", "seat", "\n".join(text), rare=True)

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
        for name, declared in engine.program.fields.items():
            if declared.sees not in ("hidden", "own"):
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
                if declared.sees == "own":
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


__all__ = ["COLUMNS", "Search", "lines"]
