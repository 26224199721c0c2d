"""`cardlab bench`: that it measures what it says, not how quick this machine is."""

from __future__ import annotations

import pytest

from simcore.compiling import functions_compiled
from studies.operations import bench


def test_it_measures_and_compiles_to_tell_how_long_that_takes(cardlab, monkeypatch):
    monkeypatch.setattr(bench, "RUN_SECONDS", 0.02)
    command = ("bench", "updown", "--rule", "rounds=3", "--runs", 1)
    table = cardlab(*command)
    assert table.status == 0
    for words in ("updown", "matches/s", "Compiling: of a game's matches anew"):
        assert words in table.out
    before = functions_compiled()
    # All is there by now, and is compiled anew.
    (row,) = cardlab(*command, "--json").json
    assert functions_compiled() == before + 1
    assert row["compile_seconds"] > 0.1
    assert (row["game"], row["players"]) == ("updown", 4)
    assert row["rounds_per_second"] == pytest.approx(3 * row["matches_per_second"], rel=0.05)
    assert row["decisions_per_second"] > 10 * row["rounds_per_second"]
    assert row["pipeline_ratio"] > 0
    assert row["threads_ratio"] > 0
