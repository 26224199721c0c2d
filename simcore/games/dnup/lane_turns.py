"""dnup: a turn in the lanes of vector registers, at random or by habits; see `lanes`.

The state of a lane is one column of the work space. Places are counted from the one on turn, in the
order of turns: the *ring*. After every turn their rows move up by one, and the place that was on
turn comes last. With two players the cards of a hand may stand with either of the two places; who
is on turn gathers them.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.dnup.cards import (
    CHOOSE,
    COLUMN,
    LARGE,
    LARGE_ROW,
    PATTERNS,
    ROW,
    row_starts,
    words_by_value,
)
from simcore.games.dnup.choice import (
    choose,
    habits_after,
    least_useful,
    opponent_with_fewest,
    other_sides,
    saved_by_turning,
)
from simcore.games.dnup.deck import VALUES
from simcore.games.dnup.spec import UNTIL
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE, nth_bit

RING = 5
"""Most places in a ring."""

UP, DOWN, LOW, HIGH, BIT, WORD0, WORD1 = (RING * i for i in range(7))
"""First of the rows by place: the hand and the set, each as cards with the lower and the higher
value active; the bit of the set in a chart; the two words of the private stream. Where all play by
habits nothing is random, and the two words are those of the spec (`spec`)."""

TURNS, PLAYED, ADDED, TAKEN, BEATEN, FORCED, PICKS, LARGEST = range(35, 43)
LEAVES, AREA, START, MATCH = range(43, 47)
"""Rows of the whole lane: `LEAVES` says why it must be looked after; `AREA` is -1 in area 1 of two
players, else 0; `START` is the place on turn less the number of the turn, counted in the ring;
`MATCH` counts matches from the first of the block, -1 in an idle lane."""

LANE_ROWS = 47

EMPTIED, RETURNED, CAPPED, STUCK = 1, 2, 4, 8
"""In `LEAVES`: the hand was emptied; that sent the own other set back; the cap is reached; the turn
could not be taken."""

_FULL = ROW * COLUMN
_INDEX = 8


def _subsets() -> tuple[np.ndarray, np.ndarray]:
    picks = np.zeros(_INDEX * _INDEX, dtype=np.int64)
    subsets: list[int] = []
    for of in range(LARGE):
        for count in range(of + 1):
            number = int(CHOOSE[of, count])
            picks[_INDEX * of + count] = len(subsets) << _INDEX | number
            subsets += [int(pattern) for pattern in PATTERNS[of, count, :number]]
    return picks, np.array(subsets, dtype=np.int64)


_PICKS, _SUBSETS = _subsets()
"""By `_INDEX` times the number of cards plus that of those chosen: how many subsets, and from bit
`_INDEX` on the number of the first of them in `_SUBSETS`."""


@inline_kernel
def ring_size(players):
    """Return the number of places in the ring."""
    return 4 if players == 2 else players


@kernel
def take_turns(work, column, table, twins, specified, long_after):
    """Let all lanes take turns until one must be looked after; return how many.

    `specified` is a tuple of which only the length counts: 0 for random play, 1 where all play by
    habits; what the other needs is not even compiled. So they only do for `long_after` actions.
    """
    low = words_by_value(table.low)
    high = words_by_value(table.high)
    deck = (low, high, twins)
    lanes = work[0].rows
    # Compiled for each size of the ring: what is beyond it costs nothing.
    caps = (table.turn_cap, long_after)
    if table.players == 3:
        return take_turns_in_ring(lanes, column, deck, caps, 3, 0, specified)
    if table.players == 5:
        return take_turns_in_ring(lanes, column, deck, caps, 5, 0, specified)
    two = -np.int64(table.players == 2)
    return take_turns_in_ring(lanes, column, deck, caps, 4, two, specified)


@inline_kernel
def take_turns_in_ring(lanes, column, deck, caps, size, two, specified):
    """Let all lanes take turns as `take_turns` does, in a ring of so many places."""
    turns = 0
    leaves = 0
    while leaves == 0:
        turns += 1
        for offset in range(LANES):
            lane = (column & (LINE - 1)) + offset
            leaves |= take_turn(lanes, lane, deck, caps, size, two, specified)
    return turns


@inline_kernel
@wrapping
def take_turn(lanes, lane, deck, caps, size, two, specified):
    """Let the place on turn in a lane act; return whether, and why, the lane leaves.

    It leaves when a hand was emptied or the round has had its cap of actions; and, without having
    acted, at large sets, when a random number would have to be drawn again, or when habits do not
    do. Nothing is done for a seat without cards, which is out, or in an idle lane. Everything here
    is arithmetic on numbers and truth values: a branch would end the vectors.
    """
    low, high, twins = deck
    turn_cap, long_after = caps
    area = lanes[AREA, lane]
    # With two players, which of the other places is the own other area.
    own1 = two & area
    own3 = two & ~area
    lanes[AREA, lane] = ~area
    up = gathered(lanes, lane, UP, own1, own3)
    down = gathered(lanes, lane, DOWN, own1, own3)
    word0 = np.uint64(gathered(lanes, lane, WORD0, own1, own3))
    word1 = np.uint64(gathered(lanes, lane, WORD1, own1, own3))
    bit1 = lanes[BIT + 1, lane]
    bit2 = lanes[BIT + 2, lane]
    bit3 = lanes[BIT + 3, lane] if size > 3 else np.int64(0)
    bit4 = lanes[BIT + 4, lane] if size > 4 else np.int64(0)
    laid = bit1 | bit2 | bit3 | bit4

    # The legal actions, as in `moves.action_masks`; the own set is discarded.
    active = chart_in_lane(up, down, low, high)
    beaten = (laid << 1) - row_starts(laid)
    takes = laid & ~((bit1 & own1) | (bit3 & own3))
    plays = active & ~beaten
    adds = takes & ((active & ROW) * COLUMN) & ~(beaten >> VALUES)
    first_add = popcount(plays) + 1
    first_take = first_add + popcount(adds)
    choices = first_take + popcount(takes)

    draws = choices > 1
    turns = lanes[TURNS, lane]
    again = False
    next0, next1 = word0, word1
    if len(specified) > 0:
        # One of them, as policies choose it.
        counts = (
            popcount((lanes[UP + 1, lane] | lanes[DOWN + 1, lane]) & ~own1),
            popcount(lanes[UP + 2, lane] | lanes[DOWN + 2, lane]),
            popcount((lanes[UP + 3, lane] | lanes[DOWN + 3, lane]) & ~own3),
            popcount(lanes[UP + 4, lane] | lanes[DOWN + 4, lane]),
        )
        theirs = (
            lanes[WORD0 + 1, lane],
            lanes[WORD0 + 2, lane],
            lanes[WORD0 + 3, lane],
            lanes[WORD0 + 4, lane],
        )
        bits = (bit1, bit2, bit3, bit4)
        victim = opponent_with_fewest(counts, theirs, bits, size, two, takes)
        others = other_sides(up, down, low, high)
        saved = saved_by_turning(others, active)
        habits = np.int64(word0)
        card = np.int64(word1).view(np.float64)
        may_turn = turns >= habits >> UNTIL
        hand = up | down
        place, is_play, is_add, is_take = choose(
            habits, card, hand, active, plays, adds, takes, saved, victim, may_turn, False
        )
    else:
        # One of them, as `rng.below` and `moves.nth_action` choose it.
        word, next0, next1 = rng.step(word0, word1)
        next0 = next0 if draws else word0
        next1 = next1 if draws else word1
        product = (word >> np.uint64(32)) * np.uint64(choices)
        again = draws & ((product & rng.HALF) < np.uint64(choices))
        index = np.int64(product >> np.uint64(32)) if draws else 0
        is_play = index < first_add - 1
        is_take = index >= first_take
        is_add = (index >= first_add) & (not is_take)
        start = 0 if is_play else (first_take if is_take else first_add)
        masks = plays if is_play else (takes if is_take else adds)
        place = nth_bit(masks, index - start)
    row = (place * 57) >> 9  # By VALUES: exact below 64.
    value = place - VALUES * row + 1

    # The cards laid, as in `rounds.act`.
    cards = cards_in_lane(up, down, low, high, value)
    of = popcount(cards)
    count = row + 1 if is_play else np.int64(is_add)
    run = (twins & -(cards & -cards)) + (cards & -cards)
    alike = cards < 2 * (run & -run)
    pick = (count > 0) & (count < of) & (not alike)
    last0, last1 = next0, next1
    if len(specified) > 0:
        chosen, same, wanted = least_useful(others, cards, count)
        cards = chosen | deposit((np.int64(1) << wanted) - 1, same)
        again = turns > long_after
        is_turned = draws & (not (is_play | is_add | is_take))
        players = size + 2 * two
        last0 = np.uint64(habits_after(habits, is_turned, turns, players))
    else:
        subsets = _PICKS[_INDEX * (of & 7) + (count & 7)]
        number = np.uint64(subsets & 255)
        word, last0, last1 = rng.step(next0, next1)
        last0 = last0 if pick else next0
        last1 = last1 if pick else next1
        product = (word >> np.uint64(32)) * number
        again |= pick & ((product & rng.HALF) < number)
        rank = np.int64(product >> np.uint64(32)) if pick else 0
        pattern = _SUBSETS[np.uint64((subsets >> _INDEX) + rank)]
        cards = deposit(pattern, cards)

    # Whether the turn can be taken at all.
    set_size = row + 1 + np.int64(is_add)
    holds = (up | down) != 0
    stuck = holds & (again | ((active >> LARGE_ROW) != 0) | (is_add & (set_size >= LARGE)))
    goes = -np.int64(holds & (not stuck))
    playing = goes & -np.int64(is_play)
    adding = goes & -np.int64(is_add)
    taking = goes & -np.int64(is_take)
    laying = playing | adding
    turning = goes & ~laying & ~taking
    cards &= laying
    word0 = last0 if goes else word0
    word1 = last1 if goes else word1
    what = (np.int64(1) << place) & ~turning & goes
    bit = (what << (VALUES & adding)) & laying
    rivals = ((np.int64(ROW) << (VALUES * row)) << (VALUES & adding)) & laying

    # The hand, before sets come to it.
    laid_up = up & cards
    laid_down = down & cards
    up ^= laid_up
    down ^= laid_down
    emptied = laying & -np.int64((up | down) == 0)
    change = (up ^ down) & turning
    up ^= change
    down ^= change

    # The sets: the own one, and those of others, which may grow, be taken or be sent back.
    grown = (what & adding, laid_up, laid_down, bit)
    taken = what & taking
    up1, down1, low1, high1, bit1, take_up1, take_down1, back1 = meet(
        lanes, lane, 1, bit1, grown, taken, rivals, own1, two
    )
    up2, down2, low2, high2, bit2, take_up2, take_down2, back2 = meet(
        lanes, lane, 2, bit2, grown, taken, rivals, 0, two
    )
    up3, down3, low3, high3, bit3, take_up3, take_down3, back3 = meet(
        lanes, lane, 3, bit3, grown, taken, rivals, own3, two
    )
    up4, down4, low4, high4, bit4, take_up4, take_down4, back4 = meet(
        lanes, lane, 4, bit4, grown, taken, rivals, 0, two
    )
    up |= take_up1 | take_up2 | take_up3 | take_up4
    down |= take_down1 | take_down2 | take_down3 | take_down4

    turns -= goes
    lanes[TURNS, lane] = turns
    lanes[PLAYED, lane] -= playing
    lanes[ADDED, lane] -= adding
    lanes[TAKEN, lane] -= taking
    lanes[BEATEN, lane] -= back1 | back2 | back3 | back4
    lanes[FORCED, lane] += goes & np.int64(not draws)
    lanes[PICKS, lane] += goes & np.int64(pick)
    lanes[LARGEST, lane] = max(lanes[LARGEST, lane], set_size & laying)
    returned = ((back1 & own1) | (back3 & own3)) & emptied
    capped = goes & -np.int64(turns >= turn_cap)
    leaves = (
        (emptied & EMPTIED) | (returned & RETURNED) | (capped & CAPPED) | (-np.int64(stuck) & STUCK)
    )
    lanes[LEAVES, lane] = leaves
    move_up(lanes, lane, UP, (up1, up2, up3, up4), up, size)
    move_up(lanes, lane, DOWN, (down1, down2, down3, down4), down, size)
    move_up(lanes, lane, LOW, (low1, low2, low3, low4), laid_up & playing, size)
    move_up(lanes, lane, HIGH, (high1, high2, high3, high4), laid_down & playing, size)
    move_up(lanes, lane, BIT, (bit1, bit2, bit3, bit4), bit & playing, size)
    move_words(lanes, lane, WORD0, np.int64(word0), own1, own3, size)
    move_words(lanes, lane, WORD1, np.int64(word1), own1, own3, size)
    return leaves


@inline_kernel
def gathered(lanes, lane, first, own1, own3):
    """Return what stands in the rows from `first` on with the place on turn, and its other area."""
    return lanes[first, lane] | (lanes[first + 1, lane] & own1) | (lanes[first + 3, lane] & own3)


@inline_kernel
def meet(lanes, lane, i, bit, grown, taken, rivals, own, two):
    """Return place number `i` as it is after an action of another.

    Hand and set come first, then what goes to the hand of the place on turn, and whether the set
    is beaten. `grown` is the bit of the set that grows, and by which cards to which bit; `taken` is
    the bit of the set that is taken, `rivals` are those of sets that are beaten.
    """
    what, more_low, more_high, new_bit = grown
    low = lanes[LOW + i, lane]
    high = lanes[HIGH + i, lane]
    up = lanes[UP + i, lane] & ~own
    down = lanes[DOWN + i, lane] & ~own
    grows = -np.int64((bit & what) != 0)
    goes = -np.int64((bit & taken) != 0)
    back = -np.int64((bit & rivals) != 0)
    # Nothing comes back to a seat without cards: it is out.
    home = back & (two | -np.int64((up | down) != 0))
    stays = ~(goes | back)
    return (
        up | (high & home),
        down | (low & home),
        (low & stays) | (more_low & grows),
        (high & stays) | (more_high & grows),
        (bit & stays & ~grows) | (new_bit & grows),
        high & goes,
        low & goes,
        back,
    )


@inline_kernel
def move_up(lanes, lane, first, others, own, size):
    """Write the rows of the other places one up, and that of the place on turn as the last one.

    What stands beyond the ring, of `size` places, is 0.
    """
    one, two, three, four = others
    lanes[first, lane] = one
    lanes[first + 1, lane] = two
    lanes[first + 2, lane] = three if size > 3 else own
    if size > 3:
        lanes[first + 3, lane] = four if size > 4 else own
    if size > 4:
        lanes[first + 4, lane] = own


@inline_kernel
def move_words(lanes, lane, first, own, own1, own3, size):
    """Write the rows of a word of the streams one up; see `move_up`."""
    one = lanes[first + 1, lane] & ~own1
    two = lanes[first + 2, lane]
    three = lanes[first + 3, lane] & ~own3
    four = lanes[first + 4, lane]
    move_up(lanes, lane, first, (one, two, three, four), own, size)


@inline_kernel
def chart_in_lane(up, down, low, high):
    """Return the chart of a hand, as `cards.chart_of`."""
    above = column_above(up, down, low[0], high[0], 0)
    above |= column_above(up, down, low[1], high[1], 1)
    above |= column_above(up, down, low[2], high[2], 2)
    above |= column_above(up, down, low[3], high[3], 3)
    above |= column_above(up, down, low[4], high[4], 4)
    above |= column_above(up, down, low[5], high[5], 5)
    above |= column_above(up, down, low[6], high[6], 6)
    above |= column_above(up, down, low[7], high[7], 7)
    above |= column_above(up, down, low[8], high[8], 8)
    return _FULL & ~above


@inline_kernel
def column_above(up, down, low, high, column):
    """Return the column of a value in a chart, from the number of its cards in a hand on."""
    count = popcount((up & low) | (down & high))
    return np.int64(COLUMN << column) << min(VALUES * count, 63)


@inline_kernel
def cards_in_lane(up, down, low, high, value):
    """Return the cards of a hand whose active value is `value`, as `cards.active_cards`."""
    return (up & word_of(low, value)) | (down & word_of(high, value))


@inline_kernel
def word_of(words, value):
    """Return the word of a value, 1 to 9."""
    word = words[0] & -np.int64(value == 1)
    word |= words[1] & -np.int64(value == 2)
    word |= words[2] & -np.int64(value == 3)
    word |= words[3] & -np.int64(value == 4)
    word |= words[4] & -np.int64(value == 5)
    word |= words[5] & -np.int64(value == 6)
    word |= words[6] & -np.int64(value == 7)
    word |= words[7] & -np.int64(value == 8)
    return word | words[8] & -np.int64(value == 9)


@inline_kernel
def deposit(pattern, word):
    """Return those of the first six set bits of `word` whose number is a set bit of `pattern`."""
    chosen = np.int64(0)
    for number in range(LARGE - 1):
        bit = word & -word
        word ^= bit
        chosen |= bit & -((pattern >> number) & 1)
    return chosen
