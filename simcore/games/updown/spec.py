"""UP & DOWN: how a policy plays, in numbers that lanes understand.

A seat plays its best card that can win: a trump, or the best in its own colour. Trumps it may save
until there is something in the pot, or few cards are left; then its best other card in the own
colour counts. Without such a card it may lay one that cannot win but has the value of what an
opponent would best like to play, by the cards not seen. Or it plays, of the values that can win,
the best by rank, a trump above all others, each equal card not seen taking something off; of equal
ones its private stream decides. Without such a card it sheds the card that is
least useful: of those that cannot win, if there are any, one with the value nearest to the middle,
of two the lower.

A leader changes the rules so that its best card in the own colour has the best rank, trumps apart;
of equal changes the last one counts, and it never rolls. Or by rank and by what beats it: each
unseen card in the colours of the others that does takes something off the rank; of equal changes
the first one counts.

A *spec* is up to five words, `records.box_dtype`.
"""

from __future__ import annotations

import math

from simcore.bits import bits_of

HOW, POT, LATE, BETTER, EQUAL = range(5)
"""The words: sums of those below; from how many tricks in the pot on, and with how many cards left
at most, trumps are not saved; how much each better card takes off, and each equal one, as the bits
of floats."""

PLAYS, CANCELS, COUNTS_BETTER, DODGES = 1, 2, 4, 8


def play_spec(
    pot: float = 0,
    late: float = 0,
    *,
    cancels: bool = False,
    better: float | None = None,
    equal: float | None = None,
) -> tuple[int, ...]:
    """Return a play spec.

    Parameters
    ----------
    pot, late : float
        See `POT` and `LATE`; by default trumps are never saved.
    cancels : bool
        Whether it plays what others would like to.
    better : float, optional
        How many ranks each unseen card takes off, if it changes the rules by these.
    equal : float, optional
        How many ranks each equal unseen card takes off, if it chooses cards by these.
    """
    how = PLAYS + CANCELS * cancels
    how += COUNTS_BETTER * (better is not None) + DODGES * (equal is not None)
    return how, math.ceil(pot), math.floor(late), bits_of(better or 0.0), bits_of(equal or 0.0)
