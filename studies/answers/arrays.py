"""Dataclasses of arrays of one length, a number of the frame at each index."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np


class Arrays:
    """Base of dataclasses whose fields are arrays of one length, or again such dataclasses."""

    def __getitem__(self, chosen: Any) -> Self:
        """Return some of the numbers; a single index gives arrays of length 1."""
        if isinstance(chosen, int | np.integer):
            chosen = slice(int(chosen), int(chosen) + 1)
        return type(self)(*(part[chosen] for part in self.parts()))

    @classmethod
    def stacked(cls, items: Sequence[Self]) -> Self:
        """Return several as one, concatenated."""
        columns = zip(*(item.parts() for item in items), strict=True)
        return cls(
            *(
                column[0].stacked(column)
                if isinstance(column[0], Arrays)
                else np.concatenate(column)
                for column in columns
            )
        )

    def parts(self) -> list[Any]:
        """Return the arrays, in the order of the fields."""
        return [getattr(self, name) for name in self.__dataclass_fields__]  # type: ignore[attr-defined]
