"""Calls in rules: words of the language, functions of Python, and other rules."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    ZEROS,
    Core,
    Value,
    indented,
    is_number,
    lines,
)
from simcore.compiler.layout import PER_SEAT_STREAMS, signed
from simcore.compiler.pile_words import PileWords
from simcore.compiler.program import (
    NO_TEAMS,
    Routine,
    near,
)
from simcore.compiler.sets import (
    FINDS,
    cards_of_rank,
    cards_of_suit,
    lower_text,
    lowest_text,
    nth_text,
    without_lowest,
)
from simcore.language import NO_CARD, WORDS, Stream

NO_FUNCTIONS = {
    "print": "`cardlab play` tells a match move by move",
    "sorted": "a loop over a set begins with the lowest card; max(cards, key=…) finds the best",
    "enumerate": "loop over range(…), with an index",
    "zip": "loop over range(…), with an index",
    "round": "write int(x + 0.5)",
    **dict.fromkeys(
        ("random", "randint", "randrange", "choice", "shuffle"),
        "below(s, CHANCE, n) draws a number, draw(place, place) a card; policies draw with "
        "below(s, SEAT(seat), n)",
    ),
    **dict.fromkeys(
        ("add", "remove", "discard", "append", "pop", "clear", "update"),
        "cards change their place by move(what, from, to) or draw(from, to); sets are made with "
        "| & - ^",
    ),
}
"""Python functions that rules do not have, and what to write instead."""


BIT_WORDS = {
    **dict.fromkeys(("popcount", "lowest_bit", "highest_bit"), 1),
    **dict.fromkeys(("nth_bit", "deposit", "extract", "shr", "rotl"), 2),
}
"""Words that `numba_code` has by the same names, and how many numbers they take."""


BUILT = ("len", "set", "int", "float", "bool", "abs", "max", "min", "sum", "any", "all", "range")


_FEW = ("popcount", "lowest_bit", "highest_bit", "nth_bit")


class Calls(PileWords):
    """Translates calls that have a value."""

    def several(self, call: str, core: Core, kinds: list[str]) -> list[Value]:
        """Call a function that returns several numbers; return its values."""
        names = [self.fresh(kind) for kind in core.returns]
        self.before.append(f"{', '.join(names)} = {call}")
        values, at = [], 0
        for kind in kinds:
            width = self.low.words if kind == SET else 1
            values.append(Value(kind, names[at : at + width]))
            at += width
        return values

    def need_state(self, call: ast.Call) -> None:
        """Refuse a word that is given something else in place of the state."""
        if call.args and ast.unparse(call.args[0]) != "s":
            self.stop(call.args[0], "the state is handed on as `s`")

    def key_of(self, node: ast.Call) -> tuple[str, ast.expr]:
        if len(node.args) != 1 or len(node.keywords) != 1 or node.keywords[0].arg != "key":
            self.stop(node, "it is called as max(cards, key=worth)")
        key = node.keywords[0].value
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            return key.args.args[0].arg, key.body
        if isinstance(key, (ast.Name, ast.Attribute)):
            call = ast.Call(key, [ast.Name("card_", ast.Load())], [])
            return "card_", ast.fix_missing_locations(ast.copy_location(call, node))
        self.stop(node, "key= names a function, or is a lambda of one card")

    def best_by_key(self, node: ast.Call, sign: str) -> Value:
        name, worth = self.key_of(node)
        those = self.as_set(self.x(node.args[0]), node)
        rest = [self.fresh() for _ in those.texts]
        self.before += [f"{a} = {b}" for a, b in zip(rest, those.texts, strict=True)]
        best, first = self.fresh(), self.fresh(BOOL)
        with self.bound(node, name) as variable:
            value, made = self.apart(lambda: self.x(worth))
        kind = FLOAT if value.kind == FLOAT else INT
        text, here, most = self.cast(value, kind, node), self.fresh(kind), self.fresh(kind)
        self.before += [f"{best} = 0", f"{most} = {ZEROS[kind]}", f"{first} = True"]
        step = [f"{variable} = {lowest_text(rest)}", without_lowest(rest), *made]
        step += [f"{here} = {text}", f"if {first} or {here} {sign} {most}:"]
        step += [f"    {best} = {variable}\n    {most} = {here}", f"{first} = False"]
        loop = indented("\n".join(step))
        self.before.append(f"while ({' | '.join(rest)}) != 0:\n{loop}")
        self.refuse_none(first)
        return Value(INT, [best], bits=8)

    def refuse_none(self, first: str) -> None:
        """Note a fault if the best of nothing was asked for."""
        if self.low.checked:
            self.under(f"rarely({first})", ["s.fault = 1"])

    def aggregate(self, name: str, node: ast.GeneratorExp) -> Value:
        """Translate sum, any, all, max or min of a generator to a loop."""
        start, result, first, worth = len(self.before), self.fresh(), self.fresh(), self.fresh()
        kinds = {BOOL if name in ("any", "all") else INT}

        def inside(one: ast.expr) -> None:
            if name in ("any", "all"):
                test = self.test(one)
                test = test if name == "any" else f"not {test}"
                self.under(test, [f"{result} = {name == 'any'}", "break"])
                return
            element = self.x(one)
            kinds.add(FLOAT if element.kind == FLOAT else INT)
            text = self.cast(element, FLOAT if FLOAT in kinds else INT, node)
            if name == "sum":
                total = f"{result} + {text}"
                if self.low.checked and element.kind != FLOAT and element.bits > 40:
                    total = self.low.check("add_", result, text)
                self.before.append(f"{result} = {total}")
                return
            sign = ">" if name == "max" else "<"
            self.before.append(f"{worth} = {text}")
            self.under(f"{first} or {worth} {sign} {result}", [f"{result} = {worth}"])
            self.before.append(f"{first} = False")

        self.each(node, inside)
        kind = FLOAT if FLOAT in kinds else kinds.pop()
        begin = [f"{result} = {str(name == 'all') if kind == BOOL else ZEROS[kind]}"]
        if name in ("max", "min"):
            begin.append(f"{first} = True")
        self.before[start:start] = begin
        if name in ("max", "min"):
            self.refuse_none(first)
        self.types |= {result: kind, first: BOOL, worth: kind}
        return Value(kind, [result])

    def x_Call(self, node: ast.Call) -> Value:
        callee = self.callee(node)
        if callee is not None:
            return self.x_call_of(node, callee)
        word = self.word_of(node)
        if word in BIT_WORDS:
            return self.bit_word(word, self.numbers(node, BIT_WORDS[word]))
        if word == "draw":
            return self.drawn(node)
        if word is not None:
            method = getattr(self, f"call_{word}", None)
            if method is None:
                self.stop(node, f"{word}(…) has no value; it stands on a line of its own")
            return method(node)  # type: ignore[no-any-return]
        name = getattr(node.func, "id", "")
        if name in self.kinds:
            self.stop(node, f"`{name}` is a number here, no function")
        if name in ("max", "min") and node.keywords:
            return self.best_by_key(node, ">" if name == "max" else "<")
        if name in ("sum", "any", "all", "max", "min") and len(node.args) == 1:
            if isinstance(node.args[0], ast.GeneratorExp):
                return self.aggregate(name, node.args[0])
            if self.callee(node.args[0]) is None and self.is_call(node.args[0], "range"):
                self.stop(node, f"{name}(…) of a range: write {name}(k for k in range(…))")
            self.stop(node, f"{name}(…) of a set: write {name}(… for card in cards)")
        method = getattr(self, f"built_{name}", None)
        if method is None:
            known = [*self.routine.calls, *(n for n in WORDS.values()), *BUILT]
            instead = NO_FUNCTIONS.get(name or getattr(node.func, "attr", ""))
            hint = f"; {instead}" if instead else near(name, known)
            self.stop(node, f"unknown function `{ast.unparse(node.func)}`{hint}")
        return method(node)  # type: ignore[no-any-return]

    def drawn(self, call: ast.Call, *, wanted: bool = True) -> Value:
        """Translate a draw; return the last card."""
        self.need(call, 2, 3)
        counts, (source, target) = self.zones(call, self.zone, self.zone, self.x)
        card = self.fresh()
        size = " + ".join(f"popcount({word})" for word in source.words)
        several = bool(counts)
        checked = self.low.checked
        there = self.fresh() if several or checked else size
        if source.is_ordered:
            text = [f"{card} = {self.of_pile('top', source, '0')}"]
        else:
            self.low.streams.add("DEAL")
            text = [f"{card} = {nth_text(self.low, source.words, f'below_DEAL(s, o, {there})')}"]
        text += self.carried(card, source, target)
        if not several:
            if checked:
                self.before += [f"{card} = 0", f"{there} = {size}"]
                self.under(f"rarely({there} == 0)", ["s.fault = 1"], text)
            else:
                self.before += text
            return Value(INT, [card], bits=8)
        count = self.as_int(counts[0], call)
        if wanted:
            self.before.append(f"{card} = {NO_CARD}")
        self.before.append(f"{there} = {size}")  # once, as each card waits for the one before
        text.append(f"{there} = {there} - 1")
        if checked:
            text.insert(0, f"if rarely({there} == 0):\n    s.fault = 1\n    break")
        inner = indented("\n".join(text))
        self.before.append(f"for {self.fresh()} in range({count}):\n{inner}")
        return Value(INT, [card])

    def bit_word(self, word: str, given: list[str]) -> Value:
        bits = 8 if word in _FEW else 64
        if self.low.checked and word == "shr":
            return Value(INT, [self.low.check("shr_", *given)])
        if self.low.checked and word in ("lowest_bit", "highest_bit", "nth_bit"):
            name = f"{word.removesuffix('_bit')}_"
            return Value(INT, [self.of_words(name, given[:1], given[1:])], bits=bits)
        return Value(INT, [f"{word}({', '.join(given)})"], bits=bits)

    def of_words(self, name: str, words: list[str], more: Sequence[str] = ()) -> str:
        """Return a card of a set, found by `lowest_`, `highest_` or `nth_`."""
        find = FINDS[name]
        if not self.low.checked:
            return find(self.low, words, *more)
        names = [f"w{place}" for place in range(len(words))]
        index = ["index"] if more else []
        size = " + ".join(f"popcount({word})" for word in names)
        wrong = f"index < 0 or index >= {size}" if more else f"({' | '.join(names)}) == 0"
        value = find(self.low, names, *index)
        text = f"if rarely({wrong}):\n    s.fault = 1\n    return 0\nreturn {value}"
        params = " ".join([*names, *index])
        return self.low.check(f"{name}{len(words)}_", *words, *more, params=params, text=text)

    def called(self, node: Any, callee: Routine) -> tuple[Core, str, list[str]]:
        """Return a callee over numbers, the call, and the kinds of what it returns."""
        second = callee.function.__dict__.get("fast")
        one = self.program.routine(second) if second is not None else callee
        wanted = one.tree.args.args
        if len(node.args) != len(wanted) or node.keywords:
            names = ", ".join(argument.arg for argument in wanted)
            self.stop(node, f"{callee.tree.name}({names}) is called with {_values(len(node.args))}")
        named = []
        for given, argument in zip(node.args, wanted, strict=True):
            if argument.arg != "s":
                named.append((argument.arg, given))
            elif ast.unparse(given) != "s":
                self.stop(given, "the state is handed on as `s`")
        values = self.operands([given for _, given in named])
        pairs = [(*pair, value) for pair, value in zip(named, values, strict=True)]
        core = self.low.want(one, {name: value.kind for name, _, value in pairs})
        kinds = one.__dict__["param_kinds"]
        args = ["s", "o"] if core.uses_state else ["o"]
        for name, given, value in pairs:
            if kinds[name] == SET:
                args += self.as_set(value, given).texts
            else:
                if kinds[name] == INT and value.kind == FLOAT:
                    self.stop(given, f"write `{name}: float` in the def of {callee.tree.name}")
                args.append(self.cast(value, kinds[name], given))
        return core, f"{core.name}({', '.join(args)})", list(one.__dict__.get("kinds", []))

    def x_call_of(self, node: Any, callee: Routine) -> Value:
        core, call, kinds = self.called(node, callee)
        if not kinds:
            self.stop(node, f"{callee.tree.name} returns nothing; it stands on a line of its own")
        if len(kinds) > 1:
            self.stop(node, f"{callee.tree.name} returns {len(kinds)} values: assign them")
        if kinds[0] == SET and self.low.words > 1:
            (found,) = self.several(call, core, kinds)
            return found
        return self.once(Value(kinds[0], [call]), node)

    def once(self, value: Value, node: ast.AST) -> Value:
        """Evaluate a value on a line of its own if that changes the state or draws."""
        return self.saved(value) if self.changes(node) else value

    def numbers(self, node: ast.Call, count: int) -> list[str]:
        self.need(node, count)
        return [
            self.as_int(*pair) for pair in zip(self.operands(node.args), node.args, strict=True)
        ]

    def built_len(self, node: ast.Call) -> Value:
        self.need(node, 1)
        (what,) = node.args
        if isinstance(what, ast.Name) and what.id not in self.kinds:
            table = self.routine.space.get(what.id)
            if isinstance(table, (list, tuple, np.ndarray)):
                return self.number(len(table))
        value = self.as_set(self.x(node.args[0]), node)
        text = "(" + " + ".join(f"popcount({w})" for w in value.texts) + ")"
        return Value(INT, [text], bits=9)

    def built_set(self, node: ast.Call) -> Value:
        if node.args:
            self.stop(node, "set() is empty; write {a, b}")
        return Value(SET, ["0"] * self.low.words)

    def built_int(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        if value.kind == FLOAT:
            cut = self.low.check("whole_", value.text) if self.low.checked else f"cut({value.text})"
            return Value(INT, [cut])
        return Value(INT, [self.as_int(value, node)])

    def built_float(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(FLOAT, [self.cast(self.x(node.args[0]), FLOAT, node)])

    def built_bool(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(BOOL, [self.test(node.args[0])])

    def built_abs(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        kind = FLOAT if value.kind == FLOAT else INT
        text = self.cast(value, kind, node)
        if self.low.checked and kind == INT and value.bits > 62:
            text = self.saved(Value(INT, [text])).text
            return Value(kind, [f"max({text}, {self.low.check('subtract_', '0', text)})"])
        return Value(kind, [f"max({text}, {ZEROS[kind]} - {text})"], bits=value.bits)

    def extreme(self, node: ast.Call, name: str) -> Value:
        values = self.operands(node.args)
        if len(values) < 2:
            self.stop(node, f"{name} of one value")
        kind = FLOAT if any(value.kind == FLOAT for value in values) else INT
        text = self.cast(values[0], kind, node)
        for value in values[1:]:
            text = f"{name}({text}, {self.cast(value, kind, node)})"
        return Value(kind, [text])

    def built_max(self, node: ast.Call) -> Value:
        return self.extreme(node, "max")

    def built_min(self, node: ast.Call) -> Value:
        return self.extreme(node, "min")

    def call_rarely(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(BOOL, [f"rarely({self.test(node.args[0])})"])

    def call_seats(self, node: ast.Call) -> Value:
        self.stop(node, "seats() is what a loop goes over")

    def call_all_seats(self, node: ast.Call) -> Value:
        self.need(node, 0)
        return Value(INT, ["((1 << o.players) - 1)"])

    def call_after(self, node: ast.Call) -> Value:
        seat, steps = self.numbers(node, 2)
        if self.low.checked:
            return Value(INT, [self.low.check("after_", seat, steps)], bits=8)
        if "after_" not in self.low.done:
            text = (
                "if seat >= o.players:\n    seat = seat - o.players\n"
                "if seat < 0:\n    seat = seat + o.players\nreturn seat"
            )
            self.low.add(Core("after_", ["seat"], lines(text), {"seat": INT}, (INT,), False))
        return Value(INT, [f"after_(o, {seat} + {steps})"], bits=8)

    def team_of(self, node: ast.Call, but: str = "") -> tuple[str, str]:
        """Return the seats of a seat's team as bits, and the seat."""
        (seat,) = self.numbers(node, 1)
        if not self.program.seating.has_teams:
            self.stop(node, NO_TEAMS)
        if not seat.isidentifier():
            (seat,) = self.saved(Value(INT, [self.index(seat, "o.players")])).texts
        elif self.low.checked:
            seat = self.index(seat, "o.players")
        return f"({self.low.team(seat)}{but.replace('SEAT', seat)})", seat

    def of_seats(self, text: str) -> Value:
        return Value(SET, [text, *["0"] * (self.low.words - 1)])

    def call_team(self, node: ast.Call) -> Value:
        return self.of_seats(self.team_of(node)[0])

    def call_partners(self, node: ast.Call) -> Value:
        return self.of_seats(self.team_of(node, " & ~(1 << SEAT)")[0])

    def call_partner(self, node: ast.Call) -> Value:
        if self.program.seating.has_teams and not self.program.seating.are_pairs:
            self.stop(node, "teams do not have two seats each: partners(seat) are all of them")
        return Value(INT, [f"lowest_bit({self.team_of(node, ' & ~(1 << SEAT)')[0]})"], bits=8)

    def call_others(self, node: ast.Call) -> Value:
        (seat,) = self.numbers(node, 1)
        seat = self.index(seat, "o.players")
        return self.of_seats(f"(((1 << o.players) - 1) & ~(1 << {seat}))")

    def best_score(self) -> None:
        text = (
            "best = s.scores[0]\n"
            f"{self.same_totals()}"
            "for seat in range(1, o.players):\n"
            "    best = (min(best, s.scores[seat]) if lowest else max(best, s.scores[seat]))\n"
            "return best"
        )
        kinds = {"lowest": BOOL, "best": INT, "seat": INT}
        self.low.add(Core("best_score_", ["lowest"], lines(text), kinds, (INT,), True))

    def same_totals(self) -> str:
        """Return the text that notes that seats of a team have different totals."""
        if not (self.low.checked and self.program.seating.has_teams):
            return ""
        return (
            "for seat in range(o.players):\n"
            f"    if s.scores[seat] != s.scores[lowest_bit({self.low.team('seat')})]:\n"
            "        s.fault = 1\n"
        )

    def call_best_seats(self, node: ast.Call) -> Value:
        self.need(node, 2)
        lowest = self.test(node.args[1])
        if "best_seats_" not in self.low.done:
            self.best_score()
            text = (
                "best = best_score_(s, o, lowest)\nfound = 0\nfor seat in range(o.players):\n"
                "    found = found | ((1 << seat) if s.scores[seat] == best else 0)\nreturn found"
            )
            kinds = {"lowest": BOOL, "best": INT, "found": INT, "seat": INT}
            self.low.add(Core("best_seats_", ["lowest"], lines(text), kinds, (INT,), True))
        return Value(INT, [f"best_seats_(s, o, {lowest})"])

    def stream(self, node: ast.expr) -> tuple[str, list[ast.expr]]:
        """Return a stream's family, and the further argument that names the seat."""
        if isinstance(node, ast.Name) and node.id not in self.kinds:
            value = self.routine.space.get(node.id)
            if isinstance(value, Stream):
                self.low.streams.add(value.name)
                return value.name, []
        name = self.word_of(node)
        if name in PER_SEAT_STREAMS:
            assert isinstance(node, ast.Call)
            self.need(node, 1)
            self.low.streams.add(name)
            return name, node.args
        self.stop(node, "a stream is DEAL, CHANCE, MATCH, ASIDE or SEAT(seat)")

    def from_stream(self, word: str, node: ast.Call, count: int) -> str:
        """Return the call that draws from a stream, with so many arguments."""
        self.need(node, 2 + count)
        self.need_state(node)
        name, seat = self.stream(node.args[1])
        nodes = [*seat, *node.args[2:]]
        given = [self.as_int(*pair) for pair in zip(self.operands(nodes), nodes, strict=True)]
        if seat:
            given[0] = self.index(given[0], "o.players")
        if word == "below_from":
            given[-2] = self.index(given[-2], str(1 << 32))
        if count and not (is_number(given[-1]) and 0 < int(given[-1].strip("()")) <= 1 << 32):
            given[-1] = self.checked("bound_", given[-1])
        return f"{word}_{name}({', '.join(['s', 'o', *given])})"

    def call_below(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("below", node, 1)], bits=32))

    def call_below_from(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("below_from", node, 2)]))

    def call_word(self, node: ast.Call) -> Value:
        return self.saved(Value(INT, [self.from_stream("next", node, 0)]))

    def call_uniform(self, node: ast.Call) -> Value:
        word = self.saved(Value(INT, [self.from_stream("next", node, 0)])).text
        return Value(FLOAT, [f"(real(shr({word}, 11)) * {2.0**-53!r})"])

    def of_set(self, node: ast.Call) -> Value:
        return self.as_set(self.x(node.args[0]), node)

    def call_lowest(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_words("lowest_", self.of_set(node).texts)], bits=8)

    def call_highest(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_words("highest_", self.of_set(node).texts)], bits=8)

    def of_set_and(self, node: ast.Call) -> tuple[list[str], str]:
        """Return the texts of a set of cards and of a number."""
        self.need(node, 2)
        cards, number = self.operands(node.args)
        return self.as_set(cards, node).texts, self.as_int(number, node)

    def call_lower(self, node: ast.Call) -> Value:
        words, card = self.of_set_and(node)
        return Value(SET, [lower_text(word, card, at) for at, word in enumerate(words)])

    def call_higher(self, node: ast.Call) -> Value:
        words, card = self.of_set_and(node)
        below = [lower_text(word, f"({card} + 1)", at) for at, word in enumerate(words)]
        return Value(SET, [f"({a} ^ {b})" for a, b in zip(words, below, strict=True)])

    def call_nth(self, node: ast.Call) -> Value:
        words, index = self.of_set_and(node)
        return Value(INT, [self.of_words("nth_", words, [index])], bits=8)

    def call_of_suit(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return self.pattern(node, text, lambda deck, number: cards_of_suit(deck, number), "suit")

    def call_of_rank(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return self.pattern(node, text, lambda deck, number: cards_of_rank(deck, number), "rank")

    def pattern(
        self, node: ast.AST, text: str, part: Callable[[Any, int], Iterable[int]], name: str
    ) -> Value:
        """Return the set of the cards of a suit or rank."""
        deck = self.deck(node)
        if is_number(text):
            return self.set_of(sum(1 << c for c in part(deck, int(text.strip("()")))))
        if self.low.checked:
            many = len(deck.suits) if name == "suit" else max(deck.ranks) + 1
            text = self.saved(Value(INT, [text])).text
            some = self.pattern_of(deck, text, part, name)
            texts = [f"({one} if {text} >= 0 and {text} < {many} else 0)" for one in some.texts]
            return Value(SET, texts)
        return self.pattern_of(deck, text, part, name)

    def pattern_of(
        self, deck: Any, text: str, part: Callable[[Any, int], Iterable[int]], name: str
    ) -> Value:
        count = self.low.words
        if deck.packs == 1 and deck.places > 64:
            most = max(len(deck.suits), max(deck.ranks) + 1)
            texts = []
            for place in range(count):
                each = [
                    signed(sum(1 << c for c in part(deck, n)) >> 64 * place) for n in range(most)
                ]
                table = self.low.table(f"of_{name}_{place}", each)
                texts.append(f"{table.name}[{text}]")
            return Value(SET, texts)
        all_cards = signed(deck.all_cards & ((1 << 64) - 1))
        if name == "suit":
            base = (1 << (1 << deck.shift)) - 1 if deck.shift < 6 else (1 << 64) - 1
            one = f"(({signed(base)} << ({text} << {deck.shift})) & {all_cards})"
        else:
            base = sum(1 << (suit << deck.shift) for suit in range(len(deck.suits)))
            one = f"((({signed(base)} << ({text} & 63)) & {all_cards}) if {text} >= 0 else 0)"
        return Value(SET, [one] * count)

    def call_rank(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        shift = self.deck(node).shift
        return Value(INT, [f"({text} & {(1 << shift) - 1})"], bits=shift)

    def call_suit(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        deck = self.deck(node)
        inner = f"({text} & 63)" if deck.packs > 1 else text
        return Value(INT, [f"({inner} >> {deck.shift})"])

    def call_kinds(self, node: ast.Call) -> Value:
        self.need(node, 1)
        texts = self.of_set(node).texts
        return Value(SET, ["(" + " | ".join(texts) + ")", *["0"] * (self.low.words - 1)])

    def call_bits(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(INT, [self.of_set(node).texts[0]])

    def call_cards_in(self, node: ast.Call) -> Value:
        (text,) = self.numbers(node, 1)
        return Value(SET, [text, *["0"] * (self.low.words - 1)])


def _values(count: int) -> str:
    return "1 value" if count == 1 else f"{count} values"
