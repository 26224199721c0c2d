"""UP & DOWN: the start of a round in the lanes of vector registers; see `lanes`.

Each loop over `LANES` is compiled to vector instructions: everything in it is arithmetic on numbers
and truth values; a branch would end the vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.updown import lane_rows as at
from simcore.games.updown.cards import of_seat
from simcore.games.updown.deal import (
    FEW_CARDS,
    VERY_FEW_CARDS,
    draw_hand,
    draws_of_round,
    hands_of,
    products_of,
    sum_of_dice,
    toss,
)
from simcore.games.updown.draws import fraction_of
from simcore.games.updown.lane_dials import rules_by
from simcore.games.updown.lane_rows import LANES
from simcore.games.updown.play import FIELD
from simcore.games.updown.table import SEATS
from simcore.jit import inline_kernel, kernel, outer_kernel, wrapping
from simcore.lanes import lanes_from

_TWELVE = 12
"""Cards of a pile that are drawn in the usual steps, see `draw_hand`."""

MOST_THROWS = 15
"""As many throws as one word has room for. With fewer tricks fewer will do as well:"""

FEWER_THROWS = 10
"""For up to `FEW_CARDS`."""

FEWEST_THROWS = 5
"""For fewer than `VERY_FEW_CARDS`."""

_FIELD = (1 << FIELD) - 1
_UPPER_HALF = np.uint64(32)


@outer_kernel
def open_rounds(work, column, seed, table, dials):
    """Begin a round in all lanes: toss the U&D card, throw the dice, deal."""
    players = table.players
    hand_size = table.hand_size
    drawn = draws_of_round(players, hand_size)
    if dials is None:
        toss_and_draw(work, column, seed, players, drawn, ())
        throw_all_dice(work, column, seed, MOST_THROWS)
        deal_usual_hands(work, column, drawn)
    else:
        open_other_rounds(work, column, seed, table, drawn, dials)
    shifts = (table.shifts[0], table.shifts[1], table.shifts[2], table.shifts[3])
    set_up(work, column, players, hand_size, shifts)


@outer_kernel
def open_other_rounds(work, column, seed, table, drawn, dials):
    """Toss, throw and deal where there may be no dice, or other hands than by the rule text."""
    hand_size = table.hand_size
    four = drawn[3][0] > 0
    if four:
        toss_and_draw(work, column, seed, table.players, drawn, (1,))
    else:
        toss_and_draw(work, column, seed, table.players, drawn, ())
    if rules_by(dials).dice != 0:
        throw_all_dice(work, column, seed, throws_of(hand_size))
    else:
        leave_dice(work, column)
    if hand_size <= VERY_FEW_CARDS:
        deal_few(work, column, drawn, (1, 1, 1))
    elif hand_size <= FEW_CARDS:
        deal_few(work, column, drawn, (1, 1))
    elif four:
        deal_four(work, column, drawn, ())
    else:
        deal_usual_hands(work, column, drawn)


@inline_kernel
def throws_of(hand_size):
    """Return how many throws of the dice suffice for nearly all rounds."""
    if hand_size < VERY_FEW_CARDS:
        return FEWEST_THROWS
    return FEWER_THROWS if hand_size <= FEW_CARDS else MOST_THROWS


@inline_kernel
@wrapping
def first_below(word, bound):
    """Return the number that `rng.below` makes of a word, and whether it might draw again."""
    product = (word >> _UPPER_HALF) * np.uint64(bound)
    return np.int64(product >> _UPPER_HALF), (product & rng.HALF) < np.uint64(bound)


@inline_kernel
def next_fraction(word0, word1, product):
    """Draw a fraction; return it, whether it might be one to be drawn again, and the stream."""
    word, word0, word1 = rng.step(word0, word1)
    fraction, again = fraction_of(word, product)
    return np.int64(fraction), again, word0, word1


@inline_kernel
def start_of_stream(rows, lane, seed, purpose):
    """Return the two words with which a stream of the round starts."""
    return rng.start_of(seed, np.uint64(rows[at.KEY, lane]), rows[at.ROUND, lane], purpose)


@kernel
def open_stream(work, column, seed, purpose, seat):
    """Open the streams for a purpose; they stand where those of a seat do."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        word0, word1 = start_of_stream(rows, lane, seed, purpose)
        rows[at.SEAT_WORD0 + (seat & 3), lane] = np.int64(word0)
        rows[at.SEAT_WORD1 + (seat & 3), lane] = np.int64(word1)


@kernel
def toss_and_draw(work, column, seed, players, drawn, more):
    """Toss the U&D card, and draw the fractions with which the cards are dealt.

    `more` is not empty if there are four piles to draw.
    """
    rows = work.rows
    product0, product1 = products_of(drawn[0])
    product2, product3 = products_of(drawn[1])
    product4, product5 = products_of(drawn[2])
    product6, product7 = products_of(drawn[3])
    for lane in lanes_from(column, LANES):
        word0, word1 = start_of_stream(rows, lane, seed, rng.DEAL)
        word, word0, word1 = rng.step(word0, word1)
        side, again = first_below(word, 2 * players)
        rows[at.FACE, lane], leader = toss(side)
        rows[at.LEADER, lane] = leader
        rows[at.FIRST_SEAT, lane] = (
            leader if rows[at.ROUND, lane] == 1 else rows[at.FIRST_SEAT, lane]
        )
        first = at.FRACTION
        rows[first, lane], again0, word0, word1 = next_fraction(word0, word1, product0)
        rows[first + 1, lane], again1, word0, word1 = next_fraction(word0, word1, product1)
        rows[first + 2, lane], again2, word0, word1 = next_fraction(word0, word1, product2)
        rows[first + 3, lane], again3, word0, word1 = next_fraction(word0, word1, product3)
        rows[first + 4, lane], again4, word0, word1 = next_fraction(word0, word1, product4)
        rows[first + 5, lane], again5, word0, word1 = next_fraction(word0, word1, product5)
        again |= again0 | again1 | again2 | again3 | again4 | again5
        if len(more) > 0:
            rows[first + 6, lane], again6, word0, word1 = next_fraction(word0, word1, product6)
            rows[first + 7, lane], again7, word0, word1 = next_fraction(word0, word1, product7)
            again |= again6 | again7
        rows[at.AGAIN, lane] |= np.int64(again)


@outer_kernel
def throw_all_dice(work, column, seed, throws):
    """Throw the dice so many times, a multiple of five."""
    open_stream(work, column, seed, rng.CHANCE, np.int64(0))
    for first in range(0, throws, 5):
        throw_dice(work, column, FIELD * first)


@kernel
def throw_dice(work, column, place):
    """Throw the dice five times; the throws stand in `THROWS` from a bit on."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        word0 = np.uint64(rows[at.SEAT_WORD0, lane])
        word1 = np.uint64(rows[at.SEAT_WORD1, lane])
        again = False
        throws = np.int64(0)
        for i in range(5):
            word, word0, word1 = rng.step(word0, word1)
            throw, rejected = first_below(word, 36)
            again |= rejected
            throws |= sum_of_dice(throw) << (FIELD * i)
        rows[at.SEAT_WORD0, lane] = np.int64(word0)
        rows[at.SEAT_WORD1, lane] = np.int64(word1)
        rows[at.THROWS, lane] = throws << place | (rows[at.THROWS, lane] if place > 0 else 0)
        rows[at.AGAIN, lane] |= np.int64(again)


@kernel
def leave_dice(work, column):
    """Throw no dice: nothing is trump [H2]."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        rows[at.THROWS, lane] = 0


@outer_kernel
def deal_hands(work, column, drawn, more):
    """Draw up to three piles, the last one first; for `more` see `draw_hand`."""
    clear_pile(work, column, 3)
    if drawn[2][0] > 0:
        deal_pile(work, column, drawn[2], (1, 1), (), more)
    else:
        clear_pile(work, column, 2)
    deal_pile(work, column, drawn[1], (1,), (1,), more)
    deal_pile(work, column, drawn[0], (), (1, 1), more)


@outer_kernel
def deal_usual_hands(work, column, drawn):
    """Draw three piles of hands by the rule text, or of as many cards."""
    if max(drawn[0][0], drawn[1][0]) <= _TWELVE:
        deal_hands(work, column, drawn, ())
    else:
        deal_hands(work, column, drawn, (1,))


@outer_kernel
def deal_few(work, column, drawn, more):
    """Draw the piles of small hands; for `more` see `draw_hand`."""
    if drawn[3][0] > 0:
        deal_four(work, column, drawn, more)
    else:
        deal_hands(work, column, drawn, more)


@outer_kernel
def deal_four(work, column, drawn, more):
    """Draw four piles; for `more` see `draw_hand`."""
    deal_pile(work, column, drawn[3], (1, 1, 1), (), more)
    deal_pile(work, column, drawn[2], (1, 1), (1,), more)
    deal_pile(work, column, drawn[1], (1,), (1, 1), more)
    deal_pile(work, column, drawn[0], (), (1, 1, 1), more)


@kernel
def clear_pile(work, column, pile):
    """Draw nothing for a pile."""
    rows = work.rows
    for lane in lanes_from(column, LANES):
        rows[at.HAND + (pile & 3), lane] = 0


@kernel
def deal_pile(work, column, drawn, before, later, more):
    """Draw a pile; as many as `before` is long come before it, as `later` are drawn already."""
    rows = work.rows
    here = at.HAND + len(before)
    fraction = at.FRACTION + 2 * len(before)
    for lane in lanes_from(column, LANES):
        fractions = rows[fraction, lane], rows[fraction + 1, lane]
        one = rows[here + 1, lane] if len(later) > 0 else 0
        two = rows[here + 2, lane] if len(later) > 1 else 0
        if len(later) > 2:
            all_later = one, two, rows[here + 3, lane]
            found, one, two, rows[here + 3, lane] = draw_hand(fractions, drawn, all_later, more)
        else:
            found, one, two = draw_hand(fractions, drawn, (one, two), more)
        rows[here, lane] = found
        if len(later) > 0:
            rows[here + 1, lane] = one
        if len(later) > 1:
            rows[here + 2, lane] = two


@kernel
def set_up(work, column, players, hand_size, shifts):
    """Give everybody a hand, as a card set, and set turn and first trump."""
    rows = work.rows
    shift0, shift1, shift2, shift3 = shifts
    for lane in lanes_from(column, LANES):
        pile = at.HAND
        piles = rows[pile, lane], rows[pile + 1, lane], rows[pile + 2, lane], rows[pile + 3, lane]
        hands = hands_of(piles, players, hand_size)
        for seat in range(SEATS):
            rows[at.HAND + seat, lane] = hands[seat]
        rows[at.TURN, lane] = of_seat(rows[at.LEADER, lane], shift0, shift1, shift2, shift3)
        rows[at.TRUMP, lane] = np.int64(1) << (rows[at.THROWS, lane] & _FIELD)
        rows[at.USED, lane] = FIELD
        rows[at.PLAYED, lane] = 0
