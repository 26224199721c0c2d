"""Up: how a policy plays, in whole numbers, which `by_spec` reads.

A play spec is an order of the sorts of moves: of the first sort of which there is a move one is
made, always the same. There may be another order for turns in which some numbers are within bounds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from simcore.bits import bits_of
from simcore.games.up.cards import HIGHEST
from simcore.games.up.options import whole
from simcore.options import Options
from simcore.records import MAX_SEATS

LAY_HEAVY, LAY_MINUS_TWOS, LAY_CLEAR, TURN_UP, COLLAPSE = range(5)
"""Sorts of moves: all cards of the heaviest value that the tower bears; every "-2" that it bears;
a clear card; a hidden card; the heaviest value of those that are too heavy, or else a "-2" on a
tower that bears none. An open card goes before one from the hand."""

SORTS = 5
SORTS_IN_WORDS = (
    "Lay the heaviest value that the tower bears, all its cards",
    'Lay all "-2" that the tower bears',
    "Lay a clear card",
    "Turn up a hidden card",
    "Make the tower collapse: with an open card if possible, which so gets off the table",
)

CHOICE, BOUNDS, LAPS, WORTH, ANNOUNCE = range(5)
"""The words of a play spec. In `CHOICE` the usual order, above it the one within bounds, above them
the bound of the opponents; in `BOUNDS` the bounds of numbers that stand side by side; then the bits
of a float64, of how many laps of the round there may have been; what `weights` returns, or
`NO_WEIGHTS`; how many 1s and, above them, "-2" make it announce a variant."""

RANK_BITS = 3
PER_OPEN_PLACE = SORTS * RANK_BITS
ORDER = PER_OPEN_PLACE + 4
"""An order has so many bits: for every sort of moves its rank, and by how much an open card counts
as heavier for `LAY_HEAVY`."""

OPPONENT_PLACE = 2 * ORDER

SEAT_BITS = 6
MOST_OF_OPPONENT = (1 << SEAT_BITS) - 1
OTHER_SEATS = sum(MOST_OF_OPPONENT << 2 * SEAT_BITS * pair for pair in range(MAX_SEATS // 2))
EACH_PAIR = OTHER_SEATS // MOST_OF_OPPONENT
ALL_FAR = OTHER_SEATS | OTHER_SEATS << SEAT_BITS
"""Cards of the seats stand side by side, so many bits for each, and are counted up to
`MOST_OF_OPPONENT`. To compare them every other seat is looked at, which leaves room above it."""

OWN_PLACE, CAP_PLACE, TOWER_PLACE, PLAYS_PLACE, LOWEST_PLACE = 0, 9, 14, 23, 34
ABOVE = 1 << 8 | 1 << 13 | 1 << 22 | 1 << 33
"""Where numbers with bounds stand in a word, each with a bit of `ABOVE` above it, and from which
bit on there are those of own cards and cap from below."""

NO_CAP = 12
"""What a tower without a cap counts as: it bears more than any other."""

MOST_CARDS = 255
MOST_PER_OPEN = 14
MOST_PLAYS = 1023
MOST_LAPS = 1000.0

HAND_WEIGHT, OPEN_WEIGHT, LATE_WEIGHT = (0, 10), (10, 11), (21, 10)
LOW_VALUE, LIGHT_VALUE, LEAST_CAP = (31, 4), (35, 4), (39, 4)
GUARD, LAPS_TO_LATE = (43, 7), (50, 10)
"""What `weights` returns, from which bit on and how many: see there. `GUARD` as the bound of the
opponents; the last one counts laps, and plays once `for_match` has seen it."""

WEIGHS = 1 << 60
NO_WEIGHTS = MOST_OF_OPPONENT << GUARD[0]
ANY_NEAR = 2 * MOST_OF_OPPONENT + 1
"""The bound of the opponents that is none: what `nearer_than` says of the most cards."""

VALUE = 64
"""A value is worth so much."""

MOST_LAPS_TO_LATE = 100


def play_spec(
    order: Sequence[int],
    within: Sequence[int] = (),
    *,
    per_open: int = 0,
    per_open_within: int | None = None,
    own: tuple[float, float] = (0, MOST_CARDS),
    opponent: float = MOST_OF_OPPONENT,
    cap: tuple[float, float] = (0, NO_CAP),
    tower: float = MOST_CARDS,
    laps: float = MOST_LAPS,
    weights: int = NO_WEIGHTS,
    announces: tuple[int, int] = (0, 0),
) -> tuple[int, ...]:
    """Return a play spec for `strategies.registry.spec_policy`.

    Parameters
    ----------
    order : sequence
        All sorts of moves, the first one first.
    within : sequence
        The order where all numbers that follow are within their bounds.
    per_open, per_open_within : int
        For `LAY_HEAVY` without weights an open card counts as so much heavier, 0…14; the latter
        where the numbers are within bounds.
    own, cap : (float, float)
        At least and at most so many own cards, and so large a cap.
    opponent, tower, laps : float
        At most so many cards has the opponent with fewest (below 63 if it is a bound) and the
        tower, and fewer than so many laps of plays have been (at most 100 if it is a bound).
    weights : int
        What `weights` returns: `LAY_HEAVY` then is to lay all cards of the value worth most.
    announces : (int, int)
        With so many 1s and "-2" among hand and open cards it announces the dirty one and the double
        two; 0: never. A special card found at the cut is kept.

    Raises
    ------
    ValueError
        If an order does not name each sort once, or a number has no room.
    """
    if not all(0 <= one <= MOST_PER_OPEN for one in (per_open, per_open_within or 0)):
        raise ValueError(f"an open card counts as 0…{MOST_PER_OPEN} heavier")
    usual = order_bits(order) | per_open << PER_OPEN_PLACE
    other = order_bits(within or order)
    other |= (per_open if per_open_within is None else per_open_within) << PER_OPEN_PLACE
    highest = (own[1], OWN_PLACE), (cap[1], CAP_PLACE), (tower, TOWER_PLACE)
    lowest = (own[0], LOWEST_PLACE + OWN_PLACE), (cap[0], LOWEST_PLACE + CAP_PLACE)
    return (
        usual | other << ORDER | nearer_than(opponent) << OPPONENT_PLACE,
        ABOVE
        | sum(math.floor(number) << place for number, place in highest)
        | sum(math.ceil(number) << place for number, place in lowest),
        bits_of(laps),
        weights,
        announces[0] | announces[1] << SEAT_BITS,
    )


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
        open one is worth in a long round, where one of the hand is worth nothing. (Players who lead
        the same many cards again and again, and take them up again and again, would never get rid
        of their heavy ones.)
    laps : int
        In a long round there have been more laps of plays than this, which is at most 100.
    low : float
        If the value worth most is at most this,
    opponent : float
        or if the opponent with fewest cards has at most so many (below 63), "-2" cards go first.
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
        GUARD: nearer_than(opponent),
        LAPS_TO_LATE: laps,
    }
    if not all(0 <= number < 1 << size for (_, size), number in numbers.items()):
        raise ValueError("a weight or bound has no room")
    return WEIGHS | sum(number << place for (place, _), number in numbers.items())


def nearer_than(cards: float) -> int:
    """Return a bound of the opponents' cards so that its bit above theirs tells of fewer."""
    return math.floor(cards) + 1 + MOST_OF_OPPONENT


def order_bits(order: Sequence[int]) -> int:
    """Return an order as bits: what goes first has rank 2, so that others can go before it.

    Raises
    ------
    ValueError
        If it does not name each sort once.
    """
    if sorted(order) != list(range(SORTS)):
        raise ValueError(f"the order {list(order)} does not name each of {SORTS} sorts once")
    return sum(rank << RANK_BITS * sort for rank, sort in enumerate(order, 2))


def for_match(words: Sequence[int], options: Options) -> tuple[int, ...]:
    """Return the words of a spec as SEAT holds them under these options.

    Laps are in plays; special cards that count little go after heavy ones [H5].
    """
    choice, bounds, laps, worth, announces, *_ = (*words, 0, 0, 0, 0)
    players = whole(options["players"])
    plays = MOST_PLAYS
    if (most := np.int64(laps).view(np.float64)) < MOST_LAPS:
        # As many plays as are fewer than this, of which the last one is to come.
        plays = math.ceil(max(most, 0.0) * players)
    place = LAPS_TO_LATE[0]
    late = min((worth >> place & MOST_PLAYS) * players, MOST_PLAYS)
    worth = worth & ~(MOST_PLAYS << place) | late << place
    for sort, points in ((LAY_CLEAR, "clear_points"), (LAY_MINUS_TWOS, "minus_two_points")):
        if whole(options[points]) < HIGHEST:
            choice = behind_heavy(behind_heavy(choice, 0, sort), ORDER, sort)
    return choice, bounds | plays << PLAYS_PLACE, laps, worth, announces


def behind_heavy(choice: int, place: int, sort: int) -> int:
    """Return the orders where a sort that went before `LAY_HEAVY` goes next after it."""
    heavy = rank_in(choice, place, LAY_HEAVY)
    own = rank_in(choice, place, sort)
    if own > heavy:
        return choice
    for other in range(SORTS):
        rank = rank_in(choice, place, other)
        if own < rank <= heavy:
            choice -= 1 << (place + RANK_BITS * other)
    return choice + ((heavy - own) << (place + RANK_BITS * sort))


def rank_in(choice: int, place: int, sort: int) -> int:
    """Return the rank of a sort in the order from a bit on."""
    return choice >> place + RANK_BITS * sort & (1 << RANK_BITS) - 1
