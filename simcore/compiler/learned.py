"""Learned policies and their recorder: what `networks` needs of a game, printed beside its rounds.

A network's features are functions of the language, of the state and a seat, perhaps with a move.
The policy and the recorder call the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import indent
from typing import TYPE_CHECKING, Any

from simcore import rng
from simcore.compiler.program import Routine
from simcore.compiler.rounds import Rounds
from simcore.compiler.seat_policy import Network, SeatPolicy, asks_of_move

if TYPE_CHECKING:
    from simcore.compiler.units import Unit

OF_CARDS = ("card", "cards")
"""Names of a feature's parameter that say it is asked of cards only; 0 of other moves."""

Function = Callable[..., Any]


def split(functions: Sequence[Function]) -> tuple[list[Function], list[Function]]:
    """Return the features of the state, and those of a move."""
    of_move = [function for function in functions if asks_of_move(function)]
    return [function for function in functions if function not in of_move], of_move


class FeatureWords:
    """Prints the functions that write features into words, as `networks` reads them.

    Parameters
    ----------
    unit : Unit
    network : Network
    """

    def __init__(self, unit: Unit, network: Network) -> None:
        self.unit, self.program = unit, unit.program
        parts = [
            (self.program.decisions[decision], *split(functions))
            for decision, functions in network.features.items()
        ]
        self._add("_state_words", "", [(number, state) for number, state, _ in parts])
        self._add("_move_words", "move, ", [(number, of_move) for number, _, of_move in parts])

    def _add(self, name: str, move: str, parts: list[tuple[int, list[Function]]]) -> None:
        lines = [f"def {name}(s, o, seat, {move}decision, numbers, reals, at):", "    _seldom()"]
        for number, functions in parts:
            lines.append(f"    if decision == {number}:")
            for place, function in enumerate(functions):
                lines.append(indent(self._put(function, place), "        "))
            lines.append("        return")
        self.unit.add("\n".join([*lines, "    return"]))

    def _put(self, function: Function, place: int) -> str:
        """Return the lines that write one feature."""
        routine = self.program.routine(function)
        call, at = self._call(routine), f"at + {place * self.unit.width}"
        if not set(routine.params) & set(OF_CARDS):
            return f"_put_feature(numbers, {at}, {call})"
        return (
            f"_put_feature(numbers, {at}, 0)\n"
            f"if _is_of_deck(move):\n    _put_feature(numbers, {at}, {call})"
        )

    def _call(self, routine: Routine) -> str:
        title = self.unit.want(routine)
        given = {"s": "", "seat": "seat"}
        first = ["s", "o"] if "s" in routine.params or self.unit.checked else ["o"]
        rest = [given.get(param, "move") for param in routine.params if param != "s"]
        return f"{title}({', '.join([*first, *rest])})"


def _add_is_of_deck(rounds: Rounds) -> None:
    """Add the test whether a move is a card of the deck."""
    test = "False"
    if rounds.program.deck is not None:
        most = 64 * rounds.unit.width
        test = f"0 <= move < {most} and move in {rounds.all_cards()}"
    rounds.unit.add(f"def _is_of_deck(move):\n    return {test}")


def add_network(unit: Unit, policy: SeatPolicy) -> None:
    """Add a learned policy: one function for all its decisions, called by its address."""
    network = policy.network
    assert network is not None
    rounds = Rounds(unit)
    _add_is_of_deck(rounds)
    FeatureWords(unit, network)
    widest = rounds.widest()
    moves = ", ".join(f"m{k}" for k in range(widest))
    lines = [f"def entry(s, o, seat, which, at, {moves}):"]
    for decision, number in unit.program.decisions.items():
        low, counted = decision.lower(), rounds.counted(decision)
        words = [f"m{k}" for k in range(1 if counted else unit.width)]
        unit.add(
            f"def _usual_{low}(s, o, seat, at, moves):\n"
            "    address = _address(o._params[at + 1])\n"
            "    if address != 0:\n"
            f"        return {rounds.asked(decision, 'at + 2')}\n"
            f"    return {rounds.random(decision)}"
        )
        given = "m0" if counted else f"_set({', '.join(words)})"
        if decision in network.features:
            unit.add(_learned_decision(rounds, decision, number, network.players))
            call = f"_learned_{low}(s, o, seat, at, {given})"
        else:
            call = f"_usual_{low}(s, o, seat, at, {given})"
        lines += [f"    if which == {number}:", f"        return {call}"]
    unit.add("\n".join([*lines, "    return -1"]))


def _learned_decision(rounds: Rounds, decision: str, number: int, players: int) -> str:
    """Return the function that values the moves of one decision.

    Once a round is overdue the base policy decides: players that have learned may put its end off.
    """
    low, width = decision.lower(), rounds.unit.width
    if rounds.counted(decision):
        loop = f"for k in range(moves):\n    move = {rounds.nth(decision, 'k')}"
    else:
        loop = (
            "rest = moves\nwhile rest:\n    move = lowest(rest)\n    rest = _without_lowest(rest)"
        )
    value = (
        f"_move_words(s, o, seat, move, {number}, numbers, reals, words)\n"
        f"worth = _worth_of(numbers, reals, part, words, {width}, move == usual)\n"
        "if first or worth > most:\n    first, choice, most = False, move, worth"
    )
    body = (
        f"usual = _usual_{low}(s, o, seat, at, moves)\n"
        "block = _address(o._params[at])\n"
        "numbers, reals = _numbers_at(block), _reals_at(block)\n"
        "numbers[BASE_MOVE] = usual\n"
        f"part = numbers[{number}]\n"
        f"if part == 0 or o.players != {players} or {rounds.overdue()}:\n    return usual\n"
        "words = numbers[SCRATCH] + 2 * UNIT_ROW\n"
        f"_state_words(s, o, seat, {number}, numbers, reals, words)\n"
        f"_begin_network(numbers, reals, part, words, {width})\n"
        "first, choice, most = True, usual, 0.0\n"
        f"{loop}\n{indent(value, '    ')}\n"
        "return choice"
    )
    return f"def _learned_{low}(s, o, seat, at, moves):\n{indent(body, '    ')}"


_ENTRY = """
def entry(s, o, seed, first, count, learners, nets, decisions, tries, out, size, of_move):
    i = 0
    head = _numbers_behind(s, 0 - 2 * STATE_SIZE - HEAD)
    while i < count:
        _clear(s, o._cleared)
        head[0] = 0
        head[1] = learners
        head[2] = decisions
        head[7] = nets
        head[8] = 0
        _start_match(s, o, seed, first + i)
        _open(_numbers_behind(s, 0 - 2 * STATE_SIZE - 2), s, 0, {purpose})
        _start_round(s, o)
        over = 0
        while over == 0:
            if _step(s, o, s.seat):
                over = _look_after(s, o)
        if over == 2 or s._fault != 0:
            return i
        if head[0] > 0:
            if not _record(s, o, tries, out + 8 * size * i, size, of_move):
                return 0 - 1 - i
        i = i + 1
    return count
"""


class RecordRounds(Rounds):
    """Prints rounds that are recorded, and the recorder."""

    def record(self, network: Network) -> None:
        """Add `entry`, which plays matches and writes a row of numbers of each."""
        self.play()
        self.ways()
        self.unit.add(self.recall())
        _add_is_of_deck(self)
        FeatureWords(self.unit, network)
        self.unit.add(_ENTRY.format(purpose=rng.RECORD))

    def chooser(self, decision: str) -> str:
        head, body = super().chooser(decision).split("\n", 1)
        number = self.program.decisions[decision]
        return f"{head}\n    _consider(s, o, seat, {number})\n{body}"

    def when_illegal(self, decision: str) -> str:
        # Plans are made for a policy's own moves: after another one they may be impossible.
        test = f"_plays_on(s) and not ({self.is_legal(decision)})"
        first = f"\nif rarely({test}):\n    choice = {self.nth(decision, '0')}\n"
        return f"{first}{super().when_illegal(decision)}\n_note_choice(s, o, seat, choice)\n"


def room_of_features(network: Network, width: int) -> tuple[int, int]:
    """Return how many words the features of a state take at most, and those of a move."""
    pairs = [split(functions) for functions in network.features.values()]
    state, of_move = (max((len(pair[k]) for pair in pairs), default=0) for k in (0, 1))
    return width * state, width * of_move
