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

from simcore.bits import lowest_bit
from simcore.games.uno import table as uno
from simcore.games.uno.cards import DECK_SIZE, DRAW_FOUR_CARD, KINDS, LARGEST_DECK
from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lane_records import load, restock, toss_again, unload
from simcore.games.uno.lane_rows import (
    ALL,
    ANYTHING,
    BLUFFING,
    DOUBTING,
    HITTING,
    HOUSE,
    LACKING,
    LANE_ROWS,
    LAST_LIKED,
    LIKED,
    NEXT_LIKED,
    PREFERRED,
    RANDOM_CARDS,
    SOME_RANDOM,
    URGENT,
    USUAL,
)
from simcore.games.uno.lane_steps import take_steps
from simcore.games.uno.rounds import ILLEGAL, decide
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
from simcore.games.uno.stock import PIECE
from simcore.games.uno.table import BY_SEAT, PLAY, RECORDS
from simcore.games.uno.turns import USUAL_CHALLENGE_PENALTY, USUAL_DRAW_FOUR, USUAL_DRAW_TWO
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, LINE, as_record, first_column
from simcore.match import all_play
from simcore.records import BY_SPEC, MATCH_OVER, MAX_SEATS, RANDOM, ROUND_OVER, write_row
from simcore.transpose import WORDS

WORK = as_record(
    np.dtype(
        [
            ("lanes", "i8", (LANE_ROWS, RECORDS + LINE)),
            ("seats", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("orders", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("tactics", "i8", (MAX_SEATS, WORDS)),
            ("more_tactics", "i8", (MAX_SEATS, WORDS)),
            ("matches", "i8", (RECORDS,)),
            ("loaded", "i8", (RECORDS,)),
            ("column", "i8"),
            ("width", "i8"),
            ("piece", "i8"),
        ],
        align=True,
    )
)
"""The work space. By lane: the rows of `lane_rows` in a column, from `column` on; what each seat
has, of which the seat on turn has a copy in the first rows; the number of the match in the block,
or `IDLE`; how many turns the round had when it was put into the lane. `width` is `LANES`, unknown
to the compiler, who unrolls short loops of a known length and makes no vectors of them; `piece`
is how many cards of a stock are put in order at a time: all where most are drawn. `tactics`
and `more_tactics` say how the seats play (`write_tactic`)."""

_ACCEPTS = play_spec(doubts=ALWAYS_ACCEPT)[DOUBT]


def kernel_for(table, box):
    """Return the kernel that plays such matches in lanes, or None; not compiled."""
    seats = range(table.players)
    if not all_play(table, box, RANDOM, BY_SPEC) or not fits_lanes(table, box):
        return None
    hows = {
        ANY_MOVE if box.policies[seat] == RANDOM else box.seats[seat].spec[HOW] for seat in seats
    }
    mixed = ANY_MOVE in hows or not all(is_plain(box.seats[seat].spec) for seat in seats)
    if hows == {ANY_MOVE}:
        kernels = play_in_lanes, play_in_lanes_by_dials
    elif mixed:
        kernels = play_all, play_all_by_dials
    elif hows == {AT_RANDOM}:
        kernels = play_cards_at_random, play_cards_at_random_by_dials
    elif AT_RANDOM in hows:
        kernels = play_partly_at_random, play_partly_at_random_by_dials
    else:
        kernels = play_by_spec, play_by_spec_by_dials
    return kernels[has_dials(table)]


def has_dials(table):
    """Tell whether a step in lanes is not that of the rule text."""
    draws = table.draw_two_cards, table.draw_four_cards, table.challenge_penalty
    usual = draws == (USUAL_DRAW_TWO, USUAL_DRAW_FOUR, USUAL_CHALLENGE_PENALTY)
    return bool(table.house or not usual)


def fits_lanes(table, box):
    """Tell whether lanes play by the rules of a table, and hold its cards in two words."""
    if table.special or table.draw_until:
        return False
    if table.challenge_any and table.players > 2:
        return False
    two_words = not np.any(table.levels[2:]) and max(table.wilds, table.wild_draw_fours) <= 4
    return two_words and (table.order_size == DECK_SIZE or box.coupling != BY_SEAT)


def is_plain(spec):
    """Tell whether who plays so neither bluffs nor doubts nor looks at what others lack."""
    calls = spec[HITS] == spec[CALLED_FOR] or spec[NEXT] == 0
    trusts = spec[DOUBT] in (0, _ACCEPTS)
    return spec[BLUFF] == 0 and spec[LACK] == 0 and calls and trusts


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block of uniform random play; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ANYTHING, USUAL)


@kernel
def play_in_lanes_by_dials(tables, boxes, seed, first, count, out, row):
    """Do what `play_in_lanes` does, with house rules or dials."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ANYTHING, HOUSE)


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that prefer some cards; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, PREFERRED, USUAL)


@kernel
def play_by_spec_by_dials(tables, boxes, seed, first, count, out, row):
    """Do what `play_by_spec` does, with house rules or dials."""
    return play_lanes(tables, boxes, seed, first, count, out, row, PREFERRED, HOUSE)


@kernel
def play_partly_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of such policies of which some lay any card; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, SOME_RANDOM, USUAL)


@kernel
def play_partly_at_random_by_dials(tables, boxes, seed, first, count, out, row):
    """Do what `play_partly_at_random` does, with house rules or dials."""
    return play_lanes(tables, boxes, seed, first, count, out, row, SOME_RANDOM, HOUSE)


@kernel
def play_cards_at_random(tables, boxes, seed, first, count, out, row):
    """Play a block of policies that all lay any card; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, RANDOM_CARDS, USUAL)


@kernel
def play_cards_at_random_by_dials(tables, boxes, seed, first, count, out, row):
    """Do what `play_cards_at_random` does, with house rules or dials."""
    return play_lanes(tables, boxes, seed, first, count, out, row, RANDOM_CARDS, HOUSE)


@kernel
def play_all(tables, boxes, seed, first, count, out, row):
    """Play a block of whatever policies say in numbers; see `batch.BlockKernel`."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ALL, USUAL)


@kernel
def play_all_by_dials(tables, boxes, seed, first, count, out, row):
    """Do what `play_all` does, with house rules or dials."""
    return play_lanes(tables, boxes, seed, first, count, out, row, ALL, HOUSE)


@outer_kernel
def play_lanes(tables, boxes, seed, first, count, out, row, told, dials):
    """Play a block; see `batch.BlockKernel`, and for `told` and `dials` `lane_steps.take_steps`."""
    work = np.zeros(1, WORK)
    work[0].column = first_column(work[0].lanes)
    work[0].width = LANES
    table = tables[0]
    draws_most = len(told) == 0 and not table.must_play
    work[0].piece = LARGEST_DECK if draws_most else PIECE
    for seat in range(table.players):
        write_tactic(work[0], table, boxes[0], seat)
    no_bluffs = np.int64(table.challenge - 1)
    last = np.int64(1 + table.may_forget)
    skips = table.skips | (DRAW_FOUR_CARD & -np.int64(table.draw_four_cards == 0))
    draws = (table.draw_two_cards, table.draw_four_cards, table.challenge_penalty)
    house = (-np.int64(table.must_play), -np.int64(table.number_last))
    rules = (table.players, skips, no_bluffs, last, table.turn_cap, *draws, *house)
    by_seat = boxes[0].coupling == BY_SEAT
    begun = fill_all(tables, boxes, work[0], seed, first, count)
    if begun == ILLEGAL:
        return 0
    busy = begun
    group = leaves_next = 0
    while busy:
        leaves = leaves_next
        leaves_next = take_steps(work[0], boxes, group, rules, dials, by_seat, told)
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
    """Write how a seat plays to `tactics` and `more_tactics`, whose words are rows of `lane_rows`.

    The kinds that are called for, with how few cards of the next player above them, and those that
    are preferred, with how few of any opponent; the last ones are all bits set where any card is
    laid. Then the kinds that hit, all bits set where any move is made, and three words of `spec`.
    """
    tactic, more, spec = work.tactics[seat], work.more_tactics[seat], box.seats[seat].spec
    if box.policies[seat] == RANDOM or spec[HOW] == ANY_MOVE:
        tactic[LAST_LIKED - URGENT] = np.int64(-1)
        more[0] = np.int64(-1)
        return
    liked = -np.int64(table.players <= spec[PLAYERS])
    tactic[0] = spec[CALLED_FOR] | (spec[NEXT] << KINDS)
    tactic[LIKED - URGENT] = (spec[FIRST] & liked) | (spec[OPPONENTS] << KINDS)
    tactic[NEXT_LIKED - URGENT] = spec[SECOND] & liked
    tactic[LAST_LIKED - URGENT] = spec[THIRD] & liked
    more[0] = spec[HITS]
    more[BLUFFING - HITTING] = spec[BLUFF]
    more[LACKING - HITTING] = spec[LACK]
    more[DOUBTING - HITTING] = spec[DOUBT]
    if spec[HOW] == AT_RANDOM:
        tactic[LAST_LIKED - URGENT] = np.int64(-1)
        more[DOUBTING - HITTING] = np.int64(_ACCEPTS)


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


@outer_kernel
def play_apart(table, box, work, lane):
    """Play a turn that is out of the ordinary; return False after an illegal move."""
    unload(table, box, work, lane)
    decisions, forced = decide(table, box)
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
    """Let all be decided that is no turn of its own; return False after an illegal move."""
    while table.phase > PLAY:
        decisions, forced = decide(table, box)
        if decisions == ILLEGAL:
            return False
        table.metrics[uno.DECISIONS] += decisions
        table.metrics[uno.FORCED] += forced
    return True
