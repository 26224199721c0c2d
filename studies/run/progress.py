"""Progress of a run on stderr: a live line on a terminal, otherwise occasional plain lines."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import ClassVar, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)

_PLAIN_SECONDS = 5.0


class ProgressLine:
    """Progress line of a run; a `studies.run.run.Watcher` and a context manager.

    Attributes
    ----------
    shown : ProgressLine or None
        The progress line currently on the screen.
    """

    shown: ClassVar[ProgressLine | None] = None

    def __init__(self) -> None:
        self._console = Console(stderr=True, highlight=False, markup=False)
        self._rows = self._done = self._cells = self._cells_done = 0
        self._started = self._told = self._held = time.monotonic()
        self._live: Progress | None = None
        self._task = TaskID(0)

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

    def stop_clock(self) -> None:
        """Stop the clock while something other than matches takes time."""
        self._held = time.monotonic()

    def start_clock(self) -> None:
        """Continue the clock."""
        pause = time.monotonic() - self._held
        self._started += pause
        self._told += pause

    def hold(self) -> None:
        """Hide the line."""
        if self._live:
            self._live.stop()

    def go_on(self) -> None:
        """Show the line again."""
        if self._live:
            self._live.start()

    def begin(self, rows: int, cells: int) -> None:
        """Start with the number of rows to play."""
        self._rows, self._cells = rows, cells
        ProgressLine.shown = self
        self._started = self._told = time.monotonic()
        if self._console.is_terminal:
            self._live = Progress(
                BarColumn(),
                TaskProgressColumn(),
                TextColumn("{task.fields[text]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._task = self._live.add_task("", total=rows, text="")
            self._live.start()

    def advance(self, rows: int, cells_done: int) -> None:
        """Show that rows were added."""
        self._done += rows
        self._cells_done = cells_done
        if self._live:
            self._live.update(self._task, completed=self._done, text=self._words())
        elif time.monotonic() - self._told >= _PLAIN_SECONDS and self._done < self._rows:
            self._told = time.monotonic()
            left = (self._rows - self._done) / max(self._speed(), 1e-9)
            text = f"{self._done / self._rows:.0%}: {self._words()}, {duration(left)} to go"
            sys.stderr.write(f"cardlab: {text}\n")
            sys.stderr.flush()

    def spare(self, rows: int) -> None:
        """Record that rows need not be played."""
        self._rows = max(self._done, self._rows - rows)
        if self._live:
            self._live.update(self._task, total=self._rows, text=self._words())

    def _speed(self) -> float:
        return self._done / max(time.monotonic() - self._started, 1e-9)

    def _words(self) -> str:
        words = f"{self._done:,} of {self._rows:,} matches, {self._speed():,.0f} a second"
        if self._cells > 1:
            words += f", {self._cells_done} of {self._cells} cells complete"
        return words


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
