"""Tests of a game by its compiled matches: do they end, does the best win, what differs.

What may or may not be meant is a remark: an option at whose ends the matches are the same, a policy
that hardly ever wins against random play, seats that are meant to differ.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

import numpy as np

from simcore.batch import Block, Cell, play
from simcore.errors import InputError
from simcore.match import Match
from simcore.options import show
from simcore.phrases import joined
from strategies import parse_strategy
from studies import render
from studies.check.moments import NOT_TESTED, REMARK, FaultError, Verdict
from studies.check.tables import Table
from studies.run.tuning import Interval, interval_of, mean_of

COMPILED = 500
"""Matches of a table that are played compiled."""

FEW_ABORTED = 0.1
"""A share of aborted matches that is told and no fault: two policies may wait for each other."""

MOST_ENDLESS = 2
"""Tables without an end after which no other is judged: each plays to its cap as plain Python."""

PLAIN_MATCHES, PLAIN_MOVES, LONGEST = 60, 600, 5000
"""Matches and moves of a table that are compared with plain Python; longer matches are not."""

MATCHES_OF_RATES = 2000
"""Matches by which the seats' win rates are told where seats are meant to differ."""

WEAK = 0.25
"""A share of the even win rate below which a policy beside random play is remarked on."""


def compiled_matches(played: Sequence[Table]) -> Iterator[Verdict]:
    """Test compiled matches, table by table.

    What is wrong at a table with an option at one of its ends, or is rare, is a remark. A table
    whose matches do not end is left out by the tests that follow: each of its matches would be
    played up to the cap, in plain Python for minutes.
    """
    judged = list(played)
    for name, run, passed in _TESTS:
        if not judged:
            yield Verdict(name, NOT_TESTED, "because matches do not end")
            continue
        found, rare = _faults_at(judged, run)
        left_out = len(played) - len(judged)
        where = f"at {len(judged) - len(rare)} of {len(played)} tables " if rare or left_out else ""
        why = "(at others matches do not end, or were not tried) " if left_out else ""
        worst = _first_of(found, judged)
        yield Verdict.of(name, f"{where}{why}{passed}", "", worst)
        if told := _first_of(rare, judged):
            yield Verdict(name, REMARK, told.told, told.show)
        if run is matches_end:
            out = {*found, *(place for place in rare if rare[place].share >= FEW_ABORTED)}
            if len(found) == MOST_ENDLESS:  # those that follow were not tried
                out |= set(range(max(found), len(judged)))
            judged = [table for place, table in enumerate(judged) if place not in out]


def _faults_at(
    judged: Sequence[Table], run: Callable[[Table], None]
) -> tuple[dict[int, FaultError], dict[int, FaultError]]:
    """Return the faults that a test finds, by the place of the table, and the remarks."""
    found: dict[int, FaultError] = {}
    rare: dict[int, FaultError] = {}
    for place, table in enumerate(judged):
        fault = fault_of(run, table)
        if fault is None:
            continue
        if run is matches_end and (table.varied or fault.share < FEW_ABORTED):
            rare[place] = fault
            continue
        found[place] = fault
        if run is not matches_end or len(found) == MOST_ENDLESS:
            break
    return found, rare


def _first_of(faults: dict[int, FaultError], judged: Sequence[Table]) -> FaultError | None:
    """Return the first fault, which tells how many more tables have one."""
    first = next(iter(faults.values()), None)
    if first is not None and len(faults) > 1:
        first.why += f" (and at {len(faults) - 1} more of {len(judged)} tables)"
    return first


def fault_of(run: Callable[..., None], table: Table) -> FaultError | None:
    """Return the fault that a test finds at a table; a refusal while it runs counts as one."""
    try:
        run(table)
    except FaultError as fault:
        return fault
    except InputError as error:
        return FaultError.of(error, table)
    return None


def matches_end(table: Table) -> None:
    """Refuse a table at which matches are aborted, or end without a winner."""
    block = play(table.cell, 0, COMPILED)
    aborted = np.flatnonzero(block.aborted)
    if len(aborted):
        many = f"{len(aborted)} of {len(block)} matches have no end or no winner"
        fault = FaultError(f"{many}, as match {aborted[0]}", table, int(aborted[0]))
        fault.share = len(aborted) / len(block)
        raise fault


def _best_wins(table: Table) -> None:
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
    columns = play(table.cell, 0, PLAIN_MATCHES).columns()
    moves = 0
    for number in range(PLAIN_MATCHES):
        if columns["decisions"][number] + columns["forced"][number] > LONGEST:
            continue
        match = Match(table.cell, number)
        for _ in match.events(copies=False):
            pass
        for name, value in match.row().items():
            compiled = int(columns[name][number])
            if compiled != value:
                why = f"{name} is {compiled} compiled, {value} in Python (match {number})"
                raise FaultError(why, table, number)
        moves += match.s.count.decisions + match.s.count.forced
        if moves >= PLAIN_MOVES:
            return


_TESTS: tuple[tuple[str, Callable[[Table], None], str], ...] = (
    ("end", matches_end, "every match ended"),
    ("scores", _best_wins, "the winners have the best totals"),
    ("compiled", _same_rows, "compiled rules give the same rows as plain Python"),
)


# ------------------------------------------------------------------------------- what differs


def differences_meant(played: Sequence[Table]) -> Iterator[Verdict]:
    """Remark on matches that are all won or lost, alike, or won by the wrong ones."""
    game = played[0].cell.game
    usual = [table for table in played if table.is_usual]
    if not (game.original.digest or game.changes):
        return
    with suppress(InputError):  # matches that do not end, which `end` tells
        yield from _one_result(usual)
        yield from _rates_of_seats(usual)
        yield from _weak_policies(usual)
        yield from _idle_options(played)


def _one_result(played: Sequence[Table]) -> Iterator[Verdict]:
    """Remark on a game that is played together, and always won or always lost."""
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
    if not played[0].cell.game.has_roles:
        return
    for table in played:
        shares = _shares(play(table.cell, 0, MATCHES_OF_RATES))
        if not len(shares):
            yield Verdict("seats", NOT_TESTED, "because no seat ever wins")
            return
        rates = (_rate(share, table) for share in shares.T)
        shown = [
            f"seat {seat} wins {render.number(rate.estimate, rate.low, rate.high, scale=100)} %"
            for seat, rate in enumerate(rates)
        ]
        why = (
            f"meant to differ (`roles = True`): {joined(shown)} of {len(shares):,} matches that "
            f"{table.policies} played"
        )
        yield Verdict("seats", REMARK, why)


def _shares(block: Block) -> Any:
    """Return the share of each seat in the wins, match by match, of those that somebody wins."""
    is_won = (block.winners != 0) & ~block.aborted
    won = block.winners[is_won][:, None] >> np.arange(len(block.scores)) & 1
    return won / won.sum(axis=1, keepdims=True)


def _rate(share: Any, table: Table) -> Interval:
    return interval_of(mean_of(share, centre=1 / table.cell.players))


def _idle_options(played: Sequence[Table]) -> Iterator[Verdict]:
    """Remark on options at whose ends every match is the same as by default.

    They are tried at the tables that have been played and, if all is alike there, with every policy
    and the fewest and the most players.
    """
    by_option: dict[str, list[Table]] = defaultdict(list)
    for table in played:
        by_option[table.varied].append(table)
    usual = by_option.pop("", [])
    counts = dict.fromkeys(table.cell.players for table in played)
    for name, ends in by_option.items():
        if all(_is_as_by_default(table.cell, name) for table in ends) and all(
            _is_as_by_default(_with_players(table.cell, one.cell.seats[0], players), name)
            for table in ends
            for one in usual
            for players in counts
        ):
            values = joined([show(table.given[name]) for table in ends])
            yield Verdict(
                "names", REMARK, f"with {name} = {values} matches are as by default; meant?"
            )


def _with_players(cell: Cell, policy: Any, players: int) -> Cell:
    return replace(cell, options=cell.options | {"players": players}, seats=(policy,) * players)


def _is_as_by_default(cell: Cell, option: str) -> bool:
    given = {name: value for name, value in cell.options.items() if name != option}
    usual = replace(cell, options=cell.game.resolve(given))
    varied, known = (play(one, 0, COMPILED).columns() for one in (cell, usual))
    return all(np.array_equal(column, known[name]) for name, column in varied.items())


def _weak_policies(played: Sequence[Table]) -> Iterator[Verdict]:
    """Remark on policies that hardly ever win against random play."""
    game = played[0].cell.game
    if game.teams == 1 or game.has_roles:
        return
    random = parse_strategy(game, "random")
    for table in played:
        players = table.cell.players
        policy: Any = table.cell.seats[0]
        if players == 1 or policy.policy.built_in or table.policies != str(policy):
            continue
        cells = [
            replace(
                table.cell, seats=(*(random,) * seat, policy, *(random,) * (players - seat - 1))
            )
            for seat in range(players)
        ]
        blocks = [play(cell, 0, COMPILED // players) for cell in cells]
        shares = np.concatenate([_shares(block)[:, at] for at, block in enumerate(blocks)])
        rate = _rate(shares, table)
        if rate.high < WEAK / players:
            shown = render.number(rate.estimate, rate.low, rate.high, scale=100)
            why = (
                f"{policy} wins {shown} % of {len(shares)} matches against random play, not "
                f"{100 / players:.0f} %; is `best` the total that is meant to win?"
            )
            yield Verdict("scores", REMARK, why)
