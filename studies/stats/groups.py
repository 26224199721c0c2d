"""Sums over groups of deals: what resampling needs, in an amount of memory that does not grow.

Deal number m belongs to group m mod 1024, in every cell of a study. Deals are independent, so
groups are; resampling groups (or turning their signs) keeps whatever ties a deal's matches
together, over rotations, line-ups and variants alike. Up to 1024 deals each is a group of its own.
With more, the standard errors have 1023 degrees of freedom.

Grouping deals ("random groups"): K. M. Wolter (2007), Introduction to Variance Estimation, ch. 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

GROUPS = 1024


def group_sums(first: int, values: Array) -> Array:
    """Return sums of `values` (one a deal, deals numbered from `first`) over the groups.

    Parameters
    ----------
    values : array of shape (..., deals)

    Returns
    -------
    float64[..., groups]
    """
    sums = np.zeros((*values.shape[:-1], GROUPS))
    offset = first % GROUPS
    count = values.shape[-1]
    head = min(GROUPS - offset, count) if offset else 0
    sums[..., offset : offset + head] += values[..., :head]
    body = values[..., head:]
    whole = (count - head) // GROUPS * GROUPS
    if whole:
        shape = (*values.shape[:-1], -1, GROUPS)
        sums += body[..., :whole].reshape(shape).sum(axis=-2)
    sums[..., : count - head - whole] += body[..., whole:]
    return sums


def group_of(first: int, count: int) -> Array:
    """Return the group of each of `count` deals numbered from `first`."""
    return (first + np.arange(count)) % GROUPS


class GroupCounts:
    """How often each of many kinds was seen, by group: a table whose columns come as they are met.

    Kinds are numbers below `kinds`; only those that are met take memory.
    """

    def __init__(self, kinds: int) -> None:
        self.columns: list[int] = []
        self._column_of = np.full(kinds, -1, dtype=np.int32)
        self._table = np.zeros((GROUPS, 8), dtype=np.int32)

    def add(self, groups: Array, kinds: Array) -> None:
        """Count kinds, each in its group; arrays of one shape."""
        columns = self._column_of[kinds]
        new = columns < 0
        if new.any():
            self._meet(np.unique(kinds[new]))
            columns = self._column_of[kinds]
        # As dear as the matches are many: the table may have far more cells than these.
        places = groups * self._table.shape[1] + columns
        np.add.at(self._table.reshape(-1), places.ravel(), self._table.dtype.type(1))

    def _meet(self, kinds: Array) -> None:
        for kind in kinds.tolist():
            self._column_of[kind] = len(self.columns)
            self.columns.append(kind)
        if len(self.columns) > self._table.shape[1]:
            wider = np.zeros((GROUPS, 2 * len(self.columns)), dtype=np.int32)
            wider[:, : self._table.shape[1]] = self._table
            self._table = wider

    @property
    def table(self) -> Array:
        """Counts of shape (groups, columns)."""
        return self._table[:, : len(self.columns)]

    def aligned(self, kinds: Sequence[int]) -> Array:
        """Return counts of shape (groups, kinds), 0 for kinds that were never met."""
        places = self._column_of[np.asarray(kinds, dtype=np.int64)]
        counts = self.table[:, np.maximum(places, 0)].astype(np.int64)
        return np.where(places >= 0, counts, 0)


def stacked(columns: Iterable[Array]) -> Array:
    """Return columns of group sums side by side: (groups, columns)."""
    found = list(columns)
    return np.stack(found, axis=1) if found else np.zeros((GROUPS, 0))
