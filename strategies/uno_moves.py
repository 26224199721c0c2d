"""UNO: pieces of play that several policies share."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import nth_bit, popcount
from simcore.games.uno.cards import (
    ACTIONS,
    COLOUR_OF,
    COLOURED,
    COLOURS,
    FACES,
    WILD,
    WILD_DRAW_FOUR,
)
from simcore.games.uno.table import ACCEPT, CHALLENGE, DOUBT, NEVER
from simcore.jit import inline_kernel
from strategies.uno_sight import (
    best_colour,
    lay_none,
    of_colour,
    prefer,
    worth_most,
)

NOTHING = -1

SEVEN_AND_MORE = sum(0b111 << FACES * colour + 7 for colour in range(len(COLOURS)))
FOUR_AND_MORE = sum(0b111111 << FACES * colour + 4 for colour in range(len(COLOURS)))
HITS = ACTIONS | 1 << WILD_DRAW_FOUR
"""Cards that make the next player miss a turn, or take it away."""


@inline_kernel
def lay_in_best_colour(table, seat, cards, favour, bonus):
    """Lay one of the cards in the colour of which the hand has most, and that counts most there.

    A wild card is laid only if `cards` holds nothing else; without any the move is to draw or keep.
    See `best_colour` for `favour` and `bonus`.
    """
    if cards == 0:
        return lay_none(table)
    return lay_richest(seat, cards, favour, bonus)


@inline_kernel
def lay_richest(seat, cards, favour, bonus):
    """Lay the card that counts most in the colour of which it holds most; without one, a wild."""
    coloured = cards & COLOURED
    if coloured == 0:
        return worth_most(cards)
    if coloured & (coloured - 1):
        coloured = prefer(coloured, of_colour(best_colour(seat, coloured, favour, bonus)))
    return worth_most(coloured)


@inline_kernel
def lay_or_draw(table, seat, cards):
    """Lay one of the cards in the richest colour; see `lay_in_best_colour`."""
    return lay_in_best_colour(table, seat, cards, 0, 0.0)


@inline_kernel
def name_best_colour(seat, favour, bonus):
    """Name the colour of which the hand has most."""
    return best_colour(seat, COLOURED, favour, bonus)


@inline_kernel
def lay_any(seat, cards):
    """Lay one of the cards, each with the same probability."""
    count = popcount(cards)
    return nth_bit(cards, rng.below(seat.rng, count) if count > 1 else 0)


@inline_kernel
def name_any(seat):
    """Name any colour, each with the same probability."""
    return rng.below(seat.rng, len(COLOURS))


@inline_kernel
def accept():
    """Accept every wild draw four."""
    return np.int64(ACCEPT)


@inline_kernel
def answer(table, seat):
    """Name the colour of which the hand has most; accept every wild draw four."""
    if table.phase == CHALLENGE:
        return accept()
    return name_best_colour(seat, 0, 0.0)


@inline_kernel
def bluff(seat, rate):
    """Lay a wild draw four, with the colour in hand or without; -1 if it does not."""
    if (seat.found >> WILD_DRAW_FOUR) & 1 == 0 or rate == 0.0:
        return np.int64(NOTHING)
    return np.int64(WILD_DRAW_FOUR if rng.uniform(seat.rng) < rate else NOTHING)


@inline_kernel
def doubt(table, cards, laid, drew):
    """Challenge a wild draw four if its layer has as many cards left as `cards`.

    If the card laid before had the colour in question, the layer counts `laid` cards more; if the
    layer last drew on that colour, `drew` cards fewer.
    """
    evidence = evidence_of_bluff(table, laid, drew)
    return np.int64(DOUBT) if evidence >= cards else np.int64(ACCEPT)


@inline_kernel
def evidence_of_bluff(table, laid, drew):
    """Return what speaks for a bluff, in cards; see `doubt`."""
    layer = np.uint32(table.layer)
    evidence = np.float64(table.cards[layer])
    if table.laid_before < WILD and COLOUR_OF[np.uint32(table.laid_before)] == table.colour_before:
        evidence += laid
    top = table.drew_on[layer]
    if top != NEVER and COLOUR_OF[top] == table.colour_before:
        evidence -= drew
    return evidence
