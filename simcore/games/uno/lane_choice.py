"""UNO: what policies choose in lanes, where they say in numbers how they play (`spec`).

One choice covers several policies, so that all lanes make it together and without a branch, each
with the numbers of its seat on turn. Here as in `lane_steps` truth values are masks.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import highest_bit, popcount
from simcore.games.uno.cards import COLOURED, COLOURS, FACES, KINDS, ONE_COLOUR
from simcore.games.uno.spec import (
    AT_RANDOM,
    CALLED_FOR,
    FIRST,
    HOW,
    NEXT,
    OPPONENTS,
    SECOND,
    THIRD,
)
from simcore.games.uno.table import DRAW_MOVE
from simcore.jit import inline_kernel, wrapping
from simcore.lanes import blend, nth_bit
from simcore.records import MAX_SEATS

URGENT, LIKED, NEXT_LIKED, LAST_LIKED = range(4)
TACTIC = 4
"""Words of a seat in `tactics`: three bits of numbers (see `tactic_of`) and kinds in each."""

FIELD = 6
_COUNT = 31
"""In the row `CARDS` each seat has a field: how many cards it has, at most so many."""

EMPTY_TABLE = sum(_COUNT << FIELD * seat for seat in range(MAX_SEATS))
_ONES = sum(1 << FIELD * seat for seat in range(MAX_SEATS))
_GUARDS = _ONES << (FIELD - 1)
_KIND_BITS = 6


@inline_kernel
def write_tactic(tactic, spec):
    """Write a play spec as a seat has it in `tactics` (`tactic`, modified in place)."""
    tactic[URGENT] = spec[CALLED_FOR] | (spec[NEXT] << KINDS)
    tactic[LIKED] = spec[FIRST] | (spec[OPPONENTS] << KINDS)
    tactic[NEXT_LIKED] = spec[SECOND]
    tactic[LAST_LIKED] = spec[THIRD]
    if spec[HOW] == AT_RANDOM:
        tactic[LAST_LIKED] = np.int64(-1)


@inline_kernel
def with_count(counts, index, cards):
    """Return the row `CARDS` with so many cards in the field of a seat."""
    shift = FIELD * np.int64(index)
    return (counts & ~(np.int64(_COUNT) << shift)) | (np.int64(min(cards, _COUNT)) << shift)


@inline_kernel
def is_called_for(urgent, liked, counts, index, following):
    """Return a mask: whether somebody has few cards left."""
    opponents = counts | (np.int64(_COUNT) << (FIELD * index))
    few = (((liked >> KINDS) * _ONES + _GUARDS) - opponents) & _GUARDS
    following_has = (counts >> (FIELD * following)) & _COUNT
    return any_bits(few) | ((following_has - (urgent >> KINDS) - 1) >> 63)


@inline_kernel
def any_bits(cards):
    """Return a mask: whether a number, from 0 below 2⁶², is not 0.

    Of its last bit alone the compiler would make a comparison.
    """
    return -cards >> 62


@inline_kernel
def prefer(some, cards):
    """Return some cards, or others if there are none."""
    return blend(any_bits(some), some, cards)


@inline_kernel
def richest_colour(hand, doubles, cards):
    """Return the colour in which a hand has most, of those of `cards`; as its first kind."""
    best = np.int64(-1)
    for colour in range(len(COLOURS)):
        first = FACES * colour
        field = ONE_COLOUR << first
        weight = (popcount(hand & field) + popcount(doubles & field)) << _KIND_BITS | first
        best = max(best, weight | (((cards & field) - 1) >> 63))
    return best & ((1 << _KIND_BITS) - 1)


@inline_kernel
@wrapping
def choose_as_told(tactic, counts, index, following, hand, doubles, honest, words, told):
    """Return what is laid, as a bit, if any of the cards is; and what else the choice tells.

    Parameters
    ----------
    tactic : tuple of int
        What the seat has in `tactics`.
    counts, index, following : int
        The row `CARDS`, the seat on turn and the one after it.
    hand, doubles, honest : int
        The hand as a card set, and which of its cards may be laid without a bluff.
    words : tuple of uint64
        The private stream of the seat.
    told : tuple
        Only its length counts: see `lane_steps.take_steps`.

    Returns
    -------
    move : int
    colour : int
        The colour of which the hand has most, as its first kind.
    random, draws_again : int
        Masks: whether the seat plays at random, and whether its random number would have to be
        drawn again.
    words : tuple of uint64
    """
    none = DRAW_MOVE & ~any_bits(honest)
    if len(told) == 3:
        move = richest = np.int64(0)
        random = np.int64(-1)
    else:
        urgent, liked, next_liked, last_liked = tactic
        called_for = is_called_for(urgent, liked, counts, index, following)
        # Not one after another: what takes longest to know comes last.
        cards = prefer(honest & next_liked, prefer(honest & last_liked, honest))
        cards = prefer(honest & liked, cards)
        cards = prefer(honest & urgent & called_for, cards)
        coloured = cards & COLOURED
        best = np.int64(ONE_COLOUR) << richest_colour(hand, doubles, coloured)
        cards = (coloured & best) | (cards & ~any_bits(coloured))
        move = np.int64(1) << highest_bit(cards | none)
        richest = richest_colour(hand, doubles, np.int64(COLOURED))
        random = last_liked >> 63
    if len(told) == 1:
        return move, richest, np.int64(0), np.int64(0), words
    count = popcount(honest)
    word, next0, next1 = rng.step(words[0], words[1])
    product = (word >> np.uint64(32)) * np.uint64(count)
    several = random & ((1 - count) >> 63)
    again = several & -np.int64((product & rng.HALF) < np.uint64(count))
    by_chance = np.int64(1) << nth_bit(honest | none, np.int64(product >> np.uint64(32)))
    move = blend(random, by_chance, move)
    word0 = blend(np.uint64(several), next0, words[0])
    word1 = blend(np.uint64(several), next1, words[1])
    return move, richest, random, again, (word0, word1)
