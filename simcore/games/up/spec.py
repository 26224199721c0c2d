"""Up: how a policy plays, in whole numbers, for the lanes that play so (`lane_specs`).

A spec is an order of the sorts of moves: of the first sort of which there is a move one is made,
always the same. There may be another order for turns in which some numbers are within bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from simcore.bits import bits_of
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

ORDERS, PER_OPEN, OWN, OPPONENT, CAP, TOWER, LAPS, WEIGHTS = range(8)
"""What the numbers of a play spec are: the usual order, above it the one within bounds; by how much
an open card counts as heavier; bounds of own cards and of the cap (the lowest, above it the
highest); bounds from above of the cards of the opponent who has fewest, and of the tower's cards;
the bits of a float64, of how many laps of the round there may have been; what `weights` returns, or
0."""

LOW_BITS = 8
LOW = (1 << LOW_BITS) - 1
"""Where of two bounds the lower one stands."""

NO_CAP = 12
"""What a tower without a cap counts as: it bears more than any other."""

MOST_CARDS = 255
MOST_PER_OPEN = 15
MOST_OF_OPPONENT = 31
MOST_LAPS = 1000.0


def play_spec(
    order: Sequence[int],
    within: Sequence[int] = (),
    *,
    per_open: int = 0,
    own: tuple[float, float] = (0, MOST_CARDS),
    opponent: float = MOST_OF_OPPONENT,
    cap: tuple[float, float] = (0, NO_CAP),
    tower: float = MOST_CARDS,
    laps: float = MOST_LAPS,
    weights: int = 0,
) -> tuple[int, ...]:
    """Return a play spec for `strategies.registry.Policy`.

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
    weights : int
        What `weights` returns: `LAY_HEAVY` then is to lay all cards of the value worth most.

    Raises
    ------
    ValueError
        If an order does not name each sort once.
    """
    orders = order_bits(order) | order_bits(within or order) << ORDER
    return (
        orders,
        per_open,
        math.ceil(own[0]) | math.floor(own[1]) << LOW_BITS,
        math.floor(opponent),
        math.ceil(cap[0]) | math.floor(cap[1]) << LOW_BITS,
        math.floor(tower),
        bits_of(laps),
        weights,
    )


HAND_WEIGHT, OPEN_WEIGHT, LATE_WEIGHT, LOW_VALUE, LIGHT_VALUE, LEAST_CAP, GUARD, LAPS_TO_LATE = (
    (0, 10),
    (10, 11),
    (21, 10),
    (31, 4),
    (35, 4),
    (39, 4),
    (43, 6),
    (49, 10),
)
"""What `weights` returns, from which bit on and how many: see there. `GUARD` has the bit above a
seat's cards; the last one counts laps, and plays once it is packed."""

VALUE = 64
"""A value is worth so much."""

MOST_LAPS_TO_LATE = 100


def weights(
    hand: int,
    open_cards: int,
    late: int,
    laps: int,
    *,
    low: float = -1,
    light: float = -1,
    cap: float = NO_CAP,
    opponent: float = -1,
) -> int:
    """Return as one number what cards are worth, and when other sorts of moves go first.

    Parameters
    ----------
    hand, open_cards, late : int
        What laying one more card is worth, of the hand or an open one, in parts of a value; what an
        open one is worth in a long round, where one of the hand is worth nothing.
    laps : int
        In a long round there have been more laps of plays than this, which is at most 100.
    low : float
        If the value worth most is at most this,
    opponent : float
        or if the opponent with fewest cards has at most so many (below 31), "-2" cards go first.
    light, cap : float
        If the value is at most `light` and the cap at least this, a hidden card goes next.

    Raises
    ------
    ValueError
        If a number has no room.
    """
    if laps > MOST_LAPS_TO_LATE:
        raise ValueError(f"{laps} laps; allowed: at most {MOST_LAPS_TO_LATE}")
    numbers = {
        HAND_WEIGHT: hand,
        OPEN_WEIGHT: open_cards,
        LATE_WEIGHT: late,
        LOW_VALUE: math.floor(low) + 1,
        LIGHT_VALUE: math.floor(light) + 1,
        LEAST_CAP: math.ceil(cap),
        GUARD: math.floor(opponent) + MOST_OF_OPPONENT + 1,
        LAPS_TO_LATE: laps,
    }
    if not all(0 <= number < 1 << size for (_, size), number in numbers.items()):
        raise ValueError("a weight or bound has no room")
    return sum(number << place for (place, _), number in numbers.items())


def order_bits(order: Sequence[int]) -> int:
    """Return an order as bits: what goes first has rank 2, so that others can go before it.

    Raises
    ------
    ValueError
        If it does not name each sort once.
    """
    if sorted(order) != list(range(SORTS)):
        raise ValueError(f"the order {list(order)} does not name each of {SORTS} sorts once")
    ranks = sum(rank << RANK_BITS * sort for rank, sort in enumerate(order, 2))
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

CHOICE, BOUNDS, WORTH = range(3)
PACKED = 3
"""A spec packed for lanes. In `CHOICE` the orders, above them `PER_OPEN`, and the bound of the
opponents, with the bit above a seat's cards; in `BOUNDS` the bounds from above of the numbers that
stand side by side, with `ABOVE`, and above them those from below; in `WORTH` the `weights`."""


@kernel
def pack_spec(spec, players, packed):
    """Pack a seat's spec (`packed` is modified in place)."""
    plays = np.int64(MOST_PLAYS)
    laps = np.int64(spec[LAPS]).view(np.float64)
    if laps < MOST_LAPS:
        # As many plays as are fewer than this, of which the last one is to come.
        plays = np.int64(np.ceil(laps * players))
    packed[CHOICE] = (
        spec[ORDERS]
        | spec[PER_OPEN] << PER_OPEN_PLACE
        | (spec[OPPONENT] + MOST_OF_OPPONENT + 1) << OPPONENT_PLACE
    )
    lowest = (spec[OWN] & LOW) << OWN_PLACE | (spec[CAP] & LOW) << CAP_PLACE
    packed[BOUNDS] = (
        ABOVE
        | (spec[OWN] >> LOW_BITS) << OWN_PLACE
        | (spec[CAP] >> LOW_BITS) << CAP_PLACE
        | spec[TOWER] << TOWER_PLACE
        | plays << PLAYS_PLACE
        | lowest << LOWEST_PLACE
    )
    worth = spec[WEIGHTS]
    place = LAPS_TO_LATE[0]
    below = (1 << place) - 1
    packed[WORTH] = (worth & below) | (worth >> place) * players << place
    if worth == 0:
        packed[WORTH] = MOST_OF_OPPONENT << GUARD[0]
