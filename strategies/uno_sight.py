"""UNO: what a player sees at a glance of cards, colours and opponents.

`cards` is a set of kinds as bits, usually those that may be laid.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, popcount
from simcore.games.uno.cards import (
    COLOUR_OF,
    FACES,
    ONE_COLOUR,
    WILD_DRAW_FOUR,
)
from simcore.games.uno.moves import holds_colour
from simcore.games.uno.play import seat_after
from simcore.games.uno.table import DRAW, DRAW_MOVE, DRAWN, KEEP, NEVER
from simcore.jit import inline_kernel

CARD_MOVES = DRAW_MOVE - 1
_DRAW_FOUR_MOVE = 1 << WILD_DRAW_FOUR
COLOUR_STEP = 64
"""Colours are weighed in parts of a card."""


@inline_kernel
def honest_cards(table, seat):
    """Return the cards that may be laid without a bluff."""
    cards = seat.found & CARD_MOVES
    if cards & _DRAW_FOUR_MOVE and holds_colour(seat, table.top):
        cards ^= _DRAW_FOUR_MOVE
    return cards


@inline_kernel
def lay_none(table):
    """Return the move that lays no card: draw, or keep the card just drawn."""
    return np.int64(KEEP) if table.phase == DRAWN else np.int64(DRAW)


@inline_kernel
def prefer(cards, some):
    """Return those of the cards that are among `some`; all of them if none is."""
    chosen = cards & some
    return chosen or cards


@inline_kernel
def worth_most(cards):
    """Return the card that counts most: a wild card, an action card, the highest number.

    Of several colours it looks at the last only.
    """
    return highest_bit(cards)


@inline_kernel
def number_in(seat, colour):
    """Return how many cards of a colour a hand has."""
    field = ONE_COLOUR << (FACES * colour)
    return popcount(seat.hand & field) + popcount(seat.doubles & field)


@inline_kernel
def best_colour(seat, cards, favour, bonus):
    """Return the colour in which the hand has most cards, of those of `cards`.

    The colours `favour`, as bits, count as many cards more as `bonus`. Returns 0 if `cards` has
    none with a colour.
    """
    best = np.int64(0)
    more = np.int64(bonus * COLOUR_STEP)
    for colour in range(4):
        weight = weight_of_colour(seat, colour, favour, more) * 4 + colour
        if cards & (ONE_COLOUR << (FACES * colour)):
            best = max(best, weight)
    return best & 3


@inline_kernel
def weight_of_colour(seat, colour, favour, more):
    """Return how many cards of a colour a hand has, with `favour`, in parts of a card; and 1."""
    return 1 + number_in(seat, colour) * COLOUR_STEP + ((favour >> colour) & 1) * more


@inline_kernel
def of_colour(colour):
    """Return all kinds of a colour."""
    return np.int64(ONE_COLOUR) << (FACES * colour)


@inline_kernel
def next_seat(table, seat):
    """Return the seat whose turn would be next."""
    return seat_after(table, seat.index, 1)


@inline_kernel
def colour_drawn_on(table, index):
    """Return the colour on which a seat last had to draw, as a bit; 0 if it did not."""
    top = table.drew_on[np.uint32(index)]
    if top == NEVER:
        return np.int64(0)
    return np.int64(1) << COLOUR_OF[top]


@inline_kernel
def fewest_cards(table, seat):
    """Return how few cards an opponent has."""
    fewest = np.int64(108)
    for index in range(table.players):
        if index != seat.index:
            fewest = min(fewest, table.cards[index])
    return fewest
