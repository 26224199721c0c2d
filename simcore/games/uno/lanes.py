"""UNO: many matches side by side, in the lanes of vector registers.

A turn of random play waits for some fifty instructions one after another, and for branches that
nobody can predict. Here the matches of a group of `LANES` take their steps together and without a
branch (see `lane_steps`). There are two groups, in turn: while the lanes of one that leave the
ordinary are looked after, one by one, the processor is still busy with the other.

This is for tables where every seat makes any move, or plays as it says in numbers (`spec`). Rounds
are dealt and scored, the stock is kept and a turn that is out of the ordinary (the last card of a
hand, the cap on turns) is played in the records, as always; a lane holds no more than a step needs.
The rows are the same, bit for bit (`tests/uno/test_lanes.py`, `test_lane_policies.py`). What is
noted of a table for policies that are called (the discards, who laid what) is not kept.
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.bits import lowest_bit, popcount
from simcore.games.uno import table as uno
from simcore.games.uno.cards import (
    COLOUR_CARDS as CARDS_OF,
)
from simcore.games.uno.cards import (
    DRAW_FOUR_NAMED,
    FACES,
    KINDS,
    WILD,
    WILD_DRAW_FOUR,
    WILD_NAMED,
)
from simcore.games.uno.cards import (
    PLAYABLE as PLAYABLE_ON,
)
from simcore.games.uno.choice import colour_drawn_on, colour_of, counts_of
from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lane_steps import (
    ALL,
    ANYTHING,
    BLOCKED,
    BLUFFING,
    BLUFFS,
    BUSY,
    CARD,
    CARDS,
    CAUGHT,
    COINS,
    COLOUR_CARDS,
    COUNTS,
    DOUBLES,
    DOUBTING,
    DOUBTS,
    DRAW0,
    DRAW1,
    DREW,
    FOURS,
    HAND,
    HELD,
    HITTING,
    LACKING,
    LAID,
    LANE_ROWS,
    LAST_LIKED,
    LEFT0,
    LEFT1,
    LIKED,
    LOOSE,
    NEXT_LIKED,
    NOTHING,
    NUMBER,
    OTHERS,
    PENDING,
    PLAYABLE,
    PREFERRED,
    RANDOM_CARDS,
    REVERSALS,
    SEAT,
    SIZE,
    SOME_RANDOM,
    TOP,
    TURNS,
    URGENT,
    WORD0,
    WORD1,
    find_card,
    look_for_number,
    search_number,
    take_steps,
)
from simcore.games.uno.play import note_idle_turn
from simcore.games.uno.rounds import ILLEGAL, decide_apart, play_turn
from simcore.games.uno.score import finish_match, score_round
from simcore.games.uno.spec import (
    ALWAYS_ACCEPT,
    ANY_MOVE,
    AT_RANDOM,
    BLUFF,
    CALLED_FOR,
    DOUBT,
    FIRST,
    HITS,
    HOW,
    LACK,
    NEXT,
    OPPONENTS,
    PLAYERS,
    SECOND,
    THIRD,
    play_spec,
)
from simcore.games.uno.stock import PIECE, card_on_top, prepare_stock, shuffle_some
from simcore.games.uno.table import BY_SEAT, NEVER, PLAY, RECORDS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, LINE, as_record, first_column
from simcore.match import aside_stream
from simcore.records import BY_SPEC, MATCH_OVER, MAX_SEATS, RANDOM, ROUND_OVER, write_row
from simcore.transpose import WORDS

WORK = as_record(
    np.dtype(
        [
            ("lanes", "i8", (LANE_ROWS, RECORDS + LINE)),
            ("seats", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("orders", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("tactics", "i8", (MAX_SEATS, WORDS)),
            ("manners", "i8", (MAX_SEATS, WORDS)),
            ("matches", "i8", (RECORDS,)),
            ("loaded", "i8", (RECORDS,)),
            ("column", "i8"),
            ("width", "i8"),
        ],
        align=True,
    )
)
"""The work space. By lane: the rows of `lane_steps` in a column, from `column` on; what each seat
has, of which the seat on turn has a copy in the first rows; the number of the match in the block,
or `IDLE`; how many turns the round had when it was put into the lane. `width` is `LANES`, unknown
to the compiler, who unrolls short loops of a known length and makes no vectors of them. `tactics`
and `manners` say how the seats play (`write_tactic`)."""

_FIRST_COIN = np.uint64(1 << 63)
_ACCEPTS = play_spec(doubts=ALWAYS_ACCEPT)[DOUBT]


def kernel_for(table, box):
    """Return the kernel that plays such matches in lanes, or None; not compiled."""
    seats = range(table.players)
    if any(box.policies[seat] not in (RANDOM, BY_SPEC) for seat in seats):
        return None
    hows = {
        ANY_MOVE if box.policies[seat] == RANDOM else box.seats[seat].spec[HOW] for seat in seats
    }
    if hows == {ANY_MOVE}:
        return play_in_lanes
    if ANY_MOVE in hows or not all(is_plain(box.seats[seat].spec) for seat in seats):
        return play_all
    if hows == {AT_RANDOM}:
        return play_cards_at_random
    return play_partly_at_random if AT_RANDOM in hows else play_by_spec


def is_plain(spec):
    """Tell whether who plays so neither bluffs nor doubts nor looks at what others lack."""
    calls = spec[HITS] == spec[CALLED_FOR] or spec[NEXT] == 0
    trusts = spec[DOUBT] in (0, _ACCEPTS)
    return spec[BLUFF] == 0 and spec[LACK] == 0 and calls and trusts


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of uniform random play; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ANYTHING)


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that prefer some cards; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, PREFERRED)


@kernel
def play_partly_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of such policies of which some lay any card; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, SOME_RANDOM)


@kernel
def play_cards_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that all lay any card; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, RANDOM_CARDS)


@kernel
def play_all(tables, boxes, seed, first, count, out, row):
    """Play a block of whatever policies say in numbers; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ALL)


@outer_kernel
def play_lanes(tables, boxes, seed, first, count, out, row, told):
    """Play a block; see `batch.BlockKernel`, and for `told` `lane_steps.take_steps`."""
    work = np.zeros(1, WORK)
    work[0].column = first_column(work[0].lanes)
    work[0].width = LANES
    table = tables[0]
    for seat in range(table.players):
        write_tactic(work[0], table, boxes[0], seat)
    no_bluffs = np.int64(table.challenge - 1)
    last = np.int64(1 + table.may_forget)
    rules = (table.players, table.skips, no_bluffs, last, table.turn_cap)
    by_seat = boxes[0].coupling == BY_SEAT
    begun = fill_all(tables, boxes, work[0], seed, first, count)
    if begun == ILLEGAL:
        return 0
    busy = begun
    group = LANES
    leaves_next = take_steps(work[0], boxes, 0, rules, by_seat, told)
    while busy:
        leaves = leaves_next
        leaves_next = take_steps(work[0], boxes, group, rules, by_seat, told)
        group ^= LANES
        while leaves:
            place = lowest_bit(leaves)
            leaves &= leaves - 1
            lane = group + (place & (LANES - 1))
            table = tables[lane]
            box = boxes[lane]
            if look_after(table, box, work[0], lane, place):
                continue
            if not play_apart(table, box, work[0], lane):
                return 0
            if table.phase == PLAY:
                continue
            if table.phase == MATCH_OVER:
                finish_match(table)
                write_row(table, row + work[0].matches[lane], out)
                work[0].matches[lane] = IDLE
            begun = fill(table, box, work[0], lane, seed, first, count, begun)
            if begun == ILLEGAL:
                return 0
            busy -= work[0].matches[lane] == IDLE
    return count


@inline_kernel
def look_after(table, box, work, lane, place):
    """Give a lane what it lacks for its next step; return False if it cannot take one.

    `place` is that of its bit in what `take_steps` returns.
    """
    if place < LANES:
        toss_again(table, box, work, lane)
        return True
    return place < 2 * LANES and restock(table, box, work, lane)


@kernel
def write_tactic(work, table, box, seat):
    """Write how a seat plays to `tactics` and `manners`, whose words are rows of `lane_steps`.

    The kinds that are called for, with how few cards of the next player above them, and those that
    are preferred, with how few of any opponent; the last ones are all bits set where any card is
    laid. Then the kinds that hit, all bits set where any move is made, and three words of `spec`.
    """
    tactic, manner, spec = work.tactics[seat], work.manners[seat], box.seats[seat].spec
    if box.policies[seat] == RANDOM or spec[HOW] == ANY_MOVE:
        tactic[LAST_LIKED - URGENT] = np.int64(-1)
        manner[0] = np.int64(-1)
        return
    liked = -np.int64(table.players <= spec[PLAYERS])
    tactic[0] = spec[CALLED_FOR] | (spec[NEXT] << KINDS)
    tactic[LIKED - URGENT] = (spec[FIRST] & liked) | (spec[OPPONENTS] << KINDS)
    tactic[NEXT_LIKED - URGENT] = spec[SECOND] & liked
    tactic[LAST_LIKED - URGENT] = spec[THIRD] & liked
    manner[0] = spec[HITS]
    manner[BLUFFING - HITTING] = spec[BLUFF]
    manner[LACKING - HITTING] = spec[LACK]
    manner[DOUBTING - HITTING] = spec[DOUBT]
    if spec[HOW] == AT_RANDOM:
        tactic[LAST_LIKED - URGENT] = np.int64(-1)
        manner[DOUBTING - HITTING] = np.int64(_ACCEPTS)


@kernel
def fill_all(tables, boxes, work, seed, first, count):
    """Put the first rounds of the first matches into the lanes; return as `fill`."""
    begun = np.int64(0)
    for lane in range(RECORDS):
        work.matches[lane] = IDLE
        begun = fill(tables[lane], boxes[lane], work, lane, seed, first, count, begun)
        if begun == ILLEGAL:
            break
    return begun


@kernel
def fill(table, box, work, lane, seed, first, count, begun):
    """Put the next round into a lane: of its match, or of a match not begun.

    Return how many matches of the block are begun now, or `ILLEGAL` after an illegal move. Without
    one more the lane is idle.
    """
    if work.matches[lane] < 0:
        if begun == count:
            for number in range(LANE_ROWS):
                work.lanes[number, work.column + lane] = 0
            return begun
        start_match(table, box, seed, first + begun)
        work.matches[lane] = begun
        begun += 1
    start_round(table, box)
    if not answer(table, box):
        return np.int64(ILLEGAL)
    load(table, box, work, lane)
    return begun


@kernel
def load(table, box, work, lane):
    """Put a round, at the start of a turn, into a lane."""
    lanes = work.lanes
    at = work.column + lane
    drew = laid = np.int64(0)
    for seat in range(table.players):
        work.seats[lane, seat, HAND] = box.seats[seat].hand
        work.seats[lane, seat, DOUBLES] = box.seats[seat].doubles
        work.seats[lane, seat, WORD0] = np.int64(box.seats[seat].rng[0])
        work.seats[lane, seat, WORD1] = np.int64(box.seats[seat].rng[1])
        drew |= colour_drawn_on(table, seat) << 4 * seat
        if table.last_laid[seat] < WILD:
            laid |= np.int64(1) << (4 * seat + colour_of(np.int64(table.last_laid[seat])))
    lanes[DREW, at], lanes[LAID, at] = drew, laid
    lanes[CARDS, at] = counts_of(table)
    lanes[SEAT, at] = table.seat
    lanes[PENDING, at] = 0
    lanes[TURNS, at] = table.turns
    lanes[REVERSALS, at] = table.reversals
    lanes[PLAYABLE, at] = PLAYABLE_ON[table.top]
    lanes[COLOUR_CARDS, at] = CARDS_OF[table.top]
    lanes[TOP, at] = np.int64(1) << card_on_top(table)
    lanes[COUNTS, at] = 0
    lanes[BLOCKED, at] = 0
    lanes[BUSY, at] = -1
    work.loaded[lane] = table.turns
    toss(table, box, work, lane)
    load_stock(table, box, work, lane)
    fetch(box, work, lane)


@inline_kernel
def load_stock(table, box, work, lane):
    """Put what a lane knows of the stock into it."""
    lanes = work.lanes
    at = work.column + lane
    lanes[SIZE, at] = table.stock_size
    lanes[LOOSE, at] = box.loose
    if box.coupling == BY_SEAT:
        lanes[LEFT0, at], lanes[LEFT1, at] = box.left[0], box.left[1]
        for seat in range(table.players):
            load_order(box, work, lane, seat)


@inline_kernel
def load_order(box, work, lane, seat):
    """Put into a lane how far a seat has come in its order."""
    work.orders[lane, seat, 0] = np.int64(box.draw_rng[seat, 0])
    work.orders[lane, seat, DRAW1 - DRAW0] = np.int64(box.draw_rng[seat, 1])
    work.orders[lane, seat, NUMBER - DRAW0] = box.numbers[seat]


@inline_kernel
def unload_order(box, work, lane, seat):
    """Put back into the records how far a seat has come in its order."""
    box.draw_rng[seat, 0] = np.uint64(work.orders[lane, seat, 0])
    box.draw_rng[seat, 1] = np.uint64(work.orders[lane, seat, DRAW1 - DRAW0])
    box.numbers[seat] = work.orders[lane, seat, NUMBER - DRAW0]


@inline_kernel
def unload_stock(table, box, work, lane):
    """Put what is needed to draw back into the records: hands, stock and the card on top."""
    lanes = work.lanes
    at = work.column + lane
    for seat in range(table.players):
        box.seats[seat].hand = work.seats[lane, seat, HAND]
        box.seats[seat].doubles = work.seats[lane, seat, DOUBLES]
    table.stock_size = lanes[SIZE, at]
    if box.coupling == BY_SEAT:
        box.loose = table.stock_size
    top = lowest_bit(lanes[TOP, at])
    if top >= WILD:
        colour = lowest_bit(lanes[COLOUR_CARDS, at]) // FACES
        top = colour + (DRAW_FOUR_NAMED if top == WILD_DRAW_FOUR else WILD_NAMED)
    table.top = np.uint32(top)


@kernel
def unload(table, box, work, lane):
    """Put a lane's round, at the start of a turn, back into the records."""
    lanes = work.lanes
    at = work.column + lane
    unload_stock(table, box, work, lane)
    if box.coupling == BY_SEAT:
        box.left[0], box.left[1] = lanes[LEFT0, at], lanes[LEFT1, at]
        for seat in range(table.players):
            unload_order(box, work, lane, seat)
    for seat in range(table.players):
        holder = box.seats[seat]
        table.cards[seat] = popcount(holder.hand) + popcount(holder.doubles)
        holder.rng[0] = np.uint64(work.seats[lane, seat, WORD0])
        holder.rng[1] = np.uint64(work.seats[lane, seat, WORD1])
        drew = (lanes[DREW, at] >> 4 * seat) & 0b1111
        laid = (lanes[LAID, at] >> 4 * seat) & 0b1111
        table.drew_on[seat] = WILD_NAMED + lowest_bit(drew) if drew else NEVER
        table.last_laid[seat] = FACES * lowest_bit(laid) if laid else NEVER
    table.seat = np.uint32(lanes[SEAT, at])
    table.turns = lanes[TURNS, at]
    table.reversals = lanes[REVERSALS, at]
    book(table, work, lane)
    table.metrics[uno.FORCED] += table.turns - work.loaded[lane]


@inline_kernel
def fetch(box, work, lane):
    """Write what the seat on turn has to its rows, and the next card of the stock."""
    lanes = work.lanes
    at = work.column + lane
    seat = np.uint32(lanes[SEAT, at])
    for word in range(WORDS):
        lanes[HAND + word, at] = work.seats[lane, seat, word]
        lanes[DRAW0 + word, at] = work.orders[lane, seat, word]
        lanes[URGENT + word, at] = work.tactics[seat, word]
        lanes[HITTING + word, at] = work.manners[seat, word]
    if box.coupling == BY_SEAT:
        if look_for_number(lanes, at):
            search_number(lanes, at, box)
    else:
        find_card(lanes, at, box)


@kernel
def restock(table, box, work, lane):
    """Prepare the stock of a lane that is to draw a card which is not known.

    Return whether the lane can go on by itself.
    """
    lanes = work.lanes
    at = work.column + lane
    if lanes[SIZE, at] > 0:
        shuffle_some(box, min(box.loose, PIECE))
        lanes[LOOSE, at] = box.loose
        find_card(lanes, at, box)
        return True
    unload_stock(table, box, work, lane)
    book(table, work, lane)
    found = prepare_stock(table, box, lanes[SEAT, at])
    if not found and lanes[PENDING, at] == 0:
        table.turns = lanes[TURNS, at]
        idle = table.idle_turns + 1 if table.last_idle_turn == table.turns - 1 else 1
        if idle >= table.players:
            return False
        note_idle_turn(table)
    load_stock(table, box, work, lane)
    fetch(box, work, lane)
    if not found:
        lanes[SIZE, at] += 1  # Instead of a card the seat draws nothing.
        lanes[CARD, at] = NOTHING
    return True


@inline_kernel
def toss(table, box, work, lane):
    """Toss a coin for every seat's next decision aside, where a round is put into a lane."""
    coins = np.int64(0)
    for seat in range(table.players if table.challenge else 0):
        if work.manners[seat, 0] == -1:
            coins |= coin_of(aside_stream(table, box, seat), seat)
    work.lanes[COINS, work.column + lane] = coins


@inline_kernel
def toss_again(table, box, work, lane):
    """Toss another coin for the seat that used its one in the last step."""
    at = work.column + lane
    seat = work.lanes[HELD, at]
    stream = aside_stream(table, box, seat)
    rng.next_word(stream)
    coins = work.lanes[COINS, at] & ~np.int64(_FIRST_COIN >> np.uint64(seat))
    work.lanes[COINS, at] = coins | coin_of(stream, seat)


@inline_kernel
def coin_of(stream, seat):
    """Return what `rng.below(stream, 2)` will be, as the seat's bit; nothing is drawn yet."""
    coin = rng.step(stream[0], stream[1])[0] >> np.uint64(63)
    return np.int64(coin << np.uint64(63 - seat))


@inline_kernel
def book(table, work, lane):
    """Add what was counted in a lane to the metrics of the match.

    Once a stock, as the counts have few bits.
    """
    lanes = work.lanes
    at = work.column + lane
    counts = np.uint64(lanes[COUNTS, at])
    lanes[COUNTS, at] = 0
    chosen = np.int64(counts & np.uint64(0xFFFF))
    others = np.int64((counts >> np.uint64(OTHERS)) & np.uint64(0xFFFF))
    fours = np.int64((counts >> np.uint64(FOURS)) & np.uint64(0xFF))
    table.metrics[uno.DECISIONS] += chosen + others
    table.metrics[uno.FORCED] -= chosen  # All turns are added when the lane is unloaded.
    table.metrics[uno.WILD_DRAW_FOURS] += fours
    table.metrics[uno.BLUFFS] += np.int64((counts >> np.uint64(BLUFFS)) & np.uint64(0xFF))
    table.metrics[uno.CHALLENGES] += np.int64((counts >> np.uint64(DOUBTS)) & np.uint64(0xFF))
    table.metrics[uno.CAUGHT] += np.int64(counts >> np.uint64(CAUGHT))
    if fours | lanes[BLOCKED, at]:
        table.metrics[uno.CLAUSES] |= uno.CHALLENGE_CLAUSE


@outer_kernel
def play_apart(table, box, work, lane):
    """Play a turn that is out of the ordinary; return False after an illegal move."""
    unload(table, box, work, lane)
    decisions, forced = play_turn(table, box)
    if decisions == ILLEGAL:
        return False
    table.metrics[uno.DECISIONS] += decisions
    table.metrics[uno.FORCED] += forced
    if not answer(table, box):
        return False
    if table.phase == PLAY:
        load(table, box, work, lane)
    elif table.phase == ROUND_OVER:
        score_round(table, box)
    return True


@kernel
def answer(table, box):
    """Let a colour be named and a wild draw four be answered; False after an illegal move."""
    while table.phase > PLAY:
        decisions, _ = decide_apart(table, box)
        if decisions == ILLEGAL:
            return False
        table.metrics[uno.DECISIONS] += decisions
    return True
