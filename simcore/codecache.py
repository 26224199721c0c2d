"""Compiled code on disk that can be trusted: what is damaged is compiled again, never run.

Numba's own cache takes what it finds. A file cut short ends in a traceback, one with a flipped bit
is executed; and since it numbers its files in an index, two processes that compile different
signatures of a function at the same moment can leave the code of one under the entry of the other.
Here

- a file is named by all that decides its content (function, signature, processor, versions), so
  that there is no index, and processes that write the same file write the same code;
- a file begins with a checksum over the rest, and is written aside and renamed;
- a folder that cannot be written costs time, nothing else;
- what others could have put there is not run (`simcore.private`): a checksum is no signature.

Changed sources have another folder (`jit.cache_folder`); no date of a file is looked at.
"""

from __future__ import annotations

import hashlib
import importlib
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numba
from llvmlite import binding as llvm
from numba.core.caching import CompileResultCacheImpl, FunctionCache
from numba.core.serialize import dumps

from simcore.private import exposure, is_own_file, make_private

_MAGIC = b"cardlab code 1\n"
_DIGEST_SIZE = 32


class CodeFiles:
    """The files that hold a function's compiled code, one for each key; nothing here raises.

    Parameters
    ----------
    folder : Path
    name : str
        Of the function, with its line.

    Attributes
    ----------
    refusal : str
        Why the system would not let a file be written, the last time; of all functions.
    """

    refusal = ""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder = folder
        self.name = name

    def path(self, key: object) -> Path:
        """Return the file of a key."""
        text = f"{numba.__version__} {key}"
        digest = hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
        return self.folder / f"{self.name}.{digest}.code"

    def load(self, key: object) -> Any:
        """Return what was saved under a key; None where there is nothing, or no whole file."""
        try:
            if self._is_exposed(exposure):
                return None
            with open(self.path(key), "rb", opener=_open_no_link) as file:
                if not is_own_file(os.fstat(file.fileno())):
                    return None
                content = file.read()
        except OSError:
            return None
        start = len(_MAGIC) + _DIGEST_SIZE
        payload = memoryview(content)[start:]
        if content[:start] != _MAGIC + _digest(payload):
            return None
        return pickle.loads(payload)  # noqa: S301 (as trusted as the sources beside it)

    def save(self, key: object, data: object) -> None:
        """Save data under a key; where that cannot be done, remember why."""
        path = self.path(key)
        payload = dumps(data)
        aside = path.with_name(f"{path.name}.{os.getpid()}.{threading.get_ident()}.tmp")
        try:
            if self._is_exposed(make_private):
                return
            try:
                with open(aside, "wb", opener=_open_no_link) as file:
                    file.write(_MAGIC + _digest(payload))
                    file.write(payload)
                aside.replace(path)
            finally:
                aside.unlink(missing_ok=True)
        except OSError as error:
            CodeFiles.refusal = error.strerror or str(error)

    def _is_exposed(self, look: Callable[[Path], str]) -> bool:
        """Return whether others can change the folder's files; remember why."""
        if self.folder not in _exposures:
            _exposures[self.folder] = look(self.folder)
        if _exposures[self.folder]:
            CodeFiles.refusal = f"{_exposures[self.folder]}, and what lies there would be run"
        return bool(_exposures[self.folder])


_exposures: dict[Path, str] = {}
"""Who could change the files of the folders that are there, found once."""


def _open_no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def _digest(payload: bytes | memoryview) -> bytes:
    return hashlib.blake2b(payload, digest_size=_DIGEST_SIZE).digest()


class _Place:  # pragma: compiled only
    """Where the code of a function lies; what Numba calls a locator."""

    folder = Path()

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._line = function.__code__.co_firstlineno
        self._py_file = file

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> _Place:
        return cls(function, file)

    def get_cache_path(self) -> str:
        return str(self.folder / Path(self._py_file).parent.name)

    def get_source_stamp(self) -> str:
        return ""  # the name of the folder is

    def get_disambiguator(self) -> str:
        return str(self._line)

    def ensure_cache_path(self) -> None:
        """Do nothing: `CodeFiles.save` does, and copes where it cannot."""


class _Form(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place,)


class _Cache(FunctionCache):  # type: ignore[misc] # pragma: compiled only
    _impl_class = _Form

    def __init__(self, function: Callable[..., Any], form: str) -> None:
        super().__init__(function)
        self._cache_file = CodeFiles(Path(self.cache_path), self._impl.filename_base + form)

    def load_overload(self, signature: Any, context: Any) -> Any:
        result = super().load_overload(signature, context)
        if result is not None:  # Numba forgets whose code it calls, for which see `Needed`.
            result.library._reload_init.update(result.reload_init)  # noqa: SLF001
        return result


class Needed(NamedTuple):  # pragma: compiled only
    """A function whose code other code calls; before that is run this must lie in memory, too."""

    module: str
    name: str
    kinds: tuple[Any, ...]

    def __call__(self) -> None:
        """Load the code, or compile it."""
        getattr(importlib.import_module(self.module), self.name).compile(self.kinds)


class _SharedCache(_Cache):  # pragma: compiled only
    """Lets callers call a function's code where it lies, where Numba would copy it into theirs."""

    def load_overload(self, signature: Any, context: Any) -> Any:
        result = super().load_overload(signature, context)
        return result and self._shared(result)

    def save_overload(self, signature: Any, result: Any) -> None:
        super().save_overload(signature, result)
        self._shared(result)

    def _shared(self, result: Any) -> Any:
        library, function = result.library, self._py_func
        library._shared_module = llvm.parse_assembly("")  # noqa: SLF001 (what callers would copy)
        library._reload_init.add(  # noqa: SLF001
            Needed(function.__module__, function.__name__, result.signature.args)
        )
        return result


def keep_code(
    dispatcher: Any, folder: Path, form: str = "", shared: bool = False
) -> Any:  # pragma: compiled only
    """Return a dispatcher that keeps its compiled code in a folder, before it has compiled any.

    Of a function that is compiled in several forms each has a name. Code that is `shared` is called
    where it lies; its name must be the same in all processes.
    """
    _Place.folder = folder
    cache = _SharedCache if shared else _Cache
    dispatcher._cache = cache(dispatcher.py_func, form)  # noqa: SLF001 (as its enable_caching does)
    return dispatcher
