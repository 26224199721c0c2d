"""Python files of users: games, rules, policies and measures, all loaded in the same way.

A file is read once. What is hashed, what is compiled, and what messages quote are these bytes;
nothing goes through `__pycache__`, which takes an edit within one second at the same size for no
edit. Modules that the file imports from its own folder are loaded in the same way and are part of
its hash.

A file is run twice, and its constants are compared: what depends on the time, on addresses or on
unseeded random numbers would make rows that nobody can replay.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime as dt
import hashlib
import importlib.util
import linecache
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from simcore import language
from simcore.compiler.program import Refused, place_in
from simcore.compiler.seat_policy import FILE_DIGEST
from simcore.errors import InputError
from simcore.files import read_regular

LARGEST_FILE = 1 << 22


def digest_of(content: bytes) -> str:
    """Return a hash of a file's content."""
    return hashlib.blake2b(content, digest_size=16).hexdigest()


@dataclass(frozen=True)
class UserFile:
    """A file that was loaded.

    Attributes
    ----------
    path : Path
    content : bytes
    imports : dict of str to bytes
        The modules of its folder that it imports, by file name.
    module : ModuleType
        What running it made.
    """

    path: Path
    content: bytes = field(repr=False)
    imports: Mapping[str, bytes] = field(repr=False)
    module: ModuleType

    @property
    def digest(self) -> str:
        """A hash of everything that was run."""
        return _digest(self.content, self.imports)


def _digest(content: bytes, imports: Mapping[str, bytes]) -> str:
    if not imports:
        return digest_of(content)
    parts = [part for name in sorted(imports) for part in (name.encode(), imports[name])]
    return digest_of("".join(map(digest_of, [content, *parts])).encode())


_imported: dict[tuple[Path, str], tuple[str, ...]] = {}
"""Which modules of its folder a file with this content imported when it was last loaded."""


def read_user_file(kind: str, path: str | Path) -> bytes:
    """Return what a user's file holds.

    Parameters
    ----------
    kind : str
        What it is, in refusals: "game", "rules", "strategies" or "measures".

    Raises
    ------
    InputError
        If it cannot be read.
    """
    try:
        content = read_regular(path, LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError(f"{kind} {str(path)!r}: there is no such file") from None
    except OSError as error:
        raise InputError(
            f"{kind} {str(path)!r} cannot be read: {error.strerror}; allowed: a .py file"
        ) from None
    if len(content) > LARGEST_FILE:
        raise InputError(f"{kind} {str(path)!r} has more than {LARGEST_FILE:,} bytes")
    return content


def keep_lines(file: Path, content: bytes) -> None:
    """Let messages and the compiler take a file's lines from here, not from the disk by then."""
    lines = importlib.util.decode_source(content).splitlines(True)
    linecache.cache[str(file)] = (len(content), None, lines, str(file))


def digest_at(kind: str, path: str | Path) -> str:
    """Return the hash that a file would have if it was loaded now, without running it.

    Of a file that was not loaded yet, that of the file alone.
    """
    file = Path(path)
    content = read_user_file(kind, file)
    names = _imported.get((file.absolute(), digest_of(content)), ())
    return _digest(content, {name: read_user_file(kind, file.parent / name) for name in names})


_last: dict[Path, UserFile] = {}


def loaded_file(path: str | Path) -> UserFile:
    """Return a file as it was last loaded, whatever is on the disk now."""
    return _last[Path(path).absolute()]


_loading = threading.RLock()


def load_user_file(
    kind: str,
    path: str | Path,
    given: Mapping[str, object] | None = None,
    made: Callable[[], object] = lambda: None,
) -> UserFile:
    """Load a user's file.

    Parameters
    ----------
    given : mapping, optional
        Names that stand for something before the file says anything.
    made : callable
        Called after each of the two runs; what it returns is compared, too.

    Raises
    ------
    InputError
        If it cannot be read, fails, or its constants differ from one run to the next; with file
        and line.
    """
    file = Path(path)
    content = read_user_file(kind, file)
    with _loading:
        # The outcome of the first run is thrown away: a clock and addresses are others there.
        first = _Run(kind, file, content, given or {}, is_trial=True)
        before = {**constants(vars(first.module)), "": canonical(made())}
        second = _Run(kind, file, content, first.given, sources=first.sources)
        now = {**constants(vars(second.module)), "": canonical(made())}
    for name, value in now.items():
        if before.get(name) != value:
            place = place_in(str(file), name) if name else str(file)
            raise Refused(
                f"{place}: {f'`{name}`' if name else 'what it says'} is something else each time "
                "the file is read, as with time, id, hash or random numbers without a seed, so "
                "that no match could be replayed; allowed: constants that are always the same"
            )
    _imported[file.absolute(), digest_of(content)] = tuple(second.sources)
    loaded = UserFile(file, content, second.sources, second.module)
    vars(second.module)[FILE_DIGEST] = loaded.digest
    _last[file.absolute()] = loaded
    return loaded


class _Run:
    """One run of a file and of what it imports from its folder."""

    def __init__(
        self,
        kind: str,
        file: Path,
        content: bytes,
        given: Mapping[str, object],
        *,
        sources: Mapping[str, bytes] | None = None,
        is_trial: bool = False,
    ) -> None:
        self.kind, self.file, self.given, self.is_trial = kind, file, given, is_trial
        self.sources: dict[str, bytes] = dict(sources or {})
        self._modules: dict[str, ModuleType] = {}
        stem = re.sub(r"\W", "_", file.stem)
        self._prefix = f"own_{kind}_{stem}_{digest_of(content)[:8]}"
        self._builtins = {**vars(builtins), "__import__": self._import}
        if is_trial:
            self._builtins |= {"hash": _other_hash, "id": _other_id}
        try:
            self.module = self._execute(self._prefix, file, content, given)
        except KeyboardInterrupt:
            raise
        except SyntaxError as error:
            where = error.filename or str(file)  # perhaps a file that it imports
            shown = f" `{error.text.strip()}`" if error.text else ""
            raise Refused(f"{where}, line {error.lineno}:{shown}: {error.msg}") from error
        except BaseException as error:  # whatever the file raises
            raise Refused(f"{file}, {_line_in(file, error)}: {_said(error)}") from error

    def _execute(
        self, name: str, file: Path, content: bytes, given: Mapping[str, object]
    ) -> ModuleType:
        module = ModuleType(name)
        self._modules[file.stem] = sys.modules[name] = module  # dataclasses look for it there
        try:
            keep_lines(file, content)
        except (SyntaxError, UnicodeDecodeError) as error:
            raise Refused(f"{file} is no Python: {error}") from None
        vars(module).update({"__file__": str(file), "__builtins__": self._builtins, **given})
        code = compile(content, str(file), "exec", dont_inherit=True)
        exec(code, vars(module))  # noqa: S102 (the user's own code, which he asked to be run)
        return module

    def _import(
        self,
        name: str,
        globals: Mapping[str, object] | None = None,  # noqa: A002 (named as `__import__` has it)
        locals: Mapping[str, object] | None = None,  # noqa: A002
        fromlist: tuple[str, ...] = (),
        level: int = 0,
    ) -> ModuleType:
        """Import a module, from the file's own folder where no other is installed by that name."""
        beside = self.file.parent / f"{name}.py"
        if level == 0 and self.is_trial and name in ("time", "datetime"):
            return _other_time() if name == "time" else _other_datetime()
        if level or not name.isidentifier() or not _is_beside(name, beside):
            return builtins.__import__(name, globals, locals, fromlist, level)
        if name not in self._modules:
            if beside.name not in self.sources:
                self.sources[beside.name] = read_user_file(self.kind, beside)
            self._execute(f"{self._prefix}.{name}", beside, self.sources[beside.name], {})
        return self._modules[name]


def _is_beside(name: str, file: Path) -> bool:
    """Return whether a module is a file of the folder, and none that is installed."""
    if name in sys.builtin_module_names or not file.is_file():
        return False
    try:
        spec = importlib.util.find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return True
    # The working directory may be on Python's path.
    return spec is None or (
        spec.origin is not None and Path(spec.origin).resolve() == file.resolve()
    )


# ---- what may not decide anything: the clock, addresses, hashes of texts

_LATER = 400 * 86_400 + 12_345
"""Seconds by which the clock of the first run is ahead."""


def _other_hash(value: object) -> int:
    return hash(value) ^ 0x5A5A5A


def _other_id(value: object) -> int:
    return id(value) ^ 0x5A5A50


def _other_time() -> ModuleType:
    clock: Any = ModuleType("time")
    vars(clock).update(vars(time))
    for name in ("time", "monotonic", "perf_counter", "process_time"):
        seconds, nanoseconds = getattr(time, name), getattr(time, f"{name}_ns")
        setattr(clock, name, lambda now=seconds: now() + _LATER)
        setattr(clock, f"{name}_ns", lambda now=nanoseconds: now() + _LATER * 10**9)
    for name in ("localtime", "gmtime", "ctime"):
        convert = getattr(time, name)
        setattr(clock, name, lambda at=None, to=convert: to(clock.time() if at is None else at))
    clock.asctime = lambda at=None: time.asctime(at or clock.localtime())
    clock.strftime = lambda form, at=None: time.strftime(form, at or clock.localtime())
    return clock  # type: ignore[no-any-return]


def _other_datetime() -> ModuleType:
    later = dt.timedelta(seconds=_LATER)

    class Later(dt.datetime):
        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Any:
            return dt.datetime.now(tz) + later

        @classmethod
        def utcnow(cls) -> Any:
            return dt.datetime.now(dt.UTC).replace(tzinfo=None) + later

        @classmethod
        def today(cls) -> Any:
            return dt.datetime.now() + later  # noqa: DTZ005 (as today() does)

    class LaterDate(dt.date):
        @classmethod
        def today(cls) -> Any:
            return dt.date.today() + later  # noqa: DTZ011 (as it does)

    module = ModuleType("datetime")
    vars(module).update({**vars(dt), "datetime": Later, "date": LaterDate})
    return module


# ---- constants


def constants(space: Mapping[str, object]) -> dict[str, object]:
    """Return what a file's names stand for, in a form that two runs of it can be compared by."""
    return {
        name: canonical(value)
        for name, value in space.items()
        if not (name.startswith("__") or isinstance(value, ModuleType))
    }


def canonical(value: object, above: tuple[int, ...] = ()) -> object:
    """Return the canonical form of a value, equal in two runs if it means the same."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return type(value).__name__, repr(value)
    if id(value) in above:
        return "one that holds this"
    within = (*above, id(value))
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, Mapping):
        return [(canonical(key, within), canonical(held, within)) for key, held in value.items()]
    if isinstance(value, set | frozenset):
        return sorted(repr(canonical(item, within)) for item in value)
    if isinstance(value, list | tuple):
        return [canonical(item, within) for item in value]
    if isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or () if _is_set(cell)]
        return value.__qualname__, canonical(
            [value.__defaults__, value.__kwdefaults__, cells], within
        )
    if isinstance(value, type):
        public = {name: part for name, part in vars(value).items() if not name.startswith("__")}
        return value.__qualname__, canonical(public, within)
    if is_dataclass(value):
        return [canonical(getattr(value, part.name, None), within) for part in fields(value)]
    if type(value).__module__.startswith(("simcore.", "strategies.", "own_")):
        return type(value).__qualname__, canonical(getattr(value, "__dict__", {}), within)
    return type(value).__qualname__


def _is_set(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True


# ---- failures


def _said(error: BaseException) -> str:
    """Return an error in words; its own may fail."""
    if isinstance(error, SystemExit):
        return f"it ends the program (SystemExit {error.code}) while it is read"
    kind = type(error).__name__
    with contextlib.suppress(Exception):
        if isinstance(error, InputError):
            return str(error)
        missing = str(getattr(error, "name", "")) if isinstance(error, NameError) else ""
        if missing in vars(language):
            return f"`{missing}` is not imported; write `from cardlab.rules import *` above"
        return f"{kind}: {error}".removesuffix(": ")
    return kind


def _line_in(file: Path, error: BaseException) -> str:
    """Return the line of a file that an error came from, with its text."""
    trace, line = error.__traceback__, 0
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).resolve() == file.resolve():
            line = trace.tb_lineno
        trace = trace.tb_next
    return f"line {line}: `{linecache.getline(str(file), line).strip()}`"
