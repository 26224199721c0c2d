"""Block sizes, the same on every machine.

A part holds one block, so block sizes must not depend on a machine's speed if parts are to be equal
everywhere (byte for byte with the same version of pyarrow). They follow from the number of
decisions per match. Only blocks that would take more than a minute by a trial (policies that
search) are cut by time; the rows are the same in any case, and `block` in the study fixes the files
as well.
"""

from __future__ import annotations

import time

from studies.design.cells import StudyCell
from studies.run.executors import play_rows, playable

BLOCK_ROWS = 200_000
BLOCK_DECISIONS = 40_000_000
"""Decisions per block: half a second of random play, a few seconds of a careful policy."""

SUMMARY_FACTOR = 10
"""Factor for blocks of sums, whose size does not depend on the number of matches."""

LONGEST_SECONDS = 60.0
WANTED_SECONDS = 10.0
_SAMPLE_DEALS = 16
_DOUBT = 4
"""Possible error of a sample; closer to the time limit a longer trial decides."""

_TRIAL_SECONDS = 0.01
_TRIAL_AT_MOST = 0.5
_CALLS = 4
"""Minimum length of a trial, in calls for a single match."""

_TRIAL_MATCHES = 4096


def block_size(cell: StudyCell, *, rows: bool) -> int:
    """Return the number of matches of a block; equal for all cells with equal rules and seats."""
    columns, sampled = play_rows(cell, 0, _SAMPLE_DEALS)
    decisions = columns["decisions"].sum(dtype="int64") + columns["forced"].sum(dtype="int64")
    decisions_per_deal = max(1.0, float(decisions) / _SAMPLE_DEALS)
    factor = 1 if rows else SUMMARY_FACTOR
    size = round_down(
        min(factor * BLOCK_DECISIONS / decisions_per_deal, factor * BLOCK_ROWS / cell.rotations)
    )
    if sampled / _SAMPLE_DEALS * size < factor * LONGEST_SECONDS / _DOUBT:
        return size
    seconds = trial_seconds(cell)
    if seconds * size > factor * LONGEST_SECONDS:
        size = round_down(WANTED_SECONDS / seconds, steps=())
    return size


def trial_seconds(cell: StudyCell) -> float:
    """Return the seconds per deal of a cell, in all rotations, from a short trial.

    CPU seconds, except for users' policies, so that a busy machine does not cut blocks that an idle
    one keeps. The first call for a game or a policy, which compiles it, is not counted.
    """
    play_rows(cell, 0, 1)
    count = 1
    single = seconds = _core_seconds(cell, count)
    # The fixed cost of a call is not part of the cost of a match.
    wanted = max(_TRIAL_SECONDS, min(_CALLS * single, _TRIAL_AT_MOST))
    while seconds < wanted and count < _TRIAL_MATCHES:
        growth = wanted / max(seconds, 1e-9)
        count = min(_TRIAL_MATCHES, count * max(2, min(16, int(growth))))
        seconds = _core_seconds(cell, count)
    return single if count == 1 else max(seconds - single, 0.5 * seconds) / (count - 1)


def _core_seconds(cell: StudyCell, count: int) -> float:
    from simcore.compiler.seat_policy import is_foreign

    started = time.thread_time()
    _, seconds = play_rows(cell, 0, count)
    # A user's policy plays on another thread, monitored by a watchdog.
    return seconds if is_foreign(playable(cell)) else time.thread_time() - started


def round_down(number: float, steps: tuple[int, ...] = (5, 2)) -> int:
    """Return the largest of 1, 2, 5, 10, 20, 50, … that is not above a number (at least 1)."""
    size = 1
    while size * 10 <= number:
        size *= 10
    return next((step * size for step in steps if step * size <= number), size)
