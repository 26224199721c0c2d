"""Compiled code on disk that can be trusted: what is damaged is compiled again, never run.

- A file is named by all that decides its content (code, processor, versions), so that processes
  that write the same file write the same code;
- a file begins with a checksum over the rest, and is written aside and renamed;
- a folder that cannot be written costs time, nothing else;
- what others could have put there is not run (`simcore.private`): a checksum is no signature.

Changed sources have another folder (`jit.cache_folder`); no date of a file is looked at.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite

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
        text = f"{llvmlite.__version__} {key}"
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
        payload = pickle.dumps(data)
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
