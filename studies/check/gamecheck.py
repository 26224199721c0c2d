"""Tests of a game in a file: its matches are played as checked Python, position by position.

Each test ends with a verdict. A failure comes with the command that tells the match, and with the
round and the number of the move that `cardlab play` prints.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.catalogue import get_game
from simcore.compiler.state import Cards as StateCards
from simcore.errors import InputError
from simcore.game import Game
from simcore.narration.teller import Teller
from simcore.phrases import joined
from strategies import Policies
from studies import render
from studies.check.moments import (
    FAILED,
    NOT_TESTED,
    PASSED,
    REMARK,
    At,
    FaultError,
    Test,
    Verdict,
    leaves,
)
from studies.check.seats import Seats, numbers_by_field
from studies.check.tables import SEED, Table, tables
from studies.run.tuning import interval_of, mean_of

MATCHES = 60
DECISIONS = 3000
"""Moves after which a line-up plays no further match at the usual table: some games are long."""

FEW_DECISIONS = 600
"""The same for each of the many other tables."""

COMPILED = 500
"""Matches of a table that are played compiled."""

MATCHES_OF_RATES = 2000
"""Matches by which the seats' win rates are told where seats are meant to differ."""

POSITIONS = 400
"""Decisions of a line-up that are asked again with other hidden cards, at most."""

EXCHANGED = 300
"""Positions of a table whose hidden cards are exchanged, at most: dealing anew is slow."""

FEW_ABORTED = 0.02
"""A share of aborted matches that is told and no fault: two policies may wait for each other."""

MOST_ENDLESS = 2
"""Tables without an end after which no other is judged: each plays to its cap as plain Python."""

HELD = 100
"""Times that a seat on turn has a card in hand after which one expects it among the legal moves."""

EVERY = 7
"""Of so many decisions one is asked again, to see whether asking changes something."""

FEWEST_DEALS = 3
"""Matches of a table after which one expects a second deal."""

ASKED = 50
"""Times that a decision is asked after which one expects each seat to have been asked."""


def game_tables(
    name: str,
    options: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] = (),
    policies: Policies | None = None,
) -> list[Table]:
    """Return the tables at which a game in the language is to be checked.

    Parameters
    ----------
    name : str
    options : mapping, optional
        Options that stay as they are; all others are varied.
    lineup : str or sequence of str, optional
        Default: each policy of the game in all seats.
    policies : Policies, optional
        Default: those of the session.
    """
    from simcore.compiler.blocks import check_sources
    from strategies import parse_lineup, session

    game, given = get_game(name), dict(options or {})
    game.resolve(given)
    known = (policies or session()).of(game).values()
    lineups = [[policy.name] for policy in known if not policy.takes_policy]
    if lineup:
        lineups = [[str(strategy) for strategy in parse_lineup(game, lineup, policies)]]
    played = tables(game, lineups, given, policies)
    for table in played:
        if table.is_usual:
            check_sources(table.cell)
    return played


def check_game(name: str) -> Iterator[Verdict]:
    """Test a game at all its tables; see `check_tables`."""
    yield from check_tables(game_tables(name))


def check_tables(played: Sequence[Table], *, is_restricted: bool = False) -> Iterator[Verdict]:
    """Test a game, and yield the verdicts.

    Parameters
    ----------
    played : sequence of Table
        Of one game.
    is_restricted : bool
        Whether options or the line-up were given: then some decisions may never come up.
    """
    game = played[0].cell.game
    yield from _names(game)
    alike = () if game.has_roles else (Seats(),)
    tests = [Cards(), Always(game), Hidden(), *alike, Told(), Moves(game, is_restricted)]
    faults: dict[str, FaultError] = {}
    matches = moves = 0
    try:
        for at in (at for table in played for at in _moments(table)):
            matches += isinstance(at.event, MatchStart)
            moves += at.is_move
            for test in tests:
                if test.name not in faults:
                    _note(faults, test.name, test.look, at)
    except FaultError as fault:
        yield Verdict("plays", FAILED, fault.why, fault.table.command(fault.match))
        return  # every other test would come to the same place
    yield Verdict("plays", PASSED, f"{matches:,} matches with {moves:,} moves as plain Python")
    for test in tests:
        if test.name not in faults:
            _note(faults, test.name, test.end)
        if test.name == Seats.name and test.name in faults:
            faults[test.name].why += "; if the seats are meant to differ, write `roles = True`"
        yield Verdict.of(test.name, test.passed, test.not_tested, faults.get(test.name))
        for remark in test.remarks:
            yield Verdict(test.name, REMARK, remark)
    yield from _compiled(played)
    yield from _one_result(played)
    if game.has_roles:
        yield from _rates_of_seats(played)


def _compiled(played: Sequence[Table]) -> Iterator[Verdict]:
    """Test compiled matches, table by table.

    What is rare at a table with an option at one of its ends is told, and is no fault. A table
    whose matches do not end is left out by the tests that follow: each of its matches would be
    played up to the cap, in plain Python for minutes.
    """
    judged = list(played)
    for name, run, passed in _COMPILED:
        if not judged:
            yield Verdict(name, NOT_TESTED, "because matches do not end")
            continue
        found: dict[int, FaultError] = {}
        rare = ""
        for place, table in enumerate(judged):
            faults: dict[str, FaultError] = {}
            _note(faults, name, run, table)
            fault = faults.get(name)
            if fault is None:
                continue
            is_remark = not table.is_usual or fault.share < FEW_ABORTED
            if fault.is_rare and is_remark:
                rare = rare or f"; but {fault.why}, at {table.in_words}"
                continue
            found[place] = fault
            if run is not _matches_end or len(found) == MOST_ENDLESS:
                break
        left_out = len(played) - len(judged)
        if left_out:
            rare += f"; not tested at {left_out} of {len(played)} tables, where matches do not end"
        worst = next(iter(found.values()), None)
        if worst is not None and len(found) > 1:
            worst.why += f" (and at {len(found) - 1} more of {len(judged)} tables)"
        yield Verdict.of(name, f"{passed}{rare}", "", worst)
        if run is _matches_end:
            judged = [table for place, table in enumerate(judged) if place not in found]


def _one_result(played: Sequence[Table]) -> Iterator[Verdict]:
    """Remark on a game that is played together, and always won or always lost."""
    from simcore.batch import play

    if played[0].cell.game.teams != 1:
        return
    blocks = [play(table.cell, 0, COMPILED) for table in played]
    won = np.concatenate([block.winners[~block.aborted] != 0 for block in blocks])
    if won.all():
        why = "the table won every match; it loses one by end_match(s, 0); meant?"
        yield Verdict("scores", REMARK, why)
    elif not won.any():
        yield Verdict("scores", REMARK, f"the table lost all {len(won):,} matches; meant?")


def _rates_of_seats(played: Sequence[Table]) -> Iterator[Verdict]:
    """Tell how often each seat wins where seats are meant to differ, by policy."""
    from simcore.batch import play

    for table in played:
        if not table.is_usual or table.cell.players == 1:
            continue
        try:
            block = play(table.cell, 0, MATCHES_OF_RATES)
        except InputError:
            yield Verdict(Seats.name, NOT_TESTED, "because matches do not end")
            return
        is_won = (block.winners != 0) & ~block.aborted
        won = block.winners[is_won][:, None] >> np.arange(table.cell.players) & 1
        if not len(won):
            yield Verdict(Seats.name, NOT_TESTED, "because no seat ever wins")
            return
        shown = []
        for seat, share in enumerate((won / won.sum(axis=1, keepdims=True)).T):
            rate = interval_of(mean_of(share, centre=1 / table.cell.players))
            percent = render.number(rate.estimate, rate.low, rate.high, scale=100)
            shown.append(f"seat {seat} wins {percent} %")
        lineup = ", ".join(dict.fromkeys(map(str, table.cell.seats)))
        why = (
            f"meant to differ (`roles = True`): {joined(shown)} of {len(won):,} matches that "
            f"{lineup} played"
        )
        yield Verdict(Seats.name, REMARK, why)


def _names(game: Game) -> Iterator[Verdict]:
    """Remark on functions that nothing calls; options that no rule reads are refused at once."""
    from simcore.userfiles.names import unread_names
    from simcore.userfiles.rule_overrides import names_of
    from simcore.userfiles.user_games import file_at

    files: list[tuple[str, Any, Sequence[str]]] = []
    if game.original.digest:
        files.append((game.original.name, game.original.rules(), ()))
    before = list(names_of(game.original.rules()))
    files += [(change.path, change.module, before) for change in game.changes]
    if not files:
        yield Verdict("names", NOT_TESTED, "because the game has no file of its own")
        return
    yield Verdict("names", PASSED, "every option is read")
    for path, module, more in files:
        for name in unread_names(file_at(path), module, more):
            if name.kind == "function":
                yield Verdict("names", REMARK, f"{path}, line {name.line}: {name.advice}")


def _note(
    faults: dict[str, FaultError], name: str, run: Callable[..., None], *given: At | Table
) -> None:
    """Run a test and note its fault; a refusal while it runs counts as one."""
    try:
        run(*given)
    except FaultError as fault:
        faults[name] = fault
    except InputError as error:
        if not given:
            raise
        (at,) = given
        refused = FaultError.of(error, at if isinstance(at, Table) else at.table)
        refused.is_rare = "a match does not end" in refused.why
        faults[name] = refused


@dataclass(frozen=True)
class MatchStart:
    """The beginning of a match, before anything is dealt."""

    s: Any


def _moments(table: Table) -> Iterator[At]:
    """Yield the moments of a table's matches; an action that is refused is a fault."""
    from simcore.match import Match

    moves, most = 0, DECISIONS if table.is_usual else FEW_DECISIONS
    for number in range(MATCHES):
        match = Match(table.cell, number)
        yield At(table, match, MatchStart(match.s))
        try:
            for event in match.events():
                yield At(table, match, event)
                moves += hasattr(event, "move")
                if moves >= 2 * most:
                    return
        except InputError as error:
            raise FaultError(str(error), table, number) from error
        if moves >= most:
            return


# ------------------------------------------------------------------------------ cards and positions


class Cards(Test):
    """No card is lost, comes twice or is none of the deck; one deal for all is remarked on."""

    name = "cards"
    passed = "no card was lost or came twice"

    def __init__(self) -> None:
        super().__init__()
        self.in_play = -1
        self.not_tested = "the game has no cards"
        self.deals: dict[int, Counter[tuple[int, ...]]] = defaultdict(Counter)
        """By table, how often each first deal came."""

    def look(self, at: At) -> None:
        """Count the cards of a position."""
        program, s = at.match.plain.program, at.event.s
        if program.deck is None:
            return
        self.not_tested = ""
        word = count = places = 0
        dealt: list[int] = []
        for name, declared in program.fields.items():
            if program.is_place(declared.kind):
                for place, cards in leaves(f"s.{name}", s.__dict__[name]):
                    if cards.word & ~program.deck.all_cards:
                        raise at.fault(f"{place} has a card that the deck lacks")
                    if word & cards.word:
                        twice = StateCards(word & cards.word)
                        both = " ".join(map(program.deck.name, twice))
                        raise at.fault(f"{both} lies in {place} and elsewhere")
                    word, count = word | cards.word, count + len(cards)
                    places += len(cards) > 0
                    dealt += getattr(cards, "order", (cards.word,))
        if type(at.event).__name__ == "RoundStart":
            self.in_play = count
            if places > 1 and s.round_number == 1:  # else nothing is dealt
                self.deals[id(at.table)][tuple(dealt)] += 1
        elif at.is_move and count != self.in_play:
            raise at.fault(f"{count} cards of {self.in_play} are there")

    def end(self) -> None:
        """Remark on a deal that is the same in every match."""
        deals = [known for known in self.deals.values() if known.total() >= FEWEST_DEALS]
        if deals and all(len(known) == 1 for known in deals):
            self.remarks.append("every match is dealt the same cards to the same places; meant?")


class Always(Test):
    """The game's function `always` holds in every position."""

    name = "always"
    passed = "what the game says of every position holds"

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.rules = vars(game.rules()).get("always")
        if self.rules is None:
            self.not_tested = "the game has no function `always(s)`, which tells what always holds"

    def look(self, at: At) -> None:
        """Ask the game."""
        if self.rules is None or isinstance(at.event, MatchStart):
            return
        plain = at.match.plain
        after = getattr(at.event, "after", None)
        for s, when in ((at.event.s, ""), (after and after.s, "after it ")):
            if s is not None and not plain.run(plain.add(self.rules), s):
                raise at.fault(f"`always` does not hold {when}".rstrip())


class Hidden(Test):
    """Exchange what a seat does not see; its moves and what its policy chooses must stay."""

    name = "hidden cards"
    passed = "moves and choices stay when unseen cards are exchanged"

    def __init__(self) -> None:
        self.chance = random.Random(SEED)  # noqa: S311 (no secret)
        super().__init__()
        self.asked: dict[str, int] = {}
        self.exchanged: dict[int, int] = {}
        self.not_tested = "no cards are hidden from the seat on turn"

    def look(self, at: At) -> None:
        """Repeat the decision with other hidden cards."""
        if not at.is_move:
            return
        match, before, table = at.match, at.event.s, id(at.table)
        self.exchanged[table] = self.exchanged.get(table, 0) + 1
        if self.exchanged[table] > EXCHANGED:
            return
        other = exchanged(match, before, self.chance)
        if other is None:
            return
        self.not_tested = ""
        if match.plain.moves(other.copy()) != at.event.moves:
            raise at.fault("which moves are legal depends on cards that the seat does not see")
        player = match.players[before.seat]
        policy = player.seat_policy(match.cell.options)
        decisions = self.asked.get(str(player), 0)
        if len(at.event.moves) < 2 or policy.is_random or decisions >= POSITIONS:
            return
        if policy.rollout is not None:
            return  # it deals the unseen cards anew itself
        self.asked[str(player)] = decisions + 1
        # Asked twice: the replay itself may have drawn random numbers in between.
        same = match.plain.choice(policy, before.copy(), at.event.moves)
        choice = match.plain.choice(policy, other, at.event.moves)
        if choice != same:
            raise at.fault(f"{player} chooses {choice} in place of {same} with other hidden cards")


def exchanged(match: Any, s: Any, chance: random.Random) -> Any:
    """Deal the cards again that the seat on turn does not see; None where there are none."""
    other = s.copy()
    words = [chance.randrange(1, 1 << 63) for _ in range(2)]
    count = match.plain.deal_anew(other, s.seat, words)
    return other if count > 1 else None


class Told(Test):
    """Every match is told in words."""

    name = "words"
    passed = "every match is told in words"

    def __init__(self) -> None:
        super().__init__()
        self.told: set[int] = set()

    def look(self, at: At) -> None:
        """Narrate the first match of a table."""
        from simcore.replay import replay

        if not isinstance(at.event, MatchStart) or at.match.match > 0:
            return
        try:
            for line in replay(at.table.cell, 0, why=True):
                if not line.strip():
                    raise at.fault("a line is empty")
        except InputError:
            return  # `plays` tells it


class Moves(Test):
    """Every decision is asked; cards never offered and seats never asked are remarked on."""

    name = "moves"
    passed = "every decision was asked"

    def __init__(self, game: Game, is_restricted: bool) -> None:
        super().__init__()
        self.is_card = Teller(game).is_card
        self.is_restricted = is_restricted
        self.has_roles = game.has_roles
        self.asked: set[int] = set()
        self.offered: set[int] = set()
        self.held: Counter[int] = Counter()
        self.last: At | None = None
        self.by_seat: dict[tuple[int, int], Counter[int]] = defaultdict(Counter)
        """How often each seat was asked, by decision and number of players."""
        self.by_round: Counter[tuple[int, bool]] = Counter()
        """How often each decision was asked in first rounds of a match, and in later ones."""
        self.rounds: Counter[bool] = Counter()
        self.before: dict[str, Any] = {}
        """The numbers of the state as the last round of this match left them."""
        self.kept: dict[str, bool] = {}
        """By field, whether every later round began with what the one before it had left."""

    def look(self, at: At) -> None:
        """Note what is asked and offered."""
        kind = type(at.event).__name__
        if kind == "RoundEnd":
            self.before = dict(numbers_by_field(at.match.plain, at.event.after.s))
        if kind == "RoundStart":
            is_first = at.event.s.round_number == 1
            self.rounds[is_first] += 1
            for name, value in () if is_first else numbers_by_field(at.match.plain, at.event.s):
                if value != self.before[name]:
                    self.kept[name] = False
                elif any(value) if isinstance(value, list) else value:
                    self.kept.setdefault(name, True)
        if not at.is_move:
            return
        self.last = at
        s, phase = at.event.s, at.event.s.phase
        self.asked.add(phase)
        self.by_seat[phase, at.match.plain.players][s.seat] += 1
        self.by_round[phase, s.round_number == 1] += 1
        if self.by_round.total() % EVERY == 1:
            _only_asks(at)
        if self.is_card(phase):
            self.offered |= set(at.event.moves)
            for card in _in_hand(at.match.plain.program, s):
                self.held[card] += 1

    def end(self) -> None:
        """Report decisions and cards that never came up."""
        if self.last is None:
            self.not_tested = "no seat was ever asked"
            return
        program = self.last.match.plain.program
        missing = [name for name, phase in program.decisions.items() if phase not in self.asked]
        if missing and self.is_restricted:
            self.not_tested = f"{missing[0]} was not asked with what was given"
        elif missing and not self.last.match.cell.game.original.digest:
            # A built-in game, some of whose decisions need several options at once.
            self.remarks += [f"{name} was not asked at these tables" for name in missing]
        elif missing:
            table = self.last.table
            raise FaultError(f"{missing[0]} is never asked", table, self.last.match.match)
        offered = {program.deck.name(card) for card in self.offered if card in program.deck.cards}
        held = Counter[str]()
        for card, times in sorted(self.held.items()):
            held[program.deck.name(card)] += times
        # Cards of one name are one kind: it is played if one of them is.
        never = [name for name, times in held.items() if times >= HELD and name not in offered]
        if never:
            cards = f"{', '.join(never[:4])}{' …' if len(never) > 4 else ''}"
            verb = "is" if len(never) == 1 else "are"
            self.remarks.append(f"{cards} {verb} held on turn and never a legal move; meant?")
        self.remarks += self._seats_left_out(program) + self._rounds_left_out(program)

    def _seats_left_out(self, program: Any) -> list[str]:
        """Tell of decisions that some seats are never asked."""
        said: list[str] = []
        for name, phase in () if self.has_roles else program.decisions.items():
            for (decision, players), times in sorted(self.by_seat.items()):
                left_out = [str(seat) for seat in range(players) if not times[seat]]
                if decision == phase and left_out and times.total() >= ASKED:
                    seats = f"seat{'s' if len(left_out) > 1 else ''} {joined(left_out)}"
                    said.append(f"{name} is never asked of {seats} of {players} players; meant?")
                    break
        return said

    def _rounds_left_out(self, program: Any) -> list[str]:
        """Tell of decisions that are asked far less often from the second round on."""
        said = []
        for name, phase in program.decisions.items():
            first, later = (
                self.by_round[phase, is_first] / max(self.rounds[is_first], 1)
                for is_first in (True, False)
            )
            enough = min(self.rounds[True], self.rounds[False]) >= 10
            if name != "MOVE" and enough and later < first / 2:
                kept = [f"s.{name}" for name, is_kept in self.kept.items() if is_kept]
                why = f": {joined(kept)} still as the round before left them" if kept else ""
                said.append(
                    f"{name} is asked {first:.1f} times in round 1, {later:.1f} times in a later "
                    f"round{why}; meant?"
                )
        return said


def _only_asks(at: At) -> None:
    """Fail if asking what is legal changes the state."""
    plain, s = at.match.plain, at.event.s.copy()
    plain.moves(s)
    for name in plain.program.rules_fields:
        if s.__dict__[name] != at.event.s.__dict__[name]:
            raise at.fault(f"asking what is legal changes s.{name}")


def _in_hand(program: Any, s: Any) -> Iterator[int]:
    """Yield the cards in places that only the seat on turn sees."""
    for name, declared in program.fields.items():
        if declared.sees == "own" and program.is_place(declared.kind):
            for _, cards in leaves(name, s.__dict__[name][s.seat]):
                yield from cards


# ----------------------------------------------------------------------------------- compiled rules


def _matches_end(table: Table) -> None:
    from simcore.batch import play

    block = play(table.cell, 0, COMPILED)
    aborted = np.flatnonzero(block.aborted)
    if len(aborted):
        many = f"{len(aborted)} of {len(block)} matches have no end or no winner"
        fault = FaultError(f"{many}, as match {aborted[0]}", table, int(aborted[0]))
        fault.share = len(aborted) / len(block)
        fault.is_rare = fault.share < 0.5
        raise fault


def _best_wins(table: Table) -> None:
    from simcore.batch import play

    block = play(table.cell, 0, COMPILED)
    lowest = table.cell.game.best_score_under(table.cell.options) == "lowest"
    best = block.scores.min(axis=0) if lowest else block.scores.max(axis=0)
    for seat, scores in enumerate(block.scores):
        wins = (block.winners >> seat & 1).astype(bool)
        wrong = np.flatnonzero(wins & (scores != best))
        if len(wrong):
            at = int(wrong[0])
            why = f"seat {seat} wins with {scores[at]}, the best total is {best[at]} (match {at})"
            raise FaultError(why, table, at)


def _same_rows(table: Table) -> None:
    from simcore.batch import play
    from simcore.match import Match

    columns = play(table.cell, 0, MATCHES).columns()
    moves = 0
    for number in range(MATCHES):
        match = Match(table.cell, number)
        for _ in match.events(copies=False):
            pass
        for name, value in match.row().items():
            compiled = int(columns[name][number])
            if compiled != value:
                why = f"{name} is {compiled} compiled, {value} in Python (match {number})"
                raise FaultError(why, table, number)
        moves += match.s.count.decisions + match.s.count.forced
        if moves >= FEW_DECISIONS:
            return


_COMPILED: tuple[tuple[str, Callable[[Table], None], str], ...] = (
    ("end", _matches_end, "every match ended"),
    ("scores", _best_wins, "the winners have the best totals"),
    ("compiled", _same_rows, "compiled rules give the same rows as plain Python"),
)
