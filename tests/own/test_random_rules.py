"""Random programs of rules play the same matches compiled and as ordinary Python."""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from simcore.batch import Cell, _in_plain
from simcore.compiler.program import Refused
from simcore.errors import InputError
from tests.own.random_rules import PROBES, Rules
from tests.own.small import assert_played_alike, cell_of

MATCHES = 6
FIRST, FEW = 17, 6
"""The program of the default tier, and how many of its probes: each of all is compiled for long."""


def outcome(number: int, folder: Path, probes: int = PROBES) -> str:
    """Play a program both ways; return "plays", "refused" (with file and line) or "stops".

    Probes that do what they may not are left out, as plain Python tells which they are.
    """
    rules = Rules(number)
    name = rules.write(folder)
    for left_out in range(probes, PROBES):
        del rules.probes[left_out]
    rules.write_game()
    sys.modules.pop("tables", None)
    sys.path.insert(0, str(folder))
    options = {"players": rules.players, "way": ("low", "high")[number % 2]}
    lineup = ",".join((("thinker", "random") * 2)[: rules.players])
    try:
        cell = cell_of(name, lineup, number, **options)
        while (wrong := wrong_probe(cell)) in rules.probes:
            del rules.probes[wrong]
            rules.write_game()
            cell = cell_of(name, lineup, number, **options)
        done = assert_played_alike(cell, MATCHES, f"program {number}")
    except Refused as refused:
        if not re.search(r", line \d+, in \w+: `", str(refused)):
            raise
        return "refused"
    finally:
        sys.path.remove(str(folder))
    if done == MATCHES:
        return "plays"
    with pytest.raises(InputError):
        _in_plain(cell, 0, done, 1)
    return "stops"


def wrong_probe(cell: Cell) -> int:
    """Return the number of a probe that does what it may not, -1 if there is none."""
    try:
        _in_plain(cell, 0, 0, MATCHES)
    except InputError as error:
        found = re.search(r", in probe_(\d+): `", str(error))
        return int(found[1]) if found else -1
    return -1


@pytest.mark.parametrize(
    ("number", "probes"),
    [(FIRST, FEW), *(pytest.param(n, PROBES, marks=pytest.mark.whole) for n in range(30))],
)
def test_random_rules_play_alike(number: int, probes: int, tmp_path: Path):
    assert outcome(number, tmp_path, probes) in ("plays", "stops")


@pytest.mark.long
def test_many_random_rules_play_alike(tmp_path: Path):
    outcomes = Counter[str]()
    for number in range(30, 5000):
        folder = tmp_path / str(number)
        folder.mkdir()
        outcomes[outcome(number, folder)] += 1
    assert outcomes["refused"] < 0.1 * outcomes.total()
