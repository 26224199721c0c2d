"""The TOML document of a study: read with limits on size and depth, and changed by `--set`.

Keys are dotted as in TOML; values use TOML syntax, with bare words allowed. The document is checked
by `studies.design.study`, not here.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from simcore.errors import InputError, unknown
from simcore.files import read_regular

Document = dict[str, object]

LARGEST_FILE = 1_000_000
DEEPEST_KEY = 32

_KEY_PART = r"""(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')"""
_DEEP_KEY = re.compile(rf"(?<![\w-]){_KEY_PART}(?:[ \t]*\.[ \t]*{_KEY_PART}){{{DEEPEST_KEY}}}")


def read_document(path: Path) -> Document:
    """Return the document in a TOML file."""
    try:
        content = read_regular(path, LARGEST_FILE + 1)
        if len(content) > LARGEST_FILE:
            raise InputError(f"study {path} is larger than {LARGEST_FILE:_} bytes: no study file")
    except OSError as error:
        raise InputError(f"study {path} cannot be read: {error.strerror}") from None
    return parse_document(content, str(path))


def parse_document(content: bytes | str, where: str) -> Document:
    """Return the document in a TOML text."""
    try:
        # Some editors write a byte order mark first.
        text = content if isinstance(content, str) else content.decode("utf-8-sig")
        if _DEEP_KEY.search(text):  # takes quadratic time and memory to parse
            raise ValueError(f"a key has more than {DEEPEST_KEY} parts")  # noqa: TRY301
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"study {where} is no TOML: {shorten(error, 120)}") from None


def assign(document: Document, key: str, value: object) -> None:
    """Set the value at a dotted key of a document, modified in place."""
    path = _path(key)
    if not path:
        raise InputError(
            f"key {shorten(key)!r} is refused; allowed: a dotted key, as in options.players"
        )
    _assign(document, path, value, f"key {shorten(key)!r}")


def refuse_twice(keys: Iterable[str], key: str, given: str) -> None:
    """Refuse a change of a key that is also given directly."""
    for changed in keys:
        if _path(changed) == _path(key):
            raise InputError(f"{key} is given twice: {given}; allowed: once")


def parse_value(text: str) -> object:
    """Read a TOML value; other text is a bare word, or a bracketed list of bare words."""
    text = text.strip()
    try:
        parsed = tomllib.loads(f"value = {text}")
        if list(parsed) == ["value"]:
            return parsed["value"]
    except (ValueError, RecursionError):
        pass
    if text.startswith("[") and text.endswith("]"):
        return [parse_value(part) for part in _split(text[1:-1]) if part.strip()]
    return text


def parse_list(value: object) -> object:
    """Return a bare value as a list: 5 as [5], "greedy,shedder" as two policies."""
    if isinstance(value, str):
        parts = _split(value) if "," in value else [value]
        return [parse_value(part) for part in parts] if len(parts) > 1 else [value]
    return [value] if isinstance(value, bool | int | float) else value


def shorten(value: object, longest: int = 60) -> str:
    """Write a value for a message, cut where it is too long to read."""
    try:
        text = str(value)
    except ValueError:  # a number of more than 4300 digits
        return "a number too long to write"
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _path(key: str) -> list[str]:
    """Return the parts of a dotted key; empty if it is not a valid key."""
    try:
        node: object = tomllib.loads(f"{key} = 0")
    except ValueError:
        return []
    path = []
    while isinstance(node, dict) and len(node) == 1:
        name, node = next(iter(node.items()))
        path.append(name)
    return path if node == 0 else []


def _assign(document: Document, path: list[str], value: object, shown: str) -> None:
    node: object = document
    for name in path[:-1]:
        if isinstance(node, dict):
            node = node.setdefault(name, {})
        elif isinstance(node, list):
            node = _entry(node, name)
        if not isinstance(node, dict | list):
            raise InputError(f"{shown} is refused: {name!r} is no table")
    if not isinstance(node, dict):
        raise InputError(f"{shown} is refused: name the line-up and its key")
    node[path[-1]] = value
    if len(path) == 2 and path[0] in _EITHER:
        other = document.get(_EITHER[path[0]])
        if isinstance(other, dict):
            other.pop(path[1], None)


_EITHER = {"options": "sweep", "sweep": "options"}
"""An option is either fixed or swept, so changing it in one table removes it from the other."""


def _entry(entries: list[object], name: str) -> object:
    names = [
        str(entry.get("name", place))
        for place, entry in enumerate(entries)
        if isinstance(entry, dict)
    ]
    if name in names:
        return entries[names.index(name)]
    if name.isdecimal() and len(name) < 6 and int(name) < len(entries):
        return entries[int(name)]
    raise unknown("line-up", name, names)


def _split(text: str) -> list[str]:
    """Split a text at commas outside brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [*parts, text[start:]]
