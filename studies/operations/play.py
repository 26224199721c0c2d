"""One match in words, move by move."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from simcore.errors import InputError, unknown
from studies.operations.arguments import (
    MATCHES_HIGH,
    Rules,
    game_of,
    given_options,
    make_cell,
    refuse_idle,
    whole_number,
)
from studies.operations.user_code import Strategies

if TYPE_CHECKING:
    from simcore.batch import Cell
    from simcore.game import Game

YOU = "you"
SHOWN = ("moves", "table")


class Transcript:
    """A match in words, from `play`: print it, or let a notebook show it.

    Attributes
    ----------
    lines : tuple of str
        Which match it is and who sits where, then the events in order.

    Examples
    --------
    >>> import cardlab
    >>> transcript = cardlab.play("up", players=2, options={"rounds": 1})
    >>> transcript.lines[0]
    'Up, match 0 of seed 1 (players=2, rounds=1): seat 0 random, seat 1 random.'
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
    step: bool = False,
    strategies: Strategies = None,
    rules: Rules = None,
    you: int | str | None = None,
    ask: Callable[[str], str | None] | None = None,
    write: Callable[[Cell, str], None] | None = None,
) -> Transcript:
    """Play one match and describe it in words, or take a seat yourself.

    With the same options, line-up and seed, it is the match in the row of this number that
    `cardlab simulate` writes. In a line-up the word you is a person, as in you,greedy: what this
    seat sees is shown, and nothing else, and its moves are asked for.

    Parameters
    ----------
    game, players, options, seed, strategies, rules
        As in `simulate`.
    lineup : str or sequence of str
        Strategies by seat, repeated round the table, as in greedy,guard(trust=0.5); you is a
        person, who takes one seat.
    match : int
        Match number, from 0.
    show : str
        moves, or table: also show the table before each move.
    why : bool or str
        Also explain the moves: the legal moves, the chosen one with its mark in RULES.md, how the
        policy rated them, and the reason that decided. Each reason of a policy is given the first
        time it decides; with the word all, at every decision.
    step : bool
        Show the table after each move, and wait for Enter; q leaves.
    you : int
        The seat of a person, instead of the word in the line-up.
    ask : callable
        Returns what a person answers to a prompt, None at the end; `input` by default.
    write : callable
        Called with the cell and each line, as soon as it is known; with a person or `step` lines
        are printed by default.

    Examples
    --------
    >>> import cardlab
    >>> print(cardlab.play("up", players=2, options={"rounds": 1}, seed=3, match=4).lines[2])
    Round 1: seat 0 deals.
    """
    number = whole_number("match", match, 0, MATCHES_HIGH - 1)
    if show not in SHOWN:
        raise unknown("word for show", show, SHOWN)
    if why not in (False, True, "all"):
        raise unknown("word for why", str(why), ("all",))
    resolved = given_options(players, options)
    found = game_of(game, rules)
    seat, others = _seat_of_person(found, resolved, lineup, you)
    cell = make_cell(found, resolved, others, seed=seed, strategies=strategies)
    if seat is None:
        lines = _narrate(cell, number, show=show, why=why)
        if step:
            shown = show if show != SHOWN[0] else None
            refuse_idle("show", shown, "with step, which shows the table", "one of both")
            lines = _step_by_step(cell, number, why, ask or _typed)
    else:
        shown = show if show != SHOWN[0] else None
        for name, value in (("why", why), ("step", step), ("show", shown)):
            refuse_idle(name, value or None, "with a person at the table", "without one")
        from studies.operations.person import Sitting, seat_person

        cell = seat_person(cell, seat)
        lines = Sitting(cell, number, ask or _typed).lines()
    if write is None:
        write = _print if step or seat is not None else lambda *_: None
    told = []
    for line in lines:
        write(cell, line)
        told.append(line)
    return Transcript(told)


def _print(_cell: Cell, line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _typed(prompt: str) -> str | None:
    try:
        return input(prompt)
    except EOFError:
        return None


def _seat_of_person(
    game: Game,
    options: Mapping[str, object],
    lineup: str | Sequence[str],
    you: int | str | None,
) -> tuple[int | None, str | Sequence[str]]:
    """Return the seat of the person, if one takes part, and the line-up with a policy there.

    The others of the line-up are repeated round the table; the person is not.
    """
    parts = _parts(lineup)
    named = [at for at, part in enumerate(parts) if part.strip() == YOU]
    count = int(str(game.resolve(options)["players"]))
    if you is None and not named:
        return None, lineup
    if len(named) + (you is not None) > 1:
        raise InputError(
            f"line-up {lineup!r} seats {YOU!r} more than once; allowed: one person at the table"
        )
    seat = named[0] if you is None else whole_number(YOU, you, 0, count - 1)
    if len(parts) > count:
        # Too many are refused as any other line-up.
        return seat, ["random" if part.strip() == YOU else part for part in parts]
    others = [part for part in parts if part.strip() != YOU] or ["random"]
    if you is None and len(parts) < count:
        # The seats after the line-up go on with its policies in turn.
        others = [others[at % len(others)] for at in range(count - 1)]
    elif you is not None:
        others = [others[at % len(others)] for at in range(count)]
        others.pop(seat)
    return seat, [*others[:seat], "random", *others[seat:]]


def _parts(lineup: str | Sequence[str]) -> list[str]:
    return re.split(r",(?![^()]*\))", lineup) if isinstance(lineup, str) else list(lineup)


def _replayed(cell: Cell, match: int, *, why: bool | str, draw: bool) -> Iterator[str]:
    """Yield the lines of a match, after its heading where to read what is assumed of its rules."""
    from simcore.replay import replay

    lines = replay(cell, match, why=bool(why), draw=draw)
    yield next(lines)
    if cell.game.assumed({cell.players}):
        yield f"What is assumed of its rules: cardlab games {cell.game.name}"
    yield from lines


def _narrate(cell: Cell, match: int, *, show: str, why: bool | str) -> Iterator[str]:
    """Yield the lines of a match."""
    lines = _replayed(cell, match, why=why, draw=show == "table")
    yield from _without_the_obvious(lines) if why is True else lines


def _step_by_step(
    cell: Cell, match: int, why: bool | str, ask: Callable[[str], str | None]
) -> Iterator[str]:
    """Yield the lines of a match with the table after each move, when Enter is pressed."""
    drawn = False
    for line in _replayed(cell, match, why=why, draw=True):
        if drawn and not line.startswith(("│", "└")):
            answer = ask("Enter for the next move, q to leave: ")
            if answer is None or answer.strip() in ("q", "quit"):
                yield f"Match {match} goes on without you."
                return
            drawn = False
        drawn = drawn or line.startswith("└")
        yield line


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
