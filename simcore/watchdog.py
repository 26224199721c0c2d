"""A watchdog for decisions: a user's policy that loops for ever ends with an error message.

Compiled code cannot be interrupted. So users' policies run on separate threads, and the waiting
thread checks at intervals whether the game goes on. If a position does not change for longer than
the limit, waiting ends with an error; the thread is abandoned and ends with the process.

Time is counted in checks, not read from a clock, so that a suspended process or a closed laptop is
not held against a policy.
"""

from __future__ import annotations

import contextvars
import math
import os
import threading
from collections.abc import Callable, Sequence
from typing import Protocol

from simcore.errors import InputError

VARIABLE = "CARDLAB_DECISION_LIMIT"
DEFAULT_SECONDS = 600.0
"""Generous, because only users' policies are monitored and the built-in search with its largest
parameters takes up to 40 s for a decision."""

FIRST_WORD_SECONDS = 20.0
LONGEST_LOOK = 0.5

Tell = Callable[[str], None]


class Work(Protocol):
    """Work that is monitored by the watchdog."""

    def carry_out(self) -> None:
        """Run the work; called on a separate thread."""
        ...

    def moment(self) -> bytes | None:
        """Return a value that changes as the game goes on, or None if no policy is deciding."""
        ...

    def standing_still(self) -> str:
        """Describe the stalled policy and its position."""
        ...

    def failed(self, message: str) -> Exception:
        """Return the error for a decision past the limit."""
        ...


_given_up: list[threading.Thread] = []
_tellers: list[Tell] = []


def tell_by(tell: Tell | None) -> None:
    """Set the function that reports a slow decision to a person; None for no reports."""
    _tellers[:] = [] if tell is None else [tell]


def threads_given_up() -> bool:
    """Return whether an abandoned thread still runs compiled code, which Python cannot end."""
    return any(thread.is_alive() for thread in _given_up)


def decision_limit() -> float:
    """Return the limit in seconds, from the environment or by default.

    Raises
    ------
    InputError
        If the environment variable is not a number above 0.
    """
    text = os.environ.get(VARIABLE, "")
    if not text:
        return DEFAULT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not seconds > 0:
        raise InputError(
            f"{VARIABLE} = {text[:60]!r} is refused; allowed: seconds that a policy may take for a "
            "decision, a number above 0 (inf: no limit)"
        )
    return seconds


def carry_out(works: Sequence[Work]) -> list[BaseException]:
    """Run works in parallel, each on its own thread, and wait for them.

    Returns
    -------
    list of BaseException
        The exceptions they raised.

    Raises
    ------
    Exception
        `Work.failed`, if a policy stalls for longer than the limit.
    """
    limit = decision_limit()
    interval = min(LONGEST_LOOK, limit / 4)
    ended = threading.Semaphore(0)
    errors: dict[int, BaseException] = {}

    def run(index: int) -> None:
        try:
            works[index].carry_out()
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            errors[index] = error
        finally:
            ended.release()

    threads = [
        threading.Thread(
            target=contextvars.copy_context().run, args=(run, index), daemon=True, name="play"
        )
        for index in range(len(works))
    ]
    still = [0.0] * len(works)
    moments: list[bytes | None] = [None] * len(works)
    try:
        for thread in threads:
            thread.start()
        running = len(threads)
        while running:
            if ended.acquire(timeout=interval):
                running -= 1
                continue
            for index, work in enumerate(works):
                moment = work.moment()
                same = moment is not None and moment == moments[index]
                moments[index] = moment
                still[index] = still[index] + interval if same else 0.0
                _judge(work, still[index], interval, limit)
    except BaseException:
        _given_up[:] = [thread for thread in (*_given_up, *threads) if thread.is_alive()]
        raise
    return [errors[index] for index in sorted(errors)]


def _judge(work: Work, still: float, interval: float, limit: float) -> None:
    if still >= limit:
        raise work.failed(
            f"{work.standing_still()} has not returned a move for {limit:g} s; it may loop for "
            f"ever. {VARIABLE}=SECONDS in the environment sets another limit"
        )
    if _tellers and still >= FIRST_WORD_SECONDS > still - interval:
        _tellers[0](
            f"{work.standing_still()} has been deciding for {still:.0f} s; after {limit:g} s "
            f"({VARIABLE}) it is given up"
        )
