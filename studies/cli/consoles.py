"""Where commands print: as wide as the terminal, or 100 columns in a pipe or a file.

Text is never markup: names of policies and paths may hold brackets.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console

PIPED_WIDTH = 100


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
