"""What calls in rules become: the words of the language, functions of Python, other rules.

The tables at the end say what each word takes and gives: `len` of a set becomes a popcount of its
words (`Calls.length`), `nth` the function of `sets` that finds a card.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from simcore.compiler import refusals
from simcore.compiler.core import (
    BOOL,
    FLOAT,
    INT,
    SET,
    ZEROS,
    Core,
    Value,
    assignments,
    constant,
    indented,
    lines,
)
from simcore.compiler.expressions import Expressions
from simcore.compiler.layout import PER_SEAT_STREAMS, Place, signed
from simcore.compiler.piles import Zone, is_ordered, room_of
from simcore.compiler.program import FIRST_DECISION, Routine, near
from simcore.compiler.sets import (
    FINDS,
    bit_text,
    cards_of_rank,
    cards_of_suit,
    higher_texts,
    lower_texts,
    lowest_text,
    nth_text,
    without_lowest,
)
from simcore.language import NO_CARD, WORDS, Stream

ALL_SEATS = "((1 << o.players) - 1)"


@dataclass(frozen=True)
class Word:
    """How a word is translated.

    Attributes
    ----------
    takes : str
        Kinds of its arguments: number, cards, item (a card or cards), place, pile (a place
        with an order), seat, card, member (of a team), test, node (left as it is), s; "call" alone
        stands for the call itself.
    translate : callable
        Of the translator and the arguments; returns the value, or statements if it `acts`.
    least : int or None
        Number of arguments that it must have, if some may be left out.
    """

    takes: str
    translate: Callable[..., Any]
    acts: bool = False
    least: int | None = None


def whole(text: str, bits: int = 64) -> Value:
    """Return a whole number."""
    return Value(INT, [text], bits=bits)


class Calls(Expressions):
    """Translates calls."""

    def x_Call(self, node: ast.Call) -> Value:
        callee = self.callee(node)
        if callee is not None:
            return self.x_call_of(node, callee)
        name = self.word_of(node)
        if name is not None:
            if name not in TABLE or TABLE[name].acts:
                self.stop(node, f"{name}(…) has no value; it stands on a line of its own")
            at, value = len(self.before), self.translated(TABLE[name], node)
            if name == "draw" and len(node.args) == 3:  # of no cards
                self.before.insert(at, f"{value.text} = {NO_CARD}")
            return value  # type: ignore[no-any-return]
        name = getattr(node.func, "id", "")
        if name in self.kinds:
            self.stop(node, f"`{name}` is a number here, no function")
        if name in ("max", "min") and node.keywords:
            return self.best_by_key(node, ">" if name == "max" else "<")
        if name in ("sum", "any", "all", "max", "min") and len(node.args) == 1:
            (over,) = node.args
            if isinstance(over, ast.GeneratorExp):
                return self.aggregate(name, over)
            if self.callee(over) is None and self.is_call(over, "range"):
                self.stop(node, f"{name}(…) of a range: write {name}(k for k in range(…))")
            self.stop(node, f"{name}(…) of a set: write {name}(… for card in cards)")
        if name not in BUILT_IN:
            known = [*self.routine.calls, *WORDS.values(), *BUILT_IN, "sum", "any", "all", "range"]
            advice = refusals.FUNCTIONS.get(name or getattr(node.func, "attr", ""))
            hint = f"; {advice}" if advice else near(name, known)
            self.stop(node, f"unknown function `{ast.unparse(node.func)}`{hint}")
        return self.translated(BUILT_IN[name], node)  # type: ignore[no-any-return]

    def translated(self, word: Word, call: ast.Call) -> Any:
        """Translate a word: its arguments, then itself."""
        if word.takes == "call":
            return word.translate(self, call)
        kinds = word.takes.split()
        self.need(call, *range(len(kinds) if word.least is None else word.least, len(kinds) + 1))
        readers = {"place": self.zone, "pile": self.zone, "test": _node, "node": _node, "s": _node}
        kinds = kinds[: len(call.args)]
        pairs = zip(call.args, kinds, strict=True)
        given = self.in_order([(node, readers.get(kind, self.x)) for node, kind in pairs])
        # A place is found once, before cards move.
        places = self.kept([value for value in given if isinstance(value, Place)], len(self.before))
        zones = map(self.zone_at, places)
        given = [next(zones) if isinstance(value, Place) else value for value in given]
        args = zip(call.args, given, kinds, strict=True)
        return word.translate(self, *(self.argument(*arg) for arg in args if arg[2] != "s"))

    def argument(self, node: ast.expr, value: Any, kind: str) -> Any:
        """Return an argument as a word takes it."""
        if kind == "cards":
            return self.as_set(value, node).texts
        if kind == "item":
            return self.as_set(value, node, one=True)
        if kind == "test":
            return self.test(node)
        if kind == "pile" and not value.is_ordered:
            how = f"declare it as ordered, as in {value.field} = shown(ordered)"
            self.stop(node, f"s.{value.field} has no order; {how}")
        if kind in ("place", "pile", "node"):
            return value
        number = self.as_int(value, node)
        if kind == "card":
            self.deck(node)
        elif kind == "seat":
            number = self.index(number, "o.players")
        elif kind == "member":
            if not self.program.seating.has_teams:
                self.stop(node, refusals.NO_TEAMS)
            is_name, number = number.isidentifier(), self.index(number, "o.players")
            number = number if is_name else self.held(number)
        return number

    # -------------------------------------------------------------------------------- other rules

    def called(self, node: Any, callee: Routine) -> tuple[Core, str, list[str]]:
        """Return a callee over numbers, the call, and the kinds of what it returns."""
        routine = self.low.second_form(callee)
        params = routine.tree.args.args
        name = callee.tree.name
        if len(node.args) != len(params) or node.keywords:
            wanted, count = ", ".join(param.arg for param in params), len(node.args)
            many = "1 value" if count == 1 else f"{count} values"
            self.stop(node, f"{name}({wanted}) is called with {many}")
        given = []
        for argument, param in zip(node.args, params, strict=True):
            if param.arg != "s":
                given.append((param.arg, argument))
            elif ast.unparse(argument) != "s":
                self.stop(argument, refusals.NO_STATE)
        values = self.operands([argument for _, argument in given])
        named = [(*pair, value) for pair, value in zip(given, values, strict=True)]
        core = self.low.want(routine, {title: value.kind for title, _, value in named})
        args = ["s", "o"] if core.uses_state else ["o"]
        for title, argument, value in named:
            kind = routine.__dict__["param_kinds"][title]
            if kind == SET:
                args += self.as_set(value, argument).texts
                continue
            if kind == INT and value.kind == FLOAT:
                self.stop(argument, f"write `{title}: float` in the def of {name}")
            args.append(self.cast(value, kind, argument))
        kinds = list(routine.__dict__.get("kinds", []))
        return core, f"{core.name}({', '.join(args)})", kinds

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

    def x_call_of(self, node: Any, callee: Routine) -> Value:
        core, call, kinds = self.called(node, callee)
        if not kinds:
            advice = "it stands on a line of its own"
            self.stop(node, f"{callee.tree.name} returns nothing; {advice}")
        if len(kinds) > 1:
            self.stop(node, f"{callee.tree.name} returns {len(kinds)} values: assign them")
        if kinds[0] == SET and self.low.words > 1:
            return self.several(call, core, kinds)[0]
        value = Value(kinds[0], [call])
        return self.saved(value) if self.changes(node) else value

    # ------------------------------------------------------------------------ functions of Python

    def length(self, node: ast.Call) -> Value:
        self.need(node, 1)
        over = node.args[0]
        if isinstance(over, ast.Name) and over.id not in self.kinds:
            table = self.routine.space.get(over.id)
            if isinstance(table, (list, tuple, np.ndarray)):
                return self.number(len(table))
        words = self.as_set(self.x(over), node).texts
        return whole(_size(words), 9)

    def empty_set(self, node: ast.Call) -> Value:
        if node.args:
            self.stop(node, "set() is empty; write {a, b}")
        return Value(SET, ["0"] * self.low.words)

    def floating(self, node: ast.Call) -> Value:
        self.need(node, 1)
        return Value(FLOAT, [self.cast(self.x(node.args[0]), FLOAT, node)])

    def integer(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        if value.kind != FLOAT:
            return whole(self.as_int(value, node))
        is_checked = self.low.checked
        return whole(self.low.check("whole_", value.text) if is_checked else f"cut({value.text})")

    def absolute(self, node: ast.Call) -> Value:
        self.need(node, 1)
        value = self.x(node.args[0])
        kind = FLOAT if value.kind == FLOAT else INT
        text = self.cast(value, kind, node)
        if self.low.checked and kind == INT and value.bits > 62:
            text = self.held(text)
            return whole(f"max({text}, {self.low.check('subtract_', '0', text)})")
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

    def best_by_key(self, node: ast.Call, sign: str) -> Value:
        """Translate max or min of a set by a key to a loop."""
        if len(node.args) != 1 or len(node.keywords) != 1 or node.keywords[0].arg != "key":
            self.stop(node, "it is called as max(cards, key=worth)")
        key, name = node.keywords[0].value, "card_"
        if isinstance(key, ast.Lambda) and len(key.args.args) == 1:
            name, worth = key.args.args[0].arg, key.body
        elif isinstance(key, (ast.Name, ast.Attribute)):
            worth = ast.copy_location(ast.Call(key, [ast.Name(name, ast.Load())], []), node)
            ast.fix_missing_locations(worth)
        else:
            self.stop(node, "key= names a function, or is a lambda of one card")
        rest = self.all_fresh(self.as_set(self.x(node.args[0]), node).texts)
        best, first = self.fresh(), self.fresh(BOOL)
        with self.bound(node, name) as variable:
            value, made = self.apart(lambda: self.x(worth))
        kind = FLOAT if value.kind == FLOAT else INT
        text, here, most = self.cast(value, kind, node), self.fresh(kind), self.fresh(kind)
        self.before += [f"{best} = 0", f"{most} = {ZEROS[kind]}", f"{first} = True"]
        body = [f"{here} = {text}", f"if {first} or {here} {sign} {most}:"]
        body += [f"    {best} = {variable}\n    {most} = {here}", f"{first} = False"]
        self.before += for_each(rest, variable, [*made, *body])
        self.refuse_none(first)
        return whole(best, 8)

    def refuse_none(self, first: str) -> None:
        """Note a fault if the best of nothing was asked for."""
        if self.low.checked:
            self.under(f"rarely({first})", ["s.fault = 1"])

    def aggregate(self, name: str, node: ast.GeneratorExp) -> Value:
        """Translate sum, any, all, max or min of a generator to a loop."""
        start, result, first, worth = len(self.before), self.fresh(), self.fresh(), self.fresh()
        kinds = {BOOL if name in ("any", "all") else INT}

        def inside(element: ast.expr) -> None:
            if name in ("any", "all"):
                test = self.test(element)
                test = test if name == "any" else f"not {test}"
                self.under(test, [f"{result} = {name == 'any'}", "break"])
                return
            value = self.x(element)
            kinds.add(FLOAT if value.kind == FLOAT else INT)
            text = self.cast(value, FLOAT if FLOAT in kinds else INT, node)
            if name == "sum":
                total = f"{result} + {text}"
                if self.low.checked and value.kind != FLOAT and value.bits > 40:
                    total = self.low.check("add_", result, text)
                self.before.append(f"{result} = {total}")
                return
            self.before.append(f"{worth} = {text}")
            sign = ">" if name == "max" else "<"
            self.under(f"{first} or {worth} {sign} {result}", [f"{result} = {worth}"])
            self.before.append(f"{first} = False")

        self.each(node, inside)
        kind = FLOAT if FLOAT in kinds else kinds.pop()
        begin = [f"{result} = {str(name == 'all') if kind == BOOL else ZEROS[kind]}"]
        if name in ("max", "min"):
            begin.append(f"{first} = True")
            self.refuse_none(first)
        self.before[start:start] = begin
        self.types |= {result: kind, first: BOOL, worth: kind}
        return Value(kind, [result])

    # ----------------------------------------------------------------------------- sets of cards

    def card_of(self, name: str, words: list[str], *index: str) -> Value:
        """Return a card of a set; users' code notes a fault where there is none."""
        find = FINDS[name]
        if not self.low.checked:
            return whole(find(self.low, words, *index), 8)
        names = [f"w{place}" for place in range(len(words))]
        more = ["index"] if index else []
        nothing = (
            f"index < 0 or index >= {_size(names)}" if index else f"({' | '.join(names)}) == 0"
        )
        value = find(self.low, names, *more)
        text = f"if rarely({nothing}):\n    s.fault = 1\n    return 0\nreturn {value}"
        title, params = f"{name}{len(words)}_", " ".join([*names, *more])
        return whole(self.low.check(title, *words, *index, params=params, text=text), 8)

    def first_word(self, text: str) -> Value:
        """Return the set whose first word is a number."""
        return Value(SET, [text, *["0"] * (self.low.words - 1)])

    def rank(self, card: str) -> Value:
        shift = self.program.deck.shift  # type: ignore[union-attr]
        return whole(f"({card} & {(1 << shift) - 1})", shift)

    def suit(self, card: str) -> Value:
        deck = self.program.deck
        assert deck is not None
        return whole(f"({f'({card} & 63)' if deck.packs > 1 else card} >> {deck.shift})")

    def pattern(self, text: str, name: str) -> Value:
        """Return the set of the cards of a suit or rank."""
        deck, count = self.program.deck, self.low.words
        assert deck is not None
        cards_of = cards_of_suit if name == "suit" else cards_of_rank
        many = len(deck.suits) if name == "suit" else max(deck.ranks) + 1
        number = constant(text)
        if number is not None:
            return self.set_of(sum(1 << card for card in cards_of(deck, number)))
        text = self.held(text) if self.low.checked else text
        if deck.packs == 1 and deck.places > 64:
            sets = [
                sum(1 << card for card in cards_of(deck, number))
                for number in range(max(len(deck.suits), max(deck.ranks) + 1))
            ]
            texts = []
            for place in range(count):
                words = [signed(bits >> 64 * place) for bits in sets]
                texts.append(f"{self.low.table(f'of_{name}_{place}', words).name}[{text}]")
        else:
            every = signed(deck.all_cards & ((1 << 64) - 1))
            if name == "suit":
                first = (1 << (1 << deck.shift)) - 1 if deck.shift < 6 else (1 << 64) - 1
                cards = f"(({signed(first)} << ({text} << {deck.shift})) & {every})"
            else:
                first = sum(1 << (suit << deck.shift) for suit in range(len(deck.suits)))
                cards = f"((({signed(first)} << ({text} & 63)) & {every}) if {text} >= 0 else 0)"
            texts = [cards] * count
        if self.low.checked:
            texts = [f"({cards} if {text} >= 0 and {text} < {many} else 0)" for cards in texts]
        return Value(SET, texts)

    # ------------------------------------------------------------------------------ bits of words

    def bit_word(self, name: str, *given: str) -> Value:
        """Translate a word that the output has by the same name."""
        if self.low.checked and name == "shr":
            return whole(self.low.check("shr_", *given))
        if self.low.checked and name in ("lowest_bit", "highest_bit", "nth_bit"):
            return self.card_of(f"{name.removesuffix('_bit')}_", [given[0]], *given[1:])
        is_small = name in ("popcount", "lowest_bit", "highest_bit", "nth_bit")
        return whole(f"{name}({', '.join(given)})", 8 if is_small else 64)

    # ---------------------------------------------------------------------------- seats and teams

    def after(self, seat: str, steps: str) -> Value:
        if self.low.checked:
            return whole(self.low.check("after_", seat, steps), 8)
        text = (
            "if seat >= o.players:\n    seat = seat - o.players\n"
            "if seat < 0:\n    seat = seat + o.players\nreturn seat"
        )
        self.low.add(Core("after_", ["seat"], lines(text), {"seat": INT}, (INT,), False))
        return whole(f"after_(o, {seat} + {steps})", 8)

    def partners(self, seat: str) -> str:
        """Return the seats of a seat's team but itself, as bits."""
        return f"({self.low.team(seat)} & ~(1 << {seat}))"

    def partner(self, call: ast.Call) -> Value:
        if self.program.seating.has_teams and not self.program.seating.are_pairs:
            self.stop(call, "teams do not have two seats each: partners(seat) are all of them")
        return whole(f"lowest_bit({self.translated(TABLE['partners'], call).text})", 8)

    def best_seats(self, lowest: str) -> Value:
        self.best_score()
        text = (
            "best = best_score_(s, o, lowest)\nfound = 0\nfor seat in range(o.players):\n"
            "    found = found | ((1 << seat) if s.scores[seat] == best else 0)\nreturn found"
        )
        kinds = {"lowest": BOOL, "best": INT, "found": INT, "seat": INT}
        self.low.add(Core("best_seats_", ["lowest"], lines(text), kinds, (INT,), True))
        return whole(f"best_seats_(s, o, {lowest})")

    def best_score(self) -> None:
        """Add the function that finds the best total; users' code compares those of a team."""
        same_totals = (
            "for seat in range(o.players):\n"
            f"    if s.scores[seat] != s.scores[lowest_bit({self.low.team('seat')})]:\n"
            "        s.fault = 1\n"
        )
        text = (
            "best = s.scores[0]\n"
            f"{same_totals if self.low.checked and self.program.seating.has_teams else ''}"
            "for seat in range(1, o.players):\n"
            "    best = (min(best, s.scores[seat]) if lowest else max(best, s.scores[seat]))\n"
            "return best"
        )
        kinds = {"lowest": BOOL, "best": INT, "seat": INT}
        self.low.add(Core("best_score_", ["lowest"], lines(text), kinds, (INT,), True))

    # ----------------------------------------------------------------------------- random numbers

    def uniform(self, call: ast.Call) -> Value:
        word = self.drawn("next", call, 0).text
        return Value(FLOAT, [f"(real(shr({word}, 11)) * {2.0**-53!r})"])

    def drawn(self, name: str, call: ast.Call, count: int) -> Value:
        """Draw from a stream, by a function of so many numbers."""
        self.need(call, 2 + count)
        if ast.unparse(call.args[0]) != "s":
            self.stop(call.args[0], refusals.NO_STATE)
        stream = call.args[1]
        family, seat = self.word_of(stream) or "", []
        if family in PER_SEAT_STREAMS:
            assert isinstance(stream, ast.Call)
            self.need(stream, 1)
            seat = stream.args
        else:
            is_name = isinstance(stream, ast.Name) and stream.id not in self.kinds
            value = self.routine.space.get(stream.id) if is_name else None  # type: ignore[attr-defined]
            if not isinstance(value, Stream):
                self.stop(stream, "a stream is DEAL, CHANCE, MATCH, ASIDE or SEAT(seat)")
            family = value.name
        self.low.streams.add(family)
        given = self.integers([*seat, *call.args[2:]])
        if seat:
            given[0] = self.index(given[0], "o.players")
        if name == "below_from":
            given[-2] = self.index(given[-2], str(1 << 32))
        if count and not 0 < (constant(given[-1]) or 0) <= 1 << 32:
            given[-1] = self.guarded("bound_", given[-1])
        text = f"{name}_{family}({', '.join(['s', 'o', *given])})"
        return self.saved(whole(text, 32 if name == "below" else 64))

    # ------------------------------------------------------------------ cards from place to place

    def zone(self, node: ast.expr) -> Place:
        """Return the place of cards that an expression names."""
        place = self.place(node)
        declared = self.low.fields.get(place.name) if place.holder == "s" else None
        if declared is None or not self.program.is_place(declared.kind):
            self.stop(node, f"{ast.unparse(node)} is no place of cards")
        self.at(place)
        return place

    def zone_at(self, place: Place) -> Zone:
        """Return a place of cards with its words, and where its order lies."""
        declared, words = self.low.fields[place.name], self.at(place)
        holder = place.indices[0] if declared.per_seat else "0"
        if not is_ordered(declared.kind):
            return Zone(place.name, words, holder)
        pairs = zip(place.indices, place.steps, strict=True)
        at = " + ".join(f"({index}) * {step * room_of(self.program)}" for index, step in pairs)
        return Zone(place.name, words, holder, True, at or "0")

    def draw(self, source: Zone, target: Zone, count: str = "") -> Value:
        """Draw one card, or as many as are wanted; the value is the last card."""
        card, size = self.fresh(), " + ".join(f"popcount({word})" for word in source.words)
        is_checked = self.low.checked
        left = self.fresh() if count or is_checked else size
        if source.is_ordered:
            text = [f"{card} = {self.of_pile('top', source, '0')}"]
        else:
            self.low.streams.add("DEAL")
            nth = nth_text(self.low, source.words, f"below_DEAL(s, o, {left})")
            text = [f"{card} = {nth}"]
        text += self.carried(card, source, target)
        if not count:
            if is_checked:
                self.before += [f"{card} = 0", f"{left} = {size}"]
                self.under(f"rarely({left} == 0)", ["s.fault = 1"], text)
            else:
                self.before += text
            return whole(card, 8)
        self.before.append(f"{left} = {size}")
        text.append(f"{left} = {left} - 1")
        if is_checked:
            text.insert(0, f"if rarely({left} == 0):\n    s.fault = 1\n    break")
        body = indented("\n".join(text))
        self.before.append(f"for {self.fresh()} in range({count}):\n{body}")
        return whole(card)

    def move(self, item: Value, source: Zone, target: Zone, k: str = "0") -> list[str]:
        """Move a card or a set, below k cards of an ordered place."""
        words = item.texts
        names = [self.fresh() for _ in words]
        text = assignments(names, words)
        if self.low.checked:
            elsewhere = " | ".join(f"{x} & ~{a}" for x, a in zip(names, source.words, strict=True))
            text.append(f"if rarely(({elsewhere}) != 0):\n    s.fault = 1")
        if source.is_ordered or target.is_ordered:
            text += [f"{x} = {x} & {a}" for x, a in zip(names, source.words, strict=True)]
            card = self.fresh()
            return text + for_each(names, card, self.carried(card, source, target, k))
        for a, b, name in zip(source.words, target.words, names, strict=True):
            text += [f"{a} = {a} & ~{name}", f"{b} = {b} | {name}"]
        return text

    def carried(self, card: str, source: Zone, target: Zone, k: str = "0") -> list[str]:
        """Return the text that moves a card, by the name of a local, from place to place."""
        count = len(source.words)
        bits = [self.fresh() for _ in range(count)]
        text = [f"{bit} = {bit_text(card, place, count)}" for place, bit in enumerate(bits)]
        if not (source.is_ordered or target.is_ordered):
            for a, b, bit in zip(source.words, target.words, bits, strict=True):
                text += [f"{a} = {a} & ~{bit}", f"{b} = {b} | {bit}"]
            return text
        seats = self.fresh()
        text.append(f"{seats} = {self.low.viewers(source.field, source.holder)}")
        if source.is_ordered:
            text.append(f"{seats} = {seats} | {self.of_pile('take', source, card)}")
        text += [f"{a} = {a} & ~{bit}" for a, bit in zip(source.words, bits, strict=True)]
        return text + self.laid(card, target, bits, k, seats)

    def laid(
        self, card: str, target: Zone, bits: Sequence[str], k: str = "0", seats: str = "0"
    ) -> list[str]:
        """Return the text that lays a card somewhere; seats have seen it."""
        text = [self.of_pile("lay", target, k, card, seats)] if target.is_ordered else []
        return text + [f"{b} = {b} | {bit}" for b, bit in zip(target.words, bits, strict=True)]

    def bring(self, item: Value, target: Zone) -> list[str]:
        words = self.saved(item).texts
        text = [f"{b} = {b} | {word}" for b, word in zip(target.words, words, strict=True)]
        if target.is_ordered:
            rest, card = [self.fresh() for _ in words], self.fresh()
            bits = [bit_text(card, place, len(words)) for place in range(len(words))]
            text = assignments(rest, words) + for_each(rest, card, self.laid(card, target, bits))
        if self.low.checked:
            text.insert(0, f"if rarely({self.lying(words)} != 0):\n    s.fault = 1")
        return text

    def lying(self, words: list[str]) -> str:
        """Return the cards of a set that lie somewhere already."""
        names = [f"w{place}" for place in range(len(words))]
        text = ["found = 0"]
        for name, declared in self.program.fields.items():
            if not self.program.is_place(declared.kind) or name not in self.low.fields:
                continue
            size = f"o.players * {max(declared.many, 1)}" if declared.per_seat else declared.many
            fields = zip(names, self.low.field_names(name), strict=True)
            index = "[k]" if size else ""
            body = [f"found = found | ({word} & s.{field}{index})" for word, field in fields]
            text += [f"for k in range({size}):", *map(indented, body)] if size else body
        text.append("return found")
        return self.low.check("lying_", *words, params=" ".join(names), text="\n".join(text))

    # ----------------------------------------------------------------------------- ordered places

    def of_pile(self, name: str, zone: Zone, *args: str) -> str:
        """Return the call of a function of an ordered place (`piles`)."""
        title = self.low.pile_function(name, zone.field)
        return f"{title}(s, o, {', '.join([zone.at, zone.size, *args])})"

    def shuffle(self, pile: Zone) -> list[str]:
        self.low.streams.add("DEAL")
        return [self.of_pile("shuffle", pile)]

    def look(self, pile: Zone, k: str, seats: str) -> list[str]:
        return [self.of_pile("look", pile, k, seats)]

    def top(self, pile: Zone, k: str) -> Value:
        return whole(self.of_pile("top", pile, k), 9)

    def seen(self, seat: str, pile: Zone, k: str) -> Value:
        viewers = self.low.viewers(pile.field, pile.holder)
        return whole(self.of_pile("seen", pile, k, viewers, seat), 9)

    # ------------------------------------------------------------------------------ what is next

    def ask(self, seat: str, decision: str) -> list[str]:
        if self.low.checked:
            numbers = self.program.decisions.values()
            if decision not in map(str, numbers):
                place = self.index(f"wadd({decision}, {-FIRST_DECISION})", str(len(numbers)))
                decision = f"{place} + {FIRST_DECISION}"
        return [f"s.seat, s.phase = {seat}, {decision}"]

    def end_match(self, winners: str) -> list[str]:
        winners = self.guarded("winners_", winners)
        if self.program.seating.has_teams and self.low.checked:
            text = (
                "for one in range(o.players):\n"
                "    if ((winners >> one) & 1) != 0 and "
                f"({self.low.team('one')} & ~winners) != 0:\n"
                "        s.fault = 1\nreturn winners"
            )
            winners = self.low.check("whole_teams_", winners, params="winners", text=text)
        return [f"s.winners = {winners}", "s.phase = 0"]

    # ---------------------------------------------------------------------------- what is counted

    def clause_bit(self, node: ast.expr) -> int:
        names = [clause.name for clause in self.program.game.clauses]
        name = getattr(node, "value", None)
        if name not in names:
            hint = near(str(name), names) if names else "; count with measure(…) and s.count"
            self.stop(node, f"no clause {name!r}{hint}")
        return 1 << names.index(name)

    def note(self, bits: int | str) -> list[str]:
        return [f"s.count_clauses = s.count_clauses | {bits}"]

    def note_if(self, clause: ast.expr, test: str) -> list[str]:
        return self.note(f"({self.clause_bit(clause)} if {test} else 0)")

    def note_leaders(self, lowest: str, metric: ast.expr | None = None) -> list[str]:
        changes = "lead_changes" if metric is None else getattr(metric, "value", "")
        is_counted = changes in self.program.metrics
        name = f"note_leaders_{changes}_" if is_counted else "note_leaders_"
        counted = f"    if s.leaders != 0:\n        s.count_{changes} = s.count_{changes} + 1\n"
        if name not in self.low.done:
            self.best_score()
            behind = self.guarded("short_", "behind")
            text = (
                "best = best_score_(s, o, lowest)\nleaders = 0\n"
                "for seat in range(o.players):\n"
                "    behind = max(best - s.scores[seat], s.scores[seat] - best)\n"
                f"    s.deficits[seat] = max(s.deficits[seat], {behind})\n"
                "    leaders = leaders | ((1 << seat) if s.scores[seat] == best else 0)\n"
                "if leaders != s.leaders:\n"
                f"{counted if is_counted else ''}"
                "    s.count_last_lead_change = s.round_number\n"
                "s.leaders = leaders\n"
            )
            kinds = {"lowest": BOOL, "best": INT, "leaders": INT, "seat": INT, "behind": INT}
            self.low.add(Core(name, ["lowest"], lines(text), kinds, (), True, True))
        return [f"{name}(s, o, {lowest})"]


def for_each(rest: Sequence[str], card: str, body: Sequence[str]) -> list[str]:
    """Return a loop over the cards of a set, whose words are locals that end as none."""
    head = [f"{card} = {lowest_text([*rest])}", without_lowest([*rest])]
    return [f"while ({' | '.join(rest)}) != 0:", indented("\n".join([*head, *body]))]


def _node(node: ast.expr) -> ast.expr:
    return node


def _size(words: Sequence[str]) -> str:
    """Return the number of cards of a set."""
    return "(" + " + ".join(f"popcount({word})" for word in words) + ")"


_gives, _acts = Word, partial(Word, acts=True)


def _bits(name: str, takes: str) -> Word:
    return _gives(takes, lambda t, *numbers: t.bit_word(name, *numbers))


def _nothing(t: Calls, call: ast.Call) -> list[str]:
    """Translate a word that has an effect in plain Python only; what it is given may have one."""
    t.operands([argument for argument in call.args if t.changes(argument)])
    return ["pass"]


TABLE: dict[str, Word] = {
    # sets of cards
    "lowest": _gives("cards", lambda t, cards: t.card_of("lowest_", cards)),
    "highest": _gives("cards", lambda t, cards: t.card_of("highest_", cards)),
    "nth": _gives("cards number", lambda t, cards, k: t.card_of("nth_", cards, k)),
    "lower": _gives("cards number", lambda t, cards, card: Value(SET, lower_texts(cards, card))),
    "higher": _gives("cards number", lambda t, cards, card: Value(SET, higher_texts(cards, card))),
    "kinds": _gives("cards", lambda t, cards: t.first_word(f"({' | '.join(cards)})")),
    "bits": _gives("cards", lambda t, cards: whole(cards[0])),
    "cards_in": _gives("number", Calls.first_word),
    "rank": _gives("card", lambda t, card: t.rank(card)),
    "suit": _gives("card", lambda t, card: t.suit(card)),
    "of_suit": _gives("card", lambda t, suit: t.pattern(suit, "suit")),
    "of_rank": _gives("card", lambda t, rank: t.pattern(rank, "rank")),
    # numbers as bits
    **{name: _bits(name, "number") for name in ("popcount", "lowest_bit", "highest_bit")},
    **{
        name: _bits(name, "number number")
        for name in ("nth_bit", "deposit", "extract", "shr", "rotl")
    },
    "rarely": _gives("test", lambda t, test: Value(BOOL, [f"rarely({test})"])),
    # seats, as bits
    "seats": _gives("call", lambda t, call: t.stop(call, "seats() is what a loop goes over")),
    "all_seats": _gives("", lambda t: whole(ALL_SEATS)),
    "after": _gives("number number", Calls.after),
    "team": _gives("member", lambda t, seat: t.first_word(t.low.team(seat))),
    "partners": _gives("member", lambda t, seat: t.first_word(t.partners(seat))),
    "partner": _gives("call", Calls.partner),
    "others": _gives("seat", lambda t, seat: t.first_word(f"({ALL_SEATS} & ~(1 << {seat}))")),
    "best_seats": _gives("s test", Calls.best_seats),
    # random numbers
    "below": _gives("call", lambda t, call: t.drawn("below", call, 1)),
    "below_from": _gives("call", lambda t, call: t.drawn("below_from", call, 2)),
    "word": _gives("call", lambda t, call: t.drawn("next", call, 0)),
    "uniform": _gives("call", Calls.uniform),
    # cards that move
    "draw": _gives("place place number", Calls.draw, least=2),
    "move": _acts("item place place", Calls.move),
    "bring": _acts("item place", Calls.bring),
    # ordered places
    "insert": _acts("item place pile number", Calls.move),
    "cut": _acts("pile number", lambda t, pile, k: [t.of_pile("cut", pile, k)]),
    "shuffle": _acts("pile", Calls.shuffle),
    "look": _acts("seat pile number", lambda t, seat, pile, k: t.look(pile, k, f"1 << ({seat})")),
    "reveal": _acts("pile number", lambda t, pile, k: t.look(pile, k, ALL_SEATS)),
    "top": _gives("pile number", lambda t, pile, k="0": t.top(pile, k), least=1),
    "bottom": _gives("pile", lambda t, pile: t.top(pile, f"{pile.size} - 1")),
    "seen": _gives("seat pile number", Calls.seen),
    # what is next, and what is counted
    "ask": _acts("s seat number", Calls.ask),
    "end_round": _acts("s", lambda t: ["s.phase = 1"]),
    "end_match": _acts("s number", Calls.end_match),
    "abort": _acts("s", lambda t: ["s.winners = 0", "s.aborted = 1", "s.phase = 0"]),
    "note": _acts("s node", lambda t, clause: t.note(t.clause_bit(clause))),
    "note_if": _acts("s node test", Calls.note_if),
    "note_lead_change": _acts("s number", lambda t, k: [f"s.count_last_lead_change = {k}"]),
    "note_leaders": _acts("s test node", Calls.note_leaders, least=2),
    "because": _acts("call", _nothing),
    "weigh": _acts("call", _nothing),
}
"""The words of the language, by name."""

BUILT_IN: dict[str, Word] = {
    "len": _gives("call", Calls.length),
    "set": _gives("call", Calls.empty_set),
    "int": _gives("call", Calls.integer),
    "float": _gives("call", Calls.floating),
    "bool": _gives("test", lambda t, test: Value(BOOL, [test])),
    "abs": _gives("call", Calls.absolute),
    "max": _gives("call", lambda t, call: t.extreme(call, "max")),
    "min": _gives("call", lambda t, call: t.extreme(call, "min")),
}
"""The functions of Python that rules have, by name; `x_Call` translates those of generators."""
