"""Whole numbers as compiled code holds them: 64 bits, with a sign."""

from __future__ import annotations

from simcore.rng import MASK

LEAST, MOST = -(1 << 63), (1 << 63) - 1
EXACT = 1 << 53
"""Up to here floats hold every whole number."""


def signed(word: int) -> int:
    """Return 64 bits as a number with a sign."""
    word &= MASK
    return word - (1 << 64) if word >> 63 else word
