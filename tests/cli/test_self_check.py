"""`cardlab check --self`."""

from __future__ import annotations

import pytest

from simcore.compiler import blocks
from simcore.compiler.blocks import Player
from simcore.compiler.lanes import lane_count
from simcore.game import game_names


def test_every_game_comes_out_the_same(cardlab):
    result = cardlab("check", "--self")
    assert result.status == 0
    for name in game_names():
        assert f"{name}: all the same" in result.err


def test_a_difference_is_told(cardlab, monkeypatch):
    monkeypatch.setattr("studies.check.selfcheck._replayed", lambda _: 1)
    monkeypatch.setattr("studies.check.selfcheck.game_names", lambda: ("updown",))
    result = cardlab("check", "--self")
    assert result.status == 1
    assert "updown: NOT the same" in result.err


@pytest.mark.skipif(lane_count() < 2, reason="this machine has no lanes")
@pytest.mark.parametrize("falsified", ["in lanes", "one by one"])
def test_a_way_that_plays_wrong_is_found(cardlab, monkeypatch, falsified):
    right = Player.play

    def wrong(self, first, count, out, row):
        done = right(self, first, count, out, row)
        if count > 99 and (self.kernel.lanes > 1) == (falsified == "in lanes"):
            out[3][0, row] += 1  # not in what a replay is compared with
        return done

    monkeypatch.setattr(Player, "play", wrong)
    monkeypatch.setattr(blocks, "_lanes_won", {})
    monkeypatch.setattr(Player, "_race", lambda *_: True)
    monkeypatch.setattr("studies.check.selfcheck.game_names", lambda: ("updown",))
    result = cardlab("check", "--self")
    assert result.status == 1
    assert "updown: NOT the same" in result.err
