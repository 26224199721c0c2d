"""Run rules as ordinary Python, with everything checked: the oracle of compiled code.

Functions keep their text but for a few pieces: displays of sets become sets of cards, `<<` and `*`
stay within 64 bits, loops are counted, and cards are moved between places that are named. A match
played like this is a thousand times slower than compiled; it is for replays, tests and searches
from outside, and for the first matches of a file that somebody has just written.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from types import FunctionType
from typing import Any

import numpy as np

from simcore import language
from simcore.compiler.plain_words import MOVING, Words
from simcore.compiler.program import MADE, USUAL_ROUNDS, Program, Routine, program_of
from simcore.compiler.state import (
    MATCH_OVER,
    ROUND_OVER,
    Cards,
    OptionValues,
    Pile,
    S,
    Wrong,
    checked,
    no_cards,
)
from simcore.compiler.usual_rounds import NOTHING
from simcore.errors import InputError, PolicyError
from simcore.events import PASS, Event, MatchEnd, RoundEnd, RoundStart, State, Step
from simcore.jit import is_builtin
from simcore.language import WORDS, Decision, Dial
from simcore.options import Options, show_all
from simcore.rng import MASK, below

MOST_STEPS = 50_000
"""Decisions after which a match is taken for one without end."""

_ASKED_BY = {"go_on": "next_seat", "deal_simple": "deal"}
"""Of a game of turns: which of its steps names the seat that the usual rounds ask."""

Chooser = Callable[[Any, Any, tuple[int, ...]], int]

_MISTAKES = (
    Wrong,
    ArithmeticError,
    AttributeError,
    LookupError,
    NameError,
    TypeError,
    ValueError,
)
"""What rules raise that do what they may not."""


class RuleError(InputError):
    """Rules did what they may not; the message has file, line, match and position."""


def _in_words(error: Exception) -> str:
    """Return an error in words that say what to write instead."""
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


def _call(node: ast.expr | ast.stmt, name: str, *args: ast.expr) -> ast.Call:
    """Return the call of a word of `plain_words` that takes the place of a node."""
    call = ast.Call(ast.Name(name, ast.Load()), list(args), [])
    return ast.fix_missing_locations(ast.copy_location(call, node))


class _Rewrite(ast.NodeTransformer):
    """Rewrites a function's tree so that operators, sets and moves are checked."""

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
        return ast.copy_location(ast.Tuple([ast.Constant(base.attr), *indices], ast.Load()), node)

    def visit_Call(self, node: ast.Call) -> Any:
        function = node.func
        value = self.routine.space.get(function.id) if isinstance(function, ast.Name) else None
        name = WORDS.get(value) if isinstance(value, FunctionType) else None
        if name in MOVING:
            places = MOVING[name]
            if len(node.args) <= places[-1]:
                raise self.routine.refuse(node, f"{name} takes more: see the reference")
            args = [
                self.place(arg) if index in places else self.visit(arg)
                for index, arg in enumerate(node.args)
            ]
            return _call(node, f"{name}_", ast.Name("s", ast.Load()), *args)
        if isinstance(function, ast.Name) and function.id == "set" and not node.args:
            return _call(node, "set_", ast.Tuple([], ast.Load()))
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        text = ast.unparse(node)
        if text in self.routine.calls:
            name = self.routine.calls[text].name + "__"
            return ast.copy_location(ast.Name(name, ast.Load()), node)
        return self.generic_visit(node)

    def visit_Set(self, node: ast.Set) -> Any:
        self.generic_visit(node)
        return _call(node, "set_", ast.Tuple(node.elts, ast.Load()))

    def visit_SetComp(self, node: ast.SetComp) -> Any:
        self.generic_visit(node)
        return _call(node, "set_", ast.GeneratorExp(node.elt, node.generators))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        self.generic_visit(node)
        name = _OPERATORS.get(type(node.op))
        return _call(node, name, node.left, node.right) if name else node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        if not isinstance(node.op, ast.USub) or isinstance(node.operand, ast.Constant):
            return node
        return _call(node, "sub_", ast.Constant(0), node.operand)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        """Rewrite a checked augmented assignment: its target is evaluated before the new value."""
        self.refuse_place(node.target)
        self.generic_visit(node)
        name, target = _OPERATORS.get(type(node.op)), node.target
        if name is None:
            return node
        if isinstance(target, ast.Subscript):
            place = _call(node, "at_", target.value, target.slice)
            put = _call(node, "put_", place, ast.Name(name, ast.Load()), node.value)
            return ast.copy_location(ast.Expr(put), node)
        old = ast.parse(ast.unparse(target), mode="eval").body
        statement = ast.Assign([target], _call(node, name, old, node.value))
        for part in ast.walk(statement):
            ast.copy_location(part, node)
        return statement

    def visit_Assign(self, node: ast.Assign) -> Any:
        for target in node.targets:
            for part in target.elts if isinstance(target, ast.Tuple) else [target]:
                self.refuse_place(part)
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

    def visit_loop(self, node: Any) -> Any:
        self.generic_visit(node)
        node.body.insert(0, ast.copy_location(ast.Expr(_call(node, "tick_")), node))
        return node

    visit_While = visit_For = visit_loop


class Plain:
    """A program's functions as ordinary Python, for one table of options.

    Attributes
    ----------
    functions : dict of callables
        The steps by name, and what `add` made of further functions.
    words : Words
    """

    def __init__(self, program: Program, options: Options) -> None:
        self.program, self.options = program, options
        self.players = int(options["players"])  # type: ignore[arg-type]
        values = program.option_values(options)
        for name, words in program.option_words.items():
            if name in values:
                values[name] = words[values[name]]
        self.values = {name: checked(value) for name, value in values.items()}
        self.o = OptionValues(self.values)
        self.words = Words(program, self.players, values)
        deck = program.deck
        all_cards = Cards(deck.all_cards if deck else 0)
        self._names = {**self.words.by_name(), "o": self.o, "all_cards": all_cards}
        self._spaces: dict[int, dict[str, Any]] = {}
        self._made: dict[str, Any] = {}
        self.functions = {name: self.made(step) for name, step in program.steps.items()}

    def add(self, function: Any) -> Any:
        """Return a function, as of a policy, as ordinary Python."""
        return self.made(self.program.routine(function))

    def made(self, routine: Routine) -> Any:
        """Return a routine as a function, with all that it calls."""
        if routine.name in self._made:
            return self._made[routine.name]
        space = self._space(routine)
        for text, callee in routine.calls.items():
            space[callee.name + "__" if "." in text else text] = self.made(callee)
        if routine.plain is None:
            tree = _Rewrite(self.program, routine).visit(copy.deepcopy(routine.tree))
            tree.returns = None
            for argument in tree.args.args:
                argument.annotation = None
            module = ast.fix_missing_locations(ast.Module([tree], []))
            routine.plain = compile(module, routine.file, "exec")
        local: dict[str, Any] = {}
        exec(routine.plain, space, local)  # noqa: S102 (the game's own text)
        self._made[routine.name] = local[routine.tree.name]
        return self._made[routine.name]

    def _space(self, routine: Routine) -> dict[str, Any]:
        """Return what names mean in the file of a routine."""
        key = id(routine.space)
        if key not in self._spaces:
            values = {name: self._bound(name, value) for name, value in routine.space.items()}
            self._spaces[key] = self._names | values
            if self.program.space.get("players") is not None:
                self._spaces[key]["players"] = self.players
        return self._spaces[key]

    def _bound(self, name: str, value: Any) -> Any:
        if isinstance(value, FunctionType) and value in WORDS:
            return self._names[WORDS[value]]
        if value is language.o:
            return self.o
        if value is language.all_cards:
            return self._names["all_cards"]
        if isinstance(value, Dial):
            return self.values[name]
        if isinstance(value, Decision) and value.name in self.program.decisions:
            return self.program.decision_number(value)
        if isinstance(value, (list, tuple, np.ndarray, set, frozenset)):
            return checked(value)
        if isinstance(value, np.integer):
            return int(value)
        return value

    # ---------------------------------------------------------------------------------- playing

    def call(self, name: str, s: S, *args: Any) -> Any:
        """Run a step, if the game has it.

        Raises
        ------
        RuleError
            If it does what it may not, with file and line.
        """
        function = self.functions.get(name)
        return None if function is None else self.run(function, s, *args)

    def run(self, function: Any, s: S, *args: Any) -> Any:
        """Run a function of rules; see `call`."""
        self.words.loops = 0
        try:
            return function(s, *args)
        except InputError:
            raise
        except _MISTAKES as error:
            raise self._located(error, s) from error

    def _located(self, error: Exception, s: S) -> RuleError:
        """Return an error of rules with its file and line."""
        files = {
            routine.file
            for routine in self.program.routines.values()
            if not (routine.file.startswith(MADE) or routine.file == USUAL_ROUNDS)
        }
        trace, where = error.__traceback__, str(self.program.rules.__file__)
        while trace is not None:
            code, line = trace.tb_frame.f_code, trace.tb_lineno
            step = _ASKED_BY.get(code.co_name) if code.co_filename == USUAL_ROUNDS else None
            if step in self.program.usual_rounds:
                routine = self.program.routine(self.program.usual_rounds[step])
                where = str(routine.refuse(None, ""))[:-2]
            if code.co_filename in files:
                source = linecache.getline(code.co_filename, line).strip()
                where = f"{code.co_filename}, line {line}, in {code.co_name}: `{source}`"
            trace = trace.tb_next
        return RuleError(
            f"{where}: {_in_words(error)} (match {s.match_number}, seed {self.words.seed}, round "
            f"{s.round_number}, seat {s.seat})"
        )

    def start_match(self, seed: int, match: int) -> S:
        """Return the state at the start of a match."""
        self.words.seed = seed
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
                deck = self.program.deck if field.kind is language.all_cards else None
                s.fill(name, field, Cards(deck.all_cards) if deck else no_cards(field.kind))
        self.call("deal", s)
        if self.program.is_simple and s.round_number == 1:
            s.first_seat = s.seat

    def decision_name(self, phase: int) -> str:
        """Return the name of a decision as steps have it."""
        for name, number in self.program.decisions.items():
            if number == phase:
                return name.lower()
        raise Wrong(f"no decision has the number {phase}")

    def step_name(self, kind: str, s: S) -> str:
        """Return the name of a step for what is to be decided."""
        return f"{kind}_{self.decision_name(s.phase)}"

    def moves(self, s: S) -> tuple[int, ...]:
        """Return the legal moves of the seat on turn, in their order."""
        legal = self.step_name("legal", s)
        if legal in self.functions:
            legal_moves, why = self.call(legal, s, s.seat), ""
            if not isinstance(legal_moves, Cards):
                why = ", which is no set of moves"
            elif legal_moves.word >> self.words.places:
                why = (
                    f"; moves are numbers below {self.words.places}, or are counted "
                    f"(count_{legal[6:]}, nth_{legal[6:]})"
                )
            if why:
                step = self.program.steps[legal]
                raise RuleError(str(step.refuse(None, f"it returned {legal_moves!r}{why}")))
            return tuple(legal_moves)
        count = self.call(self.step_name("count", s), s, s.seat)
        nth = self.step_name("nth", s)
        return tuple(self.call(nth, s, s.seat, index) for index in range(count))

    def moves_as_given(self, s: S, moves: Sequence[int]) -> Any:
        """Return the legal moves as policies get them: a set, or how many they are."""
        return Cards.of(moves) if self.step_name("legal", s) in self.functions else len(moves)

    def apply(self, s: S, move: int) -> None:
        """Carry out a legal move."""
        seat, step = s.seat, self.step_name("apply", s)
        s.phase = NOTHING
        self.call(step, s, seat, move)
        if self.program.is_simple and s.phase == NOTHING:
            self.run(self.made(self.program.go_on), s, seat)
        if s.phase == NOTHING:
            raise RuleError(
                f"step {step} of {self.program.game.name} asks nobody, "
                f"and ends neither round nor match (match {s.match_number}, seed {self.words.seed})"
            )

    def random_move(self, s: S, moves: Sequence[int]) -> int:
        """Return one of the legal moves as uniform random play chooses it."""
        step = self.step_name("random", s)
        if step in self.functions:
            return int(self.call(step, s, s.seat, self.moves_as_given(s, moves)))
        return moves[below(self.words.stream(s, ("SEAT", s.seat)), len(moves))]

    def choice(self, policy: Any, s: S, moves: Sequence[int]) -> int:
        """Return what a policy (`seat_policy.SeatPolicy`) chooses."""
        function = policy.function_for(self.decision_name(s.phase).upper())
        if function is None:
            return self.random_move(s, moves)
        routine = self.program.routine(function)
        weights = [float(policy.values[name]) for name in routine.params[3:]]
        legal = self.moves_as_given(s, moves)
        return int(self.run(self.made(routine), s, s.seat, legal, *weights))

    def is_aside(self, s: S) -> bool:
        """Tell whether a decision draws from a stream of its own (`match.ask_on_turn`)."""
        aside = map(self.program.decision_number, self.program.space.get("ASIDE_DECISIONS", ()))
        step = self.step_name("is_aside", s)
        step = step if step in self.functions else "is_aside"
        return s.phase in aside or bool(self.call(step, s, s.seat))

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
        for name, field in self.program.fields.items():
            unseen = field.sees in ("hidden", "own", "some")
            if unseen and not self.program.is_place(field.kind):
                raise RuleError(
                    f"game {self.program.game.name} needs a step `deal_unseen(s, seat)`: "
                    f"nothing else tells how to deal s.{name} anew"
                )
        self.deal_anew(s, seat, lambda count: below(stream, count))

    def deal_anew(self, s: S, seat: int, choose: Callable[[int], int]) -> int:
        """Deal the cards anew that a seat does not see; return how many.

        Parameters
        ----------
        s : S
            Modified in place.
        seat : int
        choose : callable
            Returns a number below another one.
        """
        places: list[tuple[Any, Any]] = []
        for name in self.program.places:
            field = self.program.fields[name]
            if field.sees == "shown":
                continue
            viewers = [
                self.program.seating.viewers(field, holder, self.players)
                for holder in range(self.players)
            ]
            seen = [holder for holder, seats in enumerate(viewers) if seats >> seat & 1]
            places += s.sets_of(name, but=seen)
        pool = Cards()
        for holder, key in places:
            cards = holder[key]
            pool |= cards.unseen(seat) if isinstance(cards, Pile) else cards
        count = len(pool)

        def dealt() -> Iterator[int]:
            nonlocal pool
            while pool:  # fewer than places hold, where a faulty game has a card in two of them
                card = list(pool)[choose(len(pool))]
                pool -= Cards.of([card])
                yield card

        cards_dealt = dealt()
        for holder, key in places:
            cards = holder[key]
            if isinstance(cards, Pile):
                holder[key] = cards.dealt_anew(seat, cards_dealt)
            else:
                holder[key] = Cards.of(islice(cards_dealt, len(cards)))
        return count

    def score_round(self, s: S) -> None:
        """Score a round that is over."""
        self.call("score_round", s)

    def finish_match(self, s: S) -> None:
        """Record the metrics known only at the end of a match."""
        self.call("finish_match", s)
        behind = [s.deficits[seat] for seat in range(self.players) if s.winners >> seat & 1]
        s.count.comeback = max(behind, default=0)


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
    def reasons(self) -> list[tuple[str, Any]]:
        """Reasons that the last policy called gave (`because`, `weigh`)."""
        return self.plain.words.reasons

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the seats with their policies: "seat 0 (greedy)"."""
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
        """Describe a policy's move that is not legal, with the line of a user's function."""
        s, words, line = self.s, self.cell.game.words(), ""
        legal = ", ".join(f"{known} ({words.move_in_words(s, s.seat, known)})" for known in moves)
        policy = self.players[s.seat].seat_policy(self.cell.options)
        function = policy.function_for(self.plain.decision_name(s.phase).upper())
        if function is not None and not is_builtin(function):
            routine = self.plain.program.routine(function)
            line = f"{routine.file}, line {routine.tree.lineno}, in {routine.tree.name}: "
        return f"{line}{self.place()} returned {move}, which is no legal move; legal: {legal}"

    def place(self) -> str:
        """Return the policy of the seat on turn, with the game, match, seat and unusual options."""
        s, cell = self.s, self.cell
        usual = cell.game.resolve({"players": cell.players})
        options = {
            name: value
            for name, value in cell.options.items()
            if name == "players" or value != usual[name]
        }
        return (
            f"policy {str(self.players[s.seat])!r} of {cell.game.name} (match {self.match}, "
            f"seed {cell.seed}, seat {s.seat}, round {s.round_number}; "
            f"{show_all(options)})"
        )

    def ask(self, moves: tuple[int, ...], position: S | None = None) -> int:
        """Return what the policy of the seat on turn chooses, here or at another position."""
        plain, s = self.plain, position or self.s
        policy = self.players[s.seat].seat_policy(self.cell.options)
        plain.words.reasons.clear()
        plain.words.aside = plain.is_aside(s)
        try:
            if policy.rollout is not None:
                from simcore.compiler.blocks import searched

                return searched(self.cell, self.rotation, plain, s)
            return plain.choice(policy, s, moves)
        finally:
            plain.words.aside = False

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
        row |= {f"score_{seat}": s.scores[seat] for seat in range(self.plain.players)}
        counts: dict[str, int] = s.count.numbers
        return row | counts
