"""UNO: how a policy plays, in numbers that lanes understand.

A seat that may lay a card lays one and does not bluff. Either a random one; or of the cards that go
those first that somebody with few cards left calls for, then those that are preferred anyway, as
far as there are any; of these the ones in the colour of which the hand has most (of equal ones the
last), and of these the one that counts most; a wild card only if there is nothing else. A card just
drawn is laid if it goes. A wild draw four is accepted. Named is the colour of which the hand has
most, or, by a seat that lays at random, a random one.

A *spec* is up to seven words, `records.box_dtype`.
"""

from __future__ import annotations

BY_PREFERENCE, AT_RANDOM = 1, 2
HOW, OPPONENTS, NEXT, CALLED_FOR, FIRST, SECOND, THIRD = range(7)
"""The words: one of the two above; how few cards any opponent, or the next player, has at most when
the cards `CALLED_FOR` are preferred, 0 for never, at most `MOST_CARDS`; these cards, and those that
are preferred otherwise, as kinds in bits."""

MOST_CARDS = 30

RANDOM_CARD = (AT_RANDOM,)
"""The spec of who lays any card that goes."""


def play_spec(
    *preferred: int, called_for: int = 0, opponents: float = 0, following: float = 0
) -> tuple[int, ...]:
    """Return the spec of who prefers some cards.

    Parameters
    ----------
    *preferred : int
        Up to three sets of kinds in bits; the first one of which a card goes counts.
    called_for : int
        Kinds that go before these when
    opponents : float
        any opponent has at most so many cards, or when
    following : float
        the next player has; by default never.

    Raises
    ------
    ValueError
        If one of the last two is not 0…30.
    """
    for number in (opponents, following):
        if not 0 <= number <= MOST_CARDS:
            raise ValueError(f"{number} cards; allowed: 0 … {MOST_CARDS}")
    return BY_PREFERENCE, int(opponents), int(following), called_for, *preferred
