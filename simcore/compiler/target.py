"""What Numba compiles for in this process: processors, unless `simcore.gpu` says so first."""

from __future__ import annotations

from typing import Any

MACHINE: Any = None
"""What is other on a GPU than on a `numba_types.Processor`; None: it is no GPU."""
