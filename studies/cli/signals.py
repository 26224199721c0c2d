"""Signals to the command line: whenever they come, the program ends with their status, in silence.

They are raised where the program is, so that `with` blocks unwind and nothing half-written stays.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

INTERRUPTED = 130
TERMINATED = 143


class Interruption(KeyboardInterrupt):
    """What Ctrl-C raises in place of a plain `KeyboardInterrupt`.

    CPython takes a plain one for unhandled when it passes through `exec` of a text (as libraries
    do while they are imported), even where it is caught later; a process of `python -m` then kills
    itself at its end (`run_eval_code_obj` in `pythonrun.c`).
    """


def carry_out(program: Callable[[], int]) -> int:
    """Run a program and return its status, or that of the signal that ends it.

    Where interruptions are ignored, as behind `nohup`, they stay so. After the program one more
    ends the process at once.
    """
    came = 0

    def interrupt(*_: object) -> NoReturn:
        nonlocal came
        came = INTERRUPTED
        raise Interruption

    def terminate(*_: object) -> NoReturn:
        nonlocal came
        came = TERMINATED
        sys.exit(TERMINATED)

    try:
        signal.signal(signal.SIGTERM, terminate)
        _on_interruption(interrupt)
        status = program()
        _on_interruption(lambda *_: os._exit(status))
    except (Exception, KeyboardInterrupt, SystemExit):
        # Libraries make errors of their own of an interruption, as while they are imported.
        if not came:
            raise
        status = came
        _on_interruption(lambda *_: os._exit(status))
    return status


def end_process(status: int) -> NoReturn:
    """End with a status, also where a policy does not return, which must not keep the process."""
    watchdog = sys.modules.get("simcore.watchdog")
    if watchdog is not None and watchdog.threads_given_up():
        sys.stderr.flush()
        os._exit(status)
    sys.exit(status)


def _on_interruption(handler: Callable[..., object]) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, handler)
