"""Whether a policy keeps to what the laboratory rests on: `cardlab check --strategies FILE.py`.

Each test plays real matches, at the fewest, the usual and the most players, and says in words what
it found. They are the tests that the policies that ship with cardlab pass in its own test suite.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from simcore.batch import Block, Cell, play
from simcore.compiler.plain import Match
from simcore.errors import PolicyError, UnsteadyError
from simcore.game import get_game
from simcore.options import Options
from strategies import Policy, make_strategy, parse_strategy
from studies.check.speed import decisions_per_second

SEED = 77
MATCHES = 60
MOST_DECISIONS = 300
"""Of one match, asked with other hidden cards."""


@dataclass(frozen=True)
class Verdict:
    """What one test found.

    Attributes
    ----------
    test : str
        What is asked of the policy.
    verdict : str
        "passed" or "failed".
    found : str
        In words: what was looked at, or what is wrong and where.
    """

    policy: str
    game: str
    test: str
    verdict: str
    found: str


def examine(policy: Policy) -> Iterator[Verdict]:
    """Test a policy; after a failure that makes the others meaningless, stop."""

    def verdict(test: str, problem: str | None, found: str) -> Verdict:
        ended = "failed" if problem else "passed"
        return Verdict(policy.name, policy.game, test, ended, problem or found)

    tables = list(_tables(policy))
    problem = _plays(tables)
    yield verdict(
        "plays legal moves",
        problem,
        f"{MATCHES} matches at each of {_player_counts(tables)} players",
    )
    if problem:
        return
    unsteady = _repeats(tables)
    yield verdict("is the same again", unsteady, "the same rows on one and two threads")
    changed, asked = _changed_by_hidden_cards(tables)
    yield verdict(
        "does not depend on what it cannot see",
        f"{changed} of {asked} decisions changed when only hidden cards were dealt anew: it uses "
        "something other than what its seat sees"
        if changed
        else None,
        f"{asked} decisions asked twice, with other hidden cards",
    )
    if unsteady:
        return
    share = _speed(tables)
    yield Verdict(
        policy.name,
        policy.game,
        "is quick",
        verdict="passed",
        found=f"{share:.2f} of the decisions a second of random play",
    )


@dataclass(frozen=True)
class _Table:
    """A policy at a table: mixed with random play, and alone."""

    options: Options = field(hash=False)
    mixed: Cell
    alone: Cell


def _tables(policy: Policy) -> Iterator[_Table]:
    game = get_game(policy.game)
    strategy, other = make_strategy(policy, {}), parse_strategy(game, "random")
    usual = game.resolve({})["players"]
    assert isinstance(usual, int)
    for players in sorted({game.players.low, usual, game.players.high}):
        options = game.resolve({"players": players})
        mixed = tuple(strategy if seat % 2 == 0 else other for seat in range(players))
        yield _Table(
            options,
            Cell(game, options, mixed, SEED),
            Cell(game, options, (strategy,) * players, SEED),
        )


def _player_counts(tables: list[_Table]) -> str:
    counts = [str(table.options["players"]) for table in tables]
    return " and ".join([", ".join(counts[:-1]), counts[-1]] if len(counts) > 1 else counts)


def _plays(tables: list[_Table]) -> str | None:
    for table in tables:
        for cell in (table.mixed, table.alone):
            try:
                play(cell, 0, MATCHES)
            except UnsteadyError:
                continue  # That is another question.
            except PolicyError as error:
                return str(error)
    return None


def _repeats(tables: list[_Table]) -> str | None:
    """Return where playing again gives other rows, or None."""
    for table in tables:
        try:
            one, other = play(table.mixed, 0, MATCHES), play(table.mixed, 0, MATCHES, threads=2)
        except UnsteadyError as error:
            return str(error)
        match = _first_difference(one, other)
        if match is not None:
            return (
                f"match {match} with {table.options['players']} players is another one when played "
                "again: a decision may use what its seat sees and SEAT(seat) only"
            )
    return None


def _first_difference(block: Block, other: Block) -> int | None:
    columns = other.columns()
    differ = [np.flatnonzero(column != columns[name]) for name, column in block.columns().items()]
    return min((int(rows[0]) for rows in differ if rows.size), default=None)


def _changed_by_hidden_cards(tables: list[_Table]) -> tuple[int, int]:
    """Return how many decisions change with other hidden cards, and of how many."""
    changed = asked = 0
    for table in tables:
        watcher = _Watcher(table.alone)
        changed += watcher.changed
        asked += watcher.asked
    return changed, asked


class _Watcher:
    """Plays a match and asks each decision a second time, with other hidden cards."""

    def __init__(self, cell: Cell) -> None:
        self._chance = random.Random(SEED)  # noqa: S311 (for a test)
        self.changed = self.asked = 0
        self._playback = Match(cell, 0, choose=self._choose)
        for player in self._playback.players:
            self._playback.plain.program.remember(player.seat_policy(cell.options))
        for _ in self._playback:
            if self.asked >= MOST_DECISIONS:
                break

    def _choose(self, s: Any, _s: Any, moves: tuple[int, ...]) -> int:
        other = s.copy()
        self._playback.plain.deal_unseen(
            other, s.seat, [self._chance.getrandbits(64) for _ in range(2)]
        )
        move = self._playback.ask(moves)
        self.asked += 1
        self.changed += self._playback.ask(moves, other) != move
        return move


def _speed(tables: list[_Table]) -> float:
    """Return its decisions a second as a share of random play's, at the usual table."""
    alone = tables[len(tables) // 2].alone
    random_play = parse_strategy(alone.game, "random")
    beside = replace(alone, seats=(random_play,) * alone.players)
    return decisions_per_second(alone) / decisions_per_second(beside)
