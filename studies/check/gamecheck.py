"""Whether a game in a file is sound: plays matches as checked Python, looks at each position.

Each test ends with one verdict; a failure names the match and the position that show it, which
`cardlab play GAME --match M` tells.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

from simcore.errors import InputError
from simcore.game import Game, get_game

MATCHES = 60
DECISIONS = 3000
"""Decisions after which a test plays no further match: those of some games are long."""

POSITIONS = 400
"""Decisions of each policy that are asked again with other hidden cards, at most."""

EXCHANGED = 60
"""Positions of each policy in which the seats are exchanged."""

MOST_READINGS = 243
"""Ways in which the numbers of a state may mean seats, of which more are not tried."""

HELD = 100
"""Times that a seat on turn has a card in hand after which it should have been a legal move."""

SEED = 1


@dataclass(frozen=True)
class Found:
    """A verdict: what was tested, whether it passed, and what was found."""

    test: str
    passed: bool
    found: str


def check_game(name: str) -> Iterator[Found]:
    """Yield what is found of a game in the language, test by test.

    Raises
    ------
    InputError
        If the game is refused.
    """
    from simcore.compiler.blocks import check_sources
    from strategies import policies

    game = get_game(name)
    known = [each for each in policies(game) if not each.takes_policy]
    lineups = [[each.name] for each in known]
    for lineup in lineups:
        check_sources(_cell(game, lineup))
    tests: tuple[tuple[str, Callable[[Game, list[str]], str]], ...] = (
        ("cards", _cards_stay),
        ("always", _stays_so),
        ("end", _matches_end),
        ("scores", _best_wins),
        ("hidden cards", _blind),
        ("seats", _seats_alike),
        ("words", _told),
        ("compiled", _same_rows),
    )
    for test, run in tests:
        why = ""
        for lineup in lineups:
            try:
                why = run(game, lineup)
            except InputError as error:
                yield Found(test, False, f"{lineup[0]}: {error}")
                return  # every other test would come to the same place
            if why:
                why = f"{lineup[0]}: {why}"
                break
        yield Found(test, not why, why or _PASSED[test])
    never = _never_offered(game, lineups)
    yield Found("moves", not never, never or _PASSED["moves"])


_PASSED = {
    "cards": "no card was lost or came twice",
    "always": "what the game says of every position holds",
    "end": "every match ended",
    "scores": "the winners have the best totals",
    "hidden cards": "moves and choices stay when unseen cards are exchanged",
    "seats": "nothing changes when the seats are exchanged in a circle",
    "moves": "every decision was asked, and every card could be played",
    "words": "every match is told in words",
    "compiled": "compiled rules give the same rows as plain Python",
}


def _cell(game: Game, lineup: list[str]) -> Any:
    from simcore.batch import Cell
    from strategies import parse_lineup, seat_lineup

    options = game.resolve({})
    players = options["players"]
    assert isinstance(players, int)
    return Cell(game, options, seat_lineup(parse_lineup(game, lineup), players), SEED)


def _places(match: Any, s: Any) -> Iterator[tuple[str, Any]]:
    """Yield all places of cards with their names and contents."""
    program = match.plain.program
    for name, declared in program.fields.items():
        if program.is_place(declared.kind):
            yield from _leaves(f"s.{name}", s.__dict__[name])


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, list):
        for index, each in enumerate(value):
            yield from _leaves(f"{name}[{index}]", each)
    else:
        yield name, value


def _matches(game: Game, lineup: list[str]) -> Iterator[tuple[int, Any]]:
    from simcore.compiler.plain import Match

    cell, decisions = _cell(game, lineup), 0
    for number in range(MATCHES):
        if decisions < DECISIONS:
            match = Match(cell, number)
            yield number, match
            decisions += match.s.count.decisions + match.s.count.forced


def _cards_stay(game: Game, lineup: list[str]) -> str:
    for number, match in _matches(game, lineup):
        in_play = -1
        for step, event in enumerate(match.events(copies=False)):
            word, count = 0, 0
            for name, cards in _places(match, match.s):
                if cards.word & ~match.plain.program.deck.all_cards:
                    return f"{name} has a card that the deck lacks (match {number}, event {step})"
                if word & cards.word:
                    both = match.plain.named(type(cards)(word & cards.word))
                    return f"{both} lies in {name} and elsewhere (match {number}, event {step})"
                word, count = word | cards.word, count + len(cards)
            if type(event).__name__ == "RoundStart":
                in_play = count
            elif type(event).__name__ == "Step" and count != in_play:
                return f"{count} cards of {in_play} are there (match {number}, event {step})"
    return ""


def _stays_so(game: Game, lineup: list[str]) -> str:
    """Ask the game's own `always(s)` in every position."""
    rules = vars(game.rules()).get("always")
    if rules is None:
        return ""
    for number, match in _matches(game, lineup):
        always = match.plain.add(rules)
        for step, event in enumerate(match.events(copies=False)):
            if not match.plain.run(always, match.s):
                when = "after scoring" if type(event).__name__ == "RoundEnd" else f"event {step}"
                round_number = match.s.round_number
                return f"`always` does not hold (match {number}, round {round_number}, {when})"
    return ""


def _matches_end(game: Game, lineup: list[str]) -> str:
    from simcore.batch import play

    block = play(_cell(game, lineup), 0, 500)
    aborted = np.flatnonzero(block.aborted)
    if not len(aborted):
        return ""
    return f"{len(aborted)} of {len(block)} matches have no end or no winner, as match {aborted[0]}"


def _best_wins(game: Game, lineup: list[str]) -> str:
    from simcore.batch import play

    cell = _cell(game, lineup)
    block = play(cell, 0, 500)
    lowest = game.best_score_under(cell.options) == "lowest"
    best = block.scores.min(axis=0) if lowest else block.scores.max(axis=0)
    for seat, scores in enumerate(block.scores):
        wins = (block.winners >> seat & 1).astype(bool)
        wrong = np.flatnonzero(wins & (scores != best))
        if len(wrong):
            at = wrong[0]
            return f"seat {seat} wins with {scores[at]}, the best total is {best[at]} (match {at})"
    return ""


def _blind(game: Game, lineup: list[str]) -> str:
    """Exchange what a seat does not see; its moves and what its policy chooses must stay."""
    chance, asked = random.Random(SEED), 0  # noqa: S311 (no secret)
    for number, match in _matches(game, lineup):
        for step, event in enumerate(match.events()):
            if type(event).__name__ != "Step" or asked >= POSITIONS:
                continue
            before = event.s
            other = _exchanged(match, before, chance)
            where = f"(match {number}, decision {step}, seat {before.seat})"
            if match.plain.moves(other.copy()) != event.moves:
                return f"which moves are legal depends on cards that the seat does not see {where}"
            policy = match.players[before.seat].seat_policy(match.cell.options)
            if len(event.moves) < 2 or policy.is_random:
                continue
            asked += 1
            # Asked twice: the replay itself may have drawn random numbers in between.
            same = match.plain.choice(policy, before.copy(), event.moves)
            choice = match.plain.choice(policy, other, event.moves)
            if choice != same:
                return f"it chooses {choice} in place of {same} with other hidden cards {where}"
        if asked >= POSITIONS:
            break
    return ""


def _exchanged(match: Any, s: Any, chance: random.Random) -> Any:
    """Return a position with the cards unseen by the seat on turn dealt again."""
    from simcore.compiler.plain import Cards

    other, program = s.copy(), match.plain.program
    unseen: list[tuple[Any, Any]] = []
    for name, declared in program.fields.items():
        if not program.is_place(declared.kind) or declared.sees == "shown":
            continue
        value = other.__dict__[name]
        holders = (
            [(other.__dict__, name)]
            if not declared.per_seat
            else [
                (value, seat)
                for seat in range(match.plain.players)
                if declared.sees == "hidden" or seat != s.seat
            ]
        )
        for holder, key in holders:
            if declared.many:
                unseen += [(holder[key], place) for place in range(declared.many)]
            else:
                unseen.append((holder, key))
    pool = [card for holder, key in unseen for card in holder[key]]
    chance.shuffle(pool)
    for holder, key in unseen:
        count = len(holder[key])
        holder[key] = Cards.of(pool[:count])
        del pool[:count]
    return other


def _told(game: Game, lineup: list[str]) -> str:
    from simcore.replay import replay

    cell = _cell(game, lineup)
    for number in range(3):
        lines = list(replay(cell, number, why=True))
        if not all(line.strip() for line in lines):
            return f"a line of match {number} is empty"
    return ""


def _same_rows(game: Game, lineup: list[str]) -> str:
    from simcore.batch import play

    cell = _cell(game, lineup)
    columns = play(cell, 0, MATCHES).columns()
    for number, match in _matches(game, lineup):
        for _ in match.events(copies=False):
            pass
        for name, value in match.row().items():
            if int(columns[name][number]) != value:
                compiled = int(columns[name][number])
                return f"{name} is {compiled} compiled, {value} in Python (match {number})"
    return ""


def _never_offered(game: Game, lineups: Sequence[list[str]]) -> str:
    """Return which decision is never asked, or which card is never a legal move, if any."""
    asked: set[int] = set()
    offered: set[int] = set()
    held: dict[int, tuple[int, str]] = {}
    is_card = getattr(game.words(), "is_card", lambda _: False)
    for number, match, event, step in _steps(game, lineups):
        asked.add(event.s.phase)
        if is_card(event.s.phase):
            offered |= set(event.moves)
            for card in _in_hand(match.plain.program, event.s):
                where = f"(match {number}, decision {step}, seat {event.s.seat})"
                held[card] = held.get(card, (0, ""))[0] + 1, where
        program = match.plain.program
    missing = [name for name, phase in program.decisions.items() if phase not in asked]
    if missing:
        return f"{missing[0]} is never asked"
    for card, (times, where) in sorted(held.items()):
        if times >= HELD and card not in offered:
            name = program.deck.name(card)
            return f"{name} is in hand {times} times on turn and never a legal move {where}"
    return ""


def _steps(game: Game, lineups: Sequence[list[str]]) -> Iterator[tuple[int, Any, Any, int]]:
    """Yield the decisions of matches: match number, match, event, and its place."""
    for lineup in lineups:
        for number, match in _matches(game, lineup):
            for step, event in enumerate(match.events()):
                if type(event).__name__ == "Step":
                    yield number, match, event, step


def _in_hand(program: Any, s: Any) -> Iterator[int]:
    """Yield the cards that the seat on turn has for itself."""
    for name, declared in program.fields.items():
        if declared.sees == "own" and program.is_place(declared.kind):
            for _, cards in _leaves(name, s.__dict__[name][s.seat]):
                yield from cards


def _seats_alike(game: Game, lineup: list[str]) -> str:
    """Exchange the seats in a circle; all that follows must be the same, exchanged.

    Which numbers of the state mean a seat, or seats as bits, is not declared: every reading is
    tried that fits the values, and one of them must bear out every position.
    """
    events = []
    for number, match in _matches(game, lineup):
        events += [(number, step, event) for step, event in enumerate(match.events())]
        if len(events) > 4 * EXCHANGED:
            break
    plain = match.plain
    kinds = _readings(plain, [event.s for _, _, event in events])
    readings = [dict(zip(kinds, each, strict=True)) for each in product(*kinds.values())]
    moved = [each for each in events if hasattr(each[2], "after")]
    if len(readings) > MOST_READINGS:
        moved = []
    for number, place, event in moved[:: max(1, len(moved) // EXCHANGED)]:
        found = [_unlike(plain, event, each) for each in readings]
        readings = [each for each, unlike in zip(readings, found, strict=True) if not unlike]
        if not readings:
            return f"{found[0]} (match {number}, event {place}, seat {event.s.seat})"
    return _dealt_alike(game, lineup)


def _dealt_alike(game: Game, lineup: list[str]) -> str:
    """Tell where another seat begins, and others than those in the same order get more cards."""
    _, match = next(_matches(game, lineup))
    plain = match.plain
    known: dict[str, tuple[list[list[int]], int]] = {}
    for number in range(plain.players):
        s = plain.start_match(SEED, 0)
        s.round_number = number
        plain.start_round(s)
        sizes = [
            [
                sum(len(cards) for _, cards in _leaves(name, s.__dict__[name][seat]))
                for name, each in plain.program.fields.items()
                if each.per_seat and plain.program.is_place(each.kind)
            ]
            for seat in range(plain.players)
        ]
        ordered = sizes[s.seat :] + sizes[: s.seat]
        before, first = known.setdefault(str(sorted(sizes)), (ordered, s.seat))
        if before != ordered:
            return (
                f"seats are dealt {before} cards, from the seat that begins, where seat {first} "
                f"begins, and {ordered} where seat {s.seat} does (match 0)"
            )
    return ""


_SEAT_FIELDS = {"seat": "seat", "first_seat": "seat", "leaders": "seats", "winners": "seats"}


def _readings(plain: Any, states: Sequence[Any]) -> dict[str, tuple[str, ...]]:
    """Return what each number of the state may be, by the values that it had."""
    from simcore.compiler.program import ENGINE_FIELDS

    found = {}
    for name, declared in plain.program.fields.items():
        simple = declared.kind.name == "number" and not declared.per_seat and not declared.many
        if not simple or name in ENGINE_FIELDS:
            continue
        values = {s.__dict__[name] for s in states}
        kinds = ["number"]
        if values <= set(range(-1, plain.players)) and len(values) > 1:
            kinds.append("seat")
        if values <= set(range(1 << plain.players)) and max(values) >= plain.players:
            kinds.append("seats")
        found[name] = tuple(kinds)
    return found


def _turned(plain: Any, s: Any, kinds: dict[str, str]) -> Any:
    """Return a state in which each seat has what the one before it had."""
    other, players = s.copy(), plain.players
    for name, declared in plain.program.fields.items():
        value, kind = other.__dict__[name], {**kinds, **_SEAT_FIELDS}.get(name)
        if declared.per_seat:
            other.__dict__[name] = type(value)(value[-1:] + value[:-1])
        elif kind == "seat" and value >= 0:
            other.__dict__[name] = (value + 1) % players
        elif kind == "seats":
            other.__dict__[name] = (value << 1 | value >> players - 1) & (1 << players) - 1
    return other


def _unlike(plain: Any, event: Any, kinds: dict[str, str]) -> str:
    """Return what differs after a move, or a score, when the seats are exchanged before it."""
    other = _turned(plain, event.s, kinds)
    try:
        if hasattr(event, "move"):
            if plain.moves(other) != event.moves:
                return "other moves are legal when the seats are exchanged"
            plain.apply(other, event.move)
        else:
            plain.score_round(other)
    except InputError as error:
        return f"with the seats exchanged: {error}"
    wanted = _turned(plain, event.after.s, kinds)
    for name in plain.program.fields:
        if other.__dict__[name] != wanted.__dict__[name]:
            was, now = wanted.__dict__[name], other.__dict__[name]
            return f"s.{name} is {now} in place of {was} when the seats are exchanged in a circle"
    return ""
