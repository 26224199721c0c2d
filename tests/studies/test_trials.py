"""What a match takes, from a trial: not what a call costs that plays few of them."""

from __future__ import annotations

import pytest

from studies.design.cells import expand
from studies.design.study import check_study
from studies.run import blocks


@pytest.mark.parametrize(
    ("call", "match"), [(0.0, 2e-6), (0.012, 1e-5), (0.05, 1e-4), (0.001, 0.3), (0.0, 20.0)]
)
def test_a_trial_tells_what_a_match_takes(call, match, monkeypatch):
    lineups = [{"name": "all", "seats": ["random"]}]
    (cell,) = expand(check_study({"game": "up", "matches": 1, "lineups": lineups}))
    counts = []

    def seconds(_cell, count, **_):
        counts.append(count)
        return call + count * match

    monkeypatch.setattr(blocks, "_core_seconds", seconds)
    monkeypatch.setattr(blocks, "play_rows", lambda *_, **__: None)
    assert blocks.trial_seconds(cell) == pytest.approx(match, rel=1.0)
    assert sum(counts) * match < max(1.0, 1.1 * match)
