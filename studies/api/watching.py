"""What a person sees while something lasts: nothing, or progress and remarks on stderr."""

from __future__ import annotations

import contextlib
import re
import sys
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
    from studies.api.compileline import CompileLine
    from studies.run.progress import ProgressLine

    compiling.watch(CompileLine())
    limit.tell_by(say)
    try:
        with ProgressLine() as line:
            yield line, say
    finally:
        compiling.watch(None)
        limit.tell_by(None)
