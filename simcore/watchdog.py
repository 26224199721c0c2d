"""How long a decision may take: a policy that loops for ever ends with a message, not never.

Compiled code cannot be interrupted. So users' policies run on threads of their own, and whoever
waits for them looks from time to time whether the game goes on. Where a position stands still for
longer than the limit, waiting ends with an error; the thread is given up, and ends with the
process.

Time is counted in looks, not read from a clock: what the process sleeps through, stopped or in a
closed laptop, is not held against a policy.
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
"""Only users' policies are watched; the search that comes along, with its largest parameters, takes
up to 40 s for a decision."""

FIRST_WORD_SECONDS = 20.0
LONGEST_LOOK = 0.5

Tell = Callable[[str], None]


class Work(Protocol):
    """What is carried out under the limit."""

    def carry_out(self) -> None:
        """Do it; called on a thread of its own."""
        ...

    def moment(self) -> bytes | None:
        """Return something that changes whenever the game goes on; None: no policy is at work."""
        ...

    def standing_still(self) -> str:
        """Say which policy has not returned, and where."""
        ...

    def failed(self, message: str) -> Exception:
        """Return the error for a decision that took too long."""
        ...


class _Thread(threading.Thread):
    def __init__(self, work: Work, ended: threading.Semaphore) -> None:
        super().__init__(daemon=True, name="play")
        self.work = work
        self.error: BaseException | None = None
        self._ended = ended
        self._context = contextvars.copy_context()

    def run(self) -> None:
        try:
            self._context.run(self.work.carry_out)
        except BaseException as error:  # noqa: BLE001 (raised where it is waited for)
            self.error = error
        finally:
            self._ended.release()


_given_up: list[threading.Thread] = []
_told: list[Tell] = []


def tell_by(tell: Tell | None) -> None:
    """Say to a person, by this, that a decision takes long; None: to nobody."""
    _told[:] = [] if tell is None else [tell]


def threads_given_up() -> bool:
    """Return whether compiled code still runs that nobody waits for; Python cannot end it."""
    return any(thread.is_alive() for thread in _given_up)


def decision_limit() -> float:
    """Return the limit in seconds: the environment's, or the default.

    Raises
    ------
    InputError
        If the environment's is no number above 0.
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
    """Carry out works side by side, each on a thread of its own, and wait for them.

    Returns
    -------
    list of BaseException
        What they raised.

    Raises
    ------
    Exception
        `Work.failed`, when a policy stands still for longer than the limit.
    """
    limit = decision_limit()
    look = min(LONGEST_LOOK, limit / 4)
    ended = threading.Semaphore(0)
    threads = [_Thread(work, ended) for work in works]
    still = dict.fromkeys(threads, 0.0)
    moments: dict[_Thread, bytes | None] = dict.fromkeys(threads)
    try:
        for thread in threads:
            thread.start()
        left = len(threads)
        while left:
            if ended.acquire(timeout=look):
                left -= 1
                continue
            for thread in threads:
                moment = thread.work.moment()
                same = moment is not None and moment == moments[thread]
                moments[thread] = moment
                still[thread] = still[thread] + look if same else 0.0
                _judge(thread.work, still[thread], look, limit)
    except BaseException:
        _given_up[:] = [one for one in (*_given_up, *threads) if one.is_alive()]
        raise
    return [thread.error for thread in threads if thread.error is not None]


def _judge(work: Work, still: float, look: float, limit: float) -> None:
    if still >= limit:
        raise work.failed(
            f"{work.standing_still()} has not returned a move for {limit:g} s; it may loop for "
            f"ever. {VARIABLE}=SECONDS in the environment sets another limit"
        )
    if _told and still >= FIRST_WORD_SECONDS > still - look:
        _told[0](
            f"{work.standing_still()} has been deciding for {still:.0f} s; after {limit:g} s "
            f"({VARIABLE}) it is given up"
        )
