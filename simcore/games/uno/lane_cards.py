"""UNO: which card is the next of the stock, in many lanes at once (see `lane_steps`)."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.uno import lane_rows as row
from simcore.games.uno.cards import DECK, DECK_SIZE
from simcore.games.uno.orders import is_left, next_number, without_number
from simcore.games.uno.table import STOCK_PLACES
from simcore.jit import inline_kernel, wrapping
from simcore.lanes import blend

TRIES = 3
"""So many numbers of an order are looked at together, whether a card is needed or not."""

_KIND_OF = np.array([*DECK.tolist(), row.UNKNOWN], dtype=np.int64)


@inline_kernel
def find_card(lanes, lane, box):
    """Note the kind of the next card of a stock; `next_kind` sees whether there is one."""
    lanes[row.CARD, lane] = box.stock[(lanes[row.SIZE, lane] - 1) & (STOCK_PLACES - 1)]


@inline_kernel
def next_kind(lanes, lane):
    """Return the kind of the next card of a stock, or `UNKNOWN` if it lies in no order."""
    loose = -np.int64(lanes[row.SIZE, lane] <= lanes[row.LOOSE, lane])
    return lanes[row.CARD, lane] | (row.UNKNOWN & loose)


@inline_kernel
def take_number_in(lanes, lane):
    """Take the card just drawn out of the set of numbers."""
    left0, left1 = lanes[row.LEFT0, lane], lanes[row.LEFT1, lane]
    less0, less1 = without_number(lanes[row.NUMBER, lane], left0, left1)
    lanes[row.LEFT0, lane] = blend(lanes[row.NEEDS, lane], less0, left0)
    lanes[row.LEFT1, lane] = blend(lanes[row.NEEDS, lane], less1, left1)


@inline_kernel
@wrapping
def look_for_number(lanes, lane):
    """Look whether the next card of the seat on turn is among the next of its order.

    Return 1 if it is not, although there is one.
    """
    left0, left1 = lanes[row.LEFT0, lane], lanes[row.LEFT1, lane]
    number = lanes[row.NUMBER, lane]
    word0, word1 = np.uint64(lanes[row.DRAW0, lane]), np.uint64(lanes[row.DRAW1, lane])
    for _ in range(TRIES):
        word, next0, next1 = rng.step(word0, word1)
        product = (word >> np.uint64(32)) * np.uint64(DECK_SIZE)
        # Where the number might have to be drawn again, `search_number` goes on.
        sure = (np.int64(DECK_SIZE - 1) - np.int64(product & rng.HALF)) >> 63
        looks = sure & ~is_left(number, left0, left1)
        number = blend(looks, np.int64(product >> np.uint64(32)), number)
        word0 = blend(np.uint64(looks), next0, word0)
        word1 = blend(np.uint64(looks), next1, word1)
    lanes[row.NUMBER, lane] = number
    lanes[row.DRAW0, lane], lanes[row.DRAW1, lane] = np.int64(word0), np.int64(word1)
    found = is_left(number, left0, left1)
    lanes[row.CARD, lane] = blend(found, _KIND_OF[np.uint64(number)], row.UNKNOWN)
    return ~found & (-lanes[row.SIZE, lane] >> 63) & 1


@inline_kernel
def search_number(lanes, lane, box):
    """Find the next card of the seat on turn, however far on in its order it is."""
    place = (
        lanes[row.NUMBER, lane],
        np.uint64(lanes[row.DRAW0, lane]),
        np.uint64(lanes[row.DRAW1, lane]),
    )
    stream = box.draw_rng[0]
    number, word0, word1 = next_number(
        stream, place, lanes[row.LEFT0, lane], lanes[row.LEFT1, lane]
    )
    lanes[row.NUMBER, lane], lanes[row.CARD, lane] = number, _KIND_OF[np.uint64(number)]
    lanes[row.DRAW0, lane], lanes[row.DRAW1, lane] = np.int64(word0), np.int64(word1)
