"""Progress on stderr: how far a run is, and what is being compiled.

On a terminal one line counts the seconds of compiling and disappears afterwards; elsewhere one line
is written for each kind of kernel. Short compilations are not shown.
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
    """Write one line to stderr."""
    print(f"cardlab: {printable(message)}", file=sys.stderr, flush=True)  # noqa: T201 (asked for)


def warn(message: str) -> None:
    """Issue a remark as a Python warning."""
    warnings.warn(message, stacklevel=4)


def printable(message: str) -> str:
    r"""Return a message as one line that is safe to show on a terminal.

    Names from users and files may contain control characters or be megabytes long: control
    characters are escaped (`\x1b`), and very long words are cut.
    """
    line = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in message[:MOST_LETTERS]
    )
    return re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: shorten(word[0], LONGEST_WORD), line)


@contextlib.contextmanager
def watched(*, progress: bool) -> Iterator[tuple[Watcher | None, Say]]:
    """Yield a progress watcher (or None) and a function for remarks.

    Without `progress` there is no watcher, and remarks are warnings. With it, compilations and slow
    decisions of a policy are shown, too.
    """
    if not progress:
        yield None, warn
        return
    from simcore import compiling, watchdog
    from studies.run.progress import ProgressLine

    compiling.watch(CompileLine())
    watchdog.tell_by(say)
    try:
        with ProgressLine() as line:
            yield line, say
    finally:
        compiling.watch(None)
        watchdog.tell_by(None)


MOMENT = 2.0
"""Seconds of compiling since the last message."""

_STEP = 0.25
_TURNS = "|/-\\"
_CLEARED = "\r\x1b[2K"


class CompileLine:
    """Progress callbacks for compiling; a `simcore.compiling.Watcher`."""

    def __init__(self, moment: float = MOMENT) -> None:
        self._moment = moment
        self._silent = 0.0
        self._said: set[str] = set()
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, what: str) -> None:
        """Start counting: a compilation begins."""
        self._started = time.monotonic()
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._tell, args=(what, self._ended), daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop counting: a compilation has ended."""
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
    """Return whether stderr is a terminal, where a line can be overwritten."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb")


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
