"""Up: how a policy plays, in whole numbers, for the lanes that play so (`lane_manners`).

A manner is an order of the sorts of moves: of the first sort of which there is a move one is made,
always the same. There may be another order for turns in which some numbers are within bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from simcore.jit import kernel
from simcore.records import MAX_SEATS

LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE = range(5)
"""Sorts of moves: all cards of the heaviest value that the tower bears; every "-2" that it bears;
a clear card; a hidden card; the heaviest value of those that are too heavy, or else a "-2" on a
tower that bears none. An open card goes before one from the hand, but see `PER_OPEN`."""

SORTS = 5
RANK_BITS = 3
ORDER = SORTS * RANK_BITS + 1
"""An order has so many bits: for every sort of moves its rank, and one above them that is set."""

ORDERS, PER_OPEN, OWN, OPPONENT, CAP, TOWER, LAPS = range(7)
"""What the numbers of a manner are: the usual order, above it the one within bounds; by how much an
open card counts as heavier; bounds of own cards and of the cap (the lowest, above it the highest);
bounds from above of the cards of the opponent who has fewest, and of the tower's cards; and the
bits of a float64, of how many laps of the round there may have been."""

LOW_BITS = 8
LOW = (1 << LOW_BITS) - 1
"""Where of two bounds the lower one stands."""

NO_CAP = 12
"""What a tower without a cap counts as: it bears more than any other."""

MOST_CARDS = 255
MOST_PER_OPEN = 15
MOST_OF_OPPONENT = 31
MOST_LAPS = 1000.0


def manner(
    order: Sequence[int],
    within: Sequence[int] = (),
    *,
    per_open: int = 0,
    own: tuple[float, float] = (0, MOST_CARDS),
    opponent: float = MOST_OF_OPPONENT,
    cap: tuple[float, float] = (0, NO_CAP),
    tower: float = MOST_CARDS,
    laps: float = MOST_LAPS,
) -> tuple[int, ...]:
    """Return a manner for `strategies.registry.Policy`.

    Parameters
    ----------
    order : sequence
        All sorts of moves, the first one first.
    within : sequence
        The order where all numbers that follow are within their bounds.
    per_open : int
        For `LAY_HEAVY` an open card counts as so much heavier, 0…15.
    own, cap : (float, float)
        At least and at most so many own cards, and so large a cap.
    opponent, tower, laps : float
        At most so many cards has the opponent with fewest (below 31 if it is a bound) and the
        tower, and fewer than so many laps of plays have been (at most 100 if it is a bound).
    """
    orders = order_bits(order) | order_bits(within or order) << ORDER
    bits = np.float64(laps).view(np.int64)
    return (
        orders,
        per_open,
        math.ceil(own[0]) | math.floor(own[1]) << LOW_BITS,
        math.floor(opponent),
        math.ceil(cap[0]) | math.floor(cap[1]) << LOW_BITS,
        math.floor(tower),
        int(bits),
    )


def order_bits(order: Sequence[int]) -> int:
    """Return an order as bits: what goes first has rank 0."""
    assert sorted(order) == list(range(SORTS))
    ranks = sum(rank << RANK_BITS * sort for rank, sort in enumerate(order))
    return ranks | 1 << (ORDER - 1)


OWN_PLACE, CAP_PLACE, TOWER_PLACE, PLAYS_PLACE = 0, 9, 14, 23
"""Where numbers with bounds stand side by side in a word, each with a bit of `ABOVE` above it."""

ABOVE = 1 << 8 | 1 << 13 | 1 << 22 | 1 << 33
MOST_PLAYS = 1023

SEAT_BITS = 6
"""Cards of the seats side by side, so many bits for each, of which the last is in `ABOVE_SEATS`."""

ABOVE_SEATS = sum(32 << SEAT_BITS * seat for seat in range(MAX_SEATS))
EACH_SEAT = ABOVE_SEATS >> 5

PER_OPEN_PLACE, OPPONENT_PLACE, LOWEST_PLACE = 2 * ORDER, 2 * ORDER + 4, 34

CHOICE, BOUNDS = range(2)
PACKED = 2
"""A manner packed for lanes. In the one word the orders, above them `PER_OPEN`, and the bound of the
opponents, already with what is above a seat's cards; in the other the bounds from above of the
numbers that stand side by side, with `ABOVE`, and above them those from below."""


@kernel
def pack_manner(manner, players, packed):
    """Pack a seat's manner (`packed` is modified in place)."""
    plays = MOST_PLAYS
    laps = np.int64(manner[LAPS]).view(np.float64)
    if laps < MOST_LAPS:
        # As many plays as are fewer than this, of which the last one is to come.
        plays = np.int64(np.ceil(laps * players))
    packed[CHOICE] = (
        manner[ORDERS]
        | manner[PER_OPEN] << PER_OPEN_PLACE
        | (manner[OPPONENT] + MOST_OF_OPPONENT + 1) << OPPONENT_PLACE
    )
    lowest = (manner[OWN] & LOW) << OWN_PLACE | (manner[CAP] & LOW) << CAP_PLACE
    packed[BOUNDS] = (
        ABOVE
        | (manner[OWN] >> LOW_BITS) << OWN_PLACE
        | (manner[CAP] >> LOW_BITS) << CAP_PLACE
        | manner[TOWER] << TOWER_PLACE
        | plays << PLAYS_PLACE
        | lowest << LOWEST_PLACE
    )
