"""What the kernels say and what the referees say must be the same."""

from __future__ import annotations

from typing import Any

import pytest


def same(kernel: Any, referee: Any, what: str, seat: int | None = None) -> None:
    """Fail with both values unless the kernel and the referee agree."""
    if kernel != referee:
        place = "" if seat is None else f" of seat {seat}"
        pytest.fail(f"{what}{place}: kernel {kernel!r}, referee {referee!r}")
