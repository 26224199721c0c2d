"""No game has become much slower than it was, relative to a calibration loop."""

from __future__ import annotations

import time

import pytest

from simcore.jit import HAS_AVX512, JIT_DISABLED
from tests.bench import speed

ATTEMPTS = 3

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="measures compiled kernels")


@pytest.fixture(scope="module")
def loop():
    return speed.calibration()


def relative_speed(case, loop, attempts=ATTEMPTS):
    """Stored steps by those needed now: 1 is as fast as stored, more is faster; best attempt."""
    best = 0.0
    for _ in range(attempts):
        steps = speed.steps_a_decision(speed.cell_of(*case), loop)
        best = max(best, speed.stored()[" ".join(case)] / steps)
        if best >= speed.LEAST:
            break
    return best


@pytest.mark.skipif(not HAS_AVX512, reason="stored are speeds with wide vectors")
@pytest.mark.parametrize("case", speed.cases(), ids=" ".join)
def test_a_game_is_not_much_slower_than_stored(case, loop):
    found = relative_speed(case, loop)
    assert found >= speed.LEAST, f"{found:.2f} of the stored speed"


def test_every_case_is_stored():
    assert set(speed.stored()) == {" ".join(case) for case in speed.cases()}


def test_a_loss_of_speed_would_be_noticed(loop, monkeypatch):
    """Three times the time for the same matches."""
    play = speed.play

    def slow_play(cell, first, count):
        started = time.thread_time()
        block = play(cell, first, count)
        until = started + 3.5 * (time.thread_time() - started)
        while time.thread_time() < until:
            pass
        return block

    case = ("upordown", "random")
    quick = relative_speed(case, loop, attempts=1)
    monkeypatch.setattr(speed, "play", slow_play)
    assert relative_speed(case, loop, attempts=1) < speed.LEAST * quick
