"""Random streams for tests."""

from __future__ import annotations

from typing import Any

import numpy as np


def new_stream(random: np.random.Generator) -> Any:
    """Return the state of another random stream."""
    return random.integers(1, 2**63, 2, dtype=np.uint64)
