"""UNO: how a policy plays, in numbers: what it lays, names and challenges (see `choice`).

One sort of player makes any legal move. The other lays a card if one goes and does not bluff, or
only as it says. Of the cards that go it lays any, or: of those that are called for where somebody
has few cards left, if there are any, else of those that are preferred anyway, else of all; of these
one in the colour of which the hand has most (of equal ones the last), there the one that counts
most; a wild card only if there is nothing else. A card just drawn is laid if it goes. Named is the
colour of which the hand has most, or, by who lays any card, any colour.

A *spec* is up to twelve words, `records.seat_dtype`.
"""

from __future__ import annotations

import math

from simcore.games.uno.cards import DECK_SIZE
from simcore.records import MAX_SEATS

BY_PREFERENCE, AT_RANDOM, ANY_MOVE = 1, 2, 3
HOW, PLAYERS, OPPONENTS, NEXT, CALLED_FOR, HITS, FIRST, SECOND, THIRD, BLUFF, LACK, DOUBT = range(
    12
)
"""The words: one of the three above; the most players with whom some cards are preferred; how few
cards any opponent, or the next player, has at most when the cards `CALLED_FOR`, or `HITS`, go
first, 0 for never, at most `MOST_CARDS`; these cards, and those that are preferred otherwise, as
kinds in bits; how often of 2⁵³ times it bluffs; what a colour is worth that the next player had to
draw on, in parts of a card (`COLOUR_STEP`); and from how many cards of the layer on it challenges,
in `DOUBT_BITS` each (see `doubts`)."""

MOST_CARDS = 30

COLOUR_STEP = 64
"""Colours are weighed in parts of a card."""

CERTAIN = 1 << 53
"""The number of times out of which a probability is counted."""

DOUBT_BITS = 8
ALWAYS_ACCEPT = (DECK_SIZE,) * 4
"""Of the usual deck nobody has so many cards; of a larger one it is no matter."""

RANDOM_CARD = (AT_RANDOM,)
"""The spec of who lays any card that goes, names any colour and never challenges."""

RANDOM_MOVE = (ANY_MOVE,)
"""The spec of uniform random play."""


def play_spec(
    *preferred: int,
    called_for: int = 0,
    opponents: float = 0,
    following: float = 0,
    hits: int | None = None,
    players: float = MAX_SEATS,
    bluff: float = 0,
    lack: float = 0,
    doubts: tuple[int, int, int, int] = ALWAYS_ACCEPT,
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
    hits : int, optional
        Kinds that go first in the latter case; by default those called for.
    players : float
        The most players at the table with whom some kinds are preferred.
    bluff : float
        The probability, 0…1, that in the latter case it lays a wild draw four whatever it holds.
    lack : float
        How many own cards a colour is worth on which the next player last had to draw.
    doubts : tuple of int
        See the function of this name; by default every wild draw four is accepted.

    Raises
    ------
    ValueError
        If `opponents` or `following` is not 0…30.
    """
    for number in (opponents, following):
        if not 0 <= number <= MOST_CARDS:
            raise ValueError(f"{number} cards; allowed: 0 … {MOST_CARDS}")
    return (
        BY_PREFERENCE,
        int(players),
        int(opponents),
        int(following),
        called_for,
        called_for if hits is None else hits,
        *(*preferred, 0, 0, 0)[:3],
        math.ceil(bluff * CERTAIN),
        int(lack * COLOUR_STEP),
        sum(least << DOUBT_BITS * case for case, least in enumerate(doubts)),
    )


def doubts(cards: float, laid: float = 0, drew: float = 0) -> tuple[int, int, int, int]:
    """Return with how many cards of its layer a wild draw four is challenged, in four cases.

    Parameters
    ----------
    cards : float
        With so many it is,
    laid : float
        where the card that the layer laid before has the colour in question, as if it had so many
        more (the second and fourth case),
    drew : float
        and where the layer last drew on that colour, so many fewer (the third and fourth).
    """

    def least(more: float, fewer: float) -> int:
        counts = (count for count in range(DECK_SIZE) if count + more - fewer >= cards)
        return next(counts, DECK_SIZE)

    return least(0, 0), least(laid, 0), least(0, drew), least(laid, drew)
