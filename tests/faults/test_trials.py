"""Damages, kills, full disks, two writers, jumping clocks: no wrong number, nothing lost."""

from __future__ import annotations

import pytest

from tests.faults.trials import BEGIN, END, PAGE, TRIALS, table, tried

BAD = ("wrong", "lost", "loud")


@pytest.mark.whole
@pytest.mark.parametrize("name", [name for name in TRIALS if TRIALS[name][2]])
def test_few_trials(name: str):
    ends = tried(name, few=True)
    assert ends
    assert not [end for end in ends if end.startswith(BAD)], ends


@pytest.mark.long
@pytest.mark.parametrize("name", TRIALS)
def test_many_trials(name: str):
    ends = tried(name)
    assert sum(ends.values()) >= TRIALS[name][1]
    assert not [end for end in ends if end.startswith(BAD)], ends


def test_the_table_has_every_trial_and_no_bad_end():
    text = PAGE.read_text("utf-8")
    shown = text[text.index(BEGIN) + len(BEGIN) : text.index(END)]
    head, line, *rows = shown.splitlines()
    assert [head, line] == table({}).splitlines()
    assert [row.split(" | ")[0].strip("| ") for row in rows] == [one[3] for one in TRIALS.values()]
    for row in rows:
        assert row.split("|")[-4:-1] == [" 0 "] * 3, row
