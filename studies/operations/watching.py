"""What a person sees while something lasts: nothing, or on stderr how far it is, what is compiled.

On a terminal a line tells the seconds of compiling, and goes away when all is compiled; elsewhere a
line is written once for each kind of kernel. What takes no longer than a moment goes unsaid.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from studies.design.overrides import shorten

if TYPE_CHECKING:
    from studies.run.run import Watcher

LONGEST_WORD = 300
MOST_LETTERS = 1_000_000

Say = Callable[[str], None]


def say(message: str) -> None:
    """Say something on stderr, in one line."""
    print(f"cardlab: {printable(message)}", file=sys.stderr, flush=True)  # noqa: T201 (asked for)


def warn(message: str) -> None:
    """Give a remark that a program should not miss as a warning."""
    warnings.warn(message, stacklevel=4)


def printable(message: str) -> str:
    r"""Return a message as one line that is safe to show on a terminal.

    What people and files call things may hold control characters, or run to megabytes: such
    characters are written out (`\x1b`), and words are cut that nobody would read to their end.
    """
    line = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in message[:MOST_LETTERS]
    )
    return re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: shorten(word[0], LONGEST_WORD), line)


@contextlib.contextmanager
def watched(*, progress: bool) -> Iterator[tuple[Watcher | None, Say]]:
    """Give who is told how far something is, and what says remarks.

    Without `progress` nobody is, and remarks are warnings. With it also compiling, and a policy
    that takes long to decide, are told while they last.
    """
    if not progress:
        yield None, warn
        return
    from simcore import compiling, limit
    from studies.run.progress import ProgressLine

    compiling.watch(CompileLine())
    limit.tell_by(say)
    try:
        with ProgressLine() as line:
            yield line, say
    finally:
        compiling.watch(None)
        limit.tell_by(None)


MOMENT = 2.0
"""Seconds, of all that was compiled in silence since the last word."""

_STEP = 0.25
_TURNS = "|/-\\"
_CLEARED = "\r\x1b[2K"


class CompileLine:
    """What is told when compiling begins and ends; a `simcore.compiling.Watcher`."""

    def __init__(self, moment: float = MOMENT) -> None:
        self._moment = moment
        self._silent = 0.0
        self._said: set[str] = set()
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, what: str) -> None:
        """Take note that something is compiled from now on."""
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, args=(what, self._ended), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Take note that it has been."""
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _tell(self, what: str, ended: threading.Event) -> None:
        if ended.wait(max(0.0, self._moment - self._silent)):
            self._silent += time.monotonic() - self._started
            return
        self._silent = 0.0
        progress = sys.modules.get("studies.run.progress")
        line = progress.ProgressLine.shown if progress else None
        if line is not None:
            line.hold()
        try:
            self._tell_on(what, ended)
        finally:
            if line is not None:
                line.go_on()

    def _tell_on(self, what: str, ended: threading.Event) -> None:
        if not is_terminal():
            if what not in self._said:
                self._said.add(what)
                _write(f"cardlab: compiling {what} …\n")
            ended.wait()
            return
        turn = 0
        while True:
            seconds = time.monotonic() - self._started
            sign = _TURNS[turn % len(_TURNS)]
            _write(f"{_CLEARED}cardlab: compiling {what} {sign} {seconds:.0f} s")
            if ended.wait(_STEP):
                break
            turn += 1
        _write(_CLEARED)


def is_terminal() -> bool:
    """Return whether a line on stderr can be written over."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
