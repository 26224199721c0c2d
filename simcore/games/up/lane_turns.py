"""Up: a turn of uniform random play in the lanes of vector registers; see `lanes`.

The state of a lane is one column of the work space. Seats are counted
from the one on turn: when the turn passes, the rows of the seats move up by one.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up.cards import CLEAR, HIGHEST, MINUS_TWO, MINUS_TWOS
from simcore.jit import inline_kernel, kernel
from simcore.lanes import LANES, LINE, blend, nth_bit

SEATS = 4
"""Most seats in a lane."""

HAND, OPEN, HIDDEN, WORD0, WORD1 = (SEATS * i for i in range(5))
"""First of the rows by seat: hand and open cards; the hidden cards, see `HIDDEN_COUNT`; the two
words of the private stream."""

(CAP, TOWER, SEAT, PLAYS, DECISIONS, COLLAPSES, CLEARS, MINUS_TWOS_LAID) = range(20, 28)
BLIND_PLAYS, LARGEST_PICKUP, NOTES, LEAVES, MATCH, ONE = range(28, 34)
"""Rows of the whole lane: `SEAT` is the one on turn; `LEAVES` is 1 when the lane must be looked
after; `MATCH` counts matches from the first of the block, -1 in an idle lane."""

LANE_ROWS = 34

HIDDEN_COUNT = 32
"""In `HIDDEN`: a byte for each hidden card, from this bit on their number, and `FIRST_TURN`."""

FIRST_TURN = 1 << 40
SEVERAL_AT_FIRST, BLIND_FINISH = 1, 2
"""In `NOTES`."""

_ONES = sum(1 << 4 * kind for kind in range(MINUS_TWO))
BYTE = 255


@kernel
def take_turns(work, column, players, play_cap):
    """Let all lanes, from `column` on, take turns until one must be looked after."""
    lanes = work[0].rows
    leaves = 0
    while leaves == 0:
        for lane in range(LANES):
            leaves |= take_turn(lanes, (column & (LINE - 1)) + lane, players, play_cap)


@inline_kernel
def take_turn(lanes, lane, players, play_cap):
    """Let the seat on turn in a lane play, at random; return whether the lane leaves.

    It leaves when its round is over or has had its cap of plays; and before a turn without a legal
    move, or one whose random number would have to be drawn again. Everything here is arithmetic on
    numbers and truth values: a branch would end the vectors.
    """
    hand = lanes[HAND, lane]
    open_cards = lanes[OPEN, lane]
    hidden = lanes[HIDDEN, lane]
    cap = lanes[CAP, lane]
    tower = lanes[TOWER, lane]
    highest = HIGHEST if cap == 0 else cap
    first_turn = (hidden & FIRST_TURN) != 0
    down = (hidden >> HIDDEN_COUNT) & BYTE

    # The moves, as `moves.find_play_moves` finds them.
    heavier = np.int64(16) << (4 * highest)
    layable = (heavier - 1) & ~15
    single = (_ONES & ~(heavier - 1)) | 1
    minus_twos = 0 if cap == 0 else max(1, (cap - 1) >> 1)
    hand_moves = moves_in(hand, layable, single, minus_twos)
    open_moves = 0 if first_turn else moves_in(open_cards, layable, single, minus_twos)
    may_turn_up = (not first_turn) & (open_cards == 0) & (down > 0)
    from_hand = popcount(hand_moves)
    count = from_hand + popcount(open_moves) + may_turn_up

    # One of them, as `rng.below` and `moves.nth_play_move` choose it.
    word0 = np.uint64(lanes[WORD0, lane])
    word1 = np.uint64(lanes[WORD1, lane])
    word, next0, next1 = rng.step(word0, word1)
    product = (word >> np.uint64(32)) * np.uint64(count)
    chosen = count > 1
    goes = (count > 0) & ((not chosen) | ((product & rng.HALF) >= np.uint64(count)))
    draws = chosen & goes
    word0 = next0 if draws else word0
    word1 = next1 if draws else word1
    index = np.int64(product >> np.uint64(32)) if chosen else 0
    by_hand = index < from_hand
    moves = hand_moves if by_hand else open_moves
    blind = goes & (moves == 0)
    top = (hidden >> (8 * ((down - 1) & 3))) & BYTE
    card = top if blind else nth_bit(moves, index if by_hand else index - from_hand)

    # What it does, as in `play.apply_play`.
    kind = card >> 2
    field = np.int64(15) << (card & ~3)
    source = hand if by_hand else open_cards
    source = np.int64(1) << card if blind else source
    stays = goes & (kind >= 1) & (kind <= highest)
    lowers = goes & (kind == MINUS_TWO)
    clears = goes & (kind == CLEAR)
    same = source & field
    laid = same & ((np.int64(2) << card) - 1) if stays | lowers else same & -same
    laid = laid if goes else 0
    size = popcount(laid)
    left = down - blind
    finishes_blind = lowers & blind & (hand == 0) & (left == 0)
    takes_back = lowers & blind & (cap == 0) & (not finishes_blind)
    lower = cap - 2 * size
    lowers = lowers & (not finishes_blind) & (not takes_back) & (lower >= 1)
    keeps = stays | lowers
    stops = clears | finishes_blind | takes_back
    collapses = goes & (not keeps) & (not stops)
    whole = tower | laid
    hand ^= laid if by_hand else 0
    hand |= whole if collapses else 0
    hand |= laid if takes_back else 0
    open_cards ^= laid if (not by_hand) & (not blind) else 0
    hidden -= np.int64(1) << HIDDEN_COUNT if blind else 0
    hidden &= ~FIRST_TURN if keeps else -1
    out = goes & (hand == 0) & (open_cards == 0) & (left == 0)

    plays = lanes[PLAYS, lane] + goes
    pickup = popcount(whole) if collapses else 0
    notes = SEVERAL_AT_FIRST if first_turn & (size > 1) else 0
    notes |= BLIND_FINISH if finishes_blind else 0
    lanes[CAP, lane] = (kind if stays else lower) if keeps else (0 if goes else cap)
    lanes[TOWER, lane] = 0 if collapses | stops else whole
    lanes[PLAYS, lane] = plays
    lanes[DECISIONS, lane] += draws
    lanes[COLLAPSES, lane] += collapses
    lanes[CLEARS, lane] += clears
    lanes[MINUS_TWOS_LAID, lane] += size if lowers else finishes_blind & (cap > 0)
    lanes[BLIND_PLAYS, lane] += blind
    lanes[LARGEST_PICKUP, lane] = max(lanes[LARGEST_PICKUP, lane], pickup)
    lanes[NOTES, lane] |= notes
    leaves = (lanes[MATCH, lane] >= 0) & (out | (not goes) | (plays >= play_cap))
    lanes[LEAVES, lane] = leaves

    passes = ~(np.int64(keeps) - lanes[ONE, lane])
    three = -np.int64(players > 2)
    four = -np.int64(players > 3)
    seat = lanes[SEAT, lane]
    following = 0 if seat + 1 == players else seat + 1
    lanes[SEAT, lane] = blend(passes, following, seat)
    pass_turn(lanes, lane, HAND, hand, passes, three, four)
    pass_turn(lanes, lane, OPEN, open_cards, passes, three, four)
    pass_turn(lanes, lane, HIDDEN, hidden, passes, three, four)
    pass_turn(lanes, lane, WORD0, np.int64(word0), passes, three, four)
    pass_turn(lanes, lane, WORD1, np.int64(word1), passes, three, four)
    return np.int64(leaves)


@inline_kernel
def pass_turn(lanes, lane, row, own, passes, three, four):
    """Write what the seat on turn has now to its row, or to the last one when the turn passes.

    `passes` and the last two, whether there are three and four seats, are masks of all bits or of
    none: of truth values the compiler would make masked stores, which the next load waits for.
    """
    second = lanes[row + 1, lane]
    third = lanes[row + 2, lane]
    fourth = lanes[row + 3, lane]
    lanes[row, lane] = blend(passes, second, own)
    lanes[row + 1, lane] = blend(passes, blend(three, third, own), second)
    lanes[row + 2, lane] = blend(passes, blend(four, fourth, own), third)
    lanes[row + 3, lane] = blend(passes, own, fourth)


@inline_kernel
def moves_in(cards, layable, single, minus_twos):
    """Return the cards up to which a player may lay, as in `cards.moves_in`.

    `minus_twos` is how many "-2" may be laid at most (more than four count as four).
    """
    flags = cards | (cards >> 1)
    rest = cards & MINUS_TWOS
    lowest = rest
    rest &= rest - 1 if minus_twos > 0 else -1
    rest &= rest - 1 if minus_twos > 1 else -1
    rest &= rest - 1 if minus_twos > 2 else -1
    rest = 0 if minus_twos > 3 else rest
    return (cards & layable) | ((flags | (flags >> 2)) & single) | (lowest ^ rest)
