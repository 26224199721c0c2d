"""Up or down?: many matches side by side in the lanes of vector registers.

All matches have the same turns in the same order, so `LANES` of them go from the first to the last
together. Matches are dealt and scored by the same functions as always; only the turns between are
written a second time, for tables where all seats have the same sort of play:

- at random, or as an appender, without a branch: the loop in `lane_turns.take_turns` is compiled to
  vector instructions. The few matches in which a random number would have to be drawn again are
  played again one by one;
- by tastes, each seat by its own (`spec`), in vectors from the outset (`lane_plans`).

The rows are the same, bit for bit (`tests/upordown/test_lanes.py`,
`tests/upordown/test_lane_policies.py`).
"""

from __future__ import annotations

import numpy as np

from simcore import rng
from simcore.games.upordown import table as upordown
from simcore.games.upordown.cards import BYTE, NO_CARD, card_at
from simcore.games.upordown.deal import first_seat_of, start_match, start_round
from simcore.games.upordown.lane_plans import take_turns as take_turns_by_taste
from simcore.games.upordown.lane_tastes import (
    SHOWN,
    TASTE_WORK,
    lay_out,
    load_taste,
    number_at,
)
from simcore.games.upordown.lane_turns import (
    AGAIN,
    CEILINGS,
    CIRCLE,
    COINS,
    COLUMN,
    COLUMNS,
    DEFICIT,
    DOWN_LEFT,
    DRAWN,
    DRAWN_FROM,
    FLOORS,
    FORCED,
    GIVEN_UP,
    HIGHER,
    LANE_ROWS,
    LAST_LEAD_CHANGE,
    LEAD_CHANGES,
    LEADERS,
    LENGTH,
    LOWER,
    MOST,
    ONE_PILE,
    SCORE,
    UP_LEFT,
    USED,
    WORD0,
    WORD1,
    field_of,
    note_leaders,
    row_of,
    take_turns,
)
from simcore.games.upordown.rounds import play_match
from simcore.games.upordown.score import finish_match, score_round
from simcore.games.upordown.spec import (
    APPENDS,
    COLOUR,
    DENY,
    HOPE,
    LAST_TURNS,
    POINTS,
    SPREAD,
    STEP,
    TASTES,
)
from simcore.games.upordown.table import CIRCLE_CARDS, FACE_DOWN, FACE_UP, HAND_CARDS
from simcore.jit import inline_kernel, kernel, outer_kernel
from simcore.lanes import LANES, first_column, work_dtype
from simcore.match import note_lead_change, only_random, only_specs
from simcore.records import write_row

WORK = work_dtype(LANE_ROWS)

WITH_HOPES = ((1,), (1,), (), (1,))
NO_HOPES = ((1,), (1,), (1,), ())
ONLY_HOPES = ((), (), (), (1,))
"""What a seat may count, see `lane_tastes.OF_POINTS`."""


def fits_lanes(table, box):
    """Tell whether a block of matches can be played in lanes."""
    return is_common(table) and only_random(table, box)


def fits_appending_lanes(table, box):
    """Tell whether a block of matches, all by appenders, can be played in lanes."""
    return is_common(table) and only_specs(table, box) and seats_with(APPENDS, table, box)


def fits_tasteful_lanes(table, box):
    """Tell whether a block of matches, all by policies with tastes, can be played in lanes."""
    return is_common(table) and only_specs(table, box) and seats_with(TASTES, table, box)


def is_common(table):
    """Tell whether lanes know such columns and colours."""
    return table.columns <= COLUMNS and table.printed_colours != 0


def seats_with(kind, table, box):
    """Tell whether the specs of all seats are of a kind."""
    return all(box.specs[seat, 0] == kind for seat in range(table.players))


@kernel
def play_in_lanes(tables, boxes, seed, first, count, out, row):
    """Play a block at random; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, ())


@kernel
def play_by_spec(tables, boxes, seed, first, count, out, row):
    """Play a block with appenders; see `batch.BlockKernel`."""
    return play_all(tables, boxes, seed, first, count, out, row, (APPENDS,))


@outer_kernel
def play_all(tables, boxes, seed, first, count, out, row, appends):
    """Play a block; for `appends` see `lane_turns.take_turns`."""
    work = np.zeros(1, WORK)
    column = first_column(work[0].rows)
    for done in range(0, count, LANES):
        matches = min(LANES, count - done)
        work[0].rows[:] = 0
        for lane in range(matches):
            deal(tables[lane], boxes[lane], seed, first + done + lane, work, column + lane)
        take_all_turns(tables, boxes, work, column, appends)
        for lane in range(matches):
            table = tables[lane]
            if work[0].rows[AGAIN, column + lane]:
                play_match(table, boxes[lane], seed, first + done + lane)
            else:
                finish(table, boxes[lane], work[0].rows, column + lane)
            write_row(table, row + done + lane, out)
    return count


@kernel
def deal(table, box, seed, match, work, place):
    """Deal a match and put it into a lane; lanes that get none idle along."""
    start_match(table, box, seed, match)
    start_round(table, box)
    load(table, box, work[0].rows, place)


@kernel
def take_all_turns(tables, boxes, work, column, appends):
    """Play to the last turn at random; for `appends` see `lane_turns.take_turns`."""
    lanes = work[0].rows
    players = tables[0].players
    columns = tables[0].columns
    size = boxes[0].face_up_size
    laps = turns_of_each(tables[0])
    for lap in range(laps):
        for seat in range(players):
            hand_cards = min(laps - lap, HAND_CARDS)
            take_turns(work, column, seat, hand_cards, columns, size, appends)
            draw(boxes, lanes, column, row_of(seat, DRAWN), lap + HAND_CARDS < laps)
        note_leaders(work, column, players, lap + 1)


@inline_kernel
def turns_of_each(table):
    """Return how many turns each player has."""
    cards_left = table.pile_cards[FACE_UP] + table.pile_cards[FACE_DOWN]
    return cards_left // table.players + HAND_CARDS


@kernel
def play_by_tastes(tables, boxes, seed, first, count, out, row):
    """Play a block of policies with tastes; see `batch.BlockKernel`."""
    return play_tastefully(tables, boxes, take_any_turns, seed, first, count, out, row)


@kernel
def play_without_hopes(tables, boxes, seed, first, count, out, row):
    """Do the same where nobody has hopes."""
    return play_tastefully(tables, boxes, take_turns_without_hopes, seed, first, count, out, row)


def tasteful_kernel(table, box):
    """Return the kernel that plays a block by tastes; not compiled."""
    hopes = [number_at(box.specs[seat], HOPE) for seat in range(table.players)]
    return play_by_tastes if any(hopes) else play_without_hopes


@outer_kernel
def play_tastefully(tables, boxes, take_turns_of, seed, first, count, out, row):
    """Play a block by tastes, with a function that takes the turns of a seat.

    Those matches are played together that the same seat starts, so that all lanes have the same
    taste on turn.
    """
    work = np.zeros(1, TASTE_WORK)
    players = tables[0].players
    waiting = np.zeros((players, LANES), np.int64)
    waits = np.zeros(players, np.int64)
    for match in range(count + players):
        # After the last match, those that still wait.
        seat = match - count
        if match < count:
            key = rng.match_key(seed, first + match)
            seat = first_seat_of(boxes[0], np.uint64(seed), key, players)
            waiting[seat, waits[seat]] = match
            waits[seat] += 1
        if waits[seat] == LANES or (match >= count and waits[seat] > 0):
            matches = waiting[seat, : waits[seat]]
            play_waiting(tables, boxes, work, take_turns_of, seed, first, matches, out, row)
            waits[seat] = 0
    return count


@outer_kernel
def play_waiting(tables, boxes, work, take_turns_of, seed, first, matches, out, row):
    """Play up to `LANES` matches that the same seat starts, by their numbers in the block."""
    column = first_column(work[0].rows)
    work[0].rows[:] = 0
    for lane in range(len(matches)):
        deal(tables[lane], boxes[lane], seed, first + matches[lane], work, column + lane)
    take_tasteful_turns(tables, boxes, work, take_turns_of, column)
    for lane in range(len(matches)):
        table = tables[lane]
        finish(table, boxes[lane], work[0].rows, column + lane)
        write_row(table, row + matches[lane], out)


@outer_kernel
def take_tasteful_turns(tables, boxes, work, take_turns_of, column):
    """Play to the last turn by tastes."""
    lanes = work[0].rows
    table = tables[0]
    box = boxes[0]
    players = table.players
    is_open = table.open_pile != 0
    game = (players, table.columns, table.card_count, box.face_up_size, is_open)
    lay_out(work[0], column, players)
    for lane in range(LANES):
        show(boxes[lane], lanes, column + lane)
    laps = turns_of_each(table)
    for lap in range(laps):
        left = laps - lap - 1
        for index in range(players):
            spec = box.specs[(table.first_seat + index) % players]
            if lap == 0:
                load_taste(work[0], column, index, spec)
            take_turns_of(work[0], column, index, left, game, spec)
            if left >= HAND_CARDS:
                draw_and_show(boxes, lanes, column, row_of(index, DRAWN))
            else:
                draw(boxes, lanes, column, row_of(index, DRAWN), has_cards=False)
        note_leaders(work, column, players, lap + 1)


@kernel
def take_any_turns(work, column, index, left, game, spec):
    """Take the turns of a seat with a play spec, by as much as it counts."""
    others = number_at(spec, POINTS) + number_at(spec, STEP) + number_at(spec, COLOUR)
    if number_at(spec, HOPE) == 0.0:
        take_turns_without_hopes(work, column, index, left, game, spec)
    elif others + number_at(spec, LAST_TURNS) == 0.0:
        cares = cares_of(spec, left, game)
        take_turns_by_taste(work, column, index, left, game, cares, ONLY_HOPES)
    else:
        cares = cares_of(spec, left, game)
        take_turns_by_taste(work, column, index, left, game, cares, WITH_HOPES)


@kernel
def take_turns_without_hopes(work, column, index, left, game, spec):
    """Take the turns of a seat with a play spec, which has no hopes."""
    cares = cares_of(spec, left, game)
    take_turns_by_taste(work, column, index, left, game, cares, NO_HOPES)


@inline_kernel
def cares_of(spec, left, game):
    """Return `cares` of `lane_plans.take_turns`."""
    last_turns = number_at(spec, LAST_TURNS)
    is_first = left + 1 == (game[2] - CIRCLE_CARDS) // game[0]
    ends = left < last_turns and (is_first or left + 1 >= last_turns)
    return number_at(spec, DENY) > 0.0, number_at(spec, SPREAD) > 0.0, ends


@inline_kernel
def show(box, lanes, lane):
    """Note the card on top of a face-up pile."""
    lanes[SHOWN, lane] = np.int64(box.deck[np.uint32(lanes[UP_LEFT, lane])])


@kernel
def draw_and_show(boxes, lanes, column, drawn):
    """Give the seat that took its turn the card that it drew; note the next one face up."""
    for lane in range(LANES):
        place = column + lane
        lanes[drawn, place] = np.int64(boxes[lane].deck[np.uint32(lanes[DRAWN_FROM, place])])
        show(boxes[lane], lanes, place)


@kernel
def draw(boxes, lanes, column, drawn, has_cards):
    """Give the seat that took its turn the card that it drew, while there is any."""
    for lane in range(LANES):
        card = np.int64(boxes[lane].deck[lanes[DRAWN_FROM, column + lane]])
        lanes[drawn, column + lane] = card if has_cards else NO_CARD


@kernel
def load(table, box, lanes, column):
    """Put the cards of a match just dealt into a lane."""
    lanes[CIRCLE, column] = table.circle
    lanes[UP_LEFT, column] = table.pile_cards[FACE_UP]
    lanes[DOWN_LEFT, column] = table.pile_cards[FACE_DOWN]
    for index in range(table.players):
        seat_index = (table.first_seat + index) % table.players
        seat = box.seats[seat_index]
        lanes[row_of(index, WORD0), column] = np.int64(seat.rng[0])
        lanes[row_of(index, WORD1), column] = np.int64(seat.rng[1])
        lanes[row_of(index, COINS), column] = np.int64(seat.coins)
        lanes[row_of(index, LOWER), column] = card_at(seat.hand, 0)
        lanes[row_of(index, HIGHER), column] = card_at(seat.hand, BYTE)
        lanes[row_of(index, DRAWN), column] = card_at(seat.hand, 2 * BYTE)
        lanes[row_of(index, FLOORS), column] = table.floors[seat_index]
        lanes[row_of(index, CEILINGS), column] = table.ceilings[seat_index]


@kernel
def finish(table, box, lanes, column):
    """Score a match whose turns were taken in a lane."""
    unload(table, lanes, column)
    score_round(table, box)
    finish_match(table)


@kernel
def unload(table, lanes, column):
    """Put what the result of a match asks for back into its table."""
    players = table.players
    leaders = lanes[LEADERS, column]
    for index in range(players):
        seat = (table.first_seat + index) % players
        used = lanes[row_of(index, USED), column]
        score = lanes[row_of(index, SCORE), column]
        table.scores[seat] = score
        table.deficits[seat] = lanes[row_of(index, DEFICIT), column]
        table.columns_used[seat] = used
        table.leaders |= ((leaders >> index) & 1) << seat
        for place in range(used):
            word = lanes[row_of(index, COLUMN + place), column]
            points = field_of(word, LENGTH) * field_of(word, MOST)
            table.lengths[seat, place] = field_of(word, LENGTH)
            table.points[seat, place] = points
            score -= points
        table.discards[seat] = score
    note_lead_change(table, lanes[LAST_LEAD_CHANGE, column])
    turns = table.turns_left
    table.turns_left = 0
    table.laps = turns // players
    choices = 4 * turns - lanes[ONE_PILE, column]
    forced = lanes[FORCED, column] + players
    table.metrics[upordown.COLUMNS_GIVEN_UP] = lanes[GIVEN_UP, column]
    table.metrics[upordown.LEAD_CHANGES] = lanes[LEAD_CHANGES, column]
    table.metrics[upordown.FORCED] = forced
    table.metrics[upordown.DECISIONS] = choices - forced
