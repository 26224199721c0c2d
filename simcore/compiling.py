"""Notifications that code is being compiled, or tried; nothing is printed here.

`simcore.compiler.machine` reports the beginning and the end of each compilation. Code loaded from
the cache is not reported.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Watcher(Protocol):
    """Callbacks of what goes on before matches are played."""

    def begin(self, doing: str) -> None:
        """Receive what begins: "compiling UNO: its matches"."""
        ...

    def end(self) -> None:
        """Receive its end."""
        ...


class _State:
    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.depth = self.functions = 0
        self.seconds = self.began = 0.0
        self.watcher: Watcher | None = None


_state = _State()


def watch(watcher: Watcher | None) -> None:
    """Set the watcher that is notified; None for none."""
    _state.watcher = watcher


def functions_compiled() -> int:
    """Return how many functions this process has compiled, not counting their callees."""
    return _state.functions


def seconds_compiled() -> float:
    """Return for how many seconds this process has waited for compilers."""
    return _state.seconds


@contextmanager
def compilation(title: str) -> Iterator[None]:
    """Report a compilation, from its beginning to its end; several may go on at once."""
    with _state.lock:
        _state.depth += 1
        _state.functions += 1
        if _state.depth == 1:
            _state.began = time.monotonic()
        if _state.watcher is not None:
            if _state.depth > 1:
                _state.watcher.end()  # what is told is the last one that began
            _state.watcher.begin(f"compiling {title}")
    try:
        yield
    finally:
        with _state.lock:
            _state.depth -= 1
            if _state.depth == 0:
                _state.seconds += time.monotonic() - _state.began
                if _state.watcher is not None:
                    _state.watcher.end()


@contextmanager
def trial(title: str) -> Iterator[None]:
    """Report that matches of a user's code are tried as ordinary Python; nothing is compiled."""
    watcher = _state.watcher
    if watcher is not None:
        watcher.begin(f"trying {title} as ordinary Python")
    try:
        yield
    finally:
        if watcher is not None:
            watcher.end()
