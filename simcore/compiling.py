"""Tells that something is being compiled, and what; says nothing to anybody by itself.

`simcore.jit` reports each function that the compiler begins and ends with; what one compiles on
the way, for what it calls, is part of it. Code that is found on the disk is not compiled.
"""

from __future__ import annotations

import threading
from pathlib import Path
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


def in_words(file: str, name: str) -> str:
    """Return what a function is compiled for: the game, and the kind of kernel."""
    from simcore.game import game_names, get_game

    path = Path(file)
    game, kind = "", "functions of a user's file"
    if path.parent.parent.name == "games" and path.parent.name in game_names():
        game, kind = path.parent.name, _kind_of_kernel(path.stem, name)
    elif path.parent.name == "strategies":
        game, kind = path.stem.partition("_")[0], "policies"
        if game == "search":
            kind = "the policy search"
    elif path.parent.name == "simcore":
        kind = "kernels"
    title = get_game(game).title if game in game_names() else _state.title
    return f"{title}: {kind}" if title else kind


def _kind_of_kernel(room: str, name: str) -> str:
    if name == "play_block":
        return "kernels for matches one by one"
    if room.startswith("lane"):
        return "kernels for matches in lanes"
    return "kernels for matches move by move"
