"""Random programs of rules: the whole language, with effects wherever Python allows them.

A program is a game of one's own in one to three files: state, options, helpers, a decision beside
the move, a policy, tables, a file of rules that wraps a step and counts. Names are those that a
translator might use itself. Programs seldom do what they may not; where one does, ordinary Python
and compiled code have to say so in the same words.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

DECKS = (
    ("french_deck()", 64),
    ("skat_deck()", 32),
    ('cards_of("ABCD", range(2, 15))', 64),
    ('cards_of("ABC", range(9), packs=2)', 128),
    ('cards_of("ABCDE", range(20))', 160),
    ("numbered(60)", 60),
    ("numbered(130)", 130),
    ("numbered(250)", 250),
    ('cards_of("ABCDEFG", range(30))', 224),
    ('cards_of("AB", ("low", "high", "odd"), packs=4)', 256),
)
NUMBERS = "x y z total best worth first most kept rest found last seat_now a b best_ got_ t1_ s0"
SETS = "those mine group left_over cards0 hand hand__0 rest_"
NAMES, SET_NAMES = NUMBERS.split(), SETS.split()


@dataclass
class Scope:
    """What a piece of source may use."""

    numbers: list[str]
    sets: list[str] = field(default_factory=list)
    floats: list[str] = field(default_factory=list)
    cards: list[str] = field(default_factory=list)
    state: bool = True
    effects: bool = True
    seats: list[str] = field(default_factory=list)
    stream: str = "CHANCE"
    policy: bool = False

    def copy(self, **changes: object) -> Scope:
        """Return another scope with names of its own."""
        one = Scope(
            list(self.numbers),
            list(self.sets),
            list(self.floats),
            list(self.cards),
            self.state,
            self.effects,
            list(self.seats),
            self.stream,
            self.policy,
        )
        for name, value in changes.items():
            setattr(one, name, value)
        return one


@dataclass
class Helper:
    """A function that others call."""

    name: str
    params: list[str]  # kinds: n, s, f
    gives: str  # n, b, s, f, nn, ns or nothing
    state: bool
    effects: bool


class Rules:
    """Writes one program.

    Parameters
    ----------
    seed : int
    """

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311
        self.deck, self.places = self.chance.choice(DECKS)
        self.has_suits = not self.deck.startswith("numbered")
        self.helpers: list[Helper] = []
        self.lambdas = 0

    # ----------------------------------------------------------------------------- expressions

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def among(self, *ways: object) -> str:
        """Return one of some texts; a callable is asked for its own."""
        one = self.chance.choice(ways)
        return one() if callable(one) else str(one)

    def seat(self, scope: Scope, depth: int) -> str:
        """Return a seat that is there."""
        ways: list[object] = [*scope.seats, *scope.seats, "0", "players - 1"]
        if scope.seats:
            ways.append(
                lambda: f"after({self.chance.choice(scope.seats)}, {self.among('1', '-1')})"
            )
        if depth > 0:
            ways.append(lambda: f"{self.number(scope, depth - 1)} % players")
        return self.among(*ways)

    def number(self, scope: Scope, depth: int) -> str:
        """Return a whole number."""
        ways: list[object] = [*scope.numbers, str(self.chance.randint(-3, 9))]
        ways += [*scope.cards, str(self.chance.choice((0, 1, 2, 255, 1 << 20)))]
        if scope.state:
            ways += ["s.last", "size", "s.round_number", "len(s.laid)"]
            ways += [
                lambda: f"s.sums[{self.seat(scope, depth - 1)}][{self.index(scope, depth, 3)}]"
            ]
            ways += [lambda: f"s.mark[{self.seat(scope, depth - 1)}]"]
            if not scope.policy:
                ways += [lambda: f"len(s.hand[{self.seat(scope, depth - 1)}])", "len(s.stock)"]
        if depth <= 0:
            return self.among(*ways)

        def n() -> str:
            return self.number(scope, depth - 1)

        ways += 2 * [
            lambda: f"({n()} {self.among('+', '-', '&', '|', '^')} {n()})",
            lambda: f"({n()} & 1023) * ({n()} & 63)",
            lambda: f"{n()} // (({n()} & 7) + 1)",
            lambda: f"{n()} % (({n()} & 7) + 1)",
            lambda: f"({n()} if {self.test(scope, depth - 1)} else {n()})",
            lambda: f"({n()} {self.among('and', 'or')} {n()})",
            lambda: f"(bool({self.test(scope, depth - 1)}) {self.among('and', 'or')} {n()})",
            lambda: f"{self.among('min', 'max')}({n()}, {n()})",
            lambda: f"abs({n()})",
            lambda: f"(-{n()} if {self.test(scope, 0)} else ~{n()})",
            lambda: f"len({self.cards(scope, depth - 1)})",
            lambda: f"lowest({self.cards(scope, depth - 1)} or {{{self.card()}}})",
            lambda: f"highest({self.cards(scope, depth - 1)} | {{{self.card()}}})",
            lambda: f"TABLE[{self.index(scope, depth, 5)}]",
            lambda: f"tables.TABLE[{self.index(scope, depth, 7)}]",
            lambda: f"ROWS[{self.index(scope, depth, 3)}][{self.index(scope, depth, 2)}]",
            lambda: f"({n()} & 4095) {self.among('<<', '>>')} ({n()} & 7)",
            lambda: f"int({self.real(scope, depth - 1)})",
            lambda: f"popcount({n()})",
            lambda: f"shr({n()}, {self.chance.randint(40, 63)})",
            lambda: f"bool({self.test(scope, depth - 1)}) + {n()}",
            lambda: self.best(scope, depth),
            lambda: self.nth(scope, depth),
        ]
        if self.has_suits:
            ways += [lambda: f"rank({n()} & 31)", lambda: f"suit({n()} & 63)"]
        ways += [lambda: self.aggregate(scope, depth)] * 4
        ways += [lambda: self.call(scope, depth, "n")] * 3
        if scope.effects and scope.state:
            ways += [
                lambda: f"below(s, {scope.stream}, ({n()} & 15) + 1)",
                lambda: f"below(s, {scope.stream}, {self.chance.randint(1, 9)})",
            ] * 2
            if not scope.policy:
                ways += [
                    lambda: (
                        f"(draw(s.stock, s.laid) if len(s.stock) > {self.places // 3} else {n()})"
                    ),
                    lambda: self.call(scope, depth, "n", effects=True),
                    lambda: self.call(scope, depth, "n", effects=True),
                ]
        return self.among(*ways)

    def index(self, scope: Scope, depth: int, count: int) -> str:
        """Return an index that is there."""
        if depth <= 0 or self.maybe(0.4):
            return str(self.chance.randrange(count))
        return f"{self.number(scope, depth - 1)} % {count}"

    def card(self) -> str:
        """Return a card's number."""
        return str(self.chance.randrange(min(self.places, 32)))

    def nth(self, scope: Scope, depth: int) -> str:
        quiet = scope.copy(effects=False)
        cards = f"{self.cards(quiet, depth - 2)} | {{{self.card()}, {self.card()}}}"
        return f"nth({cards}, {self.number(quiet, depth - 2)} % len({cards}))"

    def bound(self, scope: Scope, name: str) -> Scope:
        """Return a scope within a comprehension."""
        inner = scope.copy()
        for names in (inner.numbers, inner.sets, inner.floats, inner.cards, inner.seats):
            if name in names:
                names.remove(name)
        inner.numbers.append(name)
        return inner

    def loop(self, scope: Scope, depth: int) -> tuple[str, Scope]:
        """Return what a comprehension goes over, and the scope within."""
        name = self.chance.choice(["c", "d", "k", *NAMES[:6]])
        inner = self.bound(scope, name)
        over = self.among(
            lambda: self.cards(scope, depth - 2),
            lambda: self.cards(scope, depth - 2),
            "range(3)",
            lambda: f"range({self.number(scope, depth - 2)} & 3)",
            lambda: f"range(2, {self.number(scope, depth - 2)} % 7)",
            "seats()",
        )
        if over == "seats()":
            inner.seats.append(name)
        tests = "".join(
            f" if {self.test(inner, depth - 2)}" for _ in range(self.chance.choice((0, 0, 1, 1, 2)))
        )
        return f"for {name} in {over}{tests}", inner

    def aggregate(self, scope: Scope, depth: int) -> str:
        each, inner = self.loop(scope, depth)
        one = self.number(inner, depth - 2)
        n3 = self.number(self.bound(scope, "k"), depth - 2)
        return self.among(
            f"sum({one} & 255 {each})",
            f"len({{{one} % {min(self.places, 60)} {each}}})",
            f"sum(1 {each})",
            f"any({self.test(inner, depth - 2)} {each})",
            f"all({self.test(inner, depth - 2)} {each})",
            f"max({n3} for k in range(3))",
        )

    def best(self, scope: Scope, depth: int) -> str:
        cards = f"{self.cards(scope, depth - 2)} | {{{self.card()}, {self.card()}}}"
        inner = self.bound(scope, "c")
        return f"{self.among('max', 'min')}({cards}, key=lambda c: {self.number(inner, depth - 2)})"

    def real(self, scope: Scope, depth: int) -> str:
        """Return a float."""
        ways: list[object] = [*scope.floats, "0.5", "2.25", "uniform(s, CHANCE)"]
        if not (scope.state and scope.effects):
            ways.remove("uniform(s, CHANCE)")
        elif scope.policy:
            ways[-1] = f"uniform(s, {scope.stream})"
        if depth <= 0:
            return self.among(*ways)

        def f() -> str:
            return self.real(scope, depth - 1)

        ways += [
            lambda: f"({f()} {self.among('+', '-', '*')} {f()})",
            lambda: (
                f"({self.number(scope, depth - 1)} & 1023) / (({self.number(scope, 0)} & 7) + 1)"
            ),
            lambda: f"({f()} if {self.test(scope, depth - 1)} else {f()})",
            lambda: f"min({f()}, 1000.0)",
            lambda: f"abs({f()})",
            lambda: self.call(scope, depth, "f"),
        ]
        return self.among(*ways)

    def test(self, scope: Scope, depth: int) -> str:
        """Return a test."""

        def n() -> str:
            return self.number(scope, depth - 1)

        ways: list[object] = [
            lambda: f"{n()} {self.among('<', '<=', '==', '!=', '>')} {n()}",
            lambda: f"{n()} & 1",
            lambda: f"{n()} in {self.cards(scope, depth - 1)}",
            lambda: f"{self.cards(scope, depth - 1)}",
        ]
        if depth > 0:
            ways += [
                lambda: f"{n()} {self.among('<', '<=')} {n()} {self.among('<', '<=', '!=')} {n()}",
                lambda: f"({self.test(scope, depth - 1)} and {self.test(scope, depth - 1)})",
                lambda: f"({self.test(scope, depth - 1)} or {self.test(scope, depth - 1)})",
                lambda: f"not ({self.test(scope, depth - 1)})",
                lambda: f"{n()} not in {self.cards(scope, depth - 1)}",
                lambda: f"{n()} in ({n()}, {n()})",
                lambda: (
                    f"{self.cards(scope, depth - 1)} {self.among('==', '!=')} "
                    f"{self.cards(scope, depth - 1)}"
                ),
                lambda: f"{self.real(scope, depth - 1)} < {n()}",
                lambda: self.call(scope, depth, "b"),
                'way == "low"' if scope.state else "True",
            ]
        return self.among(*ways)

    def cards(self, scope: Scope, depth: int) -> str:
        """Return a set of cards."""
        ways: list[object] = [*scope.sets, f"{{{self.card()}}}", "set()", "FEW"]
        if scope.state:
            ways += ["s.laid", "s.noted", "s.laid"]
            if not scope.policy:
                ways += [lambda: f"s.hand[{self.seat(scope, depth - 1)}]"] * 2
                ways += [lambda: f"s.pile[{self.seat(scope, depth - 1)}]"]
        if self.has_suits:
            ways += [
                lambda: f"of_suit({self.number(scope, depth - 1)})",
                lambda: f"of_rank({self.number(scope, depth - 1)})",
            ]
        if depth <= 0:
            return self.among(*ways)

        def c() -> str:
            return self.cards(scope, depth - 1)

        def n() -> str:
            return self.number(scope, depth - 1)

        def of_loop() -> str:
            each, inner = self.loop(scope, depth)
            return f"{{({self.number(inner, depth - 2)}) % {min(self.places, 60)} {each}}}"

        ways += [
            lambda: f"({c()} {self.among('|', '&', '-', '^')} {c()})",
            lambda: f"({c()} {self.among('|', '&', '-', '^')} {c()})",
            lambda: f"({c()} if {self.test(scope, depth - 1)} else {c()})",
            lambda: f"({c()} {self.among('or', 'and')} {c()})",
            lambda: f"{{{n()} & 31, {n()} & 15}}",
            lambda: f"{{c for c in {c()} if {self.test(self.bound(scope, 'c'), depth - 2)}}}",
            of_loop,
            lambda: f"lower({c()}, {n()})",
            lambda: f"higher({c()}, {n()})",
            lambda: self.call(scope, depth, "s"),
        ]
        return self.among(*ways)

    def call(self, scope: Scope, depth: int, gives: str, effects: bool = False) -> str:
        """Return the call of a helper, or something else of its kind."""
        able = [
            one
            for one in self.helpers
            if one.gives == gives
            and (scope.state or not one.state)
            and (one.effects == effects)
            and not (scope.policy and one.state)
        ]
        if not able:
            other = {"n": self.number, "b": self.test, "s": self.cards, "f": self.real}[gives]
            return other(scope, depth - 1)
        return self.called(self.chance.choice(able), scope, depth)

    def called(self, one: Helper, scope: Scope, depth: int) -> str:
        makes = {"n": self.number, "s": self.cards, "f": self.real}
        given = [makes[kind](scope, depth - 2) for kind in one.params]
        if one.state:
            given.insert(0, "s")
        return f"{one.name}({', '.join(given)})"

    # ------------------------------------------------------------------------------ statements

    def local(self, scope: Scope) -> str:
        """Return a name for a number."""
        return self.chance.choice([n for n in NAMES if n not in (*scope.floats, *scope.seats)])

    def statement(  # noqa: C901
        self, scope: Scope, depth: int, indent: str, loops: int
    ) -> list[str]:
        """Return one statement, perhaps with others in it."""
        n, lines = self.number, list[str]()
        ways = ["set"] * 4 + ["set of cards", "augmented", "two", "if", "if"]
        if depth > 0:
            ways += ["for", "while", "for cards", "float"]
        if loops:
            ways += ["leave"]
        if scope.state and scope.effects and not scope.policy:
            ways += [
                "sum",
                "sum",
                "field",
                "mark",
                "count",
                "noted",
                "move",
                "draw",
                "call",
                "chain",
            ]
        kind = self.chance.choice(ways)
        if kind == "set":
            name = self.local(scope)
            lines = [f"{name} = ({n(scope, 3)}) & 1023"]
            self.know(scope, name)
        elif kind == "set of cards":
            name = self.chance.choice(SET_NAMES)
            lines = [f"{name} = {self.cards(scope, 3)}"]
            if name not in scope.sets:
                scope.sets.append(name)
        elif kind == "float":
            lines = [f"real = {self.real(scope, 2)}"]
            scope.floats = ["real"]
        elif kind == "augmented" and scope.numbers:
            name = self.chance.choice([one for one in scope.numbers if one in NAMES] or ["x"])
            if name not in scope.numbers:
                lines = [f"{name} = 1"]
                self.know(scope, name)
            sign = self.among("+=", "-=", "|=", "^=", "&=")
            lines += [f"{name} {sign} {n(scope, 2)} & 255", f"{name} &= 1023"]
        elif kind == "two":
            a, b = self.chance.sample([one for one in NAMES if one not in scope.floats], 2)
            lines = [f"{a}, {b} = ({n(scope, 2)}) & 255, ({n(scope, 2)}) & 511"]
            self.know(scope, a)
            self.know(scope, b)
        elif kind in ("sum", "field", "mark", "chain"):
            where = f"s.sums[{self.seat(scope, 2)}][{self.index(scope, 2, 3)}]"
            mark = f"s.mark[{self.seat(scope, 2)}]"
            value = f"({n(scope, 3)}) & 255"
            lines = {
                "sum": [f"{where} {self.among('+=', '-=', '^=')} {value}"],
                "field": [f"s.last = {value}"],
                "mark": [self.among(f"{mark}, s.last = s.last, {value}", f"{mark} = {value}")],
                "chain": [f"s.last = {mark} = {where} = {value}"],
            }[kind]
        elif kind == "count":
            lines = [f"s.count.turns += ({n(scope, 2)}) & 3"]
        elif kind == "noted":
            lines = [f"s.noted = {self.cards(scope, 2)}"]
        elif kind == "move":
            a, b = self.seat(scope, 0), self.seat(scope, 1)
            lines = [f"move(s.pile[{a}] & ({self.cards(scope.copy(effects=False), 2)}), "]
            lines[0] += f"s.pile[{a}], s.{self.among('laid', f'pile[{b}]')})"
        elif kind == "draw":
            lines = [f"if len(s.stock) > {self.places // 2}:"]
            place = f"s.pile[{self.seat(scope, 2)}]"
            many = self.among("", f", ({n(scope, 1)}) & 3")
            lines += [f"    draw(s.stock, {place}{many})"]
        elif kind == "call":
            able = [one for one in self.helpers if one.state and one.effects]
            if able:
                one = self.chance.choice(able)
                call = self.called(one, scope, 3)
                if one.gives == "nn":
                    lines = [f"x, y = {call}", "x, y = x & 1023, y & 1023"]
                    self.know(scope, "x")
                    self.know(scope, "y")
                elif one.gives == "ns":
                    lines = [f"x, those = {call}", "x &= 1023"]
                    self.know(scope, "x")
                    scope.sets += [] if "those" in scope.sets else ["those"]
                else:
                    lines = [call]
        elif kind == "if":
            lines = [
                f"if {self.test(scope, 3)}:",
                *self.block(scope.copy(), depth - 1, "    ", loops),
            ]
            if self.maybe(0.3):
                lines += [f"elif {self.test(scope, 2)}:"]
                lines += self.block(scope.copy(), depth - 1, "    ", loops)
            if self.maybe(0.5):
                lines += ["else:", *self.block(scope.copy(), depth - 1, "    ", loops)]
        elif kind == "for":
            name = f"k{depth}"
            over = self.among(
                "seats()",
                "range(3)",
                lambda: f"range(({n(scope, 2)}) & 3)",
                lambda: f"range(({n(scope, 1)}) & 7, -1, -2)",
                lambda: f"range(({n(scope, 1)}) % 5, 6, 1 + (({n(scope, 1)}) & 1))",
            )
            inner = self.bound(scope, name)
            if over == "seats()":
                inner.seats.append(name)
            lines = [f"for {name} in {over}:", *self.block(inner, depth - 1, "    ", loops + 1)]
        elif kind == "for cards":
            inner = self.bound(scope, "card_now")
            lines = [f"for card_now in {self.cards(scope, 2)}:"]
            lines += self.block(inner, depth - 1, "    ", loops + 1)
        elif kind == "while":
            count = f"n{depth}"
            lines = [f"{count} = ({n(scope, 2)}) & 3"]
            lines += [f"while {count} > 0 and ({self.test(scope, 2)}):", f"    {count} -= 1"]
            lines += self.block(scope.copy(), depth - 1, "    ", loops + 1)
        elif kind == "leave":
            lines = [f"if {self.test(scope, 1)}:", f"    {self.among('break', 'continue')}"]
        return [indent + line for line in lines or ["pass"]]

    def know(self, scope: Scope, name: str) -> None:
        if name not in scope.numbers:
            scope.numbers.append(name)

    def block(self, scope: Scope, depth: int, indent: str, loops: int) -> list[str]:
        """Return some statements."""
        lines: list[str] = []
        for _ in range(self.chance.randint(1, 3)):
            lines += self.statement(scope, depth, indent, loops)
        return lines

    # ----------------------------------------------------------------------------------- files

    def helper(self, number: int) -> list[str]:
        """Return a function, and let others call it."""
        gives = self.chance.choice(["n", "n", "n", "b", "s", "s", "f", "nn", "ns", ""])
        effects = self.maybe(0.55) or gives in ("", "nn", "ns")
        state = effects or self.maybe(0.5)
        params = [self.chance.choice("nnsf") for _ in range(self.chance.randint(0, 3))]
        names = {
            "n": ["x", "most", "seat0"],
            "s": ["those", "w0", "mine"],
            "f": ["real", "f0", "f1"],
        }
        used: list[str] = []
        for kind in params:
            used.append(next(one for one in names[kind] if one not in used))
        notes = {"n": "", "s": ": cardset", "f": ": float"}
        head = [
            *(["s"] if state else []),
            *(a + notes[b] for a, b in zip(used, params, strict=True)),
        ]
        titles = ["worth_", "rarely_", "best_score_", "step_", "choose", "after_", "index_", "swap"]
        name = titles[number] if number < len(titles) and self.maybe(0.3) else f"helper{number}"
        by_kind = {
            kind: [a for a, b in zip(used, params, strict=True) if b == kind] for kind in "nsf"
        }
        scope = Scope(by_kind["n"], by_kind["s"], by_kind["f"], state=state, effects=effects)
        lines = [f"def {name}({', '.join(head)}):"]
        lines += self.block(scope, 2, "    ", 0)
        makes = {"n": self.number, "s": self.cards, "f": self.real, "b": self.test}
        if gives in makes and self.maybe(0.3):
            lines += [f"    if {self.test(scope, 2)}:", f"        return {makes[gives](scope, 2)}"]
        parts = [f"({makes[one](scope, 3)})" for one in gives]
        if gives == "b":
            parts = [f"bool({parts[0]})"]
        if parts:
            lines.append(f"    return {', '.join(parts)}")
        self.helpers.append(Helper(name, params, gives, state, effects))
        return lines

    def game(self) -> str:
        """Return the game's file."""
        parts = [self.helper(number) for number in range(self.chance.randint(4, 8))]
        helpers = "\n\n\n".join("\n".join(lines) for lines in parts)
        scope = Scope(["card"], seats=["seat"], cards=["card"])
        apply = "\n".join(self.block(scope, 3, "    ", 0) + self.block(scope, 3, "    ", 0))
        pick = Scope(["choice"], seats=["seat"])
        applied = "\n".join(self.block(pick, 2, "    ", 0))
        mind = Scope(["s.kept_[seat]"], ["moves"], seats=["seat"], stream="SEAT(seat)", policy=True)
        thought = "\n".join(self.block(mind, 2, "    ", 0))
        picks = self.cards(Scope([], seats=["seat"], effects=False), 2)
        asks = self.chance.choice(["rank(card) & 1", "card & 3 == 1", "below(s, CHANCE, 4) == 0"])
        asks = asks if self.has_suits else "card & 3 == 1"
        return f'''"""Random: a game for tests."""

import tables
from simcore.language import *

deck = {self.deck}
players = 2, 4
size = option({self.chance.randint(1, 4)}, 1, 5, "cards dealt")
way = option("low", ("low", "high"), "which way")
(PICK,) = decisions("PICK")
TABLE = [5, -3, 8, 1, 0]
ROWS = [[1, 2], [3, 4], [-5, 6]]
FEW = {{1, 3, 8}}


class State:
    stock = hidden(all_cards)
    hand = own(cards)
    laid = shown(cards)
    pile = shown(cards, per=seat)
    noted = shown(cardset)
    sums = shown(number, per=seat, many=3)
    mark = shown(number, per=seat, start=2)
    last = shown(number)
    kept_ = memory(number)


{helpers}


def deal(s):
    for one in seats():
        draw(s.stock, s.hand[one], size)
        draw(s.stock, s.pile[one])
    s.last = 0
    s.noted = set()
    for one in seats():
        s.sums[one][0] = s.sums[one][1] = s.sums[one][2] = 0


def legal(s, seat):
    return s.hand[seat]{self.among("", " or s.hand[seat]", " & all_cards")}


def apply(s, seat, card):
    move(card, s.hand[seat], s.laid)
{apply}
    if {asks}:
        ask(s, seat, PICK)


def legal_pick(s, seat):
    return {{{self.card()}, {self.card()}, 40}} | ({picks})


def apply_pick(s, seat, choice):
{applied}
    s.sums[seat][0] ^= choice


def ended(s, seat):
    return s.steps >= size * players


def score(s):
    for one in seats():
        s.points[one] = (s.sums[one][0] - s.sums[one][1] ^ s.sums[one][2]) & 65535
        s.points[one] += len(s.pile[one]) + s.mark[one] + s.last + len(s.noted)


def match_over(s):
    return s.round_number >= 2


@policy
def thinker(s, seat, moves):
    """A random thought."""
{thought}
    s.kept_[seat] = (s.kept_[seat] + {self.number(mind, 2)}) & 255
    return nth(moves, ({self.number(mind, 3)}) % len(moves))
'''

    def wrapped(self) -> str:
        """Return a file of rules that changes the game."""
        scope = Scope(["card"], seats=["seat"], cards=["card"])
        self.helpers = []
        before, after = (self.block(scope.copy(), 2, "    ", 0) for _ in range(2))
        text = "\n".join([*before, "    usual(s, seat, card)", *after])
        return f'''"""Changed."""

import tables
from simcore.language import *

game = "rules.py"
more = option(True, "more")
TABLE = [5, -3, 8, 1, 0, 77]
ROWS = [[1, 2], [3, 4], [-5, 7]]
FEW = {{2, 5}}
counted = measure("cards", per=card)
by_seat = measure("seats", per=seat)


class State:
    further = shown(number)


def apply(usual, s, seat, card):
{text}
    s.further += more


@at("before", MOVE)
def count_it(s, seat, card):
    s.count.counted[card] += 1
    s.count.by_seat[seat] += s.further
'''

    def write(self, folder: Path) -> str:
        """Write all files; return the name of the game."""
        table = [self.chance.randint(-9, 9) for _ in range(7)]
        if self.maybe(0.5):
            table[:5] = [5, -3, 8, 1, 0]  # one begins as the other
        (folder / "tables.py").write_text(f"TABLE = {table}\n")
        (folder / "rules.py").write_text(self.game(), encoding="utf-8")
        if self.maybe(0.25):
            (folder / "more.py").write_text(self.wrapped(), encoding="utf-8")
            return f"{folder / 'rules.py'}+{folder / 'more.py'}"
        return str(folder / "rules.py")
