"""Tests of a policy: legal, repeatable, blind to hidden cards (`check --strategies FILE.py`).

Matches are played at the fewest and the most players, with each option of the game at both of its
ends, and with each parameter at both of its ends (`tables`). Where options are as by default they
are played compiled, too; else as plain Python, since each combination of options is compiled anew.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.batch import play
from simcore.catalogue import get_game
from simcore.errors import InputError, PolicyError, UnsteadyError
from simcore.events import Step
from simcore.match import Match
from strategies import Param, Policies, Policy, parse_strategy
from studies.check.moments import At, FaultError, Verdict, exchanged
from studies.check.speed import decisions_per_second
from studies.check.tables import SEED, Table, tables

MATCHES = 60
MOST_DECISIONS = 300
"""Most decisions repeated with other hidden cards at a table with default options."""

FEW_DECISIONS = 40
"""The same at each of the many other tables."""


def policy_tables(
    policy: Policy,
    given: Mapping[str, object] | None = None,
    policies: Policies | None = None,
) -> list[Table]:
    """Return the tables at which a policy is examined.

    Parameters
    ----------
    policy : Policy
    given : mapping, optional
        Options that stay as they are; all others are varied.
    policies : Policies, optional
        Default: those of the session.
    """
    game, options = get_game(policy.game), dict(given or {})
    game.resolve(options)
    ends = [
        [f"{policy.name}({param.name}={value:g})"]
        for param in policy.params
        if isinstance(param, Param)
        for value in dict.fromkeys((param.low, param.high))
        if value != param.default
    ]
    return tables(game, [[policy.name, "random"], [policy.name], *ends], options, policies)


def examine(played: Sequence[Table]) -> Iterator[Verdict]:
    """Test a policy at its tables; stop where a failure makes the rest meaningless."""
    compiled = [table for table in played if not table.given.keys() - {"players"}]

    illegal = _fault(_plays, compiled)
    hidden = HiddenCards(played)
    fault = None if illegal else _fault(hidden.look, played)
    if fault is not hidden.fault:
        illegal = fault
    yield Verdict.of(
        "plays legal moves",
        f"{MATCHES} compiled matches at each of {len(compiled)} tables, and "
        f"{hidden.moves:,} moves as plain Python at {len(played)}",
        "",
        illegal,
    )
    if illegal:
        return
    unsteady = _fault(_repeats, compiled)
    yield Verdict.of("is the same again", "the same rows on one and two threads", "", unsteady)
    yield Verdict.of(
        "does not depend on what it cannot see",
        f"{hidden.asked} decisions asked twice, with other hidden cards",
        hidden.not_tested,
        hidden.fault,
    )
    if not unsteady:
        share = f"{_speed(played[0]):.2f} of the decisions a second of random play"
        yield Verdict.of("is quick", share, "", None)


def _fault(run: Callable[[Table], None], played: Sequence[Table]) -> FaultError | None:
    """Return the first fault at some tables; a refusal while a policy plays counts as one."""
    for table in played:
        try:
            run(table)
        except FaultError as fault:
            return fault
        except (InputError, PolicyError) as error:
            return FaultError.of(error, table)
    return None


def _plays(table: Table) -> None:
    try:
        play(table.cell, 0, MATCHES)
    except UnsteadyError:
        return  # `_repeats` tells it


def _repeats(table: Table) -> None:
    """Refuse a policy if playing the same matches again gives other rows."""
    first, second = play(table.cell, 0, MATCHES), play(table.cell, 0, MATCHES, threads=2)
    again = second.columns()
    differ = [np.flatnonzero(column != again[name]) for name, column in first.columns().items()]
    match = min((int(rows[0]) for rows in differ if rows.size), default=None)
    if match is not None:
        why = (
            f"match {match} is another one when played again: a decision may use what its seat "
            "sees and SEAT(seat) only"
        )
        raise FaultError(why, table, match)


class HiddenCards:
    """Plays a match of each table, and repeats each decision with other hidden cards.

    Attributes
    ----------
    moves, asked : int
        Moves played, and how many of them were asked twice.
    fault : FaultError, optional
        The first decision that changed.
    """

    def __init__(self, played: Sequence[Table]) -> None:
        self.usual = {id(table) for table in played if table.is_usual}
        self.chance = random.Random(SEED)  # noqa: S311 (for a test)
        self.moves = self.asked = 0
        self.fault: FaultError | None = None
        self.not_tested = "nothing is hidden from a seat that has a choice"

    def look(self, table: Table) -> None:
        """Play a match of a table, up to a maximum number of decisions."""
        most = MOST_DECISIONS if id(table) in self.usual else FEW_DECISIONS
        match = Match(table.cell, 0)
        for decisions, event in enumerate(match.events()):
            if isinstance(event, Step):
                self.moves += 1
                self._ask_again(At(table, match, event))
            if decisions >= most or self.fault:
                break
        if self.fault:
            raise self.fault

    def _ask_again(self, at: At) -> None:
        if not at.is_blind_choice:
            return
        before, other = at.event.s, self._dealt_anew(at)
        names = at.match.plain.program.fields
        if other is None or all(other.__dict__[name] == before.__dict__[name] for name in names):
            return
        self.not_tested = ""
        self.asked += 1
        same, choice = at.choices(other)
        if choice != same:
            self.fault = at.fault(
                "the choice changed when only hidden cards were dealt anew: it uses something "
                "other than what its seat sees"
            )

    def _dealt_anew(self, at: At) -> Any:
        """Return the position with other hidden cards; None where none are hidden."""
        other = at.event.s.copy()
        try:
            words = [self.chance.getrandbits(64) for _ in range(2)]
            at.match.plain.deal_unseen(other, other.seat, words)
        except InputError:  # a game that does not say how its hidden numbers are dealt
            return exchanged(at, self.chance)
        return other


def _speed(table: Table) -> float:
    """Return the speed of the policy relative to random play, in decisions a second."""
    random_play = parse_strategy(table.cell.game, "random")
    beside = replace(table.cell, seats=(random_play,) * table.cell.players)
    return decisions_per_second(table.cell) / decisions_per_second(beside)
