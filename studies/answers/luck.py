"""Placeholder."""

from typing import Any


def add(*_: Any) -> None:
    """Nothing yet."""
