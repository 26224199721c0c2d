"""Up or down?: how a policy plays, in numbers: its play spec.

Either it appends whatever it can, or it plans its turns by what it finds worth how much (`worth`).
A spec is a word that says which, and then its numbers and `LAST_TURNS`, the bits of float64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simcore.bits import bits_of
from simcore.jit import inline_kernel
from simcore.wide import as_reals

APPENDS = 1
"""The spec that lays, takes and draws at random, and then appends the card to the first column
that it fits, else starts a column, else gives up the shortest."""

PLANS = 2
"""First word of a play spec with numbers."""

POINTS, STEP, COLOUR, HOPE, STRIDE, MATCH, PATIENCE, DENY, SPREAD = range(9)
"""Places among the numbers: what a point at once is worth, what a number of a step costs, what a
card of the column's most frequent colour is worth, what a point of the outlook is worth, two
numbers for the outlook, what giving up costs for each card, what share of its worth to the next
player a card is worth to be kept from it, and a number of distance between the hand cards kept."""

LAST_TURNS = 9
"""After these: with fewer own turns than this left after one, only points at once count."""

ONLY_POINTS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
"""The numbers by which only points at once count."""

FIRST_NUMBER = 1
"""The word of a play spec in which its numbers begin."""

HIGHEST_NUMBER = 1000.0
"""Of a play spec, so that float64 hold all ratings exactly."""


def play_spec(numbers: Sequence[float], last_turns: float = 0.0) -> tuple[int, ...]:
    """Return the spec of a policy that plans its turns by numbers.

    Parameters
    ----------
    numbers : sequence of float
        None below 0 or above `HIGHEST_NUMBER`, and `STRIDE` above 0.
    last_turns : float
        See `LAST_TURNS`.

    Raises
    ------
    ValueError
        If a number is out of bounds.
    """
    if len(numbers) != LAST_TURNS:
        raise ValueError(f"{len(numbers)} numbers; a play spec has {LAST_TURNS}")
    all_numbers = (*numbers, last_turns)
    if not all(0 <= number <= HIGHEST_NUMBER for number in all_numbers):
        raise ValueError(f"{all_numbers} is out of bounds; allowed: 0 … {HIGHEST_NUMBER:g}")
    if numbers[STRIDE] == 0:
        raise ValueError("a stride of 0; allowed: more")
    return (PLANS, *map(bits_of, all_numbers))


@inline_kernel
def number_at(spec, number):
    """Return a number of a play spec."""
    return as_reals(np.int64(spec[FIRST_NUMBER + number]))


@inline_kernel
def numbers_at(spec, turns_left):
    """Return the numbers by which is played with so many own turns after this one."""
    if turns_left < number_at(spec, LAST_TURNS):
        return ONLY_POINTS
    return (
        number_at(spec, POINTS),
        number_at(spec, STEP),
        number_at(spec, COLOUR),
        number_at(spec, HOPE),
        number_at(spec, STRIDE),
        number_at(spec, MATCH),
        number_at(spec, PATIENCE),
        number_at(spec, DENY),
        number_at(spec, SPREAD),
    )
