"""UNO: one step of uniform random play in every lane, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. Everything here
is arithmetic on words: a branch would end the vectors. Masks are words of all or no bits.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.uno.cards import (
    COLOURED,
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    ONE_COLOUR,
    REVERSES,
    WILD_DRAW_FOUR,
    WILDS,
)
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE, nth_bit
from simcore.records import MAX_SEATS

HAND, DOUBLES, WORD0, WORD1 = (MAX_SEATS * i for i in range(4))
"""First of the rows by seat: the hand as a card set, the two words of the private stream."""

SEAT, PENDING, TURNS, REVERSALS, SIZE, CARD = range(40, 46)
PLAYABLE, COLOUR_CARDS, TOP, DISCARDS, DISCARD_DOUBLES = range(46, 51)
COUNTS, BLOCKED, BUSY = range(51, 54)
LANE_ROWS = 54

DRAW_FOUR = 1 << WILD_DRAW_FOUR
_FIRST = FIRST_OF_COLOURS
_DRAWN, _FOURS, _BLUFFS, _DOUBTS, _CAUGHT = 16, 32, 40, 48, 56
INNOCENT, BLUFF = -1, -2


@kernel
def take_steps(work, column, seats, players, skips, off, last, turn_cap):
    """Take steps in all lanes until one must be looked after; return which and why."""
    lanes = work.lanes
    stocks = work.stocks
    leaves = 0
    while leaves == 0:
        for lane in range(LANES):
            at = (column & (LINE - 1)) + lane
            lanes[CARD, at] = stocks[lane, np.uint32(lanes[SIZE, at])]
        for lane in range(LANES):
            why = take_step(
                lanes, (column & (LINE - 1)) + lane, seats, players, skips, off, last, turn_cap
            )
            leaves |= why << lane
    return leaves


@inline_kernel
@wrapping
def take_step(lanes, lane, seats, players, skips, off, last, turn_cap):
    """Take one step in a lane: a turn, the answer to a wild draw four, or a card that is drawn."""
    index = lanes[SEAT, lane]
    here = np.int64(1) << index
    pending = lanes[PENDING, lane]
    turns = lanes[TURNS, lane]
    size = lanes[SIZE, lane]
    card = lanes[CARD, lane]
    colour_cards = lanes[COLOUR_CARDS, lane]
    hand = pick(lanes, HAND, lane, here, seats)
    doubles = pick(lanes, DOUBLES, lane, here, seats)
    word0 = np.uint64(pick(lanes, WORD0, lane, here, seats))
    word1 = np.uint64(pick(lanes, WORD1, lane, here, seats))
    answers = pending >> 63
    forced = -pending >> 63
    plays = ~(answers | forced)

    # What may be laid, and which of it is chosen.
    holds = -np.int64((hand & colour_cards) != 0)
    blocked = DRAW_FOUR & holds & off
    may = lanes[PLAYABLE, lane] & ~blocked
    found = (hand & may) | DRAW_MOVE
    count = popcount(found)
    chooses = plays & ((1 - count) >> 63)
    word, next0, next1 = rng.step(word0, word1)
    product = (word >> np.uint64(32)) * np.uint64(count)
    again = -np.int64((product & rng.HALF) < np.uint64(count))
    move = np.int64(1) << nth_bit(found, np.int64(product >> np.uint64(32)))
    drawing = plays & -(move >> DRAW)
    doubt = answers & (np.int64(word) >> 63)

    # Whether the card drawn is laid.
    goes = drawing & -np.int64((card & may) != 0)
    uses = np.uint64(chooses | answers)
    word0 = (next0 & uses) | (word0 & ~uses)
    word1 = (next1 & uses) | (word1 & ~uses)
    word, next0, next1 = rng.step(word0, word1)
    lays = plays & (~drawing | (goes & ~(np.int64(word) >> 63)))
    uses = np.uint64(goes)
    word0 = (next0 & uses) | (word0 & ~uses)
    word1 = (next1 & uses) | (word1 & ~uses)

    # Whether the step can be taken at all.
    needs = drawing | forced
    cards = popcount(hand) + popcount(doubles) - drawing
    ends = lays & ((cards - last - 1) >> 63)
    stuck = plays & (ends | again | ((turn_cap - 1 - turns) >> 63))
    dry = needs & ~stuck & ((size - 1) >> 63)
    acts = ~(stuck | dry)
    plays &= acts
    needs &= acts
    lays &= acts
    goes &= acts
    chooses &= acts
    forced &= acts
    laid = (card & drawing) | (move & ~drawing)

    shut = blocked & ((hand & plays) | (card & drawing & plays))

    # The colour named.
    wild = lays & -np.int64((laid & WILDS) != 0)
    word, next0, next1 = rng.step(word0, word1)
    uses = np.uint64(wild)
    word0 = (next0 & uses) | (word0 & ~uses)
    word1 = (next1 & uses) | (word1 & ~uses)
    kind = popcount(laid - 1)
    colour = (kind * 79) >> 10
    face = (_FIRST << (kind - FACES * colour)) & ~wild
    colour = (np.int64(word >> np.uint64(62)) & wild) | (colour & ~wild)
    asked = np.int64(ONE_COLOUR) << (FACES * colour)
    lanes[COLOUR_CARDS, lane] = (asked & lays) | (colour_cards & ~lays)
    lanes[PLAYABLE, lane] = ((asked | face | WILDS) & lays) | (lanes[PLAYABLE, lane] & ~lays)
    top = lanes[TOP, lane]
    lanes[TOP, lane] = (laid & lays) | (top & ~lays)
    discards, discard_doubles = put_bit(
        lanes[DISCARDS, lane], lanes[DISCARD_DOUBLES, lane], top & lays
    )
    lanes[DISCARDS, lane] = discards
    lanes[DISCARD_DOUBLES, lane] = discard_doubles

    # The hand.
    hand, doubles = take_bit(hand, doubles, move & lays & ~drawing)
    hand, doubles = put_bit(hand, doubles, card & needs & ~lays)
    change(lanes, HAND, lane, here & acts, seats, hand)
    change(lanes, DOUBLES, lane, here & acts, seats, doubles)
    change(lanes, WORD0, lane, here & acts, seats, np.int64(word0))
    change(lanes, WORD1, lane, here & acts, seats, np.int64(word1))
    lanes[SIZE, lane] = size + needs

    # What the card does.
    skip = lays & -np.int64((laid & skips) != 0)
    two = lays & -np.int64((laid & DRAW_TWOS) != 0)
    four = lays & -np.int64((laid & DRAW_FOUR) != 0)
    bluff = four & holds
    caught = doubt & -np.int64(pending == BLUFF)
    innocent = doubt & ~caught
    done = forced & -np.int64(pending == 1)
    reversals = lanes[REVERSALS, lane] + np.int64((lays & laid & REVERSES) != 0)
    lanes[REVERSALS, lane] = reversals
    pending += forced
    answered = 4 + (innocent & 2)
    pending = (pending & ~answers) | (answered & answers)
    pending |= (two & 2) | (four & ((off & 4) | (~off & (INNOCENT + bluff))))
    lanes[PENDING, lane] = pending
    turns_on = acts & ((pending - 1) >> 63) & ~(pending >> 63)
    lanes[TURNS, lane] = turns - turns_on
    steps = caught - plays - skip - done
    back = -(reversals & 1)
    index += (steps ^ back) - back
    index += players & (index >> 63)
    index -= players & ~((index - players) >> 63)
    lanes[SEAT, lane] = index
    counts = chooses + ((goes + wild + answers) << _DRAWN) + (four << _FOURS)
    counts += (bluff << _BLUFFS) + (doubt << _DOUBTS) + (caught << _CAUGHT)
    lanes[COUNTS, lane] -= counts
    lanes[BLOCKED, lane] |= shut
    dry |= (-pending >> 63) & ((size + needs - 1) >> 63)
    return lanes[BUSY, lane] & ((dry & 1) | (stuck & (1 << LANES)))


@inline_kernel
def pick(lanes, first, lane, here, seats):
    """Return what stands in the rows from `first` on with the seat `index`."""
    chosen = np.int64(0)
    for seat in range(len(seats)):
        row = lanes[first + seat, lane]
        chosen = row if here & (1 << seat) else chosen
    return chosen


@inline_kernel
def change(lanes, first, lane, here, seats, word):
    """Write `word` to the row of the seat `index`, among those from `first` on."""
    for seat in range(len(seats)):
        row = lanes[first + seat, lane]
        lanes[first + seat, lane] = word if here & (1 << seat) else row


@inline_kernel
def put_bit(cards, doubles, bit):
    """Return a card set with one more card, or none, as `cards.put`."""
    second = cards & bit
    third = (second & doubles) << 2
    fourth = (third & doubles) << 2
    return cards | bit, doubles | second | third | fourth


@inline_kernel
def take_bit(cards, doubles, bit):
    """Return a card set without one of its cards, or as it is, as `cards.take` and `take_wild`."""
    wild = bit & ~COLOURED
    more = doubles & (bit | (wild << 2) | (wild << 4))
    return cards & ~(bit & ~more), doubles & ~(more & ~(more >> 2))
