"""Up: uniform random play of many matches side by side, in the lanes of vector registers.

A turn of random play takes some sixty instructions that wait for one another and branches that
nobody can predict, so one match alone leaves most of a core idle. Here `LANES` matches take their
turns together and without a branch: the loop in `take_turns` is compiled to vector instructions.
Matches are dealt and scored by the same functions as always; only the turns between are written a
second time, for rounds in which all seats play at random and nothing rare is in force. A round in
which something rare happens all the same goes on in `rounds.play_turns`. The rows are the same, bit
for bit (`tests/up/test_lanes.py`).

The state of a lane is one column of `box.lanes`, int64[LANE_ROWS, LANES]. Seats are counted from
the one on turn: when the turn passes, the rows of the seats move up by one.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import popcount
from simcore.games.up import table as up
from simcore.games.up.cards import CLEAR, HIGHEST, MINUS_TWO, MINUS_TWOS
from simcore.games.up.deal import start_match, start_round
from simcore.games.up.play import check_play_cap, end_play
from simcore.games.up.rounds import decide_start, play_turns
from simcore.games.up.score import finish_match, score_round
from simcore.games.up.table import LANES
from simcore.jit import HAS_AVX512, JIT_DISABLED, inline_kernel, kernel, wrapping
from simcore.records import MATCH_OVER, RANDOM, ROUND_OVER, write_row

SEATS = 4
"""Most seats in a lane."""

HAND, OPEN, HIDDEN, WORD0, WORD1 = (SEATS * i for i in range(5))
"""First of the rows by seat: hand and open cards; the hidden cards, see `HIDDEN_COUNT`; the two
words of the private stream."""

(CAP, TOWER, SEAT, PLAYS, DECISIONS, COLLAPSES, CLEARS, MINUS_TWOS_LAID) = range(20, 28)
BLIND_PLAYS, LARGEST_PICKUP, NOTES, LEAVES, MATCH, ONE = range(28, 34)
"""Rows of the whole lane: `SEAT` is the one on turn; `LEAVES` is 1 when the lane must be looked
after; `MATCH` counts matches from the first of the block, -1 in an idle lane."""

HIDDEN_COUNT = 32
"""In `HIDDEN`: a byte for each hidden card, from this bit on their number, and `FIRST_TURN`."""

FIRST_TURN = 1 << 40
SEVERAL_AT_FIRST, BLIND_FINISH = 1, 2
"""In `NOTES`."""

_ONES = sum(1 << 4 * kind for kind in range(MINUS_TWO))
_BYTE = 255
_HALF = np.uint64(0xFFFFFFFF)


@kernel
def all_at_random(table, box):
    """Tell whether a block can be played in lanes; with short vectors it would be slower."""
    if JIT_DISABLED or not HAS_AVX512 or table.players > SEATS or len(table.tower) > 1:
        return False
    for seat in range(table.players):
        if box.policies[seat] != RANDOM or table.forget_last_card[seat] > 0.0:
            return False
    return table.multiples_in_first_lap != 0


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block; see `kernel.play_block`."""
    lanes = boxes[0].lanes
    begun = 0
    for lane in range(LANES):
        lanes[MATCH, lane] = -1
        lanes[ONE, lane] = 1
        begun = fill(tables, boxes, lane, seed, first, count, begun, out, row)
    while is_busy(lanes):
        take_turns(boxes[0], tables[0].players, tables[0].play_cap)
        for lane in range(LANES):
            if lanes[LEAVES, lane]:
                end_round(tables[lane], boxes[lane], lanes, lane)
                begun = fill(tables, boxes, lane, seed, first, count, begun, out, row)
    return count


@kernel
def is_busy(lanes):
    """Tell whether a lane has a match."""
    for lane in range(LANES):
        if lanes[MATCH, lane] >= 0:
            return True
    return False


@kernel
def fill(tables, boxes, lane, seed, first, count, begun, out, row):
    """Put the next round into a lane: of its match, or of a match not begun; write matches over.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    lanes = boxes[0].lanes
    table = tables[lane]
    box = boxes[lane]
    while True:
        if lanes[MATCH, lane] >= 0:
            if next_round(table, box, lanes, lane):
                return begun
            finish_match(table)
            write_row(table, row + lanes[MATCH, lane], out)
        if begun == count:
            lanes[MATCH, lane] = -1
            return begun
        start_match(table, box, seed, first + begun)
        lanes[MATCH, lane] = begun
        begun += 1


@kernel
def next_round(table, box, lanes, lane):
    """Put the next round of a match into its lane; return False when the match is over."""
    while table.phase != MATCH_OVER:
        start_round(table, box)
        decide_start(table, box)
        if not table.double:
            load(table, box, lanes, lane)
            return True
        play_turns(table, box)
        if table.phase == ROUND_OVER:
            score_round(table, box)
    return False


@kernel
def end_round(table, box, lanes, lane):
    """Take the round that leaves a lane to its end."""
    if unload(table, box, lanes, lane):
        end_play(table)
    else:
        check_play_cap(table)
        play_turns(table, box)
    if table.phase == ROUND_OVER:
        score_round(table, box)


@kernel
def load(table, box, lanes, lane):
    """Put the cards of a round just dealt into a lane."""
    for i in range(table.players):
        seat = (table.seat + i) % table.players
        lanes[HAND + i, lane] = box.seats[seat].hand[0]
        lanes[OPEN + i, lane] = table.open_cards[seat, 0]
        lanes[WORD0 + i, lane] = np.int64(box.seats[seat].rng[0])
        lanes[WORD1 + i, lane] = np.int64(box.seats[seat].rng[1])
        hidden = FIRST_TURN | table.hidden_cards[seat] << HIDDEN_COUNT
        for card in range(table.hidden_cards[seat]):
            hidden |= np.int64(box.hidden[seat, card]) << (8 * card)
        lanes[HIDDEN + i, lane] = hidden
    for number in range(CAP, LEAVES):
        lanes[number, lane] = 0
    lanes[SEAT, lane] = table.seat


@kernel
def unload(table, box, lanes, lane):
    """Put a lane's round back into the records: what later turns and the score ask for.

    Return whether a seat has no cards left.
    """
    out = False
    table.seat = lanes[SEAT, lane]
    table.first_turn = 0
    for i in range(table.players):
        seat = (table.seat + i) % table.players
        box.seats[seat].hand[0] = lanes[HAND + i, lane]
        table.open_cards[seat, 0] = lanes[OPEN + i, lane]
        box.seats[seat].rng[0] = np.uint64(lanes[WORD0 + i, lane])
        box.seats[seat].rng[1] = np.uint64(lanes[WORD1 + i, lane])
        hidden = lanes[HIDDEN + i, lane]
        table.hidden_cards[seat] = (hidden >> HIDDEN_COUNT) & _BYTE
        table.cards[seat] = (
            popcount(lanes[HAND + i, lane])
            + popcount(lanes[OPEN + i, lane])
            + table.hidden_cards[seat]
        )
        out |= table.cards[seat] == 0
        if hidden & FIRST_TURN:
            table.first_turn |= 1 << seat
    table.cap = lanes[CAP, lane]
    table.tower[0] = lanes[TOWER, lane]
    table.plays = lanes[PLAYS, lane]
    metrics = table.metrics
    metrics[up.DECISIONS] += lanes[DECISIONS, lane]
    metrics[up.FORCED] += lanes[PLAYS, lane] - lanes[DECISIONS, lane]
    metrics[up.COLLAPSES] += lanes[COLLAPSES, lane]
    metrics[up.CLEARS] += lanes[CLEARS, lane]
    metrics[up.MINUS_TWOS] += lanes[MINUS_TWOS_LAID, lane]
    metrics[up.BLIND_PLAYS] += lanes[BLIND_PLAYS, lane]
    metrics[up.LARGEST_PICKUP] = max(metrics[up.LARGEST_PICKUP], lanes[LARGEST_PICKUP, lane])
    if lanes[NOTES, lane] & SEVERAL_AT_FIRST:
        metrics[up.CLAUSES] |= up.FIRST_TURN_CLAUSE
    if lanes[NOTES, lane] & BLIND_FINISH:
        table.blind_finish = 1
        metrics[up.BLIND_FINISHES] += 1
    return out


@kernel
def take_turns(box, players, play_cap):
    """Let all lanes take turns until one must be looked after."""
    lanes = box.lanes
    leaves = 0
    while leaves == 0:
        for lane in range(LANES):
            leaves |= take_turn(lanes, lane, players, play_cap)


@inline_kernel
@wrapping
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
    down = (hidden >> HIDDEN_COUNT) & _BYTE

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
    mixed = word0 ^ word1
    word = rng.rotate_left(word0 + word1, 17) + word0
    product = (word >> np.uint64(32)) * np.uint64(count)
    chosen = count > 1
    goes = (count > 0) & ((not chosen) | ((product & _HALF) >= np.uint64(count)))
    draws = chosen & goes
    word0 = rng.rotate_left(word0, 49) ^ mixed ^ (mixed << np.uint64(21)) if draws else word0
    word1 = rng.rotate_left(mixed, 28) if draws else word1
    index = np.int64(product >> np.uint64(32)) if chosen else 0
    by_hand = index < from_hand
    moves = hand_moves if by_hand else open_moves
    blind = goes & (moves == 0)
    top = (hidden >> (8 * ((down - 1) & 3))) & _BYTE
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
def blend(mask, one, other):
    """Return `one` where the mask's bits are set, else `other`."""
    return (one & mask) | (other & ~mask)


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


@inline_kernel
def nth_bit(word, index):
    """Return the index of the set bit number `index` (from 0) of `word`, by halving."""
    place = np.int64(0)
    for half in (32, 16, 8, 4, 2, 1):
        below = popcount(word & ((1 << half) - 1))
        above = index >= below
        index -= below if above else 0
        word >>= half if above else 0
        place += half if above else 0
    return place
