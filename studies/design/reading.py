"""Reading TOML from a file or a text, with limits on size and on the depth of keys."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from simcore.errors import InputError
from simcore.files import read_regular
from studies.design.overrides import Document, shorten

LARGEST_FILE = 1_000_000
DEEPEST_KEY = 32

_KEY_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART}){{{DEEPEST_KEY}}}")


def read_document(path: Path) -> Document:
    """Read a TOML file."""
    try:
        content = read_regular(path, LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise InputError(f"study {path} is larger than {LARGEST_FILE:_} bytes: no study file")
    except OSError as error:
        raise InputError(f"study {path} cannot be read: {error.strerror}") from None
    return parse_document(content, str(path))


def parse_document(content: bytes | str, where: str) -> Document:
    """Read TOML."""
    try:
        # Some editors write a byte order mark first.
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        _refuse_deep_keys(text)
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"study {where} is no TOML: {shorten(error, 120)}") from None


def _refuse_deep_keys(text: str) -> None:
    """Refuse long dotted keys, which take quadratic time and memory to parse."""
    if _DEEP_KEY.search(text):
        raise ValueError(f"a key has more than {DEEPEST_KEY} parts")
