"""One match in words, move by move."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simcore.errors import unknown
from studies.operations.arguments import (
    MATCHES_HIGH,
    Rules,
    game_of,
    given_options,
    make_cell,
    whole_number,
)
from studies.operations.user_code import Strategies

if TYPE_CHECKING:
    from simcore.batch import Cell

SHOWN = ("moves", "table")


class Transcript:
    """A match in words, from `play`: print it, or let a notebook show it.

    Attributes
    ----------
    lines : tuple of str
        The assumptions about the rules, then the events in order.

    Examples
    --------
    >>> import cardlab
    >>> transcript = cardlab.play("up", players=2, options={"rounds": 1})
    >>> transcript.lines[0]
    'Round 1: seat 1 (random) deals.'
    >>> len(transcript) == len(str(transcript).splitlines())
    True
    """

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = tuple(lines)

    def __len__(self) -> int:
        return len(self.lines)

    def __iter__(self) -> Iterator[str]:
        return iter(self.lines)

    def __str__(self) -> str:
        return "\n".join(self.lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        text = html.escape(str(self))
        return f'<pre style="white-space: pre-wrap">{text}</pre>'


def play(
    game: str,
    *,
    players: int | str | None = None,
    options: Mapping[str, object] | None = None,
    lineup: str | Sequence[str] = "random",
    seed: int | str = 1,
    match: int | str = 0,
    show: str = "moves",
    why: bool | str = False,
    strategies: Strategies = None,
    rules: Rules = None,
    step: Callable[[Cell, str], None] = lambda *_: None,
) -> Transcript:
    """Play one match and describe it in words.

    With the same options, line-up and seed, it is the match in the row of this number that
    `cardlab simulate` writes.

    Parameters
    ----------
    game, players, options, lineup, seed, strategies, rules
        As in `simulate`.
    match : int
        Match number, from 0.
    show : str
        moves, or table: also show the table before each move.
    why : bool or str
        Also explain the moves: the legal moves, the chosen one with its mark in RULES.md, how the
        policy rated them, and the reason that decided. Each reason of a policy is given the first
        time it decides; with the word all, at every decision.
    step : callable
        Called with the cell and each line, as soon as it is known.

    Examples
    --------
    >>> import cardlab
    >>> print(cardlab.play("up", players=2, options={"rounds": 1}, seed=3, match=4).lines[0])
    Round 1: seat 0 (random) deals.
    """
    number = whole_number("match", match, 0, MATCHES_HIGH - 1)
    if show not in SHOWN:
        raise unknown("word for show", show, SHOWN)
    cell = make_cell(
        game_of(game, rules),
        given_options(players, options),
        lineup,
        seed=seed,
        strategies=strategies,
    )
    if why not in (False, True, "all"):
        raise unknown("word for why", str(why), ("all",))
    lines = []
    for line in _narrate(cell, number, show=show, why=why):
        step(cell, line)
        lines.append(line)
    return Transcript(lines)


def _narrate(cell: Cell, match: int, *, show: str, why: bool | str) -> Iterator[str]:
    """Yield the lines of a match, starting with the assumptions about the rules."""
    from simcore.replay import replay

    for assumption in cell.game.assumed({cell.players}):
        yield f"Assumption: {assumption}"
    lines = replay(cell, match, why=bool(why), draw=show == "table")
    yield from _without_the_obvious(lines) if why is True else lines


_POLICY = re.compile(r"^    seat \d+ \((?P<policy>.*?)\) (?P<verb>may|weighs|decides)")
_MEASURED = re.compile(r"\d ±")


def _without_the_obvious(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines, leaving out reasons that are obvious.

    A reason that a policy has already given in this match is not repeated, nor are the legal moves
    and ratings, unless it comes with ratings for the first time, or the ratings were measured for
    this decision, as the search does.
    """
    known: set[tuple[str, str, bool]] = set()
    decision: list[str] = []
    for line in lines:
        reason = _POLICY.match(line)
        if reason is None or reason["verb"] == "may":
            yield from _news(decision, known)
            decision = []
        if reason is None:
            yield line
        else:
            decision.append(line)
    yield from _news(decision, known)


def _news(decision: list[str], known: set[tuple[str, str, bool]]) -> Iterator[str]:
    """Yield the lines about a decision; its reason is added to `known`."""
    reasons = [line.partition(" decides: ")[2] for line in decision if " decides: " in line]
    if reasons and (reason_line := _POLICY.match(decision[0])):
        reason = re.sub(r"\d+", "", reasons[0])
        measured = any(_MEASURED.search(line) for line in decision)
        weighed = any(" weighs " in line and ";" in line for line in decision)
        if (reason_line["policy"], reason, weighed) in known and not measured:
            return
        known |= {(reason_line["policy"], reason, weighed), (reason_line["policy"], reason, False)}
    for line in decision:
        if " weighs " not in line or ";" in line:  # a rating of a single move says nothing
            yield line
