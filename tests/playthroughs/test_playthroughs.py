"""Every recorded match is told today as it was recorded, line by line."""

from __future__ import annotations

import dataclasses

import pytest

from tests.playthroughs.cases import FOLDER, cases, first_difference, recorded

CASES = cases()


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.game}-{case.name}")
def test_a_match_is_told_as_it_was_recorded(case):
    difference = first_difference(recorded(case), list(case.lines()))
    assert difference is None, (
        f"{case.path.name}, {difference}\n"
        "If this change is meant: python -m tests.playthroughs --write"
    )


def test_there_is_a_case_for_every_recording():
    paths = set(FOLDER.glob("*/*.txt"))
    assert paths == {case.path for case in CASES}


def test_a_change_would_be_noticed():
    case = CASES[0]
    lines = recorded(case)
    for number in (1, len(lines) // 2, len(lines) - 1):
        changed = [*lines[:number], lines[number] + " ", *lines[number + 1 :]]
        assert first_difference(changed, list(case.lines())).startswith(f"line {number + 1}\n")
    assert first_difference(lines[:-1], lines).startswith(f"line {len(lines)}\n")


def test_a_change_in_the_lines_left_out_would_be_noticed(monkeypatch):
    case = next(case for case in CASES if any(line.startswith("… ") for line in recorded(case)))
    text = list(case.lines())
    place = next(number for number, line in enumerate(text) if line.startswith("… "))
    from simcore import replay as room
    from tests.playthroughs import cases as module

    full = list(room.replay(case.cell, module.MATCH, why=True))
    full[60] += " "
    monkeypatch.setattr(module, "replay", lambda *_args, **_kept: full)
    assert first_difference(text, list(case.lines())).startswith(f"line {place + 1}\n")
    assert dataclasses.replace(case, name="other").path != case.path
