"""dnup: what a seat does that plays by habits, in the lanes of vector registers; see `spec`.

Everything here is arithmetic on numbers and truth values: a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore.bits import highest_bit, popcount
from simcore.games.dnup.cards import COLUMN, LARGE, ROW, ROWS, row_starts
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.spec import (
    FEEDS,
    FIRST_ROW,
    GAIN,
    GAIN_BITS,
    HABIT_BITS,
    LARGEST_FIRST,
    LAST_OF_VALUE,
    PARTS,
    ROW_BITS,
    SEAT_BITS,
    UNTIL,
    WARY,
    WARY_BITS,
)
from simcore.jit import inline_kernel
from simcore.lanes import blend

_NOBODY = 1 << 20
_SEAT = (1 << SEAT_BITS) - 1
_BYTE = 8
_EACH_BYTE = sum(1 << (_BYTE * level) for level in range(_BYTE))
_COUNT_BITS = 255

assert LARGE == 7, "`hardest_to_beat` has six rows"


@inline_kernel
def choose_by_habits(habits, card, hand, active, plays, adds, takes, saved, victim, turns):
    """Choose an action; return its set's place in a chart, and whether to play, add or take.

    Otherwise the hand is turned.

    Parameters
    ----------
    habits : int
        With `UNTIL` above them.
    card : float
    hand, active : int
        All cards of the hand, and its chart.
    plays, adds, takes : int
        The legal actions.
    saved : int
        How many different values fewer the other side of the hand has.
    victim : (int, int)
        How many cards the opponent with the fewest has, and its sets that may be taken.
    turns : int
        The number of actions before.
    """
    fewest, their_sets = victim
    whole = plays & ~(active >> VALUES)
    alone = active & ~(active >> VALUES) & ROW
    may_turn = turns >= habits >> UNTIL

    # What the steps before the last ones find.
    goes_out = ((active & ROW & ((active & ROW) - 1)) == 0) & (whole != 0)
    adds_last = (hand & (hand - 1)) == 0
    rows = row_starts(their_sets)
    targets = ((rows << VALUES) - rows) & -np.int64(fewest < ((habits >> WARY) & WARY_BITS))
    beating = whole & targets if whole & targets != 0 else plays & targets
    turns_for = may_turn & (saved >= ((habits >> GAIN) & GAIN_BITS))
    last = adds & (alone * COLUMN) & -((habits >> LAST_OF_VALUE) & 1)
    sets = whole | (plays & -((habits >> PARTS) & 1))
    sets &= np.int64(-1) << (VALUES * ((habits >> FIRST_ROW) & ROW_BITS))

    # Which step finds something first.
    has_adds = adds > 0
    step1 = adds_last & has_adds & (not goes_out)
    step2 = (plays & targets != 0) & (not goes_out) & (not step1)
    done = goes_out | step1 | step2
    step3 = turns_for & (not done)
    done |= step3
    step4 = (last > 0) & (not done)
    done |= step4
    step5 = (sets != 0) & (not done)
    done |= step5
    step6 = has_adds & (((habits >> FEEDS) & 1) != 0) & (not done)
    done |= step6
    step7 = (plays != 0) & (not done)
    done |= step7
    adds_any = has_adds & (not done)
    is_play = goes_out | step2 | step5 | step7
    is_add = step1 | step4 | step6 | adds_any
    is_take = (takes > 0) & (not may_turn) & (not done) & (not adds_any)

    # The set in question. Of one set it does not matter how hard to beat it is.
    sets = sets if step5 else (whole if whole != 0 else plays)
    sets = whole if goes_out else (beating & -beating if step2 else sets)
    played = hardest_to_beat(sets, card if step5 else LARGEST_FIRST)
    lowest = last if step4 else adds
    lowest = lowest & -lowest if step1 | step4 else adds
    added = highest_bit((lowest if is_add else takes & -takes) | 1)
    return played if is_play else added, is_play, is_add, is_take


@inline_kernel
def hardest_to_beat(sets, card):
    """Return the place of the set that is hardest to beat, as `dnup_moves.hardest_to_beat` does."""
    first = harder(in_row(sets, card, 0), in_row(sets, card, 1))
    second = harder(in_row(sets, card, 2), in_row(sets, card, 3))
    third = harder(in_row(sets, card, 4), in_row(sets, card, 5))
    _, place = harder(harder(first, second), third)
    return place


@inline_kernel
def in_row(sets, card, row):
    """Return what the highest set of a row is worth, -1 if there is none, and its place."""
    start = VALUES * row
    place = highest_bit((sets & (ROW << start)) | (1 << start))
    worth = np.float64(place - (start - 1)) + card * np.float64(row)
    return worth if sets & (ROW << start) != 0 else -1.0, place


@inline_kernel
def harder(one, other):
    """Return of two sets, as `in_row` does, the one that is worth more; the first, if neither."""
    worth, place = one
    other_worth, other_place = other
    is_worth_more = other_worth > worth
    return other_worth if is_worth_more else worth, other_place if is_worth_more else place


@inline_kernel
def other_sides(up, down, low, high):
    """Return by value the cards that would have it if the hand were turned.

    Written out, as all that goes through the values here: the compiler would not unroll the loop.
    """
    return (
        (up & high[0]) | (down & low[0]),
        (up & high[1]) | (down & low[1]),
        (up & high[2]) | (down & low[2]),
        (up & high[3]) | (down & low[3]),
        (up & high[4]) | (down & low[4]),
        (up & high[5]) | (down & low[5]),
        (up & high[6]) | (down & low[6]),
        (up & high[7]) | (down & low[7]),
        (up & high[8]) | (down & low[8]),
    )


@inline_kernel
def saved_by_turning(others, active):
    """Return how many different values fewer the other side of a hand has."""
    saved = np.int64(popcount(active & ROW))
    saved -= np.int64(others[0] != 0)
    saved -= np.int64(others[1] != 0)
    saved -= np.int64(others[2] != 0)
    saved -= np.int64(others[3] != 0)
    saved -= np.int64(others[4] != 0)
    saved -= np.int64(others[5] != 0)
    saved -= np.int64(others[6] != 0)
    saved -= np.int64(others[7] != 0)
    return saved - np.int64(others[8] != 0)


@inline_kernel
def least_useful(others, cards, count):
    """Return the `count` of some cards that `dnup_moves.pick_least_useful` picks.

    And whether it did not find out, which is so when it must pick two or more of three or more
    cards with the same two values. The fewer cards the other side of the hand has of the value on a
    card's other side, the less useful it is; of the same number, the lower this value. So first it
    is counted, in the bytes of a word, how many of the cards have each number, and how many come
    before these; then the values are gone through from the lowest on.
    """
    levels = at_level(others[0], cards) + at_level(others[1], cards) + at_level(others[2], cards)
    levels += at_level(others[3], cards) + at_level(others[4], cards) + at_level(others[5], cards)
    levels += at_level(others[6], cards) + at_level(others[7], cards) + at_level(others[8], cards)
    state = ((levels * _EACH_BYTE) << _BYTE, np.int64(0), np.int64(0))
    state = pick_of_value(others[0], cards, count, state)
    state = pick_of_value(others[1], cards, count, state)
    state = pick_of_value(others[2], cards, count, state)
    state = pick_of_value(others[3], cards, count, state)
    state = pick_of_value(others[4], cards, count, state)
    state = pick_of_value(others[5], cards, count, state)
    state = pick_of_value(others[6], cards, count, state)
    state = pick_of_value(others[7], cards, count, state)
    _, chosen, alike = pick_of_value(others[8], cards, count, state)
    too_many = popcount(chosen) - count
    return chosen ^ (alike & (alike - 1)), popcount(alike) > too_many + 1


@inline_kernel
def level_of(others):
    """Return the bit of the byte of a value, by how many cards of it the other side has."""
    return _BYTE * min(popcount(others), ROWS)


@inline_kernel
def at_level(others, cards):
    """Return how many of some cards have a value on the other side, in the byte of this value."""
    return popcount(others & cards) << level_of(others)


@inline_kernel
def pick_of_value(others, cards, count, state):
    """Pick of the cards that have a value on the other side; for `others` see `other_sides`.

    `state` is, before and after: by byte how many cards come first, the cards picked, and of these
    those of a value of which there are too many.
    """
    before, chosen, alike = state
    those = others & cards
    level = level_of(others)
    first = (before >> level) & _COUNT_BITS
    number = popcount(those)
    picked = those if first < count else np.int64(0)
    alike |= picked if first + number > count else np.int64(0)
    return before + (number << level), chosen | picked, alike


@inline_kernel
def opponent_with_fewest(counts, habits, bits, size, two, takes):
    """Return how many cards the opponent with the fewest has, and its set; see `fewest_cards`.

    Parameters
    ----------
    counts, habits, bits : tuple of int
        Cards in hand, habits and set of each other place of the ring, from the next one on.
    size, two : int
        See `lane_turns.take_turn`.
    takes : int
        All sets of opponents.
    """
    one = rank(counts[0], habits[0])
    other = rank(counts[1], habits[1])
    third = rank(counts[2], habits[2])
    fourth = rank(counts[3], habits[3])
    best = min(one, other)
    best = min(best, third) if size > 3 else best
    best = min(best, fourth) if size > 4 else best
    bit = bits[0] if one == best else bits[1]
    if size > 3:
        bit = bits[2] if third == best else bit
    if size > 4:
        bit = bits[3] if fourth == best else bit
    # Of two players there is only one, whose cards may stand with either of its places.
    cards = counts[0] + counts[1] + counts[2]
    return blend(two, cards, best >> SEAT_BITS), blend(two, takes, bit)


@inline_kernel
def rank(count, habits):
    """Return a number by which opponents are ordered: by cards, then by seat; who is out is last.

    Without cards is also a place beyond the ring, and one of two players.
    """
    return ((count << SEAT_BITS) | (habits & _SEAT)) if count > 0 else _NOBODY


@inline_kernel
def habits_after(habits, is_turned, turns, players):
    """Return the habits after a turn, with what is noted when the seat chose to turn its hand."""
    until = turns + players + 1
    return (habits & HABIT_BITS) | (until << UNTIL) if is_turned else habits
