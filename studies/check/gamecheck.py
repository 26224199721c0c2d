"""Tests of a game in a file: its matches are played as checked Python, position by position.

Each test ends with a verdict. A failure comes with the command that tells the match, and with the
round and the number of the move that `cardlab play` prints.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simcore.catalogue import get_game
from simcore.compiler.program import place_in, program_of
from simcore.compiler.state import Cards as StateCards
from simcore.errors import InputError
from simcore.game import Game
from simcore.match import Match
from simcore.narration.guarded import PhraseError
from simcore.narration.teller import Teller
from simcore.phrases import joined
from strategies import Policies
from studies.check.compared import compiled_matches, differences_meant
from studies.check.moments import (
    FAILED,
    MEANT,
    NOT_TESTED,
    PASSED,
    REMARK,
    At,
    FaultError,
    Test,
    Verdict,
    exchanged,
    leaves,
)
from studies.check.rounds import Rounds
from studies.check.seats import Seats
from studies.check.tables import SEED, Table, other_deals, tables

MATCHES = 60
DECISIONS = 3000
"""Moves after which a line-up plays no further match at the usual table: some games are long."""

FEW_DECISIONS = 600
"""The same for each of the many other tables."""

MOST_DECISIONS = 9000, 6000
"""Moves at all usual tables, and at all others: of many tables each has fewer."""

POSITIONS = 400
"""Decisions of a line-up that are asked again with other hidden cards, at most."""

EXCHANGED = 300
"""Positions of a table whose hidden cards are exchanged, at most: dealing anew is slow."""

HELD = 100
"""Times that a seat on turn has a card in hand after which one expects it among the legal moves."""

EVERY = 7
"""Of so many decisions one is asked again, to see whether asking changes something."""

FEWEST_DEALS = 3
"""Matches of a table after which one expects a second deal."""

ASKING = "asking what is legal changes"

DEALS = 5
"""Deals of each table at which nothing else is played."""

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
    meant = meant_by(played[0].cell.game)
    found: set[str] = set()
    for verdict in _verdicts(played, is_restricted):
        named = {text for text in meant if text in verdict.found}
        found |= named
        if named and verdict.verdict == REMARK:
            why = verdict.found.removesuffix("; meant?")
            yield replace(verdict, verdict=MEANT, found=why)
        else:
            yield verdict
    for text in meant:
        if text not in found and not is_restricted:
            yield Verdict("names", REMARK, f"`meant` has {text!r}, which is not found any more")


def _verdicts(played: Sequence[Table], is_restricted: bool) -> Iterator[Verdict]:
    game = played[0].cell.game
    yield from _names(game)
    alike = () if game.has_roles else (Seats(),)
    moves = Moves(game, is_restricted)
    tests = [Cards(), Always(game), Hidden(), *alike, Told(), moves, Rounds()]
    faults: dict[str, FaultError] = {}
    try:
        _deal_everywhere(played)
        many = _look_at_matches(played, tests, faults)
    except FaultError as fault:
        yield Verdict("plays", FAILED, fault.told, fault.show)
        return  # every other test would come to the same place
    yield Verdict("plays", PASSED, many)
    for test in tests:
        if test.name not in faults:
            _note(faults, test.name, test.end)
        if test.name == Seats.name and test.name in faults:
            faults[test.name].why += "; if the seats are meant to differ, write `roles = True`"
        yield Verdict.of(test.name, test.passed, test.not_tested, faults.get(test.name))
        for remark in (*test.notes, *(test.remarks if game.digest or game.changes else ())):
            yield Verdict(test.name, REMARK, remark)
    if moves.name in faults and ASKING in faults[moves.name].why:
        for name in ("end", "scores", "compiled"):
            yield Verdict(name, NOT_TESTED, f"because {ASKING} the state")
        return
    yield from compiled_matches(played)
    yield from differences_meant(played)


def _look_at_matches(
    played: Sequence[Table], tests: Sequence[Test], faults: dict[str, FaultError]
) -> str:
    """Let tests look at every moment of the matches; return how many they were."""
    usual = sum(table.is_usual for table in played)
    of_usual, of_other = (
        min(each, of_all // max(tables, 1))
        for each, of_all, tables in zip(
            (DECISIONS, FEW_DECISIONS), MOST_DECISIONS, (usual, len(played) - usual), strict=True
        )
    )
    matches = moves = 0
    for at in (
        at for table in played for at in _moments(table, of_usual if table.is_usual else of_other)
    ):
        matches += isinstance(at.event, MatchStart)
        moves += at.is_move
        for test in tests:
            if test.name not in faults:
                _note(faults, test.name, test.look, at)
    return f"{matches:,} matches with {moves:,} moves as plain Python"


def meant_by(game: Game) -> list[str]:
    """Return what the files of a game say is meant, of what would be remarked on."""
    meant: list[str] = []
    for module in (game.original.rules(), *(change.module for change in game.changes)):
        said = vars(module).get("meant", ()) if game.digest or game.changes else ()
        texts = [said] if isinstance(said, str) else said
        if not isinstance(texts, list | tuple) or not all(isinstance(t, str) and t for t in texts):
            raise InputError(
                f"{place_in(str(module.__file__), 'meant')}: meant = {said!r} is refused; allowed: "
                'a text of a remark, or several, as in meant = "cat are held", "s.bags"'
            )
        meant += texts
    return meant


def seen_in_words(game: Game) -> str:
    """Say which places of cards are hidden, and which are seen by whom."""
    program = program_of(game)
    by_sight: dict[str, list[str]] = defaultdict(list)
    for name, field in program.fields.items():
        if program.is_place(field.kind):
            by_sight[field.sees].append(name)
    words = {"hidden": "hidden in", "own": "seen by their seat in", "some": "seen by some in"}
    words["shown"] = "seen by all in"
    parts = [f"{words[sees]} {', '.join(names)}" for sees, names in by_sight.items()]
    return f"Cards are {joined(parts)}." if parts else ""


def _deal_everywhere(played: Sequence[Table]) -> None:
    """Deal with each end of an option and each number of players: an error there is a fault."""
    for table in other_deals(played):
        for number in range(DEALS):
            try:
                match = Match(table.cell, number)
                match.plain.start_round(match.s)
            except InputError as error:
                raise FaultError(str(error), table, number) from error


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


def _note(faults: dict[str, FaultError], name: str, run: Callable[..., None], *given: At) -> None:
    """Run a test and note its fault; a refusal while it runs counts as one."""
    try:
        run(*given)
    except FaultError as fault:
        faults[name] = fault
    except InputError as error:
        if not given:
            raise
        (at,) = given
        faults[name] = FaultError.of(error, at.table)


@dataclass(frozen=True)
class MatchStart:
    """The beginning of a match, before anything is dealt."""

    s: Any


def _moments(table: Table, most: int) -> Iterator[At]:
    """Yield the moments of a table's matches; an action that is refused is a fault."""
    moves = 0
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
        self.known = 0
        """The cards that were in a place, as bits."""
        self.deck: Any = None

    def look(self, at: At) -> None:
        """Count the cards of a position."""
        program, s = at.match.plain.program, at.event.s
        if program.deck is None:
            return
        self.not_tested, self.deck = "", program.deck
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
        self.known |= word
        if type(at.event).__name__ == "RoundStart":
            self.in_play = count
            if places > 1 and s.round_number == 1:  # else nothing is dealt
                self.deals[id(at.table)][tuple(dealt)] += 1
        elif at.is_move and count != self.in_play:
            raise at.fault(f"{count} cards of {self.in_play} are there")

    def end(self) -> None:
        """Remark on a deal that is the same in every match, and on cards that are in no place."""
        if self.deck is not None and (missing := self.deck.all_cards & ~self.known):
            names = Counter(map(self.deck.name, StateCards(missing)))
            kinds = [f"{n} {name}" if n > 1 else name for name, n in names.items()]
            shown = f"{', '.join(kinds[:4])}{' …' if len(kinds) > 4 else ''}"
            verb = "is" if sum(names.values()) == 1 else "are"
            self.remarks.append(f"{shown} of the deck {verb} in no place in any match; meant?")
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
        table = id(at.table)
        self.exchanged[table] = self.exchanged.get(table, 0) + 1
        if self.exchanged[table] > EXCHANGED:
            return
        other = exchanged(at, self.chance)
        if other is None:
            return
        self.not_tested = ""
        if at.match.plain.moves(other.copy()) != at.event.moves:
            raise at.fault("which moves are legal depends on cards that the seat does not see")
        player = str(at.match.players[at.event.s.seat])
        decisions = self.asked.get(player, 0)
        if at.is_blind_choice and decisions < POSITIONS:
            self.asked[player] = decisions + 1
            same, choice = at.choices(other)
            if choice != same:
                raise at.fault(f"{player} chooses {choice}, not {same}, with other hidden cards")


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
        except PhraseError as error:
            raise at.fault(str(error)) from error
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
        self.strange: tuple[int, At] | None = None
        """A legal move that is a card which its seat neither has nor sees."""
        self.moves = 0

    def look(self, at: At) -> None:
        """Note what is asked and offered."""
        if not at.is_move:
            return
        self.last = at
        s, phase = at.event.s, at.event.s.phase
        self.asked.add(phase)
        self.by_seat[phase, at.match.plain.players][s.seat] += 1
        self.moves += 1
        if self.moves % EVERY == 1:
            _only_asks(at)
        if self.is_card(phase):
            self.offered |= set(at.event.moves)
            for card in _in_hand(at.match.plain.program, s):
                self.held[card] += 1
            if self.strange is None and self.moves % EVERY == 1:
                known = set(_known_to(at.match.plain.program, s))
                deck = at.match.plain.program.deck
                strange = [m for m in at.event.moves if deck and m in deck.cards and m not in known]
                self.strange = (strange[0], at) if strange else None

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
            self.notes += [f"{name} was not asked at these tables" for name in missing]
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
        if self.strange is not None:
            card, at = self.strange
            self.remarks.append(
                f"the card {program.deck.name(card)} (number {card}) is a legal move of a seat "
                f"that neither has nor sees it {at.where}; meant?"
            )
        self.remarks += self._seats_left_out(program)

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


def _only_asks(at: At) -> None:
    """Fail if asking what is legal changes the state."""
    plain, s = at.match.plain, at.event.s.copy()
    plain.moves(s)
    for name in plain.program.rules_fields:
        if s.__dict__[name] != at.event.s.__dict__[name]:
            raise at.fault(f"{ASKING} s.{name}")


def _known_to(program: Any, s: Any) -> Iterator[int]:
    """Yield the cards in places of the seat on turn, and in those that all see."""
    for name, declared in program.fields.items():
        if program.is_place(declared.kind) and declared.sees != "hidden":
            is_its_own = declared.per_seat and declared.sees != "shown"
            held = s.__dict__[name][s.seat] if is_its_own else s.__dict__[name]
            for _, cards in leaves(name, held):
                yield from cards


def _in_hand(program: Any, s: Any) -> Iterator[int]:
    """Yield the cards in places that only the seat on turn sees."""
    for name, declared in program.fields.items():
        if declared.sees == "own" and program.is_place(declared.kind):
            for _, cards in leaves(name, s.__dict__[name][s.seat]):
                yield from cards
