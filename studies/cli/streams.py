r"""Standard output and standard error as a process finds them: in any encoding, or closed.

Text that an encoding lacks is written in other signs, so that no answer fails on the way to the
screen: `±` as `+/-`, `…` as three dots; letters of names as JSON writes them (`\u00e9`), which
keeps what `--json` prints readable for programs.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any

from simcore.errors import InputError

PLAIN = "cardlab.plain"
"""How text is written that an encoding lacks."""

_SIGNS = dict(
    zip(
        "±…–—−×·•“”„‘’‐‑≤≥≈→←√∞─━│┃²⁻¹\u00a0\u2009",
        (
            *("+/-", "...", "-", "-", "-", "x", ".", "*", '"', '"', '"', "'", "'", "-", "-"),
            *("<=", ">=", "~", "->", "<-", "sqrt", "inf", "-", "-", "|", "|", "^2", "^-", "1"),
            *(" ", " "),
        ),
        strict=True,
    )
)
_HIGHEST_BASIC = 0xFFFF


class _Closed(io.TextIOBase):
    """Takes the place of a standard output that was closed; nothing can be printed there."""

    encoding = "utf-8"

    def writable(self) -> bool:
        """Return True: that nothing can be written is said when it is tried."""
        return True

    def write(self, _: str) -> int:
        """Refuse the text."""
        raise InputError(
            "standard output is closed, so the answer cannot be printed; allowed: a terminal, a "
            "file or a pipe (> FILE), or /dev/null"
        )


class _Forgiving(io.FileIO):
    """Standard error that takes everything: what a full disk or a closed pipe refuses is lost.

    A run then ends as it would, with its own status.
    """

    def write(self, data: Any, /) -> int:
        """Write what can be written."""
        try:
            return super().write(data) or 0
        except OSError:
            return len(memoryview(data).cast("B"))


def prepare() -> None:
    """Make both streams usable; to be called once, before anything is opened or printed."""
    for handle in range(3):
        try:
            os.fstat(handle)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # or the next file to be opened would be this stream
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"), encoding="utf-8")
    elif isinstance(sys.stderr, io.TextIOWrapper):
        usual = sys.stderr
        raw = _Forgiving(usual.fileno(), "w", closefd=False)
        sys.stderr = io.TextIOWrapper(
            io.BufferedWriter(raw), usual.encoding, usual.errors, line_buffering=True
        )
    if sys.stdout is None:
        sys.stdout = _Closed()
    elif isinstance(sys.stdout, io.TextIOWrapper):
        codecs.register_error(PLAIN, plain)
        sys.stdout.reconfigure(errors=PLAIN)


def silence() -> None:
    """Send what is left in the buffers nowhere: whoever read our output has gone."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (OSError, ValueError):
        sys.stdout = _Closed()


def plain(error: UnicodeError) -> tuple[str, int]:
    """Return what stands in place of letters that an encoding lacks; an error handler of codecs."""
    assert isinstance(error, UnicodeEncodeError)
    letters = error.object[error.start : error.end]
    return "".join(_SIGNS.get(letter) or _escaped(letter) for letter in letters), error.end


def _escaped(letter: str) -> str:
    if ord(letter) <= _HIGHEST_BASIC:
        return f"\\u{ord(letter):04x}"
    pair = letter.encode("utf-16-be")
    return f"\\u{pair[:2].hex()}\\u{pair[2:].hex()}"
