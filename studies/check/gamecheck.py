"""Whether a game in a file is sound: plays matches as checked Python, looks at each position.

Each test ends with one verdict; a failure names the match and the position that show it, which
`cardlab play GAME --match M` tells.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from simcore.errors import InputError
from simcore.game import Game, get_game

MATCHES = 60
POSITIONS = 400
"""Decisions of each policy that are asked again with other hidden cards, at most."""

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
    known = [one for one in policies(game) if not one.takes_policy]
    lineups = [[one.name] for one in known]
    for lineup in lineups:
        check_sources(_cell(game, lineup))
    tests: tuple[tuple[str, Callable[[Game, list[str]], str]], ...] = (
        ("cards", _cards_stay),
        ("end", _matches_end),
        ("scores", _best_wins),
        ("hidden cards", _blind),
        ("words", _told),
        ("compiled", _same_rows),
    )
    for test, run in tests:
        told = []
        for lineup in lineups:
            try:
                why = run(game, lineup)
            except InputError as error:
                why = str(error)
            if why:
                told.append(f"{lineup[0]}: {why}")
                break
        yield Found(test, not told, told[0] if told else _PASSED[test])


_PASSED = {
    "cards": "no card was lost or came twice",
    "end": "every match ended",
    "scores": "the winners have the best totals",
    "hidden cards": "moves and choices stay when unseen cards are exchanged",
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
        for index, one in enumerate(value):
            yield from _leaves(f"{name}[{index}]", one)
    else:
        yield name, value


def _matches(game: Game, lineup: list[str]) -> Iterator[tuple[int, Any]]:
    from simcore.compiler.plain import Match

    cell = _cell(game, lineup)
    for number in range(MATCHES):
        yield number, Match(cell, number)


def _cards_stay(game: Game, lineup: list[str]) -> str:
    for number, match in _matches(game, lineup):
        in_play = -1
        for step, event in enumerate(match.events(copies=False)):
            word, count = 0, 0
            for name, cards in _places(match, match.s):
                if word & cards.word:
                    both = match.plain.named(type(cards)(word & cards.word))
                    return f"{both} lies in {name} and elsewhere (match {number}, event {step})"
                word, count = word | cards.word, count + len(cards)
            if type(event).__name__ == "RoundStart":
                in_play = count
            elif type(event).__name__ == "Step" and count != in_play:
                return f"{count} cards of {in_play} are there (match {number}, event {step})"
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
            policy = match.players[before.seat].asked(match.cell.options)
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
    from simcore.compiler.plain import Match

    cell = _cell(game, lineup)
    columns = play(cell, 0, MATCHES).columns()
    for number in range(20, MATCHES):
        match = Match(cell, number)
        for _ in match.events(copies=False):
            pass
        for name, value in match.row().items():
            if int(columns[name][number]) != value:
                compiled = int(columns[name][number])
                return f"{name} is {compiled} compiled, {value} in Python (match {number})"
    return ""
