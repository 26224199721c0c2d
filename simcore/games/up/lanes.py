"""Up: many matches side by side, in the lanes of vector registers.

A turn of random play takes some sixty instructions that wait for one another and branches that
nobody can predict, so one match alone leaves most of a core idle. Here `LANES` matches take their
turns together and without a branch: the loop in `lane_turns.take_turns` is compiled to vector
instructions. It knows random play and play specs, and calls the same rules (`turn`, `by_spec`) as
matches by themselves do. What is rare is done by the ordinary functions: matches are dealt, cut,
announced for and scored; a turn at which somebody forgets an announcement or has no move is played
in `rounds.play_turns`, and then the lane goes on. The rows are the same, bit for bit
(`tests/up/test_lanes.py`).
"""

from __future__ import annotations

from functools import cache

import numpy as np

from simcore.bits import popcount
from simcore.games.up import cards as sets
from simcore.games.up import lane_turns as rows
from simcore.games.up import spec as specs
from simcore.games.up import table as up
from simcore.games.up.by_spec import play_of, with_cards
from simcore.games.up.deal import start_match, start_round
from simcore.games.up.lane_turns import fetch, keep, kept, places_of, take_turns
from simcore.games.up.play import announce, check_play_cap, end_play
from simcore.games.up.rounds import decide_start, is_usual, play_turns
from simcore.games.up.rules import GROUPS, RARE_RULES, SPECIAL_CARDS, TEXT_VARIANTS
from simcore.games.up.score import book_round, finish_match, score_round
from simcore.games.up.table import METRIC
from simcore.games.up.turn import following
from simcore.jit import inline_kernel, kernel, outer_kernel, shared_kernel
from simcore.lanes import IDLE, LANES, first_column, is_busy
from simcore.match import all_play
from simcore.records import BY_SPEC, MATCH_OVER, RANDOM, ROUND_OVER, write_row


def lanes_kernel(table, box):
    """Return the kernel that plays such matches in lanes.

    None if a policy must be called, or there are more special cards than lanes have words for.
    One that knows less takes less time; and where nobody asks for the order of moves, cards are
    counted (`cards`) if that saves words. Not compiled.
    """
    seats = range(table.players)
    at_random, by_spec = (all_play(table, box, one) for one in (RANDOM, BY_SPEC))
    width = int(box.order.max()) // 64 + 1  # Of the words of the records the last may be empty.
    if not all_play(table, box, RANDOM, BY_SPEC) or width > rows.MOST_WORDS:
        return None
    forgets = any(table.forget_last_card[seat] > 0.0 for seat in seats)
    if not (at_random or by_spec):
        return kernel_that(rows.Knows(width, 1, 1, 1, RARE_RULES, 1))
    doubles = table.double_two == up.ALWAYS or (
        table.double_two == up.FOREHAND and any(may_double(box, seat) for seat in seats)
    )
    rare = int(table.rare) | (TEXT_VARIANTS if doubles else 0)
    rare = rare if rare in GROUPS else RARE_RULES if rare else 0
    if at_random:
        return kernel_that(rows.Knows(width, 1, 0, 0, rare, int(forgets)))
    weighs = any(box.seats[seat].spec[specs.WORTH] != specs.NO_WEIGHTS for seat in seats)
    # With the double two the places of cards say which 2 goes alone. Of open cards lanes know that
    # (`OPEN_TWOS`), but not of those of the hand, nor after a turn that is played elsewhere.
    by_places = doubles and (forgets or not table.multiples_in_first_lap)
    if width > 1 and not (rare & SPECIAL_CARDS or by_places):
        width = sets.COUNTED
    return kernel_that(rows.Knows(width, 0, 1, int(weighs or rare == RARE_RULES), rare, 1))


def may_double(box, seat):
    """Tell whether a seat might declare the double two; not compiled."""
    announces = box.seats[seat].spec[specs.ANNOUNCE] >> specs.SEAT_BITS != 0
    return box.policies[seat] == RANDOM or announces


@cache
def kernel_that(knows):
    """Return the kernel whose turns know so much (`lane_turns.Knows`); not compiled."""

    @kernel
    def play_knowing(tables, boxes, seed, first, count, out, row):
        """Play a block of matches; see `batch.BlockKernel`."""
        return play_lanes(tables, boxes, knows, seed, first, count, out, row)

    return play_knowing


@shared_kernel
def new_work(table, box):
    """Return a work space with the specs of all seats, 0 of those that play at random."""
    work = np.zeros(1, rows.WORK)
    for seat in range(table.players):
        if table.forget_last_card[seat] > 0.0:
            work[0].forgets = 1
        if box.policies[seat] == RANDOM:
            work[0].draws = 1
        else:
            spec = play_of(box.seats[seat])
            for word in range(len(spec)):
                work[0].specs[seat, word] = spec[word]
    return work


@outer_kernel
def play_lanes(tables, boxes, knows, seed, first, count, out, row):
    """Play a block by turns that know so much; return how many matches were played."""
    work = new_work(tables[0], boxes[0])
    width = knows.width
    column = first_column(work[0].rows)
    begun = np.int64(0)
    for lane in range(LANES):
        work[0].rows[rows.MATCH, column + lane] = IDLE
        work[0].rows[rows.ONE, column + lane] = 1
        work[0].rows[rows.LEAVES, column + lane] = 1
    while True:
        for lane in range(LANES):
            if work[0].rows[rows.LEAVES, column + lane]:
                begun = refill(
                    tables, boxes, work[0], width, column, lane, seed, first, count, begun, out, row
                )
        if not is_busy(work[0].rows[rows.MATCH, column : column + LANES]):
            return count
        take_turns(work[0], column, tables[0], knows)


@inline_kernel
def refill(tables, boxes, work, width, column, lane, seed, first, count, begun, out, row):
    """Put the next round, of its match or of the next one of the block, into a lane that is left.

    Return how many matches of the block are begun now. Without one more the lane is idle.
    """
    table = tables[lane]
    box = boxes[lane]
    place = column + lane
    if work.rows[rows.ANNOUNCES, place] and goes_on(table, box, work, place):
        return begun
    strange = False
    if work.rows[rows.MATCH, place] != IDLE:
        if unload(table, box, work, width, column, lane):
            end_play(table)
            book_round(table, box, width)
        else:
            check_play_cap(table)
            strange = True
    while work.rows[rows.MATCH, place] == IDLE or not next_round(
        table, box, work, width, column, lane, strange
    ):
        if work.rows[rows.MATCH, place] != IDLE:
            finish_match(table)
            write_row(table, row + work.rows[rows.MATCH, place], out)
        if begun == count:
            work.rows[rows.MATCH, place] = IDLE
            work.rows[rows.LEAVES, place] = 0
            break
        start_match(table, box, seed, first + begun)
        work.rows[rows.MATCH, place] = begun
        begun += 1
    return begun


@inline_kernel
def next_round(table, box, work, width, column, lane, strange):
    """Put the round under way, or the next one, into its lane; return False after the match.

    A turn that is `strange` is played here first.
    """
    while table.phase != MATCH_OVER:
        if table.phase == ROUND_OVER:
            start_round(table, box)
            decide_start(table, box)
        if not strange and is_usual(table):
            load(table, box, work, width, column, lane)
            return True
        strange = False
        play_turns(table, box, True)
        if table.phase == ROUND_OVER:
            score_round(table, box)
    return False


@kernel
def goes_on(table, box, work, place):
    """Let a last card be announced; return whether the round then goes on in its lane."""
    announce(table, box, work.rows[rows.ANNOUNCES, place] - 1)
    work.rows[rows.ANNOUNCES, place] = 0
    stays = is_usual(table) and work.rows[rows.PLAYS, place] < table.play_cap
    work.rows[rows.LEAVES, place] = not stays
    return stays


@inline_kernel
def word_of(cards, word, width):
    """Return a word of a card set as lanes have it."""
    return (
        sets.tally(sets.words_of(cards), sets.USUAL_DECK) if width == sets.COUNTED else cards[word]
    )


@inline_kernel
def order_of_twos(cards):
    """Return a bit for each 2 and "-2" of a card set in order, which is set for a "-2"."""
    order = count = np.int64(0)
    for word in range(len(cards)):
        count += popcount(cards[word] & sets.TWOS)
        minus_twos = popcount(cards[word] & sets.MINUS_TWOS)
        order |= ((np.int64(1) << minus_twos) - 1) << count
        count += minus_twos
    return order


@inline_kernel
def hidden_of(table, box, seat, width):
    """Return the row `HIDDEN` of a seat."""
    hidden = table.hidden_cards[seat] << rows.HIDDEN_COUNT
    hidden |= ((table.first_turn >> seat) & 1) * rows.FIRST_TURN
    if table.anew and seat == table.seat:
        hidden |= rows.ANEW
    for card in range(table.hidden_cards[seat]):
        hidden |= np.int64(box.hidden[seat, card]) << 8 * card
    if width == sets.COUNTED and table.double:
        hidden |= order_of_twos(table.open_cards[seat]) << rows.OPEN_TWOS
    return hidden


@inline_kernel
def load(table, box, work, width, column, lane):
    """Put a round under way into a lane."""
    lanes = work.rows
    place = column + lane
    places = places_of(width, work.draws)
    cards = np.int64(specs.ALL_FAR)
    seat = np.int64(table.seat)
    for i in range(table.players):
        where = (lane, place, seat, i)
        for word in range(max(width, 1)):
            hand = word_of(box.seats[seat].hand, word, width)
            keep(work, where, places.hand + word, width, hand)
            open_cards = word_of(table.open_cards[seat], word, width)
            keep(work, where, places.open_cards + word, width, open_cards)
        if width == sets.COUNTED:
            keep(work, where, places.own, width, table.cards[seat])
        keep(work, where, places.hidden, width, hidden_of(table, box, seat, width))
        if work.draws:
            keep(work, where, places.word0, width, np.int64(box.seats[seat].rng[0]))
            keep(work, where, places.word1, width, np.int64(box.seats[seat].rng[1]))
        cards = with_cards(cards, seat, table.cards[seat])
        seat = following(seat, table.players)
    for metric in range(len(table.metrics)):
        lanes[rows.COUNTS + metric, place] = table.metrics[metric]
    lanes[rows.SEAT, place] = table.seat
    lanes[rows.CAP, place] = table.cap
    lanes[rows.PLAYS, place] = table.plays
    lanes[rows.ANNOUNCES, place] = 0
    lanes[rows.HEIGHT, place] = sets.size_of(sets.words_of(table.tower))
    for word in range(max(width, 1)):
        lanes[rows.TOWER + word, place] = word_of(table.tower, word, width)
    lanes[rows.CARDS, place] = cards
    lanes[rows.DOUBLE, place] = table.double
    lanes[rows.EQUAL, place] = table.equal
    if width != 1:
        fetch(work, lane, place, table.seat)


@shared_kernel
def tell_apart(table, box):
    """Make cards of those that are counted in the records: any of their kind, but each once."""
    count = tell_apart_from(np.int64(0), table.tower)
    for seat in range(table.players):
        count = tell_apart_from(count, box.seats[seat].hand)
        count = tell_apart_from(count, table.open_cards[seat])
        for card in range(table.hidden_cards[seat]):
            kind = sets.kind_of(box.hidden[seat, card], sets.USUAL_DECK)
            box.hidden[seat, card] = sets.card_number(kind, sets.number_in(count, kind))
            count += np.int64(1) << 4 * kind


@inline_kernel
def tell_apart_from(count, cards):
    """Do so with a card set, where so many are gone before; return how many are gone then."""
    after = count + cards[0]
    for word in range(len(cards)):
        cards[word] = sets.first_cards(after, word) & ~sets.first_cards(count, word)
    return after


@inline_kernel
def unload(table, box, work, width, column, lane):
    """Put a lane's round back into the records: what later turns and the score ask for.

    Return whether a seat has no cards left; then counted cards stay so.
    """
    lanes = work.rows
    place = column + lane
    places = places_of(width, work.draws)
    out = False
    table.seat = lanes[rows.SEAT, place]
    table.first_turn = 0
    table.anew = 0
    seat = np.int64(table.seat)
    for i in range(table.players):
        where = (lane, place, seat, i)
        hidden = kept(work, where, places.hidden, width)
        down = (hidden >> rows.HIDDEN_COUNT) & rows.BYTE
        cards = down
        for word in range(max(width, 1)):
            hand = kept(work, where, places.hand + word, width)
            open_cards = kept(work, where, places.open_cards + word, width)
            box.seats[seat].hand[word] = hand
            table.open_cards[seat, word] = open_cards
            cards += popcount(hand) + popcount(open_cards)
        if width == sets.COUNTED:
            cards = kept(work, where, places.own, width)
        if work.draws:
            box.seats[seat].rng[0] = np.uint64(kept(work, where, places.word0, width))
            box.seats[seat].rng[1] = np.uint64(kept(work, where, places.word1, width))
        table.hidden_cards[seat] = down
        table.cards[seat] = cards
        out |= cards == 0
        if hidden & rows.FIRST_TURN:
            table.first_turn |= 1 << seat
        if hidden & rows.ANEW:
            table.anew = 1
        seat = following(seat, table.players)
    table.cap = lanes[rows.CAP, place]
    table.equal = lanes[rows.EQUAL, place]
    for word in range(max(width, 1)):
        table.tower[word] = lanes[rows.TOWER + word, place]
    metrics = table.metrics
    turns = metrics[METRIC.decisions] + metrics[METRIC.forced] - table.plays
    finishes = metrics[METRIC.blind_minus_two_finishes]
    for metric in range(len(metrics)):
        metrics[metric] = lanes[rows.COUNTS + metric, place]
    table.plays = lanes[rows.PLAYS, place]
    metrics[METRIC.forced] = turns + table.plays - metrics[METRIC.decisions]
    table.blind_finish = metrics[METRIC.blind_minus_two_finishes] - finishes
    if width == sets.COUNTED and not out:
        tell_apart(table, box)
    return out
