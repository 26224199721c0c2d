"""Progress on stderr: how far a run is, what is being compiled, and remarks.

On a terminal one live line shows what is done and disappears afterwards. Elsewhere a run writes a
plain line every few seconds, and a long compilation one line for each kind of kernel. Importing
this module imports no `rich`: most commands never show anything.
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
from types import TracebackType
from typing import TYPE_CHECKING, Any, ClassVar, Self

if TYPE_CHECKING:
    from rich.progress import Progress, ProgressColumn


LONGEST_WORD = 300
MOST_LETTERS = 1_000_000
_PLAIN_SECONDS = 5.0
"""Seconds between two plain lines of a run."""

MOMENT = 2.0
"""Seconds of compiling since the last message after which the next one is shown."""

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
    from studies.design.document import shorten

    line = "".join(
        letter if letter.isprintable() else repr(letter)[1:-1] for letter in message[:MOST_LETTERS]
    )
    return re.sub(rf"\S{{{LONGEST_WORD},}}", lambda word: shorten(word[0], LONGEST_WORD), line)


@contextlib.contextmanager
def watched(*, progress: bool) -> Iterator[tuple[Watcher, Say]]:
    """Yield a progress watcher and a function for remarks.

    Without `progress` nothing is shown, and remarks are warnings. With it, compilations and slow
    decisions of a policy are shown, too.
    """
    if not progress:
        yield SILENT, warn
        return
    from simcore import compiling, watchdog

    compiling.watch(CompileLine())
    watchdog.tell_by(say)
    try:
        with ProgressLine() as line:
            yield line, say
    finally:
        compiling.watch(None)
        watchdog.tell_by(None)


@contextlib.contextmanager
def waiting(task: str) -> Iterator[Callable[[str], None]]:
    """Show on a terminal what is done and for how long; nothing elsewhere.

    Yields a function that changes what is shown.
    """
    with _spinner() as live:
        line = live.add_task(task, total=None)
        yield lambda text: live.update(line, description=text)


class _NoLine:
    """Stands in for a live line where none can be shown."""

    disable = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def add_task(self, *_: object, **__: object) -> Any:
        return 0

    def update(self, *_: object, **__: object) -> None:
        pass

    start = stop = update


def _spinner() -> Progress | _NoLine:
    """Return a live line with what is done, and for how long."""
    if not _may_be_live():
        return _NoLine()
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    text = TextColumn("{task.description}", markup=False)
    return _live(SpinnerColumn(), text, TimeElapsedColumn())


def _bar() -> Progress | _NoLine:
    """Return a live line with how much is done, and how long it will take."""
    if not _may_be_live():
        return _NoLine()
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn

    text = TextColumn("{task.fields[text]}")
    return _live(BarColumn(), TaskProgressColumn(), text, TimeRemainingColumn())


def _may_be_live() -> bool:
    """Tell whether rich may find a terminal; its import takes longer than many a command."""
    forced = any(os.environ.get(name) for name in ("FORCE_COLOR", "TTY_COMPATIBLE"))
    return forced or sys.stderr.isatty()


def _live(*columns: ProgressColumn) -> Progress:
    """Return a live line on stderr, which shows nothing unless that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True, highlight=False, markup=False)
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


class Watcher:
    """Progress callbacks of a run; these show nothing."""

    def begin(self, rows: int, cells: int) -> None:
        """Receive the numbers of rows and cells to play."""

    def advance(self, rows: int, cells_done: int) -> None:
        """Receive the numbers of newly stored rows and of complete cells."""

    def spare(self, rows: int) -> None:
        """Receive the number of rows that a goal has spared."""


SILENT = Watcher()


class ProgressLine(Watcher):
    """Progress line of a run, and a context manager.

    Attributes
    ----------
    shown : ProgressLine or None
        The progress line currently on the screen.
    """

    shown: ClassVar[ProgressLine | None] = None

    def __init__(self) -> None:
        self._rows = self._done = self._cells = self._cells_done = 0
        self._started = self._written = self._paused = time.monotonic()
        self._live: Progress | _NoLine | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        ProgressLine.shown = None
        if self._live:
            self._live.stop()
            self._live = None

    def begin(self, rows: int, cells: int) -> None:
        """Start with the number of rows to play."""
        self._rows, self._cells = rows, cells
        ProgressLine.shown = self
        self._started = self._written = time.monotonic()
        self._live = _bar()
        self._task = self._live.add_task("", total=rows, text="")
        self._live.start()

    def advance(self, rows: int, cells_done: int) -> None:
        """Show that rows were added."""
        self._done += rows
        self._cells_done = cells_done
        assert self._live is not None
        self._live.update(self._task, completed=self._done, text=self._words())
        is_due = time.monotonic() - self._written >= _PLAIN_SECONDS
        if self._live.disable and is_due and self._done < self._rows:
            self._written = time.monotonic()
            left = (self._rows - self._done) / max(self._speed(), 1e-9)
            say(f"{self._done / self._rows:.0%}: {self._words()}, {duration(left)} to go")

    def spare(self, rows: int) -> None:
        """Record that rows need not be played."""
        assert self._live is not None
        self._rows = max(self._done, self._rows - rows)
        self._live.update(self._task, total=self._rows, text=self._words())

    def stop_clock(self) -> None:
        """Stop the clock while something other than matches takes time."""
        self._paused = time.monotonic()

    def start_clock(self) -> None:
        """Continue the clock."""
        pause = time.monotonic() - self._paused
        self._started += pause
        self._written += pause

    def hide(self) -> None:
        """Hide the line while another one is shown."""
        if self._live:
            self._live.stop()

    def show(self) -> None:
        """Show the line again."""
        if self._live:
            self._live.start()

    def _speed(self) -> float:
        return self._done / max(time.monotonic() - self._started, 1e-9)

    def _words(self) -> str:
        words = f"{self._done:,} of {self._rows:,} matches, {self._speed():,.0f} a second"
        if self._cells > 1:
            words += f", {self._cells_done} of {self._cells} cells complete"
        return words


class CompileLine:
    """Progress callbacks for compiling, and trying; a `simcore.compiling.Watcher`."""

    def __init__(self, moment: float = MOMENT) -> None:
        self._moment = moment
        self._silent = 0.0
        self._named: set[str] = set()
        self._started = 0.0
        self._timer = threading.Timer(0, lambda: None)
        self._live: Progress | _NoLine | None = None
        self._line: ProgressLine | None = None

    def begin(self, doing: str) -> None:
        """Start counting: a compilation, or a trial, begins."""
        self._started = time.monotonic()
        self._line = ProgressLine.shown
        if self._line is not None:  # the speed is that of matches alone
            self._line.stop_clock()
        wait = max(0.0, self._moment - self._silent)
        self._timer = threading.Timer(wait, self._show, (doing,))
        self._timer.daemon = True
        self._timer.start()

    def end(self) -> None:
        """Stop counting: it has ended."""
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
            self._line.show()

    def _show(self, doing: str) -> None:
        if self._line is not None:
            self._line.hide()
        self._live = _spinner()
        if self._live.disable and doing not in self._named:
            say(f"{doing} …")
        self._named.add(doing)
        self._live.add_task(f"cardlab: {doing}", total=None)
        self._live.start()


def duration(seconds: float) -> str:
    """Write a time: 8 s, 3 min, 2.5 h, 4 days."""
    for unit, length, limit in (("s", 1, 100), ("min", 60, 100), ("h", 3600, 72)):
        if seconds / length < limit:
            amount = seconds / length
            return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:.0f} {unit}"
    return f"{seconds / 86400:,.0f} days"


def size(count: float) -> str:
    """Write a number of bytes: 3.2 MB."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            break
        count /= 1000
    return f"{count:.0f} {unit}" if count >= 100 or unit == "bytes" else f"{count:.1f} {unit}"
