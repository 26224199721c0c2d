"""The process of the command line: signals, closed streams, and the status with which it ends.

It imports next to nothing before signals are handled, so that Ctrl-C during the imports, which take
most of a short command's time, ends the program like any later one. Signals are raised where the
program is: `with` blocks unwind, and nothing half-written stays.
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

    _prepare_streams()
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


def discard_output() -> None:
    """Discard buffered output after a broken pipe."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _prepare_streams() -> None:
    """Open what is closed, and escape letters that the encoding of standard output lacks."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # or the next file to be opened would be this stream
    sys.stderr = sys.stderr or open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115
    if sys.stdout is None:
        sys.stderr.write(
            "cardlab: standard output is closed, so no answer can be printed; allowed: a terminal, "
            "a file or a pipe (> FILE), or /dev/null\n"
        )
        sys.exit(2)
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]


def _on_interruption(handler: Callable[..., object]) -> None:
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, handler)
