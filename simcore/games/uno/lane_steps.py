"""UNO: one step of uniform random play in many lanes at once, in vector registers.

See `lanes`, which prepares the lanes and looks after those that leave the ordinary. A step is a
turn with the naming of a colour, or the answer to a wild draw four, or one card that a seat is made
to draw. Everything here is arithmetic on words, because a branch would end the vectors: truth
values are masks, words of all or of no bits (so that to subtract one is to count it).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.uno.cards import (
    DRAW_TWOS,
    FACES,
    FIRST_OF_COLOURS,
    KINDS,
    ONE_COLOUR,
    REVERSES,
    WILD_DRAW_FOUR,
    WILDS,
)
from simcore.games.uno.play import DRAW_FOUR_CARDS, DRAW_TWO_CARDS, LOST_CHALLENGE_CARDS
from simcore.games.uno.table import DRAW, DRAW_MOVE
from simcore.jit import inline_kernel, kernel, wrapping
from simcore.lanes import LANES, LINE, blend, nth_bit
from simcore.records import MAX_SEATS

HAND, DOUBLES, WORD0, WORD1 = (MAX_SEATS * i for i in range(4))
"""First of the rows by seat: the hand as a card set, the two words of the private stream."""

SEAT, PENDING, TURNS, REVERSALS, SIZE, CARD = range(40, 46)
PLAYABLE, COLOUR_CARDS, TOP, DISCARDS, DISCARD_DOUBLES = range(46, 51)
COUNTS, BLOCKED, BUSY = range(51, 54)
LANE_ROWS = 54
"""Rows of the whole lane.

The seat on turn; how many cards it is still made to draw, `INNOCENT` or `BLUFF` when it is to
answer such a wild draw four, 0 in an ordinary turn; turns and reversals of the round; how many
cards the stock has, and the kind of the next. What may be laid, the cards of the colour asked for,
the card on top as its bit, and those below as a card set. Counts (see `COUNT_SHIFTS`); the wild
draw fours that could not be laid; a mask, whether the lane has a match."""

COUNT_SHIFTS = OTHERS, FOURS, BLUFFS, DOUBTS, CAUGHT = 16, 32, 40, 48, 56
"""Where in `COUNTS` stand other decisions than what to do in a turn, which stand first; wild draw
fours laid, and those illegally; challenges, and those won."""

INNOCENT, BLUFF = -1, -2

BLANK = 63
"""In a stock, instead of a kind: who draws it draws nothing."""

_ALL_KINDS = (1 << KINDS) - 1
_DRAW_FOUR = 1 << WILD_DRAW_FOUR
_FACES_PER_1024 = 79
"""So that a kind below 64 times this, divided by 1024, is divided by `FACES`."""


@kernel
def take_steps(work, column, group, seats, players, skips, no_bluffs, last, turn_cap):
    """Take a step in all lanes of a group.

    Parameters
    ----------
    work : record
        See `lanes.WORK`; modified in place.
    column, group : int
        The first column of all lanes, and the first lane of the group.
    seats : tuple
        Only its length counts: how many seats this function is compiled for.
    players, skips, turn_cap : int
        As in TABLE.
    no_bluffs : int
        A mask: whether a wild draw four may be laid only when it is legal.
    last : int
        Who lays one of so many cards is looked after.

    Returns
    -------
    int
        A bit for each lane that drew no card because there was none, or that is to draw and there
        is none; and above these one for each whose turn is out of the ordinary and was not taken.
    """
    lanes = work.lanes
    stocks = work.stocks
    start = (column & (LINE - 1)) + (group & LANES)
    for lane in range(LANES):
        size = np.uint32(lanes[SIZE, start + lane])
        lanes[CARD, start + lane] = stocks[(group & LANES) + lane, size]
    leaves = 0
    for lane in range(LANES):
        why = take_step(lanes, start + lane, seats, players, skips, no_bluffs, last, turn_cap)
        leaves |= why << lane
    return leaves


@inline_kernel
@wrapping
def take_step(lanes, lane, seats, players, skips, no_bluffs, last, turn_cap):
    """Take one step in a lane; see `take_steps`."""
    index = lanes[SEAT, lane]
    here = np.int64(1) << index
    pending = lanes[PENDING, lane]
    turns = lanes[TURNS, lane]
    size = lanes[SIZE, lane]
    card = (np.int64(1) << lanes[CARD, lane]) & _ALL_KINDS
    colour_cards = lanes[COLOUR_CARDS, lane]
    playable = lanes[PLAYABLE, lane]
    top = lanes[TOP, lane]
    hand = pick(lanes, HAND, lane, here, seats)
    doubles = pick(lanes, DOUBLES, lane, here, seats)
    word0 = np.uint64(pick(lanes, WORD0, lane, here, seats))
    word1 = np.uint64(pick(lanes, WORD1, lane, here, seats))
    answers = pending >> 63
    forced = -pending >> 63
    plays = ~(answers | forced)

    # What may be laid, as in `moves.playable_cards`, and which of it is chosen.
    holds = -np.int64((hand & colour_cards) != 0)
    blocked = _DRAW_FOUR & holds & no_bluffs
    may = playable & ~blocked
    found = (hand & may) | DRAW_MOVE
    count = popcount(found)
    chooses = plays & ((1 - count) >> 63)
    word, next0, next1 = rng.step(word0, word1)
    product = (word >> np.uint64(32)) * np.uint64(count)
    again = -np.int64((product & rng.HALF) < np.uint64(count))  # `rng.below` might draw again.
    move = np.int64(1) << nth_bit(found, np.int64(product >> np.uint64(32)))
    draws = plays & -(move >> DRAW)
    doubt = answers & (np.int64(word) >> 63)
    word0 = blend(np.uint64(chooses | answers), next0, word0)
    word1 = blend(np.uint64(chooses | answers), next1, word1)

    # Whether the card drawn is laid.
    goes = draws & -np.int64((card & may) != 0)
    word, next0, next1 = rng.step(word0, word1)
    lays = plays & (~draws | (goes & ~(np.int64(word) >> 63)))
    word0 = blend(np.uint64(goes), next0, word0)
    word1 = blend(np.uint64(goes), next1, word1)

    # Whether the step can be taken at all.
    needs = draws | forced
    cards = popcount(hand) + popcount(doubles) - draws
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
    shut = blocked & plays & (hand | (card & draws))
    laid = blend(draws, card, move)

    # What lies on top then, with the colour named.
    wild = lays & -np.int64((laid & WILDS) != 0)
    word, next0, next1 = rng.step(word0, word1)
    word0 = blend(np.uint64(wild), next0, word0)
    word1 = blend(np.uint64(wild), next1, word1)
    kind = popcount(laid - 1)
    colour = (kind * _FACES_PER_1024) >> 10
    same_face = (FIRST_OF_COLOURS << (kind - FACES * colour)) & ~wild
    colour = blend(wild, np.int64(word >> np.uint64(62)), colour)
    same_colour = np.int64(ONE_COLOUR) << (FACES * colour)
    lanes[COLOUR_CARDS, lane] = blend(lays, same_colour, colour_cards)
    lanes[PLAYABLE, lane] = blend(lays, same_colour | same_face | WILDS, playable)
    lanes[TOP, lane] = blend(lays, laid, top)
    pile, pile_doubles = put_bit(lanes[DISCARDS, lane], lanes[DISCARD_DOUBLES, lane], top & lays)
    lanes[DISCARDS, lane] = pile
    lanes[DISCARD_DOUBLES, lane] = pile_doubles

    # The seat.
    hand, doubles = take_bit(hand, doubles, move & lays & ~draws)
    hand, doubles = put_bit(hand, doubles, card & needs & ~lays)
    here &= acts
    change(lanes, HAND, lane, here, seats, hand)
    change(lanes, DOUBLES, lane, here, seats, doubles)
    change(lanes, WORD0, lane, here, seats, np.int64(word0))
    change(lanes, WORD1, lane, here, seats, np.int64(word1))
    lanes[SIZE, lane] = size + needs

    # What the card does, or the answer, and who is next.
    skip = lays & -np.int64((laid & skips) != 0)
    two = lays & -np.int64((laid & DRAW_TWOS) != 0)
    four = lays & -np.int64((laid & _DRAW_FOUR) != 0)
    bluff = four & holds
    caught = doubt & -np.int64(pending == BLUFF)
    done = forced & -np.int64(pending == 1)
    reversals = lanes[REVERSALS, lane] + np.int64((lays & laid & REVERSES) != 0)
    lanes[REVERSALS, lane] = reversals
    victim_draws = blend(doubt & ~caught, np.int64(LOST_CHALLENGE_CARDS), DRAW_FOUR_CARDS)
    pending = blend(answers, victim_draws, pending + forced)
    pending |= two & DRAW_TWO_CARDS
    pending |= four & blend(no_bluffs, np.int64(DRAW_FOUR_CARDS), INNOCENT + bluff)
    lanes[PENDING, lane] = pending
    lanes[TURNS, lane] = turns - (acts & -np.int64(pending == 0))
    steps = caught - plays - skip - done
    back = -(reversals & 1)
    index += (steps ^ back) - back
    index += players & (index >> 63)
    index -= players & ~((index - players) >> 63)
    lanes[SEAT, lane] = index

    others = (goes + wild + answers) << OTHERS
    fours = (four << FOURS) + (bluff << BLUFFS)
    lanes[COUNTS, lane] -= chooses + others + fours + (doubt << DOUBTS) + (caught << CAUGHT)
    lanes[BLOCKED, lane] |= shut
    dry |= (-pending >> 63) & ((size + needs - 1) >> 63)
    return lanes[BUSY, lane] & ((dry & 1) | (stuck & (1 << LANES)))


@inline_kernel
def pick(lanes, first, lane, here, seats):
    """Return what stands in the rows from `first` on with the seat whose bit is `here`."""
    chosen = np.int64(0)
    for seat in range(len(seats)):
        row = lanes[first + seat, lane]
        chosen = row if here & (1 << seat) else chosen
    return chosen


@inline_kernel
def change(lanes, first, lane, here, seats, word):
    """Write `word` to the row of the seat whose bit is `here`, of those from `first` on."""
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
    """Return a card set without one of its cards, or as it is; as `cards.take` and `take_wild`."""
    wild = bit & WILDS
    more = doubles & (bit | (wild << 2) | (wild << 4))
    return cards & ~(bit & ~more), doubles & ~(more & ~(more >> 2))
