"""`cardlab check --self`."""

from __future__ import annotations

import pytest

from simcore.game import game_names, get_game


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


@pytest.mark.parametrize("falsified", ["in lanes", "one by one"])
def test_a_way_that_plays_wrong_is_found(cardlab, monkeypatch, falsified):
    kernel = get_game("updown").room("kernel")
    right = kernel.play_block

    def wrong(tables, boxes, seed, first, count, out, row):
        done = right(tables, boxes, seed, first, count, out, row)
        if count > 99:  # not in what a replay is compared with
            out[3][0, row] += 1
        return done

    def as_lanes(*block):
        return right(*block)

    lanes, one_by_one = (wrong, right) if falsified == "in lanes" else (as_lanes, wrong)
    monkeypatch.setattr(kernel, "block_kernel", lambda _table, _box: lanes)
    monkeypatch.setattr(kernel, "play_block", one_by_one)
    monkeypatch.setattr("studies.check.selfcheck.game_names", lambda: ("updown",))
    result = cardlab("check", "--self")
    assert result.status == 1
    assert "updown: NOT the same" in result.err
