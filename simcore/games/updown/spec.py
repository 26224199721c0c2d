"""UP & DOWN: how a policy plays, in numbers.

A seat goes for a trick with a card that can win: its *best*, a trump or the best in its own colour,
but trumps it may save until there is something in the pot, or few cards are left. Or it *dodges*:
with the value that is best by rank, a trump above all others, each equal card not seen taking
something off; of equal ones its private stream decides. Or it *bets*: on the value from which most
is to be expected, if that is enough: the chance to win, by the cards not seen, times the tricks at
stake; less a price if it is a trump, which falls with the cards left. Otherwise it may lay a card
that cannot win but has the value of what an opponent would best like to play, by the cards not
seen; or else after all its best card, or the one it did not bet on. At last it sheds the card that
is least useful: of those that cannot win, if there are any, one with the value nearest to the
middle, of two the lower.

A leader changes the rules so that its best card in the own colour has the best rank, trumps apart,
and never rolls. Or by rank and by what beats it: each unseen card in the colours of the others that
does takes something off the rank. Of equal changes the first one counts. Who bets changes them for
the best chance, and rolls if that is better.

A *spec* is up to eight words, `SEAT.spec`.
"""

from __future__ import annotations

import math

from simcore.bits import bits_of

HOW, POT, LATE, BETTER, EQUAL, KEEN, ENOUGH, PRICE = range(8)
"""The words: sums of those below; from how many tricks in the pot on, and with how many cards left
at most, trumps are not saved. And as the bits of floats: how much each better card takes off, and
each equal one; how much likelier opponents play a card that can win than another one; what must be
expected of a bet; the price of a trump with a full hand."""

PLAYS, COUNTS_BETTER, DODGES, BETS, PATIENT = 1, 2, 4, 8, 16
"""`PATIENT`: `ENOUGH` counts for each trick at stake, and only before the own lead."""

CANCELS_BEFORE_LEAD, CANCELS, BETS_ANYWAY, PLAYS_BEST = 32, 64, 128, 256
"""What it does when it does not go for the trick, in this order."""


def play_spec(
    pot: float = 0,
    late: float = 0,
    *,
    better: float | None = None,
    equal: float | None = None,
    keen: float | None = None,
    enough: float = 0.0,
    price: float = 0.0,
    then: int = 0,
) -> tuple[int, ...]:
    """Return a play spec.

    Parameters
    ----------
    pot, late : float
        See `POT` and `LATE`; by default trumps are never saved.
    better : float, optional
        How many ranks each unseen card takes off, if it changes the rules by these.
    equal : float, optional
        How many ranks each equal unseen card takes off, if it dodges.
    keen : float, optional
        See `KEEN`, if it bets.
    enough, price : float
        See `ENOUGH` and `PRICE`.
    then : int
        Sum of `PATIENT` and what else it does.
    """
    how = PLAYS + then + COUNTS_BETTER * (better is not None)
    how += DODGES * (equal is not None) + BETS * (keen is not None)
    floats = (better or 0.0, equal or 0.0, keen or 0.0, enough, price)
    return how, math.ceil(pot), math.floor(late), *map(bits_of, floats)
