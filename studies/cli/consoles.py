"""Where commands print: as wide as the terminal, or 120 columns in a pipe or a file.

Text is never markup: names of policies and paths may hold brackets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

from studies.api.watching import Say

PIPED_WIDTH = 120


def stdout() -> Console:
    """Return the console for data."""
    if sys.stdout.isatty():
        return Console(highlight=False, markup=False)
    return Console(width=PIPED_WIDTH, color_system=None, highlight=False, markup=False)


@contextmanager
def output() -> Iterator[Console]:
    """Give the console for a long answer; in a pipe its lines end without blanks."""
    console = stdout()
    if console.is_terminal:
        yield console
        return
    with console.capture() as capture:
        yield console
    print("\n".join(line.rstrip() for line in capture.get().splitlines()))


@contextmanager
def waiting(what: str) -> Iterator[Say]:
    """Show on a terminal what takes its time, and how long it has taken; nothing elsewhere.

    Yields a function that says what is done now.
    """
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False, markup=False)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as live:
        task = live.add_task(what, total=None)
        yield lambda text: live.update(task, description=text)
