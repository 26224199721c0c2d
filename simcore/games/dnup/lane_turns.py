"""dnup: a turn in the lanes of vector registers, at random or by specs; see `lanes`.

The state of a lane is one column of the work space: hands and streams by seat, sets by place. The
functions for what a turn does are those of matches by themselves (`cards`, `moves`, `choice`), over
vectors.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.dnup.cards import (
    CHOOSE,
    LARGE,
    PATTERNS,
    are_alike,
    cards_of_value,
    hand_with,
    hand_without,
    is_large,
    row_of,
    value_of,
)
from simcore.games.dnup.choice import (
    NOBODY,
    SEAT_BITS,
    SEAT_MASK,
    action_by,
    cards_to_lay,
    rank,
    wariness,
)
from simcore.games.dnup.deck import MOST_PLAYERS, VALUES
from simcore.games.dnup.moves import (
    action_masks,
    count_actions,
    nth_of_each,
    parts_of,
    set_of_row,
)
from simcore.games.dnup.spec import PATIENCE, PATIENCE_BITS, UNTIL
from simcore.games.dnup.table import SECOND_AREA, TURN
from simcore.jit import inline_kernel
from simcore.lanes import work_dtype
from simcore.vectors import choose, largest, popcounts, some
from simcore.wide import (
    EIGHT,
    looked_up,
    lowest_of_each,
    one_of_eight,
    put_sixteen,
    sixteen_at,
    times,
)

UP, DOWN, ACTIVE, TURNED, WORD0, WORD1, CARDS, BIT = (MOST_PLAYERS * i for i in range(8))
"""First of the rows by seat: its hand, as in SEAT, and the two words of its stream, or of its spec;
and of those by place: the cards of the set, and its bit in a chart."""

LAID, PLACE, OUT, TURNS, BUSY, LEAVES, MATCH = range(8 * MOST_PLAYERS, 8 * MOST_PLAYERS + 7)
"""Rows of the whole lane: all sets that lie; the place that was on turn last; who is out, as in
`first_out`; actions; whether it has a match; why it must be looked after, which is 0 or more of the
bits below; and the number of its match in the block."""

PLAYED, ADDED, TAKEN, TURNS_OVER, BEATEN, LARGEST, DECISIONS, FORCED = range(MATCH + 1, MATCH + 9)
"""Rows of what is counted in a round."""

LANE_ROWS = MATCH + 9
WORK = work_dtype(LANE_ROWS)

EMPTIED, RETURNED, CAPPED, STUCK = 1, 2, 4, 8
"""The hand was emptied; that sent the own other set back; the cap is reached; the turn cannot be
taken here: a number would be drawn again, or by a spec in a long round, or there are `LARGE` cards
of a value."""

_PICKS = np.array(
    [sum(int(CHOOSE[of, count]) << EIGHT * count for count in range(LARGE)) for of in range(EIGHT)]
)
"""By number of cards: how many subsets of so many of them, eight bits each."""

_MOST_SUBSETS = PATTERNS.shape[2]
_SUBSETS = np.append(PATTERNS.astype(np.int64), np.zeros(EIGHT * _MOST_SUBSETS, np.int64))
"""The subsets, and as many zeros as a lane may look up that is stuck, with more cards."""


@inline_kernel
def take_turn(table, rows, at, by_specs):
    """Let the next place in each of sixteen lanes act; return whether a lane must be looked after.

    All act at random, or by their specs (`by_specs`). A lane that is stuck stays as it is at the
    start of the turn.
    """
    place, laid = next_turn(table, rows, at)
    seat = place & np.int64(table.seat_mask)
    hand, words = held_by(table, rows, at, seat)
    own = own_other(table, rows, at, place)
    plays, adds, takes = action_masks(table, hand[2], own, laid)
    choices = count_actions(table, plays, adds, takes)
    decides = choices > 1
    if by_specs:
        actions = plays, adds, takes
        move, words, again = choose_by_specs(table, rows, at, seat, hand, words, actions, decides)
        what, is_play, is_add, is_take = parts_of(move)
    else:
        index, words, again = draw(words, decides, choices)
        what, is_play, is_add, is_take = nth_of_each(table, plays, adds, takes, index)
    value = value_of(what)
    count = choose(is_play, row_of(what) + 1, choose(is_add, 1, 0))
    cards = cards_of_value(table, hand[0], hand[1], value)
    more = (count > 0) & (popcounts(cards) > count)
    picks = more & ~are_alike(table, cards) if table.twins else more
    if not by_specs:
        cards, words, drawn_again = pick(words, cards, picks, count)
        again = again | drawn_again
    elif some(more):
        those = choose(more, cards, 0), value, choose(more, count, 0)
        cards = choose(more, cards_to_lay(table, hand[3], *those), cards)

    busy = sixteen_at(rows, BUSY, at) != 0
    large = is_large(hand[2] | hand[3]) | (is_add & (row_of(what) == LARGE - 2))
    stuck = busy & (again | large)
    goes = busy & ~stuck
    is_play, is_add, is_take = is_play & goes, is_add & goes, is_take & goes
    is_laid = is_play | is_add
    cards = choose(is_laid, cards, 0)
    left = hand_without(table, hand, cards, value, choose(is_laid, count, 0))
    emptied = is_laid & ((left[0] | left[1]) == 0)
    is_turned = goes & ~(is_laid | is_take)
    hand = (
        choose(is_turned, left[1], left[0]),
        choose(is_turned, left[0], left[1]),
        choose(is_turned, left[3], left[2]),
        choose(is_turned, left[2], left[3]),
    )

    # Of the size that a set grows to [C11]; what is taken is found like what is beaten.
    row = row_of(what) + choose(is_add, 1, 0)
    gone = choose(goes, set_of_row(laid, row), 0)
    grown = choose(is_add, 1 << what, 0)
    bit = choose(is_laid, 1 << (what + choose(is_add, VALUES, 0)), 0)
    sets = (cards, bit, grown, gone)
    more, owner = move_sets(table, rows, at, sets, choose(is_play, place, -1))
    home = choose(is_take, seat, choose(is_laid, owner, -1))
    give(table, rows, at, (goes, seat, hand, words), home, more, gone)

    put_sixteen(rows, LAID, at, (laid & ~(gone | grown)) | bit)
    turns = sixteen_at(rows, TURNS, at) + choose(goes, 1, 0)
    put_sixteen(rows, TURNS, at, turns)
    add_one(rows, PLAYED, at, is_play)
    add_one(rows, ADDED, at, is_add)
    add_one(rows, TAKEN, at, is_take)
    add_one(rows, TURNS_OVER, at, is_turned)
    add_one(rows, BEATEN, at, is_laid & (gone != 0))
    add_one(rows, DECISIONS, at, goes & decides)
    add_one(rows, DECISIONS, at, goes & picks)
    add_one(rows, FORCED, at, goes & ~decides)
    most = largest(sixteen_at(rows, LARGEST, at), choose(is_laid, row + 1, 0))
    put_sixteen(rows, LARGEST, at, most)
    why = choose(emptied, choose(home == seat, EMPTIED | RETURNED, EMPTIED), 0)
    why = why | choose(goes & (turns >= table.turn_cap), CAPPED, choose(stuck, STUCK, 0))
    put_sixteen(rows, LEAVES, at, why)
    return some(why != 0)


@inline_kernel
def places_of(table):
    """Return how many places are in use."""
    return 2 * SECOND_AREA if table.players == 2 else table.players


@inline_kernel
def following(table, place):
    """Return the next place, as `next_place`."""
    if table.players == 2:
        return choose(place < SECOND_AREA, place + SECOND_AREA, SECOND_AREA + 1 - place)
    return choose(place == table.players - 1, 0, place + 1)


@inline_kernel
def next_turn(table, rows, at):
    """Give the turn to the next place, as `play.next_turn`; return it and the sets that lie."""
    passed = following(table, sixteen_at(rows, PLACE, at))
    is_out = passed == sixteen_at(rows, OUT, at)
    place = choose(is_out, following(table, passed), passed)
    put_sixteen(rows, PLACE, at, place)
    laid = sixteen_at(rows, LAID, at)
    for i in range(places_of(table)):
        bit = sixteen_at(rows, BIT + i, at)
        goes = (place == i) | (is_out & (passed == i))
        put_sixteen(rows, BIT + i, at, choose(goes, 0, bit))
        laid = laid & ~choose(goes, bit, 0)
    return place, laid


@inline_kernel
def own_other(table, rows, at, place):
    """Return the own set in the other area of two players, as a bit, as `moves.own_other`."""
    own = place & 0
    if table.players == 2:
        for i in range(places_of(table)):
            other = place == (i ^ SECOND_AREA)
            own = choose(other, sixteen_at(rows, BIT + i, at), own)
    return own


@inline_kernel
def held_by(table, rows, at, seat):
    """Return the hand of the seat on turn, and the words of its stream."""
    up = seat & 0
    down, active, turned, word0, word1 = up, up, up, up, up
    for i in range(table.players):
        on = seat == i
        up = choose(on, sixteen_at(rows, UP + i, at), up)
        down = choose(on, sixteen_at(rows, DOWN + i, at), down)
        active = choose(on, sixteen_at(rows, ACTIVE + i, at), active)
        turned = choose(on, sixteen_at(rows, TURNED + i, at), turned)
        word0 = choose(on, sixteen_at(rows, WORD0 + i, at), word0)
        word1 = choose(on, sixteen_at(rows, WORD1 + i, at), word1)
    return (up, down, active, turned), (word0, word1)


@inline_kernel
def choose_by_specs(table, rows, at, seat, hand, words, actions, decides):
    """Return the actions of seats by their specs, their words then, and where rounds are long."""
    habits = words[0]
    turns = sixteen_at(rows, TURNS, at)
    victim = habits & 0, habits & 0
    if some(wariness(habits) > 0):
        victim = fewest_of(table, rows, at, seat)
    move = action_by(words, hand, actions, turns >= habits >> UNTIL, victim)
    until = (turns + (table.players + 1)) << UNTIL | habits & (1 << UNTIL) - 1
    is_long = turns > times((habits >> PATIENCE) & PATIENCE_BITS, table.players)
    return move, (choose(decides & (move == TURN), until, habits), words[1]), is_long


@inline_kernel
def fewest_of(table, rows, at, own):
    """Return how many cards the opponent with the fewest has, and its sets; see `choice`."""
    best = own & 0 | NOBODY
    for i in range(table.players):
        count = popcounts(sixteen_at(rows, UP + i, at) | sixteen_at(rows, DOWN + i, at))
        best = 0 - largest(0 - best, 0 - rank(count, i, own))
    sets = own & 0
    for i in range(places_of(table)):
        theirs = best & SEAT_MASK == i & np.int64(table.seat_mask)
        sets = choose(theirs, sets | sixteen_at(rows, BIT + i, at), sets)
    return best >> SEAT_BITS, sets


@inline_kernel
def draw(words, which, bound):
    """Draw where the mask says so, as `rng.below`, else 0.

    Return also the words of the streams then, and where more would have to be drawn.
    """
    word, next0, next1 = rng.step_signed(words[0], words[1])
    product = times((word >> 32) & np.int64(rng.HALF), bound)
    again = which & ((product & np.int64(rng.HALF)) < bound)
    words = choose(which, next0, words[0]), choose(which, next1, words[1])
    return choose(which, product >> 32, 0), words, again


@inline_kernel
def pick(words, cards, picks, count):
    """Draw which of some cards leave the hand, where there is a choice (`picks`) [C26].

    Return them, the words then, and where more would have to be drawn.
    """
    of = popcounts(cards)
    subsets = (one_of_eight(_PICKS, of & (EIGHT - 1)) >> (EIGHT * count)) & ((1 << EIGHT) - 1)
    rank, words, again = draw(words, picks, choose(picks, subsets, 1))
    first = times(times(of & (EIGHT - 1), LARGE) + count, _MOST_SUBSETS)
    return lowest_of_each(looked_up(_SUBSETS, first + rank), cards, LARGE - 1), words, again


@inline_kernel
def move_sets(table, rows, at, sets, place):
    """Lay cards at a place (-1: none), or add them to a set, and remove one.

    `sets` are the cards, the bit of the set that they come to, that of the set that grows, and of
    the one that goes. Return the cards of this one, and whose it is, -1 if that seat is out.
    """
    cards, new, grown, gone = sets
    more = cards & 0
    owner = more - 1
    out = sixteen_at(rows, OUT, at)
    for i in range(places_of(table)):
        bit = sixteen_at(rows, BIT + i, at)
        lies = sixteen_at(rows, CARDS + i, at)
        goes = (bit & gone) != 0
        grows = (bit & grown) != 0
        here = place == i
        more = choose(goes, lies, more)
        owner = choose(goes & (out != i), i & np.int64(table.seat_mask), owner)
        put_sixteen(rows, BIT + i, at, choose(here | grows, new, bit & ~gone))
        put_sixteen(rows, CARDS + i, at, choose(here, cards, choose(grows, lies | cards, lies)))
    return more, owner


@inline_kernel
def give(table, rows, at, own, home, more, gone):
    """Let the seats on turn have their hands and words, and others, or they, cards of a set.

    `own` tells where there was a turn, and whose, and the hand and the words then; `more` are cards
    of the set `gone`, which go to the hand of the seat `home`, -1 for none.
    """
    goes, seat, hand, words = own
    up, down, active, turned = hand
    for i in range(table.players):
        theirs = (home == i) & (seat != i)
        up = choose(theirs, sixteen_at(rows, UP + i, at), up)
        down = choose(theirs, sixteen_at(rows, DOWN + i, at), down)
        active = choose(theirs, sixteen_at(rows, ACTIVE + i, at), active)
        turned = choose(theirs, sixteen_at(rows, TURNED + i, at), turned)
    value = value_of(popcounts((gone & (0 - gone)) - 1))
    larger, _ = hand_with(table, (up, down, active, turned), more, value, popcounts(more))
    for i in range(table.players):
        on = goes & (seat == i)
        comes = home == i
        change(rows, UP + i, at, on, hand[0], comes, larger[0])
        change(rows, DOWN + i, at, on, hand[1], comes, larger[1])
        change(rows, ACTIVE + i, at, on, hand[2], comes, larger[2])
        change(rows, TURNED + i, at, on, hand[3], comes, larger[3])
        put_sixteen(rows, WORD0 + i, at, choose(on, words[0], sixteen_at(rows, WORD0 + i, at)))
        put_sixteen(rows, WORD1 + i, at, choose(on, words[1], sixteen_at(rows, WORD1 + i, at)))


@inline_kernel
def change(rows, row, at, on, own, comes, larger):
    """Write a word of the hand on turn to a row where it is its own, or of one that grew."""
    put_sixteen(rows, row, at, choose(comes, larger, choose(on, own, sixteen_at(rows, row, at))))


@inline_kernel
def add_one(rows, row, at, which):
    """Count one where something happened."""
    put_sixteen(rows, row, at, sixteen_at(rows, row, at) + choose(which, 1, 0))
