"""Playing side by side in lanes pays: it is not slower than the same policies called in turn.

Both ways are measured in one run, in turns, in processor time of the thread; so nothing depends on
the make of the processor, its clock, or what else it does.
"""

from __future__ import annotations

import time

import pytest

from simcore.batch import play, warm_up
from simcore.game import game_names, get_game
from simcore.lanes import EIGHT_AT_ONCE
from strategies.registry import parse_strategy
from tests.cases import Cases
from tests.side_by_side import Called, cell_of

HEURISTICS = Cases(
    "tests/speed/test_lanes.py: HEURISTICS",
    "a policy with a play spec",
    {
        "up": "greedy",
        "updown": "eager",
        "uno": "dumper",
        "dnup": "greedy",
        "upordown": "appender",
    },
)
LEAST = 0.8
"""Of the speed of what is called: lanes reach 1.0 to 6 where vectors have half their width."""

RUNS = 5
RUN_SECONDS = 0.1

pytestmark = pytest.mark.speed


def seconds_of(cell, matches):
    started = time.thread_time()
    play(cell, 0, matches)
    return time.thread_time() - started


def times_as_fast(cell, other):
    """Return how many times as fast a cell is played as another one, best of several turns."""
    for one in (cell, other):
        warm_up(one)
    matches = 256
    while seconds_of(other, matches) < RUN_SECONDS:
        matches *= 2
    runs = [(seconds_of(cell, matches), seconds_of(other, matches)) for _ in range(RUNS)]
    return min(taken for _, taken in runs) / min(taken for taken, _ in runs)


def ways(name, policy):
    game = get_game(name)
    strategy = parse_strategy(game, policy)
    return cell_of(game, {}, strategy), cell_of(game, {}, Called(strategy))


@pytest.mark.skipif(not EIGHT_AT_ONCE, reason="lanes need wide vectors")
@pytest.mark.parametrize("kind", ["random", "heuristic"])
@pytest.mark.parametrize("name", game_names())
def test_lanes_pay(name, kind):
    found = times_as_fast(*ways(name, "random" if kind == "random" else HEURISTICS[name]))
    assert found >= LEAST, f"{found:.2f} of the speed of what is called"


def test_a_loss_of_speed_would_be_noticed():
    called = ways("upordown", "random")[1]
    slow = ways("upordown", "all_rounder")[1]
    assert times_as_fast(slow, called) < LEAST < 1 / times_as_fast(slow, called)
