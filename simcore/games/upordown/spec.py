"""Up or down?: how a policy plays, in numbers that lanes understand.

Either it appends whatever it can, or it plans its turns by a *taste*: numbers that say what it
finds worth how much (`strategies.upordown_sight`, which plans so when it is called). A spec is a
word that says which, and for a taste its numbers and `LAST_TURNS`, the bits of float64.
"""

from __future__ import annotations

from collections.abc import Sequence

from simcore.bits import bits_of

APPENDS = 1
"""The spec that lays, takes and draws at random, and then appends the card to the first column
that it fits, else starts a column, else gives up the shortest."""

TASTES = 2
"""First word of a play spec with a taste."""

POINTS, STEP, COLOUR, HOPE, STRIDE, MATCH, PATIENCE, DENY, SPREAD = range(9)
"""Places in a taste, a tuple: what a point at once is worth, what a number of a step costs, what a
card of the column's most frequent colour is worth, what a point of the outlook is worth, two
numbers for the outlook, what giving up costs for each card, what share of its worth to the next
player a card is worth to be kept from it, and a number of distance between the hand cards kept."""

LAST_TURNS = 9
"""After the taste: with fewer own turns than this left after one, only points at once count."""

ONLY_POINTS = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0)
"""The taste by which only points at once count."""

FIRST_NUMBER = 1
"""The word of a play spec in which its taste begins."""

WORTH_UNIT = 1024.0
STANDING_UNIT = float(1 << 32)
"""Worths are rated in such parts of a point, and what a column is worth as it stands in such ones:
so that what is worth the same is rated the same."""

HIGHEST_NUMBER = 1000.0
"""Of a play spec, so that lanes can rate in float64 what are else int64."""


def play_spec(taste: Sequence[float], last_turns: float = 0.0) -> tuple[int, ...]:
    """Return the spec of a policy that plans its turns by a taste.

    Parameters
    ----------
    taste : sequence of float
        None below 0 or above `HIGHEST_NUMBER`, `STRIDE` above 0, and 0 for `COLOUR` or `HOPE`.
    last_turns : float
        See `LAST_TURNS`.

    Raises
    ------
    ValueError
        If a number is out of bounds.
    """
    numbers = (*taste, last_turns)
    if len(taste) != LAST_TURNS:
        raise ValueError(f"{len(taste)} numbers; a taste has {LAST_TURNS}")
    if not all(0 <= number <= HIGHEST_NUMBER for number in numbers):
        raise ValueError(f"{numbers} is out of bounds; allowed: 0 … {HIGHEST_NUMBER:g}")
    if taste[STRIDE] == 0:
        raise ValueError("a stride of 0; allowed: more")
    if taste[COLOUR] != 0 and taste[HOPE] != 0:
        raise ValueError("both a colour and a hope count; lanes know one of them")
    return (TASTES, *map(bits_of, numbers))
