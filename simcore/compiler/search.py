"""Add the search to a game: print what `rollouts` needs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from inspect import isfunction

from simcore.compiler import rollouts
from simcore.compiler.core import BOOL, FLOAT, INT, POINTER, read_core
from simcore.compiler.engine import Engine
from simcore.compiler.layout import MEMORY_WORDS
from simcore.compiler.piles import is_ordered, room_of, words_of
from simcore.compiler.program import Refused
from simcore.compiler.sets import bit_text, nth_text
from simcore.compiler.translate import Lowering
from simcore.language import Field


def room_for(low: Lowering, deals: int) -> int:
    """Return how many numbers a search needs, with the state that it is asked in."""
    return rollouts.STATES * low.state.size + rollouts.MOST_MOVES * (1 + deals)


def add_search(low: Lowering) -> None:
    """Add the search of a game: one function for all its decisions, called by its address.

    The policy that plays rounds out has its address in `o.rollout`, and its parameters from
    `o.rollout_at` on.

    Parameters
    ----------
    low : Lowering
        With nothing in it but its layout.
    """
    low.streams |= {"SEAT", "ASIDE"}
    engine = Engine(low)
    engine.asks = False
    engine.streams()
    _Search(engine)
    known = {"STATE_SIZE": low.state.size, "SPREAD": bool(low.program.game.digest)}
    constants = vars(rollouts) | known
    for function in vars(rollouts).values():
        if isfunction(function) and function.__module__ == rollouts.__name__:
            core = read_core(function, constants)
            if core.name == "choose":
                params = ["seat", "which", "at", *(f"m{place}" for place in range(engine.widest()))]
                core = replace(core, name="entry", params=params)
            if core.name not in low.done:
                assert core.body, core.name
                low.add(core)


class _Search:
    """Prints the functions that `rollouts` declares, for an engine with its streams and steps."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.low, self.program = engine, engine.low, engine.program
        for name in self.program.decisions:
            self.rollout(name)
        self.by_decision(
            "roll_",
            "seat looker",
            lambda name: engine.decision(name, f"rollout_{name.lower()}_", ", looker").splitlines(),
        )
        self.by_decision("usual_", "seat looker", self.usual, returns=True)
        self.by_decision("nth_move_", "seat index", self.nth_move, returns=True)
        self.by_decision(
            "count_moves_", "seat", lambda name: [*engine.find(name), "return size"], returns=True
        )
        self.by_decision("carry_out_", "seat choice", engine.after)
        steps = engine.steps
        self.add("take_back_", "", ["take_back(s, o)" if "take_back" in steps else "pass"])
        self.add("score_round_", "", [f"{steps['score_round'].name}(s, o)"])
        overdue = "is_overdue(s, o) != 0" if "is_overdue" in steps else "False"
        self.add("is_overdue_", "", [f"return {overdue}"], returns=(BOOL,))
        self.team()
        self.open_streams()
        self.forget_others()
        self.recall()
        self.deal_unseen()

    def add(
        self, name: str, params: str, text: list[str], returns: tuple[str, ...] = (), **kinds: str
    ) -> None:
        """Add a function that is not inlined."""
        self.engine.core(name, params, "\n".join(text), returns, rare=True, kinds=kinds)

    def by_decision(
        self, name: str, params: str, make: Callable[[str], list[str]], *, returns: bool = False
    ) -> None:
        """Add a function that does something else for each decision."""
        text: list[str] = []
        for place, (decision, number) in enumerate(self.program.decisions.items()):
            text.append(f"{'el' if place else ''}if s.phase == {number}:")
            text += ["    " + line for part in make(decision) for line in part.splitlines()]
        self.add(name, params, text + ["return -1"] * returns, (INT,) * returns)

    def rollout(self, decision: str) -> None:
        """Add the function that asks the policy that plays rounds out."""
        engine, moves = self.engine, self.engine.moves_of(decision)
        text = [
            "address = o.rollout[looker]",
            "if address != 0:",
            f"    return {engine.asked(decision, 'address', 'o.rollout_at[looker]')}",
            f"return {engine.random(decision, moves)}",
        ]
        params = f"seat {' '.join(moves)} looker"
        engine.core(f"rollout_{decision.lower()}_", params, "\n".join(text), (INT,))

    def usual(self, decision: str) -> list[str]:
        engine, moves = self.engine, self.engine.moves_of(decision)
        return [
            *engine.find(decision),
            f"choice = rollout_{decision.lower()}_(s, o, seat, {', '.join(moves)}, looker)",
            f"if not {engine.is_legal(decision, moves)}:",
            f"    choice = {engine.first(decision, moves)}",
            "return choice",
        ]

    def nth_move(self, decision: str) -> list[str]:
        engine = self.engine
        if engine.counted(decision):
            return [f"return {engine.steps[f'nth_{decision.lower()}'].name}(s, o, seat, index)"]
        nth = nth_text(self.low, engine.moves_of(decision), "index")
        return [*engine.find(decision), f"return {nth}"]

    def team(self) -> None:
        team = self.low.team("seat") if self.program.seating.has_teams else "1 << seat"
        self.add("team_", "seat", [f"return {team}"], (INT,))

    def open_streams(self) -> None:
        text = ["s.aside0 = a", "s.aside1 = b"]
        for family in sorted(self.low.streams - {"ASIDE"}):
            first, second = f"{family.lower()}0", f"{family.lower()}1"
            if family == "SEAT":
                text += [
                    f"for k in range({self.low.state[first][1]}):",
                    f"    s.{first}[k] = next_ASIDE(s, o)",
                    f"    s.{second}[k] = next_ASIDE(s, o) | 1",
                ]
            else:
                text += [f"s.{first} = next_ASIDE(s, o)", f"s.{second} = next_ASIDE(s, o) | 1"]
        self.add("open_streams_", "a b", text)

    def memory(self) -> list[tuple[str, int, int]]:
        """Return fields of the seats' memories: (name, numbers per seat, start value)."""
        rooms = [("memory_", MEMORY_WORDS, 0)]
        for name, declared in self.program.rules_fields.items():
            if declared.sees == "memory":
                for word in self.low.field_names(name):
                    rooms.append((word, max(declared.many, 1), declared.start))
        return rooms

    def forget_others(self) -> None:
        text = []
        for name, many, start in self.memory():
            text += [f"for k in range(o.players * {many}):", _of_others(many)]
            text += [f"        s.{name}[k] = {start}"]
        self.add("forget_others_", "seat", text)

    def recall(self) -> None:
        text = []
        for name, many, _ in self.memory():
            place = f"{name}[seat * {many} + k]"
            text += [f"for k in range({many}):", f"    s.{place} = before.{place}"]
        self.add("recall_", "seat before", text, before=POINTER)

    def deal_unseen(self) -> None:
        steps = self.engine.steps
        if "deal_believed" in steps:
            text = [f"{steps['deal_believed'].name}(s, o, seat, trust)"]
        elif "deal_unseen" in steps:
            text = [f"{steps['deal_unseen'].name}(s, o, seat)"]
        else:
            text = self.deal_anew()
        self.add("deal_unseen_", "seat trust", text, trust=FLOAT)

    def deal_anew(self) -> list[str]:
        """Return the text that deals what a seat does not see anew, each deal equally likely."""
        places = []
        for name, declared in self.program.rules_fields.items():
            if declared.sees in ("hidden", "own", "some"):
                if not self.program.is_place(declared.kind):
                    raise Refused(
                        f"search in {self.program.game.name} needs a step `deal_unseen(s, seat)`: "
                        f"s.{name} is not seen, and the engine does not know how to deal it anew"
                    )
                places.append((name, declared))
        pool = [f"pool{word}" for word in range(self.low.words)]
        text = [f"{pool_word} = 0" for pool_word in pool]
        for name, declared in places:
            words = [f"s.{word}{_index(declared)}" for word in self.low.field_names(name)]
            collect = [
                f"{pool_word} = {pool_word} | {word}"
                for pool_word, word in zip(pool, words, strict=True)
            ]
            if is_ordered(declared.kind):
                collect = self.each_card(name, words, [*self.take_card(pool, "|")])
            text += self.each_unseen(name, collect)
        for name, declared in places:
            words = [f"s.{word}{_index(declared)}" for word in self.low.field_names(name)]
            is_pile = is_ordered(declared.kind)
            deal = self.refill_pile(words, pool, name) if is_pile else self.refill(words, pool)
            text += self.each_unseen(name, deal)
        return text

    def each_card(self, name: str, words: list[str], text: list[str]) -> list[str]:
        """Return a text that is run for each card of an ordered place that the seat has not seen.

        `place` is its place, `left` how many there are, found once.
        """
        order, seen = words_of(name)
        room = room_of(self.program)
        at = f"k * {room} + place" if _index(self.program.rules_fields[name]) else "place"
        size = " + ".join(f"popcount({word})" for word in words)
        return [
            f"left = {size}",
            "for place in range(left):",
            f"    if ((s.{seen}[{at}] >> seat) & 1) == 0:",
            *(f"        {line.replace('CARD', f's.{order}[{at}]')}" for line in text),
        ]

    @staticmethod
    def take_card(words: list[str], sign: str) -> Iterator[str]:
        """Yield lines that add the card at a place to a set, or take it away."""
        for place, word in enumerate(words):
            yield f"{word} = {word} {sign} {bit_text('CARD', place, len(words))}"

    def refill_pile(self, words: list[str], pool: list[str], name: str) -> list[str]:
        """Return the text that deals an ordered place other cards where the seat has seen none."""
        rest = " + ".join(f"popcount({pool_word})" for pool_word in pool)
        deal = [f"card = {nth_text(self.low, pool, f'below_ASIDE(s, o, {rest})')}", "CARD = card"]
        for place, (word, pool_word) in enumerate(zip(words, pool, strict=True)):
            deal += [f"bit = {bit_text('card', place, len(words))}"]
            deal += [f"{word} = {word} | bit", f"{pool_word} = {pool_word} & ~bit"]
        clear = self.each_card(name, words, [*self.take_card(words, "& ~")])
        return [*clear, *self.each_card(name, words, deal)[1:]]

    def refill(self, words: list[str], pool: list[str]) -> list[str]:
        """Return the text that deals a set as many cards from a pool as it had."""
        size = " + ".join(f"popcount({word})" for word in words)
        rest = " + ".join(f"popcount({pool_word})" for pool_word in pool)
        text = [f"left = {size}", *(f"{word} = 0" for word in words), "while left > 0:"]
        text.append(f"    card = {nth_text(self.low, pool, f'below_ASIDE(s, o, {rest})')}")
        for place, (word, pool_word) in enumerate(zip(words, pool, strict=True)):
            bit = "bit_of(card)"
            if len(pool) > 1:
                bit = f"({bit} if (card >> 6) == {place} else 0)"
            text += [
                f"    bit = {bit}",
                f"    {word} = {word} | bit",
                f"    {pool_word} = {pool_word} & ~bit",
            ]
        return [*text, "    left = left - 1"]

    def each_unseen(self, name: str, text: list[str]) -> list[str]:
        """Wrap `text` in a loop over the sets of a field that the seat does not see."""
        declared = self.program.rules_fields[name]
        many = max(declared.many, 1)
        if declared.to:
            seen = self.low.viewers(name, f"divided_by(k, {many})")
            text = [f"    if (({seen} >> seat) & 1) == 0:", *("        " + line for line in text)]
        elif declared.sees == "own":
            text = [_of_others(many), *("        " + line for line in text)]
        elif _index(declared):
            text = ["    " + line for line in text]
        else:
            return text
        size = f"o.players * {many}" if declared.per_seat else str(many)
        return [f"for k in range({size}):", *text]


def _of_others(many: int) -> str:
    """Return the test whether the k-th number of a field is another seat's."""
    return f"    if (k < seat * {many}) or (k >= (seat + 1) * {many}):"


def _index(declared: Field) -> str:
    return "[k]" if declared.per_seat or declared.many else ""
