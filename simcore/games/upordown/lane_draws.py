"""Up or down?: random numbers in lanes, the same as in a single match; see `lane_turns`."""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import rows as at
from simcore.games.upordown.rows import put_where
from simcore.jit import inline_kernel, kernel
from simcore.vectors import LANES as EIGHT
from simcore.vectors import choose, lane, one_at, put_one, some

HALF = (1 << 32) - 1
COINS_LEFT = (HALF << 31) | HALF
NEW_COIN = np.uint64(1 << 63)


@inline_kernel
def draw_word(rows, start, seat):
    """Return the next word of random bits of a seat."""
    word, word0, word1 = rng.step_signed(
        one_at(rows, seat + at.WORD0, start), one_at(rows, seat + at.WORD1, start)
    )
    put_one(rows, seat + at.WORD0, start, word0)
    put_one(rows, seat + at.WORD1, start, word1)
    return word


@inline_kernel
def draw_half(rows, start, seat, moves):
    """Draw random bits for a place where there is a choice of these."""
    word0, word1 = one_at(rows, seat + at.WORD0, start), one_at(rows, seat + at.WORD1, start)
    word = draw_word(rows, start, seat)
    put_one(rows, at.HALF_WORD, start, (word >> 32) & HALF)
    is_only = (moves & (moves - 1)) == 0
    put_where(rows, seat + at.WORD0, start, is_only, word0)
    put_where(rows, seat + at.WORD1, start, is_only, word1)


@inline_kernel
def pick_below(rows, start, seat, half, bound):
    """Return a number below a bound from 32 random bits, as `rng.below_from` does.

    Now and then more bits are drawn from the seat's stream.
    """
    product = half * bound
    if some(((product & HALF) < bound) & (bound > 1)):
        put_one(rows, at.PRODUCT, start, product)
        for place in range(start, start + EIGHT):
            redraw(rows, seat, place, lane(bound, place - start))
        product = one_at(rows, at.PRODUCT, start)
    return product >> 32


@kernel
def redraw(rows, seat, place, bound):
    """Draw more bits in a lane if the product that a number comes from may be biased."""
    product = np.uint64(rows[at.PRODUCT, place])
    if bound > 1 and (product & rng.HALF) < np.uint64(bound):
        stream = np.empty(2, np.uint64)
        stream[0] = rows[seat + at.WORD0, place]
        stream[1] = rows[seat + at.WORD1, place]
        rows[at.PRODUCT, place] = np.int64(rng.redraw(stream, np.uint64(bound), product))
        rows[seat + at.WORD0, place] = np.int64(stream[0])
        rows[seat + at.WORD1, place] = np.int64(stream[1])


@inline_kernel
def coins_at(rows, start, seat, which, scarce):
    """Return the coins of a seat; if they are `scarce`, used up ones are renewed where `which`."""
    coins = one_at(rows, seat + at.COINS, start)
    if scarce and some((coins == 1) & which):
        put_one(rows, at.PRODUCT, start, choose(which, coins, 0))
        for place in range(start, start + EIGHT):
            if rows[at.PRODUCT, place] == 1:
                word0, word1 = rows[seat + at.WORD0, place], rows[seat + at.WORD1, place]
                word, word0, word1 = rng.step(np.uint64(word0), np.uint64(word1))
                rows[seat + at.COINS, place] = np.int64(word | NEW_COIN)
                rows[seat + at.WORD0, place] = np.int64(word0)
                rows[seat + at.WORD1, place] = np.int64(word1)
        coins = one_at(rows, seat + at.COINS, start)
    return coins
