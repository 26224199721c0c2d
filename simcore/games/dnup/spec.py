"""dnup: how a policy plays, in numbers.

Many policies look for moves of the same sorts in the same order and differ in which of them they
leave out; `choice` has the sorts. A seat that has a choice

1. plays or adds its last cards;
2. plays the lowest set that beats one of the opponent with the fewest cards, if these are few;
3. turns its hand if that saves enough different values;
4. adds a card of which it holds no other;
5. plays the set that is hardest to beat: of so many cards or more, a whole value or any part; one
   that counts cards, the set least likely to be beaten, unless that is likely and it can add one;
6. adds a card to the largest set;
7. plays the largest whole value, or else the largest set;
8. gets by: it adds a card, turns its hand unless it just did, or takes the smallest set.

It picks cards whose other side is of the least use. A *spec* is two words, `records.box_dtype`:
the *habits*, and how many values one more card is worth in step 5, or how many beating plays a seat
that counts puts up with, the bits of a float64.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil, floor

from simcore.bits import bits_of
from simcore.games.dnup.deck import DECK_SIZE, VALUES

LAST_ROUND, LAST_TURN = 0, 1
"""Words of a seat's memory: the round and the number of actions before it when it last chose to
turn its hand. It does not do so again before everybody had a turn, unless there is nothing else."""

GAIN, FIRST_ROW, PARTS, FEEDS, LAST_OF_VALUE, WARY, PATIENCE, COUNTS = 0, 4, 7, 8, 9, 10, 16, 24
"""From which bit of the habits on they say: step 3, different values that turning must save; step
5, the row (size - 1) of the smallest set, and whether it may be a part of a value; whether there is
step 6; whether there is step 4; step 2, an opponent with fewer cards than this puts it on its
guard; after how many actions for each player a round is long; whether it counts cards, step 5."""

GAIN_BITS = 15
ROW_BITS = 7
WARY_BITS = 63
PATIENCE_BITS = 255

USUAL_PATIENCE = 25
"""Actions for each player after which a round is long; most end within half of that."""

RESTLESS = 0.25
"""Probability of any legal move in a long round: who repeats the same again and again with others
who do so too gets out of it."""

NO_GAIN = VALUES + 1
LARGEST_FIRST = float(VALUES)
"""With such a worth of one more card the set hardest to beat is the largest."""

HIGHEST_FIRST = 1 / 64
"""With this one it is that of the highest value."""

assert DECK_SIZE < WARY_BITS


def play_spec(
    *,
    patience: int = USUAL_PATIENCE,
    card: float = LARGEST_FIRST,
    gain: float = NO_GAIN,
    smallest: int = 1,
    parts: bool = False,
    feeds: bool = False,
    last_of_value: bool = False,
    counts: bool = False,
    wary: float = -1,
) -> Sequence[int]:
    """Return a play spec.

    Parameters
    ----------
    patience : int
        See `PATIENCE`; 1 or more.
    card : float
        Values that one more card in a set is worth, step 5; with `counts`, how many beating plays
        may be expected at most.
    gain : float
        Different values that turning must save, step 3; default: it is left out.
    smallest : int
        Fewest cards of a set, step 5.
    parts : bool
        Whether step 5 may leave cards of the value in the hand.
    feeds, last_of_value, counts : bool
        Whether there is step 6, and step 4; whether it counts cards in step 5.
    wary : float
        Most cards of an opponent that put it on its guard, step 2; default: none.

    Raises
    ------
    ValueError
        If a number has no room.
    """
    habits = parts << PARTS | feeds << FEEDS | last_of_value << LAST_OF_VALUE | counts << COUNTS
    for name, number, place, most in (
        ("gain", ceil(gain), GAIN, GAIN_BITS),
        ("smallest", smallest - 1, FIRST_ROW, ROW_BITS),
        ("wary", floor(wary) + 1, WARY, WARY_BITS),
        ("patience", patience, PATIENCE, PATIENCE_BITS),
    ):
        if not 0 <= number <= most:
            raise ValueError(f"{name} is out of bounds")
        habits |= number << place
    return habits, bits_of(card)
