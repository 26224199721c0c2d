"""Progress on stderr: how far a run is, and what is being compiled.

On a terminal one line counts the seconds of compiling and disappears afterwards; elsewhere one line
is written for each kind of kernel. Short compilations are not shown.
"""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from studies.design.overrides import shorten

if TYPE_CHECKING:
    from rich.progress import Progress

    from studies.run.progress import ProgressLine
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


@contextlib.contextmanager
def waiting(what: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is done and for how long; nothing elsewhere.

    Yields a function that changes what is shown.
    """
    with spinner() as live:
        task = live.add_task(what, total=None)
        yield lambda text: live.update(task, description=text)


def spinner() -> Progress:
    """Return a line of progress on stderr with a spinner, a text and the time elapsed."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False, markup=False)
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


MOMENT = 2.0
"""Seconds of compiling since the last message."""


class CompileLine:
    """Progress callbacks for compiling; a `simcore.compiling.Watcher`."""

    def __init__(self, moment: float = MOMENT) -> None:
        self._moment = moment
        self._silent = 0.0
        self._said: set[str] = set()
        self._started = 0.0
        self._timer: threading.Timer | None = None
        self._live: Progress | None = None
        self._line: ProgressLine | None = None

    def begin(self, what: str) -> None:
        """Start counting: a compilation begins."""
        self._started = time.monotonic()
        progress = sys.modules.get("studies.run.progress")
        self._line = progress.ProgressLine.shown if progress else None
        if self._line is not None:  # the speed is that of matches alone
            self._line.stop_clock()
        wait = max(0.0, self._moment - self._silent)
        self._timer = threading.Timer(wait, self._show, (what,))
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Stop counting: a compilation has ended."""
        assert self._timer is not None
        self._timer.cancel()
        self._timer.join()
        if self._line is not None:
            self._line.start_clock()
        if self._live is None:
            self._silent += time.monotonic() - self._started
            return
        self._live.stop()
        self._live, self._silent = None, 0.0
        if self._line is not None:
            self._line.go_on()

    def _show(self, what: str) -> None:
        if self._line is not None:
            self._line.hold()
        self._live = spinner()
        if self._live.disable and what not in self._said:
            say(f"compiling {what} …")
        self._said.add(what)
        self._live.add_task(f"cardlab: compiling {what}", total=None)
        self._live.start()
