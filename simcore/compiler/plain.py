"""Run rules as ordinary Python, with everything checked: the functions that are also compiled.

A unit's functions (`units`) run over plain classes (`state`) instead of Numba's types; where
compiled code notes a fault, they say what is wrong (`plain_words`). A match played like this is a
thousand times slower than compiled; it is for replays, tests and searches from outside, and for the
first matches of a file that somebody has just written.
"""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Sequence
from functools import cache, lru_cache
from types import CodeType
from typing import Any

from simcore import words
from simcore.compiler import refusals
from simcore.compiler.learned import add_network
from simcore.compiler.lookahead import SearchRounds
from simcore.compiler.plain_words import Words
from simcore.compiler.program import MADE, USUAL_ROUNDS, Program, Routine
from simcore.compiler.rounds import Rounds
from simcore.compiler.seat_policy import SeatPolicy
from simcore.compiler.state import (
    MATCH_OVER,
    Cards,
    OptionValues,
    Place,
    S,
    Wrong,
)
from simcore.compiler.state_layout import Layout
from simcore.compiler.units import Unit, library
from simcore.errors import InputError
from simcore.options import Options
from simcore.records import MAX_PARAMS

_ASKED_BY = {"go_on": "next_seat", "deal_simple": "deal"}
"""Of a game of turns: which of its steps names the seat that the usual rounds ask."""

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
    if isinstance(error, ZeroDivisionError):
        return "a division by zero; ask first whether it is one"
    if isinstance(error, TypeError) and "has no len()" in str(error):
        return refusals.NO_SET
    return str(error)


class PlainUnit:
    """A game's functions as ordinary Python, for options that look alike.

    Attributes
    ----------
    space : dict
        The functions by their names in the unit, and the words that these call.
    words : Words
    rounds : Rounds
    """

    def __init__(
        self,
        program: Program,
        layout: Layout,
        *,
        searches: bool = False,
        learned: SeatPolicy | None = None,
    ) -> None:
        self.program = program
        self.unit = Unit(layout, checked=True, tells=True)
        self.unit.fields = program.fields  # with what policies remember
        self.words = Words(self.unit)
        self.space: dict[str, Any] = self.words.space()
        self._compiled: set[str] = set()
        self.rounds = Rounds(self.unit)
        if searches:
            SearchRounds(self.unit).search()
        elif learned is not None:
            add_network(self.unit, learned)
        else:
            self.rounds.play()
        self.complete()

    def complete(self) -> None:
        """Take in what the unit has more of by now."""
        unit = self.unit
        unit.complete()
        seating = self.program.seating
        teams = [seating.team(seat) for seat in range(seating.most)]
        self.space |= {"_TEAM": teams, "deck": self.program.deck, **unit.constants(), **unit.tables}
        for name, function in unit.functions.items():
            if name not in self._compiled:
                self._compiled.add(name)
                routine = unit.sources.get(name)
                code = _code_of(function, routine.file) if routine else _code_of_word(function)
                exec(code, self.space)  # noqa: S102 (the game's text)
                if name in ("of_rank", "of_suit"):
                    self.space[name] = cache(self.space[name])

    def word(self, name: str) -> Any:
        """Return a word that is an ordinary function, which rules need not call."""
        if name not in self.space:
            self.unit.functions.setdefault(name, library(plain=True)[name])
            self.complete()
        return self.space[name]

    def made(self, routine: Routine) -> Any:
        """Return a routine as a function of the unit."""
        title = self.unit.want(routine)
        if title not in self._compiled:
            self.complete()
        return self.space[title]


def _code_of(function: ast.FunctionDef, file: str) -> CodeType:
    module = ast.fix_missing_locations(ast.Module([function], []))
    return compile(module, file, "exec")


@lru_cache(1000)
def _code_of_word(function: ast.FunctionDef) -> CodeType:
    """Return the code of a word of the language, which is the same in all units."""
    return _code_of(function, str(words.__file__))


_units: dict[Any, PlainUnit] = {}


def unit_of(
    program: Program,
    layout: Layout,
    *,
    searches: bool = False,
    learned: SeatPolicy | None = None,
) -> PlainUnit:
    """Return a game's functions, its search or a learned policy, for options that look alike."""
    identity = learned.identity if learned else None
    key = (program.game.name, program.game.digest, searches, identity, *layout.key)
    if key not in _units or _units[key].program is not program:
        _units[key] = PlainUnit(program, layout, searches=searches, learned=learned)
    return _units[key]


class Plain:
    """A program's functions as ordinary Python, for one table of options.

    Attributes
    ----------
    functions : dict of callables
        The steps by name, of the state and what else they take.
    words : Words
    """

    def __init__(self, program: Program, options: Options, unit: PlainUnit | None = None) -> None:
        self.program, self.options = program, options
        self.players = int(options["players"])  # type: ignore[arg-type]
        self.values = program.option_values(options)
        self.layout = Layout(program, self.values)
        self.unit = unit or unit_of(program, self.layout)
        self.words, self.rounds = self.unit.words, self.unit.rounds
        lowest = program.game.best_score_under(options) == "lowest"
        values = {name: _of_option(value) for name, value in self.values.items()}
        values |= {"players": self.players, "lowest_wins": int(lowest)}
        self.o: Any = OptionValues(values | {"_policy": [0] * self.players})
        self.functions = {name: self.made(step) for name, step in program.steps.items()}
        self.seed = 0

    def add(self, function: Any) -> Any:
        """Return a function, as of a policy, as ordinary Python."""
        return self.made(self.program.routine(function))

    def made(self, routine: Routine) -> Any:
        """Return a routine as a function of what its text takes."""
        function = self.unit.made(routine)
        if "s" in routine.params:
            return lambda s, *args: function(s, self.o, *args)
        return lambda *args: function(None, self.o, *args)

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

    def play(self, name: str, s: S, *args: Any) -> Any:
        """Run a function of the rounds by its name in the unit; see `call`."""
        function = self.unit.space[name]
        return self.run(lambda s, *args: function(s, self.o, *args), s, *args)

    def _located(self, error: Exception, s: S) -> RuleError:
        """Return an error of rules with its file and line."""
        trace, where = error.__traceback__, str(self.program.rules.__file__)
        while trace is not None:
            code, line = trace.tb_frame.f_code, trace.tb_lineno
            routine = self.unit.unit.sources.get(code.co_name)
            step = _ASKED_BY.get(code.co_name) if code.co_filename == USUAL_ROUNDS else None
            if step in self.program.usual_rounds:
                asked = self.program.routine(self.program.usual_rounds[step])
                where = str(asked.refuse(None, ""))[:-2]
            elif (
                routine is not None
                and code.co_filename == routine.file
                and not routine.file.startswith(MADE)
                and routine.file != USUAL_ROUNDS
            ):
                source = linecache.getline(routine.file, line).strip()
                where = f"{routine.file}, line {line}, in {routine.tree.name}: `{source}`"
            trace = trace.tb_next
        return RuleError(
            f"{where}: {_in_words(error)} (match {s.match_number}, seed {s._seed}, round "
            f"{s.round_number}, seat {s.seat})"
        )

    def start_match(self, seed: int, match: int) -> S:
        """Return the state at the start of a match."""
        s = S(self.program, self.players, self.options)
        self.play("_start_match", s, seed, match)
        return s

    def start_round(self, s: S) -> None:
        """Deal a round."""
        self.play("_start_round", s)

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
            legal_moves = self.call(legal, s, s.seat)
            if not isinstance(legal_moves, Cards):
                step = self.program.steps[legal]
                raise step.refuse(None, refusals.MUST_RETURN["legal"])
            return tuple(legal_moves)
        count = self.call(self.step_name("count", s), s, s.seat)
        nth = self.step_name("nth", s)
        return tuple(self.call(nth, s, s.seat, index) for index in range(count))

    def moves_as_given(self, s: S, moves: Sequence[int]) -> Any:
        """Return the legal moves as policies get them: a set, or how many they are."""
        return Cards.of(moves) if self.step_name("legal", s) in self.functions else len(moves)

    def apply(self, s: S, move: int) -> None:
        """Carry out a legal move."""
        self.play(f"_{self.step_name('carry_out', s)}", s, s.seat, move)

    def decide(self, s: S) -> None:
        """Let the seat on turn decide (`o._policy`), and carry that out."""
        self.play(f"_{self.step_name('decide', s)}", s, s.seat)

    def random_move(self, s: S, moves: Sequence[int]) -> int:
        """Return one of the legal moves as uniform random play chooses it."""
        asked, self.o._policy[s.seat] = self.o._policy[s.seat], 0
        try:
            given = self.moves_as_given(s, moves)
            return int(self.play(f"_{self.step_name('choose', s)}", s, s.seat, given))
        finally:
            self.o._policy[s.seat] = asked

    def choice(self, policy: Any, s: S, moves: Any) -> int:
        """Return what a policy (`seat_policy.SeatPolicy`) chooses of the moves as it gets them."""
        if policy.network is not None:
            return self.learned(policy, s, moves)
        function = policy.function_for(self.decision_name(s.phase).upper())
        if function is None:
            return self.random_move(s, moves)
        routine = self.program.routine(function)
        weights = [float(policy.values[name]) for name in routine.params[3:]]
        legal = self.moves_as_given(s, moves)
        move = self.run(self.made(routine), s, s.seat, legal, *weights)
        if not isinstance(move, int):
            raise routine.refuse(None, refusals.NO_CHOICE)
        return int(move)

    def learned(self, policy: Any, s: S, moves: Sequence[int]) -> int:
        """Return what a learned policy (`seat_policy.SeatPolicy`) chooses."""
        unit = unit_of(self.program, self.layout, learned=policy)
        o, base = copy.copy(self.o), policy.base

        def answer(s: S, _o: Any, _seat: int, _which: int, _at: int, *_moves: int) -> int:
            return self.choice(base, s, self.moves(s))

        o._params = [list(policy.network.numbers), 0 if base.is_random else answer]
        given = self.moves_as_given(s, moves)
        entry = unit.space["entry"]
        words = [given] if isinstance(given, int) else [given.w0, given.w1, given.w2, given.w3]
        count = entry.__code__.co_argcount - 5
        unit.words.loops = 0
        return int(entry(s, o, s.seat, s.phase, 0, *(words + [0] * count)[:count]))

    def searched(self, policy: Any, s: S) -> int:
        """Return what a search (`seat_policy.SeatPolicy`) chooses."""
        unit = unit_of(self.program, self.layout, searches=True)
        o, rollout = copy.copy(self.o), policy.rollout

        def answer(s: S, _o: Any, _seat: int, _which: int, _at: int, *_moves: int) -> int:
            return self.choice(rollout, s, self.moves(s))

        o._rollout = [0 if rollout.is_random else answer] * self.players
        o._rollout_at, o._cleared = [0] * self.players, 0
        o._params = [*policy.values.values(), *[0.0] * MAX_PARAMS]
        unit.words.loops = 0
        return int(unit.space["_search"](s, o, s.seat, 0))

    def is_aside(self, s: S) -> bool:
        """Tell whether a decision draws from a second stream of its seat."""
        test = self.rounds.aside(self.decision_name(s.phase).upper())
        if test in ("", "True"):
            return bool(test)
        step = self.step_name("is_aside", s)
        return bool(self.call(step if step in self.functions else "is_aside", s, s.seat))

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
        s.streams["ASIDE", 0] = list(words)
        if "deal_unseen" in self.functions:
            self.call("deal_unseen", s, seat)
        else:
            unit_of(self.program, self.layout, searches=True).space["_deal_unseen"](
                s, self.o, seat, 1.0
            )

    def deal_anew(self, s: S, seat: int, words: Sequence[int]) -> int:
        """Deal the cards anew that a seat does not see, by whatever the game; return how many.

        The parameters are those of `deal_unseen`.
        """
        s.streams["ASIDE", 0] = list(words)
        places, pool = list[Place](), Cards()
        for name in self.program.places:
            field, seating = self.program.fields[name], self.program.seating
            seen = [
                holder
                for holder in range(self.players)
                if seating.viewers(field, holder, self.players) >> seat & 1
            ]
            if field.sees != "shown":
                places += [Place(name, (), *where) for where in s.sets_of(name, but=seen)]
        unseen = self.unit.word("_unseen")
        for place in places:
            pool |= unseen(place, seat)
        count = len(pool)
        for place in places:
            # A faulty game may have a card in two places.
            if len(pool) >= len(unseen(place, seat)):
                pool = self.unit.word("_deal_place")(s, place, seat, pool)
        return count

    def score_round(self, s: S) -> None:
        """Score a round that is over."""
        self.call("score_round", s)

    def finish_match(self, s: S) -> None:
        """Record the metrics known only at the end of a match."""
        s.phase = MATCH_OVER
        self.play("_look_after", s)


def _of_option(value: Any) -> Any:
    """Return an option as rules read it: sets of cards, rows of one length."""
    if isinstance(value, frozenset):
        return Cards.of(value)
    if not isinstance(value, list):
        return value
    most = max((len(row) for row in value if isinstance(row, list)), default=0)
    return [
        [*row, *[0] * (most - len(row))] if isinstance(row, list) else _of_option(row)
        for row in value
    ]
