"""Policies from a user's file: it is run, and what it registers is looked through."""

from __future__ import annotations

import contextlib
import importlib.util
import linecache
import sys
from pathlib import Path

from simcore.errors import InputError
from simcore.game import game_names, get_game
from strategies.checks import EARLIER
from strategies.registry import Policy, check_policy, forget, policies, registered


def load_strategies(path: str | Path) -> tuple[Policy, ...]:
    """Run a user's file, which registers policies; return them.

    Nothing is registered where anything is refused.

    Raises
    ------
    InputError
        If the file cannot be read or run, registers nothing, or a policy in it reads or
        changes what it may not; with the line.
    """
    file = Path(path)
    for name in game_names():
        policies(get_game(name))
    before = {(game, name) for game in game_names() for name in registered(game)}
    try:
        _run(file)
        added = _added(before)
        for one in added:
            check_policy(one)
    except BaseException:
        forget(_added(before))
        raise
    if not added:
        raise InputError(
            f"strategies file {file} registers no policy; put @strategies.policy(game, idea=…) "
            "above its function"
        )
    return added


def _added(before: set[tuple[str, str]]) -> tuple[Policy, ...]:
    return tuple(
        one
        for game in game_names()
        for name, one in registered(game).items()
        if (game, name) not in before
    )


def _run(file: Path) -> None:
    """Run a file as a module of its own."""
    spec = importlib.util.spec_from_file_location(f"user_strategies_{file.stem}", file)
    if spec is None or spec.loader is None or not file.is_file():
        raise InputError(f"strategies file {str(file)!r} cannot be read; allowed: a .py file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    linecache.checkcache(str(file))
    try:
        spec.loader.exec_module(module)
    except KeyboardInterrupt:
        raise
    except SyntaxError as error:
        # A file that it imports may be meant.
        where = error.filename or str(file)
        line = f", line {error.lineno}" if error.lineno else ""
        source = _quoted(error.text or "")
        raise InputError(f"strategies file {where}{line}{source}: {error.msg}") from error
    except SystemExit as error:
        raise InputError(
            f"strategies file {file}{_line_in(file, error)}: it ends the program with status "
            f"{_status(error)} while it is read (sys.exit or the like); a file of policies only "
            "registers them"
        ) from error
    except InputError as error:
        raise InputError(f"strategies file {file}{_line_in(file, error)}: {error}") from error
    except ImportError as error:
        ours = (error.name or "").partition(".")[0] in ("simcore", "strategies", "cardlab")
        raise InputError(
            f"strategies file {file}{_line_in(file, error)}: {error}"
            + (f"; perhaps the file {EARLIER}" if ours else "")
        ) from error
    except BaseException as error:  # whatever the file raises
        raise InputError(
            f"strategies file {file}{_line_in(file, error)}: {_said(error)}"
        ) from error


def _status(error: SystemExit) -> object:
    """Return the exit status that Python would give."""
    if error.code is None:
        return 0
    return error.code if isinstance(error.code, int) else f"1 ({str(error.code)!r})"


def _said(error: BaseException) -> str:
    """Return an error in words; its own may fail."""
    with contextlib.suppress(Exception):
        return f"{type(error).__name__}: {error}".removesuffix(": ")
    return type(error).__name__


def _line_in(file: Path, error: BaseException) -> str:
    number = 0
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(file):
            number = trace.tb_lineno
        trace = trace.tb_next
    return f", line {number}{_quoted(linecache.getline(str(file), number))}" if number else ""


def _quoted(source: str) -> str:
    return f" ({source.strip()})" if source.strip() else ""
