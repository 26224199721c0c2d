"""What Numba compiles for in this process: processors, unless `simcore.gpu` says so first."""

from __future__ import annotations

from typing import Any

ADDRESSES: Any = None
"""How a GPU finds the numbers of a state, as `numba_types.Addresses` does; None: it is no GPU."""
