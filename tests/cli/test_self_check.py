"""`cardlab check --self`."""

from __future__ import annotations

import pytest

from simcore.game import game_names
from studies.check import selfcheck


@pytest.mark.whole
def test_every_game_comes_out_the_same(cardlab):
    result = cardlab("check", "--self")
    assert result.status == 0
    for name in game_names():
        assert f"{name}: all the same" in result.err


@pytest.mark.whole
def test_a_difference_is_told(cardlab, monkeypatch):
    monkeypatch.setattr("studies.check.selfcheck._replayed", lambda _: 1)
    monkeypatch.setattr("studies.check.selfcheck.game_names", lambda: ("updown",))
    result = cardlab("check", "--self")
    assert result.status == 1
    assert "updown: NOT the same" in result.err


def test_rows_that_differ_are_found(cardlab, monkeypatch):
    right = selfcheck.play

    def wrong(cell, first, count, *, threads=1):
        block = right(cell, first, count, threads=threads)
        if threads > 1:
            block.winners[count // 2] ^= 3
        return block

    monkeypatch.setattr(selfcheck, "play", wrong)
    monkeypatch.setattr(selfcheck, "game_names", lambda: ("updown",))
    result = cardlab("check", "--self")
    assert result.status == 1
    assert "updown: NOT the same" in result.err
