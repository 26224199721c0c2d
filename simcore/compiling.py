"""Tells that something is being compiled, and what; says nothing to anybody by itself.

`simcore.compiler.machine` reports each piece of code that it begins and ends with. Code that is
found on the disk is not compiled.
"""

from __future__ import annotations

import threading
from typing import Protocol


class Watcher(Protocol):
    """Is told when compiling begins and ends."""

    def begin(self, what: str) -> None:
        """Take note that something is compiled from now on."""
        ...

    def end(self) -> None:
        """Take note that it has been."""
        ...


class _State:
    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.depth = self.functions = 0
        self.title = ""
        self.watcher: Watcher | None = None


_state = _State()


def watch(watcher: Watcher | None) -> None:
    """Tell this one from now on; None: nobody."""
    _state.watcher = watcher


def about(title: str) -> None:
    """Take note of the game at hand, for what a function's file does not tell."""
    _state.title = title


def functions_compiled() -> int:
    """Return how many functions this process has compiled, not counting what they call."""
    return _state.functions


def begin(what: str) -> None:
    """Take note that something is compiled."""
    with _state.lock:
        _state.depth += 1
        if _state.depth == 1:
            _state.functions += 1
            if _state.watcher is not None:
                _state.watcher.begin(what)


def end() -> None:
    """Take note that the last function begun has been compiled, or cannot be."""
    with _state.lock:
        _state.depth -= 1
        if _state.depth == 0 and _state.watcher is not None:
            _state.watcher.end()
