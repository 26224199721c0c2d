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

from functools import cache

import numpy as np

from simcore.bits import lowest_bit
from simcore.games.uno import lane_rows as rows
from simcore.games.uno import spec as specs
from simcore.games.uno.cards import DECK_SIZE, DRAW_FOUR_CARD, KINDS, LARGEST_DECK, WILDS
from simcore.games.uno.choice import liked_kinds
from simcore.games.uno.deal import start_match, start_round
from simcore.games.uno.lane_choice import choose_ahead, take_place
from simcore.games.uno.lane_records import load, restock, toss_again, unload
from simcore.games.uno.lane_steps import end_steps, take_steps
from simcore.games.uno.play import draw_on, go_on_drawn
from simcore.games.uno.rounds import decide
from simcore.games.uno.score import finish_match, score_round
from simcore.games.uno.stock import PIECE
from simcore.games.uno.table import (
    BY_ANYBODY,
    BY_NOBODY,
    BY_SEAT,
    PLAY,
    RECORDS,
    STACK_OFF,
    STACK_SAME,
)
from simcore.games.uno.turns import USUAL_CHALLENGE_PENALTY, USUAL_DRAW_FOUR, USUAL_DRAW_TWO
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import IDLE, LANES, LINE, as_record, first_column
from simcore.match import all_play
from simcore.records import BY_SPEC, MATCH_OVER, MAX_SEATS, RANDOM, ROUND_OVER, write_row
from simcore.transpose import WORDS

WORK = as_record(
    np.dtype(
        [
            ("lanes", "i8", (rows.LANE_ROWS, RECORDS + LINE)),
            ("seats", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("orders", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("tactics", "i8", (MAX_SEATS, WORDS)),
            ("more_tactics", "i8", (MAX_SEATS, WORDS)),
            ("more", "i8", (RECORDS, MAX_SEATS, WORDS)),
            ("matches", "i8", (RECORDS,)),
            ("loaded", "i8", (RECORDS,)),
            ("column", "i8"),
            ("width", "i8"),
            ("piece", "i8"),
            ("unnoted", "i8"),
        ],
        align=True,
    )
)
"""The work space. By lane: the rows of `lane_rows` in a column, from `column` on; what each seat
has, of which the seat on turn has a copy in the first rows; the number of the match in the block,
or `IDLE`; how many turns the round had when it was put into the lane. `width` is `LANES`, unknown
to the compiler, who unrolls short loops of a known length and makes no vectors of them; `piece`
is how many cards of a stock are put in order at a time: all where most are drawn; `unnoted` is 0,
or all wild cards where discards are not noted. `tactics`
and `more_tactics` say how the seats play (`write_tactic`); `more` has what each seat has besides
under house rules."""

_ACCEPTS = specs.play_spec(doubts=specs.ALWAYS_ACCEPT)[specs.DOUBT]

FEW_SEATS = 5
"""Where hands are looked at seat by seat, there is a kernel for so many seats, and one for all."""


def kernel_for(table, box):
    """Return the kernel that plays such matches in lanes, or None; not compiled."""
    dials = dials_of(table)
    if not all_play(table, box, RANDOM, BY_SPEC) or not fits_lanes(table, box, dials):
        return None
    told = told_of(table, box)
    if any(dials[1:]) and told:
        told = rows.MIXED if rows.leaves_to_chance(told) else rows.ALL
    return kernel_that(told, dials)


def told_of(table, box):
    """Return how the seats play: `ANYTHING` … `MIXED`; not compiled."""
    seats = range(table.players)
    hows = {
        specs.ANY_MOVE if box.policies[seat] == RANDOM else box.seats[seat].spec[specs.HOW]
        for seat in seats
    }
    if hows == {specs.ANY_MOVE}:
        return rows.ANYTHING
    if specs.ANY_MOVE in hows or not all(is_plain(box.seats[seat].spec) for seat in seats):
        return rows.MIXED if hows & {specs.ANY_MOVE, specs.AT_RANDOM} else rows.ALL
    if hows == {specs.AT_RANDOM}:
        return rows.RANDOM_CARDS
    return rows.SOME_RANDOM if specs.AT_RANDOM in hows else rows.PREFERRED


def dials_of(table):
    """Return how a step in lanes differs from that of the rule text; not compiled.

    With several of what takes time it is all of them, so that there are few kernels.
    """
    draws = table.draw_two_cards, table.draw_four_cards, table.challenge_penalty
    usual = draws == (USUAL_DRAW_TWO, USUAL_DRAW_FOUR, USUAL_CHALLENGE_PENALTY)
    many = np.any(table.levels[2:]) or max(table.wilds, table.wild_draw_fours) > 4
    groups = {
        "until": table.draw,
        "stacks": table.stacking,
        "anyone": table.challenge == BY_ANYBODY and table.players > 2,
        "jumps": table.jump_in,
        "swaps": table.seven_zero,
        "wide": many,
    }
    house = not usual or table.must_play or table.last_card
    if sum(map(bool, groups.values())) + bool(house) > 1 and any(groups.values()):
        house, groups = True, dict.fromkeys(groups, True)
    seats = FEW_SEATS if table.players <= FEW_SEATS else MAX_SEATS
    known = {name: (0,) * (seats if name == "jumps" else 1) for name in groups if groups[name]}
    return rows.USUAL._replace(house=(0,) * bool(house), **known)


def fits_lanes(table, box, dials):
    """Tell whether lanes play by the rules of a table; not compiled.

    Not where a victim draws nothing and steps, by these or other dials, are those in which others
    decide too; nor where a jump may be refused for its card, or who draws on must call "UNO"; nor
    with orders of more numbers than two words hold.
    """
    asks = dials.stacks or dials.anyone or dials.jumps or dials.swaps
    if asks and not (table.draw_two_cards and table.draw_four_cards):
        return False
    if (table.jump_in and table.last_card) or (table.draw and table.may_forget):
        return False
    return table.order_size == DECK_SIZE or box.coupling != BY_SEAT


def is_plain(spec):
    """Tell whether who plays so neither bluffs nor doubts nor looks at what others lack."""
    calls = spec[specs.HITS] == spec[specs.CALLED_FOR] or spec[specs.NEXT] == 0
    trusts = spec[specs.DOUBT] in (0, _ACCEPTS)
    return spec[specs.BLUFF] == 0 and spec[specs.LACK] == 0 and calls and trusts


@cache
def kernel_that(told, dials):
    """Return the kernel for such seats and rules; see `lane_rows`. Not compiled."""

    @kernel
    def play_as_told(tables, boxes, seed, first, count, out, row):
        """Play a block of matches; see `batch.BlockKernel`."""
        return play_lanes(tables, boxes, seed, first, count, out, row, told, dials)

    return play_as_told


@outer_kernel
def play_lanes(tables, boxes, seed, first, count, out, row, told, dials):
    """Play a block; see `batch.BlockKernel`, and for `told` and `dials` `lane_steps.take_steps`."""
    work = np.zeros(1, WORK)
    work[0].column = first_column(work[0].lanes)
    work[0].width = LANES
    table = tables[0]
    work[0].unnoted = 0 if len(told) == 0 and len(dials.wide) == 0 else WILDS
    draws_most = len(told) == 0 and not table.must_play
    work[0].piece = LARGEST_DECK if draws_most else min(PIECE, 4 * table.hand_size)
    for seat in range(table.players):
        write_tactic(work[0], table, boxes[0], seat)
    rules = rules_of(table)
    by_seat = boxes[0].coupling == BY_SEAT
    block = (seed, first, count, out, row)
    busy = begun = fill_all(tables, boxes, work[0], block, rules, dials, told)
    group = leaves_next = 0
    while busy:
        leaves = leaves_next
        leaves_next = take_steps(work[0], group, rules, dials, told)
        group ^= LANES
        leaves = end_steps(work[0], boxes, group, leaves, rules, dials, by_seat, told)
        while leaves:
            place = lowest_bit(leaves)
            leaves &= leaves - 1
            lane = group + (place & (LANES - 1))
            table = tables[lane]
            box = boxes[lane]
            if look_after(table, box, work[0], lane, place, dials):
                continue
            play_apart(table, box, work[0], lane, dials)
            if table.phase != PLAY:
                begun = fill(table, box, work[0], lane, block, begun, dials)
                busy -= work[0].matches[lane] == IDLE
            look_ahead(work[0], lane, rules, dials, told)
    return count


@outer_kernel
def look_ahead(work, lane, rules, dials, told):
    """Choose ahead for a lane into which a round was put."""
    if rows.leaves_to_chance(told):
        choose_ahead(work.lanes, work.column + lane, rules, dials, told)
        take_place(work.lanes, work.column + lane)


@kernel
def rules_of(table):
    """Return what options say of a step."""
    return rows.Rules(
        players=table.players,
        skips=table.skipping | (DRAW_FOUR_CARD & -np.int64(table.draw_four_cards == 0)),
        no_bluffs=-np.int64(table.challenge == BY_NOBODY),
        last=np.int64(1 + table.may_forget),
        turn_cap=table.turn_cap,
        draw_two=table.draw_two_cards,
        draw_four=table.draw_four_cards,
        penalty=table.challenge_penalty,
        must_play=-np.int64(table.must_play),
        number_last=-np.int64(table.last_card),
        until=-np.int64(table.draw),
        stacks=-np.int64(table.stacking != STACK_OFF),
        same=-np.int64(table.stacking == STACK_SAME),
        all_challenge=-np.int64(table.challenge == BY_ANYBODY),
        jumps=-np.int64(table.jump_in),
        swaps=-np.int64(table.seven_zero),
    )


@inline_kernel
def look_after(table, box, work, lane, place, dials):
    """Give a lane what it lacks for its next step; return False if it cannot take one.

    `place` is that of its bit in what `take_steps` returns.
    """
    if place < LANES:
        toss_again(table, box, work, lane)
        return True
    return place < 2 * LANES and restock(table, box, work, lane, dials)


@kernel
def write_tactic(work, table, box, seat):
    """Write how a seat plays to `tactics` and `more_tactics`, whose words are rows of `lane_rows`.

    The kinds that are called for, with how few cards of the next player above them, and those that
    are preferred, with how few of any opponent; the last ones are all bits set where any card is
    laid. Then the kinds that hit, all bits set where any move is made, and three words of `spec`.
    """
    tactic, more, spec = work.tactics[seat], work.more_tactics[seat], box.seats[seat].spec
    if box.policies[seat] == RANDOM or spec[specs.HOW] == specs.ANY_MOVE:
        tactic[rows.LAST_LIKED - rows.URGENT] = np.int64(-1)
        more[0] = np.int64(-1)
        return
    first, second, third = liked_kinds(spec, table.players)
    least = spec[specs.DOUBT]
    if spec[specs.HOW] == specs.AT_RANDOM:
        third, least = np.int64(-1), np.int64(_ACCEPTS)
    tactic[0] = spec[specs.CALLED_FOR] | (spec[specs.NEXT] << KINDS)
    tactic[1] = first | (spec[specs.OPPONENTS] << KINDS)
    tactic[2], tactic[3] = second, third
    more[0], more[1] = spec[specs.HITS], spec[specs.BLUFF]
    more[2], more[3] = spec[specs.LACK], least


@kernel
def fill_all(tables, boxes, work, block, rules, dials, told):
    """Put the first rounds of the first matches into the lanes; return as `fill`."""
    begun = np.int64(0)
    for lane in range(RECORDS):
        tables[lane].phase = MATCH_OVER
        work.matches[lane] = IDLE
        begun = fill(tables[lane], boxes[lane], work, lane, block, begun, dials)
        look_ahead(work, lane, rules, dials, told)
    return begun


@inline_kernel
def fill(table, box, work, lane, block, begun, dials):
    """Put the next round into a lane, after one that is over: of its match, or of one not begun.

    Return how many matches of the block are begun now. Without one more the lane is idle. `block`
    is what `batch.BlockKernel` says of it: seed, first match, how many, and where the rows go.
    """
    seed, first, count, out, row = block
    while table.phase != PLAY:
        if table.phase == ROUND_OVER:
            score_round(table, box)
        if table.phase == MATCH_OVER:
            if work.matches[lane] != IDLE:
                finish_match(table)
                write_row(table, row + work.matches[lane], out)
                work.matches[lane] = IDLE
            if begun == count:
                for number in range(rows.LANE_ROWS):
                    work.lanes[number, work.column + lane] = 0
                return begun
            start_match(table, box, seed, first + begun)
            work.matches[lane] = begun
            begun += 1
        start_round(table, box)
        answer(table, box, False)  # A card laid on one turned up may end the round.
    load(table, box, work, lane, dials)
    return begun


@outer_kernel
def play_apart(table, box, work, lane, dials):
    """Play on, out of the ordinary, up to the next turn."""
    unload(table, box, work, lane, dials)
    on = len(dials.until) > 0 and work.lanes[rows.STATE, work.column + lane] == rows.DRAWS_ON
    if on:
        go_on_drawn(table, box, draw_on(table, box, table.seat, table.top))
    answer(table, box, not on)
    if table.phase == PLAY:
        load(table, box, work, lane, dials)


@kernel
def answer(table, box, turn):
    """Let all be decided that is no turn, after one if `turn` says so."""
    while turn or table.phase > PLAY:
        decide(table, box)
        turn = False
