"""Recorded matches: two a game, one as it is usually played and one under many house rules.

A recording is a match in words with the legal moves before every choice, as `cardlab play --why`
tells it. Of a long match the first and the last lines are written out; of the lines between their
number and a hash are kept, so that every line counts.
"""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from simcore.batch import Cell
from simcore.catalogue import get_game
from simcore.replay import replay
from strategies import parse_lineup, seat_lineup
from tests.cases import Cases

FOLDER = Path(__file__).parent
FIRST_LINES = 48
LAST_LINES = 12
SEED = 7
MATCH = 1

LINEUPS = Cases(
    "tests/playthroughs/cases.py: LINEUPS",
    "a line-up of a simple policy and random",
    {
        "up": "greedy,random",
        "updown": "eager,random",
        "uno": "dumper,random",
        "dnup": "greedy,random",
        "upordown": "appender,random",
    },
)
"""A simple policy, which seldom changes, and random play, which does everything."""

OPTIONS = Cases(
    "tests/playthroughs/cases.py: OPTIONS",
    "options of a short match as it is usually played, and of one with many house rules",
    {
        "up": {
            "usual": {"players": 3, "rounds": 1},
            "house": {
                "players": 4,
                "rounds": 2,
                "dirty_one": "forehand",
                "double_two": "always",
                "forget_last_card": [0.0, 1.0, 0.5, 0.0],
                "restart_open": True,
                "four_clear": True,
            },
        },
        "updown": {
            "usual": {"players": 3},
            "house": {
                "players": 2,
                "rounds": 2,
                "leader_change": "may",
                "next_leader": "winner",
                "cancelling": "eligible",
                "last_pot": "carried",
                "last_trick": "double",
            },
        },
        "uno": {
            "usual": {"players": 3, "rounds": 1},
            "house": {
                "players": 4,
                "rounds": 1,
                "forget_uno": 0.5,
                "stacking": "any",
                "jump_in": True,
                "seven_zero": True,
                "pairs": True,
                "challenge": "any",
            },
        },
        "dnup": {
            "usual": {"players": 3, "markers_to_win": 1},
            "house": {
                "players": 4,
                "markers_to_win": 2,
                "take_up": False,
                "turn_hand": False,
                "round_start": "winner",
            },
        },
        "upordown": {
            "usual": {"players": 3},
            "house": {
                "players": 2,
                "columns": 3,
                "insert": "anywhere",
                "scoring": "colour",
                "give_up": "forced",
                "discard_points": -10,
            },
        },
    },
)


@dataclass(frozen=True)
class Case:
    """A match to be recorded."""

    game: str
    name: str
    options: tuple[tuple[str, object], ...]

    @property
    def path(self) -> Path:
        return FOLDER / self.game / f"{self.name}.txt"

    @property
    def cell(self) -> Cell:
        game = get_game(self.game)
        resolved = game.resolve(dict(self.options))
        seats = seat_lineup(parse_lineup(game, LINEUPS[self.game]), int(resolved["players"]))
        return Cell(game, resolved, seats, SEED)

    def lines(self) -> Iterator[str]:
        """Yield the recording: a head that says how to make it, and the match."""
        rules = " ".join(f"--rule {name}={_in_words(value)}" for name, value in self.options)
        yield (
            f"$ cardlab play {self.game} {rules} --lineup {LINEUPS[self.game]} "
            f"--seed {SEED} --match {MATCH} --why"
        )
        transcript = list(replay(self.cell, MATCH, why=True))
        left_out = transcript[FIRST_LINES:-LAST_LINES]
        if len(left_out) < 2:
            yield from transcript
            return
        digest = hashlib.blake2b("\n".join(left_out).encode(), digest_size=16).hexdigest()
        yield from transcript[:FIRST_LINES]
        yield f"… {len(left_out)} lines like these, blake2b {digest} …"
        yield from transcript[-LAST_LINES:]


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def cases() -> tuple[Case, ...]:
    """Return all recordings there are to be."""
    return tuple(
        Case(game, name, tuple(options.items()))
        for game, both in OPTIONS.items()
        for name, options in both.items()
    )


def recorded(case: Case) -> list[str]:
    """Return the lines of a recording as they were written."""
    place = f"tests/playthroughs/{case.game}/{case.path.name}"
    assert case.path.is_file(), (
        f"{place} is missing; record it with: python -m tests.playthroughs --write"
    )
    return case.path.read_text(encoding="utf-8").splitlines()


def first_difference(recording: list[str], other: list[str]) -> str | None:
    """Say where two recordings differ first, if they do."""
    for number, (old, new) in enumerate(itertools.zip_longest(recording, other), 1):
        if old != new:
            return f"line {number}\nrecorded: {old}\nnow:      {new}"
    return None
