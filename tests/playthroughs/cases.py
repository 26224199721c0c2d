"""Recorded matches: one a game, and one for every other value of an option.

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
from simcore.game import game_names, get_game
from simcore.options import FileOption, IntOption, ProbabilityOption
from simcore.replay import replay
from strategies import parse_lineup, seat_lineup
from tests.cases import Cases
from tests.contract.test_games import is_allowed, other_values, with_needed

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

SHORT = Cases(
    "tests/playthroughs/cases.py: SHORT",
    "options under which a match is short, or {}",
    {
        "up": {"players": 3, "rounds": 1},
        "updown": {"players": 3},
        "uno": {"players": 3, "rounds": 1},
        "dnup": {"players": 3, "markers_to_win": 1},
        "upordown": {"players": 2},
    },
)
"""Options under which a match is short, where they go with the option that is shown."""

MORE = Cases(
    "tests/playthroughs/cases.py: MORE",
    "a list of options to record beside each option's other values",
    {
        "up": [{"players": 10}, {"players": 3, "forget_last_card": [0.0, 1.0, 0.5]}, {"rounds": 2}],
        "updown": [
            {"players": 4},
            {"rounds": 3, "players": 2},
            {"hand_cards": 22, "players": 2},
            {"last_pot": "carried", "rounds": 2, "players": 2},
            {"leader_change": "may", "trump": "none", "next_leader": "winner"},
        ],
        "uno": [
            {"players": 10},
            {"rounds": None},
            {"rounds": None, "target": 60},
            {"forget_uno": 1.0, "notice_uno": 0.5},
        ],
        "dnup": [
            {"players": 5},
            {"markers_to_win": 4},
            {"players": 2, "rounds_to_win": 3},
            {"players": 2, "take_up": False, "turn_hand": False},
            {"round_start": "winner", "markers_to_win": 4},
        ],
        "upordown": [
            {"players": 6},
            {"columns": 6},
            {"players": 2, "hand_cards": 8, "circle": 12, "highest_card": 61},
        ],
    },
)
"""Beside the values that `other_values` tries."""


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
        told = list(replay(self.cell, MATCH, why=True))
        left_out = told[FIRST_LINES:-LAST_LINES]
        if len(left_out) < 2:
            yield from told
            return
        digest = hashlib.blake2b("\n".join(left_out).encode(), digest_size=16).hexdigest()
        yield from told[:FIRST_LINES]
        yield f"… {len(left_out)} lines like these, blake2b {digest} …"
        yield from told[-LAST_LINES:]


def _in_words(value: object) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    if isinstance(value, bool):
        return str(value).lower()
    return "none" if value is None else str(value)


def with_short(name: str, variant: dict[str, object]) -> dict[str, object]:
    """Return a variant with as many of the short options as go with it, its own first."""
    game = get_game(name)
    options = with_needed(game, variant)
    for option, value in SHORT[name].items():
        if is_allowed(game, {option: value} | options):
            options = {option: value} | options
    return options


def variants(name: str) -> Iterator[dict[str, object]]:
    """Yield the defaults, and every option at other values."""
    yield {}
    for option in get_game(name).options:
        if isinstance(option, IntOption):
            # The largest values are no more than long matches; a few smaller ones are below.
            values = [option.low] if option.low != SHORT[name].get(option.name) else []
        elif isinstance(option, ProbabilityOption):
            values = [0.5, 1.0]
        elif isinstance(option, FileOption):
            values = [value for value in option.values if value != option.default]
        else:
            values = other_values(option)
        yield from ({option.name: value} for value in values if value != option.default)
    yield from MORE[name]


def cases() -> tuple[Case, ...]:
    """Return all recordings there are to be."""
    found: dict[tuple[str, str], Case] = {}
    for name in game_names():
        for variant in variants(name):
            label = "_".join(
                f"{option}_{_in_words(value)}".replace(",", "_")
                for option, value in variant.items()
            )
            options = with_short(name, variant)
            case = Case(name, label or "plain", tuple(options.items()))
            found[name, case.name] = case
    return tuple(found.values())


def recorded(case: Case) -> list[str]:
    """Return the lines of a recording as they were written."""
    place = f"tests/playthroughs/{case.game}/{case.path.name}"
    assert case.path.is_file(), (
        f"{place} is missing; record it with: python -m tests.playthroughs --write"
    )
    return case.path.read_text(encoding="utf-8").splitlines()


def first_difference(one: list[str], other: list[str]) -> str | None:
    """Say where two recordings differ first, if they do."""
    for number, (old, new) in enumerate(itertools.zip_longest(one, other), 1):
        if old != new:
            return f"line {number}\nrecorded: {old}\nnow:      {new}"
    return None
