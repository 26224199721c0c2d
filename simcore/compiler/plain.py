"""Rules run as ordinary Python, with everything checked: what compiled code must agree with.

Functions keep their text but for a few pieces: displays of sets become sets of cards, `<<` and `*`
stay within 64 bits, loops are counted, and cards are moved between places that are named. A match
played like this is a thousand times slower than compiled; it is for replays, tests and searches
from outside, and for the first matches of a file that somebody has just written.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np

from simcore import language, rng
from simcore.compiler.program import MADE, NOTHING, USUAL_ROUNDS, Program, Routine, program_of
from simcore.errors import InputError, PolicyError
from simcore.events import PASS, Event, MatchEnd, RoundEnd, RoundStart, State, Step
from simcore.game import Game
from simcore.jit import is_builtin
from simcore.language import WORDS, Decision, Dial, Stream
from simcore.options import Options, show_all
from simcore.rng import MASK, below, below_from, next_word, opened

MATCH_OVER, ROUND_OVER = 0, 1

MOST_STEPS = 50_000
"""Decisions after which a match is taken for one without end."""

MOST_LOOPS = 1_000_000
"""Turns of loops in one step, after which it is taken not to end: about a second. Choosing among
the sets of a deck of DN-UP with many equal values has taken 64,000."""

_ASKED_BY = {"go_on": "next_seat", "deal_simple": "deal"}
"""Of a game of turns: which of its steps names the seat that the usual rounds ask."""

_PURPOSE = {"DEAL": rng.DEAL, "CHANCE": rng.CHANCE, "MATCH": rng.MATCH}

ROW_BITS = 32
"""How many a row has for a total or a count."""

Chooser = Callable[[Any, Any, tuple[int, ...]], int]


class RuleError(InputError):
    """Rules did what they may not; the message has file, line, match and position."""


class Wrong(Exception):  # noqa: N818, RUF100
    """Rules do what they may not."""


def signed(word: int) -> int:
    """Return a word of 64 bits as an int64."""
    word &= MASK
    return word - (1 << 64) if word >> 63 else word


class Cards:
    """A set of cards; never changed."""

    __slots__ = ("word",)

    def __init__(self, word: int = 0) -> None:
        self.word = word

    @classmethod
    def of(cls, cards: Iterable[int]) -> Cards:
        """Return the set of some cards."""
        word = 0
        for card in cards:
            if not 0 <= card < 256:
                raise Wrong(f"there is no card {card}; a set without any is set()")
            word |= 1 << card
        return cls(word)

    def __iter__(self) -> Iterator[int]:
        word = self.word
        while word:
            yield (word & -word).bit_length() - 1
            word &= word - 1

    def __contains__(self, card: int) -> bool:
        return card >= 0 and bool(self.word >> card & 1)

    def __len__(self) -> int:
        return self.word.bit_count()

    def __bool__(self) -> bool:
        return self.word != 0

    def __eq__(self, other: object) -> bool:
        return isinstance(other, (Cards, set, frozenset)) and self.word == _word_of(other)

    def __hash__(self) -> int:
        return hash(self.word)

    def __or__(self, other: Any) -> Cards:
        return Cards(self.word | _word_of(other))

    def __and__(self, other: Any) -> Cards:
        return Cards(self.word & _word_of(other))

    def __sub__(self, other: Any) -> Cards:
        return Cards(self.word & ~_word_of(other))

    def __xor__(self, other: Any) -> Cards:
        return Cards(self.word ^ _word_of(other))

    __ror__, __rand__, __rxor__ = __or__, __and__, __xor__

    def __repr__(self) -> str:
        return f"{{{', '.join(map(str, self))}}}"


def _word_of(cards: Any) -> int:
    if isinstance(cards, Cards):
        return cards.word
    if isinstance(cards, (set, frozenset)):
        return sum(1 << card for card in cards)
    raise Wrong(f"{cards!r} is no set of cards; the set of one card is {{card}}")


def _in_words(error: Exception) -> str:
    """Return what went wrong, where Python's own words do not say what to write."""
    if isinstance(error, UnboundLocalError):
        name = str(error).split("'")[1]
        return f"`{name}` has no value yet; give it one before the `if` or the loop"
    if isinstance(error, NameError):
        return f"unknown name `{error.name}`"
    if isinstance(error, ZeroDivisionError):
        return "a division by zero; ask first whether it is one"
    if isinstance(error, ValueError) and "empty" in str(error):
        return "the least or most of nothing; ask first whether there is any"
    return str(error)


class Checked(list):  # type: ignore[type-arg]
    """Numbers or sets by index: from 0, never from the end, none beyond."""

    def __getitem__(self, index: Any) -> Any:
        if not isinstance(index, slice) and not 0 <= index < len(self):
            raise Wrong(_outside(index, len(self)))
        return super().__getitem__(index)

    def __setitem__(self, index: Any, value: Any) -> None:
        if not 0 <= index < len(self):
            raise Wrong(_outside(index, len(self)))
        old = super().__getitem__(index)
        super().__setitem__(index, _fitting(old, value, self.bits))

    bits = 64
    """How many each number has."""


class Totals(Checked):
    """Numbers that are written to rows, as 32 bits."""

    bits = ROW_BITS


def _outside(index: Any, count: int) -> str:
    return f"[{index}] of {count}: indices go from 0 to {count - 1}"


def _fitting(old: Any, value: Any, bits: int = 64) -> Any:
    if isinstance(old, Cards):
        return value if isinstance(value, Cards) else Cards(_word_of(value))
    if isinstance(value, (bool, np.bool_)):
        return int(value)
    if type(value) is not int:
        if isinstance(value, (int, np.integer)):
            value = int(value)
        else:
            raise Wrong(
                f"{value!r} is no whole number, and the state holds no others; write int(…)"
            )
    if not -(1 << bits - 1) <= value < 1 << bits - 1:
        raise Wrong(f"{value} is beyond {bits} bits")
    return value


def _within(value: Any) -> Any:
    """Return a number that compiled code can hold, too."""
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 63:
        raise Wrong(f"{value} is beyond 64 bits")
    return value


def checked(value: Any) -> Any:
    """Return a table of which every index is checked, a set as one of cards."""
    if isinstance(value, (set, frozenset)):
        return Cards.of(value)
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return Checked(checked(each) for each in value)
    return value


class Counts:
    """The counts of a match, by name."""

    __slots__ = ("numbers",)

    numbers: dict[str, int]

    def __init__(self, numbers: dict[str, int]) -> None:
        object.__setattr__(self, "numbers", numbers)

    def __getattr__(self, name: str) -> Any:
        if name in self.numbers:
            return self.numbers[name]
        if f"{name}_0" in self.numbers:
            return CountsOf(self.numbers, name)
        raise Wrong(f"no count `{name}`; there are {', '.join(self.numbers)}")

    def __setattr__(self, name: str, value: int) -> None:
        if name not in self.numbers:
            raise Wrong(f"no count `{name}`; there are {', '.join(self.numbers)}")
        self.numbers[name] = _fitting(0, value, ROW_BITS)

    def __deepcopy__(self, _memo: Any) -> Counts:
        return Counts(dict(self.numbers))


class CountsOf:
    """The counts of one name, for each card or seat."""

    def __init__(self, numbers: dict[str, int], name: str) -> None:
        self.numbers, self.name = numbers, name

    def _key(self, index: int) -> str:
        key = f"{self.name}_{index}"
        if key not in self.numbers:
            raise Wrong(f"[{index}] of the counts `{self.name}`")
        return key

    def __getitem__(self, index: int) -> int:
        return self.numbers[self._key(index)]

    def __setitem__(self, index: int, value: int) -> None:
        self.numbers[self._key(index)] = _fitting(0, value, ROW_BITS)


class S:
    """The state of a match; fields as declared, those of `program.ENGINE_FIELDS`, and `count`."""

    def __init__(self, program: Program, players: int, options: Options) -> None:
        put = self.__dict__
        put["players"] = players
        put["options"] = options
        for name, field in program.fields.items():
            zero: Any = Cards() if program.is_set(field.kind) else field.start
            one = Checked([zero] * field.many) if field.many else zero
            kind = Totals if name in ("scores", "deficits") else Checked
            put[name] = kind(copy.copy(one) for _ in range(players)) if field.per_seat else one
        put["count"] = Counts(dict.fromkeys(program.metrics, 0))
        put["streams"] = {}

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise Wrong(f"the state has no `{name}`")

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__:
            raise Wrong(f"the state has no `{name}`")
        old = self.__dict__[name]
        value = value if isinstance(old, list) else _fitting(old, value)
        if name in ("seat", "first_seat") and not 0 <= value < self.players:
            raise Wrong(
                f"s.{name} = {value} of {self.players} players: from 0 to {self.players - 1}"
            )
        if name == "aborted" and value not in (0, 1):
            raise Wrong(f"s.aborted = {value}: 0 or 1; abort(s) ends a match without a winner")
        self.__dict__[name] = value

    def copy(self) -> S:
        """Return the state as it is now, which later moves do not change."""
        other = S.__new__(S)
        for name, value in self.__dict__.items():
            if isinstance(value, Checked):
                one = type(value)(Checked(v) if isinstance(v, Checked) else v for v in value)
                other.__dict__[name] = one
            elif name == "streams":
                other.__dict__[name] = {key: list(words) for key, words in value.items()}
            elif isinstance(value, Counts):
                other.__dict__[name] = Counts(dict(value.numbers))
            else:
                other.__dict__[name] = value
        return other


# --------------------------------------------------------------------------------------- rewriting


_OPERATORS: Mapping[type[ast.operator], str] = {
    ast.Add: "add_",
    ast.Sub: "sub_",
    ast.Mult: "mul_",
    ast.FloorDiv: "floor_",
    ast.LShift: "shl_",
    ast.RShift: "right_",
}
"""Operators of which the result may be beyond 64 bits, or that have bounds."""


class _Rewrite(ast.NodeTransformer):
    """Makes of a function's tree what is run as ordinary Python."""

    def __init__(self, program: Program, routine: Routine) -> None:
        self.program, self.routine = program, routine

    def place(self, node: ast.AST) -> ast.expr:
        """Return an expression that names a place: ("hand", seat)."""
        base: Any = node
        indices: list[ast.expr] = []
        while isinstance(base, ast.Subscript):
            indices.insert(0, self.visit(base.slice))
            base = base.value
        field = self.program.fields.get(base.attr) if isinstance(base, ast.Attribute) else None
        if field is None or not self.program.is_place(field.kind):
            raise self.routine.refuse(node, f"{ast.unparse(node)} is no place of cards")
        parts = [ast.Constant(base.attr), *indices]
        return ast.copy_location(ast.Tuple(parts, ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> Any:
        value = self.meaning(node.func)
        name = WORDS.get(value) if isinstance(value, FunctionType) else None
        if name in ("move", "draw", "bring"):
            wanted = {"move": (1, 2), "draw": (0, 1), "bring": (1,)}[name]
            if len(node.args) <= wanted[-1]:
                raise self.routine.refuse(node, f"{name} takes more: see the reference")
            args = [
                self.place(arg) if index in wanted else self.visit(arg)
                for index, arg in enumerate(node.args)
            ]
            state = ast.Name("s", ast.Load())
            made = ast.Call(ast.Name(f"{name}_", ast.Load()), [state, *args], [])
            return ast.copy_location(made, node)
        if isinstance(node.func, ast.Name) and node.func.id == "set" and not node.args:
            made = ast.Call(ast.Name("set_", ast.Load()), [ast.Tuple([], ast.Load())], [])
            return ast.copy_location(made, node)
        return self.generic_visit(node)

    def meaning(self, node: ast.AST) -> Any:
        return self.routine.space.get(node.id) if isinstance(node, ast.Name) else None

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        text = ast.unparse(node)
        if text in self.routine.calls:
            return ast.copy_location(
                ast.Name(self.routine.calls[text].name + "__", ast.Load()), node
            )
        return self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> Any:
        self.generic_visit(node)
        inner = ast.Tuple(node.elts, ast.Load())
        return ast.copy_location(ast.Call(ast.Name("set_", ast.Load()), [inner], []), node)

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        self.generic_visit(node)
        inner = ast.GeneratorExp(node.elt, node.generators)
        return ast.copy_location(ast.Call(ast.Name("set_", ast.Load()), [inner], []), node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        if name is None:
            return node
        made = ast.Call(ast.Name(name, ast.Load()), [node.left, node.right], [])
        return ast.copy_location(made, node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.USub) or isinstance(node.operand, ast.Constant):
            return node
        zero = ast.copy_location(ast.Constant(0), node)
        made = ast.Call(ast.Name("sub_", ast.Load()), [zero, node.operand], [])
        return ast.copy_location(made, node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Rewrite what is checked: where it stands, and what it had, come before the value."""
        self.refuse_place(node.target)
        self.generic_visit(node)
        name, target = _OPERATORS.get(type(node.op)), node.target
        if name is None:
            return node
        if isinstance(target, ast.Subscript):
            found = ast.Call(ast.Name("at_", ast.Load()), [target.value, target.slice], [])
            given = [found, ast.Name(name, ast.Load()), node.value]
            put: ast.stmt = ast.Expr(ast.Call(ast.Name("put_", ast.Load()), given, []))
            return ast.fix_missing_locations(ast.copy_location(put, node))
        old = ast.parse(ast.unparse(target), mode="eval").body
        made = ast.Call(ast.Name(name, ast.Load()), [old, node.value], [])
        put = ast.copy_location(ast.Assign([target], made), node)
        for part in ast.walk(put):
            ast.copy_location(part, node)
        return put

    def visit_Assign(self, node: ast.Assign) -> Any:
        for target in node.targets:
            for one in target.elts if isinstance(target, ast.Tuple) else [target]:
                self.refuse_place(one)
        return self.generic_visit(node)

    def refuse_place(self, target: ast.expr) -> None:
        base = target
        while isinstance(base, ast.Subscript):
            base = base.value
        if not (isinstance(base, ast.Attribute) and ast.unparse(base.value) == "s"):
            return
        field = self.program.fields.get(base.attr)
        if field is not None and self.program.is_place(field.kind):
            raise self.routine.refuse(
                target,
                f"{ast.unparse(target)} holds cards: they go from one place to another by move() "
                "or draw() only, so that none is lost",
            )

    def _counted(self, node: Any) -> Any:
        self.generic_visit(node)
        tick = ast.Expr(ast.Call(ast.Name("tick_", ast.Load()), [], []))
        node.body.insert(0, ast.copy_location(tick, node))
        return node

    visit_While = visit_For = _counted


class Plain:
    """A program's functions as ordinary Python, for one table of options.

    Attributes
    ----------
    functions : dict of callables
        The steps by name, and what `add` made of further functions.
    told : list
        What policies told of their last decision (`because`, `weigh`).
    """

    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.players = int(options["players"])  # type: ignore[arg-type]
        self.told: list[tuple[str, Any]] = []
        self.seed = self.loops = 0
        self.aside = False
        values = program.option_values(options)
        for name, words in program.option_words.items():
            if name in values:
                values[name] = words[values[name]]
        deck = program.deck
        self.most_moves = 64 * -(-int(values.get("places", deck.places if deck else 64)) // 64)
        self.numbers = 256 if "places" in values else self.most_moves
        self.values = {name: checked(value) for name, value in values.items()}
        self.o = language_options(self.values)
        self._words = self._meanings()
        self._spaces: dict[int, dict[str, Any]] = {}
        self._made: dict[str, Any] = {}
        self.functions = {name: self.made(one) for name, one in program.steps.items()}

    def add(self, function: Any) -> Any:
        """Return a further function (a policy) as ordinary Python."""
        return self.made(self.program.routine(function))

    def made(self, one: Routine) -> Any:
        """Return a routine as a function, with all that it calls."""
        if one.name in self._made:
            return self._made[one.name]
        space = self._space(one)
        for text, callee in one.calls.items():
            function = self.made(callee)
            space[callee.name + "__" if "." in text else text] = function
        if one.plain is None:
            tree = _Rewrite(self.program, one).visit(copy.deepcopy(one.tree))
            tree.returns = None
            for argument in tree.args.args:
                argument.annotation = None
            module = ast.fix_missing_locations(ast.Module([tree], []))
            one.plain = compile(module, one.file, "exec")
        local: dict[str, Any] = {}
        exec(one.plain, space, local)  # noqa: S102 (the game's own text)
        self._made[one.name] = local[one.tree.name]
        return self._made[one.name]

    def _space(self, one: Routine) -> dict[str, Any]:
        key = id(one.space)
        if key not in self._spaces:
            space = self._spaces[key] = dict(self._words)
            for name, value in one.space.items():
                space[name] = self._bound(name, value)
            if self.program.space.get("players") is not None:
                space["players"] = self.players
        return self._spaces[key]

    def _bound(self, name: str, value: Any) -> Any:
        if isinstance(value, FunctionType) and value in WORDS:
            return self._words[WORDS[value]]
        if value is language.o:
            return self.o
        if value is language.all_cards:
            return self._words["all_cards"]
        if isinstance(value, Dial):
            return self.values[name]
        if isinstance(value, Decision) and value.name in self.program.decisions:
            return self.program.decision_number(value)
        if isinstance(value, (list, tuple, np.ndarray, set, frozenset)):
            return checked(value)
        if isinstance(value, np.integer):
            return int(value)
        return value

    # ----------------------------------------------------------------------------------- words

    def stream(self, s: S, stream: Any) -> list[int]:
        """Return a stream of the match, opened where it was not yet."""
        name, index = (stream.name, 0) if isinstance(stream, Stream) else stream
        key: Any = (name, index)
        if name == "SEAT" and self.aside:
            key = ("ASIDE SEAT", index)
        if key not in s.streams:
            number, purpose = s.round_number, _PURPOSE.get(name, 0)
            if name == "MATCH":
                number = 0
            elif name == "SEAT":
                number += rng.ASIDE if self.aside else 0
                purpose = rng.FIRST_SEAT_STREAM + index
            elif name == "ASIDE":
                raise Wrong(
                    f"the stream {name} is not open; rules draw from DEAL and CHANCE, policies "
                    "from SEAT(seat)"
                )
            s.streams[key] = opened(self.seed, s.match_number, number, purpose)
        return s.streams[key]  # type: ignore[no-any-return]

    def _meanings(self) -> dict[str, Any]:
        players, deck, program = self.players, self.program.deck, self.program
        clauses = {clause.name: 1 << bit for bit, clause in enumerate(program.game.clauses)}

        def note_if(s: S, clause: str, condition: Any) -> None:
            if clause not in clauses:
                raise Wrong(f"no clause {clause!r}; there are {', '.join(clauses)}")
            if condition:
                s.count.clauses |= clauses[clause]

        def ask(s: S, seat: int, decision: int) -> None:
            if not 0 <= seat < players:
                raise Wrong(
                    f"seat {seat} of {players} is asked; who sits further on is after(seat, 1)"
                )
            if decision not in program.decisions.values():
                raise Wrong(f"no decision has the number {int(decision)}")
            s.seat, s.phase = seat, int(decision)

        def end_round(s: S) -> None:
            s.phase = ROUND_OVER

        def end_match(s: S, winners: int) -> None:
            if not 0 < winners < 1 << players:
                raise Wrong(
                    f"end_match(s, {winners}): winners are bits of {players} seats, as "
                    "best_seats(s, False) or 1 << seat"
                )
            s.winners, s.phase = winners, MATCH_OVER

        def abort(s: S) -> None:
            s.winners, s.aborted, s.phase = 0, 1, MATCH_OVER

        def best_seats(s: S, lowest: Any) -> int:
            best = min(s.scores) if lowest else max(s.scores)
            return sum(1 << seat for seat in range(players) if s.scores[seat] == best)

        def note_lead_change(s: S, number: int) -> None:
            s.count.last_lead_change = number

        def note_leaders(s: S, lowest: Any, changes: str = "lead_changes") -> None:
            leaders = best_seats(s, lowest)
            best = min(s.scores) if lowest else max(s.scores)
            for seat in range(players):
                s.deficits[seat] = max(s.deficits[seat], abs(best - s.scores[seat]))
            if leaders != s.leaders:
                if s.leaders and changes in program.metrics:
                    setattr(s.count, changes, getattr(s.count, changes) + 1)
                s.count.last_lead_change = s.round_number
            s.leaders = leaders

        def after(seat: int, steps: int) -> int:
            if not -players <= steps <= players:
                raise Wrong(
                    f"after(seat, {steps}) of {players} players: from {-players} to {players}"
                )
            return (seat + steps) % players

        def place_text(place: tuple[Any, ...]) -> str:
            return f"s.{place[0]}" + "".join(f"[{index}]" for index in place[1:])

        def at(s: S, place: tuple[Any, ...]) -> tuple[Any, Any]:
            holder: Any = s.__dict__
            for key in place[:-1]:
                holder = holder[key]
            return holder, place[-1]

        def move(s: S, what: Any, source: tuple[Any, ...], target: tuple[Any, ...]) -> None:
            cards = what if isinstance(what, Cards) else those([what])
            (a, i), (b, j) = at(s, source), at(s, target)
            if cards - a[i]:
                raise Wrong(
                    f"move() of {self.named(cards - a[i])}, not in {place_text(source)}, which has "
                    f"{self.named(a[i])}; it is move(what, where it lies, where it goes)"
                )
            a[i] = a[i] - cards
            b[j] = b[j] | cards

        def draw(s: S, source: Any, target: Any, count: int | None = None) -> int:
            (a, i), (b, j) = at(s, source), at(s, target)
            card = NOTHING
            for _ in range(1 if count is None else count):
                if not a[i]:
                    raise Wrong(
                        f"draw() from {place_text(source)}, which is empty; ask first whether "
                        "a card is left"
                    )
                card = nth(a[i], below(self.stream(s, language.DEAL), len(a[i])))
                a[i] = a[i] - Cards.of([card])
                b[j] = b[j] | Cards.of([card])
            return card

        def bring(s: S, what: Any, place: tuple[Any, ...]) -> None:
            holder, key = at(s, place)
            cards = what if isinstance(what, Cards) else those([what])
            for name, field in program.fields.items():
                for there, index in (
                    _where(s, name, NOTHING) if program.is_place(field.kind) else ()
                ):
                    if there[index] & cards:
                        raise Wrong(
                            f"bring() of {self.named(there[index] & cards)}, which lies in "
                            f"s.{name} already; move(what, from, to) moves it"
                        )
            holder[key] = holder[key] | cards

        def nth(cards: Cards, index: int) -> int:
            if not 0 <= index < len(cards):
                raise Wrong(f"nth(cards, {index}) of {len(cards)}: from 0 to {len(cards) - 1}")
            return next(card for place, card in enumerate(cards) if place == index)

        def nth_bit(word: int, index: int) -> int:
            return nth(Cards(word & MASK), index)

        def deposit(pattern: int, word: int) -> int:
            chosen = (
                1 << bit for place, bit in enumerate(Cards(word & MASK)) if pattern >> place & 1
            )
            return signed(sum(chosen))

        def extract(word: int, mask: int) -> int:
            return sum((word >> bit & 1) << place for place, bit in enumerate(Cards(mask & MASK)))

        def one_of(cards: Any, highest: bool) -> int:
            if not cards:
                raise Wrong("the lowest or highest of nothing; ask first whether there is any")
            word: int = cards.word
            return (word.bit_length() if highest else (word & -word).bit_length()) - 1

        @cache
        def of_rank(rank: int) -> Cards:
            assert deck is not None
            low = (1 << deck.shift) - 1
            return Cards.of(card for card in deck.cards if card & low == rank)

        @cache
        def of_suit(suit: int) -> Cards:
            assert deck is not None
            return Cards.of(card for card in deck.cards if suit_of(card) == suit)

        def suit_of(card: int) -> int:
            assert deck is not None
            return (card % 64 if deck.packs > 1 else card) >> deck.shift

        def kinds(cards: Cards) -> Cards:
            word = cards.word
            return Cards((word | word >> 64 | word >> 128 | word >> 192) & MASK)

        def tick() -> None:
            self.loops += 1
            if self.loops > MOST_LOOPS:
                raise Wrong(f"a loop that does not end: {MOST_LOOPS:,} turns of loops in one step")

        def multiplied(a: Any, b: Any) -> Any:
            product = a * b
            if isinstance(product, int) and not -(1 << 63) <= product < 1 << 63:
                raise Wrong(f"{a} × {b} is beyond 64 bits")
            return product

        def shifted_right(a: int, b: int) -> int:
            if b < 0:
                raise Wrong(f">> {b}: from 0 on")
            return a >> b

        def put(found: tuple[Any, Any, Any], operate: Any, value: Any) -> None:
            holder, index, old = found
            holder[index] = operate(old, value)

        def total(values: Iterable[Any]) -> Any:
            """Add one after another; Python's own `sum` of floats corrects what is rounded."""
            result: Any = 0
            for value in values:
                result = _within(result + value)
            return result

        def whole(value: Any) -> int:
            if not -(1 << 63) <= value < 1 << 63:
                raise Wrong(f"int({value}): whole numbers have 64 bits")
            return int(value)

        def drawn(s: S, stream: Any, bound: int) -> int:
            return below(self.stream(s, stream), in_bounds(bound))

        def in_bounds(bound: int) -> int:
            if bound > 1 << 32:
                raise Wrong(f"below(s, …, {bound}): from 1 to {1 << 32}")
            return bound

        def turned(s: S, stream: Any, half: int, bound: int) -> int:
            if not 0 <= half < 1 << 32:
                raise Wrong(f"below_from(s, …, {half}, …): from 0 to {(1 << 32) - 1}")
            return below_from(self.stream(s, stream), half, in_bounds(bound))

        def those(cards: Iterable[int]) -> Cards:
            cards = tuple(cards)
            for card in cards:
                if not 0 <= card < self.numbers:
                    raise Wrong(
                        f"there is no card {card}: sets of this game hold numbers from 0 to "
                        f"{self.numbers - 1}, and a set without any is set(); "
                        f"{program.instead_of_legal}"
                    )
            return Cards.of(card for card in cards if card < self.most_moves)

        def shifted(a: int, b: int) -> int:
            if not 0 <= b < 64:
                raise Wrong(f"<< {b}: from 0 to 63")
            return signed(a << b)

        def shr(word: int, places: int) -> int:
            if not 0 <= places < 64:
                raise Wrong(f"shr by {places}: from 0 to 63")
            return signed((word & MASK) >> places)

        def rotl(word: int, places: int) -> int:
            places &= 63
            return signed((word << places) | ((word & MASK) >> (64 - places)))

        def word_bits(word: int, highest: bool) -> int:
            return one_of(Cards(word & MASK), highest)

        return {
            "o": self.o,
            "all_cards": Cards(deck.all_cards) if deck else Cards(),
            "ask": ask,
            "end_round": end_round,
            "end_match": end_match,
            "abort": abort,
            "note": lambda s, clause: note_if(s, clause, True),
            "note_if": note_if,
            "note_leaders": note_leaders,
            "note_lead_change": note_lead_change,
            "best_seats": best_seats,
            "seats": lambda: range(players),
            "all_seats": lambda: (1 << players) - 1,
            "after": after,
            "below": drawn,
            "word": lambda s, stream: signed(next_word(self.stream(s, stream))),
            "uniform": lambda s, stream: (
                float(next_word(self.stream(s, stream)) >> 11) * (1.0 / 9007199254740992.0)
            ),
            "below_from": turned,
            "SEAT": lambda seat: ("SEAT", seat),
            "move_": move,
            "draw_": draw,
            "bring_": bring,
            "move": None,
            "draw": None,
            "bring": None,
            "lowest": lambda cards: one_of(cards, False),
            "highest": lambda cards: one_of(cards, True),
            "lower": lambda cards, card: Cards(cards.word & ((1 << max(card, 0)) - 1)),
            "higher": lambda cards, card: Cards(cards.word >> max(card + 1, 0) << max(card + 1, 0)),
            "nth": nth,
            "of_suit": of_suit,
            "of_rank": of_rank,
            "rank": lambda card: card & ((1 << deck.shift) - 1),  # type: ignore[union-attr]
            "suit": suit_of,
            "kinds": kinds,
            "bits": lambda cards: signed(cards.word),
            "cards_in": lambda word: Cards(word & MASK),
            "popcount": lambda word: (word & MASK).bit_count(),
            "lowest_bit": lambda word: word_bits(word, False),
            "highest_bit": lambda word: word_bits(word, True),
            "nth_bit": nth_bit,
            "deposit": deposit,
            "extract": extract,
            "shr": shr,
            "rotl": rotl,
            "rarely": lambda condition: bool(condition),
            "because": lambda reason, *values: self.told.append(("because", (reason, *values))),
            "weigh": lambda move, worth: self.told.append(("weigh", (move, float(worth)))),
            "set_": those,
            "shl_": shifted,
            "mul_": multiplied,
            "right_": shifted_right,
            "add_": lambda a, b: _within(a + b),
            "sub_": lambda a, b: _within(a - b),
            "floor_": lambda a, b: _within(a // b),
            "abs": lambda value: _within(abs(value)),
            "sum": total,
            "int": whole,
            "at_": lambda holder, index: (holder, index, holder[index]),
            "put_": put,
            "tick_": tick,
        }

    def named(self, cards: Any) -> str:
        """Return the names of some cards."""
        return self.program.deck.names(cards) if self.program.deck else str(cards)

    # ---------------------------------------------------------------------------------- playing

    def call(self, name: str, s: S, *args: Any) -> Any:
        """Run a step, if the game has it.

        Raises
        ------
        RuleError
            If it does what it may not, with file and line.
        """
        function = self.functions.get(name)
        if function is None:
            return None
        return self.run(function, s, *args)

    def run(self, function: Any, s: S, *args: Any) -> Any:
        """Run a function of rules; see `call`."""
        self.loops = 0
        try:
            return function(s, *args)
        except InputError:
            raise
        except (
            Wrong,
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            NameError,
        ) as error:
            raise self._told(error, s) from error

    def _told(self, error: Exception, s: S) -> RuleError:
        files = {
            one.file for one in self.program.routines.values() if not one.file.startswith(MADE)
        }
        trace, where = error.__traceback__, str(self.program.rules.__file__)
        while trace is not None:
            code, line = trace.tb_frame.f_code, trace.tb_lineno
            asked = _ASKED_BY.get(code.co_name) if code.co_filename == USUAL_ROUNDS else None
            if asked in self.program.usual_rounds:
                one = self.program.routine(self.program.usual_rounds[asked])
                where = str(one.refuse(None, ""))[:-2]
            if code.co_filename in files:
                source = linecache.getline(code.co_filename, line).strip()
                where = f"{code.co_filename}, line {line}, in {code.co_name}: `{source}`"
            trace = trace.tb_next
        return RuleError(
            f"{where}: {_in_words(error)} (match {s.match_number}, seed {self.seed}, round "
            f"{s.round_number}, seat {s.seat})"
        )

    def start_match(self, seed: int, match: int) -> S:
        """Return the state at the start of a match."""
        self.seed = seed
        s = S(self.program, self.players, self.options)
        s.match_number = match
        s.phase = ROUND_OVER
        self.call("start_match", s)
        return s

    def start_round(self, s: S) -> None:
        """Deal a round."""
        s.round_number += 1
        s.__dict__["streams"] = {
            key: words for key, words in s.streams.items() if key[0] == "MATCH"
        }
        for name, field in self.program.fields.items():
            if self.program.is_place(field.kind):
                full = field.kind is language.all_cards and self.program.deck
                word = self.program.deck.all_cards if full else 0  # type: ignore[union-attr]
                value: Any = Cards(word)
                one = Checked([value] * field.many) if field.many else value
                s.__dict__[name] = (
                    Checked(copy.copy(one) for _ in range(self.players)) if field.per_seat else one
                )
        self.call("deal", s)
        if self.program.is_simple and s.round_number == 1:
            s.first_seat = s.seat

    def step_name(self, kind: str, s: S) -> str:
        """Return the name of a step for what is to be decided."""
        for name, number in self.program.decisions.items():
            if number == s.phase:
                return f"{kind}_{name.lower()}"
        raise Wrong(f"no decision has the number {s.phase}")

    def moves(self, s: S) -> tuple[int, ...]:
        """Return the legal moves of the seat on turn, in their order."""
        legal = self.step_name("legal", s)
        if legal in self.functions:
            found = self.call(legal, s, s.seat)
            if not isinstance(found, Cards):
                raise self._refused(legal, f"it returned {found!r}, which is no set of moves")
            if found.word >> self.most_moves:
                raise self._refused(
                    legal,
                    f"it returned {found!r}; moves are numbers below {self.most_moves}; "
                    f"{self.program.instead_of_legal}",
                )
            return tuple(found)
        count = self.call(self.step_name("count", s), s, s.seat)
        nth = self.step_name("nth", s)
        return tuple(self.call(nth, s, s.seat, index) for index in range(count))

    def _refused(self, step: str, why: str) -> RuleError:
        return RuleError(str(self.program.steps[step].refuse(None, why)))

    def moves_as_given(self, s: S, moves: Sequence[int]) -> Any:
        """Return the legal moves as policies get them: a set, or how many they are."""
        return Cards.of(moves) if self.step_name("legal", s) in self.functions else len(moves)

    def apply(self, s: S, move: int) -> None:
        """Carry out a legal move."""
        seat, before = s.seat, s.phase
        s.phase = NOTHING
        self.call(f"apply_{self.decision_name(before)}", s, seat, move)
        if self.program.is_simple and s.phase == NOTHING:
            self.run(self.made(self.program.go_on), s, seat)
        if s.phase == NOTHING:
            raise RuleError(
                f"step apply_{self.decision_name(before)} of {self.program.game.name} asks nobody, "
                f"and ends neither round nor match (match {s.match_number}, seed {self.seed})"
            )

    def decision_name(self, phase: int) -> str:
        """Return the name of a decision as steps have it."""
        return next(n.lower() for n, number in self.program.decisions.items() if number == phase)

    def random_move(self, s: S, moves: Sequence[int]) -> int:
        """Return one of the legal moves as uniform random play chooses it."""
        own = self.step_name("random", s)
        if own in self.functions:
            return int(self.call(own, s, s.seat, self.moves_as_given(s, moves)))
        return moves[below(self.stream(s, ("SEAT", s.seat)), len(moves))]

    def choice(self, one: Any, s: S, moves: Sequence[int]) -> int:
        """Return what a policy (`blocks.SeatPolicy`) chooses."""
        function = one.function_for(self.decision_name(s.phase).upper())
        if function is None:
            return self.random_move(s, moves)
        routine = self.program.routine(function)
        weights = [float(one.values[name]) for name in routine.params[3:]]
        given = self.moves_as_given(s, moves)
        return int(self.run(self.made(routine), s, s.seat, given, *weights))

    def is_aside(self, s: S) -> bool:
        """Tell whether a decision draws from a stream of its own (`match.ask_on_turn`)."""
        aside = self.program.space.get("ASIDE_DECISIONS", ())
        own = self.step_name("is_aside", s)
        return s.phase in [self.program.decision_number(one) for one in aside] or bool(
            self.call(own if own in self.functions else "is_aside", s, s.seat)
        )

    def deal_unseen(self, s: S, seat: int, words: Sequence[int]) -> None:
        """Deal anew what a seat cannot see, each possible deal with the same probability.

        Parameters
        ----------
        s : S
            Modified in place.
        seat : int
        words : sequence of int
            Two that a stream of random numbers starts from, not both 0.
        """
        stream = s.streams["ASIDE", 0] = [word & MASK for word in words]
        if "deal_unseen" in self.functions:
            self.call("deal_unseen", s, seat)
            return
        places: list[tuple[Any, Any, int]] = []
        pool = Cards()
        for name, field in self.program.fields.items():
            if field.sees in ("hidden", "own"):
                if not self.program.is_place(field.kind):
                    raise RuleError(
                        f"game {self.program.game.name} needs a step `deal_unseen(s, seat)`: "
                        f"nothing else tells how to deal s.{name} anew"
                    )
                for holder, key in _where(s, name, seat if field.sees == "own" else NOTHING):
                    places.append((holder, key, len(holder[key])))
                    pool, holder[key] = pool | holder[key], Cards()
        for holder, key, size in places:
            for _ in range(size):
                card = list(pool)[below(stream, len(pool))]
                pool, holder[key] = pool - Cards.of([card]), holder[key] | Cards.of([card])

    def score_round(self, s: S) -> None:
        """Score a round that is over."""
        self.call("score_round", s)

    def finish_match(self, s: S) -> None:
        """Note what only the end of a match tells."""
        self.call("finish_match", s)
        behind = [s.deficits[seat] for seat in range(self.players) if s.winners >> seat & 1]
        s.count.comeback = max(behind, default=0)


def _where(s: S, name: str, left_out: int) -> Iterator[tuple[Any, Any]]:
    """Yield the holder and key of each set of a field, but for those of one seat."""
    value = s.__dict__[name]
    if not isinstance(value, Checked):
        yield s.__dict__, name
        return
    for index, one in enumerate(value):
        if index != left_out:
            inner = isinstance(one, Checked)
            yield from ((one, k) for k in range(len(one))) if inner else [(value, index)]


def language_options(values: Mapping[str, Any]) -> Any:
    """Return `o`: option values read as attributes."""
    return _O(dict(values))


class _O:
    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)

    def __getattr__(self, name: str) -> Any:
        raise Wrong(f"no option `{name}`; there are {', '.join(self.__dict__)}")


class Match:
    """A match under way as ordinary Python, event by event.

    Parameters
    ----------
    cell : batch.Cell
    match : int
    rotation : int
    choose : callable, optional
        Decides in place of the policies, given the state (twice) and the legal moves.
    """

    def __init__(
        self, cell: Any, match: int, *, rotation: int = 0, choose: Chooser | None = None
    ) -> None:
        self.cell, self.match, self.rotation, self.choose = cell, match, rotation, choose
        self.plain = Plain(program_of(cell.game), cell.options)
        self.players = cell.rotated(rotation)
        if choose is None:
            for player in self.players:
                self.plain.program.remember(player.seat_policy(cell.options))
        self.s = self.plain.start_match(cell.seed, match)

    def __iter__(self) -> Iterator[Event]:
        return self.events()

    def events(self, *, copies: bool = True) -> Iterator[Event]:
        """Play the match from its start; without `copies` events show the state as it goes on."""
        self._copying = copies
        plain, s, steps = self.plain, self.s, 0
        while s.phase != MATCH_OVER:
            plain.start_round(s)
            yield RoundStart(*self._copies())
            while s.phase > ROUND_OVER:
                steps += 1
                if steps > MOST_STEPS:
                    raise self._endless()
                yield self.step()
            if s.phase == ROUND_OVER:
                before = self._copies()
                plain.score_round(s)
                yield RoundEnd(*before, State(*self._copies()))
        plain.finish_match(s)
        yield MatchEnd(*self._copies())

    def _endless(self) -> RuleError:
        s = self.s
        ends = "match_over" if self.plain.program.is_simple else "end_match"
        return RuleError(
            f"{self.cell.game.name}: a match does not end: {MOST_STEPS:,} decisions in "
            f"{s.round_number:,} rounds, scores {list(s.scores)}; what lets it end is `{ends}` "
            f"(match {self.match}, seed {self.cell.seed}, round {s.round_number}, seat {s.seat})"
        )

    def step(self) -> Step:
        """Play one decision."""
        moves = self.plain.moves(self.s)
        before = self._copies()
        move = self._decide(moves)
        self.plain.apply(self.s, move)
        return Step(*before, moves, move, State(*self._copies()))

    _copying = True

    def _copies(self) -> tuple[S]:
        return (self.s.copy() if self._copying else self.s,)

    @property
    def told(self) -> list[tuple[str, Any]]:
        """What the policy asked last told of its decision."""
        return self.plain.told

    @property
    def names(self) -> tuple[str, ...]:
        """Who sits where: "seat 0 (greedy)"."""
        return tuple(f"seat {seat} ({player})" for seat, player in enumerate(self.players))

    def write(self, out: Sequence[Any], row: int) -> None:
        """Write the match's row to the columns of a block."""
        s, (first_seat, winners, aborted, scores, metrics) = self.s, out
        first_seat[row], winners[row], aborted[row] = s.first_seat, s.winners, s.aborted
        scores[:, row] = list(s.scores)
        metrics[:, row] = list(s.count.numbers.values())

    def _decide(self, moves: tuple[int, ...]) -> int:
        s = self.s
        if len(moves) < 2:
            s.count.forced += len(moves)
            return moves[0] if moves else PASS
        s.count.decisions += 1
        if self.choose is not None:
            move = self.choose(s, s, moves)
            if move not in moves:
                raise ValueError(f"move {move} is not legal; allowed: {moves}")
            return move
        move = self.ask(moves)
        if move not in moves:
            raise PolicyError(self._illegal(move, moves))
        return move

    def _illegal(self, move: int, moves: Sequence[int]) -> str:
        words = self.cell.game.words()
        legal = ", ".join(
            f"{one} ({words.move_in_words(self.s, self.s.seat, one)})" for one in moves
        )
        return (
            f"{self._line()}{self.place()} returned {move}, which is no legal move; legal: {legal}"
        )

    def _line(self) -> str:
        """Return where the function of a user's policy stands that was asked."""
        asked = self.players[self.s.seat].seat_policy(self.cell.options)
        function = asked.function_for(self.plain.decision_name(self.s.phase).upper())
        if function is None or is_builtin(function):
            return ""
        routine = self.plain.program.routine(function)
        return f"{routine.file}, line {routine.tree.lineno}, in {routine.tree.name}: "

    def place(self) -> str:
        """Return the policy of the seat on turn, with the game, match, seat and options."""
        s, cell = self.s, self.cell
        return (
            f"policy {str(self.players[s.seat])!r} of {cell.game.name} (match {self.match}, "
            f"seed {cell.seed}, seat {s.seat}, round {s.round_number}; "
            f"{show_all(cell.options)})"
        )

    def ask(self, moves: tuple[int, ...], position: S | None = None) -> int:
        """Return what the policy of the seat on turn chooses, here or at another position."""
        plain, s = self.plain, position or self.s
        one = self.players[s.seat].seat_policy(self.cell.options)
        plain.told.clear()
        plain.aside = plain.is_aside(s)
        try:
            if one.rollout is not None:
                from simcore.compiler.blocks import searched

                return searched(self.cell, self.rotation, plain, s)
            return plain.choice(one, s, moves)
        finally:
            plain.aside = False

    def row(self) -> dict[str, int]:
        """Return the columns of the match as it stands, as in the row of a block."""
        s = self.s
        row = {
            "match": self.match,
            "rotation": self.rotation,
            "first_seat": s.first_seat,
            "winners": s.winners,
            "aborted": s.aborted,
        }
        row |= {f"score_{seat}": s.scores[seat] for seat in range(plain_players(self))}
        counts: dict[str, int] = s.count.numbers
        return row | counts


def plain_players(match: Match) -> int:
    """Return how many play."""
    return match.plain.players


def position(game: Game, options: Mapping[str, object], **fields: Any) -> tuple[Plain, S]:
    """Return a state with some fields set, at the first round, and what plays on from it."""
    plain = Plain(program_of(game), game.resolve(options))
    s = plain.start_match(0, 0)
    s.round_number = 1
    for name, value in fields.items():
        target = s.__dict__[name]
        if isinstance(target, Checked):
            for index, one in enumerate(value):
                target[index] = _as_set(target[index], one)
        else:
            setattr(s, name, _as_set(target, value))
    return plain, s


def _as_set(old: Any, value: Any) -> Any:
    if isinstance(old, Cards) and not isinstance(value, Cards):
        return Cards(value) if isinstance(value, int) else Cards.of(value)
    return value
