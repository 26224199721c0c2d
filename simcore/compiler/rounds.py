"""What all games share, printed once for each: random streams, rounds, and a step.

The functions are ordinary Python over a state, as rules are (`rewrite`): the same text is compiled
for processors and GPUs, and runs in plain Python.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import indent
from typing import TYPE_CHECKING

from simcore import rng
from simcore.compiler import refusals
from simcore.compiler.flow import gives_value
from simcore.compiler.int64 import signed
from simcore.compiler.program import Program, Routine
from simcore.compiler.units import Unit
from simcore.language import Decision, Field
from simcore.records import MAX_PARAMS

if TYPE_CHECKING:
    from simcore.compiler.seat_policy import SeatPolicy

ILLEGAL = -3
"""The phase after a policy has chosen a move that is not legal."""

COLUMNS = "first_seat, winners, aborted, scores, metrics, rows, row"

MOST_STEPS = 10_000_000
"""Decisions after which a match of a user's game is taken not to end; in plain Python far fewer."""

_BOUND = """\
            steps = steps + 1
            if steps > {most}:
                s._fault = 1
                over = 2
"""

_LOOK_AFTER = """
def _look_after(s, o):
    _seldom()
    while s.phase == 1{wrong}:
        {score_round}(s, o)
        if s.phase == 1:
            _start_round(s, o)
    if s.phase == 0:
        {finish}
        most = 0
        for seat in range(o.players):
            if ((s.winners >> seat) & 1) != 0:
                most = max(most, s.deficits[seat])
        s.count.comeback = most
        return 1
    return 2 if s.phase == {illegal}{or_wrong} else 0
"""

_EXCHANGE = """
def _exchange(a, b):
    _seldom()
    for k in range(2):
        x = a[k]
        a[k] = b[k]
        b[k] = x
"""

_DECIDE = """
def _decide_{low}(s, o, seat):
    moves = {find}
    size = {size}
    choice = -1
    if size > 1:
        s.count.decisions = s.count.decisions + 1
{ask}
    elif size == 1:
        choice = {first}
        s.count.forced = s.count.forced + 1
    _carry_out_{low}(s, o, seat, choice)
    return False
"""

_ASK_ASIDE = """
aside = {aside}
if rarely(bool(aside)):
    _exchange(s._SEAT[seat], s._OTHER[seat])
choice = _choose_{low}(s, o, seat, moves)
if rarely(bool(aside)):
    _exchange(s._SEAT[seat], s._OTHER[seat])
"""

_REFUSE_ILLEGAL = """
if o._policy[seat] != 0:
    if rarely(not {is_legal}):
        s._illegal = choice
        s.phase = {illegal}
        return True
"""

_ENTRY = """
def _write_row(s, o, {columns}):
    _put_byte(first_seat, row, s.first_seat)
    _put_half(winners, row, s.winners)
    _put_byte(aborted, row, s.aborted)
    for seat in range(o.players):
        _put_short(scores, seat * rows + row, s.scores[seat])
    for k in range({metrics}):
        _put_short(metrics, k * rows + row, _number_at(s, {first_metric} + k))

def entry(s, o, seed, first, count, {columns}):
    i = 0
    while i < count:
        _clear(s, o._cleared)
        _start_match(s, o, seed, first + i)
        _start_round(s, o)
        over = 0
{counter}        while over == 0:
            if _step(s, o, s.seat):
                over = _look_after(s, o)
{bound}        if over == 2{wrong}:
            return i
        _write_row(s, o, {passed} + i)
        i = i + 1
    return count
"""


class Rounds:
    """Prints the rounds of a game into a unit.

    Parameters
    ----------
    unit : Unit
        To which the game's steps are added, too.

    Attributes
    ----------
    steps : dict of str
        The functions of the unit that are the game's steps, by the names of steps.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit, self.program = unit, unit.program
        for name, step in self.program.steps.items():
            must = refusals.MUST_RETURN.get(name.partition("_")[0])
            if must and not gives_value(step.tree):
                raise step.refuse(None, must)
        self.steps = {name: unit.want(step) for name, step in self.program.steps.items()}
        self.go_on = unit.want(self.program.go_on) if self.program.is_simple else ""
        self.has_aside = any(map(self.aside, self.program.decisions))
        self.wrong = " and s._fault == 0" if unit.checked else ""

    def play_blocks(self) -> None:
        """Add `entry`, which plays matches one after another and writes their rows."""
        self.play()
        layout = self.unit.layout
        self.unit.add(
            _ENTRY.format(
                columns=COLUMNS,
                passed=COLUMNS,
                metrics=len(self.program.metrics),
                first_metric=layout.first_metric,
                wrong=" or s._fault != 0",
                counter="        steps = 0\n" if self.unit.checked else "",
                bound=_BOUND.format(most=MOST_STEPS) if self.unit.checked else "",
            )
        )

    def play(self) -> None:
        """Add what plays matches."""
        self.match()
        if self.has_aside:
            self.unit.add(_EXCHANGE)
        for name in self.program.decisions:
            self.carry_out(name)
            self.unit.add(self.chooser(name))
            self.decision(name)
        self.step()

    # ------------------------------------------------------------------------------- the match

    def match(self) -> None:
        """Add the start and the end of matches and rounds."""
        finish = self.steps.get("finish_match")
        self.unit.add("\n".join([*self.start_round(), *self.start_match()]))
        self.unit.add(
            _LOOK_AFTER.format(
                wrong=self.wrong,
                or_wrong=" or s._fault != 0" if self.unit.checked else "",
                score_round=self.steps["score_round"],
                finish=f"{finish}(s, o)" if finish else "pass",
                illegal=ILLEGAL,
            )
        )

    def start_match(self) -> list[str]:
        lines = [
            "_seldom()",
            "s._seed = seed",
            "s.match_number = match",
            "s.phase = 1",
            "s._key = _key(seed, match)",
            f"_open(s._MATCH, s, 0, {rng.MATCH})",
        ]
        for name, declared in self.program.rules_fields.items():
            if declared.start and not self.program.is_set(declared.kind):
                lines += filled(name, declared, str(declared.start))
        if "start_match" in self.steps:
            lines.append(f"{self.steps['start_match']}(s, o)")
        return ["def _start_match(s, o, seed, match):", *(f"    {line}" for line in lines)]

    def start_round(self) -> list[str]:
        lines = [
            "_seldom()",
            "s.round_number = s.round_number + 1",
            f"_open(s._DEAL, s, s.round_number, {rng.DEAL})",
            f"_open(s._CHANCE, s, s.round_number, {rng.CHANCE})",
            "for seat in range(o.players):",
            f"    _open(s._SEAT[seat], s, s.round_number, {rng.FIRST_SEAT_STREAM} + seat)",
        ]
        if self.has_aside:
            number = f"s.round_number + {rng.ASIDE}"
            lines.append(f"    _open(s._OTHER[seat], s, {number}, {rng.FIRST_SEAT_STREAM} + seat)")
        deck = self.program.deck
        for name, declared in self.program.rules_fields.items():
            if self.program.is_place(declared.kind):
                full = declared.kind.name == "all_cards" and deck is not None
                value = self.all_cards() if full else "_none()"
                lines += filled(f"_{name}", declared, value, ".cards")
        lines.append(f"{self.steps['deal']}(s, o)")
        if self.program.is_simple:
            lines += ["if s.round_number == 1:", "    s.first_seat = s.seat"]
        return ["def _start_round(s, o):", *(f"    {line}" for line in lines)]

    def all_cards(self) -> str:
        """Return the text of the set of all cards."""
        assert self.program.deck is not None
        every = self.program.deck.all_cards
        parts = (str(signed(every >> 64 * k)) for k in range(self.unit.width))
        return f"_set({', '.join(parts)})"

    # ------------------------------------------------------------------------------ a decision

    def overdue(self) -> str:
        """Return the test whether a round has gone on for too long, as far as the game has one."""
        step = self.steps.get("is_overdue")
        return f"{step}(s, o) != 0" if step else "False"

    def counted(self, decision: str) -> bool:
        """Tell whether a decision's moves are counted instead of listed as a set."""
        return f"legal_{decision.lower()}" not in self.steps

    def find(self, decision: str) -> str:
        """Return the call that finds the legal moves: their set, or how many they are."""
        kind = "count" if self.counted(decision) else "legal"
        return f"{self.steps[f'{kind}_{decision.lower()}']}(s, o, seat)"

    def size(self, decision: str) -> str:
        return "moves" if self.counted(decision) else "len(moves)"

    def nth(self, decision: str, index: str) -> str:
        """Return a legal move by its place."""
        if self.counted(decision):
            return f"{self.steps[f'nth_{decision.lower()}']}(s, o, seat, {index})"
        return "lowest(moves)" if index == "0" else f"nth(moves, {index})"

    def is_legal(self, decision: str) -> str:
        """Return the test whether a choice is legal."""
        low = decision.lower()
        step = self.steps.get(f"is_legal_{low}")
        if step is not None:
            return f"{step}(s, o, seat, choice)"
        if not self.counted(decision):
            return "choice in moves"
        name = f"_is_one_of_{low}"
        if name not in self.unit.functions:
            self.unit.add(
                f"def {name}(s, o, seat, moves, choice):\n    for k in range(moves):\n"
                f"        if {self.nth(decision, 'k')} == choice:\n            return True\n"
                "    return False"
            )
        return f"{name}(s, o, seat, moves, choice)"

    def aside(self, decision: str) -> str:
        """Return the test whether a decision draws from the seat's other stream, or ""."""
        listed = self.program.space.get("ASIDE_DECISIONS", ())
        if any(isinstance(one, Decision) and one.name == decision for one in listed):
            return "True"
        for step in (f"is_aside_{decision.lower()}", "is_aside"):
            if step in self.steps:
                return f"{self.steps[step]}(s, o, seat)"
        return ""

    def random(self, decision: str) -> str:
        """Return the call that chooses uniformly at random, or as the game says."""
        step = self.steps.get(f"random_{decision.lower()}")
        if step is not None:
            return f"{step}(s, o, seat, moves)"
        return self.nth(decision, f"below(s, s._SEAT[seat], {self.size(decision)})")

    def words_of_moves(self, decision: str) -> list[str]:
        """Return the legal moves as numbers, as many as any decision needs."""
        if self.counted(decision):
            words = ["moves"]
        else:
            words = [f"moves.w{k}" for k in range(self.unit.width)]
        return words + ["0"] * (self.widest() - len(words))

    def widest(self) -> int:
        """Return the largest number of words that legal moves take."""
        decisions = self.program.decisions
        return max(1 if self.counted(name) else self.unit.width for name in decisions)

    def asked(self, decision: str, at: str) -> str:
        """Return the call of a policy by its `address`, with the place of its first parameter."""
        number = self.program.decisions[decision]
        passed = ", ".join(self.words_of_moves(decision))
        return f"_ask_at(address, s, o, seat, {number}, {at}, {passed})"

    def chooser(self, decision: str) -> str:
        """Return the function that calls the seat's policy."""
        return (
            f"def _choose_{decision.lower()}(s, o, seat, moves):\n"
            "    address = o._policy[seat]\n"
            "    if address != 0:\n"
            f"        return {self.asked(decision, f'seat * {MAX_PARAMS}')}\n"
            f"    return {self.random(decision)}"
        )

    def when_illegal(self, decision: str) -> str:
        """Return what happens when a choice is not legal."""
        return _REFUSE_ILLEGAL.format(is_legal=self.is_legal(decision), illegal=ILLEGAL)

    def decision(self, name: str) -> None:
        """Add the function for a decision: it is made, and carried out."""
        low, aside = name.lower(), self.aside(name)
        ask = f"choice = _choose_{low}(s, o, seat, moves)"
        if aside:
            # Another stream of the seat serves these decisions alone.
            ask = _ASK_ASIDE.format(aside=aside, low=low)
        self.unit.add(
            _DECIDE.format(
                low=low,
                find=self.find(name),
                size=self.size(name),
                first=self.nth(name, "0"),
                ask=indent(ask + self.when_illegal(name), " " * 8),
            )
        )

    def carry_out(self, name: str) -> None:
        """Add the function that carries a choice out."""
        low = name.lower()
        lines = [f"{self.steps[f'apply_{low}']}(s, o, seat, choice)"]
        if self.program.is_simple and name != "MOVE":
            lines = ["s.phase = -1", *lines, f"{self.go_on}(s, o, seat)"]
        elif self.unit.checked and not self.program.is_simple:  # it must ask, or end something
            lines = ["s.phase = -1", *lines, f"_need_next(s, o, {self.program.decisions[name]})"]
        body = "".join(f"    {line}\n" for line in lines)
        self.unit.add(f"def _carry_out_{low}(s, o, seat, choice):\n{body}")

    def memory(self) -> dict[str, Field]:
        """Return the fields in which policies of the game's own file remember, by name."""
        fields = self.unit.fields.items()
        return {name: declared for name, declared in fields if declared.sees == "memory"}

    def recall(self) -> str:
        lines = ["def _recall(s, o, seat, before):", "    _seldom()"]
        if not self.unit.tells:
            lines += [f"    for k in range({self.unit.layout.memory_words}):"]
            lines += ["        s._memory[seat][k] = before._memory[seat][k]"]
        for name, declared in self.memory().items():
            made = each_of_seat(f"s.{name}[seat]", declared, "ITEM = before.ITEM")
            lines += [line[8:].replace("before.s.", "before.") for line in made]
        return "\n".join([*lines, "    pass"])

    def ways(self) -> None:
        """Add what finds moves one by one, and carries them out, whatever is to be decided.

        A search calls them, and plain Python, which tells what happens between.
        """
        count, nth, carry = [], [], []
        for name, number in self.program.decisions.items():
            test = f"    if s.phase == {number}:"
            moves = f"        moves = {self.find(name)}"
            count += [test, moves, f"        return {self.size(name)}"]
            is_set = not self.counted(name)
            nth += [test, *([moves] if is_set else []), f"        return {self.nth(name, 'index')}"]
            carry += [f"{test}", f"        _carry_out_{name.lower()}(s, o, seat, choice)"]
            carry += ["        return"]
        nothing = "    return -1"
        self.unit.add(
            "\n".join(["def _count_moves(s, o, seat):", "    _seldom()", *count, nothing])
        )
        self.unit.add(
            "\n".join(["def _nth_move(s, o, seat, index):", "    _seldom()", *nth, nothing])
        )
        self.unit.add("\n".join(["def _carry_out(s, o, seat, choice):", "    _seldom()", *carry]))
        self.unit.add(f"def _score_round(s, o):\n    {self.steps['score_round']}(s, o)")
        finish = self.steps.get("finish_match")
        body = f"{finish}(s, o)" if finish else "pass"
        self.unit.add(f"def _finish_match(s, o):\n    {body}")

    def step(self) -> None:
        """Add the step of a seat: what it decides, and what follows for it at once."""
        lines = ["def _step(s, o, seat):"]
        for place, (name, number) in enumerate(self.program.decisions.items()):
            same = " and s.seat == seat" if place else ""
            lines.append(f"    if s.phase == {number}{same}:")
            lines.append(f"        if _decide_{name.lower()}(s, o, seat):")
            lines.append("            return True")
        wrong = " or s._fault != 0" if self.unit.checked else ""
        self.unit.add("\n".join([*lines, f"    return s.phase <= 1{wrong}"]))


def add_policy(unit: Unit, policy: SeatPolicy) -> None:
    """Add a policy: one function for all its decisions, called from outside by its address.

    Parameters
    ----------
    unit : Unit
        With nothing in it.
    policy : SeatPolicy
    """
    program = unit.program
    kinds = moves_of_functions(program, policy)
    widest = max(1 if is_counted(program, name) else unit.width for name in program.decisions)
    moves = [f"m{k}" for k in range(widest)]
    by_call: dict[str, list[int]] = {}
    for decision, number in program.decisions.items():
        routine, weights = weighed(program, policy, decision)
        title = unit.want(routine)
        given = "m0" if kinds[routine.name] else f"_set({', '.join(moves[: unit.width])})"
        weighing = "".join(f", o._params[at + {place}]" for place in weights)
        by_call.setdefault(f"{title}(s, o, seat, {given}{weighing})", []).append(number)
    lines = [f"def entry(s, o, seat, which, at, {', '.join(moves)}):"]
    for place, (call, numbers) in enumerate(by_call.items(), 1):
        if place == len(by_call):
            lines.append(f"    return {call}")
        else:
            test = " or ".join(f"which == {number}" for number in numbers)
            lines += [f"    if {test}:", f"        return {call}"]
    unit.add("\n".join(lines))


def is_counted(program: Program, decision: str) -> bool:
    """Tell whether a decision's moves are counted instead of listed as a set."""
    return f"legal_{decision.lower()}" not in program.steps


def moves_of_functions(program: Program, policy: SeatPolicy) -> dict[str, bool]:
    """Return of each function whether its `moves` are their number: if all that it decides is."""
    counted: dict[str, bool] = {}
    for decision in program.decisions:
        name = weighed(program, policy, decision)[0].name
        counted[name] = is_counted(program, decision) and counted.get(name, True)
    return counted


def weighed(program: Program, policy: SeatPolicy, decision: str) -> tuple[Routine, list[int]]:
    """Return the function that a policy asks for a decision, and the places of its parameters."""
    function = policy.function_for(decision)
    assert function is not None
    routine, names = program.routine(function), list(policy.values)
    if routine.params[:3] != ["s", "seat", "moves"]:
        raise routine.refuse(
            None,
            "a policy is a function of s, seat and moves, then of its parameters: "
            f"{routine.params}",
        )
    for weight in routine.params[3:]:
        if weight not in names:
            raise routine.refuse(
                None, f"no parameter `{weight}`; policy {policy.name!r} has {', '.join(names)}"
            )
    return routine, [names.index(weight) for weight in routine.params[3:]]


def filled(name: str, declared: Field, value: str, part: str = "") -> Sequence[str]:
    """Return lines that set a field, or a part of it, of all seats and places, to one value."""
    counts = ["o.players"] if declared.per_seat else []
    counts += [str(declared.many)] if declared.many else []
    item, lines = f"s.{name}", list[str]()
    for depth, count in enumerate(counts):
        lines.append(f"{'    ' * depth}for k{depth} in range({count}):")
        item += f"[k{depth}]"
    return [*lines, f"{'    ' * len(counts)}{item}{part} = {value}"]


def each_of_seat(item: str, declared: Field, text: str) -> list[str]:
    """Return a text for each number of a seat's part of a field."""
    if not declared.many:
        return [f"            {text.replace('ITEM', item)}"]
    head = f"            for k in range({declared.many}):"
    return [head, f"                {text.replace('ITEM', f'{item}[k]')}"]
