"""What all games share, as functions over numbers: random streams, rounds, and a step.

The same is written once more as ordinary Python in `plain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from simcore.compiler.core import BOOL, INT, SET, Core, cores_of, lines
from simcore.compiler.layout import PER_SEAT_STREAMS, signed
from simcore.compiler.program import Program, Routine
from simcore.compiler.sets import lowest_text, nth_text
from simcore.compiler.translate import Lowering
from simcore.language import Decision, Field
from simcore.records import MAX_PARAMS

if TYPE_CHECKING:
    from simcore.compiler.seat_policy import SeatPolicy

ILLEGAL = -3
"""The phase after a policy has chosen a move that is not legal."""

_PURPOSE = {"DEAL": 0, "CHANCE": 1, "MATCH": 2, "SEAT": 8}
_ASIDE = 1 << 32


CONSTANTS = {
    "GOLDEN": signed(0x9E3779B97F4A7C15),
    "MATCH_STEP": signed(0xD1342543DE82EF95),
    "ROUND_STEP": signed(0xDA942042E4DD58B5),
    "MIX_ONE": signed(0xBF58476D1CE4E5B9),
    "MIX_TWO": signed(0x94D049BB133111EB),
    "MANY": 1 << 32,
    "HALF": (1 << 32) - 1,
}

_OPENING = """
def mix_(o, word) -> int:
    word = wmul(word ^ shr(word, 30), MIX_ONE)
    word = wmul(word ^ shr(word, 27), MIX_TWO)
    return word ^ shr(word, 31)

def opened_(o, seed, key, number, purpose) -> tuple[int, int]:
    step = wadd(wmul(number, 32), purpose + 1)
    other = wadd(seed ^ GOLDEN, wmul(step, ROUND_STEP))
    word = key ^ mix_(o, other)
    return (word, other ^ mix_(o, word))
"""

_STREAM = """
def next_DEAL(s, o) -> int:
    a = s.deal0
    b = s.deal1
    result = wadd(rotl(wadd(a, b), 17), a)
    b = b ^ a
    s.deal0 = rotl(a, 49) ^ b ^ (b << 21)
    s.deal1 = rotl(b, 28)
    return result

@rare
def redraw_DEAL(s, o, product, bound) -> int:
    threshold = modulo(MANY - bound, bound)
    while (product & HALF) < threshold:
        product = shr(next_DEAL(s, o), 32) * bound
    return product

def below_from_DEAL(s, o, half, bound) -> int:
    product = half * bound
    if rarely((product & HALF) < bound):
        product = redraw_DEAL(s, o, product, bound)
    return shr(product, 32)

def below_DEAL(s, o, bound) -> int:
    return below_from_DEAL(s, o, shr(next_DEAL(s, o), 32), bound)
"""
"""What draws from the stream DEAL, as `simcore.rng` has it; other streams have other names."""

_EXCHANGE = """
@rare
def exchange_(s, o, seat) -> None:
    a = s.seat0[seat]
    s.seat0[seat] = s.other0[seat]
    s.other0[seat] = a
    a = s.seat1[seat]
    s.seat1[seat] = s.other1[seat]
    s.other1[seat] = a
"""

_COLUMNS = "first_seat winners aborted scores metrics"

_PLAY_BLOCK = """
i = 0
while i < count:
    clear(s, o.cleared)
    start_match_(s, o, seed, first + i)
    over = 0
    while over == 0:
        if step_(s, o, s.seat):
            over = look_after_(s, o)
    if over == 2 or s.fault != 0:
        return i
    write_row_(s, o, first_seat, winners, aborted, scores, metrics, rows, row + i)
    i += 1
return count
"""

_WRITE_ROW = """
put_byte(first_seat, row, s.first_seat)
put_half(winners, row, s.winners)
put_byte(aborted, row, s.aborted)
for seat in range(o.players):
    put_short(scores, seat * rows + row, s.scores[seat])
for k in range(METRICS):
    put_short(metrics, k * rows + row, metric_of(s, k))
"""


class Engine:
    """Adds what a program needs beside its own functions.

    Parameters
    ----------
    low : Lowering
        To which everything is added.
    """

    def __init__(self, low: Lowering) -> None:
        self.low, self.program = low, low.program
        self.steps = {name: low.want(step) for name, step in self.program.steps.items()}
        if self.program.is_simple:
            low.want(self.program.go_on)
        low.streams.add("SEAT")
        self.has_aside = any(map(self.aside, self.program.decisions))

    def play_blocks(self) -> None:
        """Add `entry`, which plays matches one after another and writes their rows."""
        self.play(asks=True)
        write = _WRITE_ROW.replace("METRICS", str(len(self.program.metrics)))
        self.core("write_row_", f"{_COLUMNS} rows row", write)
        self.core("entry", f"seed first count {_COLUMNS} rows row", _PLAY_BLOCK, (INT,))

    def play(self, asks: bool) -> None:
        """Add what plays matches; `asks`: whether policies may play, by their addresses."""
        self.asks = asks
        self.streams()
        self.match()
        for name in self.program.decisions:
            self.chooser(name)
        self.step()

    def core(
        self,
        name: str,
        params: str,
        text: str,
        returns: tuple[str, ...] = (),
        *,
        state: bool = True,
        rare: bool = False,
        kinds: dict[str, str] | None = None,
    ) -> None:
        """Add a function; all its locals are whole numbers unless `kinds` says otherwise."""
        body = lines(text)
        self.low.add(Core(name, params.split(), body, kinds or {}, returns, state, rare))

    # ------------------------------------------------------------------------------------ streams

    def streams(self) -> None:
        """Add the streams that are drawn from."""
        text = _OPENING + (_EXCHANGE if self.has_aside else "")
        for family in sorted(self.low.streams):
            low = family.lower()
            stream = _STREAM.replace("DEAL", family).replace("s.deal", f"s.{low}")
            if family in PER_SEAT_STREAMS:
                stream = stream.replace("(s, o", "(s, o, seat")
                for word in (0, 1):
                    stream = stream.replace(f"s.{low}{word}", f"s.{low}{word}[seat]")
            text += stream
        for core in cores_of(text, CONSTANTS):
            self.low.add(core)

    def open_streams(self) -> str:
        """Return the text that opens the streams of a round."""
        text = []
        for family in ("DEAL", "CHANCE"):
            if family in self.low.streams:
                a, b = f"{family.lower()}0", f"{family.lower()}1"
                text += [
                    f"a, b = opened_(o, s.seed, s.key, s.round_number, {_PURPOSE[family]})",
                    f"s.{a} = a",
                    f"s.{b} = b",
                ]
        if "SEAT" in self.low.streams:
            text += [
                "for seat in range(o.players):",
                f"    a, b = opened_(o, s.seed, s.key, s.round_number, {_PURPOSE['SEAT']} + seat)",
                "    s.seat0[seat] = a",
                "    s.seat1[seat] = b",
            ]
            if self.has_aside:
                text += [
                    f"    a, b = opened_(o, s.seed, s.key, s.round_number + {_ASIDE}, "  # noqa: ISC004
                    f"{_PURPOSE['SEAT']} + seat)",
                    "    s.other0[seat] = a",
                    "    s.other1[seat] = b",
                ]
        return "\n".join(text) or "pass"

    # -------------------------------------------------------------------------------- the match

    def match(self) -> None:
        """Add the start and the end of matches and rounds."""
        text = ["s.seed = seed", "s.match_number = match", "s.phase = 1"]
        golden, step = CONSTANTS["GOLDEN"], CONSTANTS["MATCH_STEP"]
        text += [f"s.key = mix_(o, wadd(mix_(o, wadd(seed, {golden})), wmul(match, {step})))"]
        if "MATCH" in self.low.streams:
            text += ["a, b = opened_(o, seed, s.key, 0, 2)", "s.match0 = a", "s.match1 = b"]
        for name, declared in self.program.rules_fields.items():
            if declared.start and not self.program.is_set(declared.kind):
                text += filled(name, declared, declared.start)
        if "start_match" in self.steps:
            text.append(f"{self.steps['start_match'].name}(s, o)")
        text.append("start_round_(s, o)")
        self.core("start_round_", "", self.round_text(), rare=True)
        self.core("start_match_", "seed match", "\n".join(text), rare=True)
        self.core("look_after_", "", self.end_text(), (INT,), rare=True)

    def round_text(self) -> str:
        text = ["s.round_number = s.round_number + 1", self.open_streams()]
        deck = self.program.deck
        for name, declared in self.program.rules_fields.items():
            if not self.program.is_place(declared.kind):
                continue
            full = declared.kind.name == "all_cards" and deck is not None
            for place, field_word in enumerate(self.low.field_names(name)):
                word = (deck.all_cards >> 64 * place) & ((1 << 64) - 1) if full and deck else 0
                text += filled(field_word, declared, signed(word))
        text.append(f"{self.steps['deal'].name}(s, o)")
        if self.program.is_simple:
            text += ["if s.round_number == 1:", "    s.first_seat = s.seat"]
        return "\n".join(text)

    def end_text(self) -> str:
        wrong = " or s.fault != 0" if self.low.checked else ""
        text = [
            f"while s.phase == 1{' and s.fault == 0' if self.low.checked else ''}:",
            f"    {self.steps['score_round'].name}(s, o)",
            "    if s.phase == 1:",
            "        start_round_(s, o)",
            "if s.phase == 0:",
        ]
        if "finish_match" in self.steps:
            text.append(f"    {self.steps['finish_match'].name}(s, o)")
        text += [
            "    most = 0",
            "    for seat in range(o.players):",
            "        if ((s.winners >> seat) & 1) != 0:",
            "            most = max(most, s.deficits[seat])",
            "    s.count_comeback = most",
            "    return 1",
            f"return 2 if s.phase == {ILLEGAL}{wrong} else 0",
        ]
        return "\n".join(text)

    # -------------------------------------------------------------------------------- a decision

    def counted(self, decision: str) -> bool:
        """Tell whether a decision's moves are counted instead of listed as a set."""
        return f"legal_{decision.lower()}" not in self.steps

    def moves_of(self, decision: str) -> list[str]:
        """Return the locals that hold the legal moves."""
        if self.counted(decision):
            return ["moves"]
        return [f"moves{word}" for word in range(len(self.steps[self._legal(decision)].returns))]

    def _legal(self, decision: str) -> str:
        return f"legal_{decision.lower()}"

    def widest(self) -> int:
        """Return the largest number of words that legal moves take."""
        return max(len(self.moves_of(decision)) for decision in self.program.decisions)

    def asked(self, decision: str, address: str, at: str) -> str:
        """Return the call of a policy by its address, with the place of its first parameter."""
        moves = self.moves_of(decision)
        moves += ["0"] * (self.widest() - len(moves))
        number = self.program.decisions[decision]
        return f"ask_at({address}, s, o, seat, {number}, {at}, {', '.join(moves)})"

    def chooser(self, decision: str) -> None:
        """Add the function that calls the seat's policy."""
        moves = self.moves_of(decision)
        text = [f"return {self.random(decision, moves)}"]
        if self.asks:
            first = f"{self.low.options['params'][0]} + seat * {MAX_PARAMS}"
            call = self.asked(decision, "address", first)
            text = ["address = o.policy[seat]", "if address != 0:", f"    return {call}", *text]
        self.core(f"choose_{decision.lower()}_", f"seat {' '.join(moves)}", "\n".join(text), (INT,))

    def same_words(self, core: Core, moves: list[str]) -> str:
        """Return the legal moves as a policy's arguments, padded with zeros or cut to its words."""
        wanted = [param for param in core.params if param.startswith("moves")]
        if len(wanted) > len(moves):
            moves = [*moves, *["0"] * (len(wanted) - len(moves))]
        return ", ".join(moves[: len(wanted)])

    def random(self, decision: str, moves: list[str]) -> str:
        step = self.steps.get(f"random_{decision.lower()}")
        if step is not None:
            return f"{step.name}(s, o, seat, {self.same_words(step, moves)})"
        if self.counted(decision):
            nth = self.steps[f"nth_{decision.lower()}"].name
            return f"{nth}(s, o, seat, below_SEAT(s, o, seat, moves))"
        size = " + ".join(f"popcount({word})" for word in moves)
        return nth_text(self.low, moves, f"below_SEAT(s, o, seat, {size})")

    def step(self) -> None:
        """Add the step of a seat: what it decides, and what follows for it at once."""
        text: list[str] = []
        for place, (name, number) in enumerate(self.program.decisions.items()):
            test = f"s.phase == {number}"
            if place:
                test = f"({test}) and (s.seat == seat)"
            text.append(f"if {test}:")
            text += ["    " + line for line in self.decision(name).splitlines()]
        text.append(f"return s.phase <= 1{' or s.fault != 0' if self.low.checked else ''}")
        self.core("step_", "seat", "\n".join(text), ("b",))

    def find(self, name: str) -> list[str]:
        """Return the text that finds the legal moves, and how many they are (`size`)."""
        low, moves = name.lower(), self.moves_of(name)
        if self.counted(name):
            return [f"moves = {self.steps[f'count_{low}'].name}(s, o, seat)", "size = moves"]
        target = moves[0] if len(moves) == 1 else f"({', '.join(moves)})"
        return [
            f"{target} = {self.steps[f'legal_{low}'].name}(s, o, seat)",
            "size = " + " + ".join(f"popcount({word})" for word in moves),
        ]

    def first(self, name: str, moves: list[str]) -> str:
        """Return the first of the legal moves that were found."""
        if self.counted(name):
            return f"{self.steps[f'nth_{name.lower()}'].name}(s, o, seat, 0)"
        return lowest_text(moves)

    def after(self, name: str) -> list[str]:
        """Return the text that carries a choice out."""
        applied = [f"{self.steps[f'apply_{name.lower()}'].name}(s, o, seat, choice)"]
        if self.program.is_simple and name != "MOVE":
            return [
                "s.phase = -1",
                *applied,
                f"{self.low.want(self.program.go_on).name}(s, o, seat)",
            ]
        if self.low.checked and not self.program.is_simple:  # it must ask, or end something
            return ["s.phase = -1", *applied, "if rarely(s.phase == -1):", "    s.fault = 1"]
        return applied

    def decision(self, name: str, chooser: str = "", extra: str = "") -> str:
        """Return the text of a decision; by `chooser`, which need not be legal, in rollouts."""
        moves = self.moves_of(name)
        passed = ", ".join(moves)
        text = [*self.find(name), "choice = -1", "if size > 1:"]
        counts = not chooser
        aside = self.aside(name)
        if counts:
            text.append("    s.count_decisions = s.count_decisions + 1")
        asking = chooser or f"choose_{name.lower()}_"
        text.append(f"    choice = {asking}(s, o, seat, {passed}{extra})")
        if aside:
            # Another stream of the seat serves these decisions alone; see `match.ask_on_turn`.
            swap = ["    if rarely(aside != 0):", "        exchange_(s, o, seat)"]
            text[-1:] = [f"    aside = {aside}", *swap, text[-1], *swap]
        if chooser:
            text += [f"    if not {self.is_legal(name, moves)}:"]
            text += [f"        choice = {self.first(name, moves)}"]
        elif self.asks:
            text += ["    if o.policy[seat] != 0:"]
            text += [f"        if rarely(not {self.is_legal(name, moves)}):"]
            text += ["            s.illegal_move = choice", f"            s.phase = {ILLEGAL}"]
            text += ["            return True"]
        text += ["elif size == 1:", f"    choice = {self.first(name, moves)}"]
        if counts:
            text.append("    s.count_forced = s.count_forced + 1")
        return "\n".join([*text, *self.after(name)])

    def aside(self, name: str) -> str:
        """Return the test whether a decision draws from the seat's other stream, or ""."""
        listed = self.program.space.get("ASIDE_DECISIONS", ())
        if any(isinstance(decision, Decision) and decision.name == name for decision in listed):
            return "1"
        for step in (f"is_aside_{name.lower()}", "is_aside"):
            if step in self.steps:
                return f"1 if {self.steps[step].name}(s, o, seat) else 0"
        return ""

    def is_legal(self, name: str, moves: list[str]) -> str:
        step = self.steps.get(f"is_legal_{name.lower()}")
        if step is not None:
            return f"{step.name}(s, o, seat, choice)"
        if self.counted(name):
            nth = self.steps[f"nth_{name.lower()}"].name
            self.core(
                f"is_one_of_{name.lower()}_",
                "seat moves choice",
                f"k = 0\nwhile k < moves:\n    if {nth}(s, o, seat, k) == choice:\n"
                "        return True\n    k = k + 1\nreturn False",
                ("b",),
            )
            return f"is_one_of_{name.lower()}_(s, o, seat, moves, choice)"
        tests = [
            f"(has_bit({word}, choice - {64 * place}) != 0)"
            if place
            else f"(has_bit({word}, choice) != 0)"
            for place, word in enumerate(moves)
        ]
        return f"({' or '.join(tests)})" if len(tests) > 1 else tests[0]


def add_policy(low: Lowering, policy: SeatPolicy) -> None:
    """Add a policy: one function for all its decisions, called from outside by its address.

    Parameters
    ----------
    low : Lowering
        With nothing in it but its layout.
    policy : SeatPolicy
    """
    engine = Engine(low)
    moves = [f"m{place}" for place in range(engine.widest())]
    params = ["seat", "which", "at", *moves]
    by_call: dict[str, list[int]] = {}
    kinds = _moves_of_functions(engine, policy)
    for decision, number in low.program.decisions.items():
        routine, weights = _weighed(low.program, policy, decision)
        core = low.want_policy(routine, kinds[routine.name])
        if len(core.gives) != 1 or core.gives[0] not in (INT, BOOL):
            raise routine.refuse(None, "a policy must return one of the moves, a number")
        weighed = "".join(f", as_real(option(o, at + {place}))" for place in weights)
        call = f"{core.name}(s, o, seat, {engine.same_words(core, moves)}{weighed})"
        by_call.setdefault(call, []).append(number)
    text = []
    for place, (call, numbers) in enumerate(by_call.items(), 1):
        test = " or ".join(f"which == {number}" for number in numbers)
        text += (
            [f"return {call}"] if place == len(by_call) else [f"if {test}:", f"    return {call}"]
        )
    engine.streams()
    low.add(Core("entry", params, lines("\n".join(text)), {}, (INT,)))


def _moves_of_functions(engine: Engine, policy: SeatPolicy) -> dict[str, str]:
    """Return the kind of `moves` by function: their number where all that it decides is counted."""
    kinds: dict[str, str] = {}
    for decision in engine.program.decisions:
        name = _weighed(engine.program, policy, decision)[0].name
        counted = engine.counted(decision) and kinds.get(name, INT) == INT
        kinds[name] = INT if counted else SET
    return kinds


def _weighed(program: Program, policy: SeatPolicy, decision: str) -> tuple[Routine, list[int]]:
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


def filled(name: str, declared: Field, value: int) -> list[str]:
    """Return lines that set a word of a field, of all seats and places, to one value."""
    if not (declared.per_seat or declared.many):
        return [f"s.{name} = {value}"]
    count = max(declared.many, 1)
    size = f"o.players * {count}" if declared.per_seat else str(count)
    return [f"for k in range({size}):", f"    s.{name}[k] = {value}"]
